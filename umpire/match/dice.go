package match

import (
	"errors"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/dice/beacon"
	"fieldpost/dice/vrf"
	"fieldpost/store"
)

// errNoValue says that dice of a game with a beacon were asked for before it spoke.
var errNoValue = errors.New("the beacon's value is not there yet")

// Beaconed tells whether a game's dice are bound to the beacon.
func Beaconed(g store.Game) bool { return g.Options[OptionBeacon] == BeaconDrand }

// fitsBeacon lists which options leave somebody a choice after the value is known.
func (r Schedule) fitsBeacon() (faults []error) {
	need := func(ok bool, what string) {
		if !ok {
			faults = append(faults, fmt.Errorf("%s = %s: %s", OptionBeacon, BeaconDrand, what))
		}
	}
	need(r.Deadline != nil, "the deadline names the round: give a deadline, such as deadline=3d")
	need(r.Answer != nil, "answers need a deadline too: take answer=none out")
	need(!r.Early, "dice come after the deadline only: give early=no")
	need(r.Late == LateStanding || r.Late == LateHold, "who is late must not choose between orders and none: give late=standing or late=hold")
	need(r.Bank == 0, "time in hand would choose another round: take bank out")
	return faults
}

// Chain is the beacon.
func (gs *Games) Chain() *beacon.Chain {
	if gs.Beacon == nil {
		return beacon.Quicknet
	}
	return gs.Beacon
}

// rootFor is the root of dice that are bound to a value, or to none.
func rootFor(g store.Game, b store.Beacon) []byte {
	if b.Round == 0 {
		return g.Root
	}
	bound := vrf.Bound(g.Root, b.Signature)
	return bound[:]
}

// BeaconAt is the value that binds the entry of a journal, zero for none.
func BeaconAt(values []store.Beacon, entry int) (at store.Beacon) {
	for _, b := range values {
		if b.From <= entry {
			at = b
		}
	}
	return at
}

// drawnFor is the value that was drawn for an open phase, for those behind it.
func drawnFor(open *store.OpenPhase) []store.Beacon {
	if open == nil || len(open.Beacon) == 0 {
		return nil
	}
	b := open.Beacon[len(open.Beacon)-1]
	b.From = 0
	return []store.Beacon{b}
}

// usedOf leaves out a last value that bound no dice.
func usedOf(values []store.Beacon, journal []adjudicator.Entry) []store.Beacon {
	n := len(values)
	if n == 0 || slices.ContainsFunc(journal[min(values[n-1].From, len(journal)):], func(e adjudicator.Entry) bool { return e.Kind == adjudicator.EntryRoll }) {
		return values
	}
	return values[:n-1]
}

// diceOf are the dice of a phase.
func diceOf(g store.Game, phase string, values []store.Beacon) adjudicator.Dice {
	if !Beaconed(g) {
		return Thrower(g, phase)
	}
	if len(values) == 0 {
		return noDice{}
	}
	t := Thrower(g, phase)
	t.Root = rootFor(g, values[len(values)-1])
	return t
}

// noDice are the dice of a game whose beacon has not spoken.
type noDice struct{}

func (noDice) Throw(label string, _, _ int) ([]int, []byte, error) {
	return nil, nil, fmt.Errorf("dice %q: %w", label, errNoValue)
}
