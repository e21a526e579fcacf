package umpire

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

func TestOptionsThatCannotBe(t *testing.T) {
	for _, c := range []struct{ given, says string }{
		{"temp=phase", `"temp"; a game of kharkov-1942 has tempo, ask`},
		{"tempo=hours", "write one of turn, phase"},
		{"deadline=soon", "write 36h, 3d or 3d 20:00"},
		{"zone=Prague", "Europe/Prague"},
		{"grace=2d 20:00", "write 36h or 3d"},
		{"ask=retreat,tea", `"tea": nothing of that kind is asked`},
	} {
		options, err := match.ParseOptions([]string{c.given})
		if err != nil {
			t.Fatal(err)
		}
		g := newTable(t)
		if _, err := g.u.NewGame("kharkov-1942", options, rand.Reader); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the answer is %v, it should say %q", c.given, err, c.says)
		}
	}
	for _, bad := range [][]string{{"tempo"}, {"=phase"}, {"tempo=turn", "tempo=phase"}} {
		if _, err := match.ParseOptions(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestRhythm(t *testing.T) {
	r, err := match.ScheduleOf(store.Game{Options: map[string]string{"deadline": "2d 20:00", "grace": "6h", "bank": "3d", "zone": "Europe/Prague", "remind": "none", "early": "no"}})
	if err != nil || r.Answer != r.Deadline || r.Grace != 6*time.Hour || r.Bank != 72*time.Hour || r.Remind != 0 || r.Early || r.Late != match.LateStanding {
		t.Errorf("%+v %v", r, err)
	}
	chit := match.Progress{Pending: []adjudicator.Decision{{Kind: adjudicator.KindActivation}}}
	loss := match.Progress{Pending: []adjudicator.Decision{{Kind: "loss"}}, Within: "6h"}
	if all := fmt.Sprint(r.TermsFor(chit), r.TermsFor(loss), match.Schedule{}.TermsFor(chit)); all != "[2d 20:00] [2d 20:00 6h] []" {
		t.Errorf("questions wait %s", all)
	}
	var clk match.Clock
	for turn, want := range map[int]bool{1: false, 2: true} {
		clk = match.Clock{}
		for _, of := range []int{1, turn, 2} {
			clk.Miss(adjudicator.Decision{Side: "GERMAN", Kind: adjudicator.KindActivation}, of)
		}
		if clk.HasGivenUp("GERMAN", 2) != want || clk.HasGivenUp("SOVIET", 2) || clk.HasGivenUp("GERMAN", 1) {
			t.Errorf("questions of turns 1, %d and 2 were missed: %+v", turn, clk)
		}
	}
	if r, err := match.ScheduleOf(store.Game{}); err != nil || r.Deadline != nil || !r.Early || r.Remind != 24*time.Hour {
		t.Errorf("without options: %+v %v", r, err)
	}
}
