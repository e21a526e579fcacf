package law

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
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
	{Range, regexp.MustCompile(`no unit may attack|out of (range|its headquarters)|range of \d|does not obey|has been activated|not activated|cannot be activated|\d hexes, and it reaches`)},
	{Adjacency, regexp.MustCompile(`not (be|stand) ?beside|not stand beside|is not beside|no enemy|holds no enemy|no unit may attack|can attack`)},
	{Least, regexp.MustCompile(`below`)},
	{Way, regexp.MustCompile(`cannot get|stops at|would come to|could not move|stops short|is not on the map|movement|no way|too far|stopped|costs|steps now|would hold|stacking|zone|road|closed|marker`)},
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
	if len(failed) == 0 {
		if line.Warning == "" {
			t.Kept++
		} else {
			t.Spared++
		}
		return
	}
	foretold := false
	for _, f := range failed {
		kinds := kindsOf(f.why)
		isTold := func(k Kind) bool { return slices.Contains(warned, k) }
		switch {
		case slices.ContainsFunc(kinds, isTold), strings.Contains(line.Warning, f.why):
			foretold = true
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
	if foretold {
		t.Foretold++
	}
}

// failure is that an order was passed over, or part of it.
type failure struct {
	why  string
	dice bool // dice have fallen in the activation by then, or an enemy was discovered
}

// failures are those of an order.
func (h hearing) failures(text string) (out []failure) {
	dice := false
	for _, e := range h.events {
		drawing := strings.HasPrefix(e.Kind, "chit")
		dice = dice || len(e.Rolls) > 0 && !drawing
		isOf := e.Facts["order"] == text && slices.Contains([]string{"skipped", "dropped"}, e.Kind)
		if isOf {
			out = append(out, failure{e.Facts["why"], dice})
		}
	}
	return out
}
