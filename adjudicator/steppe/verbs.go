package steppe

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Vocabulary is the system's words for the sheet parser.
var Vocabulary = orders.Vocabulary{
	Sections: []string{"CHITS", "BACKHAND", "HQBACK", "CHIT", "SOLO", "STANDING"},
	Open:     []string{"CHIT", "SOLO"},
}

// verbs begin an instruction of a programme.
var verbs = []string{"MOVE", "ATTACK", "ENTER", "KG", "MERGE", "BLOW", "RAIL", "HQ", "OVERRUN-MOVE", "UNITS"}

// Words that end a list of units.
var (
	moveWords   = []string{"TO", "VIA", "PUSH", "BY", "INTO", "FROM", "IF"}
	attackWords = []string{"WITH", "MIN", "ARTILLERY", "ELSE", "AT-WILL", "KEY", "LOSSES", "ADVANCE", "OVERRUN", "AIR", "TO", "AND"}
)

var (
	edgeForm = regexp.MustCompile(`^(\d{3,4})[-/](\d{3,4})$`)
)

// turnOrders is a sealed turn sheet: what a side has written before the first chit.
type turnOrders struct {
	chits      []*Unit // headquarters whose chits go into the cup; nil: by doctrine
	backhand   bool
	back       map[string]hex.Hex // returning headquarters by id
	programmes []*programme
	solo       []*programme
	standing   []standing
}

// programme is what a side has written for a chit, or for its individual hex.
type programme struct {
	head   string  // the line of its section; empty for a variant
	hq     *Unit   // nil for the individual hex
	hex    hex.Hex // of that
	attack bool    // attack first, then move
	hold   bool
	guards []guard // all must hold; none: the fallback
	steps  []instruction
}

// instruction is one order of a programme.
type instruction struct {
	verb  string
	text  string
	units []*Unit
	course
	at      hex.Hex // ENTER: the edge hex
	edge    hex.Edge
	places  []hex.Hex // RAIL
	ours    bool      // RAIL ... IF OURS
	target  hex.Hex
	elseHex hex.Hex
	atWill  bool
	min     string
	arty    int // -1 by doctrine
	key     bool
	overrun []*Unit
	losses  []string
	advance []*Unit
	second  hex.Hex // of the advance
	declared
}

// declared is what an attack says about itself beside targets and units.
type declared struct {
	noAir     bool
	noAdvance bool
}

// readTurn reads the sections of a turn sheet. Every order and head is told to line,
// with the violation that refuses it, nil if it stands.
func (s *State) readTurn(side Side, sections []orders.Section, line func(orders.Pos, string, string, *rule.Violation)) *turnOrders {
	t := &turnOrders{}
	for _, sec := range sections {
		head := strings.TrimSpace(sec.Name + " " + clauseText(sec.Args))
		switch sec.Name {
		case orders.AnswerSection: // answers to questions, which are judged where they are asked
			continue
		case "CHITS":
			us, v := s.units(side, sec.Args)
			if v == nil {
				v = s.judgeChits(side, us)
			}
			if v == nil {
				t.chits = us
			}
			line(sec.Pos, head, "", v)
		case "BACKHAND":
			v := s.readBackhand(t, side, sec.Args)
			line(sec.Pos, head, "", v)
		case "HQBACK":
			line(sec.Pos, head, "", s.readBack(t, side, sec.Args))
		case "CHIT", "SOLO":
			s.readProgramme(t, side, sec, line)
			continue
		case "STANDING":
			if len(sec.Args) > 0 {
				line(sec.Pos, head, "", &rule.Violation{Why: "standing orders stand on the lines below"})
			}
			for _, o := range sec.Orders {
				st, v := s.readStanding(side, o)
				if v == nil {
					t.standing = append(t.standing, st)
				}
				line(o.Pos, o.String(), "", v)
			}
			continue
		}
		for _, o := range sec.Orders {
			line(o.Pos, o.String(), "", &rule.Violation{Why: sec.Name + " stands alone on its line"})
		}
	}
	return t
}

// isWalk tells whether a word is a way hex by hex: 2712-2711-2612.
func isWalk(w string) bool {
	steps, digits := 0, 0
	for i := range len(w) + 1 {
		switch {
		case i == len(w) || w[i] == '-':
			if digits != 3 && digits != 4 {
				return false
			}
			steps, digits = steps+1, 0
		case w[i] < '0' || w[i] > '9':
			return false
		default:
			digits++
		}
	}
	return steps > 1
}

func clauseText(ws []orders.Word) string { return orders.Clause(ws).String() }

// readBackhand reads BACKHAND [NEXT TURN] YES or NO.
func (s *State) readBackhand(t *turnOrders, side Side, args []orders.Word) *rule.Violation {
	r := phrase.New(args)
	if r.Skip("NEXT") {
		r.Skip("TURN")
	}
	word := r.Next()
	switch {
	case word != "YES" && word != "NO" && word != "" || !r.End():
		return &rule.Violation{Clause: "Steppe 15.0", Why: "BACKHAND NEXT TURN is followed by YES or NO"}
	case word == "NO":
		return nil
	case side != German:
		return &rule.Violation{Clause: "Steppe 15.0", Why: "only the Germans have a Backhand Blow"}
	case s.Backhand != 0:
		return &rule.Violation{Clause: "Steppe 15.0", Why: fmt.Sprintf("the Backhand Blow is turn %d; it comes once", s.Backhand)}
	case s.Turn >= s.sc.Last:
		return &rule.Violation{Clause: "Steppe 15.0", Why: "there is no next turn"}
	}
	t.backhand = true
	return nil
}

// readBack reads HQBACK 3TA 3911.
func (s *State) readBack(t *turnOrders, side Side, args []orders.Word) *rule.Violation {
	if len(args) < 2 {
		return &rule.Violation{Clause: "Steppe 4.1", Why: "HQBACK names a headquarters and a hex"}
	}
	last := len(args) - 1
	if args[last-1].Text == "TO" {
		last--
	}
	u, v := s.named(side, phrase.Join(args[:last]))
	if v != nil {
		return v
	}
	r := phrase.New(args[len(args)-1:])
	h, v := s.place(&r)
	switch {
	case v != nil:
		return v
	case u.c.Type != HQ || !u.Back:
		return &rule.Violation{Clause: "Steppe 4.1", Why: u.c.Name + " is no headquarters that comes back"}
	case !slices.Contains(s.backHexes(u), h):
		return &rule.Violation{Clause: "Steppe 4.1", Why: fmt.Sprintf("%s comes back in or beside a unit of the %s, not on %v", u.c.Name, u.c.Command.title(), h)}
	}
	if t.back == nil {
		t.back = map[string]hex.Hex{}
	}
	t.back[u.ID] = h
	return nil
}
