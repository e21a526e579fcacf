package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// check judges a sheet on receipt, on a position built from the sender's View.
// Each chit is tried from the position as it stands: nobody knows which comes first.
type check struct {
	side   Side
	s      *State
	after  map[string]hex.Hex // where the programmes leave units, for the preview
	filing *adjudicator.Filing
	every  []phrase.Written  // the lines of EVERY CHIT, which stand behind those of each programme
	acting *view.Acting      // in whose midst the side is asked; nil: it is not
	guards map[string]string // the condition of the last section of a chit, by the entry of its answers
}

// Check judges a sheet in the sender's own fog.
func (g *Game) Check(v *view.View, sheet *orders.Sheet) *adjudicator.Filing {
	v = v.Now()
	c := &check{side: Side(v.Side), acting: v.Acting, after: map[string]hex.Hex{}, filing: adjudicator.NewFiling(sheet), guards: map[string]string{}}
	s, err := g.sc.believe(v)
	if err != nil {
		c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Refused: &rule.Violation{Why: err.Error()}})
		return c.filing
	}
	c.s = s
	c.mode(sheet)
	if s.Phase == setUpStep {
		c.setUpSheet(sheet)
	} else {
		c.turnSheet(sheet)
	}
	c.finish(v)
	return c.filing
}

// turnSheet judges the sheet of a turn, its sections in the order in which they are played.
func (c *check) turnSheet(sheet *orders.Sheet) {
	c.beforeChits(sheet)
	c.sections(sheet, "EVERY")
	c.sections(sheet, "CHIT", "DIVISION")
	c.sections(sheet, "STANDING")
	has := func(names ...string) bool {
		return slices.ContainsFunc(sheet.Sections, func(s orders.Section) bool { return slices.Contains(names, s.Name) })
	}
	if _, answered := c.filing.Answers[kindStanding]; has("STANDING") && !answered {
		c.filing.Answers[kindStanding] = "" // the section takes back what was filed before
	}
	if c.acting != nil {
		c.filing.Notes = append(c.filing.Notes, fmt.Sprintf("What you write for %s stands in the place of all that is left of its programme, the lines of EVERY CHIT among it, and is judged by what it has done.", c.acting.Chit))
	}
	if c.ofDrawn(sheet) {
		c.filing.Notes = append(c.filing.Notes, judgedNow)
	}
}

// ofDrawn tells whether a sheet has programmes of chits that are still to be drawn.
func (c *check) ofDrawn(sheet *orders.Sheet) bool {
	return slices.ContainsFunc(sheet.Sections, func(sec orders.Section) bool {
		isProgramme := sec.Name == "CHIT" || sec.Name == "DIVISION"
		return isProgramme && !c.isActing(c.head(sec).battalion)
	})
}

// beforeChits judges what a sheet has done before the first chit.
func (c *check) beforeChits(sheet *orders.Sheet) {
	c.placements(sheet)
	c.sections(sheet, "FIRST", "SUPPLY")
}

// sections judges the sections of some names.
func (c *check) sections(sheet *orders.Sheet, names ...string) {
	for _, sec := range sheet.Sections {
		if slices.Contains(names, sec.Name) {
			c.section(sec)
		}
	}
}

// judgedNow says on what map programmes are judged.
const judgedNow = "Each chit is judged on the map as it stands now, as if it were drawn first. What the rules forbid when it is drawn is passed over, and the report says so."

// finish puts the verdicts in the order of the sheet.
func (c *check) finish(v *view.View) {
	slices.SortStableFunc(c.filing.Lines, func(a, b adjudicator.Line) int { return a.Pos.Line - b.Pos.Line })
	c.filing.Preview = func() *view.View { return c.preview(v) }
}

func (c *check) section(sec orders.Section) {
	p := &parser{s: c.s, side: c.side}
	switch sec.Name {
	case "FIRST":
		o := phrase.Headed("FIRST", sec.Pos, sec.Args)
		c.turnOrder(p, o, o.Text)
		c.strangers(sec.Orders)
	case "SUPPLY":
		for _, o := range phrase.AllOnSheet(sec.Orders) {
			c.turnOrder(p, o, o.Text)
		}
	case "EVERY":
		c.everyChit(p, sec)
	case "CHIT", "DIVISION":
		c.chit(sec)
	case "STANDING":
		for _, o := range phrase.AllOnSheet(sec.Orders) {
			st := &standing{black: map[string]blackRule{}}
			if v := p.standing(st, o); v != nil {
				c.refuse(o, v)
				continue
			}
			c.answer(kindStanding, o.Text)
			c.accept(o, "noted")
		}
	}
}

// everyChit takes the lines that stand behind those of every programme of the turn.
func (c *check) everyChit(p *parser, sec orders.Section) {
	words := phrase.Uncoloned(sec.Args)
	if len(words) == 0 || words[0].Text != "CHIT" {
		c.refuse(phrase.Opening(sec), &rule.Violation{Why: "EVERY CHIT opens the lines that stand behind those of every programme"})
		c.fallsWith(sec)
		return
	}
	for _, o := range phrase.AllOnSheet(withInline(words[1:], sec.Orders)) {
		_, v := p.parse(o)
		if v == nil && ofFormation(o) {
			v = &rule.Violation{Why: "an order to the formation stands below its own chit"}
		}
		if v != nil {
			c.refuse(o, v)
			continue
		}
		c.every = append(c.every, o)
		c.accept(o, "stands behind the last line of every programme")
	}
}

// placements judges the lines of the set-up, all of them together.
func (c *check) placements(sheet *orders.Sheet) {
	var list []phrase.Written
	var shown []string
	for _, sec := range sheet.Sections {
		if sec.Name != "SETUP" {
			continue
		}
		for _, o := range sec.Orders {
			list, shown = append(list, placement(o)), append(shown, o.String())
		}
	}
	p := &parser{s: c.s, side: c.side}
	for i, v := range p.setUp(list) {
		c.noted(list[i], shown[i], v)
	}
}

// placement is a line of the set-up: what stands behind PLACE in the journal.
func placement(o orders.Order) phrase.Written {
	words := o.Clauses[0]
	if o.Label != "" {
		words = append([]orders.Word{{Text: o.Label + ":"}}, words...)
	}
	place := phrase.Headed(string(verbPlace), o.Pos, words)
	place.Text = string(verbPlace) + " " + o.String()
	return place
}

// strangers refuses orders below a line that takes none.
func (c *check) strangers(list []orders.Order) {
	for _, o := range phrase.AllOnSheet(list) {
		c.refuse(o, &rule.Violation{Why: "no orders stand here", Instead: "Open a CHIT section first."})
	}
}

// fallsWith refuses the lines below one that opens a section and was refused: none of them is filed.
func (c *check) fallsWith(sec orders.Section) {
	head := phrase.Opening(sec).Text
	for _, o := range phrase.AllOnSheet(sec.Orders) {
		c.refuse(o, &rule.Violation{Why: fmt.Sprintf("it is not filed: it stands under %s, which was refused", head)})
	}
}

func (c *check) turnOrder(p *parser, o phrase.Written, shown string) {
	c.noted(o, shown, p.turnOrder(&supplyOrders{}, o))
}

// noted files a line that takes effect before the first chit, unless it is refused.
func (c *check) noted(o phrase.Written, shown string, v *rule.Violation) {
	if v == nil {
		c.answer(c.s.placing(), o.Text)
	}
	l := adjudicator.Line{Pos: o.Pos(), Text: shown, Understood: "noted", Refused: v}
	if v != nil {
		l.At = o.At(v)
	}
	c.line(l)
}

func (c *check) refuse(o phrase.Written, v *rule.Violation) {
	c.line(adjudicator.Line{Pos: o.Pos(), At: o.At(v), Text: o.Text, Refused: v})
}

func (c *check) accept(o phrase.Written, understood string) {
	c.line(adjudicator.Line{Pos: o.Pos(), Text: o.Text, Understood: understood})
}

// line adds a verdict. What is refused was not understood as anything.
func (c *check) line(l adjudicator.Line) {
	if l.Refused != nil {
		l.Understood = ""
	}
	c.filing.Lines = append(c.filing.Lines, l)
}

func (c *check) answer(name, text string) {
	if a := c.filing.Answers[name]; a != "" {
		text = a + "\n" + text
	}
	c.filing.Answers[name] = text
}

// chit judges a programme, of one chit or of several.
func (c *check) chit(sec orders.Section) {
	all := ofEachChit(sec)
	for _, one := range all {
		from := len(c.filing.Lines)
		c.programme(one.sec)
		for i := range c.filing.Lines[from:] {
			if l := &c.filing.Lines[from+i]; len(all) > 1 {
				c.ofChit(l, one.name)
			}
		}
	}
}

// chitSection is a section as it is for one of the chits that its line names.
type chitSection struct {
	name string
	sec  orders.Section
}

// ofEachChit is a section for each of the chits that its opening line names.
func ofEachChit(sec orders.Section) (out []chitSection) {
	k := slices.IndexFunc(phrase.Uncoloned(sec.Args), endsName)
	if k < 0 {
		k = len(sec.Args)
	}
	names := phrase.Parts(sec.Args[:k])
	if len(names) < 2 {
		return []chitSection{{"", sec}}
	}
	for _, name := range names {
		one := sec
		one.Args = slices.Concat(name, sec.Args[k:])
		out = append(out, chitSection{strings.TrimSuffix(phrase.Join(name), ":"), one})
	}
	return out
}

// ofChit says of a line that several chits have, for which of them it is judged.
func (c *check) ofChit(l *adjudicator.Line, name string) {
	p := &parser{s: c.s, side: c.side}
	if bn, v := p.battalion(name); v == nil {
		name = bn
	}
	if l.Understood != "" {
		l.Understood = name + ": " + l.Understood
	}
	if l.Warning != "" {
		l.Warning = name + ": " + l.Warning
	}
	if l.Refused != nil {
		v := *l.Refused
		v.Why = name + ": " + v.Why
		l.Refused = &v
	}
}

// programme judges the programme of one chit.
func (c *check) programme(sec orders.Section) {
	t := c.marches(sec)
	if t == nil {
		return
	}
	t.fights()
	if t.live {
		c.noteWhere(t.s)
	}
}

// marches judges a programme up to the end of its movement; nil: it does not stand.
func (c *check) marches(sec orders.Section) *rehearsal {
	h := c.head(sec)
	goesOn := h.bad == nil && c.isActing(h.battalion)
	entry := programmeEntry(h.battalion)
	if goesOn {
		entry, h.battalion = c.acting.Label, c.acting.Chit
	}
	if h.bad == nil && h.otherwise {
		h.bad = c.noneAbove(entry)
	}
	if h.bad != nil {
		c.refuse(phrase.Opening(sec), h.bad)
		c.fallsWith(sec)
		return nil
	}
	never := c.begin(entry, h.guard)
	trial := c.s.clone()
	if goesOn {
		trial.resume(c.acting)
	}
	t := &rehearsal{check: c, s: trial, p: &parser{s: trial, side: c.side, bn: h.battalion}, entry: entry, live: true}
	if h.guard != "" {
		g, bad := t.p.guard(h.guard)
		if bad != nil {
			c.refuse(phrase.Opening(sec), bad)
			c.fallsWith(sec)
			return nil
		}
		t.live = trial.meets(g, c.side)
		t.warning = trial.never(g, c.side)
	}
	t.warning = joined(never, t.warning)
	list := t.withEvery(phrase.AllOnSheet(withInline(h.inline, sec.Orders)))
	if goesOn {
		t.over = len(c.acting.Over) > 0
	} else {
		trial.beginActivation(c.side)
		t.open(h.battalion, list)
	}
	list = t.unfold(list)
	t.list, t.late = list, ofFighting(list)
	ahead := make([][]string, len(list))
	all := make([]*instruction, len(list))
	for k, o := range list {
		in, v := t.p.parse(o)
		if v != nil || activates(o) {
			continue
		}
		all[k] = in
		if !t.late[k] {
			ahead[k] = t.s.expect(in)
		}
	}
	t.course = t.p.course(all, t.late)
	for k := range list {
		t.s.come(ahead[k])
		t.move(k)
	}
	t.crowds()
	return t
}

// fights tries the orders that belong to the fighting.
func (t *rehearsal) fights() {
	for k := range t.list {
		if t.late[k] {
			t.fight(k)
		}
	}
}

// begin opens a programme in the answers: with its condition if it has one, or as what is
// done otherwise if there are others before it. It warns of one that is never chosen, for one
// above it has no condition.
func (c *check) begin(entry, guard string) (never string) {
	above, more := c.guards[entry]
	switch {
	case more && above == "":
		never = "this section is never chosen: one above it for the chit has no condition"
	default:
		c.guards[entry] = guard
	}
	if more && guard == "" {
		guard = otherwise
	}
	c.answer(entry, guard)
	return never
}

// noneAbove refuses OTHERWISE behind the name of a chit that no section above it has a condition
// for.
func (c *check) noneAbove(entry string) *rule.Violation {
	if c.guards[entry] != "" {
		return nil
	}
	return &rule.Violation{Why: "OTHERWISE opens the programme that is chosen if no condition above it for this chit holds, and there is none above it",
		Instead: "Leave OTHERWISE out, or put a section of the chit with IF above it."}
}

// noteWhere keeps where a programme leaves its units.
func (c *check) noteWhere(trial *State) {
	for u := range trial.army(c.side) {
		if u.did.active {
			c.after[u.ID] = u.Hex
		}
	}
}

// programmeHead is what stands on the line that opens a programme.
type programmeHead struct {
	battalion string
	guard     string
	otherwise bool          // it is chosen if no condition above it holds
	inline    []orders.Word // an order behind the name
	bad       *rule.Violation
}

// head reads the line that opens a programme: the battalion, a guard, or an order.
func (c *check) head(sec orders.Section) (h programmeHead) {
	name, rest := phrase.Uncoloned(sec.Args), []orders.Word(nil)
	if k := slices.IndexFunc(name, endsName); k >= 0 {
		name, rest = name[:k], name[k:]
	}
	if len(rest) > 0 && rest[0].Text == otherwise {
		h.otherwise, rest = true, rest[1:]
	}
	if len(rest) > 0 && slices.Contains(verbWords, rest[0].Text) {
		h.inline = rest
	} else {
		h.guard = orders.Clause(rest).String()
	}
	said := phrase.Join(name)
	switch {
	case sec.Name == "DIVISION":
		if !slices.Contains([]string{"", "HQ"}, said) {
			return programmeHead{bad: &rule.Violation{Why: "DIVISION HQ opens the programme of the division's chit"}}
		}
		said = "DIV"
	case said == "DIVISION HQ":
		said = "DIV"
	}
	p := &parser{s: c.s, side: c.side}
	h.battalion, h.bad = p.battalion(said)
	return h
}

// endsName: a guard or an order begins with the word.
func endsName(w orders.Word) bool {
	switch w.Text {
	case "IF", "UNLESS":
		return true
	}
	return slices.Contains(verbWords, w.Text)
}

// rehearsal tries a programme on a copy of the position, as if its chit came first.
type rehearsal struct {
	*check
	s       *State // the copy
	p       *parser
	entry   string // of the answers
	live    bool   // the condition of the programme holds
	warning string // to be said with the first order
	list    []phrase.Written
	section string // its line, as the guide has it
	late    []bool // which of list belong to the fighting
	parts   []int  // of list: from 1 for the orders that one to the formation above them becomes, ofEvery
	own     int    // how many orders before those of EVERY CHIT
	over    bool   // its movement is over: it is the rest of an activation
	course  *course
}

// withEvery has the lines of EVERY CHIT behind those of a programme, unless it ends before them.
func (t *rehearsal) withEvery(list []phrase.Written) []phrase.Written {
	t.own = len(list)
	if n := len(list); n > 0 && len(t.every) > 0 {
		last, when, v := t.p.leading(list[n-1].Order)
		if words := phrase.Join(slices.Concat(last.Clauses...)); v == nil && words == "STOP ALL" && when.when == nil {
			return list
		}
	}
	return append(slices.Clip(list), t.every...)
}

// ofEvery marks a line of EVERY CHIT in a programme: the sheet has it but once, where it is
// answered.
const ofEvery = -1

// unfold has the orders to units that one to the formation would become behind it.
func (t *rehearsal) unfold(list []phrase.Written) (out []phrase.Written) {
	ofChit := func(i int) int {
		if i >= t.own {
			return ofEvery
		}
		return 0
	}
	if !slices.ContainsFunc(list, ofFormation) {
		for i := range list {
			t.parts = append(t.parts, ofChit(i))
		}
		return list
	}
	for i, u := range t.p.unfold(list) {
		out, t.parts = append(out, u.of), append(t.parts, ofChit(i))
		if !ofFormation(u.of) {
			continue
		}
		for k, o := range u.orders {
			if !ofFormation(o) {
				out, t.parts = append(out, o), append(t.parts, k+1)
			}
		}
	}
	return out
}

// heads judges an order to the formation: what it becomes stands below it.
func (t *rehearsal) heads(k int) {
	n := 0
	for k+1+n < len(t.list) && t.parts[k+1+n] > 0 {
		n++
	}
	l := adjudicator.Line{Pos: t.list[k].Pos(), Text: t.list[k].Text, Warning: t.warning, Understood: "as things stand it becomes these orders"}
	if stays := t.staysBehind(t.list[k], t.list[k+1:k+1+n]); stays != "" {
		l.Understood += "; " + stays
	}
	if n == 0 {
		l.Understood, l.Warning = "", joined(t.warning, "as things stand nobody of it can do that")
	}
	t.answer(t.entry, t.list[k].Text)
	t.line(l)
	t.warning = ""
}

// staysBehind names who of a formation none of its orders moves, "" if there is nobody.
func (t *rehearsal) staysBehind(head phrase.Written, parts []phrase.Written) string {
	f, v := t.p.formation(head)
	if v != nil {
		return ""
	}
	named := map[string]bool{}
	for _, k := range f.keep {
		for _, u := range k.units {
			named[u.ID] = true // as they are told to
		}
	}
	for _, o := range parts {
		in, v := t.p.parse(o)
		if v != nil {
			continue
		}
		for _, u := range in.move.units {
			named[u.ID] = true
		}
	}
	var stay []string
	for _, id := range t.p.inOrder(f, named) {
		stay = append(stay, t.s.unit(id).c.Name)
	}
	switch len(stay) {
	case 0:
		return ""
	case 1:
		return stay[0] + " stays"
	}
	return strings.Join(stay, ", ") + " stay"
}

// open activates the battalion; it warns if the chit does not come this turn.
func (t *rehearsal) open(bn string, list []phrase.Written) {
	var a activation
	if bn == divBattalion {
		a.by = t.s.div(t.side)
		t.p.bn, _ = t.s.divisionTarget(t.p, list, a.by)
	} else {
		a = t.s.ownActivation(t.side, bn)
		if a.stack != hex.None {
			a.stack = t.p.stack(list, a.stack)
		}
	}
	a.side, a.battalion = t.side, t.p.bn
	t.s.activate(a)
	if key := chitKey(t.side, bn); !slices.Contains(slices.Concat(t.s.First, t.s.Cup), key) {
		whose := "its chit"
		if bn == divBattalion {
			whose = "the chit of the division headquarters"
		}
		t.warning = strings.TrimPrefix(t.warning+"; "+whose+" is not in the cup this turn", "; ")
	}
}

// move tries an order if it belongs to the movement; what can be no order is refused here too.
func (t *rehearsal) move(k int) {
	o := t.list[k]
	if activates(o) {
		t.answer(t.entry, o.Text)
		t.line(adjudicator.Line{Pos: o.Pos(), Text: o.Text, Understood: "noted", Refused: t.activates(o), Warning: t.warning})
		return
	}
	if t.course.all[k] == nil {
		if _, v := t.p.parse(o); t.parts[k] != ofEvery {
			t.refuse(o, v)
		}
		return
	}
	if v := t.misplaced(k); v != nil {
		t.course.all[k] = nil
		if t.parts[k] != ofEvery {
			t.refuse(o, v)
		}
		return
	}
	if ofFormation(o) {
		t.heads(k)
		return
	}
	if !t.late[k] {
		t.attempt(k)
	}
}

// misplaced refuses a line that stands where it can never be done.
func (t *rehearsal) misplaced(k int) *rule.Violation {
	if below := k > 0 && t.course.steps[k].otherwise; below && (t.parts[k-1] > 0 || ofFormation(t.list[k-1])) {
		return &rule.Violation{Why: "OTHERWISE stands below an order to units, not to the formation"}
	}
	moves := !t.late[k] && !t.course.all[k].asks && t.course.all[k].ends == stopNothing && !t.course.all[k].quiet
	if t.over && moves {
		return movementOver
	}
	return cmp.Or(t.course.misplaced(k), t.tookNothing(k), t.asksNever(k))
}

// asksNever refuses ASK AFTER an attack that stands nowhere in the programme.
func (t *rehearsal) asksNever(k int) *rule.Violation {
	in := t.course.all[k]
	if !in.after || t.parts[k] == ofEvery || t.attacked(in.on, len(t.list)) {
		return nil
	}
	where := "no attack"
	if in.on != hex.None {
		where += " on " + in.on.String()
	}
	return &rule.Violation{Why: where + " stands in this programme", Instead: "Put the attack above it, or write ASK HERE."}
}

// isActing tells whether a chit is that of the activation in whose midst the side is asked.
func (c *check) isActing(battalion string) bool {
	switch a := c.acting; {
	case a == nil:
		return false
	case battalion == a.Chit:
		return true
	default:
		div := c.s.div(c.side)
		return battalion == divBattalion && div != nil && div.ID == a.HQ
	}
}

// tookNothing refuses a line that asks whether a hex was taken which no line before it attacks. The
// lines of EVERY CHIT stand behind whatever a programme has.
func (t *rehearsal) tookNothing(k int) *rule.Violation {
	when := t.course.steps[k].when
	if when == nil || t.parts[k] == ofEvery {
		return nil
	}
	for _, f := range when.Facts() {
		switch {
		case f.Kind != phrase.FactTook, slices.Contains(t.s.soFar.took, f.Hex):
		case t.course.all[k].after && t.attacked(f.Hex, len(t.list)):
		case !t.late[k]:
			return &rule.Violation{Clause: "GD 9.0", Why: fmt.Sprintf("all movement comes before all fighting: %v cannot be taken before it", f.Hex),
				Instead: "Put the condition behind an order to fight, or behind STOP HERE below one."}
		case !t.attacked(f.Hex, k):
			return &rule.Violation{Why: fmt.Sprintf("no attack on %v stands above this line", f.Hex), Instead: "Put the attack above it, or ask IF ENEMY AT or IF SOVIET HOLDS and the hex."}
		}
	}
	return nil
}

// attacked tells whether an attack that stands above a line may be one on a hex.
func (t *rehearsal) attacked(h hex.Hex, below int) bool {
	return slices.ContainsFunc(t.course.all[:below], func(in *instruction) bool {
		fights := in != nil && (in.verb == verbAttack || in.verb == verbOverrun)
		return fights && (in.attack.atWill || h == hex.None || in.attack.target == h)
	})
}

// crowds warns of hexes that hold too much when all orders to move are done.
func (t *rehearsal) crowds() {
	for i := range t.s.at {
		if t.s.overfull(i) {
			t.filing.Notes = append(t.filing.Notes, fmt.Sprintf("When all of %s have moved %s holds more than its stacking limit: what is too much is lost (GD 7.1).",
				t.p.bn, t.s.describeHex(t.s.sc.Board.Grid.At(i))))
		}
	}
}

// fight tries an order if it belongs to the fighting, which comes after all movement.
func (t *rehearsal) fight(k int) {
	if t.course.all[k] != nil {
		t.attempt(k)
	}
}

// attempt tries an order if it would be its turn as things stand; else it says why not. What
// has a condition, or an order below that is done in its place, is not refused for what may
// change until then.
func (t *rehearsal) attempt(k int) {
	o, st := t.list[k], &t.course.steps[k]
	in, _ := t.p.parse(o) // again: a refusal has put a copy in the place of the units
	in.late = t.late[k]
	if !t.live {
		t.judged(k, adjudicator.Line{Pos: o.Pos(), Text: o.Text, Understood: "if the condition holds", Warning: t.warning})
		return
	}
	l := adjudicator.Line{Pos: o.Pos(), Text: o.Text, Warning: t.warning}
	if st.when != nil {
		l.Warning = joined(l.Warning, t.s.never(*st.when, t.side))
	}
	does, why := t.course.turn(k, func(c phrase.Condition) bool { return t.s.meets(c, t.side) })
	switch {
	case does:
		low := t.trying(in, o, &l)
		t.course.steps[k].nothing = l.Refused != nil || low
		mayChange := st.when != nil || st.otherwise || t.course.quiet(k)
		if l.Refused != nil && mayChange {
			l.Warning, l.Refused = joined(l.Warning, "as things stand "+l.Refused.Why), nil
		}
	case st.when != nil && st.when.OfActivation():
		l.Understood = "if it holds when it is its turn: " + st.when.Text
	case why != nil:
		l.Understood = "left out as things stand: " + why.Why
	case st.otherwise && !st.quiet && st.ends == stopNothing:
		l.Understood = "if the line above comes to nothing"
	case in.after:
		l.Understood = askedAfter
	case in.asks && st.when != nil:
		l.Understood = "you are not asked as things stand: its condition does not hold: " + st.when.Text
	default:
		l.Understood = "noted"
	}
	l.Asks = in.asks
	t.judged(k, l)
}

// judged files a line, and the order for when its chit is drawn if it stands. What an order to the
// formation becomes is found anew then.
func (t *rehearsal) judged(k int, l adjudicator.Line) {
	part := t.parts[k]
	if l.Refused == nil && part < 1 {
		t.answer(t.entry, t.list[k].Text)
	}
	if part == ofEvery {
		return
	}
	l.Part = part
	t.line(l)
	t.warning = ""
}

// joined are two warnings in one.
func joined(a, b string) string { return strings.Trim(a+"; "+b, "; ") }

// trying does an order on the copy and notes what comes of it; it tells whether an attack
// would not be made for its odds.
func (t *rehearsal) trying(in *instruction, o phrase.Written, l *adjudicator.Line) (low bool) {
	keep := t.s.clone()
	keep.commander = t.s.commander
	least := ""
	if in.verb == verbAttack || in.verb == verbOverrun {
		least = t.s.belowMin(t.side, in.attack)
	}
	idle := ""
	if in.fire.anywhere {
		if u, _ := t.s.bestShot(t.side, in.fire.prefer); u == nil {
			idle = "as things stand nobody sees an enemy whom it could harm"
		}
	}
	if l.Understood, l.Refused = t.s.trial(t.p, in); l.Refused != nil {
		l.Refused = t.s.withNearest(in, l.Refused)
		*t.s = *keep
		return false
	}
	if least != "" {
		*t.s = *keep // nobody has fought
	}
	l.Warning = joined(l.Warning, cmp.Or(least, idle, in.standsOff()))
	return least != ""
}

// standsOff warns of a march that has stopped for an enemy who is in sight now.
func (i *instruction) standsOff() string {
	o := i.move
	if o.stopIf == "" || len(o.units) == 0 || !o.goesOn() {
		return ""
	}
	u := o.units[0]
	if !u.onMap() || u.Hex == i.goal() {
		return ""
	}
	return fmt.Sprintf("the enemy is in sight from %v: STOP-IF SPOT stops it there", u.Hex)
}

// activates judges an ACTIVATE line.
func (t *rehearsal) activates(o phrase.Written) *rule.Violation {
	p := &parser{s: t.check.s, side: t.side}
	for _, name := range battalionsOn(o) {
		if _, v := p.battalion(name); v != nil {
			return v
		}
	}
	return nil
}

// trial does an order without dice and says how it is understood.
func (s *State) trial(p *parser, in *instruction) (string, *rule.Violation) {
	switch in.verb {
	case verbPass, verbHold, verbStack:
		return "noted", nil
	case verbAsk:
		return askedHere, nil
	case verbBarrage:
		return s.tryBarrage(in.barrage)
	case verbFire:
		return s.tryFire(in.fire, p.side)
	case verbAttack, verbOverrun:
		return s.weigh(p.side, in.attack)
	}
	if in.late {
		return s.tryDemolition(in.work)
	}
	before := map[*Unit]Cost{}
	for _, u := range in.move.units {
		before[u] = u.did.spent
	}
	if v := s.doMove(nil, p, in); v != nil {
		return "", v
	}
	if len(in.move.units) == 0 {
		return "noted", nil
	}
	u := in.move.units[0]
	text := fmt.Sprintf("%s of %s", points(u.did.spent-before[u]), points(s.allowance(u)))
	if !u.onMap() {
		return text, nil
	}
	text = fmt.Sprintf("to %s, %s", s.describeHex(u.Hex), text)
	if s.threatened(u.idx, u.c.side) {
		text += ", " + inEnemyZone
	}
	return text, nil
}

// noGun says that none of the guns can shell a hex, and why the nearest one cannot.
func (s *State) noGun(guns []*Unit, target hex.Hex) *rule.Violation {
	none := &rule.Violation{Clause: "GD 11.2", Why: fmt.Sprintf("no gun of the chit can shell %v", target)}
	guns = slices.DeleteFunc(slices.Clone(guns), func(u *Unit) bool { return !u.isGun() })
	if len(guns) == 0 {
		return none
	}
	grid := s.sc.Board.Grid
	nearest := slices.MinFunc(guns, func(a, b *Unit) int {
		return cmp.Compare(grid.Distance(a.Hex, target), grid.Distance(b.Hex, target))
	})
	if why := s.mayBarrage(nearest, target); why != nil {
		none.Why += ": " + why.Why
		none.Instead = why.Instead
	}
	return none
}

func (s *State) tryBarrage(o barrageOrder) (string, *rule.Violation) {
	asked := o.guns
	if o = s.withAllGuns(o); len(o.guns) == 0 {
		return "", s.noGun(asked, o.target)
	}
	for _, u := range o.guns {
		if v := s.mayBarrage(u, o.target); v != nil {
			return "", v
		}
		u.Fired, u.did.barraged, u.did.stopped = true, true, true
	}
	return fmt.Sprintf("range %d, three dice above it hit", s.gunDistance(o.guns[0], o.target)), nil
}

func (s *State) tryFire(o fireOrder, side Side) (string, *rule.Violation) {
	if o.anywhere {
		n := 0
		for u, _ := s.bestShot(side, o.prefer); u != nil; u, _ = s.bestShot(side, o.prefer) {
			u.did.shot, u.did.stopped = true, true
			n++
		}
		return fmt.Sprintf("each at whom it has the best chance to harm; %d could fire as things stand", n), nil
	}
	for _, u := range o.units {
		if v := s.mayFire(u, o.target); v != nil {
			return "", v
		}
		u.did.shot, u.did.stopped = true, true
	}
	return fmt.Sprintf("range %d", s.sc.Board.Grid.Distance(o.units[0].Hex, o.target)), nil
}

// tryDemolition judges a demolition below an attack: where the engineer then stands, and
// who then threatens it, nobody knows.
func (s *State) tryDemolition(o workOrder) (string, *rule.Violation) {
	if v := cmp.Or(s.engineerAble(o.unit, "GD 12.0"), s.demolishable(o)); v != nil {
		return "", v
	}
	o.unit.did.worked = true
	return "when the fighting above it is over", nil
}

// weigh judges an attack and says what it comes to as far as its side knows.
func (s *State) weigh(side Side, o attackOrder) (string, *rule.Violation) {
	if o.atWill {
		return "wherever the odds are " + columns[max(0, o.min)] + " or better", nil
	}
	o = s.withAll(o)
	if v := cmp.Or(s.judgeAttackers(side, o), s.judgeGuns(o), s.judgeAdvances(o)); v != nil {
		return "", v
	}
	b := &battle{s: s, side: side, target: o.target, order: o, overrun: o.overrun, units: o.units, guns: o.guns, where: map[*Unit]hex.Hex{}}
	b.defenders = s.on(o.target)
	if v := b.mayOverrun(); v != nil {
		return "", v
	}
	a, d := b.strengths()
	known := "at most as we know"
	if !s.watches(side, o.target) {
		d, known = assumedDefence, "reckoned, nobody sees them"
	}
	for _, u := range slices.Concat(o.units, o.guns) {
		if !slices.Contains(o.guns, u) {
			u.did.fought = true
		}
		if u.isGun() {
			u.Fired = true
		}
		u.did.stopped = true
	}
	b.modifiers()
	who := ""
	if o.all {
		who = names(o.units) + ": "
	}
	return who + fmt.Sprintf("%d against %d (%s): %s, %+d to the dice before the chits", a, d, known, columns[ratio(a, d)], b.drm()), nil
}

// judgeAttackers tells why an attack cannot be made by its units.
func (s *State) judgeAttackers(side Side, o attackOrder) *rule.Violation {
	if s.holder(o.target) != s.sc.Other(side) {
		return &rule.Violation{Clause: "GD 10.1", Why: fmt.Sprintf("no enemy stands on %v", o.target)}
	}
	if len(o.units) == 0 {
		return &rule.Violation{Clause: "GD 10.0", Why: fmt.Sprintf("nobody of the chit stands beside %v and can attack it", o.target)}
	}
	for _, u := range o.units {
		if v := s.mayAttack(u, o.target); v != nil {
			return v
		}
	}
	return nil
}

// judgeGuns tells why an attack cannot have the artillery that its order asks for.
func (s *State) judgeGuns(o attackOrder) *rule.Violation {
	if o.overrun && o.wantsGuns() {
		return &rule.Violation{Clause: "GD 9.4", Why: "no artillery takes part in an overrun"}
	}
	for _, g := range o.guns {
		if v := s.mayJoinAttack(g, o.target); v != nil {
			return v
		}
		if slices.Contains(o.units, g) {
			return &rule.Violation{Clause: "GD 10.2", Why: g.c.Name + " attacks itself"}
		}
	}
	return nil
}

// judgeAdvances tells why the advance after an attack cannot go as ordered.
func (s *State) judgeAdvances(o attackOrder) *rule.Violation {
	for _, a := range o.advances {
		if !slices.Contains(o.units, a.unit) {
			return &rule.Violation{Clause: "GD 10.6", Why: a.unit.c.Name + " does not attack, so it cannot advance"}
		}
		if a.on == hex.None {
			continue
		}
		if a.unit.class() == Leg || !s.sc.Board.Grid.Adjacent(a.on, o.target) {
			return &rule.Violation{Clause: "GD 10.6", Why: fmt.Sprintf("%s cannot go on to %v", a.unit.c.Name, a.on)}
		}
	}
	return nil
}

// preview is the View with the own units where the programmes leave them.
func (c *check) preview(v *view.View) *view.View {
	out := *v
	out.Units, out.Arrivals = nil, nil
	for _, list := range [][]view.Unit{v.Units, v.Arrivals} {
		for _, u := range list {
			if now := c.s.unit(u.ID); now != nil && now.onMap() {
				u.Hex = now.Hex
			}
			if h, ok := c.after[u.ID]; ok {
				u.Hex = h
			}
			if u.Hex != hex.None || slices.Contains(u.Marks, markBeside) {
				out.Units = append(out.Units, u)
			} else {
				out.Arrivals = append(out.Arrivals, u)
			}
		}
	}
	return &out
}
