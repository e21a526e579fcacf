package law

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Kind is what an order fails for.
type Kind string

// The kinds; the law is about those of Kinds.
const (
	Range     Kind = "range"
	Adjacency Kind = "adjacency"
	Least     Kind = "MIN"
	Way       Kind = "way"
	Other     Kind = "other"
)

// Kinds are those of which no order may surprise its side.
var Kinds = []Kind{Range, Adjacency, Least, Way}

// words tell of which kinds a warning, or the reason why an order was passed over, is.
var words = []struct {
	kind Kind
	is   *regexp.Regexp
}{
	{Range, regexp.MustCompile(`no unit may attack|has attacked|out of (range|its headquarters)|range of \d|does not obey|has been activated|not activated|cannot be activated|\d hexes, and it reaches`)},
	{Adjacency, regexp.MustCompile(`not (be|stand) ?beside|not stand beside|is not beside|no enemy|holds no enemy|no unit may attack|can attack`)},
	{Least, regexp.MustCompile(`below`)},
	{Way, regexp.MustCompile(`cannot get|stops at|would come to|could not move|stops short|is not on the map|movement|no way|too far|stopped|costs|steps now|would hold|stacking|zone|road|closed|marker|in sight`)},
}

// kindsOf are the kinds that words are of; none is Other.
func kindsOf(text string) (out []Kind) {
	for _, w := range words {
		if w.is.MatchString(text) {
			out = append(out, w.kind)
		}
	}
	return out
}

// silent are reasons for which a unit drops out of an order without a word.
var silent = regexp.MustCompile(`(has been activated in this turn|is not on the map|is not due)$`)

// hearing is a chit that was drawn: what was answered to its orders, when they were filed and
// just before, and what came of them.
type hearing struct {
	chit   string
	side   adjudicator.Side
	before *filed
	now    map[place]adjudicator.Line
	events []view.Event
}

// compare goes through the orders of a chit.
func (t *table) compare(h hearing) {
	for at, line := range h.before.lines {
		if at.chit != h.chit {
			continue
		}
		t.Orders++
		now, stands := h.now[at]
		switch {
		case h.holds():
			t.Held++
		case line.Refused != nil:
			t.Refused++
		case !stands, now.Refused != nil, now.Warning != line.Warning, now.Understood != line.Understood:
			t.Changed++
		default:
			t.weigh(h, at, line)
		}
	}
}

// weigh compares an order that stood with what became of it.
func (t *table) weigh(h hearing, at place, line adjudicator.Line) {
	warned := kindsOf(line.Warning)
	failed := h.failures(at.text)
	switch missing := h.missing(at.text, line); {
	case len(failed) > 0:
	case missing == nil && strings.Contains(line.Warning, "stops it there"):
		t.AsWarned++
		return
	case silent.MatchString(line.Warning):
		t.AsWarned++
		return
	case line.Warning != "":
		t.Spared++
		return
	case missing != nil:
		failed = missing
	default:
		t.Kept++
		return
	}
	warnedOf := false
	for _, f := range failed {
		kinds := kindsOf(f.why)
		isTold := func(k Kind) bool { return slices.Contains(warned, k) }
		switch {
		case slices.ContainsFunc(kinds, isTold), strings.Contains(line.Warning, f.why), saysDie(line, f), saysCondition(line, f):
			warnedOf = true
			continue
		case f.dice:
			t.Dice++
			return
		}
		kind := Other
		if len(kinds) > 0 {
			kind = kinds[0]
		}
		t.Surprises[kind] = append(t.Surprises[kind], fmt.Sprintf("%s, %s %s, CHIT %s: %q was answered %q, warned %q; %s",
			t.at.Label, t.match.Game.Title(), h.side, h.chit, at.text, line.Understood, line.Warning, f.why))
		return
	}
	if warnedOf {
		t.AsWarned++
	}
}

// saysDie tells whether an order failed for the die of the railway, which its answer names.
func saysDie(line adjudicator.Line, f failure) bool {
	return strings.Contains(line.Understood, "as its die allows") && strings.HasSuffix(f.why, "as the die allows")
}

// saysCondition tells whether an order was left out for its condition, as its answer says.
func saysCondition(line adjudicator.Line, f failure) bool {
	return strings.HasPrefix(line.Understood, "left out as things stand: "+f.why)
}

// failure is that an order was passed over, or part of it.
type failure struct {
	why  string
	dice bool // dice have fallen in the activation by then, or an enemy was discovered
}

// holds tells whether the chit has carried out no programme.
func (h hearing) holds() bool {
	return slices.ContainsFunc(h.events, func(e view.Event) bool { return e.Kind == "holds" || e.Kind == "chit-wasted" })
}

var (
	lastHex = regexp.MustCompile(`\d{4}`)
	isThere = regexp.MustCompile(` already|, 0 MP of`) // who should go there
)

// missing is the failure of an order of which nothing is told, neither that it was done nor
// that it was not: nil if there is no such thing.
func (h hearing) missing(text string, line adjudicator.Line) []failure {
	words := strings.Fields(text)
	var kinds []string
	var at string
	switch words[0] {
	case "ATTACK", "OVERRUN":
		if words[1] == "AT-WILL" {
			return nil
		}
		kinds, at = []string{"combat"}, words[1]
	case "MOVE", "HQ":
		hexes := lastHex.FindAllString(line.Understood, -1)
		if len(hexes) == 0 || isThere.MatchString(line.Understood) {
			return nil
		}
		kinds, at = []string{"move"}, hexes[len(hexes)-1]
		if strings.HasPrefix(line.Understood, "to ") {
			at = hexes[0]
		}
	default:
		return nil
	}
	dice := false
	for _, e := range h.events {
		done := slices.Contains(kinds, e.Kind) && slices.ContainsFunc(e.Hexes, func(x hex.Hex) bool { return x.String() == at })
		if done {
			return nil
		}
		dice = dice || len(e.Rolls) > 0 && !strings.HasPrefix(e.Kind, "chit")
	}
	return []failure{{"nothing of it happened, and nobody said so: stopped at no word", dice}}
}

// failures are those of an order.
func (h hearing) failures(text string) (out []failure) {
	dice := false
	for _, e := range h.events {
		drawing := strings.HasPrefix(e.Kind, "chit")
		dice = dice || len(e.Rolls) > 0 && !drawing
		isOf := e.Facts.Get("order") == text && slices.Contains([]string{"skipped", "dropped"}, e.Kind)
		if isOf {
			out = append(out, failure{e.Facts.Get("why"), dice})
		}
	}
	return out
}
