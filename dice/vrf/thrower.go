package vrf

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
)

// Thrower throws the dice of one phase of one game: give it to the engine as
// its dice. It holds no state: the same label always gives the same dice.
type Thrower struct {
	Key   *Key
	Game  string // the game's identifier
	Phase string // unique in the game, for example "3.2 combat"
	Root  []byte // the game's root, see Root
}

// Throw throws count dice of the given number of sides for the random event
// label and returns them with the proof of 80 bytes. The error is ErrThrow.
func (t Thrower) Throw(label string, count, sides int) (dice []int, proof []byte, err error) {
	throw := Throw{Game: t.Game, Phase: t.Phase, Label: label, Root: t.Root, Count: count, Sides: sides}
	if err := throw.possible(); err != nil {
		return nil, nil, err
	}
	pi := t.Key.Prove(throw.alpha())
	// Gamma of a proof of our own is a good point: no need to verify it.
	gamma, err := decodePoint(pi[:32])
	if err != nil {
		return nil, nil, err
	}
	return Dice(output(gamma), count, sides), pi[:], nil
}

// Throw is one throw of dice: the random event that it decides, and the dice.
type Throw struct {
	Game  string // the game's identifier
	Phase string // unique in the game
	Label string // of the event, unique in the phase
	Root  []byte // the game's root, see Root

	Count, Sides int // the dice
}

// Check repeats a throw from its proof: the dice that the event must have shown.
// The error is ErrThrow, ErrKey or ErrProof. The caller compares the dice with
// those in the report.
func Check(pub PublicKey, t Throw, proof []byte) ([]int, error) {
	if err := t.possible(); err != nil {
		return nil, err
	}
	beta, err := Verify(pub, t.alpha(), proof)
	if err != nil {
		return nil, err
	}
	return Dice(beta, t.Count, t.Sides), nil
}

func (t Throw) alpha() []byte { return Alpha(t.Game, t.Phase, t.Label, t.Root) }

func (t Throw) possible() error {
	switch {
	case t.Count < 0 || t.Count > MaxDice:
		return fmt.Errorf("%w: %d dice (at most %d)", ErrThrow, t.Count, MaxDice)
	case t.Sides < 1 || t.Sides > MaxSides:
		return fmt.Errorf("%w: a die with %d sides (1 to %d)", ErrThrow, t.Sides, MaxSides)
	case max(len(t.Game), len(t.Phase), len(t.Label), len(t.Root)) > maxField:
		return fmt.Errorf("%w: a name of more than %d bytes", ErrThrow, maxField)
	}
	return nil
}

// Contribution is what one player gave to the root of the game: the random bytes
// of their signed join text.
type Contribution struct {
	Side  string
	Bytes []byte
}

// Root is SHA-256 over the contributions, sorted by side: of each the side and
// the bytes, both as length (two bytes, big-endian) and content. The order in
// which the joins came does not matter. It panics for a field of more than 65535
// bytes.
func Root(players []Contribution) [32]byte {
	sorted := slices.SortedFunc(slices.Values(players), func(a, b Contribution) int {
		return cmp.Or(cmp.Compare(a.Side, b.Side), slices.Compare(a.Bytes, b.Bytes))
	})
	var b []byte
	for _, p := range sorted {
		b = appendField(b, p.Side)
		b = appendField(b, p.Bytes)
	}
	return sha256.Sum256(b)
}

// Bound is a root bound to a value that nobody could know before, such as a
// public beacon's: SHA-256 of the root and the value.
func Bound(root, value []byte) [32]byte {
	return sha256.Sum256(append(slices.Clone(root), value...))
}
