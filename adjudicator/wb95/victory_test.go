package wb95

import (
	"slices"
	"strings"
	"testing"
	"text/template"

	"fieldpost/adjudicator/hex"
)

func TestVictory(t *testing.T) {
	lost := infAt("E", blue, 801)
	lost.u.Supplied = false
	for _, c := range []struct {
		name       string
		ps         []piece
		control    map[hex.Hex]Side
		turn, game bool
		winner     Side
		verdict    string
	}{
		{"in mid turn", nil, map[hex.Hex]Side{101: red, 102: red}, false, false, "", ""},
		{"held at a turn's end", []piece{infAt("E", blue, 801)}, map[hex.Hex]Side{101: red, 102: red}, true, false, red, "strategic victory of Red: two of the three"},
		{"too few", []piece{infAt("E", blue, 801)}, map[hex.Hex]Side{101: red}, true, false, "", ""},
		{"no supplied enemy", []piece{lost}, nil, true, false, red, "strategic victory of Red: the bank is clear"},
		{"points", []piece{infAt("E", blue, 801)}, map[hex.Hex]Side{303: blue, 304: blue, 305: red}, true, true, blue, "tactical victory of Blue: 2 points to 1"},
		{"a draw", []piece{infAt("E", blue, 801)}, map[hex.Hex]Side{303: blue, 305: red}, true, true, "", "a draw: 1 point each"},
		{"a contested hex counts for nobody", []piece{infAt("E", blue, 801), infAt("X", blue, 204), infAt("A", red, 405)}, map[hex.Hex]Side{303: blue, 304: blue, 305: red}, true, true, "", "a draw: 1 point each"},
	} {
		s := clearGround(8, 6).position(t, c.ps...)
		s.sc.Objectives = []Objective{{Hex: 303, Name: "a", Points: 1}, {Hex: 304, Name: "b", Points: 1}, {Hex: 305, Name: "c", Points: 1}}
		s.sc.Strategic = []Strategic{{Side: red, Kind: "clear", Hexes: []hex.Hex{801}, When: "turn", Text: "the bank is clear"},
			{Side: red, Kind: "hold", Hexes: []hex.Hex{101, 102, 103}, Count: 2, When: "turn", Text: "two of the three"}}
		if len(c.ps) == 0 {
			s = clearGround(8, 6).position(t, infAt("E", blue, 801))
		}
		s.setController(c.control)
		if winner, verdict := s.checkVictory(c.turn, c.game); winner != c.winner || verdict != c.verdict {
			t.Errorf("%s: %q, %q; want %q, %q; score %v", c.name, winner, verdict, c.winner, c.verdict, s.score())
		}
	}
}

// Every wording is a template whose facts the events give.
func TestWordingMove(t *testing.T) {
	for kind, text := range wordingMove {
		if _, err := template.New(kind).Option("missingkey=error").Parse(text); err != nil {
			t.Error(err)
		}
	}
	g := clearGround(13, 6)
	s := g.position(t, infAt("A", red, 102), infAt("B", red, 302), tankAt("C", red, 401), infAt("D", red, 1202).oos(5), infAt("F", red, 201).oos(6),
		gunAt("EG", blue, 502), infAt("E", blue, 806))
	s.setFort(502, FF, blue)
	s.setFort(302, FF, red)
	r := referee{answers: map[string]string{kindMove: "A TO 0505\nB TO 0303\nC TO 0502\nD ENTRENCH\nQ TO 0101"}, dice: map[string][]int{"surrender D": {1, 1}}}
	s, events := r.play(t, s, movementPhase)
	s.sweepForts(nil)
	_, more := r.play(t, s, supplyPhase)
	for _, e := range slices.Concat(events, more) {
		var b strings.Builder
		text, ok := wordingMove[e.Kind]
		if !ok {
			t.Errorf("no wording for %s", e.Kind)
			continue
		}
		if err := template.Must(template.New("").Option("missingkey=error").Parse(text)).Execute(&b, e.Facts.Map()); err != nil {
			t.Errorf("%s: %v", e.Kind, err)
		}
		t.Logf("%v: %s", e.To, b.String())
	}
}
