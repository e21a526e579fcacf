package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// counters reads what is printed by kind, and which counters there are.
//
// GD 18.4/4
func (l *loader) counters() {
	kinds := map[string]Counter{}
	for _, r := range l.Rows("kinds.tsv", "side", "kind", "class", "size", "full", "depleted", "artillery", "direct", "activation", "marks") {
		c := Counter{Side: Side(r.Text("side")), Kind: r.Text("kind"), Size: r.OneOf("size", "P", "C", "B", "D"), Artillery: r.Int("artillery"), Direct: r.Int("direct"), Command: r.Int("activation")}
		c.Class = Class(max(0, slices.Index(classNames[:], r.OneOf("class", classNames[:]...))))
		c.Full = l.values(r, "full")
		if r.Text("depleted") != "-" {
			c.TwoSteps, c.Reduced = true, l.values(r, "depleted")
		}
		l.marks(r, &c)
		if c.Artillery > 0 && c.TwoSteps {
			r.Fault("depleted", "the reverse of artillery shows that it has fired: it has one step")
		}
		if c.HQ != (c.Command > 0) {
			r.Fault("activation", "headquarters and no others have an activation range")
		}
		kinds[string(c.Side)+" "+c.Kind] = c
	}
	names := map[string]bool{}
	for _, r := range l.Rows("counters.tsv", "id", "name", "side", "battalion", "kind") {
		c, ok := kinds[r.Text("side")+" "+r.Text("kind")]
		if !ok {
			r.Fault("kind", "%q is not a kind of unit of the %s in kinds.tsv", r.Text("kind"), r.Text("side"))
			continue
		}
		if !l.side(c.Side) {
			r.Fault("side", "%q is not a side of the scenario", c.Side)
		}
		c.ID, c.Name, c.Battalion, c.side = r.Text("id"), r.Text("name"), r.Text("battalion"), int8(l.sc.number(c.Side))
		of := string(c.Side) + c.Name
		if names[of] || names[c.ID] {
			r.Fault("name", "%q stands twice", c.Name)
		}
		names[of], names[c.ID] = true, true
		c.face = c.card()
		l.sc.Counters = append(l.sc.Counters, c)
	}
	slices.SortFunc(l.sc.Counters, func(a, b Counter) int { return strings.Compare(a.ID, b.ID) })
	l.sc.enroll()
}

// marks reads what else is printed on a counter.
func (l *loader) marks(r table.Row, c *Counter) {
	for _, m := range r.List("marks") {
		switch m {
		case "hq":
			c.HQ = true
		case "division":
			c.Division = true
		case "engineer":
			c.Engineer = true
		case "brummbar":
			// reading GD 16.0: the Brummbär of the engineer battalion is an assault gun and no
			// engineer (switch brummbar_engineer).
			c.Engineer = l.sc.Switches.BrummbarEngineer
		case "raft":
			c.Raft = true
		case "AA":
			c.AA = 2
		case "Lt AA":
			c.AA = 3
		case "flak":
			c.Flak = true
		case "ersatz":
			c.Ersatz = true
		default:
			r.Fault("marks", "%q is not a mark of a counter", m)
		}
	}
}

// capitals prepares the names by which orders call the counter.
func (c *Counter) capitals() {
	c.upper = strings.ToUpper(c.Name)
	c.base, _, _ = strings.Cut(c.upper, "/")
}

// values reads attack-defence-movement such as 2-9-8.
func (l *loader) values(r table.Row, column string) Values {
	parts := strings.Split(r.Text(column), "-")
	wrong := len(parts) != 3
	var n [3]int
	for i := range min(len(parts), 3) {
		k, err := strconv.Atoi(parts[i])
		if err != nil {
			wrong = true
		}
		n[i] = k
	}
	if wrong {
		r.Fault(column, "%q is not attack-defence-movement, such as 4-6-8", r.Text(column))
	}
	return Values{n[0], n[1], n[2]}
}

// setup reads where units may begin.
func (l *loader) setup() {
	stack := map[hex.Hex]int{}
	holder := map[hex.Hex]Side{}
	for _, r := range l.Rows("setup.tsv", "counter", "area", "default", "begins") {
		c := l.sc.counter(r.Text("counter"))
		if c == nil {
			r.Fault("counter", "no counter %q", r.Text("counter"))
			continue
		}
		p := Placement{Counter: c.ID, Area: r.Text("area"), Default: r.Hex("default"), Begins: beginning(r.OneOf("begins", "depleted", "road", "-"))}
		if p.Begins == "-" {
			p.Begins = ""
		}
		if p.Begins == beginsDepleted && !c.TwoSteps {
			r.Fault("begins", "%s has one step and cannot begin depleted", c.Name)
		}
		if p.Area == "off map" {
			if !l.offMap(c) || p.Default != hex.None {
				r.Fault("area", "scenario.toml has no such artillery off the map")
			}
			l.sc.Setup = append(l.sc.Setup, p)
			continue
		}
		var why string
		if p.Hexes, why = l.area(p.Area); why != "" {
			r.Fault("area", "%s", why)
		}
		l.sc.Setup = append(l.sc.Setup, p)
		if !slices.Contains(p.Hexes, p.Default) {
			r.Fault("default", "%v is not %s", p.Default, p.Area)
			continue
		}
		if stack[p.Default] += p.size(c); stack[p.Default] > l.sc.stackLimit(l.sc.Board.Grid.Index(p.Default)) {
			r.Fault("default", "%v holds more than the stacking limit", p.Default)
		}
		if cmp.Or(holder[p.Default], c.Side) != c.Side {
			r.Fault("default", "%v holds an enemy unit", p.Default)
		}
		holder[p.Default] = c.Side
	}
}

// offMap: scenario.toml has artillery of the counter's battalion beside the map.
func (l *loader) offMap(c *Counter) bool {
	return l.sc.Off.Side == c.Side && l.sc.Off.Battalion == c.Battalion
}

// size is what the unit counts for stacking when it begins, in halves.
func (p Placement) size(c *Counter) int {
	switch {
	case c.Division:
		return 0
	case p.Begins == beginsDepleted:
		return 1
	}
	return 2
}

// area reads "within 3 of X", "within 2 of entry E", "in X", "at X", "at 2743"
// and the name of a region.
//
// GD 17.0/2
func (l *loader) area(text string) (out []hex.Hex, why string) {
	if r := l.regions[text]; r != nil {
		return r, ""
	}
	b := l.sc.Board
	spot := func(name string) ([]hex.Hex, string) {
		if z, ok := strings.CutPrefix(name, "entry "); ok {
			if zone := b.Zone(z); zone != nil {
				return zone.Hexes, ""
			}
			return nil, fmt.Sprintf("no entry hex %q", z)
		}
		if h, err := hex.Parse(name); err == nil {
			if !b.On(h) {
				return nil, fmt.Sprintf("hex %v is not on the map", h)
			}
			return []hex.Hex{h}, ""
		}
		if p := b.Named(name); p != nil {
			return p.Hexes, ""
		}
		return nil, fmt.Sprintf("no place %q", name)
	}
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "in":
		out, why = spot(rest)
		out = slices.Clone(out)
	case "at":
		if out, why = spot(rest); why == "" {
			out = []hex.Hex{out[0]}
		}
	case "within":
		count, name, _ := strings.Cut(rest, " of ")
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return nil, fmt.Sprintf("%q is not a distance", count)
		}
		var from []hex.Hex
		if from, why = spot(name); why != "" {
			return nil, why
		}
		for _, h := range b.Grid.Within(from[0], n) {
			if b.On(h) {
				out = append(out, h)
			}
		}
	default:
		return nil, fmt.Sprintf("%q is not an area: within 3 of X, in X, at X and regions are", text)
	}
	slices.Sort(out)
	return out, why
}

// oneForAll stands between entries of which a battalion takes one for all of its units.
const oneForAll = "|"

// arrivals reads the reinforcements.
//
// GD 17.0/3: by their letters and times
func (l *loader) arrivals() {
	for _, r := range l.Rows("arrivals.tsv", "counter", "entry", "time", "condition") {
		c := l.sc.counter(r.Text("counter"))
		if c == nil {
			r.Fault("counter", "no counter %q", r.Text("counter"))
			continue
		}
		// GD 18.4/3: some battalions come by the one or the other entry
		// GD 18.4/9: as a whole
		a := Arrival{Counter: c.ID, Together: strings.Contains(r.Text("entry"), oneForAll)}
		a.Entry = strings.Fields(strings.ReplaceAll(r.Text("entry"), oneForAll, " "))
		for _, z := range a.Entry {
			if l.sc.Board.Zone(z) == nil {
				r.Fault("entry", "no entry hex %q", z)
			}
		}
		if len(a.Entry) == 0 {
			r.Fault("entry", "no entry hex")
		}
		for i, t := range l.sc.Track {
			if fmt.Sprintf("%d %s", t.Day, t.Part.Name) == r.Text("time") {
				a.Turn = i + 1
			}
		}
		if a.Turn == 0 {
			r.Fault("time", "%q is not on the turn track", r.Text("time"))
		}
		if k := r.Text("condition"); k != "-" {
			if a.Condition = k; k != l.sc.Condition.Key {
				r.Fault("condition", "scenario.toml has no condition %q", k)
			}
		}
		if _, twice := l.sc.arrival[c.ID]; twice {
			r.Fault("counter", "%s arrives twice", c.Name)
		}
		l.sc.arrival[c.ID] = len(l.sc.Arrivals)
		l.sc.Arrivals = append(l.sc.Arrivals, a)
	}
}

// unplaced finds counters that are placed nowhere or twice.
func (l *loader) unplaced() {
	used := map[string]int{}
	for _, p := range l.sc.Setup {
		used[p.Counter]++
	}
	for _, a := range l.sc.Arrivals {
		used[a.Counter]++
	}
	for _, c := range l.sc.Counters {
		if used[c.ID] != 1 {
			l.fault("id", "counter %s is placed %d times by set-up and arrivals, not once", c.ID, used[c.ID])
		}
	}
}

// victory reads what makes points.
func (l *loader) victory() {
	for _, p := range l.file.Objectives {
		o := Objective{Name: p.Name, Hexes: l.places(p), Points: p.Points, Count: p.Count, Each: p.Each}
		if !o.Each && o.Count == 0 {
			o.Count = len(o.Hexes)
		}
		if o.Count > len(o.Hexes) {
			l.fault(p.Name, "%s has %d hexes, not %d", p.Name, len(o.Hexes), o.Count)
		}
		l.sc.Objectives = append(l.sc.Objectives, o)
	}
	for _, p := range l.file.Penalties {
		l.sc.Objectives = append(l.sc.Objectives, Objective{Name: p.Name, Hexes: l.places(p), Points: p.Points, Each: true, Enemy: true})
	}
	l.sc.Exits, l.sc.Beside = l.roadPoints(l.file.Exits), l.roadPoints(l.file.Beside)
	for i, g := range l.file.Grades {
		falls := i == 0 || g.Points < l.file.Grades[i-1].Points
		if !falls || !l.sideOrDraw(g.Winner) {
			l.fault("[[grade]]", "grades fall from the best, each with a side or \"\" for a draw")
		}
		l.sc.Grades = append(l.sc.Grades, Grade(g))
	}
	if len(l.sc.Grades) == 0 {
		l.fault("scorer", "no grade says who wins")
	}
}

func (l *loader) sideOrDraw(s Side) bool { return s == "" || l.side(s) }

// places are the hexes that make points: those that are listed, and those of a place.
func (l *loader) places(p placeTable) []hex.Hex {
	out := p.Hexes
	if p.Place != "" {
		place := l.sc.Board.Named(p.Place)
		if place == nil {
			l.fault(p.Place, "no place %q", p.Place)
			return nil
		}
		out = append(out, place.Hexes...)
	}
	for _, h := range out {
		if !l.sc.Board.On(h) {
			l.fault(h.String(), "hex %v is not on the map", h)
		}
	}
	if len(out) == 0 || p.Points == 0 {
		l.fault(p.Name, "%s needs hexes and points", p.Name)
	}
	return out
}

// roadPoints reads points that need free roads.
func (l *loader) roadPoints(list []roadTable) (out []RoadPoints) {
	for _, r := range list {
		for _, z := range slices.Concat(r.Zones, r.RoadsTo) {
			if l.sc.Board.Zone(z) == nil {
				l.fault("roads_to", "no entry hex %q", z)
			}
		}
		if r.Points == 0 || !l.side(r.Side) {
			l.fault("roads_to", "a side and points are expected")
		}
		out = append(out, RoadPoints(r))
	}
	return out
}

// grants reads the fortification chits of the set-up.
func (l *loader) grants() {
	for _, f := range l.file.Forts {
		g := FortGrant{Side: f.Side, Kind: l.sc.fortKind(f.Kind), With: f.With, Default: f.Default, Face: hex.Dir(f.Face - 1)}
		switch {
		case g.Kind < 0:
			l.fault(f.Kind, "%q is not a fortification", f.Kind)
			continue
		case !l.side(f.Side), f.Face < 1, f.Face > 6:
			l.fault(f.Kind, "a side and a face of 1 to 6 are expected")
		}
		for _, name := range f.With {
			named := func(c Counter) bool { return c.Side == f.Side && c.Name == name }
			if !slices.ContainsFunc(l.sc.Counters, named) {
				l.fault(name, "no unit %q of the %s", name, f.Side)
			}
		}
		for i, h := range f.Default {
			if slices.Index(f.Default, h) != i {
				l.fault(h.String(), "two %s on %v", f.Kind, h)
			}
			fits := func(p Placement) bool { return p.Default == h && g.with(l.sc.counter(p.Counter)) }
			if !slices.ContainsFunc(l.sc.Setup, fits) {
				l.fault(h.String(), "no unit that may have a %s begins on %v", f.Kind, h)
			}
		}
		l.sc.Grants = append(l.sc.Grants, g)
	}
}
