package umpire

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/guidance"
	"fieldpost/orders"
	"fieldpost/umpire/match"
)

// In every system the sheet that a report carries has the sections of the guide, as `orders
// template` prints them at home. As it comes it orders nothing, and no mail program folds its lines.
func TestSheetToFillInIsTheGuides(t *testing.T) {
	for _, scenario := range []string{"kharkov-1942", "star-and-gallop", "gd-akhtyrka"} {
		game, sys, err := match.Builtin.Load(scenario)
		if err != nil {
			t.Fatal(err)
		}
		position, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		opened, err := game.Play(position, nil, ones{}, adjudicator.Standing{})
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range game.Sides() {
			v, err := game.View(opened.Position, side)
			if err != nil {
				t.Fatal(err)
			}
			v.Game = "K7QX2MPA"
			sheet := match.Match{Rules: game, System: sys}.SheetToFillIn(v, v.Turn, 7)
			own, err := guidance.Sections(game, v, sys.Template())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(sheet, own) || !strings.Contains(sheet, "\nSERIAL: 7\n") {
				t.Errorf("%s, %s: the sheet has not the sections of the guide:\n%s", scenario, side, sheet)
			}
			for line := range strings.SplitSeq(sheet, "\n") {
				if order, _, said := strings.Cut(strings.TrimLeft(line, " #"), " # "); said && len(line) > 78 && len(order) < 50 {
					t.Errorf("%s, %s: a mail program folds %q", scenario, side, line)
				}
			}
			read, faults := orders.Parse(orders.Canonical(sheet), sys.Vocabulary())
			if len(faults) > 0 {
				t.Errorf("%s, %s: %v", scenario, side, faults)
				continue
			}
			for _, sec := range read.Sections {
				if len(sec.Orders) > 0 {
					t.Errorf("%s, %s: an untouched sheet orders %v under %s", scenario, side, sec.Orders[0], sec.Name)
				}
			}
		}
	}
}
