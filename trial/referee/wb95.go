package referee

import (
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// wbCounter is a counter as the list of the scenario's map has it.
type wbCounter struct {
	id, name, army, nation, formation, kind string
	gait, moves                             int
	selfPropelled                           bool
}

// wbPiece is a counter in play.
type wbPiece struct {
	*wbCounter
	side   string
	at     hex.Hex // None: not on the map
	steps  int
	oos    int
	firing bool
	acted  bool
	fought bool
	came   bool // to where it stands, in this phase
}

// wbJudge referees a game of WB-95.
type wbJudge struct {
	positions reader[wbStored]
	book      *landBook
	board     *board.Board
	counters  map[string]*wbCounter
	sideOf    map[string]string // the side that leads an army
	named     map[string]string // sides by what reports call them
	notes     wbNotes
	slow      map[string]wbSlow
	lines     map[hex.Hex]string // the side with a fortified line before the hex

	pieces  map[string]*wbPiece
	on      map[hex.Hex][]*wbPiece
	forts   map[hex.Hex]string // the side that has works there
	spans   map[hex.Edge]bool  // standing bridges
	harass  map[hex.Hex]int    // points of enemy aircraft against movement on the hex
	moved   map[string]bool    // in the Movement Phase of this half turn
	crowded map[hex.Hex]bool   // over the limit when the phase began
}

type wbSlow struct {
	until int // 0: the turn of its entry
	half  bool
}

// wbNotes are the parts of scenario.toml that bear on movement.
type wbNotes struct {
	Year, Month, Day int
	Terrain          string
	Side             []struct {
		ID, Name string
		Commands []string
	}
	Ban []struct {
		Formation, River string
		North            hex.Hex `toml:"north_of"`
	}
	Notes struct {
		Limit []struct {
			Nations []string
			Units   []string
			Rivers  []string
			Place   string
			Last    int    `toml:"last_column"`
			Still   string `toml:"still_until"`
		}
		Apart     struct{ First, Second []string }
		Defection struct{ To string }
	}
}

// newWB95 opens a scenario.
func newWB95(src table.Source) (*wbJudge, error) {
	j := &wbJudge{counters: map[string]*wbCounter{}, sideOf: map[string]string{}, named: map[string]string{}, slow: map[string]wbSlow{}, lines: map[hex.Hex]string{}, moved: map[string]bool{}}
	if err := into(src, "scenario.toml", &j.notes); err != nil {
		return nil, err
	}
	var profile struct{ Book string }
	if err := into(src, "book.toml", &profile); err != nil {
		return nil, err
	}
	switch {
	case profile.Book == "KU":
		j.book = &wbKursk
	case profile.Book == "NY":
		j.book = &wbNysa
	case strings.Contains(j.notes.Terrain, "winter"):
		j.book = &wbWinter
	default:
		j.book = &wbSummer
	}
	l := &table.Loader{Src: src}
	b, ok := board.Read(l, j.book.uses(), map[string][]string{"town": {"town"}, "city": {"city"}})
	if !ok {
		return nil, l.Err()
	}
	j.board = b
	for _, s := range j.notes.Side {
		j.sideOf[s.ID], j.named[s.Name] = s.ID, s.ID
		for _, army := range s.Commands {
			j.sideOf[army] = s.ID
		}
	}
	for _, r := range l.Rows("counters.tsv", "id", "name") {
		c := &wbCounter{id: r.Text("id"), name: r.Text("name"), army: r.Text("side"), nation: r.Text("nation"), formation: r.Text("formation"),
			kind: r.Text("type"), gait: gaits[r.Text("class")], selfPropelled: strings.Contains(r.Text("traits"), "self-propelled")}
		if moves := r.Text("moves"); moves != "-" {
			c.moves = r.Int("moves")
		}
		if c.kind == "HQ" { // 9.1.2
			c.moves, c.gait = 10, trucked
		}
		j.counters[c.id] = c
	}
	for _, r := range l.Optional("fortified.tsv", "side", "hexsides") {
		for _, facing := range r.Fields("hexsides") {
			if h, err := hex.Parse(strings.SplitN(facing, ">", 2)[0]); err == nil {
				j.lines[h] = r.Text("side")
			}
		}
	}
	for _, r := range l.Optional("slow.tsv", "counter", "until", "share") {
		s := wbSlow{half: r.Text("share") == "half"}
		if until := r.Text("until"); until != "entry" {
			s.until = j.turnOf(until)
		}
		j.slow[r.Text("counter")] = s
	}
	return j, l.Err()
}

// into reads a TOML file as far as the fields of v go.
func into(src table.Source, name string, v any) error {
	_, text, err := src.Read(name)
	if err != nil {
		return err
	}
	return toml.Unmarshal(text, v)
}

// turnOf is the turn of a day of the scenario's own month or the one after it.
func (j *wbJudge) turnOf(date string) int {
	var y, m, d int
	if !scan(date, "%d-%d-%d", &y, &m, &d) {
		return 0
	}
	length := []int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	for ; m > j.notes.Month; m-- {
		d += length[m-1]
	}
	return d - j.notes.Day + 1
}

// wbStored is what the referee reads of a stored position.
type wbStored struct {
	Turn, Phase int
	Units       []struct {
		ID, Where                             string
		Hex                                   hex.Hex
		Steps, Oos                            int
		Active, Fought, Fired, Firing, Turned bool
	}
	Forts []struct {
		Hex  hex.Hex
		Side string
	}
	Bridges []struct {
		Edge   hex.Edge
		Stands bool
	}
	Missions []struct {
		Side, Kind string
		Hex        hex.Hex
		SP         int
	}
	Options map[string]string
}

// lay sets the pieces out as a stored position has them.
func (j *wbJudge) lay(stored *wbStored) {
	j.pieces, j.on = map[string]*wbPiece{}, map[hex.Hex][]*wbPiece{}
	for _, u := range stored.Units {
		c := j.counters[u.ID]
		if c == nil || u.Where == "gone" {
			continue
		}
		p := &wbPiece{wbCounter: c, side: j.sideOf[c.army], steps: u.Steps, oos: u.Oos, firing: u.Firing, acted: u.Active, fought: u.Fought || u.Fired}
		if u.Turned {
			p.side = j.sideOf[j.notes.Notes.Defection.To]
		}
		j.pieces[p.side+" "+c.name] = p
		if u.Where == "map" {
			j.put(p, u.Hex)
		}
	}
	j.forts, j.spans = map[hex.Hex]string{}, map[hex.Edge]bool{}
	maps.Copy(j.forts, j.lines)
	for _, f := range stored.Forts {
		j.forts[f.Hex] = f.Side
	}
	for _, b := range stored.Bridges {
		j.spans[b.Edge] = b.Stands
	}
	j.crowded = map[hex.Hex]bool{}
	for h := range j.on {
		j.crowded[h] = j.stepsOn(h) > 8
	}
}

func (j *wbJudge) put(p *wbPiece, h hex.Hex) {
	j.lift(p)
	p.at = h
	j.on[h] = append(j.on[h], p)
}

func (j *wbJudge) lift(p *wbPiece) {
	if p.at == hex.None {
		return
	}
	j.on[p.at] = slices.DeleteFunc(j.on[p.at], func(q *wbPiece) bool { return q == p })
	p.at = hex.None
}

func (j *wbJudge) stepsOn(h hex.Hex) int {
	n := 0
	for _, p := range j.on[h] {
		n += p.steps
	}
	return n
}

// regular units have zones and ride down others (4.1.2).
func (p *wbPiece) regular() bool {
	return p.kind != "HQ" && p.kind != "RG" && p.kind != "ART" && !p.selfPropelled
}

// towed artillery and headquarters are ridden down when they are alone (6.1.7, 9.1.5).
func (p *wbPiece) soft() bool { return p.kind == "HQ" || p.gun() }

func (p *wbPiece) gun() bool { return p.kind == "ART" && !p.selfPropelled }

// reaches tells whether the zone of a piece covers the hex beside it.
func (j *wbJudge) reaches(p *wbPiece, to hex.Hex) bool {
	if !p.regular() || !j.board.Grid.Adjacent(p.at, to) {
		return false
	}
	if j.bigRiver(hex.Between(p.at, to)) { // 4.1.3
		return false
	}
	// 4.1.4; by the reading of it a road opens closed ground to the zone as well.
	return j.land(p.gait, to) < shut || j.board.Road(hex.Between(p.at, to)) != ""
}

func (j *wbJudge) bigRiver(e hex.Edge) bool {
	return j.book.big != "" && j.board.River(e) == j.book.big
}

// zoners are the enemies of a side whose zones cover the hex.
func (j *wbJudge) zoners(h hex.Hex, side string) []*wbPiece {
	var out []*wbPiece
	for _, n := range j.board.Grid.Neighbours(h) {
		for _, p := range j.on[n] {
			if p.side != side && j.reaches(p, h) {
				out = append(out, p)
			}
		}
	}
	return out
}

// land is the price of the ground of a hex.
func (j *wbJudge) land(gait int, h hex.Hex) points {
	var sum points
	for _, kind := range j.board.Kinds(h) {
		list, ok := j.book.ground[kind]
		if !ok {
			list = j.book.above[kind]
		}
		if p := list.price(gait); p < shut {
			sum += p
		} else {
			return shut
		}
	}
	return sum
}

// step is the price of a step by ground, water and road (3.1.11, 3.1.12).
func (j *wbJudge) step(c *wbCounter, from, to hex.Hex) points {
	e := hex.Between(from, to)
	river, bridged := j.board.River(e), j.spans[e]
	price := j.land(c.gait, to)
	switch {
	case price >= shut && c.kind == "HQ" && !j.board.Is(to, "lake"):
		price = 5 * onePoint // 9.1.3
	case price < shut && river != "" && !bridged:
		price += j.book.water[river].price(c.gait)
	}
	if road := j.board.Road(e); road != "" && (river == "" || bridged) {
		price = min(price, j.book.roads[road].price(c.gait))
	}
	return price
}

// entryPrice is the price of a hex for who comes from off the map: along a road through
// it, else over its ground (11.1.5).
func (j *wbJudge) entryPrice(c *wbCounter, h hex.Hex) points {
	price := j.land(c.gait, h)
	if price >= shut && c.kind == "HQ" && !j.board.Is(h, "lake") {
		price = 5 * onePoint
	}
	for _, n := range j.board.Grid.Neighbours(h) {
		if road := j.board.Road(hex.Between(h, n)); road != "" {
			price = min(price, j.book.roads[road].price(c.gait))
		}
	}
	return price
}

// Phase implements Judge.
func (j *wbJudge) Phase(at adjudicator.Phase, before []byte, out adjudicator.Outcome) (int, []Fault, error) {
	judged := []string{"Movement", "Strategic Movement", "Attack"}
	if !slices.ContainsFunc(judged, func(name string) bool { return strings.HasPrefix(at.Name, name) }) {
		return 0, nil, nil
	}
	was, is, err := j.positions.both(before, out.Position)
	if err != nil {
		return 0, nil, err
	}
	j.lay(was)
	side := j.sideOf[string(at.Side)]
	w := &wbPhase{wbJudge: j, at: at, side: side, strategic: strings.HasPrefix(at.Name, "Strategic Movement"),
		overrun: map[hex.Hex]points{}, batches: map[hex.Hex][]int{}, bridges: map[hex.Edge]bool{}}
	switch {
	case strings.HasPrefix(at.Name, "Movement"):
		clear(j.moved)
		w.march(was, out.Events)
	case w.strategic:
		w.march(was, out.Events)
	default:
		w.battle(out.Events)
	}
	w.compare(is)
	return w.moves, w.faults, nil
}
