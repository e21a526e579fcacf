package wb95

import (
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/orders"
)

var _ adjudicator.Joining = System{}

// LabelsNamed implements adjudicator.Joining: a condition such as IF 2 WON or
// UNLESS 2 LOST names an attack by its label.
func (System) LabelsNamed(c orders.Clause) (labels []orders.Word) {
	for i := range max(0, len(c)-2) {
		opens := slices.Contains(conditionVerb, c[i].Text)
		outcome := c[i+2].Text
		if opens && (outcome == isWon || outcome == isLost) {
			labels = append(labels, c[i+1])
		}
	}
	return labels
}

// HexNamed implements adjudicator.Joining.
func (System) HexNamed(o orders.Order) hex.Hex { return phrase.AtHex(o) }
