package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/caserun"
	"fieldpost/orders"
)

// play plays a phase and repeats it from its journal alone.
func (r *caseRun) play(st *caserun.Stage) bool {
	kind, rest := st.Word, st.Rest
	number, known := map[string]int{"BARRAGE": 2, "MOVE": 3, "ATTACK": 4, "STRATEGIC": 5, "SUPPLY": 6}[kind]
	switch {
	case kind == "":
		r.Broken(r.Case.Line, "%s stands before any phase", st.With[0].Word)
	case kind != "PHASE" && !known:
		r.Broken(st.Head.At, "%q is no section", kind)
	case (kind == "PHASE" || kind == "SUPPLY") && len(st.Body) > 0:
		r.Broken(st.Body[0].At, "%q is not understood under %s", st.Body[0].Text, kind)
	}
	if kind == "PHASE" {
		number = r.number(st.Head.At, rest)
	} else {
		i := slices.Index(r.s.sc.players(), Side(rest))
		if i < 0 {
			r.broken(st.Head.At, "%q is not a side", rest)
		}
		number += i * halfTurn
	}
	if r.s.Phase > number && number > 0 {
		r.s.Turn++
	}
	r.s.Phase = number
	r.start, r.receipt = r.s.clone(), ""
	if slices.Contains([]string{"MOVE", "ATTACK"}, kind) && r.readsReceipt(st) {
		r.receipt = r.receiptOf(Side(rest), kind+"\n "+strings.Join(st.Orders(), "\n "))
	}
	r.Script(st.With)
	r.Filed = func(d adjudicator.Decision) (string, bool) { return filedIn(st, d) }
	var ok bool
	r.s, ok = caseEngine.Play(r.Run, st.Head, r.s, phase)
	return ok
}

var caseEngine = caserun.Engine[*State]{Clone: (*State).clone, Encode: (*State).encode}

// filedIn is what the sheets of a phase say to a decision.
func filedIn(st *caserun.Stage, d adjudicator.Decision) (string, bool) {
	below := func(head string) (string, bool) { return strings.Join(st.Below(head+" "+string(d.Side)), "\n"), true }
	switch d.Kind {
	case kindBarrage, kindMove, kindAttack, kindStrategic:
		given := slices.DeleteFunc(st.Orders(), func(o string) bool { return o == "DONE" })
		return strings.Join(given, "\n"), true
	case kindAir:
		if d.Turn || d.Filed {
			return below("AIR")
		}
	case kindSetUp:
		return below("SETUP")
	case kindStanding:
		if d.Filed {
			return below("STANDING")
		}
	}
	return "", false
}

func (r *caseRun) readsReceipt(st *caserun.Stage) bool {
	return slices.ContainsFunc(st.Expected(), func(l CaseLine) bool { return strings.HasPrefix(l.Text, "receipt ") })
}

// receiptOf is what the side is told when a sheet comes in: what was understood,
// refused, warned of.
func (r *caseRun) receiptOf(side Side, sections string) string {
	g := newGame(r.s.sc)
	known := r.s.clone()
	known.noteContacts()
	v, err := g.View(known.encode(), side)
	if err != nil {
		r.T.Fatal(err)
	}
	sheet, faults := orders.Parse(orders.Canonical("GAME: X SIDE: Y TURN: 1 SERIAL: 1\n"+sections), Vocabulary)
	if len(faults) > 0 {
		r.T.Fatal(faults[0])
	}
	var b strings.Builder
	filing := g.Check(v, sheet)
	for _, l := range filing.Lines {
		fmt.Fprintln(&b, l.Text, l.Understood, l.Warning)
		if l.Refused != nil {
			fmt.Fprintln(&b, l.Refused.Error())
		}
	}
	fmt.Fprintf(&b, "moves filed: %s\nattacks filed: %s\n", filing.Answers[kindMove], filing.Answers[kindAttack])
	if filing.Done {
		fmt.Fprintln(&b, "the sheet is finished")
	}
	return b.String()
}
