package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// Vocabulary is the system's words for the sheet parser.
var Vocabulary = orders.Vocabulary{
	Sections: []string{"CHITS", "BACKHAND", "HQBACK", "CHIT", sectionEvery, "SOLO", "STANDING"},
	Open:     []string{"CHIT", sectionEvery, "SOLO"},
}

// verb is what an instruction of a programme is about.
type verb int

// The verbs.
const (
	verbMove verb = iota
	verbAttack
	verbEnter
	verbKG
	verbMerge
	verbBlow
	verbRail
	verbHQ
	verbOverrunMove
	verbUnits
	verbStop
	verbSkip
	verbAsk
)

// verbs are the words for them.
var verbs = []string{verbMove: "MOVE", verbAttack: "ATTACK", verbEnter: "ENTER", verbKG: "KG", verbMerge: "MERGE",
	verbBlow: "BLOW", verbRail: "RAIL", verbHQ: "HQ", verbOverrunMove: "OVERRUN-MOVE", verbUnits: "UNITS",
	verbStop: "STOP", verbSkip: "SKIP", verbAsk: "ASK"}

// otherwise leads an order that is done if the one above it came to nothing.
const otherwise = "OTHERWISE"

// Words that end a list of units.
var (
	moveWords   = []string{"TO", "VIA", "PUSH", "BY", "INTO", "FROM", "IF"}
	attackWords = []string{"WITH", "MIN", "ARTILLERY", "ELSE", "AT-WILL", "KEY", "LOSSES", "ADVANCE", "OVERRUN", "AIR", "TO", "AND"}
)

// refuse is the violation of a clause, "" for a fault of writing.
func refuse(c rule.Clause, why string, a ...any) *rule.Violation {
	if len(a) > 0 {
		why = fmt.Sprintf(why, a...)
	}
	return &rule.Violation{Clause: c, Why: why}
}

// turnOrders is a sealed turn sheet: what a side has written before the first chit.
type turnOrders struct {
	chits      []*Unit // headquarters whose chits go into the cup; nil: by doctrine
	blow       blow
	back       map[string]hex.Hex // returning headquarters by id
	programmes []*programme
	solo       []*programme
	standing   []standing
}

// programme is what a side has written for a chit, or for its individual hex.
type programme struct {
	at     orders.Pos // of its section, or of the condition of a variant
	head   string     // the line of its section; empty for a variant
	hq     *Unit      // nil for the individual hex
	hex    hex.Hex    // of that
	attack bool       // attack first, then move
	hold   bool
	// otherwise: its section says that it is chosen if no condition above it holds.
	otherwise bool
	rest      *view.Acting       // it is for what is left of this activation; nil: for one to come
	guards    []phrase.Condition // all must hold; none: the fallback
	steps     []instruction
}

// instruction is one order of a programme.
type instruction struct {
	verb  verb
	pos   orders.Pos // on the sheet
	text  string
	units []*Unit
	course
	at       hex.Hex // ENTER: the edge hex
	edge     hex.Edge
	places   []hex.Hex // RAIL
	target   hex.Hex
	elseHex  hex.Hex
	atWill   bool
	anywhere bool // on any hex where its odds are met
	min      string
	arty     int // markers, byDoctrine or allMarkers
	key      bool
	overrun  []*Unit
	losses   []string
	advance  []*Unit
	second   hex.Hex // of the advance
	declared
	when      []phrase.Condition // all must hold when it is its turn
	otherwise bool               // it is done if the one above it came to nothing
	stopAll   bool               // of STOP
	after     bool               // of ASK: after an attack, on target or any
}

// Numbers of artillery markers that are none.
const (
	byDoctrine = -1
	allMarkers = 99
)

// declared is what an attack says about itself beside targets and units.
type declared struct {
	noAir     bool
	noAdvance bool
}

// sheetReader reads the sections of a turn sheet.
type sheetReader struct {
	s    *State
	side Side
	out  turnOrders
	// opening tells that only what is done as the turn opens is read: the programmes are
	// read when their chits come.
	opening bool
	// judge tells that the orders are judged on receipt, not read to be carried out.
	judge bool
	// tell hears of every order and head, with the violation that refuses it, nil if it
	// stands. Nil: nobody does.
	tell func(at orders.Pos, text string, v *rule.Violation)
	// texts are the clauses as they are written in sheets, by place, where they are
	// wanted again. Nil: they are not.
	texts map[orders.Pos]string
	// copies are the sections for one of several chits, and those of the last turn.
	copies []chitCopy
	// lines are those that open these sections, as they stand on the sheet.
	lines map[*Unit]string
}

// readTurn reads the sections of a sheet that stood when it was sent.
func (s *State) readTurn(side Side, sections []orders.Section) *turnOrders {
	x := &sheetReader{s: s, side: side}
	return x.read(sections)
}

// told passes on what became of an order or a head.
func (x *sheetReader) told(at orders.Pos, text string, v *rule.Violation) {
	if x.tell != nil {
		x.tell(at, text, v)
	}
}

// text is a clause as it is written in sheets.
func (x *sheetReader) text(c orders.Clause) string {
	if text, ok := x.texts[c[0].Pos]; ok {
		return text
	}
	text := c.String()
	if x.texts != nil {
		x.texts[c[0].Pos] = text
	}
	return text
}

// line is a whole order, without its label.
func (x *sheetReader) line(list []orders.Clause) string {
	if len(list) == 1 {
		return x.text(list[0])
	}
	var parts []string
	for _, c := range list {
		parts = append(parts, x.text(c))
	}
	return strings.Join(parts, "; ")
}

// labelled is a whole order with its label.
func (x *sheetReader) labelled(o orders.Order) string {
	if o.Label == "" {
		return x.line(o.Clauses)
	}
	return o.Label + ": " + x.line(o.Clauses)
}

// headText is the line of a section.
func headText(name string, args []orders.Word) string {
	if len(args) == 0 {
		return name
	}
	return name + " " + orders.Clause(args).String()
}

// read reads the sections.
func (x *sheetReader) read(sections []orders.Section) *turnOrders {
	for _, sec := range sections {
		switch sec.Name {
		case orders.AnswerSection: // answers to questions, which are judged where they are asked
		case "CHIT", "SOLO":
			if !x.opening {
				x.readProgramme(sec)
			}
		case "STANDING":
			x.readStandingLines(sec)
		default:
			x.told(sec.Pos, headText(sec.Name, sec.Args), x.readHeadline(sec))
			for _, o := range sec.Orders {
				x.told(o.Pos, x.labelled(o), refuse("", "%s stands alone on its line", sec.Name))
			}
		}
	}
	return &x.out
}

// readHeadline reads a section that is one line.
func (x *sheetReader) readHeadline(sec orders.Section) *rule.Violation {
	switch sec.Name {
	case "CHITS":
		return x.readChits(sec.Args)
	case "BACKHAND":
		return x.readBackhand(sec.Args)
	case "HQBACK":
		return x.readBack(sec.Args)
	}
	return nil
}

// readStandingLines reads the STANDING section.
func (x *sheetReader) readStandingLines(sec orders.Section) {
	if len(sec.Args) > 0 {
		x.told(sec.Pos, headText(sec.Name, sec.Args), refuse("", "standing orders stand on the lines below"))
	}
	for _, o := range sec.Orders {
		text := x.labelled(o)
		st, v := x.s.readStanding(x.side, o)
		if v == nil && x.judge {
			v = st.ends()
		}
		if st.text = text; v == nil {
			x.out.standing = append(x.out.standing, st)
		}
		x.told(o.Pos, text, v)
	}
}

// readChits reads CHITS OKH, SS PZ.
func (x *sheetReader) readChits(args []orders.Word) *rule.Violation {
	us, v := x.s.units(x.side, args)
	if v == nil {
		v = x.s.judgeChits(us)
	}
	if v == nil {
		x.out.chits = us
	}
	return v
}

// readBack reads HQBACK 3TA 3911.
func (x *sheetReader) readBack(args []orders.Word) *rule.Violation {
	if len(args) < 2 {
		return refuse("Steppe 4.1", "HQBACK names a headquarters and a hex")
	}
	last := len(args) - 1
	name := args[:last]
	if name[last-1].Text == "TO" {
		name = name[:last-1]
	}
	u, v := x.s.named(x.side, name)
	if v != nil {
		return v
	}
	r := phrase.New(args[last:])
	h, v := x.s.place(&r)
	switch {
	case v != nil:
		return v
	case u.combat(), !u.Back:
		return refuse("Steppe 4.1", "%s is not a headquarters that comes back", u.c.Name)
	case !slices.Contains(x.s.backHexes(u), h):
		return refuse("Steppe 4.1", "%s comes back in or beside a unit of the %s, not on %v",
			u.c.Name, u.c.Command.title(), h)
	}
	if x.out.back == nil {
		x.out.back = map[string]hex.Hex{}
	}
	x.out.back[u.ID] = h
	return nil
}
