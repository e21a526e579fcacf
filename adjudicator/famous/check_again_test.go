package famous

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
)

// What was filed for the last turn is filed again by a line, judged anew and shown in full; lines below
// it stand behind it. A chit without a programme then, and a game of before the eighth version, refuse
// it.
func TestAsLastTurn(t *testing.T) {
	s := load(t, "gd-kursk").opening()
	s.Phase, s.Weather, s.First = 3, 1, []string{"GERMAN 2Pz"}
	filed := filedOnly{"GERMAN chit 2Pz": "IF TIME NIGHT\nPASS\nOTHERWISE\nMOVE 5K TO 3428\nMOVE 7K TO 3428; IF 5K PINNED"}
	out, err := adjudicator.Play(s.clone(), phase, nil, plain{}, filed)
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(s.sc)
	after, err := g.View(out.State.encode(), "GERMAN")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"CHIT 2PZ IF TIME NIGHT\nPASS", "CHIT 2PZ\nMOVE 5K TO 3428\nMOVE 7K TO 3428; IF 5K PINNED"}; !slices.Equal(after.Programmes, want) {
		t.Fatalf("the view has %q", after.Programmes)
	}
	if foe, err := g.View(out.State.encode(), "SOVIET"); err != nil || len(foe.Programmes) > 0 {
		t.Errorf("the enemy knows of %q, %v", foe.Programmes, err)
	}
	opening, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	p := seatAt(t, g, opening, "GERMAN")
	p.view.Programmes = after.Programmes
	f := p.files(t, "CHIT 2Pz AS LAST TURN\n  STOP ALL")
	if want := "IF TIME NIGHT\nPASS\nOTHERWISE\nMOVE 5K TO 3428\nMOVE 7K TO 3428; IF 5K PINNED\nSTOP ALL"; f.Answers["chit 2Pz"] != want {
		t.Errorf("filed is %q", f.Answers["chit 2Pz"])
	}
	var told []string
	for _, l := range f.Lines {
		if l.Refused != nil {
			t.Errorf("%s is refused: %v", l.Text, l.Refused)
		}
		told = append(told, strings.Repeat(".", l.Part)+l.Text)
	}
	want := []string{"CHIT 2PZ AS LAST TURN", ".CHIT 2PZ IF TIME NIGHT", "..PASS", "...CHIT 2PZ", "....MOVE 5K TO 3428", ".....MOVE 7K TO 3428; IF 5K PINNED", "STOP ALL"}
	if !slices.Equal(told, want) {
		t.Errorf("it is told %q", told)
	}
	for sheet, why := range map[string]string{
		"CHIT 1Gr AS LAST TURN\n  PASS": "no programme of 1Gr was filed for the last turn",
		"CHIT 9Pz AS LAST TURN":         "no battalion",
	} {
		if l := p.files(t, sheet).Lines[0]; l.Refused == nil || !strings.Contains(l.Refused.Why, why) {
			t.Errorf("%s is answered %+v", sheet, l)
		}
	}
	old, _ := g.AsOf("7")
	then := seatAt(t, old, opening, "GERMAN")
	then.view.Programmes = after.Programmes
	if l := then.files(t, "CHIT 2Pz AS LAST TURN").Lines[0]; l.Refused == nil {
		t.Errorf("an older game answers %+v", l)
	}
	before := old.(*Game).sc.opening()
	before.Phase, before.Weather, before.First = s.Phase, s.Weather, s.First
	played, err := adjudicator.Play(before, phase, nil, plain{}, filed)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(played.State.encode()), `"filed"`) {
		t.Error("an older game keeps what was filed")
	}
}
