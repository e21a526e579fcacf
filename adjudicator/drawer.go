package adjudicator

import "fieldpost/adjudicator/view"

// Drawer is a Game that makes whole positions from what a side knows.
type Drawer interface {
	// Draw makes a position that agrees with a View of the moment in which the side is due to
	// write its sheet: the side sees in it what the View shows. What the View leaves open is
	// drawn; n(k) is a number from 0 to k-1. The error says which part of a View cannot be
	// believed, or that games of such options are not drawn.
	Draw(v *view.View, n func(k int) int) ([]byte, error)
}
