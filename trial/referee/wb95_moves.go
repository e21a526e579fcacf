package referee

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// wbPhase is a phase in the referee's hands.
type wbPhase struct {
	*wbJudge
	at        adjudicator.Phase
	side      string
	strategic bool
	moves     int
	faults    []Fault

	overrun map[hex.Hex]points   // what riding down has cost, to be paid by the first who enters
	batches map[hex.Hex][]int    // steps of the stacks that came through an entry hex
	bridges map[hex.Edge]bool    // how bridges were before the order in hand changed them
	fled    map[hex.Hex][]wbPath // ways of retreat, by the hex fought from
	combat  wbCombat
}

func (w *wbPhase) fault(unit string, path []hex.Hex, engine, referee, clause string) {
	w.faults = append(w.faults, Fault{w.at.Label, unit, Trail(path), engine, referee, "WB-95 " + clause})
}

// march follows the events of a phase of movement.
func (w *wbPhase) march(was *wbStored, events []view.Event) {
	w.harass = map[hex.Hex]int{}
	for _, m := range was.Missions {
		if m.Kind == "DISRUPT" && m.Side != w.side {
			w.spread(m.Hex, m.SP)
		}
	}
	for _, e := range events {
		f := e.Facts
		switch e.Kind {
		case "moved":
			for _, name := range strings.Split(f.Get("units"), ", ") {
				w.follow(name, f.Get("text"))
			}
			clear(w.bridges)
		case "overrun":
			w.ride(e.Hexes[0])
		case "bridge-blown", "bridge-rebuilt", "bridge-built":
			edge := hex.Between(e.Hexes[0], e.Hexes[1])
			w.bridges[edge] = w.spans[edge]
			w.spans[edge] = e.Kind != "bridge-blown"
		case "back":
			if p := w.pieces[w.side+" "+f.Get("unit")]; p != nil {
				p.came = false
				if to, err := hex.Parse(f.Get("to")); err == nil && to != hex.None {
					w.put(p, to)
				} else {
					w.lift(p)
				}
			}
		case "crowded", "air-harass":
			lost := 1
			scan(f.Get("lost"), "%d", &lost)
			for range lost {
				w.lose(w.side, f.Get("unit"))
			}
		case "withdrawn":
			for _, name := range strings.Split(f.Get("units"), ", ") {
				if p := w.pieces[w.side+" "+name]; p != nil {
					w.lift(p)
				}
			}
		}
	}
}

// spread notes aircraft against movement (8.2.12 and after).
func (w *wbPhase) spread(h hex.Hex, sp int) {
	n := sp / w.book.airPoints
	hexes := []hex.Hex{h}
	if w.book.airRing > 0 {
		hexes = append(hexes, w.board.Grid.Neighbours(h)...)
	}
	for _, k := range hexes {
		if w.harass[k] += n; w.book.airMost > 0 {
			w.harass[k] = min(w.harass[k], w.book.airMost)
		}
	}
}

// ride takes off the pieces that are ridden down on a hex.
func (w *wbPhase) ride(h hex.Hex) {
	var price points
	for _, p := range slices.Clone(w.on[h]) {
		if p.side == w.side {
			continue
		}
		if !p.soft() {
			w.fault(p.name, []hex.Hex{h}, "it is ridden down", "it is neither a gun nor a headquarters", "6.1.7")
		}
		if p.gun() {
			price += onePoint
		}
		w.lift(p)
	}
	if price > 0 && w.forts[h] != "" && w.forts[h] != w.side {
		price += onePoint
	}
	w.overrun[h] = price
}

func (w *wbPhase) lose(side, name string) {
	if p := w.pieces[side+" "+name]; p != nil {
		if p.steps--; p.steps <= 0 {
			w.lift(p)
		}
	}
}

// wbTale is what a report says of a unit's move.
type wbTale struct {
	path         []hex.Hex
	spent, start points
	enters       bool
	rest         string
}

// tell reads "5008-5108, 2 of 4 MP, limbers"; ok is false where nothing was moved.
func tell(text string) (t wbTale, ok bool) {
	if strings.HasPrefix(text, "kept for") {
		return t, false
	}
	text, t.enters = strings.CutPrefix(text, "enters ")
	text = strings.TrimPrefix(text, "stays in ")
	way, text, ok1 := strings.Cut(text, ", ")
	sum, rest, ok2 := strings.Cut(text, " MP")
	spent, start, ok3 := strings.Cut(sum, " of ")
	if !ok1 || !ok2 || !ok3 {
		return t, false
	}
	t.path, t.rest = readTrail(way), rest
	var fine1, fine2 bool
	t.spent, fine1 = readPoints(spent)
	t.start, fine2 = readPoints(start)
	return t, fine1 && fine2 && t.path != nil
}

// Way is the way of a unit's move as a report of WB-95 tells it; moved is false where nothing
// was moved.
func Way(text string) (path []hex.Hex, moved bool) {
	t, moved := tell(text)
	return t.path, moved
}

// follow judges what one unit did.
func (w *wbPhase) follow(name, text string) {
	t, ok := tell(text)
	p := w.pieces[w.side+" "+name]
	if p == nil {
		return
	}
	if strings.HasPrefix(text, "builds") {
		w.moved[name] = true
	}
	if !ok {
		return
	}
	w.moves++
	w.mayMove(p, t)
	w.allowance(p, t)
	w.walk(p, t)
	w.moved[name] = w.moved[name] || !w.strategic && (len(t.path) > 1 || t.spent > 0)
}

// mayMove judges whether the unit may be moved at all.
func (w *wbPhase) mayMove(p *wbPiece, t wbTale) {
	went := len(t.path) > 1 || t.enters
	switch slow, found := w.slow[p.id]; {
	case !went:
	case p.kind == "RG":
		w.fault(p.name, t.path, "it moves", "resilience groups never move", "15.2.1")
	case p.gun() && p.firing && !strings.Contains(t.rest, "limbers"):
		w.fault(p.name, t.path, "it moves", "guns set up to fire do not move", "6.2.3")
	case found && !slow.half && slow.until >= w.at.Turn:
		w.fault(p.name, t.path, "it moves", "the scenario keeps it still", "2.1.1")
	case w.strategic && p.fought:
		w.fault(p.name, t.path, "it moves", "it fought in the Combat Phase", "12.1.2")
	case w.strategic && w.moved[p.name]:
		w.fault(p.name, t.path, "it moves", "it was activated in the Movement Phase", "12.1.2")
	}
}

// allowance judges the points that the unit began with.
func (w *wbPhase) allowance(p *wbPiece, t wbTale) {
	full := points(p.moves) * onePoint
	if slow, ok := w.slow[p.id]; ok && slow.half && (slow.until >= w.at.Turn || slow.until == 0 && t.enters) {
		full /= 2
	}
	if strings.Contains(t.rest, "half the points for another zone") {
		full /= 2
	}
	may := []points{full}
	if p.oos > 0 {
		may = append(may, full/2) // 10.2.2
	}
	for i := range may {
		if w.strategic {
			may[i] = max(0, may[i]-2*onePoint) // 12.2.3
		}
		if !t.enters {
			may[i] = max(0, may[i]-w.harm(p, t.path[0])) // 8.2.15
		}
	}
	if !slices.Contains(may, t.start) && !(w.strategic && strings.Contains(t.rest, "half the points")) {
		w.fault(p.name, t.path, fmt.Sprintf("%v points", t.start), fmt.Sprintf("%v", may), "3.1.5")
	}
}

// harm is what enemy aircraft add to a hex; they are sent against Soviets alone.
func (w *wbPhase) harm(p *wbPiece, h hex.Hex) points {
	if p.army != "SOVIET" || p.nation == "Polish" {
		return 0
	}
	return points(w.harass[h]) * onePoint
}

// walk goes the way hex by hex and adds up what it costs.
func (w *wbPhase) walk(p *wbPiece, t wbTale) {
	sum := w.works(p, t)
	stopped := ""
	if t.enters {
		sum += w.comeOn(p, t)
		if sum > 0 && len(w.zoners(t.path[0], w.side)) > 0 {
			stopped = "4.2.1"
		}
	}
	side := w.book.sideFor[p.gait] && !t.enters // all of it on side roads so far
	free := strings.Contains(t.rest, "free hex of side road")
	for i := 1; i < len(t.path); i++ {
		from, to := t.path[i-1], t.path[i]
		if !w.board.Grid.Adjacent(from, to) || !w.board.On(to) {
			w.fault(p.name, t.path, "a step", "no neighbours", "3.1.4")
			break
		}
		zone := w.zoners(from, w.side)
		if stopped != "" {
			w.fault(p.name, t.path, "it goes on from "+from.String(), "it must stop in an enemy zone", stopped)
		}
		w.forbidden(p, t.path, from, to, zone)
		price := w.step(p.wbCounter, from, to)
		if old, changed := w.bridges[hex.Between(from, to)]; changed { // the bridge was changed at the end of the move, or at its beginning
			now := w.spans[hex.Between(from, to)]
			w.spans[hex.Between(from, to)] = old
			price = min(price, w.step(p.wbCounter, from, to))
			w.spans[hex.Between(from, to)] = now
		}
		if price >= shut {
			w.fault(p.name, t.path, "it enters "+to.String(), "the ground is closed to it", "3.1.11")
			break
		}
		price += w.harm(p, to)
		extra := w.harm(p, to)
		if len(zone) > 0 {
			price, extra = price+onePoint, extra+onePoint // 4.2.6
		}
		if sum == 0 {
			price = min(price, t.start) // 3.1.13
		}
		price += w.overrun[to]
		extra += w.overrun[to]
		delete(w.overrun, to)
		side = side && w.sideRoadStep(from, to)
		if last := i == len(t.path)-1; last && free {
			if !side {
				w.fault(p.name, t.path, "a free hex of side road", "not all of the move is on side roads", "3.1.11")
			}
			price = extra
		}
		sum += price
		if len(w.zoners(to, w.side)) > 0 {
			stopped = "4.2.1"
		}
	}
	end := t.path[len(t.path)-1]
	if strings.Contains(t.rest, "leaves the map") {
		if stopped != "" {
			w.fault(p.name, t.path, "it leaves the map", "it must stop in an enemy zone", stopped)
		}
		price := w.book.ground["clear"].price(p.gait) // 11.2.3
		if len(w.zoners(end, w.side)) > 0 {
			price += onePoint // 4.2.6
		}
		if sum == 0 {
			price = min(price, t.start)
		}
		sum += price
		w.lift(p)
	} else if p.steps > 0 {
		w.put(p, end)
		p.came = p.came || len(t.path) > 1 || t.enters
	}
	if sum != t.spent {
		w.fault(p.name, t.path, fmt.Sprintf("it costs %v of %v%s", t.spent, t.start, t.rest), fmt.Sprintf("%v", sum), "3.1.11")
	}
	if sum > t.start {
		w.fault(p.name, t.path, fmt.Sprintf("it spends %v", t.spent), fmt.Sprintf("it has %v", t.start), "3.1.5")
	}
	if p.at == hex.None {
		return
	}
	inZone := len(w.zoners(end, w.side)) > 0
	if inZone != strings.Contains(t.rest, "ends in enemy ZOC") {
		w.fault(p.name, t.path, "ends"+t.rest, fmt.Sprintf("in an enemy zone: %v%s", inZone, w.near(end)), "4.1.1")
	}
	if strings.Contains(t.rest, ", limbers") {
		p.firing = false
	}
	if strings.Contains(t.rest, " unlimbers") {
		p.firing = true
	}
}

// works are the points spent on other things than steps.
func (w *wbPhase) works(p *wbPiece, t wbTale) points {
	var sum points
	if strings.Contains(t.rest, "begins to build the bridge") {
		return t.start // 14.3.2
	}
	if strings.Contains(t.rest, ", limbers") {
		sum += onePoint // 6.2.4
	}
	if strings.Contains(t.rest, " unlimbers") {
		sum += onePoint
	}
	for what, price := range map[string]points{"blows up the bridge ": onePoint, "rebuilds the bridge ": 3 * onePoint} {
		_, after, found := strings.Cut(t.rest, what)
		if !found || len(after) < 9 {
			continue
		}
		e, err := hex.ParseEdge(after[:9])
		if err == nil && w.bigRiver(e) {
			price = 3 * onePoint // 14.3.1
		}
		sum += price
	}
	return sum
}

// sideRoadStep tells whether a step is along a side road.
func (w *wbPhase) sideRoadStep(from, to hex.Hex) bool {
	e := hex.Between(from, to)
	return w.board.Road(e) == w.book.sideRoad && (w.board.River(e) == "" || w.spans[e])
}

// comeOn is the price of coming on to the map (11.1.5).
func (w *wbPhase) comeOn(p *wbPiece, t wbTale) points {
	h := t.path[0]
	for _, edge := range []string{"top", "bottom", "left", "right"} {
		if !w.board.Grid.Border(h, edge) {
			continue
		}
		stack := -1
		for i, steps := range w.batches[h] {
			if steps+p.steps <= 8 {
				stack = i
				break
			}
		}
		if stack < 0 {
			w.batches[h] = append(w.batches[h], 0)
			stack = len(w.batches[h]) - 1
		}
		price := w.entryPrice(p.wbCounter, h)*points(stack+1) + w.harm(p, h) + w.overrun[h]
		delete(w.overrun, h)
		w.batches[h][stack] += p.steps
		return price
	}
	return 0
}

// forbidden judges a step whatever it costs.
func (w *wbPhase) forbidden(p *wbPiece, path []hex.Hex, from, to hex.Hex, zone []*wbPiece) {
	for _, q := range w.on[to] {
		if q.side != p.side {
			w.fault(p.name, path, "it enters "+to.String(), "the enemy is there: "+q.name, "3.1.8")
		}
	}
	for _, q := range zone {
		if w.reaches(q, to) {
			w.fault(p.name, path, "it goes from "+from.String()+" to "+to.String(), "both are in the zone of "+q.name, "4.2.3")
		}
	}
	if w.strategic {
		if len(zone) > 0 {
			w.fault(p.name, path, "it sets out", "from an enemy zone in "+from.String(), "12.2.1")
		}
		if len(w.zoners(to, w.side)) > 0 {
			w.fault(p.name, path, "it enters "+to.String(), "an enemy zone", "12.2.2")
		}
	}
	w.scenarioBars(p, path, from, to)
}

// scenarioBars judges a step by the notes of the scenario.
func (w *wbPhase) scenarioBars(p *wbPiece, path []hex.Hex, from, to hex.Hex) {
	bar := func(why string) { w.fault(p.name, path, "it goes to "+to.String(), why, "2.1.1") }
	over := func(name string) bool {
		for _, r := range w.board.Rivers {
			if r.Name == name && slices.Contains(r.Edges, hex.Between(from, to)) {
				return true
			}
		}
		return false
	}
	for _, b := range w.notes.Ban {
		if b.Formation == p.formation && over(b.River) && from.Row() < b.North.Row() && to.Row() < b.North.Row() {
			bar(b.Formation + " may not cross there")
		}
	}
	for _, l := range w.notes.Notes.Limit {
		if !slices.Contains(l.Nations, p.nation) && !slices.Contains(l.Units, p.id) {
			continue
		}
		for _, r := range l.Rivers {
			if over(r) {
				bar("it may not cross the " + r)
			}
		}
		switch {
		case l.Last > 0 && to.Col() > l.Last:
			bar("it may not go beyond the column")
		case l.Place != "" && !slices.Contains(w.board.Named(l.Place).Hexes, to):
			bar("it cannot leave " + l.Place)
		case l.Still != "" && w.at.Turn <= w.turnOf(l.Still):
			bar("it stands still today")
		}
	}
	if a := w.notes.Notes.Apart; slices.Contains(a.Second, p.nation) {
		for _, q := range w.on[to] {
			if slices.Contains(a.First, q.nation) {
				bar("no way through " + q.name)
			}
		}
	}
}

// came tells whether somebody came to the hex in this phase.
func (w *wbPhase) came(h hex.Hex) bool {
	return slices.ContainsFunc(w.on[h], func(p *wbPiece) bool { return p.came })
}

// compare judges where everybody stands at the end of the phase: nobody moved without a
// word of it, and no stack has grown over the limit (3.2.1).
func (w *wbPhase) compare(is *wbStored) {
	stacks, strange := map[hex.Hex]int{}, map[hex.Hex]bool{}
	for _, u := range is.Units {
		c := w.counters[u.ID]
		if c == nil || u.Where != "map" {
			continue
		}
		stacks[u.Hex] += u.Steps
		side := w.sideOf[c.army]
		if u.Turned {
			side = w.sideOf[w.notes.Notes.Defection.To]
		}
		if p := w.pieces[side+" "+c.name]; p != nil && p.at != u.Hex {
			w.fault(c.name, []hex.Hex{p.at, u.Hex}, "it stands in "+u.Hex.String(), "by the reports in "+p.at.String(), "3.1.4")
			strange[u.Hex] = true
		}
	}
	for h, n := range stacks {
		if n > 8 && (!w.crowded[h] || w.came(h) || strange[h]) {
			w.fault("stack", []hex.Hex{h}, fmt.Sprintf("%d steps stay", n), "eight at most", "3.2.1")
		}
	}
}

// near lists the enemies beside a hex.
func (w *wbPhase) near(h hex.Hex) string {
	var out string
	for _, n := range w.board.Grid.Neighbours(h) {
		for _, p := range w.on[n] {
			if p.side != w.side {
				out += fmt.Sprintf(", %s (%s) in %v", p.name, p.kind, n)
			}
		}
	}
	return out
}
