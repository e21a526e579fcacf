package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// duties lists the units of the side that must attack, and the enemy hexes that
// must be attacked.
//
// reading WB-95 5.1.3: self-propelled guns, disorganized and unsupplied units are
// bound like all others; who cannot attack is not.
// reading WB-95 5.1.4: an enemy hex is due only for a unit that is itself bound,
// not for one that sits in fortifications in its zone.
func (s *State) duties(side Side) (bound []*Unit, due []hex.Hex) {
	for i := range s.Units {
		u := &s.Units[i]
		switch {
		// WB-95 7.1.11: who is in fortifications need not attack
		case u.c.Side != side, u.Fought, !s.bindable(u), !s.onMove(u):
			continue
		}
		// WB-95 5.1.3: any other unit in an enemy zone must
		bound = append(bound, u)
		for _, v := range s.zonesOn(u.Hex, s.sc.Other(side)) {
			if s.attackable(v.Hex, side) {
				// WB-95 5.1.4: and the enemy whose zone it is in must be attacked
				due = append(due, v.Hex)
			}
		}
	}
	return bound, sorted(due)
}

// bindable: could attack, stands in an enemy zone and outside fortifications.
func (s *State) bindable(u *Unit) bool {
	switch {
	case u.Where != OnMap, !s.inEnemyZone(u.Hex, u.c.Side): // most units are not
		return false
	}
	return u.couldAttack() && !s.fortified(u.Hex, u.c.Side)
}

// couldAttack: it is of a kind that attacks, and has strength to do it with.
func (u *Unit) couldAttack() bool { return u.fights() && u.attackSP(true) > 0 }

// attackable: an enemy that has not fought yet holds the hex. A hex defends whole.
//
// WB-95 5.1.1
func (s *State) attackable(h hex.Hex, by Side) bool {
	if by == turncoats && !s.quarrels(h) {
		return false
	}
	return s.holder(h) == s.sc.Other(by) && s.anyFresh(h)
}

// refuse judges who and what an attack names, keeps what may take part, and says
// of each thing that falls away why. The whole attack falls if nothing is left
// or if both sides would stand on several hexes.
//
// WB-95 5.1.5
func (p *plan) refuse(o attackOrder) (kept attackOrder, fell []*rule.Violation, whole *rule.Violation) {
	kept = o
	kept.targets, kept.units = nil, nil
	for _, h := range sorted(o.targets) {
		if v := p.badTarget(h); v != nil {
			fell = append(fell, v)
			continue
		}
		kept.targets = append(kept.targets, h)
	}
	if len(kept.targets) == 0 {
		return kept, nil, first(fell, "WB-95 5.2.1", "the attack names no hex")
	}
	for _, u := range o.units {
		if slices.Contains(kept.units, u) {
			continue
		}
		if v := p.badAttacker(u, kept.targets); v != nil {
			fell = append(fell, v)
			continue
		}
		kept.units = append(kept.units, u)
	}
	if len(kept.units) == 0 {
		return kept, nil, first(fell, "WB-95 5.2.1", "the attack names no units")
	}
	kept.art = nil
	for _, u := range o.art {
		if v := p.badSupport(u, kept); v != nil {
			fell = append(fell, v)
			continue
		}
		kept.art = append(kept.art, u)
	}
	if from := hexesUnder(kept.units); len(kept.targets) > 1 && len(from) > 1 {
		return kept, nil, &rule.Violation{Clause: "WB-95 5.1.5",
			Why:     fmt.Sprintf("units on %s cannot attack %s in one combat: one side of it must stand on one hex", list(from), list(kept.targets)),
			Instead: "Make two attacks, or attack from one hex only."}
	}
	return kept, fell, nil
}

func first(vs []*rule.Violation, c rule.Clause, why string) *rule.Violation {
	if len(vs) > 0 {
		return vs[0]
	}
	return &rule.Violation{Clause: c, Why: why}
}

func (p *plan) badTarget(h hex.Hex) *rule.Violation {
	switch {
	case p.s.holder(h) != p.s.sc.Other(p.side):
		return &rule.Violation{Clause: "WB-95 5.1.2", Why: fmt.Sprintf("no enemy is on %v", h)}
	case p.firedAt(h):
		return &rule.Violation{Clause: "WB-95 6.4.5", Why: fmt.Sprintf("%v is fired at in this phase and cannot be attacked directly", h)}
	case p.against(h) != nil || !p.s.attackable(h, p.side):
		return &rule.Violation{Clause: "WB-95 5.1.1", Why: fmt.Sprintf("%v is attacked already", h)}
	}
	return nil
}

// badAttacker says why a unit cannot attack the hexes together.
func (p *plan) badAttacker(u *Unit, targets []hex.Hex) *rule.Violation {
	far := slices.IndexFunc(targets, func(h hex.Hex) bool { return !p.adjacent(u.Hex, h) })
	switch {
	case u.Where != OnMap || !p.s.onMove(u):
		return &rule.Violation{Clause: "WB-95 5.2.1", Why: u.c.Name + " is not on the map"}
	// WB-95 5.1.10: towed guns do not attack
	case u.towedGun():
		return &rule.Violation{Clause: "WB-95 5.1.10", Why: u.c.Name + " is towed and cannot attack in direct combat"}
	case !u.fights():
		return &rule.Violation{Clause: "WB-95 5.1.2", Why: u.c.Name + " is not a combat unit and cannot attack"}
	// WB-95 5.1.2: adjacent hexes only
	case far >= 0:
		return &rule.Violation{Clause: "WB-95 5.1.2", Why: fmt.Sprintf("%s on %v is not adjacent to %v", u.c.Name, u.Hex, targets[far])}
	case p.s.keptStill(u):
		return &rule.Violation{Clause: "WB-95 2.1.1", Why: u.c.Name + ": " + p.s.still(u.c).Text}
	case u.Fired || p.fires(u):
		return &rule.Violation{Clause: "WB-95 6.1.4", Why: u.c.Name + " fires in this phase"}
	// WB-95 5.1.1: a unit fights once in a phase
	case u.Fought || p.with(u) != nil:
		return &rule.Violation{Clause: "WB-95 5.1.1", Why: u.c.Name + " attacks already"}
	case u.Strategic && !p.s.bindable(u):
		return &rule.Violation{Clause: "WB-95 12.1.2", Why: u.c.Name + " is kept for strategic movement and may not attack"}
	case u.attackSP(true) == 0:
		return &rule.Violation{Clause: "WB-95 5.2.1", Why: u.c.Name + " has no strength to attack with"}
	}
	return nil
}

// keptStill tells whether a note keeps the unit from attacking: it attacks only where it
// must.
func (s *State) keptStill(u *Unit) bool { return s.still(u.c) != nil && !s.bindable(u) }

// judgeAttacks judges a set of attacks as the side on move may order it: which
// stand, for each one refused why (nil for those that stand), and in words what
// 5.1.3 and 5.1.4 still ask for and what the rules would make of it: remarks for the
// sheet as a whole. It does not change the position.
func (s *State) judgeAttacks(given []attackOrder) (legal []attackOrder, refused []*rule.Violation, missing []adjudicator.Line, open bool) {
	p, sure := &plan{s: s, side: s.mover()}, &plan{s: s, side: s.mover()}
	refused = make([]*rule.Violation, len(given))
	for i, o := range given {
		kept, fell, whole := p.declare(o)
		if refused[i] = whole; whole != nil {
			continue
		}
		legal = append(legal, kept)
		for _, v := range fell {
			missing = append(missing, doubt(fmt.Sprintf("%s goes on without this: %s (%s)", o.called(), v.Why, strings.TrimPrefix(string(v.Clause), "WB-95 "))))
		}
		if !o.conditional() {
			sure.declare(o)
		}
	}
	declared := len(p.combats)
	bound, due := s.duties(p.side)
	p.complete(bound, due)
	added := p.remarks()
	open = len(added) > 0
	for _, r := range added {
		missing = append(missing, doubt(r))
	}
	if len(sure.combats) == declared {
		return legal, refused, missing, open
	}
	sure.complete(bound, due)
	for _, r := range sure.remarks() {
		if !slices.Contains(added, r) {
			missing = append(missing, adjudicator.Line{Warning: "should a condition fail: " + r})
		}
	}
	return legal, refused, missing, open
}

// doubt is a remark that makes a finished sheet wait for a second look.
func doubt(text string) adjudicator.Line { return adjudicator.Line{Warning: text, Doubt: true} }

// conditional tells whether the attack may be called off when it comes up.
func (o attackOrder) conditional() bool {
	switch {
	case o.fire != nil:
		return false
	case o.min != "":
		return true
	}
	return len(o.when) > 0
}

// called is how the attack is spoken of.
func (o attackOrder) called() string {
	if o.fire != nil {
		return o.fire.called()
	}
	if o.label != "" {
		return "attack " + o.label
	}
	return "the attack on " + list(o.targets)
}

// additions are what the completion adds to the attacks, in words for the attacker: what the
// rules will do if the sheet leaves it, or what they have done when it did.
func (p *plan) additions(done bool) (out []string) {
	must := func(who, clause, will, did string) {
		text := who + ". If you leave it, the rules " + will + " (" + clause + ")"
		if done {
			text = who + " (" + clause + "): " + did
		}
		out = append(out, text)
	}
	taken := func(who, called, clause string) {
		text := fmt.Sprintf("If you leave it so, the rules take %s out of %s for an attack that must be made (%s)", who, called, clause)
		if done {
			text = fmt.Sprintf("%s was taken out of %s for an attack that must be made (%s)", who, called, clause)
		}
		out = append(out, text)
	}
	for _, c := range p.combats {
		if !c.added() {
			continue
		}
		called, targets := c.order.called(), list(c.order.targets)
		for _, h := range c.joinedHexes {
			to := fmt.Sprintf("%s, then %s", called, p.briefly(c))
			must(fmt.Sprintf("%v must be attacked", h), "5.1.4", "add it to "+to, "added to "+to)
		}
		for _, u := range c.joinedUnits {
			must(u.c.Name+" is in enemy ZOC and must attack", "5.1.3", "add it to "+called, "added to "+called)
		}
		for _, u := range c.left {
			taken(u.c.Name, called, "5.1.4")
		}
		for _, h := range c.leftHexes {
			taken(h.String(), called, "5.1.3")
		}
		switch {
		case c.made && c.forUnit != nil:
			to := targets + " " + p.briefly(c)
			must(names(c.order.units)+" is in enemy ZOC and must attack", "5.1.3", "attack "+to, "attacks "+to)
		case c.made:
			with := fmt.Sprintf("with %s %s", names(c.order.units), p.briefly(c))
			must(targets+" must be attacked", "5.1.4", "attack it "+with, "attacked "+with)
		}
	}
	return out
}

// remarks say what the rules will do if the sheet leaves it.
func (p *plan) remarks() []string { return p.additions(false) }

// added tells whether the completion changed anything in the combat.
func (c *planned) added() bool {
	return c.made || len(c.joinedHexes)+len(c.joinedUnits)+len(c.left)+len(c.leftHexes) > 0
}

// briefly is the final column: "at 1:1".
func (p *plan) briefly(c *planned) string {
	return "at " + p.s.weighOrder(p.side, c.order, false).final
}

// hexesUnder lists the hexes that the units stand on.
func hexesUnder(us []*Unit) []hex.Hex {
	out := make([]hex.Hex, len(us))
	for i, u := range us {
		out[i] = u.Hex
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// list writes hexes with commas.
func list(hs []hex.Hex) string {
	if len(hs) == 1 {
		return hs[0].String()
	}
	words := make([]string, len(hs))
	for i, h := range hs {
		words[i] = h.String()
	}
	return strings.Join(words, ", ")
}
