package steppe_test

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/steppe"
	"fieldpost/orders"
)

func guideOf(t *testing.T, g *steppe.Game) adjudicator.Guide {
	t.Helper()
	v, err := g.View(opened(t, g, 1), "GERMAN")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := adjudicator.GuideOf(g, v)
	if err != nil {
		t.Fatal(err)
	}
	return guide
}

// A unit that a programme moves is shown no second way in it, but its other sections' still.
func TestNoSecondMoveInAProgramme(t *testing.T) {
	g := open(t, "star-and-gallop", nil)
	guide := guideOf(t, g)
	sheet, faults := orders.Parse(orders.Canonical("CHIT SS Pz\nHQ TO 3809\n"), steppe.Vocabulary)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	before, err := guide.Reach("SS Pz", "CHIT SS Pz")
	if err != nil || len(before) == 0 {
		t.Fatal(len(before), err)
	}
	guide.Rehearse(sheet)
	if ways, err := guide.Reach("SS Pz", "CHIT SS Pz"); err == nil || !strings.Contains(err.Error(), "moves nobody twice") {
		t.Errorf("%d ways, %v", len(ways), err)
	}
	if ways, err := guide.Reach("3 Pz", "CHIT 3 Pz"); err != nil || len(ways) == 0 {
		t.Errorf("of another: %d ways, %v", len(ways), err)
	}
}

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
