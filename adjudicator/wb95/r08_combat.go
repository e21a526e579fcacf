package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// raid is an air attack on a hex while it is resolved.
type raid struct {
	m      Mission
	sp     int    // after what the ground takes off
	ground string // that, in words
	hit    Strike
}

// strike resolves the air attacks of both sides.
//
// WB-95 8.2.6
// reading WB-95 8.2.6: all attacks on ground units are worked out on one position, then take
// effect.
func (a *airWar) strike() {
	var raids []*raid
	for i := range a.s.Missions {
		m := &a.s.Missions[i]
		if m.Kind != airStrike {
			continue
		}
		m.Used = true
		if a.s.holder(m.Hex) != a.s.sc.Other(m.Side) {
			a.r.Tell(view.Event{Kind: "air-wasted", Clause: "WB-95 8.2.6", To: to(m.Side), Hexes: []hex.Hex{m.Hex},
				Facts: view.Pairs{"what", m.String(), "why", "no enemy there"}})
			continue
		}
		raids = append(raids, a.raid(*m))
	}
	slices.SortFunc(raids, func(x, y *raid) int { return cmp.Compare(x.m.Hex, y.m.Hex) })
	for _, x := range raids {
		a.suffer(x)
	}
}

// raid throws the dice of one air attack and reads the table.
//
// WB-95 8.2.6
func (a *airWar) raid(m Mission) *raid {
	x := &raid{m: m}
	x.sp, x.ground = a.s.underCover(m.SP, m.Hex)
	facts := view.Pairs{"hex", m.Hex.String(), "side", a.s.sc.nameOf(m.Side), "sp", strconv.Itoa(m.SP), "ground", x.ground, "row", ""}
	e := view.Event{Kind: "air-attack", Clause: "WB-95 8.2.6", Hexes: []hex.Hex{m.Hex}, Side: string(m.Side), Facts: facts}
	if row := a.s.sc.AirAttack.down(x.sp, a.s.starShift(m)); row != nil {
		label := "air-attack " + m.Hex.String()
		dice := a.r.Roll("WB-95 8.2.6", label, 2, 6)
		x.hit = row.Cells[dice[0]+dice[1]]
		e.Facts = append(facts.With("row", row.name()), "dice", spaced(dice), "label", label, "result", x.hit.words())
		e.Rolls = []string{label}
	}
	a.r.Tell(e)
	return x
}

// underCover takes off an attack from the air what the ground is worth, and says it.
//
// WB-95 8.2.7
// reading WB-95 8.2.7: the ground of the hex only, no rivers and no fortifications;
// with nothing left no dice are thrown.
func (s *State) underCover(sp int, h hex.Hex) (left int, ground string) {
	cms := s.groundCMs(h)
	if len(cms) == 0 {
		return sp, ""
	}
	var kinds []string
	for _, m := range cms {
		kinds = append(kinds, m.why)
	}
	return max(0, sp-2*sum(cms)), fmt.Sprintf("less %d for %s", 2*sum(cms), strings.Join(kinds, " and "))
}

// words says a cell of a StrikeTable.
func (s Strike) words() string {
	var out []string
	if s.Loss > 0 {
		out = append(out, counted(s.Loss, "step")+" lost")
	}
	if s.Disorg {
		out = append(out, "disorganized")
	}
	if s.Wreck {
		out = append(out, "destroyed")
	}
	if len(out) == 0 {
		return "no effect"
	}
	return strings.Join(out, ", ")
}

// suffer lets an air attack take effect. Which units lose is for their owner to
// know; to be attacked at all breaks the rest of disorganized units.
//
// WB-95 5.6.1
// WB-95 5.6.5
// reading WB-95 8.2.6: D strikes all units of the hex.
func (a *airWar) suffer(x *raid) {
	s, h := a.s, x.m.Hex
	for _, u := range s.unitsAt(h) {
		s.disturb(u)
	}
	for i := 1; i <= x.hit.Loss && len(s.unitsAt(h)) > 0; i++ {
		a.loseOne(h, i, x.hit.Loss)
	}
	if !x.hit.Disorg {
		return
	}
	for _, u := range s.unitsAt(h) {
		s.disorganize(u)
	}
}

// loseOne takes one step on a hex, of a unit of its owner's choice.
func (a *airWar) loseOne(h hex.Hex, i, of int) {
	s, us := a.s, a.s.unitsAt(h)
	side, u := us[0].c.Side, us[0]
	if len(us) > 1 && s.stackSteps(h) > of-i+1 {
		d := adjudicator.Decision{Label: fmt.Sprintf("air-loss %v %d", h, i), Kind: kindLoss, Side: a.s.chief(side, us), Clause: "WB-95 8.2.6"}
		for _, v := range us {
			d.Options = append(d.Options, adjudicator.Option{Answer: v.c.Name, Means: v.c.Name + " " + afterLoss(v, v.Steps-1)})
		}
		var p *Unit
		p, d.Source = a.proposeLoss(side, h, us)
		d.Proposal = p.c.Name
		answer := a.r.Ask(d)[0]
		u = us[slices.IndexFunc(us, func(v *Unit) bool { return v.c.Name == answer })]
	}
	name, text := u.c.Name, afterLoss(u, u.Steps-1)
	s.loseStep(u)
	a.r.Tell(view.Event{Kind: "air-loss", Clause: "WB-95 8.2.6", To: to(side), Hexes: []hex.Hex{h}, Facts: view.Pairs{"unit", name, "left", text}})
}

// proposeLoss finds who loses a step to the air: by the standing orders for a
// unit, the hex or the side, else the unit with the most steps, of equals the
// weakest, guns and headquarters last.
func (a *airWar) proposeLoss(side Side, h hex.Hex, us []*Unit) (*Unit, string) {
	here := func(*Unit) hex.Hex { return h }
	for _, rank := range []scope{forUnit, forHex, forAll} {
		for _, o := range a.s.inForce(side, a.standing[side]) {
			if o.scope() != rank || !o.covers(us, here) || !o.speaksFor(a.s, us) {
				continue
			}
			if u := lossBy(o.how, us); u != nil {
				return u, o.how.source
			}
		}
	}
	rank := func(u *Unit) int {
		switch {
		case u.c.Type == HQ:
			return 2
		case u.towedGun():
			return 1
		}
		return 0
	}
	return slices.MinFunc(us, func(x, y *Unit) int {
		return cmp.Or(rank(x)-rank(y), y.Steps-x.Steps, byStrength(x, y))
	}), defaultSource
}

// leastOnObject is the least strength of an attack on an object.
//
// WB-95 8.2.10
const leastOnObject = 4

// bomb resolves the attacks on bridges. Ground does not count.
//
// reading WB-95 14.1.4: aircraft may strike any bridge; that it must be one's own
// binds ground units only. The result shows at once.
func (a *airWar) bomb() {
	for i := range a.s.Missions {
		m := &a.s.Missions[i]
		// WB-95 14.1.1: bridges are objects
		if m.Kind != airBridge || m.Used {
			continue
		}
		sp := 0 // of all missions to the bridge, by whichever end they name it
		for j := range a.s.Missions {
			if o := &a.s.Missions[j]; o.Side == m.Side && o.Edge == m.Edge {
				o.Used = true
				sp += o.SP
			}
		}
		ends := []hex.Hex{m.Edge.A, m.Edge.B}
		if !a.s.bridgeStands(m.Edge) {
			a.r.Tell(view.Event{Kind: "air-wasted", Clause: "WB-95 8.2.8", To: to(m.Side), Hexes: ends,
				Facts: view.Pairs{"what", m.String(), "why", "no bridge stands there"}})
			continue
		}
		label := "air-bridge " + m.Edge.String()
		dice := a.r.Roll("WB-95 8.2.8", label, 2, 6)
		// WB-95 8.2.8: by the table for objects
		// WB-95 8.2.9: without the ground
		row := a.s.sc.Objects.row(sp)
		hit := row.Cells[dice[0]+dice[1]]
		a.r.Tell(view.Event{Kind: "air-bridge", Clause: "WB-95 8.2.8", Hexes: ends, Side: string(m.Side), Rolls: []string{label}, Facts: view.Pairs{
			"bridge", m.Edge.String(), "side", a.s.sc.nameOf(m.Side), "sp", strconv.Itoa(sp), "row", row.name(),
			"dice", spaced(dice), "label", label, "result", hit.words()}})
		if hit.Wreck {
			a.s.setBridge(m.Edge, false)
		}
	}
}

// supplyLoad is the strength that carries one load of supplies.
//
// WB-95 8.2.24
const supplyLoad = 7

// supply drops supplies.
//
// WB-95 8.2.25
// WB-95 8.2.26
// reading WB-95 8.2.24: every full seven points over a hex are a mission with a die
// of its own.
func (a *airWar) supply() {
	for i := range a.s.Missions {
		m := &a.s.Missions[i]
		if m.Kind != airSupply {
			continue
		}
		m.Used = true
		clause := a.s.sc.Profile.air(25)
		label := fmt.Sprintf("air-supply %v %s", m.Hex, m.Side)
		dice := a.r.Roll(clause, label, m.SP/supplyLoad, 6)
		good := 0
		for _, d := range dice {
			good += btoi(d < 6)
		}
		var who []*Unit
		for _, u := range a.s.unitsAt(m.Hex) {
			if u.c.Side == m.Side && u.OoS > 0 {
				u.OoS = max(0, u.OoS-good)
				who = append(who, u)
			}
		}
		a.r.Tell(view.Event{Kind: "air-supply", Clause: clause, To: to(m.Side), Hexes: []hex.Hex{m.Hex}, Rolls: []string{label}, Facts: view.Pairs{
			"hex", m.Hex.String(), "dice", spaced(dice), "label", label, "good", counted(good, "load"), "units", names(who)}})
	}
}
