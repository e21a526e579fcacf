package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// begins says who begins a game: where chits are drawn, whoever is drawn.
func begins(sys adjudicator.System, first adjudicator.Side) string {
	if slices.Contains(adjudicator.AsksOf(sys), adjudicator.KindActivation) {
		return "the first chit drawn says who moves first"
	}
	return string(first) + " moves first"
}

// Charts are the charts, the track of turns and the cards of the units of a scenario.
func (s *Library) Charts(id string) (title string, all []view.Chart, err error) {
	game, _, err := s.Load(id)
	if err != nil {
		return "", nil, err
	}
	c, ok := game.(adjudicator.Charter)
	if !ok {
		return "", nil, fmt.Errorf("the rules of %s have no charts to print", id)
	}
	return game.Title(), c.Charts(), nil
}

// Describe tells what a scenario is, and what of its rules this version does not
// play yet, and where its files are from.
func (s *Library) Describe(id string) (string, error) {
	game, sys, err := s.Load(id)
	if err != nil {
		return "", err
	}
	pack, _, err := s.Open(id)
	if err != nil {
		return "", err
	}
	files, err := pack.Provenance()
	if err != nil {
		return "", err
	}
	opening, err := game.Opening()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, side := range game.Sides() {
		v, err := game.View(opening, side)
		if err != nil {
			return "", err
		}
		if i == 0 {
			fmt.Fprintf(&b, "%s (%s)\n%s, %d turns from %s; %s\n\n", v.Title, id, v.System, v.Turns, v.Date, begins(sys, side))
			b.WriteString("objectives\n")
			for _, o := range v.Objectives {
				fmt.Fprintf(&b, "  %v  %-28s %d point(s), %s at the start\n", o.Hex, o.Name, o.Points, strings.ToLower(o.Owner))
			}
		}
		fmt.Fprintf(&b, "\n%s: %d units on the map, %d to come\n", side, len(v.Units), len(v.Arrivals))
		for _, u := range v.Arrivals {
			fmt.Fprintf(&b, "  %-22s %-24s at %s\n", u.Name, u.Due, strings.Join(u.Entry, " or "))
		}
	}
	if list := adjudicator.UnplayedOf(game); len(list) > 0 {
		b.WriteString("\nnot played yet in this version\n")
		for _, line := range list {
			fmt.Fprintf(&b, "  - %s\n", line)
		}
	}
	b.WriteString("\nwhere the values are from\n")
	for _, f := range files {
		fmt.Fprintf(&b, "  %-48s %s\n", f.Path, f.From)
	}
	return b.String(), nil
}

// OpeningView is a scenario's set-up as one side sees it. With no side it is the
// first side's, the enemy's units shown as well: for looking at a scenario, never
// for a game.
func (s *Library) OpeningView(id, side string) (*view.View, error) {
	game, _, err := s.Load(id)
	if err != nil {
		return nil, err
	}
	opening, err := game.Opening()
	if err != nil {
		return nil, err
	}
	return SeenBy(game, opening, side)
}

// reveal replaces what v knows of the enemy by the enemy's own view. Sizes are told
// where the rules show them to the sides.
func reveal(game adjudicator.Game, position []byte, v *view.View, others []adjudicator.Side) error {
	sizes := slices.ContainsFunc(v.Enemy, func(st view.Stack) bool {
		return slices.ContainsFunc(st.Units, func(x view.Sight) bool { return x.Size != "" })
	})
	v.Allies = nil // they come as the others do
	for _, s := range others {
		o, err := game.View(position, s)
		if err != nil {
			return err
		}
		sights, forts := map[hex.Hex][]view.Sight{}, map[hex.Hex]string{}
		for _, u := range o.Units {
			x := view.Sight{Name: u.Name, Nation: u.Nation, Type: u.Type, Steps: u.Steps}
			if sizes {
				x.Size = u.Size
			}
			sights[u.Hex] = append(sights[u.Hex], x)
		}
		for _, f := range o.Forts {
			forts[f.Hex] = f.Kind
		}
		v.Enemy = slices.DeleteFunc(v.Enemy, func(st view.Stack) bool { return st.Side == string(s) })
		for _, h := range slices.Sorted(maps.Keys(sights)) {
			v.Enemy = append(v.Enemy, view.Stack{Hex: h, Side: string(s), Fort: forts[h], Seen: v.Date, Closer: true, Units: sights[h]})
		}
		for _, f := range o.Forts {
			if !slices.Contains(v.Forts, f) {
				v.Forts = append(v.Forts, f)
			}
		}
	}
	return nil
}

// SeenBy is the View of a side, or with both sides open.
func SeenBy(game adjudicator.Game, position []byte, side string) (*view.View, error) {
	sides := game.Sides()
	for _, s := range sides {
		if strings.EqualFold(string(s), side) {
			return game.View(position, s)
		}
	}
	if side != "" {
		return nil, fmt.Errorf("%w: %s", ErrNoSide, side)
	}
	v, err := game.View(position, sides[0])
	if err != nil {
		return nil, err
	}
	return v, reveal(game, position, v, sides[1:])
}

// OpenNote says on a map without a side that both lie open.
func OpenNote(side string) string {
	if side == "" {
		return "both sides lie open"
	}
	return ""
}

// Map is a View to draw a scenario's map from.
func (s *Library) Map(id, layers string) (*view.View, error) {
	v, err := s.OpeningView(id, "")
	if err != nil || layers == LayersSetup {
		return v, err
	}
	out := &view.View{Format: v.Format, System: v.System, Scenario: v.Scenario, Title: v.Title, Turns: v.Turns, Board: v.Board}
	if layers == LayersTerrain {
		return out, nil
	}
	if layers != LayersBlank {
		return nil, fmt.Errorf("layers %q: %s, %s and %s are known", layers, LayersBlank, LayersTerrain, LayersSetup)
	}
	b := *v.Board
	b.Rivers, b.Roads, b.Bridges, b.Places, b.Legend = nil, nil, nil, nil, nil
	b.Rows = slices.Clone(b.Rows)
	for i, row := range b.Rows {
		b.Rows[i] = strings.Map(func(r rune) rune {
			if r == ' ' {
				return r
			}
			return '.'
		}, row)
	}
	for _, t := range v.Board.Legend {
		if slices.Equal(t.Kinds, []string{"clear"}) {
			t.Code = "."
			b.Legend = append(b.Legend, t)
		}
	}
	out.Board = &b
	return out, b.Prepare()
}
