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

// search looks for whom a name means.
type search[U comparable] struct {
	a  Army[U]
	at hex.Hex // where they stand, None if that is not said
}

// standing takes the hex off the end of a name where it is written there, as refusals
// do: 38 ARM ON 4019, and 38 ARM (4019).
func (q *search[U]) standing(b *board.Board, item []orders.Word) (name string, v *rule.Violation) {
	n := len(item) - 1
	if n < 1 {
		return Join(item), nil
	}
	last := item[n].Text
	inBrackets := strings.HasPrefix(last, "(") && strings.HasSuffix(last, ")")
	number := strings.Trim(last, "()")
	switch {
	case !IsNumber(number):
		return Join(item), nil
	case inBrackets:
	case n > 1 && item[n-1].Text == "ON":
		n--
	default:
		return Join(item), nil
	}
	q.at, v = Hex(b, number)
	return Join(item[:n]), v
}

// find are the units that a name means, and whether it leaves no doubt about them. What
// is called so is sought before what is called so but for "the" or "No.".
func (q search[U]) find(name string) (us []U, clear bool) {
	if us, clear = q.called(name); len(us) > 0 {
		return us, clear
	}
	if short := plain(name); short != name {
		return q.called(short)
	}
	return nil, false
}

// called are the units of the strictest reading of a name that fits any.
func (q search[U]) called(name string) (us []U, clear bool) {
	if us := q.a.Whole(name); len(us) > 0 && q.stands(us[0]) {
		return us, true
	}
	var doubt []U
	for _, m := range q.a.Meant(name) {
		m.Units = slices.DeleteFunc(m.Units, func(u U) bool { return !q.stands(u) })
		if m.clear() {
			return m.Units, true
		}
		if len(doubt) == 0 {
			doubt = m.Units
		}
	}
	if len(doubt) > 0 {
		return doubt, false
	}
	for _, m := range q.listed(Fold(name)) {
		if len(m.Units) > 0 {
			return m.Units, m.clear()
		}
	}
	return nil, false
}

// listed are the readings of a folded name by the roll, the strictest first: the names
// and other forms of units, unless a formation of other units is called so too; those of
// formations; what is left of names; and their beginnings. The lost come after all.
func (q search[U]) listed(key string) []Reading[U] {
	r := q.a.Roll()
	if !r.knows(key) {
		return nil
	}
	own, group := q.living(r.names[key]), q.living(r.groups[key])
	if len(own) == 0 {
		own = q.living(r.forms[key])
	}
	if len(own) > 0 && len(group) > 0 && !sameUnits(own, group) {
		return []Reading[U]{{Units: slices.Concat(own, group)}}
	}
	names, listed := r.beginnings(key)
	return []Reading[U]{
		{Units: own}, {Units: group, Group: true}, {Units: q.living(r.abrids[key])},
		{Units: q.onMapFirst(names)}, {Units: q.onMapFirst(listed)},
		{Units: q.units(r.names[key])}, {Units: q.units(r.forms[key])}, {Units: q.units(r.abrids[key])},
	}
}

// sameUnits tells whether two lists hold the same units.
func sameUnits[U comparable](a, b []U) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(u U) bool { return !slices.Contains(b, u) })
}

// units are the player's of some places of the roll.
func (q search[U]) units(places []int) (out []U) {
	for _, i := range places {
		if u, found := q.a.Unit(q.a.Roll().called[i].ID); found && q.stands(u) {
			out = append(out, u)
		}
	}
	return out
}

// living are those that have not left the game.
func (q search[U]) living(places []int) []U { return slices.DeleteFunc(q.units(places), q.a.Lost) }

// onMapFirst are those on the map, or those to come if none is there.
func (q search[U]) onMapFirst(places []int) []U {
	all := q.living(places)
	there := slices.DeleteFunc(slices.Clone(all), func(u U) bool { return q.a.Hex(u) == hex.None })
	if len(there) > 0 {
		return there
	}
	return all
}

// stands tells whether the unit stands where the name says, if it says so.
func (q search[U]) stands(u U) bool { return q.at == hex.None || q.a.Hex(u) == q.at }

// near are the names of the units that a name may have been meant for, at most three.
func (q search[U]) near(name string) (out []string) {
	r := q.a.Roll()
	var living []int
	for i := range r.called {
		if u, found := q.a.Unit(r.called[i].ID); found && !q.a.Lost(u) {
			living = append(living, i)
		}
	}
	for _, i := range r.near(name, living) {
		if u, found := q.a.Unit(r.called[i].ID); found && len(out) < orders.MostNear {
			out = append(out, q.form(u, Named, Typed))
		}
	}
	return out
}

// form is the first form of a unit, of some styles and then of any, that leaves no doubt
// about it.
func (q search[U]) form(u U, first ...Style) string {
	anywhere := search[U]{q.a, hex.None}
	id := q.a.ID(u)
	for _, style := range append(first, InFormation, InHigher, TypeFirst, OfSideTyped) {
		form := q.a.Roll().Form(id, style)
		if us, clear := anywhere.find(strings.ToUpper(form)); clear && len(us) == 1 && us[0] == u {
			return form
		}
	}
	return id
}

// mostShown is how many units a refusal offers at the most.
const mostShown = 6

// doubt refuses a name that several units have, and lists these: "38 ARM on 4019 or HQ
// 38"; so many that nobody would read them by their formations.
func (q search[U]) doubt(name string, us []U) *rule.Violation {
	if len(us) > mostShown {
		return &rule.Violation{Why: fmt.Sprintf("%s could be %d units: %s", name, len(us), q.byFormation(us)), Instead: "Please write the whole name."}
	}
	var names []string
	for _, u := range us {
		form := q.form(u, Typed, Named)
		if h := q.a.Hex(u); h != hex.None {
			form += fmt.Sprintf(" on %v", h)
		}
		names = append(names, form)
	}
	return &rule.Violation{Why: name + " could be " + either(names), Instead: "Please write one of these."}
}

// byFormation counts units by formation, in the order in which these first occur.
func (q search[U]) byFormation(us []U) string {
	var order []string
	n := map[string]int{}
	for _, u := range us {
		of := q.a.Roll().formation(q.a.ID(u))
		if n[of]++; n[of] == 1 {
			order = append(order, of)
		}
	}
	for i, of := range order {
		order[i] = fmt.Sprintf("%d of %s", n[of], of)
		if of == "" {
			order[i] = fmt.Sprintf("%d of no formation", n[of])
		}
	}
	return strings.Join(order, ", ")
}
