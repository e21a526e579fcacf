//go:build !js

package seal

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"

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
// with a quotation; empty lines do not end it. Of a statement about keys the paragraphs
// with lines of one count. Quoted lines never count, and neither do letters
// (orders.CutPress). A second GAME line is ErrTwoSheets: only the sender knows which of
// the two sheets is meant.
func (v Verified) Sheet(text string) (Sealed, error) {
	cut := sheetCut{paragraphs: [][]string{nil}}
	text, _ = orders.CutPress(text)
	for line := range strings.SplitSeq(orders.Fold(text), "\n") {
		cut.add(line)
	}
	typed := strings.Join(cut.sheet(), "\n")
	canonical := orders.Canonical(strings.ToUpper(typed))
	switch {
	case cut.games == 0:
		return Sealed{}, ErrNoSheet
	case cut.games > 1:
		return Sealed{}, ErrTwoSheets
	}
	return sealed(canonical, typed, v.Key), nil
}

// sheetCut is what has been read of a text so far: lines as they were typed.
type sheetCut struct {
	paragraphs   [][]string
	games        int  // GAME lines in all of the text
	began, ended bool // the sheet or statement
}

func (c *sheetCut) add(line string) {
	separator := strings.TrimSuffix(line, " ") == "--"
	typed := strings.Trim(line, " ")
	quoted := startsWith(typed, ">", "|")
	if !quoted && startsWith(typed, "GAME:") {
		c.games++
	}
	c.began = c.began || startsWith(typed, sheetHeaders...)
	last := len(c.paragraphs) - 1
	switch {
	case c.ended:
	case (separator || quoted) && c.began:
		c.ended = true
	case separator, quoted:
		c.paragraphs = [][]string{nil} // what stands above belongs to no sheet
	case typed == "":
		c.paragraphs = append(c.paragraphs, nil)
	default:
		c.paragraphs[last] = append(c.paragraphs[last], typed)
		bare, _, _ := strings.Cut(strings.ToUpper(typed), "#")
		done := strings.TrimRight(bare, " ")
		c.ended = c.began && orders.IsDone(done)
	}
}

// sheet are the lines of the sheet, or those of a statement about keys: greetings stand in
// paragraphs of their own, also between its lines.
func (c *sheetCut) sheet() []string {
	c.dropName()
	all := slices.Concat(c.paragraphs...)
	if !hasLine(all, keyCommands) || hasLine(all, ordersHeaders) {
		return from(all, sheetHeaders)
	}
	var lines []string
	for _, p := range c.paragraphs {
		lines = append(lines, from(p, statementLines)...)
	}
	return lines
}

// dropName drops the name of a person below a sheet that has nothing but head lines, and so no
// DONE above the name.
func (c *sheetCut) dropName() {
	whole := slices.DeleteFunc(slices.Clone(c.paragraphs), func(p []string) bool { return len(p) == 0 })
	n := len(whole) - 1
	if c.ended || n < 1 || len(whole[n]) != 1 || !isName(whole[n][0]) {
		return
	}
	above := from(slices.Concat(whole[:n]...), sheetHeaders)
	_, faults := orders.Parse(orders.Canonical(strings.ToUpper(strings.Join(above, "\n"))), orders.Vocabulary{})
	if len(above) > 0 && len(faults) == 0 {
		c.paragraphs = whole[:n]
	}
}

// isName tells whether a line reads as the name of a person and as nothing else: up to three words
// as names are written, none of which begins a section of a sheet or is a command.
func isName(line string) bool {
	words := strings.Fields(line)
	if len(words) > 3 || slices.ContainsFunc(words, func(w string) bool { return !nameWord.MatchString(w) }) {
		return false
	}
	first := strings.ToUpper(words[0])
	return !slices.Contains(orders.SectionWords, first) && !slices.Contains(orders.Commands, first) && strings.ContainsFunc(line, unicode.IsLower)
}

// nameWord is a word of a name, or an initial.
var nameWord = regexp.MustCompile(`^\p{Lu}[\p{L}'-]*\.?$`)

var (
	sheetHeaders   = []string{"GAME:", "SIDE:", "TURN:", "SERIAL:", "PRESS:", "PRESS-SHA256:", "CODE:"}
	ordersHeaders  = []string{"TURN:", "SERIAL:", "CODE:"}
	keyCommands    = []string{"ROTATE:", "REVOKE", "JOIN:", "RECOVER:", "NONCE:"}
	statementLines = slices.Concat(sheetHeaders, keyCommands, []string{"NONCE-SHA256:", "KEY:"})
)

func hasLine(lines, words []string) bool { return len(from(lines, words)) > 0 }

// from are the lines from the first on that starts with one of some words.
func from(lines, words []string) []string {
	i := slices.IndexFunc(lines, func(line string) bool { return startsWith(line, words...) })
	if i < 0 {
		return nil
	}
	return lines[i:]
}
