package steppe_test

import (
	"strings"
	"testing"
)

// What an order comes to stands behind that order, also where another chit has one of the
// same words.
func TestOutlooksStandBehindTheirOwnOrders(t *testing.T) {
	g := open(t, "star-and-gallop", nil)
	f := check(t, g, opened(t, g, 1), "GERMAN", "CHIT SS Pz\n  HQ TO 3809\nCHIT 40 Pz\n  HQ TO 3809\n")
	var said []string
	for _, l := range f.Lines {
		if l.Text == "HQ TO 3809" {
			said = append(said, l.Understood+l.Warning)
		}
	}
	if len(said) != 2 || !strings.HasPrefix(said[0], "SS Pz ") || !strings.HasPrefix(said[1], "40 Pz ") {
		t.Errorf("%q", said)
	}
}
