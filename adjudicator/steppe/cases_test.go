package steppe

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/cup"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// TestCases plays the numbered cases of testdata/cases. How a case is written stands in
// testdata/cases/README.
func TestCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Number, func(t *testing.T) {
			r := &caseRun{t: t, c: c, terrain: map[string]string{}, dice: map[string][]int{}, answers: map[string]string{}}
			r.run()
			if len(r.faults) > 0 {
				t.Errorf("%s:%d: case %s %q\n%s", c.File, c.Line, c.Number, c.Title, strings.Join(r.faults, "\n"))
			}
		})
	}
}

// caseRun is a case while it is played.
type caseRun struct {
	t      *testing.T
	c      casebook.Case
	faults []string

	terrain map[string]string // by hex: kind
	rivers  [2][]hex.Edge     // minor, major
	bridges []hex.Edge
	goals   []hex.Hex
	chosen  string // a scenario of the book instead of a map of the case's own

	counters []Counter
	units    []Unit
	sets     []string

	s       *State
	dice    map[string][]int
	answers map[string]string
	used    map[string]bool
	events  []view.Event
	refused []string
	accept  []string
	asked   map[string]adjudicator.Decision
}

func (r *caseRun) fault(at int, format string, a ...any) {
	r.faults = append(r.faults, fmt.Sprintf("  line %d: ", at)+fmt.Sprintf(format, a...))
}

// section is a head of a case with the lines below it.
type section struct {
	at   int
	word string
	rest string
	body []casebook.Line
}

func (r *caseRun) run() {
	var secs []section
	for _, l := range r.c.Body {
		if l.Head {
			word, rest, _ := strings.Cut(l.Text, " ")
			secs = append(secs, section{l.At, word, strings.TrimSpace(rest), nil})
			continue
		}
		if len(secs) > 0 {
			secs[len(secs)-1].body = append(secs[len(secs)-1].body, l)
		}
	}
	played := false
	for i, sec := range secs {
		switch sec.word {
		case "DICE", "ANSWERS": // read with the phase before them
			if i == 0 {
				r.fault(sec.at, "%s follows what it is for", sec.word)
			}
		case "EXPECT":
			r.position()
			played = true
			for _, l := range lines(sec) {
				for part := range strings.SplitSeq(l.Text, ";") {
					if part = strings.TrimSpace(part); part != "" {
						r.expect(l.At, part)
					}
				}
			}
		default:
			r.script(secs[i+1:])
			r.section(sec)
		}
	}
	if !played {
		r.fault(r.c.Line, "the case expects nothing")
	}
}

// lines are the head's own text and the lines below.
func lines(sec section) []casebook.Line {
	if sec.rest != "" {
		return append([]casebook.Line{{At: sec.at, Text: sec.rest}}, sec.body...)
	}
	return sec.body
}

// script reads the dice and answers that follow.
func (r *caseRun) script(next []section) {
	r.dice, r.answers = map[string][]int{}, map[string]string{}
	for _, sec := range next {
		if sec.word != "DICE" && sec.word != "ANSWERS" {
			return
		}
		for _, l := range lines(sec) {
			for part := range strings.SplitSeq(l.Text, ";") {
				label, value, ok := strings.Cut(part, ":")
				label, value = strings.TrimSpace(label), strings.TrimSpace(value)
				if !ok {
					r.fault(l.At, "%q: a label, a colon and a value", part)
				}
				if sec.word == "ANSWERS" {
					r.answers[label] = value
					continue
				}
				for _, d := range strings.Fields(value) {
					n, err := strconv.Atoi(d)
					if err != nil {
						r.fault(l.At, "%q is no die", d)
					}
					r.dice[label] = append(r.dice[label], n)
				}
			}
		}
	}
}

func (r *caseRun) section(sec section) {
	switch sec.word {
	case "MAP":
		for _, l := range lines(sec) {
			r.mapLine(l)
		}
	case "SCENARIO":
		r.chosen = sec.rest
	case "UNITS":
		for _, l := range lines(sec) {
			r.unitLine(l)
		}
	case "SET":
		for _, l := range lines(sec) {
			r.set(l.At, l.Text)
		}
	default:
		r.position()
		r.play(sec)
	}
}

var unitForm = regexp.MustCompile(`^([GS]) ([^:]+): (INF|SEC|SKI|ARM|MECH|MOT|CAV|HQ) (\S+)((?: \S+)*?)(?: at (\d{4})| due (\d)| off)?$`)

// unitLine reads "G LAH: ARM 12-10-10/10-8-10 red ss steps 1 cut 2 at 1204".
func (r *caseRun) unitLine(l casebook.Line) {
	m := unitForm.FindStringSubmatch(l.Text)
	if m == nil {
		r.fault(l.At, "%q is no unit", l.Text)
		return
	}
	c := Counter{ID: strings.ToLower(m[1]) + " " + m[2], Name: m[2], Printed: m[2], Type: Type(m[3]), Size: "D", Side: German, Command: Army}
	if m[1] == "S" {
		c.Side, c.Command = Soviet, Voronezh
	}
	c.Mech = slices.Contains([]Type{ARM, MECH, MOT, CAV}, c.Type)
	c.Motorized, c.KG = c.Mech, strings.HasPrefix(c.Name, "KG ")
	for f := range strings.SplitSeq(m[4], "/") {
		var a Ratings
		fmt.Sscanf(f, "%d-%d-%d", &a.Attack, &a.Defence, &a.Moves)
		c.Faces = append(c.Faces, a)
	}
	slices.Reverse(c.Faces)
	if c.Type == HQ {
		c.Artillery, c.Range = c.Faces[0].Attack, c.Faces[0].Defence
		c.Faces[0] = Ratings{0, c.Artillery, c.Faces[0].Moves}
	}
	u := Unit{ID: c.ID, Steps: len(c.Faces), Where: OnMap}
	words := strings.Fields(m[5])
	for i := 0; i < len(words); i++ {
		number := func() int { i++; n, _ := strconv.Atoi(words[min(i, len(words)-1)]); return n }
		switch w := words[i]; w {
		case "red":
			c.Red = 2
		case "ss", "hungarian", "southwest", "voronezh", "army":
			c.Command = Command(w)
		case "steps":
			u.Steps = number()
		case "cut":
			u.Cut = number()
		case "AT":
			c.AT = true
		case "regiment":
			c.Size = "R"
		case "activated":
			u.Activated = true
		default:
			r.fault(l.At, "%q says nothing of a unit", w)
		}
	}
	switch {
	case m[6] != "":
		h, _ := hex.Parse(m[6])
		u.Hex = h
	case m[7] != "":
		u.Where = Later
		u.Due, _ = strconv.Atoi(m[7])
	case c.KG:
		u.Where = InPool
	default:
		u.Where = Gone
	}
	r.counters, r.units = append(r.counters, c), append(r.units, u)
}

// mapLine reads "city 1204, town 1205", "major 1204/1205 1205/1305", "bridge 1204/1205",
// "goal 1204".
func (r *caseRun) mapLine(l casebook.Line) {
	for part := range strings.SplitSeq(l.Text, ",") {
		f := strings.Fields(part)
		if len(f) < 2 {
			r.fault(l.At, "%q is no terrain", part)
			continue
		}
		for _, w := range f[1:] {
			e, err := hex.ParseEdge(w)
			switch f[0] {
			case "minor":
				r.rivers[0] = append(r.rivers[0], e)
			case "major":
				r.rivers[1] = append(r.rivers[1], e)
			case "bridge":
				r.bridges = append(r.bridges, e)
			case "goal":
				h, bad := hex.Parse(w)
				r.goals, err = append(r.goals, h), bad
			default:
				r.terrain[w], err = f[0], nil
			}
			if err != nil {
				r.fault(l.At, "%v", err)
			}
		}
	}
}

// position builds the position once: a map of twelve columns (10 to 21) and twelve rows,
// German sources along column 10, Soviet ones along column 21.
func (r *caseRun) position() {
	if r.s != nil {
		return
	}
	id := r.chosen
	if id == "" {
		id = "star-and-gallop"
	}
	base := load(r.t, id)
	if r.chosen != "" {
		r.s = base.opening()
		r.applySets()
		return
	}
	sc := *base
	sc.Board = r.board()
	sc.Counters = slices.Clone(r.counters)
	slices.SortFunc(sc.Counters, func(a, b Counter) int { return strings.Compare(a.ID, b.ID) })
	sc.prepare()
	sc.Zones, sc.Objectives, sc.Setup, sc.Arrivals = nil, nil, nil, nil
	for _, z := range sc.Board.Zones {
		side := German
		if z.ID == "east" {
			side = Soviet
		}
		sc.Zones = append(sc.Zones, Zone{z.ID, side, z.Hexes})
	}
	for _, c := range r.units {
		if c.Where == Later {
			zone := "west"
			if sc.byID[c.ID].Side == Soviet {
				zone = "east"
			}
			sc.Arrivals = append(sc.Arrivals, Arrival{c.ID, c.Due, zone, c.Steps})
		}
	}
	for _, h := range r.goals {
		sc.Objectives = append(sc.Objectives, Objective{h, "goal", German})
	}
	sc.land = newLand(&sc)
	sc.prices()
	r.s = &State{Format: stateFormat, Turn: 1, Phase: 3, Step: StepChit, Weather: "clear", Ground: normal, Units: slices.Clone(r.units)}
	slices.SortFunc(r.s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	if err := r.s.attach(&sc); err != nil {
		r.fault(r.c.Line, "%v", err)
	}
	r.s.firstControl()
	r.applySets()
}

func (r *caseRun) board() *board.Board {
	const cols, rows = 12, 12
	b := &board.Board{ID: "case", Grid: hex.Grid{ColMin: 10, ColMax: 10 + cols - 1, RowMin: 0, RowMax: rows - 1, OddLow: true},
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"}}
	codes := map[string]string{clear: ".", "light-woods": "f", heavyWoods: "F", marsh: "m", town: "t", city: "C"}
	for _, k := range []string{clear, "light-woods", heavyWoods, marsh, town, city} {
		b.Legend = append(b.Legend, board.Terrain{Code: codes[k], Kinds: []string{k}})
	}
	west, east := board.Zone{ID: "west"}, board.Zone{ID: "east"}
	for row := range rows {
		text := ""
		for c := range cols {
			h := hex.New(10+c, row)
			k := r.terrain[h.String()]
			if k == "" {
				k = clear
			}
			text += codes[k]
			if c == 0 {
				west.Hexes = append(west.Hexes, h)
			}
			if c == cols-1 {
				east.Hexes = append(east.Hexes, h)
			}
		}
		b.Rows = append(b.Rows, text)
	}
	b.Zones = []board.Zone{west, east}
	for i, kind := range []string{minorRiver, majorRiver} {
		if len(r.rivers[i]) > 0 {
			b.Rivers = append(b.Rivers, board.River{Kind: kind, Name: kind, Edges: r.rivers[i]})
		}
	}
	for _, e := range r.bridges {
		b.Bridges = append(b.Bridges, board.Bridge{Edge: e})
	}
	if err := b.Prepare(); err != nil {
		r.fault(r.c.Line, "%v", err)
	}
	return b
}

var loaded = map[string]*Scenario{}

func load(t testing.TB, id string) *Scenario {
	if sc := loaded[id]; sc != nil {
		return sc
	}
	p, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	loaded[id] = sc
	return sc
}

func (r *caseRun) set(at int, text string) {
	if r.s != nil {
		r.apply(at, text)
		return
	}
	r.sets = append(r.sets, text)
}

func (r *caseRun) applySets() {
	for _, text := range r.sets {
		r.apply(r.c.Line, text)
	}
}

// apply changes the position: "ground mud", "turn 4", "air GERMAN 3 4", "backhand 4",
// "points GERMAN 9", "control 1204 SOVIET", "chits 4 2 3", "last GERMAN".
func (r *caseRun) apply(at int, text string) {
	s := r.s
	defer s.changed()
	for part := range strings.SplitSeq(text, ";") {
		f := strings.Fields(part)
		n := func(i int) int { v, _ := strconv.Atoi(f[min(i, len(f)-1)]); return v }
		switch f[0] {
		case "ground":
			s.Ground = f[1]
		case "weather":
			s.Weather = f[1]
		case "turn":
			s.Turn = n(1)
		case "backhand":
			s.Backhand = n(1)
		case "air":
			s.Air[slices.Index(pools[:], f[1])] = Pool{n(2), n(3), n(2), n(3)}
		case "points":
			s.Points[sideIndex(Side(f[1]))] = n(2)
		case "control":
			h, _ := hex.Parse(f[1])
			s.take(h, Side(f[2]))
		case "blown":
			e, _ := hex.ParseEdge(f[1])
			s.Blown = append(s.Blown, e)
		case "track":
			sc := *s.sc
			sc.Chits = slices.Clone(sc.Chits)
			sc.Chits[s.Turn-1] = map[string]int{"GERMAN": n(1), "VORONEZH": n(2), "SOUTHWEST": n(3)}
			s.sc = &sc
		case "last":
			s.Played = append(s.Played, Chit{"?", Side(f[1])})
		case "parent":
			s.Merging = append(s.Merging, Merger{"g " + f[1], "g KG " + f[2]})
		default:
			r.fault(at, "%q sets nothing", part)
		}
	}
}

// Throw implements adjudicator.Dice: only what the case gives, and the draw of the only
// chit there is.
func (r *caseRun) Throw(label string, count, sides int) ([]int, []byte, error) {
	r.used[label] = true
	if d, ok := r.dice[label]; ok {
		if len(d) != count {
			return nil, nil, fmt.Errorf("dice %q: the case gives %d, the rules throw %d", label, len(d), count)
		}
		return d, nil, nil
	}
	if label == "draw" || strings.HasPrefix(label, "chit ") {
		return []int{1}, nil, nil
	}
	return nil, nil, fmt.Errorf("the case gives no dice for %q", label)
}

// Answer implements adjudicator.Answerer.
func (r *caseRun) Answer(d adjudicator.Decision) (string, string, bool) {
	r.asked[d.Label] = d
	if a, ok := r.answers[d.Label]; ok {
		r.used["answer "+d.Label] = true
		return a, "case", true
	}
	return d.Proposal, d.Source, true
}

// play runs a phase: CHIT, SOLO, WEATHER, ORDERS, END, STANDING, CHECK, ODDS.
func (r *caseRun) play(sec section) {
	s := r.s
	name, rest, _ := strings.Cut(sec.rest, ";")
	name = strings.TrimSpace(name)
	var body []string
	if rest != "" {
		body = append(body, strings.TrimSpace(rest))
	}
	for _, l := range sec.body {
		body = append(body, l.Text)
	}
	switch sec.word {
	case "STANDING":
		sheet, faults := orders.Parse("STANDING\n"+strings.Join(body, "\n"), Vocabulary)
		if len(faults) > 0 {
			r.fault(sec.at, "%v", faults[0])
		}
		side := Side(strings.Fields(name)[0])
		var fresh []standing
		for _, o := range sheet.Sections[0].Orders {
			st, v := s.readStanding(side, o)
			if v != nil {
				r.fault(sec.at, "%s: %v", o, v)
			}
			fresh = append(fresh, st)
		}
		s.keepStanding(side, fresh)
	case "CHECK":
		r.check(Side(name), body, sec.at)
	case "CHIT":
		var hq *Unit
		head := ""
		for _, side := range []Side{German, Soviet} {
			w := strings.Fields(name)
			for n := len(w); n > 0 && hq == nil; n-- {
				if u := s.byName(side, strings.Join(w[:n], " ")); u != nil && u.c.Type == HQ {
					hq, head = u, strings.Join(w[n:], " ")
				}
			}
		}
		if hq == nil {
			r.fault(sec.at, "no headquarters %q", name)
			return
		}
		pool := hq.c.Command.pool()
		s.Cup = cup.Cup{cup.New(pool, []string{hq.c.Name}, 1)}
		s.Sheets[sideIndex(hq.c.Side)].Orders = "CHIT " + strings.ToUpper(hq.c.Name) + " " + head + "\n" + strings.Join(body, "\n")
		r.phase(chitPhase)
	case "SOLO":
		side, head, _ := strings.Cut(name, " ")
		s.Solo = [2]bool{true, true}
		s.Solo[sideIndex(Side(side))] = false
		s.Played = append(s.Played, Chit{"?", other(Side(side))})
		s.Sheets[sideIndex(Side(side))].Orders = "SOLO HEX " + head + "\n" + strings.Join(body, "\n")
		r.phase(soloPhase)
	case "WEATHER":
		r.phase(weatherPhase)
	case "ORDERS":
		for k, side := range s.sc.sides() {
			var mine []string
			for _, l := range body {
				if t, ok := strings.CutPrefix(l, string(side)+" "); ok {
					mine = append(mine, t)
				}
			}
			_ = k
			r.answers["orders "+string(side)] = strings.Join(mine, "\n")
		}
		r.phase(ordersPhase)
	case "END":
		r.phase(endPhase)
	case "FINISH":
		s.Turn, s.Step = s.sc.Last, StepEnd
		r.phase(phase)
	default:
		r.fault(sec.at, "%s is no section of a case", sec.word)
	}
}

// phase plays one phase with the case's dice and answers.
func (r *caseRun) phase(play func(*adjudicator.Run, *State)) {
	r.used, r.asked = map[string]bool{}, map[string]adjudicator.Decision{}
	p, err := adjudicator.Play(r.s, (*State).clone, play, nil, r, r)
	if err != nil {
		r.fault(r.c.Line, "%v", err)
		return
	}
	sc := r.s.sc
	r.s, r.events = p.State, p.Events
	r.s.sc = sc
	if read, err := decodeState(sc, r.s.encode()); err != nil || !reflect.DeepEqual(r.s.clone(), read.clone()) {
		r.fault(r.c.Line, "the position reads otherwise than it was written: %v", err)
	}
	for label := range r.dice {
		if !r.used[label] {
			r.fault(r.c.Line, "the dice %q were not thrown", label)
		}
	}
	for label := range r.answers {
		if !r.used["answer "+label] {
			r.fault(r.c.Line, "%q was not asked", label)
		}
	}
}

// check judges the lines of a sheet.
func (r *caseRun) check(side Side, body []string, at int) {
	sheet, faults := orders.Parse(orders.Canonical(strings.Join(body, "\n")), Vocabulary)
	if len(faults) > 0 {
		r.fault(at, "%v", faults[0])
		return
	}
	r.refused, r.accept = nil, nil
	r.s.judging = true
	defer func() { r.s.judging = false }()
	r.s.readTurn(side, sheet.Sections, func(_ orders.Pos, text, _ string, v *rule.Violation) {
		if v != nil {
			r.refused = append(r.refused, text+": "+v.Error())
		} else {
			r.accept = append(r.accept, text)
		}
	})
}
