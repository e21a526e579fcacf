package systems

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Probe is a sheet that feels for the enemy, not finished.
func (s System) Probe(v *view.View, serial int, r *rand.Rand) string {
	return head(v, serial) + s.Feelers(v, r)
}

// feel picks some own units, for each a hex where the enemy may stand and one next to
// it or the same.
func feel(v *view.View, r *rand.Rand, write func(u view.Unit, enemy, to hex.Hex)) {
	for range 6 {
		if len(v.Units) == 0 {
			return
		}
		u, enemy := v.Units[r.IntN(len(v.Units))], v.Board.Grid.At(r.IntN(v.Board.Grid.Len()))
		if len(v.Enemy) > 0 && r.IntN(4) > 0 {
			enemy = v.Enemy[r.IntN(len(v.Enemy))].Hex
		}
		around := v.Board.Grid.Neighbours(enemy)
		to := append(around, enemy)[r.IntN(len(around)+1)]
		write(u, enemy, to)
	}
}

func wb95Feelers(v *view.View, r *rand.Rand) string {
	var moves, attacks string
	feel(v, r, func(u view.Unit, enemy, to hex.Hex) {
		moves += fmt.Sprintf("%s %v-%v\n", u.Name, u.Hex, to)
		attacks += fmt.Sprintf("%v WITH %s\n", enemy, u.Name)
	})
	return "\nMOVE\n" + moves + "\nATTACK\n" + attacks + "\n"
}

func steppeFeelers(v *view.View, r *rand.Rand) (text string) {
	feel(v, r, func(u view.Unit, enemy, to hex.Hex) {
		chit := u.Parent
		if own := chitsOf(v); len(own) > 0 {
			chit = own[r.IntN(len(own))]
		}
		text += programme(chit, u, enemy, to)
	})
	return text
}

func famousFeelers(v *view.View, r *rand.Rand) (text string) {
	feel(v, r, func(u view.Unit, enemy, to hex.Hex) { text += programme(u.Parent, u, enemy, to) })
	return text
}

func programme(chit string, u view.Unit, enemy, to hex.Hex) string {
	return fmt.Sprintf("CHIT %s\nMOVE %s TO %v\nATTACK %v WITH %s\nFIRE %s AT %v\n", strings.ToUpper(chit), u.Name, to, enemy, u.Name, u.Name, enemy)
}
