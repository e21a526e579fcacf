package archive

import (
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/dice/vrf"
	"fieldpost/umpire/match"
)

// proveEarlier checks the dice of the phases before a migration, whose rules are
// not at hand.
func (v *verifier) proveEarlier(migration int) {
	for _, p := range v.phases[:migration] {
		journal, err := match.EntriesOf(p.Journal)
		if err != nil {
			v.fault(PartJournal, "%s: %w", p.Phase, err)
			continue
		}
		for i, e := range journal {
			if e.Kind != adjudicator.EntryRoll {
				continue
			}
			var dice []int
			root, err := v.rootAt(p, i)
			if err == nil {
				throw := vrf.Throw{Game: v.m.Game, Phase: p.Phase, Label: e.Label, Root: root, Count: len(e.Dice), Sides: e.Sides}
				dice, err = vrf.Check(v.key, throw, e.Proof)
			}
			if err != nil || !slices.Equal(dice, e.Dice) {
				v.fault(PartJournal, "%s, dice %q: the journal says %v, the proof gives %v, %v", p.Phase, e.Label, e.Dice, dice, err)
				continue
			}
			v.found.Rolls++
		}
	}
	v.unproven("the first %d phases were decided by another version, and the game was then taken to this one: their dice are proved, their results are the moderator's word, and so are answers that sheets from before %s gave later", migration, v.phases[migration].Phase)
}
