package wb95

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/orders"
)

// play plays a phase and repeats it from its journal alone.
func (r *caseRun) play(st *stage) bool {
	kind, rest, _ := strings.Cut(st.head.Text, " ")
	number := map[string]int{"BARRAGE": 2, "MOVE": 3, "ATTACK": 4, "STRATEGIC": 5, "SUPPLY": 6}[kind]
	if kind == "PHASE" {
		number = r.number(st.head.At, rest)
	} else {
		i := slices.Index(r.s.sc.players(), Side(rest))
		if i < 0 {
			r.broken(st.head.At, "%q is no side", rest)
		}
		number += i * halfTurn
	}
	if r.s.Phase > number && number > 0 {
		r.s.Turn++
	}
	r.s.Phase = number
	r.start, r.asked, r.receipt = r.s.clone(), nil, ""
	if slices.Contains([]string{"MOVE", "ATTACK"}, kind) && r.readsReceipt(st) {
		r.receipt = r.receiptOf(Side(rest), kind+"\n "+strings.Join(st.orders, "\n "))
	}
	table := &caseTable{r, st}
	first, err := adjudicator.Play(r.s.clone(), phase, nil, table, table)
	if err != nil {
		r.fault(st.head.At, "%s: %v", st.head.Text, err)
		return false
	}
	again, err := adjudicator.Play(r.s.clone(), phase, first.Journal, nil, nil)
	if err != nil || !bytes.Equal(first.State.encode(), again.State.encode()) || !reflect.DeepEqual(first.Events, again.Events) {
		r.fault(st.head.At, "%s: the repeat comes to another end (%v)", st.head.Text, err)
	}
	r.s, r.events = first.State, first.Events
	for label := range st.dice {
		if !st.used[label] {
			r.fault(st.head.At, "the dice %q were never thrown", label)
		}
	}
	for label := range st.answers {
		if !st.used[label] {
			r.fault(st.head.At, "nobody asked %q", label)
		}
	}
	return true
}

func (r *caseRun) readsReceipt(st *stage) bool {
	return slices.ContainsFunc(st.expect, func(l CaseLine) bool { return strings.HasPrefix(l.Text, "receipt ") })
}

// receiptOf is what the side is told when a sheet comes in: what was understood,
// refused, warned of.
func (r *caseRun) receiptOf(side Side, sections string) string {
	g := &Game{sc: r.s.sc}
	known := r.s.clone()
	known.noteContacts()
	v, err := g.View(known.encode(), side)
	if err != nil {
		r.t.Fatal(err)
	}
	sheet, faults := orders.Parse(orders.Canonical("GAME: X SIDE: Y TURN: 1 SERIAL: 1\n"+sections), Vocabulary)
	if len(faults) > 0 {
		r.t.Fatal(faults[0])
	}
	var b strings.Builder
	for _, l := range g.Check(v, sheet).Lines {
		fmt.Fprintln(&b, l.Text, l.Understood, l.Warning)
		if l.Refused != nil {
			fmt.Fprintln(&b, l.Refused.Error())
		}
	}
	return b.String()
}

// caseTable answers and throws dice as the phase of a case says.
type caseTable struct {
	r  *caseRun
	st *stage
}

func (c *caseTable) Answer(d adjudicator.Decision) (string, string, bool) {
	c.r.asked = append(c.r.asked, d)
	if slices.Contains([]string{kindBarrage, kindMove, kindAttack, kindStrategic}, d.Kind) {
		return strings.Join(c.st.orders, "\n"), "the sheet", true
	}
	if d.Kind == kindAir {
		return strings.Join(c.st.air[string(d.Side)], "\n"), "the sheet", true
	}
	if d.Kind == kindSetUp {
		return strings.Join(c.st.setup[string(d.Side)], "\n"), "the sheet", true
	}
	if d.Kind == kindStanding && d.Filed {
		return strings.Join(c.st.standing[string(d.Side)], "\n"), "standing orders", true
	}
	if a, ok := c.st.answers[d.Label]; ok {
		c.st.used[d.Label] = true
		return a, "the case", true
	}
	return d.Proposal, d.Source, true
}

func (c *caseTable) Throw(label string, count, _ int) ([]int, []byte, error) {
	d, ok := c.st.dice[label]
	if !ok || len(d) != count {
		return nil, nil, fmt.Errorf("the case has no dice for %q", label)
	}
	c.st.used[label] = true
	return d, nil, nil
}
