package famous

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// stateFormat is the version of the encoding of a position.
const stateFormat = 1

// State is a position. It is a plain value: its JSON, with fields in this order
// and units sorted by id, is the canonical encoding.
type State struct {
	Format int `json:"v"`
	// Turn and Phase name the phase that comes next, both from 1.
	Turn    int `json:"turn"`
	Phase   int `json:"phase"`
	Weather int `json:"weather"` // the die as modified, 1 to 6
	// Cup holds the activation chits still to be drawn this turn, sorted; First
	// those that a side has chosen to come first (turn 1), in its order.
	Cup   []string `json:"cup,omitempty"`
	First []string `json:"first,omitempty"`
	// Done lists the battalions that were activated this turn.
	Done     []string     `json:"done,omitempty"`
	Units    []Unit       `json:"units"`
	Forts    []Fort       `json:"forts,omitempty"`
	Blown    []hex.Edge   `json:"blown,omitempty"`
	Pontoons []Pontoon    `json:"pontoons,omitempty"`
	Events   [2]EventCups `json:"events"` // in the order of the sides
	Pool     []int        `json:"pool"`   // copies of each event that are in no hand, cup or pile yet
	Last     letters      `json:"last"`   // a letter per hex: who occupied it last, A, B or "."
	// Filed are the programmes of chits as they were filed when these were drawn last.
	Filed  []filedPlan `json:"filed,omitempty"`
	Opened bool        `json:"opened,omitempty"`
	Placed bool        `json:"placed,omitempty"` // set up in a turn 0
	// HalfPlaced: in turn 0, the side that sets up first has.
	HalfPlaced bool        `json:"half_placed,omitempty"`
	Touched    []hex.Hex   `json:"touched,omitempty"` // objectives that the scorer has ever occupied
	Quiet      []string    `json:"quiet,omitempty"`   // battalions whose guns do not fire yet (20.4)
	Contacts   []Contact   `json:"contacts,omitempty"`
	Known      [2]string   `json:"known,omitzero"` // in a blind game: Last as each side knows it
	News       [2][]string `json:"news,omitzero"`  // by side, since its last chit: what it may want to be asked for
	Verdict    string      `json:"verdict,omitempty"`
	Winner     Side        `json:"winner,omitempty"`
	// Acting is of a position in the midst of a phase alone: the activation that waits for the rest of
	// its orders.
	Acting *view.Acting `json:"acting,omitempty"`

	sc *Scenario
	// leads is that of the View that a position was made from.
	leads      func(unit string) string
	at         []int16    // by hex index: the first of the units on it, in order of id, or noOne
	behind     []int16    // by unit: the one behind it on its hex, or noOne
	zone       [2][]uint8 // units of a side whose zone of control covers the hex
	blown      map[hex.Edge]bool
	spanned    []bool         // by hexside, as in edges: an intact bridge or a completed pontoon leads across
	deck       map[int]bool   // completed pontoons in major river hexes, by index
	fort       []int16        // by hex index: the first of the fortifications on it, or noOne
	behindFort []int16        // by fortification: the one behind it on its hex, or noOne
	shots      map[string]int // of the phase: labels used, for numbering
	plans      [2]*standing   // of the phase: standing orders
	commander  string         // id of the headquarters that activates now, "" if none
	judging    bool           // the game is being judged: roads are tested
	plansFor   Side           // whose programme is carried out
	soFar      sofar          // what the activation has come to
}

// Where is where a unit is.
type Where uint8

// The places of a unit.
const (
	nowhere Where = iota // in somebody's hand
	OnMap
	Later  // a reinforcement
	Beside // artillery beside the map (18.4)
	Exited
	Gone
)

// places are what positions call them.
var places = [...]string{nowhere: "", OnMap: "map", Later: "later", Beside: "off", Exited: "exited", Gone: "gone"}

func (w Where) String() string { return places[w] }

// MarshalText writes what positions call the place.
func (w Where) MarshalText() ([]byte, error) { return []byte(places[w]), nil }

// UnmarshalText reads what MarshalText writes.
func (w *Where) UnmarshalText(b []byte) error {
	k := slices.Index(places[:], string(b))
	if k < 0 {
		return fmt.Errorf("a unit is nowhere that is called %q", b)
	}
	*w = Where(k)
	return nil
}

// Unit is a unit as it stands now.
type Unit struct {
	ID    string  `json:"id"`
	Where Where   `json:"where"`
	n     int16   // its place in State.Units
	Hex   hex.Hex `json:"hex,omitempty"`
	Steps int     `json:"steps"`
	// Debarked: a wheeled unit on foot (9.6). Aboard: the tank that it rides (9.5).
	Debarked bool   `json:"debarked,omitempty"`
	Aboard   string `json:"aboard,omitempty"`
	Pinned   bool   `json:"pinned,omitempty"`
	Fired    bool   `json:"fired,omitempty"`
	KeptFor  string `json:"kept_for,omitempty"` // the battalion for whose attacks the gun is kept in this turn
	Road     bool   `json:"road,omitempty"`     // Road Move marker
	Overrun  bool   `json:"overrun,omitempty"`
	// Unsupplied counts the Supply Phases in a row without a path (5.3).
	Unsupplied int `json:"unsupplied,omitempty"`
	// Nominated: in automatic supply this turn (5.1).
	Nominated bool `json:"nominated,omitempty"`
	// Keeper: with this unit that supply stays if its stack parts. Lapsed is what Unsupplied
	// becomes for those who lose it.
	Keeper bool `json:"keeper,omitempty"`
	Lapsed int  `json:"lapsed,omitempty"`
	// Used: activated this turn.
	Used bool `json:"used,omitempty"`
	// Via is the entry that its battalion has chosen where all of it comes by one (18.4).
	Via string `json:"via,omitempty"`
	// Left is the zone by which an exited unit left.
	Left string `json:"left,omitempty"`
	// LeftFrom is the hex of it; None in games begun before the fourth version of the rules.
	LeftFrom hex.Hex `json:"left_from,omitempty"`

	did deeds // in the activation in progress

	c   *Counter
	idx int // hex index while on the map
}

// deeds are what a unit did in the activation in progress. They are forgotten with it.
type deeds struct {
	spent    Cost  // of the movement allowance
	ahead    int16 // orders still to come that take it to another hex
	active   bool  // it was activated and may act
	entered  bool  // it came on to the map
	started  bool  // it has entered a hex or spent points
	stopped  bool  // its movement is over
	last     bool  // nobody has moved since it did, alone
	worked   bool  // on a bridge
	cleared  bool  // fortifications
	shot     bool  // with direct fire
	barraged bool
	fought   bool
}

// Fort is a fortification chit on the map.
type Fort struct {
	Hex  hex.Hex `json:"hex"`
	Kind int     `json:"kind"`
	Face hex.Dir `json:"face"`
	Side Side    `json:"side"`
}

// Pontoon is a pontoon bridge: on a hexside, or in a major river hex.
type Pontoon struct {
	Edge hex.Edge `json:"edge,omitzero"`
	Hex  hex.Hex  `json:"hex,omitempty"`
	Done bool     `json:"done,omitempty"`
	Side Side     `json:"side"`
}

// EventCups are a side's event chits. Until the cup has been emptied once its
// chits are known by colour only: drawing a colour and then a chit of the pool is
// the same as having filled the cup at random from the pool before the game.
type EventCups struct {
	Blue    int      `json:"blue"`
	Red     int      `json:"red"`
	Black   int      `json:"black"`
	Known   []string `json:"known,omitempty"` // refilled from the pile, sorted
	Discard []string `json:"discard,omitempty"`
	Hand    []string `json:"hand,omitempty"`  // black chits given by the scenario, sorted
	Drawn   []string `json:"drawn,omitempty"` // black chits drawn, sorted; the enemy does not know them
}

// Contact is what a side remembers of an enemy stack, and from when.
type Contact struct {
	Side  Side    `json:"side"`
	Hex   hex.Hex `json:"hex"`
	Turn  int     `json:"turn"`
	Units []Seen  `json:"units"`
}

// Seen is an enemy unit as it was seen.
type Seen struct {
	ID    string `json:"id"`
	Steps int    `json:"steps"`
}

func (s *State) encode() []byte { return adjudicator.Encode(s) }

func decodeState(sc *Scenario, b []byte) (*State, error) {
	s := &State{}
	if err := adjudicator.Decode(b, s, &s.Format, stateFormat); err != nil {
		return nil, err
	}
	return s, s.attach(sc)
}

// attach gives the units their counters and builds the indexes.
func (s *State) attach(sc *Scenario) error {
	s.sc = sc
	var errs []error
	for i := range s.Units {
		u := &s.Units[i]
		if u.c = sc.counter(u.ID); u.c == nil {
			errs = append(errs, fmt.Errorf("position: no counter %q in %s", u.ID, sc.ID))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.index()
	return nil
}

// clone copies the position; the scenario is shared.
func (s *State) clone() *State { return s.cloneOver(&State{}) }

// cloneOver copies the position over another one that nobody needs any more, and returns that.
func (s *State) cloneOver(old *State) *State {
	c := *s
	c.Units = over(old.Units, s.Units)
	c.Cup, c.First, c.Done = over(old.Cup, s.Cup), over(old.First, s.First), over(old.Done, s.Done)
	c.Forts, c.Blown, c.Pontoons = over(old.Forts, s.Forts), over(old.Blown, s.Blown), over(old.Pontoons, s.Pontoons)
	c.Pool, c.Quiet = over(old.Pool, s.Pool), over(old.Quiet, s.Quiet)
	for i := range c.Events {
		e, was := &c.Events[i], &old.Events[i]
		e.Known, e.Discard, e.Hand, e.Drawn = over(was.Known, e.Known), over(was.Discard, e.Discard), over(was.Hand, e.Hand), over(was.Drawn, e.Drawn)
	}
	c.News = [2][]string{over(old.News[0], s.News[0]), over(old.News[1], s.News[1])}
	c.Touched = over(old.Touched, s.Touched)
	c.Contacts = over(old.Contacts, s.Contacts) // their units are never changed in place
	c.shots, c.plans, c.commander = nil, [2]*standing{}, ""
	c.soFar.took = over(old.soFar.took, s.soFar.took)
	c.Last = over(old.Last, s.Last)
	c.Filed = over(old.Filed, s.Filed)
	c.at, c.behind = over(old.at, s.at), over(old.behind, s.behind)
	c.zone = [2][]uint8{over(old.zone[0], s.zone[0]), over(old.zone[1], s.zone[1])}
	// What works makes it makes anew, and never changes.
	*old = c
	return old
}

// over copies a list over an old one, if that has room for it; nil stays nil.
func over[T any, S ~[]T](old, list S) S {
	if len(list) == 0 || cap(old) < len(list) {
		return slices.Clone(list)
	}
	return append(old[:0], list...)
}

// unit is the unit with that id, or nil.
func (s *State) unit(id string) *Unit {
	i, ok := slices.BinarySearchFunc(s.Units, id, func(u Unit, id string) int { return strings.Compare(u.ID, id) })
	if !ok {
		return nil
	}
	return &s.Units[i]
}

// each goes over the units on a hex of that index, in order of id. None of them may be put
// elsewhere meanwhile.
func (s *State) each(i int) iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		for n := s.at[i]; n != noOne && yield(&s.Units[n]); n = s.behind[n] {
		}
	}
}

// unitsAt lists the units on a hex of that index, in order of id.
func (s *State) unitsAt(i int) []*Unit {
	out := make([]*Unit, 0, 8)
	for u := range s.each(i) {
		out = append(out, u)
	}
	return out
}

// on are the units on a hex.
func (s *State) on(h hex.Hex) []*Unit { return s.unitsAt(s.sc.Board.Grid.Index(h)) }

// holds tells which side has units on the hex index: 0, 1, or -1 for none.
func (s *State) holds(i int) int {
	if n := s.at[i]; n != noOne {
		return int(s.Units[n].c.side)
	}
	return -1
}

// holder is the side with units on the hex, "" if it is empty.
func (s *State) holder(h hex.Hex) Side {
	if k := s.holds(s.sc.Board.Grid.Index(h)); k >= 0 {
		return s.sc.Sides[k]
	}
	return ""
}

// occupy notes who stood on a hex last.
//
// reading GD 18.3: any unit takes a place, and passing through is enough.
func (s *State) occupy(u *Unit) {
	s.takeOver(u)
	if s.opens(u) && !slices.Contains(s.Touched, u.Hex) {
		s.Touched = append(s.Touched, u.Hex)
	}
}

// takeOver makes the unit's side the last on its hex. Who had it hears that it fell.
func (s *State) takeOver(u *Unit) {
	mine := sideMarks[u.c.side]
	was := s.Last[u.idx]
	if was == mine {
		return
	}
	if was != noSideMark {
		foe := s.sc.Other(u.c.Side)
		s.news(foe, newsFalls+u.Hex.String())
		if s.objective(u.Hex) {
			s.news(foe, newsPoints)
		}
	}
	s.mark(u.idx, mine)
}

// opens tells whether conditional reinforcements may hang on where the unit stands: on
// an objective of the scorer.
func (s *State) opens(u *Unit) bool {
	conditional := s.sc.Condition.Key != ""
	return conditional && u.c.Side == s.sc.Scorer && s.objective(u.Hex)
}

// Last has a letter for each hex: whose unit stood there last.
const (
	sideMarks  = "AB" // in the order of the sides
	noSideMark = '.'
)

// mark writes a letter into Last.
func (s *State) mark(i int, letter byte) {
	s.Last[i] = letter
}

// letters is a text that changes letter by letter.
type letters []byte

// MarshalText writes the letters as they are.
func (l letters) MarshalText() ([]byte, error) { return l, nil }

// UnmarshalText reads what MarshalText writes.
func (l *letters) UnmarshalText(b []byte) error {
	*l = slices.Clone(b)
	return nil
}

// lastOn is the side that occupied a hex last, "" for none.
func (s *State) lastOn(h hex.Hex) Side { return s.sideOf(s.Last, h) }

// sideOf is the side that such a list of letters has on a hex, "" for none.
func (s *State) sideOf(list letters, h hex.Hex) Side {
	k := strings.IndexByte(sideMarks, list[s.sc.Board.Grid.Index(h)])
	if k < 0 {
		return ""
	}
	return s.sc.Sides[k]
}

// remove eliminates a unit, and whoever rides on it.
//
// GD 9.5/6
func (s *State) remove(u *Unit) {
	if r := s.rider(u); r != nil {
		s.remove(r)
	}
	if u.c.HQ {
		s.news(u.c.Side, newsHQ)
	}
	s.lift(u)
	*u = Unit{ID: u.ID, Where: Gone, c: u.c, n: u.n}
}

// deplete turns a unit over, or removes it with its last step. It reports
// whether the unit is gone.
//
// GD 2.3/4: a unit without a reverse goes at its first loss
// reading GD 9.5: a rider loses a step with its tank, and jumps off if that was the tank's last.
// reading GD 2.3: the reverse of artillery shows that it has fired: it has one step.
func (s *State) deplete(u *Unit) bool {
	if r := s.rider(u); r != nil {
		lost := s.deplete(r)
		if burning := u.Steps == 1; burning && !lost {
			s.jumpOff(r)
		}
	}
	if u.Steps--; u.Steps <= 0 {
		s.remove(u)
		return true
	}
	return false
}

// rider is the unit that rides on a tank, or nil.
func (s *State) rider(tank *Unit) *Unit {
	mayCarry := tank.onMap() && tank.c.Class == Tracked
	if !mayCarry {
		return nil
	}
	for u := range s.each(tank.idx) {
		if u.Aboard == tank.ID {
			return u
		}
	}
	return nil
}

// class is how the unit moves now.
//
// GD 9.6/5
func (u *Unit) class() Class {
	if u.Debarked {
		return Leg
	}
	return u.c.Class
}

// values are the figures of the side of the counter that is up.
func (u *Unit) values() Values {
	if u.depleted() {
		return u.c.Reduced
	}
	return u.c.Full
}

// size is what a unit counts for stacking, in halves.
func (s *State) size(u *Unit) int {
	switch {
	case u.c.Division: // GD 7.1/4: a division headquarters counts nothing
		return 0
	case u.rides():
		// reading GD 7.1: a rider counts nothing, for 9.5 makes it one with its tank (switch riders_stack).
		if !s.sc.Switches.RidersStack {
			return 0
		}
	}
	if u.depleted() {
		return 1 // GD 7.1/2: a depleted unit counts half
	}
	return 2
}

// key is the activation chit of a unit's battalion.
func (u *Unit) key() string { return chitKey(u.c.Side, u.c.Battalion) }

// divBattalion is what the companies of the division are called, and their chit.
const divBattalion = "Div"

func chitKey(side Side, battalion string) string { return string(side) + " " + battalion }

func cutKey(key string) (Side, string) {
	side, bn, _ := strings.Cut(key, " ")
	return Side(side), bn
}

// label numbers labels that may come more than once in a phase: "x", "x 2" ...
func (s *State) label(format string, a ...any) string {
	l := fmt.Sprintf(format, a...)
	if s.shots == nil {
		s.shots = map[string]int{}
	}
	if s.shots[l]++; s.shots[l] > 1 {
		return fmt.Sprintf("%s %d", l, s.shots[l])
	}
	return l
}
