package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/caserun"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// holds looks whether an expectation holds; it returns why not.
func (r *caseRun) holds(text string) string {
	w := strings.Fields(text)
	switch {
	case w[0] == "event" || w[0] == "no" && w[1] == "event":
		return r.event(text)
	case w[0] == "refused" || text == "nothing refused":
		return r.refused(text)
	case w[0] == "asked":
		return r.asked(text)
	case w[0] == "unasked":
		return r.WasNotAsked(strings.TrimPrefix(text, "unasked "))
	case w[0] == "zone" || w[0] == "no" && w[1] == "zone":
		return r.zone(w)
	case w[0] == "sees" || w[0] == "blind":
		a, b := r.hex(w[1]), r.hex(w[2])
		g := r.s.sc.Board.Grid
		return says(r.s.sc.sees(g.Index(a), g.Index(b)) == (w[0] == "sees"), "it is not so")
	case w[0] == "step":
		return r.step(w)
	case w[0] == "left": // chits in the cup
		return same(strings.Join(r.s.Cup, ", "), strings.TrimPrefix(text, "left "))
	case w[0] == "cup": // chits of the turn
		return same(strings.Join(r.s.chits(), ", "), strings.TrimPrefix(text, "cup "))
	case w[0] == "points":
		r.s.judging = true
		n, notes := r.s.score()
		return same(fmt.Sprint(n), w[1]) + says(fmt.Sprint(n) == w[1], strings.Join(notes, ", "))
	case w[0] == "counted": // "counted 0: text": as they are shown while the game goes on
		kept, err := decodeState(r.s.sc, r.s.encode())
		if err != nil {
			return err.Error()
		}
		n, notes := kept.score()
		return same(strings.TrimSuffix(fmt.Sprint(n, ": ", strings.Join(notes, ", ")), ": "), strings.TrimPrefix(text, "counted "))
	case w[0] == "fault":
		return says(r.lay.fault != nil && strings.Contains(r.lay.fault.Error(), strings.TrimPrefix(text, "fault ")), fmt.Sprint(r.lay.fault))
	case w[0] == "pool": // "pool Bogged 0": copies that are in no cup, hand or pile
		n := len(w) - 1
		return same(fmt.Sprint(r.s.Pool[slices.IndexFunc(r.s.sc.Events, func(e Event) bool { return e.Name == strings.Join(w[1:n], " ") })]), w[n])
	case w[0] == "faces": // "faces 0303 trench 1"
		n := len(w) - 1
		k := slices.IndexFunc(r.s.Forts, func(f Fort) bool {
			return f.Hex == r.hex(w[1]) && strings.EqualFold(r.s.sc.Forts[f.Kind].Name, strings.Join(w[2:n], " "))
		})
		return says(k >= 0 && fmt.Sprint(int(r.s.Forts[k].Face)+1) == w[n], fmt.Sprint(r.s.Forts))
	case w[0] == "winner":
		return same(string(r.s.Winner), strings.TrimPrefix(strings.TrimPrefix(text, "winner"), " "))
	case w[0] == "bridge":
		return r.bridge(w)
	case w[0] == "forts":
		var out []string
		for _, f := range r.s.fortsOn(r.hex(w[1])) {
			out = append(out, strings.ToLower(r.s.sc.Forts[f.Kind].Name))
		}
		return same(strings.Join(out, " "), strings.Join(w[2:], " "))
	case w[0] == "turn":
		return same(fmt.Sprint(r.s.Turn), w[1])
	case w[0] == "weather":
		return same(r.s.weatherName(), w[1])
	case w[0] == "fits", w[0] == "full":
		i := r.s.sc.Board.Grid.Index(r.hex(w[1]))
		return says(r.s.fits(i) == (w[0] == "fits"), "it is not so")
	case w[0] == "setup", w[0] == "scenario":
		return r.scenario(text, w)
	case len(w) > 2 && (w[1] == "knows" || w[1] == "finds" || w[1] == "counts" || w[1] == "reads" || w[1] == "news" || w[1] == "hand" || w[1] == "discards"):
		return r.side(text, w)
	}
	return r.unit(text, w)
}

func says(ok bool, why string) string { return caserun.Unless(ok, why) }

func same(got, want string) string { return caserun.Same(got, want) }

func (r *caseRun) hex(w string) hex.Hex {
	h, err := hex.Parse(strings.Trim(w, ":,"))
	if err != nil {
		r.Faults = append(r.Faults, err.Error())
	}
	return h
}

// event reads "event KIND: key = value; key has text" and "no event KIND".
func (r *caseRun) event(text string) string {
	kind, conds, _ := strings.Cut(strings.TrimPrefix(text, "no "), ": ")
	kind = strings.TrimPrefix(kind, "event ")
	facts := r.Facts(r.Case.Line, conds)
	if strings.HasPrefix(text, "no ") {
		return r.NoEvent(kind, facts)
	}
	return r.Event(kind, facts)
}

// refused reads "refused 9.0: text" and "nothing refused".
func (r *caseRun) refused(text string) string {
	skipped := []string{"skipped"}
	if text == "nothing refused" {
		return r.NothingRefused(skipped)
	}
	clause, part, _ := strings.Cut(strings.TrimPrefix(text, "refused "), ": ")
	return r.RefusedBy("GD "+clause, part, skipped)
}

// asked reads "asked LABEL" and "asked LABEL: side = BLUE; proposal = a; source = doctrine".
func (r *caseRun) asked(text string) string {
	label, conds, _ := strings.Cut(strings.TrimPrefix(text, "asked "), ": ")
	q := r.Question(label)
	if q == nil {
		return r.WasAsked(label)
	}
	is := map[string]string{"side": string(q.Side), "proposal": q.Proposal, "source": q.Source, "pause": q.Pause}
	for cond := range strings.SplitSeq(conds, "; ") {
		key, want, _ := strings.Cut(cond, " = ")
		if why := same(is[key], strings.TrimPrefix(want, "nothing")); why != "" {
			return key + ": " + why
		}
	}
	return ""
}

func (r *caseRun) zone(w []string) string {
	want := w[0] == "zone"
	if !want {
		w = w[1:]
	}
	return says((r.s.zone[r.s.sc.number(Side(w[1]))][r.s.sc.Board.Grid.Index(r.hex(w[2]))] > 0) == want, "it is not so")
}

// step reads "step a 0303: 2 MP" or "step a 0303: no", from where a stands.
func (r *caseRun) step(w []string) string {
	u := r.named(w[1])
	if u == nil {
		return "no such unit"
	}
	d, ok := r.s.sc.Board.Grid.Direction(u.Hex, r.hex(w[2]))
	if !ok {
		return "not adjacent"
	}
	probe := *u
	probe.did.started = true // no first hex for nothing
	spent, _, ok := r.s.try(&probe, u.idx, d)
	got := "no"
	if ok {
		got = points(spent - u.did.spent)
	}
	return same(got, strings.Join(w[3:], " "))
}

func (r *caseRun) bridge(w []string) string {
	e, err := hex.ParseEdge(w[1])
	if err != nil {
		return err.Error()
	}
	d, _ := r.s.sc.Board.Grid.Direction(e.A, e.B)
	stands := r.s.bridged(r.s.sc.Board.Grid.Index(e.A), d)
	return says(stands == (w[2] == "stands"), "it is not so")
}

// side reads "RED finds 0303", "RED finds nothing at 0303", "RED knows 0303: a, b", "RED knows nothing of 0303", `RED reads "text"`,
// "RED hand Rallied, Bogged" and "RED discards Apathy".
func (r *caseRun) side(text string, w []string) string {
	side := Side(w[0])
	k := r.s.sc.number(side)
	_, rest, _ := strings.Cut(text, w[1]+" ")
	switch w[1] {
	case "hand":
		return same(strings.Join(slices.Concat(r.s.Events[k].Hand, r.s.Events[k].Drawn), ", "), strings.TrimSpace(strings.ReplaceAll(rest, "nothing", "")))
	case "news":
		return same(strings.Join(r.s.News[k], ", "), rest)
	case "discards":
		return same(strings.Join(r.s.Events[k].Discard, ", "), rest)
	case "reads":
		want := strings.Trim(strings.TrimPrefix(rest, "not "), `"`)
		found := false
		for _, e := range r.Events {
			found = found || e.For(string(side)) && strings.Contains(fmt.Sprint(e.Kind, " ", e.Facts.Map()), want)
		}
		return says(found != strings.HasPrefix(rest, "not "), "it is not so")
	}
	if w[1] == "finds" {
		found := slices.ContainsFunc(r.s.view(side).Enemy, func(st view.Stack) bool { return st.Hex == r.hex(w[len(w)-1]) })
		return says(found == (w[2] != "nothing"), "it is not so")
	}
	if w[1] == "counts" {
		name, want, _ := strings.Cut(rest, ": ")
		return same(r.counted(side, name), want)
	}
	at, want := w[len(w)-1], ""
	if w[2] != "nothing" {
		at = w[2]
		_, want, _ = strings.Cut(rest, ": ")
	}
	h := r.hex(at)
	var got []string
	for _, st := range r.s.view(side).Enemy {
		if st.Hex == h {
			for _, u := range st.Units {
				got = append(got, u.Name)
			}
		}
	}
	return same(strings.Join(got, ", "), want)
}

// counted is what the side's View says of the strengths and the supply of an own unit:
// "2/3 of 5/7, Out of Supply".
func (r *caseRun) counted(side Side, name string) string {
	for _, u := range r.s.view(side).Units {
		if u.Name != name {
			continue
		}
		text := fmt.Sprintf("%d/%d", u.Attack, u.Defence)
		if u.Full != "" {
			text += " of " + u.Full
		}
		return text + ", " + cmp.Or(u.Supply, "in supply")
	}
	return "no such unit"
}

func (r *caseRun) named(name string) *Unit {
	for i := range r.s.Units {
		if strings.EqualFold(r.s.Units[i].c.Name, name) {
			return &r.s.Units[i]
		}
	}
	return nil
}

// unit reads "a at 0303, steps 1, not pinned".
func (r *caseRun) unit(text string, w []string) string {
	name := w[0]
	for n := len(w) - 1; n > 0; n-- {
		if r.named(strings.Join(w[:n], " ")) != nil {
			name = strings.Join(w[:n], " ")
			break
		}
	}
	u := r.named(name)
	if u == nil {
		return "no such unit"
	}
	for _, c := range strings.Split(strings.TrimPrefix(text, name+" "), ", ") {
		f := strings.Fields(c)
		want := f[0] != "not"
		if !want {
			f = f[1:]
		}
		arg := strings.Join(f[1:], " ")
		var ok bool
		got := ""
		switch f[0] {
		case "at":
			ok, got = u.Where == OnMap && u.Hex == r.hex(arg), fmt.Sprintf("%s %v", u.Where, u.Hex)
		case "gone", "exited", "later":
			ok, got = u.Where.String() == f[0], u.Where.String()
		case "steps":
			ok, got = fmt.Sprint(u.Steps) == arg, fmt.Sprint(u.Steps)
		case "pinned":
			ok = u.Pinned
		case "debarked":
			ok = u.Debarked
		case "fired":
			ok = u.Fired
		case "road":
			ok = u.Road
		case "overrun":
			ok = u.Overrun
		case "nominated":
			ok = u.Nominated
		case "riding":
			t := r.s.unit(u.Aboard)
			ok = t != nil && (arg == "" || strings.EqualFold(t.c.Name, arg))
		case "unsupplied":
			ok, got = fmt.Sprint(u.Unsupplied) == arg, fmt.Sprint(u.Unsupplied)
		case "attack":
			ok, got = fmt.Sprint(u.attack()) == arg, fmt.Sprint(u.attack())
		case "defence":
			ok, got = fmt.Sprint(u.defence()) == arg, fmt.Sprint(u.defence())
		case "allowance":
			ok, got = points(r.s.allowance(u)) == arg+" MP", points(r.s.allowance(u))
		case "class":
			ok, got = u.class().String() == arg, u.class().String()
		case "due":
			ok = r.s.due(u)
		default:
			return fmt.Sprintf("%q is no expectation", c)
		}
		if ok != want {
			return strings.TrimSpace(c + " is not so: " + got)
		}
	}
	return ""
}
