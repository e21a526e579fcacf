package umpire

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
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
		options, err := ParseOptions([]string{c.given})
		if err != nil {
			t.Fatal(err)
		}
		g := newTable(t)
		if _, err := g.u.NewGame("kharkov-1942", options, rand.Reader); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the answer is %v, it should say %q", c.given, err, c.says)
		}
	}
	for _, bad := range [][]string{{"tempo"}, {"=phase"}, {"tempo=turn", "tempo=phase"}} {
		if _, err := ParseOptions(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestRhythm(t *testing.T) {
	r, err := rhythmOf(store.Game{Options: map[string]string{"deadline": "2d 20:00", "grace": "6h", "bank": "3d", "zone": "Europe/Prague", "remind": "none", "early": "no"}})
	if err != nil || r.answer != r.deadline || r.grace != 6*time.Hour || r.bank != 72*time.Hour || r.remind != 0 || r.early || r.late != lateStanding {
		t.Errorf("%+v %v", r, err)
	}
	if r, err := rhythmOf(store.Game{}); err != nil || r.deadline != nil || !r.early || r.remind != 24*time.Hour {
		t.Errorf("without options: %+v %v", r, err)
	}
}
