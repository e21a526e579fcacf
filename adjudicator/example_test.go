package adjudicator_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/template"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/table"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// Ford is a whole rules system of two phases a turn. RED comes from the north, BLUE from
// the south, and both want the ford between them.
//
//	1.1  March: a side goes STEADY, one hex, or it RUSHes: a die of 4 to 6 takes it two
//	     hexes, a lower one nowhere.
//	2.1  Skirmish: where both stand on the ford each throws a die, and the lower one, or
//	     RED if they are equal, goes back a hex.
//	2.2  Who then stands there alone has won.
type Ford struct{}

func (Ford) ID() string                    { return "ford" }
func (Ford) Version() int                  { return 1 }
func (Ford) Vocabulary() orders.Vocabulary { return orders.Vocabulary{Sections: []string{"MARCH"}} }
func (Ford) Template() []string            { return []string{"MARCH"} }

// Load has but one scenario and reads no files; others come out of the source.
func (Ford) Load(table.Source) (adjudicator.Game, error) {
	road := &board.Board{ID: "road", Grid: hex.Grid{ColMin: 1, ColMax: 1, RowMin: 1, RowMax: 5},
		Rows: strings.Fields(". . . . ."), Legend: []board.Terrain{{Code: ".", Kinds: []string{"clear"}}}}
	g := &Race{road: road}
	g.Positions = adjudicator.Engine[*Position]{Info: (*Position).phase, Run: play,
		Clone: (*Position).clone, View: g.view, End: (*Position).end}.Over(decode)
	return g, road.Prepare()
}

// Position is what a phase begins with. Each side has so many hexes left to the ford.
type Position struct {
	Format, Turn, Phase int
	Left                [2]int
	Winner              adjudicator.Side
}

var sides = []adjudicator.Side{"RED", "BLUE"}

// hexes are where the sides are: on the ford, or on the road north and south of it.
func (s *Position) hexes() []hex.Hex {
	return []hex.Hex{hex.New(1, 3-s.Left[0]), hex.New(1, 3+s.Left[1])}
}

// phase says which one the position stands before.
func (s *Position) phase() adjudicator.Phase {
	return adjudicator.Phase{Turn: s.Turn, Number: s.Phase, Name: []string{"", "March", "Skirmish"}[s.Phase],
		Label: fmt.Sprintf("turn %d phase %d", s.Turn, s.Phase), Over: s.Winner != ""}
}

func (s *Position) clone() *Position                      { c := *s; return &c }
func (s *Position) end(winner adjudicator.Side, _ string) { s.Winner = winner }

func decode(position []byte) (*Position, error) {
	s := &Position{}
	return s, adjudicator.Decode(position, s, &s.Format, 1)
}

// play is the rules: straight-line code, which keeps nothing between mails. What it asks
// and rolls is in the journal when a phase runs again.
func play(r *adjudicator.Run, s *Position) {
	if s.Phase == 1 {
		march(r, s)
		s.Phase = 2
		return
	}
	skirmish(r, s)
	s.Turn, s.Phase = s.Turn+1, 1
}

// march asks both sides at once: neither learns first what the other does.
func march(r *adjudicator.Run, s *Position) {
	paces := r.Ask(
		adjudicator.Decision{Label: "march RED", Kind: "march", Side: "RED", Clause: "Ford 1.1", Turn: true},
		adjudicator.Decision{Label: "march BLUE", Kind: "march", Side: "BLUE", Clause: "Ford 1.1", Turn: true})
	for i, pace := range paces {
		went := 1
		if pace == "RUSH" { // Ford 1.1: two hexes or none
			went = r.Roll("Ford 1.1", "rush "+string(sides[i]), 1, 6)[0] / 4 * 2
		}
		s.Left[i] = max(0, s.Left[i]-went)
		r.Tell(view.Event{Kind: "march", Facts: view.Pairs{"side", string(sides[i]), "to", s.hexes()[i].String()}})
	}
}

func skirmish(r *adjudicator.Run, s *Position) {
	if s.Left == [2]int{} { // Ford 2.1: a die each, the lower one goes back
		dice := r.Roll("Ford 2.1", "skirmish", 2, 6)
		lower := slices.Index(dice, slices.Min(dice)) // the first of two that are equal is RED's
		s.Left[lower] = 1
		r.Tell(view.Event{Kind: "skirmish", Facts: view.Pairs{"red", fmt.Sprint(dice[0]), "blue", fmt.Sprint(dice[1])}})
	}
	if i := slices.Index(s.Left[:], 0); i >= 0 { // Ford 2.2: alone on the ford
		s.Winner = sides[i]
	}
}

// Race is the scenario. Positions come and go as bytes, and adjudicator.Positions does what
// is the same in every system: the journal, the dice, the answers, a game that players end.
type Race struct {
	*adjudicator.Positions[*Position]
	road *board.Board
}

func (*Race) Title() string             { return "The Ford" }
func (*Race) Sides() []adjudicator.Side { return sides }

func (*Race) Wording() view.Wording {
	return view.Wording{"march": "{{.side}} marches and is in {{.to}}.", "skirmish": "A skirmish at the ford: RED {{.red}}, BLUE {{.blue}}."}
}

func (*Race) Opening() ([]byte, error) {
	return adjudicator.Encode(Position{Format: 1, Turn: 1, Phase: 1, Left: [2]int{2, 2}}), nil
}

// view is made from nothing: what is not written into it, the side does not know.
func (g *Race) view(s *Position, side adjudicator.Side) *view.View {
	at, own := s.hexes(), slices.Index(sides, side)
	return &view.View{Format: view.Format, System: "ford", Title: g.Title(), Side: string(side), Turn: s.Turn,
		Phase: s.phase().Name, Winner: string(s.Winner), Board: g.road,
		Units: []view.Unit{{ID: string(side), Name: "column", Hex: at[own]}},
		Enemy: []view.Stack{{Side: string(sides[1-own]), Hex: at[1-own]}}}
}

// Check sees the View and the sheet, never a position.
func (*Race) Check(_ *view.View, sheet *orders.Sheet) *adjudicator.Filing {
	f := adjudicator.NewFiling(sheet)
	for _, o := range sheet.Orders("MARCH") {
		pace := o.String()
		if pace != "STEADY" && pace != "RUSH" {
			f.Refuse(o, &rule.Violation{Clause: "Ford 1.1", Why: "nobody marches so", Instead: "STEADY and RUSH are the paces."})
			continue
		}
		f.Accept(o, "the column marches at that pace", "")
		f.Answers["march"] = pace // of several the last
	}
	return f
}

// filed answers the decisions of a turn from the checked sheets, fixed throws the dice.
type filed map[adjudicator.Side]*adjudicator.Filing

func (f filed) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	answer, known = f[d.Side].Answers[d.Answers()]
	return answer, "sheet", known
}

type fixed map[string][]int

func (f fixed) Throw(label string, _, _ int) (dice []int, proof []byte, err error) {
	return f[label], nil, nil
}

// A rules system is a System, which loads scenarios, and a Game, which plays one. This one
// is whole: in the list of adjudicator/systems, and with a scenario in a folder of its own,
// it is played by mail like the others.
func Example() {
	var system adjudicator.System = Ford{}
	game, _ := system.Load(nil)
	position, _ := game.Opening()

	sheets := filed{}
	for side, text := range map[adjudicator.Side]string{"RED": "MARCH\n  RUSH\nDONE", "BLUE": "MARCH\n  SWIM\n  RUSH\nDONE"} {
		v, _ := game.View(position, side)
		sheet, _ := orders.Parse(text, system.Vocabulary())
		sheets[side] = game.Check(v, sheet)
	}
	for _, side := range game.Sides() {
		for _, l := range sheets[side].Lines {
			fmt.Println(side, l.Pos, l.Text, l.Refused)
		}
	}

	dice := fixed{"rush RED": {5}, "rush BLUE": {4}, "skirmish": {2, 6}}
	for {
		at, _ := game.At(position)
		out, err := game.Play(position, nil, dice, sheets)
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Printf("%s, %s, a journal of %d\n", at.Label, at.Name, len(out.Journal))
		for _, e := range out.Events {
			template.Must(template.New("").Parse(game.Wording()[e.Kind]+"\n")).Execute(os.Stdout, e.Facts.Map())
		}
		position = out.Position
	}

	v, _ := game.View(position, "RED")
	fmt.Printf("RED: own %s, enemy %s, won by %s\n", v.Units[0].Hex, v.Enemy[0].Hex, v.Winner)

	// Output:
	// RED line 2, column 3 RUSH <nil>
	// BLUE line 2, column 3 SWIM Ford 1.1: nobody marches so. STEADY and RUSH are the paces.
	// BLUE line 3, column 3 RUSH <nil>
	// turn 1 phase 1, March, a journal of 4
	// RED marches and is in 0103.
	// BLUE marches and is in 0103.
	// turn 1 phase 2, Skirmish, a journal of 1
	// A skirmish at the ford: RED 2, BLUE 6.
	// the game is over
	// RED: own 0102, enemy 0103, won by BLUE
}
