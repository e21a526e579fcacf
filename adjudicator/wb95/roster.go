package wb95

import (
	"cmp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/table"
)

// Counters implements adjudicator.Lister: the counters of a scenario in the order
// of its set-up and reinforcements.
func (System) Counters(src table.Source) ([]adjudicator.Counted, error) {
	sc, err := Load(src)
	if err != nil {
		return nil, err
	}
	figures, named := map[string]string{}, map[string]string{}
	s, err := table.ReadSheet(src, "counters.tsv", "id", "named", "figures")
	if err != nil {
		return nil, err
	}
	for _, r := range s.Rows {
		named[r.Text("id")], figures[r.Text("id")] = r.Text("named"), r.Text("figures")
	}
	opening := sc.opening()
	var out []adjudicator.Counted
	for _, file := range []string{"setup.tsv", "arrivals.tsv"} {
		if file == "arrivals.tsv" && len(sc.Arrivals) == 0 {
			break
		}
		s, err := table.ReadSheet(src, file, "counter", "source")
		if err != nil {
			return nil, err
		}
		for _, r := range s.Rows {
			u := opening.unit(r.Text("counter"))
			n := opening.counted(u)
			n.Figures = figures[u.ID]
			n.Placed = cmp.Or(r.Text("source"), "reconstruction")
			if named[u.ID] != "book" {
				n.Placed = "reconstruction" // the book's line stands for several counters, which we named
			}
			if file == "arrivals.tsv" {
				n.When = cmp.Or(dash(r, "date"), "cond: "+dash(r, "condition"))
			}
			out = append(out, n)
		}
	}
	return out, nil
}

// counted is a unit of the opening as a list shows it.
func (s *State) counted(u *Unit) adjudicator.Counted {
	v := s.ownUnit(u)
	n := adjudicator.Counted{Side: u.c.Side, Nation: v.Nation, Formation: v.Formation, Unit: v.Name, Type: v.Type, Size: v.Size,
		Steps: v.Steps, MaxSteps: v.MaxSteps, Attack: v.Attack, Defence: v.Defence, Move: v.Moves, Fort: "none", When: "setup"}
	if u.Where != OnMap {
		n.Entry = strings.Join(s.sc.arrival(u.ID).Entry, " or ")
		return n
	}
	n.Hex = u.Hex.String()
	if i := slices.IndexFunc(s.sc.Setup, func(p Placement) bool { return p.Counter == u.ID }); i >= 0 && s.sc.Setup[i].Fort != "" {
		n.Fort = string(s.sc.Setup[i].Fort)
	}
	return n
}
