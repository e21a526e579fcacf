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

// wbJudge fights the combats of WB-95 again.
type wbJudge struct {
	columns []string
	cells   map[int]map[string]string
	ground  map[string]int // modifiers of the terrain chart
	half    map[string]bool

	Mail
	board  *board.Board
	faults []Fault
}

func newWB95(src table.Source) (*wbJudge, error) {
	j := &wbJudge{ground: map[string]int{}, half: map[string]bool{}}
	var err error
	if j.columns, j.cells, err = results(src); err != nil {
		return nil, err
	}
	_, text, err := src.Read("scenario.toml")
	if err != nil {
		return nil, err
	}
	chart := "terrain-summer.tsv"
	if m := wbChart.FindSubmatch(text); m != nil {
		chart = string(m[1])
	}
	l := &table.Loader{Src: src}
	for _, r := range l.Rows(chart, "terrain", "cm", "effect") {
		j.ground[r.Text("terrain")], j.half[r.Text("terrain")] = r.Int("cm"), r.Text("effect") == "half"
	}
	return j, l.Err()
}

func (j *wbJudge) fault(line, says, book string) {
	j.faults = append(j.faults, Fault{j.turn, j.side, line, says, book})
}

// The lines of a mail.
var (
	wbChart    = regexp.MustCompile(`(?m)^terrain *= *"(.+)"`)
	wbHead     = regexp.MustCompile(`^([\d, ]+): .+ attacked .+\.$`)
	wbForce    = regexp.MustCompile(`^(attackers|defenders): (.+?)(?: \+ (\d+) air)?$`)
	wbSums     = regexp.MustCompile(`^attack (\d+)(?: (\+|with) (\d+) guns)?( \(halved by swamp\))?(?: \((?:(.+) and support )?(halved by works)\))?, defence (\d+)(?: \+ (\d+) guns)?: (\d+:\d+)(?:, (\d+) decides)?$`)
	wbGuns     = regexp.MustCompile(`^guns in (attack|defence): (.+)$`)
	wbShifts   = regexp.MustCompile(`^(.+): (\d+:\d+)$`)
	wbDice     = regexp.MustCompile(`^dice (\d \d) \(combat [^)]*\)(?:, (headquarters .+?))?: row (\d+), result (.+)$`)
	wbLone     = regexp.MustCompile(`^headquarters or limbered guns alone: (\d+:\d+)$`)
	wbGun      = regexp.MustCompile(`^(.+) (\d+) on \d{4}$`)
	wbLoss     = regexp.MustCompile(`^(.+?) (?:loses (a|\d) steps?(?:, .*)?|is eliminated.*) \(by the table\)\.$`)
	wbFell     = regexp.MustCompile(`^(.+) fell back (\d+) hex(?:es)?: ([\d-]+)\.$`)
	wbFollowed = regexp.MustCompile(`^(.+) followed: ([\d-]+)\.$`)
	wbStood    = regexp.MustCompile(`stood on \d{4} instead of retreating (\d+) hex`)
)

// wbHQ is what headquarters do to the dice.
var wbHQ = map[string]int{"": 0, "headquarters of both sides cancel": 0, "headquarters of the attacker -1": -1, "headquarters of the defender +1": 1}

// Read implements Judge.
func (j *wbJudge) Read(m Mail) (combats int, faults []Fault) {
	j.Mail, j.faults, j.board = m, nil, m.known.Board
	for _, it := range m.Items {
		if it.Event.Kind == CombatKind {
			j.combat(it)
			combats++
		}
	}
	return combats, j.faults
}

// wbCombat is what the lines of a combat say.
type wbCombat struct {
	*wbJudge
	head            string
	targets         []string
	attack, defence []worth
	airA, airD      int
	gunsA, gunsD    int
	withA           []worth // the guns of the attacker
	column          int
	aLoss, dLoss    int // by the cell
	aBack, dBack    int
	lost            [2]int
	destroyed       bool
}

// combat fights one again (5.2.1).
func (j *wbJudge) combat(it report.Item) {
	all := lines(it)
	c := &wbCombat{wbJudge: j, head: all[0], column: -1}
	head := wbHead.FindStringSubmatch(all[0])
	if head == nil {
		j.fault(all[0], "these words", "no combat that can be read")
		return
	}
	c.targets = strings.Split(head[1], ", ")
	weighed, shifted, told := false, false, false
	for i, line := range all[1:] {
		switch {
		case told:
			c.follows(line)
		case wbForce.MatchString(line):
			c.lists(wbForce.FindStringSubmatch(line))
		case wbLone.MatchString(line):
			c.column = len(j.columns) - 1
			c.same(line, wbLone.FindStringSubmatch(line)[1], j.columns[c.column])
		case wbSums.MatchString(line):
			weighed = true
			c.guns(all[i+2:])
			c.sums(line, wbSums.FindStringSubmatch(line))
		case wbGuns.MatchString(line):
		case wbDice.MatchString(line):
			told = true
			if weighed && !shifted {
				c.needsGround(line, nil)
			}
			c.throw(line, wbDice.FindStringSubmatch(line))
		case weighed && wbShifts.MatchString(line):
			shifted = true
			c.shifts(line, wbShifts.FindStringSubmatch(line))
		default:
			c.fault(line, "this line", "nothing that can be read")
		}
	}
	if !told {
		c.fault(c.head, "no dice", "two dice")
		return
	}
	c.close()
}

func (c *wbCombat) same(line string, says string, book any) {
	if fmt.Sprint(book) != says {
		c.fault(line, says, fmt.Sprint(book))
	}
}

func (c *wbCombat) lists(m []string) {
	us, _, ok := forces(m[2])
	if !ok {
		c.fault(c.head, m[2], "a number behind each unit")
	}
	if m[1] == "attackers" {
		c.attack, c.airA = us, number(m[3])
		return
	}
	c.defence, c.airD = us, number(m[3])
}

// guns adds up the guns in support that the lines name.
func (c *wbCombat) guns(rest []string) {
	for _, line := range rest {
		m := wbGuns.FindStringSubmatch(line)
		if m == nil {
			return
		}
		sum := 0
		var guns []worth
		for part := range strings.SplitSeq(m[2], ", ") {
			if g := wbGun.FindStringSubmatch(part); g != nil {
				sum += number(g[2])
				guns = append(guns, worth{g[1], number(g[2])})
			} else {
				c.fault(line, part, "a gun, its strength and its hex")
			}
		}
		if m[1] == "attack" {
			c.gunsA, c.withA = sum, guns
		} else {
			c.gunsD = sum
		}
	}
}

// wbHalf is half of a sum, a half rounded up.
func wbHalf(n int) int { return (n + 1) / 2 }

// sums adds up both sides and finds the column of their ratio (1.5, 5.2.1, 7.2, 7.3, 5.5.1).
func (c *wbCombat) sums(line string, m []string) {
	attack, through := 0, 0
	meets := strings.Split(m[5], ", ")
	for _, u := range c.attack {
		attack += u.value
		if m[5] == "" || slices.Contains(meets, u.name) {
			through += u.value
		}
	}
	support := c.gunsA + c.airA
	total := attack + support
	if m[6] != "" {
		total = wbHalf(through+support) + attack - through
	}
	if m[4] != "" {
		total = wbHalf(total)
	}
	said := number(m[1])
	if m[2] == "+" {
		said += number(m[3])
	}
	c.same(line, fmt.Sprint(said), total)
	c.same(line, fmt.Sprint(number(m[3])), c.gunsA)
	defence := c.airD
	for _, u := range c.defence {
		defence += u.value
	}
	if defence == 0 && c.gunsD == 0 {
		defence = 1 // guns in firing set-up alone (6.6.3)
	}
	c.same(line, m[7], defence)
	c.same(line, fmt.Sprint(number(m[8])), c.gunsD)
	c.column = c.ratio(total, defence+c.gunsD)
	c.same(line, m[9], c.columns[c.column])
	if len(c.targets) > 1 && !slices.Contains(c.targets, m[10]) {
		c.fault(line, m[10]+" decides", "one of the hexes")
		return
	}
	if m[10] != "" {
		c.targets = []string{m[10]}
	}
	swamp := slices.ContainsFunc(c.kinds(), func(k string) bool { return c.half[k] })
	if swamp != (m[4] != "") {
		c.fault(line, fmt.Sprintf("swamp: %t", m[4] != ""), fmt.Sprint(swamp))
	}
}

// kinds is the ground of the hex that decides.
func (c *wbCombat) kinds() []string {
	h, _ := hex.Parse(c.targets[0])
	return c.board.Kinds(h)
}

// ratio is the column of a ratio: the quotient of the greater by the smaller, rounded, a
// half in favour of the stronger.
func (c *wbCombat) ratio(attack, defence int) int {
	word := ""
	switch {
	case defence == 0:
		return len(c.columns) - 1
	case attack == 0:
		return 0
	case attack >= defence:
		word = fmt.Sprintf("%d:1", (2*attack+defence)/(2*defence))
	default:
		word = fmt.Sprintf("1:%d", (2*defence+attack)/(2*attack))
	}
	if i := slices.Index(c.columns, word); i >= 0 {
		return i
	}
	if attack > defence {
		return len(c.columns) - 1
	}
	return 0
}

// shifts moves the column: by what helps the attacker, then by what helps the defender; the
// edge of the table stops it each time (1.6).
func (c *wbCombat) shifts(line string, m []string) {
	right, left := 0, 0
	named := map[string]bool{}
	for _, t := range terms(m[1]) {
		if t.value >= 0 || strings.HasSuffix(t.name, " together") { // allies who attack together: the attacker's own
			right += t.value
		} else {
			left -= t.value
		}
		named[t.name] = true
		cm, isGround := c.ground[t.name]
		switch {
		case !isGround:
		case slices.Contains(c.kinds(), t.name):
			c.same(line, fmt.Sprintf("%s %d", t.name, t.value), fmt.Sprintf("%s %d", t.name, -cm))
		case !c.beside(t.name):
			c.fault(line, t.name, "no such ground on "+c.targets[0]+" or hexside of it")
		}
	}
	c.needsGround(line, named)
	last := len(c.columns) - 1
	c.column = min(last, max(0, c.column+right))
	c.column = max(0, c.column-left)
	c.same(line, m[2], c.columns[c.column])
}

// needsGround judges that no modifier of the ground is left out.
func (c *wbCombat) needsGround(line string, named map[string]bool) {
	for _, k := range c.kinds() {
		if c.ground[k] > 0 && !named[k] {
			c.fault(line, "no modifier of "+k, fmt.Sprintf("-%d", c.ground[k]))
		}
	}
}

// beside tells whether the map has a river of that name on a hexside.
func (c *wbCombat) beside(name string) bool {
	h, _ := hex.Parse(c.targets[0])
	return slices.ContainsFunc(c.board.Grid.Neighbours(h), func(n hex.Hex) bool { return c.board.River(hex.Between(h, n)) == name })
}

// throw finds the cell of the table (5.2.1, 9.2.1).
func (c *wbCombat) throw(line string, m []string) {
	hq, known := wbHQ[m[2]]
	if !known {
		c.fault(line, m[2], "nothing that changes the dice")
	}
	row := min(12, max(2, dice(m[1])+hq))
	c.same(line, m[3], row)
	if c.column < 0 {
		c.fault(line, "no column", "one")
		return
	}
	cell := c.cells[row][c.columns[c.column]]
	c.same(line, m[4], cell)
	a, d, _ := strings.Cut(cell, " / ")
	c.aBack, c.aLoss = wbPart(a, "A")
	c.dBack, c.dLoss = wbPart(d, "D")
}

// wbPart reads one side of a cell: A2D-1 is a retreat of two hexes and a step.
func wbPart(text, retreat string) (back, loss int) {
	if before, after, ok := strings.Cut(text, "-"); ok {
		text = before
		fmt.Sscanf(after, "%d", &loss)
	}
	if rest, ok := strings.CutPrefix(text, retreat); ok {
		fmt.Sscanf(rest, "%d", &back)
	}
	return back, loss
}

// follows judges a line of what followed from the combat.
func (c *wbCombat) follows(line string) {
	if m := wbLoss.FindStringSubmatch(line); m != nil {
		c.loses(line, m)
	} else if m := wbFell.FindStringSubmatch(line); m != nil {
		c.fallsBack(line, m)
	} else if m := wbFollowed.FindStringSubmatch(line); m != nil {
		c.chain(line, strings.Split(m[2], "-"))
	} else if m := wbStood.FindStringSubmatch(line); m != nil && number(m[1]) > max(c.aBack, c.dBack) {
		c.fault(line, m[1], fmt.Sprint(max(c.aBack, c.dBack)))
	}
}

// loses counts steps that are lost by the table.
func (c *wbCombat) loses(line string, m []string) {
	n := 1
	if m[2] != "" && m[2] != "a" {
		n = number(m[2])
	}
	k := 1
	if in(c.attack, m[1]) || in(c.withA, m[1]) {
		k = 0 // guns in support suffer with those in contact (6.3.5)
	}
	c.lost[k] += n
	c.destroyed = c.destroyed || strings.Contains(line, "is eliminated")
}

// fallsBack judges how far units went.
func (c *wbCombat) fallsBack(line string, m []string) {
	first, _, _ := strings.Cut(m[1], ", ")
	back := c.dBack
	if in(c.attack, first) {
		back = c.aBack
	}
	way := strings.Split(m[3], "-")
	if n := number(m[2]); n > back || n != len(way)-1 {
		c.fault(line, fmt.Sprintf("%d hexes", n), fmt.Sprintf("%d at most, by this way %d", back, len(way)-1))
	}
	c.chain(line, way)
}

// chain judges that a way goes from hex to hex.
func (c *wbCombat) chain(line string, way []string) {
	for i := 1; i < len(way); i++ {
		a, _ := hex.Parse(way[i-1])
		b, _ := hex.Parse(way[i])
		if !c.board.Grid.Adjacent(a, b) {
			c.fault(line, way[i-1]+"-"+way[i], "no neighbours")
		}
	}
}

// close judges the losses by the table when all has been told.
func (c *wbCombat) close() {
	for k, want := range []int{c.aLoss, c.dLoss} {
		who := []string{"attackers", "defenders"}[k]
		if c.lost[k] > want || c.lost[k] < want && !c.destroyed {
			c.fault(c.head, fmt.Sprintf("the %s lose %d steps by the table", who, c.lost[k]), fmt.Sprint(want))
		}
	}
}
