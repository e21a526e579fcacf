package steppe

import (
	"errors"
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

var (
	_ adjudicator.Linter = System{}
	_ adjudicator.Lister = System{}
)

// Lint lists what is wrong with a scenario's files: what keeps it from loading, and of
// what loads whatever somebody should look at.
func (System) Lint(src table.Source, _ []string) []adjudicator.Finding {
	sc, err := Load(src)
	l := &linter{src: src, sc: sc}
	if err != nil {
		l.refused(err)
		return l.found
	}
	l.stacks()
	l.supply()
	l.places()
	l.entries()
	l.rivers()
	adjudicator.SortFindings(l.found)
	return l.found
}

// linter collects findings.
type linter struct {
	src   table.Source
	sc    *Scenario
	found []adjudicator.Finding
}

// refused turns what Load refuses into findings.
func (l *linter) refused(err error) {
	var many interface{ Unwrap() []error }
	if errors.As(err, &many) {
		for _, e := range many.Unwrap() {
			l.refused(e)
		}
		return
	}
	f := adjudicator.Finding{Kind: "file", Why: err.Error()}
	var e *table.Error
	if errors.As(err, &e) {
		f = adjudicator.Finding{File: e.File, Line: e.Line, Col: e.Col, Kind: "file", Why: e.Why}
	}
	l.found = append(l.found, f)
}

// find records a finding at the line of a file that speaks of the subject.
func (l *linter) find(file, kind, subject, why string, a ...any) {
	path, text, err := l.src.Read(file)
	if err != nil {
		path = file
	}
	f := adjudicator.Finding{File: path, Kind: kind, Subject: subject, Why: fmt.Sprintf(why, a...), Line: 1}
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "#") && strings.Contains("\t"+line+"\t", "\t"+subject+"\t") {
			f.Line = i + 1
			break
		}
	}
	l.found = append(l.found, f)
}

// stacks: no hex of the set-up holds more than it may.
func (l *linter) stacks() {
	s := l.sc.opening()
	for i := range s.at.slot {
		if n := s.load(i); n > stackLimit {
			l.find("setup.tsv", "stack", s.hexAt(i).String(), "%d steps begin here, %d may stand in a hex", n, stackLimit)
		}
	}
}

// supply: units begin with a supply path. Those that do not are notes: a scenario may
// begin with units cut off.
func (l *linter) supply() {
	s := l.sc.opening()
	for _, side := range l.sc.sides() {
		reach := s.supplied(side)
		for _, u := range s.sideUnits(side) {
			if !reach[s.ix(u.Hex)] {
				l.find("setup.tsv", "supply", u.ID, "%s begins on %v without a supply path", u.c.Name, u.Hex)
				l.found[len(l.found)-1].Note = true
			}
		}
	}
}

// places: towns and cities on the map have names, and objectives are places.
func (l *linter) places() {
	b := l.sc.Board
	for i, is := range l.sc.land.place {
		if h := b.Grid.At(i); is && b.Place(h) == nil {
			l.find("map.txt", "nameless", h.String(), "a %s without a name in places.tsv", b.Kinds(h)[0])
		}
	}
	for _, o := range l.sc.Objectives {
		if p := b.Place(o.Hex); p == nil || !strings.EqualFold(p.Name, o.Name) {
			l.find("objectives.tsv", "victory", o.Hex.String(), "%s is not the place of that hex", o.Name)
		}
	}
}

// entries: entry hexes lie on an edge of the map, and no hex belongs to two zones.
func (l *linter) entries() {
	seen := map[string]string{}
	for _, z := range l.sc.Zones {
		for _, h := range z.Hexes {
			if !edgeOfMap(l.sc.Board.Grid, h) {
				l.find("zones.tsv", "zone", z.ID, "entry hex %v is not on an edge of the map", h)
			}
			if was := seen[h.String()]; was != "" {
				l.find("zones.tsv", "zone", z.ID, "%v belongs to %s as well", h, was)
			}
			seen[h.String()] = z.ID
		}
	}
}

// rivers: each hexside of a river touches the one before it, or the river leaves the map
// between them.
func (l *linter) rivers() {
	g := l.sc.Board.Grid
	for _, r := range l.sc.Board.Rivers {
		for i := 1; i < len(r.Edges); i++ {
			a, b := r.Edges[i-1], r.Edges[i]
			if touch(g, a, b) || leavesMap(g, a) && leavesMap(g, b) {
				continue
			}
			l.find("hexsides.tsv", "river-gap", b.String(), "%s has a gap between %v and %v", r.Name, a, b)
		}
	}
}

// leavesMap tells whether a hexside lies on the edge of the map.
func leavesMap(g hex.Grid, e hex.Edge) bool { return edgeOfMap(g, e.A) || edgeOfMap(g, e.B) }

// touch tells whether two hexsides meet in a corner: they are sides of one hex, and the
// hexes across are adjacent.
func touch(g hex.Grid, a, b hex.Edge) bool {
	for _, x := range [][2]hex.Hex{{a.A, a.B}, {a.B, a.A}} {
		for _, y := range [][2]hex.Hex{{b.A, b.B}, {b.B, b.A}} {
			if x[0] == y[0] && g.Adjacent(x[1], y[1]) {
				return true
			}
		}
	}
	return false
}

// Counters implements adjudicator.Lister: the counters of a scenario in the order of its
// set-up and reinforcements.
func (System) Counters(src table.Source) ([]adjudicator.Counted, error) {
	sc, err := Load(src)
	if err != nil {
		return nil, err
	}
	figures := map[string]string{}
	list, err := table.ReadSheet(src, "counters.tsv", "id", "figures")
	if err != nil {
		return nil, err
	}
	for _, r := range list.Rows {
		figures[r.Text("id")] = r.Text("figures")
	}
	s := sc.opening()
	var out []adjudicator.Counted
	for _, file := range []string{"setup.tsv", "arrivals.tsv"} {
		rows, err := table.ReadSheet(src, file, "counter", "source")
		if err != nil {
			return nil, err
		}
		for _, r := range rows.Rows {
			u := s.unit(r.Text("counter"))
			if u == nil || r.Text("struck") == "struck" || r.Text("used") == "no" {
				continue
			}
			v := s.ownUnit(u)
			n := adjudicator.Counted{Side: u.c.Side, Nation: v.Nation, Formation: v.Formation, Unit: v.Name,
				Type: v.Type, Size: v.Size, Steps: v.Steps, MaxSteps: v.MaxSteps, Attack: v.Attack, Defence: v.Defence,
				Move: v.Moves, Fort: "none", When: "setup", Placed: r.Text("source"), Figures: figures[u.ID]}
			if u.Where == OnMap {
				n.Hex = u.Hex.String()
			} else {
				n.When, n.Entry = fmt.Sprintf("turn %d", u.Due), r.Text("zone")
			}
			out = append(out, n)
		}
	}
	return out, nil
}
