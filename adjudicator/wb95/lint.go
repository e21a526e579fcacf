package wb95

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// The kinds of findings. Those of the map are the same for all its scenarios.
const (
	findFile    = "file"        // what Load refuses: unknown hexes, illegal terrain, missing places ...
	findStack   = "stack"       // a set-up over the stacking limit
	findSupply  = "supply"      // a unit without a line of supply at the start
	findVictory = "victory"     // an objective twice, or no way to win
	findArrival = "arrival"     // a unit that can never arrive
	findRoad    = "road-end"    // of the map: a road that ends nowhere
	findRiver   = "river-gap"   // of the map: a river that is broken or leads nowhere
	findZone    = "zone"        // of the map: a zone away from the edge, or two on one hex
	findCounter = "counter"     // of the map: a counter that no scenario uses
	findFord    = "ford"        // a note: a road through water without a bridge
	findOffRoad = "off-road"    // a note: a place without a road
	findDeclare = "declaration" // a line of an expected file that is not whole
	findStale   = "stale"       // a declared finding that is none any more
)

var (
	noted      = []string{findFord, findOffRoad}            // that are no faults
	undeclared = []string{findFile, findStale, findDeclare} // that nobody can declare as expected
)

// The files that declare findings as expected: a scenario's own, and its map's.
var expectedFiles = []string{"expected.tsv", "expected-map.tsv"}

// Lint implements adjudicator.Linter.
func (System) Lint(src table.Source, known []string) []adjudicator.Finding {
	sc, err := Load(src)
	l := &linter{src: src, sc: sc, steps: map[string]place{}}
	l.refused(err)
	if sc.Control != nil { // else the map could not be read
		l.roads()
		l.rivers()
		l.zones()
		l.places()
		l.counters(known)
		l.stacks()
		l.objectives()
		l.arrivals()
		if err == nil {
			l.supply()
		}
		l.expected(err == nil)
	}
	adjudicator.SortFindings(l.found)
	return l.found
}

// linter collects findings.
type linter struct {
	src   table.Source
	sc    *Scenario
	found []adjudicator.Finding
	steps map[string]place // rows of setup.tsv by counter
}

// place is where something is written.
type place struct {
	file      string
	line, col int
}

func (l *linter) add(p place, kind, subject, why string, a ...any) {
	l.found = append(l.found, adjudicator.Finding{File: p.file, Line: p.line, Col: p.col, Kind: kind, Subject: subject,
		Why: fmt.Sprintf(why, a...), Note: slices.Contains(noted, kind)})
}

// sheet reads a table for the places of its rows; nil if it cannot be read, which
// Load has told.
func (l *linter) sheet(name string) *table.Sheet {
	s, err := table.ReadSheet(l.src, name)
	if err != nil {
		return &table.Sheet{}
	}
	return s
}

// at is the place of a row's column.
func at(s *table.Sheet, r table.Row, column string) place {
	return place{s.File, r.Line, slices.Index(s.Columns, column) + 1}
}

// whole is the place of a file that no line is to blame for.
func (l *linter) whole(name string) place {
	path, _, err := l.src.Read(name)
	if err != nil {
		path = name
	}
	return place{path, 1, 0}
}

// written is the place where scenario.toml writes a value.
func (l *linter) written(value string) place {
	path, text, err := l.src.Read("scenario.toml")
	if err != nil {
		return place{file: "scenario.toml"}
	}
	for i, line := range strings.Split(string(text), "\n") {
		if col := strings.Index(line, value); col >= 0 && !strings.HasPrefix(line, "#") {
			return place{path, i + 1, col + 1}
		}
	}
	return place{path, 1, 0}
}

// refused turns what Load refuses into findings.
func (l *linter) refused(err error) {
	if err == nil {
		return
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			l.refused(e)
		}
		return
	}
	var e *table.Error
	if errors.As(err, &e) {
		l.add(place{e.File, e.Line, e.Col}, findFile, "", "%s", e.Why)
		return
	}
	l.add(l.whole("scenario.toml"), findFile, "", "%v", err)
}

// rim tells whether the hex lies at the edge of the map.
func (l *linter) rim(h hex.Hex) bool {
	for d := range hex.Dir(6) {
		if !l.sc.Board.On(l.sc.Board.Grid.Step(h, d)) {
			return true
		}
	}
	return false
}

// bridge tells whether the map or the scenario has a bridge on the hexside.
func (l *linter) bridge(e hex.Edge) bool {
	return l.sc.Board.Bridge(e) || slices.Contains(l.sc.Bridges, e)
}

// joins counts the neighbours that a road leads to from a hex.
func (l *linter) joins(h hex.Hex) (n int) {
	for _, to := range l.sc.Board.Grid.Neighbours(h) {
		if l.sc.Board.Road(hex.Between(h, to)) != "" {
			n++
		}
	}
	return n
}

// roads looks for ends that lead nowhere, and for water without a bridge.
func (l *linter) roads() {
	b, s := l.sc.Board, l.sheet("roads.tsv")
	for _, r := range s.Rows {
		path := hexesIn(r.Text("path"))
		if len(path) == 0 {
			continue // Load has told
		}
		ends := []hex.Hex{path[0], path[len(path)-1]}
		for _, end := range ends[:min(len(path), 2)] {
			if b.On(end) && l.nowhere(end) {
				l.add(at(s, r, "path"), findRoad, end.String(), "%s %q ends on %v: neither a place nor another road, a bridge or the edge of the map is there", r.Text("kind"), r.Text("name"), end)
			}
		}
		for i := 1; i < len(path); i++ {
			if e := hex.Between(path[i-1], path[i]); b.River(e) != "" && !l.bridge(e) {
				l.add(at(s, r, "path"), findFord, e.String(), "%q crosses the %s on %v without a bridge", r.Text("name"), b.River(e), e)
			}
		}
	}
}

// nowhere tells whether nothing is on the hex that a road would lead to.
func (l *linter) nowhere(h hex.Hex) bool {
	switch {
	case l.joins(h) >= 2, l.sc.Board.Place(h) != nil, l.rim(h):
		return false
	}
	return !slices.ContainsFunc(l.sc.Board.Grid.Neighbours(h), func(n hex.Hex) bool { return l.bridge(hex.Between(h, n)) })
}

// hexesIn reads the hexes of a field; what is no hex is left out.
func hexesIn(text string) []hex.Hex {
	var out []hex.Hex
	for _, t := range strings.Fields(text) {
		if h, err := hex.Parse(t); err == nil {
			out = append(out, h)
		}
	}
	return out
}

// corner is a corner of hexes: the two that share a hexside and the third.
type corner [3]hex.Hex

// corners are the two ends of a hexside.
func (l *linter) corners(e hex.Edge) (out []corner) {
	g := l.sc.Board.Grid
	d, ok := g.Direction(e.A, e.B)
	if !ok {
		return nil
	}
	for _, third := range []hex.Hex{g.Step(e.A, (d+5)%6), g.Step(e.A, (d+1)%6)} {
		c := corner{e.A, e.B, third}
		slices.Sort(c[:])
		out = append(out, c)
	}
	return out
}

// course is a river, or a piece of one: hexsides that hang together.
type course struct {
	edges []hex.Edge
	ends  map[corner]bool // all corners of its hexsides
}

// pieces sorts the hexsides of a river into courses that hang together, in the
// order in which they are written.
func (l *linter) pieces(edges []hex.Edge) []*course {
	var out []*course
	for _, e := range edges {
		one := &course{[]hex.Edge{e}, map[corner]bool{}}
		for _, c := range l.corners(e) {
			one.ends[c] = true
		}
		var rest []*course
		for _, c := range out {
			if !meet(c, one) {
				rest = append(rest, c)
				continue
			}
			one.edges = append(slices.Clone(c.edges), one.edges...)
			for k := range c.ends {
				one.ends[k] = true
			}
		}
		out = append(rest, one)
	}
	slices.SortStableFunc(out, func(a, b *course) int {
		return cmp.Compare(slices.Index(edges, a.edges[0]), slices.Index(edges, b.edges[0]))
	})
	return out
}

func meet(a, b *course) bool {
	for k := range b.ends {
		if a.ends[k] {
			return true
		}
	}
	return false
}

// rivers looks for gaps, and for rivers that flow nowhere.
func (l *linter) rivers() {
	all := map[string]*course{}
	for _, r := range l.sc.Board.Rivers {
		c := &course{r.Edges, map[corner]bool{}}
		for _, e := range r.Edges {
			for _, k := range l.corners(e) {
				c.ends[k] = true
			}
		}
		all[r.Name] = c
	}
	rows := l.sheet("hexsides.tsv")
	where := func(name string, e hex.Edge) place {
		for _, r := range rows.Rows {
			if r.Text("name") == name && slices.Contains(strings.Fields(strings.ReplaceAll(r.Text("hexsides"), "-", "/")), e.String()) {
				return at(rows, r, "hexsides")
			}
		}
		return l.whole("hexsides.tsv")
	}
	for _, r := range l.sc.Board.Rivers {
		ps := l.pieces(r.Edges)
		if len(ps) == 0 {
			continue
		}
		for i, p := range ps[1:] {
			before := ps[i].edges
			// A river may leave the map and come back.
			if last := before[len(before)-1]; !l.leaves(last) || !l.leaves(p.edges[0]) {
				l.add(where(r.Name, p.edges[0]), findRiver, r.Name, "%s has a gap: %v does not join %v, nor any hexside before it", r.Name, p.edges[0], last)
			}
		}
		if !slices.ContainsFunc(r.Edges, l.leaves) && !meetsAny(all, r.Name, ps) {
			l.add(where(r.Name, r.Edges[len(r.Edges)-1]), findRiver, r.Name, "%s neither leaves the map nor meets other water", r.Name)
		}
	}
}

// meetsAny tells whether a piece of the river meets another one.
func meetsAny(all map[string]*course, river string, pieces []*course) bool {
	for name, c := range all {
		if name == river {
			continue
		}
		if slices.ContainsFunc(pieces, func(p *course) bool { return meet(c, p) }) {
			return true
		}
	}
	return false
}

// leaves tells whether the water reaches the edge of the map on the hexside.
func (l *linter) leaves(e hex.Edge) bool {
	for _, k := range l.corners(e) {
		if slices.ContainsFunc(k[:], func(h hex.Hex) bool { return !l.sc.Board.On(h) }) {
			return true
		}
	}
	return false
}

// zones looks for zones away from the edge and for hexes of two zones.
func (l *linter) zones() {
	s, taken := l.sheet("zones.tsv"), map[hex.Hex]string{}
	for _, r := range s.Rows {
		id := r.Text("zone")
		for _, h := range hexesIn(r.Text("hexes")) {
			if l.sc.Board.On(h) && !l.rim(h) {
				l.add(at(s, r, "hexes"), findZone, id, "%v of zone %s is not at the edge of the map", h, id)
			}
			if taken[h] != "" {
				l.add(at(s, r, "hexes"), findZone, id, "%v is in the zones %s and %s", h, taken[h], id)
			}
			taken[h] = id
		}
	}
}

// places notes places that no road leads to.
func (l *linter) places() {
	s := l.sheet("places.tsv")
	for _, r := range s.Rows {
		if hs := hexesIn(r.Text("hexes")); len(hs) > 0 && !slices.ContainsFunc(hs, func(h hex.Hex) bool { return l.joins(h) > 0 }) {
			l.add(at(s, r, "hexes"), findOffRoad, r.Text("name"), "no road leads to %s", r.Text("name"))
		}
	}
}

// counters looks for counters that no scenario uses.
func (l *linter) counters(known []string) {
	s := l.sheet("counters.tsv")
	for _, r := range s.Rows {
		id, used := r.Text("id"), r.List("scenarios")
		for _, sc := range used {
			if known != nil && !slices.Contains(known, sc) {
				l.add(at(s, r, "scenarios"), findCounter, id, "there is no scenario %q on this map", sc)
			}
		}
		if len(used) == 0 {
			l.add(at(s, r, "scenarios"), findCounter, id, "no scenario uses %s", id)
		}
	}
}

// stacks looks for set-ups over the limit.
func (l *linter) stacks() {
	s := l.sheet("setup.tsv")
	for _, r := range s.Rows {
		l.steps[r.Text("counter")] = at(s, r, "default")
	}
	steps, last := map[hex.Hex]int{}, map[hex.Hex]string{}
	for _, p := range l.sc.Setup {
		i, _ := slices.BinarySearchFunc(l.sc.Counters, p.Counter, func(c Counter, id string) int { return strings.Compare(c.ID, id) })
		h := p.Hexes[0]
		steps[h] += l.sc.Counters[i].Steps() - p.Losses
		last[h] = p.Counter
	}
	for h, n := range steps {
		if n > stackLimit {
			l.add(l.steps[last[h]], findStack, h.String(), "%d steps begin on %v, the limit is %d", n, h, stackLimit)
		}
	}
}

// objectives looks for hexes that count twice and for games that nobody can win.
func (l *linter) objectives() {
	seen := map[hex.Hex]bool{}
	for _, o := range l.sc.Objectives {
		if seen[o.Hex] {
			p := l.written(`"` + o.Hex.String() + `"`)
			if p.col == 0 {
				p = l.written(`"` + o.Name + `"`)
			}
			l.add(p, findVictory, o.Hex.String(), "%v counts twice among the objectives", o.Hex)
		}
		seen[o.Hex] = true
	}
	if len(l.sc.Objectives)+len(l.sc.Strategic) == 0 {
		l.add(l.whole("scenario.toml"), findVictory, "", "neither side has anything to win: no objective, no strategic victory")
	}
}

// supply looks for units that begin without a line.
func (l *linter) supply() {
	s := l.sc.opening()
	for _, side := range l.sc.Sides {
		lines := s.linesOfSupply(side)
		for _, u := range s.onMap(side) {
			if !lines.reaches(u) {
				l.add(l.steps[u.ID], findSupply, u.ID, "%s on %v begins out of supply", u.c.Name, u.Hex)
			}
		}
	}
}

// arrivals looks for units that can never arrive. (Load refuses dates outside of
// the game.)
func (l *linter) arrivals() {
	s, sc := l.sheet("arrivals.tsv"), l.sc
	waiting := map[string]int{}
	for _, r := range s.Rows {
		id := r.Text("counter")
		a := sc.arrival(id)
		i, ok := slices.BinarySearchFunc(sc.Counters, id, func(c Counter, id string) int { return strings.Compare(c.ID, id) })
		if !ok {
			continue
		}
		c := &sc.Counters[i]
		if !slices.ContainsFunc(a.Entry, func(e string) bool { return e == anyTown || l.enters(c, e) }) {
			l.add(at(s, r, "entry"), findArrival, id, "%s cannot come on to the map at %s: the ground is closed to it, or too dear for its movement points", c.Name, strings.Join(a.Entry, " or "))
		}
		if a.When == "" {
			continue
		}
		// One unit a turn, from the turn after the condition comes true.
		if waiting[a.When]++; waiting[a.When] > sc.Turns-1 {
			l.add(at(s, r, "condition"), findArrival, id, "%s is number %d of those that wait for %q, and one a turn comes in %d turns", c.Name, waiting[a.When], a.When, sc.Turns)
		}
	}
}

// enters tells whether a counter can come on to the map by the entry and go on.
func (l *linter) enters(c *Counter, e string) bool {
	sc, net, row := l.sc, l.sc.network(), rowOf(c)
	hexes, zone := []hex.Hex(nil), sc.Board.Zone(e)
	switch p := sc.Board.Named(e); {
	case zone != nil:
		hexes = zone.Hexes
	case p != nil:
		hexes = p.Hexes
	default:
		hexes = hexesIn(e)
	}
	return slices.ContainsFunc(hexes, func(h hex.Hex) bool {
		i := sc.Board.Grid.Index(h)
		price := Cost(net.entry[row][i])
		if price == Closed || zone != nil && price > c.Moves {
			return false
		}
		return c.Moves == 0 || slices.ContainsFunc(net.over[row][i][:], func(p int16) bool { return p != closed && p > 0 })
	})
}

// expected takes out the findings that the scenario and its map declare, and adds
// declarations that fit nothing if all was looked at.
func (l *linter) expected(all bool) {
	for _, name := range expectedFiles {
		s, err := table.ReadSheet(l.src, name, "finding", "at", "clause", "source", "reason")
		if err != nil {
			continue // there need be none
		}
		for _, err := range s.Errors() {
			l.refused(err)
		}
		for _, r := range s.Rows {
			kind, subject := r.Text("finding"), r.Text("at")
			for _, column := range []string{"clause", "reason"} {
				if t := r.Text(column); t == "" || t == "-" {
					l.add(at(s, r, column), findDeclare, subject, "a declared finding wants a %s", column)
				}
			}
			n := len(l.found)
			if !slices.Contains(undeclared, kind) {
				l.found = slices.DeleteFunc(l.found, func(f adjudicator.Finding) bool { return f.Kind == kind && f.Subject == subject })
			}
			if len(l.found) == n && all {
				l.add(at(s, r, "finding"), findStale, subject, "%s of %s is declared here, but there is no such finding (any more)", kind, subject)
			}
		}
	}
}
