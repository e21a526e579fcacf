package steppe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/caserun"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// expect checks one expectation.
func (r *caseRun) expect(at int, text string) {
	f := strings.Fields(text)
	s := r.s
	n := func(i int) int {
		v, err := strconv.Atoi(f[min(i, len(f)-1)])
		if err != nil {
			r.Fault(at, "%q: a number was expected", text)
		}
		return v
	}
	holds := func(why string) {
		if why != "" {
			r.Fault(at, "%s: %s", text, why)
		}
	}
	same := func(got, want any) { holds(caserun.Same(fmt.Sprint(got), fmt.Sprint(want))) }
	place := func(i int) hex.Hex { h, _ := hex.Parse(f[min(i, len(f)-1)]); return h }
	switch f[0] {
	case "points":
		same(s.Points[sideIndex(Side(f[1]))], n(2))
	case "score":
		same(s.points(Side(f[1])), n(2))
	case "control":
		same(s.controller(place(1)), f[2])
	case "now": // now 2.1 weather: turn, phase, step
		same(fmt.Sprintf("%d.%d %s", s.Turn, s.Phase, s.Step), strings.Join(f[1:], " "))
	case "bad": // bad files: what they are refused for
		if want := strings.Join(f[2:], " "); !strings.Contains(r.badFiles, want) {
			holds(fmt.Sprintf("the files are refused for %q", r.badFiles))
		}
	case "sound": // sound files: there is nothing that they are refused for
		holds(caserun.Same(r.badFiles, ""))
	case "duty": // duty GERMAN = turn orders
		same(strings.Join(s.view(Side(f[1])).Due, ", "), strings.Join(f[3:], " "))
	case "listed": // listed GERMAN = on the map / to come / lost
		holds(caserun.Same(r.listed(Side(f[1])), strings.Join(f[3:], " ")))
	case "source", "ordered": // of the proposal of a question: source LABEL = doctrine
		holds(r.proposed(f[0], strings.Join(f[1:], " ")))
	case "lacks": // lacks combat overrun: no such event has the fact
		holds(r.lacks(f[1], f[2]))
	case "blown": // blown 1405/1505 1408/1508
		same(s.Blown, strings.Join(f[1:], " "))
	case "bridge":
		e, _ := hex.ParseEdge(f[1])
		same(slices.Contains(s.Blown, e), f[2] == "blown")
	case "air":
		p := s.Air[slices.Index(pools[:], f[1])]
		same(fmt.Sprint(p.Fighters, p.CAS), fmt.Sprint(n(2), n(3)))
	case "free":
		p := s.Air[slices.Index(pools[:], f[1])]
		same(fmt.Sprint(p.FreeF, p.FreeC), fmt.Sprint(n(2), n(3)))
	case "weather":
		same(s.Weather, f[1])
	case "ground":
		same(s.Ground, f[1])
	case "backhand":
		same(s.Backhand, n(1))
	case "turn":
		same(fmt.Sprintf("%d to %d", s.sc.First, s.sc.Last), strings.Join(f[1:], " "))
	case "cup":
		var got []string
		for _, g := range s.Cup {
			if g.Name == f[1] {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s left %d", strings.Join(g.In, " "), g.Left)))
			}
		}
		same(strings.Join(got, ", "), strings.Join(f[2:], " "))
	case "verdict":
		if !strings.Contains(s.Verdict, strings.Join(f[1:], " ")) {
			r.Fault(at, "%s: it is %q", text, s.Verdict)
		}
	case "event":
		holds(r.Event(f[1], facts(f[2:])))
	case "told": // told KIND before KIND
		r.toldBefore(at, f[1], f[3])
	case "no":
		holds(r.NoEvent(f[2], facts(f[3:])))
	case "dropped":
		r.said(at, "dropped", strings.Join(f[1:], " "))
	case "nothing":
		for _, e := range r.Events {
			if e.Kind == "dropped" {
				r.Fault(at, "not carried out: %s: %s", e.Facts.Get("order"), e.Facts.Get("why"))
			}
		}
		if f[1] == "refused" && len(r.refused) > 0 {
			r.Fault(at, "refused: %s", strings.Join(r.refused, " | "))
		}
	case "refused":
		want := strings.Join(f[1:], " ")
		if !slices.ContainsFunc(r.refused, func(x string) bool { return strings.Contains(x, want) }) {
			r.Fault(at, "%s: refused are %q", text, r.refused)
		}
	case "asked":
		holds(r.WasAsked(strings.Join(f[1:], " ")))
	case "unasked":
		holds(r.WasNotAsked(strings.Join(f[1:], " ")))
	case "first": // first hex of GERMAN: who activates an individual hex next; first chit of SOVIET
		var who Side = "nobody"
		switch {
		case f[1] == "chit":
			who = s.Played[0].Side
		case solosToCome(s):
			who = s.soloSide()
		}
		same(who, f[3])
	case "paused": // paused LABEL = what has happened
		label, want, _ := strings.Cut(strings.Join(f[1:], " "), " =")
		want = strings.TrimSpace(want)
		if d := r.Question(label); d == nil {
			holds(r.WasAsked(label))
		} else {
			same(d.Pause, want)
		}
	case "mail": // mail asks KINDS
		same(strings.Join((System{}).Asks(), " "), strings.Join(f[2:], " "))
	case "sees": // sees GERMAN chits NAMES: what a side knows of its own cup
		same(r.sight(Side(f[1])), strings.Join(f[2:], " "))
	case "options": // options LABEL = A B C
		label, want, _ := strings.Cut(strings.Join(f[1:], " "), " = ")
		same(strings.Join(r.Options(label), " "), want)
	case "answered": // answered ATTACK 1605 = what the receipt says of that line
		holds(r.answered(strings.TrimPrefix(text, f[0]+" ")))
	case "shown": // shown SOVIET a = 5/7-8 full 9/7 Low Supply: to the enemy of its owner
		holds(r.shown(Side(f[1]), strings.TrimPrefix(text, f[0]+" "+f[1]+" ")))
	case "odds": // odds 9 5 -1 = 1:1 0
		o := s.sc.settle(n(1), n(2), n(3))
		same(fmt.Sprintf("%s %+d", o.name, o.drm), strings.Join(f[5:], " "))
	case "table": // table 1:1 9 = -/R2
		same(s.sc.Combat[n(2)][slices.Index(s.sc.Columns, f[1])].Text, f[4])
	case "price": // price 1204 1205 foot = 1
		d, _ := s.sc.land.grid.Direction(place(1), place(2))
		cost, barred := s.price(s.ix(place(1)), d, f[3] == "motorized")
		if barred {
			same("barred", f[5])
		} else {
			same(cost, f[5])
		}
	case "neighbours":
		var got []string
		for _, h := range s.sc.land.grid.Neighbours(place(1)) {
			got = append(got, h.String())
		}
		slices.Sort(got)
		same(strings.Join(got, " "), strings.Join(f[3:], " "))
	case "zone": // zone GERMAN 1204 yes
		same(s.zones(Side(f[1]))[s.ix(place(2))] > 0, f[3] == "yes")
	case "supplied": // supplied GERMAN 1204 no
		same(s.supplied(Side(f[1]))[s.ix(place(2))], f[3] == "yes")
	case "defence":
		same(s.defenceAt(place(1)), n(3))
	case "setup": // setup SOVIET 4011: 3TA, 15 TC
		same(names(s.unitsAt(place(2))), strings.Join(f[4:], " "))
	default:
		r.expectUnit(at, text, f)
	}
}

// listed is a side's units in its view: those on the map, to come, and lost.
func (r *caseRun) listed(side Side) string {
	v := r.s.view(side)
	var parts []string
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost} {
		var names []string
		for _, u := range list {
			names = append(names, u.Name)
		}
		parts = append(parts, strings.Join(names, " "))
	}
	return strings.Join(parts, " / ")
}

// proposed compares the source of the proposal of a question, or whether it is ordered.
func (r *caseRun) proposed(what, text string) string {
	label, want, _ := strings.Cut(text, " = ")
	d := r.Question(label)
	if d == nil {
		return r.WasAsked(label)
	}
	if what == "source" {
		return caserun.Same(d.Source, want)
	}
	return caserun.Same(fmt.Sprint(d.Ordered), want)
}

// lacks tells of an event that has a fact.
func (r *caseRun) lacks(kind, fact string) string {
	for _, e := range r.Events {
		if value, has := e.Facts.Find(fact); has && e.Kind == kind {
			return fmt.Sprintf("it has the fact %q", value)
		}
	}
	return ""
}

// sight is what a side knows of the cup and of the enemy's stacks: "chits a b / enemy 1605".
func (r *caseRun) sight(side Side) string {
	v := r.s.view(side)
	text := "chits"
	for _, g := range v.Chits.Groups {
		for _, name := range g.Own {
			text += " " + name
		}
	}
	text += " / enemy"
	for _, st := range v.Enemy {
		text += " " + st.Hex.String()
	}
	return text
}

// shown compares what a side is shown of a unit, its own or the enemy's, with what is wanted.
func (r *caseRun) shown(side Side, text string) string {
	name, want, _ := strings.Cut(text, " = ")
	words := func(values, full, supply string) string {
		if full != "" {
			values += " full " + full
		}
		return strings.TrimSpace(values + " " + supply)
	}
	v := r.s.view(side)
	for _, u := range v.Units {
		if u.Name == name {
			values := fmt.Sprintf("%d/%d-%d", u.Attack, u.Defence, u.Moves)
			if u.Range > 0 {
				values = fmt.Sprintf("%d guns, range %d-%d", u.Support, u.Range, u.Moves)
			}
			return caserun.Same(words(values, u.Full, u.Supply), want)
		}
	}
	for _, st := range v.Enemy {
		for _, x := range st.Units {
			if x.Name == name {
				return caserun.Same(words(x.Values, x.Full, x.Supply), want)
			}
		}
	}
	return "it is not shown"
}

// answered looks, in what the receipt says of the line that begins so, for what is wanted.
func (r *caseRun) answered(text string) string {
	line, want, _ := strings.Cut(text, " = ")
	for _, l := range r.receipt {
		if !strings.HasPrefix(l.Text, line) {
			continue
		}
		got := strings.TrimSpace(l.Understood + " !! " + l.Warning)
		if l.Refused != nil {
			got = l.Refused.Error()
		}
		if !strings.Contains(got, want) {
			return fmt.Sprintf("the receipt says %q", got)
		}
		return ""
	}
	return "the receipt has no such line"
}

// expectUnit checks what is said of a unit: NAME at 1204, NAME steps 3, NAME gone ...
func (r *caseRun) expectUnit(at int, text string, f []string) {
	verbs := []string{"at", "gone", "off", "steps", "figures", "cut", "activated", "fresh", "moves", "attack", "pool", "back", "due", "red", "white"}
	i := slices.IndexFunc(f, func(w string) bool { return slices.Contains(verbs, w) })
	if i < 1 {
		r.Fault(at, "%q expects nothing that is known", text)
		return
	}
	name := strings.Join(f[:i], " ")
	u := r.s.byName(German, name)
	if u == nil {
		u = r.s.byName(Soviet, name)
	}
	if u == nil {
		r.Fault(at, "no unit %q", name)
		return
	}
	ok, got := false, ""
	arg := f[len(f)-1]
	switch f[i] {
	case "at":
		ok, got = u.Where == OnMap && u.Hex.String() == arg, fmt.Sprintf("%s %v", u.Where, u.Hex)
	case "gone":
		ok, got = u.Where == Gone, string(u.Where)
	case "pool":
		ok, got = u.Where == InPool, string(u.Where)
	case "off":
		ok, got = u.Where == Later && !u.Back, string(u.Where)
	case "back":
		ok, got = u.Where == Later && u.Back && fmt.Sprint(u.Due) == arg, fmt.Sprintf("%s, %v, due %d", u.Where, u.Back, u.Due)
	case "due":
		ok, got = u.Where == Later && fmt.Sprint(u.Due) == arg, fmt.Sprintf("%s, due %d", u.Where, u.Due)
	case "steps":
		got = fmt.Sprint(u.Steps)
		ok = got == arg && u.Where == OnMap
	case "figures":
		got = u.figures()
		ok = got == arg
	case "cut":
		got = fmt.Sprint(u.Cut)
		ok = got == arg
	case "activated":
		ok, got = u.Activated, "fresh"
	case "fresh":
		ok, got = !u.Activated, "activated"
	case "moves":
		got = fmt.Sprint(r.s.allowance(u))
		ok = got == arg
	case "attack":
		got = fmt.Sprintf("%d-%d", u.attack(), u.defence())
		ok = got == arg
	case "red":
		ok, got = u.red(), "white"
	case "white":
		ok, got = !u.red() && u.c.Red > 0, "red"
	}
	if !ok {
		r.Fault(at, "%s: it is %s", text, got)
	}
}

// facts reads "key=value other=two_words".
func facts(words []string) (out []caserun.Fact) {
	for _, w := range words {
		k, v, _ := strings.Cut(w, "=")
		out = append(out, caserun.Fact{Name: k, Value: strings.ReplaceAll(v, "_", " ")})
	}
	return out
}

func (r *caseRun) said(at int, kind, part string) {
	for _, e := range r.Events {
		if e.Kind == kind && strings.Contains(e.Facts.Get("order")+": "+e.Facts.Get("why"), part) {
			return
		}
	}
	r.Fault(at, "%s %q was not said", kind, part)
}

// toldBefore compares where two events stand in what is told.
func (r *caseRun) toldBefore(at int, first, second string) {
	place := func(kind string) int {
		return slices.IndexFunc(r.Events, func(e view.Event) bool { return e.Kind == kind })
	}
	i, k := place(first), place(second)
	if i < 0 || k < 0 {
		r.Fault(at, "%s or %s was not told", first, second)
	}
	if i > k {
		r.Fault(at, "%s was told before %s", second, first)
	}
}
