package seal

import (
	"errors"
	"slices"
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
// with a quotation. Quoted lines never count, and neither do letters
// (orders.CutPress). A second GAME line is ErrTwoSheets: only the sender knows which of
// the two sheets is meant.
func (v Verified) Sheet(text string) (Sealed, error) {
	var cut sheetCut
	text, _ = orders.CutPress(text)
	for line := range strings.SplitSeq(orders.Fold(text), "\n") {
		cut.add(line)
	}
	canonical := orders.Canonical(strings.Join(cut.sheet, "\n"))
	switch {
	case cut.games == 0:
		return Sealed{}, ErrNoSheet
	case cut.games > 1:
		return Sealed{}, ErrTwoSheets
	}
	return sealed(canonical, strings.Join(cut.asTyped, "\n"), v.Key), nil
}

// sheetCut is what has been cut out of a text so far.
type sheetCut struct {
	sheet, asTyped []string
	games          int  // GAME lines in all of the text
	began, ended   bool // the sheet
	keys           bool // it is about keys: an empty line ends it
}

func (c *sheetCut) add(line string) {
	separator := strings.TrimSuffix(line, " ") == "--"
	typed := strings.Trim(line, " ")
	line = strings.ToUpper(typed)
	quoted := startsWith(line, ">", "|")
	if !quoted && startsWith(line, "GAME:") {
		c.games++
	}
	if !quoted && startsWith(line, sheetHeaders...) {
		c.began = true
	}
	if c.ended || !c.began {
		return
	}
	emptyAfterKeys := c.keys && line == ""
	if separator || quoted || emptyAfterKeys {
		c.ended = true
		return
	}
	c.sheet, c.asTyped = append(c.sheet, line), append(c.asTyped, typed)
	bare, _, _ := strings.Cut(line, "#")
	c.ended = strings.TrimRight(bare, " ") == "DONE"
	if startsWith(line, keyCommands...) {
		c.keys = true
	}
}

var (
	sheetHeaders = []string{"GAME:", "SIDE:", "TURN:", "SERIAL:", "PRESS:", "PRESS-SHA256:", "CODE:"}
	keyCommands  = []string{"ROTATE:", "REVOKE", "JOIN:", "RECOVER:", "NONCE:"}
)

func startsWith(line string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) })
}
