package staff

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/staff/sandtable"
)

// Thought is a sheet and why it was chosen.
type Thought struct {
	Sheet string
	// Plan names the plan that was chosen, Others those that were weighed with it, the best
	// first; none of a cadet.
	Plan   Weighed
	Others []Weighed
	// Lead is by how much a plan that was chosen leads the usual one, if [Officer.Fresh] asks for it.
	Lead   Lead
	Units  int // of work, see [Strength.Units]
	Failed int // rehearsals that could not be played to their end
	// Unrehearsed says why nothing could be rehearsed, "" if it was.
	Unrehearsed string
}

// Weighed is a plan and what it is expected to bring, in hundredths of a victory point.
type Weighed struct {
	Name  string
	Worth int
}

// thinking is an officer at work on a sheet.
type thinking struct {
	o      Officer
	office office
	game   adjudicator.Game
	v      *view.View
	serial int
	seed   uint64
	lot    *rand.Rand
	errand errand
	usual  temper // see [Officer.usual]
	budget int
	depth  int    // how many own turns a rehearsal goes through
	beyond int    // how many turns after the present one orders for a chit are rehearsed through
	chit   string // the question about a chit whose orders are weighed; "": a sheet is
	spent  int

	kept     *kept
	standing map[adjudicator.Side]*adjudicator.Filing // standing orders, the sheets of who writes programmes later
	plans    []*plan
	sketches []*sketch
	drawn    int // sketches that were tried
	drafted  int // units that it took to draft plans
	tried    int // rehearsals
	failed   int // of them
}

// plan is a sheet that is weighed.
type plan struct {
	name   string
	as     temper
	draft  draft
	text   string
	filing *adjudicator.Filing
	worth  []int // by sketch; those that it was not tried on are missing at the end
}

// Think writes a sheet as [Officer.Sheet], and says why it is that one. An officer who rehearses draws
// positions that agree with the View, tries plans on them, and has nothing but the View to
// make plans from.
func (o Officer) Think(v *view.View, serial int) (Thought, error) {
	if err := checkPlan(v.System, o.Usual); err != nil {
		return Thought{}, err
	}
	if o.LooksAhead() && len(v.Asked) > 0 {
		return o.reply(v, serial)
	}
	first, err := o.draft(v, serial, temper{})
	if err != nil {
		return Thought{}, err
	}
	out := Thought{Sheet: o.allowed(v, first)}
	units := cmp.Or(o.Units, o.Strength.Units())
	_, draws := o.Game.(adjudicator.Drawer)
	_, walks := o.Game.(adjudicator.Walker)
	switch {
	case !o.LooksAhead(), v.Turn == 0:
		return out, nil
	case !draws, !walks:
		out.Unrehearsed = "games of this system are not drawn"
		return out, nil
	}
	t, err := o.thinking(v, serial, units)
	if err != nil {
		return out, err
	}
	if t.answers() && o.Strength == Chief {
		t.budget = t.budget * (100 - shareOfChits) / 100
	}
	t.weighAll()
	out.Units, out.Failed = t.spent, t.failed
	if len(t.sketches) == 0 {
		out.Unrehearsed = "no position could be drawn from the report"
		if t.drawn == 0 && len(t.plans) > 0 {
			out.Sheet, out.Unrehearsed = t.plans[0].text, "the bound of work has no room for a rehearsal"
		}
		return out, nil
	}
	best := t.best(t.plans)
	out.Sheet = best.text
	out.Plan, out.Others, out.Lead = weighed(best), t.others(best), t.lead(best)
	return out, nil
}

// allowed is a sheet without the orders that the rules refuse: what could be done when it was thought
// of may stand in the way of what is ordered with it.
func (o Officer) allowed(v *view.View, text string) string {
	for range mostRefusals {
		f, err := sandtable.Judge(o.Game, offices[v.System].words, v, text)
		if err != nil {
			return text
		}
		refused := map[int]bool{}
		for _, l := range f.Lines {
			if l.Refused != nil {
				refused[l.Pos.Line] = true
			}
		}
		if len(refused) == 0 {
			return text
		}
		text = withoutLines(text, refused)
	}
	return text
}

// mostRefusals bounds how often a sheet is looked through: an order may hang on another that is refused.
const mostRefusals = 4

// thinking begins to work on a sheet.
func (o Officer) thinking(v *view.View, serial, units int) (*thinking, error) {
	seed, err := seedOf(v)
	return &thinking{o: o, office: offices[v.System], game: o.Game, v: v, serial: serial, seed: seed,
		lot: rand.New(rand.NewPCG(seed, 0)), errand: errand{&v.Board.Grid, o.Stood}, usual: o.usual(v), budget: units, depth: o.Strength.depth(v.System),
		standing: map[adjudicator.Side]*adjudicator.Filing{}, kept: &kept{ways: map[string]map[wayTo]*famous.Ways{}, open: map[string]*network{}}}, err
}

// draft writes a sheet as an officer of a temper would.
func (t *thinking) draft(v *view.View, as temper) (string, error) {
	as.kept = t.kept
	return t.o.draft(v, t.serial, as)
}

// seedOf makes equal lots of equal knowledge: from the View without what it has of programs,
// mails and map.
func seedOf(v *view.View) (uint64, error) {
	known := *v
	known.Board, known.Rules, known.Reply = nil, nil, nil
	b, err := json.Marshal(known)
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(sum[:]), nil
}

// left tells whether a share of the budget, in percent, is not spent yet.
func (t *thinking) left(percent int) bool { return t.spent < t.budget*percent/100 }

// affords tells whether so many rehearsals more fit into the budget, as dear as they were so far.
func (t *thinking) affords(rehearsals int) bool { return t.spent+rehearsals*t.each() <= t.budget }

// each is what a rehearsal has cost on the average, the positions drawn for it included.
func (t *thinking) each() int { return (t.spent - t.drafted) / max(1, t.tried) }

// weighAll makes plans, tries them, and betters the best.
func (t *thinking) weighAll() {
	t.draftAll()
	t.drafted = t.spent
	t.halve()
	if !t.answers() || t.chit != "" {
		t.better()
	}
	t.confirm()
}

// draftAll makes the plans, the usual one first.
func (t *thinking) draftAll() {
	for i, as := range t.o.tempers(t.v, t.foci()) {
		if i > 0 && !t.left(25) {
			return
		}
		as.errand, as.craft = t.errand, true
		text, err := t.draft(t.v, as)
		if err != nil {
			continue
		}
		if i == 0 { // what is refused of another plan rules it out, see add
			text = t.o.allowed(t.v, text)
		}
		t.spent += t.office.prices.sheetOn(t.v)
		t.add(as, parted(text))
	}
}

// foci are the places of the enemy's that may be a main effort: those that are nearest to
// most of our strength.
func (t *thinking) foci() []hex.Hex {
	type place struct {
		at hex.Hex
		n  int
	}
	var list []place
	for _, o := range t.v.Objectives {
		if o.Owner != t.v.Side {
			list = append(list, place{o.Hex, weight(&t.v.Board.Grid, t.v.Units, o.Hex) * max(1, abs(o.Points))})
		}
	}
	slices.SortStableFunc(list, func(a, b place) int { return b.n - a.n })
	var out []hex.Hex
	for _, p := range list[:min(3, len(list))] {
		out = append(out, p.at)
	}
	return out
}

// add makes a plan of a draft, unless there is an equal one, or the rules refuse an order of it.
func (t *thinking) add(as temper, d draft) *plan {
	text := d.text()
	if slices.ContainsFunc(t.plans, func(p *plan) bool { return p.text == text }) {
		return nil
	}
	t.spent += t.office.prices.phase
	f, err := sandtable.Judge(t.game, t.office.words, t.v, text)
	if err != nil {
		return nil
	}
	if _, refused := f.Accepted(); refused > 0 && len(t.plans) > 0 {
		return nil
	}
	p := &plan{name: as.name, as: as, draft: d, text: text, filing: f}
	t.plans = append(t.plans, p)
	return p
}

// mostSketches is how many positions are drawn at most, mostFaults how many draws may fail.
const (
	mostSketches = 24
	mostFaults   = 6
)

// draw adds a sketch, and tells whether there is one more.
func (t *thinking) draw() bool {
	for t.drawn-len(t.sketches) < mostFaults && len(t.sketches) < mostSketches {
		sk, err := t.sketchOf(t.drawn)
		t.drawn++
		if err == nil {
			t.sketches = append(t.sketches, sk)
			return true
		}
	}
	return false
}

// try rehearses a plan on the sketches that it has not been tried on, so many in all. On one on
// which it cannot be rehearsed nobody knows what it leads to, and it counts as the worst.
func (t *thinking) try(p *plan, sketches int) {
	for len(p.worth) < sketches {
		if t.o.Pause != nil {
			t.o.Pause()
		}
		t.tried++
		n, err := t.rehearse(p, t.sketches[len(p.worth)])
		if err != nil {
			n = worst
			t.failed++
		}
		p.worth = append(p.worth, n)
	}
}

// mean is what a plan has come to on the first sketches.
func (p *plan) mean(sketches int) int {
	n := min(sketches, len(p.worth))
	if n == 0 {
		return 0
	}
	sum := 0
	for _, w := range p.worth[:n] {
		sum += w
	}
	return sum / n
}

// halve tries all plans on a few positions, the better half on more, until few are left. The
// first stays to the end.
func (t *thinking) halve() {
	alive := slices.Clone(t.plans)
	for n := 1; n <= enoughSketches && t.left(t.share()); n++ {
		if n > 1 && !t.affords(len(alive)) {
			return
		}
		if len(t.sketches) < n && !t.draw() {
			return
		}
		for i, p := range alive {
			if n == 1 && i > 0 && !t.affords(1) {
				return
			}
			t.try(p, n)
		}
		if n%2 == 0 && len(alive) > 3 {
			rank(alive, n)
			alive = alive[:max(3, (len(alive)+1)/2)]
			if !slices.Contains(alive, t.plans[0]) {
				alive = append(alive, t.plans[0])
			}
		}
	}
}

// share is how much of the budget, in percent, plans are compared for before the best is
// bettered: where rehearsals are dear there is no more to do than to compare.
func (t *thinking) share() int {
	if t.tried > 0 && t.each() > t.budget/100 {
		return 90
	}
	return 45
}

// rank sorts plans by what they have come to, of equals in the order in which they were made.
func rank(plans []*plan, sketches int) {
	slices.SortStableFunc(plans, func(a, b *plan) int { return b.mean(sketches) - a.mean(sketches) })
}

// leastLead is how much better than the first plan another one must come out: a tenth of a point. Less is
// luck, and a plan that changes with it every turn is none.
const leastLead = 1_000_000 * 10 / (10 + half)

// luck is how much of the lead of a plan over another one may be luck: a standard error of it on the positions
// that both were tried on.
func (p *plan) luck(other *plan) int {
	n := min(len(p.worth), len(other.worth))
	switch {
	case p == other:
		return 0
	case n < 2:
		return onOne
	}
	sum, squares := 0, 0
	for i := range n {
		lead := p.worth[i] - other.worth[i]
		sum += lead
		squares += lead * lead
	}
	return int(math.Sqrt(float64((squares - sum*sum/n) / (n * (n - 1)))))
}

// onOne is how much of a lead is taken to be luck on a single position: six tenths of a point.
const onOne = 1_000_000 * 60 / (60 + half)

// best is the plan that comes out best of those that were tried most; the first one unless another
// leads, and where rehearsals are few by more than may be luck.
func (t *thinking) best(plans []*plan) *plan {
	most := 0
	for _, p := range plans {
		most = max(most, len(p.worth))
	}
	best := unless(t.plans[0], t.plans[0].mean(most)+leastLead)
	if len(t.plans[0].worth) < most {
		best = choice[*plan]{}
	}
	for _, p := range plans {
		if len(p.worth) == most {
			best.offer(p, p.mean(most)-t.doubt()*p.luck(t.plans[0]))
		}
	}
	return best.best
}

// doubt is by how many standard errors another plan must lead the first one.
func (t *thinking) doubt() int {
	if t.usual.learnt {
		return max(1, t.office.doubt)
	}
	return t.office.doubt
}

// leastSketches, enoughSketches and mostCompared are on how many positions plans are compared:
// while changes are tried more, where rehearsals are cheap, for what does well on few is lucky.
const (
	leastSketches  = 3
	enoughSketches = 6
	mostCompared   = 12
)

// wanted is on how many positions changes are tried.
func (t *thinking) wanted() int {
	return min(mostCompared, max(leastSketches, t.budget/(60*max(1, t.each()))))
}

// confirm tries the best plan and the first one on fresh positions: what was chosen by its luck falls back.
func (t *thinking) confirm() {
	best := t.best(t.plans)
	if best == t.plans[0] {
		return
	}
	for t.affords(3) && t.draw() {
		n := len(t.sketches)
		t.try(best, n)
		t.try(t.plans[0], n)
	}
}

// others are the plans that were tried, the best first, but for one.
func (t *thinking) others(but *plan) (out []Weighed) {
	list := slices.DeleteFunc(slices.Clone(t.plans), func(p *plan) bool { return p == but || len(p.worth) == 0 || p.name == but.name })
	rank(list, mostSketches)
	for _, p := range list {
		if !slices.ContainsFunc(out, func(w Weighed) bool { return w.Name == p.name }) {
			out = append(out, weighed(p))
		}
	}
	return out[:min(3, len(out))]
}

// weighed is a plan with what it was found to bring.
func weighed(p *plan) Weighed {
	m := p.mean(len(p.worth))
	return Weighed{p.name, m * half / max(1, 1_000_000-abs(m))}
}
