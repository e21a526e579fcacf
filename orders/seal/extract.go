//go:build !js

package seal

import (
	"errors"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"fieldpost/orders"
)

// Limits of one text. A sheet has at most 300 lines of 200 characters, and a
// mail rarely carries more than one block and the quotation of another.
const (
	maxBlocks     = 8
	maxBlockLines = 2000
	maxBlockBytes = 64 << 10
	maxReadings   = 20
	maxPrefix     = 40 // what may stand before the opening marker: quote marks, "Anna> "
)

// Candidate is a block found in a text. Nothing in it is believed yet: only
// what Open returns was signed.
type Candidate struct {
	lines []string // of the sheet, cleaned
	// Armor is the signature, its lines joined and wrapped anew. It may be damaged.
	Armor string
}

// Readings are the readings of the block in canonical form, the likeliest first,
// at least 1 and at most 20. They differ in which line breaks are taken for
// accidents of the way.
func (c Candidate) Readings() iter.Seq[string] {
	return func(yield func(string) bool) {
		for canonical := range c.readings() {
			if !yield(canonical) {
				return
			}
		}
	}
}

// readings are the Readings, each with the text that it is the canonical form of.
func (c Candidate) readings() iter.Seq2[string, string] {
	return func(yield func(canonical, text string) bool) {
		joins, texts := map[string]bool{}, map[string]bool{}
		add := func(joined string) (more bool) {
			if joins[joined] {
				return true
			}
			joins[joined] = true
			text := unwrap(joined)
			canonical := orders.Canonical(text)
			if texts[canonical] {
				return true
			}
			texts[canonical] = true
			return yield(canonical, text) && len(texts) < maxReadings
		}
		if !add(strings.Join(c.lines, "\n")) {
			return
		}
		longest := 0
		for _, line := range c.lines {
			longest = max(longest, utf8.RuneCountInString(line))
		}
		// A program that wraps at some width leaves no line longer than it, and no
		// line into which the next word would have fitted. The width is unknown,
		// and so is how much of it quote marks took.
		for width := longest; width < longest+40; width++ {
			if !add(rejoin(c.lines, width)) {
				return
			}
		}
	}
}

// Sealed is a sheet whose signature fits. It is made by Open, VerifyDetached and
// Verified.Sheet only.
type Sealed struct {
	// Text is the sheet in canonical form.
	Text string
	// Typed is the sheet as its writer typed it, of which Text is the canonical form. It
	// is Text itself where what was typed is not known.
	Typed string
	// Key is the key that signed. The caller finds out whose it is.
	Key Key
}

// sealed is a sheet whose canonical form is verified. What was typed is believed only
// as far as the signature covers it: if it has that canonical form.
func sealed(canonical, text string, key Key) Sealed {
	typed := orders.Typed(text)
	if orders.Canonical(typed) != canonical {
		typed = canonical
	}
	return Sealed{Text: canonical, Typed: typed, Key: key}
}

// Same tells whether two are the same sheet by the same key: the same mail may hold it
// twice, with small letters in one place and capitals in the other.
func (s Sealed) Same(o Sealed) bool { return s.Text == o.Text && s.Key == o.Key }

// Digest is the digest of the sheet, as orders.Digest gives it.
func (s Sealed) Digest() string { return orders.Digest(s.Text) }

// Open checks the signature against each reading and returns the one that was
// signed. Errors wrap ErrSignature or ErrMismatch.
func (c Candidate) Open() (Sealed, error) {
	s, err := parseSignature(c.Armor)
	if err != nil {
		return Sealed{}, err
	}
	err = ErrMismatch
	for canonical, text := range c.readings() {
		var key Key
		if key, err = s.verify([]byte(canonical), Namespace); err == nil {
			return sealed(canonical, text, key), nil
		}
	}
	return Sealed{}, err
}

// marker says whether a line is one of the markers, and what stands before it.
// Behind a backslash the same words are part of an order (see Block).
func marker(which *regexp.Regexp, line string) (prefix string, ok bool) {
	at := which.FindStringIndex(line)
	if at == nil || strings.ContainsRune(line[:at[0]], continuation) {
		return "", false
	}
	return line[:at[0]], true
}

// Extract finds the blocks in a decoded text part, in the order they stand. It
// forgives what the way does to a block: line ends, blank lines, indents and
// trailing blanks, quote marks, ">From", typographic blanks, dashes and quotes,
// lines wrapped again, anything before and after it.
func Extract(text string) []Candidate {
	var found []Candidate
	var open *draft
	for line := range strings.SplitSeq(orders.Fold(text), "\n") {
		if prefix, ok := marker(blockOpening, line); ok {
			// A second opening before the end: the first block was cut off.
			open = newDraft(prefix)
			continue
		}
		if open == nil {
			continue
		}
		switch open.add(line) {
		case draftDone:
			found = append(found, open.candidate())
			open = nil
		case draftBroken:
			open = nil
		}
		if len(found) == maxBlocks {
			break
		}
	}
	return found
}

// draft is a block being read.
type draft struct {
	prefix  string   // what stood before the opening marker
	orders  []string // the lines of the sheet, cleaned
	armor   strings.Builder
	inArmor bool
	lines   int
	bytes   int
}

type draftState int

const (
	draftOpen draftState = iota
	draftDone
	draftBroken
)

func newDraft(prefix string) *draft {
	if len(prefix) > maxPrefix {
		prefix = ""
	}
	return &draft{prefix: prefix}
}

// add takes the next line of the text. The block is done with the end of its
// signature: its own end marker is for people and may be lost.
func (d *draft) add(line string) draftState {
	d.lines++
	d.bytes += len(line)
	if d.lines > maxBlockLines || d.bytes > maxBlockBytes {
		return draftBroken
	}
	if _, ok := marker(blockClosing, line); ok {
		return draftBroken // no signature before the end
	}
	if _, ok := marker(armorOpening, line); ok {
		if d.inArmor || len(d.orders) == 0 {
			return draftBroken
		}
		d.inArmor = true
		return draftOpen
	}
	if _, ok := marker(armorClosing, line); ok {
		if !d.inArmor {
			return draftBroken
		}
		return draftDone
	}
	line = d.clean(line)
	switch {
	case line == "":
	case d.inArmor:
		d.armor.WriteString(strings.ReplaceAll(line, " ", ""))
		if d.armor.Len() > MaxArmor {
			return draftBroken
		}
	case line == string(continuation) && len(d.orders) > 0:
		// The mark alone: a line was wrapped just before it.
		d.orders[len(d.orders)-1] += " " + line
	default:
		d.orders = append(d.orders, line)
	}
	return draftOpen
}

// clean takes quote marks, space-stuffing (RFC 3676 section 4.4) and the mark
// of ">From " off a line. No line of a block starts with any of these.
func (d *draft) clean(line string) string {
	if strings.HasPrefix(line, d.prefix) {
		line = line[len(d.prefix):]
	} else if n := strings.LastIndexByte(common(line, d.prefix), '>'); n >= 0 {
		line = line[n+1:] // an empty line quoted less deep than the marker
	}
	return strings.Trim(strings.TrimLeft(line, " >|"), " ")
}

// common is what two texts start with alike.
func common(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

func (d *draft) candidate() Candidate {
	return Candidate{lines: d.orders, Armor: wrapArmor(d.armor.String())}
}

// rejoin joins each line to the next one if the next one's first word would
// not have fitted into the width behind it. A line with the continuation mark
// is joined by Block's own rule already.
func rejoin(lines []string, width int) string {
	var joined strings.Builder
	for i, line := range lines {
		if i > 0 {
			word, _, _ := strings.Cut(line, " ")
			before := lines[i-1]
			if trailing(before)%2 == 0 && utf8.RuneCountInString(before)+1+utf8.RuneCountInString(word) > width {
				joined.WriteByte(' ')
			} else {
				joined.WriteByte('\n')
			}
		}
		joined.WriteString(line)
	}
	return joined.String()
}

// ErrNoBlock says that a text holds no block at all.
var ErrNoBlock = errors.New("no signed block was found")

// Open finds the blocks in a text and opens them: the sheets whose signature
// fits, each once, in the order they stand. If there is none, the error wraps
// ErrNoBlock, or the reason why the first block does not open.
func Open(text string) ([]Sealed, error) {
	opened, err := openBlocks(text)
	if len(opened) == 0 {
		if bare := strings.Map(seen, text); bare != text {
			if again, _ := openBlocks(bare); len(again) > 0 {
				return again, nil
			}
		}
	}
	return opened, err
}

// seen drops characters that nobody sees, which some programs put into long lines: soft
// hyphens and marks of direction.
func seen(r rune) rune {
	switch {
	case r == 0x00ad, r == 0x180e, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2061 <= r && r <= 0x2064, 0x2066 <= r && r <= 0x2069:
		return -1
	}
	return r
}

func openBlocks(text string) ([]Sealed, error) {
	var opened []Sealed
	err := ErrNoBlock
	text, _ = orders.CutPress(text)
	for i, c := range Extract(text) {
		one, openErr := c.Open()
		if openErr != nil {
			if i == 0 {
				err = openErr
			}
			continue
		}
		if !slices.ContainsFunc(opened, one.Same) {
			opened = append(opened, one)
		}
	}
	if len(opened) > 0 {
		return opened, nil
	}
	return nil, err
}
