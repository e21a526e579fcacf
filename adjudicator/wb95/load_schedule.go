package wb95

import (
	"slices"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// supplyTable gives a nation sources of supply of its own.
type supplyTable struct {
	Nation string
	Edges  []string
	Places []string
	Zones  []string
	Hexes  []hex.Hex
}

// awardTable is a line of a victory schedule.
type awardTable struct {
	Kind       string
	Side       Side
	Points     int
	Text       string
	Hexes      []hex.Hex
	Places     []string
	Region     string
	Edge       string
	Formations []string
	Nations    []string
	Once       bool
	From, To   int
	Players    []Side // who gets the points in a game for three, nil: the side
}

// destroyed finds the bridges that begin destroyed: those over the named rivers.
func (l *loader) destroyed(b *board.Board) {
	for _, name := range l.file.Destroyed {
		i := slices.IndexFunc(b.Rivers, func(r board.River) bool { return r.Name == name })
		if i < 0 {
			l.fault(`"`+name+`"`, "no river %q in hexsides.tsv", name)
			continue
		}
		for _, br := range b.Bridges {
			if slices.Contains(b.Rivers[i].Edges, br.Edge) {
				l.sc.Broken = append(l.sc.Broken, br.Edge)
			}
		}
	}
}

// objective reads a table of objectives: every hex by itself, or every place once.
func (l *loader) objective(o hexTable) {
	b := l.sc.Board
	if o.Side != "" && !l.side(o.Side) {
		l.fault(`"`+string(o.Side)+`"`, "%q is not a side of the scenario", o.Side)
	}
	l.nations(o.Nations)
	var last *board.Place
	for _, h := range l.area(o) {
		ob := Objective{Hex: h, Name: h.String(), Points: o.Points, Side: o.Side, Nations: o.Nations}
		p := b.Place(h)
		if p == nil {
			l.sc.Objectives, last = append(l.sc.Objectives, ob), nil
			continue
		}
		ob.Name = p.Name
		if o.Together {
			if p == last {
				continue
			}
			ob.All = p.Hexes
		}
		l.sc.Objectives, last = append(l.sc.Objectives, ob), p
	}
}

// nations checks that nations are known.
func (l *loader) nations(names []string) {
	for _, n := range names {
		if l.sc.HQRange[n] == 0 {
			l.fault(`"`+n+`"`, "%q has no line in system.toml", n)
		}
	}
}

// awards reads the awards.
func (l *loader) awards() {
	sc, b := l.sc, l.sc.Board
	for _, t := range l.file.Awards {
		a := Award{Kind: t.Kind, Side: t.Side, Points: t.Points, Text: t.Text, Places: t.Places, Formations: t.Formations, Nations: t.Nations,
			Once: t.Once, From: t.From, To: t.To, Players: t.Players}
		l.nations(t.Nations)
		hexes := slices.Contains([]string{awardHold, awardCross, awardOccupy, awardRoad, awardClosed}, t.Kind)
		switch {
		case t.Edge != "":
			if a.Hexes = b.MapEdge(t.Edge); a.Hexes == nil {
				l.fault(`"`+t.Edge+`"`, "%q is not an edge of the map", t.Edge)
			}
		case hexes:
			a.Hexes = l.area(hexTable{Hexes: t.Hexes, Places: t.Places, Region: t.Region})
		case t.Kind == awardTown:
			l.area(hexTable{Places: t.Places}) // tells of unknown names
		}
		switch {
		case t.Side != "" && !l.side(t.Side):
			l.fault(`"`+string(t.Side)+`"`, "%q is not a side of the scenario", t.Side)
		case !slices.Contains(awardKinds, t.Kind):
			l.fault(`"`+t.Kind+`"`, "%q is not a kind of award", t.Kind)
		case slices.Contains([]string{awardRoad, awardTown, awardEast, awardWest}, t.Kind) && len(t.Nations) == 0:
			l.fault(`"`+t.Kind+`"`, "an award of the kind %q wants nations", t.Kind)
		}
		if t.Text == "" || slices.ContainsFunc(sc.Awards, func(b Award) bool { return b.Text == t.Text }) {
			l.fault(`"`+t.Text+`"`, "an award needs a text of its own")
		}
		for _, name := range t.Formations {
			if !slices.ContainsFunc(sc.Counters, func(c Counter) bool { return c.partOf(name) }) {
				l.fault(`"`+name+`"`, "no counter belongs to %q", name)
			}
		}
		sc.Awards = append(sc.Awards, a)
	}
}

// byNation reads the sources of nations that have their own.
func (l *loader) byNation() {
	b := l.sc.Board
	l.sc.ByNation = map[string]Supply{}
	for _, t := range l.file.Supplies {
		l.nations([]string{t.Nation})
		base := Supply{Edges: t.Edges, Places: t.Places, Hexes: t.Hexes}
		for _, e := range t.Edges {
			if b.MapEdge(e) == nil {
				l.fault(`"`+e+`"`, "%q is not an edge of the map", e)
			}
		}
		for _, id := range t.Zones {
			if z := b.Zone(id); z != nil {
				base.Hexes = append(base.Hexes, z.Hexes...)
			} else {
				l.fault(`"`+id+`"`, "no zone %q in zones.tsv", id)
			}
		}
		for _, h := range base.Hexes {
			if !b.On(h) {
				l.fault(`"`+h.String()+`"`, "hex %v is not on the map", h)
			}
		}
		if len(t.Places) > 0 {
			l.area(hexTable{Places: t.Places}) // tells of unknown names
		}
		l.sc.ByNation[t.Nation] = base
	}
}
