package famous

import (
	"fieldpost/adjudicator/table"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/scenarios"
)

// layout is the position of a case before it is built: a map of its own, or a
// scenario.
type layout struct {
	scenario string
	rows     [][]string // kinds of terrain by row and column
	rivers   map[string][]hex.Edge
	roads    []board.Road
	bridges  []board.Bridge
	zones    []board.Zone
	counters []Counter
	units    []Unit
	arrivals []Arrival
	then     []func(s *State)
	part     string
	weather  string
	turn     int
	switches Switches
	set      bool
	options  map[string]string
	sc       func(sc *Scenario)
	mends    []mend // of the files of the scenario
	fault    error  // why it does not load with them
}

// mend is a text in a file of a scenario that is replaced.
type mend struct{ file, from, to string }

// mended is the scenario with the files of the case.
func (l *layout) mended() (table.Source, error) {
	pack, err := scenarios.Open(l.scenario)
	if err != nil || len(l.mends) == 0 {
		return pack, err
	}
	all, err := pack.Files()
	if err != nil {
		return nil, err
	}
	over := fstest.MapFS{}
	for _, m := range l.mends {
		name := "famous/" + m.file
		if !strings.Contains(string(all[name]), m.from) {
			return nil, fmt.Errorf("%s does not hold %q", m.file, m.from)
		}
		all[name] = []byte(strings.Replace(string(all[name]), m.from, m.to, 1))
		over[name] = &fstest.MapFile{Data: all[name]}
	}
	return scenarios.OpenDir(over, l.scenario)
}

func (l *layout) start(text string) {
	l.rivers, l.part, l.weather, l.turn = map[string][]hex.Edge{}, "Morning", "Cloudy", 1
	var cols, rows int
	if _, err := fmt.Sscanf(text, "%dx%d", &cols, &rows); err != nil {
		l.scenario = text
		return
	}
	for range rows {
		l.rows = append(l.rows, slices.Repeat([]string{""}, cols))
	}
}

// offMap is the kind of a hex that is not part of the map.
const offMap = "off map"

var hexKinds = []string{offMap, "major river", "woods", "forest", "orchard", "hill", "peak", "village", "town", "city", "downtown"}
var sideKinds = []string{"dragon's teeth", "stream", "ford", "river", "canal"}
var roadKinds = []string{"minor road", "highway", "road", "railway"}

// ground reads a line of MAP.
func (l *layout) ground(r *caseRun, line casebook.Line) {
	text := line.Text
	for _, k := range sideKinds {
		if rest, ok := strings.CutPrefix(text, k+" "); ok && strings.Contains(rest, "/") {
			for _, f := range strings.Fields(rest) {
				l.rivers[k] = append(l.rivers[k], r.edge(line.At, f))
			}
			return
		}
	}
	for _, k := range roadKinds {
		if rest, ok := strings.CutPrefix(text, k+" "); ok {
			road := board.Road{Kind: k, Name: k}
			for _, f := range strings.Split(rest, "-") {
				road.Path = append(road.Path, r.hex(f))
			}
			l.roads = append(l.roads, road)
			return
		}
	}
	for _, k := range hexKinds {
		if rest, ok := strings.CutPrefix(text, k+" "); ok {
			for _, f := range strings.Fields(rest) {
				h := r.hex(f)
				cell := &l.rows[h.Row()-1][h.Col()-1]
				*cell = strings.TrimSpace(*cell + ";" + k)
			}
			return
		}
	}
	l.circumstance(r, line)
}

func (r *caseRun) edge(at int, f string) hex.Edge {
	e, err := hex.ParseEdge(f)
	if err != nil {
		r.Fault(at, "%v", err)
	}
	return e
}

// circumstance reads the lines of MAP that speak of the position.
func (l *layout) circumstance(r *caseRun, line casebook.Line) {
	w := strings.Fields(line.Text)
	switch w[0] {
	case "bridge":
		l.bridges = append(l.bridges, board.Bridge{Edge: r.edge(line.At, w[1])})
	case "entry":
		z := board.Zone{ID: w[1]}
		for _, f := range w[2:] {
			z.Hexes = append(z.Hexes, r.hex(f))
		}
		l.zones = append(l.zones, z)
	case "time":
		l.part = w[1]
	case "weather":
		l.weather = w[1]
	case "turn":
		l.turn, _ = strconv.Atoi(w[1])
	case "mend": // mend events.tsv: Charge\tblue => Charge\tred
		file, rest, _ := strings.Cut(strings.TrimPrefix(line.Text, "mend "), ": ")
		from, to, _ := strings.Cut(strings.NewReplacer(`\t`, "\t", `\n`, "\n").Replace(rest+" "), " => ")
		l.mends = append(l.mends, mend{file, from, strings.TrimSuffix(to, " ")})
	case "version": // of the rules that the game was begun under
		n, _ := strconv.Atoi(w[1])
		l.with(func(sc *Scenario) { sc.asOf = n })
	case "placed": // the sides have set up in a turn 0
		l.then = append(l.then, func(s *State) { s.Placed = true })
	case "blown":
		e := r.edge(line.At, w[1])
		l.then = append(l.then, func(s *State) { s.Blown = append(s.Blown, e) })
	case "pontoon": // pontoon RED 0402/0502 done
		p := Pontoon{Side: Side(w[1]), Done: len(w) > 3}
		if strings.Contains(w[2], "/") {
			p.Edge = r.edge(line.At, w[2])
		} else {
			p.Hex = r.hex(w[2])
		}
		l.then = append(l.then, func(s *State) { s.Pontoons = append(s.Pontoons, p) })
	case "fort": // fort RED trench 0303 face 1
		n := len(w)
		name := strings.Join(w[2:n-3], " ")
		h, face := r.hex(w[n-3]), hex.Dir(w[n-1][0]-'1')
		k := r.book.fortKind(name)
		if k < 0 {
			r.Fault(line.At, "no fortification %q", name)
			return
		}
		l.then = append(l.then, func(s *State) { s.Forts = append(s.Forts, Fort{h, k, face, Side(w[1])}); s.works() })
	case "draws": // draws RED Apathy, Charge
		names := strings.Split(strings.TrimPrefix(line.Text, "draws "+w[1]+" "), ", ")
		l.then = append(l.then, func(s *State) { s.Events[s.sc.number(Side(w[1]))].Known = names })
	case "cup": // cup RED 2 1 0: chits of which only the colour is known, blue, red and black
		l.then = append(l.then, func(s *State) {
			for i, e := range s.sc.Events {
				s.Pool[i] = e.Copies
			}
			c := &s.Events[s.sc.number(Side(w[1]))]
			c.Known = nil
			c.Blue, _ = strconv.Atoi(w[2])
			c.Red, _ = strconv.Atoi(w[3])
			c.Black, _ = strconv.Atoi(w[4])
		})
	case "hand":
		names := strings.Split(strings.TrimPrefix(line.Text, "hand "+w[1]+" "), ", ")
		l.then = append(l.then, func(s *State) { s.Events[s.sc.number(Side(w[1]))].Hand = names })
	case "switch":
		l.set = true
		on := map[string]*bool{"three_dice": &l.switches.BridgeThreeDice, "ap_letter": nil, "round_up": &l.switches.OutRoundUp, "hide": &l.switches.HidePresence, "gun_adjacent": &l.switches.NightGunAdjacent, "drawer": &l.switches.DrawnByOpponent, "extra": &l.switches.ErsatzExtra, "riders": &l.switches.RidersStack}[w[1]]
		l.switches.APMinimumOne = w[1] != "ap_letter"
		if on != nil {
			*on = true
		}
	case "objective": // objective RED 2 0303 0304 [count 2]
		pts, _ := strconv.Atoi(w[2])
		o := Objective{Name: "place", Points: pts, Each: true, Enemy: pts < 0}
		for i, f := range w[3:] {
			if f == "count" {
				o.Each = false
				o.Count, _ = strconv.Atoi(w[3:][i+1])
				break
			}
			o.Hexes = append(o.Hexes, r.hex(f))
		}
		l.with(func(sc *Scenario) { sc.Scorer = Side(w[1]); sc.Objectives = append(sc.Objectives, o) })
	case "exit", "beside": // exit RED F to A
		p := RoadPoints{Side: Side(w[1]), Zones: []string{w[2]}, RoadsTo: []string{w[4]}, Points: 1}
		l.with(func(sc *Scenario) {
			if w[0] == "exit" {
				sc.Exits = append(sc.Exits, p)
			} else {
				p.Points = -1
				sc.Beside = append(sc.Beside, p)
			}
		})
	case "first":
		n, _ := strconv.Atoi(w[2])
		l.with(func(sc *Scenario) { sc.FirstSide, sc.FirstChits = Side(w[1]), n })
	case "grade":
		n, _ := strconv.Atoi(w[1])
		winner := Side("")
		if len(w) > 2 {
			winner = Side(w[2])
		}
		l.with(func(sc *Scenario) { sc.Grades = append(sc.Grades, Grade{n, winner}) })
	case "beside-map": // beside-map RED 2Art 0303 2
		n, _ := strconv.Atoi(w[4])
		o := OffMap{w[2], Side(w[1]), r.hex(w[3]), n}
		l.with(func(sc *Scenario) { sc.Off = o })
	case "option": // option fog=blind
		key, value, _ := strings.Cut(w[1], "=")
		l.options = map[string]string{key: value}
	case "quiet":
		l.then = append(l.then, func(s *State) { s.Quiet = append(s.Quiet, chitKey(Side(w[1]), w[2])) })
	case "last":
		h := r.hex(w[2])
		l.then = append(l.then, func(s *State) {
			s.mark(s.sc.Board.Grid.Index(h), byte('A'+s.sc.number(Side(w[1]))))
		})
	default:
		r.Fault(line.At, "%q is not a line of MAP", line.Text)
	}
}

func (l *layout) with(f func(sc *Scenario)) {
	was := l.sc
	l.sc = func(sc *Scenario) {
		if was != nil {
			was(sc)
		}
		f(sc)
	}
}

// build makes the position.
func (l *layout) build(r *caseRun) *State {
	if l.scenario != "" {
		pack, err := l.mended()
		if err == nil {
			var sc *Scenario
			if sc, err = Load(pack); err == nil {
				sc = r.optioned(sc, l.options)
				s := sc.opening()
				s.Turn = l.turn
				for _, f := range l.then {
					f(s)
				}
				return s
			}
		}
		if l.fault = err; len(l.mends) == 0 {
			r.Faults = append(r.Faults, err.Error())
		}
		return nil
	}
	book := r.book
	sc := &Scenario{ID: "case", Title: "case", Year: 1943, Month: 7, Sides: [2]Side{"RED", "BLUE"}, Names: [2]string{"Reds", "Blues"}, SetupOrder: [2]Side{"RED", "BLUE"}, Scorer: "RED",
		Terrain: book.Terrain, Forts: book.Forts, Combat: book.Combat, WeatherBy: book.WeatherBy, rolls: &phrase.Rolls{}, byID: map[string]int{}, arrival: map[string]int{}, Switches: book.Switches, Board: l.board(r)}
	if l.set {
		sc.Switches = l.switches
	}
	sc.Events = append(slices.Clone(book.Events), Event{Name: "Nothing", Colour: "red", Copies: 9})
	for _, b := range book.Track {
		if b.Part.Name == l.part {
			sc.Track = slices.Repeat([]TurnBox{{Day: 10, Part: b.Part}}, 12)
		}
	}
	sc.Counters = slices.Clone(l.counters)
	slices.SortFunc(sc.Counters, func(a, b Counter) int { return strings.Compare(a.ID, b.ID) })
	for i := range sc.Counters {
		c := &sc.Counters[i]
		c.side = int8(sc.number(c.Side))
	}
	sc.enroll()
	for i, a := range l.arrivals {
		sc.arrival[a.Counter] = i
	}
	sc.Arrivals = l.arrivals
	if l.sc != nil {
		l.sc(sc)
	}
	if len(sc.Grades) == 0 {
		sc.Grades = []Grade{{1, sc.Scorer}}
	}
	sc.compile()
	sc = r.optioned(sc, l.options)
	s := &State{Format: stateFormat, Turn: l.turn, Phase: 3, sc: sc, Units: slices.Clone(l.units), Last: letters(strings.Repeat(".", sc.Board.Grid.Len())), Pool: make([]int, len(sc.Events))}
	slices.SortFunc(s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	s.Weather = sc.weatherDie(l.weather)
	for k := range s.Events {
		s.Events[k].Known = []string{"Nothing"}
	}
	if err := s.attach(sc); err != nil {
		r.Faults = append(r.Faults, err.Error())
		return s
	}
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap {
			s.occupy(u)
		}
	}
	for _, f := range l.then {
		f(s)
	}
	s.works()
	return s
}

// optioned is the scenario under the options of a case.
func (r *caseRun) optioned(sc *Scenario, options map[string]string) *Scenario {
	g, err := newGame(sc).With(options)
	if err != nil {
		r.Faults = append(r.Faults, err.Error())
		return sc
	}
	return g.(*Game).sc
}

// board is the case's own map.
func (l *layout) board(r *caseRun) *board.Board {
	b := &board.Board{ID: "case", Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"}, Roads: l.roads, Bridges: l.bridges, Zones: l.zones,
		Grid: hex.Grid{ColMin: 1, ColMax: len(l.rows[0]), RowMin: 1, RowMax: len(l.rows), OddLow: true}}
	codes := map[string]byte{"": '.', ";" + offMap: ' '}
	b.Legend = append(b.Legend, board.Terrain{Code: ".", Kinds: []string{"clear"}})
	for _, row := range l.rows {
		line := make([]byte, len(row))
		for j, kinds := range row {
			c, ok := codes[kinds]
			if !ok {
				c = byte('A' + len(codes))
				codes[kinds] = c
				b.Legend = append(b.Legend, board.Terrain{Code: string(c), Kinds: strings.Split(strings.Trim(kinds, ";"), ";")})
			}
			line[j] = c
		}
		b.Rows = append(b.Rows, string(line))
	}
	for _, k := range sideKinds {
		if len(l.rivers[k]) > 0 {
			b.Rivers = append(b.Rivers, board.River{Kind: k, Name: k, Edges: l.rivers[k]})
		}
	}
	if err := b.Prepare(); err != nil {
		r.Faults = append(r.Faults, err.Error())
	}
	return b
}

// scenario reads expectations on the data of a scenario:
//
//	setup 5K/2Gr: within 5 of entry C         setup 1K/1Pz: depleted     setup (7)Btty/3Art: A B on turn 3
//	scenario cup GERMAN: 30 30 6              scenario hand GERMAN: Bogged, Fire Lane
//	scenario first GERMAN 1                   scenario order SOVIET GERMAN
//	scenario points Kalinovka: 3 for 3 of 4   scenario wins 9: GERMAN     scenario forts SOVIET Trench 5
//	scenario exits GERMAN: F G from A B C D E
func (r *caseRun) scenario(text string, w []string) string {
	sc := r.s.sc
	head, want, _ := strings.Cut(text, ": ")
	if w[0] == "setup" {
		u := r.named(strings.TrimPrefix(head, "setup "))
		if u == nil {
			return "no such unit"
		}
		if k, ok := sc.arrival[u.ID]; ok {
			a := sc.Arrivals[k]
			got := fmt.Sprintf("%s on turn %d", strings.Join(a.Entry, " "), a.Turn)
			if a.Together {
				got += " together"
			}
			if a.Condition != "" {
				got += " if " + a.Condition
			}
			return same(got, want)
		}
		for _, p := range sc.Setup {
			if p.Counter == u.ID {
				got := p.Area
				if p.Begins != "" && !strings.Contains(want, p.Area) {
					got = string(p.Begins)
				}
				return same(got, want)
			}
		}
		return "it is placed nowhere"
	}
	arg := strings.Fields(head)
	got := ""
	switch arg[1] {
	case "cup":
		c := sc.Cup[sc.number(Side(arg[2]))]
		got = fmt.Sprint(c.Blue, c.Red, c.Black)
	case "hand":
		got = strings.Join(sc.Hand[sc.number(Side(arg[2]))], ", ")
	case "first":
		return same(fmt.Sprint(sc.FirstSide, " ", sc.FirstChits), strings.Join(w[2:], " "))
	case "order":
		return same(fmt.Sprint(sc.SetupOrder[0], " ", sc.SetupOrder[1]), strings.Join(w[2:], " "))
	case "points":
		for _, o := range sc.Objectives {
			if o.Name == strings.Join(arg[2:], " ") {
				if got = fmt.Sprintf("%d for %d of %d", o.Points, o.Count, len(o.Hexes)); o.Each {
					got = fmt.Sprintf("%d each of %d", o.Points, len(o.Hexes))
				}
			}
		}
	case "wins":
		n, _ := strconv.Atoi(arg[2])
		got = string(sc.Other(sc.Scorer))
		for _, g := range sc.Grades {
			if n >= g.Points {
				got = string(g.Winner)
				break
			}
		}
		want = strings.ReplaceAll(want, "nobody", "")
	case "forts":
		n := 0
		for _, f := range r.s.Forts {
			n += b2i(f.Side == Side(arg[2]) && sc.Forts[f.Kind].Name == arg[3])
		}
		return same(fmt.Sprint(n), w[len(w)-1])
	case "exits":
		for _, e := range sc.Exits {
			got = strings.Join(e.Zones, " ") + " from " + strings.Join(e.RoadsTo, " ")
		}
	case "beside":
		for _, e := range sc.Beside {
			got = fmt.Sprint(e.Points, " ", strings.Join(e.Zones, " "), " to ", strings.Join(e.RoadsTo, " "))
		}
	case "kinds":
		h, _ := hex.Parse(arg[2])
		got = strings.Join(sc.Board.Kinds(h), " ")
	case "river":
		e, _ := hex.ParseEdge(arg[2])
		got = sc.Board.River(e)
	}
	return same(got, want)
}
