package referee

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
	"fieldpost/adjudicator/view"
)

// The terrain chart of Famous Divisions: leg, tracked, wheeled. "H" is half of the printed
// allowance, "ALL" all of it, "no" forbids.
var (
	famousGround = map[string][3]string{
		"clear": {"1", "1", "2"}, "woods": {"2", "H", "ALL"}, "forest": {"3", "no", "no"}, "orchard": {"1", "2", "H"},
		"hill": {"2", "2", "H"}, "peak": {"2", "2", "H"}, "village": {"1", "1", "1"}, "town": {"1", "1", "1"},
		"city": {"1", "1", "1"}, "downtown": {"1", "2", "2"}, "major river": {"no", "no", "no"},
	}
	famousEdges = map[string][3]string{
		"stream": {"1", "2", "H"}, "ford": {"1", "2", "H"}, "river": {"ALL", "no", "no"}, "canal": {"ALL", "no", "no"}, "dragon's teeth": {"1", "no", "no"},
	}
	famousRoads = map[string][3]string{
		"highway": {"1", "1/2", "1/2"}, "road": {"1", "1/2", "1/2"}, "minor road": {"1", "1", "1"}, "railway": {"1", "1", "1"},
	}
	famousForts = map[int][3]string{0: {"1", "1", "no"}, 1: {"H", "H", "H"}, 2: {"1", "no", "no"}, 3: {"4", "0", "1"}}
)

const (
	onLegs = iota
	onTracks
	onWheels
)

// famousCounter is a counter of the scenario.
type famousCounter struct {
	id, name, side, battalion string
	class                     int
	moves                     [2]int // full, depleted
	steps                     int
	hq, division, raft        bool
}

type famousPiece struct {
	*famousCounter
	at       hex.Hex
	steps    int
	onFoot   bool
	aboard   string
	cut      int
	spent    points // in this phase
	walked   bool
	halted   bool // by an enemy zone
	overruns bool // it fought with an overrun
	lost     bool // in this phase; its last way is told after the loss
	fell     hex.Hex
}

// famousJudge referees a game of Famous Divisions.
type famousJudge struct {
	positions reader[famousStored]
	board     *board.Board
	counters  map[string]*famousCounter

	pieces   map[string]*famousPiece
	on       map[hex.Hex][]*famousPiece
	forts    []famousFort
	pontoons []famousPontoon
	blown    map[hex.Edge]bool
	halves   int // how often night and weather halve allowances
}

func newFamous(src table.Source) (*famousJudge, error) {
	l := &table.Loader{Src: src}
	uses := map[string]string{"major river": "water"}
	for use, list := range map[string]map[string][3]string{"base": famousGround, "hexside": famousEdges, "road": famousRoads} {
		for kind := range list {
			if uses[kind] == "" {
				uses[kind] = use
			}
		}
	}
	b, ok := board.Read(l, uses, map[string][]string{"village": {"village"}, "town": {"town"}, "city": {"city", "downtown"},
		"hill": {"hill", "peak"}, "bridge": {"major river"}})
	if !ok {
		return nil, l.Err()
	}
	j := &famousJudge{board: b, counters: map[string]*famousCounter{}}
	kinds := map[string]*famousCounter{}
	for _, r := range l.Rows("kinds.tsv", "side", "kind", "class", "full", "depleted") {
		c := &famousCounter{steps: 1, class: map[string]int{"leg": onLegs, "tracked": onTracks, "wheeled": onWheels}[r.Text("class")]}
		var a, d int
		scan(r.Text("full"), "%d-%d-%d", &a, &d, &c.moves[0])
		c.moves[1] = c.moves[0]
		if scan(r.Text("depleted"), "%d-%d-%d", &a, &d, &c.moves[1]) {
			c.steps = 2
		}
		marks := r.List("marks")
		c.hq, c.division = slices.Contains(marks, "hq"), slices.Contains(marks, "division")
		c.raft = slices.Contains(marks, "raft")
		kinds[r.Text("side")+" "+r.Text("kind")] = c
	}
	for _, r := range l.Rows("counters.tsv", "id", "name", "side", "battalion", "kind") {
		if k := kinds[r.Text("side")+" "+r.Text("kind")]; k != nil {
			c := *k
			c.id, c.name, c.side, c.battalion = r.Text("id"), r.Text("name"), r.Text("side"), r.Text("battalion")
			j.counters[c.id] = &c
		}
	}
	return j, l.Err()
}

// famousStored is what the referee reads of a stored position.
type famousStored struct {
	Weather int
	Units   []struct {
		ID, Where, Aboard string
		Hex               hex.Hex
		Steps, Unsupplied int
		Debarked          bool
	}
	Forts    []famousFort
	Blown    []hex.Edge
	Pontoons []famousPontoon
}

type famousFort struct {
	Hex  hex.Hex
	Kind int
	Face hex.Dir
}

type famousPontoon struct {
	Edge hex.Edge
	Hex  hex.Hex
	Done bool
}

func (j *famousJudge) lay(stored *famousStored, date string) {
	j.pieces, j.on, j.blown = map[string]*famousPiece{}, map[hex.Hex][]*famousPiece{}, map[hex.Edge]bool{}
	j.forts, j.pontoons = slices.Clone(stored.Forts), stored.Pontoons
	for _, u := range stored.Units {
		if c := j.counters[u.ID]; c != nil {
			p := &famousPiece{famousCounter: c, steps: u.Steps, onFoot: u.Debarked, aboard: u.Aboard, cut: u.Unsupplied}
			j.pieces[c.side+" "+c.name] = p
			if u.Where == "map" {
				j.put(p, u.Hex)
			}
		}
	}
	for _, e := range stored.Blown {
		j.blown[e] = true
	}
	j.halves = 0
	if strings.Contains(date, "Night") {
		j.halves++
	}
	if stored.Weather >= 4 {
		j.halves++
	}
}

func (j *famousJudge) put(p *famousPiece, h hex.Hex) {
	if p.at != hex.None {
		j.on[p.at] = slices.DeleteFunc(j.on[p.at], func(q *famousPiece) bool { return q == p })
	}
	if p.at = h; h != hex.None {
		j.on[h] = append(j.on[h], p)
	}
}

// bridged tells whether a bridge or a pontoon carries units over the hexside, or into or
// out of a hex of a major river.
func (j *famousJudge) bridged(a, b hex.Hex) bool {
	e := hex.Between(a, b)
	for _, p := range j.pontoons {
		if p.Done && (p.Edge == e || p.Hex != hex.None && (p.Hex == a || p.Hex == b)) {
			return true
		}
	}
	return j.board.Bridge(e) && !j.blown[e]
}

// barred tells whether wheels may not go over the hexside or into the hex, which ends zones (8.0).
func (j *famousJudge) barred(from, to hex.Hex) bool {
	if j.bridged(from, to) {
		return false
	}
	if famousEdges[j.board.River(hex.Between(from, to))][onWheels] == "no" {
		return true
	}
	for _, kind := range j.board.Kinds(to) {
		if famousGround[kind][onWheels] == "no" {
			return true
		}
	}
	return j.board.Is(from, "major river")
}

// zoned tells whether enemies of a side have a zone on the hex.
func (j *famousJudge) zoned(h hex.Hex, side string) bool {
	for _, n := range j.board.Grid.Neighbours(h) {
		for _, p := range j.on[n] {
			if p.side != side && !p.hq && p.aboard == "" && !j.barred(n, h) {
				return true
			}
		}
	}
	return false
}

// toll is what a step asks: points, and with them halves and the whole of an allowance.
type toll struct {
	sum       points
	half, all bool
	no        bool
	road      bool
}

func (t *toll) add(price string) {
	switch price {
	case "no":
		t.no = true
	case "H":
		t.half = true
	case "ALL":
		t.all = true
	case "":
	default:
		n, _ := readPoints(price)
		t.sum += n
	}
}

func dearer(a, b string) bool {
	rank := func(s string) points {
		switch s {
		case "no":
			return 4000
		case "ALL":
			return 3000
		case "H":
			return 2000
		}
		n, _ := readPoints(s)
		return n
	}
	return rank(a) > rank(b)
}

// step is the toll of a step for a class (9.0 to 9.2, 15.2).
func (j *famousJudge) step(class int, from, to hex.Hex, noRoad bool) toll {
	var t toll
	e := hex.Between(from, to)
	water := j.board.River(e)
	over := j.bridged(from, to)
	major := j.board.Is(from, "major river") || j.board.Is(to, "major river")
	cut := j.blown[e] && !over // the road goes down with its bridge, and a pontoon carries it again
	if road := j.board.Road(e); road != "" && !noRoad && !cut {
		t.road = true
		t.add(famousRoads[road][class])
	} else {
		t.add(j.ground(class, to, over))
		if water != "" && !over {
			t.add(famousEdges[water][class])
		}
		if major && !over && j.board.Road(e) == "" {
			t.no = true
		}
	}
	for _, f := range j.forts {
		if f.Hex == to && j.faces(f.Kind, f.Face, to, from) {
			t.add(famousForts[f.Kind][class])
		}
	}
	return t
}

// ground is the dearest kind of terrain of a hex.
func (j *famousJudge) ground(class int, h hex.Hex, bridged bool) string {
	best := ""
	for _, kind := range j.board.Kinds(h) {
		price := famousGround[kind][class]
		if kind == "major river" && bridged {
			price = "1"
		}
		if best == "" || dearer(price, best) {
			best = price
		}
	}
	return best
}

// faces tells whether a fortification of a hex looks at the hex beside it.
func (j *famousJudge) faces(kind int, face hex.Dir, h, from hex.Hex) bool {
	if kind == 1 {
		return true
	}
	for d := face + 5; d <= face+7; d++ {
		if j.board.Grid.Step(h, d%6) == from {
			return true
		}
	}
	return false
}

// class is how a unit goes now.
func (p *famousPiece) gait() int {
	if p.onFoot {
		return onLegs
	}
	return p.class
}

// printed is the allowance on the counter, or of men on foot.
func (p *famousPiece) printed() int {
	switch {
	case p.onFoot:
		return 4
	case p.steps < p.famousCounter.steps:
		return p.moves[1]
	}
	return p.moves[0]
}

// allowance is what night, weather and supply leave of it.
func (j *famousJudge) allowance(p *famousPiece) int {
	m := p.printed()
	for range j.halves {
		m = (m + 1) / 2
	}
	if p.cut >= 2 && (p.gait() != onLegs || p.hq) {
		m = max(1, m/2) // 5.3
	}
	return m
}

// Phase implements Judge.
func (j *famousJudge) Phase(at adjudicator.Phase, before []byte, out adjudicator.Outcome) (int, []Fault, error) {
	if !strings.HasPrefix(at.Name, "Activation") {
		return 0, nil, nil
	}
	was, is, err := j.positions.both(before, out.Position)
	if err != nil {
		return 0, nil, err
	}
	j.lay(was, at.Date)
	w := &famousPhase{famousJudge: j, at: at}
	for _, e := range out.Events {
		w.follow(e)
	}
	w.compare(is)
	return w.moves, w.faults, nil
}

type famousPhase struct {
	*famousJudge
	at     adjudicator.Phase
	moves  int
	faults []Fault
	combat hex.Hex
}

func (w *famousPhase) fault(p *famousPiece, path []hex.Hex, engine, referee, clause string) {
	w.faults = append(w.faults, Fault{w.at.Label, p.name, Trail(path), engine, referee, "GD " + clause})
}

// unit is the one that an event names; events without a side name it for their reader.
func (w *famousPhase) unit(e view.Event, name string) *famousPiece {
	if p := w.pieces[e.Side+" "+name]; p != nil {
		return p
	}
	for _, to := range append(e.To, e.Facts.Get("side")) {
		if p := w.pieces[to+" "+name]; p != nil {
			return p
		}
	}
	return nil
}

// follow takes in an event.
func (w *famousPhase) follow(e view.Event) {
	f := e.Facts
	p := w.unit(e, f.Get("unit"))
	switch e.Kind {
	case "combat":
		w.combat = e.Hexes[0]
		for _, name := range strings.Split(f.Get("units"), ", ") {
			if q := w.unit(e, name); q != nil {
				q.overruns = f.Get("overrun") != ""
			}
		}
	case "loss":
		if p != nil {
			w.lose(p, f.Get("left"))
			if r := w.unit(e, f.Get("rider")); r != nil {
				w.lose(r, f.Get("left"))
			}
		}
	case "overstacked":
		if p != nil {
			if p.steps--; p.steps <= 0 {
				w.put(p, hex.None)
			}
		}
	case "demolition":
		if edge, err := hex.ParseEdge(f.Get("bridge")); err == nil && f.Get("blown") != "" {
			w.blown[edge] = true
		}
	case "cleared":
		if len(e.Hexes) > 0 {
			w.forts = slices.DeleteFunc(w.forts, func(t famousFort) bool { return t.Hex == e.Hexes[0] })
		}
	case "move":
		for _, name := range strings.Split(f.Get("units"), ", ") {
			if q := w.unit(e, name); q != nil {
				w.march(q, e.Hexes)
			}
		}
	}
	if p == nil {
		return
	}
	switch e.Kind {
	case "mounted":
		if tank := w.unit(e, f.Get("tank")); tank != nil {
			p.aboard = tank.id
			p.spent, tank.spent = p.spent+onePoint, tank.spent+onePoint
		}
	case "dismount":
		for _, tank := range w.pieces {
			if tank.id == p.aboard {
				tank.spent += onePoint
			}
		}
		p.aboard = ""
		p.spent += onePoint
	case "debark":
		p.onFoot, p.spent, p.walked = true, 0, true
	case "embark":
		p.onFoot = false
	case "exit":
		w.put(p, hex.None)
	case "retreat":
		w.retreat(p, e.Hexes)
	case "advance":
		w.advance(p, e.Hexes)
	}
}

func (w *famousPhase) lose(p *famousPiece, left string) {
	if strings.Contains(left, "depleted") {
		p.steps = 1
		return
	}
	p.lost, p.fell = true, p.at
	w.put(p, hex.None)
}

func (w *famousPhase) enemyThere(p *famousPiece, path []hex.Hex, h hex.Hex) {
	for _, q := range w.on[h] {
		if q.side != p.side {
			w.fault(p, path, "it enters "+h.String(), "the enemy is there: "+q.name, "7.0")
		}
	}
}

// march judges a way of a unit (9.0).
func (w *famousPhase) march(p *famousPiece, path []hex.Hex) {
	w.moves++
	if p.lost {
		w.put(p, p.fell)
		defer w.put(p, hex.None)
	}
	var carried []*famousPiece
	for _, q := range w.on[p.at] {
		if q.aboard == p.id {
			carried = append(carried, q)
		}
	}
	if p.at == hex.None {
		w.enemyThere(p, path, path[0])
		w.pay(p, path, tollOf(w.ground(p.gait(), path[0], false)), false)
		w.put(p, path[0])
		p.halted = w.zoned(path[0], p.side)
	} else if p.at != path[0] {
		w.fault(p, path, "it moves", "it stands in "+p.at.String(), "9.0")
	}
	if p.halted && p.overruns {
		p.halted = false
	}
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		w.enemyThere(p, path, to)
		if !w.board.Grid.Adjacent(from, to) {
			w.fault(p, path, "a step", "no neighbours", "9.0")
		}
		leaves := w.zoned(from, p.side)
		if p.halted {
			w.fault(p, path, "it goes on from "+from.String(), "it must halt in an enemy zone", "8.0")
		}
		t := w.step(p.gait(), from, to, leaves)
		if w.rafted(p, from, to) && !t.road {
			t = tollOf(w.ground(p.gait(), to, false))
		}
		if t.no {
			w.fault(p, path, "it enters "+to.String(), "that is not allowed to its class", "9.0")
		}
		enters := w.zoned(to, p.side)
		if water := w.board.River(hex.Between(from, to)); enters && (water == "river" || water == "canal") && !w.bridged(from, to) {
			w.fault(p, path, "it crosses to "+to.String(), "not into an enemy zone without a bridge", "8.0")
		}
		w.pay(p, path, t, leaves)
		p.halted = enters
	}
	end := path[len(path)-1]
	w.put(p, end)
	for _, q := range carried {
		w.put(q, end)
	}
}

// rafted tells whether the water on a hexside is nothing to a unit: Germans on foot, with a
// raft beside it (9.7).
func (w *famousPhase) rafted(p *famousPiece, from, to hex.Hex) bool {
	if p.side != "GERMAN" || p.gait() != onLegs || w.board.River(hex.Between(from, to)) == "dragon's teeth" {
		return false
	}
	for _, h := range []hex.Hex{from, to} {
		for _, q := range w.on[h] {
			if q.raft {
				return true
			}
		}
	}
	return false
}

func tollOf(price string) toll {
	var t toll
	t.add(price)
	return t
}

// pay takes the toll of a step.
func (w *famousPhase) pay(p *famousPiece, path []hex.Hex, t toll, leaves bool) {
	printed := points(p.printed()) * onePoint
	have := points(w.allowance(p)) * onePoint
	first := !p.walked && p.spent == 0
	if t.half {
		if p.spent > printed/2/onePoint*onePoint && !first {
			w.fault(p, path, fmt.Sprintf("it enters a hex of half its allowance with %v spent", p.spent), fmt.Sprintf("of %v it may have spent half", printed), "9.0")
		}
		t.sum += printed / 2
	}
	if t.all {
		if p.spent > 0 && !first {
			w.fault(p, path, fmt.Sprintf("it enters a hex of all its allowance with %v spent", p.spent), "it must begin beside it", "9.0")
		}
		t.sum += printed
	}
	if leaves {
		t.sum += onePoint
	}
	if (t.half || t.all) && have < printed { // of a cut allowance all that is left
		t.sum = min(t.sum, max(have-p.spent, 0))
		if p.spent >= have && !first {
			t.sum = onePoint
		}
	}
	if !first && p.spent+t.sum > have {
		w.fault(p, path, fmt.Sprintf("it spends %v on the last hex after %v", t.sum, p.spent), fmt.Sprintf("it has %v", have), "9.0")
	}
	p.spent += t.sum
	p.walked = true
}

// retreat judges a retreat (10.5).
func (w *famousPhase) retreat(p *famousPiece, path []hex.Hex) {
	w.moves++
	if p.at != path[0] {
		w.fault(p, path, "it falls back", "it stands in "+p.at.String(), "10.5")
	}
	if len(path) != 3 {
		w.fault(p, path, fmt.Sprintf("it falls back %d hexes", len(path)-1), "exactly two", "10.5")
	}
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		w.enemyThere(p, path, to)
		switch {
		case !w.board.Grid.Adjacent(from, to):
			w.fault(p, path, "a step", "no neighbours", "10.5")
		case w.zoned(to, p.side):
			w.fault(p, path, "it falls back to "+to.String(), "an enemy zone", "10.5")
		case w.step(p.gait(), from, to, false).no:
			w.fault(p, path, "it falls back to "+to.String(), "that is not allowed to its class", "10.5")
		}
	}
	if !p.hq && !w.homeward(p, path) {
		w.fault(p, path, "it falls back", "not closer to a headquarters with every hex", "10.5")
	}
	w.put(p, path[len(path)-1])
	for _, q := range w.pieces {
		if q.aboard == p.id && q.at == path[0] {
			w.put(q, p.at)
		}
	}
}

// homeward tells whether every hex of a way is closer to the unit's headquarters, or the
// division's; where both are too near for two such hexes any other may serve.
func (w *famousPhase) homeward(p *famousPiece, path []hex.Hex) bool {
	own := false
	closer := func(h hex.Hex) bool {
		for i := 1; i < len(path); i++ {
			if w.board.Grid.Distance(path[i], h) >= w.board.Grid.Distance(path[i-1], h) {
				return false
			}
		}
		return true
	}
	for _, q := range w.pieces {
		if !q.hq || q.side != p.side || q.at == hex.None || q.battalion != p.battalion && !q.division {
			continue
		}
		if closer(q.at) {
			return true
		}
		own = own || w.board.Grid.Distance(path[0], q.at) >= 2
	}
	return !own
}

// advance judges an advance after combat (10.6).
func (w *famousPhase) advance(p *famousPiece, path []hex.Hex) {
	w.moves++
	far := 2
	if p.gait() == onLegs {
		far = 1
	}
	switch {
	case p.at != path[0]:
		w.fault(p, path, "it follows", "it stands in "+p.at.String(), "10.6")
	case len(path) < 2 || path[1] != w.combat:
		w.fault(p, path, "it follows", "not into the hex fought over, "+w.combat.String(), "10.6")
	case len(path)-1 > far:
		w.fault(p, path, fmt.Sprintf("%d hexes", len(path)-1), fmt.Sprintf("%d at most", far), "10.6")
	}
	for i := 1; i < len(path); i++ {
		w.enemyThere(p, path, path[i])
		switch {
		case !w.board.Grid.Adjacent(path[i-1], path[i]):
			w.fault(p, path, "a step", "no neighbours", "10.6")
		case w.step(p.gait(), path[i-1], path[i], false).no:
			w.fault(p, path, "it follows to "+path[i].String(), "that is not allowed to its class", "10.6")
		}
	}
	from := p.at
	w.put(p, path[len(path)-1])
	p.halted = w.zoned(p.at, p.side)
	for _, q := range w.pieces {
		if q.aboard == p.id && q.at == from {
			w.put(q, p.at)
		}
	}
}

// compare judges where everybody stands at the end of the phase, and the stacks (7.1).
func (w *famousPhase) compare(is *famousStored) {
	halves := map[hex.Hex]int{}
	for _, u := range is.Units {
		c := w.counters[u.ID]
		if c == nil || u.Where != "map" {
			continue
		}
		switch {
		case c.division, u.Aboard != "":
		case u.Steps < c.steps:
			halves[u.Hex]++
		default:
			halves[u.Hex] += 2
		}
		if p := w.pieces[c.side+" "+c.name]; p != nil && p.at != u.Hex && p.aboard == "" {
			w.fault(p, []hex.Hex{p.at, u.Hex}, "it stands in "+u.Hex.String(), "by the reports in "+p.at.String(), "9.0")
		}
	}
	for h, n := range halves {
		limit := 8
		if w.board.Is(h, "city") || w.board.Is(h, "downtown") {
			limit = 12
		}
		if n > limit {
			w.faults = append(w.faults, Fault{w.at.Label, "stack", h.String(), fmt.Sprintf("%d half units stay", n), fmt.Sprintf("%d at most", limit), "GD 7.1"})
		}
	}
}
