package steppe

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// Brief implements adjudicator.Storyteller: an activation in a paragraph, a combat in its
// own.
func (g *Game) Brief(v *view.View, told []view.Said) view.Brief {
	t := &teller{}
	if len(told) == 0 {
		return view.Brief{}
	}
	first, below := told[0], told[1:]
	switch first.Kind {
	case "chit", "chit-wasted", "solo":
		t.collect(below)
		if len(below) == 0 && waits(v, first.Facts.Get("hq")) {
			return view.Brief{Head: fmt.Sprintf("%s (%s) is drawn, and waits for your orders.", first.Facts.Get("hq"), first.Facts.Get("command"))}
		}
		return t.activation(first)
	case "chit-roll":
		if len(below) == 0 {
			return view.Brief{List: "Drawn by lot among several:", Head: strings.TrimSuffix(strings.TrimPrefix(first.Text, "Drawn among your "), ".")}
		}
	case "combat":
		t.collect(below)
		return t.combat(first.Facts)
	case "supply":
		t.collect(told)
		return view.Brief{List: "Supply:", Head: strings.Join(t.sentences(), " ")}
	}
	return view.Brief{}
}

// waits tells whether the side is asked what a headquarters that was drawn is to do.
func waits(v *view.View, hq string) bool {
	return slices.ContainsFunc(v.Asked, func(q view.Question) bool {
		return q.Kind == KindActivation && strings.EqualFold(q.Label, "ORDERS "+hq)
	})
}

// teller gathers what an item tells of, by what is said in one sentence.
type teller struct {
	losses, moves, overruns, entries phrase.Groups
	retreats, advances               phrase.Groups
	air, supply                      phrase.Groups
	short, stuck, dropped            phrase.Groups
	others                           []string
}

func (t *teller) activation(e view.Said) view.Brief {
	f := e.Facts
	name := fmt.Sprintf("%s (%s)", f.Get("hq"), f.Get("command"))
	switch e.Kind {
	case "chit-wasted":
		return view.Brief{List: "Wasted, for their headquarters are not on the map:", Head: f.Get("hq")}
	case "solo":
		name = strings.TrimSuffix(e.Text, ".")
	}
	told := t.sentences()
	if cost := t.cost(); cost != "" {
		told = append([]string{cost}, told...)
	}
	if len(told) == 0 {
		return view.Brief{List: "Drawn, and nothing done:", Head: name}
	}
	return view.Brief{Head: name + ": " + strings.Join(told, " ")}
}

// combat tells who fought, how the column came about piece by piece, and what it cost.
func (t *teller) combat(f view.Pairs) view.Brief {
	what := f.Get("hex") + ": "
	if f.Get("overrun") != "" {
		what = f.Get("hex") + ", overrun by " + f.Get("overrun") + ": "
	}
	sum := fmt.Sprintf("%s:%s = %s", f.Get("attack"), f.Get("defence"), f.Get("gross"))
	if f.Get("shifts") != "" {
		sum += "; " + f.Get("shifts") + ": " + f.Get("ratio")
	}
	if f.Get("ratio") != f.Get("odds") {
		sum += ", column " + f.Get("odds")
	}
	sum += "; dice " + f.Get("dice")
	if f.Get("mods") != "" {
		sum += ", " + f.Get("mods")
	}
	head := fmt.Sprintf("%s%s. %s", what, f.Get("result"), t.cost())
	told := append([]string{fmt.Sprintf("%s against %s. %s = %s.", f.Get("force"), f.Get("guard"), sum, f.Get("net"))}, t.sentences()...)
	return view.Brief{Head: strings.TrimSpace(head), Detail: []string{strings.Join(told, " ")}}
}

// collect sorts events by what is said together.
func (t *teller) collect(told []view.Said) {
	for _, e := range told {
		f := e.Facts
		switch e.Kind {
		case "move":
			t.moves.Add(f.Get("to"), f.Get("unit"))
		case "overrun-move":
			t.overruns.Add(f.Get("to"), f.Get("unit"))
		case "enter":
			t.entries.Add(f.Get("to"), f.Get("unit"))
		case "retreat":
			t.retreats.Add(f.Get("to"), f.Get("unit"))
		case "advance":
			t.advances.Add(f.Get("to"), f.Get("unit"))
		case "destroyed":
			t.losses.Add("destroyed", f.Get("unit"))
		case "depleted":
			t.losses.Add("depleted", f.Get("unit")+" to "+f.Get("figures"))
		case "air":
			t.air.Add("Air over "+f.Get("hex"), fmt.Sprintf("%s %s for the %s", f.Get("side"), f.Get("unit"), f.Get("for")))
		case "supply":
			t.supply.Add(f.Get("state"), f.Get("unit")+" "+f.Get("hex"))
		case "dropped":
			t.drop(f)
		default:
			t.others = append(t.others, strings.TrimSuffix(e.Text, ".")+".")
		}
	}
}

// stopped is why a march did not come all the way.
var stopped = regexp.MustCompile(`^(.+) stops at (.+), short of (.+)$`)

// stuck is the reason why a march does not begin.
var stuck = regexp.MustCompile(`^(.+) cannot get nearer to (.+)$`)

// drop notes an order that was not carried out: a march that came to a stop by how far it
// got, the others by the reason, without their terms.
func (t *teller) drop(f view.Pairs) {
	why := strings.TrimSuffix(f.Get("why"), ".")
	isAdvance := strings.HasPrefix(f.Get("order"), "ADVANCE ") || strings.HasPrefix(f.Get("order"), "WITHDRAW ") // of all units, as far as each can
	if strings.HasPrefix(f.Get("order"), "ATTACK ANY") && strings.HasPrefix(why, "nowhere are the odds") {
		return // it was to be done wherever there is an occasion
	}
	if m := stopped.FindStringSubmatch(why); m != nil {
		if !isAdvance {
			t.short.Add(m[3], m[1])
		}
		return
	}
	if m := stuck.FindStringSubmatch(why); m != nil {
		t.stuck.Add(m[2], m[1])
		return
	}
	order, _, _ := strings.Cut(f.Get("order"), ";")
	order, _, _ = strings.Cut(order, " WITH ")
	t.dropped.Add(why, strings.TrimSpace(order))
}

// cost is what the item cost in units: the sentence of the headline.
func (t *teller) cost() string {
	var out []string
	for what, us := range t.losses.All() {
		out = append(out, what+" "+strings.Join(us, ", "))
	}
	if len(out) == 0 {
		return ""
	}
	text := strings.Join(out, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// sentences are what was gathered, but for the losses.
func (t *teller) sentences() []string {
	var out []string
	add := func(lead string, g *phrase.Groups, between string) {
		var parts []string
		for at, us := range g.All() {
			parts = append(parts, strings.Join(us, ", ")+between+at)
		}
		if len(parts) > 0 {
			out = append(out, lead+strings.Join(parts, "; ")+".")
		}
	}
	add("", &t.moves, " to ")
	add("Entered: ", &t.entries, " to ")
	add("After the overrun: ", &t.overruns, " to ")
	for where, flown := range t.air.All() {
		out = append(out, where+": "+strings.Join(flown, ", ")+".")
	}
	out = append(out, t.others...)
	add("Retreat: ", &t.retreats, " to ")
	add("Advance: ", &t.advances, " to ")
	add("", &t.supply, ": ")
	add("Stopped short: ", &t.short, " of ")
	add("", &t.stuck, " cannot get nearer to ")
	add("Not carried out: ", &t.dropped, ": ")
	return out
}
