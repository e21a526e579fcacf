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

// Thrower are the dice of one phase of a game without a beacon.
func Thrower(g store.Game, phase string) vrf.Thrower {
	var seed [32]byte
	copy(seed[:], g.DiceKey)
	return vrf.Thrower{Key: vrf.NewKey(seed), Game: g.ID, Phase: phase, Root: g.Root}
}
