package wb95

import (
	"slices"
	"strconv"

	"fieldpost/adjudicator/hex"
)

// The rows of the price lists: the three classes of 1.3, and headquarters,
// which go where trucks cannot (9.1.3).
const (
	rowFoot = iota
	rowTrucked
	rowTracked
	rowHQ
	rowCount
)

// closed is Closed in the price lists.
const closed = int16(Closed)

// network is the board as prices of steps, by grid index and direction. It is
// worked out once for a scenario, because every march and every line of supply
// asks for the same few thousand steps.
type network struct {
	next  [][6]int32           // index of the neighbour, -1 off the map
	round [][]hex.Hex          // the neighbours, clockwise from the top
	order [][]hex.Hex          // and by their numbers
	dry   [rowCount][][6]int16 // price of the step where no bridge helps
	over  [rowCount][][6]int16 // price where a bridge stands on the hexside
	water []uint8              // bit d: water on hexside d
	big   []uint8              // bit d: a big river
	road  []uint8              // bit d: a road crosses hexside d
	side  []uint8              // bit d: that road is a side road
	zone  [3][]uint8           // bit d: a regular unit of the class has its zone there (4.1)
	entry [rowCount][]int16    // price of coming on to the map in the hex (11.1.5)
	town  []bool
	works *works     // fixed positions and fortified lines
	rear  [2][]int16 // by side: how far it is to the nearest source of supply
}

// network is the board of the scenario as prices of steps.
func (sc *Scenario) network() *network {
	sc.netOnce.Do(func() { sc.net = buildNetwork(sc) })
	return sc.net
}

func buildNetwork(sc *Scenario) *network {
	g, n := sc.Board.Grid, sc.Board.Grid.Len()
	net := &network{next: make([][6]int32, n), round: make([][]hex.Hex, n), order: make([][]hex.Hex, n), water: make([]uint8, n), big: make([]uint8, n),
		road: make([]uint8, n), side: make([]uint8, n), town: make([]bool, n)}
	for row := range rowCount {
		net.dry[row], net.over[row] = make([][6]int16, n), make([][6]int16, n)
		net.entry[row] = make([]int16, n)
	}
	for row := range net.zone {
		net.zone[row] = make([]uint8, n)
	}
	ground := make([][rowCount]Cost, n)
	for i := range n {
		ground[i] = sc.groundPrices(g.At(i))
	}
	for i := range n {
		from := g.At(i)
		net.round[i] = g.Neighbours(from)
		net.order[i] = sorted(net.round[i])
		net.town[i] = sc.Board.On(from) && sc.builtUp(from)
		for d := range hex.Dir(6) {
			to := g.Step(from, d)
			net.next[i][d] = -1
			if sc.Board.On(from) && sc.Board.On(to) {
				net.next[i][d] = int32(g.Index(to))
				net.price(sc, i, d, crossing{ground[g.Index(to)], sc.Board.River(hex.Between(from, to)), sc.roadOn(from, to)})
			}
		}
		net.priceEntry(sc, i, ground[i])
	}
	net.works = buildWorks(sc)
	for n, side := range sc.Sides {
		net.rear[n] = buildRear(sc, side)
	}
	return net
}

// direction is the way from the hex of index i to its neighbour of index j on the
// map; ok is false if they are not neighbours.
func (net *network) direction(i, j int) (d hex.Dir, ok bool) {
	for d, n := range net.next[i] {
		if n == int32(j) {
			return hex.Dir(d), true
		}
	}
	return 0, false
}

// bigRiver tells whether a big river parts two hexes that are neighbours.
func (s *State) bigRiver(a, b hex.Hex) bool {
	if !s.sc.Board.On(a) || !s.sc.Board.On(b) {
		return false
	}
	net, i := s.sc.network(), s.sc.Board.Grid.Index(a)
	d, ok := net.direction(i, s.sc.Board.Grid.Index(b))
	return ok && net.big[i]&(1<<d) != 0
}

// beside lists the hexes of the grid next to one, clockwise from the top. The slice
// must not be changed.
func (s *State) beside(h hex.Hex) []hex.Hex {
	if i, ok := s.sc.Board.Grid.Find(h); ok {
		return s.sc.network().round[i]
	}
	return nil
}

// besideInOrder lists them in the order of their numbers. The slice must not be changed.
func (s *State) besideInOrder(h hex.Hex) []hex.Hex {
	if i, ok := s.sc.Board.Grid.Find(h); ok {
		return s.sc.network().order[i]
	}
	return nil
}

// builtUp tells whether a town or a city is on the hex.
func (sc *Scenario) builtUp(h hex.Hex) bool { return sc.Board.Is(h, "town") || sc.Board.Is(h, "city") }

// crossing is a step over a hexside: the prices of the ground that it leads to, and the
// water and the road on the hexside, "" for none.
type crossing struct {
	ground      [rowCount]Cost
	water, road string
}

// price fills in one step for all classes, and whether a zone of control reaches over it.
func (net *network) price(sc *Scenario, i int, d hex.Dir, x crossing) {
	net.mark(sc, i, d, x)
	dry, over := sc.stepPrices(x)
	for row := range rowCount {
		net.dry[row][i][d], net.over[row][i][d] = int16(dry[row]), int16(over[row])
	}
	for row := range net.zone {
		if net.zoneCrosses(row, i, d) {
			net.zone[row][i] |= 1 << d
		}
	}
}

// mark notes what lies on the hexside.
func (net *network) mark(sc *Scenario, i int, d hex.Dir, x crossing) {
	bit := uint8(1) << d
	if x.water != "" {
		net.water[i] |= bit
	}
	if sc.terrainOf(x.water).Big {
		net.big[i] |= bit
	}
	if x.road != "" {
		net.road[i] |= bit
	}
	if sideRoad(x.road) {
		net.side[i] |= bit
	}
}

// stepPrices are the prices of the step where no bridge helps over the water, and where
// one does.
func (sc *Scenario) stepPrices(x crossing) (dry, over [rowCount]Cost) {
	water, road := sc.terrainOf(x.water), sc.terrainOf(x.road)
	for row, ground := range x.ground {
		over[row] = ground
		// WB-95 3.1.11: the road's price instead of the ground's, and of the river's while the bridge stands
		if p := road.price(row); p != Closed {
			over[row] = p
		}
		dry[row] = over[row]
		switch {
		case x.water == "":
		case row == rowHQ && x.ground[rowTrucked] == Closed && !sc.before(2):
			// reading WB-95 9.1.3: five points are all that such a hex costs, over water too.
			dry[row] = ground
		default:
			dry[row] = plus(ground, water.price(row))
		}
	}
	return dry, over
}

// zoneCrosses tells whether the zone of a unit of the class reaches over the hexside.
func (net *network) zoneCrosses(row, i int, d hex.Dir) bool {
	// WB-95 4.1.3: not over a big river
	if net.big[i]&(1<<d) != 0 {
		return false
	}
	// WB-95 4.1.4: not into ground that is closed to the unit
	// reading WB-95 4.1.4: a road into ground that is closed otherwise opens it to the zone as well.
	return net.dry[row][i][d] != closed || net.over[row][i][d] != closed
}

// priceEntry fills in what the first hex of a reinforcement costs: the price of
// a road that runs in the hex, else that of the ground (example of 11.1.5).
func (net *network) priceEntry(sc *Scenario, i int, ground [rowCount]Cost) {
	h, best := sc.Board.Grid.At(i), ground
	for _, n := range net.round[i] {
		road := sc.terrainOf(sc.roadOn(h, n))
		for row := range best {
			best[row] = cheaper(best[row], road.price(row))
		}
	}
	for row, c := range best {
		net.entry[row][i] = int16(c)
	}
}

// within tells whether a price is open and not above a limit.
func (c Cost) within(limit Cost) bool { return c != Closed && c <= limit }

// cheaper is the lower of two prices; what is closed is dearer than anything.
func cheaper(a, b Cost) Cost {
	switch {
	case a == Closed:
		return b
	case b == Closed:
		return a
	}
	return min(a, b)
}

// roadOn is the kind of road on the step, "" for none.
//
// reading WB-95 3.1.11: the hexes of a city are joined by main road, as the first
// footnote of the terrain table says, whether the map draws it or not.
func (sc *Scenario) roadOn(from, to hex.Hex) string {
	if road := sc.Board.Road(hex.Between(from, to)); road != "" {
		return road
	}
	if !sc.Board.Is(from, "city") || !sc.Board.Is(to, "city") || sc.Board.Place(from) != sc.Board.Place(to) {
		return ""
	}
	for _, name := range []string{"main road", "main route"} {
		if _, ok := sc.terrain[name]; ok {
			return name
		}
	}
	return ""
}

// sideRoad tells whether the kind of road is the one with the bonus.
func sideRoad(kind string) bool { return kind == "side road" || kind == "secondary route" }

// groundPrice is the price of the hex itself: its base and what is added to it.
//
// WB-95 3.1.12
func (sc *Scenario) groundPrice(row int, h hex.Hex) Cost {
	base, added := Cost(-2), Cost(0)
	for _, kind := range sc.Board.Kinds(h) {
		t := sc.terrainOf(kind)
		switch {
		case t.Use == "base" && base == -2:
			base = t.price(row)
		case t.Use == "added":
			added = plus(added, t.price(row))
		}
	}
	if base == -2 { // only an addition is named: it lies on clear ground
		base = sc.terrainOf("clear").price(row)
	}
	sum := plus(base, added)
	// WB-95 9.1.3
	if row == rowHQ && sum == Closed && sc.opensToStaffs(h) {
		return 5 * One
	}
	return sum
}

// staffGround are the kinds of hexes closed to trucks that headquarters enter.
//
// WB-95 9.1.3
var staffGround = []string{"swamp", "swamps", "mountain", "mountains"}

// opensToStaffs tells whether headquarters go where trucks cannot: all that keeps trucks
// out of the hex are swamps and mountains.
//
// WB-95 9.1.3
func (sc *Scenario) opensToStaffs(h hex.Hex) bool {
	kinds := sc.Board.Kinds(h)
	if sc.before(2) {
		return true
	}
	opens := false
	for _, kind := range kinds {
		if sc.terrainOf(kind).price(rowTrucked) != Closed {
			continue
		}
		if !slices.Contains(staffGround, kind) {
			return false
		}
		opens = true
	}
	return opens
}

// groundPrices are those of a hex for all rows; off the map it is closed.
func (sc *Scenario) groundPrices(h hex.Hex) (prices [rowCount]Cost) {
	for row := range prices {
		prices[row] = Closed
		if sc.Board.On(h) {
			prices[row] = sc.groundPrice(row, h)
		}
	}
	return prices
}

// price is the line's price for a row of the lists.
func (t Terrain) price(row int) Cost {
	c, ok := t.Cost[classOf(row)]
	if !ok {
		return Closed
	}
	return c
}

// plus adds prices; what is closed stays closed.
func plus(a, b Cost) Cost {
	if a == Closed || b == Closed {
		return Closed
	}
	return a + b
}

// classOf is the class whose prices a row holds.
//
// WB-95 9.1.2
func classOf(row int) Class { return [rowCount]Class{Foot, Trucked, Tracked, Trucked}[row] }

// rowOf is the row of the price lists for a counter.
func rowOf(c *Counter) int {
	switch {
	case c.Type == HQ:
		return rowHQ
	case c.Class == Foot:
		return rowFoot
	case c.Class == Tracked:
		return rowTracked
	}
	return rowTrucked
}

// entryCost is the price of the step by terrain, road, river and bridge, or
// Closed. Zones of control are no part of it.
//
// WB-95 3.1.11
func (s *State) entryCost(c *Counter, from, to hex.Hex) Cost {
	g, net := &s.sc.Board.Grid, s.sc.network()
	if !s.sc.Board.On(from) || !s.sc.Board.On(to) {
		return Closed
	}
	i, row := g.Index(from), rowOf(c)
	d, ok := net.direction(i, g.Index(to))
	if !ok {
		return Closed
	}
	if net.water[i]&(1<<d) != 0 && !s.bridgeStands(hex.Between(from, to)) {
		return Cost(net.dry[row][i][d])
	}
	return Cost(net.over[row][i][d])
}

// passable tells whether the step stays on the map and on ground that is open
// to the counter's class, and is not forbidden to its formation.
func (s *State) passable(c *Counter, from, to hex.Hex) bool {
	switch {
	case s.entryCost(c, from, to) == Closed:
		return false
	case s.sc.banned(c, hex.Between(from, to)) != nil:
		return false
	case s.sc.forbidden(c, from, to) != "":
		return false
	}
	return !s.blockedBy(c, to)
}

// bridges marks, by grid index, the directions in which a bridge stands.
func (s *State) bridges() []uint8 {
	g, net := &s.sc.Board.Grid, s.sc.network()
	out := make([]uint8, g.Len())
	for i := range s.Bridges {
		b := &s.Bridges[i]
		a, here := g.Find(b.Edge.A)
		z, there := g.Find(b.Edge.B)
		if !b.Stands || !here || !there {
			continue
		}
		if d, ok := net.direction(a, z); ok {
			out[a] |= 1 << d
			out[z] |= 1 << d.Opposite()
		}
	}
	return out
}

// String writes movement points as a player does: "6 1/2".
func (c Cost) String() string {
	var room [24]byte
	return string(c.append(room[:0]))
}

func (c Cost) append(b []byte) []byte {
	if c < 0 {
		return append(b, "closed"...)
	}
	whole, part := int64(c/One), int64(c%One)
	if part == 0 {
		return strconv.AppendInt(b, whole, 10)
	}
	div := int64(One)
	for _, d := range [...]int64{3, 2, 2} {
		if part%d == 0 && div%d == 0 {
			part, div = part/d, div/d
		}
	}
	if whole > 0 {
		b = append(strconv.AppendInt(b, whole, 10), ' ')
	}
	b = append(strconv.AppendInt(b, part, 10), '/')
	return strconv.AppendInt(b, div, 10)
}

// trail writes a path as "4114-4013-3912".
func trail(path []hex.Hex) string {
	var room [80]byte
	return string(appendTrail(room[:0], path))
}

// trail is that of the package, among the words of the position.
func (s *State) trail(path []hex.Hex) string {
	var room [80]byte
	return s.room.texts.Keep(appendTrail(room[:0], path))
}

// join puts words together as they are.
func (s *State) join(words ...string) string {
	var room [80]byte
	text := room[:0]
	for _, w := range words {
		text = append(text, w...)
	}
	return s.room.texts.Keep(text)
}

func appendTrail(b []byte, path []hex.Hex) []byte {
	for i, h := range path {
		if i > 0 {
			b = append(b, '-')
		}
		b = append(b, h.String()...)
	}
	return b
}
