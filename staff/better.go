package staff

import "strings"

// mostStale is how many changes in a row may come to no new plan.
const mostStale = 150

// better changes the best plan piece by piece, and keeps what does better on the whole.
func (t *thinking) better() {
	for len(t.sketches) < t.wanted() && t.left(60) {
		if !t.draw() {
			break
		}
	}
	best, n, drafts := t.best(t.plans), len(t.sketches), len(t.plans)
	t.try(best, n)
	for stale := 0; t.left(80) && stale < mostStale; stale++ {
		p := t.another(best, t.plans[:drafts])
		if p == nil {
			continue
		}
		stale = 0
		if t.beats(p, best, n) {
			best = p
		}
	}
}

// another is a plan that nobody has thought of yet: the best with something changed, or one that is drafted
// anew; nil if none comes up.
func (t *thinking) another(best *plan, drafts []*plan) *plan {
	if t.anew() && t.lot.IntN(2) == 0 {
		return t.draftNear(best.as, drafts[t.lot.IntN(len(drafts))].as)
	}
	d, ok := t.change(best, drafts)
	if !ok {
		return nil
	}
	return t.add(best.as, d)
}

// anew tells whether plans are drafted anew while the best is bettered. A chief who knows what does well in the long
// run does not leave that for what a rehearsal sees.
func (t *thinking) anew() bool { return t.office.anew && t.o.Strength == Chief && !t.usual.learnt }

// draftNear is a plan by a temper near the best plan's, now and then near another one's: with places that
// count more or less to it, and something else that is different.
func (t *thinking) draftNear(as, other temper) *plan {
	if t.lot.IntN(3) == 0 {
		as = other
	}
	as.bias = t.lot.Uint64()
	switch t.lot.IntN(4) {
	case 0:
		as.gain = max(leastPercent, as.gain+30*(t.lot.IntN(7)-3))
	case 1:
		as.dear = max(leastPercent, as.dear+20*(t.lot.IntN(7)-3))
	case 2:
		as.stubborn = !as.stubborn
	case 3:
		as = t.aimed(as)
	}
	text, err := t.draft(t.v, as)
	if err != nil {
		return nil
	}
	price := t.office.prices.sheetOn(t.v)
	t.spent, t.drafted = t.spent+price, t.drafted+price
	return t.add(as, parted(text))
}

// leastPercent is by how many percent a number is changed downward at most.
const leastPercent = -90

// aimed is a temper with its main effort at one of the enemy's places.
func (t *thinking) aimed(as temper) temper {
	if len(t.v.Objectives) == 0 {
		return as
	}
	if o := t.v.Objectives[t.lot.IntN(len(t.v.Objectives))]; o.Owner != t.v.Side {
		as.name, as.focus = mainEffort(o.Hex), o.Hex
	}
	return as
}

// beats tries a plan on the sketches one by one against the best so far, and gives up as soon
// as it is well behind, or when half of them show no difference.
func (t *thinking) beats(p, best *plan, sketches int) bool {
	ahead := 0
	for n := 1; n <= sketches; n++ {
		if !t.affords(1) {
			return false
		}
		t.try(p, n)
		ahead += p.worth[n-1] - best.worth[n-1]
		if ahead < -n*patience || 2*n >= sketches && ahead <= 0 {
			return false
		}
	}
	return true
}

// patience is how far behind, on each sketch, a change may be and still be tried on the next.
const patience = 4000

// change is the plan with something changed: a section or an order as another plan has it, an
// order left out, or one written more or less boldly.
func (t *thinking) change(p *plan, drafts []*plan) (d draft, ok bool) {
	switch t.lot.IntN(3) {
	case 0:
		return t.borrow(p, drafts)
	case 1:
		return t.graft(p, drafts)
	}
	sec := t.lot.IntN(max(1, len(p.draft.sections)))
	if sec >= len(p.draft.sections) || len(p.draft.sections[sec].orders) == 0 || p.draft.sections[sec].name == "STANDING" {
		return d, false
	}
	s := p.draft.sections[sec]
	k := t.lot.IntN(len(s.orders))
	if t.lot.IntN(3) > 0 || !s.edited() {
		return p.draft.without(sec, k), s.name != "MOVE"
	}
	for _, o := range otherwise {
		if strings.Contains(s.orders[k], o.was) {
			return p.draft.instead(sec, k, strings.Replace(s.orders[k], o.was, o.is, 1)), true
		}
	}
	return d, false
}

// edited tells whether single orders of a section are written otherwise.
func (s section) edited() bool { return strings.HasPrefix(s.name, "CHIT") || s.name == "ATTACK" }

// otherwise is how orders may be written as well.
var otherwise = []struct{ was, is string }{
	{"MIN 1:1", "MIN 3:1"}, {"MIN 2:1", "MIN 1:1"}, {"MIN 3:1", "MIN 2:1"},
	{"PURSUE FULL", "PURSUE NO"}, {"PURSUE OCCUPY", "PURSUE NO"}, {"PURSUE NO", "PURSUE OCCUPY"},
	{" PUSH", ""},
}

// from is a section of another plan that may be taken over, false if none comes up.
func (t *thinking) from(p *plan, drafts []*plan) (*plan, section, bool) {
	other := drafts[t.lot.IntN(len(drafts))]
	if other == p || len(other.draft.sections) == 0 {
		return nil, section{}, false
	}
	s := other.draft.sections[t.lot.IntN(len(other.draft.sections))]
	free := strings.HasPrefix(s.name, "CHIT") || s.name == "STANDING" || strings.HasPrefix(s.name, "AIR")
	return other, s, free
}

// borrow is the plan with a section as another plan has it.
func (t *thinking) borrow(p *plan, drafts []*plan) (d draft, ok bool) {
	other, s, ok := t.from(p, drafts)
	if !ok {
		return d, false
	}
	return p.draft.with(s.name, other.draft), true
}

// graft is the plan with an order as another plan has it.
func (t *thinking) graft(p *plan, drafts []*plan) (d draft, ok bool) {
	_, s, ok := t.from(p, drafts)
	at := p.draft.find(s.name)
	if !ok || at < 0 || len(s.orders) == 0 {
		return d, false
	}
	return p.draft.grafted(at, s.orders[t.lot.IntN(len(s.orders))]), true
}
