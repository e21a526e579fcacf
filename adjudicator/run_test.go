package adjudicator

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// A toy phase: two sides each name a number, one die is thrown a side, and the
// loser chooses to stand or to run.
type toy struct{ Red, Blue int }

func toyPhase(r *Run, s *toy) {
	orders := r.Ask(
		Decision{Label: "orders RED", Kind: "orders", Side: "RED", Turn: true},
		Decision{Label: "orders BLUE", Kind: "orders", Side: "BLUE", Turn: true})
	red := len(orders[0]) + r.Roll("toy 1", "attack RED", 1, 6)[0]
	blue := len(orders[1]) + r.Roll("toy 1", "attack BLUE", 1, 6)[0]
	loser := Side("RED")
	if red > blue {
		loser = "BLUE"
	}
	r.Tell(view.Event{Kind: "fight", Facts: view.Pairs{"loser", string(loser)}})
	a := r.Ask(Decision{Label: "retreat " + string(loser), Kind: "retreat", Side: loser,
		Options: []Option{{"STAND", "stays"}, {"RUN", "goes"}}, Proposal: "RUN", Source: "default"})[0]
	s.Red, s.Blue = red, blue
	if a == "STAND" {
		s.Red, s.Blue = red-1, blue-1
	}
}

// script answers by label and throws dice by label; anything else fails.
type script struct {
	dice    map[string]int
	answers map[string]string
	mode    Answerer
}

func (s script) Throw(label string, count, sides int) ([]int, []byte, error) {
	d, ok := s.dice[label]
	if !ok {
		return nil, nil, fmt.Errorf("no dice scripted for %q", label)
	}
	return []int{d}, []byte{1}, nil
}

func (s script) Answer(d Decision) (string, string, bool) {
	if a, ok := s.answers[d.Label]; ok {
		return a, "mail", true
	}
	if s.mode != nil {
		return s.mode.Answer(d)
	}
	return "", "", false
}

var dice = map[string]int{"attack RED": 6, "attack BLUE": 2}

func TestAPhaseStopsForWhatIsMissingAndEndsTheSameWay(t *testing.T) {
	all := script{dice, map[string]string{"orders RED": "AA", "orders BLUE": "B", "retreat BLUE": "STAND"}, nil}
	once, err := Play(&toy{}, toyPhase, nil, all, all)
	if err != nil || len(once.Pending) > 0 {
		t.Fatalf("in one pass: %v, pending %v", err, once.Pending)
	}

	// By mail: nothing known, then one side's sheet, then both, then the reply.
	var journal []Entry
	known := map[string]string{}
	var last Pass[*toy]
	for i, mail := range []string{"", "orders BLUE=B", "orders RED=AA", "retreat BLUE=STAND"} {
		if k, v, ok := strings.Cut(mail, "="); ok {
			known[k] = v
		}
		sc := script{dice, known, nil}
		if last, err = Play(&toy{}, toyPhase, journal, sc, sc); err != nil {
			t.Fatal(err)
		}
		journal = last.Journal
		want := []int{2, 1, 1, 0}[i]
		if len(last.Pending) != want {
			t.Fatalf("after %q: %d decisions pending, want %d", mail, len(last.Pending), want)
		}
	}
	if !reflect.DeepEqual(once.State, last.State) || !reflect.DeepEqual(once.Journal, last.Journal) || !reflect.DeepEqual(once.Events, last.Events) {
		t.Errorf("by mail it ended otherwise: %+v, in one pass %+v", last, once)
	}
}

func TestAnAuditNeedsNeitherDiceNorAnswers(t *testing.T) {
	sc := script{dice, map[string]string{"orders RED": "AA", "orders BLUE": "B"}, Standing{}}
	first, err := Play(&toy{}, toyPhase, nil, sc, sc)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Play(&toy{}, toyPhase, first.Journal, nil, nil)
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("the audit gives %+v, %v; the game had %+v", again, err, first)
	}
}

func TestAChangedJournalFreezesThePhase(t *testing.T) {
	sc := script{dice, map[string]string{"orders RED": "AA", "orders BLUE": "B"}, Standing{}}
	good, _ := Play(&toy{}, toyPhase, nil, sc, sc)
	for name, spoil := range map[string]func([]Entry) []Entry{
		"another label":  func(j []Entry) []Entry { j[2].Label = "attack GREEN"; return j },
		"another clause": func(j []Entry) []Entry { j[2].Clause = "toy 9"; return j },
		"another side":   func(j []Entry) []Entry { j[0].Side = "BLUE"; return j },
		"more dice":      func(j []Entry) []Entry { j[2].Dice = []int{1, 2}; return j },
		"a left over":    func(j []Entry) []Entry { return append(j, j[2]) },
		"one missing":    func(j []Entry) []Entry { return append(j[:2:2], j[3:]...) },
	} {
		j := spoil(append([]Entry(nil), good.Journal...))
		if _, err := Play(&toy{}, toyPhase, j, sc, sc); !errors.Is(err, ErrDiverged) {
			t.Errorf("%s: error %v, want ErrDiverged", name, err)
		}
	}
}

func TestAnAnswerThatIsNoOptionIsRefused(t *testing.T) {
	sc := script{dice, map[string]string{"orders RED": "AA", "orders BLUE": "B", "retreat BLUE": "FLY"}, nil}
	_, err := Play(&toy{}, toyPhase, nil, sc, sc)
	var v *rule.Violation
	if !errors.As(err, &v) {
		t.Errorf("error %v, want a violation", err)
	}
}

func TestOneLabelForTwoRollsIsABug(t *testing.T) {
	twice := func(r *Run, s *toy) {
		r.Roll("toy 1", "attack RED", 1, 6)
		r.Roll("toy 1", "attack RED", 1, 6)
	}
	sc := script{dice: dice}
	if _, err := Play(&toy{}, twice, nil, sc, sc); !errors.Is(err, ErrLabelTwice) {
		t.Errorf("error %v, want ErrLabelTwice", err)
	}
}

func TestAFailingDieStopsThePhase(t *testing.T) {
	sc := script{dice: nil, answers: map[string]string{"orders RED": "", "orders BLUE": ""}}
	if _, err := Play(&toy{}, toyPhase, nil, sc, sc); err == nil || !strings.Contains(err.Error(), "attack RED") {
		t.Errorf("error %v, want one that names the roll", err)
	}
}

func TestABugInARuleIsNotSwallowed(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the panic of a rule was swallowed")
		}
	}()
	_, _ = Play(&toy{}, func(*Run, *toy) { panic("bug") }, nil, nil, nil)
}
