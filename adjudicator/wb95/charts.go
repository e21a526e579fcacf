package wb95

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
	out := []view.Chart{sc.combatChart(), sc.fireChart(),
		strikeChart("Air attack on units", "WB-95 8.2", sc.AirAttack), strikeChart("Air attack on objects", "WB-95 8.2", sc.Objects),
		sc.terrainChart(), sc.nationsChart(), sc.trackChart(), sc.pointsChart()}
	for _, side := range sc.Sides {
		out = append(out, sc.unitCard(side))
	}
	return slices.DeleteFunc(out, func(c view.Chart) bool { return len(c.Rows) == 0 })
}

// plain is a cell of a table in letters that every mail program shows.
func plain(cell string) string {
	if cell == "" {
		return "-"
	}
	return strings.ReplaceAll(cell, "•", "*")
}

func (sc *Scenario) combatChart() view.Chart {
	c := view.Chart{Title: "Combat", Clause: "WB-95 5.5", Head: append([]string{"dice"}, sc.Combat.Columns...),
		Notes: []string{"Attacker / defender. A2, D2: retreat of two hexes. -1: a step lost. D alone or behind a number: disorganized. *: the attacker tests its order."}}
	for roll := 2; roll <= 12; roll++ {
		row := []string{fmt.Sprint(roll)}
		for _, r := range sc.Combat.Cells[roll] {
			row = append(row, plain(r.Text))
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// byRoll is a table with a line for each strength and a column for each roll of two dice.
func byRoll(title, clause, note string) view.Chart {
	c := view.Chart{Title: title, Clause: clause, Head: []string{"strength"}, Notes: []string{note}}
	for roll := 2; roll <= 12; roll++ {
		c.Head = append(c.Head, fmt.Sprint(roll))
	}
	return c
}

func (sc *Scenario) fireChart() view.Chart {
	c := byRoll("Artillery fire", "WB-95 6.4", "From so many strength points; by the roll of two dice. -1: a step, D: disorganized, *: tests its order.")
	for _, r := range sc.Fire {
		row := []string{fmt.Sprintf("%d+", r.From)}
		for _, cell := range r.Cells[2:] {
			row = append(row, plain(cell.Text))
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

func strikeChart(title, clause string, t StrikeTable) view.Chart {
	c := byRoll(title, clause, "By strength points of the mission and the roll of two dice. -1: a step. D: units are disorganized, an object is destroyed.")
	for _, r := range t {
		row := []string{r.name()}
		for _, cell := range r.Cells[2:] {
			row = append(row, plain(cell.Text))
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

func (sc *Scenario) terrainChart() view.Chart {
	c := view.Chart{Title: "Terrain", Clause: "WB-95 4.1", Head: []string{"", "kind", "foot", "trucked", "tracked", "modifiers of the defender", ""},
		Notes: []string{"MP of a step into the hex; on top of it what is added and of a hexside; along a road, instead."}}
	kinds := map[string]string{board.UseBase: "hex", board.UseHexside: "hexside", board.UseRoad: "road"}
	for _, t := range sc.Terrain {
		var marks []string
		if t.Half {
			marks = append(marks, "attackers halved")
		}
		if t.Big {
			marks = append(marks, "big river")
		}
		c.Add(strings.ReplaceAll(t.Name, "-", " "), cmp.Or(kinds[t.Use], t.Use), t.Cost[Foot].chart(), t.Cost[Trucked].chart(), t.Cost[Tracked].chart(), signed(t.CM), strings.Join(marks, ", "))
	}
	return c
}

// chart is a price as the chart prints it.
func (c Cost) chart() string {
	if c == Closed {
		return "no"
	}
	return c.String()
}

// nationsChart has what differs from nation to nation.
func (sc *Scenario) nationsChart() view.Chart {
	c := view.Chart{Title: "Nations", Clause: "WB-95 9.2, 10.1", Head: []string{"", "range of headquarters", "MP of a line of supply"}}
	for _, nation := range slices.Sorted(maps.Keys(sc.HQRange)) {
		if !slices.ContainsFunc(sc.Counters, func(u Counter) bool { return u.Nation == nation }) {
			continue // not here
		}
		c.Add(nation, fmt.Sprint(sc.HQRange[nation]), sc.Allowance[nation].String())
	}
	return c
}

func (sc *Scenario) trackChart() view.Chart {
	c := view.Chart{Title: "Turns: strength points in the air", Clause: "WB-95 8.1", Head: []string{"turn", "date", sc.Names[0], sc.Names[1]}}
	for turn := 1; turn <= sc.Turns; turn++ {
		c.Add(fmt.Sprint(turn), sc.date(turn), sc.airText(sc.Sides[0], turn), sc.airText(sc.Sides[1], turn))
	}
	return c
}

func (sc *Scenario) airText(side Side, turn int) string {
	points := sc.Air[side]
	if turn > len(points) || points[turn-1] == 0 {
		return ""
	}
	return fmt.Sprint(points[turn-1])
}

func (sc *Scenario) pointsChart() view.Chart {
	c := view.Chart{Title: "Victory", Head: []string{"place", "hexes", "points", "for"}}
	for _, o := range sc.Objectives {
		hexes := []string{o.Hex.String()}
		for _, h := range o.All {
			if h != o.Hex {
				hexes = append(hexes, h.String())
			}
		}
		who := "both"
		if o.Side != "" {
			who = strings.Join(append([]string{strings.ToLower(string(o.Side))}, o.Nations...), ", ")
		}
		c.Add(o.Name, strings.Join(hexes, " "), fmt.Sprint(o.Points), who)
	}
	for _, s := range sc.Strategic {
		c.Notes = append(c.Notes, s.Text)
	}
	return c
}

// unitCard is every counter of a side, as it is printed.
func (sc *Scenario) unitCard(side Side) view.Chart {
	name := sc.Names[0]
	if side == sc.Sides[1] {
		name = sc.Names[1]
	}
	c := view.Chart{Title: "Units: " + name, Clause: "WB-95 1.2", Head: []string{"unit", "of", "type", "size", "class", "strength", "defence", "MP", "order", ""},
		Notes: []string{"strength by steps left, full first. order: a test at or above it disorganizes."}}
	for i := range sc.Counters {
		u := &sc.Counters[i]
		if u.Side != side {
			continue
		}
		c.Add(u.Name, u.Formation, string(u.Type), u.Size, string(u.Class), byStep(u.Strength), byStep(u.Defence), u.Moves.String(), fmt.Sprint(u.Morale), u.marks())
	}
	return c
}

// byStep are strengths from full strength down.
func byStep(strengths []int) string {
	var out []string
	for _, n := range slices.Backward(strengths) {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, "/")
}

// marks are what else stands on a counter.
func (c *Counter) marks() string {
	var out []string
	for _, m := range []struct {
		has  bool
		name string
	}{{c.Guards, "Guards"}, {c.SelfPro, "self-propelled"}, {c.Panther, "Panthers"}, {c.Ferdinand, "Ferdinands"}} {
		if m.has {
			out = append(out, m.name)
		}
	}
	for _, s := range c.Stars {
		out = append(out, string(s)+" star")
	}
	return strings.Join(out, ", ")
}

func signed(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%+d", n)
}
