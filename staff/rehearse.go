package staff

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/staff/sandtable"
)

// sketch is a position that agrees with the officer's View, with what the others there may be
// taken to order: all plans are tried on the same ones, with the same dice.
type sketch struct {
	number   int
	position []byte
	seed     uint64
	replies  map[adjudicator.Side]*adjudicator.Filing // of those who write at the same moment
	standing map[adjudicator.Side]*adjudicator.Filing // of the others: what holds from before
	reply    temper
	base     int    // what the position is worth before anything is done
	opens    string // the phase with the dice of which the chit comes that orders are asked for
	opening  uint64
}

// repliers are the tempers of the enemy in one sketch after the other.
var repliers = []temper{{}, {}, {gain: -60, dear: -25}, {}, {}, {gain: 100, dear: 40}}

// sketchOf draws the position of a number.
func (t *thinking) sketchOf(number int) (*sketch, error) {
	sk := &sketch{number: number, seed: t.seed + uint64(number), reply: repliers[number%len(repliers)],
		replies: map[adjudicator.Side]*adjudicator.Filing{}, standing: map[adjudicator.Side]*adjudicator.Filing{}}
	lot := rand.New(rand.NewPCG(t.seed, uint64(number)+1))
	pos, err := t.game.(adjudicator.Drawer).Draw(t.v, lot.IntN)
	if err != nil {
		return nil, err
	}
	sk.position = pos
	t.spent += t.office.prices.draw
	w, err := t.game.(adjudicator.Walker).Walk(pos)
	if err != nil {
		return nil, err
	}
	sk.base = t.weigh(w)
	if t.chit != "" {
		return sk, t.drawChit(sk, w)
	}
	for _, side := range t.o.Game.Sides() {
		if side == adjudicator.Side(t.v.Side) {
			continue
		}
		v := w.View(side)
		v.Game = sandtable.GameID
		text, err := t.draft(v, sk.reply)
		if err != nil {
			return nil, err
		}
		t.spent += t.office.prices.sheetOn(v)
		f, err := sandtable.Judge(t.game, t.office.words, v, text)
		if err != nil {
			return nil, err
		}
		if len(v.Due) > 0 {
			sk.replies[side] = f
		} else {
			sk.standing[side] = f
		}
	}
	return sk, nil
}

// rehearse plays a plan on a sketch until the side would write again, and weighs what it
// comes to, against what there was before.
func (t *thinking) rehearse(p *plan, sk *sketch) (worth int, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("a rehearsal on a drawn position: %v", x)
		}
	}()
	side := adjudicator.Side(t.v.Side)
	back := &turning{errand: t.errand, before: StoodOn(t.v)}
	tab := sandtable.NewTable(t.game, t.office.words, t.seats(p, sk, back))
	tab.Plain = t.office.plain
	if t.later() && t.office.unchanged {
		tab.Same = t.standing
	}
	if t.chit == "" {
		tab.HandIn(side, t.v.Turn, p.filing)
		for s, f := range sk.replies {
			tab.HandIn(s, t.v.Turn, f)
		}
		for s, f := range sk.standing {
			tab.Stands(s, f)
		}
		tab.Sheets = t.horizon(sk)
	} else {
		for _, s := range t.o.Game.Sides() {
			tab.HandIn(s, t.v.Turn, &adjudicator.Filing{}) // orders come at the chits
		}
	}
	w, err := t.game.(adjudicator.Walker).Walk(sk.position)
	if err != nil {
		return 0, err
	}
	for !w.At().Over && !t.far(w.At()) {
		done, err := tab.Walk(w, sk.dice(w.At().Label))
		if err != nil {
			return 0, err
		}
		if !done {
			break
		}
		t.spent += t.office.prices.phase
	}
	t.spent += tab.Written*t.sheetPrice() + tab.Replied*t.office.prices.replyOn(t.v)
	if t.chit != "" {
		return bounded(t.weigh(w) - sk.base), nil
	}
	back.look(w.View(side))
	return bounded(t.weigh(w) - sk.base - changeOfPlan*back.units), nil
}

// seats are the players of a rehearsal: officers who answer at chits if the one who rehearses does.
func (t *thinking) seats(p *plan, sk *sketch, back *turning) func(adjudicator.Side) sandtable.Player {
	players := map[adjudicator.Side]sandtable.Player{}
	for _, side := range t.o.Game.Sides() {
		d := drafter{o: Officer{Game: t.o.Game}, as: sk.reply, replies: t.answers()}
		if side == adjudicator.Side(t.v.Side) {
			if t.usual.learnt {
				d.as = t.usual
			}
			d.looks, d.plan, d.turn = back.look, p.as, t.v.Turn
			d.plan.kept = t.kept
			if t.chit != "" {
				d.first = p.text
			}
		}
		d.as.craft, d.as.kept, d.as.later = d.replies, t.kept, t.later()
		players[side] = &d
	}
	return func(side adjudicator.Side) sandtable.Player { return players[side] }
}

// later tells whether programmes are written only when their chits come.
func (t *thinking) later() bool { return t.chit != "" && t.office.later }

// sheetPrice is what the sheet of a turn counts in a rehearsal.
func (t *thinking) sheetPrice() int {
	if t.later() {
		return t.office.prices.phase // standing orders
	}
	return t.office.prices.sheetOn(t.v)
}

// answers tells whether chits are drawn at which the officer writes orders.
func (t *thinking) answers() bool { return t.office.asks && t.o.Replies() }

// changeOfPlan is what it costs that a unit turns back on its march, in hundredths of a point: a
// plan that is changed has to be better than the last one by that.
const changeOfPlan = 15

// turning counts who has turned back when the own side looks at the map the next time.
type turning struct {
	errand
	before Stood
	looked bool
	units  int
}

func (b *turning) look(v *view.View) {
	if b.looked {
		return
	}
	b.looked, b.units = true, b.turnedBack(b.before, v.Units)
}

// horizon is how many sheets are written in a rehearsal after the one that is tried: up to
// the next own one, or to the one behind it.
func (t *thinking) horizon(sk *sketch) int {
	round := len(t.o.Game.Sides())
	if len(sk.replies) > 0 {
		return (t.depth - 1) * round // all write at once
	}
	return t.depth*round - 1
}

// weigh is what a position is worth to the side.
func (t *thinking) weigh(w adjudicator.Walk) int {
	a := account{}
	for _, side := range t.o.Game.Sides() {
		v := w.View(side)
		if v.Side == t.v.Side {
			a.views = append([]*view.View{v}, a.views...)
		} else {
			a.views = append(a.views, v)
		}
	}
	return a.sum()
}

// drafter is an officer of a temper at the sand table.
type drafter struct {
	o       Officer
	as      temper
	plan    temper // in the turn of a number
	turn    int
	first   string           // the answer to the first question; "": none
	replies bool             // writes orders for a chit when it is drawn
	looks   func(*view.View) // is told of each View; may be nil
}

// Replies implements sandtable.Replier.
func (d *drafter) Replies() bool { return d.replies }

// Sheet implements sandtable.Player.
func (d *drafter) Sheet(v *view.View, serial int) (string, error) {
	asked := len(v.Asked) > 0
	if asked && d.first != "" {
		first := d.first
		d.first = ""
		return first, nil
	}
	if d.looks != nil && !asked {
		d.looks(v)
	}
	if asked && v.Turn == d.turn {
		return d.o.draft(v, serial, d.plan)
	}
	return d.o.draft(v, serial, d.as)
}

// dice are those of a rehearsal, the same for an event whatever else happens.
type dice struct {
	seed  uint64
	phase string
}

// dice are those of a phase on the sketch.
func (sk *sketch) dice(phase string) dice {
	if phase == sk.opens {
		return dice{sk.opening, phase}
	}
	return dice{sk.seed, phase}
}

// Throw implements adjudicator.Dice.
func (d dice) Throw(label string, count, sides int) ([]int, []byte, error) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s", d.phase, label)
	r := rand.New(rand.NewPCG(d.seed, h.Sum64()))
	out := make([]int, count)
	for i := range out {
		out[i] = r.IntN(sides) + 1
	}
	return out, nil, nil
}
