package samples

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/trial"
	"fieldpost/trial/combats"
	"fieldpost/umpire/match"
)

// library is the built-in scenarios, and how to open their files.
func library(t *testing.T) (*match.Library, trial.Open) {
	t.Helper()
	l, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	return l, trial.Files(l)
}

// games are a scenario of each system, and how many turns of it are judged here.
var games = []struct {
	scenario string
	turns    int
}{{"star-and-gallop", 3}, {"kharkov-1942", 2}, {"gd-akhtyrka", 4}}

// The combats of some turns come to what the mails say of them. The whole number is judged
// by fieldpost-trial combats.
func TestCombatsAgree(t *testing.T) {
	l, open := library(t)
	for _, g := range games {
		var out bytes.Buffer
		try := &trial.Trial{Load: l.Game, Scenarios: []string{g.scenario}, Games: 1, Seed: 1, Turns: g.turns, Out: &out, Progress: &out}
		err := combats.Run(context.Background(), try, open)
		t.Log(out.String())
		if err != nil || strings.HasPrefix(out.String(), "  "+g.scenario+"  0\n") {
			t.Errorf("%s: %v", g.scenario, err)
		}
	}
}

// lie is a text that is put in the place of another in a mail.
type lie struct {
	what string
	is   *regexp.Regexp
	puts string
}

// lies are told of every combat; all of them must be noticed.
var lies = map[string][]lie{
	"star-and-gallop": {
		{"a strength", regexp.MustCompile(`^(\d{4}.*? )\d+ against `), "${1}77 against "},
		{"a sum", regexp.MustCompile(`^\d+ to `), "99 to "},
		{"a ratio", regexp.MustCompile(`^(\d+ to \d+: )\d+:\d+`), "${1}1:9"},
		{"a die", regexp.MustCompile(`^dice \d \d( \(combat.*= )(\d+)`), "dice 6 6${1}2"},
		{"a modifier", regexp.MustCompile(`\)(,.*)? = `), ")$1, artillery +9 = "},
		{"a result", regexp.MustCompile(`(\(combat.* = -?\d+: )\S+$`), "${1}2/2R1"},
		{"a shift", regexp.MustCompile(`^(\d+ to \d+: \d+:\d+)$`), "$1; town -1: 9:1"},
	},
	"kharkov-1942": {
		{"a strength", regexp.MustCompile(`^(attackers: .* )\d+( \+ \d+ air)?$`), "${1}77$2"},
		{"a sum", regexp.MustCompile(`^attack \d+`), "attack 99"},
		{"a defence", regexp.MustCompile(`, defence \d+`), ", defence 99"},
		{"a ratio", regexp.MustCompile(`: \d+:\d+$`), ": 1:4"},
		{"a row", regexp.MustCompile(`row \d+, result`), "row 13, result"},
		{"a result", regexp.MustCompile(`(row \d+, result ).+$`), "${1}A3 / D6"},
	},
	"gd-akhtyrka": {
		{"a strength", regexp.MustCompile(`^(attackers: .*) \d+`), "$1 77"},
		{"a sum", regexp.MustCompile(`^\d+ against `), "99 against "},
		{"a column", regexp.MustCompile(`(against \d+: )\d-\d`), "${1}1-9"},
		{"a modifier", regexp.MustCompile(`^(\d+ against \d+: \d-\d.*)$`), "$1; luck -1"},
		{"a roll", regexp.MustCompile(`= \d+: `), "= 13: "},
		{"a result", regexp.MustCompile(`= (\d+): \S+,`), "= $1: XX,"},
	},
}

// A judge who never disagrees is worth nothing: what is wrong in a mail is noticed.
func TestWhatIsWrongInACombatIsNoticed(t *testing.T) {
	l, open := library(t)
	for _, g := range games {
		try := &trial.Trial{Load: l.Game, Scenarios: []string{g.scenario}, Turns: g.turns}
		m, err := try.Variant(g.scenario, 1)
		if err != nil {
			t.Fatal(err)
		}
		m.Turns = g.turns
		system, src, err := open(g.scenario)
		if err != nil {
			t.Fatal(err)
		}
		side := m.Game.Sides()[0]
		told, noticed := map[string]int{}, map[string]int{}
		m.Each = func(before []byte, out adjudicator.Outcome) error {
			read, err := combats.Letter(m.Game, before, side, out.Events)
			if err != nil {
				return err
			}
			for _, l := range lies[g.scenario] {
				changed, n := l.tell(read.Items)
				if n == 0 {
					continue
				}
				j, err := combats.NewJudge(system, src)
				if err != nil {
					return err
				}
				lied := read
				lied.Items = changed
				told[l.what]++
				if _, faults := j.Read(lied); len(faults) > 0 {
					noticed[l.what]++
				}
			}
			return nil
		}
		if _, err := m.Play(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, l := range lies[g.scenario] {
			if told[l.what] == 0 || noticed[l.what] != told[l.what] {
				t.Errorf("%s: %s was put wrong in %d mails, and noticed in %d", g.scenario, l.what, told[l.what], noticed[l.what])
			}
		}
	}
}

// tell puts the lie into the combats of a mail, and counts them.
func (l lie) tell(items []report.Item) (out []report.Item, n int) {
	put := func(line string) string {
		if l.is.MatchString(line) {
			n++
			return l.is.ReplaceAllString(line, l.puts)
		}
		return line
	}
	for _, it := range items {
		if it.Event.Kind == combats.CombatKind {
			it.Head = put(it.Head)
			detail := make([]string, len(it.Detail))
			for i, line := range it.Detail {
				detail[i] = put(line)
			}
			it.Detail = detail
		}
		out = append(out, it)
	}
	return out, n
}
