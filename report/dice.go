package report

import (
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"fieldpost/adjudicator/view"
)

// diceTitle begins the section that ParseDice reads.
const diceTitle = "DICE OF THIS REPORT"

// Told is dice as the story tells them.
type Told struct {
	Label string
	Dice  []int
}

// Head is what the dice of a report are checked with.
type Head struct {
	Game string
	// Key is the game's public dice key, Root the root of the dice, as the
	// report prints them.
	Key, Root string
}

var (
	diceLine   = regexp.MustCompile(`^(.+): ([0-9]+(?: [0-9]+)*) \(d([0-9]+)\), proof ?([0-9a-fA-F ]*)$`)
	proofDigit = regexp.MustCompile(`^[0-9a-fA-F][0-9a-fA-F ]*$`)
	drandRound = regexp.MustCompile(`^[0-9]{1,19}$`)
	quoteMark  = regexp.MustCompile(`^(?:> ?)+`)
	nextTitle  = regexp.MustCompile(`^[A-Z]{3}[A-Z ]*(?:  .*)?$`)
	toldDice   = regexp.MustCompile(`\bdice ([0-9]+(?: [0-9]+)*) \(`)
	tags       = regexp.MustCompile(`(?s)<(?:style|script|head)\b.*?</(?:style|script|head)>|<[^>]*>`)
	blockTag   = regexp.MustCompile(`(?i)<(?:/p|/tr|/table|/h[1-6]|/li)\b[^>]*>`)
	breakTag   = regexp.MustCompile(`(?i)<(?:br|/div|/td)\b[^>]*>`)
)

// ParseDice reads the dice that the words of a report tell and, of one from before its View
// had a Story, the proofs of its DICE section and what they are checked with. It reads the
// text part, also when it was quoted, and finds what is told in the HTML part. A damaged DICE
// section is an error; the rest is returned all the same.
func ParseDice(text string) (proved []Proof, told []Told, head Head, err error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if isHTML(text) {
		for _, block := range blocks(text) {
			told = append(told, tellings(block)...)
		}
		return nil, told, head, nil
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(quoteMark.ReplaceAllString(lines[i], ""), " \t\r\u00a0")
	}
	var story []string
	var faults []error
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(strings.TrimSpace(lines[i]), diceTitle) {
			story = append(story, lines[i])
			continue
		}
		s := section{head: head}
		n := s.read(lines[i+1:])
		if s.err != nil {
			faults = append(faults, fmt.Errorf("line %d: %w", i+2+n, s.err))
		}
		proved, head = append(proved, s.proved...), s.head
		i += n
	}
	return proved, tellings(strings.Join(story, "\n")), head, errors.Join(faults...)
}

// section is the DICE section while it is read.
type section struct {
	head   Head
	phase  string
	proved []Proof
	digits string // of the last event's proof
	round  uint64 // of the beacon, for the events that follow; 0 for none
	value  string // what it said, in digits
	open   bool   // the value is being read
	err    error
}

// read takes the lines of the section and tells how many they were.
func (s *section) read(lines []string) int {
	for i, l := range lines {
		l = strings.TrimSpace(l)
		if !s.take(l) {
			s.finish()
			if s.err == nil && !nextTitle.MatchString(l) {
				s.err = fmt.Errorf("%q is not a line of the section of dice", l)
			}
			return i
		}
		if s.err != nil {
			return i
		}
	}
	s.finish()
	return len(lines)
}

// take reads a line; false where it does not belong to the section.
func (s *section) take(l string) bool {
	if l == "" {
		return true
	}
	if m := diceLine.FindStringSubmatch(l); m != nil {
		s.event(m)
		return true
	}
	if proofDigit.MatchString(l) {
		return s.moreDigits(l)
	}
	word, rest, _ := strings.Cut(l, " ")
	switch word {
	case "drand":
		if !drandRound.MatchString(rest) {
			return false
		}
		s.finish()
		s.round, _ = strconv.ParseUint(rest, 10, 64)
		s.value, s.open = "", true
	case "phase":
		if rest == "" {
			return false
		}
		s.finish()
		s.phase, s.round, s.value, s.open = rest, 0, "", false
	case "game":
		if rest == "" {
			return false
		}
		s.head.Game = rest
	case "key":
		s.head.Key = rest
	case "root":
		s.head.Root = rest
	default:
		return false
	}
	return true
}

// event begins an event: its label, dice, their sides and the first digits of its proof.
func (s *section) event(m []string) {
	s.finish()
	p := Proof{s.phase, view.Roll{Label: m[1], Round: s.round}}
	p.Value = s.beacon()
	p.Dice = ints(m[2])
	p.Sides, _ = strconv.Atoi(m[3])
	s.proved = append(s.proved, p)
	s.digits = m[4]
}

// moreDigits reads a line of digits: of the beacon's value, of the proof before it, or
// of the key, whose digits have a line of their own.
func (s *section) moreDigits(l string) bool {
	switch {
	case s.open:
		s.value += strings.ReplaceAll(l, " ", "")
	case len(s.proved) > 0:
		s.digits += l
	case strings.HasSuffix(s.head.Key, ":"):
		s.head.Key += l
	default:
		return false
	}
	return true
}

// beacon is the value that the events are bound to, nil for none.
func (s *section) beacon() []byte {
	s.open = false
	if s.round == 0 {
		return nil
	}
	value, err := hex.DecodeString(s.value)
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("value of round %d: %w", s.round, err)
	}
	return value
}

// finish decodes the proof of the last event.
func (s *section) finish() {
	n := len(s.proved)
	if n == 0 || s.proved[n-1].Proof != nil {
		return
	}
	p := &s.proved[n-1]
	proof, err := hex.DecodeString(strings.ReplaceAll(s.digits, " ", ""))
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("proof of %s: %w", p.Label, err)
	}
	if len(proof) == 0 {
		proof = []byte{}
	}
	p.Proof, s.digits = proof, ""
}

func ints(s string) []int {
	var out []int
	for _, f := range strings.Fields(s) {
		n, _ := strconv.Atoi(f)
		out = append(out, n)
	}
	return out
}

// tellings finds "dice 4 1 (LABEL)" in running text, wherever it is broken.
func tellings(text string) []Told {
	text = strings.Join(strings.Fields(text), " ")
	var out []Told
	for {
		m := toldDice.FindStringSubmatchIndex(text)
		if m == nil {
			return out
		}
		dice := ints(text[m[2]:m[3]])
		text = text[m[1]:]
		if n := closing(text); n >= 0 {
			out = append(out, Told{Label: strings.TrimSpace(text[:n]), Dice: dice})
			text = text[n:]
		}
	}
}

// closing is where the bracket that has been opened is closed: labels such as
// "fire (1)Wsp" hold brackets of their own.
func closing(s string) int {
	depth := 1
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func isHTML(s string) bool {
	t := strings.ToLower(s[:min(len(s), 2000)])
	return strings.Contains(t, "<html") || strings.Contains(t, "<table") || strings.Contains(t, "<!doctype html")
}

// blocks are the running texts of an HTML page: its paragraphs and rows, none of which goes
// on in the next.
func blocks(s string) []string {
	s = tags.ReplaceAllStringFunc(s, func(tag string) string {
		switch {
		case blockTag.MatchString(tag):
			return blockEnd
		case breakTag.MatchString(tag):
			return "\n"
		}
		return ""
	})
	all := strings.Split(s, blockEnd)
	for i, block := range all {
		all[i] = html.UnescapeString(block)
	}
	return all
}

// blockEnd is no character of a page (HTML Standard 13.2.3.5).
const blockEnd = "\x00"
