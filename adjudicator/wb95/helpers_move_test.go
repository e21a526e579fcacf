package wb95

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// ground is a small map for tests: rows of terrain codes from row 01 down,
// columns from 01 on, odd columns half a hex lower.
type ground struct {
	rows    []string // . clear, h hills, f forest, w hills and forest, s swamps, t town, c city
	rivers  map[string]string
	roads   map[string]string // kind: paths "0101-0102-0103 0301-0302"
	bridges string
	places  []board.Place
	zones   []board.Zone
}

// clearGround is an open plain.
func clearGround(cols, rows int) ground {
	g := ground{}
	for range rows {
		g.rows = append(g.rows, strings.Repeat(".", cols))
	}
	return g
}

// piece is a unit of a test.
type piece struct {
	c Counter
	u Unit
}

// newPiece makes a unit: its name, side letter A or B, type, class, full movement
// points, steps and hex; hex 0 is a unit off the map.
func newPiece(name string, side Side, kind Type, class Class, moves, steps int, at hex.Hex) piece {
	strength := make([]int, steps)
	for i := range strength {
		strength[i] = 2 * (i + 1)
	}
	p := piece{
		Counter{ID: name, Name: name, Side: side, Nation: string(side), Type: kind, Size: "R", Class: class, Strength: strength, Moves: Cost(moves) * One, Morale: 11},
		Unit{ID: name, Where: OnMap, Hex: at, Steps: steps, Supplied: true},
	}
	if at == hex.None {
		p.u.Where = Later
	}
	return p
}

func infAt(name string, side Side, at hex.Hex) piece {
	return newPiece(name, side, INF, Foot, 4, 2, at)
}

func tankAt(name string, side Side, at hex.Hex) piece {
	return newPiece(name, side, ARM, Tracked, 8, 2, at)
}

func truckAt(name string, side Side, at hex.Hex) piece {
	return newPiece(name, side, MOT, Trucked, 7, 2, at)
}

func gunAt(name string, side Side, at hex.Hex) piece {
	p := newPiece(name, side, ART, Trucked, 7, 1, at)
	p.u.Firing = true
	return p
}

func staffAt(name string, side Side, at hex.Hex) piece {
	return newPiece(name, side, HQ, Trucked, 10, 1, at)
}

// oos sets a level.
func (p piece) oos(n int) piece { p.u.OoS = n; return p }

// due makes a unit a reinforcement.
func (p piece) due(turn int) piece { p.u.Where, p.u.Due = Later, turn; return p }

const (
	red  Side = "RED"
	blue Side = "BLUE"
)

// summer is the terrain table of summer 1942.
func summer() []Terrain {
	line := func(name, use string, trucked, tracked, foot Cost) Terrain {
		return Terrain{Name: name, Use: use, Cost: map[Class]Cost{Trucked: trucked, Tracked: tracked, Foot: foot}}
	}
	big := line("big river", "hexside", 3*One, 3*One, 2*One)
	big.Big = true
	return []Terrain{
		line("clear", "base", 2*One, One, One), line("hills", "base", 2*One, 18, One),
		line("forest", "added", 2*One, One, One), line("city", "base", One, One, One), line("town", "base", One, One, One),
		line("main road", "road", 4, 6, 6), line("side road", "road", 6, One, One),
		line("river", "hexside", One, One, One), line("Doniec", "hexside", 2*One, 2*One, One), big,
		line("swamps", "base", Closed, Closed, 2*One),
	}
}

// scenario lays out a test map.
func (g ground) scenario(t testing.TB) *Scenario {
	t.Helper()
	b := &board.Board{ID: "test", Grid: hex.Grid{ColMin: 1, ColMax: len(g.rows[0]), RowMin: 1, RowMax: len(g.rows), OddLow: true}, Rows: g.rows,
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"}, Places: g.places, Zones: g.zones,
		Legend: []board.Terrain{{Code: ".", Kinds: []string{"clear"}}, {Code: "h", Kinds: []string{"hills"}}, {Code: "f", Kinds: []string{"forest"}},
			{Code: "w", Kinds: []string{"hills", "forest"}}, {Code: "s", Kinds: []string{"swamps"}}, {Code: "t", Kinds: []string{"town"}}, {Code: "c", Kinds: []string{"city"}}}}
	for _, kind := range slices.Sorted(kindsOf(g.rivers)) {
		b.Rivers = append(b.Rivers, board.River{Kind: kind, Name: kind, Edges: edgeList(t, g.rivers[kind])})
	}
	for _, kind := range slices.Sorted(kindsOf(g.roads)) {
		for path := range strings.FieldsSeq(g.roads[kind]) {
			b.Roads = append(b.Roads, board.Road{Kind: kind, Path: hexList(t, path)})
		}
	}
	for _, e := range edgeList(t, g.bridges) {
		b.Bridges = append(b.Bridges, board.Bridge{Edge: e})
	}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	sc := &Scenario{ID: "test", Year: 1942, Month: 5, Day: 12, Turns: 9, Sides: [2]Side{red, blue}, Names: [2]string{"Red", "Blue"}, Board: b,
		Terrain: summer(), terrain: map[string]Terrain{}, Profile: Profile{Book: "KH", FieldCity: 2, FieldTown: 1, FieldElse: 1, SideRoadFor: []Class{Foot}, DisruptSP: 1, DisruptMost: 2},
		Allowance: map[string]Cost{"RED": 10 * One, "BLUE": 8 * One},
		Supply:    map[Side]Supply{red: {Edges: []string{"west"}}, blue: {Edges: []string{"east"}}}}
	for _, line := range sc.Terrain {
		sc.terrain[line.Name] = line
	}
	return sc
}

// position puts pieces on the map, with RED's Movement Phase next.
func (g ground) position(t testing.TB, ps ...piece) *State {
	t.Helper()
	return putOn(t, g.scenario(t), ps...)
}

// putOn puts pieces on the map of a scenario.
func putOn(t testing.TB, sc *Scenario, ps ...piece) *State {
	t.Helper()
	s := &State{Format: stateFormat, Turn: 1, Phase: 3, Control: strings.Repeat(".", sc.Board.Grid.Len())}
	for _, p := range ps {
		sc.Counters = append(sc.Counters, p.c)
		s.Units = append(s.Units, p.u)
	}
	slices.SortFunc(sc.Counters, func(a, b Counter) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	for _, b := range sc.Board.Bridges {
		s.Bridges = append(s.Bridges, Bridge{Edge: b.Edge, Stands: true})
	}
	if err := s.attach(sc); err != nil {
		t.Fatal(err)
	}
	return s
}

func kindsOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func edgeList(t testing.TB, text string) (out []hex.Edge) {
	t.Helper()
	for f := range strings.FieldsSeq(text) {
		e, err := hex.ParseEdge(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func hexList(t testing.TB, path string) (out []hex.Hex) {
	t.Helper()
	for f := range strings.SplitSeq(path, "-") {
		h, err := hex.Parse(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h)
	}
	return out
}

// obey carries out one order of RED and returns how it was read.
func obey(t testing.TB, s *State, text string) (string, *rule.Violation) {
	t.Helper()
	o, v := s.parseMove(s.mover(), phrase.Read(text))
	if v != nil {
		t.Fatalf("%s: %v", text, v)
	}
	return s.carryOut(o, nil)
}

// whereIs is the hex of a unit.
func whereIs(s *State, name string) hex.Hex { return s.unit(name).Hex }

// referee answers turn decisions by kind and throws dice by label.
type referee struct {
	answers map[string]string
	dice    map[string][]int
}

func (c referee) Answer(d adjudicator.Decision) (string, string, bool) {
	if !d.Turn {
		return d.Proposal, d.Source, true
	}
	return c.answers[d.Kind], "test", true
}

func (c referee) Throw(label string, count, _ int) ([]int, []byte, error) {
	d, ok := c.dice[label]
	if !ok || len(d) != count {
		return nil, nil, fmt.Errorf("the test knows no dice for %q", label)
	}
	return d, nil, nil
}

// play runs a phase function over the position and returns the position after it.
func (c referee) play(t testing.TB, s *State, phase func(*adjudicator.Run, *State)) (*State, []view.Event) {
	t.Helper()
	p, err := adjudicator.Play(s.clone(), phase, nil, c, c)
	if err != nil {
		t.Fatal(err)
	}
	return p.State, p.Events
}

// heard lists the kinds of events that a side is told, with the facts named.
func heard(events []view.Event, side Side, facts ...string) []string {
	var out []string
	for _, e := range events {
		if !e.For(string(side)) {
			continue
		}
		text := e.Kind
		for _, f := range facts {
			if v, ok := e.Facts.Find(f); ok {
				text += " " + v
			}
		}
		out = append(out, text)
	}
	return out
}

// place402 is a town of one hex.
var place402 = board.Place{Name: "Mill", Hexes: []hex.Hex{402}, Size: "town"}
