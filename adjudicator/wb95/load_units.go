package wb95

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// What ids and names of counters are made of: names are typed in orders.
var (
	goodID   = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	goodName = regexp.MustCompile(`^[A-Za-z0-9./()-]+( [A-Za-z0-9./()-]+)*$`)
	around   = regexp.MustCompile(`^(\d{3,4}|[A-Z][A-Za-z -]*)\(1\)$`) // 5901(1), Cottbus(1), ruling S-5
)

// counters reads the counters that the scenario uses.
func (l *loader) counters() {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, r := range l.Rows("counters.tsv", "id", "name", "side", "nation", "formation", "parent", "type", "size",
		"class", "full", "reduced", "defence", "moves", "traits", "scenarios") {
		id := r.Text("id")
		if ids[id] || !goodID.MatchString(id) {
			r.Fault("id", "%q is taken or not made of small letters, digits and dashes", id)
			continue
		}
		ids[id] = true
		if !slices.Contains(r.List("scenarios"), l.sc.ID) {
			continue
		}
		c := l.counter(r)
		key := string(c.Side) + " " + strings.ToUpper(c.Name)
		if names[key] {
			r.Fault("name", "another unit of the side is called %q", c.Name)
		}
		names[key] = true
		l.sc.Counters = append(l.sc.Counters, c)
	}
	slices.SortFunc(l.sc.Counters, func(a, b Counter) int { return cmp.Compare(a.ID, b.ID) })
}

// dash is the field without the dash that stands for nothing.
func dash(r table.Row, column string) string {
	if t := r.Text(column); t != "-" {
		return t
	}
	return ""
}

// counter reads one counter.
func (l *loader) counter(r table.Row) Counter {
	c := Counter{
		ID: r.Text("id"), Name: r.Text("name"), Side: Side(r.Text("side")), Nation: r.Text("nation"),
		Formation: dash(r, "formation"), Parent: dash(r, "parent"),
		Type:  Type(r.OneOf("type", "INF", "ARM", "MOT", "MECH", "CAV", "ART", "HQ", "AG", "AT", "AA", "RG", "FU", "VS", "ENG", "REC")),
		Size:  r.OneOf("size", "D", "BR", "R", "B", "C", "CORPS", "-"),
		Class: Class(r.OneOf("class", string(Foot), string(Trucked), string(Tracked))),
		Moves: Cost(r.Int("moves")) * One,
	}
	if by := l.commands[c.Side]; by != "" {
		c.Side = by
	}
	if !goodName.MatchString(c.Name) {
		r.Fault("name", "%q: a name is made of letters, digits, blanks and . / - ( )", c.Name)
	}
	if !l.side(c.Side) {
		r.Fault("side", "%q is no side of the scenario", c.Side)
	}
	full, reduced, defence := r.Int("full"), r.Int("reduced"), r.Int("defence")
	c.Strength = []int{full}
	if dash(r, "reduced") != "" {
		c.Strength = []int{reduced, full}
	}
	if dash(r, "defence") != "" {
		c.Defence = []int{defence}
		if len(c.Strength) > 1 {
			r.Fault("defence", "only guns of one step have a second value")
		}
	}
	switch {
	case full < 0 || reduced < 0 || defence < 0 || c.Type != HQ && full == 0:
		r.Fault("full", "%s has no strength", c.Name)
	case reduced > full:
		r.Fault("reduced", "%s is stronger with a step less", c.Name)
	}
	if c.Moves <= 0 && c.Type != RG {
		r.Fault("moves", "%s cannot move", c.Name)
	}
	for _, t := range r.List("traits") {
		switch colour, star := strings.CutSuffix(t, " star"); {
		case t == "guards":
			c.Guards = true
		case t == "self-propelled":
			c.SelfPro = true
		case t == "panther":
			c.Panther = true
		case t == "ferdinand":
			c.Ferdinand = true
		case star && slices.Contains([]Star{Black, White, Yellow, Blue}, Star(colour)):
			c.Stars = append(c.Stars, Star(colour))
		default:
			r.Fault("traits", "unknown trait %q", t)
		}
	}
	// WB-95 1.2/4
	// WB-95 1.3/2
	towed := !c.SelfPro && (c.Type == ART || c.Type == AT || c.Type == AA)
	switch {
	case towed && c.Type == ART && c.Steps() > 1:
		r.Fault("reduced", "%s is towed: such guns have one step", c.Name)
	case (towed || c.Type == HQ) && c.Class != Trucked:
		r.Fault("class", "%s is towed: such guns, and headquarters, are trucked", c.Name)
	}
	l.nation(r, &c)
	return c
}

// nation gives a counter its morale and checks that its nation is known.
func (l *loader) nation(r table.Row, c *Counter) {
	troops := c.Nation
	switch {
	case c.Type == VS:
		troops = "Volkssturm"
	case c.Guards && c.Nation == "Soviet":
		troops = "Soviet guards"
	}
	c.Morale = l.morale[troops]
	if c.Morale == 0 {
		r.Fault("nation", "%q has no line in morale.tsv", troops)
	}
	if l.sc.HQRange[c.Nation] == 0 || l.sc.Allowance[c.Nation] == 0 {
		r.Fault("nation", "%q has no line in system.toml", c.Nation)
	}
}

// find is the counter that a row places; every counter is placed once. An optional
// column formation moves it under another heading in this scenario.
func (l *loader) find(r table.Row, file string) *Counter {
	id := r.Text("counter")
	i, ok := slices.BinarySearchFunc(l.sc.Counters, id, func(c Counter, id string) int { return strings.Compare(c.ID, id) })
	switch {
	case !ok:
		r.Fault("counter", "no counter %q of this scenario in counters.tsv", id)
		return nil
	case l.used[id] != "":
		r.Fault("counter", "%q is in %s already", id, l.used[id])
		return nil
	}
	l.used[id] = file
	c := &l.sc.Counters[i]
	c.Formation = cmp.Or(dash(r, "formation"), c.Formation)
	return c
}

// losses is the steps that a unit begins without; arrivals.tsv may leave the
// column out.
func (l *loader) losses(r table.Row, c *Counter) int {
	n := r.Int("losses")
	if n < 0 || n >= c.Steps() {
		r.Fault("losses", "%s has %d steps", c.Name, c.Steps())
	}
	return n
}

// stands tells whether the counter may be set up on the hex: the terrain is open
// to its class and no swamp.
func (l *loader) stands(c *Counter, h hex.Hex) bool {
	for _, k := range l.sc.Board.Kinds(h) {
		if t := l.sc.terrain[k]; t.Half || t.Cost[c.Class] == Closed {
			return false
		}
	}
	return l.sc.Board.On(h)
}

// setup reads where the units begin.
func (l *loader) setup() {
	steps, forts := map[hex.Hex]int{}, map[hex.Hex]FortKind{}
	for _, r := range l.Rows("setup.tsv", "counter", "hexes", "default", "fort", "losses") {
		c := l.find(r, "setup.tsv")
		if c == nil {
			continue
		}
		p := Placement{Counter: c.ID, Losses: l.losses(r, c), Fort: FortKind(dash(r, "fort"))}
		r.OneOf("fort", "-", string(FF), string(IF))
		first := r.Hex("default")
		p.Hexes = l.choices(r, c, first)
		switch side := l.at[first]; {
		case !slices.Contains(p.Hexes, first):
			r.Fault("default", "%v is none of the hexes of %s", first, c.Name)
			continue
		case side != "" && side != c.Side:
			r.Fault("default", "%v is held by the other side", first) // ruling S-6
		}
		l.at[first] = c.Side
		steps[first] += c.Steps() - p.Losses
		if f := forts[first]; p.Fort != "" && f != "" && f != p.Fort {
			r.Fault("fort", "%v has an %s already", first, f)
		}
		forts[first] = cmp.Or(p.Fort, forts[first])
		l.sc.Setup = append(l.sc.Setup, p)
	}
	for i := range l.sc.Board.Grid.Len() {
		// reading WB-95 3.2.1: a set-up over the limit is legal where the book forces it.
		if h := l.sc.Board.Grid.At(i); steps[h] > stackLimit {
			l.sc.Warnings = append(l.sc.Warnings, fmt.Sprintf("%d steps begin on %v, the limit is %d", steps[h], h, stackLimit))
		}
	}
}

// choices lists the hexes a unit may be set up on, the default first: hex
// numbers, a hex and those around it, or the hexes of a place.
func (l *loader) choices(r table.Row, c *Counter, first hex.Hex) []hex.Hex {
	text := r.Text("hexes")
	var all []hex.Hex
	explicit := false
	if m := around.FindStringSubmatch(text); m != nil && l.sc.Board.Named(m[1]) != nil {
		for _, h := range l.sc.Board.Named(m[1]).Hexes {
			for _, n := range l.sc.Board.Grid.Within(h, 1) {
				if !slices.Contains(all, n) {
					all = append(all, n)
				}
			}
		}
	} else if m != nil {
		h, err := hex.Parse(m[1])
		if err != nil || !l.sc.Board.On(h) {
			r.Fault("hexes", "hex %s is not on the map", m[1])
			return nil
		}
		all = l.sc.Board.Grid.Within(h, 1)
	} else if p := l.sc.Board.Named(text); p != nil {
		all = p.Hexes
	} else {
		explicit = true
		all = l.hexes(r, "hexes")
	}
	out := make([]hex.Hex, 0, len(all))
	for _, h := range all {
		switch {
		case l.stands(c, h) && h == first:
			out = slices.Insert(out, 0, h)
		case l.stands(c, h):
			out = append(out, h)
		case explicit:
			r.Fault("hexes", "%s cannot stand on %v: %s", c.Name, h, strings.Join(l.sc.Board.Kinds(h), " and "))
		}
	}
	return out
}

// arrivals reads the reinforcements.
func (l *loader) arrivals() {
	for _, r := range l.Rows("arrivals.tsv", "counter", "date", "entry", "condition") {
		c := l.find(r, "arrivals.tsv")
		if c == nil {
			continue
		}
		a := Arrival{Counter: c.ID, Losses: l.losses(r, c), When: dash(r, "condition"), Entry: r.List("entry")}
		date := dash(r, "date")
		switch known := slices.ContainsFunc(l.file.Conditions, func(c hexTable) bool { return c.Key == a.When }); {
		case a.When != "" && !known:
			r.Fault("condition", "no condition %q in scenario.toml", a.When)
		case (a.When == "") == (date == ""):
			r.Fault("date", "either a date or a condition is wanted")
		case date != "":
			a.Turn = l.turn(r, "date")
		}
		if a.Entry == nil {
			r.Fault("entry", "no entry")
		}
		for _, e := range a.Entry {
			if !slices.ContainsFunc(l.entryHexes(e), func(h hex.Hex) bool { return l.stands(c, h) }) {
				r.Fault("entry", "%q is no zone, place or hex that %s can enter", e, c.Name)
			}
		}
		l.sc.Arrivals = append(l.sc.Arrivals, a)
	}
	l.sc.StandIns = l.file.StandIns
	for _, id := range l.sc.StandIns {
		if !slices.ContainsFunc(l.sc.Arrivals, func(a Arrival) bool { return a.Counter == id }) {
			l.fault(`"`+id+`"`, "stand_ins: %q is no counter of arrivals.tsv", id)
		}
	}
}

// entryHexes are the hexes of a zone letter, a place name or a hex number.
func (l *loader) entryHexes(e string) []hex.Hex {
	if e == anyTown {
		var all []hex.Hex
		for _, p := range l.sc.Board.Places {
			all = append(all, p.Hexes...)
		}
		return all
	}
	if z := l.sc.Board.Zone(e); z != nil {
		return z.Hexes
	}
	if p := l.sc.Board.Named(e); p != nil {
		return p.Hexes
	}
	if h, err := hex.Parse(e); err == nil {
		return []hex.Hex{h}
	}
	return nil
}

// unused names the counters of the scenario that no file places.
func (l *loader) unused() {
	for _, r := range l.Rows("counters.tsv", "id", "scenarios") {
		if id := r.Text("id"); slices.Contains(r.List("scenarios"), l.sc.ID) && l.used[id] == "" {
			r.Fault("id", "%q is neither in setup.tsv nor in arrivals.tsv", id)
		}
	}
}

// turn is the turn of a date such as 1942-05-13. There is no clock here: days are
// counted.
func (l *loader) turn(r table.Row, column string) int {
	var y, m, d int
	text := r.Text(column)
	if n, err := fmt.Sscanf(text, "%4d-%2d-%2d", &y, &m, &d); n != 3 || err != nil || len(text) != 10 || d < 1 || d > daysIn(y, m) {
		r.Fault(column, "%q is not a date such as 1942-05-13", text)
		return 0
	}
	turn := 1
	sc := l.sc
	for yy, mm, dd := sc.Year, sc.Month, sc.Day; ; turn++ {
		if yy == y && mm == m && dd == d {
			break
		}
		if dd++; dd > daysIn(yy, mm) {
			dd, mm = 1, mm+1
		}
		if mm > 12 {
			mm, yy = 1, yy+1
		}
		if turn >= sc.Turns {
			r.Fault(column, "%s is no day of the game", text)
			return 0
		}
	}
	return turn
}

// daysIn is the number of days of a month, 0 if there is no such month.
func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 1, 3, 5, 7, 8, 10, 12:
		return 31
	}
	return 0
}

// airStrength reads the air strength of each day.
func (l *loader) airStrength() {
	a, b := l.sc.Sides[0], l.sc.Sides[1]
	l.sc.Air = map[Side][]int{}
	rows := l.Rows("air-strength.tsv", "date", string(a), string(b))
	for i, r := range rows {
		if t := l.turn(r, "date"); t != i+1 && t != 0 {
			r.Fault("date", "the day of turn %d was expected", i+1)
		}
		l.sc.Air[a] = append(l.sc.Air[a], r.Int(string(a)))
		l.sc.Air[b] = append(l.sc.Air[b], r.Int(string(b)))
	}
	if n := len(rows); n > 0 && n != l.sc.Turns {
		rows[n-1].Fault("date", "%d days, the game has %d turns", n, l.sc.Turns)
	}
}

// victory reads supply, victory and the conditions of arrivals.
func (l *loader) victory() {
	sc, b := l.sc, l.sc.Board
	for _, s := range l.file.Sides {
		for _, e := range s.Edges {
			if b.MapEdge(e) == nil {
				l.fault(`"`+e+`"`, "%q is no edge of the map", e)
			}
		}
		for _, p := range s.Places {
			if b.Named(p) == nil {
				l.fault(`"`+p+`"`, "no place %q in places.tsv", p)
			}
		}
	}
	for _, t := range l.file.Strategic {
		s := Strategic{Side: t.Side, Kind: t.Kind, Count: t.Count, When: t.When, Text: t.Text, Zone: t.Zone, Types: t.Types}
		s.Hexes = l.area(hexTable{Hexes: t.Hexes, Places: t.Places, Region: t.Region, Except: t.Except})
		switch {
		case !l.side(t.Side):
			l.fault(`"`+string(t.Side)+`"`, "%q is no side of the scenario", t.Side)
		case t.Kind != "hold" && t.Kind != "clear" && t.Kind != "exit":
			l.fault(`"`+t.Kind+`"`, `%q is neither "hold" nor "clear" nor "exit"`, t.Kind)
		case !slices.Contains([]string{"moment", "turn", "end", "enemy supply"}, t.When):
			l.fault(`"`+t.When+`"`, `%q is none of "moment", "turn", "end" and "enemy supply"`, t.When)
		case t.Kind == "hold" && (t.Count < 1 || t.Count > len(s.Hexes)):
			l.fault("count", "%d of %d hexes", t.Count, len(s.Hexes))
		}
		sc.Strategic = append(sc.Strategic, s)
	}
	for _, o := range l.file.Objectives {
		l.objective(o)
	}
	for _, c := range l.file.Conditions {
		if !l.side(c.Side) || c.Key == "" {
			l.fault(`"`+c.Key+`"`, "condition %q: a key and a side of the scenario are wanted", c.Key)
		}
		k := Condition{Key: c.Key, Side: c.Side, Formation: c.Formation, Lost: c.Lost, Text: c.Text}
		if c.Lost == "" {
			k.Hexes = l.area(c)
		}
		sc.Conditions = append(sc.Conditions, k)
	}
	l.byNation()
}

// area is the hexes that scenario.toml names by number, place and region, without
// the excepted ones.
func (l *loader) area(t hexTable) []hex.Hex {
	all := slices.Clone(t.Hexes)
	for _, name := range t.Places {
		p := l.sc.Board.Named(name)
		if p == nil {
			l.fault(`"`+name+`"`, "no place %q in places.tsv", name)
			continue
		}
		all = append(all, p.Hexes...)
	}
	if t.Region != "" {
		if l.regions[t.Region] == nil {
			l.fault(`"`+t.Region+`"`, "no region %q in regions.tsv", t.Region)
		}
		all = append(all, l.regions[t.Region]...)
	}
	for _, h := range t.Except {
		if !slices.Contains(all, h) {
			l.fault(`"`+h.String()+`"`, "%v is excepted from an area that does not hold it", h)
		}
	}
	all = slices.DeleteFunc(all, func(h hex.Hex) bool { return slices.Contains(t.Except, h) })
	for _, h := range all {
		if !l.sc.Board.On(h) {
			l.fault(`"`+h.String()+`"`, "hex %v is not on the map", h)
		}
	}
	if len(all) == 0 {
		l.fault("", "an area without hexes")
	}
	return all
}

// control reads what is laid down about the first control of hexes.
func (l *loader) control() {
	l.sc.Control = map[hex.Hex]Side{}
	for _, r := range l.Rows("control.tsv", "hex", "side") {
		h, side := r.Hex("hex"), Side(r.Text("side"))
		switch {
		case !l.sc.Board.On(h):
			r.Fault("hex", "hex %v is not on the map", h)
		case l.sc.Control[h] != "":
			r.Fault("hex", "%v stands twice", h)
		case !l.side(side):
			r.Fault("side", "%q is no side of the scenario", side)
		case l.at[h] != "" && l.at[h] != side:
			r.Fault("side", "%v begins with units of the other side", h)
		}
		l.sc.Control[h] = side
	}
}

// opening is the position before the first phase, set up by default.
func (sc *Scenario) opening() *State {
	s := &State{Format: stateFormat, Turn: 1, Phase: 1, Forts: []Fort{}, Contact: []Contact{}, sc: sc}
	at, due := map[string]Placement{}, map[string]Arrival{}
	for _, p := range sc.Setup {
		at[p.Counter] = p
	}
	for _, a := range sc.Arrivals {
		due[a.Counter] = a
	}
	for i := range sc.Counters {
		c := &sc.Counters[i]
		u := Unit{ID: c.ID, Steps: c.Steps() - due[c.ID].Losses, Where: Later, Due: due[c.ID].Turn, c: c}
		if p, ok := at[c.ID]; ok {
			u.Where, u.Hex, u.Steps = OnMap, p.Hexes[0], c.Steps()-p.Losses
			u.Supplied = true       // reading WB-95 4.3.5: a unit begins in supply
			u.Firing = c.hasSetup() // reading WB-95 6.2.2: guns begin in combat set-up (C-5)
			if p.Fort != "" {
				s.setFort(u.Hex, p.Fort, c.Side)
			}
		}
		s.Units = append(s.Units, u)
	}
	s.index()
	for _, b := range sc.Board.Bridges {
		s.Bridges = append(s.Bridges, Bridge{Edge: b.Edge, Stands: !slices.Contains(sc.Broken, b.Edge)})
	}
	for _, e := range sc.Bridges {
		s.Bridges = append(s.Bridges, Bridge{Edge: e, Stands: true})
	}
	slices.SortFunc(s.Bridges, func(a, b Bridge) int {
		return cmp.Or(cmp.Compare(a.Edge.A, b.Edge.A), cmp.Compare(a.Edge.B, b.Edge.B))
	})
	s.firstControl()
	s.holdBridges()
	s.camp(sc.Sides[0])
	s.camp(sc.Sides[1])
	return s
}

// firstControl gives every hex its first owner.
//
// reading WB-95 4.3.1: the front line runs midway between the units of the set-up:
// a hex belongs to the side with the nearest unit, to nobody where both are
// equally near; what the scenario lays down comes first .
func (s *State) firstControl() {
	g := s.sc.Board.Grid
	s.Control = strings.Repeat(".", g.Len())
	change := map[hex.Hex]Side{}
	for i := range g.Len() {
		h := g.At(i)
		if !s.sc.Board.On(h) {
			continue
		}
		if side, ok := s.sc.Control[h]; ok {
			change[h] = side
			continue
		}
		near := [2]int{g.Len(), g.Len()}
		for k, side := range s.sc.Sides {
			for j := range s.Units {
				if u := &s.Units[j]; u.Where == OnMap && u.c.Side == side {
					near[k] = min(near[k], g.Distance(h, u.Hex))
				}
			}
		}
		switch {
		case near[0] < near[1]:
			change[h] = s.sc.Sides[0]
		case near[1] < near[0]:
			change[h] = s.sc.Sides[1]
		}
	}
	s.setController(change)
}
