package wb95

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

func kharkovGame(t testing.TB) *Game {
	t.Helper()
	pack, err := scenarios.Open("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	g, err := System{}.Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*Game)
}

// hashDice throws dice from a hash of the seed, the phase and the label.
type hashDice struct {
	seed  uint64
	phase string
}

func (h hashDice) Throw(label string, count, sides int) ([]int, []byte, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", h.seed, h.phase, label))
	out := make([]int, count)
	for i := range out {
		out[i] = int(sum[i])%sides + 1
	}
	return out, nil, nil
}

// monkey answers every decision at random among what is legal: moves within
// reach, attacks on neighbours, any option of a reaction.
type monkey struct {
	g   *Game
	pos []byte
	rnd *rand.Rand
}

func (m *monkey) Answer(d adjudicator.Decision) (string, string, bool) {
	switch {
	case len(d.Options) > 0:
		return d.Options[m.rnd.IntN(len(d.Options))].Answer, "monkey", true
	case d.Kind == kindMove || d.Kind == kindStrategic:
		return m.moves(d.Side), "monkey", true
	case d.Kind == kindAttack:
		return m.attacks(d.Side), "monkey", true
	}
	return d.Proposal, "monkey", true
}

func (m *monkey) moves(side Side) string {
	s, err := decodeState(m.g.sc, m.pos)
	if err != nil {
		panic(err)
	}
	var out []string
	for _, u := range s.onMap(side) {
		if u.towedGun() || m.rnd.IntN(3) == 0 {
			continue
		}
		if m.rnd.IntN(12) == 0 {
			out = append(out, u.c.Name+" ENTRENCH")
			continue
		}
		hs := s.reach(u, false).hexes()
		if len(hs) > 0 {
			out = append(out, fmt.Sprintf("%s TO %v", u.c.Name, hs[m.rnd.IntN(len(hs))]))
		}
	}
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == Later && u.c.Side == side && s.mayArrive(u) {
			e := s.sc.arrival(u.ID).Entry
			out = append(out, u.c.Name+" ENTER "+e[m.rnd.IntN(len(e))])
		}
	}
	return strings.Join(out, "\n")
}

func (m *monkey) attacks(side Side) string {
	s, err := decodeState(m.g.sc, m.pos)
	if err != nil {
		panic(err)
	}
	var out []string
	for n, u := range s.onMap(side) {
		if !u.fights() || m.rnd.IntN(4) > 0 {
			continue
		}
		for _, h := range s.sc.Board.Grid.Neighbours(u.Hex) {
			if s.holder(h) == s.sc.Other(side) {
				out = append(out, fmt.Sprintf("%d: %v WITH %s", n+1, h, u.c.Name))
				break
			}
		}
	}
	return strings.Join(out, "\n")
}

// playRandomly plays n phases by monkeys and calls each after every one.
func playRandomly(t testing.TB, g *Game, seed uint64, n int, each func(before, after []byte, out adjudicator.Outcome)) []byte {
	t.Helper()
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(seed, 1942))
	for range n {
		at, err := g.At(pos)
		if err != nil {
			t.Fatal(err)
		}
		if at.Over {
			break
		}
		out, err := g.Play(pos, nil, hashDice{seed, at.Label}, &monkey{g, pos, rnd})
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, at.Label, err)
		}
		if each != nil {
			each(pos, out.Position, out)
		}
		pos = out.Position
	}
	return pos
}

// Whatever is ordered, after every phase the position is a legal one, steps are
// conserved, and the journal repeats to the same position.
func TestRandomPlayKeepsThePositionLegal(t *testing.T) {
	g := kharkovGame(t)
	for seed := range uint64(3) {
		playRandomly(t, g, seed, 60, func(before, after []byte, out adjudicator.Outcome) {
			b, _ := decodeState(g.sc, before)
			a, err := decodeState(g.sc, after)
			if err != nil {
				t.Fatal(err)
			}
			legal(t, b, a)
			again, err := g.Play(before, out.Journal, nil, nil)
			if err != nil || !bytes.Equal(again.Position, after) {
				t.Fatalf("seed %d: the journal of turn %d phase %d does not repeat: %v", seed, b.Turn, b.Phase, err)
			}
		})
	}
}

func legal(t testing.TB, before, s *State) {
	t.Helper()
	where := fmt.Sprintf("turn %d, phase %d", before.Turn, before.Phase)
	if len(s.Units) != len(before.Units) {
		t.Fatalf("%s: %d units became %d", where, len(before.Units), len(s.Units))
	}
	for i := range s.Units {
		u, was := &s.Units[i], &before.Units[i]
		switch {
		case u.Steps > was.Steps || u.Steps < 0:
			t.Errorf("%s: %s had %d steps and has %d", where, u.ID, was.Steps, u.Steps)
		case (u.Where == Gone) != (u.Steps == 0):
			t.Errorf("%s: %s is %q with %d steps", where, u.ID, u.Where, u.Steps)
		case u.Where == OnMap && (!s.sc.Board.On(u.Hex) || u.c.Type != HQ && s.closedGround(u)):
			t.Errorf("%s: %s stands on %v, where it may not be", where, u.ID, u.Hex)
		case was.Where == Gone && u.Where != Gone:
			t.Errorf("%s: %s rose from the dead", where, u.ID)
		}
	}
	for h, us := range s.stacks() {
		steps := s.stackSteps(h)
		for _, u := range us {
			if u.c.Side != us[0].c.Side {
				t.Errorf("%s: both sides stand on %v", where, h)
			}
		}
		if steps > stackLimit && steps > before.stackSteps(h) {
			t.Errorf("%s: %v holds %d steps", where, h, steps)
		}
	}
	for _, f := range s.Forts {
		if holder := s.holder(f.Hex); holder != "" && holder != f.Side || f.Kind == FF && holder == "" {
			t.Errorf("%s: the %s of %s on %v is held by %q", where, f.Kind, f.Side, f.Hex, holder)
		}
	}
}

// closedGround tells that a unit could enter its hex from no neighbour.
func (s *State) closedGround(u *Unit) bool {
	for _, n := range s.sc.Board.Grid.Neighbours(u.Hex) {
		if s.passable(u.c, n, u.Hex) {
			return false
		}
	}
	return true
}

// Non-interference: what a side cannot see changes nothing in its view, nor in
// the verdict on its orders.
func TestHiddenThingsChangeNothingThatASideReads(t *testing.T) {
	g := kharkovGame(t)
	for seed := range uint64(4) {
		pos := playRandomly(t, g, seed+50, 8+int(seed)*9, nil)
		for _, side := range g.sc.Sides {
			s, err := decodeState(g.sc, pos)
			if err != nil {
				t.Fatal(err)
			}
			want := s.view(side)
			sheet := someOrders(s, side)
			verdict := g.Check(want, sheet)
			if n := disturbHidden(s, side, rand.New(rand.NewPCG(seed, 3))); n < 20 {
				t.Fatalf("only %d hidden things were changed: the test proves nothing", n)
			}
			got := s.view(side)
			if a, b := mustJSON(t, want), mustJSON(t, got); a != b {
				t.Errorf("seed %d: the view of %s tells hidden things: %s", seed, side, firstDifference(a, b))
			}
			if a, b := toldOf(t, verdict), toldOf(t, g.Check(got, sheet)); a != b {
				t.Errorf("seed %d: the verdict on orders of %s tells hidden things: %s", seed, side, firstDifference(a, b))
			}
		}
	}
}

// disturbHidden changes what the other side's owner alone may know: levels of
// supply, organization, set-up of guns, steps and kinds of units out of contact,
// who of a stack is who, what is still to come.
func disturbHidden(s *State, side Side, rnd *rand.Rand) (n int) {
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side == side {
			continue
		}
		n++
		u.OoS = rnd.IntN(5)
		u.Firing = !u.Firing
		u.Strategic, u.Retreated, u.Supplied = !u.Strategic, !u.Retreated, !u.Supplied
		if !u.disorganized() {
			u.Disorganized = clock(s.Turn, 1)
		}
		switch {
		case u.Where == Later:
			u.Due += rnd.IntN(4)
		case u.Where == OnMap && u.Steps > 1 && s.contact(side, u.Hex) == nil:
			u.Steps = 1
		}
	}
	return n
}

// someOrders moves every unit a little and attacks what is near.
func someOrders(s *State, side Side) *orders.Sheet {
	m := &monkey{g: newGame(s.sc), pos: s.encode(), rnd: rand.New(rand.NewPCG(9, 9))}
	text := "GAME: X SIDE: " + string(side) + "\nMOVE\n" + m.moves(side) + "\nATTACK\n" + m.attacks(side) + "\nSTANDING\nALL RETREAT FULL\nDONE\n"
	sheet, _ := orders.Parse(text, Vocabulary)
	return sheet
}

// toldOf is all that a verdict tells, the preview too.
func toldOf(t testing.TB, f *adjudicator.Filing) string {
	t.Helper()
	return mustJSON(t, f) + mustJSON(t, f.Preview())
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func firstDifference(a, b string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("...%s... against ...%s...", a[max(0, i-80):min(len(a), i+40)], b[max(0, i-80):min(len(b), i+40)])
		}
	}
	return "one is longer"
}

// A View that went through a mail gives the same verdict as the one made here.
func TestAViewSurvivesTheMail(t *testing.T) {
	g := kharkovGame(t)
	pos := playRandomly(t, g, 5, 14, nil)
	v, err := g.View(pos, g.sc.Sides[0])
	if err != nil {
		t.Fatal(err)
	}
	var again view.View
	if err := json.Unmarshal([]byte(mustJSON(t, v)), &again); err != nil {
		t.Fatal(err)
	}
	if err := again.Board.Prepare(); err != nil {
		t.Fatal(err)
	}
	s, _ := decodeState(g.sc, pos)
	sheet := someOrders(s, g.sc.Sides[0])
	if a, b := toldOf(t, g.Check(v, sheet)), toldOf(t, g.Check(&again, sheet)); a != b {
		t.Errorf("the verdict differs after the mail: %s", firstDifference(a, b))
	}
}

func BenchmarkPhase(b *testing.B) {
	g := kharkovGame(b)
	pos := playRandomly(b, g, 1, 24, nil)
	at, _ := g.At(pos)
	for b.Loop() {
		p := pos
		for range 6 {
			out, err := g.Play(p, nil, hashDice{1, at.Label}, &monkey{g, p, rand.New(rand.NewPCG(1, 1))})
			if err != nil {
				b.Fatal(err)
			}
			p = out.Position
		}
	}
}

// Whatever happens, the story tells the dice of an event with their label, as the
// check of a report demands; in every scenario.
func TestTheStoryTellsTheDiceWithTheirLabel(t *testing.T) {
	for _, in := range scenarios.List() {
		if in.System != "wb95" {
			continue
		}
		pack, err := scenarios.Open(in.ID)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := System{}.Load(pack)
		if err != nil {
			t.Fatal(err)
		}
		g, told := loaded.(*Game), 0
		words := g.Wording()
		playRandomly(t, g, 11, 26, func(_, _ []byte, out adjudicator.Outcome) {
			dice := map[string]string{}
			for _, e := range out.Journal {
				if e.Kind == adjudicator.EntryRoll {
					dice[e.Label] = spaced(e.Dice)
				}
			}
			for _, e := range out.Events {
				text := spoken(t, e.Kind, e.Facts)
				for _, label := range e.Rolls {
					told++
					if want := "dice " + dice[label] + " (" + label + ")"; !strings.Contains(text, want) {
						t.Errorf("%s: %s says %q and not %q (wording %q)", in.ID, e.Kind, text, want, words[e.Kind])
					}
				}
			}
		})
		if told < 10 {
			t.Errorf("%s: only %d rolls were told", in.ID, told)
		}
	}
}
