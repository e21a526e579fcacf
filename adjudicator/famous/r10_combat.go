package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// battle is one attack.
type battle struct {
	s         *State
	r         *adjudicator.Run
	side      Side
	order     attackOrder
	target    hex.Hex
	units     []*Unit // attackers
	guns      []*Unit // artillery in support of the attack
	defenders []*Unit
	shells    []*Unit  // artillery in support of the defence
	chits     [2]drawn // of the attacker, of the defender
	cancelled []int    // kinds of fortifications
	drms      []drm
	column    int
	dice      []int
	result    result
	vacated   bool
	overrun   bool
	told      []view.Event      // of the chits, to be told below the headline
	where     map[*Unit]hex.Hex // of the attackers before the dice
}

// drm is a dice roll modifier and why.
type drm struct {
	why string
	n   int
}

// mayAttack tells why a unit may not take part in an attack on a hex.
//
// GD 6.0/2: only activated units attack
// GD 10.0/1: what is beside them
func (s *State) mayAttack(u *Unit, target hex.Hex) *rule.Violation {
	no := func(clause rule.Clause, why string) *rule.Violation {
		return &rule.Violation{Clause: clause, Why: u.c.Name + " " + why}
	}
	switch {
	case !u.onMap():
		return no("GD 10.0", "is not on the map")
	case u.c.HQ:
		return no("GD 2.4", "is a headquarters and does not attack")
	case u.rides():
		return no("GD 9.5", "rides on a tank")
	case !u.did.active:
		return no("GD 6.0", "is not activated")
	case u.did.fought: // GD 10.0/2
		return no("GD 10.0", "has attacked already")
	case u.Pinned:
		// GD 10.1/8: a pinned unit takes no part
		// GD 11.3/19: nor in any attack
		return no("GD 11.3", "is pinned")
	case u.did.barraged:
		// GD 11.2/14: nor does it advance then
		// GD 11.2/15
		return no("GD 11.2", "has fired a barrage")
	case u.Fired:
		return no("GD 10.2", "has fired")
	case u.did.cleared: // GD 16.1/6
		return no("GD 16.1", "has cleared fortifications this turn")
	case !s.sc.Board.Grid.Adjacent(u.Hex, target): // GD 10.0/5
		return no("GD 10.0", fmt.Sprintf("is not beside %v", target))
	case !s.inCommand(u): // GD 10.0/6
		return no("GD 10.0", "is out of its headquarters' activation range")
	}
	return nil
}

// attack fights one attack of the programme. The Violation says why it is not fought.
//
// GD 10.0/3: nobody has to attack
// GD 10.1/1
func (s *State) attack(r *adjudicator.Run, side Side, o attackOrder) (*battle, *rule.Violation) {
	if s.holder(o.target) != s.sc.Other(side) {
		return nil, &rule.Violation{Clause: "GD 10.1", Why: fmt.Sprintf("no enemy stands on %v", o.target)}
	}
	o = s.withAll(o)
	b := &battle{s: s, r: r, side: side, order: o, target: o.target, overrun: o.overrun, where: map[*Unit]hex.Hex{}}
	for _, u := range o.units { // GD 10.0/4: of a stack those that the order names
		v := s.mayAttack(u, o.target)
		switch {
		case v == nil:
			b.units = append(b.units, u)
		case len(o.units) == 1:
			return nil, v
		default:
			s.skip(r, o.text, v)
		}
	}
	if len(b.units) == 0 {
		return nil, &rule.Violation{Clause: "GD 10.0", Why: fmt.Sprintf("nobody can attack %v", o.target)}
	}
	b.defenders = s.on(o.target)
	if v := b.mayOverrun(); v != nil {
		return nil, v
	}
	b.support()
	if v := b.enough(); v != nil {
		return nil, v
	}
	b.fight()
	if b.vacated {
		s.soFar.took = append(s.soFar.took, b.target)
	}
	return b, nil
}

// withAll is an attack WITH ALL by those who can make it now.
func (s *State) withAll(o attackOrder) attackOrder {
	if o.all {
		o.units = slices.DeleteFunc(slices.Clone(o.units), func(u *Unit) bool {
			return u.attack() == 0 || s.mayAttack(u, o.target) != nil
		})
	}
	return o
}

// strengths are the sums of both sides.
//
// reading GD 2.4: a headquarters adds no strength to a stack; alone it defends with what is printed.
func (b *battle) strengths() (attack, defence int) {
	// GD 10.0/7: attackers from several hexes add up
	// GD 10.1/2
	// GD 10.2/1: guns add their attack
	for _, u := range slices.Concat(b.units, b.guns) {
		attack += u.attack()
	}
	// GD 9.5/5: of a tank and its rider only the tank counts
	// GD 10.0/8: all defenders are attacked as a sum
	// GD 10.1/3
	// GD 10.2/12: a gun that has fired defends as ever
	for _, u := range combatants(b.defenders) {
		defence += u.defence()
	}
	// GD 10.2/3: guns add their attack to the defence
	for _, u := range b.shells {
		defence += u.attack()
	}
	return attack, defence
}

// ratio is the column of the table for two sums.
//
// GD 10.1/4: rounded in the defender's favour
// reading GD 10.1: a weaker attacker has 1-n with n rounded up.
func ratio(attack, defence int) int {
	defence = max(1, defence)
	if attack >= defence {
		return 2 + min(attack/defence, 5) // GD 10.1/9: more than 5-1 is 5-1
	}
	if attack < 1 {
		return 0
	}
	return 4 - min((defence+attack-1)/attack, 4) // GD 10.1/10: less than 1-4 is 1-4
}

// enough drops an attack whose odds are below the order's MIN, if it has one and the defender
// was there to be seen; walking into hidden strength is not taken back.
//
// deviation GD 10.1: an order may ask for a least column, which players at a table would judge themselves.
func (b *battle) enough() *rule.Violation {
	a, d := b.strengths()
	if !b.s.watches(b.side, b.target) {
		d = assumedDefence
	}
	if c := ratio(a, d); c < b.order.min {
		for _, g := range b.guns {
			g.Fired = false
		}
		return &rule.Violation{Clause: "GD 10.1", Why: fmt.Sprintf("%d against %d is %s, below %s", a, d, columns[c], columns[b.order.min])}
	}
	return nil
}

// assumedDefence is what a stack that cannot be inspected is reckoned to be worth.
const assumedDefence = 12

// fight resolves the attack from the chits to the advance.
func (b *battle) fight() {
	s := b.s
	for _, u := range b.units {
		u.did.fought, u.did.started, u.did.stopped = true, true, true // GD 3.4/5: nobody attacks and then moves
		if u.isGun() {
			u.Fired = true
		}
		b.where[u] = u.Hex
	}
	b.defend()
	// GD 1.1/5: units that fight are revealed
	s.reveal(s.sc.Other(b.side), slices.Concat(b.units, b.guns))
	s.reveal(b.side, slices.Concat(b.defenders, b.shells))
	a, d := b.strengths()
	b.column = ratio(a, d)
	b.events()
	b.modifiers()
	b.roll()
	b.tell(a, d)
	b.apply()
}

// modifiers adds up what ground, works, weather and hour do to the dice.
func (b *battle) modifiers() {
	s := b.s
	add := func(why string, n int) {
		if n != 0 {
			b.drms = append(b.drms, drm{why, n})
		}
	}
	half := func(n int) int { return n }
	// GD 16.0/1: with an engineer in the attack ground and works count half
	if b.withEngineers() {
		half = func(n int) int { return n / 2 } // GD 16.0/2: each by itself, rounded down
	}
	ground := 0
	for _, n := range s.sc.ground[s.sc.Board.Grid.Index(b.target)].drms {
		ground += half(n) // GD 10.1/11: all kinds of terrain add up
	}
	add("ground", ground)
	works := 0
	for _, n := range s.fortDRMs(b.target, b.from(), b.cancelled) {
		works += half(n) // GD 10.1/12
	}
	add("works", works)
	add(b.water()) // GD 16.0/3: which is not halved
	// GD 10.1/14: weather and evening
	// GD 14.1/4: rain
	// reading GD 14.1: what rain and storm add to "all attacks" they add to those of 10.1 alone, as the text says of snow, which has a figure of its own for direct fire.
	// GD 14.1/7: a storm
	// GD 14.1/12: snow
	add(strings.ToLower(s.weather().Name), s.weather().DRM)
	add(strings.ToLower(s.part().Name), s.part().DRM) // GD 13.1/2
}

// withEngineers tells whether ground and works count half.
func (b *battle) withEngineers() bool {
	return slices.ContainsFunc(b.units, func(u *Unit) bool { return u.c.Engineer })
}

// drm is the sum of the modifiers.
func (b *battle) drm() (n int) {
	for _, m := range b.drms {
		n += m.n
	}
	return n
}

// from lists the hexes that are attacked from.
func (b *battle) from() []hex.Hex {
	var out []hex.Hex
	for _, u := range b.units {
		h := b.where[u]
		if h == hex.None {
			h = u.Hex
		}
		if !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// water is the modifier of the hexsides if all attack across water: of the stream or
// river, or of an intact bridge if anybody attacks across one. A pontoon is none.
//
// reading GD 10.8: where some attack across a stream and all others across a river the stream counts.
func (b *battle) water() (why string, n int) {
	bridge := false
	for _, h := range b.from() {
		e := b.s.edge(h, b.target)
		switch {
		case b.overBridge(h, e):
			bridge = true
		case e.water == nil:
			// GD 10.1/13: only if all attack across such a hexside
			// GD 10.8/4: be it bridged or not
			return "", 0
		case why == "", e.water.DRM < n:
			// GD 10.8/1: two more across a stream
			// GD 10.8/2: four across a river or canal
			why, n = e.water.Name, e.water.DRM
		}
	}
	if bridge {
		return "bridge", 1 // GD 10.8/3: and nothing else
	}
	return why, n
}

// overBridge tells whether who attacks from a hex comes over an intact bridge.
//
// GD 12.1/9: a pontoon changes nothing
func (b *battle) overBridge(from hex.Hex, e *side) bool {
	if !e.bridge || b.s.blown[hex.Between(from, b.target)] {
		return false
	}
	return e.water != nil || e.major
}

// edge is the hexside from one hex to the next.
func (s *State) edge(from, to hex.Hex) *side {
	d, ok := s.sc.Board.Grid.Direction(from, to)
	if !ok {
		return nil
	}
	return &s.sc.edges[s.sc.Board.Grid.Index(from)*6+int(d)]
}

// roll throws the dice: two, at night three.
//
// reading GD 10.1: an attack across a bridge has two dice and the +1 of 10.8; with the three dice
// of 10.1 as well a bridge would be worse than a swim (switch bridge_three_dice).
func (b *battle) roll() {
	// GD 10.1/15: two dice
	// GD 10.1/16: three at night
	// GD 13.2/2
	// GD 13.2/3: the evening's modifier is not the night's
	n := b.s.part().Dice
	if b.s.sc.Switches.BridgeThreeDice && b.acrossBridge() {
		n = max(n, 3)
	}
	b.dice = b.r.Roll("GD 10.1", b.s.label("combat %v", b.target), n, 6)
	b.result = b.s.sc.Combat[b.net()][b.column] // GD 10.1/18
}

func (b *battle) acrossBridge() bool {
	why, _ := b.water()
	return why == "bridge"
}

// net is the modified roll, 2 to 12.
//
// GD 10.1/17
func (b *battle) net() int {
	n := b.drm()
	for _, d := range b.dice {
		n += d
	}
	return max(2, min(12, n))
}

func (b *battle) label() string {
	n := b.s.shots[fmt.Sprintf("combat %v", b.target)]
	if n > 1 {
		return fmt.Sprintf("combat %v %d", b.target, n)
	}
	return fmt.Sprintf("combat %v", b.target)
}

// withAttack lists units with what each brings to a sum: "1/1Mot 4, 2/1Mot 4".
func withAttack(us []*Unit) string {
	return withNumber(us, func(u *Unit) int { return u.attack() })
}

// withDefence lists defenders with what each brings: nothing, who does not count beside
// others.
func withDefence(us []*Unit) string {
	count := combatants(us)
	return withNumber(us, func(u *Unit) int {
		if !slices.Contains(count, u) {
			return 0
		}
		return u.defence()
	})
}

func withNumber(us []*Unit, worth func(*Unit) int) string {
	var out []string
	for _, u := range us {
		out = append(out, fmt.Sprintf("%s %d", u.c.Name, worth(u)))
	}
	return strings.Join(out, ", ")
}

// tell reports the attack to both sides.
func (b *battle) tell(a, d int) {
	var why []string
	for _, m := range b.drms {
		why = append(why, fmt.Sprintf("%s %+d", m.why, m.n))
	}
	var dice []string
	for _, n := range b.dice {
		dice = append(dice, fmt.Sprint(n))
	}
	f := view.Pairs{"hex", b.target.String(), "side", string(b.side), "units", names(b.units), "enemy", names(b.defenders), "attack", fmt.Sprint(a), "defence", fmt.Sprint(d),
		"column", columns[b.column], "drms", strings.Join(why, ", "), "dice", strings.Join(dice, " "), "label", b.label(), "roll", fmt.Sprint(b.net()), "result", string(b.result),
		"meaning", meanings[b.result], "guns", names(b.guns), "shells", names(b.shells), "overrun", ""}
	f = append(f, "force", withAttack(b.units), "guard", withDefence(b.defenders), "gunfire", withAttack(b.guns), "shellfire", withAttack(b.shells))
	if b.overrun {
		f = f.With("overrun", "yes")
	}
	if b.withEngineers() {
		f = f.With("halved", "yes")
	}
	b.r.Tell(view.Event{Kind: "combat", Clause: "GD 10.1", Hexes: append([]hex.Hex{b.target}, b.from()...), Facts: f, Mark: "combat", Side: string(b.side), Rolls: []string{b.label()}})
	for _, e := range b.told {
		b.r.Tell(e)
	}
}

// say keeps an event until the headline of the attack is told.
func (b *battle) say(e view.Event) { b.told = append(b.told, e) }
