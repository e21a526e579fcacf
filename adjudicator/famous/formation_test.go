package famous

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// Orders to a formation become orders to units that the check accepts, the same ones each time,
// and that are in the journal when they are played: a repeat finds them there.
func TestFormationsBecomeOrdersThatStand(t *testing.T) {
	for _, id := range []string{"gd-kursk", "gd-akhtyrka", "gd-lutchessa", "gd-mischurin-rog"} {
		sc := load(t, id)
		for _, side := range sc.Sides {
			p := seatAtOpening(t, id, string(side), nil)
			var body []string
			goal := sc.Objectives[0].Hexes[0].String()
			for _, bn := range (&parser{s: sc.opening(), side: side}).battalions() {
				if bn != strings.ToUpper(divBattalion) {
					body = append(body, "CHIT "+bn, "ADVANCE TO "+goal+" INTO CONTACT")
				}
			}
			f := p.files(t, strings.Join(body, "\n"))
			again := p.files(t, strings.Join(body, "\n"))
			parts := 0
			for i, l := range f.Lines {
				if l.Part > 0 {
					parts++
				}
				if l.Refused != nil || l.Text != again.Lines[i].Text {
					t.Errorf("%s, %s: %s: %v; %s", id, side, l.Text, l.Refused, again.Lines[i].Text)
				}
			}
			if parts < 5 {
				t.Errorf("%s, %s: an advance on %s becomes %d orders", id, side, goal, parts)
			}
			for name, text := range f.Answers {
				if strings.Contains(text, "MOVE") {
					t.Errorf("%s, %s: filed is what was thought now: %s: %s", id, side, name, text)
				}
			}
		}
	}
	s := load(t, "gd-kursk").opening()
	s.Phase, s.Weather, s.First = 3, 1, []string{"GERMAN 2Pz"}
	a := filedOnly{"GERMAN chit 2Pz": "ADVANCE TO 3428; KEEP HQ"}
	out, err := adjudicator.Play(s.clone(), phase, nil, plain{}, a)
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(out.Journal, func(e adjudicator.Entry) bool { return e.Label == "units of 2Pz" })
	if k < 0 || !strings.Contains(out.Journal[k].Answer, "MOVE 5K/2PZ") || strings.Contains(out.Journal[k].Answer, "HQ") {
		t.Fatalf("the journal has %+v", out.Journal)
	}
	if _, err := adjudicator.Play(s.clone(), phase, out.Journal, nil, nil); err != nil {
		t.Errorf("a repeat: %v", err)
	}
}

// filedOnly answers what is filed, and everything else as the rules propose.
type filedOnly map[string]string

func (f filedOnly) Answer(d adjudicator.Decision) (string, string, bool) {
	if text, ok := f[string(d.Side)+" "+d.Answers()]; ok {
		return text, "filed", true
	}
	return d.Proposal, d.Source, true
}

func TestFormationsAreMisspelt(t *testing.T) {
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	for order, why := range map[string]string{
		"ADVANCE":                   "",
		"ADVANCE 5K TO 3428":        "in an order to a formation",
		"ADVANCE TO 9999":           "9999",
		"ADVANCE TO 3428 BY NIGHT":  "BY ROAD",
		"ADVANCE TO 3428 INTO 3429": "INTO CONTACT",
		"ADVANCE BY ROAD":           "needs TO",
		"ENTER AT Z":                "no entry hex",
		"ADVANCE TO 3428\nOTHERWISE ADVANCE TO 3429": "",
		"ADVANCE TO 3428\nOTHERWISE MOVE 5K TO 3429": "not to the formation",
		"ADVANCE TO 3428; IF 5K SLEEPY":              "is not a hex number",
		"ATTACK 3333 WITH ALL; MIN 2-1":              "nobody of the chit stands beside 3333",
		"BARRAGE 3333 WITH ALL":                      "no gun of the chit can shell 3333",
	} {
		lines := p.files(t, "CHIT 2Pz\n"+order).Lines
		l := lines[len(lines)-1]
		if l.Refused == nil || !strings.Contains(l.Refused.Why, why) {
			t.Errorf("%s: %v, it should say %q", order, l.Refused, why)
		}
	}
	f := p.files(t, "CHIT 2Pz\nMOVE 5K TO 3428\nCHIT 1Fus\nSTOP ALL\nEVERY CHIT\nATTACK ANY MIN 3-1")
	if got := f.Answers["chit 2Pz"]; got != "MOVE 5K TO 3428\nATTACK ANY MIN 3-1" {
		t.Errorf("filed is %q", got)
	}
	if got := f.Answers["chit 1Fus"]; got != "STOP ALL" {
		t.Errorf("behind STOP ALL filed is %q", got)
	}
	if l := p.verdict(t, "EVERY DAY\nPASS"); l.Refused == nil {
		t.Error("EVERY DAY stands")
	}
}

// Who stands beside the map and has acted goes nowhere; the sheet to fill in is made all the same.
func TestGuideOfAUnitBesideTheMap(t *testing.T) {
	sc := load(t, "gd-kursk")
	s := sc.opening()
	k := slices.IndexFunc(s.Units, func(u Unit) bool { return u.c.Side == "GERMAN" && u.onMap() && !u.c.HQ })
	s.Units[k].Where, s.Units[k].Hex, s.Units[k].Used = Beside, hex.None, true
	s.index()
	v := s.view("GERMAN")
	g, err := newGame(sc).Guide(v)
	if err != nil {
		t.Fatal(err)
	}
	if ways, err := g.Reach(s.Units[k].ID, ""); err == nil {
		t.Errorf("%s goes to %v", s.Units[k].c.Name, ways)
	}
	if len(g.Usual()) == 0 {
		t.Error("nothing is offered")
	}
}
