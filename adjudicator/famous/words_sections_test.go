package famous

import (
	"maps"
	"strings"
	"testing"

	"fieldpost/orders"
)

// The head of a programme names a battalion of one's own, and a condition that can be read.
func TestTheHeadOfAProgramme(t *testing.T) {
	p := seatAtScene(t, "RED", wordsMap)
	p.refuses(t, "", []refusedOrder{
		{"CHIT 9\n  PASS", "", "you have no battalion 9", "", 0},
		{"CHIT 1Rif\n  PASS", "", "you have no battalion 1RIF", "", 0},
		{"CHIT 1 IF GREEN HOLDS 0505\n  PASS", "", `"GREEN" is neither a hex nor a place`,
			"IF 2 OWN CHITS PLAYED, IF 3 ENEMY CHITS LEFT", 0},
		{"CHIT 1 IF BLUE TAKES 0505\n  PASS", "", `"BLUE" is neither a hex nor a place`, "Write IF SOVIET HOLDS 2115", 0},
		{"CHIT 1 IF BLUE HOLDS 1313\n  PASS", "", "hex 1313 is not on the map", "Columns run", 0},
		{"CHIT 1 IF BLUE HOLDS MOSCOW\n  PASS", "", `"MOSCOW" is neither a hex nor a place`, "IF SOVIET HOLDS 2115", 0},
		{"CHIT 1 IF BLUE HOLDS 0505 0506\n  PASS", "", `"0506" is not understood in a condition`, "IF SOVIET HOLDS 2115", 0},
		{"CHIT 1 IF TURN SOON\n  PASS", "", `"SOON" stands where a number was expected`, "IF TURN 3", 0},
		{"CHIT 1 UNLESS TURN\n  PASS", "", "a number is missing at the end", "IF TURN 3", 0},
		{"CHIT 1 IF 1313 EMPTY\n  PASS", "", "hex 1313 is not on the map", "Columns run", 0},
		{"CHIT 1 IF 0505 FULL\n  PASS", "", `"FULL" stands where EMPTY was expected`, "IF 2115 EMPTY",
			0},
		{"CHIT 1 IF 2 OWN CHITS AWAY\n  PASS", "", `"AWAY" stands where PLAYED or LEFT was expected`, "IF TURN 3", 0},
		{"CHIT 1 IF MANY CHITS PLAYED\n  PASS", "", `"MANY" is neither a hex nor a place`,
			"IF TURN 3", 0},
		{"DIVISION STAFF\n  PASS", "", "DIVISION HQ opens the programme of the division's chit", "", 0},
		{"DIVISION HQ\n  PASS", "", "you have no battalion DIV", "", 0}, // no division is in play
		{"FIRST CHIT 1\n  MOVE ALPHA TO 0302", "18.1", "choose 0 chits on turn 1", "", 0},
	})
	p.accepts(t, "", [][2]string{
		{"CHIT 1\n  PASS", "noted"}, {"CHIT 2\n  MOVE OTHER TO 0207", "to 0207"},
		{"CHIT 1 PASS", "noted"}, {"CHIT 1 MOVE ALPHA TO 0302", "to 0302"},
		{"CHIT 1 IF RED HOLDS 0303\n  MOVE ALPHA TO 0302", "to 0302"},
		{"CHIT 1 IF BLUE HOLDS 0303\n  MOVE ALPHA TO 0302", "if the condition holds"},
		{"CHIT 1 UNLESS BLUE HOLDS 0505\n  MOVE ALPHA TO 0302", "if the condition holds"},
		{"CHIT 1 IF 0506 EMPTY\n  MOVE ALPHA TO 0302", "to 0302"},
		{"CHIT 1 IF 0505 EMPTY\n  MOVE ALPHA TO 0302", "if the condition holds"},
		{"CHIT 1 UNLESS 0505 EMPTY\n  MOVE ALPHA TO 0302", "to 0302"},
		{"CHIT 1 IF 1 OWN CHITS PLAYED\n  MOVE ALPHA TO 0302", "if the condition holds"},
		{"CHIT 1 UNLESS 1 OWN CHITS PLAYED\n  MOVE ALPHA TO 0302", "to 0302"},
		{"CHIT 1 IF TURN 1\n  MOVE ALPHA TO 0302", "to 0302"},
		{"CHIT 1 IF TURN 2\n  MOVE ALPHA TO 0302", "if the condition holds"},
		{"CHIT 1 UNLESS TURN 2\n  MOVE ALPHA TO 0302", "to 0302"},
	})
}

// What stands under a line that was refused is not filed, and each line of it is told so.
func TestLinesUnderARefusedHead(t *testing.T) {
	p := seatAtScene(t, "RED", wordsMap)
	for _, head := range []string{"CHIT 9", "CHIT 1 OTHERWISE", "CHIT 1 IF RAIN", "CHIT 1 MOEV ALPHA", "DIVISION STAFF", "EVERY DAY"} {
		f := p.files(t, head+"\n  MOVE ALPHA TO 0302\n  PASS")
		if len(f.Lines) != 3 {
			t.Errorf("%s: %d lines are answered", head, len(f.Lines))
		}
		for _, l := range f.Lines[1:] {
			if want := "it is not filed: it stands under " + head + ", which was refused"; l.Refused == nil || l.Refused.Why != want {
				t.Errorf("%s: %s is answered %v, not %q", head, l.Text, l.Refused, want)
			}
		}
		for entry, text := range f.Answers {
			if strings.Contains(text, "MOVE") {
				t.Errorf("%s: %s is filed: %q", head, entry, text)
			}
		}
	}
}

// Of a programme of several chits each line is answered for each of them.
func TestOneProgrammeOfSeveralChits(t *testing.T) {
	p := seatAtScene(t, "RED", wordsMap)
	var told []string
	for _, l := range p.files(t, "CHIT 1, 2\n  PASS\n  MOVE OTHER TO 0207").Lines {
		why := ""
		if l.Refused != nil {
			why = l.Refused.Why
		}
		told = append(told, l.Understood+why)
	}
	for k, want := range []string{"1: noted", "2: noted", "1: ", "2: to 0207"} {
		if k >= len(told) || !strings.HasPrefix(told[k], want) {
			t.Errorf("the lines are answered %q, number %d should begin with %q", told, k+1, want)
		}
	}
}

// A section that stands below one of its chit without a condition is told never to be chosen.
func TestSectionsThatAreNeverChosen(t *testing.T) {
	p := seatAtScene(t, "RED", wordsMap)
	for sheet, want := range map[string]string{
		"CHIT 1\n  PASS\nCHIT 1\n  MOVE ALPHA TO 0302":                   "this section is never chosen",
		"CHIT 1\n  PASS\nCHIT 1 IF RED HOLDS 0303\n  MOVE ALPHA TO 0302": "this section is never chosen",
		"CHIT 1 IF RED HOLDS 0303\n  PASS\nCHIT 1\n  MOVE ALPHA TO 0302": "",
	} {
		f := p.files(t, sheet)
		if l := f.Lines[len(f.Lines)-1]; !strings.HasPrefix(l.Warning, want) || want == "" && l.Warning != "" {
			t.Errorf("%s: the last line is warned %q, not %q", sheet, l.Warning, want)
		}
	}
}

// Of several programmes for one chit the first is carried out whose condition holds.
func TestWhichProgrammeIsCarriedOut(t *testing.T) {
	const guarded = `MAP 8x8
UNITS
  RED h: hq 9, at 0101
  RED a: leg, 4-4-8, at 0202
  BLUE x: leg, 4-4-8, at 0808
CHIT RED 1
`
	for _, x := range []struct{ programme, at string }{
		{"  MOVE A TO 0203", "0203"},
		{"  IF RED HOLDS 0202\n  MOVE A TO 0203\n  OTHERWISE\n  MOVE A TO 0302", "0203"},
		{"  IF BLUE HOLDS 0202\n  MOVE A TO 0203\n  OTHERWISE\n  MOVE A TO 0302", "0302"},
		{"  IF BLUE HOLDS 0202\n  MOVE A TO 0203\n  IF 0808 EMPTY\n  MOVE A TO 0302\n  IF TURN 1\n" +
			"  MOVE A TO 0201", "0201"},
		{"  UNLESS BLUE HOLDS 0808\n  MOVE A TO 0203\n  UNLESS TURN 2\n  MOVE A TO 0302", "0302"},
		{"  IF TURN 2\n  MOVE A TO 0203", "0202"},
		{"  IF 0 OWN CHITS PLAYED\n  MOVE A TO 0203\n  OTHERWISE\n  MOVE A TO 0302", "0203"},
		{"  IF 1 OWN CHITS PLAYED\n  MOVE A TO 0203\n  OTHERWISE\n  MOVE A TO 0302", "0302"},
		{"  IF 0404 EMPTY\n  MOVE A TO 0203\n  IF TURN 1\n  MOVE A TO 0302", "0203"},
	} {
		playScene(t, x.programme, guarded+x.programme, "EXPECT", "  a at "+x.at)
	}
}

// Standing orders are refused with the words that would be understood.
func TestStandingOrdersThatCannotBeRead(t *testing.T) {
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	p.refuses(t, "STANDING\n  ", []refusedOrder{
		{"ATTACK EVERYBODY", "", `"ATTACK" begins no standing order`,
			"They are OPPORTUNITY, DEFENSIVE ARTILLERY, BLACK CHIT", 0},
		{"OPPORTUNITY", "", "no unit is named", "", 0},
		{"OPPORTUNITY 9K/2PZ HOLD", "", "you have no unit 9K/2PZ", "Did you mean ", 13},
		{"OPPORTUNITY ALL WITHIN REACH", "11.4", "a number is missing in OPPORTUNITY", "", 0},
		{"OPPORTUNITY ALL HIDDEN UNTIL RANGE", "11.4", "a number is missing in OPPORTUNITY", "", 0},
		{"OPPORTUNITY ALL MIN -5", "11.4", "a number is missing in OPPORTUNITY", "", 0},
		{"OPPORTUNITY ALL SLOWLY", "", "you have no unit ALL SLOWLY", "", 13},
		{"OPPORTUNITY ALL HOLD SLOWLY", "11.4", `"SLOWLY" is not understood in OPPORTUNITY`,
			"Expected WITHIN, TRACKED, LEG, WHEELED", 0},
		{"DEFENSIVE ARTILLERY IF ODDS >= 9-1", "10.2", "IF ODDS >= needs a column of the table", "", 0},
		{"DEFENSIVE ARTILLERY KEEP SOME", "10.2", "KEEP needs a number of guns", "", 0},
		{"DEFENSIVE ARTILLERY MAX ALL", "10.2", "MAX needs a number of guns", "", 0},
		{"DEFENSIVE ARTILLERY OFTEN", "10.2", `"OFTEN" is not understood in DEFENSIVE ARTILLERY`, "", 0},
		{"BLACK CHIT RESTED ALWAYS", "10.3", `"RESTED" is not a black event chit`, "", 0},
		{"BLACK CHIT APATHY ALWAYS", "10.3", `"APATHY" is not a black event chit`, "", 0},
		{"BLACK CHIT RALLIED SWING BIG", "10.3", "SWING needs a number", "", 0},
		{"BLACK CHIT RALLIED WHEN NEEDED", "10.3", "SWING and a number, AT KEY, ALWAYS or NEVER", "", 0},
		{"LOSSES 9K/2PZ", "", "you have no unit 9K/2PZ", "Did you mean ", 8},
		{"RETREAT TOWARD BERLIN", "", `"BERLIN" is neither a hex nor a place`, "", 0},
		{"RETREAT TOWARD 9999", "", "hex 9999 is not on the map", "Columns run", 0},
		{"RETREAT TOWARD", "", "a hex is missing", "", 0},
		{"ADVANCE SOMETIMES", "10.6", "ADVANCE needs ALWAYS or NEVER", "", 0},
		{"KEY 2135, 9999", "", "hex 9999 is not on the map", "Columns run", 0},
		{"REPLACE 1/1RIF", "", "you have no unit 1/1RIF", "", 9}, // the Soviets'
	})
	p.accepts(t, "STANDING\n  ", [][2]string{
		{"OPPORTUNITY ALL HOLD", "noted"}, {"OPPORTUNITY ALL MIN 15%", "noted"},
		{"OPPORTUNITY 5K/2PZ, 6K/2PZ WITHIN 4, TRACKED FIRST, HIDDEN UNTIL RANGE 2", "noted"},
		{"DEFENSIVE ARTILLERY NEVER", "noted"},
		{"DEFENSIVE ARTILLERY IF ODDS >= 2:1, KEEP 1 BATTERY, MAX 2 BATTERIES", "noted"},
		{"BLACK CHIT RALLIED AT KEY", "noted"}, {"BLACK CHIT ALL SWING 3", "noted"},
		{"LOSSES DEPLETED LAST", "noted"}, {"LOSSES 5K/2PZ, 6K/2PZ", "noted"},
		{"RETREAT TOWARD 2328", "noted"}, {"ADVANCE ALWAYS", "noted"}, {"KEY 2135, 1742", "noted"},
		{"REPLACE 1K/1FUS", "noted"},
	})
}

// FIRST, SUPPLY and SETUP are refused with the rule that they break.
func TestOrdersForTheTurn(t *testing.T) {
	german, soviet := seatAtOpening(t, "gd-kursk", "GERMAN", nil), seatAtOpening(t, "gd-kursk", "SOVIET", nil)
	german.view.Chits.Groups[0].Own = []string{"1Fus", "2Pz"} // the cup of turn 1, as the Weather Phase fills it
	german.refuses(t, "", []refusedOrder{
		{"FIRST CHIT 2PZ, 1FUS", "18.1", "1Fus is not in the cup, or you have chosen your 1 chits", "", 0},
		{"FIRST CHIT 9PZ", "", "you have no battalion 9PZ", "Did you mean 1PZ, 2PZ or 3PZ?", 0},
		{"FIRST CHIT 3PZ", "18.1", "3Pz is not in the cup", "", 0},
		{"SUPPLY\n  DIVSUPPLY 9PZ", "", "you have no battalion 9PZ", "Did you mean 1PZ, 2PZ or 3PZ?", 0},
		{"SUPPLY\n  STACK 2PZ", "5.1", "STACK needs a battalion and a hex", "", 0},
		{"SUPPLY\n  STACK 2PZ 9999", "", "hex 9999 is not on the map", "Columns run", 0},
		{"SUPPLY\n  STACK 9PZ 2135", "", "you have no battalion 9PZ", "Did you mean 1PZ, 2PZ or 3PZ?", 0},
		{"SUPPLY\n  STACK 2PZ 2135 WITH 9K", "5.1", "9K/3Fus is not of 2Pz", "", 0},
		{"SUPPLY\n  STACK 2PZ 2135 WITH 9K/3FSU", "", "you have no unit 9K/3FSU", "Did you mean 9K/3Fus?", 21},
		{"SUPPLY\n  STACK 2PZ 2135 WITH 1K/1FUS", "5.1", "1K/1Fus is not of 2Pz", "", 0},
		{"SUPPLY\n  FEED 2PZ", "", `"FEED" is not understood here`, "", 0},
		{"SETUP\n  5K/2GR 4451", "17.0", "5K/2Gr begins within 5 of entry C, and 4451 is not there", "", 0},
		{"SETUP\n  1K/1GR 2130", "17.0", "1K/1Gr does not begin on the map", "", 0},
		{"SETUP\n  (4)BTTY/2ART 2328", "17.0", "(4)Btty/2Art does not begin on the map", "", 0},
		{"SETUP\n  1/1RIF 2235", "", "you have no unit 1/1RIF", "", 7},
		{"SETUP\n  5K/2GR", "17.0", "the set-up needs a unit and a hex", "", 0},
		{"SETUP\n  BUNKER 2135 FACE 1", "18.4", "you have no Bunker there to place", "FROM and its hex", 0},
	})
	soviet.refuses(t, "", []refusedOrder{
		{"FIRST CHIT 1RIF", "18.1", "the GERMAN choose 1 chits on turn 1, nobody else and never again", "", 0},
		{"SETUP\n  BUNKER 2338 FACE 7 FROM 2135", "15.1",
			"FACE needs a number from 1, the top of the map, to 6, clockwise", "", 0},
		{"SETUP\n  BUNKER 2338 FACE NORTH FROM 2135", "15.1", "FACE needs a number from 1", "", 0},
		{"SETUP\n  BUNKER 2338 FROM 2136", "18.4", "you have no Bunker there to place", "FROM and its hex", 0},
		{"SETUP\n  TRENCH 2338 FROM 2134", "15.0", "2338 has a Trench already", "", 0},
		{"SETUP\n  TRENCH 3060 FROM 2134", "", "hex 3060 is not on the map", "Columns run from 10 to 48", 0},
		{"SETUP\n  BUNKER 2142 FACE 1 FROM 2135", "18.4", "no unit of yours that may have a Bunker is on 2142",
			"", 0},
		{"SETUP\n  BUNKER 2338 LOOKING SOUTH FROM 2135", "15.1", `"LOOKING" is not understood here`,
			"Write BUNKER 1742 FACE 1 FROM 2135.", 0},
	})
	german.accepts(t, "", [][2]string{
		{"FIRST CHIT 2PZ", "noted"}, {"SUPPLY\n  DIVSUPPLY 2PZ", "noted"},
		{"SUPPLY\n  STACK 2PZ 2135", "noted"}, {"SUPPLY\n  STACK 2PZ 2135 WITH 5K", "noted"}, {"SETUP\n  5K/2GR 2130", "noted"},
	})
	soviet.accepts(t, "", [][2]string{
		{"SETUP\n  BUNKER 2338 FACE 3 FROM 2135", "noted"}, {"SETUP\n  TRENCH 2134 FACE 6", "noted"},
		{"SETUP\n  MINEFIELD 2338 FROM 2134", "noted"},
	})
}

// MODE names what one wants to be asked for.
func TestTheModeOfASheet(t *testing.T) {
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	for _, x := range []struct{ mode, why string }{
		{"PLOT", ""}, {"ASK", ""}, {"PAUSE-IF", ""}, {"PAUSE-IF 2135 FALLS", ""},
		{"PAUSE-IF HILL 243 FALLS", ""}, {"PAUSE-IF 2135 FALLS, TANKS", ""},
		{"PAUSE-IF TANKS", ""}, {"PAUSE-IF VP HEX LOST", ""}, {"PAUSE-IF HQ LOST", ""},
		{"PAUSE-IF BRIDGE BLOWN", ""}, {"PAUSE-IF PINNED", ""},
		{"PAUSE-IF RAIN", `"RAIN" is neither a hex nor a place`},
		{"PAUSE-IF 2135", `the trigger "2135" is not understood`},
		{"PAUSE-IF 9999 FALLS", "hex 9999 is not on the map"}, {"PAUSE-IF TANKS, RAIN", `"RAIN" is neither`}, {"PAUSE-IF 2135 FALLS TANKS", `the trigger "2135 FALLS TANKS" is not understood`},
		{"PAUSE-IF 2135 STANDS", "is not understood"},
	} {
		sheet, faults := orders.Parse(orders.Canonical("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nMODE: "+
			x.mode+"\nDONE\n"), Vocabulary)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		f := p.game.(*Game).Check(p.view, sheet)
		why := ""
		for _, l := range f.Lines {
			if l.Refused != nil {
				why = l.Refused.Why
			}
		}
		_, kept := f.Answers["mode"]
		if !strings.Contains(why, x.why) || x.why == "" && why != "" || kept != (x.why == "") {
			t.Errorf("MODE: %s is answered %q, kept: %v", x.mode, why, kept)
		}
	}
}

// What a sheet comes to is kept by chit; one that opens no chit says nothing to it.
func TestWhatASheetFiles(t *testing.T) {
	p := seatAtScene(t, "RED", wordsMap)
	for _, x := range []struct {
		name, sheet string
		want        map[string]string
	}{
		{"no section", "", map[string]string{}},
		{"a chit without orders passes", "CHIT 1", map[string]string{"chit 1": ""}},
		{"a refused order is not kept", "CHIT 1\n  MOVE ALPHA TO 1111\n  MOVE BRAVO TO 0302",
			map[string]string{"chit 1": "MOVE BRAVO TO 0302"}},
		{"of two chits each has its own", "CHIT 1\n  PASS\nCHIT 2\n  HOLD", map[string]string{"chit 1": "PASS",
			"chit 2": "HOLD"}},
		{"with a condition", "CHIT 1 IF TURN 1\n  PASS\nCHIT 1\n  HOLD",
			map[string]string{"chit 1": "IF TURN 1\nPASS\nOTHERWISE\nHOLD"}},
		{"an emptied STANDING clears the old one", "STANDING", map[string]string{"standing": ""}},
		{"standing orders line by line", "STANDING\n  ADVANCE NEVER\n  LOSSES DEPLETED LAST",
			map[string]string{"standing": "ADVANCE NEVER\nLOSSES DEPLETED LAST"}},
		{"supply", "SUPPLY\n  STACK 1 0303", map[string]string{"turn": "STACK 1 0303"}},
		{"an unreadable condition keeps the chit closed", "CHIT 1 IF RAIN\n  PASS",
			map[string]string{"chit 1": "IF RAIN"}},
		{"several orders on a line", "CHIT 1: MOVE ALPHA TO 0302; DROP ALPHA AT 0302; PASS; STOP ALL",
			map[string]string{"chit 1": "MOVE ALPHA TO 0302; DROP ALPHA AT 0302\nPASS\nSTOP ALL"}},
		{"orders and terms on a line", "CHIT 1\n  MOVE BRAVO TO 0302; IF-FIRED STOP; HOLD; STOP ALL",
			map[string]string{"chit 1": "MOVE BRAVO TO 0302; IF-FIRED STOP\nHOLD\nSTOP ALL"}},
		{"one programme of two chits", "CHIT 1, 2: HOLD\n  PASS", map[string]string{"chit 1": "HOLD\nPASS", "chit 2": "HOLD\nPASS"}},
		{"one of them is none", "CHIT 1, 9\n  PASS", map[string]string{"chit 1": "PASS"}},
		{"lines of every chit on their opening line", "EVERY CHIT: ATTACK ANY MIN 3-1; ARTILLERY ANY MAX 2; STOP ALL\nCHIT 1\n  HOLD",
			map[string]string{"chit 1": "HOLD\nATTACK ANY MIN 3-1; ARTILLERY ANY MAX 2\nSTOP ALL"}},
		{"under OTHERWISE", "CHIT 1 IF TURN 1\n  PASS\nCHIT 1 OTHERWISE:\n  HOLD",
			map[string]string{"chit 1": "IF TURN 1\nPASS\nOTHERWISE\nHOLD"}},
		{"under OTHERWISE with nothing above it", "CHIT 1 OTHERWISE\n  MOVE ALPHA TO 0302", map[string]string{}},
	} {
		if got := p.files(t, x.sheet).Answers; !maps.Equal(got, x.want) {
			t.Errorf("%s: the answers are %q, not %q", x.name, got, x.want)
		}
	}
	f := p.files(t, "CHIT 1\n  MOVE ALPHA TO 0302\n  MOVE ANTON TO 1111\n  MARCH BRAVO")
	if stand, refused := f.Accepted(); stand != 1 || refused != 2 || !f.Done || len(f.Notes) != 1 {
		t.Errorf("of three orders %d stand and %d are refused; done: %v; notes %q", stand, refused, f.Done,
			f.Notes)
	}
}

// The preview shows the own units where the programmes would leave them, each chit by
// itself, and nobody else.
func TestThePreviewOfASheet(t *testing.T) {
	p := seatAtScene(t, "RED", wordsMap)
	where := func(sheet string) map[string]string {
		out := map[string]string{}
		v := p.files(t, sheet).Preview()
		for _, u := range v.Units {
			out[u.Name] = u.Hex.String()
		}
		for _, u := range v.Arrivals {
			out[u.Name] = "later"
		}
		return out
	}
	before := where("")
	for _, x := range []struct{ sheet, unit, at string }{
		{"CHIT 1\n  MOVE ALPHA TO 0302", "Alpha", "0302"}, {"CHIT 1\n  MOVE ALPHA TO 0302", "Bravo", "0303"},
		{"CHIT 1\n  MOVE TIGER TO 0709", "Rider", "0709"}, {"CHIT 1\n  ENTER LATER AT A", "Later", "0101"},
		{"CHIT 1\n  PASS", "Never", "later"},
		{"CHIT 2\n  MOVE OTHER TO 0207", "Other", "0207"},
		{"CHIT 1 IF TURN 9\n  MOVE ALPHA TO 0302", "Alpha", "0303"},
		{"CHIT 1\n  MOVE ALPHA TO 1111", "Alpha", "0303"},
	} {
		if got := where(x.sheet); got[x.unit] != x.at || len(got) != len(before) {
			t.Errorf("%s: %s is shown on %s, not %s", x.sheet, x.unit, got[x.unit], x.at)
		}
	}
}
