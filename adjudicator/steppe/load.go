package steppe

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// Load reads a scenario's files. The error lists every fault in them, each with
// file, line and column.
func Load(src table.Source) (*Scenario, error) {
	l := &loader{Loader: &table.Loader{Src: src}, uses: map[string]string{},
		sc: &Scenario{Terrain: map[string]Terrain{}, byID: map[string]*Counter{}}}
	l.head()
	l.terrain()
	l.combat()
	l.weather()
	b, ok := board.Read(l.Loader, l.uses, map[string][]string{town: {town}, city: {city}})
	l.sc.Board = b
	if ok {
		l.zones()
		l.sc.land = newLand(l.sc)
		l.sc.prices()
		l.turns()
		l.counters()
		l.setup()
		l.arrivals()
		l.air()
		l.objectives()
	}
	return l.sc, l.Err()
}

type loader struct {
	*table.Loader
	sc   *Scenario
	uses map[string]string // of the lines of the terrain chart
}

// head reads scenario.toml and system.toml.
//
// Steppe 17.1/1
// Steppe 17.8/1
// Steppe 17.15/1
func (l *loader) head() {
	var f struct {
		ID, Title   string
		First, Last int
		Winner      Side
		Margin      int
	}
	l.Decode("scenario.toml", &f)
	sc := l.sc
	sc.ID, sc.Title, sc.First, sc.Last, sc.Winner, sc.Margin = f.ID, f.Title, f.First, f.Last, f.Winner, f.Margin
	sound := f.First >= 1 && f.Last >= f.First && f.Margin >= 1
	if !sound || !slices.Contains([]Side{German, Soviet}, f.Winner) {
		l.FaultAt("scenario.toml", "", "a first and a last turn, a winner GERMAN or SOVIET and a margin are expected")
	}
	l.Decode("system.toml", &sc.Switches)
}

// terrain reads the Terrain Effects Chart.
//
// Steppe 2.2/1
func (l *loader) terrain() {
	for _, r := range l.Rows("terrain.tsv", "terrain", "use", "motorized", "other", "shift", "overrun") {
		t := Terrain{Name: r.Text("terrain"), Motorized: l.points(r, "motorized"), Other: l.points(r, "other"),
			Shift: r.Int("shift"), Overrun: r.OneOf("overrun", "yes", "no") == "yes"}
		if _, twice := l.sc.Terrain[t.Name]; twice {
			r.Fault("terrain", "%q stands twice in the chart", t.Name)
		}
		l.sc.Terrain[t.Name], l.uses[t.Name] = t, r.OneOf("use", board.UseBase, board.UseHexside)
	}
	for _, name := range []string{clear, heavyWoods, marsh, town, city, minorRiver, majorRiver, majorBridge, minorBridge} {
		if _, ok := l.sc.Terrain[name]; !ok {
			l.FaultAt("terrain.tsv", "", "no line %s", name)
		}
	}
}

// points reads movement points such as 2 and +1.
func (l *loader) points(r table.Row, column string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(r.Text(column), "+"))
	if err != nil || n < 0 {
		r.Fault(column, "%q is not a number of movement points", r.Text(column))
	}
	return n
}

// combat reads the Combat Results Table.
//
// Steppe 2.2/2
func (l *loader) combat() {
	l.sc.Columns = []string{"1:3", "1:2", "2:3", "1:1", "3:2", "2:1", "3:1", "4:1"}
	rows := l.Rows("combat.tsv", append([]string{"roll"}, l.sc.Columns...)...)
	for _, r := range rows {
		roll := r.Int("roll")
		switch {
		case roll < 2, roll > 12, l.sc.Combat[roll] != nil:
			r.Fault("roll", "the rolls are 2 to 12, each once")
			continue
		}
		for _, col := range l.sc.Columns {
			res, err := parseResult(r.Text(col))
			if err != nil {
				r.Fault(col, "%v", err)
			}
			l.sc.Combat[roll] = append(l.sc.Combat[roll], res)
		}
	}
	if n := len(rows); n < 11 {
		l.FaultAt("combat.tsv", "", "the table has %d rows, not 11", n)
	}
}

var resultForm = regexp.MustCompile(`^(-|\d)/(-|(\d)?(?:R(\d))?)$`)

// parseResult reads a cell such as 1/R2 or -/2R3.
//
// Steppe 10.2/1
// Steppe 10.2/2
func parseResult(cell string) (Result, error) {
	m := resultForm.FindStringSubmatch(cell)
	if m == nil || strings.HasSuffix(cell, "/") {
		return Result{}, fmt.Errorf("%q is not a result: attacker/defender, such as 1/R2", cell)
	}
	n := func(s string) int { v, _ := strconv.Atoi(s); return v } // digits by the pattern
	return Result{ALoss: n(m[1]), DLoss: n(m[3]), Retreat: n(m[4]), Text: cell}, nil
}

// weather reads the Weather Table.
func (l *loader) weather() {
	for _, r := range l.Rows("weather.tsv", "die", "turns 1-4", "turns 5-8") {
		die := r.Int("die")
		if die < 1 || die > 6 {
			r.Fault("die", "a die shows 1 to 6")
			continue
		}
		for i, col := range []string{"turns 1-4", "turns 5-8"} {
			if !isWeather(r.Text(col)) {
				r.Fault(col, "%q is not weather and ground, such as rain/mud", r.Text(col))
			}
			l.sc.Weather[i][die] = r.Text(col)
		}
	}
	for i := range l.sc.Weather {
		for die := 1; die <= 6; die++ {
			if l.sc.Weather[i][die] == "" {
				l.FaultAt("weather.tsv", "", "no line for a die of %d", die)
				return
			}
		}
	}
}

// isWeather tells whether a cell is such as rain/mud.
func isWeather(cell string) bool {
	w, g, _ := strings.Cut(cell, "/")
	return slices.Contains([]string{fair, rain, snow}, w) && slices.Contains([]string{normal, mud, frozen}, g)
}

// zones reads whose the entry zones are; the map has their hexes.
//
// reading Steppe 5.1: the sources of supply are the friendly entry hexes, as 10.3 says.
func (l *loader) zones() {
	for _, r := range l.Rows("zones.tsv", "zone", "side", "front", "hexes") {
		z := Zone{ID: r.Text("zone"), Side: Side(r.OneOf("side", string(German), string(Soviet))),
			Hexes: table.Hexes(r, "hexes", l.sc.Board.On)}
		l.sc.Zones = append(l.sc.Zones, z)
	}
}

// turns reads dates and chits.
func (l *loader) turns() {
	for _, r := range l.Rows("turns.tsv", "turn", "dates") {
		if r.Int("turn") != len(l.sc.Dates)+1 {
			r.Fault("turn", "turn %d was expected", len(l.sc.Dates)+1)
		}
		l.sc.Dates = append(l.sc.Dates, r.Text("dates"))
	}
	for _, r := range l.Rows("chits.tsv", "turn", poolGerman, poolVoronezh, poolSouthwest) {
		n := map[string]int{}
		for _, p := range pools {
			if n[p] = r.Int(p); n[p] < 0 {
				r.Fault(p, "%d chits", n[p])
			}
		}
		l.sc.Chits = append(l.sc.Chits, n)
	}
	if len(l.sc.Dates) < l.sc.Last || len(l.sc.Chits) < l.sc.Last {
		l.FaultAt("turns.tsv", "", "turns.tsv and chits.tsv must reach turn %d", l.sc.Last)
	}
}

// counters reads counters.tsv.
//
// Steppe 2.3/1
func (l *loader) counters() {
	sc := l.sc
	taken := map[string]bool{}
	for _, r := range l.Rows("counters.tsv", "id", "name", "printed", "side", "command", "type", "size", "sides", "sash",
		"mech", "motorized", "at") {
		c, ok := counterOf(r)
		if !ok {
			r.Fault("sides", "a unit has one to four sides, a headquarters one")
			continue
		}
		if poolSide(c.Command.pool()) != c.Side {
			r.Fault("command", "%s is not a command of %s", c.Command, c.Side)
		}
		key := string(c.Side) + c.Name
		if taken[key] {
			r.Fault("name", "the name %q is taken", c.Name)
		}
		taken[key] = true
		sc.Counters = append(sc.Counters, c)
	}
	slices.SortFunc(sc.Counters, func(a, b Counter) int { return strings.Compare(a.ID, b.ID) })
	sc.prepare()
}

// words are kinds as files write them.
func words[K ~string](kinds ...K) []string {
	var out []string
	for _, k := range kinds {
		out = append(out, string(k))
	}
	return out
}

// counterOf reads a line of counters.tsv; not ok: its sides are too few or too many.
func counterOf(r table.Row) (c Counter, ok bool) {
	is := func(column string) bool { return r.OneOf(column, "yes", "no") == "yes" }
	c = Counter{ID: r.Text("id"), Name: r.Text("name"), Printed: r.Text("printed"), Size: r.Text("size"),
		Side:    Side(r.OneOf("side", string(German), string(Soviet))),
		Command: Command(r.OneOf("command", words(Army, SS, Hungarian, Voronezh, Southwest)...)),
		Type:    Type(r.OneOf("type", words(INF, SEC, SKI, ARM, MECH, MOT, CAV, HQ)...)),
		Mech:    is("mech"), Motorized: is("motorized"), AT: is("at")}
	c.KG = strings.HasPrefix(c.Name, "KG ")
	for _, f := range r.List("sides") {
		c.Faces = append(c.Faces, ratings(r, f))
	}
	slices.Reverse(c.Faces)
	if r.OneOf("sash", "red", "-") == "red" {
		c.Red = 2
	}
	n := len(c.Faces)
	switch {
	case n == 0, n > 4, n < c.Red:
		return c, false
	case c.Type != HQ:
		return c, true
	case n != 1:
		return c, false
	}
	c.Artillery, c.Range = c.Faces[0].Attack, c.Faces[0].Defence
	c.Faces[0] = Ratings{0, c.Artillery, c.Faces[0].Moves}
	return c, true
}

// ratings reads 8-6-10.
func ratings(r table.Row, text string) Ratings {
	var out Ratings
	if n, err := fmt.Sscanf(text, "%d-%d-%d", &out.Attack, &out.Defence, &out.Moves); n != 3 || err != nil {
		r.Fault("sides", "%q is not attack-defence-movement", text)
	}
	return out
}

// state is the steps that a line of the book begins with.
func (l *loader) state(r table.Row, c *Counter) int {
	n := c.Steps()
	switch r.OneOf("state", "full", "depleted", "white") {
	case "depleted":
		n--
	case "white":
		n -= c.Red
		if c.Red == 0 {
			r.Fault("state", "%s has no white-sash successor", c.Name)
		}
	}
	if n < 1 {
		r.Fault("state", "%s has no such side", c.Name)
		n = 1
	}
	return n
}

// counter is the counter that a row names, nil with a fault.
func (l *loader) counter(r table.Row) *Counter {
	c := l.sc.byID[r.Text("counter")]
	if c == nil {
		r.Fault("counter", "no counter %q in counters.tsv", r.Text("counter"))
	}
	return c
}

// setup reads setup.tsv.
//
// Steppe 17.3/1
// Steppe 17.4/1
// Steppe 17.10/1
// Steppe 17.11/1
func (l *loader) setup() {
	at := map[hex.Hex]Side{}
	for _, r := range l.Rows("setup.tsv", "hex", "counter", "state", "struck") {
		c := l.counter(r)
		if c == nil || r.OneOf("struck", "-", "struck") == "struck" {
			continue // 0-a: an erratum
		}
		p := Placement{Counter: c.ID, Hex: r.Hex("hex"), Steps: l.state(r, c)}
		switch {
		case !l.sc.Board.On(p.Hex):
			r.Fault("hex", "%v is not on the map", p.Hex)
			continue
		case at[p.Hex] != "" && at[p.Hex] != c.Side:
			r.Fault("hex", "%v holds units of %s already", p.Hex, at[p.Hex])
		case l.sc.isSetUp(c.ID):
			r.Fault("counter", "%s is set up already", c.Name)
		}
		at[p.Hex] = c.Side
		l.sc.Setup = append(l.sc.Setup, p)
	}
}

// isSetUp tells whether the set-up has a counter.
func (sc *Scenario) isSetUp(id string) bool {
	return slices.ContainsFunc(sc.Setup, func(p Placement) bool { return p.Counter == id })
}

// arrivals reads arrivals.tsv.
//
// Steppe 3.2/1
// Steppe 17.6/1
// Steppe 17.12/1
// Steppe 17.13/1
//
// Steppe 17.5/1
//
// reading Steppe 17.5: the page is lost but for its last lines. The units of the
// set-up of 17.10 that neither 17.3 nor a later list has came on turns 2 and 3; turn 4
// is that of 17.12.
func (l *loader) arrivals() {
	for _, r := range l.Rows("arrivals.tsv", "turn", "zone", "counter", "state", "used") {
		c := l.counter(r)
		if c == nil || r.OneOf("used", "yes", "no") == "no" {
			continue
		}
		a := Arrival{Counter: c.ID, Turn: r.Int("turn"), Zone: r.Text("zone"), Steps: l.state(r, c)}
		if a.Turn < l.sc.First || a.Turn > l.sc.Last {
			r.Fault("turn", "turn %d is not in the scenario", a.Turn)
		}
		if !slices.ContainsFunc(l.sc.Zones, func(z Zone) bool { return z.ID == a.Zone && z.Side == c.Side }) {
			r.Fault("zone", "no zone %q of %s", a.Zone, c.Side)
		}
		if _, comes := l.sc.arrival(c.ID); comes || l.sc.isSetUp(c.ID) {
			r.Fault("counter", "%s is in the game already", c.Name)
			continue
		}
		l.sc.Arrivals = append(l.sc.Arrivals, a)
	}
}

// air reads air.tsv.
//
// Steppe 2.5/2
func (l *loader) air() {
	for _, r := range l.Rows("air.tsv", "turn", "pool", "fighters", "cas") {
		l.sc.Air = append(l.sc.Air, AirArrival{Turn: r.Int("turn"), Pool: r.OneOf("pool", pools[:]...),
			Fighters: r.Int("fighters"), CAS: r.Int("cas")})
	}
}

// objectives reads objectives.tsv.
func (l *loader) objectives() {
	first := "turn 1"
	if l.sc.First > 1 {
		first = "turn 4"
	}
	for _, r := range l.Rows("objectives.tsv", "hex", "name", "turn 1", "turn 4") {
		o := Objective{Hex: r.Hex("hex"), Name: r.Text("name"), First: Side(r.OneOf(first, string(German), string(Soviet)))}
		if !l.sc.Board.On(o.Hex) {
			r.Fault("hex", "%v is not on the map", o.Hex)
		}
		l.sc.Objectives = append(l.sc.Objectives, o)
	}
}
