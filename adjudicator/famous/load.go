package famous

import (
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/table"
)

// Load reads a scenario's files. The error lists every fault in them, each with
// file, line and column.
func Load(src table.Source) (*Scenario, error) {
	l := &loader{Loader: &table.Loader{Src: src}, sc: &Scenario{Terrain: map[string]*Terrain{}, rolls: &phrase.Rolls{}, byID: map[string]int{}, arrival: map[string]int{}}}
	l.head()
	l.terrain()
	l.combat()
	l.forts()
	l.turns()
	l.events()
	if l.board() {
		l.sc.compile()
		l.counters()
		l.setup()
		l.arrivals()
		l.unplaced()
		l.victory()
		l.grants()
	}
	return l.sc, l.Err()
}

// loader collects a scenario and the faults of its files.
type loader struct {
	*table.Loader
	sc      *Scenario
	file    scenarioFile
	regions map[string][]hex.Hex
}

// scenarioFile is scenario.toml.
type scenarioFile struct {
	ID, Title   string
	Year, Month int
	SetupOrder  []Side       `toml:"setup_order"`
	FirstSide   Side         `toml:"first_side"`
	FirstChits  int          `toml:"first_chits"`
	Scorer      Side         `toml:"scorer"`
	Sides       []sideTable  `toml:"side"`
	Objectives  []placeTable `toml:"objective"`
	Penalties   []placeTable `toml:"penalty"`
	Exits       []roadTable  `toml:"exit"`
	Beside      []roadTable  `toml:"beside"`
	Grades      []gradeTable `toml:"grade"`
	Forts       []fortTable  `toml:"fort"`
	Conditions  []condTable  `toml:"condition"`
	Off         *offTable    `toml:"off_map"`
	Silent      map[Side]string
	Switches    Switches
}

type sideTable struct {
	ID   Side
	Name string
	Hand []string
	Cup  struct{ Blue, Red, Black int }
}

type placeTable struct {
	Name, Place string
	Hexes       []hex.Hex
	Points      int
	Count       int
	Each        bool
}

type roadTable struct {
	Side    Side
	Zones   []string
	RoadsTo []string `toml:"roads_to"`
	Points  int
}

type gradeTable struct {
	Points int
	Winner Side
}

type fortTable struct {
	Side    Side
	Kind    string
	With    []string
	Default []hex.Hex
	Face    int
}

type condTable struct{ Key, Text string }

type offTable struct {
	Battalion string
	Side      Side
	Hex       hex.Hex
	Shorter   int
}

// fault records a fault of scenario.toml at the place where a value is written.
func (l *loader) fault(value, format string, a ...any) {
	l.FaultAt("scenario.toml", value, format, a...)
}

// head reads scenario.toml and the switches.
func (l *loader) head() {
	f, sc := &l.file, l.sc
	var system struct{ Switches Switches }
	l.Decode("system.toml", &system)
	f.Switches = system.Switches
	l.Decode("scenario.toml", f)
	sc.ID, sc.Title, sc.Year, sc.Month, sc.Switches = f.ID, f.Title, f.Year, f.Month, f.Switches
	sc.FirstSide, sc.FirstChits, sc.Scorer, sc.Silent = f.FirstSide, f.FirstChits, f.Scorer, f.Silent
	if len(f.Sides) != 2 || !bothInOrder(f.SetupOrder) {
		l.fault("setup_order", "two sides are expected, and both in the order of the set-up")
		return
	}
	for i, s := range f.Sides {
		sc.Sides[i], sc.Names[i] = s.ID, s.Name
	}
	for _, s := range append(slices.Clone(f.SetupOrder), f.FirstSide, f.Scorer) {
		if !l.side(s) {
			l.fault(string(s), "%q is not a side of the scenario", s)
		}
	}
	sc.SetupOrder = [2]Side(f.SetupOrder)
	for s := range f.Silent {
		if !l.side(s) {
			l.fault(string(s), "%q is not a side of the scenario", s)
		}
	}
	if f.Month < 1 || f.Month > 12 {
		l.fault("month", "there is no month %d", f.Month)
	}
	if f.FirstChits < 0 {
		l.fault("first_chits", "%d chits cannot be chosen", f.FirstChits)
	}
	if len(f.Conditions) > 1 {
		l.fault("[[condition]]", "one condition at most is known")
	}
	for _, c := range f.Conditions {
		sc.Condition.Key, sc.Condition.Text = c.Key, c.Text
	}
	if o := f.Off; o != nil {
		sc.Off = OffMap(*o)
		if !l.side(o.Side) {
			l.fault("off_map", "%q is not a side of the scenario", o.Side)
		}
	}
}

// bothInOrder: two sides, not the same one twice.
func bothInOrder(list []Side) bool { return len(list) == 2 && list[0] != list[1] }

func (l *loader) side(s Side) bool { return slices.Contains(l.sc.Sides[:], s) }

// terrain reads the terrain chart.
func (l *loader) terrain() {
	for _, r := range l.Rows("terrain.tsv", "terrain", "use", "leg", "tracked", "wheeled", "drm", "blocks") {
		t := &Terrain{Name: r.Text("terrain"), Use: r.OneOf("use", board.UseBase, board.UseWater, board.UseHexside, board.UseRoad), DRM: r.Int("drm"), Blocks: r.OneOf("blocks", "yes", "no") == "yes"}
		for c, name := range classNames {
			t.Price[c] = l.price(r, name)
		}
		if l.sc.Terrain[t.Name] != nil {
			r.Fault("terrain", "%q stands twice in the chart", t.Name)
		}
		l.sc.Terrain[t.Name] = t
	}
}

// price reads 2, 1/2, +1, H, ALL and no.
func (l *loader) price(r table.Row, column string) Price {
	s := strings.TrimPrefix(r.Text(column), "+")
	switch s {
	case "no":
		return Price{Closed: true}
	case "H":
		return Price{Halves: 1}
	case "ALL":
		return Price{All: true}
	case "1/2":
		return Price{Points: One / 2}
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		r.Fault(column, "%q is not a price: 2, 1/2, +1, H, ALL and no are", r.Text(column))
	}
	return Price{Points: Cost(n) * One}
}

// combat reads the Combat Results Table.
//
// GD 10.1/18
func (l *loader) combat() {
	rows := l.Rows("combat.tsv", append([]string{"roll"}, columns[:]...)...)
	seen := 0
	for _, r := range rows {
		roll := r.Int("roll")
		if roll < 2 || roll > 12 || l.sc.Combat[roll][0] != "" {
			r.Fault("roll", "the rolls are 2 to 12, each once")
			continue
		}
		seen++
		for i, col := range columns {
			l.sc.Combat[roll][i] = result(r.OneOf(col, "AE", "AP", "AD", "AC", "AR", "-", "DR", "DC", "DD", "DE"))
		}
	}
	if rows != nil && seen != 11 {
		rows[0].Fault("roll", "the table has %d rows, not 11", seen)
	}
}

// forts reads the kinds of fortifications.
func (l *loader) forts() {
	for _, r := range l.Rows("forts.tsv", "fort", "drm", "leg", "tracked", "wheeled", "sides") {
		f := FortType{Name: r.Text("fort"), DRM: r.Int("drm"), Sides: r.Int("sides")}
		for c, name := range classNames {
			f.Extra[c] = l.price(r, name)
		}
		if f.Sides < 1 || f.Sides > 6 {
			r.Fault("sides", "a fortification faces 1 to 6 hexsides")
		}
		l.sc.Forts = append(l.sc.Forts, f)
	}
}

// turns reads the weather, the parts of the day and the turn track.
func (l *loader) turns() {
	yes := func(r table.Row, column string) bool { return r.OneOf(column, "yes", "no") == "yes" }
	fire := func(r table.Row) (bool, int) {
		switch r.OneOf("fire", "yes", "no", "-1") {
		case "yes":
			return true, 0
		case "-1":
			return true, -1
		}
		return false, 0
	}
	for _, r := range l.Rows("weather.tsv", "die", "weather", "half", "drm", "fire", "air", "pontoons", "replacement") {
		die := r.Int("die")
		if die < 1 || die > 6 {
			r.Fault("die", "the die shows 1 to 6")
			continue
		}
		w := Weather{Name: r.Text("weather"), Half: yes(r, "half"), DRM: r.Int("drm"), Air: yes(r, "air"), Pontoons: yes(r, "pontoons"), Replacement: r.Int("replacement")}
		w.Fire, w.FireDie = fire(r)
		l.sc.WeatherBy[die] = w
	}
	parts := map[string]DayPart{}
	for _, r := range l.Rows("times.tsv", "time", "half", "dice", "drm", "fire", "events") {
		p := DayPart{Name: r.Text("time"), Half: yes(r, "half"), Dice: r.Int("dice"), DRM: r.Int("drm"), Events: yes(r, "events")}
		p.Fire, p.FireDie = fire(r)
		parts[p.Name] = p
	}
	for i, r := range l.Rows("turns.tsv", "turn", "day", "time", "weather") {
		if r.Int("turn") != i+1 {
			r.Fault("turn", "turn %d was expected", i+1)
		}
		p, ok := parts[r.Text("time")]
		if !ok {
			r.Fault("time", "%q is not a part of the day", r.Text("time"))
		}
		l.sc.Track = append(l.sc.Track, TurnBox{Day: r.Int("day"), Part: p, Weather: r.Int("weather")})
	}
	if len(l.sc.Track) == 0 {
		l.fault("title", "the turn track is empty")
	}
}

// events reads the event chits and what each side begins with.
func (l *loader) events() {
	spare := map[Colour]int{}
	rows := l.Rows("events.tsv", "event", "colour", "modifier", "cancels", "no_night", "copies")
	for _, r := range rows {
		e := Event{Name: r.Text("event"), Colour: Colour(r.OneOf("colour", "blue", "red", "black")), DRM: r.Int("modifier"), Cancels: r.Text("cancels"),
			NoNight: r.OneOf("no_night", "yes", "no") == "yes", Copies: r.Int("copies")}
		if e.Cancels == "-" {
			e.Cancels = ""
		}
		switch {
		case !e.signFits():
			r.Fault("modifier", "blue chits subtract, red ones add, black ones have none")
		case e.Copies < 1:
			r.Fault("copies", "there is at least one chit of a name")
		case l.sc.event(e.Name) != nil:
			r.Fault("event", "%q stands twice", e.Name)
		}
		spare[e.Colour] += e.Copies
		l.sc.Events = append(l.sc.Events, e)
	}
	for _, r := range rows {
		if c := r.Text("cancels"); c != "-" && !l.cancellable(c) {
			r.Fault("cancels", "%q is neither an event nor a fortification", c)
		}
	}
	l.hands(spare)
	for _, c := range []Colour{blue, red, black} {
		if spare[c] < 0 {
			l.fault("cup", "there are %d %s event chits too few for the cups", -spare[c], c)
		}
	}
}

// signFits: the modifier is of the sign of the colour.
func (e *Event) signFits() bool {
	switch e.Colour {
	case blue:
		return e.DRM < 0
	case red:
		return e.DRM > 0
	case black:
		return e.DRM == 0 // GD 10.3/15
	}
	return true
}

// cancellable: an event or a fortification has the name.
func (l *loader) cancellable(name string) bool {
	return l.sc.event(name) != nil || l.sc.fortKind(name) >= 0
}

// hands gives each side its chits from those that are to spare.
func (l *loader) hands(spare map[Colour]int) {
	copies := map[string]int{}
	for _, e := range l.sc.Events {
		copies[e.Name] = e.Copies
	}
	for i, s := range l.file.Sides {
		if i > 1 {
			break
		}
		// Black chits in the hand:
		//
		// GD 18.2/2: the Germans five, the Soviets four
		// GD 19.2/2: the Germans five, the Soviets four
		// GD 20.2/2: the Germans five, the Soviets four
		// GD 21.2/2: the Germans four, the Soviets five
		l.sc.Hand[i] = slices.Clone(s.Hand)
		// Blue, red and black ones in the cups:
		//
		// GD 18.2/1: 30 blue and 30 red each
		// GD 18.2/3: six black each
		// GD 19.2/1: 30 and 30 each; six and five black
		// GD 20.2/1: 35 and 25, 25 and 35; six black each
		// GD 21.2/1: 30 and 25 each; six and five black
		l.sc.Cup[i] = CupSize(s.Cup)
		for _, h := range s.Hand {
			if e := l.sc.event(h); e == nil || e.Colour != black {
				l.fault(h, "%q is not a black event chit", h)
			} else if copies[h]--; copies[h] < 0 {
				l.fault(h, "there is one chit %q too few", h)
			}
			spare[black]--
		}
		spare[blue] -= s.Cup.Blue
		spare[red] -= s.Cup.Red
		spare[black] -= s.Cup.Black
	}
}

// fortKind is the number of a kind of fortification by its name, -1 for none.
func (sc *Scenario) fortKind(name string) int {
	return slices.IndexFunc(sc.Forts, func(f FortType) bool { return strings.EqualFold(f.Name, name) })
}
