package famous

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// standing is a side's doctrine: what answers reactions.
type standing struct {
	fire      []fireRule
	artillery artilleryRule
	black     map[string]blackRule
	losses    []string // names, or "DEPLETED FIRST", "DEPLETED LAST"
	toward    hex.Hex  // of retreats
	follow    bool     // ADVANCE ALWAYS
	stay      bool     // ADVANCE NEVER
	keys      []hex.Hex
	replace   []string
}

// fireRule is a line of opportunity fire.
type fireRule struct {
	set    bool
	all    bool
	units  []string
	within int    // hold beyond that range, 0 for none
	prefer string // TRACKED, LEG, WHEELED
	hidden int    // an unseen unit holds until the target is so close, 0 for none
	min    int    // least chance of harm in percent
	every  bool
	hold   bool
}

type artilleryRule struct {
	set, never, any bool
	from            int // least column of the attack
	keep, most      int
}

type blackRule struct {
	never, key bool
	swing      int
}

// source says where an answer comes from.
func (st *standing) source(own bool) string {
	if own {
		return "standing orders"
	}
	return "doctrine"
}

// plan is the doctrine of a side, asked for once a phase.
func (s *State) plan(r *adjudicator.Run, side Side) *standing {
	k := s.sc.number(side)
	if s.plans[k] != nil {
		return s.plans[k]
	}
	st := &standing{black: map[string]blackRule{}}
	s.plans[k] = st
	if r == nil {
		return st
	}
	answer := r.Ask(adjudicator.Decision{Label: "standing " + string(side), Kind: kindStanding, Side: side, Clause: "GD 11.4", Filed: true})[0]
	for _, l := range lines(answer) {
		p := &parser{s: s, side: side}
		if v := p.standing(st, l); v != nil {
			s.skipFor(r, side, l, v)
		}
	}
	return st
}

func lines(answer string) []string {
	if strings.TrimSpace(answer) == "" {
		return nil
	}
	return strings.Split(answer, "\n")
}

var fireWords = []string{"WITHIN", "TRACKED", "LEG", "WHEELED", "HIDDEN", "MIN", "EVERY", "HOLD"}

// standing reads a standing order:
//
//	OPPORTUNITY ALL | 5K/2PZ, FLAK/2GR WITHIN 4, TRACKED FIRST, HIDDEN UNTIL RANGE 2, MIN 15, EVERY SHOT | HOLD
//	DEFENSIVE ARTILLERY IF ODDS >= 2-1, KEEP 1, MAX 2 | ANY | NEVER
//	BLACK CHIT RALLIED SWING 2 | AT KEY | ALWAYS | NEVER
//	LOSSES 5K/2PZ, 6K/2PZ | DEPLETED FIRST | DEPLETED LAST
//	RETREAT TOWARD 2135      ADVANCE ALWAYS | NEVER      KEY 2135, 1742      REPLACE 1K/1GR, 2K/1GR
func (p *parser) standing(st *standing, text string) *rule.Violation {
	o, err := orders.ParseOrder(text)
	if err != nil {
		return &rule.Violation{Why: err.Error()}
	}
	var words []orders.Word
	for _, c := range o.Clauses {
		words = append(words, c...)
	}
	r := phrase.New(words)
	switch w := r.Next(); w {
	case "OPPORTUNITY":
		return p.fireRule(st, &r)
	case "DEFENSIVE":
		r.Skip("ARTILLERY")
		return p.artilleryRule(st, &r)
	case "BLACK":
		r.Skip("CHIT")
		return p.blackRule(st, &r)
	case "LOSSES":
		if t := phrase.Join(r.Words); t == "DEPLETED FIRST" || t == "DEPLETED LAST" {
			st.losses = append(st.losses, t)
			return nil
		}
		us, v := p.units(r.Words)
		for _, u := range us {
			st.losses = append(st.losses, u.c.Name)
		}
		return v
	case "RETREAT":
		r.Skip("TOWARD")
		h, v := p.place(&r)
		st.toward = h
		return v
	case "ADVANCE":
		switch r.Next() {
		case "ALWAYS":
			st.follow = true
		case "NEVER":
			st.stay = true
		default:
			return &rule.Violation{Clause: "GD 10.6", Why: "ADVANCE needs ALWAYS or NEVER"}
		}
	case "KEY":
		for !r.End() {
			h, v := p.place(&r)
			if v != nil {
				return v
			}
			st.keys = append(st.keys, h)
		}
	case "REPLACE":
		us, v := p.units(r.Words)
		for _, u := range us {
			st.replace = append(st.replace, u.c.Name)
		}
		return v
	default:
		return &rule.Violation{Why: fmt.Sprintf("%q begins no standing order", w), Instead: "They are OPPORTUNITY, DEFENSIVE ARTILLERY, BLACK CHIT, LOSSES, RETREAT, ADVANCE, KEY and REPLACE."}
	}
	return nil
}

func (p *parser) fireRule(st *standing, r *phrase.Reader) *rule.Violation {
	f := fireRule{set: true}
	scope := r.Take(fireWords...)
	if phrase.Join(scope) == "ALL" {
		f.all = true
	} else {
		us, v := p.units(scope)
		if v != nil {
			return v
		}
		for _, u := range us {
			f.units = append(f.units, u.c.Name)
		}
	}
	number := func(n *int) *rule.Violation {
		r.Skip("UNTIL")
		r.Skip("RANGE")
		k, err := strconv.Atoi(strings.TrimSuffix(r.Next(), "%"))
		if *n = k; err != nil || k < 0 {
			return &rule.Violation{Clause: "GD 11.4", Why: "a number is missing in OPPORTUNITY"}
		}
		return nil
	}
	for !r.End() {
		var v *rule.Violation
		switch w := r.Next(); w {
		case "WITHIN":
			v = number(&f.within)
		case "TRACKED", "LEG", "WHEELED":
			f.prefer = w
			r.Skip("FIRST")
		case "HIDDEN":
			v = number(&f.hidden)
		case "MIN":
			v = number(&f.min)
		case "EVERY":
			f.every = true
			r.Skip("SHOT")
		case "HOLD":
			f.hold = true
		default:
			v = &rule.Violation{Clause: "GD 11.4", Why: fmt.Sprintf("%q is not understood in OPPORTUNITY", w), Instead: "Expected " + strings.Join(fireWords, ", ") + "."}
		}
		if v != nil {
			return v
		}
	}
	st.fire = append(st.fire, f)
	return nil
}

func (p *parser) artilleryRule(st *standing, r *phrase.Reader) *rule.Violation {
	a := &st.artillery
	a.set = true
	for !r.End() {
		switch w := r.Next(); w {
		case "NEVER":
			a.never = true
		case "ANY":
			a.any = true
		case "IF":
			r.Skip("ODDS")
			r.Skip(">=")
			if a.from = slices.Index(columns[:], strings.ReplaceAll(r.Next(), ":", "-")); a.from < 0 {
				a.from = 0
				return &rule.Violation{Clause: "GD 10.2", Why: "IF ODDS >= needs a column of the table"}
			}
		case "KEEP", "MAX":
			n, err := strconv.Atoi(r.Next())
			if err != nil || n < 0 {
				return &rule.Violation{Clause: "GD 10.2", Why: w + " needs a number of guns"}
			}
			if w == "KEEP" {
				a.keep = n
			} else {
				a.most = n
			}
			r.Skip("BATTERY")
			r.Skip("BATTERIES")
		default:
			return &rule.Violation{Clause: "GD 10.2", Why: fmt.Sprintf("%q is not understood in DEFENSIVE ARTILLERY", w)}
		}
	}
	return nil
}

func (p *parser) blackRule(st *standing, r *phrase.Reader) *rule.Violation {
	name := phrase.Join(r.Take("SWING", "AT", "ALWAYS", "NEVER", "WHEN"))
	k := slices.IndexFunc(p.s.sc.Events, func(e Event) bool { return e.Colour == "black" && strings.EqualFold(e.Name, name) })
	if k < 0 && name != "ALL" {
		return &rule.Violation{Clause: "GD 10.3", Why: fmt.Sprintf("%q is no black event chit", name)}
	}
	b := blackRule{}
	for !r.End() {
		switch r.Next() {
		case "SWING":
			n, err := strconv.Atoi(r.Next())
			if err != nil {
				return &rule.Violation{Clause: "GD 10.3", Why: "SWING needs a number"}
			}
			b.swing = n
		case "AT":
			r.Skip("KEY")
			b.key = true
		case "ALWAYS":
		case "NEVER":
			b.never = true
		default:
			return &rule.Violation{Clause: "GD 10.3", Why: "BLACK CHIT needs a name and SWING and a number, AT KEY, ALWAYS or NEVER"}
		}
	}
	for _, e := range p.s.sc.Events {
		if e.Colour == "black" && (name == "ALL" || strings.EqualFold(e.Name, name)) {
			st.black[strings.ToUpper(e.Name)] = b
		}
	}
	return nil
}

// opportunity is the rule for a unit: the last line that names it, then the last for all.
func (st *standing) opportunity(u *Unit) fireRule {
	best := fireRule{}
	for _, f := range st.fire {
		if f.all && best.units == nil || slices.Contains(f.units, u.c.Name) {
			best = f
		}
	}
	return best
}

// fires tells whether the rule lets a unit fire. The default: whenever it is seen
// already; if not, at a chance of 15 in 100 or at two hexes.
func (f fireRule) fires(s *State, u, target *Unit, harm int) bool {
	d := s.sc.Board.Grid.Distance(u.Hex, target.Hex)
	chance := 100 * harm / 36
	spotted := s.watches(target.c.Side, u.Hex)
	switch {
	case f.hold:
		return false
	case f.every:
		return f.within == 0 || d <= f.within
	case f.within > 0 && d > f.within, chance < f.min, f.hidden > 0 && !spotted && d > f.hidden:
		return false
	case f.set && (f.within > 0 || f.hidden > 0 || f.min > 0):
		return true
	}
	return spotted || chance >= 15 || d <= 2
}

// lossRank is the place of a unit in the order of losses.
func (st *standing) lossRank(u *Unit) int {
	for i, l := range st.losses {
		depleted := u.c.TwoSteps && u.Steps == 1
		switch {
		case l == "DEPLETED FIRST" && depleted, l == u.c.Name:
			return i
		case l == "DEPLETED LAST" && depleted:
			return 1000
		}
	}
	return len(st.losses)
}

// key tells whether a hex matters: one that the victory conditions or the standing
// orders name.
func (s *State) key(h hex.Hex, st *standing) bool {
	if slices.Contains(st.keys, h) {
		return true
	}
	for _, o := range s.sc.Objectives {
		if slices.Contains(o.Hexes, h) {
			return true
		}
	}
	return false
}
