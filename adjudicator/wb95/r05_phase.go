package wb95

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// battle is a Combat Phase while it is played.
type battle struct {
	r        *adjudicator.Run
	s        *State
	side     Side // on move
	other    Side
	standing map[Side][]standingOrder
	won      map[string]bool // by the label of an attack
	bound    []*Unit         // duties as the phase began
	due      []hex.Hex
	shelled  []hex.Hex // targets of ranged attacks so far (6.4.5)
}

// combatPhase is the Combat Phase of the side on move.
func combatPhase(r *adjudicator.Run, s *State) {
	b := &battle{r: r, s: s, side: s.mover(), standing: map[Side][]standingOrder{}, won: map[string]bool{}}
	b.other = s.sc.Other(b.side)
	sheet := b.ask()
	b.quarrel()
	b.bound, b.due = s.duties(b.side)
	p := b.orders(sheet)
	p.complete(b.bound, b.due)
	b.tellAdded(p)
	b.lastChance(p)
	b.inOrder(p)
	// WB-95 5.1.7
	for b.remaining() {
	}
	b.cleanUp()
}

// inOrder carries out attacks and ranged attacks in the order of the sheet, then
// the attacks that the rules have added.
//
// WB-95 5.1.6
func (b *battle) inOrder(p *plan) {
	shots, n := p.fireOrders, 0
	fire := func() {
		for len(shots) > 0 && shots[0].before <= n {
			b.shell(shots[0])
			shots = shots[1:]
		}
	}
	for _, byRules := range []bool{false, true} {
		for _, c := range p.combats {
			if c.made == byRules {
				fire()
				b.carryOut(c)
				n++
			}
		}
		fire()
	}
}

// ask asks both sides; it reads their standing orders and returns the attacks. Only
// these wait for a sheet; standing orders are taken as they are filed when the phase opens.
func (b *battle) ask() (attacks string) {
	ask := []adjudicator.Decision{{Label: "attack", Kind: kindAttack, Side: b.s.player(), Turn: true, Clause: "WB-95 5.1.6"}}
	ask = slices.Concat(ask, b.s.standing(b.side, "WB-95 5.1.8"), b.s.standing(b.other, "WB-95 5.1.8"))
	answers := b.r.Ask(ask...)
	for i, d := range ask[1:] {
		b.readStanding(d.Side, answers[i+1])
	}
	return answers[0]
}

// orders reads the attacks of the sheet.
//
// WB-95 5.1.6
// WB-95 5.2.1/a
func (b *battle) orders(sheet string) *plan {
	p := &plan{s: b.s, side: b.side}
	for _, w := range phrase.ReadAll(sheet) {
		o, v := b.s.parseAttack(b.s.player(), w)
		if v != nil {
			b.refused(w.Text, v)
			continue
		}
		_, fell, whole := p.declare(o)
		if whole != nil {
			b.refused(w.Text, whole)
			continue
		}
		for _, v := range fell {
			b.toOwner(b.side, "attack-part", v.Clause, o.targets, "attack", o.called(), "why", v.Why)
		}
	}
	return p
}

// readStanding reads the standing orders of a player.
func (b *battle) readStanding(by Side, answer string) {
	side := b.s.sc.camp(by)
	for _, w := range phrase.ReadAll(answer) {
		o, v := b.s.parseStanding(by, w)
		if v != nil {
			b.toOwner(side, "standing-skipped", v.Clause, nil, "source", w.Text, "why", v.Why)
			continue
		}
		if b.s.lasts(o) {
			b.standing[side] = append(b.standing[side], o)
		}
	}
}

func (b *battle) refused(text string, v *rule.Violation) {
	b.toOwner(b.side, "attack-refused", v.Clause, nil, "order", text, "why", v.Why)
}

// tellAdded tells the attacker what the rules made of the set.
func (b *battle) tellAdded(p *plan) {
	for _, a := range p.additions(true) {
		b.toOwner(b.side, "attack-added", "WB-95 5.1.3", nil, "what", a)
	}
}

// carryOut fights a planned combat as far as it still holds when it comes up.
//
// reading WB-95 5.1.7: targets that were emptied fall away; what then is still due is made up for when all ordered combats are over.
func (b *battle) carryOut(p *planned) {
	o := p.order
	o.targets = slices.DeleteFunc(slices.Clone(o.targets), func(h hex.Hex) bool { return !b.s.attackable(h, b.side) })
	o.art = slices.DeleteFunc(slices.Clone(o.art), func(u *Unit) bool { return b.s.maySupport(u, hexesUnder(o.units)) != nil })
	if len(o.targets) == 0 {
		b.toOwner(b.side, "attack-void", "WB-95 5.1.2", p.order.targets, "attack", p.order.called())
		return
	}
	if why, clause := b.calledOff(o); why != "" {
		b.toOwner(b.side, "attack-off", clause, o.targets, "attack", o.called(), "why", why)
		return
	}
	b.fight(o, p.made)
}

// calledOff tells why a conditional attack is not made, "" if it is.
//
// WB-95 5.1.6
// reading WB-95 5.1.6: an attack has won if the table gave the defender a retreat
// (10.2.4), or if no defender is left.
// deviation WB-95 5.2.1: who attacks by mail cannot look and think again, so an
// order may name a lowest column. It is measured on what the attacker knows at
// this moment, never on the true stack: to name one must not uncover it.
func (b *battle) calledOff(o attackOrder) (why string, c rule.Clause) {
	if why := b.s.unmet(b.side, o.when, b.won); why != "" {
		return why, "WB-95 5.1.6"
	}
	if o.min != "" {
		if seems := b.s.seems(b.side, o); seems < slices.Index(b.s.sc.Combat.Columns, o.min) {
			return fmt.Sprintf("as far as we know it would be made at %s, below %s", b.s.sc.Combat.Columns[seems], o.min), "WB-95 5.2.1"
		}
	}
	return "", ""
}

// seems is the column of an attack as its own side can reckon it.
func (s *State) seems(side Side, o attackOrder) int {
	known, err := s.sc.believe(s.view(side))
	if err != nil {
		return s.weighOrder(side, o, o.full).column
	}
	o.units, o.art = known.these(o.units), known.these(o.art)
	return known.weighOrder(side, o, o.full).column
}

// these are the units of this position that stand for those of another.
func (s *State) these(us []*Unit) []*Unit {
	var out []*Unit
	for _, u := range us {
		out = append(out, s.unit(u.ID))
	}
	return out
}

// remaining makes and fights what is still due when all planned combats are
// over: the attackers of combats that fell away, and the hexes they left. It
// reports false when nothing was left to do.
//
// WB-95 5.1.7
// reading WB-95 5.1.1: contacts that arise by retreat and pursuit in this phase
// bind nobody; who lost the enemy beside them is free; a due hex that was emptied is none.
func (b *battle) remaining() bool {
	p := &plan{s: b.s, side: b.side, shelled: b.shelled}
	var bound []*Unit
	for _, u := range b.bound {
		if !u.Fought && b.s.bindable(u) && len(p.enemies(u)) > 0 {
			bound = append(bound, u)
		}
	}
	p.complete(bound, b.stillDue())
	b.tellAdded(p)
	for _, c := range p.combats {
		b.carryOut(c)
	}
	return len(p.combats) > 0
}

// stillDue lists the due hexes that no combat has touched and that still have
// one of the units in their zone for which they were due.
func (b *battle) stillDue() []hex.Hex {
	var out []hex.Hex
	for _, h := range b.due {
		under := func(u *Unit) bool {
			return b.s.bindable(u) && slices.ContainsFunc(b.s.unitsAt(h), func(v *Unit) bool { return b.s.zoneOf(v, u.Hex) })
		}
		if b.s.attackable(h, b.side) && slices.ContainsFunc(b.bound, under) {
			out = append(out, h)
		}
	}
	return out
}

// cleanUp ends the phase: everybody may fight again in the next one.
//
// WB-95 5.1.1
func (b *battle) cleanUp() {
	for i := range b.s.Units {
		u := &b.s.Units[i]
		u.Fought, u.Fired = false, false
		u.Barraged = max(0, u.Barraged-1)
	}
	b.s.agePools()
}

// toOwner tells one side something; the facts come in pairs.
func (b *battle) toOwner(side Side, kind string, c rule.Clause, hexes []hex.Hex, facts ...string) {
	b.r.Tell(view.Event{Kind: kind, Clause: c, To: append(b.s.room.names.Take(1), string(side)), Hexes: hexes, Facts: facts})
}

// toBoth tells both sides: combats have no secrets between those who fight them.
//
// WB-95 16.1.3
func (b *battle) toBoth(kind string, c rule.Clause, hexes []hex.Hex, facts ...string) {
	b.tell(view.Event{Kind: kind, Clause: c, Hexes: hexes, Facts: facts})
}

func (b *battle) tell(e view.Event) {
	e.To = append(b.s.room.names.Take(2), string(b.side), string(b.other))
	b.r.Tell(e)
}
