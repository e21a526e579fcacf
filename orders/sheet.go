// Package orders is the language of order sheets: its lexer, syntax tree and
// canonical form. It knows sections, orders, clauses and words with their
// positions; what the words mean is the business of each rules system's verbs.
//
// A sheet is lines of text. Header lines (GAME, SIDE, TURN, SERIAL, each with a
// colon) come first, several may share a line; one of the words CHECK, WITHDRAW, CONCEDE
// or DRAW? among them, on a line of its own or behind a header, is a command. Then come
// sections: a line that begins with a section word of the system (MOVE, ATTACK,
// STANDING ...) opens one, and every following line is an order in it. An order is split
// into clauses by semicolons; a line that begins with a clause word continues the order
// before it. DONE on a line of its own ends the side's turn, DONE! does so without a
// second look. # begins a comment.
package orders

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pos is a place in a sheet: line and column, both from 1, columns in characters.
type Pos struct {
	Line int `json:"line"`
	Col  int `json:"col"`
}

func (p Pos) String() string { return fmt.Sprintf("line %d, column %d", p.Line, p.Col) }

// Word is a run of characters without blanks, commas or semicolons, in capitals.
type Word struct {
	Text string
	Pos  Pos
	// Comma tells that a comma stands before the word.
	Comma bool
}

// Clause is a part of an order between semicolons.
type Clause []Word

// Order is one order: its label ("1" of "1: 2306 WITH ..."), or "", and clauses.
type Order struct {
	Pos     Pos
	Label   string
	Clauses []Clause
}

// Section is a group of orders under a section word.
type Section struct {
	Pos    Pos
	Name   string
	Args   []Word
	Orders []Order
}

// Header is one line of the sheet's head.
type Header struct {
	Pos   Pos
	Name  string
	Value string // in capitals
	Typed string // as the text has it
}

// Sheet is a parsed order sheet.
type Sheet struct {
	Headers  []Header
	Commands []Word // of the list Commands
	Sections []Section
	Done     bool
	DonePos  Pos
	AsIs     bool // the sheet ends with DONE!
	// DoneMeant is what stands in the place of DONE where it is misspelt: the sheet is
	// finished if that was meant. Nil: it is not.
	DoneMeant *Error
}

// Vocabulary tells the parser a system's section words and the clause words
// that may open a continuation line.
type Vocabulary struct {
	Sections []string
	Clauses  []string
	// Inside holds, by section, section words that begin an order there when
	// more words follow on the line.
	Inside map[string][]string
	// Open lists the sections whose first line may go on with orders behind a
	// semicolon: "CHIT OKH MERGE A INTO 168; RAIL 332 TO 2512".
	Open []string
}

// Error is a fault of syntax in a sheet.
type Error struct {
	Pos
	Got  string   // what stands there
	Want string   // what was expected
	Near []string // the words that may have been meant
	// Unread is how many lines below belong to this one, and were not read for it.
	Unread int
}

// Why is the fault without its place.
func (e *Error) Why() string { return fmt.Sprintf("%q stands where %s was expected", e.Got, e.Want) }

// Instead says what may have been meant, and what came of the fault; "" for neither.
func (e *Error) Instead() string {
	unread := ""
	switch {
	case e.Unread == 1:
		unread = "The line below it was not read because of this."
	case e.Unread > 1:
		unread = fmt.Sprintf("The %d lines below it were not read because of this.", e.Unread)
	}
	return strings.TrimSpace(DidYouMean(e.Near) + " " + unread)
}

func (e *Error) Error() string {
	return e.Pos.String() + ": " + e.Why()
}

// MaxLines and MaxLine bound a sheet: orders and characters in a line.
const (
	MaxLines = 300
	MaxLine  = 200
)

// MaxSerial is the highest SERIAL that a sheet may have. It leaves room above it in every
// record, and below it more sheets than anybody writes.
const MaxSerial = 1_000_000_000

// AnswerSection is the section that every system's sheet may have: replies to
// the questions of a phase that waits. A line of it is the question's label, a
// colon and the answer.
const AnswerSection = "ANSWER"

// SectionWords begin the sections of any system's sheets. A Vocabulary has those of one system;
// who reads a sheet before its game is known takes none of them for something else.
var SectionWords = []string{AnswerSection, "AIR", "ATTACK", "BACKHAND", "BARRAGE", "CHIT", "CHITS", "DIVISION", "EVERY", "FIRST", "HQBACK", "MOVE", "SETUP", "SOLO", "STANDING", "SUPPLY"}

// Commands are the words that stand on a line of their own in a sheet's head.
var Commands = []string{"CHECK", "WITHDRAW", "CONCEDE", "DRAW?", "ENCRYPT", "PLAINTEXT"}

// oneWord are the headers with a value of one word. What stands behind it on the line is
// a command, or a fault: it is never swallowed.
var oneWord = []string{"GAME", "SIDE", "TURN", "SERIAL"}

var headers = []string{"GAME", "SIDE", "TURN", "SERIAL", "MODE", "PHASE", "PRESS", "PRESS-AS", "PRESS-SHA256", "AWAY", "ZONE", "EXTEND", "CODE", "JOIN", "KEY", "NONCE", "NONCE-SHA256", "RECOVER", "MODERATE", "ADDRESS", "CONFIRM", "DEPUTY", "PICTURES", "ANSWERS"}

// listing are the headers whose value is a list: its commas part what stands in it.
var listing = []string{"MODE"}

// Parse reads a sheet. It collects all faults; what could be read is returned
// beside them.
func Parse(text string, v Vocabulary) (*Sheet, []*Error) {
	p := &parser{v: v, sheet: &Sheet{}}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		if i >= MaxLines {
			p.fault(Pos{i + 1, 1}, strconv.Itoa(len(lines))+" lines", fmt.Sprintf("a sheet of at most %d lines", MaxLines))
			break
		}
		if n := utf8.RuneCountInString(line); n > MaxLine {
			p.fault(Pos{i + 1, MaxLine + 1}, fmt.Sprintf("a line of %d characters", n), fmt.Sprintf("at most %d", MaxLine))
			continue
		}
		p.line(i+1, line)
	}
	return p.sheet, p.errs
}

type parser struct {
	v     Vocabulary
	sheet *Sheet
	errs  []*Error
	// astray is the line in whose place a head line or a section was expected: what
	// follows belongs to it. Nil: there is none.
	astray *Error
}

func (p *parser) fault(at Pos, got, want string) {
	p.errs = append(p.errs, &Error{Pos: at, Got: got, Want: want})
}

// goAstray faults a line, and with it those below that belong to it.
func (p *parser) goAstray(at Word, want string, near []string) {
	p.astray = &Error{Pos: at.Pos, Got: at.Text, Want: want, Near: near}
	p.errs = append(p.errs, p.astray)
}

func (p *parser) line(n int, line string) {
	clauses := split(n, line, roomFor(line))
	if len(clauses) == 0 {
		return
	}
	first := clauses[0][0]
	alone := len(clauses) == 1 && len(clauses[0]) == 1
	atHead := len(p.sheet.Sections) == 0
	astray := p.astray
	p.astray = nil
	switch {
	case atHead && p.header(line, clauses):
	case atHead && alone && p.command(first):
	case alone && p.done(first):
	case p.sheet.DoneMeant != nil:
		p.sheet.DoneMeant.Unread++
	case alone && p.nearlyDone(first):
	case p.sheet.Done:
		p.fault(first.Pos, first.Text, "nothing more: DONE ends the sheet")
	case p.v.section(first.Text) && !p.inside(clauses):
		p.open(clauses)
	case len(p.misspelt(clauses)) > 0:
		p.goAstray(first, p.expected(), p.misspelt(clauses))
	case astray != nil:
		astray.Unread++
		p.astray = astray
	case atHead:
		p.goAstray(first, p.expected(), nil)
	default:
		p.order(clauses)
	}
}

// open opens a section.
func (p *parser) open(clauses []Clause) {
	first := clauses[0][0]
	p.sheet.Sections = append(p.sheet.Sections, Section{Pos: first.Pos, Name: first.Text, Args: clauses[0][1:]})
	switch {
	case len(clauses) == 1:
	case has(p.v.Open, first.Text):
		p.order(clauses[1:])
	default:
		p.fault(clauses[1][0].Pos, clauses[1][0].Text, "a new line: orders stand below the section word")
	}
}

// expected is what may stand where no order can: in the head a line of it too.
func (p *parser) expected() string {
	sections := "a section (" + strings.Join(p.v.Sections, ", ") + ")"
	if len(p.sheet.Sections) > 0 {
		return sections
	}
	return "a header (" + strings.Join(headers[:4], ", ") + ") or " + sections
}

// misspelt are the words that open a section, or a line of the head, which a line may
// have been meant for that opens neither; none if it is an order. A word on a line of
// its own is the likeliest to be one; with more behind it only one letter may be wrong,
// lest it be the name of a unit.
func (p *parser) misspelt(clauses []Clause) []string {
	n := len(p.sheet.Sections)
	first := clauses[0][0].Text
	switch {
	case n == 0:
		if name, _, labelled := strings.Cut(first, ":"); labelled {
			return Near(name, headers)
		}
		return Near(first, slices.Concat(p.v.Sections, []string{AnswerSection}, Commands))
	case p.sheet.Sections[n-1].Name == AnswerSection, has(p.v.Clauses, first), p.inside(clauses):
		return nil
	case len(clauses) == 1 && len(clauses[0]) == 1:
		return Near(first, append(slices.Clone(p.v.Sections), AnswerSection))
	case len(first) < 5:
		return nil
	}
	var near []string
	for _, word := range p.v.Sections {
		if oneOff(first, word) {
			near = append(near, word)
		}
	}
	if oneOff(first, AnswerSection) {
		near = append(near, AnswerSection)
	}
	return near
}

// section tells whether a word begins a section.
func (v Vocabulary) section(word string) bool { return word == AnswerSection || has(v.Sections, word) }

// inside tells whether a line that begins with a section word is an order of the
// section that is open.
func (p *parser) inside(clauses []Clause) bool {
	n := len(p.sheet.Sections)
	if n == 0 || len(clauses[0]) == 1 {
		return false
	}
	open := p.sheet.Sections[n-1].Name
	return has(p.v.Inside[open], clauses[0][0].Text)
}

// header reads "GAME: X SIDE: Y". It reports false if the line is none.
func (p *parser) header(line string, clauses []Clause) bool {
	words := clauses[0]
	if name, _, ok := strings.Cut(words[0].Text, ":"); !ok || !has(headers, name) {
		return false
	}
	for _, c := range clauses[1:] {
		words = append(words, c...)
	}
	for _, w := range words {
		typed := w.in(line)
		name, value, ok := strings.Cut(w.Text, ":")
		if ok && has(headers, name) {
			_, typed, _ = strings.Cut(typed, ":")
			p.sheet.Headers = append(p.sheet.Headers, Header{w.Pos, name, value, typed})
			continue
		}
		last := &p.sheet.Headers[len(p.sheet.Headers)-1]
		full := has(oneWord, last.Name) && last.Value != ""
		switch {
		case (full || last.Name == "CODE") && (p.command(w) || p.done(w)):
			continue
		case full:
			p.fault(w.Pos, w.Text, "a header, one of "+strings.Join(Commands, ", ")+", or a new line")
			continue
		}
		between := " "
		if w.Comma && last.Value != "" && has(listing, last.Name) {
			between = ", "
		}
		last.Value = strings.TrimSpace(last.Value + between + w.Text)
		last.Typed = strings.TrimSpace(last.Typed + between + typed)
	}
	return true
}

// command takes a word of Commands. It reports false of any other.
func (p *parser) command(w Word) bool {
	if !has(Commands, w.Text) {
		return false
	}
	p.sheet.Commands = append(p.sheet.Commands, w)
	return true
}

// done takes the word that ends a turn. It reports false of any other.
func (p *parser) done(w Word) bool {
	if !IsDone(w.Text) {
		return false
	}
	p.sheet.Done, p.sheet.DonePos, p.sheet.AsIs = true, w.Pos, w.Text == "DONE!"
	return true
}

// nearlyDone takes a misspelt DONE. It reports false of any other word.
func (p *parser) nearlyDone(w Word) bool {
	word := strings.TrimRight(w.Text, ".!?:")
	nearly := strings.HasPrefix(word, "D") && distance(word, "DONE") <= 1
	if p.sheet.Done || !nearly && word != "ODNE" {
		return false
	}
	p.sheet.Done, p.sheet.DonePos = true, w.Pos
	p.sheet.DoneMeant = &Error{Pos: w.Pos, Got: w.Text, Want: "DONE", Near: []string{"DONE"}}
	return true
}

// Bare tells whether the sheet has no orders: nothing but lines of its head, sections with
// nothing in them, answers to what is asked, and perhaps DONE.
func (s *Sheet) Bare() bool {
	return !slices.ContainsFunc(s.Sections, func(sec Section) bool {
		return sec.Name != AnswerSection && len(sec.Orders)+len(sec.Args) > 0
	})
}

// HasOrders tells whether there is an order, or an answer, in any section.
func (s *Sheet) HasOrders() bool {
	return slices.ContainsFunc(s.Sections, func(sec Section) bool { return len(sec.Orders) > 0 })
}

// NoOrders tells whether the sheet is bare and finishes nothing.
func (s *Sheet) NoOrders() bool { return s.Bare() && !s.Done }

// HeadersAlone tells whether its head has no word besides its headers: no command and no DONE.
func (s *Sheet) HeadersAlone() bool { return len(s.Commands) == 0 && !s.Done }

// IsDone tells whether a line, in capitals, says that a turn is finished.
func IsDone(line string) bool { return line == "DONE" || line == "DONE!" }

// Settings are the lines of a head that are about the player, whatever turn it is; those of
// a turn are not: EXTEND asks for time for the turn that the sheet names.
var (
	settings = []string{"ADDRESS", "ANSWERS", "AWAY", "CONFIRM", "DEPUTY", "PICTURES", "PRESS", "ZONE"}
	ofTurn   = []string{"EXTEND", "MODE", "PHASE"}
)

// SettingsAlone tells whether a sheet is about the player alone, and not about a turn.
func (s *Sheet) SettingsAlone() bool {
	saysMore := !s.Bare() || s.Answers() || s.Done || s.DoneMeant != nil || len(s.Commands) > 0
	has := func(names []string) bool {
		return slices.ContainsFunc(s.Headers, func(h Header) bool { return slices.Contains(names, h.Name) })
	}
	return !saysMore && has(settings) && !has(ofTurn)
}

// Answers tells whether the sheet has a section of answers.
func (s *Sheet) Answers() bool {
	return slices.ContainsFunc(s.Sections, func(sec Section) bool { return sec.Name == AnswerSection })
}

// in is the word as it was typed in its line: capitals are as many letters as the small
// ones that they were made from.
func (w Word) in(line string) string {
	letters := []rune(line)
	from := w.Pos.Col - 1
	to := from + utf8.RuneCountInString(w.Text)
	if to > len(letters) {
		return w.Text
	}
	return string(letters[from:to])
}

// Head is the head of a sheet: the lines before the first that belongs to none.
func Head(text string) *Sheet {
	head, _ := Parse(HeadLines(text), Vocabulary{})
	return head
}

// HeadLines are the lines of the head alone.
func HeadLines(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		one, faults := Parse(line, Vocabulary{})
		if len(faults) > 0 && len(one.Headers) == 0 {
			break
		}
		lines.WriteString(line)
	}
	return lines.String()
}

// AsTyped are the headers of a sheet with the values as they were typed. Typed must be
// the text of this sheet as its writer typed it: nothing is taken from any other text.
func (s *Sheet) AsTyped(typed string) []Header {
	own, _ := Parse(typed, Vocabulary{})
	if len(own.Headers) != len(s.Headers) {
		return s.Headers
	}
	out := slices.Clone(s.Headers)
	for i, h := range own.Headers {
		if h.Name == out[i].Name && h.Value == out[i].Value {
			out[i].Typed = h.Typed
		}
	}
	return out
}

func (p *parser) order(clauses []Clause) {
	s := &p.sheet.Sections[len(p.sheet.Sections)-1]
	first := clauses[0][0]
	if len(s.Orders) > 0 && has(p.v.Clauses, first.Text) && s.Name != AnswerSection {
		o := &s.Orders[len(s.Orders)-1]
		o.Clauses = append(o.Clauses, clauses...)
		return
	}
	o, ok := labelled(clauses)
	if !ok {
		p.fault(first.Pos, first.Text, wantLabel)
		return
	}
	s.Orders = append(s.Orders, o)
}

// wantLabel is what was expected of a label that is none.
const wantLabel = "a number, one colon and an order"

// labelled makes an order of clauses, of which the first may begin with its label; ok is
// false if that is no good one.
func labelled(clauses []Clause) (o Order, ok bool) {
	first := clauses[0][0]
	o = Order{Pos: first.Pos, Clauses: clauses}
	label, has := strings.CutSuffix(first.Text, ":")
	if !has {
		return o, true
	}
	o.Label, o.Clauses[0] = label, clauses[0][1:]
	if !wellLabelled(label, o.Clauses[0]) {
		return Order{}, false
	}
	o.Clauses[0][0].Comma = false
	return o, true
}

// wellLabelled tells whether a label has a name, one colon, and an order behind it.
func wellLabelled(label string, order Clause) bool {
	switch {
	case label == "", strings.HasSuffix(label, ":"):
		return false
	case len(order) == 0:
		return false
	}
	return !strings.HasSuffix(order[0].Text, ":")
}

// room is memory for words and clauses of several lines.
type room struct {
	words   []Word
	clauses []Clause
}

// roomFor is room for the words and clauses of lines.
func roomFor(lines ...string) *room {
	words, clauses := 0, 0
	for _, line := range lines {
		w, c := needs(line)
		words, clauses = words+w, clauses+c
	}
	return &room{make([]Word, words), make([]Clause, clauses)}
}

// needs is how many words and clauses a line has at the most.
func needs(line string) (words, clauses int) {
	words, clauses = 1, 1
	for i := range len(line) {
		switch line[i] {
		case ' ', '\t', ',':
			words++
		case ';':
			words, clauses = words+1, clauses+1
		}
	}
	return words, clauses
}

// split cuts a line into clauses of words, in capitals, without its comment. The
// clauses lie in the room, none with room behind it: to append to one copies it.
func split(n int, line string, r *room) []Clause {
	line, _, _ = strings.Cut(line, "#")
	words, out := r.words[:0], r.clauses[:0]
	from := 0 // the first word of the clause at hand
	clause := func() {
		if k := len(words); k > from {
			out, from = append(out, words[from:k:k]), k
		}
	}
	comma := false
	for at, col := 0, 1; at < len(line); {
		if word := line[at:endOfWord(line, at)]; word != "" {
			words = append(words, Word{strings.ToUpper(word), Pos{n, col}, comma})
			comma = false
			at, col = at+len(word), col+utf8.RuneCountInString(word)
			continue
		}
		switch line[at] {
		case ',':
			comma = true
		case ';':
			comma = false
			clause()
		}
		at, col = at+1, col+1
	}
	clause()
	r.words, r.clauses = r.words[len(words):], r.clauses[len(out):]
	return out[:len(out):len(out)]
}

// endOfWord is where the word that begins at a place of the line ends.
func endOfWord(line string, at int) int {
	for at < len(line) && !parts(line[at]) {
		at++
	}
	return at
}

// parts tells whether the character stands between words.
func parts(c byte) bool {
	switch c {
	case ' ', '\t', ',', ';':
		return true
	}
	return false
}

// Orders are those under a section word, however often it stands on the sheet.
func (s *Sheet) Orders(section string) (list []Order) {
	for _, sec := range s.Sections {
		if sec.Name == section {
			list = append(list, sec.Orders...)
		}
	}
	return list
}

// Header is the value of a header, "" if the sheet has none.
func (s *Sheet) Header(name string) string {
	for _, h := range s.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// Command tells whether the sheet's head gives the command.
func (s *Sheet) Command(word string) bool {
	for _, w := range s.Commands {
		if w.Text == word {
			return true
		}
	}
	return false
}

// Number reads a header as a whole number.
func (s *Sheet) Number(name string) (int, error) {
	for _, h := range s.Headers {
		if h.Name != name {
			continue
		}
		n, err := strconv.Atoi(strings.Fields(h.Value + " x")[0])
		switch {
		case name == "SERIAL" && outOfRange(n, err):
			return 0, &Error{Pos: h.Pos, Got: h.Value, Want: fmt.Sprintf("a whole number up to %d after SERIAL:", MaxSerial)}
		case err != nil || n < 0:
			return 0, &Error{Pos: h.Pos, Got: h.Value, Want: "a whole number after " + name + ":"}
		}
		return n, nil
	}
	return 0, &Error{Pos: Pos{1, 1}, Got: "no " + name + " line", Want: name + ": and a number"}
}

// outOfRange tells whether what Atoi made of a SERIAL is a number, and too large for one.
func outOfRange(n int, err error) bool { return n > MaxSerial || errors.Is(err, strconv.ErrRange) }

// Doubled is the fault of a head that names its game, side, turn or number twice: nobody
// can tell then what was meant, and another reader may take the other line. Nil for none.
func (s *Sheet) Doubled() error {
	seen := map[string]bool{}
	for _, h := range s.Headers {
		if has(oneWord, h.Name) && seen[h.Name] {
			return &Error{Pos: h.Pos, Got: h.Name + ": " + h.Value, Want: "no second line " + h.Name}
		}
		seen[h.Name] = true
	}
	return nil
}

// Place is where the sheet has the word that String writes at a column; the order's
// own place if there is none.
func (o Order) Place(col int) Pos {
	at := 1
	if o.Label != "" {
		at += len([]rune(o.Label)) + 2
	}
	for i, c := range o.Clauses {
		if i > 0 {
			at += 2
		}
		for j, w := range c {
			if j > 0 {
				at++
			}
			if w.Comma && j > 0 {
				at++
			}
			if at == col {
				return w.Pos
			}
			at += len([]rune(w.Text))
		}
	}
	return o.Pos
}

// String writes the order back as canonical text, clauses joined with "; ".
func (o Order) String() string {
	var room [128]byte
	b := room[:0]
	if o.Label != "" {
		b = append(append(b, o.Label...), ": "...)
	}
	for i, c := range o.Clauses {
		if i > 0 {
			b = append(b, "; "...)
		}
		b = c.append(b)
	}
	return string(b)
}

// String writes the clause back with its commas.
func (c Clause) String() string { return string(c.append(nil)) }

func (c Clause) append(b []byte) []byte {
	for i, w := range c {
		switch {
		case i == 0:
		case w.Comma:
			b = append(b, ", "...)
		default:
			b = append(b, ' ')
		}
		b = append(b, w.Text...)
	}
	return b
}

// ParseOrder reads one order as String writes it.
func ParseOrder(text string) (Order, error) { return parseOrder(text, roomFor(text)) }

// ParseOrders reads orders, each as String writes it, and hands each of them on with its
// place in the list and the fault in it, if any. Their words lie in one piece of memory.
func ParseOrders(texts []string, read func(i int, o Order, err error)) {
	r := roomFor(texts...)
	for i, text := range texts {
		o, err := parseOrder(text, r)
		read(i, o, err)
	}
}

func parseOrder(text string, r *room) (Order, error) {
	clauses := split(1, text, r)
	if len(clauses) == 0 {
		return Order{}, &Error{Pos: Pos{1, 1}, Want: "an order"}
	}
	first := clauses[0][0]
	o, ok := labelled(clauses)
	if !ok {
		return Order{}, &Error{Pos: first.Pos, Got: first.Text, Want: wantLabel}
	}
	return o, nil
}

func has(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}
