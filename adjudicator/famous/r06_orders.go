package famous

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// activationLabel begins the label of the question for a chit's orders. No section of a
// sheet begins so: the line that answers it must not be taken for one.
const activationLabel = "orders for "

// orders are those of the chit that was drawn: what its side has filed, or what it
// writes now if it wants to be asked.
//
// deviation GD 6.0: in PLOT the side has written beforehand, in ASK it writes when its chit is drawn, in PAUSE-IF when no condition of its programme holds.
func (s *State) orders(r *adjudicator.Run, p *parser) []phrase.Written {
	entry := programmeEntry(p.bn)
	plot := r.Ask(adjudicator.Decision{Label: "programme of " + chitKey(p.side, p.bn), Kind: kindPlan, Side: p.side, Clause: "GD 6.0", Turn: true, Entry: entry})[0]
	s.keepPlan(p, plot)
	d := adjudicator.Decision{Label: activationLabel + p.bn, Kind: kindActivation, Side: p.side, Clause: "GD 6.0", Entry: entry, Proposal: plot, Source: "filed orders"}
	named := false
	d.Pause, named = s.pauses(r, p, p.bn)
	if !named && len(phrase.Lines(plot)) > 0 && p.choose(plot) == nil {
		d.Pause = "no condition of the programme holds"
	}
	d.Ordered = slices.Contains(s.Done, chitKey(p.side, p.bn)) // it has acted: there is no choice
	return phrase.ReadLines(p.choose(r.Ask(d)[0]))
}

// filedPlan is the programme of a chit as it was filed when that was drawn last.
type filedPlan struct {
	Key  string `json:"key"` // of the chit
	Text string `json:"text"`
}

// keepPlan keeps what was filed for a chit, for sheets that file it again. Games begun before the
// eighth version of the rules do not.
func (s *State) keepPlan(p *parser, plot string) {
	key := chitKey(p.side, p.bn)
	if s.sc.before(8) {
		return
	}
	s.Filed = slices.DeleteFunc(slices.Clone(s.Filed), func(f filedPlan) bool { return strings.EqualFold(f.Key, key) })
	if len(phrase.Lines(plot)) > 0 {
		s.Filed = append(s.Filed, filedPlan{key, plot})
	}
}

// filedBy are the programmes that a side filed for its chits when these were drawn last, as sections
// of a sheet.
func (s *State) filedBy(side Side) (out []string) {
	for _, f := range s.Filed {
		sd, bn := cutKey(f.Key)
		if sd != side {
			continue
		}
		for _, v := range variants(f.Text) {
			head := "CHIT " + strings.ToUpper(bn)
			if v.guard != "" {
				head += " " + v.guard
			}
			out = append(out, strings.Join(append([]string{head}, v.lines...), "\n"))
		}
	}
	return out
}

// believeFiled takes a section of a view for what was filed for its chit, behind those before it.
func (s *State) believeFiled(side Side, text string) {
	head, lines, _ := strings.Cut(text, "\n")
	bn, guard := strings.TrimPrefix(head, "CHIT "), ""
	for _, opens := range []string{" IF ", " UNLESS "} {
		if k := strings.Index(bn, opens); k > 0 && guard == "" {
			bn, guard = bn[:k], bn[k+1:]
		}
	}
	key := chitKey(side, bn)
	k := slices.IndexFunc(s.Filed, func(f filedPlan) bool { return f.Key == key })
	if k >= 0 && guard == "" {
		guard = otherwise
	}
	if guard != "" {
		lines = strings.TrimSpace(guard + "\n" + lines)
	}
	if k < 0 {
		s.Filed = append(s.Filed, filedPlan{key, lines})
		return
	}
	s.Filed[k].Text += "\n" + lines
}

// programmeEntry is the entry of a sheet's answers that holds the programme of a chit.
func programmeEntry(bn string) string { return "chit " + bn }

// drawChit draws blindly, but for those chosen to come first.
//
// GD 3.4/8: one chit at a time
// GD 18.1/2: all others are drawn
func (s *State) drawChit(r *adjudicator.Run) string {
	if len(s.First) > 0 {
		k := s.First[0]
		s.First = s.First[1:]
		return k
	}
	i := 0
	if len(s.Cup) > 1 {
		i = r.Roll("GD 3.4", "chit", 1, len(s.Cup))[0] - 1
	}
	k := s.Cup[i]
	s.Cup = slices.Delete(s.Cup, i, i+1)
	return k
}

// stack is the hex that a programme names with STACK.
func (p *parser) stack(list []phrase.Written, otherwise hex.Hex) hex.Hex {
	for _, o := range list {
		if verb(o.Verb()) != verbStack {
			continue
		}
		if in, v := p.parse(o); v == nil {
			return in.at
		}
	}
	return otherwise
}

// divisionTarget is the battalion that the chit of the division activates: the
// first that the programme names and that was not activated yet, else its own
// companies; and the orders for it.
//
// GD 2.4/6
func (s *State) divisionTarget(p *parser, list []phrase.Written, div *Unit) (string, []phrase.Written) {
	own := divBattalion
	var rest []phrase.Written
	chosen := div == nil
	for _, o := range list {
		if !activates(o) {
			rest = append(rest, o)
			continue
		}
		for _, name := range battalionsOn(o) {
			bn, v := p.battalion(name)
			// GD 3.4/4: one that has not been activated
			if v == nil && !slices.Contains(s.Done, chitKey(p.side, bn)) && !chosen {
				own, chosen = bn, true // GD 6.0/4: one battalion a turn
			}
		}
	}
	return own, rest
}

// used notes who was activated. A battalion that did nothing has passed: the
// division headquarters may still activate it.
//
// GD 6.0/16
// reading GD 6.0: a battalion that passes stays open for the division headquarters.
func (s *State) used(side Side, own string, us []*Unit) {
	if !slices.ContainsFunc(us, (*Unit).acted) {
		return
	}
	for _, u := range us {
		u.Used = u.stands()
	}
	if k := chitKey(side, own); !slices.Contains(s.Done, k) {
		s.Done = append(s.Done, k) // GD 6.0/9
	}
}

// acted tells whether a unit has made use of its activation. Some or all units may.
//
// GD 6.0/6
func (u *Unit) acted() bool {
	switch {
	case u.did.started, u.did.worked:
		return true
	}
	return u.outOfPlay()
}

// tellPass tells of a chit that has activated nobody.
func (s *State) tellPass(r *adjudicator.Run, side Side, bn, own string) {
	if !slices.Contains(s.Done, chitKey(side, own)) {
		r.Tell(view.Event{Kind: "pass", Clause: "GD 6.0", Facts: view.Pairs{"side", string(side), "chit", bn}})
	}
}
