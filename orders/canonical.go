package orders

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// maxRounds bounds the search for the fixed point in Canonical. Ordinary text
// is stable after one round; the rest are letters whose capitals decompose
// differently, and two rounds settle every one of them.
const maxRounds = 4

// Canonical is the form of an order sheet that is signed, compared and stored:
// Unicode NFC, LF line ends, no comments (from # to the end of the line), no
// invisible characters, plain dashes, quotes and blanks, one blank between
// words, capitals (Unicode simple case mapping), no empty lines, and a final LF.
// A text without any order in it is the empty string.
//
// Two sheets that read alike to a player have the same canonical form, so a
// signature over it survives what mail programs do to blanks and dashes.
// Canonical(Canonical(s)) == Canonical(s) for every s.
func Canonical(text string) string {
	for range maxRounds {
		next := canonicalRound(text)
		if next == text {
			break
		}
		text = next
	}
	return text
}

// Typed is a sheet as it was typed: like Canonical, line by line, but with small letters
// where they were typed.
func Typed(text string) string {
	for range maxRounds {
		next := plainLines(Fold(norm.NFC.String(Fold(text))))
		if next == text {
			break
		}
		text = next
	}
	return text
}

func canonicalRound(text string) string {
	// Folding comes on both sides of the composition: removing an invisible
	// character can bring a letter and its accent together, and composing can
	// produce a blank that needs folding (U+2000 becomes U+2002).
	return plainLines(strings.ToUpper(Fold(norm.NFC.String(Fold(text)))))
}

// plainLines drops comments, blanks that say nothing and empty lines.
func plainLines(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 1)
	for line := range strings.SplitSeq(norm.NFC.String(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = collapse(line)
		if line != "" {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Places are the lines of a sheet as it was typed that its canonical form keeps.
type Places struct{ kept []typedLine }

type typedLine struct {
	number int    // from 1, in what was typed
	typed  string // folded
	reads  string // in the canonical form
}

// PlacesOf reads a sheet as it was typed.
func PlacesOf(text string) *Places {
	p := &Places{}
	for i, line := range strings.Split(Fold(text), "\n") {
		if reads := Canonical(line); reads != "" {
			p.kept = append(p.kept, typedLine{number: i + 1, typed: line, reads: reads})
		}
	}
	return p
}

// Where is the place in the sheet of what stands at a place of its canonical form: the line,
// and the column of the same letter. A place beyond its end is left as it is.
func (p *Places) Where(canonical Pos) Pos {
	i := max(canonical.Line-1, 0)
	if i >= len(p.kept) {
		return canonical
	}
	return Pos{p.kept[i].number, p.kept[i].column(canonical.Col)}
}

// column is the column of the letter that stands at a column of the canonical form.
func (l typedLine) column(canonical int) int {
	letters := 0
	for col, r := range []rune(l.reads) {
		if col+1 >= canonical {
			break
		}
		if r != ' ' {
			letters++
		}
	}
	for col, r := range []rune(l.typed) {
		if r == ' ' {
			continue
		}
		if letters == 0 {
			return col + 1
		}
		letters--
	}
	return 1
}

// Digest is the SHA-256 of a canonical sheet in 64 lower-case hexadecimal
// digits. It does not canonicalise: hand it the result of Canonical.
func Digest(canonical string) string {
	sum := sha256.Sum256([]byte(canonical))
	return hex.EncodeToString(sum[:])
}

// Fold undoes what mail programs and word processors do to typed text, and
// nothing else: line ends become LF; the byte order mark and zero-width
// characters go; every kind of blank becomes a blank; hyphens, dashes and the
// minus sign become "-"; curly quotes become straight ones. Case, comments,
// indents and empty lines stay. Bytes that are not UTF-8 become U+FFFD.
func Fold(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(foldRune, text)
}

// PlainHeads takes away the blanks that writers of French, and their programs, set before
// the colon of a head line, and the stars that stand for bold letters around one. It is for
// what is typed by hand and not signed.
func PlainHeads(text string) string {
	return spacedColon.ReplaceAllString(boldHead.ReplaceAllString(text, "$1$2"), "$1:")
}

var (
	headNames   = strings.Join(headers, "|")
	spacedColon = regexp.MustCompile(`(?im)^([ \t]*(?:` + headNames + `))[ \t]+:`)
	boldHead    = regexp.MustCompile(`(?im)^[ \t]*\*+((?:` + headNames + `)[ \t]*:[^*\n]*)\*+([ \t]*[^*\n]*)$`)
)

func foldRune(r rune) rune {
	switch r {
	case '\r':
		return '\n'
	case '\t',
		0x00a0, 0x1680, 0x202f, 0x205f, 0x3000: // no-break, ogham, narrow, mathematical, wide
		return ' '
	case 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff: // zero width: space, joiners, word joiner, mark
		return -1
	case 0x2212: // minus sign
		return '-'
	case 0x2018, 0x2019, 0x201a, 0x201b:
		return '\''
	case 0x201c, 0x201d, 0x201e, 0x201f:
		return '"'
	}
	switch {
	case r >= 0x2000 && r <= 0x200a: // blanks of every width
		return ' '
	case r >= 0x2010 && r <= 0x2014: // hyphen to em dash
		return '-'
	}
	return r
}

// collapse trims blanks and leaves one between words. It knows the blank only:
// what else Unicode calls white space is for the lexer to complain about.
func collapse(line string) string {
	line = strings.Trim(line, " ")
	if !strings.Contains(line, "  ") {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	blank := false
	for i := range len(line) {
		if line[i] == ' ' {
			if blank {
				continue
			}
			blank = true
		} else {
			blank = false
		}
		b.WriteByte(line[i])
	}
	return b.String()
}

// Cut parts the canonical text of sections into that of each, its head first and
// without the end of its last line. What stands before the first section is left out.
func Cut(text string, v Vocabulary) []string {
	var out []string
	begin, at := -1, 0
	for line := range strings.Lines(text) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if v.section(word) {
			if begin >= 0 {
				out = append(out, strings.TrimSuffix(text[begin:at], "\n"))
			}
			begin = at
		}
		at += len(line)
	}
	if begin >= 0 {
		out = append(out, strings.TrimSuffix(text[begin:], "\n"))
	}
	return out
}
