package wb95

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"text/template"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// arena puts pieces on a map with the combat values of summer 1942 and the
// printed Combat Table; RED's Combat Phase is next.
func arena(t testing.TB, g ground, ps ...piece) *State {
	t.Helper()
	s := g.position(t, ps...)
	cms := map[string]int{"hills": 1, "forest": 1, "city": 1, "river": 2, "Doniec": 1}
	for name, line := range s.sc.terrain {
		line.CM, line.Half = cms[name], name == "swamps"
		s.sc.terrain[name] = line
	}
	s.sc.Combat = builtin(t, "kharkov-1942").Combat
	s.sc.HQRange = map[string]int{"RED": 4, "BLUE": 3}
	s.Phase = 4
	return s
}

// sp sets a piece's strength by steps left, the weakest side first.
func (p piece) sp(by ...int) piece { p.c.Strength = by; p.u.Steps = len(by); return p }

// of puts a piece into a formation.
func (p piece) of(parent string) piece { p.c.Parent = parent; return p }

// morale sets the limit of 5.6.2.
func (p piece) morale(n int) piece { p.c.Morale = n; return p }

// shaken disorganizes a piece.
func (p piece) shaken() piece { p.u.Disorganized = Clock{1, 1}; return p }

// always is a table with one result in every cell.
func always(c CombatResult) CombatTable {
	t := CombatTable{Columns: []string{"1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1"}}
	for roll := 2; roll <= 12; roll++ {
		for range t.Columns {
			t.Cells[roll] = append(t.Cells[roll], c)
		}
	}
	return t
}

// script is a Combat Phase as a test wants it: answers by label ("attack",
// "standing BLUE", "retreat 0304 0304"; the proposal where none is given) and dice
// by label. A label that is asked for and not given fails, as does one left over.
type script struct {
	answers map[string]string
	dice    map[string][]int
	used    map[string]bool
	asked   []adjudicator.Decision
}

func (p *script) Answer(d adjudicator.Decision) (string, string, bool) {
	p.asked = append(p.asked, d)
	if a, ok := p.answers[d.Label]; ok {
		p.used[d.Label] = true
		return a, "test", true
	}
	return d.Proposal, d.Source, true
}

func (p *script) Throw(label string, count, _ int) ([]int, []byte, error) {
	d, ok := p.dice[label]
	if !ok || len(d) != count {
		return nil, nil, fmt.Errorf("no dice for %q", label)
	}
	p.used[label] = true
	return d, nil, nil
}

// outcome is a Combat Phase that was played.
type outcome struct {
	*State
	events []view.Event
	asked  []adjudicator.Decision
}

// battleOf plays the Combat Phase: lines of attack orders, then pairs of a label
// and its answer or dice ("4 1"). It plays the phase again from the journal alone
// and compares.
func battleOf(t testing.TB, s *State, attacks string, pairs ...string) outcome {
	t.Helper()
	p := &script{answers: map[string]string{"attack": attacks}, dice: map[string][]int{}, used: map[string]bool{"attack": true}}
	for i := 0; i < len(pairs); i += 2 {
		var a, b int
		if n, _ := fmt.Sscanf(pairs[i+1], "%d %d", &a, &b); n == 2 && isRoll(pairs[i]) {
			p.dice[pairs[i]] = []int{a, b}
		} else {
			p.answers[pairs[i]] = pairs[i+1]
		}
	}
	o := playAudited(t, s, p, p)
	for i := 0; i < len(pairs); i += 2 {
		if !p.used[pairs[i]] {
			t.Errorf("nothing was asked or rolled under %q", pairs[i])
		}
	}
	o.asked = p.asked
	return o
}

func isRoll(label string) bool {
	return strings.HasPrefix(label, "combat ") || strings.HasPrefix(label, "fire ") || strings.Contains(label, "-test ")
}

// playAudited plays the Combat Phase and repeats it without dice and answers.
func playAudited(t testing.TB, s *State, dice adjudicator.Dice, answers adjudicator.Answerer) outcome {
	t.Helper()
	first, err := adjudicator.Play(s.clone(), combatPhase, nil, dice, answers)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Pending) > 0 {
		t.Fatalf("the phase waits for %v", first.Pending)
	}
	again, err := adjudicator.Play(s.clone(), combatPhase, first.Journal, nil, nil)
	if err != nil {
		t.Fatalf("audit: %v", err)
	}
	if !bytes.Equal(first.State.encode(), again.State.encode()) || !reflect.DeepEqual(first.Events, again.Events) {
		t.Fatal("the audit comes to another end")
	}
	return outcome{State: first.State, events: first.Events}
}

// kinds lists the kinds of the events, without choices.
func (o outcome) kinds() string {
	var out []string
	for _, e := range o.events {
		if e.Kind != "combat-choice" {
			out = append(out, e.Kind)
		}
	}
	return strings.Join(out, " ")
}

// fact is a fact of the first event of the kind.
func (o outcome) fact(kind, name string) string {
	for _, e := range o.events {
		if e.Kind == kind {
			return e.Facts.Get(name)
		}
	}
	return ""
}

// options are the answers that a decision offered.
func (o outcome) options(label string) string {
	for _, d := range o.asked {
		if d.Label == label {
			var out []string
			for _, x := range d.Options {
				out = append(out, x.Answer)
			}
			return strings.Join(out, " ")
		}
	}
	return ""
}

// at writes where units are and how many steps they have: "a 0304/2, b gone".
func (o outcome) at(names ...string) string {
	var out []string
	for _, n := range names {
		u := o.unit(n)
		if u.Where != OnMap {
			out = append(out, n+" gone")
			continue
		}
		out = append(out, fmt.Sprintf("%s %v/%d", n, u.Hex, u.Steps))
	}
	return strings.Join(out, ", ")
}

func want(t testing.TB, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// h reads a hex.
func hx(n int) hex.Hex { return hex.Hex(n) }

// spoken is an event in words.
func spoken(t testing.TB, kind string, facts view.Pairs) string {
	t.Helper()
	return execute(t, (&Game{}).Wording()[kind], facts)
}

func execute(t testing.TB, text string, facts view.Pairs) string {
	t.Helper()
	tpl, err := template.New("wording").Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := tpl.Execute(&b, facts.Map()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
