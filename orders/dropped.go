package orders

import (
	"regexp"
	"slices"
	"strings"
)

// standingSection holds orders that stay in force until a sheet speaks of them again: a
// sheet without them drops nothing.
const standingSection = "STANDING"

// Dropped are the orders of a sheet that the one in its place has nothing for, as text: a
// unit that had an order and has none, an attack on a hex that is no longer attacked. An
// order that was changed is not among them.
func Dropped(was, now *Sheet) (dropped []string) {
	named := map[string]bool{}
	for _, sec := range now.Sections {
		for _, o := range sec.Orders {
			for _, actor := range actors(o) {
				named[titled(sec)+actor] = true
			}
		}
	}
	for _, sec := range was.Sections {
		if sec.Name == standingSection || sec.Name == AnswerSection {
			continue
		}
		for _, o := range sec.Orders {
			if slices.ContainsFunc(actors(o), func(actor string) bool { return !named[titled(sec)+actor] }) {
				dropped = append(dropped, o.String())
			}
		}
	}
	return dropped
}

// titled is a section's name with its arguments: "CHIT OKH".
func titled(sec Section) string {
	title := sec.Name
	for _, w := range sec.Args {
		title += " " + w.Text
	}
	return title + ": "
}

// linking are the words behind which an order says what its actors do.
var linking = []string{"TO", "VIA", "WITH", "FROM", "AT", "ON", "BY", "INTO"}

// place is a hex or a way of hexes.
var place = regexp.MustCompile(`^[0-9]{4}(-[0-9]{4})*$`)

// actors are what an order begins with: the units that it moves, the hex that it attacks.
func actors(o Order) (all []string) {
	if len(o.Clauses) == 0 {
		return nil
	}
	var one []string
	for i, w := range o.Clauses[0] {
		if slices.Contains(linking, w.Text) || i > 0 && place.MatchString(w.Text) && !w.Comma {
			break
		}
		if w.Comma && len(one) > 0 {
			all, one = append(all, strings.Join(one, " ")), nil
		}
		one = append(one, w.Text)
	}
	if len(one) > 0 {
		all = append(all, strings.Join(one, " "))
	}
	return all
}
