package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// FireResult is a cell of the Artillery Fire table.
type FireResult struct {
	Loss   int
	Disorg bool
	Test   bool // the dot
	Text   string
}

// FireTable is the Artillery Fire table: rows by strength points.
type FireTable []FireRow

// FireRow is a row: its least strength and a cell for each roll 2 to 12.
type FireRow struct {
	From  int
	Cells [13]FireResult
}

// at is the result for a strength and a roll.
//
// WB-95 6.4.2
func (t FireTable) at(sp, roll int) FireResult {
	var out FireResult
	for _, r := range t {
		if sp >= r.From {
			out = r.Cells[roll]
		}
	}
	return out
}

// firedAt tells whether the hex is the target of a ranged attack of this phase.
//
// WB-95 6.4.5
func (p *plan) firedAt(h hex.Hex) bool {
	return slices.Contains(p.shelled, h) ||
		slices.ContainsFunc(p.fireOrders, func(o *fireOrder) bool { return o.target == h })
}

// declareFire adds a ranged attack as ordered, as far as it is legal.
func (p *plan) declareFire(o fireOrder) (kept fireOrder, fell []*rule.Violation, whole *rule.Violation) {
	kept = o
	kept.guns = nil
	_, due := p.s.duties(p.side)
	if v := p.badShot(o, due); v != nil {
		return kept, nil, v
	}
	for _, u := range o.guns {
		if v := p.badGun(u, o); v != nil {
			fell = append(fell, v)
			continue
		}
		kept.guns = append(kept.guns, u)
	}
	if len(kept.guns) == 0 {
		return kept, nil, first(fell, "WB-95 6.4.1", "the fire names no guns")
	}
	kept.before = len(p.combats)
	p.fireOrders = append(p.fireOrders, &kept)
	return kept, fell, nil
}

// asSupport says how the guns help instead in the attack on their target.
func (o fireOrder) asSupport() string {
	var names []string
	for _, u := range o.guns {
		names = append(names, u.c.Name)
	}
	return fmt.Sprintf("Let the guns support that attack: write ; ART %s behind it.", strings.Join(names, ", "))
}

// badShot says why the target cannot be fired at.
//
// WB-95 6.4.1
// WB-95 6.4.5
// reading WB-95 6.4.5: judged over the whole set of orders: who is attacked, or
// must be, cannot be fired at, and who is fired at cannot be attacked. One hex is
// fired at once in a phase, by any number of guns.
func (p *plan) badShot(o fireOrder, due []hex.Hex) *rule.Violation {
	h := o.target
	switch {
	case o.bridge != nil:
		return p.badObject(*o.bridge)
	case p.s.holder(h) != p.s.sc.Other(p.side):
		return &rule.Violation{Clause: "WB-95 6.4.1", Why: fmt.Sprintf("no enemy is on %v", h)}
	case p.firedAt(h):
		return &rule.Violation{Clause: "WB-95 6.4.5", Why: fmt.Sprintf("%v is fired at already", h), Instead: "Name all guns in one order."}
	case p.against(h) != nil:
		return &rule.Violation{Clause: "WB-95 6.4.5", Why: fmt.Sprintf("%v is attacked directly", h), Instead: o.asSupport()}
	case slices.Contains(due, h):
		return &rule.Violation{Clause: "WB-95 6.4.5", Why: fmt.Sprintf("%v must be attacked directly in this phase", h), Instead: o.asSupport()}
	}
	return nil
}

// badObject says why a bridge cannot be fired at.
//
// WB-95 6.4.7
// reading WB-95 6.4.7: any bridge that stands may be a target, whoever controls it.
func (p *plan) badObject(e hex.Edge) *rule.Violation {
	switch {
	case !p.s.bridgeStands(e):
		return &rule.Violation{Clause: "WB-95 6.4.7", Why: fmt.Sprintf("no bridge stands on %v", e)}
	case slices.ContainsFunc(p.fireOrders, func(o *fireOrder) bool { return o.bridge != nil && *o.bridge == e }):
		return &rule.Violation{Clause: "WB-95 6.4.7", Why: fmt.Sprintf("the bridge %v is fired at already", e), Instead: "Name all guns in one order."}
	}
	return nil
}

// badGun says why a gun cannot take part in a ranged attack.
func (p *plan) badGun(u *Unit, o fireOrder) *rule.Violation {
	if v := u.mayFire(); v != nil {
		return v
	}
	if m := p.s.still(u.c); m != nil {
		return &rule.Violation{Clause: "WB-95 2.1.1", Why: u.c.Name + ": " + m.Text}
	}
	hexes := []hex.Hex{o.target}
	if o.bridge != nil {
		// WB-95 6.4.7: an object counts by either of its hexes
		hexes = []hex.Hex{o.bridge.A, o.bridge.B}
	}
	d := p.s.distanceTo(u.Hex, hexes)
	switch {
	case p.fires(u) || p.with(u) != nil:
		return &rule.Violation{Clause: "WB-95 6.1.4", Why: u.c.Name + " fires or attacks elsewhere already"}
	case p.s.bindable(u):
		return &rule.Violation{Clause: "WB-95 5.1.3", Why: u.c.Name + " is in an enemy zone of control and must attack itself"}
	// WB-95 6.4.2: every gun must be in range
	case d > gunRange:
		return &rule.Violation{Clause: "WB-95 6.1.2", Why: fmt.Sprintf("%s on %v is %d hexes away from the target, guns fire over %d", u.c.Name, u.Hex, d, gunRange)}
	// WB-95 6.4.3: and not beside the target
	case d < 2 && o.bridge == nil:
		return &rule.Violation{Clause: "WB-95 6.4.3", Why: fmt.Sprintf("%v is adjacent to %s", o.target, u.c.Name), Instead: "Let it support an attack with ART."}
	}
	return nil
}

// shell carries out a ranged attack when it comes up in the order of the sheet.
func (b *battle) shell(o *fireOrder) {
	if why := b.s.unmet(b.side, o.when, b.won); why != "" {
		b.toOwner(b.side, "attack-off", "WB-95 5.1.6", b.aim(o), "attack", o.called(), "why", why)
		return
	}
	p := &plan{s: b.s, side: b.side}
	guns := slices.DeleteFunc(slices.Clone(o.guns), func(u *Unit) bool { return p.badGun(u, *o) != nil })
	// WB-95 6.4.5: not at who has been attacked directly
	if len(b.s.fresh(o.target)) < len(b.s.unitsAt(o.target)) {
		b.toOwner(b.side, "attack-off", "WB-95 6.4.5", b.aim(o), "attack", o.called(), "why", "units there have been attacked directly")
		return
	}
	if len(guns) == 0 || b.missing(o) {
		b.toOwner(b.side, "attack-void", "WB-95 6.4.1", b.aim(o), "attack", o.called())
		return
	}
	b.s.discharge(guns)
	if o.bridge != nil {
		b.fireAtBridge(*o.bridge, guns)
		return
	}
	b.shelled = append(b.shelled, o.target)
	fire{r: b.r, s: b.s, side: b.side, target: o.target, guns: guns, factor: 1, label: "fire", standing: b.inForce(b.other)}.resolve()
}

// missing tells whether the target is not there any more.
func (b *battle) missing(o *fireOrder) bool {
	if o.bridge != nil {
		return !b.s.bridgeStands(*o.bridge)
	}
	return b.s.holder(o.target) != b.other
}

// aim is where a ranged attack is directed.
func (b *battle) aim(o *fireOrder) []hex.Hex {
	if o.bridge != nil {
		return []hex.Hex{o.bridge.A, o.bridge.B}
	}
	return []hex.Hex{o.target}
}

// fireAtBridge is the attack on an object.
//
// WB-95 6.4.7
func (b *battle) fireAtBridge(e hex.Edge, guns []*Unit) {
	sp := fireInAttack(guns, false)
	label := "fire " + e.String()
	dice := b.r.Roll("WB-95 6.4.7", label, 2, 6)
	result := "it stands"
	if row := b.s.sc.Objects.row(sp); row != nil && row.Cells[dice[0]+dice[1]].Wreck {
		result = "it is destroyed"
		b.s.setBridge(e, false)
	}
	b.tell(view.Event{Kind: "fire-bridge", Clause: "WB-95 6.4.7", Hexes: []hex.Hex{e.A, e.B}, Rolls: []string{label}, Mark: "fire", Side: string(b.side),
		Facts: view.Pairs{"guns", gunsTold(guns, func(u *Unit) int { return u.attackSP(false) }), "side", b.s.sc.nameOf(b.side), "bridge", e.String(),
			"sp", strconv.Itoa(sp), "dice", spaced(dice), "label", label, "result", result}})
}

// fire is one ranged attack or barrage on a hex.
type fire struct {
	r        *adjudicator.Run
	s        *State
	side     Side
	target   hex.Hex
	guns     []*Unit
	factor   int    // 2 for a barrage (6.5.3)
	label    string // "fire" or "barrage"
	standing []standingOrder
}

// resolve rolls for a ranged attack and applies the result.
//
// reading WB-95 6.4.2: the ground of the hex alone counts, neither water nor works;
// with less than one point left nothing is rolled.
func (f fire) resolve() {
	s, h := f.s, f.target
	other := s.sc.Other(f.side)
	// WB-95 6.5.3: a barrage counts double
	sum0 := f.factor * fireInAttack(f.guns, false)
	air := ""
	// reading WB-95 6.4.4: attack support over the hex joins; a barrage has none.
	// WB-95 6.4.4: aircraft may support it
	// WB-95 8.2.3: with all their strength
	if sp, _ := s.backing(f.side, []hex.Hex{h}); sp > 0 && f.factor == 1 {
		sum0, air = sum0+sp, strconv.Itoa(sp)
		s.useSupport(f.side, h)
	}
	// WB-95 6.4.2: the ground counts twice against it
	ground := 2 * sum(s.groundCMs(h))
	sp := sum0 - ground
	// reading WB-95 5.6.5: being shot at disturbs, even without effect.
	for _, u := range s.unitsAt(h) {
		s.disturb(u)
	}
	facts := view.Pairs{"guns", gunsTold(f.guns, func(u *Unit) int { return u.attackSP(false) }), "side", s.sc.nameOf(f.side),
		"hex", h.String(), "sum", strconv.Itoa(sum0), "sp", strconv.Itoa(max(0, sp)), "ground", "", "barrage", "", "air", air}
	if ground > 0 {
		facts = facts.With("ground", strconv.Itoa(ground))
	}
	if f.factor > 1 {
		facts = facts.With("barrage", "yes")
	}
	e := view.Event{Kind: "fire", Clause: "WB-95 6.4.2", Hexes: append([]hex.Hex{h}, hexesUnder(f.guns)...), Mark: "fire", Side: string(f.side),
		To: []string{string(f.side), string(other)}, Facts: facts}
	if sp < 1 {
		e.Kind = "fire-nothing"
		f.r.Tell(e)
		return
	}
	label := f.label + " " + h.String()
	dice := f.r.Roll("WB-95 6.4.2", label, 2, 6)
	res := s.sc.Fire.at(sp, dice[0]+dice[1])
	e.Facts = append(facts, "dice", spaced(dice), "label", label, "roll", strconv.Itoa(dice[0]+dice[1]), "result", res.Text)
	e.Rolls = []string{label}
	f.r.Tell(e)
	// WB-95 6.4.6: guns that were hit may support a defence later in the phase
	f.apply(res)
}

// apply takes the step, disorganizes and tests, in this order.
//
// WB-95 5.6.1/4
// WB-95 6.4.2
// reading WB-95 6.4.2: the owner chooses who loses the step, guns included; the
// others are disorganized together and share one test.
func (f fire) apply(res FireResult) {
	s, h := f.s, f.target
	other := s.sc.Other(f.side)
	us := slices.Clone(s.unitsAt(h))
	for i := 1; i <= res.Loss && len(f.s.alive(us)) > 0; i++ {
		u := f.victim(f.s.alive(us), fmt.Sprintf("%s-loss %v %d", f.label, h, i))
		left := u.Steps - 1
		f.tellOther("fire-hit", "WB-95 6.4.2", "unit", u.c.Name, "left", afterLoss(u, left))
		s.loseStep(u)
	}
	us = slices.DeleteFunc(f.s.alive(us), func(u *Unit) bool { return u.c.Type == HQ })
	if len(us) == 0 {
		return
	}
	if res.Disorg {
		for _, u := range us {
			s.disorganize(u)
		}
		f.tellOther("fire-disorganized", "WB-95 6.4.2", "units", names(us))
	}
	if !res.Test {
		return
	}
	// WB-95 5.6.2
	label := f.label + "-test " + h.String()
	dice := f.r.Roll("WB-95 5.6.2", label, 2, 6)
	var failed []*Unit
	for _, u := range us {
		if failsMorale(u, dice[0]+dice[1]) {
			failed = append(failed, u)
			s.disorganize(u)
		}
	}
	verdict := "in order"
	if len(failed) > 0 {
		verdict = names(failed) + " disorganized"
	}
	f.r.Tell(view.Event{Kind: "fire-test", Clause: "WB-95 5.6.2", To: []string{string(other)}, Hexes: []hex.Hex{h}, Rolls: []string{label},
		Facts: view.Pairs{"units", names(us), "dice", spaced(dice), "label", label, "roll", strconv.Itoa(dice[0] + dice[1]), "verdict", verdict}})
}

// tellOther tells the side that is fired at; the enemy hears of the result only.
//
// reading WB-95 16.1.1: who was hit stays hidden from those who fire from afar.
func (f fire) tellOther(kind string, c rule.Clause, facts ...string) {
	f.r.Tell(view.Event{Kind: kind, Clause: c, To: []string{string(f.s.sc.Other(f.side))}, Hexes: []hex.Hex{f.target}, Facts: facts})
}

// victim asks the owner who loses a step.
//
// reading WB-95 6.4.2: by default the unit with most steps, of these the weakest;
// headquarters and guns last. Standing orders on losses come first.
func (f fire) victim(us []*Unit, label string) *Unit {
	rank := func(u *Unit) int { return btoi(u.c.hasSetup()) + 2*btoi(u.c.Type == HQ) }
	best := slices.MinFunc(us, func(a, b *Unit) int {
		return cmp.Or(rank(a)-rank(b), b.Steps-a.Steps, byStrength(a, b))
	})
	if len(us) == 1 {
		return best
	}
	source := defaultSource
	for _, o := range f.ownersOrders(us) {
		if u := lossBy(o.how, us); u != nil {
			best, source = u, o.how.source
			break
		}
	}
	d := adjudicator.Decision{Label: label, Kind: kindLoss, Side: f.s.chief(f.s.sc.Other(f.side), us), Clause: "WB-95 6.4.2", Proposal: best.c.Name, Source: source}
	for _, u := range us {
		d.Options = append(d.Options, adjudicator.Option{Answer: u.c.Name, Means: u.c.Name + " " + afterLoss(u, u.Steps-1)})
	}
	answer := f.r.Ask(d)[0]
	return us[slices.IndexFunc(us, func(u *Unit) bool { return u.c.Name == answer })]
}

// ownersOrders are the standing orders that may speak of the units on the hex,
// the most special first.
func (f fire) ownersOrders(us []*Unit) []standingOrder {
	var unit, at, all []standingOrder
	for _, o := range f.standing {
		switch {
		case o.guns != nil, len(o.how.losses) == 0, !o.speaksFor(f.s, us):
		case o.unit != "":
			if slices.ContainsFunc(us, func(u *Unit) bool { return strings.EqualFold(u.c.Name, o.unit) }) {
				unit = append(unit, o)
			}
		case o.at == f.target:
			at = append(at, o)
		case o.at == hex.None:
			all = append(all, o)
		}
	}
	return slices.Concat(unit, at, all)
}

// useSupport marks the aircraft that have supported a ranged attack.
func (s *State) useSupport(side Side, h hex.Hex) {
	for i := range s.Missions {
		if m := &s.Missions[i]; m.sameAs(Mission{Side: side, Kind: airSupport, Hex: h}) {
			m.Used = true
		}
	}
}
