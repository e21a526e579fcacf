package steppe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
)

// Charts implements adjudicator.Charter.
func (g *Game) Charts() []view.Chart {
	sc := g.sc
	out := []view.Chart{sc.combatChart(), sc.terrainChart(), sc.weatherChart(), sc.trackChart(), sc.pointsChart()}
	for _, side := range sc.sides() {
		out = append(out, sc.unitCard(side))
	}
	return out
}

func (sc *Scenario) combatChart() view.Chart {
	c := view.Chart{Title: "Combat", Clause: "Steppe 10.1", Head: append([]string{"dice"}, sc.Columns...),
		Notes: []string{"Steps of the attacker / steps of the defender and R, the hexes that the defender retreats."}}
	for roll := 2; roll <= 12; roll++ {
		row := []string{fmt.Sprint(roll)}
		for _, r := range sc.Combat[roll] {
			row = append(row, r.Text)
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

func (sc *Scenario) terrainChart() view.Chart {
	c := view.Chart{Title: "Terrain", Clause: "Steppe 9.0", Head: []string{"", "kind", "motorized", "other", "shift left", "overrun"},
		Notes: []string{"MP of a step into the hex; of a hexside, on top of it. A major river takes all MP, from a hex beside it. Marsh is clear and a minor river costs nothing when frozen."}}
	for _, name := range slices.Sorted(maps.Keys(sc.Terrain)) {
		t := sc.Terrain[name]
		kind, plus := "hex", ""
		if strings.HasSuffix(name, "river") || strings.HasSuffix(name, "bridge") {
			kind, plus = "hexside", "+"
		}
		motorized, other := fmt.Sprint(plus, t.Motorized), fmt.Sprint(plus, t.Other)
		if name == majorRiver {
			motorized, other = "all", "all"
		}
		c.Add(strings.ReplaceAll(name, "-", " "), kind, motorized, other, nonzero(t.Shift), map[bool]string{true: "yes", false: "no"}[t.Overrun])
	}
	return c
}

func (sc *Scenario) weatherChart() view.Chart {
	c := view.Chart{Title: "Weather and ground, by the die", Clause: "Steppe 3.1", Head: []string{"die", fmt.Sprintf("turns 1-%d", lateTurn-1), fmt.Sprintf("turns %d-8", lateTurn)}}
	for die := 1; die <= 6; die++ {
		c.Add(fmt.Sprint(die), sc.Weather[0][die], sc.Weather[1][die])
	}
	return c
}

func (sc *Scenario) trackChart() view.Chart {
	c := view.Chart{Title: "Turns: chits to draw, aircraft that come", Head: []string{"turn", "dates"}}
	for _, p := range pools {
		c.Head = append(c.Head, strings.ToLower(p)+" chits", "fighters", "ground attack")
	}
	for turn := sc.First; turn <= sc.Last; turn++ {
		row := []string{fmt.Sprint(turn), sc.date(turn)}
		for _, p := range pools {
			a := sc.aircraftOf(p, turn)
			row = append(row, nonzero(sc.Chits[turn-1][p]), nonzero(a.Fighters), nonzero(a.CAS))
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// aircraftOf are the air units that come to a pool on a turn, those of the set-up on the
// first.
func (sc *Scenario) aircraftOf(pool string, turn int) (sum AirArrival) {
	for _, a := range sc.Air {
		if a.Pool == pool && max(a.Turn, sc.First) == turn {
			sum.Fighters, sum.CAS = sum.Fighters+a.Fighters, sum.CAS+a.CAS
		}
	}
	return sum
}

func (sc *Scenario) pointsChart() view.Chart {
	c := view.Chart{Title: "Victory Point locations", Clause: "Steppe 16.0", Head: []string{"hex", "place", "first held by"}}
	for _, o := range sc.Objectives {
		c.Add(o.Hex.String(), o.Name, strings.ToLower(string(o.First)))
	}
	return c
}

// unitCard is every counter of a side, as it is printed.
func (sc *Scenario) unitCard(side Side) view.Chart {
	c := view.Chart{Title: "Units: " + strings.ToLower(string(side)), Clause: "Steppe 2.3",
		Head:  []string{"unit", "of", "type", "size", "by steps left, full first", "moves as", "activates", "artillery", ""},
		Notes: []string{"attack-defence-moves. activates: the range of a headquarters in hexes; artillery: its support markers."}}
	for i := range sc.Counters {
		u := &sc.Counters[i]
		if u.Side != side {
			continue
		}
		card := u.card()
		c.Add(u.Name, u.Command.title(), string(u.Type), u.Size, strings.Join(card.Faces, " "), card.Moves, nonzero(u.Range), nonzero(u.Artillery), strings.Join(card.Marks, ", "))
	}
	return c
}

// card is what is printed on a counter.
//
// Steppe 2.3
func (c *Counter) card() *view.Card {
	out := &view.Card{Kind: c.Command.title(), Moves: "other", Activates: c.Range, Support: c.Artillery, Marks: c.marks()}
	if c.Motorized {
		out.Moves = "motorized"
	}
	for _, f := range slices.Backward(c.Faces) {
		out.Faces = append(out.Faces, fmt.Sprintf("%d-%d-%d", f.Attack, f.Defence, f.Moves))
	}
	return out
}

// marks are what else stands on a counter.
func (c *Counter) marks() (out []string) {
	if c.Mech {
		out = append(out, "may overrun")
	}
	if c.AT {
		out = append(out, "anti-tank")
	}
	if c.KG {
		out = append(out, "Kampfgruppe")
	}
	if c.Red > 0 {
		out = append(out, fmt.Sprintf("red sash, %d steps", c.Red))
	}
	return out
}

func nonzero(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
