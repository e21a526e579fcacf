package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// trouble is a unit that its owner should look at and why.
type trouble struct {
	u     *view.Unit
	state []string
}

// army parts the own units into those in trouble, worst first, those that only
// touch the enemy, and the rest.
func army(v *view.View) (bad, touching []trouble, rest []*view.Unit) {
	contact := contacts(v)
	for i := range v.Units {
		u := &v.Units[i]
		state := plight(u)
		serious := len(state) > 0
		state = append(state, doing(u)...)
		if contact[u.Hex] {
			state = append(state, "in contact")
		}
		if u.Note != "" {
			state = append(state, u.Note)
		}
		switch {
		case serious:
			bad = append(bad, trouble{u, state})
		case contact[u.Hex]:
			touching = append(touching, trouble{u, state})
		default:
			rest = append(rest, u)
		}
	}
	slices.SortStableFunc(bad, func(a, b trouble) int { return urgency(b.u) - urgency(a.u) })
	return bad, touching, rest
}

// plight is what is wrong with a unit.
func plight(u *view.Unit) (state []string) {
	if lost := u.MaxSteps - u.Steps; lost > 0 {
		state = append(state, "lost "+count(lost, "step"))
	}
	if u.OutOfSupply > 0 {
		state = append(state, shortage(u.Supply))
	}
	if u.Disorganized {
		state = append(state, "disorganized")
	}
	if u.Retreated {
		state = append(state, "retreated")
	}
	return state
}

// doing is what a gun does.
func doing(u *view.Unit) (state []string) {
	switch u.Gun {
	case "firing":
		state = append(state, "set up to fire")
	case "transport":
		state = append(state, "limbered")
	}
	if u.Silent > 0 {
		state = append(state, "silent after a barrage")
	}
	return state
}

func urgency(u *view.Unit) int {
	n := 100*u.OutOfSupply + 10*max(0, u.MaxSteps-u.Steps)
	if u.Disorganized {
		n += 50
	}
	if u.Retreated {
		n += 5
	}
	return n
}

// strength is attack and defence, one number where they are equal, and what they are in
// full where less counts now.
func strength(u *view.Unit) string {
	text := fmt.Sprintf("%d/%d", u.Attack, u.Defence)
	switch {
	case u.Range > 0:
		text = fmt.Sprintf("%d guns, range %d", u.Support, u.Range)
	case u.Attack == u.Defence:
		text = strconv.Itoa(u.Attack)
	}
	if u.Full != "" {
		text += " (full " + u.Full + ")"
	}
	return text
}

// shortage is what a unit without supply is said to be: in the system's word, if that tells
// which state of supply it is.
func shortage(word string) string {
	if word = strings.ToLower(word); strings.Contains(word, "supply") {
		return word
	}
	return "out of supply"
}

// supply is the state of supply in a word.
func supply(u *view.Unit) string {
	switch {
	case u.OutOfSupply == 0:
		return "in"
	case u.Supply != "":
		return u.Supply
	}
	return fmt.Sprintf("OUT %d", u.OutOfSupply)
}

// group is a formation and its units in a few words each.
type group struct {
	name  string
	units []string
}

// standing lists the own units by the hexes they stand on, as one looks for them on a map.
func standing(v *view.View) string {
	var on []*view.Unit
	for i := range v.Units {
		if u := &v.Units[i]; u.Hex != hex.None {
			on = append(on, u)
		}
	}
	slices.SortStableFunc(on, func(a, b *view.Unit) int { return cmp.Compare(a.Hex, b.Hex) })
	var hexes phrase.Groups
	for _, u := range on {
		hexes.Add(u.Hex.String(), u.Name)
	}
	return byHex(&hexes)
}

// alliesOf are the units of a friend who orders them.
func alliesOf(v *view.View) []*view.Unit {
	var out []*view.Unit
	for i := range v.Allies {
		out = append(out, &v.Allies[i])
	}
	return out
}

// formations groups units by formation in the order in which these first occur.
func formations(us []*view.Unit) []group {
	var out []group
	at := map[string]int{}
	for _, u := range us {
		name := u.Formation
		if name == "" {
			name = "independent"
		}
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, group{name: name})
		}
		text := fmt.Sprintf("%s %s %s-%d", label(u), standsAt(u), strength(u), u.Moves)
		if u.Gun == "transport" {
			text += " limbered"
		}
		out[i].units = append(out[i].units, text)
	}
	return out
}

// label is a unit's name, with its type unless the name says it.
func label(u *view.Unit) string { return u.Called("").Form(phrase.Typed) }

// sighting is what is known of an enemy stack, in words.
func sighting(s *view.Stack) string {
	text := strings.Join(sightGroups(s.Units), ", ")
	if text == "" {
		text = "unknown"
	}
	if s.Fort != "" {
		text += ", in " + s.Fort
	}
	return text
}

// sightGroups says equal units together: "2 INF (3 steps each)".
func sightGroups(us []view.Sight) []string {
	type key struct {
		nation, kind string
		steps        int
	}
	var order []key
	n := map[key]int{}
	var out []string
	for _, u := range us {
		if u.Name != "" {
			out = append(out, identified(u))
			continue
		}
		k := key{u.Nation, u.Type, u.Steps}
		if n[k] == 0 {
			order = append(order, k)
		}
		n[k]++
	}
	for _, k := range order {
		t := fmt.Sprintf("%d %s", n[k], k.kind)
		if k.steps > 0 {
			t += " (" + count(k.steps, "step")
			if n[k] > 1 {
				t += " each"
			}
			t += ")"
		}
		out = append(out, t)
	}
	return out
}

// identified says an enemy unit that is known by name: "5 Gds INF 5/6-5 (1 step)".
func identified(u view.Sight) string {
	t := u.Called().Form(phrase.Typed)
	if u.Values != "" {
		t += " " + u.Values
	}
	var state []string
	if u.Full != "" {
		state = append(state, "full "+u.Full)
	}
	if u.Steps > 0 {
		state = append(state, count(u.Steps, "step"))
	}
	if u.OutOfSupply > 0 {
		state = append(state, shortage(u.Supply))
	}
	if len(state) > 0 {
		t += " (" + strings.Join(state, ", ") + ")"
	}
	return t
}

// coming are the arrivals by date, those that may enter now first.
func coming(v *view.View) []group {
	var out []group
	at := map[string]int{}
	sorted := make([]*view.Unit, len(v.Arrivals))
	for i := range v.Arrivals {
		sorted[i] = &v.Arrivals[i]
	}
	slices.SortStableFunc(sorted, func(a, b *view.Unit) int { return day(a) - day(b) })
	for _, ready := range []bool{true, false} {
		for _, u := range sorted {
			if u.Ready != ready {
				continue
			}
			when := u.Due
			if ready {
				when = "now"
			} else if when == "" {
				when = "later"
			}
			k, ok := at[when]
			if !ok {
				k = len(out)
				at[when] = k
				out = append(out, group{name: when})
			}
			text := fmt.Sprintf("%s %s-%d", label(u), strength(u), u.Moves)
			if len(u.Entry) > 0 {
				text += " at " + anyOf(u.Entry)
			}
			if u.Note != "" {
				text += " (" + u.Note + ")"
			}
			out[k].units = append(out[k].units, text)
		}
	}
	return out
}

// day is the turn of an arrival; what waits for a condition comes last.
func day(u *view.Unit) int {
	if u.Turn == 0 {
		return 1 << 20
	}
	return u.Turn
}

// count is a number and its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// scores are the points of all sides in a line.
func scores(v *view.View) string {
	var out []string
	for _, s := range v.Score {
		t := fmt.Sprintf("%s %d", proper(s.Side), s.Points)
		if s.Note != "" {
			t += " (" + s.Note + ")"
		}
		out = append(out, t)
	}
	return strings.Join(out, ", ")
}

// assets says what the side may spend.
func assets(v *view.View) string {
	var out []string
	for _, a := range v.Assets {
		t := fmt.Sprintf("%d %s", a.Count, a.Kind)
		if a.Hex != hex.None {
			t += " in " + a.Hex.String()
		}
		if a.Left > 0 {
			t += fmt.Sprintf(" (for %s more)", count(a.Left, "phase"))
		}
		out = append(out, t)
	}
	return strings.Join(out, "; ")
}

// crowds says which own hexes hold too much, and what that will cost.
func crowds(v *view.View) []string {
	var out []string
	for _, c := range v.Crowded {
		if len(c.Loses) == 0 {
			out = append(out, fmt.Sprintf("%v holds %s, as the set-up has it: they may stay, and nobody may come in", c.Hex, count(c.Steps, "step")))
			continue
		}
		out = append(out, fmt.Sprintf("%v holds %s, %d may stay: unless a unit leaves it in your movement a step is lost by %s", c.Hex, count(c.Steps, "step"), c.MayStay, strings.Join(c.Loses, ", ")))
	}
	return out
}

// airStrength says what both sides may fly on the days to come.
func airStrength(v *view.View) string {
	if v.Air == nil {
		return ""
	}
	var out []string
	for i, p := range v.Air.Phases {
		if i > 0 && p.Turn == v.Air.Phases[i-1].Turn {
			continue
		}
		var sides []string
		for _, s := range p.Strength {
			sides = append(sides, fmt.Sprintf("%s %d", proper(s.Side), s.Points))
		}
		left := fmt.Sprintf("you have %d left", p.Left)
		if len(p.Ready) > 0 {
			left += fmt.Sprintf(", in %s of %s", count(p.Choice, "counter"), strings.Join(p.Ready, ", "))
		}
		out = append(out, fmt.Sprintf("%s: %s; %s", p.Date, strings.Join(sides, ", "), left))
	}
	return strings.Join(out, ". ")
}

// places says who holds the named objectives.
func places(v *view.View) []group {
	var out []group
	at := map[string]int{}
	held := map[string]map[string][2]int{} // side, place: hexes held, points
	total := map[string]int{}
	var order []string
	for _, o := range v.Objectives {
		side := o.Owner
		if side == "" {
			side = "nobody"
		}
		if held[side] == nil {
			held[side] = map[string][2]int{}
		}
		n := held[side][o.Name]
		held[side][o.Name] = [2]int{n[0] + 1, n[1] + o.Points}
		if total[o.Name]++; total[o.Name] == 1 {
			order = append(order, o.Name)
		}
		if _, ok := at[side]; !ok {
			at[side] = len(out)
			out = append(out, group{name: side})
		}
	}
	for i := range out {
		for _, name := range order {
			n, ok := held[out[i].name][name]
			if !ok {
				continue
			}
			t := name
			if total[name] > 1 && n[0] < total[name] {
				t += fmt.Sprintf(" %d of %d", n[0], total[name])
			}
			if n[1] > 0 {
				t += fmt.Sprintf(" (%d)", n[1])
			}
			out[i].units = append(out[i].units, t)
		}
	}
	return out
}

// proper spells a side's name for reading: German for GERMAN.
func proper(side string) string {
	if len(side) < 2 || strings.ToUpper(side) != side {
		return side
	}
	return side[:1] + strings.ToLower(side[1:])
}

// standsAt is the hex of a unit, or that it has none: artillery may stand beside the map.
func standsAt(u *view.Unit) string {
	if u.Hex == hex.None {
		return "beside the map"
	}
	return u.Hex.String()
}

// anyOf is a choice in words: "A, B or C".
func anyOf(choices []string) string {
	last := len(choices) - 1
	if last < 1 {
		return strings.Join(choices, "")
	}
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}
