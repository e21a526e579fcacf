package samples

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/trial"
	"fieldpost/trial/offers"
	"fieldpost/trial/processor"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// A sample; fieldpost-trial offers tries 50,000 over all scenarios.
func TestWhatTheGuideOffersTheCheckAccepts(t *testing.T) {
	for number, id := range []string{"prokhorovka", "gd-akhtyrka", "star-and-gallop"} {
		game, words, err := match.Builtin.Game(id)
		if err != nil {
			t.Fatal(err)
		}
		m := trial.NewMatch(game, words, number+1)
		m.Turns = 1
		tally, err := offers.Play(context.Background(), m, 90)
		if err != nil {
			t.Fatal(id, err)
		}
		for _, bad := range slices.Concat(tally.Refused, tally.Accepted) {
			t.Errorf("%s: %s", id, bad)
		}
		if id == "gd-akhtyrka" && tally.ByVerb["SETUP: SETUP"] == 0 {
			t.Errorf("%s: no placement of the set-up was offered: %v", id, tally.ByVerb)
		}
		if tally.Offered < 40 || tally.Unoffered < 40 || len(tally.ByVerb) < 5 {
			t.Errorf("%s: too little was tried to show anything: %d offers, %d others, %v", id, tally.Offered, tally.Unoffered, tally.ByVerb)
		}
	}
}

// liar offers what stands nowhere, and does not offer what does.
type liar struct{ adjudicator.Guide }

func (liar) Actors() []adjudicator.Actor { return []adjudicator.Actor{{Name: "X", Kind: "unit"}} }

func (liar) Verbs(string) ([]adjudicator.Offer, error) {
	return []adjudicator.Offer{
		{Section: "MOVE", Verb: "TO", Order: "NOBODY TO 2306"},
		{Section: "STANDING", Verb: "HOLD", Order: "ALL HOLD", Refused: &rule.Violation{Why: "a lie"}},
	}, nil
}

// The trial must be able to fail.
func TestAFalseGuideIsFoundOut(t *testing.T) {
	game, words, err := match.Builtin.Game("prokhorovka")
	if err != nil {
		t.Fatal(err)
	}
	v, err := match.Builtin.OpeningView("prokhorovka", string(game.Sides()[0]))
	if err != nil {
		t.Fatal(err)
	}
	v.Turn = max(1, v.Turn)
	m := trial.NewMatch(game, words, 1)
	honest, err := adjudicator.GuideOf(game, v)
	if err != nil {
		t.Fatal(err)
	}
	b := offers.NewBench(m, liar{honest}, v, "GAME: X\nSIDE: "+v.Side+"\nTURN: 1\nSERIAL: 1\nDONE!\n")
	for range 50 { // standing orders are but a sample of what is offered
		b.Try(10)
	}
	tally := b.Tally()
	if len(tally.Refused) == 0 || len(tally.Accepted) == 0 {
		t.Errorf("of a false guide %d offers were found false, and %d refusals", len(tally.Refused), len(tally.Accepted))
	}
}

// An order goes to the end of its section, and opens one where there is none.
func TestAnOfferGoesToTheEndOfItsSection(t *testing.T) {
	words := orders.Vocabulary{Sections: []string{"MOVE", "ATTACK"}}
	for _, c := range []struct {
		section, want string
		at            int
	}{
		{"MOVE", "GAME: X\nMOVE\nA TO 0101\nB TO 0202\nATTACK\n0103 WITH A\nDONE\n", 4},
		{"ATTACK", "GAME: X\nMOVE\nA TO 0101\nATTACK\n0103 WITH A\nB TO 0202\nDONE\n", 6},
		{"AIR 1", "GAME: X\nMOVE\nA TO 0101\nATTACK\n0103 WITH A\nAIR 1\nB TO 0202\nDONE\n", 7},
	} {
		got, at := offers.Insert("GAME: X\nMOVE\n  a TO 0101\nATTACK\n  0103 WITH a\nDONE\n", adjudicator.Offer{Section: c.section, Order: "b TO 0202"}, words)
		if got != c.want || at != c.at {
			t.Errorf("%s: line %d of\n%s", c.section, at, got)
		}
	}
}

// BenchmarkGuide asks of every unit of some openings what it may be ordered, and says how
// much processor time the slowest hundredth takes.
func BenchmarkGuide(b *testing.B) {
	type asked struct {
		guide adjudicator.Guide
		actor adjudicator.Actor
	}
	var all []asked
	for _, id := range []string{"kharkov-1942", "kursk-joined", "star-and-gallop", "winter-campaign", "gd-kursk", "gd-mischurin-rog"} {
		for _, g := range guidesOf(b, id) {
			for _, a := range g.Actors() {
				if a.Kind == "unit" {
					all = append(all, asked{g, a})
				}
			}
		}
	}
	var took []time.Duration
	for b.Loop() {
		x := all[len(took)%len(all)]
		began := processor.Time()
		if _, err := x.guide.Verbs(x.actor.ID); err != nil {
			b.Fatal(err)
		}
		if len(x.actor.Ways) > 0 {
			_, _ = x.guide.Reach(x.actor.ID, x.actor.Ways[0]) // a unit that may not go anywhere is an answer too
		}
		took = append(took, processor.Time()-began)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}

// BenchmarkJudge judges a sheet of 300 orders, as orders check does, and says how much processor
// time the slowest hundredth takes.
func BenchmarkJudge(b *testing.B) {
	for _, id := range []string{"kharkov-1942", "kursk-joined"} {
		b.Run(id, func(b *testing.B) { judgesLongSheet(b, id) })
	}
}

func judgesLongSheet(b *testing.B, id string) {
	v, err := match.Builtin.OpeningView(id, "SOVIET")
	if err != nil {
		b.Fatal(err)
	}
	text, lines := fmt.Sprintf("GAME: K7QX2MPA\nSIDE: %s\nTURN: 1\nSERIAL: 1\nMOVE\n", v.Side), 0
	for _, u := range v.Units[:min(150, len(v.Units))] {
		text, lines = text+fmt.Sprintf("%s TO %v\n", u.Name, u.Hex), lines+1
	}
	text += "STANDING\n"
	for i := 0; lines < 300; i++ {
		u := v.Units[i%len(v.Units)]
		text, lines = text+u.Name+" "+[]string{"RETREAT FULL", "PURSUE NO", "ADVANCE", "HOLD"}[i/len(v.Units)]+"\n", lines+1
	}
	bench, err := judge.For(&match.Builtin, v)
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		began := processor.Time()
		if ack, _ := bench.Check(judge.Given{Text: text}); len(ack.Lines) < 290 {
			b.Fatalf("%d lines are judged", len(ack.Lines))
		}
		took = append(took, processor.Time()-began)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}

// guidesOf are the guides of both sides at the opening of a scenario.
func guidesOf(b *testing.B, id string) (out []adjudicator.Guide) {
	game, _, err := match.Builtin.Game(id)
	if err != nil {
		b.Fatal(err)
	}
	for _, side := range game.Sides() {
		var v *view.View
		if v, err = match.Builtin.OpeningView(id, string(side)); err != nil {
			b.Fatal(err)
		}
		g, err := adjudicator.GuideOf(game, v)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, g)
	}
	return out
}
