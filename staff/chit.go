package staff

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// reply writes the orders of a chit that was drawn, by the plan of the turn. A chief tries those of
// other plans, too, on what may come in the rest of the turn.
func (o Officer) reply(v *view.View, serial int) (Thought, error) {
	as := o.planned(v)
	usual, err := o.draft(v, serial, as)
	out := Thought{Sheet: usual}
	units := o.unitsForChit(v)
	if err != nil || units == 0 {
		return out, err
	}
	t, err := o.thinking(v, serial, units)
	if err != nil {
		return out, err
	}
	t.chit, t.beyond = v.Asked[0].Label, 1
	if t.seed, err = t.seedOfChit(); err != nil {
		return out, nil // a game that is not drawn
	}
	t.lot = rand.New(rand.NewPCG(t.seed, 0))
	t.weighReplies(usual, as)
	out.Units, out.Failed = t.spent, t.failed
	if len(t.sketches) > 0 {
		best := t.best(t.plans)
		out.Sheet = best.text
		out.Plan, out.Others, out.Lead = weighed(best), t.others(best), t.lead(best)
	}
	return out, nil
}

// seedOfChit makes equal lots of equal knowledge, whether a View is of the moment before the chit is
// drawn, as at a table, or of the one after it, as in a mail.
func (t *thinking) seedOfChit() (uint64, error) {
	known := *t.v
	known.Programmes = nil // of the turn before, or with those that this one's chits brought
	pos, err := t.game.(adjudicator.Drawer).Draw(&known, func(int) int { return 0 })
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(append(pos, t.chit...))
	return binary.LittleEndian.Uint64(sum[:]), nil
}

// shareOfChits is how much of their bound, in percent, a chief shares out among the chits of a turn; see office.uneven.
const shareOfChits = 90

// unitsForChit bounds the work on the orders for a chit; 0 is for who rehearses none.
func (o Officer) unitsForChit(v *view.View) int {
	_, draws := o.Game.(adjudicator.Drawer)
	_, walks := o.Game.(adjudicator.Walker)
	rehearses := o.Strength == Chief && draws && walks
	if !rehearses || v.Chits == nil || v.Asked[0].Kind != adjudicator.KindActivation {
		return 0
	}
	share := cmp.Or(o.Units, o.Strength.Units()) * shareOfChits / 100 / (chitsOf(v) + 1)
	return more(share, offices[v.System].uneven)
}

// chitsOf is how many chits a side has in the turn of a View that asks for the orders of one.
func chitsOf(v *view.View) (n int) {
	out := true // the chit that is asked for is neither in the cup nor among those that were played
	is := func(name string) bool { return strings.HasSuffix(v.Asked[0].Label, " "+name) }
	for _, g := range v.Chits.Groups {
		if g.Side == v.Side {
			n += g.Left
			out = out && !slices.ContainsFunc(g.Own, is)
		}
	}
	for _, c := range v.Chits.Played {
		if c.Side == v.Side {
			n++
			out = out && !is(c.Name)
		}
	}
	if out {
		n++
	}
	return n
}

// weighReplies makes orders for a chit as the tempers would write them, the usual ones first, tries
// them, and betters the best.
func (t *thinking) weighReplies(usual string, as temper) {
	t.add(as, parted(usual))
	for _, other := range t.o.tempers(t.v, t.foci()) {
		if !t.left(25) {
			break
		}
		other.craft = true
		text, err := t.draft(t.v, other)
		t.spent += t.office.prices.replyOn(t.v)
		if err == nil {
			t.add(other, parted(text))
		}
	}
	t.drafted = t.spent
	if len(t.plans) < 2 {
		return
	}
	t.halve()
	t.better()
	t.confirm()
}

// mostLots is how often the drawing of a chit is tried.
const mostLots = 2000

// drawChit finds dice by which the chit comes that orders are asked for.
func (t *thinking) drawChit(sk *sketch, w adjudicator.Walk) error {
	sk.opens = w.At().Label
	for n := range uint64(mostLots) {
		sk.opening = sk.seed + n<<32
		q := &question{label: t.chit, side: adjudicator.Side(t.v.Side)}
		if _, err := w.Play(dice{sk.opening, sk.opens}, q); err != nil {
			return err
		}
		if n%8 == 0 {
			t.spent++
		}
		if q.came {
			return nil
		}
	}
	return fmt.Errorf("%s does not come in %s", t.chit, sk.opens)
}

// question waits for a question, with nothing filed.
type question struct {
	label string
	side  adjudicator.Side
	came  bool
}

// Answer implements adjudicator.Answerer.
func (q *question) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	switch {
	case d.Turn:
		return "", "sheet", true
	case d.Kind == adjudicator.KindActivation:
		q.came = q.came || d.Label == q.label && d.Side == q.side
		return "", "", false
	}
	return adjudicator.Standing{}.Answer(d)
}

// far tells whether a rehearsal of orders for a chit has come to its end.
func (t *thinking) far(at adjudicator.Phase) bool {
	return t.chit != "" && at.Turn > t.v.Turn+t.beyond
}
