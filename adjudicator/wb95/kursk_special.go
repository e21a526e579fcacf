package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// Kinds of decisions of the Kursk book, all of them reactions.
const (
	kindRepair     = "repair"     // who gets a Repair marker
	kindWithdrawal = "withdrawal" // which division leaves
)

// Standing orders of the Kursk book: who is to be repaired, who pays for mines,
// which division leaves.
const (
	verbRepair   = "REPAIR"
	verbMines    = "MINES"
	verbWithdraw = "WITHDRAW"
)

// specialStanding reads such a standing order; it reports false if it is none:
//
//	REPAIR 5/3, 6/4          the first of them that can be
//	MINES 228 AG, 6/3 FIRST  who loses steps on mines first
//	WITHDRAW 12 ARM          the division that leaves
func (s *State) specialStanding(o *standingOrder, side Side, rest *phrase.Reader) (*rule.Violation, bool) {
	verb := rest.Peek()
	if !slices.Contains([]string{verbRepair, verbMines, verbWithdraw}, verb) {
		return nil, false
	}
	rest.Next()
	o.verb = verb
	o.how.source = "standing order " + verb + " " + phrase.Join(rest.Words)
	none := s.sc.Special.none()
	if verb == verbWithdraw {
		none = len(s.sc.Withdrawals) == 0
	}
	switch {
	case none:
		return &rule.Violation{Why: "there is nothing to " + strings.ToLower(verb) + " in this scenario"}, true
	case verb == verbWithdraw:
		if o.names = []string{phrase.Join(rest.Words)}; o.names[0] == "" {
			return &rule.Violation{Why: "WITHDRAW needs a division"}, true
		}
		return nil, true
	}
	us, v := s.units(side, withoutFirst(rest.Words))
	o.names = shortNames(us)
	return v, true
}

// specially says such an order back.
func (o standingOrder) specially() string {
	who := strings.Join(o.names, ", then ")
	switch o.verb {
	case verbRepair:
		return "repair " + who
	case verbMines:
		return "losses on mines: first " + who
	}
	return who + " is the division that leaves"
}

// none tells whether a scenario has neither mines nor repair markers.
func (sp Special) none() bool { return sp.MinesLast == 0 && sp.Repairs == 0 && sp.Fronts == nil }

// wished is the first unit of a standing order that is among us.
func wished(wishes []standingOrder, verb string, us []*Unit) (*Unit, string) {
	for _, o := range wishes {
		for _, name := range o.names {
			if i := slices.IndexFunc(us, func(u *Unit) bool { return u.c.Name == name }); i >= 0 && o.verb == verb {
				return us[i], o.how.source
			}
		}
	}
	return nil, ""
}

// wishes reads the standing orders of a side that chapters 17 and 18 ask for.
func (s *State) wishes(r *adjudicator.Run, side Side) []standingOrder {
	answer := r.Ask(adjudicator.Decision{Label: "standing " + string(side), Kind: kindStanding, Side: side, Filed: true, Clause: "WB-95 17.1.2", Source: "none filed"})[0]
	var out []standingOrder
	for _, w := range phrase.ReadAll(answer) {
		o, v := s.parseStanding(side, w)
		if v != nil || o.verb == "" {
			continue
		}
		if s.lasts(o) {
			out = append(out, o)
		}
	}
	return out
}

// Withdrawal is a division that a side must give up on a day, or another one.
type Withdrawal struct {
	Side     Side
	Division string // the parent of its counters
	Turn     int
}

// withdraw takes a division off the map at the end of the Movement Phase of its day.
//
// reading WB-95 2.1.1: as good as the division that is named to withdraw is another with tanks that
// has as many steps left, all its units counted; whoever goes, goes from wherever they stand, and
// are not lost. If the division named has been destroyed nobody goes.
func (s *State) withdraw(r *adjudicator.Run, side Side) {
	for _, w := range s.sc.Withdrawals {
		switch {
		case w.Side != side, w.Turn != s.Turn, steps(s.division(side, w.Division)) == 0:
			continue
		}
		divisions := s.equals(w)
		chosen, source := w.Division, defaultSource
		for _, o := range s.wishes(r, side) {
			if i := slices.IndexFunc(divisions, func(n string) bool { return o.verb == verbWithdraw && strings.EqualFold(n, o.names[0]) }); i >= 0 {
				chosen, source = divisions[i], o.how.source
			}
		}
		if len(divisions) > 1 {
			d := adjudicator.Decision{Label: "withdrawal", Kind: kindWithdrawal, Side: side, Clause: "WB-95 2.1.1", Proposal: chosen, Source: source}
			for _, n := range divisions {
				us := s.division(side, n)
				d.Options = append(d.Options, adjudicator.Option{Answer: n, Means: fmt.Sprintf("withdraw %s: %s", n, counted(steps(us), "step"))})
			}
			chosen = r.Ask(d)[0]
		}
		us := s.division(side, chosen)
		gone := chosen + ": " + names(us)
		var from []hex.Hex
		for _, u := range us {
			if u.Where == OnMap {
				from = append(from, u.Hex)
			}
			s.lift(u)
			*u = Unit{ID: u.ID, Where: Gone, Away: true, c: u.c}
		}
		r.Tell(view.Event{Kind: "withdrawn", Clause: "WB-95 2.1.1", To: to(side), Hexes: sorted(from), Facts: view.Pairs{"units", gone}})
		r.Tell(view.Event{Kind: "withdrawal-seen", Clause: "WB-95 2.1.1", To: to(s.sc.Other(side)), Facts: view.Pairs{"side", s.sc.nameOf(side)}})
	}
}

// division lists what is left of a division, on the map or still to come.
func (s *State) division(side Side, name string) []*Unit {
	var out []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where == Gone {
			continue
		}
		if u.c.Side == side && u.c.Parent == name {
			out = append(out, u)
		}
	}
	return out
}

// equals lists the divisions that may be withdrawn, the one named first.
func (s *State) equals(w Withdrawal) []string {
	out := []string{w.Division}
	need := steps(s.division(w.Side, w.Division))
	for _, u := range s.onMap(w.Side) {
		name := u.c.Parent
		if u.c.Type != ARM || name == "" || slices.Contains(out, name) {
			continue
		}
		us := slices.DeleteFunc(s.division(w.Side, name), func(u *Unit) bool { return u.Where != OnMap })
		if steps(us) >= need {
			out = append(out, name)
		}
	}
	return out
}

// Ban keeps a formation from crossing some hexsides of a river.
type Ban struct {
	Formation string
	River     string
	Edges     map[hex.Edge]bool
}

// banned tells whether the unit may not make the step: the 7 Guards Army may not
// cross the Siewiernyj Doniec north of hex 5125.
//
// reading WB-95 3.1.11: north of a hex, where an army may not cross a river, is every hexside of
// the river that a hex of a row above it touches; it holds for retreats and pursuit as well, bridge
// or not.
func (sc *Scenario) banned(c *Counter, e hex.Edge) *Ban {
	for i := range sc.Bans {
		if b := &sc.Bans[i]; b.Formation == c.Formation && b.Edges[e] {
			return b
		}
	}
	return nil
}

// formationBan is the clause under which a march is told of a ban.
const formationBan rule.Clause = "WB-95 2.1.1"

// forbidden is the ban that the step between two hexes would break.
func (m *march) forbidden(i, j int) *Ban {
	g := m.s.sc.Board.Grid
	return m.s.sc.banned(m.u.c, hex.Between(g.At(i), g.At(j)))
}

type withdrawalTable struct {
	Side     Side
	Division string
	Date     string
}

type banTable struct {
	Formation string
	River     string
	NorthOf   hex.Hex `toml:"north_of"`
}

// withdrawals reads the divisions that leave and the rivers that are closed.
func (l *loader) withdrawals() {
	sc := l.sc
	for _, t := range l.file.Withdrawals {
		w := Withdrawal{t.Side, t.Division, sc.turnOf(t.Date)}
		if w.Turn == 0 || len(sc.division(t.Side, t.Division)) == 0 {
			l.fault(`"`+t.Division+`"`, "a withdrawal needs a side, a division of it and a day of the game")
		}
		sc.Withdrawals = append(sc.Withdrawals, w)
	}
	for _, t := range l.file.Bans {
		b := Ban{t.Formation, t.River, map[hex.Edge]bool{}}
		for _, r := range sc.Board.Rivers {
			if r.Name != t.River {
				continue
			}
			for _, e := range r.Edges {
				if min(e.A.Row(), e.B.Row()) < t.NorthOf.Row() {
					b.Edges[e] = true
				}
			}
		}
		if len(b.Edges) == 0 || !slices.ContainsFunc(sc.Counters, func(c Counter) bool { return c.Formation == t.Formation }) {
			l.fault(`"`+t.Formation+`"`, "a ban needs a formation, a river and a hex of the map that it is north of")
		}
		sc.Bans = append(sc.Bans, b)
	}
}
