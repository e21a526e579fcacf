package staff

import (
	"testing"

	"fieldpost/adjudicator/hex"
)

// A bias halves what some hexes count and doubles what others do, another bias other ones; without one all count
// as they are.
func TestBias(t *testing.T) {
	const hexes, worth = 1000, 80
	count := func(as temper) map[int]int {
		n := map[int]int{}
		for h := hex.Hex(1); h <= hexes; h++ {
			n[as.biased(h, worth)]++
		}
		return n
	}
	if n := count(temper{}); n[worth] != hexes {
		t.Errorf("without a bias: %v", n)
	}
	n := count(temper{bias: 7})
	for _, w := range []int{worth / 2, 2 * worth} {
		if n[w] < hexes/6 || n[w] > hexes/4 {
			t.Errorf("%d of %d hexes count %d in place of %d", n[w], hexes, w, worth)
		}
	}
	if n[worth/2]+n[worth]+n[2*worth] != hexes {
		t.Errorf("hexes count something else: %v", n)
	}
	other := 0
	for h := hex.Hex(1); h <= hexes; h++ {
		if (temper{bias: 7}).biased(h, worth) != (temper{bias: 8}).biased(h, worth) {
			other++
		}
	}
	if other < hexes/4 {
		t.Errorf("of %d hexes %d count otherwise to another bias", hexes, other)
	}
}

// A chief of WB-95 drafts plans that nobody has by temper alone, until the share of their bound that is for it is
// spent. An officer does not, nor does a chief who knows how a side fares best, or who has enough to change in a plan.
func TestChiefsDraftAnew(t *testing.T) {
	for _, tc := range []struct {
		scenario string
		strength Strength
		drafts   bool
	}{
		{"black-snow", Chief, true},
		{"black-snow", Captain, false},
		{"kharkov-1942", Chief, false},
		{"winter-campaign", Chief, false},
	} {
		s := sittings(t, tc.scenario, "", 1)[1]
		work, err := Officer{Game: s.game, Strength: tc.strength}.thinking(s.view, 1, 20_000)
		if err != nil {
			t.Fatal(err)
		}
		work.weighAll()
		drafted := 0
		for _, p := range work.plans {
			if p.as.bias != 0 {
				drafted++
			}
		}
		if (drafted > 0) != tc.drafts {
			t.Errorf("%s, %s: %d plans of %d are drafted anew", tc.scenario, tc.strength, drafted, len(work.plans))
		}
		if tc.drafts && work.left(80) {
			t.Errorf("%s, %s: %d units of work of %d", tc.scenario, tc.strength, work.spent, work.budget)
		}
	}
}

// A draft near another plan has something different of its own, and its main effort is at a place of the enemy's.
func TestDraftsNearAPlan(t *testing.T) {
	s := sittings(t, "prokhorovka", "", 2)[0]
	work, err := Officer{Game: s.game, Strength: Chief}.thinking(s.view, 1, 6000)
	if err != nil {
		t.Fatal(err)
	}
	work.draftAll()
	first := len(work.plans)
	for range 60 {
		work.draftNear(work.plans[0].as, work.plans[1].as)
	}
	var gain, dear, stubborn, aimed int
	for _, p := range work.plans[first:] {
		switch {
		case p.as.focus != 0:
			aimed++
			for _, o := range s.view.Objectives {
				if o.Hex == p.as.focus && o.Owner == s.view.Side {
					t.Errorf("a main effort at %s, which is the side's own", o.Hex)
				}
			}
		case p.as.stubborn:
			stubborn++
		case p.as.gain != work.plans[0].as.gain:
			gain++
		case p.as.dear != work.plans[0].as.dear:
			dear++
		}
		if p.as.gain < leastPercent || p.as.dear < leastPercent {
			t.Errorf("%d %% and %d %% of what others want", p.as.gain, p.as.dear)
		}
	}
	if gain == 0 || dear == 0 || stubborn == 0 || aimed == 0 {
		t.Errorf("of %d drafts %d want another gain, %d count losses otherwise, %d stand, %d have a main effort", len(work.plans)-first, gain, dear, stubborn, aimed)
	}
}
