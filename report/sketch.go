package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// sketches is how many stacks in contact are drawn in mails.
const sketches = 12

// cellWidth is the width of a hex in a sketch; three stand side by side.
const cellWidth = 25

// textSketches draws every own stack in contact with its six neighbours, for
// those who see no picture.
func (r *Report) textSketches(p *page) {
	v := r.View
	at := contacts(v)
	if len(at) == 0 {
		return
	}
	hs := make([]hex.Hex, 0, len(at))
	for h := range at {
		hs = append(hs, h)
	}
	slices.Sort(hs)
	p.hang("SKETCHES       ", "each of your stacks in contact with its six neighbours; ~ is water in between, the top of a sketch is the top of the map")
	s := newSketcher(v)
	for _, h := range hs[:min(len(hs), sketches)] {
		s.draw(p, h)
	}
	if len(hs) > sketches {
		var rest []string
		for _, h := range hs[sketches:] {
			rest = append(rest, h.String())
		}
		p.hang("  also in contact  ", strings.Join(rest, " "))
	}
	p.line("")
}

// sketcher knows what stands where.
type sketcher struct {
	v     *view.View
	own   map[hex.Hex][]*view.Unit
	enemy map[hex.Hex]*view.Stack
	forts map[hex.Hex]string
}

func newSketcher(v *view.View) *sketcher {
	s := &sketcher{v: v, own: map[hex.Hex][]*view.Unit{}, enemy: map[hex.Hex]*view.Stack{}, forts: map[hex.Hex]string{}}
	for _, list := range [][]view.Unit{v.Units, v.Allies} {
		for i := range list {
			s.own[list[i].Hex] = append(s.own[list[i].Hex], &list[i])
		}
	}
	for i := range v.Enemy {
		s.enemy[v.Enemy[i].Hex] = &v.Enemy[i]
	}
	for _, f := range v.Forts {
		s.forts[f.Hex] = f.Kind
	}
	return s
}

// draw writes a hex and its neighbours, in the places where they lie.
func (s *sketcher) draw(p *page, h hex.Hex) {
	var around [6]string
	for d := hex.N; d <= hex.NW; d++ {
		n := s.v.Board.Grid.Step(h, d)
		if !s.v.Board.On(n) {
			continue
		}
		water := " "
		if s.v.Board.River(hex.Between(h, n)) != "" {
			water = "~"
		}
		around[d] = water + s.cell(n)
	}
	row := func(left, mid, right string) {
		if left+mid+right != "" {
			p.line("  " + fit(left) + fit(mid) + fit(right))
		}
	}
	row("", around[hex.N], "")
	row(around[hex.NW], "", around[hex.NE])
	row("", "["+s.cell(h)+"]", "")
	row(around[hex.SW], "", around[hex.SE])
	row("", around[hex.S], "")
	p.line("")
}

// fit cuts or fills a text to the width of a cell.
func fit(s string) string {
	if n := utf8.RuneCountInString(s); n >= cellWidth {
		return string([]rune(s)[:cellWidth-2]) + "  "
	}
	return pad(s, cellWidth)
}

// cell says in a few words what is on a hex: "2105 ENEMY 2 ARM FF".
func (s *sketcher) cell(h hex.Hex) string {
	text := h.String()
	switch us, st := s.own[h], s.enemy[h]; {
	case len(us) > 0:
		strength := 0
		for _, u := range us {
			strength += u.Defence
		}
		text += " " + us[0].Name
		if len(us) > 1 {
			text += fmt.Sprintf(" +%d", len(us)-1)
		}
		text += fmt.Sprintf(" = %d", strength)
	case st != nil:
		text += " ENEMY " + s.known(st)
	default:
		if b := s.v.Board.Place(h); b != nil {
			text += " " + b.Name
		} else if kinds := s.v.Board.Kinds(h); len(kinds) > 0 && kinds[0] != "clear" || len(kinds) > 1 {
			text += " " + kinds[len(kinds)-1]
		}
	}
	if f := s.forts[h]; f != "" {
		text += " " + f
	}
	return text
}

// known is what is known of an enemy stack: by name, or how many of which type.
func (s *sketcher) known(st *view.Stack) string {
	if len(st.Units) == 0 {
		return "?"
	}
	if name := st.Units[0].Name; name != "" {
		if n := len(st.Units); n > 1 {
			name += fmt.Sprintf(" +%d", n-1)
		}
		return name
	}
	n := map[string]int{}
	var kinds []string
	for _, u := range st.Units {
		if n[u.Type]++; n[u.Type] == 1 {
			kinds = append(kinds, u.Type)
		}
	}
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", n[k], k)
	}
	return strings.Join(kinds, "+")
}
