package adjudicator

import (
	"fieldpost/adjudicator/hex"
	"fieldpost/orders"
)

// Joining is a System whose sheets several commanders of a side may write together.
// Whoever joins their parts into the side's sheet knows no grammar: the system says
// which words of an order tie it to other orders and to hexes.
type Joining interface {
	// LabelsNamed are the words of a clause that name other orders of the sheet by
	// their labels, as in IF 2 WON.
	LabelsNamed(c orders.Clause) []orders.Word
	// HexNamed is the hex that an order is for where it stands in the place of units,
	// as in ALL AT 2306; hex.None if there is none.
	HexNamed(o orders.Order) hex.Hex
}
