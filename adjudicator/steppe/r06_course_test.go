package steppe

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

const lookedAt = `UNITS
  G h: HQ 2-6-5 at 1205
  G a: ARM 9-7-10/7-5-10 at 1305
  G b: ARM 9-7-10/7-5-10 steps 1 at 1207
  S x: INF 2-4-5 at 1209
`

// onMarch is a headquarters with two divisions, for more units to follow.
const onMarch = `UNITS
  G h: HQ 2-6-5 at 1205
  G a: ARM 9-7-10/7-5-10 at 1305
  G b: ARM 9-7-10/7-5-10 at 1207
`

// Every fact that a condition may ask is judged when it is its order's turn.
func TestFactsOfConditions(t *testing.T) {
	for _, x := range []struct{ holds, fails string }{
		{"1306 EMPTY", "1209 EMPTY"},
		{"ENEMY HOLDS 1209", "WE HOLD 1209"},
		{"ENEMY AT 1209 UNDER 5", "ENEMY AT 1209 UNDER 4"},
		{"ENEMY AT 1209", "ENEMY AT 1306"},
		{"ENEMY WITHIN 2 OF 1207", "ENEMY WITHIN 1 OF 1207"},
		{"ENEMY WITHIN 2 OF b", "ENEMY WITHIN 2 OF a"},
		{"a AT 1305", "a AT 1306"},
		{"b BESIDE 1206", "b BESIDE 1209"},
		{"NOT a IN CONTACT", "a IN CONTACT"},
		{"b REDUCED", "a REDUCED"},
		{"NOT a LOST", "a LOST"},
		{"NOT a LOW ON SUPPLY", "a LOW ON SUPPLY"},
		{"TURN 1", "FROM TURN 2"},
		{"h DONE", "NOT h DONE"},
		{"0 ENEMY CHITS LEFT", "3 ENEMY CHITS LEFT"},
		{"0 CAS LEFT", "9 CAS LEFT"},
		{"0 FIGHTERS LEFT", "9 FIGHTERS LEFT"},
		{"a AT 1306 OR b REDUCED", "a AT 1306 AND b REDUCED"},
	} {
		staged(t, x.holds, lookedAt+"CHIT h; MOVE a TO 1404; IF "+x.holds+"\nEXPECT a at 1404\n")
		staged(t, x.fails, lookedAt+"CHIT h; MOVE a TO 1404; IF "+x.fails+"\nEXPECT a at 1305; dropped its condition does not hold\n")
		staged(t, "unless "+x.fails, lookedAt+"CHIT h\n  MOVE a TO 1404 UNLESS "+x.fails+"\nEXPECT a at 1404\n")
	}
}

// What was taken and lost in the activation is looked at when it is an order's turn.
func TestFactsOfTheActivation(t *testing.T) {
	const scene = onMarch + `  S x: INF 2-2-5 at 1208
  S y: INF 2-2-5 at 1306
  S z: INF 9-9-5 at 1107
`
	stagedAll(t, scene, map[string]string{
		"it was taken":      "CHIT h\n  ATTACK 1208 WITH b; ARTILLERY 0; ADVANCE NO\n  ATTACK 1306 WITH a; ARTILLERY 0; ADVANCE NO; IF TOOK 1208\nDICE combat 1208: 6 6\nDICE combat 1306: 6 6\nEXPECT x gone; y gone\n",
		"it was not":        "CHIT h\n  ATTACK 1107 WITH b; ARTILLERY 0; MIN 1:3; ADVANCE NO\n  ATTACK 1306 WITH a; ARTILLERY 0; ADVANCE NO; IF TOOK 1107\nDICE combat 1107: 1 1\nEXPECT z at 1107; y at 1306; dropped IF TOOK 1107\n",
		"then the movement": "CHIT h ATTACK THEN MOVE\n  ATTACK 1208 WITH b; ARTILLERY 0; ADVANCE NO\n  MOVE a TO 1304; IF TOOK 1208\nDICE combat 1208: 6 6\nEXPECT a at 1304\n",
		"nothing was lost":  "CHIT h\n  ATTACK 1208 WITH b; ARTILLERY 0; ADVANCE NO\n  STOP HERE IF LOSSES 1\n  ATTACK 1306 WITH a; ARTILLERY 0; ADVANCE NO\nDICE combat 1208: 6 6\nDICE combat 1306: 6 6\nEXPECT y gone\n",
		"a step was lost":   "CHIT h\n  ATTACK 1208 WITH b; ARTILLERY 0; ADVANCE NO\n  STOP HERE IF LOSSES 1\n  ATTACK 1306 WITH a; ARTILLERY 0; ADVANCE NO\nDICE combat 1208: 1 1\nEXPECT b steps 1; y at 1306\n",
	})
}

// ASK stops a programme for its owner, who puts other orders in the place of what is left, or lets
// that be done; nobody is asked who could do nothing any more.
func TestProgrammesThatAsk(t *testing.T) {
	const scene = onMarch + `  S x: INF 2-2-5 at 1208
  S y: INF 2-2-5 at 1306
`
	const first = "  ATTACK 1208 WITH b; ARTILLERY 0; ADVANCE NO\n"
	const second = "  ATTACK 1306 WITH a; ARTILLERY 0; ADVANCE NO\n"
	const rest = "orders for the rest of h"
	stagedAll(t, scene, map[string]string{
		"as filed":           "CHIT h\n  MOVE h TO 1204\n  ASK HERE\n  MOVE b TO 1206\nEXPECT asked " + rest + "; b at 1206; h at 1204\n",
		"otherwise":          "CHIT h\n  MOVE h TO 1204\n  ASK HERE\n  MOVE b TO 1206\nANSWERS " + rest + ": CHIT h MOVE a TO 1304\nEXPECT b at 1207; a at 1304\n",
		"if need be":         "CHIT h\n  MOVE h TO 1204\n  ASK HERE IF b LOST\n  MOVE b TO 1206\nEXPECT unasked " + rest + "; b at 1206\n",
		"then it attacks":    "CHIT h\n  MOVE h TO 1204\n  ASK HERE\n" + first + "ANSWERS " + rest + ": CHIT h ATTACK 1306 WITH a ARTILLERY 0 ADVANCE NO\nDICE combat 1306: 6 6\nEXPECT y gone; x at 1208\n",
		"after an attack":    "CHIT h\n" + first + "  ASK AFTER ATTACK 1208 IF TOOK 1208\n" + second + "ANSWERS " + rest + ": CHIT h HOLD\nDICE combat 1208: 6 6\nEXPECT x gone; y at 1306\n",
		"after each":         "CHIT h\n" + first + "  ASK AFTER ATTACK\n" + second + "DICE combat 1208: 6 6\nDICE combat 1306: 6 6\nEXPECT asked " + rest + "; x gone; y gone\n",
		"after none":         "CHIT h\n" + strings.Replace(first, "ADVANCE", "IF a LOST; ADVANCE", 1) + "  ASK AFTER ATTACK 1208\n  MOVE a TO 1304\nEXPECT unasked " + rest + "; a at 1304\n",
		"and then it moves":  "CHIT h ATTACK THEN MOVE\n" + first + "  ASK AFTER ATTACK 1208\n" + second + "  MOVE h TO 1204\nANSWERS " + rest + ": CHIT h MOVE a TO 1304\nDICE combat 1208: 6 6\nEXPECT x gone; y at 1306; a at 1304; h at 1205\n",
		"who can do nothing": "CHIT h\n" + first + second + "  ASK HERE\nDICE combat 1208: 6 6\nDICE combat 1306: 6 6\nEXPECT unasked " + rest + "\n",
	})
	answered(t, scene, map[string]string{
		"MOVE h TO 1204\n  ASK HERE":                       "answered ASK HERE = you are asked here by mail",
		"ATTACK 1208 WITH b\n  ASK AFTER ATTACK 1208":      "answered ASK AFTER ATTACK 1208 = you are asked by mail when that is fought",
		"ATTACK 1208 WITH b\n  ASK AFTER ATTACK 1306":      "refused no attack on 1306 stands above this line",
		"ASK AFTER ATTACK":                                 "refused no attack stands above this line",
		"ASK NOW":                                          "refused \"NOW\" stands where HERE or AFTER was expected",
		"ATTACK 1208 WITH b\n  OTHERWISE ASK AFTER ATTACK": "refused ASK AFTER ATTACK waits for an attack",
	})
}

// ATTACK ANY attacks wherever its odds are met, with those whom no order below names, and WITH ALL takes
// who can; of goals the first that can be come to is gone for, and in a withdrawal those in contact
// go last.
func TestOrdersToWhoeverCan(t *testing.T) {
	const scene = onMarch + `  G c: INF 2-2-5 at 1207
  S x: INF 2-2-5 at 1208
  S y: INF 2-2-5 at 1405
  S z: INF 9-9-5 at 1107
`
	stagedAll(t, scene, map[string]string{
		"wherever the odds are": "CHIT h\n  ATTACK ANY; MIN 3:1; ARTILLERY 0; ADVANCE NO\nDICE combat 1208: 6 6\nDICE combat 1405: 6 6\nEXPECT x gone; y gone; z at 1107\n",
		"nowhere":               "CHIT h\n  STOP HERE IF TURN 9\n  ATTACK ANY; MIN 4:1; IF TURN 9\n  OTHERWISE ATTACK 1405 WITH a; ARTILLERY 0; ADVANCE NO\nDICE combat 1405: 6 6\nEXPECT y gone; x at 1208\n",
		"below it is named":     "CHIT h\n  ATTACK ANY; MIN 3:1; ARTILLERY 0; ADVANCE NO\n  ATTACK 1405 WITH a; ARTILLERY 0; ADVANCE NO; IF b LOST\nDICE combat 1208: 6 6\nEXPECT x gone; y at 1405\n",
		"it asks":               "CHIT h\n  ATTACK ANY; MIN 3:1; ARTILLERY 0; ADVANCE NO\n  ASK AFTER ATTACK\nANSWERS orders for the rest of h: CHIT h HOLD\nDICE combat 1208: 6 6\nEXPECT x gone; y at 1405\n",
		"with all":              "CHIT h\n  ATTACK 1208 WITH ALL; ARTILLERY 0; ADVANCE NO\nDICE combat 1208: 6 6\nEXPECT x gone\n",
		"the second goal":       "CHIT h\n  ADVANCE TO 1405 OR 1204; KEEP b, c\nEXPECT a at 1204\n",
		"it goes back":          "CHIT h\n  WITHDRAW TO 1202\nEXPECT a at 1202\n",
	})
	answered(t, scene, map[string]string{
		"ATTACK ANY; MIN 3:1":           "answered ATTACK ANY = wherever the odds are 3:1 or better",
		"ATTACK ANY WITH a":             "refused ATTACK ANY takes all units",
		"ATTACK 1208 WITH ALL; MIN 1:1": "answered ATTACK 1208 = with all that are beside it then, now b, c",
		"WITHDRAW TO 1202":              "answered WITHDRAW = a 1305-",
	})
}

// An order is done in the place of the one above it when that came to nothing, and STOP ends
// the half in which it stands, or the programme. By version 3 of the rules a condition behind
// an order opened a variant.
func TestOrdersInThePlaceOfOthers(t *testing.T) {
	stagedAll(t, lookedAt, map[string]string{
		"in place of another":        "CHIT h\n  MOVE a TO 1404; IF a REDUCED\n  OTHERWISE MOVE b TO 1206\nEXPECT a at 1305; b at 1206; no event dropped\n",
		"the first is done":          "CHIT h\n  MOVE a TO 1404\n  OTHERWISE MOVE b TO 1206\nEXPECT a at 1404; b at 1207\n",
		"it does not matter":         "CHIT h\n  MOVE a TO 1404; IF a REDUCED\n  OTHERWISE SKIP\nEXPECT a at 1305; no event dropped\n",
		"what was done is looked at": "CHIT h\n  MOVE a TO 1404\n  MOVE b TO 1206; IF a AT 1404\nEXPECT b at 1206\n",
		"it stops":                   "CHIT h\n  MOVE a TO 1404\n  STOP HERE IF a AT 1404\n  MOVE b TO 1206\nEXPECT a at 1404; b at 1207\n",
		"it goes on":                 "CHIT h\n  MOVE a TO 1404\n  STOP HERE UNLESS a AT 1404\n  MOVE b TO 1206\nEXPECT b at 1206\n",
		"no attack, then":            "CHIT h\n  MOVE b TO 1208 PUSH\n  STOP ALL\nEXPECT b at 1208; no event combat\n",
		"by version 3":               "SET version 3\nCHIT h; MOVE a TO 1404; IF a REDUCED\nEXPECT a at 1404\n",
	})
}

// The answer says what a condition comes to, and refuses an order that can never be done.
func TestConditionsAreAnswered(t *testing.T) {
	answered(t, lookedAt, map[string]string{
		"MOVE a TO 1404; IF TURN 9":                              "answered MOVE A TO 1404 = IF TURN 9 is never true this turn",
		"MOVE a TO 1404; IF TURN 1":                              "answered MOVE A TO 1404 = IF TURN 1 is always true this turn",
		"MOVE a TO 1404; IF a REDUCED":                           "answered MOVE A TO 1404 = left out as things stand",
		"MOVE a TO 1404\n  OTHERWISE MOVE b TO 1206":             "answered OTHERWISE = if the line above comes to nothing",
		"OTHERWISE MOVE a TO 1404":                               "refused OTHERWISE stands below the order",
		"ATTACK 1209 WITH b\n  OTHERWISE MOVE a TO 1404":         "refused which comes later in the activation",
		"STOP ALL\n  MOVE a TO 1404":                             "refused it is never reached",
		"SKIP":                                                   "refused SKIP stands behind OTHERWISE",
		"MOVE a TO 1404; IF a PINNED":                            "refused is not a condition of this game",
		"MOVE a TO 1404; IF TOOK 1209":                           "refused 1209 cannot be taken before it",
		"ATTACK 1209 WITH b; IF TOOK 1209":                       "refused no attack on 1209 stands above this line",
		"ATTACK 1209 WITH b\n  STOP HERE IF TOOK 1209":           "answered STOP HERE = if it holds when it is its turn: IF TOOK 1209",
		"ATTACK 1209 WITH b\n  ATTACK 1306 WITH a; IF TOOK 1209": "answered ATTACK 1306 = if it holds when it is its turn",
		"MOVE a TO 1404; IF LOSSES 1":                            "answered MOVE A TO 1404 = IF LOSSES 1 is never true this turn",
		"ATTACK 1209 WITH b\n  STOP ALL IF LOSSES 99":            "answered STOP ALL = IF LOSSES 99 is never true this turn",
		"MOVE a TO 1404; IF LOSSES":                              "refused LOSSES needs a number of steps",
		"IF LOSSES 1 THEN\n  ATTACK 1209 WITH b":                 "answered IF LOSSES 1 = never true this turn",
		"IF TURN 9 THEN\n  MOVE a TO 1404\n":                     "answered IF TURN 9 = never true this turn",
		"MOVE a TO 1404; IF a REDUCED\n  OTHERWISE SKIP 1":       "refused \"1\"",
	})
}

// stagedAll plays each of what may follow a scene, by what happens in it.
func stagedAll(t *testing.T, scene string, follows map[string]string) {
	t.Helper()
	for name, body := range follows {
		t.Run(name, func(t *testing.T) { staged(t, name, scene+body) })
	}
}

// answered judges orders to the chit h of a scene, and expects their answers.
func answered(t *testing.T, scene string, expected map[string]string) {
	t.Helper()
	for orders, want := range expected {
		t.Run(orders, func(t *testing.T) {
			staged(t, "an answer", scene+"CHECK GERMAN\n  CHIT h\n  "+orders+"\nEXPECT "+want+"\n")
		})
	}
}

// Words that came with the fifth version of the rules are refused in games that were begun before it:
// those are decided as they were.
func TestWordsOfTheFifthVersion(t *testing.T) {
	refuses := func(sheet, why string) {
		staged(t, "version 4", lookedAt+"SET version 4\nCHECK GERMAN\n  "+sheet+"\nEXPECT refused "+why+"\n")
	}
	refuses("CHIT h OTHERWISE\n  MOVE a TO 1404", `"OTHERWISE" is not understood here`)
	for orders, why := range map[string]string{
		"ASK HERE":                                     `"ASK" is not understood here`,
		"WITHDRAW TO 1202":                             `"WITHDRAW" is not understood here`,
		"ADVANCE TO 1404 OR 1304":                      "OR came with version 5 of the rules, and this game was begun under version 4",
		"MOVE a TO 1404 INTO CONTACT":                  "INTO CONTACT of one unit came with version 5",
		"ATTACK ANY; MIN 3:1":                          "ATTACK ANY came with version 5",
		"ATTACK 1209 WITH ALL":                         "WITH ALL came with version 5",
		"ATTACK 1209 WITH b\n  STOP HERE IF TOOK 1209": `"TOOK 1209" is not a condition of this game`,
		"MOVE a TO 1404; IF LOSSES 1":                  `"LOSSES 1" is not a condition of this game`,
	} {
		refuses("CHIT h\n  "+orders, why)
	}
}

// Words that came with the sixth version of the rules are refused in games that were begun before it.
func TestWordsOfTheSixthVersion(t *testing.T) {
	for orders, why := range map[string]string{
		"CHIT h\n  ATTACK 1209 WITH b; IF ODDS 1:1": `"ODDS 1:1" is not a condition of this game`,
		"CHIT h, h\n  MOVE a TO 1404":               "CHIT names one headquarters",
		"CHIT h\n  ENTER ALL 1005 TO 1205":          "",
	} {
		staged(t, "version 5", lookedAt+"SET version 5\nCHECK GERMAN\n  "+orders+"\nEXPECT refused "+why+"\n")
	}
}

// The advice about conditions has the words that a game knows, and no others.
func TestAdviceOfOlderGames(t *testing.T) {
	for version, lacks := range map[string][]string{"4": {"TOOK", "LOSSES", "ODDS"}, "5": {"ODDS"}, "6": nil} {
		sc := *load(t, "star-and-gallop")
		sc.AsOf, _ = strconv.Atoi(version)
		for _, word := range []string{"TOOK", "LOSSES", "ODDS"} {
			if has := strings.Contains(sc.guardHelp(), word); has == slices.Contains(lacks, word) {
				t.Errorf("version %s: %s is in the advice: %v", version, word, has)
			}
		}
	}
}

// ODDS asks what the attack comes to when it is its turn, as MIN does, and can be joined with others.
func TestOddsOfConditions(t *testing.T) {
	const scene = onMarch + "  S x: INF 2-4-5 at 1306\n  S y: INF 2-2-5 at 1208\n"
	stagedAll(t, scene, map[string]string{
		"good enough":     "CHIT h\n  ATTACK 1306 WITH a; MIN 1:1; ARTILLERY 0; ADVANCE NO; IF ODDS 2:1\nDICE combat 1306: 6 6\nEXPECT x gone\n",
		"not good enough": "CHIT h\n  ATTACK 1306 WITH a; MIN 1:1; ARTILLERY 0; ADVANCE NO; IF ODDS 3:1\nEXPECT x at 1306; dropped IF ODDS 3:1\n",
		"or another":      "CHIT h\n  ATTACK 1306 WITH a; MIN 1:1; ARTILLERY 0; ADVANCE NO; IF ODDS 3:1 OR h DONE\nDICE combat 1306: 6 6\nEXPECT x gone\n",
		"unless":          "CHIT h\n  ATTACK 1306 WITH a; MIN 1:1; ARTILLERY 0; ADVANCE NO; UNLESS ODDS 3:1\nDICE combat 1306: 6 6\nEXPECT x gone\n",
		"in its place":    "CHIT h\n  ATTACK 1306 WITH a; MIN 1:1; ARTILLERY 0; ADVANCE NO; IF ODDS 3:1\n  OTHERWISE ATTACK 1208 WITH b; ARTILLERY 0; ADVANCE NO\nDICE combat 1208: 6 6\nEXPECT x at 1306; y gone\n",
	})
	answered(t, scene, map[string]string{
		"ATTACK 1306 WITH a; MIN 1:1; IF ODDS 3:1": "answered ATTACK 1306 = left out as things stand: its condition does not hold: IF ODDS 3:1, and it comes to 2:1",
		"ATTACK 1306 WITH a; IF ODDS 9:1":          `refused "9:1" is not a column of the combat table`,
		"MOVE a TO 1404; IF ODDS 2:1":              "refused ODDS stands behind an attack",
		"ATTACK ANY; MIN 2:1; IF ODDS 2:1":         "refused ODDS stands behind an attack",
		"IF ODDS 2:1 THEN\n  ATTACK 1306 WITH a":   "refused ODDS stands behind an attack",
		"ATTACK 1306 WITH a; MIN 1:1; IF ODDS 2:1": "answered ATTACK 1306 = 9 against 4",
	})
}

// Several headquarters have one programme, judged and filed for each.
func TestOneProgrammeForSeveralChits(t *testing.T) {
	const scene = `UNITS
  G h: HQ 2-6-5 at 1205
  G k: HQ 2-6-5 at 1211
  G a: ARM 9-7-10/7-5-10 at 1305
  S x: INF 2-2-5 at 1306
`
	answered := func(orders, want string) {
		staged(t, "several chits", scene+"CHECK GERMAN\n  "+orders+"\nEXPECT "+want+"\n")
	}
	answered("CHIT h, k: HQ TO 1206", "answered HQ TO 1206 = h: h 1205-1206")
	answered("CHIT k, h\n  HQ TO 1210", "answered HQ TO 1210 = k: k 1211-1210")
	answered("CHIT h, zz\n  MOVE a TO 1304", "refused CHIT names no headquarters of yours")
	answered("CHIT h, k IF TURN 9\n  MOVE a TO 1304", "answered CHIT H IF TURN 9 = IF TURN 9 is never true")
}

// ENTER ALL brings whoever is due and comes with the chit, the headquarters last.
func TestEnterAll(t *testing.T) {
	const scene = `UNITS
  G h: HQ 2-2-5 at 1211
  G r: ARM 9-7-10 due 1
  G q: INF 4-4-5 due 1
  G z: INF 4-4-5 due 3
`
	stagedAll(t, scene, map[string]string{
		"by the edge": "CHIT h\n  ENTER ALL 1005 TO 1205\nEXPECT r at 1205; q at 1205\n",
		"anywhere":    "CHIT h; ENTER ALL TO 1205\nEXPECT r at 1205; q at 1205\n",
	})
	answered(t, strings.ReplaceAll(scene, "due 1", "due 2"), map[string]string{
		"ENTER ALL TO 1205": "refused nobody who comes with the chit of h is due in this turn",
	})
	answered(t, scene, map[string]string{"ENTER ALL": "refused"})
}
