package steppe_test

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
)

// What a sheet comes to as things stand: orders that are taken, how they are read and
// what should be looked at. Star and Gallop, turn 1: a weather die of 2 is clear on
// normal ground, 4 and 5 freeze it.
func TestEcho(t *testing.T) {
	g := open(t, "star-and-gallop", nil)
	position := map[int][]byte{}
	for _, x := range []struct {
		die   int
		side  adjudicator.Side
		sheet string
		want  string // order = how it is read ? what should be looked at | ...
	}{
		{2, german, "CHIT SS PZ MA\nMOVE LAH TO 3011",
			"CHIT SS PZ MA = activates 1 of the 2 units in range now | MOVE LAH TO 3011 = LAH 2712-2812-2911-3011"},
		{2, german, "CHIT SS PZ MA\nMOVE LAH TO 2611\nMOVE DR- TO 1912",
			"CHIT SS PZ MA = activates 2 of the 2 units in range now | MOVE LAH TO 2611 = LAH 2712-2711-2611 | MOVE DR- TO 1912 = DR- is on 1912 already"},
		{2, german, "CHIT SS PZ MA\nMOVE LAH 2712-2711-2611",
			"CHIT SS PZ MA = activates 1 of the 2 units in range now | MOVE LAH 2712-2711-2611 = LAH 2712-2711-2611"},
		{2, german, "CHIT SS PZ MA\nMOVE LAH TO 3815",
			"CHIT SS PZ MA = activates 1 of the 2 units in range now | MOVE LAH TO 3815 ? LAH would come to 3614 now"},
		{2, german, "CHIT SS PZ\nHQ TO 2412",
			"CHIT SS PZ = activates 0 of the 2 units in range now | HQ TO 2412 = SS Pz 2512-2412"},
		{2, german, "CHIT SS PZ\nUNITS LAH, DR-",
			"CHIT SS PZ = activates 2 of the 2 units in range now | UNITS LAH, DR- = activated: LAH, DR-"},
		{2, german, "CHIT SS PZ HOLD",
			"CHIT SS PZ HOLD"},
		{2, german, "CHIT SS PZ HOLD UNLESS 2512 EMPTY\nMOVE LAH TO 2612",
			"CHIT SS PZ HOLD UNLESS 2512 EMPTY = activates 1 of the 2 units in range now | MOVE LAH TO 2612 = LAH 2712-2612"},
		{2, german, "CHIT OKH\nBLOW 2914/2915 BY 320 ID",
			"CHIT OKH = activates 0 of the 2 units in range now | BLOW 2914/2915 BY 320 ID = the bridge 2914/2915, on 2 to 6 ? 320 ID is out of range of OKH now: 27 hexes, and it reaches 25 (Steppe 6.0)"},
		{2, german, "CHIT OKH\nKG D FROM 7 PD\nMOVE KG D TO 3635",
			"CHIT OKH = activates 1 of the 2 units in range now | KG D FROM 7 PD | MOVE KG D TO 3635 = KG D 3636-3635"},
		{2, german, "CHIT OKH\nMERGE KG A INTO 168",
			"CHIT OKH = activates 0 of the 2 units in range now | MERGE KG A INTO 168 ? KG A is out of range of OKH now: 41 hexes, and it reaches 25 (Steppe 6.0)"},
		{2, german, "CHIT OKH\nMOVE 320ID TO 4020",
			"CHIT OKH = activates 0 of the 2 units in range now | MOVE 320ID TO 4020 ? 320 ID is out of range of OKH now: 27 hexes, and it reaches 25 (Steppe 6.0)"},
		{2, german, "CHIT 3 PZ\nATTACK 4123 WITH 19 PD, 320 ID; MIN 1:3",
			"CHIT 3 PZ = activates 2 of the 3 units in range now | ATTACK 4123 WITH 19 PD, 320 ID; MIN 1:3 = 7 against 5 as they stand: 1:1 before aircraft and artillery ? 320 ID would not stand beside 4123: 3 hexes away, on 4021 (Steppe 10.0)"},
		{2, german, "CHIT 3 PZ\nATTACK 4123 AT-WILL",
			"CHIT 3 PZ = activates 0 of the 3 units in range now, and whoever attacks at will | ATTACK 4123 AT-WILL = with all that are beside it then, now 19 PD: 7 against 5 as they stand: 1:1 before aircraft and artillery ? that is below its MIN of 3:2, and nothing is fought as things stand (Steppe 10.0); MIN 1:1 would be met"},
		{2, german, "CHIT 3 PZ\nATTACK 4020 WITH 320 ID",
			"CHIT 3 PZ = activates 1 of the 3 units in range now | ATTACK 4020 WITH 320 ID = 7 against 2 as they stand: 3:1, shifted -1, column 2:1 before aircraft and artillery"},
		{2, german, "CHIT 3 PZ\nATTACK 3920 WITH 320 ID",
			"CHIT 3 PZ = activates 1 of the 3 units in range now | ATTACK 3920 WITH 320 ID ? 3920 holds no enemy now"},
		{2, german, "CHIT 3 PZ\nOVERRUN-MOVE 19 PD TO 4219",
			"CHIT 3 PZ = activates 1 of the 3 units in range now | OVERRUN-MOVE 19 PD TO 4219 = 19 PD to 4219, once it has overrun ? 19 PD would have no overrun marker: no attack in which it overruns would be fought (Steppe 9.3)"},
		{2, german, "CHIT SS PZ MA\nMOVE LAH TO 2611\nMOVE LAH TO 2612",
			"CHIT SS PZ MA = activates 1 of the 2 units in range now | MOVE LAH TO 2611 = LAH 2712-2711-2611 | MOVE LAH TO 2612 ? LAH has moved in this activation"},
		{2, german, "SOLO HEX 3503\nMOVE 4 HUNG TO 3502",
			"SOLO HEX 3503 | MOVE 4 HUNG TO 3502 = 4 Hung 3503-3502"},
		{2, german, "SOLO HEX ZMIEV",
			"SOLO HEX ZMIEV"},
		{2, soviet, "CHIT 1GA\nATTACK 4023 WITH 41G RD, 195 RD",
			"CHIT 1GA = activates 2 of the 18 units in range now | ATTACK 4023 WITH 41G RD, 195 RD = 4 against 5 as they stand: 2:3 before aircraft and artillery ? 41G RD would not stand beside 4023: 2 hexes away, on 4124 (Steppe 10.0); that is below its MIN of 3:2, and nothing is fought as things stand (Steppe 10.0); MIN 2:3 would be met"},
		{2, soviet, "CHIT 1GA\nMOVE 18 TC TO 4122",
			"CHIT 1GA = activates 1 of the 18 units in range now | MOVE 18 TC TO 4122 = 18 TC 4223-4122"},
		{2, soviet, "CHITS 3TA, 69A\nSTANDING\nAIR RAIN SW\nSTALWART AT KEY ELSE NEVER",
			"CHITS 3TA, 69A | AIR RAIN SW | STALWART AT KEY ELSE NEVER"},
		{2, soviet, "CHIT 6A AM IF GERMAN HOLDS 2512 AND NOT WEATHER SNOW\nMOVE 3 TC TO 4118",
			"CHIT 6A AM IF GERMAN HOLDS 2512 AND NOT WEATHER SNOW = activates 1 of the 17 units in range now | MOVE 3 TC TO 4118 = 3 TC 4219-4118"},
		{2, soviet, "CHIT 6A\nIF 2 OWN CHITS PLAYED THEN MOVE 3 TC TO 4118\nUNLESS LAH REDUCED",
			"CHIT 6A = activates 0 of the 17 units in range now | IF 2 OWN CHITS PLAYED THEN MOVE 3 TC TO 4118 = 3 TC 4219-4118 | UNLESS LAH REDUCED !! you have no unit LAH"},
		{2, soviet, "CHIT 6A\nIF ENEMY AT 4021 UNDER 9 THEN\nATTACK 4021 WITH 11 TB; ADVANCE NO; LOSSES WEAKEST FIRST\nMOVE 3 TC TO 4118",
			"CHIT 6A = activates 0 of the 17 units in range now | IF ENEMY AT 4021 UNDER 9 THEN | ATTACK 4021 WITH 11 TB; ADVANCE NO; LOSSES WEAKEST FIRST = 3 against 8 as they stand: 1:3 before aircraft and artillery ? that is below its MIN of 3:2, and nothing is fought as things stand (Steppe 10.0); MIN 1:3 would be met | MOVE 3 TC TO 4118 = 3 TC 4219-4118"},
		{2, soviet, "CHIT 6A\nIF 1 ENEMY CHITS LEFT AND SECOND CHIT\nMOVE 3 TC TO 4118",
			"CHIT 6A = activates 0 of the 17 units in range now | IF 1 ENEMY CHITS LEFT AND SECOND CHIT | MOVE 3 TC TO 4118 = 3 TC 4219-4118"},
		{4, soviet, "CHIT AGP\nMOVE 178/10 TB TO 4019",
			"CHIT AGP = activates 1 of the 19 units in range now | MOVE 178/10 TB TO 4019 = 178/10 TB 4221-4220-4119-4019"},
		{5, german, "CHIT SS PZ\nMOVE LAH TO 3011",
			"CHIT SS PZ = activates 1 of the 2 units in range now | MOVE LAH TO 3011 = LAH 2712-2812-2911-3011"},
		{5, soviet, "CHIT 3TA\nMOVE 15 TC TO 3710",
			"CHIT 3TA = activates 1 of the 14 units in range now | MOVE 15 TC TO 3710 = 15 TC 4011-3911-3811-3710"},
	} {
		if position[x.die] == nil {
			position[x.die] = opened(t, g, x.die)
		}
		if got := echo(check(t, g, position[x.die], x.side, x.sheet)); got != x.want {
			t.Errorf("%s %q comes to\n%s\nwant\n%s", x.side, x.sheet, got, x.want)
		}
	}
}

// echo is the lines of a filing in one.
func echo(f *adjudicator.Filing) string {
	var out []string
	for _, l := range f.Lines {
		text := l.Text
		if l.Refused != nil {
			text += " !! " + l.Refused.Why
		}
		if l.Understood != "" {
			text += " = " + l.Understood
		}
		if l.Warning != "" {
			text += " ? " + l.Warning
		}
		out = append(out, text)
	}
	return strings.Join(out, " | ")
}

// What stands of a sheet is kept word by word; what is refused falls out, with what
// belongs to it, and nothing else.
func TestWhatIsKept(t *testing.T) {
	g := open(t, "star-and-gallop", nil)
	position := opened(t, g, 2)
	for _, x := range []struct{ sheet, kept, ofSS string }{
		{"CHITS OKH", "CHITS OKH\n", ""},
		{"CHITS LAH", "", ""},
		{"CHIT SS PZ MA\nMOVE LAH TO 2612", "CHIT SS PZ MA\nMOVE LAH TO 2612\n", "CHIT SS PZ MA\nMOVE LAH TO 2612"},
		{"CHIT SS PZ MOVE LAH TO 2612", "CHIT SS PZ MOVE LAH TO 2612\n", "CHIT SS PZ MOVE LAH TO 2612"},
		{"CHIT SS PZ MOVE LAH TO 9999", "CHIT SS PZ\n", "CHIT SS PZ"},
		{"CHIT SS PZ\nMOVE LAH TO 9999\nHQ TO 2412", "CHIT SS PZ\nHQ TO 2412\n", "CHIT SS PZ\nHQ TO 2412"},
		{"CHIT SS PZ\nMOVE LAH TO 9999; HQ TO 2412", "CHIT SS PZ\nHQ TO 2412\n", "CHIT SS PZ\nHQ TO 2412"},
		{"CHIT SS PZ\nATTACK 9999 WITH LAH; MIN 2:1; HQ TO 2412", "CHIT SS PZ\nHQ TO 2412\n", "CHIT SS PZ\nHQ TO 2412"},
		{"CHIT SS PZ\nATTACK 2613 WITH LAH\nMIN 2:1", "CHIT SS PZ\nATTACK 2613 WITH LAH\nMIN 2:1\n", "CHIT SS PZ\nATTACK 2613 WITH LAH\nMIN 2:1"},
		{"CHIT SS PZ\nATTACK 2613 WITH 9999\nMIN 2:1\nHQ TO 2412", "CHIT SS PZ\nHQ TO 2412\n", "CHIT SS PZ\nHQ TO 2412"},
		{"CHIT SS PZ\nIF 9999 EMPTY THEN\nMOVE LAH TO 2612", "CHIT SS PZ\n", "CHIT SS PZ"},
		{"CHIT SS PZ IF 9999 EMPTY\nMOVE LAH TO 2612", "", ""},
		{"CHIT OKH HOLD\nCHIT SS PZ HOLD\nCHIT SS PZ\nHQ TO 2412",
			"CHIT OKH HOLD\nCHIT SS PZ HOLD\nCHIT SS PZ\nHQ TO 2412\n", "CHIT SS PZ HOLD\nCHIT SS PZ\nHQ TO 2412"},
		{"STANDING\nCANCEL NO\nCANCEL PERHAPS\nKEEP LAH, DR-", "STANDING\nCANCEL NO\nKEEP LAH, DR-\n", ""},
		{"STANDING\n1: CANCEL NO", "STANDING\nCANCEL NO\n", ""},
		{"STANDING\nCANCEL PERHAPS; KEEP LAH\nCANCEL NO", "STANDING\nCANCEL NO\n", ""},
		{"STANDING\nCANCEL NO; KEEP LAH\nKEEP DR-", "STANDING\nKEEP DR-\n", ""},
		{"STANDING\nSTALWART AT 2512, 2613 ELSE NEVER", "STANDING\nSTALWART AT 2512, 2613 ELSE NEVER\n", ""},
		{"CHIT SS, PZ\nMOVE LAH TO 2612", "", ""},
		{"MODE: PAUSE-IF 2512 FALLS, OVERRUN\nCHITS OKH", "MODE: PAUSE-IF 2512 FALLS, OVERRUN\nCHITS OKH\n", ""},
		{"MODE: PAUSE-IF VP HEX LOST\nCHITS OKH", "MODE: PAUSE-IF VP HEX LOST\nCHITS OKH\n", ""},
		{"MODE: PAUSE-IF RAIN\nCHITS OKH", "CHITS OKH\n", ""},
		{"MODE: ASK SS PZ, OKH\nCHITS OKH", "MODE: ASK SS PZ, OKH\nCHITS OKH\n", ""},
		{"MODE: ASK LAH\nCHITS OKH", "CHITS OKH\n", ""},
		{"MODE: ASK SS PZ WHEN 2512 FALLS\nCHITS OKH", "MODE: ASK SS PZ WHEN 2512 FALLS\nCHITS OKH\n", ""},
	} {
		f := check(t, g, position, german, x.sheet)
		if got := f.Answers["turn orders"]; got != x.kept {
			t.Errorf("of %q is kept %q, want %q", x.sheet, got, x.kept)
		}
		if got := f.Answers["orders SS Pz"]; got != x.ofSS {
			t.Errorf("of %q the chit of SS Pz has %q, want %q", x.sheet, got, x.ofSS)
		}
		// What is kept stands when it is read again, and is kept as it is.
		again := check(t, g, position, german, x.kept)
		if refused := refusals(again); refused != "" || again.Answers["turn orders"] != x.kept {
			t.Errorf("what is kept of %q reads again as %q, refused %q", x.sheet, again.Answers["turn orders"], refused)
		}
	}
}
