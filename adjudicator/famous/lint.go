package famous

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

var (
	_ adjudicator.Linter = System{}
	_ adjudicator.Lister = System{}
)

// Lint lists what is wrong with a scenario's files: what keeps it from loading, and
// of what loads whatever somebody should look at.
func (System) Lint(src table.Source, _ []string) []adjudicator.Finding {
	sc, err := Load(src)
	if err != nil {
		return faults(err)
	}
	l := &linter{src: src, sc: sc, s: sc.opening()}
	l.roads()
	l.rivers()
	l.begins()
	l.entries()
	l.expected()
	return l.out
}

// faults turns errors of the loader into findings.
func faults(err error) (out []adjudicator.Finding) {
	var many interface{ Unwrap() []error }
	if errors.As(err, &many) {
		for _, e := range many.Unwrap() {
			out = append(out, faults(e)...)
		}
		return out
	}
	var e *table.Error
	if errors.As(err, &e) {
		return []adjudicator.Finding{{File: e.File, Line: e.Line, Col: e.Col, Kind: "data", Why: e.Why}}
	}
	return []adjudicator.Finding{{Kind: "data", Why: err.Error()}}
}

// linter looks over a scenario that loads.
type linter struct {
	src table.Source
	sc  *Scenario
	s   *State
	out []adjudicator.Finding
}

// find notes a finding in a file, at the line that speaks of its subject.
func (l *linter) find(file, kind, subject, why string, a ...any) {
	path, text, err := l.src.Read(file)
	if err != nil {
		path = file
	}
	f := adjudicator.Finding{File: path, Kind: kind, Subject: subject, Why: fmt.Sprintf(why, a...)}
	f.Line = 1 + slices.IndexFunc(strings.Split(string(text), "\n"), func(line string) bool { return speaksOf(line, subject) })
	l.out = append(l.out, f)
}

// speaksOf tells whether a line of a table, no comment, has a word.
func speaksOf(line, word string) bool {
	if strings.HasPrefix(line, "#") {
		return false
	}
	return slices.Contains(strings.Fields(line), word)
}

// roads end at places, other roads, the edge of the map or a railway's end.
func (l *linter) roads() {
	ends := map[hex.Hex]int{}
	through := map[hex.Hex]bool{}
	for _, r := range l.sc.Board.Roads {
		for i, h := range r.Path {
			switch i {
			case 0, len(r.Path) - 1:
				ends[h]++
			default:
				through[h] = true
			}
		}
	}
	goesOn := func(h hex.Hex) bool { return through[h] || ends[h] > 1 }
	for _, r := range l.sc.Board.Roads {
		for _, h := range []hex.Hex{r.Path[0], r.Path[len(r.Path)-1]} {
			arrives := onEdge(l.sc.Board.Grid, h) || l.sc.Board.Place(h) != nil
			if !arrives && !goesOn(h) {
				l.find("roads.tsv", "road-end", h.String(), "road %s ends in the open", r.Name)
			}
		}
	}
	for _, b := range l.sc.Board.Bridges {
		if l.sc.Board.Road(b.Edge) == "" {
			l.find("bridges.tsv", "bridge-road", b.Edge.String(), "no road leads over the bridge")
		}
	}
}

// rivers are unbroken lines.
func (l *linter) rivers() {
	for _, r := range l.sc.Board.Rivers {
		for i, e := range r.Edges {
			if i > 0 && !follows(l.sc.Board.Grid, r.Edges[i-1], e) {
				l.find("hexsides.tsv", "river-gap", e.String(), "%s has a gap before %v", r.Name, e)
			}
		}
	}
}

// follows: the hexsides have a hex in common, or lie between the same two rows of hexes.
func follows(g hex.Grid, a, b hex.Edge) bool {
	if touches(a, b.A) || touches(a, b.B) {
		return true
	}
	return g.Adjacent(b.A, a.A) || g.Adjacent(b.B, a.B)
}

// begins: units begin where they can stand, in range of their headquarters and supplied.
func (l *linter) begins() {
	for n, side := range l.sc.Sides {
		src := sources{side: side, paths: l.s.supplyPaths(int8(n))}
		src.hqs = l.s.commanded(side, src.paths)
		for u := range l.s.onMap(side) {
			if ground := &l.sc.ground[u.idx]; ground.price[u.class()].Closed && !ground.major {
				l.find("setup.tsv", "closed-ground", u.ID, "%s begins on %v, closed to it", u.c.Name, u.Hex)
			}
			l.led(u, src)
		}
	}
}

// led: a unit that begins has its headquarters, in range and by a path.
func (l *linter) led(u *Unit, src sources) {
	hq := l.s.hq(src.side, u.c.Battalion)
	switch {
	case hq == nil && len(l.waiting(u)) == 0:
		l.find("setup.tsv", "no-headquarters", u.ID, "%s begins without its headquarters", u.c.Name)
	case hq != nil && !l.s.inRange(hq, u):
		l.find("setup.tsv", "range", u.ID, "%s on %v begins out of the range of its headquarters", u.c.Name, u.Hex)
	case !l.s.supplied(u, src):
		l.find("setup.tsv", "supply", u.ID, "%s on %v begins without supply", u.c.Name, u.Hex)
	}
}

func (l *linter) waiting(u *Unit) (out []string) {
	for v := range l.s.battalion(u.c.Side, u.c.Battalion) {
		if v.c.HQ && v.Where == Later {
			out = append(out, v.ID)
		}
	}
	return out
}

// entries: entry hexes lie on an edge, are open to vehicles and no enemy begins there.
func (l *linter) entries() {
	g := l.sc.Board.Grid
	for _, z := range l.sc.Board.Zones {
		for _, h := range z.Hexes {
			if !onEdge(g, h) {
				l.find("zones.tsv", "entry-inland", h.String(), "entry hex %s is not on an edge of the map", z.ID)
			}
			if l.sc.ground[g.Index(h)].price[Wheeled].Closed {
				l.find("zones.tsv", "entry-closed", h.String(), "entry hex %s is closed to wheels", z.ID)
			}
		}
	}
}

// expected takes out the findings that are meant to be so (expected.tsv of the
// scenario or its map), and finds lines there that fit nothing any more.
func (l *linter) expected() {
	for _, name := range []string{"expected.tsv", "expected-map.tsv"} {
		if _, _, err := l.src.Read(name); err != nil {
			continue
		}
		sheet, err := table.ReadSheet(l.src, name, "finding", "at", "clause", "source", "reason")
		if err != nil {
			l.out = append(l.out, faults(err)...)
			continue
		}
		for _, r := range sheet.Rows {
			n := len(l.out)
			l.out = slices.DeleteFunc(l.out, func(f adjudicator.Finding) bool {
				return f.Kind == r.Text("finding") && f.Subject == r.Text("at")
			})
			if len(l.out) == n {
				l.out = append(l.out, adjudicator.Finding{File: sheet.File, Line: r.Line, Kind: "expected", Subject: r.Text("at"), Why: "nothing like this is found any more"})
			}
		}
	}
}

// Counters implements adjudicator.Lister.
func (System) Counters(src table.Source) ([]adjudicator.Counted, error) {
	sc, err := Load(src)
	if err != nil {
		return nil, err
	}
	figures := map[string]string{}
	if sheet, err := table.ReadSheet(src, "kinds.tsv", "side", "kind", "source"); err == nil {
		for _, r := range sheet.Rows {
			figures[r.Text("side")+" "+r.Text("kind")] = r.Text("source")
		}
	}
	var out []adjudicator.Counted
	add := func(c *Counter) *adjudicator.Counted {
		v := c.Full
		out = append(out, adjudicator.Counted{Side: c.Side, Nation: nation(c.Side), Formation: c.Battalion, Unit: c.Name, Type: typeOf(c), Size: c.Size, Steps: c.Steps(), MaxSteps: c.Steps(),
			Attack: v.Attack, Defence: v.Defence, Move: v.Move, Fort: "none", When: "setup", Placed: "book", Figures: figures[string(c.Side)+" "+c.Kind]})
		return &out[len(out)-1]
	}
	for _, p := range sc.Setup {
		c := sc.counter(p.Counter)
		n := add(c)
		n.Entry = p.Area
		if p.Begins == beginsDepleted {
			n.Steps, n.Attack, n.Defence, n.Move = 1, c.Reduced.Attack, c.Reduced.Defence, c.Reduced.Move
		}
		if p.Default == hex.None {
			continue
		}
		n.Hex = p.Default.String()
		for _, g := range sc.Grants {
			if g.Side == c.Side && slices.Contains(g.Default, p.Default) {
				n.Fort = strings.TrimPrefix(n.Fort+", "+sc.Forts[g.Kind].Name, "none, ")
			}
		}
	}
	for _, a := range sc.Arrivals {
		n := add(sc.counter(a.Counter))
		b := sc.Track[a.Turn-1]
		n.When = fmt.Sprintf("%d-%02d-%02d %s", sc.Year, sc.Month, b.Day, b.Part.Name)
		if a.Condition != "" {
			n.When += " cond: " + sc.Condition.Text
		}
		n.Entry = strings.Join(a.Entry, " ")
	}
	return out, nil
}
