package seal

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"fieldpost/orders"
)

// The markers of a block. Between them stand the orders, then the signature
// with markers of its own.
const (
	beginBlock = "-----BEGIN FIELDPOST ORDERS-----"
	endBlock   = "-----END FIELDPOST ORDERS-----"
)

// blockWidth is the longest line of a block in characters. Eight levels of
// quoting leave it below 72 columns.
const blockWidth = 64

// continuation at the end of a line says that the line goes on below. At the
// start of a line it says that the next character is meant as it stands.
const continuation = '\\'

// Block prints a signed sheet for sending: the markers, the canonical orders in
// lines of at most 64 characters, and the signature from Sign. The signature
// covers the canonical text, not the shape it has here; Extract undoes the shape:
//
//   - A line that ends in an odd number of backslashes goes on in the next one;
//     the last backslash and the line end are not part of it. Lines are broken
//     after a blank where there is one: the blank stays in front of the backslash.
//   - Other backslashes at the end of a line are doubled.
//   - A line that would start with a character that quoting or this format
//     uses (backslash, >, |, two dashes), or that holds the words of a marker,
//     has a backslash in front.
func Block(canonical, armored string) string {
	var b strings.Builder
	b.WriteString(beginBlock + "\n")
	for line := range strings.Lines(canonical) {
		for piece, last := range pieces(strings.TrimSuffix(line, "\n")) {
			b.WriteString(encodePiece(piece, last) + "\n")
		}
	}
	b.WriteString(strings.TrimSpace(armored) + "\n" + endBlock + "\n")
	return b.String()
}

// Signed is the block of a sheet signed by a key: as it was typed, where that is the same
// sheet, so that an address and a time zone keep their letters.
func Signed(key PrivateKey, text string) (block string, err error) {
	canonical := orders.Canonical(text)
	armored, err := Sign(key, Namespace, []byte(canonical))
	if err != nil {
		return "", err
	}
	typed := orders.Typed(text)
	if orders.Canonical(typed) != canonical {
		typed = canonical
	}
	return Block(typed, armored), nil
}

// pieces cuts a line into parts that fit into blockWidth once encoded. The
// second value is true for the last part.
func pieces(line string) func(yield func(string, bool) bool) {
	return func(yield func(string, bool) bool) {
		rest := []rune(line)
		for {
			if fits(rest, true) {
				yield(string(rest), true)
				return
			}
			n := min(blockWidth, len(rest)-1)
			for n > 1 && !fits(rest[:n], false) {
				n--
			}
			// Prefer the last blank, if that does not make a very short line.
			for i := n; i > blockWidth/3; i-- {
				if rest[i-1] == ' ' {
					n = i
					break
				}
			}
			if !yield(string(rest[:n]), false) {
				return
			}
			rest = rest[n:]
		}
	}
}

// fits tells whether a piece fits into a line once encoded.
func fits(piece []rune, last bool) bool {
	return len(piece) <= blockWidth && width(encodePiece(string(piece), last)) <= blockWidth
}

func width(s string) int { return utf8.RuneCountInString(s) }

func encodePiece(piece string, last bool) string {
	piece += strings.Repeat(string(continuation), trailing(piece))
	if !last {
		piece += string(continuation)
	}
	if startsWith(piece, `\`, ">", "|", " ", "--") || hasMarker(piece) {
		piece = string(continuation) + piece // on the way it would be taken for something else
	}
	return piece
}

// The markers as they may arrive: typographic dashes were folded, a long dash
// for two typed ones leaves fewer of them, and case means nothing.
var (
	blockOpening = regexp.MustCompile(`(?i)-{2,} *BEGIN +FIELDPOST +ORDERS *-{2,}`)
	blockClosing = regexp.MustCompile(`(?i)-{2,} *END +FIELDPOST +ORDERS *-{2,}`)
	armorOpening = regexp.MustCompile(`(?i)-{2,} *BEGIN +SSH +SIGNATURE *-{2,}`)
	armorClosing = regexp.MustCompile(`(?i)-{2,} *END +SSH +SIGNATURE *-{2,}`)
)

func hasMarker(piece string) bool {
	for _, m := range []*regexp.Regexp{blockOpening, blockClosing, armorOpening, armorClosing} {
		if m.MatchString(piece) {
			return true
		}
	}
	return false
}

// decodePiece is the inverse of encodePiece. A backslash in front also keeps a
// blank that a line starts with.
func decodePiece(line string) (piece string, last bool) {
	line = strings.TrimPrefix(line, string(continuation))
	n := trailing(line)
	return line[:len(line)-n] + strings.Repeat(string(continuation), n/2), n%2 == 0
}

// unwrap joins the lines of a block to the lines of the sheet.
func unwrap(lines string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(lines, "\n") {
		piece, last := decodePiece(line)
		b.WriteString(piece)
		if last {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// trailing counts the backslashes at the end of a line.
func trailing(line string) int {
	return len(line) - len(strings.TrimRight(line, string(continuation)))
}

// startsWith tells whether a line starts with one of some words, however it is typed.
func startsWith(line string, words ...string) bool {
	line = strings.ToUpper(line)
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) })
}
