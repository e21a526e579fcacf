package desk

import (
	"errors"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/orders"
)

// sheet is the text of orders, line by line as it was typed: a change leaves every other
// line as it is.
type sheet struct {
	words orders.Vocabulary
	order []string // of sections, as a blank sheet has them
	lines []string
}

func split(text string, system adjudicator.System) *sheet {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return &sheet{words: system.Vocabulary(), order: system.Template(), lines: strings.Split(text, "\n")}
}

func (s *sheet) String() string { return strings.Join(s.lines, "\n") + "\n" }

// plain is a line as the umpire reads it, "" for a comment.
func plain(line string) string { return strings.TrimSuffix(orders.Canonical(line), "\n") }

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

// opens tells whether a line opens a section, where the lines before it are of another.
func (s *sheet) opens(line, section string) bool {
	word := firstWord(line)
	if word == orders.AnswerSection {
		return true
	}
	if !slices.Contains(s.words.Sections, word) {
		return false
	}
	begins := slices.Contains(s.words.Inside[firstWord(section)], word) && line != word
	return !begins
}

// goesOn tells whether a line belongs to the order before it.
func (s *sheet) goesOn(line string) bool { return slices.Contains(s.words.Clauses, firstWord(line)) }

// walk shows every line with the section that it is of, "" for the head.
func (s *sheet) walk(show func(i int, line, section string, opens bool)) {
	section := ""
	for i, raw := range s.lines {
		line := plain(raw)
		switch {
		case s.opens(line, section):
			section = line
			show(i, line, section, true)
		case orders.IsDone(line):
			section = ""
			show(i, line, "", false)
		default:
			show(i, line, section, false)
		}
	}
}

// whose tells whether an order is an actor's own, and nobody else's.
func whose(line, actor string) bool {
	rest, is := strings.CutPrefix(line, plain(actor))
	return is && strings.HasPrefix(rest, " ")
}

// without takes an actor's own orders out, those of one section or, with "", of all. What it
// took is returned.
func (s *sheet) without(actor, section string) (taken []string) {
	var out []int
	s.walk(func(i int, line, of string, opens bool) {
		meant := section == "" || firstWord(of) == firstWord(section)
		if of != "" && !opens && meant && whose(line, actor) {
			taken, out = append(taken, line), append(out, i)
		}
	})
	slices.Reverse(out)
	for _, i := range out {
		s.cut(i)
	}
	return taken
}

// cut takes an order out with the lines that go on with it, and its section if that is empty then.
func (s *sheet) cut(i int) {
	end := i + 1
	for end < len(s.lines) && s.goesOn(plain(s.lines[end])) {
		end++
	}
	s.lines = slices.Delete(s.lines, i, end)
	if i == 0 {
		return
	}
	empty := i == len(s.lines)
	if !empty {
		next := plain(s.lines[i])
		empty = orders.IsDone(next) || s.opens(next, "")
	}
	if above := plain(s.lines[i-1]); empty && s.opens(above, "") {
		s.lines = slices.Delete(s.lines, i-1, i)
	}
}

// join names one more unit in the attack on a hex that the section has already: two attacks on
// a hex are none of the rules'.
func (s *sheet) join(section, order string) (joined bool) {
	target, who, attacks := strings.Cut(order, " WITH ")
	if !attacks {
		return false
	}
	s.walk(func(i int, line, of string, opens bool) {
		if joined || opens || of != plain(section) || !strings.HasPrefix(line, plain(target)+" WITH ") {
			return
		}
		joined = true
		if _, names, _ := strings.Cut(line, " WITH "); slices.Contains(listed(names), plain(who)) {
			return // it is among them
		}
		end := strings.IndexAny(s.lines[i], ";#")
		if end < 0 {
			end = len(s.lines[i])
		}
		written := strings.TrimRight(s.lines[i][:end], " \t")
		s.lines[i] = written + ", " + who + s.lines[i][len(written):]
	})
	return joined
}

// listed are the names before the first semicolon.
func listed(names string) []string {
	names, _, _ = strings.Cut(names, ";")
	return strings.Split(names, ", ")
}

// put writes an order at the end of its section; without an order, the section's own line.
func (s *sheet) put(section, order string) {
	if s.join(section, order) {
		return
	}
	at, open := -1, false
	s.walk(func(i int, line, of string, opens bool) {
		if of == plain(section) && line != "" {
			at, open = i+1, true
		}
	})
	indented := "  " + order
	switch {
	case open && order == "":
		return
	case open:
		s.lines = slices.Insert(s.lines, at, indented)
		return
	}
	written := []string{section}
	if order != "" {
		written = append(written, indented)
	}
	s.lines = slices.Insert(s.lines, s.place(section), written...)
}

// place is where a section that the sheet has not yet belongs.
func (s *sheet) place(section string) int {
	rank := func(of string) int { return slices.Index(s.order, firstWord(of)) }
	at := len(s.lines)
	s.walk(func(i int, line, of string, opens bool) {
		later := opens && rank(of) > rank(section)
		if at == len(s.lines) && (later || orders.IsDone(line)) {
			at = i
		}
	})
	return at
}

// done writes that the turn is finished, or takes that away.
func (s *sheet) done(is bool) {
	s.lines = slices.DeleteFunc(s.lines, func(line string) bool { return orders.IsDone(plain(line)) })
	if is {
		s.lines = append(s.lines, "DONE")
	}
}

// answer writes the reply to a question in place of the one before it.
func (s *sheet) answer(label, reply string) {
	var out []int
	s.walk(func(i int, line, of string, opens bool) {
		asked, _, _ := strings.Cut(line, ":")
		if of == orders.AnswerSection && !opens && plain(asked) == plain(label) {
			out = append(out, i)
		}
	})
	slices.Reverse(out)
	for _, i := range out {
		s.cut(i)
	}
	s.put(orders.AnswerSection, label+": "+reply)
}

// replace puts an order in the place of a line, or below it, as deep as that stands.
func (s *sheet) replace(i int, order string, below bool) {
	was := s.lines[i]
	deep := was[:len(was)-len(strings.TrimLeft(was, " \t"))]
	if !below {
		s.lines[i] = deep + order
		return
	}
	s.lines = slices.Insert(s.lines, i+1, deep+order)
}

// head writes a line of the head in place of the one of its name; without a value it takes it away.
func (s *sheet) head(name, value string) {
	named := func(line string) bool { return strings.HasPrefix(plain(line), plain(name)+":") }
	at := slices.IndexFunc(s.lines, named)
	s.lines = slices.DeleteFunc(s.lines, named)
	if value == "" {
		return
	}
	if at < 0 {
		at = 1 + slices.IndexFunc(s.lines, func(line string) bool { return strings.HasPrefix(plain(line), "SERIAL:") })
	}
	s.lines = slices.Insert(s.lines, at, name+": "+value)
}

// Change is one change of a sheet: an order put in, a line taken out, or DONE.
type Change struct {
	Actor   string `json:"actor,omitempty"` // whose other orders of the section the order replaces
	Section string `json:"section,omitempty"`
	Order   string `json:"order,omitempty"`
	Take    int    `json:"take,omitempty"`  // a line, from 1, that is taken out or, with Order, replaced
	Below   bool   `json:"below,omitempty"` // Order is put below the line that Take names
	Done    *bool  `json:"done,omitempty"`
	// Label is the question that Order answers.
	Label string `json:"label,omitempty"`
	// Head is the line of the head that says Order, such as MODE.
	Head string `json:"head,omitempty"`
}

// Edit changes a sheet and leaves all the rest of its text as it is.
func (d *Desk) Edit(text string, c Change) (string, error) {
	bench, err := d.judged()
	if err != nil {
		return "", err
	}
	s := split(text, bench.System)
	switch {
	case c.Done != nil:
		s.done(*c.Done)
	case c.Take > len(s.lines):
		return "", errNoLine
	case c.Take > 0 && c.Order == "":
		s.cut(c.Take - 1)
	case c.Take > 0:
		s.replace(c.Take-1, c.Order, c.Below)
	case c.Head != "":
		s.head(c.Head, c.Order)
	case c.Label != "":
		s.answer(c.Label, c.Order)
	case c.Section == "":
		return "", errors.New("an order stands in a section")
	default:
		if c.Actor != "" {
			s.without(c.Actor, c.Section)
		}
		s.put(c.Section, c.Order)
	}
	return s.String(), nil
}
