package famous

import (
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const lookedAt = `MAP 10x12
UNITS
  RED h: hq 9, at 0101
  RED a: leg, 4-4-8/2-2-8, at 0202
  RED b: leg, 4-4-8/2-2-8, pinned, steps 1, at 0404
  RED c: leg, 4-4-8, unsupplied 1, at 0602
  RED g: wheeled, 5-3-8, artillery 10, at 0102
  BLUE x: leg, 6-6-8, at 0405
  BLUE y: leg, 2-2-8, one step, at 0909
CHIT RED 1
`

// Every fact that a condition may ask is judged when it is its order's turn.
func TestFactsOfConditions(t *testing.T) {
	for _, x := range []struct{ holds, fails string }{
		{"0303 EMPTY", "0405 EMPTY"},
		{"RED HOLDS 0202", "ENEMY HOLDS 0202"},
		{"ENEMY AT 0405 UNDER 7", "ENEMY AT 0405 UNDER 6"},
		{"ENEMY AT 0405", "ENEMY AT 0303"},
		{"ENEMY WITHIN 4 OF 0202", "ENEMY WITHIN 3 OF 0202"},
		{"ENEMY WITHIN 1 OF B", "ENEMY WITHIN 1 OF A"},
		{"A AT 0202", "A AT 0203"},
		{"A BESIDE 0203", "A BESIDE 0204"},
		{"B IN CONTACT", "A IN CONTACT"},
		{"B PINNED", "A PINNED"},
		{"B REDUCED", "A REDUCED"},
		{"NOT A LOST", "A LOST"},
		{"A IN SUPPLY", "C IN SUPPLY"},
		{"C LOW ON SUPPLY", "A LOW ON SUPPLY"},
		{"NOT C OUT OF SUPPLY", "C OUT OF SUPPLY"},
		{"NOT H DONE", "H DONE"},
		{"0 OWN CHITS PLAYED", "1 OWN CHITS PLAYED"},
		{"0 ENEMY CHITS LEFT", "9 ENEMY CHITS LEFT"},
		{"1 GUNS LEFT", "2 GUNS LEFT"},
		{"TURN 1", "FROM TURN 2"},
		{"A AT 0203 OR B PINNED", "A AT 0203 AND B PINNED"},
		{"A AT 0203 AND B PINNED OR A AT 0202", "A AT 0203 OR B AT 0202 AND B PINNED"},
	} {
		playScene(t, x.holds, lookedAt+"  MOVE A TO 0302; IF "+x.holds, "EXPECT", "  a at 0302")
		playScene(t, x.fails, lookedAt+"  MOVE A TO 0302; IF "+x.fails, "EXPECT", "  a at 0202")
		playScene(t, "unless "+x.fails, lookedAt+"  MOVE A TO 0302; UNLESS "+x.fails, "EXPECT", "  a at 0302")
	}
}

// As a chit is drawn nothing is taken and nothing is lost: a section that asks for it is told.
func TestSectionsThatAskWhatIsTaken(t *testing.T) {
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	for _, fact := range []string{"TOOK 3332", "LOSSES 1"} {
		l := p.files(t, "CHIT 2Pz IF "+fact+"\n  MOVE 5K TO 3428").Lines[0]
		if want := "IF " + fact + " is never true this turn"; !strings.HasPrefix(l.Warning, want) {
			t.Errorf("it is answered %q, not %q", l.Warning, want)
		}
	}
}

// An order is done in the place of the one above it when that came to nothing, and STOP ends
// the half in which it stands, or the programme.
func TestOrdersInThePlaceOfOthers(t *testing.T) {
	for _, x := range []struct{ programme, expect string }{
		{"MOVE A TO 0302;OTHERWISE MOVE A TO 0203", "a at 0302"},
		{"MOVE A TO 0302; IF A PINNED;OTHERWISE MOVE A TO 0203", "a at 0203;no event skipped"},
		{"MOVE B TO 0303;OTHERWISE MOVE A TO 0203", "b at 0404;a at 0203"},
		{"MOVE B TO 0303;OTHERWISE SKIP", "b at 0404;no event skipped"},
		{"MOVE A TO 0302; IF A PINNED;OTHERWISE MOVE B TO 0303;OTHERWISE MOVE C TO 0702", "c at 0702;a at 0202"},
		{"MOVE A TO 0302;OTHERWISE MOVE B TO 0303;OTHERWISE MOVE C TO 0702", "a at 0302;c at 0602"},
		{"MOVE A TO 0302;MOVE C TO 0702; IF A AT 0302", "a at 0302;c at 0702"},
		{"MOVE A TO 0302;STOP HERE IF A AT 0302;MOVE C TO 0702", "a at 0302;c at 0602"},
		{"MOVE A TO 0302;STOP HERE UNLESS A AT 0302;MOVE C TO 0702", "a at 0302;c at 0702"},
		{"MOVE A TO 0302;STOP HERE IF A AT 0302;BARRAGE 0405 WITH G", "event barrage"},
		{"MOVE A TO 0302;STOP ALL IF A AT 0302;BARRAGE 0405 WITH G", "no event barrage"},
		{"BARRAGE 0909 WITH G;OTHERWISE BARRAGE 0405 WITH G", "event barrage: hex = 0405"},
	} {
		dice := ""
		if strings.Contains(x.expect, "event barrage") && !strings.Contains(x.expect, "no event barrage") {
			dice = "\nDICE\n  barrage g 0405: 1 1 1"
		}
		playScene(t, x.programme, lookedAt+"  "+strings.NewReplacer(";OTHERWISE", "\n  OTHERWISE", ";MOVE", "\n  MOVE", ";STOP", "\n  STOP", ";BARRAGE", "\n  BARRAGE").Replace(x.programme)+dice,
			"EXPECT", "  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
}

const fought = `MAP 8x12
UNITS
  RED h: hq 9, at 0101
  RED a: leg, 9-4-8/4-2-8, at 0303
  RED b: leg, 4-4-8/2-2-8, at 0503
  RED c: leg, 4-4-8, at 0303
  BLUE k: hq 9, at 0109
  BLUE x: leg, 2-2-8, one step, at 0304
  BLUE y: leg, 2-2-8, one step, at 0504
CHIT RED 1
  ATTACK 0304 WITH A; ADVANCE NO
`

// What was taken and lost in the activation is looked at when it is an order's turn.
func TestFactsOfTheActivation(t *testing.T) {
	const won, bled = "combat 0304: 3 4", "combat 0304: 6 6"
	for _, x := range []struct{ order, dice, expect string }{
		{"ATTACK 0504 WITH B; ADVANCE NO; IF TOOK 0304", won, "event combat: hex = 0504"},
		{"ATTACK 0504 WITH B; ADVANCE NO; UNLESS TOOK 0304", won, "no event combat: hex = 0504"},
		{"STOP HERE IF TOOK 0304\n  ATTACK 0504 WITH B; ADVANCE NO", won, "no event combat: hex = 0504"},
		{"ATTACK 0504 WITH B; ADVANCE NO; IF LOSSES 1", won, "no event combat: hex = 0504"},
		{"ATTACK 0504 WITH B; ADVANCE NO; IF NOT LOSSES 1", won, "event combat: hex = 0504"},
		{"ATTACK 0504 WITH B; ADVANCE NO; IF TOOK 0304", bled, "no event combat: hex = 0504"},
		{"ATTACK 0504 WITH B; ADVANCE NO; IF LOSSES 1", bled, "event combat: hex = 0504"},
		{"STOP ALL IF LOSSES 1\n  ATTACK 0504 WITH B; ADVANCE NO", bled, "no event combat: hex = 0504"},
	} {
		dice := "DICE\n  " + x.dice + "\n"
		if !strings.HasPrefix(x.expect, "no ") {
			dice += "  combat 0504: 3 4\n"
		}
		playScene(t, x.order, fought+"  "+x.order+"\n"+dice, "EXPECT", "  "+x.expect)
	}
}

// ODDS asks what the attack comes to when it is its turn, as its side knows the defender.
func TestOddsOfConditions(t *testing.T) {
	const scene = "MAP 8x12\nUNITS\n  RED h: hq 9, at 0101\n  RED a: leg, 4-4-8, at 0303\n  RED b: leg, 4-4-8, at 0503\n  BLUE k: hq 9, at 0109\n" +
		"  BLUE x: leg, 2-2-8, one step, at 0304\n  BLUE y: leg, 2-2-8, one step, at 0504\nCHIT RED 1\n"
	for _, x := range []struct{ orders, dice, expect string }{
		{"ATTACK 0304 WITH A; ADVANCE NO; IF ODDS 2-1", "combat 0304: 3 4", "event combat: hex = 0304"},
		{"ATTACK 0304 WITH A; ADVANCE NO; IF ODDS 3-1", "", "no event combat"},
		{"ATTACK 0304 WITH A; ADVANCE NO; IF ODDS 3-1 OR B AT 0503", "combat 0304: 3 4", "event combat: hex = 0304"},
		{"ATTACK 0304 WITH A; ADVANCE NO; UNLESS ODDS 3-1", "combat 0304: 3 4", "event combat: hex = 0304"},
		{"ATTACK 0304 WITH A; ADVANCE NO; IF ODDS 3-1\n  OTHERWISE ATTACK 0504 WITH B; ADVANCE NO", "combat 0504: 3 4", "event combat: hex = 0504"},
		{"ATTACK 0406 WITH A; ADVANCE NO; IF ODDS 1-4", "", "no event combat"},
	} {
		dice := ""
		if x.dice != "" {
			dice = "DICE\n  " + x.dice + "\n"
		}
		playScene(t, x.orders, scene+"  "+x.orders+"\n"+dice, "EXPECT", "  "+x.expect)
	}
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	for orders, want := range map[string]string{
		"MOVE 5K TO 3428; IF ODDS 2-1":     "ODDS stands behind an attack",
		"ATTACK ANY MIN 2-1; IF ODDS 2-1":  "ODDS stands behind an attack",
		"ATTACK 3332 WITH 5K; IF ODDS 9-1": "is not a column of the combat table",
	} {
		if l := p.files(t, "CHIT 2Pz\n  "+orders).Lines[0]; l.Refused == nil || !strings.Contains(l.Refused.Why, want) {
			t.Errorf("%s is answered %+v", orders, l)
		}
	}
	if l := p.files(t, "CHIT 2Pz IF ODDS 2-1\n  MOVE 5K TO 3428").Lines[0]; l.Refused == nil || !strings.Contains(l.Refused.Why, "ODDS stands behind an attack") {
		t.Errorf("a condition on odds behind the name of a chit is answered %+v", l)
	}
}

// The answer says what a condition comes to, and refuses a line that can never be done.
func TestConditionsAreAnswered(t *testing.T) {
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	for _, x := range []struct{ orders, want string }{
		{"MOVE 5K TO 3428; IF TURN 9", "IF TURN 9 is never true this turn"},
		{"MOVE 5K TO 3428; IF TURN 1", "IF TURN 1 is always true this turn"},
		{"MOVE 5K TO 3428; UNLESS TURN 1", "UNLESS TURN 1 is never true this turn"},
		{"MOVE 5K TO 3428; IF 99 ENEMY CHITS LEFT", "is never true this turn"},
		{"MOVE 5K TO 3428; IF 1Gr DONE", "left out as things stand: its condition does not hold"},
		{"MOVE 5K TO 3428\n  OTHERWISE MOVE 6K TO 3428", "if the line above comes to nothing"},
		{"OTHERWISE MOVE 6K TO 3428", "stands below the order in whose place it is done"},
		{"ATTACK AT-WILL MIN 5-1\n  OTHERWISE MOVE 6K TO 3428", "a movement cannot be done in place of an attack"},
		{"STOP ALL\n  MOVE 6K TO 3428", "never reached"},
		{"MOVE 5K TO 3428; IF 5K FLYING", "is not a hex number"},
		{"OTHERWISE", "needs an order behind it"},
		{"MOVE 5K TO 3428; IF TOOK 3332", "3332 cannot be taken before it"},
		{"ATTACK AT-WILL MIN 5-1; IF TOOK 3332", "no attack on 3332 stands above this line"},
		{"ATTACK 3332 WITH 5K\n  STOP HERE IF TOOK 3334", "no attack on 3334 stands above this line"},
		{"ATTACK 3332 WITH 5K\n  STOP HERE IF TOOK 3332", "if it holds when it is its turn: IF TOOK 3332"},
		{"ATTACK AT-WILL MIN 5-1\n  ATTACK 3332 WITH 5K; IF TOOK 3334", "if it holds when it is its turn: IF TOOK 3334"},
		{"FIRE ANY", "as things stand nobody sees an enemy whom it could harm"},
		{"FIRE ANY AT 3332", "\"AT\" is not understood here"},
		{"ADVANCE TO 3332 VIA 3330 VIA 3331", "a formation goes by one hex of VIA"},
		{"MOVE 5K TO 3428; IF LOSSES", "LOSSES needs a number of steps"},
		{"MOVE 5K TO 3428; IF LOSSES 0", "LOSSES needs a number of steps"},
		{"MOVE 5K TO 3428; IF LOSSES 2", "if it holds when it is its turn: IF LOSSES 2"},
		{"SKIP", "SKIP stands behind OTHERWISE"},
		{"MOVE 5K TO 3428; IF TURN 1; IF TURN 1", "an order has one condition"},
	} {
		told := ""
		for _, l := range p.files(t, "CHIT 2Pz\n  "+x.orders).Lines {
			told += fmt.Sprintln(l.Understood, l.Warning, l.Refused)
		}
		if !strings.Contains(told, x.want) {
			t.Errorf("%q is answered %q, not %q", x.orders, told, x.want)
		}
	}
}

// FIRE ANY has every unit that can fire at whom it sees and harms best, and nobody twice; an advance may
// go by a hex of its own choice.
func TestOrdersToWhoeverCan(t *testing.T) {
	const scene = `MAP 10x14
UNITS
  RED h: hq 9, at 0101
  RED a: tracked, 8-7-10/5-5-10, direct 3, at 0303
  RED b: tracked, 8-7-10/5-5-10, direct 3, at 0503
  RED c: leg, 4-4-8, at 0101
  BLUE x: tracked, 6-7-9, at 0306
  BLUE y: leg, 2-2-8, at 0506
CHIT RED 1
`
	playScene(t, "fire", scene+"  FIRE ANY\nDICE\n  shot a 0306: 1 2\n  shot b 0506: 1 2\nEXPECT\n  event shot: unit = a\n  event shot: unit = b")
	playScene(t, "legs first", strings.Replace(scene, "0506", "0406", 1)+"  FIRE ANY PREF LEG\nDICE\n  shot a 0406: 1 2\n  shot b 0406: 1 2\nEXPECT\n  event shot: unit = a; hex = 0406\n  event shot: unit = b; hex = 0406")
	playScene(t, "by another way", scene+"  ADVANCE TO 0105 VIA 0203; KEEP A, B, H\nEXPECT\n  event move: path = 0101-0102-0203-0103-0104-0105")
}

// ASK stops a programme for its owner, who puts other orders in the place of what is left, or lets
// that be done; nobody is asked who could do nothing any more.
func TestProgrammesThatAsk(t *testing.T) {
	const rest = "orders for the rest of 1"
	for _, x := range []struct{ programme, more, expect string }{
		{"MOVE B TO 0502\n  ASK HERE\n  MOVE C TO 0202", "", "asked " + rest + ";b at 0502;c at 0202"},
		{"MOVE B TO 0502\n  ASK HERE\n  MOVE C TO 0202", "ANSWERS\n  " + rest + ": MOVE C TO 0402", "b at 0502;c at 0402"},
		{"MOVE B TO 0502\n  ASK HERE IF B AT 0601\n  MOVE C TO 0202", "", "unasked " + rest + ";c at 0202"},
		{"MOVE B TO 0504\n  OTHERWISE ASK HERE\n  MOVE C TO 0202", "", "asked " + rest + ";c at 0202"},
		{"MOVE B TO 0502\n  ASK HERE\n  ATTACK 0504 WITH B", "ANSWERS\n  " + rest + ": ATTACK 0304 WITH A ADVANCE NO\nDICE\n  combat 0304: 3 4",
			"event combat: hex = 0304;no event combat: hex = 0504"},
		{"ATTACK 0304 WITH A; ADVANCE NO\n  ASK AFTER ATTACK 0304\n  ATTACK 0504 WITH B; ADVANCE NO", "ANSWERS\n  " + rest + ": ATTACK 0304 WITH C\nDICE\n  combat 0304: 1 1",
			"asked " + rest + ";no event combat: hex = 0504"},
		{"ATTACK 0304 WITH A; ADVANCE NO\n  ASK AFTER ATTACK IF TOOK 0504\n  ATTACK 0504 WITH B; ADVANCE NO", "DICE\n  combat 0304: 3 4\n  combat 0504: 3 4", "asked " + rest},
		{"ATTACK 0304 WITH A; ADVANCE NO; MIN 5-1\n  ASK AFTER ATTACK 0304\n  MOVE B TO 0502", "", "unasked " + rest + ";b at 0502"},
		{"ATTACK 0304 WITH A; ADVANCE NO\n  ASK AFTER ATTACK\n  MOVE B TO 0502", "DICE\n  combat 0304: 3 4\nANSWERS\n  " + rest + ": MOVE C TO 0202", "c at 0303;event skipped: order = MOVE C TO 0202"},
		{"ATTACK AT-WILL MIN 1-1\n  ASK AFTER ATTACK 0304", "DICE\n  combat 0304: 3 4\nANSWERS\n  " + rest + ": PASS", "event combat: hex = 0304;no event combat: hex = 0504"},
	} {
		scene := strings.TrimSuffix(fought, "  ATTACK 0304 WITH A; ADVANCE NO\n")
		expect := "EXPECT"
		for line := range strings.SplitSeq(x.expect, ";") {
			expect += "\n  " + line
		}
		playScene(t, x.programme, scene+"  "+x.programme+"\n"+x.more+"\n"+expect)
	}
}

// Who was driven off in an activation is gone from the view in its midst, and not remembered there.
func TestTheViewInTheMidstOfAnActivation(t *testing.T) {
	s := playScene(t, "a scene", strings.TrimSuffix(fought, "CHIT RED 1\n  ATTACK 0304 WITH A; ADVANCE NO\n")).s
	s.noteContacts()
	s.remove(s.on(hex.New(3, 4))[0])
	for _, acting := range []*view.Acting{nil, {Side: "RED"}} {
		s.Acting = acting
		v := s.shownTo("RED")
		there := slices.ContainsFunc(v.Enemy, func(st view.Stack) bool { return st.Hex.String() == "0304" })
		if told := v.Acting != nil; there != (acting == nil) || told != (acting != nil) {
			t.Errorf("with %v an enemy is shown: %v, and the activation is told: %v", acting, there, told)
		}
	}
	if v := s.shownTo("BLUE"); v.Acting != nil {
		t.Error("the enemy is told of it")
	}
}
