package wb95

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// Load reads a scenario's files. The error lists every fault in them, each with
// file, line and column.
func Load(src table.Source) (*Scenario, error) {
	l := &loader{Loader: &table.Loader{Src: src}, sc: &Scenario{}, kinds: map[string]string{}, at: map[hex.Hex]Side{}, used: map[string]string{}}
	l.head()
	l.system()
	l.terrain(cmp.Or(l.file.Terrain, "terrain-summer.tsv"))
	l.combat()
	l.fireTables()
	l.sc.AirAttack, l.sc.Objects = l.strikes("air-attack.tsv", false), l.strikes("objects.tsv", true)
	if l.board() {
		l.counters()
		l.setup()
		if !l.file.NoArrivals {
			l.arrivals()
		}
		l.unused()
		l.airStrength()
		l.airMissions()
		l.victory()
		l.control()
		l.special()
		l.notes()
		l.third()
	}
	return l.sc, l.Err()
}

// loader collects a scenario and the faults of its files.
type loader struct {
	*table.Loader
	sc   *Scenario
	file scenarioFile

	kinds   map[string]string // use of each line of the terrain table
	morale  map[string]int
	regions map[string][]hex.Hex
	at      map[hex.Hex]Side  // side of the units on their default hexes
	used    map[string]string // file that places each counter

	commands map[Side]Side // who commands a side of counters.tsv that is none of the scenario
}

// scenarioFile is scenario.toml.
type scenarioFile struct {
	ID, Title        string
	Year, Month, Day int
	Turns            int
	Terrain          string
	Initiative       Side
	Bridges          []hex.Edge
	Unplayed         []string
	Sides            []sideTable      `toml:"side"`
	Strategic        []strategicTable `toml:"strategic"`
	Objectives       []hexTable       `toml:"objective"`
	Barrages         []barrageTable   `toml:"barrage"`
	Conditions       []hexTable       `toml:"condition"`
	NoArrivals       bool             `toml:"no_arrivals"`
	StandIns         []string         `toml:"stand_ins"`      // counters whose arrival was invented
	Destroyed        []string         `toml:"destroyed_over"` // rivers whose bridges are down
	Supplies         []supplyTable    `toml:"supply"`
	Scorer           Side
	Broken           []hex.Edge   `toml:"destroyed_bridges"`
	Awards           []awardTable `toml:"award"`
	Scale            []Grade
	AirMissions      map[Side][]string `toml:"air_missions"`
	AirChoice        map[Side]int      `toml:"air_counters"`
	Special          specialTable
	Withdrawals      []withdrawalTable `toml:"withdrawal"`
	Bans             []banTable        `toml:"ban"`
	Notes            notesTable
	Third            *thirdTable `toml:"third_player"`
}

type sideTable struct {
	ID     Side
	Name   string
	Edges  []string `toml:"supply_edges"`
	Places []string `toml:"supply_places"`
	// Commands lists the sides of counters.tsv that the side commands besides its
	// own; Halved: its points count half.
	Commands []Side
	Halved   bool
}

// thirdTable is who plays the second group of a side's allies in a game for three.
type thirdTable struct {
	ID         Side
	Name, Ally string
}

type hexTable struct {
	Key    string
	Side   Side
	Points int
	Hexes  []hex.Hex
	Places []string
	Region string
	Except []hex.Hex

	Together  bool     // objectives: each place counts once, with all its hexes
	Nations   []string // objectives: the troops that must have taken the hex
	Formation string   // conditions
	Lost      Type     // conditions
	Text      string
}

type strategicTable struct {
	Side   Side
	Kind   string
	When   string
	Text   string
	Count  int
	Zone   string
	Types  []Type
	Hexes  []hex.Hex
	Places []string
	Region string
	Except []hex.Hex
}

// fault records a fault of scenario.toml at the place where a value is written.
func (l *loader) fault(value, format string, a ...any) {
	l.FaultAt("scenario.toml", value, format, a...)
}

// head reads scenario.toml and sets what needs no other file.
func (l *loader) head() {
	f, sc := &l.file, l.sc
	l.Decode("scenario.toml", f)
	sc.ID, sc.Title, sc.Unplayed = f.ID, f.Title, f.Unplayed
	sc.Year, sc.Month, sc.Day, sc.Turns = f.Year, f.Month, f.Day, f.Turns
	if f.Turns < 1 {
		l.fault("turns", "a game of %d turns", f.Turns)
	}
	if f.Day < 1 || f.Day > daysIn(f.Year, f.Month) {
		l.fault("day", "there is no day %d in month %d", f.Day, f.Month)
	}
	if len(f.Sides) != 2 || !slices.ContainsFunc(f.Sides, func(s sideTable) bool { return s.ID == f.Initiative }) {
		l.fault("initiative", "two sides are expected, one of them with the initiative")
		return
	}
	if f.Sides[0].ID != f.Initiative {
		slices.Reverse(f.Sides)
	}
	sc.Supply, sc.Halved, l.commands = map[Side]Supply{}, map[Side]bool{}, map[Side]Side{}
	for i, s := range f.Sides {
		sc.Sides[i], sc.Names[i] = s.ID, s.Name
		sc.Supply[s.ID] = Supply{Edges: s.Edges, Places: s.Places}
		for _, c := range s.Commands {
			l.commands[c] = s.ID
		}
		if s.Halved {
			sc.Halved[s.ID] = true
		}
	}
}

// side tells whether the text is a side of the scenario.
func (l *loader) side(s Side) bool { return s == l.sc.Sides[0] || s == l.sc.Sides[1] }

// system reads what goes by nation and by book.
func (l *loader) system() {
	var f struct {
		Range     map[string]int `toml:"hq_range"`
		Allowance map[string]int `toml:"supply_allowance"`
	}
	l.Decode("system.toml", &f)
	l.sc.HQRange, l.sc.Allowance = f.Range, map[string]Cost{}
	for nation, n := range f.Allowance {
		l.sc.Allowance[nation] = Cost(n) * One
	}
	var book struct {
		Book        string
		FieldCity   int     `toml:"field_city"`
		FieldTown   int     `toml:"field_town"`
		FieldElse   int     `toml:"field_else"`
		SideRoadFor []Class `toml:"side_road_bonus"`
		DisruptSP   int     `toml:"disrupt_sp"`
		DisruptRing int     `toml:"disrupt_ring"`
		DisruptMost int     `toml:"disrupt_most"`
	}
	l.Decode("book.toml", &book)
	// What the books print for missions against movement, where the file is silent.
	if book.DisruptSP == 0 {
		book.DisruptSP, book.DisruptRing = 7, 1
		if book.Book == "KH" {
			book.DisruptSP, book.DisruptRing, book.DisruptMost = 1, 0, 2
		}
	}
	l.sc.Profile = Profile(book)
	strange := func(c Class) bool { return !slices.Contains([]Class{Foot, Trucked, Tracked}, c) }
	switch {
	case !slices.Contains([]string{"KH", "NY", "KU"}, book.Book),
		min(book.FieldCity, book.FieldTown, book.FieldElse) < 1,
		slices.ContainsFunc(book.SideRoadFor, strange),
		book.DisruptSP < 1, book.DisruptRing < 0, book.DisruptMost < 0:
		l.FaultAt("book.toml", "", "a book KH, NY or KU, field fortifications of 1 or more, known classes and the price of disorganizing movement are expected")
	}
	l.morale = map[string]int{}
	for _, r := range l.Rows("morale.tsv", "troops", "limit") {
		l.morale[r.Text("troops")] = r.Int("limit")
	}
}

// terrain reads the terrain table of the season.
func (l *loader) terrain(name string) {
	l.sc.terrain = map[string]Terrain{}
	for _, r := range l.Rows(name, "terrain", "use", "foot", "trucked", "tracked", "cm", "effect") {
		t := Terrain{Name: r.Text("terrain"), Use: r.OneOf("use", "base", "added", "road", "hexside"), CM: r.Int("cm"), Cost: map[Class]Cost{}}
		for _, c := range []Class{Foot, Trucked, Tracked} {
			cost, err := parseCost(r.Text(string(c)))
			if err != nil {
				r.Fault(string(c), "%v", err)
			}
			t.Cost[c] = cost
		}
		switch r.OneOf("effect", "-", "half", "big") {
		case "half":
			t.Half = true
		case "big":
			t.Big = true
		}
		if _, twice := l.sc.terrain[t.Name]; twice {
			r.Fault("terrain", "%q stands twice in the table", t.Name)
		}
		l.sc.Terrain = append(l.sc.Terrain, t)
		l.sc.terrain[t.Name] = t
		l.kinds[t.Name] = t.Use
	}
}

// parseCost reads 2, 1.5, 1/3, +1 and no.
func parseCost(s string) (Cost, error) {
	if s == "no" {
		return Closed, nil
	}
	num, den := strings.TrimPrefix(s, "+"), "1"
	if over, under, ok := strings.Cut(num, "/"); ok {
		num, den = over, under
	} else if whole, tenths, ok := strings.Cut(num, "."); ok {
		num, den = whole+tenths, "1"+strings.Repeat("0", len(tenths))
	}
	n, err1 := strconv.Atoi(num)
	d, err2 := strconv.Atoi(den)
	bad := cmp.Or(err1, err2)
	switch {
	case bad != nil, n < 0, d < 1, n*int(One)%d != 0:
		return 0, fmt.Errorf("%q is not a price: 2, 1.5, 1/3, +1 and no are", s)
	}
	return Cost(n * int(One) / d), nil
}

// combat reads the Combat Table.
func (l *loader) combat() {
	odds := []string{"1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1"}
	ct := &l.sc.Combat
	ct.Columns = odds
	rows := l.Rows("combat.tsv", append([]string{"roll"}, odds...)...)
	for _, r := range rows {
		roll := r.Int("roll")
		switch {
		case roll < 2, roll > 12, ct.Cells[roll] != nil:
			r.Fault("roll", "the rolls are 2 to 12, each once")
			continue
		}
		for _, col := range odds {
			res, err := parseResult(r.Text(col))
			if err != nil {
				r.Fault(col, "%v", err)
			}
			ct.Cells[roll] = append(ct.Cells[roll], res)
		}
	}
	if rows != nil && len(rows) < 11 {
		rows[len(rows)-1].Fault("roll", "the table has %d rows, not 11", len(rows))
	}
}

// parseResult reads a cell of the Combat Table such as "A1-1 / -".
func parseResult(cell string) (CombatResult, error) {
	c := CombatResult{Text: cell}
	attacker, defender, two := strings.Cut(cell, " / ")
	if !two {
		return c, fmt.Errorf("%q is not a result: attacker / defender are parted by \" / \"", cell)
	}
	a, err := parseHalf(attacker, 'A')
	if err != nil {
		return c, err
	}
	d, err := parseHalf(defender, 'D')
	switch {
	case err != nil:
		return c, err
	case d.test:
		return c, fmt.Errorf("%q is not a result of the table", defender)
	case a.retreat > 0 && d.retreat > 0:
		return c, fmt.Errorf("%q: both sides retreat", cell)
	}
	c.ARetreat, c.ALoss, c.ADisorg, c.ATest = a.retreat, a.loss, a.disorg, a.test
	c.DRetreat, c.DLoss, c.DDisorg = d.retreat, d.loss, d.disorg
	return c, nil
}

// half is one side's result in a cell of the Combat Table.
type half struct {
	retreat, loss int
	disorg, test  bool // a test is the attacker's alone
}

// resultPart is a piece of one side's result: a retreat, a loss, D or the dot.
var resultPart = regexp.MustCompile(`^([AD]\d|-\d|D|•)`)

// parseHalf reads one side's result: each part once, in any order. The letter of the side
// with a number is a retreat, a D without one is disorganization.
func parseHalf(s string, letter byte) (h half, err error) {
	if s == "-" {
		return h, nil
	}
	for rest := s; ; {
		part := resultPart.FindString(rest)
		rest = rest[len(part):]
		switch {
		case part == "D" && !h.disorg:
			h.disorg = true
		case part == "•" && !h.test:
			h.test = true
		case numbered(part, letter) && h.retreat == 0:
			h.retreat = int(part[1] - '0')
		case numbered(part, '-') && h.loss == 0:
			h.loss = int(part[1] - '0')
		default:
			return h, fmt.Errorf("%q is not a result of the table", s)
		}
		if rest == "" {
			return h, nil
		}
	}
}

// numbered tells whether the part is the sign and a figure.
func numbered(part string, sign byte) bool { return len(part) == 2 && part[0] == sign }
