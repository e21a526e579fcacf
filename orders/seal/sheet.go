package seal

import (
	"errors"
	"strings"

	"fieldpost/orders"
)

// The errors of Verified.Sheet. The signature is good in both cases.
var (
	ErrNoSheet   = errors.New("what is signed holds no sheet with a GAME line")
	ErrTwoSheets = errors.New("what is signed holds more than one sheet")
)

// Sheet takes the order sheet out of a text that was signed as a whole, as mail
// programs do: a greeting before it and a name behind it are signed with it. The
// text must come from v.Content and from nowhere else. The sheet begins with the
// first header line and ends with DONE, with a signature separator ("-- ") or
// with a quotation. Quoted lines never count, and neither do letters (orders.CutPress). A second GAME line is
// ErrTwoSheets: which of the two is meant, only the sender knows.
func (v Verified) Sheet(text string) (Sealed, error) {
	var sheet, asTyped []string
	games, began, ended, keys := 0, false, false, false
	text, _ = orders.CutPress(text)
	for line := range strings.SplitSeq(orders.Fold(text), "\n") {
		separator := line == "-- " || line == "--"
		typed := strings.Trim(line, " ")
		line = strings.ToUpper(typed)
		quoted := strings.HasPrefix(line, ">") || strings.HasPrefix(line, "|")
		if !quoted && strings.HasPrefix(line, "GAME:") {
			games++
		}
		began = began || !quoted && isHeader(line)
		bare, _, _ := strings.Cut(line, "#")
		switch {
		case !began || ended:
		case separator || quoted || keys && line == "":
			ended = true
		default:
			sheet, asTyped = append(sheet, line), append(asTyped, typed)
			ended = strings.TrimRight(bare, " ") == "DONE"
			keys = keys || strings.HasPrefix(line, "ROTATE:") || strings.HasPrefix(line, "REVOKE") || strings.HasPrefix(line, "JOIN:") || strings.HasPrefix(line, "RECOVER:") || strings.HasPrefix(line, "NONCE:")
		}
	}
	canonical := orders.Canonical(strings.Join(sheet, "\n"))
	switch {
	case games == 0:
		return Sealed{}, ErrNoSheet
	case games > 1:
		return Sealed{}, ErrTwoSheets
	}
	return sealed(canonical, strings.Join(asTyped, "\n"), v.Key), nil
}

func isHeader(line string) bool {
	for _, h := range []string{"GAME:", "SIDE:", "TURN:", "SERIAL:", "PRESS:", "PRESS-SHA256:", "CODE:"} {
		if strings.HasPrefix(line, h) {
			return true
		}
	}
	return false
}
