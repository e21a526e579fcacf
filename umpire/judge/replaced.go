package judge

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/orders"
)

// Dropped says which orders of the sheet with a serial the one in its place has nothing for;
// "" if there are none. Falling are the accepted answers of the former that count no more, as
// text: what was refused is not missed, and what holds on is not dropped. It is nil where
// they cannot be told apart.
func Dropped(serial int, was, now *orders.Sheet, falling []string) string {
	dropped := orders.Dropped(was, now)
	if falling != nil {
		text := strings.Join(falling, "\n")
		dropped = slices.DeleteFunc(dropped, func(order string) bool { return !strings.Contains(text, order) })
	}
	switch n := len(dropped); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("Sheet %d had an order that this one has not: %s.", serial, dropped[0])
	default:
		return fmt.Sprintf("Sheet %d had %d orders that this one has not: %s.", serial, n, strings.Join(dropped, "; "))
	}
}

// Stale says why a sheet is not for the turn that its side plays next, or not newer than
// the last one, and what would be. Line is the fault of a line that cannot be read, nil
// where both can.
type Stale struct {
	Why, Instead string
	Line         error
	Played       bool // the turn has been played
}

// Numbers are the TURN and the SERIAL of a sheet, where its side plays the turn next and has
// filed sheets up to the serial last. Settings alone count whatever turn was next when they
// were written.
func Numbers(sheet *orders.Sheet, next, last int) (turn, serial int, bad *Stale) {
	turn, err := sheet.Number("TURN")
	if err != nil {
		return 0, 0, &Stale{Why: err.Error(), Line: err}
	}
	if serial, err = sheet.Number("SERIAL"); err != nil {
		return 0, 0, &Stale{Why: err.Error(), Line: err, Instead: "Every sheet carries a SERIAL higher than the one before."}
	}
	if turn < next && sheet.SettingsAlone() {
		turn = next // they are of no turn
	}
	switch write := fmt.Sprintf("Write SERIAL: %d or more.", last+1); {
	case last >= orders.MaxSerial:
		return 0, 0, &Stale{Why: fmt.Sprintf("SERIAL %d of your last sheet leaves no number for another one", last), Instead: "Write to the moderator, who can set the numbers of your sheets back."}
	case turn < next:
		return turn, serial, &Stale{Played: true, Why: fmt.Sprintf("your orders for turn %d have been played already, and your next turn is %d", turn, next), Instead: fmt.Sprintf("Nothing was filed. Start from the sheet in your latest report: TURN: %d.", next)}
	case turn != next:
		return 0, 0, &Stale{Why: fmt.Sprintf("the sheet is for turn %d; your next turn is %d", turn, next), Instead: fmt.Sprintf("Write TURN: %d.", next)}
	case serial == last:
		return 0, 0, &Stale{Why: fmt.Sprintf("SERIAL %d has been used", serial), Instead: write}
	case serial < last:
		return 0, 0, &Stale{Why: fmt.Sprintf("SERIAL %d is lower than that of your last sheet, %d", serial, last), Instead: write}
	}
	return turn, serial, nil
}

// Changed is what a sheet wants done to orders that are being played.
func Changed(sheet *orders.Sheet) string {
	if sheet.Command("WITHDRAW") {
		return "withdrawn"
	}
	return "changed"
}

// InPlayInstead is what may be sent in place of a sheet whose orders come too late.
func InPlayInstead(sheet *orders.Sheet) string {
	if sheet.Command("WITHDRAW") {
		return "Nothing has changed. Your MODE stays as it is."
	}
	return "Nothing was filed. To answer a question, send its ANSWER section alone. MODE and the other lines of the head count, too."
}
