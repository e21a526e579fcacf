package wb95

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// stateFormat is the version of the encoding of a position.
const stateFormat = 1

// State is a position. It is a plain value: its JSON, with fields in this order
// and units sorted by id, is the canonical encoding.
type State struct {
	Format int `json:"v"`
	// Turn and Phase name the phase that comes next, both from 1.
	Turn    int      `json:"turn"`
	Phase   int      `json:"phase"`
	Units   []Unit   `json:"units"` // sorted by ID
	Forts   []Fort   `json:"forts"` // sorted by hex
	Bridges []Bridge `json:"bridges"`
	Control string   `json:"control"` // a letter per hex, in grid index order: A, B (the sides in order) or "."
	// Takers holds a digit per hex, in the same order: the group of allies that took it
	// for its side, "." for none; empty where there are no such groups.
	Takers  string    `json:"takers,omitempty"`
	Contact []Contact `json:"contact"` // what each side was told of the enemy, sorted
	// Crowds are the stacks over the limit that the set-up prints so, by hex (3.2.1).
	Crowds []Crowd `json:"crowds,omitempty"`
	// Missions are the air missions that are flown now (8.2.1), Flown is what of
	// the day's air strength each side has used, in the order of the sides.
	Missions []Mission `json:"missions,omitempty"`
	Flown    [2]int    `json:"flown"`
	FlownAir []string  `json:"flownAir,omitempty"` // air counters that have flown today (21)
	Works    []Work    `json:"works,omitempty"`    // bridges that headquarters build (14.3.2)
	// Opened holds the turn in which each condition for arrivals came true.
	Opened map[string]int `json:"opened,omitempty"`
	// Saved is air strength kept from past days (notes of Two Stars).
	Saved int `json:"saved,omitempty"`
	// AirDays are the turns that a side has chosen for its air strength (notes of Two Stars).
	AirDays []int `json:"airDays,omitempty"`
	// Pools are combat modifiers won by eliminated headquarters (9.1.6), in order of time.
	Pools []Pool `json:"pools,omitempty"`
	// Ammo is the ammunition units used for barrages so far, by side (6.5.7).
	Ammo map[Side]int `json:"ammo,omitempty"`
	// Options are the game's options that differ from the default.
	Options map[string]string `json:"options,omitempty"`
	Verdict string            `json:"verdict,omitempty"`
	Winner  Side              `json:"winner,omitempty"`

	sc *Scenario
	// belief marks a position made from a View.
	belief bool
	// leads is that of the View.
	leads func(unit string) string
	// dice throws for what moving units meet (8.2.14, 8.2.20); nil while orders are
	// only tried.
	dice *adjudicator.Run
	// stackOn is, by grid index, which of the lists in stack holds the units on the
	// hex, each in order of id; list 0 is that of an empty hex.
	stackOn  []uint16
	stack    [][]*Unit
	occupied []uint64 // a bit by grid index for each hex that may have units
	// hqs and firers are the places of all headquarters and artillery in Units, on the map or not.
	// Copies share them.
	hqs, firers []uint16
	// seen is what marches find of the enemy, kept until something of it changes.
	seen sightings
	// room is memory for short lists; copies have their own.
	room *stocks
}

// stocks are those of a position.
type stocks struct {
	units   adjudicator.Stock[*Unit]
	hexes   adjudicator.Stock[hex.Hex]
	treks   adjudicator.Stock[trek]
	sights  adjudicator.Stock[Sight]
	names   adjudicator.Stock[string]
	stood   adjudicator.Stock[position]
	musters adjudicator.Stock[muster]
	seeds   adjudicator.Stock[seed]
	tolls   adjudicator.Stock[bool]
	options adjudicator.Stock[adjudicator.Option]
	routes  adjudicator.Stock[[]hex.Hex]
	texts   adjudicator.Texts
}

// all is a list of the units of several lists.
func (s *State) all(lists ...[]*Unit) []*Unit {
	n := 0
	for _, us := range lists {
		n += len(us)
	}
	out := s.room.units.Take(n)
	for _, us := range lists {
		out = append(out, us...)
	}
	return out
}

// Where is where a unit is.
type Where uint8

// The places of a unit.
const (
	_     Where = iota
	OnMap       // "map" in a position
	Later       // "later": a reinforcement, or off the map by 11.2.3
	Gone        // "gone": eliminated
)

// wheres are the places as positions write them.
var wheres = [...]string{"", "map", "later", "gone"}

func (w Where) String() string { return wheres[w] }

// MarshalText writes the place.
func (w Where) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads a place, or says that there is none of the name.
func (w *Where) UnmarshalText(text []byte) error {
	at := slices.Index(wheres[:], string(text))
	if at < 0 {
		return fmt.Errorf("no unit can be %q: a unit is on the map, later or gone", text)
	}
	*w = Where(at)
	return nil
}

// Repair is the state of a Repair marker (17).
type Repair uint8

// The states of a Repair marker on a unit.
const (
	notInRepair   Repair = iota
	underRepair          // "repair" in a position
	repairSpoiled        // "spoiled": the unit found no rest; the marker goes back in the next own Supply Phase
)

// repairStates are the states as positions write them.
var repairStates = [...]string{"", "repair", "spoiled"}

func (r Repair) String() string { return repairStates[r] }

// MarshalText writes the state.
func (r Repair) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a state, or says that there is none of the name.
func (r *Repair) UnmarshalText(text []byte) error {
	at := slices.Index(repairStates[:], string(text))
	if at < 0 {
		return fmt.Errorf("no Repair marker is %q: a unit is under repair, or its repair is spoiled", text)
	}
	*r = Repair(at)
	return nil
}

// Unit is a unit as it stands now. Positions are copied for each phase that is played or tried, so it is kept small.
type Unit struct {
	ID    string  `json:"id"`
	Where Where   `json:"where"`
	Hex   hex.Hex `json:"hex,omitempty"`
	Steps int     `json:"steps"`
	// OoS is the out-of-supply level (10.2), 0 in supply.
	OoS int `json:"oos,omitempty"`
	// Supplied tells that the last own supply check found a line (4.3-d).
	Supplied bool `json:"supplied,omitempty"`
	// Disorganized holds when the unit was last disorganized or disturbed (5.6.5); zero for one in order.
	Disorganized Clock `json:"disorganized,omitzero"`
	// Retreated lasts to the end of the owner's next Movement Phase (5.3.10).
	Retreated bool `json:"retreated,omitempty"`
	// Active: moved, entrenched or fought in this half turn; bars strategic movement (12.1.2).
	Active bool `json:"active,omitempty"`
	// Strategic marks the unit for strategic movement in this half turn.
	Strategic bool `json:"strategic,omitempty"`
	// Fought: took part in direct combat in this Combat Phase (5.1.1).
	Fought bool `json:"fought,omitempty"`
	// Firing is the set-up of a towed gun (6.2): firing, else transport.
	Firing bool `json:"firing,omitempty"`
	// Ran: has moved or attacked in this half turn; Mined: in or through a fortified
	// line of the enemy's (18, 22).
	Ran   bool `json:"ran,omitempty"`
	Mined bool `json:"mined,omitempty"`
	// Repair is the state of the Repair marker on the unit (17).
	Repair Repair `json:"repair,omitempty"`
	// Away: gone, but withdrawn and not lost.
	Away bool `json:"away,omitempty"`
	// Fired: has fired in this Combat Phase, in support or at range (6.1.4).
	Fired bool `json:"fired,omitempty"`
	// Barraged counts the Combat Phases for which a gun is silent after a barrage (6.5.6).
	Barraged int8 `json:"barraged,omitempty"`
	// Due is the first turn a unit that is Later may enter; 0: when its condition opens.
	Due int `json:"due,omitempty"`
	// Through and Batch, within a movement phase only: the hex a reinforcement came
	// on to the map in, and the number of its stack among those that came through it (11.1.5).
	Through hex.Hex `json:"through,omitempty"`
	Batch   int16   `json:"batch,omitempty"`
	// Left is the zone through which a unit that is Later left the map (11.2.3).
	Left string `json:"left,omitempty"`
	// Turned: it has changed sides.
	Turned bool `json:"turned,omitempty"`
	// Camp is where a headquarters stood at the end of its last Supply Phase (14.3.2).
	Camp hex.Hex `json:"camp,omitempty"`

	place uint16 // in State.Units
	c     *Counter
}

// Clock is a phase of a turn.
type Clock struct {
	Turn  int16 `json:"turn"`
	Phase int16 `json:"phase"`
}

func clock(turn, phase int) Clock { return Clock{int16(turn), int16(phase)} }

// now is the phase that is played.
func (s *State) now() Clock { return clock(s.Turn, s.Phase) }

// FortKind is a kind of fortification.
type FortKind string

// Field and improved fortifications (7.1, 7.2).
const (
	FF FortKind = "FF"
	IF FortKind = "IF"
)

// Fort is a fortification that stands.
type Fort struct {
	Hex  hex.Hex  `json:"hex"`
	Kind FortKind `json:"kind"`
	Side Side     `json:"side"`
}

// Bridge is a bridge of the map or the scenario.
type Bridge struct {
	Edge   hex.Edge `json:"edge"`
	Stands bool     `json:"stands"`
	Holder Side     `json:"holder,omitempty"` // who controls it (14.1.3)
}

// Pool is what is left of the combat modifiers that a side won by eliminating a
// headquarters (9.1.6).
type Pool struct {
	Side Side    `json:"side"` // who may use it
	Hex  hex.Hex `json:"hex"`  // where the headquarters was eliminated
	CMs  int     `json:"cms"`
	Won  Clock   `json:"won"`  // the phase of the elimination
	Left int     `json:"left"` // Combat Phases in which it may still be used
}

// Contact is what a side was told of the enemy in a hex, and when (16.1.4).
type Contact struct {
	Side  Side    `json:"side"` // who was told
	Hex   hex.Hex `json:"hex"`
	Turn  int     `json:"turn"`
	Units []Sight `json:"units"` // what is in it is never written to
}

// Sight is one enemy unit of a contact report. Steps is 0 where they are not
// told; Name and Nation are empty but for stacks met in combat.
type Sight struct {
	Name   string `json:"name,omitempty"`
	Nation string `json:"nation,omitempty"`
	Type   Type   `json:"type"`
	Steps  int    `json:"steps,omitempty"`
}

// encode writes the canonical encoding.
func (s *State) encode() []byte { return adjudicator.Encode(s) }

// decodeState reads a position of the scenario.
func decodeState(sc *Scenario, b []byte) (*State, error) {
	s, err := parseState(b)
	if err != nil {
		return nil, err
	}
	if err := s.attach(sc); err != nil {
		return nil, err
	}
	return s, nil
}

// parseState reads a position; its units have no counters yet.
func parseState(b []byte) (*State, error) {
	s := &State{}
	return s, adjudicator.Decode(b, s, &s.Format, stateFormat)
}

// attach gives the units their counters and builds the index by hex.
func (s *State) attach(sc *Scenario) error {
	s.sc = sc
	byID := map[string]*Counter{}
	for i := range sc.Counters {
		byID[sc.Counters[i].ID] = &sc.Counters[i]
	}
	var errs []error
	for i := range s.Units {
		u := &s.Units[i]
		if u.c != nil {
			continue
		}
		if u.c = byID[u.ID]; u.c == nil {
			errs = append(errs, fmt.Errorf("position: no counter %q in %s", u.ID, sc.ID))
			continue
		}
		if u.Turned {
			u.c = sc.turned(u.c)
		}
	}
	s.knowSides()
	s.index()
	return errors.Join(errs...)
}

// knowSides has the sides in the position be those of the scenario.
func (s *State) knowSides() {
	for i := range s.Forts {
		s.Forts[i].Side = s.sc.known(s.Forts[i].Side)
	}
	for i := range s.Bridges {
		s.Bridges[i].Holder = s.sc.known(s.Bridges[i].Holder)
	}
	for i := range s.Contact {
		s.Contact[i].Side = s.sc.known(s.Contact[i].Side)
	}
}

// unit is the unit with that id, or nil.
func (s *State) unit(id string) *Unit {
	low, high := 0, len(s.Units)
	for low < high {
		switch middle := (low + high) / 2; strings.Compare(s.Units[middle].ID, id) {
		case 0:
			return &s.Units[middle]
		case -1:
			low = middle + 1
		default:
			high = middle
		}
	}
	return nil
}

// unitOf is the unit of a counter, or nil. A position made from a View has not all of them.
func (s *State) unitOf(c counterAt) *Unit {
	if c.place < len(s.Units) && s.Units[c.place].ID == c.id {
		return &s.Units[c.place]
	}
	return s.unit(c.id)
}

// unitsAt are the units on a hex, in order of id. The slice must not be changed.
func (s *State) unitsAt(h hex.Hex) []*Unit {
	if i, ok := s.sc.Board.Grid.Find(h); ok {
		return s.stack[s.stackOn[i]]
	}
	return nil
}

// stacks goes through the hexes with units, in ascending order.
func (s *State) stacks() iter.Seq2[hex.Hex, []*Unit] {
	return func(yield func(hex.Hex, []*Unit) bool) {
		for _, us := range s.stacksByIndex() {
			if !yield(us[0].Hex, us) {
				return
			}
		}
	}
}

// stacksByIndex goes through the same with the grid indices of their hexes.
func (s *State) stacksByIndex() iter.Seq2[int, []*Unit] {
	return func(yield func(int, []*Unit) bool) {
		for at, left := range s.occupied {
			for ; left != 0; left &= left - 1 {
				i := at*64 + bits.TrailingZeros64(left)
				if us := s.stack[s.stackOn[i]]; len(us) > 0 && !yield(i, us) {
					return
				}
			}
		}
	}
}

// stacksBeside goes through the stacks on the hexes next to one, clockwise from the top.
func (s *State) stacksBeside(h hex.Hex) iter.Seq2[hex.Hex, []*Unit] {
	return func(yield func(hex.Hex, []*Unit) bool) {
		i, ok := s.sc.Board.Grid.Find(h)
		if !ok {
			return
		}
		for _, n := range s.sc.network().next[i] {
			if n < 0 {
				continue
			}
			if us := s.stack[s.stackOn[n]]; len(us) > 0 && !yield(us[0].Hex, us) {
				return
			}
		}
	}
}

// holder is the side with units on the hex, "" if it is empty.
func (s *State) holder(h hex.Hex) Side {
	if us := s.unitsAt(h); len(us) > 0 {
		return us[0].c.Side
	}
	return ""
}

// onMap lists the units of a side on the map, in order of id.
func (s *State) onMap(side Side) []*Unit {
	return slices.AppendSeq(make([]*Unit, 0, len(s.Units)), s.eachOnMap(side))
}

// eachOnMap are the same, one by one.
func (s *State) eachOnMap(side Side) iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		for i := range s.Units {
			if u := &s.Units[i]; u.Where == OnMap && u.c.Side == side && !yield(u) {
				return
			}
		}
	}
}

// put moves a unit to a hex of the map and keeps the index. It applies no rule.
func (s *State) put(u *Unit, h hex.Hex) {
	s.lift(u)
	u.Where, u.Hex = OnMap, h
	s.seen.forget(s, u.c.Side)
	k := s.stackNumber(s.sc.Board.Grid.Index(h))
	us := s.stack[k]
	i := 0
	for i < len(us) && us[i].place < u.place {
		i++
	}
	after := append(s.room.units.Take(len(us)+1), us[:i]...)
	s.stack[k] = append(append(after, u), us[i:]...)
}

// lift takes a unit off its hex in the index.
func (s *State) lift(u *Unit) {
	if u.Where != OnMap {
		return
	}
	s.seen.forget(s, u.c.Side)
	at := s.sc.Board.Grid.Index(u.Hex)
	k := s.stackNumber(at)
	s.stack[k] = s.without(s.stack[k], u)
	// Who marches over empty hexes needs one list, not one for each.
	if last := uint16(len(s.stack) - 1); k == last && s.stack[k] == nil {
		s.stack, s.stackOn[at] = s.stack[:k], 0
		s.occupied[at/64] &^= 1 << (at % 64)
	}
}

// without is a new list of the units but one.
func (s *State) without(us []*Unit, u *Unit) []*Unit {
	i := slices.Index(us, u)
	switch {
	case i < 0:
		return us
	case len(us) == 1:
		return nil
	}
	return append(append(s.room.units.Take(len(us)-1), us[:i]...), us[i+1:]...)
}

// remove eliminates a unit. It applies no rule but 9.1.6.
func (s *State) remove(u *Unit) {
	s.winPool(u)
	s.lift(u)
	*u = Unit{ID: u.ID, Where: Gone, Turned: u.Turned, c: u.c, place: u.place}
}

// loseStep takes one step from a unit and removes it with its last one. It
// reports whether the unit is gone.
//
// WB-95 1.2/6
func (s *State) loseStep(u *Unit) bool {
	u.Steps--
	if u.Steps <= 0 {
		s.remove(u)
		return true
	}
	return false
}

// fort is the fortification of a hex, nil for none.
func (s *State) fort(h hex.Hex) *Fort {
	i := s.fortPlace(h)
	if i == len(s.Forts) || s.Forts[i].Hex != h {
		return nil
	}
	return &s.Forts[i]
}

// fortPlace is where the fortification of a hex stands in Forts, or belongs.
func (s *State) fortPlace(h hex.Hex) int {
	low, high := 0, len(s.Forts)
	for low < high {
		if middle := (low + high) / 2; s.Forts[middle].Hex < h {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// setFort puts a fortification on a hex; an empty kind removes what is there.
func (s *State) setFort(h hex.Hex, kind FortKind, side Side) {
	s.seen.dig(s, h)
	i := s.fortPlace(h)
	switch stands := i < len(s.Forts) && s.Forts[i].Hex == h; {
	case stands && kind == "":
		s.Forts = slices.Delete(s.Forts, i, i+1)
	case stands:
		s.Forts[i] = Fort{h, kind, side}
	case kind != "":
		s.Forts = slices.Insert(s.Forts, i, Fort{h, kind, side})
	}
}

func byHex(a, b Fort) int { return int(a.Hex) - int(b.Hex) }

// bridgeStands tells whether an intact bridge crosses the hexside.
func (s *State) bridgeStands(e hex.Edge) bool {
	for _, b := range s.Bridges {
		if b.Edge == e {
			return b.Stands
		}
	}
	return false
}

// controller is the side that controls a hex (4.3), "" for nobody.
func (s *State) controller(h hex.Hex) Side {
	if !s.sc.Board.On(h) {
		return ""
	}
	switch s.Control[s.sc.Board.Grid.Index(h)] {
	case 'A':
		return s.sc.Sides[0]
	case 'B':
		return s.sc.Sides[1]
	}
	return ""
}

// setController gives hexes to sides; every change of control goes through it.
func (s *State) setController(change map[hex.Hex]Side) {
	b := []byte(s.Control)
	for h, side := range change {
		c := byte('.')
		switch side {
		case s.sc.Sides[0]:
			c = 'A'
		case s.sc.Sides[1]:
			c = 'B'
		}
		b[s.sc.Board.Grid.Index(h)] = c
	}
	s.Control = string(b)
}

// lost: the unit is gone, and was not merely withdrawn.
func (u *Unit) lost() bool { return u.Where == Gone && !u.Away }

// towedGun: towed artillery, anti-tank and anti-aircraft guns (1.3, 5.1.10).
func (u *Unit) towedGun() bool { return u.c.towed() }

func (c *Counter) towed() bool {
	switch c.Type {
	case ART, AT, AA:
		return !c.SelfPro
	}
	return false
}

// artillery: guns that chapter 6 is about, towed or self-propelled.
func (u *Unit) artillery() bool { return u.c.Type == ART || u.c.SelfPro }

// regular: a ground combat unit that is neither artillery, headquarters nor
// resilience group.
//
// reading WB-95 4.1.2: anti-tank and anti-aircraft guns count as regular for zones of control,
// control and blocking, but are towed (option gun-zones).
func (u *Unit) regular() bool {
	switch u.c.Type {
	case HQ, RG, ART:
		return false
	}
	return !u.c.SelfPro && !u.c.NoZone
}

// fights: may attack in direct combat (5.1.10, 15.2.1). Self-propelled guns do.
//
// WB-95 1.2/5
func (u *Unit) fights() bool {
	switch u.c.Type {
	case HQ, RG:
		return false
	}
	return !u.towedGun()
}

// soft: headquarters and towed artillery, which an enemy may ride down when
// they are alone on a hex (6.1.7, 9.1.5).
func (u *Unit) soft() bool { return u.c.Type == HQ || u.c.hasSetup() }
