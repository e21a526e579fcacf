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
	losses    []string // names, depletedFirst or depletedLast
	toward    hex.Hex  // of retreats
	hqs       hqDrill  // of headquarters beside attackers that retreat
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
	within int // hold beyond that range, 0 for none
	prefer preference
	hidden int // an unseen unit holds until the target is so close, 0 for none
	min    int // least chance of harm in percent
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

// What losses say of units by their state.
const (
	depletedFirst = "DEPLETED FIRST"
	depletedLast  = "DEPLETED LAST"
)

// hqDrill is what headquarters do when attackers of their hex retreat; "" is not said.
type hqDrill string

// The drills.
const (
	hqGoes  hqDrill = "GOES"
	hqStays hqDrill = "STAYS"
)

// hqsAt is the drill by the doctrine: a headquarters goes if it would stay alone.
func hqsAt(alone bool) hqDrill {
	if alone {
		return hqGoes
	}
	return hqStays
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
	for _, o := range phrase.ReadAll(answer) {
		p := &parser{s: s, side: side}
		if v := p.standing(st, o); v != nil {
			s.skipFor(r, side, o.Text, v)
		}
	}
	return st
}

var fireWords = []string{"WITHIN", "TRACKED", "LEG", "WHEELED", "HIDDEN", "MIN", "EVERY", "HOLD"}

// standing reads a standing order:
//
//	OPPORTUNITY ALL | 5K/2PZ, FLAK/2GR WITHIN 4, TRACKED FIRST, HIDDEN UNTIL RANGE 2, MIN 15, EVERY SHOT | HOLD
//	DEFENSIVE ARTILLERY IF ODDS >= 2-1, KEEP 1, MAX 2 | ANY | NEVER
//	BLACK CHIT RALLIED SWING 2 | AT KEY | ALWAYS | NEVER
//	LOSSES 5K/2PZ, 6K/2PZ | DEPLETED FIRST | DEPLETED LAST
//	RETREAT TOWARD 2135      RETREAT HQ STAYS | GOES
//	ADVANCE ALWAYS | NEVER      KEY 2135, 1742      REPLACE 1K/1GR, 2K/1GR
func (p *parser) standing(st *standing, o phrase.Written) (v *rule.Violation) {
	if o.Fault != nil {
		return o.Fault
	}
	r := phrase.New(o.Flat())
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
		switch t := phrase.Join(r.Words); t {
		case depletedFirst, depletedLast:
			st.losses = append(st.losses, t)
			return nil
		}
		return p.nameUnits(&st.losses, r.Words)
	case "RETREAT":
		if r.Skip("HQ") {
			return st.drill(&r)
		}
		r.Skip("TOWARD")
		st.toward, v = p.place(&r)
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
		return p.nameUnits(&st.replace, r.Words)
	default:
		return &rule.Violation{Why: fmt.Sprintf("%q begins no standing order", w), Instead: "They are OPPORTUNITY, DEFENSIVE ARTILLERY, BLACK CHIT, LOSSES, RETREAT, ADVANCE, KEY and REPLACE."}
	}
	return nil
}

// drill reads what headquarters do when the attackers of their hex retreat.
func (st *standing) drill(r *phrase.Reader) *rule.Violation {
	switch d := hqDrill(r.Next()); d {
	case hqGoes, hqStays:
		st.hqs = d
		return nil
	}
	return &rule.Violation{Clause: "GD 10.4", Why: "RETREAT HQ needs STAYS or GOES"}
}

// nameUnits adds the names of units to a list.
func (p *parser) nameUnits(list *[]string, words []orders.Word) *rule.Violation {
	us, v := p.units(words)
	for _, u := range us {
		*list = append(*list, u.c.Name)
	}
	return v
}

func (p *parser) fireRule(st *standing, r *phrase.Reader) *rule.Violation {
	f := fireRule{set: true}
	scope := r.Take(fireWords...)
	if f.all = phrase.Join(scope) == "ALL"; !f.all {
		if v := p.nameUnits(&f.units, scope); v != nil {
			return v
		}
	}
	number := func(n *int) *rule.Violation {
		r.Skip("UNTIL")
		r.Skip("RANGE")
		k, ok := natural(strings.TrimSuffix(r.Next(), "%"))
		if *n = k; !ok {
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
			f.prefer = preference(w)
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

// natural reads a whole number that is not negative.
func natural(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0
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
			if a.from = column(r.Next()); a.from < 0 {
				a.from = 0
				return &rule.Violation{Clause: "GD 10.2", Why: "IF ODDS >= needs a column of the table"}
			}
		case "KEEP", "MAX":
			n, ok := natural(r.Next())
			if !ok {
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
	var meant []string
	for _, e := range p.s.sc.Events {
		if e.Colour == black && chitNamed(e, name) {
			meant = append(meant, strings.ToUpper(e.Name))
		}
	}
	if meant == nil && name != "ALL" {
		return &rule.Violation{Clause: "GD 10.3", Why: fmt.Sprintf("%q is not a black event chit", name)}
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
	for _, name := range meant {
		st.black[name] = b
	}
	return nil
}

// chitNamed: a standing order means the chit, or all.
func chitNamed(e Event, name string) bool { return name == "ALL" || strings.EqualFold(e.Name, name) }

// opportunity is the rule for a unit: the last line that names it, then the last for all.
func (st *standing) opportunity(u *Unit) fireRule {
	best := fireRule{}
	for _, f := range st.fire {
		byName := slices.Contains(f.units, u.c.Name)
		if byName || best.units == nil && f.all {
			best = f
		}
	}
	return best
}

// sighting is a target as the unit that might fire at it sees it.
type sighting struct {
	distance int
	chance   int  // of harm, in percent
	spotted  bool // the enemy sees the unit already
}

// fires tells whether the rule lets a unit fire. The default: whenever it is seen
// already; if not, at a chance of 15 in 100 or at two hexes.
func (f fireRule) fires(t sighting) bool {
	switch {
	case f.hold:
		return false
	case f.every:
		return !f.beyond(t)
	case f.beyond(t), f.lurks(t), t.chance < f.min:
		return false
	case f.limited():
		return true
	}
	return t.spotted || t.chance >= 15 || t.distance <= 2
}

// beyond: the target is farther off than the order lets the unit fire.
func (f fireRule) beyond(t sighting) bool { return f.within > 0 && t.distance > f.within }

// lurks: an unseen unit waits for the target to come close.
func (f fireRule) lurks(t sighting) bool {
	return f.hidden > 0 && !t.spotted && t.distance > f.hidden
}

// limited: the order itself says when to fire.
func (f fireRule) limited() bool { return max(f.within, f.hidden, f.min) > 0 }

// lossRank is the place of a unit in the order of losses.
func (st *standing) lossRank(u *Unit) int {
	for i, l := range st.losses {
		switch {
		case l == u.c.Name:
			return i
		case !u.depleted():
		case l == depletedFirst:
			return i
		case l == depletedLast:
			return 1000
		}
	}
	return len(st.losses)
}

// key tells whether a hex matters: one that the victory conditions or the standing
// orders name.
func (s *State) key(h hex.Hex, st *standing) bool {
	return slices.Contains(st.keys, h) || s.objective(h)
}

// objective tells whether the victory conditions name a hex.
func (s *State) objective(h hex.Hex) bool {
	return slices.ContainsFunc(s.sc.Objectives, func(o Objective) bool { return slices.Contains(o.Hexes, h) })
}
