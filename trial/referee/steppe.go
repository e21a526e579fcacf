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

// The terrain chart of Duel on the Steppe: points for motorized units and for the others.
var steppeGround = map[string][2]int{
	"clear": {1, 1}, "light-woods": {2, 1}, "heavy-woods": {3, 2}, "marsh": {3, 2}, "town": {1, 1}, "city": {1, 1},
}

// steppeCounter is a counter of the game.
type steppeCounter struct {
	id, name, side, command, kind string
	sides                         [][3]int // attack, defence, movement; of a headquarters artillery, range, movement
	mech, motorized               bool
}

type steppePiece struct {
	*steppeCounter
	at    hex.Hex
	began hex.Hex // where it stood when the phase began
	steps int
	cut   int  // supply audits failed in a row
	moved bool // in this phase
	done  bool // activated in an earlier phase of this turn
}

// steppeJudge referees a game of Duel on the Steppe.
type steppeJudge struct {
	positions reader[steppeStored]
	board     *board.Board
	counters  map[string]*steppeCounter
	entries   map[string][]hex.Hex // by side

	pieces map[string]*steppePiece
	on     map[hex.Hex][]*steppePiece
	blown  map[hex.Edge]bool
	mud    bool
	frozen bool
}

func newSteppe(src table.Source) (*steppeJudge, error) {
	l := &table.Loader{Src: src}
	uses := map[string]string{"minor-river": "hexside", "major-river": "hexside"}
	for kind := range steppeGround {
		uses[kind] = "base"
	}
	b, ok := board.Read(l, uses, map[string][]string{"town": {"town"}, "city": {"city"}})
	if !ok {
		return nil, l.Err()
	}
	j := &steppeJudge{board: b, counters: map[string]*steppeCounter{}, entries: map[string][]hex.Hex{}}
	for _, r := range l.Rows("counters.tsv", "id", "name", "side", "sides") {
		c := &steppeCounter{id: r.Text("id"), name: r.Text("name"), side: r.Text("side"), command: r.Text("command"), kind: r.Text("type"),
			mech: r.Text("mech") == "yes", motorized: r.Text("motorized") == "yes"}
		for _, text := range r.List("sides") {
			var n [3]int
			if scan(text, "%d-%d-%d", &n[0], &n[1], &n[2]) {
				c.sides = append(c.sides, n)
			}
		}
		j.counters[c.id] = c
	}
	for _, r := range l.Rows("zones.tsv", "side", "hexes") {
		for _, word := range r.Fields("hexes") {
			if h, err := hex.Parse(word); err == nil {
				j.entries[r.Text("side")] = append(j.entries[r.Text("side")], h)
			}
		}
	}
	return j, l.Err()
}

// steppeStored is what the referee reads of a stored position.
type steppeStored struct {
	Ground string
	Units  []struct {
		ID, Where  string
		Hex        hex.Hex
		Steps, Cut int
		Activated  bool
	}
	Blown []hex.Edge
}

func (j *steppeJudge) lay(stored *steppeStored) {
	j.pieces, j.on, j.blown = map[string]*steppePiece{}, map[hex.Hex][]*steppePiece{}, map[hex.Edge]bool{}
	j.mud, j.frozen = stored.Ground == "mud", stored.Ground == "frozen"
	for _, u := range stored.Units {
		if c := j.counters[u.ID]; c != nil {
			p := &steppePiece{steppeCounter: c, steps: u.Steps, cut: u.Cut, done: u.Activated}
			j.pieces[c.side+" "+c.name] = p
			if u.Where == "map" {
				j.put(p, u.Hex)
			}
			p.began = p.at
		}
	}
	for _, e := range stored.Blown {
		j.blown[e] = true
	}
}

func (j *steppeJudge) put(p *steppePiece, h hex.Hex) {
	if p.at != hex.None {
		j.on[p.at] = slices.DeleteFunc(j.on[p.at], func(q *steppePiece) bool { return q == p })
	}
	if p.at = h; h != hex.None {
		j.on[h] = append(j.on[h], p)
	}
}

// river is a major river that runs on the hexside today, without a bridge.
func (j *steppeJudge) river(a, b hex.Hex) bool {
	e := hex.Between(a, b)
	return j.board.River(e) == "major-river" && !j.frozen && (!j.board.Bridge(e) || j.blown[e])
}

// zoned tells whether enemies of a side have a zone on the hex (8.0).
func (j *steppeJudge) zoned(h hex.Hex, side string) bool {
	if j.board.Is(h, "city") {
		return false
	}
	for _, n := range j.board.Grid.Neighbours(h) {
		for _, p := range j.on[n] {
			if p.side != side && p.kind != "HQ" && !j.river(n, h) {
				return true
			}
		}
	}
	return false
}

// price is that of a step by the chart.
func (j *steppeJudge) price(p *steppePiece, from, to hex.Hex) int {
	column := 1
	if p.motorized || p.mech {
		column = 0
	}
	ground := j.board.Kinds(to)[0]
	if ground == "marsh" && j.frozen {
		ground = "clear"
	}
	sum := steppeGround[ground][column]
	e := hex.Between(from, to)
	if j.board.River(e) == "minor-river" && !j.frozen && !j.board.Bridge(e) {
		sum += 2 - column
	}
	return sum
}

// allowance is the points of a unit in this weather and supply (3.1, 5.2).
func (j *steppeJudge) allowance(p *steppePiece) (points int, oneHex bool) {
	side := len(p.sides) - p.steps
	if p.kind == "HQ" {
		side = 0
	}
	if side < 0 || side >= len(p.sides) {
		return 0, false
	}
	m := p.sides[side][2]
	if j.mud {
		if p.side == "SOVIET" {
			m++
		}
		m /= 2
	}
	if !p.mech && !p.motorized && p.kind != "HQ" {
		return m, false
	}
	switch {
	case p.cut >= 2 && j.mud:
		return m, true
	case p.cut >= 2, p.cut == 1 && j.mud:
		return (m + 1) / 2, false
	}
	return m, false
}

// Phase implements Judge.
func (j *steppeJudge) Phase(at adjudicator.Phase, before []byte, out adjudicator.Outcome) (int, []Fault, error) {
	was, is, err := j.positions.both(before, out.Position)
	if err != nil {
		return 0, nil, err
	}
	j.lay(was)
	w := &steppePhase{steppeJudge: j, at: at}
	for _, e := range out.Events {
		w.follow(e)
	}
	w.compare(is)
	return w.moves, w.faults, nil
}

type steppePhase struct {
	*steppeJudge
	at     adjudicator.Phase
	moves  int
	faults []Fault
	hq     *steppePiece // whose chit was drawn
	solo   hex.Hex
	combat hex.Hex
	back   int // hexes that the last combat demands
}

func (w *steppePhase) fault(p *steppePiece, path []hex.Hex, engine, referee, clause string) {
	w.faults = append(w.faults, Fault{w.at.Label, p.name, Trail(path), engine, referee, "Steppe " + clause})
}

// follow takes in an event.
func (w *steppePhase) follow(e view.Event) {
	f := e.Facts
	p := w.pieces[e.Side+" "+f.Get("unit")]
	switch e.Kind {
	case "weather":
		w.mud, w.frozen = f.Get("ground") == "mud", f.Get("ground") == "frozen"
	case "chit":
		w.hq = w.pieces[e.Side+" "+f.Get("hq")]
	case "solo":
		if len(e.Hexes) > 0 {
			w.solo, w.hq = e.Hexes[0], nil
		}
	case "kg":
		if kg := w.pieces[e.Side+" "+f.Get("kg")]; kg != nil && len(e.Hexes) > 0 {
			kg.steps = 1
			w.put(kg, e.Hexes[0])
			kg.began = kg.at
			if p != nil {
				p.steps--
			}
		}
	case "combat":
		w.combat, w.back = e.Hexes[0], 0
		if _, defender, ok := strings.Cut(f.Get("result"), "/"); ok {
			if _, r, ok := strings.Cut(defender, "R"); ok {
				scan(r, "%d", &w.back)
			}
		}
	case "depleted", "replaced":
		if p != nil {
			w.reduce(p, f.Get("figures"))
		}
	case "destroyed", "trapped":
		if p != nil {
			w.put(p, hex.None)
		}
	case "overstack":
		if p != nil {
			if p.steps--; p.steps <= 0 {
				w.put(p, hex.None)
			}
		}
	case "bridge-blown":
		w.blown[hex.Between(e.Hexes[0], e.Hexes[1])] = true
	case "railed":
		if p != nil {
			w.moves++
			if h := e.Hexes[0]; !w.board.Is(h, "town") && !w.board.Is(h, "city") {
				w.fault(p, e.Hexes, "it comes by rail", "no town", "4.2")
			}
			w.put(p, e.Hexes[0])
		}
	case "hq-back":
		if hq := w.pieces[e.Side+" "+f.Get("hq")]; hq != nil {
			w.put(hq, e.Hexes[0])
		}
	}
	if p == nil || len(e.Hexes) == 0 {
		return
	}
	switch e.Kind {
	case "move":
		w.march(p, e.Hexes)
	case "enter":
		w.enter(p, e.Hexes)
	case "overrun-move":
		w.exploit(p, e.Hexes)
	case "retreat":
		w.retreat(p, e.Hexes)
	case "advance":
		w.advance(p, e.Hexes)
	}
}

// reduce turns a unit to the side with the figures.
func (w *steppePhase) reduce(p *steppePiece, figures string) {
	for i, n := range p.sides {
		if fmt.Sprintf("%d-%d-%d", n[0], n[1], n[2]) == figures && len(p.sides)-i < p.steps {
			p.steps = len(p.sides) - i
			return
		}
	}
	p.steps--
}

// activated judges whether the unit may move now (6.0).
func (w *steppePhase) activated(p *steppePiece, path []hex.Hex) {
	if p.moved {
		w.fault(p, path, "it moves", "it has moved in this activation", "9.0")
	}
	p.moved = true
	switch {
	case w.solo != hex.None:
		if p.began != w.solo {
			w.fault(p, path, "it moves", "it did not stand on the single hex "+w.solo.String(), "6.1")
		}
	case w.hq == nil:
		w.fault(p, path, "it moves", "no headquarters is activated", "6.0")
	case p == w.hq:
		return
	case p.kind == "HQ":
		w.fault(p, path, "it moves", "another headquarters is activated", "6.0")
	case p.command != w.hq.command:
		w.fault(p, path, "it moves", "it is not of the command of "+w.hq.name, "6.0")
	case w.board.Grid.Distance(w.hq.began, p.began) > w.hq.sides[0][1]:
		w.fault(p, path, "it moves", "it is out of range of "+w.hq.name, "6.0")
	}
	if p.done {
		w.fault(p, path, "it moves", "it has been activated before in this turn", "6.0")
	}
}

func (w *steppePhase) march(p *steppePiece, path []hex.Hex) {
	w.moves++
	if p.at != path[0] {
		w.fault(p, path, "it moves", "it stands in "+p.at.String(), "9.0")
	}
	w.activated(p, path)
	w.walk(p, path, 0)
	w.put(p, path[len(path)-1])
}

func (w *steppePhase) enter(p *steppePiece, path []hex.Hex) {
	w.moves++
	if p.at != hex.None {
		w.fault(p, path, "it enters", "it stands in "+p.at.String(), "4.0")
	}
	if w.hq == nil || p.command != w.hq.command && p.command != "hungarian" {
		w.fault(p, path, "it enters", "no headquarters of its command is activated", "4.0")
	}
	edge := false
	for _, border := range []string{"top", "bottom", "left", "right"} {
		edge = edge || w.board.Grid.Border(path[0], border)
	}
	if !edge {
		w.fault(p, path, "it enters at "+path[0].String(), "that is not the edge of the map", "4.0")
	}
	w.enemyThere(p, path, path[0])
	w.walk(p, path, w.price(p, path[0], path[0]))
	w.put(p, path[len(path)-1])
}

func (w *steppePhase) enemyThere(p *steppePiece, path []hex.Hex, h hex.Hex) {
	for _, q := range w.on[h] {
		if q.side != p.side {
			w.fault(p, path, "it enters "+h.String(), "the enemy is there: "+q.name, "7.0")
		}
	}
}

// walk adds up the price of a way (9.0, 9.1).
func (w *steppePhase) walk(p *steppePiece, path []hex.Hex, spent int) {
	points, oneHex := w.allowance(p)
	steps := len(path) - 1
	entered := spent > 0
	if entered {
		steps++
	}
	if oneHex && steps > 1 {
		w.fault(p, path, fmt.Sprintf("%d hexes", steps), "one hex only", "5.2")
	}
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		leaves, comes := w.zoned(from, p.side), w.zoned(to, p.side)
		w.enemyThere(p, path, to)
		if !w.board.Grid.Adjacent(from, to) {
			w.fault(p, path, "a step", "no neighbours", "9.0")
		}
		if leaves && (i > 1 || entered) {
			w.fault(p, path, "it goes on from "+from.String(), "it must halt in an enemy zone", "8.0")
		}
		if w.river(from, to) {
			switch {
			case entered, len(path) > 2:
				w.fault(p, path, "it crosses a major river", "that takes all of its points, from beside it", "9.1")
			case leaves, comes:
				w.fault(p, path, "it crosses a major river", "not out of or into an enemy zone", "9.1")
			}
			return
		}
		spent += w.price(p, from, to)
		if leaves {
			spent++
		}
	}
	if spent > points && steps > 1 && !oneHex {
		w.fault(p, path, fmt.Sprintf("it gets there with %d points", points), fmt.Sprintf("it costs %d", spent), "9.0")
	}
}

// exploit judges an overrun movement (9.3).
func (w *steppePhase) exploit(p *steppePiece, path []hex.Hex) {
	w.moves++
	if !p.mech || w.mud {
		w.fault(p, path, "overrun movement", "not this unit, not in mud", "9.3")
	}
	if p.at != path[0] {
		w.fault(p, path, "it moves", "it stands in "+p.at.String(), "9.3")
	}
	spent := 0
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		w.enemyThere(p, path, to)
		if !w.board.Grid.Adjacent(from, to) {
			w.fault(p, path, "a step", "no neighbours", "9.0")
		}
		if w.river(from, to) {
			w.fault(p, path, "it crosses a major river", "not in an overrun movement", "9.3")
		}
		spent++
		if w.zoned(from, p.side) {
			spent++
			if i > 1 {
				w.fault(p, path, "it goes on from "+from.String(), "it must halt in an enemy zone", "8.0")
			}
		}
	}
	if spent > 4 && len(path) > 2 {
		w.fault(p, path, fmt.Sprintf("%d hexes", len(path)-1), "four hexes, leaving a zone counted as one", "9.3")
	}
	w.put(p, path[len(path)-1])
}

// retreat judges a retreat (10.3).
func (w *steppePhase) retreat(p *steppePiece, path []hex.Hex) {
	w.moves++
	if p.at != path[0] || p.at != w.combat {
		w.fault(p, path, "it retreats", "it stands in "+p.at.String(), "10.3")
	}
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		w.enemyThere(p, path, to)
		switch {
		case !w.board.Grid.Adjacent(from, to):
			w.fault(p, path, "a step", "no neighbours", "10.3")
		case w.zoned(to, p.side):
			w.fault(p, path, "it retreats to "+to.String(), "an enemy zone", "10.3")
		case w.river(from, to):
			w.fault(p, path, "it retreats to "+to.String(), "over a major river", "9.1")
		}
	}
	home := hex.None
	for _, s := range w.entries[p.side] {
		held := slices.ContainsFunc(w.on[s], func(q *steppePiece) bool { return q.side != p.side })
		if held || w.zoned(s, p.side) {
			continue
		}
		closer := true
		for i := 1; i < len(path); i++ {
			closer = closer && w.board.Grid.Distance(path[i], s) < w.board.Grid.Distance(path[i-1], s)
		}
		if closer && (len(path)-1 == w.back || path[len(path)-1] == s) {
			home = s
			break
		}
	}
	if home == hex.None {
		w.fault(p, path, fmt.Sprintf("it retreats %d of %d hexes", len(path)-1, w.back), "to no source of supply is every hex of it closer", "10.3")
	}
	w.put(p, path[len(path)-1])
}

// advance judges an advance after combat (10.4).
func (w *steppePhase) advance(p *steppePiece, path []hex.Hex) {
	w.moves++
	far := 1
	if (p.mech || p.motorized) && !w.mud {
		far = 2
	}
	switch {
	case p.at != path[0]:
		w.fault(p, path, "it advances", "it stands in "+p.at.String(), "10.4")
	case p.kind == "HQ":
		w.fault(p, path, "it advances", "headquarters never do", "10.4")
	case len(path) < 2 || path[1] != w.combat:
		w.fault(p, path, "it advances", "not into the hex fought over, "+w.combat.String(), "10.4")
	case len(path)-1 > far:
		w.fault(p, path, fmt.Sprintf("%d hexes", len(path)-1), fmt.Sprintf("%d at most", far), "10.4")
	}
	for i := 1; i < len(path); i++ {
		w.enemyThere(p, path, path[i])
		if !w.board.Grid.Adjacent(path[i-1], path[i]) {
			w.fault(p, path, "a step", "no neighbours", "10.4")
		}
		if w.river(path[i-1], path[i]) {
			w.fault(p, path, "it advances to "+path[i].String(), "over a major river", "9.1")
		}
	}
	w.put(p, path[len(path)-1])
}

// compare judges where everybody stands at the end of the phase, and the stacks (7.1).
func (w *steppePhase) compare(is *steppeStored) {
	stacks := map[hex.Hex]int{}
	for _, u := range is.Units {
		c := w.counters[u.ID]
		if c == nil || u.Where != "map" {
			continue
		}
		if c.kind != "HQ" {
			stacks[u.Hex] += u.Steps
		}
		if p := w.pieces[c.side+" "+c.name]; p != nil && p.at != u.Hex {
			w.fault(p, []hex.Hex{p.at, u.Hex}, "it stands in "+u.Hex.String(), "by the reports in "+p.at.String(), "9.0")
		}
	}
	for h, n := range stacks {
		if n > 6 {
			w.faults = append(w.faults, Fault{w.at.Label, "stack", h.String(), fmt.Sprintf("%d steps stay", n), "six at most", "Steppe 7.1"})
		}
	}
}
