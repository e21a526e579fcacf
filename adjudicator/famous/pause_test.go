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
