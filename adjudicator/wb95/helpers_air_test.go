package wb95

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// skies puts pieces on a map with the printed tables and air strength for every
// day: RED's aircraft are Soviet, BLUE's are not. RED's Air Phase is next.
func skies(t testing.TB, g ground, strength int, ps ...piece) *State {
	t.Helper()
	s := arena(t, g, ps...)
	k := builtin(t, "kharkov-1942")
	s.sc.AirAttack, s.sc.Objects = k.AirAttack, k.Objects
	s.sc.Air = map[Side][]int{}
	for range s.sc.Turns {
		s.sc.Air[red] = append(s.sc.Air[red], strength)
		s.sc.Air[blue] = append(s.sc.Air[blue], strength)
	}
	for i := range s.sc.Counters {
		if s.sc.Counters[i].Side == red {
			s.sc.Counters[i].Nation = "Soviet"
		}
	}
	s.sc.HQRange["Soviet"] = 3
	s.sc.Allowance["Soviet"] = 8 * One
	if err := s.reattach(); err != nil {
		t.Fatal(err)
	}
	s.Phase = 1
	return s
}

// reattach gives the units their counters anew.
func (s *State) reattach() error {
	for i := range s.Units {
		s.Units[i].c = nil
	}
	return s.attach(s.sc)
}

// after goes on to another phase of the sequence, without playing what lies between.
func (s *State) after(phase int) *State { s.Phase = phase; return s }

// scripted plays one phase with answers and dice by label ("4 1" for a roll), and
// repeats it from its journal alone.
func scripted(t testing.TB, s *State, play func(*adjudicator.Run, *State), pairs ...string) outcome {
	t.Helper()
	p := &script{answers: map[string]string{}, dice: map[string][]int{}, used: map[string]bool{}}
	for i := 0; i < len(pairs); i += 2 {
		p.answers[pairs[i]] = pairs[i+1]
		var dice []int
		for f := range strings.FieldsSeq(pairs[i+1]) {
			var n int
			if k, err := fmt.Sscanf(f, "%d", &n); err != nil || k != 1 || fmt.Sprint(n) != f {
				dice = nil
				break
			}
			dice = append(dice, n)
		}
		p.dice[pairs[i]] = dice
	}
	first, err := adjudicator.Play(s.clone(), play, nil, p, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Pending) > 0 {
		t.Fatalf("the phase waits for %v", first.Pending)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !p.used[pairs[i]] {
			t.Errorf("nothing was asked or rolled under %q", pairs[i])
		}
	}
	again, err := adjudicator.Play(s.clone(), play, first.Journal, nil, nil)
	if err != nil {
		t.Fatalf("audit: %v", err)
	}
	if !bytes.Equal(first.State.encode(), again.State.encode()) || !reflect.DeepEqual(first.Events, again.Events) {
		t.Fatal("the audit comes to another end")
	}
	return outcome{State: first.State, events: first.Events, asked: p.asked}
}

// told are the events of a kind that a side hears of, in words.
func (o outcome) told(t testing.TB, kind string, side Side) []string {
	t.Helper()
	var out []string
	for _, e := range o.events {
		if e.Kind == kind && e.For(string(side)) {
			out = append(out, airWords(t, e))
		}
	}
	return out
}

func airWords(t testing.TB, e view.Event) string {
	t.Helper()
	text := wordingAir[e.Kind]
	if text == "" {
		t.Fatalf("no words for %q", e.Kind)
	}
	return execute(t, text, e.Facts)
}

// flown lists the missions that last.
func (o outcome) flown() string {
	var out []string
	for _, m := range o.Missions {
		out = append(out, fmt.Sprintf("%s %s %v %d", m.Side, m.Kind, m.Hex, m.SP))
	}
	return strings.Join(out, ", ")
}

// aloft puts a mission into the air without asking whether it may fly.
func (s *State) aloft(side Side, kind string, h hex.Hex, sp int) *State {
	s.Missions = append(s.Missions, Mission{Side: side, Kind: kind, Hex: h, SP: sp})
	return s
}
