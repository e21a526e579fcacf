package match

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/orders"
	"fieldpost/store"
)

// Values of the line MODERATE in such a sheet: the moderator wrote it, or a staff
// officer because nothing came by the deadline.
const (
	ActFor   = "ACT-FOR"
	ActStaff = "STAFF"
)

// StandInOf names who filed a sheet in the player's place, "" if they did it themselves.
func StandInOf(sheet *orders.Sheet) string {
	switch sheet.Header("MODERATE") {
	case ActFor:
		return "the moderator"
	case ActStaff:
		return "a staff officer"
	}
	return ""
}

// StandInOfText tells who filed a canonical text in the player's place.
func StandInOfText(canonical string) string {
	sheet, _ := orders.Parse(canonical, orders.Vocabulary{})
	return StandInOf(sheet)
}

// InOthersPlace are remarks for every report on sheets of these phases that were
// not the player's own. The number of a sheet is not among them: it tells the enemy how often
// the side filed.
func InOthersPlace(phases []store.Phase) (notes []string) {
	for _, p := range phases {
		journal, err := EntriesOf(p.Journal)
		if err != nil {
			continue // it was written a moment ago
		}
		for _, e := range journal {
			if _, by, ok := strings.Cut(e.Source, placeMark); ok {
				by, _, _ = strings.Cut(by, ",")
				if note := fmt.Sprintf("For %s %s acted.", e.Side, by); !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
	}
	return notes
}
