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

// What ids and names of counters are made of: names are typed in orders.
var (
	goodID   = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	goodName = regexp.MustCompile(`^[A-Za-z0-9./()-]+( [A-Za-z0-9./()-]+)*$`)
	around   = regexp.MustCompile(`^(.*)\((\d)\)$`) // 5901(1), Cottbus(1), ruling S-5
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
	c.Side = l.sc.known(c.Side)
	if !goodName.MatchString(c.Name) {
		r.Fault("name", "%q: a name is made of letters, digits, blanks and . / - ( )", c.Name)
	}
	if !l.side(c.Side) {
		r.Fault("side", "%q is not a side of the scenario", c.Side)
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
	case min(full, reduced, defence) < 0, full == 0 && c.Type != HQ:
		r.Fault("full", "%s has no strength", c.Name)
	case reduced > full:
		r.Fault("reduced", "%s is stronger with a step less", c.Name)
	}
	if c.Moves <= 0 && c.Type != RG {
		r.Fault("moves", "%s cannot move", c.Name)
	}
	for _, t := range r.List("traits") {
		l.trait(r, &c, t)
	}
	// WB-95 1.2/4: towed artillery has one step
	// WB-95 1.3/2: what trucks tow moves as they do, and so do headquarters
	switch {
	case c.hasSetup() && c.Steps() > 1:
		r.Fault("reduced", "%s is towed: such guns have one step", c.Name)
	case c.Class != Trucked && (c.towed() || c.Type == HQ):
		r.Fault("class", "%s is towed: such guns, and headquarters, are trucked", c.Name)
	}
	l.nation(r, &c)
	return c
}

// trait gives a counter what its column of traits says of it.
func (l *loader) trait(r table.Row, c *Counter, t string) {
	switch t {
	case "guards":
		c.Guards = true
	case "self-propelled":
		c.SelfPro = true
	case "panther":
		c.Panther = true
	case "ferdinand":
		c.Ferdinand = true
	default:
		colour, star := strings.CutSuffix(t, " star")
		if !star || !slices.Contains(colours, Star(colour)) {
			r.Fault("traits", "unknown trait %q", t)
			return
		}
		c.Stars = append(c.Stars, Star(colour))
	}
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
//
// reading WB-95 4.3.1: hexes that the books misprint are moved. Prokhorovka: 15 INF (G),
// printed on 4532 behind the German lines, begins on 5532. Two Stars: 117 INF (G), printed on
// 1128 behind the American lines, begins on 1118; 192/21 ARM and C/545, printed on 2899 off
// the map, on 2900.
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
		fort := cmp.Or(p.Fort, forts[first])
		if was := forts[first]; was != "" && was != fort {
			r.Fault("fort", "%v has an %s already", first, was)
		}
		forts[first] = fort
		l.sc.Setup = append(l.sc.Setup, p)
	}
	for i := range l.sc.Board.Grid.Len() {
		// reading WB-95 3.2.1: a set-up over the limit is legal where the book forces it.
		if h := l.sc.Board.Grid.At(i); steps[h] > stackLimit {
			l.sc.Warnings = append(l.sc.Warnings, fmt.Sprintf("%d steps begin on %v, the limit is %d", steps[h], h, stackLimit))
		}
	}
}

// choices lists the hexes a unit may be set up on, the default first: those of a
// place or a region, or hexes by their numbers. A number in brackets behind a place
// or a hex takes in those that near it.
func (l *loader) choices(r table.Row, c *Counter, first hex.Hex) []hex.Hex {
	var all []hex.Hex
	named := map[hex.Hex]bool{} // by their own numbers: the unit must be able to stand there
	add := func(near int, hs ...hex.Hex) {
		for _, h := range hs {
			for _, n := range l.sc.Board.Grid.Within(h, near) {
				if !slices.Contains(all, n) {
					all = append(all, n)
				}
			}
		}
	}
	text, near := nearby(r.Text("hexes"))
	switch p := l.sc.Board.Named(text); {
	case p != nil:
		add(near, p.Hexes...)
	case l.regions[text] != nil:
		add(near, l.regions[text]...)
	default:
		for _, t := range r.Fields("hexes") {
			number, near := nearby(t)
			h, err := hex.Parse(number)
			if err != nil || !l.sc.Board.On(h) {
				r.Fault("hexes", "hex %s is not on the map", number)
				continue
			}
			named[h] = named[h] || near == 0
			add(near, h)
		}
	}
	out := make([]hex.Hex, 0, len(all))
	for _, h := range all {
		switch {
		case l.stands(c, h):
			out = append(out, h)
		case named[h]:
			r.Fault("hexes", "%s cannot stand on %v: %s", c.Name, h, strings.Join(l.sc.Board.Kinds(h), " and "))
		}
	}
	if i := slices.Index(out, first); i > 0 {
		out = slices.Insert(slices.Delete(out, i, i+1), 0, first)
	}
	return out
}

// nearby parts a place or hex from the number in brackets behind it.
func nearby(text string) (at string, near int) {
	if m := around.FindStringSubmatch(text); m != nil {
		near, _ = strconv.Atoi(m[2])
		return m[1], near
	}
	return text, 0
}

// victory reads supply, victory and the conditions of arrivals.
func (l *loader) victory() {
	sc, b := l.sc, l.sc.Board
	for _, s := range l.file.Sides {
		for _, e := range s.Edges {
			if b.MapEdge(e) == nil {
				l.fault(`"`+e+`"`, "%q is not an edge of the map", e)
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
			l.fault(`"`+string(t.Side)+`"`, "%q is not a side of the scenario", t.Side)
		case !slices.Contains([]string{winHold, winClear, winExit}, t.Kind):
			l.fault(`"`+t.Kind+`"`, `%q is neither "hold" nor "clear" nor "exit"`, t.Kind)
		case !slices.Contains([]string{whenMoment, whenTurn, whenEnd, whenEnemySupply}, t.When):
			l.fault(`"`+t.When+`"`, `%q is none of "moment", "turn", "end" and "enemy supply"`, t.When)
		case t.Kind == winHold:
			if t.Count < 1 || t.Count > len(s.Hexes) {
				l.fault("count", "%d of %d hexes", t.Count, len(s.Hexes))
			}
		}
		sc.Strategic = append(sc.Strategic, s)
	}
	for _, o := range l.file.Objectives {
		l.objective(o)
	}
	for _, c := range l.file.Conditions {
		if !l.side(c.Side) || c.Key == "" {
			l.fault(`"`+c.Key+`"`, "condition %q: a key and a side of the scenario are expected", c.Key)
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
