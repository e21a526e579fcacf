package staff

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// famousPlan is a staff officer's plan for a turn of Famous Divisions: a programme for
// every chit that is still in the cup.
type famousPlan struct {
	v     *view.View
	as    temper
	a     *famous.Adviser
	g     *hex.Grid
	foes  []famous.Foe
	goals []famous.Goal

	attacker bool // our side makes the points
	ways     map[wayTo]*famous.Ways
	danger   []knownRisk     // by hex
	next     []int16         // by hex: one more than the number of the enemy stack that is nearest; 0: not looked for yet
	taken    map[string]bool // guns that a programme has promised to an attack
	sent     map[hex.Hex]int // battalions that go for a goal
	doomed   map[hex.Hex]int // chance in percent that attacks before have taken a lone headquarters
}

// newFamous reads up the rules for a View of Famous Divisions.
func newFamous(g *famous.Game, v *view.View, as temper) (author, error) {
	if as.later && len(v.Asked) == 0 {
		return standingOrders{}, nil
	}
	a, err := g.Advise(v)
	if err != nil {
		return nil, err
	}
	return newFamousPlan(v, a, as), nil
}

func newFamousPlan(v *view.View, a *famous.Adviser, as temper) *famousPlan {
	t := &famousPlan{v: v, as: as, a: a, g: a.Grid(), foes: a.Foes(), goals: a.Goals(), attacker: a.Scorer() != as.turned,
		danger: make([]knownRisk, a.Grid().Len()), taken: map[string]bool{},
		sent: map[hex.Hex]int{}, doomed: map[hex.Hex]int{}}
	if as.kept != nil {
		t.ways = as.kept.on(a.Ground())
	} else {
		t.ways = map[wayTo]*famous.Ways{}
	}
	return t
}

// write writes all sections.
func (t *famousPlan) write(b *sheet) {
	if t.v.Chits == nil {
		return
	}
	if len(t.v.Asked) > 0 {
		t.answer(b)
		return
	}
	for _, bn := range t.own() {
		if list := t.programme(bn); len(list) > 0 {
			b.section("CHIT "+strings.ToUpper(bn), list)
		}
	}
	standingOrders{}.write(b)
}

// standingOrders are a sheet without programmes.
type standingOrders struct{}

func (standingOrders) write(b *sheet) {
	b.section("STANDING", []string{"DEFENSIVE ARTILLERY IF ODDS >= 1-1, KEEP 0", "LOSSES DEPLETED LAST"})
}

// answer writes the programme of a chit that was drawn just now, on the position
// as it stands; the rest holds as filed.
func (t *famousPlan) answer(b *sheet) {
	var plain []string
	for _, q := range t.v.Asked {
		bn, chit := strings.CutPrefix(q.Label, "orders for ")
		list := []string(nil)
		if chit {
			list = t.programme(bn)
		}
		switch {
		case len(list) > 0:
			b.section("CHIT "+strings.ToUpper(bn), list)
		case len(q.Options) > 0:
			plain = append(plain, q.Label+": "+q.Proposal)
		default:
			plain = append(plain, q.Label+": AS FILED")
		}
	}
	b.section("ANSWER", plain)
}

// own lists our chits in the cup.
func (t *famousPlan) own() (out []string) {
	for _, g := range t.v.Chits.Groups {
		if g.Side == t.v.Side {
			out = append(out, g.Own...)
		}
	}
	return out
}

// chitPlan is the plan for one chit.
type chitPlan struct {
	t      *famousPlan
	bn     string
	pieces []famous.Piece
	reach  map[string][]hex.Hex
	busy   map[string]bool
	hq     hex.Hex
	radius int
	goal   famous.Goal
	orders []string
}

// do writes an order down if the rules allow it.
func (k *chitPlan) do(format string, args ...any) bool {
	text := fmt.Sprintf(format, args...)
	if len(text) > lineRoom || k.t.a.Order(text) != nil {
		return false
	}
	k.orders = append(k.orders, text)
	return true
}

// programme is the orders for one battalion: who enters, the attacks that it can
// make together, its headquarters behind them, all others towards their goal, and
// what its guns do.
func (t *famousPlan) programme(bn string) []string {
	k := &chitPlan{t: t, bn: bn, pieces: t.a.Open(bn), reach: map[string][]hex.Hex{}, busy: map[string]bool{}}
	if len(k.pieces) == 0 {
		return nil
	}
	k.hq, k.radius = t.a.Command(bn)
	k.aim()
	k.alight()
	k.muster()
	attacks := k.attacks()
	k.moveHQ(attacks)
	for _, s := range attacks {
		k.march(s)
	}
	k.works()
	k.spread()
	k.barrages(attacks)
	k.fires(attacks)
	for _, s := range attacks {
		k.assault(s)
	}
	busy := len(k.orders) > 0 || len(attacks) > 0
	if busy || t.near(k.pieces) {
		k.orders = append(k.orders, "ATTACK AT-WILL MIN 3-1; ARTILLERY ANY MAX 2")
	}
	return k.orders
}

// muster brings on who is due and finds out where the others can get to.
func (k *chitPlan) muster() {
	for _, p := range k.pieces {
		switch {
		case p.Hex != hex.None:
			k.reach[p.ID] = k.t.a.Reach(p.ID)
		case !p.Beside:
			k.bringOn(p)
			k.busy[p.ID] = true
		}
	}
}

// spread sends everybody without another task to where they should stand.
func (k *chitPlan) spread() {
	for _, p := range k.pieces {
		switch {
		case p.Hex == hex.None, p.HQ, p.Beside, k.busy[p.ID]:
			continue
		}
		if to := k.post(p); to != p.Hex {
			k.move(p, to)
		}
	}
}

// near tells whether one of the units stands beside an enemy.
func (t *famousPlan) near(list []famous.Piece) bool {
	for _, p := range list {
		if p.Hex == hex.None {
			continue
		}
		if d, _ := t.nearest(p.Hex); d <= 1 {
			return true
		}
	}
	return false
}

// way is how far a class of units has to a goal.
func (t *famousPlan) way(class string, goal hex.Hex) *famous.Ways {
	key := wayTo{class, goal}
	if t.ways[key] == nil {
		t.ways[key] = t.a.Ways(class, goal)
	}
	return t.ways[key]
}

// knownRisk is the danger of entering a hex, once it is reckoned.
type knownRisk struct {
	reckoned bool
	hits     int32 // in hundredths
}

// risk is the danger of entering a hex of the map.
func (t *famousPlan) risk(h hex.Hex) int {
	known := &t.danger[t.g.Index(h)]
	if !known.reckoned {
		*known = knownRisk{true, int32(t.as.danger(t.a.Danger(h)))}
	}
	return int(known.hits)
}

// nearest is how far the next enemy stack is from a hex, and which it is; nil if there is none.
func (t *famousPlan) nearest(h hex.Hex) (int, *famous.Foe) {
	if len(t.foes) == 0 {
		return 99, nil
	}
	foe := &t.foes[t.nextFoe(h)]
	return t.g.Distance(h, foe.Hex), foe
}

// nextFoe is the number of the enemy stack that is nearest to a hex, of equals the first; on the map it is looked
// for once.
func (t *famousPlan) nextFoe(h hex.Hex) (next int) {
	i, on := t.g.Find(h)
	if t.next == nil {
		t.next = make([]int16, t.g.Len())
	}
	if on && t.next[i] > 0 {
		return int(t.next[i]) - 1
	}
	best := t.g.Distance(h, t.foes[0].Hex)
	for k := range t.foes {
		if d := t.g.Distance(h, t.foes[k].Hex); d < best {
			best, next = d, k
		}
	}
	if on {
		t.next[i] = int16(next) + 1
	}
	return next
}

// worth is the points that hang on a hex.
func (t *famousPlan) worth(h hex.Hex) int {
	for _, g := range t.goals {
		if g.Hex == h && !g.Ours {
			return g.Points
		}
	}
	return 0
}

// mass is how many battalions' worth of our units stand near a goal.
func (t *famousPlan) mass(h hex.Hex) int {
	n := 0
	for _, u := range t.v.Units {
		switch {
		case u.Hex == hex.None, u.Type == "HQ":
		case t.g.Distance(u.Hex, h) <= 6:
			n++
		}
	}
	return n / 4
}

// aim chooses the goal of the battalion. The attacker goes for what is near and
// worth much, together with others but not with all; the defender guards what the
// enemy is nearest to.
func (k *chitPlan) aim() {
	t := k.t
	best := unless(famous.Goal{}, -1<<30)
	for _, g := range t.goals {
		if t.attacker == g.Ours {
			continue // the attacker takes what is not theirs, the defender keeps what is
		}
		n := k.distance(g.Hex)
		if t.attacker {
			// With the others there, but not where they are enough.
			with := t.mass(g.Hex) + t.sent[g.Hex]
			n -= 4*g.Points + 3*min(3, with) - 4*max(0, with-5)
		} else {
			near, _ := t.nearest(g.Hex)
			n += 2*near + 6*t.sent[g.Hex]
		}
		if g.Hex == t.as.focus {
			n -= 60
		}
		n -= 4 * k.towards(g.Hex)
		best.offer(g, -n)
	}
	k.goal = best.best
	t.sent[k.goal.Hex]++
}

// distance is how far the battalion's companies have to a goal on the average, in half
// movement points.
func (k *chitPlan) distance(goal hex.Hex) int {
	sum, count := 0, 0
	for _, p := range k.pieces {
		switch {
		case p.Hex == hex.None, p.Gun != 0, p.HQ, p.Beside:
			continue
		}
		sum += k.t.way(p.Class, goal).At(p.Hex)
		count++
	}
	return sum / max(1, count)
}

// towards is how many hexes the last march has brought the battalion's companies nearer to a goal,
// on the average.
func (k *chitPlan) towards(goal hex.Hex) int {
	sum, count := 0, 0
	for _, p := range k.pieces {
		switch {
		case p.Hex == hex.None, p.Gun != 0, p.HQ, p.Beside:
			continue
		}
		sum += k.t.as.towards(p.ID, p.Hex, goal)
		count++
	}
	return sum / max(1, count)
}
