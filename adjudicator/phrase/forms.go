package phrase

import (
	"slices"
	"strings"
	"unicode"

	"fieldpost/adjudicator/hex"
)

// Called is what a unit is called by: what its counter says of it.
type Called struct {
	ID, Name, Type string
	Of             []string // the formations that it is of, the nearest first
	Side, Nation   string
	Short          string // what else the counter has for a name, if anything
}

// types are those of all units of all systems, as reports print them beside names.
var types = []string{"INF", "ARM", "MOT", "MECH", "CAV", "ART", "HQ", "AG", "AT", "AA", "RG", "FU", "VS", "ENG", "REC", "SEC", "SKI"}

// IsType tells whether a word is a type of units, in any spelling.
func IsType(word string) bool {
	return slices.Contains(types, strings.ToUpper(strings.Trim(word, ".")))
}

// Style is a manner of writing whom a unit is called.
type Style int

// The styles. Whatever prints a unit prints it in one of them, and orders take them all.
const (
	Named       Style = iota // 524/297
	Typed                    // 524/297 INF; 347 INF, whose name says it
	Retyped                  // 347 INF INF, for those who add it all the same
	TypeFirst                // INF 524/297; INF 347
	InFormation              // 524/297 (297 INF)
	InHigher                 // 524/297 (LI), the formation above
	OfSide                   // German 524/297
	OfSideTyped              // German 524/297 INF
	OfNation                 // Hungarian 102
	PartOf                   // 524 of 297
	Turned                   // 297 524
	Identified               // ger-524-297
	Untyped                  // 347
	Abridged                 // what else is on the counter
	endOfStyles
)

// exact are the styles that are a unit's own; the others are abridged.
const exact = Untyped

// Form is whom a unit is called in a style, "" if it has no such form.
func (c Called) Form(style Style) string {
	switch bare, said := c.withoutType(); style {
	case Named:
		return c.Name
	case Typed:
		if said || c.saysType() {
			return c.Name
		}
		return joined(c.Name, c.Type)
	case Retyped:
		return joined(c.Name, c.Type)
	case TypeFirst:
		if said {
			return joined(c.Type, bare)
		}
		return joined(c.Type, c.Name)
	case InFormation:
		return c.within(0)
	case InHigher:
		return c.within(1)
	case OfSide:
		return joined(c.Side, c.Name)
	case OfSideTyped:
		return joined(c.Side, c.Form(Typed))
	case OfNation:
		return joined(c.Nation, c.Name)
	case PartOf:
		return c.parted(" of ", false)
	case Turned:
		return c.parted(" ", true)
	case Identified:
		return c.ID
	case Untyped:
		return bare
	case Abridged:
		return c.Short
	}
	return ""
}

// within is the name with one of the formations behind it.
func (c Called) within(n int) string {
	if n >= len(c.Of) {
		return ""
	}
	return c.Name + " (" + c.Of[n] + ")"
}

// Formations are those of a unit that have a name.
func Formations(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || name == "-" })
}

// joined puts two words together if both are there.
func joined(a, b string) string {
	if a == "" || b == "" {
		return ""
	}
	return a + " " + b
}

// saysType tells whether the name has the type in it.
func (c Called) saysType() bool {
	return strings.Contains(strings.ToUpper(c.Name), strings.ToUpper(c.Type))
}

// withoutType is the name without the word for the type before or behind it; said is
// false, and the name "", if there is none.
func (c Called) withoutType() (bare string, said bool) {
	if n := len(c.Name) - len(c.Type); c.Type != "" && n > 1 {
		head, tail := c.Name[:n], c.Name[n:]
		if strings.HasSuffix(head, " ") && strings.EqualFold(tail, c.Type) {
			return strings.TrimSpace(head), true
		}
		head, tail = c.Name[:len(c.Type)], c.Name[len(c.Type):]
		if strings.HasPrefix(tail, " ") && strings.EqualFold(head, c.Type) {
			return strings.TrimSpace(tail), true
		}
	}
	return "", false
}

// parted is a name of two parts, 524/297, with something else between them.
func (c Called) parted(by string, turned bool) string {
	unit, of, two := strings.Cut(c.Name, "/")
	switch {
	case !two, unit == "", of == "":
		return ""
	case turned:
		return of + by + unit
	}
	return unit + by + of
}

// ordinals end figures that count.
var ordinals = []string{"ST", "ND", "RD", "TH"}

// fillers are words that a name may have before it.
var fillers = []string{"THE", "NO", "NO.", "NR", "NR.", "№"}

// plain is a name without what its writer may add to it: "the", "No." and the "th"
// behind figures.
func plain(name string) string {
	words := strings.Fields(strings.ToUpper(name))
	out := words[:0]
	for _, w := range words {
		if slices.Contains(fillers, w) {
			continue
		}
		for _, before := range fillers {
			if rest, cut := strings.CutPrefix(w, before); cut && rest != "" && unicode.IsDigit(rune(rest[0])) {
				w = rest
			}
		}
		for _, end := range ordinals {
			if rest, cut := strings.CutSuffix(w, end); cut && rest != "" && hex.AllDigits(rest) {
				w = rest
			}
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// letters are those that are written in several ways, as one of them.
var letters = strings.NewReplacer("Ä", "A", "Ö", "O", "Ü", "U", "ẞ", "SS", "ß", "SS", "AE", "A", "OE", "O", "UE", "U",
	"À", "A", "Á", "A", "Â", "A", "Ą", "A", "Å", "A", "Ç", "C", "Ć", "C", "Č", "C", "È", "E", "É", "E", "Ê", "E", "Ę", "E", "Ě", "E",
	"Ì", "I", "Í", "I", "Î", "I", "Ł", "L", "Ñ", "N", "Ń", "N", "Ň", "N", "Ò", "O", "Ó", "O", "Ô", "O", "Ø", "O",
	"Ř", "R", "Ś", "S", "Š", "S", "Ù", "U", "Ú", "U", "Û", "U", "Ů", "U", "Ý", "Y", "Ź", "Z", "Ż", "Z", "Ž", "Z")

// Fold is a name as it is looked up: in capitals, without accents, and without blanks,
// dots, brackets and marks. What parts figures stays as a dash, and a dash that ends a
// word.
func Fold(name string) string {
	name = letters.Replace(strings.ToUpper(name))
	var b strings.Builder
	b.Grow(len(name))
	var last rune
	dash, gap := false, false
	for _, r := range name + " " {
		kept := r == '/' || r == '+' || unicode.IsLetter(r) || unicode.IsDigit(r)
		parts := (dash || gap) && unicode.IsDigit(last) && unicode.IsDigit(r)
		ends := dash && !gap && unicode.IsSpace(r)
		if parts || ends {
			b.WriteByte('-')
		}
		switch {
		case kept:
			b.WriteRune(r)
			last, dash, gap = r, false, false
		case r == '-', r == '−', unicode.Is(unicode.Pd, r):
			dash = true
		default:
			dash, gap = false, true
		}
	}
	return b.String()
}
