package famous

import (
	"fmt"
	"slices"

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
	last   []string          // the programmes that the side filed last, as sections
}

// Check judges a sheet in the sender's own fog.
func (g *Game) Check(v *view.View, sheet *orders.Sheet) *adjudicator.Filing {
	v = v.Now()
	c := &check{side: Side(v.Side), acting: v.Acting, after: map[string]hex.Hex{}, filing: adjudicator.NewFiling(sheet), guards: map[string]string{}, last: v.Programmes}
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
	words := c.opening(sec)
	if len(words) == 0 || words[0].Text != "CHIT" {
		c.refuse(phrase.Opening(sec), &rule.Violation{Why: "EVERY CHIT opens the lines that stand behind those of every programme"})
		c.fallsWith(sec)
		return
	}
	for _, o := range phrase.AllOnSheet(c.s.sc.withInline(words[1:], sec.Orders)) {
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
	if names, is := phrase.AsLastTurn(c.opening(sec)); is && sec.Name == "CHIT" && !c.s.sc.before(8) {
		c.asLastTurn(sec, names)
		return
	}
	all := c.ofEachChit(sec)
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
	list := t.withEvery(phrase.AllOnSheet(c.s.sc.withInline(h.inline, sec.Orders)))
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

// noteWhere keeps where a programme leaves its units.
func (c *check) noteWhere(trial *State) {
	for u := range trial.army(c.side) {
		if u.did.active {
			c.after[u.ID] = u.Hex
		}
	}
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
