package steppe

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/hex"
	"fieldpost/scenarios"
)

var unitForm = regexp.MustCompile(`^([GS]) ([^:]+): (INF|SEC|SKI|ARM|MECH|MOT|CAV|HQ) (\S+)((?: \S+)*?)(?: at (\d{4})| due (\d)| off| (lost))?$`)

// unitLine reads "G LAH: ARM 12-10-10/10-8-10 red ss steps 1 cut 2 at 1204".
func (r *caseRun) unitLine(l casebook.Line) {
	m := unitForm.FindStringSubmatch(l.Text)
	if m == nil {
		r.Fault(l.At, "%q is no unit", l.Text)
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
			r.Fault(l.At, "%q says nothing of a unit", w)
		}
	}
	switch {
	case m[6] != "":
		h, _ := hex.Parse(m[6])
		u.Hex = h
	case m[7] != "":
		u.Where = Later
		u.Due, _ = strconv.Atoi(m[7])
	case c.KG && m[8] == "":
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
			r.Fault(l.At, "%q is no terrain", part)
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
				r.Fault(l.At, "%v", err)
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
	base := r.base(id)
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
		r.Fault(r.Case.Line, "%v", err)
	}
	r.s.firstControl()
	r.applySets()
}

func (r *caseRun) board() *board.Board {
	const cols, rows = 12, 12
	b := &board.Board{ID: "case", Grid: hex.Grid{ColMin: 10, ColMax: 10 + cols - 1, RowMin: 0, RowMax: rows - 1, OddLow: true},
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"}}
	codes := map[string]string{clear: ".", "off": " ", "light-woods": "f", heavyWoods: "F", marsh: "m", town: "t", city: "C"}
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
			if k == "off" {
				continue
			}
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
		r.Fault(r.Case.Line, "%v", err)
	}
	return b
}

// fileChange is a file of a scenario in which one text stands in the place of another.
type fileChange struct {
	name, old, new string
}

// fileLine reads "combat.tsv: OLD => NEW"; in both \t is a tab and \n a new line, and an
// OLD of - is the whole file.
func (r *caseRun) fileLine(l casebook.Line) {
	name, change, named := strings.Cut(l.Text, ": ")
	before, after, ok := strings.Cut(change, "=>")
	if !named || !ok {
		r.Fault(l.At, "%q changes no file", l.Text)
		return
	}
	written := strings.NewReplacer(`\t`, "\t", `\n`, "\n")
	r.changes = append(r.changes, fileChange{name, written.Replace(strings.TrimSpace(before)), written.Replace(strings.TrimSpace(after))})
}

// changedFiles are the files of a scenario with the changes of a case.
type changedFiles struct {
	*scenarios.Pack
	changes []fileChange
}

// Read implements table.Source.
func (f changedFiles) Read(name string) (path string, text []byte, err error) {
	path, text, err = f.Pack.Read(name)
	for _, c := range f.changes {
		switch {
		case c.name != name:
		case c.old == "-":
			text = []byte(c.new)
		case !strings.Contains(string(text), c.old):
			return path, nil, fmt.Errorf("%s has no %q", name, c.old)
		default:
			text = []byte(strings.Replace(string(text), c.old, c.new, 1))
		}
	}
	return path, text, err
}

// Decode implements table.Source.
func (f changedFiles) Decode(name string, v any) error {
	_, text, err := f.Read(name)
	if err == nil {
		_, err = toml.Decode(string(text), v)
	}
	return err
}

// base is the scenario that a case is of: with its changes of the files, or if it is
// refused for them as it is.
func (r *caseRun) base(id string) *Scenario {
	if len(r.changes) == 0 {
		return load(r.T, id)
	}
	p, err := scenarios.Open(id)
	if err != nil {
		r.T.Fatal(err)
	}
	sc, err := Load(changedFiles{p, r.changes})
	if err != nil {
		r.badFiles = err.Error()
		return load(r.T, id)
	}
	return sc
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
		r.apply(r.Case.Line, text)
	}
}

// apply changes the position: "ground mud", "turn 4", "air GERMAN 3 4", "backhand 4",
// "points GERMAN 9", "control 1204 SOVIET", "chits 4 2 3", "last GERMAN", "mode GERMAN
// PAUSE-IF 1204 FALLS".
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
		case "mode":
			s.Sheets[sideIndex(Side(f[1]))].Mode = strings.Join(f[2:], " ")
		case "version":
			sc := *s.sc
			sc.AsOf = n(1)
			s.sc = &sc
		case "step":
			s.Step = Step(f[1])
		case "switch":
			sc := *s.sc
			r.turnSwitch(at, &sc.Switches, f[1], f[2])
			s.sc = &sc
		case "last":
			s.Played = append(s.Played, Chit{"?", Side(f[1])})
		case "parent":
			s.Merging = append(s.Merging, Merger{"g " + f[1], "g KG " + f[2]})
		default:
			r.Fault(at, "%q sets nothing", part)
		}
	}
}

// turnSwitch sets one of the switches of the rules, "hq_vp 0" or "wiking_under_army true".
func (r *caseRun) turnSwitch(at int, all *Switches, name, value string) {
	if _, err := toml.Decode(name+" = "+value, all); err != nil {
		r.Fault(at, "%v", err)
	}
}
