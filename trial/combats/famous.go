package combats

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
	"fieldpost/report"
)

// famousJudge fights the combats of Famous Divisions again.
type famousJudge struct {
	columns []string
	cells   map[int]map[string]string
	ground  map[string]int // modifiers by kind of terrain
	water   map[string]int // and of the hexsides
	events  map[string]int // of the chits
	sky     map[string]int // of weather and hour, in small letters

	Mail
	board  *board.Board
	faults []Fault
}

func newFamous(src table.Source) (*famousJudge, error) {
	j := &famousJudge{ground: map[string]int{}, water: map[string]int{"bridge": 1}, events: map[string]int{}, sky: map[string]int{}}
	var err error
	if j.columns, j.cells, err = results(src); err != nil {
		return nil, err
	}
	l := &table.Loader{Src: src}
	for _, r := range l.Rows("terrain.tsv", "terrain", "use", "drm") {
		into := j.ground
		if r.Text("use") == "hexside" {
			into = j.water
		}
		into[r.Text("terrain")] = r.Int("drm")
	}
	for _, r := range l.Rows("events.tsv", "event", "modifier") {
		j.events[r.Text("event")] = r.Int("modifier")
	}
	for _, r := range l.Rows("weather.tsv", "weather", "drm") {
		j.sky[strings.ToLower(r.Text("weather"))] = r.Int("drm")
	}
	for _, r := range l.Rows("times.tsv", "time", "drm") {
		j.sky[strings.ToLower(r.Text("time"))] = r.Int("drm")
	}
	return j, l.Err()
}

func (j *famousJudge) fault(line, says, book string) {
	j.faults = append(j.faults, Fault{j.turn, j.side, line, says, book})
}

// The lines of a mail.
var (
	famousHead   = regexp.MustCompile(`^(\d{4}): the .+ attacked( \(overrun\))?\.$`)
	famousForce  = regexp.MustCompile(`^(attackers|defenders): (.+?)(?:; guns (.+))?$`)
	famousSums   = regexp.MustCompile(`^(\d+) against (\d+): (\d-\d)(?:; (.+?))??(; ground and works halved by engineers)?$`)
	famousDice   = regexp.MustCompile(`^dice ([\d ]+) \(combat [^)]*\) = (\d+): (\S+), (.+)$`)
	famousDay    = regexp.MustCompile(`^\d+ \w+ \d+, (\w+): (\w+), dice`)
	famousLoss   = regexp.MustCompile(`^(.+?) ((?:eliminated|depleted).*) \(combat\)\.$`)
	famousFell   = regexp.MustCompile(`^(.+) fell back: ([\d-]+)\.$`)
	famousFollow = regexp.MustCompile(`^ *(.+) followed: ([\d-]+)\.$`)
)

// famousMeaning is what each result is.
var famousMeaning = map[string]string{
	"AE": "the attackers are eliminated", "AP": "half of the attackers are eliminated", "AD": "one attacker is eliminated",
	"AC": "one attacker is depleted", "AR": "the attackers retreat", "-": "no effect", "DR": "the defenders retreat",
	"DC": "one defender is depleted", "DD": "one defender is eliminated", "DE": "the defenders are eliminated",
}

// Read implements Judge.
func (j *famousJudge) Read(m Mail) (combats int, faults []Fault) {
	j.Mail, j.faults, j.board = m, nil, m.known.Board
	hour, weather := "", strings.ToLower(j.known.Fact("weather"))
	for _, part := range []string{"Morning", "Day", "Evening", "Night"} {
		if strings.Contains(j.known.Date, part) {
			hour = strings.ToLower(part)
		}
	}
	for _, it := range m.Items {
		if day := famousDay.FindStringSubmatch(it.Head); day != nil {
			hour, weather = strings.ToLower(day[1]), strings.ToLower(day[2])
		}
		if it.Event.Kind == CombatKind {
			j.combat(it, hour, weather)
			combats++
		}
	}
	return combats, j.faults
}

// famousCombat is what the lines of a combat say.
type famousCombat struct {
	*famousJudge
	head            string
	target          hex.Hex
	hour, weather   string
	attack, defence []worth
	sums            [2]int
	column          string
	mods            int
	halved          bool // by engineers
	result          string
	lost            [2]int // units that a side lost or had reduced
	back            [2]int
}

// combat fights one again (10.1).
func (j *famousJudge) combat(it report.Item, hour, weather string) {
	all := lines(it)
	c := &famousCombat{famousJudge: j, head: all[0], hour: hour, weather: weather}
	head := famousHead.FindStringSubmatch(all[0])
	if head == nil {
		j.fault(all[0], "these words", "no combat that can be read")
		return
	}
	c.target, _ = hex.Parse(head[1])
	for _, line := range all[1:] {
		switch {
		case c.result != "":
			c.follows(line)
		case famousForce.MatchString(line):
			c.lists(line, famousForce.FindStringSubmatch(line))
		case famousSums.MatchString(line):
			c.weigh(line, famousSums.FindStringSubmatch(line))
		case famousDice.MatchString(line):
			c.throw(line, famousDice.FindStringSubmatch(line))
		default:
			c.fault(line, "this line", "nothing that can be read")
		}
	}
	if c.result == "" {
		c.fault(c.head, "no dice", "dice")
		return
	}
	c.close()
}

func (c *famousCombat) same(line string, says string, book any) {
	if fmt.Sprint(book) != says {
		c.fault(line, says, fmt.Sprint(book))
	}
}

// lists adds up the units of a side and its guns.
func (c *famousCombat) lists(line string, m []string) {
	us, sum, ok := forces(m[2])
	if m[3] != "" {
		_, guns, gunsToo := forces(m[3])
		sum, ok = sum+guns, ok && gunsToo
	}
	if !ok {
		c.fault(line, "these units", "a number behind each unit")
	}
	if m[1] == "attackers" {
		c.attack, c.sums[0] = us, sum
		return
	}
	c.defence, c.sums[1] = us, sum
}

// weigh finds the column of the sums, and adds up the modifiers by their names.
func (c *famousCombat) weigh(line string, m []string) {
	c.same(line, m[1], c.sums[0])
	c.same(line, m[2], c.sums[1])
	c.column = famousRatio(c.sums[0], max(1, c.sums[1]))
	c.same(line, m[3], c.column)
	c.halved = m[5] != ""
	named := map[string]bool{}
	for _, t := range terms(m[4]) {
		c.mods += t.value
		named[t.name] = true
		c.modifier(line, t)
	}
	if c.hour == "night" && named["night"] {
		c.fault(line, "night", "no modifier, three dice")
	}
	for _, name := range []string{c.hour, c.weather} {
		if c.sky[name] != 0 && !named[name] {
			c.fault(line, "no modifier of "+name, fmt.Sprintf("%+d", c.sky[name]))
		}
	}
	if n := c.groundOf(); n != 0 && !named["ground"] {
		c.fault(line, "no modifier of the ground", fmt.Sprintf("%+d", n))
	}
}

// groundOf is the sum of the chart over the kinds of terrain in the hex; with engineers each
// is halved by itself, rounded down.
func (c *famousCombat) groundOf() (n int) {
	for _, k := range c.board.Kinds(c.target) {
		if c.halved {
			n += c.ground[k] / 2
		} else {
			n += c.ground[k]
		}
	}
	return n
}

// modifier compares one with the charts.
func (c *famousCombat) modifier(line string, t term) {
	says := fmt.Sprintf("%s %+d", t.name, t.value)
	event, isEvent := c.events[t.name]
	_, isWater := c.water[t.name]
	switch {
	case isEvent:
		c.same(line, says, fmt.Sprintf("%s %+d", t.name, event))
	case t.name == "ground":
		c.same(line, says, fmt.Sprintf("ground %+d", c.groundOf()))
	case t.name == "works":
		if t.value <= 0 {
			c.fault(line, says, "works add to the dice")
		}
	case isWater:
		c.same(line, says, fmt.Sprintf("%s %+d", t.name, c.water[t.name]))
		if t.name != "bridge" && !c.beside(t.name) {
			c.fault(line, t.name, "no such hexside of "+c.target.String())
		}
	case t.name == c.hour, t.name == c.weather:
		c.same(line, says, fmt.Sprintf("%s %+d", t.name, c.sky[t.name]))
	default:
		c.fault(line, says, "nothing that changes the dice")
	}
}

func (c *famousCombat) beside(name string) bool {
	return slices.ContainsFunc(c.board.Grid.Neighbours(c.target), func(n hex.Hex) bool { return c.board.River(hex.Between(c.target, n)) == name })
}

// famousRatio is the column of two sums, rounded in the defender's favour.
func famousRatio(attack, defence int) string {
	switch {
	case attack >= defence:
		return fmt.Sprintf("%d-1", min(attack/defence, 5))
	case attack == 0, defence > 3*attack:
		return "1-4"
	case defence > 2*attack:
		return "1-3"
	}
	return "1-2"
}

// throw finds the cell of the table.
func (c *famousCombat) throw(line string, m []string) {
	n := 2
	if c.hour == "night" {
		n = 3
	}
	if thrown := len(strings.Fields(m[1])); thrown != n {
		c.fault(line, fmt.Sprintf("%d dice", thrown), fmt.Sprint(n))
	}
	row := min(12, max(2, dice(m[1])+c.mods))
	c.same(line, m[2], row)
	c.result = c.cells[row][c.column]
	c.same(line, m[3], c.result)
	c.same(line, m[4], famousMeaning[c.result])
}

// follows judges a line of what followed from the combat.
func (c *famousCombat) follows(line string) {
	if m := famousLoss.FindStringSubmatch(line); m != nil {
		c.lost[c.of(m[1])]++
		if left := strings.HasPrefix(m[2], "depleted"); left && slices.Contains([]string{"AE", "DE"}, c.result) {
			c.fault(line, "depleted", "eliminated")
		}
	} else if m := famousFell.FindStringSubmatch(line); m != nil {
		c.back[c.of(m[1])]++
		c.chain(line, strings.Split(m[2], "-"))
	} else if m := famousFollow.FindStringSubmatch(line); m != nil {
		c.chain(line, strings.Split(m[2], "-"))
	}
}

// of is the side of a unit: 0 attacks, 1 defends.
func (c *famousCombat) of(name string) int {
	if in(c.attack, name) {
		return 0
	}
	return 1
}

// chain judges that a way goes from hex to hex.
func (c *famousCombat) chain(line string, way []string) {
	for i := 1; i < len(way); i++ {
		a, _ := hex.Parse(way[i-1])
		b, _ := hex.Parse(way[i])
		if !c.board.Grid.Adjacent(a, b) {
			c.fault(line, way[i-1]+"-"+way[i], "no neighbours")
		}
	}
}

// close judges who was lost and who fell back when all has been told (10.4).
func (c *famousCombat) close() {
	attackers, defenders := len(c.attack), len(c.defence)
	want := map[string][2]int{"AE": {attackers, 0}, "AP": {max(1, attackers/2), 0}, "AD": {1, 0}, "AC": {1, 0},
		"DC": {0, 1}, "DD": {0, 1}, "DE": {0, defenders}}[c.result]
	retreat := map[string][2]bool{"AR": {true, false}, "DR": {false, true}}[c.result]
	for k, who := range []string{"attackers", "defenders"} {
		if !retreat[k] && c.lost[k] != want[k] {
			c.fault(c.head, fmt.Sprintf("%s: %d %s are lost or depleted", c.result, c.lost[k], who), fmt.Sprint(want[k]))
		}
		if !retreat[k] && c.back[k] > 0 {
			c.fault(c.head, fmt.Sprintf("%s: %d %s fell back", c.result, c.back[k], who), "none does")
		}
	}
}
