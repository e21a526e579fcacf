package wb95

import (
	"fmt"
	"maps"
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
// Orders are tried in the sheet's sequence: what an earlier one does, a later
// one finds.
type check struct {
	side    Side // on the map
	by      Side // the player
	upTo    extent
	s       *State
	base    *State           // s as it was before the moves in made; nil before the first
	made    []phrase.Written // moves that have changed the position since then
	treks   []trek           // the ways of all moves that stand
	filing  *adjudicator.Filing
	attacks []attackOrder
	at      []int // for each of attacks, its line in the filing
	shells  *plan // the barrages so far
	sorties []sortie
	answers map[string][]string // by kind, the lines that stand
}

func (c *check) section(sec orders.Section) {
	list := make([]phrase.Written, len(sec.Orders))
	for i, o := range sec.Orders {
		list[i] = phrase.OnSheet(o)
	}
	if sec.Name == "MOVE" {
		list = c.s.inTurn(list)
		if c.upTo == firstMoves {
			list = slices.DeleteFunc(list, c.s.ofSecondGroup)
		}
	}
	for _, o := range list {
		switch sec.Name {
		case "BARRAGE":
			c.barrage(o)
		case "MOVE":
			c.move(o)
		case "ATTACK":
			if isPontoon(o) {
				c.pontoon(o)
				continue
			}
			c.attack(o)
		case "STANDING":
			c.standing(o)
		}
	}
}

func (c *check) refuse(o phrase.Written, v *rule.Violation) {
	c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Pos: o.Sheet.Pos, At: o.Sheet.Place(v.Col), Text: o.Text, Refused: v})
}

func (c *check) accept(o phrase.Written, understood, warning string) {
	c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Pos: o.Sheet.Pos, Text: o.Text, Understood: understood, Warning: warning})
}

// move tries an order; only a legal one changes the position for the orders after it.
func (c *check) move(o phrase.Written) {
	m, v := c.s.parseMove(c.by, o)
	if v != nil {
		c.refuse(o, v)
		return
	}
	if why := c.s.unmet(c.side, m.when, nil); why != "" && !m.strategic {
		c.answer(kindMove, o.Text)
		c.accept(o, ifs(m.when), "as things stand it would not be carried out: "+why)
		return
	}
	if c.base == nil {
		c.base = c.s.clone()
	}
	done := c.s.perform(m, nil)
	if done.fault != nil {
		c.undo()
		c.refuse(o, done.fault)
		return
	}
	c.made, c.treks = append(c.made, o), append(c.treks, done.treks...)
	understood := joinClauses(ifs(m.when), done.understood)
	c.answer(kindMove, o.Text)
	if m.strategic {
		c.answer(kindStrategic, o.Text)
	}
	c.accept(o, understood, c.crowding(m, done.treks))
}

// crowding warns where units of a move now stand that cannot all stay: of a mixed stack
// before a large one, of the unit named last first.
func (c *check) crowding(m moveOrder, treks []trek) string {
	for _, u := range slices.Backward(m.units) {
		if u.Where == OnMap && c.s.mixedAt(u.Hex) {
			return fmt.Sprintf("%v then holds %s: the last to arrive turns back unless a later order parts them", u.Hex, c.s.sc.Notes.Apart.Text)
		}
	}
	if m.strategic {
		return "" // it is not there yet
	}
	for _, k := range slices.Backward(treks) {
		u := k.unit
		if n := c.s.stackSteps(u.Hex); u.Where == OnMap && k.cameIn() && n > stackLimit {
			return fmt.Sprintf("%v then holds %d steps, %d may end there (WB-95 3.2.1): the last to arrive turns back unless a later order makes room", u.Hex, n, stackLimit)
		}
	}
	return ""
}

// overfull warns of every hex that ends the Movement Phase over the limit, as far as the
// sheet goes: of steps that are lost, and of stacks that stay as the set-up prints them.
//
// WB-95 3.2.1
func (c *check) overfull() {
	if c.s.sc.before(2) {
		return
	}
	trial := c.s.clone()
	treks := slices.Clone(c.treks)
	for i := range treks {
		treks[i].unit = trial.unit(treks[i].unit.ID)
	}
	steps := map[hex.Hex]int{}
	for _, h := range c.s.overfull(c.side) {
		steps[h] = c.s.stackSteps(h)
	}
	lost := trial.crowdedOut(c.by, treks)
	say := func(l adjudicator.Line) { c.filing.Lines = append(c.filing.Lines, l) }
	for _, h := range slices.Sorted(maps.Keys(lost)) {
		say(adjudicator.Line{Warning: fmt.Sprintf("%v ends your movement with %d steps, %d may stay (WB-95 3.2.1): unless a unit leaves it a step is lost by %s", h, steps[h], trial.mayStay(h), strings.Join(lost[h], ", "))})
	}
	for _, k := range trial.Crowds {
		if n := trial.stackSteps(k.Hex); n > stackLimit && trial.sc.owner(trial.unitsAt(k.Hex)[0].c) == c.by {
			say(adjudicator.Line{Understood: fmt.Sprintf("%v ends your movement with %d steps, as the set-up has it: they may stay, and nobody may come in (WB-95 3.2.1)", k.Hex, n)})
		}
	}
}

// undo takes a move back that broke off: the legal ones before it are made again. A
// copy of the position for every move would cost more than all that go wrong.
func (c *check) undo() {
	c.base.copyTo(c.s)
	for _, o := range c.made {
		m, _ := c.s.parseMove(c.by, o)
		c.s.carryOut(m, nil)
	}
	if len(c.made) > 0 {
		c.s.copyTo(c.base)
		c.made = c.made[:0]
	}
}

// barrage judges a line of the BARRAGE section.
func (c *check) barrage(o phrase.Written) {
	if c.shells == nil {
		c.shells = &plan{s: c.s, side: c.side}
	}
	f, fell, v := c.shells.barrage(o)
	if v != nil {
		c.refuse(o, v)
		return
	}
	c.answer(kindBarrage, o.Text)
	c.accept(o, c.s.barrageTold(f), joined(fell))
}

// joined writes faults in a line.
func joined(vs []*rule.Violation) string {
	words := make([]string, len(vs))
	for i, v := range vs {
		words[i] = v.Why
	}
	return strings.Join(words, "; ")
}

// attack reads an attack against the position after the moves. Whether the set
// of attacks is legal shows when all are read (duties).
func (c *check) attack(o phrase.Written) {
	a, v := c.s.parseAttack(c.by, o)
	if v != nil {
		c.refuse(o, v)
		return
	}
	if v := c.knownAttacks(a); v != nil {
		c.refuse(o, v)
		return
	}
	c.attacks = append(c.attacks, a)
	c.at = append(c.at, len(c.filing.Lines))
	c.accept(o, "", "")
}

// knownAttacks refuses a condition on an attack that does not come before.
func (c *check) knownAttacks(a attackOrder) *rule.Violation {
	when := a.when
	if a.fire != nil {
		when = a.fire.when
	}
	for _, w := range when {
		if w.attack != "" && !slices.ContainsFunc(c.attacks, func(b attackOrder) bool { return b.label == w.attack }) {
			return &rule.Violation{Why: fmt.Sprintf("no attack with the number %s stands before this one", w.attack),
				Instead: "Give the earlier attack its number, such as 1: 2505 WITH ..., or name a hex: IF 2505 HELD."}
		}
	}
	return nil
}

// standing reads a standing order.
func (c *check) standing(o phrase.Written) {
	st, v := c.s.parseStanding(c.by, o)
	if v != nil {
		c.refuse(o, v)
		return
	}
	c.answer(kindStanding, o.Text)
	c.accept(o, st.understood(), "")
}

// understood says a standing order back.
func (o standingOrder) understood() string {
	if o.verb != "" {
		return o.specially()
	}
	scope := "all units"
	switch {
	case o.at != 0:
		scope = "whoever stands on " + o.at.String()
	case o.unit != "":
		scope = o.unit
	}
	var does []string
	say := func(format string, a ...any) { does = append(does, fmt.Sprintf(format, a...)) }
	d := o.how
	switch d.retreat {
	case "":
	case retreatFull:
		say("fall back as far as the result says")
	case retreatHold:
		say("hold and pay with steps")
	default:
		say("fall back %s and pay for the rest", d.retreat)
	}
	if d.pay != nil {
		say("pay at most %d", *d.pay)
	}
	if d.toward != 0 {
		say("toward %v", d.toward)
	}
	if len(d.losses) > 0 {
		say("lose steps in this order: %s", strings.ToLower(strings.Join(d.losses, ", ")))
	}
	switch d.pursue {
	case "":
	case pursueNo:
		say("do not pursue")
	default:
		say("pursue: %s", strings.ToLower(d.pursue))
	}
	if d.advance {
		say("go on a hex when the enemy was destroyed")
	}
	return scope + ": " + strings.Join(append(does, o.besides()...), ", ")
}

// setUpSheet judges the sheet of turn 0: its SETUP section, and standing orders.
func (c *check) setUpSheet(sheet *orders.Sheet) *adjudicator.Filing {
	c.answers[kindSetUp] = nil
	for _, sec := range sheet.Sections {
		switch sec.Name {
		case "STANDING":
			c.section(sec)
			continue
		case "SETUP":
		default:
			for _, o := range sec.Orders {
				c.refuse(phrase.OnSheet(o), &rule.Violation{Clause: "WB-95 2.1.2", Why: "the game is set up first", Instead: "Write these orders under SETUP, or keep them for turn 1."})
			}
			continue
		}
		for _, line := range sec.Orders {
			o, trial := phrase.OnSheet(line), c.s.clone()
			understood, v := trial.setUp(c.by, o)
			if v != nil {
				c.refuse(o, v)
				continue
			}
			c.s = trial
			c.answer(kindSetUp, o.Text)
			c.accept(o, understood, "")
		}
	}
	for _, v := range c.s.clone().evenLosses(c.side) {
		c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Warning: v.Why})
	}
	c.sort()
	c.collect()
	return c.filing
}

// duties judges the attacks together: their shape, and whether everyone who must
// attack or be attacked is in one (5.1.3, 5.1.4). Positions of refused lines are kept.
func (c *check) duties() {
	legal, refused, missing, open := c.s.judgeAttacks(c.attacks)
	for i, a := range c.attacks {
		line := &c.filing.Lines[c.at[i]]
		if v := refused[i]; v != nil {
			line.Refused = v
			continue
		}
		c.answer(kindAttack, a.text)
		line.Understood = c.s.prospect(c.side, legal[0])
		legal = legal[1:]
	}
	// reading WB-95 5.1.7: by the option duties a sheet with duties open is returned.
	if who := c.s.quarrelsome(); len(who) > 0 {
		c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Warning: fmt.Sprintf("%s beside Germans must attack them (5.1.3): the rules make the attack before all others", names(who))})
	}
	c.filing.Lines = append(c.filing.Lines, missing...)
	if open && c.s.sc.Readings.ReturnDuties && c.filing.Done {
		c.filing.Done = false
		c.filing.Lines = append(c.filing.Lines, adjudicator.Line{Text: "DONE", Refused: &rule.Violation{Clause: "WB-95 5.1.7",
			Why: "attacks are open that the rules demand, and this game returns such a sheet", Instead: "Add them and send the sheet again."}})
	}
}

// prospect says what an attack or a ranged attack comes to as far as its side knows.
func (s *State) prospect(side Side, o attackOrder) string {
	switch f := o.fire; {
	case f == nil:
		return joinClauses(ifs(o.when), s.weighOrder(side, o, false).String())
	case f.bridge != nil:
		return joinClauses(ifs(f.when), fmt.Sprintf("%s fire with %d", names(f.guns), fireInAttack(f.guns, false)))
	default:
		return joinClauses(ifs(f.when), fmt.Sprintf("%s fire with %d, less %d for the ground", names(f.guns), fireInAttack(f.guns, false), 2*sum(s.groundCMs(f.target))))
	}
}

// joinClauses joins what is said of an order.
func joinClauses(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// sort puts the lines in the order of the sheet; remarks without a place go last.
func (c *check) sort() {
	slices.SortStableFunc(c.filing.Lines, func(a, b adjudicator.Line) int {
		if (a.Pos.Line == 0) != (b.Pos.Line == 0) {
			return b.Pos.Line - a.Pos.Line
		}
		return a.Pos.Line - b.Pos.Line
	})
}

// preview is the View with the own units where the orders leave them.
func (c *check) preview(v *view.View) *view.View {
	out := *v
	out.Units, out.Arrivals = make([]view.Unit, 0, len(v.Units)+len(v.Arrivals)), nil
	for _, list := range [][]view.Unit{v.Units, v.Arrivals} {
		for _, u := range list {
			now := c.s.unit(u.ID)
			u.Hex = now.Hex
			if now.Where == OnMap {
				out.Units = append(out.Units, u)
			} else {
				out.Arrivals = append(out.Arrivals, u)
			}
		}
	}
	out.Bridges = nil
	for _, b := range c.s.Bridges {
		out.Bridges = append(out.Bridges, view.Bridge{Edge: b.Edge, Stands: b.Stands, Side: string(b.Holder)})
	}
	out.Forts = nil
	for _, f := range c.s.Forts {
		out.Forts = append(out.Forts, view.Fort{Hex: f.Hex, Kind: string(f.Kind), Side: string(c.s.chiefAt(f.Side, []hex.Hex{f.Hex}))})
	}
	return &out
}
