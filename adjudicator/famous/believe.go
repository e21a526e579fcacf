package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// believe builds the position that a side knows from its View. Enemy stacks that
// it cannot inspect are what it remembers of them, or a phantom.
func (sc *Scenario) believe(v *view.View) (*State, error) {
	s := &State{Format: stateFormat, Turn: v.Turn, Phase: 2, Weather: sc.weatherDie(v.Fact("weather")), sc: sc,
		Pool: make([]int, len(sc.Events)), Verdict: v.Verdict, Winner: Side(v.Winner)}
	if v.Turn == 0 {
		s.Turn, s.Phase = 1, setUpStep
	}
	placed := v.Fact(placedFact) != ""
	s.Placed, s.HalfPlaced = placed && v.Turn > 0, placed && v.Turn == 0
	if !sc.fitsView(v) {
		return nil, fmt.Errorf("the view does not fit %s", sc.ID)
	}
	s.believeCup(v)
	s.believeControl(v.Control)
	here := map[string]bool{}
	s.Units = make([]Unit, 0, len(sc.Counters))
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost} {
		for i := range list {
			x := &list[i]
			u, err := sc.believeOwn(x)
			if err != nil {
				return nil, err
			}
			here[u.ID] = true
			s.Units = append(s.Units, u)
			if slices.Contains(x.Marks, markSilent) && !slices.Contains(s.Quiet, u.key()) {
				s.Quiet = append(s.Quiet, u.key())
			}
			if sc.released(&u, x) {
				s.Opened = true
			}
		}
	}
	foe := sc.Other(Side(v.Side))
	for _, st := range v.Enemy {
		if !sc.Board.On(st.Hex) {
			return nil, fmt.Errorf("the view has the enemy on %v, off the map", st.Hex)
		}
		s.Units = append(s.Units, sc.believeStack(foe, st, here)...)
	}
	slices.SortFunc(s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	s.believeGround(v)
	s.believeAssets(v)
	for _, text := range v.Programmes {
		s.believeFiled(Side(v.Side), text)
	}
	s.index()
	s.leads = v.Leads
	return s, nil
}

// fitsView tells whether a View can be one of this scenario.
func (sc *Scenario) fitsView(v *view.View) bool {
	if v.Turn < 0 || v.Turn > len(sc.Track) {
		return false
	}
	return len(v.Control) == sc.Board.Grid.RowMax-sc.Board.Grid.RowMin+1
}

// released tells whether a reinforcement that a View lists shows that the condition for it
// is met: its date waits for none any more.
func (sc *Scenario) released(u *Unit, x *view.Unit) bool {
	k, ok := sc.arrival[u.ID]
	if !ok || u.Where != Later {
		return false
	}
	waits := x.Waits || strings.Contains(x.Due, " if ") // in a view that was mailed before there was a field for it
	return sc.Arrivals[k].Condition != "" && !waits
}

// believeCup takes the chits that are in the cup and those that were played.
func (s *State) believeCup(v *view.View) {
	if v.Chits != nil {
		for _, g := range v.Chits.Groups {
			for _, bn := range g.Own {
				s.Cup = append(s.Cup, chitKey(Side(g.Side), bn))
			}
		}
		for _, c := range v.Chits.Played {
			s.Done = append(s.Done, chitKey(Side(c.Side), c.Name))
		}
	}
	slices.Sort(s.Cup)
}

// believeControl takes who held each hex last from the rows of a View.
func (s *State) believeControl(rows []string) {
	g := s.sc.Board.Grid
	last := []byte(strings.Repeat(string(noSideMark), g.Len()))
	for r, row := range rows {
		for c := range len(row) {
			for k, side := range s.sc.Sides {
				if row[c] == side[0] {
					last[g.Index(hex.New(c+g.ColMin, r+g.RowMin))] = sideMarks[k]
				}
			}
		}
	}
	s.Last = last
}

// believeGround takes fortifications, blown bridges and pontoons.
func (s *State) believeGround(v *view.View) {
	for _, f := range v.Forts {
		if k := s.sc.fortKind(f.Kind); k >= 0 {
			s.Forts = append(s.Forts, Fort{f.Hex, k, hex.Dir(max(0, f.Face-1)), Side(f.Side)})
		}
	}
	for _, b := range v.Bridges {
		if !b.Stands {
			s.Blown = append(s.Blown, b.Edge)
		}
	}
	for _, p := range v.Pontoons {
		s.Pontoons = append(s.Pontoons, Pontoon{p.Edge, p.Hex, p.Done, Side(p.Side)})
	}
}

// believeAssets takes the side's own event chits.
func (s *State) believeAssets(v *view.View) {
	for _, a := range v.Assets {
		c := &s.Events[s.sc.number(Side(v.Side))]
		switch a.Kind {
		case assetHand + a.Name:
			c.Hand = insert(c.Hand, a.Name)
		case assetDrawn + a.Name:
			c.Drawn = insert(c.Drawn, a.Name)
		}
	}
}

func (sc *Scenario) weatherDie(name string) int {
	for die, w := range sc.WeatherBy {
		if die > 0 && w.Name == name {
			return die
		}
	}
	return 1
}

func (sc *Scenario) believeOwn(x *view.Unit) (Unit, error) {
	c := sc.counter(x.ID)
	offBoard := x.Hex != hex.None && !sc.Board.On(x.Hex)
	if c == nil || offBoard {
		return Unit{}, fmt.Errorf("the view has a unit %q that %s has not", x.ID, sc.ID)
	}
	has := func(m string) bool { return slices.Contains(x.Marks, m) }
	u := Unit{ID: x.ID, Where: Later, Hex: x.Hex, Steps: x.Steps, Debarked: has(markDebarked), Pinned: has(markPinned), Fired: has(markFired), Road: has(markRoad),
		Overrun: has(markOverrun), Used: has(markUsed), Nominated: has(markNominated), Unsupplied: x.OutOfSupply, Aboard: x.Aboard, c: c}
	for _, m := range x.Marks {
		if bn, is := strings.CutPrefix(m, markKept); is {
			u.KeptFor = bn
		}
	}
	if k, ok := sc.arrival[u.ID]; ok && sc.Arrivals[k].Together && len(x.Entry) == 1 {
		u.Via = x.Entry[0] // its battalion has chosen
	}
	switch {
	case has(markBeside):
		u.Where = Beside
	case x.Hex != hex.None:
		u.Where = OnMap
	case len(x.Entry) == 0:
		u.Where, u.Left = Gone, x.Left
		if x.Left != "" {
			u.Where = Exited
		}
	}
	return u, nil
}

// believeStack is an enemy stack as it is known.
func (sc *Scenario) believeStack(foe Side, st view.Stack, here map[string]bool) (out []Unit) {
	for _, g := range st.Units {
		c := sc.written[sc.number(foe)][g.Name]
		if c == nil || here[c.ID] {
			continue
		}
		here[c.ID] = true
		out = append(out, Unit{ID: c.ID, Where: OnMap, Hex: st.Hex, Steps: max(1, g.Steps), Debarked: slices.Contains(g.Marks, markDebarked), c: c})
	}
	if out == nil {
		// Nothing is known but that somebody is there.
		out = []Unit{{ID: "~" + st.Hex.String(), Where: OnMap, Hex: st.Hex, Steps: 1, c: &Counter{ID: "~" + st.Hex.String(), Name: "somebody", Side: foe, side: int8(sc.number(foe)),
			Class: Wheeled, Kind: "unknown", Full: Values{3, 5, 8}}}}
	}
	return out
}
