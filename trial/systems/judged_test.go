package systems

import (
	"os"
	"strconv"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/scenarios"
	"fieldpost/staff"
)

// A staff officer's sheet for a turn of each system stands, however often it is judged.
// trial/house has it judged often and counts how often an order is printed and parsed.
func TestAStaffSheetIsJudged(t *testing.T) {
	times, _ := strconv.Atoi(os.Getenv("FIELDPOST_JUDGED"))
	for _, id := range []string{"kharkov-1942", "winter-campaign", "gd-kursk"} {
		pack, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Get(pack.System)
		if err != nil {
			t.Fatal(err)
		}
		game, err := s.Rules.Load(pack)
		if err != nil {
			t.Fatal(err)
		}
		opening, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		side := game.Sides()[0]
		v, err := game.View(opening, side)
		if err != nil {
			t.Fatal(err)
		}
		v.Game = "K7QX2MPA"
		text, err := staff.Officer{Game: game}.Sheet(v, 1)
		if err != nil {
			t.Fatal(err)
		}
		sheet, faults := orders.Parse(orders.Canonical(text), s.Rules.Vocabulary())
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var f *adjudicator.Filing
		for range 1 + times {
			f = game.Check(v, sheet)
		}
		if _, refused := f.Accepted(); refused > 0 {
			t.Errorf("%s: %d lines of the staff are refused", id, refused)
		}
		n := 0
		for _, sec := range sheet.Sections {
			n += len(sec.Orders)
		}
		t.Logf("orders %d", n)
	}
}
