package steppe

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/cup"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// stateFormat is the version of the encoding of a position.
const stateFormat = 1

// State is a position. It is a plain value: its JSON, with fields in this order and
// units sorted by id, is the canonical encoding.
type State struct {
	Format int  `json:"v"`
	Turn   int  `json:"turn"`
	Phase  int  `json:"phase"` // within the turn, from 1
	Step   Step `json:"step"`  // what the phase is

	Weather string     `json:"weather"` // clear, rain, snow
	Ground  string     `json:"ground"`  // normal, mud, frozen
	Units   []Unit     `json:"units"`   // sorted by ID
	Control letters    `json:"control"` // a letter per hex, in grid index order: S, G or "." off the map
	Blown   []hex.Edge `json:"blown,omitempty"`
	Air     [3]Pool    `json:"air"` // in the order of pools
	Cup     cup.Cup    `json:"cup,omitempty"`
	Played  []Chit     `json:"played,omitempty"` // of this turn, in order
	Solo    [2]bool    `json:"solo"`             // individual hex activation is over, by side
	Rail    [2]Rail    `json:"rail"`
	Merging []Merger   `json:"merging,omitempty"` // take effect when the next turn opens
	// Points are the victory points for casualties, by the side that has them.
	Points [2]int `json:"points"`
	// Backhand is the turn of Manstein's Backhand Blow, 0 while it is not named.
	Backhand int `json:"backhand,omitempty"`
	// Sheets are the sealed turn orders. Fallen are the places lost in this turn, by
	// the side that lost them, Marked tells of an overrun marker won: what a side may
	// want to be asked for.
	Sheets [2]Sealed    `json:"sheets"`
	Fallen [2][]hex.Hex `json:"fallen"`
	Marked [2]bool      `json:"marked"`
	// Beside tells, of a side that wants to be asked then, that an enemy has moved beside a unit
	// of its since its last chit.
	Beside [2]bool `json:"beside,omitzero"`
	// Notes and Known are of a blind game: what each side has seen of the enemy, and
	// who controls the hexes as it knows it.
	Notes []Note     `json:"notes,omitempty"`
	Known [2]letters `json:"known,omitzero"`

	Verdict string `json:"verdict,omitempty"`
	Winner  Side   `json:"winner,omitempty"`
	// Acting is of a position in the midst of a phase alone: the activation that waits for the rest of
	// its orders.
	Acting *view.Acting `json:"acting,omitempty"`

	sc *Scenario
	// leads is that of the View that a position was made from.
	leads  func(unit string) string
	at     stacks
	zoc    [2][]int8 // by side and grid index, how many hexes exert a zone of control there; nil when it must be found anew
	reach  [2][]bool // hexes in supply of each side; likewise
	found  *field    // what the last search of a movement found; its memory serves the next
	labels map[string]int
	losses [2]int // of the phase: steps that each side has lost
}

// letters is text that is changed in place.
type letters []byte

// MarshalText writes them as they are.
func (l letters) MarshalText() ([]byte, error) { return l, nil }

// UnmarshalText reads them.
func (l *letters) UnmarshalText(b []byte) error {
	*l = slices.Clone(b)
	return nil
}

// Step is a kind of phase.
type Step string

// The steps of a turn.
const (
	StepWeather Step = "weather"
	StepOrders  Step = "orders"
	StepChit    Step = "chit"
	StepSolo    Step = "solo"
	StepEnd     Step = "end"
)

// Where is where a unit is.
type Where uint8

// The places of a unit.
const (
	OnMap  Where = iota + 1
	Later        // a reinforcement, or a headquarters that comes back
	Gone         // eliminated
	InPool       // a Kampfgruppe that is not formed
)

var wheres = []string{OnMap: "map", Later: "later", Gone: "gone", InPool: "pool"}

func (w Where) String() string { return wheres[w] }

// MarshalText writes the word for it.
func (w Where) MarshalText() ([]byte, error) { return []byte(wheres[w]), nil }

// UnmarshalText reads it.
func (w *Where) UnmarshalText(b []byte) error {
	i := slices.Index(wheres, string(b))
	if i < 0 {
		return fmt.Errorf("%q is not a place of a unit", b)
	}
	*w = Where(i)
	return nil
}

// Unit is a unit as it stands now.
type Unit struct {
	ID    string  `json:"id"`
	Where Where   `json:"where"`
	Hex   hex.Hex `json:"hex,omitempty"`
	Steps int     `json:"steps"`
	// Cut counts the supply audits in a row that found no path: 1 is Low Supply,
	// 2 and more Out of Supply (5.2).
	Cut int `json:"cut,omitempty"`
	// Activated: in this turn (6.0). Entered: came on the map in this activation.
	Activated bool `json:"activated,omitempty"`
	Entered   bool `json:"entered,omitempty"`
	// Due is the turn from which a unit that is Later may come; Back marks a
	// headquarters that was eliminated (4.1).
	Due  int  `json:"due,omitempty"`
	Back bool `json:"back,omitempty"`
	// Regrouped: a division that has broken down or merged in this turn (14.0).
	Regrouped bool  `json:"regrouped,omitempty"`
	n         int16 // place in State.Units
	// Parent is the division that a Kampfgruppe came from, if known.
	Parent string `json:"parent,omitempty"`

	c *Counter
}

// Pool is the aircraft of a side or front.
//
// Steppe 2.5/1
type Pool struct {
	// Fighters and CAS are those that exist, FreeF and FreeC those that may still fly
	// in this turn.
	Fighters int `json:"f"`
	CAS      int `json:"c"`
	FreeF    int `json:"ff"`
	FreeC    int `json:"fc"`
}

// Chit is a chit that was played.
type Chit struct {
	HQ   string `json:"hq"` // name
	Side Side   `json:"side"`
}

// Rail is what a side railed in this turn (4.2).
type Rail struct {
	Die  int `json:"die,omitempty"`
	Used int `json:"used,omitempty"`
}

// Merger is a division and a Kampfgruppe that will be one (14.0).
type Merger struct {
	Division string `json:"division"`
	KG       string `json:"kg"`
}

// Sealed is what a side has filed and its enemy must not see.
type Sealed struct {
	Orders   string `json:"orders,omitempty"`   // the sheet of this turn, canonical
	Doctrine string `json:"doctrine,omitempty"` // standing lines, which last
	Backhand bool   `json:"backhand,omitempty"` // names the next turn, by version 1 of the rules (15.0)
	Mode     string `json:"mode,omitempty"`     // PAUSE-IF and its triggers
	Last     string `json:"last,omitempty"`     // the programmes of the turn before
}

// opening is the position before the first turn.
func (sc *Scenario) opening() *State {
	s := &State{Format: stateFormat, Turn: sc.First, Phase: 1, Step: StepWeather, Weather: fair, Ground: normal, sc: sc, Units: sc.openingUnits()}
	for _, a := range sc.Air {
		if a.Turn == 0 {
			s.Air[slices.Index(pools[:], a.Pool)].Fighters += a.Fighters
			s.Air[slices.Index(pools[:], a.Pool)].CAS += a.CAS
		}
	}
	s.index()
	s.firstControl()
	return s
}

// openingUnits are the units before the first turn.
func (sc *Scenario) openingUnits() (out []Unit) {
	for i := range sc.Counters {
		c := &sc.Counters[i]
		u := Unit{ID: c.ID, Where: Gone, Steps: c.Steps(), c: c}
		if c.KG {
			u.Where = InPool
		}
		if j := slices.IndexFunc(sc.Setup, func(p Placement) bool { return p.Counter == c.ID }); j >= 0 {
			u.Where, u.Hex, u.Steps = OnMap, sc.Setup[j].Hex, sc.Setup[j].Steps
		} else if j := slices.IndexFunc(sc.Arrivals, func(p Arrival) bool { return p.Counter == c.ID }); j >= 0 {
			u.Where, u.Due, u.Steps = Later, sc.Arrivals[j].Turn, sc.Arrivals[j].Steps
		}
		if u.Where != Gone {
			out = append(out, u)
		}
	}
	return out
}

// encode writes the canonical encoding.
func (s *State) encode() []byte { return adjudicator.Encode(s) }

// decodeState reads a position of the scenario.
func decodeState(sc *Scenario, b []byte) (*State, error) {
	s := &State{}
	if err := adjudicator.Decode(b, s, &s.Format, stateFormat); err != nil {
		return nil, err
	}
	return s, s.attach(sc)
}

// attach gives the units their counters and builds the index by hex.
func (s *State) attach(sc *Scenario) error {
	s.sc = sc
	var errs []error
	for i := range s.Units {
		u := &s.Units[i]
		if u.c == nil {
			u.c = sc.byID[u.ID]
		}
		if u.c == nil || u.Steps > u.c.Steps() {
			errs = append(errs, fmt.Errorf("position: no counter %q of %d steps in %s", u.ID, u.Steps, sc.ID))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.index()
	return nil
}

// clone copies the position; the scenario is shared.
func (s *State) clone() *State {
	c := *s
	c.Units = slices.Clone(s.Units)
	c.Blown, c.Control = slices.Clone(s.Blown), slices.Clone(s.Control)
	c.Cup = slices.Clone(s.Cup)
	for i := range c.Cup {
		c.Cup[i].All, c.Cup[i].In = slices.Clone(s.Cup[i].All), slices.Clone(s.Cup[i].In)
	}
	c.Played, c.Merging = slices.Clone(s.Played), slices.Clone(s.Merging)
	c.Notes = slices.Clone(s.Notes) // their units are never changed in place
	c.Known = [2]letters{slices.Clone(s.Known[0]), slices.Clone(s.Known[1])}
	c.Fallen[0], c.Fallen[1] = slices.Clone(s.Fallen[0]), slices.Clone(s.Fallen[1])
	c.at = s.at.clone(c.Units)
	c.zoc = [2][]int8{slices.Clone(s.zoc[0]), slices.Clone(s.zoc[1])} // reach is never changed in place
	c.found, c.labels, c.losses = nil, nil, [2]int{}
	return &c
}

// ix is the array index of a hex of the map.
func (s *State) ix(h hex.Hex) int { return s.sc.land.grid.Index(h) }

// hexAt is the inverse of ix.
func (s *State) hexAt(i int) hex.Hex { return s.sc.land.hexes[i] }

// unit is the unit with that id, or nil.
func (s *State) unit(id string) *Unit {
	i, ok := slices.BinarySearchFunc(s.Units, id, func(u Unit, id string) int { return strings.Compare(u.ID, id) })
	if !ok {
		return nil
	}
	return &s.Units[i]
}

// label makes the name of an event or a decision unique in its phase by a count of
// what everybody saw: "combat 2512", "combat 2512 2".
func (s *State) label(base string) string {
	if s.labels == nil {
		s.labels = map[string]int{}
	}
	s.labels[base]++
	if n := s.labels[base]; n > 1 {
		return fmt.Sprintf("%s %d", base, n)
	}
	return base
}

// face is the printed side that the unit shows now.
func (u *Unit) face() Ratings { return u.c.Faces[max(u.Steps, 1)-1] }

// red: the red-sash counter, full or depleted, not its successor, which is a unit like
// any other.
//
// Steppe 7.2/4
func (u *Unit) red() bool { return u.c.Red > 0 && u.Steps > u.c.Steps()-u.c.Red }

// combat: everything but a headquarters.
//
// Steppe 2.3/10
func (u *Unit) combat() bool { return u.c.Type != HQ }

// onMap ranges over the units on the map, in order of id.
func (s *State) onMap() iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		for i := range s.Units {
			if u := &s.Units[i]; u.Where == OnMap && !yield(u) {
				return
			}
		}
	}
}

// fielded ranges over those of a side.
func (s *State) fielded(side Side) iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		for u := range s.onMap() {
			if u.c.Side == side && !yield(u) {
				return
			}
		}
	}
}

// sideUnits lists them.
func (s *State) sideUnits(side Side) []*Unit { return slices.Collect(s.fielded(side)) }

// intact tells whether a bridge that the map prints still stands.
func (s *State) intact(i int, d hex.Dir) bool {
	if !s.sc.land.bridge[i][d] {
		return false
	}
	if len(s.Blown) == 0 {
		return true
	}
	h := s.hexAt(i)
	return !slices.Contains(s.Blown, hex.Between(h, s.sc.land.grid.Step(h, d)))
}

// namesOf are the names of units.
func namesOf(us []*Unit) []string {
	var out []string
	for _, u := range us {
		out = append(out, u.c.Name)
	}
	return out
}

// names lists units in words.
func names(us []*Unit) string { return strings.Join(namesOf(us), ", ") }
