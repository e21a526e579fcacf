package adjudicator

import "fieldpost/adjudicator/rule"

// Fog is what the sides of a game see of one another. The zero value is the rulebook's.
type Fog string

// The modes that every system has.
const (
	FogRulebook Fog = "rulebook"
	FogBlind    Fog = "blind"
	FogOpen     Fog = "open"
)

// FogOption is the name of the option.
const FogOption = "fog"

// FogSetting is the option, with what each mode means in the system.
func FogSetting(clause rule.Clause, rulebook, blind, open string) Setting {
	return Choice(FogOption, clause, "what a side sees of the enemy",
		[]string{string(FogRulebook), string(FogBlind), string(FogOpen)}, []string{rulebook, blind, open})
}
