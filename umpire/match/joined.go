package match

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/store"
	"fieldpost/umpire/seats"
)

// The sheets of a side's commanders are parts of one sheet. Whenever one of them
// files, the latest parts of all are joined anew: section by section, the
// commander-in-chief's lines first, without what is not its writer's to order. The
// joined sheet says MODERATE: JOINED in its head, has the side's own serial, is
// signed with the daemon's key and is what the game is played by. The parts are kept
// as they were signed.

const JoinedMark = "JOINED"

// Part is what one person of a side wants done in the turn.
type Part struct {
	Commander int
	Text      string // canonical
	Sheet     *orders.Sheet
	// Seq is the Change that brought its orders or withdrew them, DoneSeq that of its DONE.
	Seq, DoneSeq uint64
}

// done tells whether its writer has finished it.
func (p Part) done() bool { return p.Sheet != nil && p.Sheet.Done }

// Block is its orders, without the head.
func (p Part) Block() string {
	if len(p.Sheet.Sections) == 0 {
		return "DONE\n"
	}
	return strings.Join(strings.Split(p.Text, "\n")[p.Sheet.Sections[0].Pos.Line-1:], "\n")
}

// begun tells whether its writer has written orders, or withdrawn them, and not finished.
func (p Part) begun() bool {
	return p.Sheet != nil && !p.Sheet.Done && (!p.Sheet.Bare() || p.Sheet.Command("WITHDRAW"))
}

// origin is where a line of a joined sheet comes from.
type origin struct{ Commander, Line int }

// JoinedSheet is a joined sheet.
type JoinedSheet struct {
	Text    string
	From    []origin                        // by line of text, from 0
	Refused map[int]map[int]*rule.Violation // by commander and line of their part, what is not theirs to order
	Waits   []string                        // who is not done yet
}

// PartsOf are the parts that count in a turn of a side, by person: of each the latest.
func (gs *Games) PartsOf(m Match, seat store.Player, turn int) ([]Part, error) {
	sheets, err := gs.DB.Sheets(m.Game.ID, seat.Side, turn)
	if err != nil {
		return nil, err
	}
	since := m.partsSince()
	var parts []Part
	for _, s := range sheets {
		if s.Seq > since {
			parts = WithPart(parts, seat, s, m.System)
		}
	}
	return parts, nil
}

// partsSince is the Change before which parts count no more: with the tempo "phase"
// that of the last phase.
func (m Match) partsSince() uint64 {
	if m.Settings().ByPhase && m.Latest != nil {
		return m.Latest.Seq
	}
	return 0
}

// GivesUp tells whether a sheet concedes the game or offers a draw.
func GivesUp(sheet *orders.Sheet) bool { return sheet.Command("CONCEDE") || sheet.Command("DRAW?") }

// WithPart puts a sheet into the place of its writer's earlier one.
func WithPart(parts []Part, seat store.Player, s store.Sheet, sys adjudicator.System) []Part {
	sheet, _ := orders.Parse(s.Canonical, sys.Vocabulary())
	commander := s.Part - 1
	if s.Part == 0 {
		// The player's, from before they shared the side, or filed for them by the moderator.
		if how := sheet.Header("MODERATE"); how != "" && how != ActFor {
			return parts
		}
		commander = 0
	}
	keeps := sheet.Bare() && !sheet.Command("WITHDRAW") && !GivesUp(sheet)
	if k := slices.IndexFunc(parts, func(p Part) bool { return p.Commander == commander }); k >= 0 && keeps {
		parts = slices.Clone(parts)
		parts[k] = parts[k].under(sheet, s, sys)
		return parts
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return p.Commander == commander })
	if hasLeft(seat, commander) || GivesUp(sheet) {
		return parts
	}
	fresh := Part{Commander: commander, Text: s.Canonical, Sheet: sheet, Seq: s.Seq}
	if sheet.Done {
		fresh.DoneSeq = s.Seq
	}
	parts = append(parts, fresh)
	slices.SortFunc(parts, func(a, b Part) int { return a.Commander - b.Commander })
	return parts
}

// hasLeft tells whether a seat has no such commander any more.
func hasLeft(seat store.Player, commander int) bool {
	switch {
	case commander <= 0:
		return false
	case commander > len(seat.Commanders):
		return true
	}
	return seat.Commanders[commander-1].Left
}

// under is the part with the head, the answers and the DONE of a later sheet without orders.
// One without DONE leaves a finished part finished.
func (p Part) under(bare *orders.Sheet, s store.Sheet, sys adjudicator.System) Part {
	head, own := linesWithoutDone(s.Canonical, bare), linesWithoutDone(p.Text, p.Sheet)
	from := len(own)
	if len(p.Sheet.Sections) > 0 {
		from = p.Sheet.Sections[0].Pos.Line - 1
	}
	p.Text = strings.Join(head, "") + strings.Join(own[from:], "")
	if bare.Done {
		p.DoneSeq = s.Seq
	}
	if bare.Done || p.Sheet.Done {
		p.Text += "DONE\n"
	}
	p.Sheet, _ = orders.Parse(p.Text, sys.Vocabulary())
	return p
}

// linesWithoutDone are the lines of a sheet without the word that ends the turn.
func linesWithoutDone(text string, sheet *orders.Sheet) []string {
	lines := strings.SplitAfter(text, "\n")
	if !sheet.Done {
		return lines
	}
	line := &lines[sheet.DonePos.Line-1]
	*line = strings.TrimRight(string([]rune(*line)[:sheet.DonePos.Col-1]), " ")
	if *line != "" {
		*line += "\n"
	}
	return lines
}

// joiner joins the parts of a side's sheet.
type joiner struct {
	game  adjudicator.Game
	voc   orders.Vocabulary
	ties  adjudicator.Joining
	v     *view.View
	seat  store.Player
	lead  map[string]int
	chief map[string]map[string]bool // by section, the units that the commander-in-chief orders in person
}

// Joiner joins the parts of a seat's commanders, which are judged in the side's View.
func (m Match) Joiner(v *view.View, seat store.Player) *joiner {
	return &joiner{game: m.Rules, voc: m.System.Vocabulary(), ties: JoiningOf(m.System), v: v, seat: seat, lead: seats.Leaders(seat, v), chief: map[string]map[string]bool{}}
}

// check judges one section alone, asking leads of every unit that it names.
func (j *joiner) check(p Part, sec orders.Section, leads func(unit string) string) []adjudicator.Line {
	v := *j.v
	v.Leads = leads
	return j.game.Check(&v, &orders.Sheet{Headers: p.Sheet.Headers, Sections: []orders.Section{sec}}).Lines
}

// orderedByChief notes the units that the commander-in-chief names in person.
func (j *joiner) orderedByChief(p Part) {
	for _, sec := range p.Sheet.Sections {
		if j.chief[sec.Name] == nil {
			j.chief[sec.Name] = map[string]bool{}
		}
		j.check(p, sec, func(unit string) string {
			j.chief[sec.Name][unit] = true
			return ""
		})
	}
}

// notTheirs are the lines of a commander's part that they may not order, by the line on
// which the order begins.
func (j *joiner) notTheirs(p Part) map[int]*rule.Violation {
	out := map[int]*rule.Violation{}
	for _, sec := range p.Sheet.Sections {
		if sec.Name != orders.AnswerSection {
			j.notTheirsIn(p, sec, out)
		}
	}
	return out
}

// ledByOther tells whether a line is refused because somebody else leads the unit.
func ledByOther(l adjudicator.Line) bool { return l.Refused != nil && l.Refused.Led != "" }

func (j *joiner) notTheirsIn(p Part, sec orders.Section, out map[int]*rule.Violation) {
	begins := func(line int) int {
		at := sec.Pos.Line
		for _, o := range sec.Orders {
			if o.Pos.Line <= line {
				at = max(at, o.Pos.Line)
			}
		}
		return at
	}
	foreign := map[int]*rule.Violation{}
	for _, l := range j.check(p, sec, func(unit string) string {
		switch by := j.lead[unit]; {
		case j.chief[sec.Name][unit]:
			return seats.CommandName(j.seat, 0) + ", who has given it orders"
		case by != p.Commander:
			return seats.CommandName(j.seat, by)
		}
		return ""
	}) {
		if ledByOther(l) {
			foreign[begins(l.Pos.Line)] = l.Refused
		}
	}
	names := map[int]bool{} // some unit or other
	for _, l := range j.check(p, sec, func(string) string { return "anybody" }) {
		if ledByOther(l) {
			names[begins(l.Pos.Line)] = true
		}
	}
	head := sec.Pos.Line
	ledHead := slices.ContainsFunc(j.seat.Commanders[p.Commander-1].Leads, func(n string) bool { return strings.EqualFold(n, sec.Name) })
	chiefs := &rule.Violation{Why: "it names no unit of yours; what is for the whole side the commander-in-chief orders", Instead: "Name a unit of yours, or write to them."}
	if len(sec.Orders) == 0 {
		switch {
		case foreign[head] != nil:
			out[head] = foreign[head]
		case len(sec.Args) == 0, slices.Contains(j.voc.Open, sec.Name), ledHead:
			// nobody's in particular, or their own
		default:
			out[head] = chiefs
		}
		return
	}
	for _, o := range sec.Orders {
		line := o.Pos.Line
		switch {
		case foreign[head] != nil && head != line:
			out[head], out[line] = foreign[head], foreign[head]
		case foreign[line] != nil:
			out[line] = foreign[line]
		case names[line], names[head], ledHead, j.holds(p.Commander, o):
			// theirs to order
		default:
			out[line] = chiefs
		}
	}
	if out[head] != nil { // a line goes as a whole, and with a head what is under it
		for _, o := range sec.Orders {
			out[o.Pos.Line] = out[head]
		}
	}
}

// holds tells whether an order is for a hex where units of the commander stand, and
// no others of the side.
func (j *joiner) holds(commander int, o orders.Order) bool {
	at := j.ties.HexNamed(o)
	if at == hex.None {
		return false
	}
	own := false
	for _, u := range j.v.Units {
		if u.Hex != at {
			continue
		}
		if j.lead[u.ID] != commander {
			return false
		}
		own = true
	}
	return own
}

// Join joins the parts into the side's sheet. Answers to questions are taken from
// the part that has just come: those of others have had their effect.
func (j *joiner) Join(parts []Part, id string, turn, serial, fresh int) JoinedSheet {
	out := JoinedSheet{Refused: map[int]map[int]*rule.Violation{}}
	for _, p := range parts {
		if p.Commander == 0 {
			j.orderedByChief(p)
		}
	}
	b := &joinedText{open: j.voc.Open, ties: j.ties}
	b.add(origin{-1, 0}, fmt.Sprintf("GAME: %s", id), fmt.Sprintf("SIDE: %s", j.seat.Side), fmt.Sprintf("TURN: %d", turn), fmt.Sprintf("SERIAL: %d", serial), "MODERATE: "+JoinedMark)
	for _, p := range parts {
		bad := map[int]*rule.Violation{}
		if p.Commander > 0 {
			bad = j.notTheirs(p)
		}
		out.Refused[p.Commander] = bad
		for _, h := range p.Sheet.Headers {
			if h.Name == "MODE" && p.Commander == 0 {
				b.add(origin{0, h.Pos.Line}, "MODE: "+h.Value)
			}
		}
		b.sections(p, bad, p.Commander == fresh)
	}
	out.Text, out.From = b.finish()
	out.Waits = j.waits(parts)
	if len(out.Waits) == 0 {
		out.Text += "DONE\n"
		out.From = append(out.From, origin{-1, 0})
	}
	return out
}

// waits are those whose DONE is waited for: once the commander-in-chief is done, those alone
// who have written since.
func (j *joiner) waits(parts []Part) (names []string) {
	by := map[int]Part{}
	for _, p := range parts {
		by[p.Commander] = p
	}
	chief := by[0]
	for i, c := range j.seat.Commanders {
		part := by[i+1]
		covered := chief.done() && part.Seq <= chief.DoneSeq
		if seats.Commands(c) && !part.done() && !covered {
			names = append(names, seats.CommandName(j.seat, i+1))
		}
	}
	if !chief.done() && (chief.begun() || j.ownUnits()) {
		names = append(names, seats.CommandName(j.seat, 0))
	}
	return names
}

// ownUnits tells whether units on the map are led by the commander-in-chief in person.
func (j *joiner) ownUnits() bool {
	return slices.ContainsFunc(j.v.Units, func(u view.Unit) bool { return j.lead[u.ID] == 0 })
}

// joinedText is the text of a joined sheet in the making: its lines by section.
type joinedText struct {
	open  []string
	ties  adjudicator.Joining
	heads []string
	lines map[string][]placedLine
	top   []placedLine
	used  map[string]bool // labels
	n     int
}

type placedLine struct {
	from origin
	text string
}

func (b *joinedText) add(from origin, lines ...string) {
	for _, l := range lines {
		b.top = append(b.top, placedLine{from, l})
	}
}

// sections adds those of a part, without the lines that are refused.
func (b *joinedText) sections(p Part, bad map[int]*rule.Violation, fresh bool) {
	text := b.relabelled(p)
	for i, sec := range p.Sheet.Sections {
		end := len(text)
		switch {
		case i+1 < len(p.Sheet.Sections):
			end = p.Sheet.Sections[i+1].Pos.Line - 1
		case p.Sheet.Done:
			end = p.Sheet.DonePos.Line - 1
		}
		if sec.Name == orders.AnswerSection && !fresh {
			continue
		}
		head := text[sec.Pos.Line-1]
		if bad[sec.Pos.Line] != nil {
			continue
		}
		key := head
		if slices.Contains(b.open, sec.Name) || len(sec.Orders) == 0 {
			key = fmt.Sprintf("%s\x00%d", head, len(b.heads)) // stands by itself
		}
		if b.lines == nil {
			b.lines = map[string][]placedLine{}
		}
		if _, ok := b.lines[key]; !ok {
			b.heads = append(b.heads, key)
			b.lines[key] = []placedLine{{origin{p.Commander, sec.Pos.Line}, head}}
		}
		drop := false
		for n := sec.Pos.Line + 1; n <= end; n++ {
			if slices.ContainsFunc(sec.Orders, func(o orders.Order) bool { return o.Pos.Line == n }) {
				drop = bad[n] != nil
			}
			if line := text[n-1]; !drop && line != "" {
				b.lines[key] = append(b.lines[key], placedLine{origin{p.Commander, n}, line})
			}
		}
	}
}

// relabelled are the lines of a part in which labels that others use already, and
// the conditions that speak of them, have another number.
func (b *joinedText) relabelled(p Part) []string {
	if b.used == nil {
		b.used = map[string]bool{}
	}
	other := map[string]string{}
	for _, o := range ordersOf(p.Sheet) {
		if o.Label == "" {
			continue
		}
		name := o.Label
		for b.used[name] {
			b.n++
			name = strconv.Itoa(100*p.Commander + b.n)
		}
		b.used[name] = true
		other[o.Label] = name
	}
	return withLabels(p.Text, p.Sheet, b.ties, func(label string) string { return other[label] })
}

// ordersOf are the orders of a sheet in all its sections, without answers to questions.
func ordersOf(sheet *orders.Sheet) (all []orders.Order) {
	for _, sec := range sheet.Sections {
		if sec.Name != orders.AnswerSection {
			all = append(all, sec.Orders...)
		}
	}
	return all
}

// withLabels are the lines of a canonical text with each label, and each word that
// names one, as another says; where that is "" it stays as it is.
func withLabels(text string, sheet *orders.Sheet, ties adjudicator.Joining, another func(string) string) []string {
	lines := strings.Split(text, "\n")
	var words []orders.Word
	for _, o := range ordersOf(sheet) {
		if o.Label != "" {
			words = append(words, orders.Word{Text: o.Label, Pos: o.Pos})
		}
		for _, c := range o.Clauses {
			words = append(words, ties.LabelsNamed(c)...)
		}
	}
	// From the right, so that what stands on the left of a word keeps its column.
	slices.SortFunc(words, func(a, b orders.Word) int { return cmp.Compare(b.Pos.Col, a.Pos.Col) })
	for _, w := range words {
		if name := another(w.Text); name != "" {
			line := []rune(lines[w.Pos.Line-1])
			at := w.Pos.Col - 1
			lines[w.Pos.Line-1] = string(line[:at]) + name + string(line[at+len([]rune(w.Text)):])
		}
	}
	return lines
}

// Unlabelled are the lines of a canonical sheet with one and the same label
// everywhere: what joining sheets leaves as it is.
func Unlabelled(text string, sys adjudicator.System) []string {
	sheet, _ := orders.Parse(text, sys.Vocabulary())
	return withLabels(text, sheet, JoiningOf(sys), func(string) string { return "1" })
}

// JoiningOf is what a system says of its orders to those who join sheets.
func JoiningOf(sys adjudicator.System) adjudicator.Joining {
	if j, ok := sys.(adjudicator.Joining); ok {
		return j
	}
	return untied{}
}

// untied is a system whose orders speak neither of one another nor of hexes.
type untied struct{}

func (untied) LabelsNamed(orders.Clause) []orders.Word { return nil }
func (untied) HexNamed(orders.Order) hex.Hex           { return hex.None }

func (b *joinedText) finish() (text string, from []origin) {
	all := b.top
	for _, key := range b.heads {
		all = append(all, b.lines[key]...)
	}
	var t strings.Builder
	for _, l := range all {
		t.WriteString(l.text + "\n")
		from = append(from, l.from)
	}
	return t.String(), from
}
