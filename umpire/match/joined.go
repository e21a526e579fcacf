package match

import (
	"fmt"
	"regexp"
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
}

// origin is where a line of a joined sheet comes from.
type origin struct{ Commander, Line int }

// JoinedSheet is a joined sheet.
type JoinedSheet struct {
	Text    string
	From    []origin                        // by line of text, from 0
	Refused map[int]map[int]*rule.Violation // by person and line of his part, what is not his to order
	Waits   []string                        // who is not done yet
}

// PartsOf are the parts that count in a turn of a side, by person: of each the
// latest that came after the Change since.
func (gs *Games) PartsOf(seat store.Player, game string, sys adjudicator.System, turn int, since uint64) ([]Part, error) {
	sheets, err := gs.DB.Sheets(game, seat.Side, turn)
	if err != nil {
		return nil, err
	}
	var parts []Part
	for _, s := range sheets {
		if s.Seq > since {
			parts = WithPart(parts, seat, s, sys)
		}
	}
	return parts, nil
}

// WithPart puts a sheet into the place of its writer's earlier one.
func WithPart(parts []Part, seat store.Player, s store.Sheet, sys adjudicator.System) []Part {
	sheet, _ := orders.Parse(s.Canonical, sys.Vocabulary())
	hand := s.Part - 1
	if s.Part == 0 {
		// The player's, from before he shared the side, or filed for him by the moderator.
		if how := sheet.Header("MODERATE"); how != "" && how != ActFor {
			return parts
		}
		hand = 0
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return p.Commander == hand })
	gone := hand > 0 && (hand > len(seat.Commanders) || seat.Commanders[hand-1].Left)
	if gone || sheet.Command("WITHDRAW") || sheet.Command("CONCEDE") || sheet.Command("DRAW?") {
		return parts
	}
	parts = append(parts, Part{hand, s.Canonical, sheet})
	slices.SortFunc(parts, func(a, b Part) int { return a.Commander - b.Commander })
	return parts
}

// joiner joins the parts of a side's sheet.
type joiner struct {
	game  adjudicator.Game
	voc   orders.Vocabulary
	v     *view.View
	seat  store.Player
	lead  map[string]int
	chief map[string]map[string]bool // by section, the units that the commander-in-chief orders himself
}

func NewJoiner(game adjudicator.Game, sys adjudicator.System, v *view.View, seat store.Player) *joiner {
	return &joiner{game: game, voc: sys.Vocabulary(), v: v, seat: seat, lead: seats.Leaders(seat, v), chief: map[string]map[string]bool{}}
}

// check judges one section alone, asking leads of every unit that it names.
func (j *joiner) check(p Part, sec orders.Section, leads func(unit string) string) []adjudicator.Line {
	v := *j.v
	v.Leads = leads
	return j.game.Check(&v, &orders.Sheet{Headers: p.Sheet.Headers, Sections: []orders.Section{sec}}).Lines
}

// orderedByChief notes the units that the commander-in-chief names himself.
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

// notHis are the lines of a commander's part that he may not order, by the line on
// which the order begins.
func (j *joiner) notHis(p Part) map[int]*rule.Violation {
	out := map[int]*rule.Violation{}
	for _, sec := range p.Sheet.Sections {
		if sec.Name != orders.AnswerSection {
			j.notHisIn(p, sec, out)
		}
	}
	return out
}

func (j *joiner) notHisIn(p Part, sec orders.Section, out map[int]*rule.Violation) {
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
		if l.Refused != nil && l.Refused.Led != "" {
			foreign[begins(l.Pos.Line)] = l.Refused
		}
	}
	names := map[int]bool{} // some unit or other
	for _, l := range j.check(p, sec, func(string) string { return "anybody" }) {
		if l.Refused != nil && l.Refused.Led != "" {
			names[begins(l.Pos.Line)] = true
		}
	}
	head := sec.Pos.Line
	his := slices.ContainsFunc(j.seat.Commanders[p.Commander-1].Leads, func(n string) bool { return strings.EqualFold(n, sec.Name) })
	chiefs := &rule.Violation{Why: "it names no unit of yours; what is for the whole side the commander-in-chief orders", Instead: "Name a unit of yours, or write to him."}
	if len(sec.Orders) == 0 {
		switch {
		case foreign[head] != nil:
			out[head] = foreign[head]
		case len(sec.Args) > 0 && !slices.Contains(j.voc.Open, sec.Name) && !his:
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
		case !names[line] && !names[head] && !his && !j.holds(p.Commander, o):
			out[line] = chiefs
		}
	}
	if out[head] != nil { // a line goes as a whole, and with a head what is under it
		for _, o := range sec.Orders {
			out[o.Pos.Line] = out[head]
		}
	}
}

var atHex = regexp.MustCompile(`\bAT (\d{3,4})\b`)

// holds tells whether an order is for a hex where units of the commander stand, and
// no others of the side.
func (j *joiner) holds(hand int, o orders.Order) bool {
	m := atHex.FindStringSubmatch(o.String())
	if m == nil {
		return false
	}
	at, err := hex.Parse(m[1])
	own := false
	for _, u := range j.v.Units {
		if err == nil && u.Hex == at {
			if j.lead[u.ID] != hand {
				return false
			}
			own = true
		}
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
	b := &stitcher{open: j.voc.Open}
	b.add(origin{-1, 0}, fmt.Sprintf("GAME: %s", id), fmt.Sprintf("SIDE: %s", j.seat.Side), fmt.Sprintf("TURN: %d", turn), fmt.Sprintf("SERIAL: %d", serial), "MODERATE: "+JoinedMark)
	done := map[int]bool{}
	for _, p := range parts {
		bad := map[int]*rule.Violation{}
		if p.Commander > 0 {
			bad = j.notHis(p)
		}
		out.Refused[p.Commander] = bad
		done[p.Commander] = p.Sheet.Done
		for _, h := range p.Sheet.Headers {
			if h.Name == "MODE" && p.Commander == 0 {
				b.add(origin{0, h.Pos.Line}, "MODE: "+h.Value)
			}
		}
		b.sections(p, bad, p.Commander == fresh)
	}
	out.Text, out.From = b.finish()
	for i, c := range j.seat.Commanders {
		if !c.Left && !c.Deputy && !done[i+1] {
			out.Waits = append(out.Waits, seats.CommandName(j.seat, i+1))
		}
	}
	if j.ownUnits() && !done[0] {
		out.Waits = append(out.Waits, seats.CommandName(j.seat, 0))
	}
	if done[0] || len(out.Waits) == 0 {
		out.Waits = nil
		out.Text += "DONE\n"
		out.From = append(out.From, origin{-1, 0})
	}
	return out
}

// ownUnits tells whether units on the map are led by the commander-in-chief himself.
func (j *joiner) ownUnits() bool {
	return slices.ContainsFunc(j.v.Units, func(u view.Unit) bool { return j.lead[u.ID] == 0 })
}

// stitcher collects lines by section.
type stitcher struct {
	open  []string
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

func (b *stitcher) add(from origin, lines ...string) {
	for _, l := range lines {
		b.top = append(b.top, placedLine{from, l})
	}
}

// sections adds those of a part, without the lines that are refused.
func (b *stitcher) sections(p Part, bad map[int]*rule.Violation, fresh bool) {
	text := strings.Split(p.Text, "\n")
	relabel := b.labels(p)
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
				b.lines[key] = append(b.lines[key], placedLine{origin{p.Commander, n}, relabel(line)})
			}
		}
	}
}

var Labelled = regexp.MustCompile(`^(\w+):( .*)$`)

// labels gives labels of a part that others use already another number, in the
// orders that have them and in the conditions that speak of them.
func (b *stitcher) labels(p Part) func(line string) string {
	if b.used == nil {
		b.used = map[string]bool{}
	}
	other := map[string]string{}
	for _, sec := range p.Sheet.Sections {
		for _, o := range sec.Orders {
			if o.Label == "" || sec.Name == orders.AnswerSection {
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
	}
	return func(line string) string {
		if m := Labelled.FindStringSubmatch(line); m != nil && other[m[1]] != "" {
			line = other[m[1]] + ":" + m[2]
		}
		return Conditions.ReplaceAllStringFunc(line, func(s string) string {
			w := strings.Fields(s)
			if name := other[w[1]]; name != "" {
				w[1] = name
			}
			return strings.Join(w, " ")
		})
	}
}

var Conditions = regexp.MustCompile(`\b(IF|UNLESS) \w+ (WON|LOST)\b`)

func (b *stitcher) finish() (text string, from []origin) {
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
