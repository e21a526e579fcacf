package phrase

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Fact is one thing that a condition of a programme asks. What it means to the point is for
// the system to say that judges it.
type Fact struct {
	Not   bool
	Kind  FactKind
	Side  string // who holds a hex; of chits OWN or ENEMY
	Hex   hex.Hex
	Of    string // the id of a unit, or the name of a chit
	Word  string // of weather, ground and time; a column of the combat table
	N     int
	Words string // as it is written
}

// FactKind is what a fact is about.
type FactKind uint8

// The kinds.
const (
	FactHolds    FactKind = iota // a side holds a hex
	FactEmpty                    // nobody stands on a hex
	FactEnemyAt                  // an enemy stands on a hex, with less than N if that is not 0
	FactWithin                   // an enemy stands within N hexes of a hex, or of a unit
	FactAt                       // a unit stands on a hex
	FactBeside                   // a unit stands beside a hex
	FactContact                  // a unit stands beside an enemy
	FactPinned                   // a unit is pinned
	FactReduced                  // a unit has lost steps, or is lost
	FactLost                     // a unit is lost
	FactSupply                   // a unit is in supply
	FactLow                      // a unit is low on supply
	FactOut                      // a unit is out of supply
	FactDone                     // a chit has been played
	FactPlayed                   // so many chits of a side have been played
	FactLeft                     // so many chits of a side are to come
	FactSecond                   // this chit is drawn again
	FactTurn                     // it is that turn, or a later one
	FactWeather                  // as the word says
	FactGround                   // likewise
	FactTime                     // likewise
	FactBackhand                 // it is the turn of the Backhand Blow
	FactGuns                     // so many guns have not fired
	FactFighters                 // so many fighters may still fly
	FactCAS                      // so much close air support may still fly
	FactTook                     // an attack of this activation has left nobody of the enemy on a hex
	FactLosses                   // this activation has cost its side so many steps
	FactOdds                     // the attack behind which it stands comes to this column, or a better one
)

// OfActivation tells whether a fact is about what the activation has come to so far.
func (k FactKind) OfActivation() bool { return k == FactTook || k == FactLosses }

// Speech is what a system knows of the words of conditions.
type Speech struct {
	Board *board.Board
	Sides []string
	Knows []FactKind            // that it judges
	Words map[FactKind][]string // of weather, ground and time, in lower case; the columns of the combat table
	Unit  func([]orders.Word) (id string, v *rule.Violation)
	Chit  func(name string) (chit string, v *rule.Violation)
	Help  string
}

// Condition is facts: all of one of the lists must hold.
type Condition struct {
	Not  bool // UNLESS: the negation of the whole
	Any  [][]Fact
	Text string
}

// Opens tells whether a word begins a condition.
func Opens(word string) bool { return word == "IF" || word == "UNLESS" }

// Condition reads IF or UNLESS and facts joined by AND and OR, up to THEN or the end.
func (k *Speech) Condition(r *Reader) (c Condition, v *rule.Violation) {
	c.Text = Join(r.Words)
	open, v := OneOf(r, "IF", "UNLESS")
	if v != nil {
		return c, k.helped(v)
	}
	c.Not = open == "UNLESS"
	c.Any, v = k.Facts(r)
	return c, v
}

// Facts reads facts joined by AND and OR; AND binds closer.
func (k *Speech) Facts(r *Reader) (anyOf [][]Fact, v *rule.Violation) {
	anyOf = [][]Fact{nil}
	for {
		words := r.Words
		f, v := k.fact(r)
		if v == nil && !slices.Contains(k.Knows, f.Kind) {
			v = &rule.Violation{Why: fmt.Sprintf("%q is not a condition of this game", Join(words[:len(words)-len(r.Words)]))}
		}
		if v != nil {
			return nil, k.helped(v)
		}
		f.Words = Join(words[:len(words)-len(r.Words)])
		last := len(anyOf) - 1
		anyOf[last] = append(anyOf[last], f)
		switch {
		case r.Skip("AND"):
		case r.Skip("OR"):
			anyOf = append(anyOf, nil)
		default:
			r.Skip("THEN")
			return anyOf, nil
		}
	}
}

// helped adds to a refusal what conditions there are.
func (k *Speech) helped(v *rule.Violation) *rule.Violation {
	if v.Instead == "" {
		v.Instead = k.Help
	}
	return v
}

// states are the words behind the name of a unit or chit that say what is asked of it.
var states = []string{"AT", "BESIDE", "IN", "OUT", "LOW", "PINNED", "REDUCED", "LOST", "DONE"}

// fact reads one of them.
func (k *Speech) fact(r *Reader) (f Fact, v *rule.Violation) {
	not := r.Skip("NOT")
	f, v = k.asked(r)
	f.Not = f.Not != not
	return f, v
}

func (k *Speech) asked(r *Reader) (f Fact, v *rule.Violation) {
	switch w := r.Peek(); {
	case r.End():
		return f, &rule.Violation{Why: "the condition is not understood"}
	case SaysChits(r):
		return counted(r)
	case w == "FROM" || w == "TURN":
		r.Skip("FROM")
		r.Skip("TURN")
		f.Kind = FactTurn
		f.N, v = Number(r, 99)
		return f, v
	case w == "WEATHER":
		return k.sky(r, FactWeather)
	case w == "GROUND":
		return k.sky(r, FactGround)
	case w == "TIME":
		return k.sky(r, FactTime)
	case w == "SECOND":
		r.Next()
		r.Skip("CHIT")
		return Fact{Kind: FactSecond}, nil
	case w == "BACKHAND":
		r.Next()
		return Fact{Kind: FactBackhand}, nil
	case w == "TOOK":
		r.Next()
		f.Kind = FactTook
		f.Hex, v = Place(k.Board, r)
		return f, v
	case w == "LOSSES":
		r.Next()
		f.Kind = FactLosses
		if f.N, v = Number(r, 99); v != nil || f.N == 0 {
			v = &rule.Violation{Why: "LOSSES needs a number of steps, from 1"}
		}
		return f, v
	case w == "ODDS":
		return k.odds(r)
	case SaysHolds(r, append([]string{"ENEMY", "WE"}, k.Sides...)...):
		f.Kind = FactHolds
		f.Side, f.Hex, v = Holds(k.Board, r)
		return f, v
	case w == "ENEMY":
		return k.enemy(r)
	}
	if !saysState(r.Words) {
		f.Kind = FactEmpty
		f.Hex, _, v = HexIs(k.Board, r, "EMPTY")
		return f, v
	}
	return k.ofUnit(r)
}

// odds reads ODDS 3-1.
func (k *Speech) odds(r *Reader) (Fact, *rule.Violation) {
	r.Next()
	r.Skip(">=")
	f := Fact{Kind: FactOdds, Word: r.Next()}
	if all := k.Words[FactOdds]; !slices.Contains(all, f.Word) {
		return f, &rule.Violation{Why: fmt.Sprintf("%q is not a column of the combat table", f.Word), Instead: "The columns are " + strings.Join(all, ", ") + "."}
	}
	return f, nil
}

// saysState tells whether a condition says something of a unit or chit before it ends.
func saysState(words []orders.Word) bool {
	for _, w := range words {
		switch {
		case slices.Contains(states, w.Text):
			return true
		case slices.Contains([]string{"AND", "OR", "THEN", "HOLDS"}, w.Text):
			return false
		}
	}
	return false
}

// counted reads 2 OWN CHITS PLAYED, 1 ENEMY CHITS LEFT, 2 GUNS LEFT, 1 CAS LEFT.
func counted(r *Reader) (f Fact, v *rule.Violation) {
	kinds := map[string]FactKind{"GUNS": FactGuns, "GUN": FactGuns, "FIGHTERS": FactFighters, "FIGHTER": FactFighters, "CAS": FactCAS}
	if len(r.Words) > 1 {
		if kind, known := kinds[r.Words[1].Text]; known {
			f.Kind = kind
			f.N, v = Number(r, 99)
			r.Next()
			if v == nil {
				_, v = OneOf(r, "LEFT")
			}
			return f, v
		}
	}
	ownOnly := len(r.Words) > 1 && strings.HasPrefix(r.Words[1].Text, "CHIT")
	c, v := ReadChits(r, ownOnly, "PLAYED", "LEFT")
	f = Fact{Kind: FactPlayed, Side: "OWN", N: c.N}
	if c.State == "LEFT" {
		f.Kind = FactLeft
	}
	if c.Enemy {
		f.Side = "ENEMY"
	}
	return f, v
}

// sky reads WEATHER SNOW, GROUND MUD and TIME NIGHT.
func (k *Speech) sky(r *Reader, kind FactKind) (Fact, *rule.Violation) {
	what := strings.ToLower(r.Next())
	f := Fact{Kind: kind, Word: strings.ToLower(r.Next())}
	if !slices.Contains(k.Words[kind], f.Word) {
		return f, &rule.Violation{Why: fmt.Sprintf("%q is not a kind of %s", f.Word, what)}
	}
	return f, nil
}

// anyStrength is more than any strength.
const anyStrength = 1 << 20

// enemy reads ENEMY AT 2512 UNDER 9 and ENEMY WITHIN 2 OF 2512, or of a unit.
func (k *Speech) enemy(r *Reader) (f Fact, v *rule.Violation) {
	r.Next()
	if r.Skip("WITHIN") {
		f.Kind = FactWithin
		if f.N, v = Number(r, 20); v != nil {
			return f, v
		}
		if !r.Skip("OF") {
			return f, &rule.Violation{Why: "WITHIN needs OF and a hex or a unit"}
		}
		if IsNumber(r.Peek()) {
			f.Hex, v = Place(k.Board, r)
			return f, v
		}
		f.Of, v = k.Unit(r.Take("AND", "OR", "THEN"))
		return f, v
	}
	f.Kind = FactEnemyAt
	r.Skip("AT")
	if f.Hex, v = Place(k.Board, r); v != nil {
		return f, v
	}
	if r.Skip("UNDER", "BELOW") {
		f.N, v = Number(r, anyStrength)
	}
	return f, v
}

// ofUnit reads what is asked of a unit, or of a chit.
func (k *Speech) ofUnit(r *Reader) (f Fact, v *rule.Violation) {
	list := r.Take(states...)
	state := r.Next()
	if len(list) == 0 || state == "" {
		return f, &rule.Violation{Why: "the condition is not understood"}
	}
	if state == "DONE" {
		f.Kind = FactDone
		f.Of, v = k.Chit(Join(list))
		return f, v
	}
	if f.Of, v = k.Unit(list); v != nil {
		return f, v
	}
	switch state {
	case "AT":
		f.Kind = FactAt
		f.Hex, v = Place(k.Board, r)
	case "BESIDE":
		f.Kind = FactBeside
		f.Hex, v = Place(k.Board, r)
	case "PINNED":
		f.Kind = FactPinned
	case "REDUCED":
		f.Kind = FactReduced
	case "LOST":
		f.Kind = FactLost
	default:
		return f.ofSupply(state, r)
	}
	return f, v
}

// ofSupply reads IN CONTACT, IN SUPPLY, LOW ON SUPPLY and OUT OF SUPPLY behind their first
// words.
func (f Fact) ofSupply(state string, r *Reader) (Fact, *rule.Violation) {
	switch state {
	case "IN":
		if r.Skip("CONTACT") {
			f.Kind = FactContact
			return f, nil
		}
		f.Kind = FactSupply
	case "LOW":
		f.Kind = FactLow
		r.Skip("ON")
	default:
		f.Kind = FactOut
		r.Skip("OF")
	}
	if !r.Skip("SUPPLY") {
		return f, &rule.Violation{Why: "a unit is IN SUPPLY, LOW ON SUPPLY, OUT OF SUPPLY or IN CONTACT"}
	}
	return f, nil
}

// Holds tells whether a condition is met, where met judges a fact, its NOT aside.
func (c Condition) Holds(met func(Fact) bool) bool {
	all := func(list []Fact) bool {
		return !slices.ContainsFunc(list, func(f Fact) bool { return met(f) == f.Not })
	}
	return slices.ContainsFunc(c.Any, all) != c.Not
}

// Settled tells whether a condition cannot change any more in its turn, and what it is then,
// where fixed says that of a fact.
func (c Condition) Settled(fixed func(Fact) (holds, known bool)) (holds, known bool) {
	open := false
	for _, list := range c.Any {
		isFalse, isOpen := false, false
		for _, f := range list {
			holds, known := fixed(f)
			isFalse = isFalse || known && holds == f.Not
			isOpen = isOpen || !known
		}
		switch {
		case isFalse:
		case isOpen:
			open = true
		default:
			return !c.Not, true
		}
	}
	return c.Not, !open
}

// Facts are those that a condition asks for.
func (c Condition) Facts() []Fact { return slices.Concat(c.Any...) }

// OfActivation tells whether a condition asks what the activation has come to so far.
func (c Condition) OfActivation() bool {
	return slices.ContainsFunc(c.Facts(), func(f Fact) bool { return f.Kind.OfActivation() })
}

// AsksOdds tells whether a condition asks what an attack comes to.
func (c Condition) AsksOdds() bool {
	return slices.ContainsFunc(c.Facts(), func(f Fact) bool { return f.Kind == FactOdds })
}

// Never warns of a condition that can be met at no time of this turn, or that is met at all.
func (c Condition) Never(fixed func(Fact) (holds, known bool)) string {
	switch holds, known := c.Settled(fixed); {
	case !known:
		return ""
	case holds:
		return c.Text + " is always true this turn"
	}
	return c.Text + " is never true this turn"
}
