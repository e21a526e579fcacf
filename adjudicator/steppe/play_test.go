package steppe

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// scribbler plays both sides at random: sheets of random orders, and any of the options
// that it is asked to choose from.
type scribbler struct {
	r    *rand.Rand
	s    *State       // in the midst of its phase
	look func(*State) // what a test wants to see each time that something is asked or rolled
}

// Throw implements adjudicator.Dice.
func (p *scribbler) Throw(_ string, count, sides int) ([]int, []byte, error) {
	p.looked()
	out := make([]int, count)
	for i := range out {
		out[i] = p.r.IntN(sides) + 1
	}
	return out, nil, nil
}

// Answer implements adjudicator.Answerer.
func (p *scribbler) Answer(d adjudicator.Decision) (string, string, bool) {
	p.looked()
	switch {
	case d.Kind == KindOrders:
		return p.sheet(d.Side), "at random", true
	case len(d.Options) == 0:
		return d.Proposal, d.Source, true
	}
	return d.Options[p.r.IntN(len(d.Options))].Answer, "at random", true
}

func (p *scribbler) looked() {
	if p.look != nil {
		p.look(p.s)
	}
}

// sheet gives every unit, under one headquarters that can activate it, an enemy to
// attack, if one is beside it, or a hex in its reach to go to, rather one beside an enemy.
func (p *scribbler) sheet(side Side) string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	s := p.s
	led := map[*Unit]bool{}
	all := s.sideUnits(side)
	p.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, hq := range all {
		if hq.c.Type != HQ {
			continue
		}
		add("CHIT %s %s", hq.c.Name, []string{"MOVE THEN ATTACK", "MOVE THEN ATTACK", "ATTACK THEN MOVE"}[p.r.IntN(3)])
		if p.r.IntN(3) == 0 {
			add("HQ TO %v", p.reachable(hq))
		}
		for _, u := range all {
			if led[u] || !s.mayActivate(hq, u) || !s.inRange(hq, u.Hex) {
				continue
			}
			led[u] = true
			h := p.reachable(u)
			if p.r.IntN(4) > 0 && h != u.Hex {
				add("MOVE %s TO %v", u.c.Name, h)
			} else {
				h = u.Hex
			}
			p.attack(&out, u, h)
		}
	}
	return strings.Join(out, "\n")
}

// attack orders a unit to attack an enemy beside a hex.
func (p *scribbler) attack(out *[]string, u *Unit, from hex.Hex) {
	for _, n := range p.s.sc.land.grid.Neighbours(from) {
		if p.s.sc.Board.On(n) && p.s.holder(n) == other(u.c.Side) && u.combat() && u.face().Attack > 0 {
			*out = append(*out, fmt.Sprintf("ATTACK %v WITH %s; MIN 1:3", n, u.c.Name))
			return
		}
	}
}

// reachable is a hex where a unit can get to, two times in three one beside an enemy.
func (p *scribbler) reachable(u *Unit) hex.Hex {
	s := p.s
	var all, near []hex.Hex
	for _, k := range s.newWalk(u).search().seen {
		all = append(all, s.hexAt(int(k)))
		if s.beside(int(k), other(u.c.Side)) {
			near = append(near, s.hexAt(int(k)))
		}
	}
	if len(near) > 0 && u.combat() && p.r.IntN(3) > 0 {
		all = near
	}
	return all[p.r.IntN(len(all))]
}

// playRandomly plays phases of a scenario at random from its opening and shows each:
// the position before it and what came of it.
func playRandomly(t testing.TB, id string, p *scribbler, phases int, each func(before *State, pass adjudicator.Pass[*State])) {
	t.Helper()
	s := load(t, id).opening()
	for range phases {
		if s.Verdict != "" {
			return
		}
		pass, err := adjudicator.Play(s.clone(), func(r *adjudicator.Run, s *State) {
			p.s = s
			phase(r, s)
		}, nil, p, p)
		if err != nil {
			t.Fatal(err)
		}
		each(s, pass)
		s = pass.State
	}
}

// stale compares what is looked up beside the fields of a position with what is found
// anew from the fields alone.
func (s *State) stale() (faults []string) {
	for i := range s.Units {
		if int(s.Units[i].n) != i {
			faults = append(faults, fmt.Sprintf("%s is no. %d, not %d", s.Units[i].ID, i, s.Units[i].n))
		}
	}
	fresh := s.clone()
	fresh.index()
	for i := range s.at.slot {
		if was, is := names(s.stack(i)), names(fresh.stack(i)); was != is {
			faults = append(faults, fmt.Sprintf("%v holds %q, not %q", s.hexAt(i), is, was))
		}
	}
	if slices.ContainsFunc(s.at.list[1:], func(us []*Unit) bool { return len(us) == 0 }) {
		faults = append(faults, "a stack without units is listed")
	}
	for k, side := range s.sc.sides() {
		if s.zoc[k] != nil && !slices.Equal(s.zoc[k], fresh.zones(side)) {
			faults = append(faults, fmt.Sprintf("the zones of control of %s are not what was kept", side))
		}
		all := fresh.supplied(side)
		fresh.reach[k] = nil
		for i, fed := range all {
			if fresh.holderIx(i) == side && fresh.linked(side, i) != fed {
				faults = append(faults, fmt.Sprintf("%v is linked to the sources of %s: %t, in supply: %t", s.hexAt(i), side, !fed, fed))
			}
		}
		if s.reach[k] != nil && !slices.Equal(s.reach[k], all) {
			faults = append(faults, fmt.Sprintf("the hexes in supply of %s are not what was kept", side))
		}
	}
	return faults
}

// What is kept of zones of control, supply and stacks is what would be found from
// nothing, in the midst of every phase of random play.
func TestWhatIsKeptIsTrue(t *testing.T) {
	for _, id := range []string{"star-and-gallop", "winter-campaign", "backhand-blow"} {
		looks, kept := 0, 0
		for seed := range uint64(3) {
			p := &scribbler{r: rand.New(rand.NewPCG(seed, 3)), look: func(s *State) {
				looks++
				kept += one(s.zoc[0] != nil && s.zoc[1] != nil) + one(s.reach[0] != nil || s.reach[1] != nil)
				for _, fault := range s.stale() {
					t.Fatalf("%s, turn %d phase %d: %s", id, s.Turn, s.Phase, fault)
				}
			}}
			playRandomly(t, id, p, 150, func(*State, adjudicator.Pass[*State]) {})
		}
		if looks < 500 || kept < 500 {
			t.Errorf("%s: %d looks at %d things kept show little", id, looks, kept)
		}
	}
}
