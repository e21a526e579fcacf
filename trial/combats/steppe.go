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

// The shifts of the terrain chart of Duel on the Steppe, by the words of its lines.
var (
	steppeGround = map[string]int{"clear": 0, "light woods": 1, "heavy woods": 2, "marsh": 1, "town": 1, "city": 2}
	steppeWater  = map[string]int{"minor river": 1, "major river": 3, "major bridge": 2, "minor bridge": 1}
)

// steppeJudge fights the combats of Duel on the Steppe again.
type steppeJudge struct {
	columns []string
	cells   map[int]map[string]string

	Mail
	board  *board.Board
	frozen bool
	blow   bool
	down   map[string]bool // bridges that were blown
	at     map[string]hex.Hex
	steps  map[string]int
	air    [2]map[string]int // attacker, defender: what flies
	guns   int
	fought bool // a dogfight
	lost   int  // who lost it, and
	kills  int  // what they have still to lose
	abort  [2]bool
	faults []Fault
}

func newSteppe(src table.Source) (*steppeJudge, error) {
	j := &steppeJudge{down: map[string]bool{}}
	var err error
	j.columns, j.cells, err = results(src)
	return j, err
}

func (j *steppeJudge) fault(line, says, book string) {
	j.faults = append(j.faults, Fault{j.turn, j.side, line, says, book})
}

// The lines of a mail.
var (
	steppeWeather  = regexp.MustCompile(`^Turn \d+, .*: \w+ weather, (\w+) ground\.`)
	steppeBlow     = regexp.MustCompile(`^Manstein's Backhand Blow: every German attack of turn`)
	steppeMove     = regexp.MustCompile(`^(?:Overrun movement: )?(.+) (\d{4})(?: \([^)]*\))? to (\d{4})(?: \([^)]*\))?$`)
	steppeEnter    = regexp.MustCompile(`^(.+) enters at .* and goes to (\d{4})`)
	steppeRailed   = regexp.MustCompile(`^(.+) comes by rail to (\d{4})`)
	steppeForms    = regexp.MustCompile(`^(KG .+) is formed at (\d{4})(?: \([^)]*\))?; (.+) is now (\S+)`)
	steppeDown     = regexp.MustCompile(`blows the bridge (\d{4}/\d{4})`)
	steppeFlies    = regexp.MustCompile(`^(?:German|Soviet) air over \d{4}(?: \([^)]*\))?: (a fighter|close air support) for the (attacker|defender)$`)
	steppeDogfight = regexp.MustCompile(`^Dogfight over \d{4}(?: \([^)]*\))?: (?:attacker dice ([\d ]+) \([^)]*\), )?(?:defender dice ([\d ]+) \([^)]*\), )?(\d+) against (\d+): (.+)$`)
	steppeAirLost  = regexp.MustCompile(`^(German|Soviet) loses (a fighter|close air support)$`)
	steppeGuns     = regexp.MustCompile(`^(\d+) artillery markers? of (.+) on \d{4}`)
	steppeHead     = regexp.MustCompile(`^(\d{4})(?: \([^)]*\))?: (.+) against (.+?)\.( Overrun by (.+)\.)?$`)
	steppeOdds     = regexp.MustCompile(`^(\d+) to (\d+): (\d+:\d+)(?:; (.+): (\d+:\d+))?(?:, column (\d+:\d+))?$`)
	steppeDice     = regexp.MustCompile(`^dice (\d \d) \(combat [^)]*\)(?:, (.+))? = (-?\d+): (\S+)$`)
	steppeTerm     = regexp.MustCompile(`^(.+) ([-+]\d+)$`)
	steppeResult   = regexp.MustCompile(`^(-|\d)/(-|(\d)?(?:R(\d))?)$`)
	steppeLoses    = regexp.MustCompile(`^(.+?) (?:is depleted to \S+|loses its red-sash counter and goes on as \S+|is destroyed)$`)
	steppeStands   = regexp.MustCompile(`^(.+) stands fast at `)
	steppeTrapped  = regexp.MustCompile(`^(.+) at \d{4}(?: \([^)]*\))? has no way back$`)
	steppeRetreat  = regexp.MustCompile(`^(.+) retreats from (\d{4})(?: \([^)]*\))? to (\d{4})`)
	steppeAdvance  = regexp.MustCompile(`^(.+) advances to (\d{4})`)
)

// Read implements Judge.
func (j *steppeJudge) Read(m Mail) (combats int, faults []Fault) {
	j.Mail, j.faults, j.board = m, nil, m.known.Board
	j.lay()
	var open *steppeCombat
	for _, it := range m.Items {
		if it.Event.Kind == CombatKind {
			open.close()
			open = j.combat(it)
			combats++
			continue
		}
		for _, line := range lines(it) {
			open = j.line(open, line)
		}
	}
	open.close()
	return combats, j.faults
}

// lay puts the units where the last report has them.
func (j *steppeJudge) lay() {
	j.at, j.steps = map[string]hex.Hex{}, map[string]int{}
	for _, u := range j.known.Units {
		j.at[j.side+" "+u.Name], j.steps[j.side+" "+u.Name] = u.Hex, u.Steps
	}
	for _, st := range j.known.Enemy {
		for _, u := range st.Units {
			j.at[st.Side+" "+u.Name], j.steps[st.Side+" "+u.Name] = st.Hex, u.Steps
		}
	}
	for _, b := range j.known.Bridges {
		j.down[b.Edge.String()] = !b.Stands
	}
	j.frozen = j.known.Fact("ground") == "frozen"
	j.blow = j.known.Fact("backhand blow") == fmt.Sprintf("turn %d", j.turn)
	j.clearSky()
}

// clearSky forgets the aircraft and guns of a combat that is over.
func (j *steppeJudge) clearSky() {
	j.air, j.abort = [2]map[string]int{{}, {}}, [2]bool{}
	j.guns, j.kills, j.fought = 0, 0, false
}

// moved notes where a unit is now: of the side that has one of that name at from.
func (j *steppeJudge) moved(name string, from, to hex.Hex) {
	for key, at := range j.at {
		if _, short, _ := strings.Cut(key, " "); short == name && (from == hex.None || at == from) {
			j.at[key] = to
			return
		}
	}
	for _, side := range []string{"GERMAN", "SOVIET"} {
		j.at[side+" "+name] = to
	}
}

// line takes in a line that begins no combat.
func (j *steppeJudge) line(open *steppeCombat, line string) *steppeCombat {
	hexOf := func(text string) hex.Hex { h, _ := hex.Parse(text); return h }
	if open.takes(line) {
		return open
	}
	open.close()
	if m := steppeWeather.FindStringSubmatch(line); m != nil {
		j.frozen = m[1] == "frozen"
	} else if steppeBlow.MatchString(line) {
		j.blow = true
	} else if m := steppeDown.FindStringSubmatch(line); m != nil {
		j.down[m[1]] = true
	} else if m := steppeMove.FindStringSubmatch(line); m != nil {
		j.moved(m[1], hexOf(m[2]), hexOf(m[3]))
	} else if m := steppeEnter.FindStringSubmatch(line); m != nil {
		j.moved(m[1], hex.None, hexOf(m[2]))
	} else if m := steppeRailed.FindStringSubmatch(line); m != nil {
		j.moved(m[1], hex.None, hexOf(m[2]))
	} else if m := steppeForms.FindStringSubmatch(line); m != nil {
		j.at["GERMAN "+m[1]], j.steps["GERMAN "+m[1]] = hexOf(m[2]), 1
		j.steps["GERMAN "+m[3]]--
	} else if m := steppeFlies.FindStringSubmatch(line); m != nil {
		j.air[steppeRole(m[2])][m[1]]++
	} else if m := steppeDogfight.FindStringSubmatch(line); m != nil {
		j.dogfight(line, m)
	} else if m := steppeAirLost.FindStringSubmatch(line); m != nil {
		j.air[j.lost][m[2]]--
		j.kills--
	} else if m := steppeGuns.FindStringSubmatch(line); m != nil {
		j.guns += number(m[1])
	}
	return nil
}

func steppeRole(word string) int {
	if word == "attacker" {
		return 0
	}
	return 1
}

// dogfight fights one again (11.1): sums, losses, and what is left over the combat.
func (j *steppeJudge) dogfight(line string, m []string) {
	j.fought = true
	var sums [2]int
	for k := range sums {
		dies := j.air[k]["a fighter"]
		if dies == 0 {
			dies = j.air[k]["close air support"]
		}
		if thrown := len(strings.Fields(m[k+1])); thrown != dies {
			j.fault(line, fmt.Sprintf("%d dice", thrown), fmt.Sprintf("%d", dies))
		}
		sums[k] = dice(m[k+1])
		if sums[k] != number(m[k+3]) {
			j.fault(line, m[k+3], fmt.Sprint(sums[k]))
		}
	}
	if sums[0] == sums[1] {
		if !strings.HasPrefix(m[5], "a draw") {
			j.fault(line, m[5], "a draw")
		}
		return
	}
	var win, lose = 0, 1
	if sums[1] > sums[0] {
		win, lose = 1, 0
	}
	j.lost, j.abort = lose, [2]bool{}
	kills := min(sums[win]/max(sums[lose], 1), j.air[lose]["a fighter"]+j.air[lose]["close air support"])
	if j.air[win]["a fighter"] == 0 {
		kills = 0
	}
	book := fmt.Sprintf("the %s loses %d", []string{"attacker", "defender"}[lose], kills)
	for k, word := range []string{"attacker", "defender"} {
		if j.air[k]["a fighter"] == 0 && j.air[k]["close air support"] > 0 {
			book += ", close air support of the " + word + " is aborted"
			j.abort[k] = true
		}
	}
	j.kills = kills
	if m[5] != book {
		j.fault(line, m[5], book)
	}
}

// steppeCombat is a combat while the lines that follow from it are read.
type steppeCombat struct {
	*steppeJudge
	head            string
	target          hex.Hex
	side, foe       string
	force, guard    []worth
	aLoss, dLoss    int
	retreat         int
	lost            [2]int // steps, by attackers and defenders
	had             [2]int
	stood           int
	gone            map[string]bool // defenders that retreated or were trapped
	trapped, steady map[string]bool
	closed          bool
}

// combat fights one again up to the cell of the table (10.1).
func (j *steppeJudge) combat(it report.Item) *steppeCombat {
	all := lines(it)
	head := steppeHead.FindStringSubmatch(all[0])
	if head == nil || len(all) < 3 {
		j.fault(all[0], "these words", "no combat that can be read")
		return nil
	}
	odds, thrown := steppeOdds.FindStringSubmatch(all[1]), steppeDice.FindStringSubmatch(all[2])
	if odds == nil || thrown == nil {
		j.fault(all[1]+" "+all[2], "these words", "no combat that can be read")
		return nil
	}
	c := &steppeCombat{steppeJudge: j, head: all[0], side: it.Event.Side, gone: map[string]bool{}, trapped: map[string]bool{}, steady: map[string]bool{}}
	c.foe = map[string]string{"GERMAN": "SOVIET", "SOVIET": "GERMAN"}[c.side]
	c.target, _ = hex.Parse(head[1])
	var attack, defence int
	var ok, okToo bool
	c.force, attack, ok = forces(head[2])
	c.guard, defence, okToo = forces(head[3])
	if !ok || !okToo {
		j.fault(all[0], "these strengths", "a number behind each unit")
		return nil
	}
	c.same(all[1], odds[1], attack)
	c.same(all[1], odds[2], max(defence, 1))
	at := steppeLadder(attack, max(defence, 1))
	c.same(all[1], odds[3], steppeRatio(at, attack))
	at += c.shifts(all[1], odds[4])
	at = max(at, 0)
	if odds[4] != "" {
		c.same(all[1], odds[5], steppeRatio(at, 1))
	}
	column := min(at, len(j.columns)-1)
	if odds[6] != "" {
		c.same(all[1], odds[6], j.columns[column])
	} else if at != column {
		j.fault(all[1], "no column", j.columns[column])
	}
	net := dice(thrown[1]) + c.modifiers(all[2], thrown[2], at-column, head[5] != "")
	c.same(all[2], thrown[3], net)
	cell := j.cells[min(max(net, 2), 12)][j.columns[column]]
	c.same(all[2], thrown[4], cell)
	if r := steppeResult.FindStringSubmatch(cell); r != nil {
		c.aLoss, c.dLoss, c.retreat = number(r[1]), number(r[3]), number(r[4])
	}
	for _, u := range c.force {
		c.had[0] += j.steps[c.side+" "+u.name]
	}
	for _, u := range c.guard {
		c.had[1] += j.steps[c.foe+" "+u.name]
	}
	j.clearSky()
	open := c
	for _, line := range all[3:] {
		open = j.line(open, line)
	}
	return open
}

func (c *steppeCombat) same(line string, says string, book any) {
	if fmt.Sprint(book) != says {
		c.fault(line, says, fmt.Sprint(book))
	}
}

// steppeLadder is the place of a ratio among 1:3, 1:2, 2:3, 1:1, 3:2, 2:1, 3:1, 4:1, and on
// as 5:1; 1:4 is -1.
func steppeLadder(attack, defence int) int {
	switch {
	case attack == 0:
		return -100
	case attack >= 2*defence:
		return attack/defence + 3
	case 2*attack >= 3*defence:
		return 4
	case attack >= defence:
		return 3
	case 3*attack >= 2*defence:
		return 2
	}
	n := defence / attack
	if defence%attack > 0 {
		n++
	}
	return 3 - n
}

// steppeRatio is a place of the ladder in words.
func steppeRatio(at, attack int) string {
	switch {
	case attack == 0:
		return "0:1"
	case at >= 5:
		return fmt.Sprintf("%d:1", at-3)
	case at < 2:
		return fmt.Sprintf("1:%d", 3-at)
	}
	return []string{"2:3", "1:1", "3:2"}[at-2]
}

// shifts adds up what moves the column, each by its name (10.1, 15.0).
func (c *steppeCombat) shifts(line, text string) (sum int) {
	ground, water, blow := "", "", false
	for _, term := range terms(text) {
		sum += term.value
		_, isGround := steppeGround[term.name]
		_, isWater := steppeWater[term.name]
		switch {
		case isGround:
			ground = term.name
			c.same(line, fmt.Sprint(term.value), -steppeGround[term.name])
		case isWater:
			water = term.name
			c.same(line, fmt.Sprint(term.value), -steppeWater[term.name])
		case term.name == "Manstein's Backhand Blow":
			blow = true
			c.same(line, fmt.Sprint(term.value), 1)
		default:
			c.fault(line, term.name, "no line of the chart")
		}
	}
	if should := c.blow && c.side == "GERMAN"; blow != should {
		c.fault(line, fmt.Sprintf("the Blow: %t", blow), fmt.Sprint(should))
	}
	kind := strings.ReplaceAll(c.board.Kinds(c.target)[0], "-", " ")
	if kind == "marsh" && c.frozen {
		kind = "clear"
	}
	river := c.river()
	want := [2]string{kind, ""}
	switch {
	case steppeWater[river] > steppeGround[kind]:
		want = [2]string{"", river}
	case steppeGround[kind] == 0:
		want[0] = ""
	}
	if got := [2]string{ground, water}; got != want {
		c.fault(line, fmt.Sprintf("the shift of %q", ground+water), fmt.Sprintf("that of %q", want[0]+want[1]))
	}
	return sum
}

// river is the hexside that counts: the least that any attacker crosses, "" if one crosses
// none.
func (c *steppeCombat) river() string {
	best := ""
	for i, u := range c.force {
		from, known := c.at[c.side+" "+u.name]
		if !known || !c.board.Grid.Adjacent(from, c.target) {
			c.fault(c.head, u.name+" attacks", "it is not beside the hex by the reports, but on "+from.String())
			continue
		}
		e := hex.Between(from, c.target)
		name := strings.ReplaceAll(c.board.River(e), "-", " ")
		bridged := c.board.Bridge(e) && !c.down[e.String()]
		switch {
		case name == "major river" && c.frozen:
			name = "minor river"
		case name != "" && bridged:
			name = strings.TrimSuffix(name, "river") + "bridge"
		}
		if i == 0 || steppeWater[name] < steppeWater[best] {
			best = name
		}
	}
	return best
}

// term is a modifier by its name.
type term struct {
	name  string
	value int
}

// terms reads "town -1, artillery +2".
func terms(text string) (out []term) {
	if text == "" {
		return nil
	}
	for part := range strings.SplitSeq(text, ", ") {
		if m := steppeTerm.FindStringSubmatch(part); m != nil {
			out = append(out, term{m[1], number(m[2])})
		} else {
			out = append(out, term{part, 0})
		}
	}
	return out
}

// modifiers adds up what is added to the dice, against what the mail told before (10.1).
func (c *steppeCombat) modifiers(line, text string, over int, overrun bool) (sum int) {
	book := map[string]int{"odds above 4:1": over, "artillery": c.guns,
		"close air support":       2 * c.air[0]["close air support"],
		"fighters":                c.air[0]["a fighter"],
		"enemy close air support": -2 * c.air[1]["close air support"],
		"enemy fighters":          -c.air[1]["a fighter"]}
	if c.fought {
		book["fighters"], book["enemy fighters"] = 0, 0
	}
	for k, name := range []string{"close air support", "enemy close air support"} {
		if c.abort[k] {
			book[name] = 0
		}
	}
	if c.kills != 0 {
		c.fault(line, "air units are lost", fmt.Sprintf("%d more", c.kills))
	}
	if overrun {
		book["fighters"], book["close air support"], book["artillery"] = 0, 0, 0
	}
	for _, t := range terms(text) {
		sum += t.value
		c.same(line, fmt.Sprintf("%s %+d", t.name, t.value), fmt.Sprintf("%s %+d", t.name, book[t.name]))
		delete(book, t.name)
	}
	for name, n := range book {
		if n != 0 {
			c.fault(line, "no "+name, fmt.Sprintf("%+d", n))
		}
	}
	return sum
}

// takes reads a line that may follow from the combat; false: it is about something else.
func (c *steppeCombat) takes(line string) bool {
	if c == nil || c.closed {
		return false
	}
	if m := steppeLoses.FindStringSubmatch(line); m != nil {
		return c.loses(m[1])
	}
	if m := steppeStands.FindStringSubmatch(line); m != nil {
		c.stood++
		c.steady[m[1]] = true
		return true
	}
	if m := steppeTrapped.FindStringSubmatch(line); m != nil {
		c.trapped[m[1]], c.gone[m[1]] = true, true
		return true
	}
	if m := steppeRetreat.FindStringSubmatch(line); m != nil {
		return c.retreats(line, m)
	}
	if m := steppeAdvance.FindStringSubmatch(line); m != nil {
		return c.advances(line, m)
	}
	return false
}

func in(list []worth, name string) bool {
	return slices.ContainsFunc(list, func(u worth) bool { return u.name == name })
}

// loses takes a step off a unit.
func (c *steppeCombat) loses(name string) bool {
	k, key := 0, c.side+" "+name
	if in(c.guard, name) {
		k, key = 1, c.foe+" "+name
	} else if !in(c.force, name) {
		return false
	}
	c.steps[key]--
	if !c.trapped[name] {
		c.lost[k]++
	}
	return true
}

// retreats judges how far a unit went (10.3).
func (c *steppeCombat) retreats(line string, m []string) bool {
	from, _ := hex.Parse(m[2])
	to, _ := hex.Parse(m[3])
	c.gone[m[1]] = true
	c.moved(m[1], from, to)
	switch n := c.board.Grid.Distance(from, to); {
	case from != c.target, !in(c.guard, m[1]):
		c.fault(line, "a retreat", "no defender of "+c.target.String())
	case n == c.retreat:
	case n < c.retreat && c.edge(to): // it has come to its source
	default:
		c.fault(line, fmt.Sprintf("%d hexes", n), fmt.Sprint(c.retreat))
	}
	return true
}

func (c *steppeCombat) edge(h hex.Hex) bool {
	return slices.ContainsFunc([]string{"top", "bottom", "left", "right"}, func(side string) bool { return c.board.Grid.Border(h, side) })
}

// advances judges an advance (10.4).
func (c *steppeCombat) advances(line string, m []string) bool {
	to, _ := hex.Parse(m[2])
	c.moved(m[1], hex.None, to)
	left := slices.ContainsFunc(c.guard, func(u worth) bool { return !c.gone[u.name] && c.steps[c.foe+" "+u.name] > 0 })
	switch {
	case !in(c.force, m[1]):
		c.fault(line, "an advance", "it did not attack")
	case left, c.stood > 0:
		c.fault(line, "an advance", "defenders are left in the hex")
	case c.board.Grid.Distance(c.target, to) > 1:
		c.fault(line, "an advance", "a hex beyond the second")
	}
	return true
}

// close judges the losses when all has been told (10.2, 10.5).
func (c *steppeCombat) close() {
	if c == nil || c.closed {
		return
	}
	c.closed = true
	if want := min(c.aLoss, c.had[0]); c.lost[0] != want {
		c.fault(c.head, fmt.Sprintf("the attackers lose %d steps", c.lost[0]), fmt.Sprint(want))
	}
	if want := min(c.dLoss+c.stood, c.had[1]); c.lost[1] != want {
		c.fault(c.head, fmt.Sprintf("the defenders lose %d steps", c.lost[1]), fmt.Sprint(want))
	}
	for _, u := range c.guard {
		stays := c.steps[c.foe+" "+u.name] > 0 && !c.gone[u.name] && !c.steady[u.name]
		if stays && c.retreat > 0 {
			c.fault(c.head, u.name+" stays", fmt.Sprintf("it retreats %d", c.retreat))
		}
		if c.gone[u.name] && c.retreat == 0 {
			c.fault(c.head, u.name+" retreats", "nobody does")
		}
	}
}
