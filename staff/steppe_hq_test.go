package staff

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
)

// An attack is ordered only if it has the odds below which it is off.
func TestComesOff(t *testing.T) {
	for _, c := range []struct {
		sure  bool
		level int
		want  bool
	}{{false, evenOdds, true}, {false, evenOdds - 1, false}, {true, twiceOdds, true}, {true, twiceOdds - 1, false}} {
		d := &steppePlan{as: temper{sure: c.sure}}
		if got := d.comesOff(&steppeAttack{odds: steppe.Odds{Level: c.level}}); got != c.want {
			t.Errorf("sure %v, level %d: %v", c.sure, c.level, got)
		}
	}
}

// Who attacks stays in range of a place to which the headquarters can go.
func TestCommands(t *testing.T) {
	d := steppeAt(t, map[string]hex.Hex{"3TA": 3014, "12 TC": 3013}, germans(2414, 1, "FB"))
	hq := d.unit(t, "3TA")
	if !d.commands(hq, []hex.Hex{2513, 2514}) {
		t.Error("a headquarters does not reach what it can go to")
	}
	if d.commands(hq, []hex.Hex{1513}) || d.commands(hq, []hex.Hex{3714, 2314}) {
		t.Error("a headquarters reaches what is too far, or too far apart")
	}
	d.as.craft, hq.stands = true, []hex.Hex{3714}
	if d.commands(hq, []hex.Hex{2314}) {
		t.Error("a headquarters has two attacks that it does not reach from one place")
	}
	if d.seat(hq, 2614, nil) > d.seat(hq, 3114, nil)-offDuty/2 {
		t.Error("a headquarters goes where it does not reach its attack")
	}
}

// A headquarters stays by the units that have acted, unless another one reaches them.
func TestUnled(t *testing.T) {
	at := map[string]hex.Hex{"3TA": 3014, "12 TC": 3013, "62G RD": 2515, "48G RD": 3414}
	d := steppeAt(t, at)
	for _, u := range d.pieces {
		u.hq = nil
	}
	if got := strings.Join(steppeNames(d.unled(d.unit(t, "3TA"))), ", "); got != "12 TC, 48G RD, 62G RD" {
		t.Errorf("not led: %s", got)
	}
	at["69A"] = 2514
	d = steppeAt(t, at)
	if got := strings.Join(steppeNames(d.unled(d.unit(t, "3TA"))), ", "); strings.Contains(got, "62G RD") {
		t.Errorf("a headquarters sits for who is led by another one: %s", got)
	}
}

// With nothing for a headquarters to do it holds: what was filed was for the map as it was then.
func TestHoldsWithoutOrders(t *testing.T) {
	v := lone(t, "star-and-gallop", "SOVIET", map[string]hex.Hex{"3TA": 3014})
	d := steppeAsked(t, v, "orders 3TA")
	for _, hq := range d.hqs {
		hq.moves, hq.attacks = nil, nil
	}
	b := &sheet{}
	d.answer(b)
	if got := b.String(); got != "CHIT 3TA HOLD\n" {
		t.Errorf("answered %q", got)
	}
}
