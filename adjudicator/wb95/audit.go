package wb95

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Tried is a game as trials look into it. What plays games needs none of this, so it
// hangs on a type of its own.
type Tried struct{ *Game }

// Auditor looks over what must hold after every phase. It looks at positions and events
// from outside: nothing in it is used by the rules.
func (g Tried) Auditor(opening []byte) (func([]byte, []view.Event) []string, error) {
	first, err := g.decode(opening)
	if err != nil {
		return nil, err
	}
	a := &audit{was: first, crowded: map[hex.Hex]int{}}
	for h := range first.stacks() {
		if n := first.stackSteps(h); n > stackLimit {
			a.crowded[h] = n // printed so; it may shrink, not grow
		}
	}
	return a.after, nil
}

// audit compares each position with the one before it.
type audit struct {
	was     *State
	crowded map[hex.Hex]int // hexes that the set-up prints with too many steps
	faults  []string
}

func (a *audit) fault(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

// after says what does not hold in a position.
func (a *audit) after(position []byte, events []view.Event) []string {
	a.faults = nil
	s, err := decodeState(a.was.sc, position)
	if err != nil {
		return []string{err.Error()}
	}
	if string(s.encode()) != string(position) {
		a.fault("the position reads back otherwise than it was written")
	}
	if a.places(s); len(a.was.Units) != len(s.Units) {
		return a.faults
	}
	a.steps(s, events)
	a.stacks(s)
	a.marks(s)
	a.was = s
	return a.faults
}

// places: the counters are those of the beginning, each in one place, where
// ground lets it stand.
func (a *audit) places(s *State) {
	ids := func(s *State) []string {
		out := make([]string, len(s.Units))
		for i := range s.Units {
			out[i] = s.Units[i].ID
		}
		return out
	}
	switch now := ids(s); {
	case !slices.Equal(now, ids(a.was)), !slices.IsSorted(now), len(slices.Compact(now)) != len(s.Units):
		a.fault("the counters are not those of the beginning, each once")
	}
	for i := range s.Units {
		u := &s.Units[i]
		switch {
		case u.Where == OnMap && !s.sc.Board.On(u.Hex):
			a.fault("%s stands on %v, off the map", u.c.Name, u.Hex)
		case u.Where == OnMap && !s.standable(u.c, u.Hex):
			a.fault("%s (%s) stands on %v, where its class cannot get", u.c.Name, u.c.Class, u.Hex)
		case u.Where != OnMap && u.Hex != hex.None:
			a.fault("%s is %s and on %v at once", u.c.Name, u.Where, u.Hex)
		}
	}
}

// standable tells whether a counter can stand on a hex: its ground is open to the
// class, or a way leads on to it.
func (s *State) standable(c *Counter, h hex.Hex) bool {
	if slices.ContainsFunc(s.beside(h), func(n hex.Hex) bool { return s.entryCost(c, n, h) != Closed }) {
		return true
	}
	return !slices.ContainsFunc(s.sc.Board.Kinds(h), func(k string) bool { return s.sc.terrain[k].Cost[c.Class] == Closed })
}

// Events that tell the owner of a lost step, of a unit lost whole, and of a step gained.
var (
	toldStep = []string{"combat-loss", "fire-hit", "air-loss", "mine-loss", "panther-loss", "crowded"}
	toldUnit = []string{"surrender", "overrun", "defection", "withdrawn"}
	toldGain = []string{"repaired"}
)

// steps are conserved: what a unit has is what it had, less the steps and plus
// those that the events of the phase tell its owner of.
func (a *audit) steps(s *State, events []view.Event) {
	given, taken, spread := 0, 0, 0
	for i := range s.Units {
		u, was := &s.Units[i], &a.was.Units[i]
		least, most := 1, u.c.Steps()
		if u.Where == Gone {
			least, most = 0, 0
		}
		if u.Steps < least || u.Steps > most {
			a.fault("%s is %s with %d steps of %d", u.c.Name, u.Where, u.Steps, u.c.Steps())
		}
		if was.Where == Gone && u.Where != Gone {
			a.fault("%s has come back from the dead", u.c.Name)
		}
		d := u.Steps - was.Steps
		if d == 0 {
			continue
		}
		lost, whole, gained := s.told(events, was)
		told := lost + gained
		switch {
		case a.was.Phase == 0: // 1.2/3: losses of an entry are spread otherwise
			spread += d
		case d == gained-lost:
		case d < 0 && whole && u.Where == Gone:
		case d == 1 && told == 0:
			given++
		case d == -1 && lost == 0 && was.c.Type == VS:
			taken++
		default:
			a.fault("%s had %d steps and has %d; its owner was told of %d lost and %d gained", u.c.Name, was.Steps, u.Steps, lost, gained)
		}
	}
	if spread != 0 {
		a.fault("the set-up gives %d steps that the book does not", spread)
	}
	if given != taken { // 15.3.3: what infantry gains Volkssturm gives
		a.fault("%d steps came from nowhere, %d went there", given, taken)
	}
}

// told counts what the owner of a unit reads of its losses and gains.
func (s *State) told(events []view.Event, u *Unit) (lost int, whole bool, gained int) {
	for _, e := range events {
		if !e.For(string(u.c.Side)) || !mentions(e.Facts, u.c.Name) {
			continue
		}
		switch {
		case slices.Contains(toldStep, e.Kind):
			if s.isNamesake(u, e.Facts.Get("side")) {
				continue
			}
			lost++
		case e.Kind == "air-harass":
			n, _ := strconv.Atoi(e.Facts.Get("lost"))
			lost += n
		case e.Kind == "defection" && u.Steps > 1 && slices.Contains([]string{"2", "3"}, e.Facts.Get("dice")):
			lost++
		case slices.Contains(toldUnit, e.Kind):
			whole = true
		case slices.Contains(toldGain, e.Kind):
			gained++
		}
	}
	return lost, whole, gained
}

// isNamesake tells whether facts that name the unit, and the side if any, are about an
// enemy of the same name.
func (s *State) isNamesake(u *Unit, side string) bool {
	switch side {
	case "", s.sc.nameOf(u.c.Side):
		return false
	case s.sc.nameOf(turncoats):
		return !u.Turned
	}
	return true
}

// mentions tells whether a unit is named in the facts, alone or in a list.
func mentions(facts view.Pairs, name string) bool {
	for _, key := range []string{"unit", "units"} {
		list := facts.Get(key)
		if _, who, ok := strings.Cut(list, ": "); ok { // of a division
			list = who
		}
		if slices.Contains(strings.Split(list, ", "), name) {
			return true
		}
	}
	return false
}

// stacks: within the limit, of one side and of friends.
func (a *audit) stacks(s *State) {
	for h, us := range s.stacks() {
		n := s.stackSteps(h)
		if slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Side != us[0].c.Side }) {
			a.fault("both sides stand on %v: %s", h, names(us))
		}
		if n > max(stackLimit, a.crowded[h]) {
			a.fault("%v holds %d steps: %s", h, n, names(us))
		}
		if s.mixedAt(h) {
			a.fault("%v holds allies that do not share a hex: %s", h, names(us))
		}
		if a.crowded[h] > 0 {
			a.crowded[h] = n
		}
	}
}

// marks: nothing of one phase outlasts it, works have an owner, and the clock runs.
func (a *audit) marks(s *State) {
	for i := range s.Units {
		u := &s.Units[i]
		switch {
		case u.Through != hex.None, u.Batch != 0, u.OoS < 0:
			a.fault("%s keeps a mark of the movement: %+v", u.c.Name, *u)
		}
		if stageOf(a.was.Phase) != stageAttack {
			continue
		}
		if u.Fought || u.Fired {
			a.fault("%s keeps a mark of the combat", u.c.Name)
		}
	}
	for i, f := range s.Forts {
		if i > 0 && s.Forts[i-1].Hex >= f.Hex {
			a.fault("two works on %v", f.Hex)
		}
		if by := s.holder(f.Hex); by != "" && by != f.Side {
			a.fault("the works on %v are of %s, who has lost the hex", f.Hex, f.Side)
		}
	}
	if s.Verdict == "" && s.Turn*s.sc.phases()+s.Phase != a.was.Turn*s.sc.phases()+a.was.Phase+1 {
		a.fault("after turn %d phase %d comes turn %d phase %d", a.was.Turn, a.was.Phase, s.Turn, s.Phase)
	}
	for i, side := range s.sc.Sides {
		counters := s.sc.airCounters(side)
		if counters == nil {
			if most := s.airStrength(side, s.Turn) + s.Saved; s.Flown[i] < 0 || s.Flown[i] > most {
				a.fault("%s has flown %d of %d points of the day", side, s.Flown[i], most)
			}
			continue
		}
		flew := slices.DeleteFunc(counters, func(c AirUnit) bool { return !slices.Contains(s.FlownAir, c.Name) })
		if len(flew) > s.sc.AirChoice[side] {
			a.fault("%s has flown with %d of %d counters of the day", side, len(flew), s.sc.AirChoice[side])
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(s.FlownAir)))) != len(s.FlownAir) {
		a.fault("a counter has flown twice in a day: %s", strings.Join(s.FlownAir, ", "))
	}
}
