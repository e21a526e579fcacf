package famous

import (
	"slices"
	"testing"

	"fieldpost/adjudicator"
)

// asking is a player who wants to be asked at their chits.
type asking struct {
	plotted
	reply string // "": not known yet
	asked []adjudicator.Decision
}

func (a *asking) Answer(d adjudicator.Decision) (string, string, bool) {
	if d.Kind == kindActivation {
		a.asked = append(a.asked, d)
		return a.reply, "reply", a.reply != ""
	}
	return a.plotted.Answer(d)
}

// In ASK the game stops at the chit with the filed programme as the proposal; the
// answer is carried out in its place. PAUSE-IF says why it stops, once.
func TestAskingAtAChit(t *testing.T) {
	sc := load(t, "gd-kursk")
	s := sc.opening()
	s.Phase, s.Weather, s.First = 3, 1, []string{"GERMAN 1Fus"}
	s.news("GERMAN", "FALLS 2328")
	a := &asking{plotted: plotted{"GERMAN chit 1Fus": "MOVE 1K TO 2330", "GERMAN mode": "PAUSE-IF 2328 FALLS"}}
	p, err := adjudicator.Play(s.clone(), phase, nil, plain{}, a)
	if err != nil || len(p.Pending) != 1 {
		t.Fatal(err, p.Pending)
	}
	d := p.Pending[0]
	if d.Label != "orders for 1Fus" || d.Proposal != "MOVE 1K TO 2330" || d.Pause != "2328 has fallen" || d.Answers() != "chit 1Fus" {
		t.Errorf("asked is %+v", d)
	}
	a.reply = "MOVE 1K TO 2228"
	p, err = adjudicator.Play(s.clone(), phase, p.Journal, plain{}, a)
	if err != nil || len(p.Pending) != 0 {
		t.Fatal(err, p.Pending)
	}
	if h := p.State.unit("ger-1fus-1k").Hex; h != 2228 {
		t.Errorf("1K stands on %v", h)
	}
	if slices.Contains(p.State.News[0], "FALLS 2328") {
		t.Errorf("the news is still %v", p.State.News[0])
	}
}

// A side names the chits that it wants to be asked about, and no other asks, unless something
// else that it names has happened; one that has acted already has no choice.
func TestAskingAtNamedChits(t *testing.T) {
	sc := load(t, "gd-kursk")
	for _, x := range []struct {
		mode, done, why string
		asks            bool
	}{
		{"ASK 1FUS, 2PZ", "", "you want to be asked about 1Fus", true},
		{"ASK 2PZ", "", "", false},
		{"ASK 2PZ WHEN 2328 FALLS", "", "2328 has fallen", true},
		{"ASK WHEN TANKS", "", "", false},
		{"ASK 1FUS", "GERMAN 1Fus", "", false},
		{"ASK", "GERMAN 1Fus", "", false},
		{"ASK", "", "", true},
	} {
		s := sc.opening()
		s.Phase, s.Weather, s.First = 3, 1, []string{"GERMAN 1Fus"}
		s.news("GERMAN", "FALLS 2328")
		if x.done != "" {
			s.Done = []string{x.done}
		}
		mode, bad := adjudicator.ParseMode(x.mode, System{}.Asks())
		if bad != nil {
			t.Fatal(x.mode, bad)
		}
		a := &asking{plotted: plotted{"GERMAN chit 1Fus": "MOVE 1K TO 2330", "GERMAN mode": x.mode}, reply: "MOVE 1K TO 2330"}
		if _, err := adjudicator.Play(s.clone(), phase, nil, plain{}, a); err != nil || len(a.asked) != 1 {
			t.Fatal(x.mode, err, a.asked)
		}
		d := a.asked[0]
		if mode.Asks(d) != x.asks || x.asks && d.Pause != x.why {
			t.Errorf("%s: asks %v because of %q", x.mode, mode.Asks(d), d.Pause)
		}
	}
	s := sc.opening()
	s.newsOfMovers()
	i := slices.IndexFunc(s.Units, func(u Unit) bool { return u.c.Side == "SOVIET" && u.onMap() })
	k := slices.IndexFunc(s.Units, func(u Unit) bool { return u.c.Side == "GERMAN" && u.onMap() })
	s.Units[i].Hex = sc.Board.Grid.Neighbours(s.Units[k].Hex)[0]
	s.Units[i].did.started = true
	if len(s.News[s.sc.number("GERMAN")]) > 0 {
		t.Errorf("nobody has moved, and there is news %v", s.News)
	}
	if s.newsOfMovers(); !slices.Equal(s.News[s.sc.number("GERMAN")], []string{newsBeside}) {
		t.Errorf("a Soviet unit has moved beside a German one, and there is news %v", s.News)
	}
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	if l := p.verdict(t, "MODE: ASK 2PZ, 9PZ\nCHIT 2Pz\n  PASS"); l.Refused == nil || l.Refused.Why != "you have no battalion 9PZ" {
		t.Errorf("the answer is %v", l.Refused)
	}
}
