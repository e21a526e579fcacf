package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/orders"
)

// advise adds to the lines of a sheet what the orders come to as things stand. What
// happens before a chit comes may change it all, so these are remarks, not refusals.
func (s *State) advise(side Side, t *turnOrders, f *adjudicator.Filing) {
	say := func(at orders.Pos, understood, warning string) {
		for i := range f.Lines {
			if l := &f.Lines[i]; l.Pos == at && l.Refused == nil && l.Understood == "" {
				l.Understood, l.Warning = understood, warning
				return
			}
		}
	}
	if i := slices.IndexFunc(f.Lines, isBlow); i >= 0 && f.Lines[i].Refused == nil {
		f.Lines[i].Understood = s.blowOutlook(t.blow)
	}
	for _, p := range slices.Concat(t.programmes, t.solo) {
		if p.head != "" {
			say(p.at, s.whoActs(p), cmp.Or(t.neverChosen(p), s.neverActs(side, p)))
		} else if never := s.neverActs(side, p); never != "" {
			say(p.at, "", never)
		}
		h := s.prospect(side, t, p).rehearse()
		for _, in := range p.steps {
			understood, warning := h.outlook(in)
			say(in.pos, understood, warning)
		}
	}
}

// neverChosen warns of a section that stands below one of its chit without a condition.
func (t *turnOrders) neverChosen(p *programme) string {
	if len(p.guards) > 0 || p.hold {
		return ""
	}
	for _, q := range slices.Concat(t.programmes, t.solo) {
		switch {
		case q == p:
			return ""
		case q.hq == p.hq && len(q.guards) == 0 && !q.hold:
			return "what stands here without a condition is never done: a section above it for the chit has none either"
		}
	}
	return ""
}

// neverActs warns of conditions of a programme that cannot change this turn.
func (s *State) neverActs(side Side, p *programme) string {
	var warn []string
	for _, c := range p.guards {
		if never := s.never(c, side, drawnNow); never != "" && !slices.Contains(warn, never) {
			warn = append(warn, never)
		}
	}
	return strings.Join(warn, "; ")
}

// isBlow tells whether a line is about the Backhand Blow.
func isBlow(l adjudicator.Line) bool { return strings.HasPrefix(l.Text, "BACKHAND") }

// blowOutlook is what the line of the Backhand Blow comes to in the weather that is known.
func (s *State) blowOutlook(b blow) string {
	switch {
	case s.sc.before(2):
		return ""
	case b.strikes(s):
		return "this turn is the Backhand Blow, announced as the sheets are opened"
	case b.named:
		return fmt.Sprintf("not in this weather: %s, %s ground", s.Weather, s.Ground)
	}
	return "not in this turn"
}

// whoActs tells how many units a programme activates of those in range now.
func (s *State) whoActs(p *programme) string {
	switch {
	case p.rest != nil:
		return "in the place of all that is left of its programme"
	case p.hold, p.hq == nil, p.hq.Where != OnMap:
		return ""
	}
	all, named := 0, 0
	for u := range s.onMap() {
		if !s.mayActivate(p.hq, u) || !s.inRange(p.hq, u.Hex) {
			continue
		}
		all++
		if slices.ContainsFunc(p.steps, func(in instruction) bool { return in.isFor(u) }) {
			named++
		}
	}
	atWill := ""
	if slices.ContainsFunc(p.steps, func(in instruction) bool { return in.atWill }) {
		atWill = ", and whoever attacks at will"
	}
	return fmt.Sprintf("activates %d of the %d units in range now%s", named, all, atWill)
}

// outlook is how an order is read, and what should be looked at.
func (h *rehearsal) outlook(in instruction) (understood, warning string) {
	never := ""
	for _, c := range in.when {
		never = h.s.never(c, h.side, h.then(in))
	}
	if wait := h.waits(in); wait != "" {
		return wait, never
	}
	understood, warning = h.deed(in)
	return understood, strings.Trim(never+"; "+warning, "; ")
}

// deed is what an order comes to when it is its turn.
func (h *rehearsal) deed(in instruction) (understood, warning string) {
	s := h.s
	switch in.verb {
	case verbStop, verbSkip:
		return "noted", ""
	case verbAsk:
		return in.asking().Understood(), ""
	case verbMove, verbHQ:
		return h.marches(in)
	case verbAttack:
		if in.anywhere {
			return "wherever the odds are " + in.floor() + " or better, by all that are beside an enemy then", ""
		}
		return h.attacks(in)
	case verbEnter:
		_, warning = h.marches(in)
		return s.entryOutlook(in), warning
	case verbRail:
		var towns []string
		for _, h := range in.places {
			towns = append(towns, s.spot(h))
		}
		return fmt.Sprintf("%s into the first that is open, as many of the turn as its die allows: %s", names(in.units), strings.Join(towns, ", ")), h.whys(in)
	case verbUnits:
		return "activated: " + names(in.units), h.whys(in)
	case verbOverrunMove:
		return h.overrunMarch(in)
	case verbBlow:
		return fmt.Sprintf("the bridge %v, on 2 to 6", in.edge), h.whys(in)
	}
	return "", h.whys(in)
}

// prospect is what a programme comes to as the map is now.
type prospect struct {
	s    *State
	side Side
	p    *programme
	ends map[*Unit]hex.Hex // of the units that it moves or brings on the map
	blow bool              // the attacks of this turn are the Backhand Blow
}

// prospect looks ahead at a programme of a sheet.
func (s *State) prospect(side Side, t *turnOrders, p *programme) *prospect {
	x := &prospect{s: s, side: side, p: p, ends: map[*Unit]hex.Hex{}}
	x.blow = s.strikesBack(side) || !s.sc.before(2) && t.blow.strikes(s)
	for _, in := range p.steps {
		for _, u := range in.units {
			switch in.verb {
			case verbMove, verbHQ:
				if u.Where == OnMap && in.goal() != u.Hex {
					if way, _ := s.follow(u, s.newWalk(u), in.course); way != nil {
						x.ends[u] = last(way)
					}
				}
			case verbEnter:
				x.ends[u] = in.inward().goal()
			}
		}
	}
	return x
}

// stands is where a unit stands when the attacks of the programme begin.
func (x *prospect) stands(u *Unit) hex.Hex {
	if h, ok := x.ends[u]; ok && !x.p.attack {
		return h
	}
	return u.Hex
}

// tooFar says why a unit would not be activated by the chit, as the map is now.
func (x *prospect) tooFar(u *Unit) string {
	hq := x.p.hq
	switch {
	case hq == nil, u == hq, u.Where != OnMap, x.s.disobeys(u, hq), x.s.inRange(hq, u.Hex):
		return ""
	case hq.Where != OnMap:
		return fmt.Sprintf("%s is out of range of %s, which is not on the map (Steppe 6.0)", u.c.Name, hq.c.Name)
	}
	return fmt.Sprintf("%s is out of range of %s now: %d hexes, and it reaches %d (Steppe 6.0)", u.c.Name, hq.c.Name, x.s.sc.land.grid.Distance(hq.Hex, u.Hex), hq.c.Range)
}

// tooFarThen says why a unit would not attack a hex when the attacks begin.
func (x *prospect) tooFarThen(u *Unit, target hex.Hex) string {
	hq, l := x.p.hq, x.s.sc.land
	h := x.stands(u)
	switch {
	case h == hex.None:
		return u.c.Name + " is not on the map"
	case !l.grid.Adjacent(h, target):
		return fmt.Sprintf("%s would not stand beside %s: %d hexes away, on %v (Steppe 10.0)", u.c.Name, x.s.spot(target), l.grid.Distance(h, target), h)
	case hq == nil, u.Where != OnMap, x.stands(hq) == hex.None:
		return ""
	case l.grid.Distance(x.stands(hq), h) > hq.c.Range:
		return fmt.Sprintf("%s would be out of range of %s: %d hexes, and it reaches %d (Steppe 6.0)", u.c.Name, hq.c.Name, l.grid.Distance(x.stands(hq), h), hq.c.Range)
	}
	return ""
}

// disobeys tells whether a unit does not obey the headquarters of a chit.
func (s *State) disobeys(u, hq *Unit) bool {
	if hq == nil || u == hq {
		return false
	}
	return !s.mayActivate(hq, u)
}

// oddsOf weighs an attack of units from where they would stand, and what shelters its target.
func (x *prospect) oddsOf(able []*Unit, target hex.Hex) (odds, cover) {
	s, attack := x.s, 0
	var from []hex.Hex
	for _, u := range able {
		attack += u.attack()
		if h := x.stands(u); h != hex.None && s.sc.land.grid.Adjacent(h, target) {
			from = append(from, h)
		}
	}
	shelter := s.shelter(target, from)
	shift := -shelter.shift
	if x.blow {
		shift++
	}
	return s.sc.settle(attack, s.defenceAt(target), shift), shelter
}

// told is odds in words: the ratio, what shifts it, and what it is fought at.
func (sc *Scenario) told(o odds) string {
	text := sc.ratioName(o.gross)
	if o.shift != 0 {
		text += fmt.Sprintf(", shifted %+d", o.shift)
	}
	if o.shift != 0 || o.name != sc.ratioName(o.gross) {
		text += ", column " + o.name
	}
	if o.drm != 0 {
		text += fmt.Sprintf(" and %+d", o.drm)
	}
	return text
}

// entryOutlook is where the units of an ENTER order come in and go to.
func (s *State) entryOutlook(in instruction) string {
	by := "the edge of the map"
	if in.at != hex.None {
		by = s.spot(in.at)
	}
	understood := names(in.units) + " by " + by
	if h := in.goal(); h != hex.None {
		understood += ", then to " + s.spot(h)
	}
	return understood
}

// trail is a way as orders write it.
func trail(way []hex.Hex) string {
	var out []string
	for _, h := range way {
		out = append(out, h.String())
	}
	return strings.Join(out, "-")
}
