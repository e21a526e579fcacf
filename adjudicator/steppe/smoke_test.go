package steppe

import (
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/scenarios"
)

type noOrders struct{}

func (noOrders) Answer(d adjudicator.Decision) (string, string, bool) {
	if d.Turn {
		return "", "none", true
	}
	return d.Proposal, d.Source, true
}

type fixed struct{}

func (fixed) Throw(label string, count, sides int) ([]int, []byte, error) {
	out := make([]int, count)
	for i := range out {
		out[i] = (len(label)*7+i*3)%sides + 1
	}
	return out, nil, nil
}

func TestSmoke(t *testing.T) {
	for _, id := range []string{"star-and-gallop", "backhand-blow", "winter-campaign"} {
		p, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		g, err := System{}.Load(p)
		if err != nil {
			t.Fatal(err)
		}
		pos, _ := g.Opening()
		for {
			at, err := g.At(pos)
			if err != nil {
				t.Fatal(err)
			}
			if at.Over {
				break
			}
			out, err := g.Play(pos, nil, fixed{}, noOrders{})
			if err != nil {
				t.Fatal(err)
			}
			pos = out.Position
		}
		v, _ := g.View(pos, "GERMAN")
		t.Log(id, v.Verdict, v.Score)
	}
}
