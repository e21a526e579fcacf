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
}

// Check judges a sheet in the sender's own fog.
func (g *Game) Check(v *view.View, sheet *orders.Sheet) *adjudicator.Filing {
	c := &check{side: Side(v.Side), after: map[string]hex.Hex{}, filing: &adjudicator.Filing{Answers: map[string]string{}, Done: sheet.Done}}
	s, err := g.sc.believe(v)
	if err != nil {
		c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Refused: &rule.Violation{Why: err.Error()}})
		return c.filing
	}
	c.s = s
	c.mode(sheet)
	if s.Phase == 0 {
		c.setUpSheet(sheet)
		c.finish(v)
		return c.filing
	}
	for _, names := range [][]string{{"SETUP"}, {"FIRST", "SUPPLY"}, {"CHIT", "DIVISION"}, {"STANDING"}} {
		for _, sec := range sheet.Sections {
			if slices.Contains(names, sec.Name) {
				c.section(sec)
			}
		}
	}
	if _, ok := c.filing.Answers[kindStanding]; !ok && slices.ContainsFunc(sheet.Sections, func(s orders.Section) bool { return s.Name == "STANDING" }) {
		c.filing.Answers[kindStanding] = ""
	}
	if slices.ContainsFunc(sheet.Sections, func(s orders.Section) bool { return s.Name == "CHIT" || s.Name == "DIVISION" }) {
		c.filing.Notes = append(c.filing.Notes, judgedNow)
	}
	c.finish(v)
	return c.filing
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
	case "SETUP":
		for _, o := range sec.Orders {
			c.turnOrder(p, o.Pos, "PLACE "+o.String(), o.String())
		}
	case "FIRST":
		text := "FIRST " + orders.Clause(sec.Args).String()
		c.turnOrder(p, sec.Pos, text, text)
		c.strangers(sec.Orders)
	case "SUPPLY":
		for _, o := range sec.Orders {
			c.turnOrder(p, o.Pos, o.String(), o.String())
		}
	case "CHIT", "DIVISION":
		c.chit(sec)
	case "STANDING":
		for _, o := range sec.Orders {
			st := &standing{black: map[string]blackRule{}}
			if v := p.standing(st, o.String()); v != nil {
				c.line(o.Pos, o.String(), "", v, "")
				continue
			}
			c.answer(kindStanding, o.String())
			c.line(o.Pos, o.String(), "noted", nil, "")
		}
	}
}

func (c *check) strangers(list []orders.Order) {
	for _, o := range list {
		c.line(o.Pos, o.String(), "", &rule.Violation{Why: "no orders stand here", Instead: "Open a CHIT section first."}, "")
	}
}

func (c *check) turnOrder(p *parser, pos orders.Pos, text, shown string) {
	v := p.turnOrder(&supplyOrders{}, text)
	c.line(pos, shown, "noted", v, "")
	if v == nil {
		c.answer(c.s.placing(), text)
	}
}

func (c *check) line(pos orders.Pos, text, understood string, v *rule.Violation, warning string) {
	if v != nil {
		understood = ""
	}
	c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Pos: pos, Text: text, Understood: understood, Refused: v, Warning: warning})
}

func (c *check) answer(name, text string) {
	if a, ok := c.filing.Answers[name]; ok && a != "" {
		text = a + "\n" + text
	}
	c.filing.Answers[name] = text
}

// chit judges the programme of one chit.
func (c *check) chit(sec orders.Section) {
	bn, guardText, inline, v := c.head(sec)
	if v != nil {
		c.line(sec.Pos, sec.Name+" "+orders.Clause(sec.Args).String(), "", v, "")
		c.strangers(sec.Orders)
		return
	}
	entry := "chit " + bn
	if _, more := c.filing.Answers[entry]; guardText != "" || more {
		c.answer(entry, cmp.Or(guardText, otherwise))
	} else {
		c.answer(entry, "")
	}
	trial := c.s.clone()
	p := &parser{s: trial, side: c.side, bn: bn}
	live := true
	if guardText != "" {
		g, bad := p.guard(wordsOf(guardText))
		if bad != nil {
			c.line(sec.Pos, sec.Name+" "+orders.Clause(sec.Args).String(), "", bad, "")
			return
		}
		live = g.holds(trial, c.side)
	}
	list := append(inline, sec.Orders...)
	if bn == "Div" {
		var texts []string
		for _, o := range list {
			texts = append(texts, o.String())
		}
		own, _ := trial.divisionTarget(p, texts, trial.div(c.side))
		p.bn = own
	}
	warning := c.open(trial, p, bn, list)
	for _, fighting := range []bool{false, true} {
		for _, o := range list {
			c.order(trial, p, o, entry, fighting, live, &warning)
		}
	}
	for i := range trial.Units {
		if u := &trial.Units[i]; live && u.c.Side == c.side && u.Where != Gone && u.active {
			c.after[u.ID] = u.Hex
		}
	}
}

// head reads the line that opens a programme: the battalion, a guard, or an order.
func (c *check) head(sec orders.Section) (bn, guardText string, inline []orders.Order, v *rule.Violation) {
	args := sec.Args
	k := slices.IndexFunc(args, func(w orders.Word) bool {
		return w.Text == "IF" || w.Text == "UNLESS" || slices.Contains(verbWords, w.Text)
	})
	name, rest := args, []orders.Word(nil)
	if k >= 0 {
		name, rest = args[:k], args[k:]
	}
	if len(rest) > 0 && slices.Contains(verbWords, rest[0].Text) {
		inline = []orders.Order{{Pos: rest[0].Pos, Clauses: []orders.Clause{rest}}}
	} else {
		guardText = orders.Clause(rest).String()
	}
	p := &parser{s: c.s, side: c.side}
	if n := phrase.Join(name); sec.Name == "DIVISION" || n == "DIVISION HQ" || n == "DIV" {
		if sec.Name == "DIVISION" && n != "" && n != "HQ" {
			return "", "", nil, &rule.Violation{Why: "DIVISION HQ opens the programme of the division's chit"}
		}
		bn, v = p.battalion([]orders.Word{{Text: "DIV"}})
		return bn, guardText, inline, v
	}
	bn, v = p.battalion(name)
	return bn, guardText, inline, v
}

// open activates the battalion on the trial position; it returns a warning if the
// chit does not come this turn.
func (c *check) open(trial *State, p *parser, bn string, list []orders.Order) string {
	var by *Unit
	stack := hex.None
	if bn == "Div" {
		by = trial.div(c.side)
	} else if by = trial.hq(c.side, bn); by == nil && trial.dueHQ(c.side, bn) == nil {
		var texts []string
		for _, o := range list {
			texts = append(texts, o.String())
		}
		stack = p.stack(texts, trial.bestStack(c.side, bn))
	}
	trial.activate(c.side, p.bn, by, stack)
	trial.activateRiders()
	if key := chitKey(c.side, bn); !slices.Contains(trial.Cup, key) && !slices.Contains(trial.First, key) {
		return "its chit is not in the cup this turn"
	}
	return ""
}

// order tries one order on the trial position.
func (c *check) order(trial *State, p *parser, o orders.Order, entry string, fighting, live bool, warning *string) {
	text := o.String()
	if word, _, _ := strings.Cut(text, " "); word == "ACTIVATE" {
		if !fighting {
			c.answer(entry, text)
			c.line(o.Pos, text, "noted", c.division(text), *warning)
		}
		return
	}
	in, v := p.parse(text)
	if v != nil {
		if !fighting {
			c.line(o.Pos, text, "", v, "")
		}
		return
	}
	if in.moves() == fighting {
		return
	}
	understood := "if the condition holds"
	if live {
		keep := trial.clone()
		keep.commander = trial.commander
		if understood, v = trial.trial(p, in); v != nil {
			*trial = *keep
		}
	}
	if v == nil {
		c.answer(entry, text)
	}
	c.line(o.Pos, text, understood, v, *warning)
	*warning = ""
}

// division judges an ACTIVATE line.
func (c *check) division(text string) *rule.Violation {
	p := &parser{s: c.s, side: c.side}
	arg := strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(text, "ACTIVATE"), "UNLESS DONE", ""), "ELSE", ",")
	for _, name := range strings.Split(arg, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if _, v := p.battalion(wordsOf(name)); v != nil {
			return v
		}
	}
	return nil
}

// trial does an order without dice and says how it is understood.
func (s *State) trial(p *parser, in *instruction) (string, *rule.Violation) {
	switch in.verb {
	case "PASS", "HOLD", "STACK":
		return "noted", nil
	case "BARRAGE":
		for _, u := range in.barrage.guns {
			if v := s.mayBarrage(u, in.barrage.target); v != nil {
				return "", v
			}
			u.Fired, u.barraged, u.stopped = true, true, true
		}
		return fmt.Sprintf("range %d, three dice above it hit", s.gunDistance(in.barrage.guns[0], in.barrage.target)), nil
	case "FIRE":
		for _, u := range in.fire.units {
			if v := s.mayFire(u, in.fire.target); v != nil {
				return "", v
			}
			u.shot, u.stopped = true, true
		}
		return fmt.Sprintf("range %d", s.sc.Board.Grid.Distance(in.fire.units[0].Hex, in.fire.target)), nil
	case "ATTACK", "OVERRUN":
		return s.weigh(p.side, in.attack)
	}
	before := map[*Unit]Cost{}
	for _, u := range in.move.units {
		before[u] = u.spent
	}
	if v := s.doMove(nil, p, in); v != nil {
		return "", v
	}
	if len(in.move.units) == 0 {
		return "noted", nil
	}
	u := in.move.units[0]
	text := fmt.Sprintf("%s of %s", points(u.spent-before[u]), points(s.allowance(u)))
	if u.Where == OnMap {
		text = fmt.Sprintf("to %s, %s", s.describeHex(u.Hex), text)
		if s.threatened(u.idx, u.c.side) {
			text += ", in an enemy zone of control"
		}
	}
	return text, nil
}

// weigh judges an attack and says what it comes to as far as its side knows.
func (s *State) weigh(side Side, o attackOrder) (string, *rule.Violation) {
	if o.atWill {
		return "wherever the odds are " + columns[max(0, o.min)] + " or better", nil
	}
	b := &battle{s: s, side: side, target: o.target, order: o, overrun: o.overrun, units: o.units, guns: o.guns, where: map[*Unit]hex.Hex{}}
	if s.holder(o.target) != s.sc.Other(side) {
		return "", &rule.Violation{Clause: "GD 10.1", Why: fmt.Sprintf("no enemy stands on %v", o.target)}
	}
	for _, u := range o.units {
		if v := s.mayAttack(u, o.target); v != nil {
			return "", v
		}
	}
	if o.overrun && (len(o.guns) > 0 || o.auto > 0) {
		return "", &rule.Violation{Clause: "GD 9.4", Why: "no artillery takes part in an overrun"}
	}
	for _, g := range o.guns {
		if v := s.maySupport(g, o.target, false); v != nil {
			return "", v
		}
		if slices.Contains(o.units, g) {
			return "", &rule.Violation{Clause: "GD 10.2", Why: g.c.Name + " attacks itself"}
		}
	}
	for _, a := range o.advances {
		if !slices.Contains(o.units, a.unit) {
			return "", &rule.Violation{Clause: "GD 10.6", Why: a.unit.c.Name + " does not attack, so it cannot advance"}
		}
		if a.on != hex.None && (a.unit.class() == Leg || !s.sc.Board.Grid.Adjacent(a.on, o.target)) {
			return "", &rule.Violation{Clause: "GD 10.6", Why: fmt.Sprintf("%s cannot go on to %v", a.unit.c.Name, a.on)}
		}
	}
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
		u.fought = u.fought || !slices.Contains(o.guns, u)
		u.Fired = u.Fired || u.c.Artillery > 0
		u.stopped = true
	}
	b.modifiers()
	sum := 0
	for _, m := range b.drms {
		sum += m.n
	}
	return fmt.Sprintf("%d against %d (%s): %s, %+d to the dice before the chits", a, d, known, columns[ratio(a, d)], sum), nil
}

// preview is the View with the own units where the programmes leave them.
func (c *check) preview(v *view.View) *view.View {
	out := *v
	out.Units, out.Arrivals = nil, nil
	for _, list := range [][]view.Unit{v.Units, v.Arrivals} {
		for _, u := range list {
			if now := c.s.unit(u.ID); now != nil && now.Where == OnMap {
				u.Hex = now.Hex
			}
			if h, ok := c.after[u.ID]; ok {
				u.Hex = h
			}
			if u.Hex != hex.None || slices.Contains(u.Marks, "off map") {
				out.Units = append(out.Units, u)
			} else {
				out.Arrivals = append(out.Arrivals, u)
			}
		}
	}
	return &out
}
