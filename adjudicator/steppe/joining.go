package steppe

import (
	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/orders"
)

var _ adjudicator.Joining = System{}

// LabelsNamed implements adjudicator.Joining: no order here speaks of another.
func (System) LabelsNamed(orders.Clause) []orders.Word { return nil }

// HexNamed implements adjudicator.Joining.
func (System) HexNamed(o orders.Order) hex.Hex { return phrase.AtHex(o) }
