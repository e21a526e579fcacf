package desk

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"fieldpost/adjudicator/view"
	"fieldpost/dice/vrf"
)

// DiceQuestion asks for some of the dice of the report that lies open.
type DiceQuestion struct {
	From  int `json:"from"`  // the first, from 0
	Count int `json:"count"` // how many, at most
	// Key is the game's dice key as the invitation has it; "" for the one in the report.
	Key string `json:"key,omitempty"`
}

// Dice are dice of a report, with what became of their proofs.
type Dice struct {
	Rolls []Rolled `json:"rolls"`
	All   int      `json:"all"` // how many the report has
	Tally []Tally  `json:"tally"`
	Key   string   `json:"key,omitempty"` // that the proofs were checked with
}

// Rolled is the dice of a random event.
type Rolled struct {
	Phase string `json:"phase"`
	Label string `json:"label"`
	Dice  []int  `json:"dice"`
	Sides int    `json:"sides"`
	Proof Proof  `json:"proof"`
	Why   string `json:"why,omitempty"` // a proof is not good
	// Round is that of the public beacon to which the dice are bound, 0 for none.
	Round uint64 `json:"round,omitempty"`
}

// Proof is what became of a proof.
type Proof string

// What became of a proof.
const (
	Good     Proof = "good"
	Bad      Proof = "bad"
	Unproved Proof = "none" // dice of practice, or told again
)

// Tally is how often each face of the dice of a kind was seen.
type Tally struct {
	Sides    int     `json:"sides"`
	Seen     []int   `json:"seen"`     // by face, from 1
	Expected float64 `json:"expected"` // of each face
	// Chi is the chi-square of it, Chance in how many of a hundred honest games it is as large.
	Chi    float64 `json:"chi"`
	Chance float64 `json:"chance"`
}

// errNoDice says that a report tells of no dice.
var errNoDice = errors.New("this report has no dice")

// Dice are the dice of the report, those that are asked for with their proofs checked: each by
// the game's key over game, phase and event, RFC 9381.
func (d *Desk) Dice(q DiceQuestion) (*Dice, error) {
	if d.view == nil {
		return nil, errNothing
	}
	s := d.view.Story
	if s == nil {
		return nil, errNoDice
	}
	var all []Rolled
	var proofs []view.Roll
	for _, c := range s.Phases {
		for _, r := range c.Rolls {
			all = append(all, Rolled{Phase: c.Phase, Label: r.Label, Dice: r.Dice, Sides: r.Sides, Proof: Unproved, Round: r.Round})
			proofs = append(proofs, r)
		}
	}
	out := &Dice{All: len(all), Tally: tallied(all), Key: cmp.Or(q.Key, s.Key)}
	from := min(max(q.From, 0), len(all))
	to := min(from+max(q.Count, 0), len(all))
	for i := from; i < to; i++ {
		if len(proofs[i].Proof) == 0 {
			continue
		}
		all[i].Proof = Good
		if err := d.proved(out.Key, all[i], proofs[i]); err != nil {
			all[i].Proof, all[i].Why = Bad, err.Error()
		}
	}
	out.Rolls = all[from:to]
	return out, nil
}

// proved tells whether the game's key gives the dice.
func (d *Desk) proved(keyText string, r Rolled, p view.Roll) error {
	key, err := vrf.ParsePublicKey(keyText)
	if err != nil {
		return err
	}
	root, err := hex.DecodeString(d.view.Story.Root)
	if err != nil {
		return fmt.Errorf("root of the dice: %w", err)
	}
	if p.Round > 0 {
		bound := vrf.Bound(root, p.Value)
		root = bound[:]
	}
	dice, err := vrf.Check(key, vrf.Throw{Game: d.view.Game, Phase: r.Phase, Label: r.Label, Root: root, Count: len(r.Dice), Sides: r.Sides}, p.Proof)
	switch {
	case err != nil:
		return err
	case !slices.Equal(dice, r.Dice):
		return fmt.Errorf("the report says %v, the proof gives %v", r.Dice, dice)
	}
	return nil
}

// tallied counts the faces of the dice, for each kind of dice.
func tallied(all []Rolled) (out []Tally) {
	for _, r := range all {
		i := slices.IndexFunc(out, func(t Tally) bool { return t.Sides == r.Sides })
		if i < 0 {
			out = append(out, Tally{Sides: r.Sides, Seen: make([]int, max(r.Sides, 0))})
			i = len(out) - 1
		}
		for _, face := range r.Dice {
			if face >= 1 && face <= r.Sides {
				out[i].Seen[face-1]++
			}
		}
	}
	for i := range out {
		out[i].measure()
	}
	slices.SortFunc(out, func(a, b Tally) int { return a.Sides - b.Sides })
	return out
}

func (t *Tally) measure() {
	thrown := 0
	for _, n := range t.Seen {
		thrown += n
	}
	if thrown == 0 || t.Sides < 2 {
		return
	}
	t.Expected = float64(thrown) / float64(t.Sides)
	for _, n := range t.Seen {
		t.Chi += (float64(n) - t.Expected) * (float64(n) - t.Expected) / t.Expected
	}
	t.Chance = 100 * asLarge(t.Chi, float64(t.Sides-1))
}

// asLarge is how likely a chi-square of so many degrees of freedom is at least x, as Wilson and
// Hilferty have it: to a hundredth, which is enough to look at.
func asLarge(x, degrees float64) float64 {
	spread := 2 / (9 * degrees)
	z := (math.Cbrt(x/degrees) - (1 - spread)) / math.Sqrt(spread)
	return math.Erfc(z/math.Sqrt2) / 2
}
