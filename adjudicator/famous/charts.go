package famous

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/view"
)

// Charts implements adjudicator.Charter.
func (g *Game) Charts() []view.Chart {
	sc := g.sc
	out := []view.Chart{sc.combatChart(), directChart(), barrageChart(), sc.terrainChart(), sc.fortChart(),
		sc.weatherChart(), sc.timesChart(), sc.trackChart(), sc.eventsChart(), sc.pointsChart()}
	for _, side := range sc.Sides {
		out = append(out, sc.unitCard(side))
	}
	return out
}

func (sc *Scenario) combatChart() view.Chart {
	c := view.Chart{Title: "Combat", Clause: "GD 10.1", Head: append([]string{"dice"}, columns[:]...),
		Notes: []string{"A the attacker, D the defender: R retreats, C one unit depleted, D one eliminated, P half eliminated, E all eliminated. - nothing.",
			"Low throws are the attacker's: all modifiers of both sides are added up first."}}
	for roll := 2; roll <= 12; roll++ {
		row := []string{fmt.Sprint(roll)}
		for _, r := range sc.Combat[roll] {
			row = append(row, string(r))
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// directChart is the chance to hit, and to harm a unit by its defence.
func directChart() view.Chart {
	const farthest, strongest = 5, 10
	c := view.Chart{Title: "Direct fire: percent to hit, and to harm by the target's defence", Clause: "GD 11.3", Head: []string{"range", "each die", "hit"},
		Notes: []string{"Both dice must exceed the range; together they must come to the defence and the range. A hit without harm pins.",
			"Each die: what the weather and the time of day add, and -1 at a hex that blocks sight."}}
	for d := 1; d <= strongest; d++ {
		c.Head = append(c.Head, fmt.Sprint(d))
	}
	for mod := 0; mod >= -2; mod-- {
		for distance := 1; distance <= farthest; distance++ {
			hit, _ := shot{mod: mod, distance: distance}.chances()
			if hit == 0 {
				continue
			}
			row := []string{fmt.Sprint(distance), fmt.Sprintf("%+d", mod), percentText(hit, 36)}
			for d := 1; d <= strongest; d++ {
				_, harm := shot{mod, distance, d}.chances()
				row = append(row, percentText(harm, 36))
			}
			c.Rows = append(c.Rows, row)
		}
	}
	return c
}

func barrageChart() view.Chart {
	const farthest = 17
	c := view.Chart{Title: "Barrage of a gun: percent to hit, to harm one unit, to harm two", Clause: "GD 11.2", Head: []string{"distance", "hit", "one", "two"},
		Notes: []string{"Three dice must exceed the distance; two equal ones among them harm one unit, three equal ones two."}}
	for distance := 0; distance <= farthest; distance++ {
		hits, harms := 0, [3]int{}
		for n := range 216 {
			hit, harm := barrageHarm([]int{n%6 + 1, n/6%6 + 1, n/36 + 1}, distance)
			hits += b2i(hit)
			harms[harm]++
		}
		c.Add(fmt.Sprint(distance), percentText(hits, 216), percentText(harms[1], 216), percentText(harms[2], 216))
	}
	return c
}

// percentText is a chance of so many in so many, in a hundred.
func percentText(ways, of int) string {
	switch n := (200*ways + of) / (2 * of); {
	case ways == 0:
		return "-"
	case n == 0:
		return "<1"
	default:
		return fmt.Sprint(n)
	}
}

// text is a price as the chart prints it.
func (p Price) text() string {
	switch {
	case p.Closed:
		return "no"
	case p.All:
		return "all"
	case p.Halves > 0:
		return "half"
	}
	return strings.TrimSuffix(points(p.Points), " MP")
}

var uses = map[string]string{board.UseBase: "hex", board.UseWater: "water", board.UseHexside: "hexside", board.UseRoad: "road"}

func (sc *Scenario) terrainChart() view.Chart {
	c := view.Chart{Title: "Terrain", Clause: "GD 9.0", Head: []string{"", "kind", "leg", "tracked", "wheeled", "combat", "sight"},
		Notes: []string{"MP of a step into the hex; of a hexside, on top of it; along a road, instead. half, all: of the printed allowance.", "combat: added to the dice of an attack."}}
	lines := slices.SortedFunc(maps.Values(sc.Terrain), func(a, b *Terrain) int { return cmp.Or(cmp.Compare(a.Use, b.Use), cmp.Compare(a.Name, b.Name)) })
	for _, t := range lines {
		c.Add(strings.ReplaceAll(t.Name, "-", " "), uses[t.Use], t.Price[Leg].text(), t.Price[Tracked].text(), t.Price[Wheeled].text(), signed(t.DRM), when(t.Blocks, "blocks"))
	}
	return c
}

func (sc *Scenario) fortChart() view.Chart {
	c := view.Chart{Title: "Fortifications", Clause: "GD 15.0", Head: []string{"", "leg", "tracked", "wheeled", "combat", "hexsides"},
		Notes: []string{"MP on top of the hex's, across the hexsides that it faces."}}
	for _, f := range sc.Forts {
		c.Add(f.Name, f.Extra[Leg].text(), f.Extra[Tracked].text(), f.Extra[Wheeled].text(), signed(f.DRM), fmt.Sprint(f.Sides))
	}
	return c
}

func (sc *Scenario) weatherChart() view.Chart {
	c := view.Chart{Title: "Weather, by the die and what the turn adds to it", Clause: "GD 14.0", Head: []string{"die", "", "moves", "combat", "direct fire", "aircraft", "pontoons", "replacements"}}
	for die := 1; die <= 6; die++ {
		w := sc.WeatherBy[die]
		c.Add(fmt.Sprint(die), w.Name, when(w.Half, "half"), signed(w.DRM), fireText(w.Fire, w.FireDie), yesNo(w.Air), yesNo(w.Pontoons), signed(w.Replacement))
	}
	return c
}

func (sc *Scenario) timesChart() view.Chart {
	c := view.Chart{Title: "Times of day", Clause: "GD 13.0", Head: []string{"", "moves", "dice", "combat", "direct fire", "No Night events"}}
	seen := map[string]bool{}
	for _, box := range sc.Track {
		p := box.Part
		if seen[p.Name] {
			continue
		}
		seen[p.Name] = true
		c.Add(p.Name, when(p.Half, "half"), fmt.Sprint(p.Dice), signed(p.DRM), fireText(p.Fire, p.FireDie), yesNo(p.Events))
	}
	return c
}

func fireText(allowed bool, die int) string {
	switch {
	case !allowed:
		return "none"
	case die != 0:
		return fmt.Sprintf("%+d each die", die)
	}
	return "yes"
}

func (sc *Scenario) trackChart() view.Chart {
	c := view.Chart{Title: "Turns", Head: []string{"turn", "day", "time", "weather die"}}
	for i, box := range sc.Track {
		c.Add(fmt.Sprint(i+1), fmt.Sprint(box.Day), box.Part.Name, signed(box.Weather))
	}
	return c
}

func (sc *Scenario) eventsChart() view.Chart {
	c := view.Chart{Title: "Event chits", Clause: "GD 10.3", Head: []string{"", "colour", "chits", "combat", "cancels", "at night"}}
	for _, e := range sc.Events {
		c.Add(e.Name, string(e.Colour), fmt.Sprint(e.Copies), signed(e.DRM), e.Cancels, when(e.NoNight, "void"))
	}
	return c
}

func (sc *Scenario) pointsChart() view.Chart {
	c := view.Chart{Title: "Points of the " + sc.Names[sc.number(sc.Scorer)], Head: []string{"place", "hexes", "points", "for"}}
	for _, o := range sc.Objectives {
		var hexes []string
		for _, h := range o.Hexes {
			hexes = append(hexes, h.String())
		}
		held := "all of them"
		switch {
		case o.Each:
			held = "each of them"
		case o.Count > 0 && o.Count < len(o.Hexes):
			held = fmt.Sprintf("any %d of them", o.Count)
		case len(o.Hexes) == 1:
			held = "it"
		}
		if o.Enemy {
			held += ", held by the enemy"
		}
		c.Add(o.Name, strings.Join(hexes, " "), fmt.Sprint(o.Points), held)
	}
	for _, e := range append(slices.Clone(sc.Exits), sc.Beside...) {
		c.Add("roads "+strings.Join(e.RoadsTo, ", "), strings.Join(e.Zones, " "), fmt.Sprint(e.Points), "each unit")
	}
	for _, g := range sc.Grades {
		if g.Winner == "" {
			c.Notes = append(c.Notes, fmt.Sprintf("From %d points up: a draw.", g.Points))
			continue
		}
		c.Notes = append(c.Notes, fmt.Sprintf("From %d points up: victory of the %s.", g.Points, sc.Names[sc.number(g.Winner)]))
	}
	return c
}

// unitCard is every counter of a side, as it is printed.
func (sc *Scenario) unitCard(side Side) view.Chart {
	c := view.Chart{Title: "Units: " + sc.Names[sc.number(side)], Clause: "GD 2.3",
		Head:  []string{"unit", "of", "kind", "class", "attack-defence-moves", "reverse", "direct", "guns", "activates", "flak", ""},
		Notes: []string{"direct, guns, activates: ranges in hexes. flak: dice against aircraft."}}
	for i := range sc.Counters {
		u := &sc.Counters[i]
		if u.Side != side {
			continue
		}
		reverse := ""
		if u.TwoSteps {
			reverse = u.Reduced.text()
		}
		c.Add(u.Name, u.Battalion, u.Kind, u.Class.String(), u.Full.text(), reverse, some(u.Direct), some(u.Artillery), some(u.Command), some(u.AA), u.marks())
	}
	return c
}

// card is what is printed on a counter.
//
// GD 2.3
func (c *Counter) card() *view.Card {
	out := &view.Card{Faces: []string{c.Full.text()}, Kind: c.Kind, Moves: c.Class.String(), Direct: c.Direct, Artillery: c.Artillery,
		Activates: c.Command, Flak: c.AA, Marks: c.signs()}
	if c.TwoSteps {
		out.Faces = append(out.Faces, c.Reduced.text())
	}
	return out
}

func (v Values) text() string { return fmt.Sprintf("%d-%d-%d", v.Attack, v.Defence, v.Move) }

// marks are what else stands on a counter.
func (c *Counter) marks() string { return strings.Join(c.signs(), ", ") }

// signs are what else stands on a counter, one by one.
func (c *Counter) signs() (out []string) {
	for _, m := range []struct {
		has  bool
		name string
	}{{c.Division, "division"}, {c.Engineer, "engineers"}, {c.Raft, "rafts"}, {c.Flak, "flak guns"}, {c.Ersatz, "replacements"}} {
		if m.has {
			out = append(out, m.name)
		}
	}
	return out
}

func some(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func signed(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%+d", n)
}

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}
