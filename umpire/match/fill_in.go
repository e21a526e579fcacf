package match

import (
	"fieldpost/adjudicator/guidance"
	"fieldpost/adjudicator/view"
	"fieldpost/report"
)

// SheetToFillIn is the sheet of a side's turn from the guide, with all that can be ordered as
// comments, as `orders template` has it at home. A view that the guide does not believe gets the
// plain sheet: a report goes out in any case.
func (m Match) SheetToFillIn(v *view.View, turn, serial int) string {
	plain := report.Filled(v, turn, serial, m.System.Template())
	sheet, err := guidance.Fill(plain, m.Rules, v, m.System.Template())
	if err != nil {
		return plain
	}
	return sheet
}
