package staff

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// staged is a View like one that was played, with the pieces shifted at random: stacks of
// both sides a hex aside, enemies gone, own units reduced, places in other hands.
func staged(t testing.TB, v *view.View, seed uint64) *view.View {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out := &view.View{}
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatal(err)
	}
	out.Board = v.Board
	g, r := out.Board.Grid, rand.New(rand.NewPCG(seed, 11))
	taken := map[hex.Hex]bool{}
	for _, list := range [][]view.Unit{out.Units, out.Allies} {
		for _, u := range list {
			taken[u.Hex] = true
		}
	}
	for _, e := range out.Enemy {
		taken[e.Hex] = true
	}
	for _, f := range out.Forts {
		taken[f.Hex] = true // nobody walks into works
	}
	aside := func(h hex.Hex) hex.Hex {
		if !out.Board.On(h) {
			return h // beside the map
		}
		n := g.Neighbours(h)
		if to := n[r.IntN(len(n))]; out.Board.On(to) && !taken[to] && out.Board.Kinds(to)[0] == out.Board.Kinds(h)[0] {
			taken[to] = true
			return to
		}
		return h
	}
	var enemy []view.Stack
	for _, e := range out.Enemy {
		switch r.IntN(6) {
		case 0:
			continue
		case 1, 2:
			e.Hex = aside(e.Hex)
		}
		enemy = append(enemy, e)
	}
	out.Enemy = enemy
	moved := map[hex.Hex]hex.Hex{}
	for i := range out.Units {
		u := &out.Units[i]
		if _, ok := moved[u.Hex]; !ok {
			moved[u.Hex] = u.Hex
			if r.IntN(3) == 0 && u.Work == nil {
				moved[u.Hex] = aside(u.Hex)
			}
		}
		u.Hex = moved[u.Hex]
		if u.Steps > 1 && r.IntN(4) == 0 {
			u.Steps = 1 + r.IntN(u.Steps)
		}
	}
	for i := range out.Objectives {
		o := &out.Objectives[i]
		if r.IntN(4) == 0 {
			o.Owner = ""
		}
	}
	return out
}
