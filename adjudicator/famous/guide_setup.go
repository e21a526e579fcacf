package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// setUpGuide is where units may be placed when the orders given so far are carried out.
type setUpGuide struct {
	before *State           // the units on their default hexes
	given  []phrase.Written // the placements of the sheet
}

// placingNow is the set-up below the orders given so far; nil when it is over.
func (a *chitGuide) placingNow(s *State, sheet *orders.Sheet) *setUpGuide {
	if !s.settingUp() {
		return nil
	}
	out := &setUpGuide{before: s.clone()}
	for _, o := range sheet.Orders("SETUP") {
		out.given = append(out.given, placement(o))
	}
	return out
}

// placements are the hexes on which a unit may begin, and the fortifications that it may have
// beside it there.
func (a *chitGuide) placements(u *Unit) (out []adjudicator.Offer) {
	if a.setUp == nil {
		return nil
	}
	s := a.base.s
	p := &parser{s: s, side: a.side}
	k := slices.IndexFunc(s.sc.Setup, func(x Placement) bool { return x.Counter == u.ID })
	if k < 0 {
		return nil
	}
	// Whether the unit may leave its fortification is judged once for all hexes without one: on
	// another fortification it may relieve whoever goes to that which it leaves.
	guards := u.onMap() && len(s.fortsOn(u.Hex)) > 0
	judged, leaving := false, (*rule.Violation)(nil)
	for _, h := range s.sc.Setup[k].Hexes {
		o := adjudicator.Offer{Section: "SETUP", Verb: "SETUP", Order: fmt.Sprintf("%s %v", u.c.Name, h)}
		o.Refused = p.mayPlace(u, h)
		leaves := guards && h != u.Hex // or is another commander's to place
		leaves = leaves || s.foreign(u) != nil
		relieves := len(s.fortsOn(h)) > 0
		if o.Refused == nil && leaves && !relieves && !judged {
			judged, leaving = true, a.placed(o.Order)
		}
		switch {
		case o.Refused != nil, !leaves:
		case relieves:
			o.Refused = a.placed(o.Order)
		default:
			o.Refused = leaving
		}
		out = append(out, o)
	}
	return append(out, a.forts(u)...)
}

// forts are the fortifications of the side that may be brought to a unit.
func (a *chitGuide) forts(u *Unit) (out []adjudicator.Offer) {
	s := a.base.s
	for _, f := range s.Forts {
		if f.Side != a.side || f.Hex == u.Hex || !u.onMap() || !s.sc.grant(a.side, f.Kind).fits(u) {
			continue
		}
		name := strings.ToUpper(s.sc.Forts[f.Kind].Name)
		o := adjudicator.Offer{Section: "SETUP", Verb: name, Order: fmt.Sprintf("%s %v FACE 1 FROM %v", name, u.Hex, f.Hex)}
		o.Refused = a.placed(o.Order)
		out = append(out, o)
	}
	return out
}

// placed judges a placement below those of the sheet.
func (a *chitGuide) placed(order string) *rule.Violation {
	sheet, faults := orders.Parse(orders.Canonical("SETUP\n"+order+"\n"), Vocabulary)
	if len(faults) > 0 || len(sheet.Orders("SETUP")) != 1 {
		return &rule.Violation{Clause: "GD 17.0", Why: order + " is not a placement"}
	}
	list := append(slices.Clip(a.setUp.given), placement(sheet.Orders("SETUP")[0]))
	p := &parser{s: a.setUp.before.clone(), side: a.side}
	return p.setUp(list)[len(list)-1]
}

// usualSetUp is a line for every unit whose hex is chosen: the hex on which it begins anyway, and
// the others that are open.
func (a *chitGuide) usualSetUp() (out []adjudicator.Offer) {
	const most = 5
	if a.setUp == nil {
		return nil
	}
	for u := range a.base.s.army(a.side) {
		var open []string
		for _, o := range a.placements(u) {
			if o.Refused == nil && o.Verb == "SETUP" {
				open = append(open, o.Order[strings.LastIndexByte(o.Order, ' ')+1:])
			}
		}
		if len(open) < 2 || a.base.s.foreign(u) != nil {
			continue // there is no choice
		}
		first := open[0]
		if slices.Contains(open, u.Hex.String()) {
			first = u.Hex.String()
		}
		others := slices.DeleteFunc(slices.Clone(open), func(h string) bool { return h == first })
		says := "or " + strings.Join(others[:min(most, len(others))], ", ")
		if n := len(others) - most; n > 0 {
			says += fmt.Sprintf(" or %d more", n)
		}
		out = append(out, adjudicator.Offer{Section: "SETUP", Verb: "SETUP", Order: u.c.Name + " " + first, Understood: says})
	}
	return out
}

// leaders are what a programme may say of who leads: the stack of a battalion without its
// headquarters, and whom the division's headquarters activates.
func (a *chitGuide) leaders(bn string) (out []adjudicator.Offer) {
	e, s := a.ending(bn), a.base.s
	if e.moved == nil {
		return nil
	}
	if bn == divBattalion {
		for _, other := range a.battalions() {
			o := adjudicator.Offer{Section: e.section, Verb: string(verbActivate), Order: string(verbActivate) + " " + other, Understood: "noted"}
			if o.Refused = e.moved.activates(phrase.Read(o.Order)); o.Refused != nil {
				o.Understood = ""
			}
			if other != divBattalion {
				out = append(out, o)
			}
		}
		return out
	}
	if s.ownActivation(a.side, bn).by != nil {
		return nil
	}
	said := map[string]bool{}
	for u := range s.battalion(a.side, bn) {
		order := fmt.Sprintf("%s %v", verbStack, u.Hex)
		if !u.onMap() || said[order] {
			continue
		}
		said[order] = true
		out = append(out, e.try(adjudicator.Offer{Section: e.section, Verb: string(verbStack), Order: order}))
	}
	return out
}

// supports are the battalions for whose attacks a chit may keep its guns.
func (a *chitGuide) supports(bn string) (out []adjudicator.Offer) {
	e, s := a.ending(bn), a.base.s
	hasGuns := false
	for u := range s.battalion(a.side, bn) {
		hasGuns = hasGuns || u.isGun() && u.stands()
	}
	if e.moved == nil || !hasGuns || s.sc.before(8) {
		return nil
	}
	for _, other := range a.battalions() {
		if other == bn || other == divBattalion {
			continue
		}
		out = append(out, adjudicator.Offer{Section: e.section, Verb: string(verbSupport), Order: string(verbSupport) + " " + other,
			Understood: "its guns are kept for the attacks of " + other + " while that chit is to come"})
	}
	return out
}

// battalions are those of the side that have units on the map or coming now.
func (a *chitGuide) battalions() (out []string) {
	s := a.base.s
	for u := range s.army(a.side) {
		if (u.stands() || s.due(u)) && !slices.Contains(out, u.c.Battalion) {
			out = append(out, u.c.Battalion)
		}
	}
	return out
}
