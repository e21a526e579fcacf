package famous

import (
	"fmt"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/scenarios"
)

// whoIsThere is the order of battle of each scenario, taken off the lists of the book once
// more: a side, where or when its units begin, and the units by battalion. Entry A or B of
// the 3Art and the division is 18.4; 2K of the 1Pz is printed as one of the 2Pz; the
// conditional 2Pz and 1Art are those of 21.4.
var whoIsThere = map[string]string{
	"gd-kursk": `
GERMAN D on 10 Morning: 1Gr HQ, 1K, 2K, 3K, 4K, Schwr, Pioneer
GERMAN within 1 of entry C: 2Gr HQ
GERMAN within 5 of entry C: 2Gr 5K, 6K, 7K
GERMAN within 3 of entry C: 2Gr I.G., Flak
GERMAN within 2 of entry C: 2Gr Sturm
GERMAN within 1 of entry A: 2Pz HQ, 5K, 6K, 7K
GERMAN within 1 of entry E: 1Pz HQ; 1Art HQ
GERMAN within 2 of entry E: 1Pz 1K, 2K, 3K; 1Art (1)Wsp, (2)Wsp, Hummel
GERMAN within 5 of Alexejewka: Eng HQ
GERMAN in Alexejewka: Eng Jager
GERMAN within 4 of Alexejewka: Eng 1K, 2K, 3K, 4K
GERMAN within 3 of Alexejewka: Eng (1)Raft, (2)Raft
GERMAN within 2 of Alexejewka: Eng Flame
GERMAN within 3 of entry B: Rcn HQ
GERMAN within 2 of entry B: Rcn (1)SPW, (2)SPW
GERMAN within 1 of entry B: Rcn Schwr, Sturm
GERMAN in Luchanio: 1Fus HQ
GERMAN within 1 of Luchanio: 1Fus 1K, 2K, 3K, Sturm, I.G.
GERMAN A B on 10 Evening: 3Art HQ, (7)Btty, (8)Btty, (9)Btty, Kannone
GERMAN A B on 10 Evening: Div Division HQ, HQ Staff, Field Ersatz, (1)Escort, (2)Escort, (3)Escort
GERMAN A on 10 Day: 3Fus HQ, 9K, 10K, 11K, 12K, Schwr, Pioneer
GERMAN B on 10 Day: 3Pz HQ, (1)Tiger, (2)Tiger, (3)Tiger, Elephant
GERMAN off map: 2Art HQ, (4)Btty, (5)Btty, (6)Btty, Kannone
SOVIET in Ssyrzewo: 1Rif HQ
SOVIET north of Pena: 1Rif 1, 2, 3, AT; 2Rif HQ, 1, 2, 3, AT; 3Rif HQ, 1, 2, 3, AT
SOVIET north of Pena: AT HQ, (1)Su-85, (2)Su-85, (1)76, Lt AA, SPG; 1Mot HQ, 1, 2, 3, 4; 2Mot HQ, 1, 2, 3, 4
SOVIET in Werchopenje: Rcn HQ
SOVIET within 3 of Werchopenje: Rcn 1, 2, 3, 4, Eng
SOVIET at 2743: 2Tk HQ
SOVIET within 3 of 2743: 2Tk (1)T-34, (2)T-34, (3)T-34, (4)T-34
SOVIET within 6 of Novenkoye: Res HQ, (1)T-34, (2)T-34, (3)T-34, (4)T-34
SOVIET in Novenkoye: Rckt HQ
SOVIET within 1 of Novenkoye: Rckt (1)Kat, (2)Kat, (3)Kat
SOVIET within 1 of Hill 243: Art HQ
SOVIET within 2 of Hill 243: Art (1)105, (2)105, 155
SOVIET F on 10 Evening: 1Tk HQ, (1)KV-1, (2)KV-1, (3)KV-1
SOVIET G on 10 Evening: Hvy HQ, (1)KV-2, (2)KV-2, (3)KV-2, Su-85`,
	"gd-akhtyrka": `
GERMAN at Hill 62: 1Gr HQ
GERMAN within 3 of Hill 62: 1Gr 1K, 2K
GERMAN within 2 of Hill 62: 1Gr 3K
GERMAN within 1 of Hill 62: 1Gr Sturm
GERMAN in Sorkova: 3Gr HQ
GERMAN within 2 of Sorkova: 3Gr 9K, 10K, 11K, Sturm
GERMAN within 1 of Vesseloye: 2Gr HQ, 5K, 6K, 7K, Sturm
GERMAN in Bakirovka: Gr HQ
GERMAN within 1 of Bakirovka: Gr Schwr, Lt Flak, Pioneer
GERMAN within 2 of Bakirovka: Gr Flak
GERMAN within 2 of Tresovka: 3Art HQ
GERMAN within 1 of Tresovka: 3Art (7)Btty, (8)Btty, (9)Btty, Kannone
GERMAN G on 10 Morning: 2Fus HQ, 5K, 6K, 7K, 8K, Schwr, Pioneer; 3Fus HQ, 9K, 10K, 11K, 12K, Schwr, Pioneer
GERMAN F G on 11 Morning: 1Pz HQ, 1K, 2K, Wespe; 2Pz HQ, 5K, 6K, Wespe; 3Pz HQ, 9K, 10K, (1)Tiger
GERMAN F G on 11 Day: Rcn HQ, (1)SPW, (2)SPW, Schwr
GERMAN G on 10 Evening: Div Division HQ, HQ Staff
SOVIET A on 9 Morning: Rcn HQ, 1, 2, 3, 4; 1Mot HQ, 1, 2, 3, 4; AT HQ, (1)Su-85, (2)Su-85, (1)76
SOVIET B on 9 Evening: 2Tk HQ, (1)T-34, (2)T-34, (3)T-34, (4)T-34
SOVIET B C on 10 Morning: 2Mot HQ, 1, 2, 3, 4
SOVIET D on 10 Morning: 1Tk HQ, (1)KV-1, (2)KV-1, (3)KV-1
SOVIET D on 10 Day: Rckt HQ, (1)Kat, (2)Kat, (3)Kat
SOVIET E on 11 Morning: 1Rif HQ, 1, 2, 3, AT; 2Rif HQ, 1, 2, 3, AT; 3Rif HQ, 1, 2, 3, AT
SOVIET E on 11 Day: Art HQ, (1)105, (2)105, 155, 122
SOVIET C D on 11 Day: Res HQ, (1)T-34, (2)T-34, (3)T-34, (4)T-34
SOVIET C D on 11 Evening: Div Division HQ, SPG, Eng, AA`,
	"gd-mischurin-rog": `
GERMAN in Lichovka: 1Art HQ, (1)Wsp, (2)Wsp, Obsvr, Hummel
GERMAN in Krassni Kut: 1Fus HQ
GERMAN within 1 of Krassni Kut: 1Fus 1K, 2K, 3K, I.G.
GERMAN in Kalinov: 1Fus Lt Flak
GERMAN in Hamlet 179: 3Fus HQ
GERMAN within 3 of Hamlet 179: 3Fus 10K, 11K, 12K
GERMAN within 1 of Hamlet 179: 3Fus Schwr
GERMAN within 2 of Hamlet 179: 3Fus Pioneer
GERMAN in Hamlet 142: 1Gr HQ
GERMAN within 4 of Hamlet 142: 1Gr 1K, 2K, 3K
GERMAN within 2 of Hamlet 142: 1Gr Flak
GERMAN in Nesamoshnik: 2Gr HQ
GERMAN within 4 of Nesamoshnik: 2Gr 5K, 6K, 7K
GERMAN within 2 of Nesamoshnik: 2Gr Schwr
GERMAN C on 1 Evening: Rcn HQ, (1)SPW, (2)SPW, Schwr
GERMAN A B on 1 Evening: Flak HQ, 88, (1)Lt Flak, (2)Lt Flak, Hvy Flak
GERMAN A B on 1 Evening: 2Art HQ, (4)Btty, (5)Btty, (6)Btty, Kannone
GERMAN A B on 1 Day: Div Division HQ, HQ Staff, Field Ersatz, (1)Escort, (2)Escort, (3)Escort
SOVIET at Main Bridge: Rcn HQ
SOVIET within 2 of Main Bridge: Rcn 1, 2, 3, 4
SOVIET within 1 of Main Bridge: Rcn AA, Lt AA
SOVIET in Sausslovka: Rif HQ; 1Rif HQ
SOVIET within 1 of Sausslovka: Rif SPG, I.G.; 1Rif 1, 2, 3, AT, MG
SOVIET in Hamlet 86: 2Rif HQ
SOVIET within 2 of Hamlet 86: 2Rif 1, 2, 3
SOVIET within 1 of Hamlet 86: 2Rif AT, MG, I.G.
SOVIET in Yvaschki: 3Rif HQ
SOVIET within 2 of Yvaschki: 3Rif 1, 2, 3, AT, MG
SOVIET in Borodayevka: AT HQ
SOVIET within 1 of Borodayevka: AT (1)Su-85, (2)Su-85, (1)76, (2)76
SOVIET D on 1 Evening: 2Tk HQ, (1)T-34, (2)T-34, (3)T-34, (4)T-34
SOVIET D on 3 Morning: 1Mot HQ, 1, 2, 3, 4, Eng`,
	"gd-lutchessa": `
GERMAN at Hill 142: Rcn HQ
GERMAN within 3 of Hill 142: Rcn (1)SPW, (2)SPW, Schwr
GERMAN in Griva: Eng HQ
GERMAN within 1 of Griva: Eng 1K, 2K
GERMAN within 2 of Griva: Eng 3K, 4K, Brumbr
GERMAN at Hill 96: 2Gr HQ
GERMAN within 3 of Hill 96: 2Gr 5K, 6K, 7K, 8K, Flak, I.G., Sturm
GERMAN in Reskoye: 1Gr HQ
GERMAN within 5 of Reskoye: 1Gr Lt Flak
GERMAN within 4 of Reskoye: 1Gr 1K, 2K, 3K, 4K
GERMAN in Kalin: 1Gr Sturm
GERMAN within 1 of Kalin: 1Gr Schwr
GERMAN at Hill 87: 3Art HQ
GERMAN within 2 of Hill 87: 3Art (7)Btty
GERMAN within 3 of Hill 87: 3Art (8)Btty
GERMAN within 4 of Hill 87: 3Art (9)Btty, Kannone
GERMAN G on 1 Evening: 3Gr HQ, 9K, 10K, 11K, 12K, Pioneer
GERMAN G on 2 Morning: 2Pz HQ, 5K, 6K; 1Art HQ, (1)Wsp, (2)Wsp
SOVIET A on 1 Morning: Rcn HQ, 1, 2, 3, 4, AA
SOVIET B on 1 Morning: 2Tk HQ, (1)T-34, (2)T-34, (3)T-34, (4)T-34
SOVIET C on 1 Morning: 2Mot HQ, 1, 2, 3, 4, SPG, I.G.
SOVIET E on 1 Morning: 1Tk HQ, (1)KV-1, (2)KV-1, (3)KV-1, KV-85
SOVIET F on 1 Morning: 1Mot HQ, 1, 2, 3, 4, Eng, AA
SOVIET B on 1 Day: AT HQ, (1)SU-85, (2)SU-85, (1)76, (2)76
SOVIET D on 1 Evening: Art HQ, (1)105, (2)105, 155, 122
SOVIET A on 2 Day: 1Gd HQ, 1, 2, 3, 76
SOVIET A B C D E F on 2 Day: Res HQ, (1)T-34, (2)T-34; Div Division HQ`,
}

// Everybody of the book is there, where or when the book says, and nobody else.
func TestOrdersOfBattle(t *testing.T) {
	for id, list := range whoIsThere {
		pack, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		counted, err := System{}.Counters(pack)
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]adjudicator.Counted{}
		for _, c := range counted {
			have[string(c.Side)+" "+strings.ToUpper(c.Unit)] = c
		}
		for line := range strings.Lines(strings.TrimSpace(list)) {
			head, units, _ := strings.Cut(strings.TrimSpace(line), ": ")
			side, place, _ := strings.Cut(head, " ")
			entry, when, later := strings.Cut(place, " on ")
			for group := range strings.SplitSeq(units, "; ") {
				battalion, names, _ := strings.Cut(group, " ")
				for name := range strings.SplitSeq(names, ", ") {
					key := strings.ToUpper(name + "/" + battalion)
					switch name {
					case "HQ":
						key = strings.ToUpper("HQ " + battalion)
					case "Division HQ":
						key = "DIVISION HQ"
					}
					c, ok := have[side+" "+key]
					delete(have, side+" "+key)
					day, hour, _ := strings.Cut(when, " ")
					switch {
					case !ok:
						t.Errorf("%s: the %s have no %s", id, side, key)
					case c.Formation != battalion || c.Entry != entry:
						t.Errorf("%s: %s of the %s is of %s and begins %q, not %q", id, key, side, c.Formation,
							c.Entry, entry)
					case !later && c.When != "setup":
						t.Errorf("%s: %s of the %s comes %s", id, key, side, c.When)
					case later && !strings.Contains(c.When, fmt.Sprintf("-%02s %s", day, hour)):
						t.Errorf("%s: %s of the %s comes %s, not on the %s", id, key, side, c.When, when)
					}
				}
			}
		}
		for key := range have {
			t.Errorf("%s: %s stands in no list of the book", id, key)
		}
	}
}

// Who begins depleted: the first companies of the Kursk 1Pz, the engineers of Lutchessa.
func TestWhoBeginsDepleted(t *testing.T) {
	want := map[string]string{"gd-kursk": "1K/1Pz 2K/1Pz 3K/1Pz", "gd-akhtyrka": "", "gd-mischurin-rog": "",
		"gd-lutchessa": "1K/Eng 2K/Eng 3K/Eng 4K/Eng"}
	for id, names := range want {
		for _, side := range []string{"GERMAN", "SOVIET"} {
			v := seatAtOpening(t, id, side, nil).view
			for _, u := range v.Units {
				depleted := side == "GERMAN" && strings.Contains(" "+names+" ", " "+u.Name+" ")
				if depleted != (u.MaxSteps == 2 && u.Steps == 1) {
					t.Errorf("%s: %s begins with %d of %d steps", id, u.Name, u.Steps, u.MaxSteps)
				}
			}
		}
	}
}

// What the hexes of victory are worth, one by one, and that of Kalinovka and Rakowo only
// enough together count.
func TestPointsOfTheScenarios(t *testing.T) {
	for _, x := range []struct {
		id, side, hexes string
		points          int
	}{
		{"gd-kursk", "GERMAN", "", 0}, {"gd-kursk", "GERMAN", "4451", 3}, {"gd-kursk", "GERMAN", "2448", 2},
		{"gd-kursk", "GERMAN", "3437", 2}, {"gd-kursk", "GERMAN", "1448", 1},
		{"gd-kursk", "GERMAN", "2135", 1}, {"gd-kursk", "GERMAN", "1742", 1},
		{"gd-kursk", "GERMAN", "2136 1741 4450", 0}, {"gd-kursk", "GERMAN", "2750", 0},
		{"gd-kursk", "GERMAN", "2750 2850", 0},
		{"gd-kursk", "GERMAN", "2750 2850 2751", 3}, {"gd-kursk", "GERMAN", "2750 2850 2751 2851", 3},
		{"gd-kursk", "GERMAN", "3736 3737 3836 3837 3937", 0},
		{"gd-kursk", "GERMAN", "3736 3737 3836 3837 3937 4037", 2},
		{"gd-kursk", "GERMAN", "4451 2448 3437 1448 2135 1742 2750 2850 2851 3736 3737 3836 3837 3937 4037",
			15},
		{"gd-akhtyrka", "SOVIET", "", 0}, {"gd-akhtyrka", "SOVIET", "3502", 1},
		{"gd-akhtyrka", "SOVIET", "3602 3603 3702", 3},
		{"gd-akhtyrka", "SOVIET", "3502 3602 3603 3702 3802 3803 3804 3902", 8},
		{"gd-akhtyrka", "SOVIET", "3601 4001", 0},
		{"gd-mischurin-rog", "GERMAN", "", 0}, {"gd-mischurin-rog", "GERMAN", "3551 3552", 2},
		{"gd-mischurin-rog", "GERMAN", "3551 3552 3651 3653", 4}, {"gd-mischurin-rog", "GERMAN", "4047", 3},
		{"gd-mischurin-rog", "GERMAN", "4047 4147 4248", 9}, {"gd-mischurin-rog", "SOVIET", "1040", -1},
		{"gd-mischurin-rog", "GERMAN", "1040", 0},
		{"gd-lutchessa", "SOVIET", "", 0}, {"gd-lutchessa", "SOVIET", "4116", 1},
		{"gd-lutchessa", "SOVIET", "4116 3412 3621 2718", 4},
		{"gd-lutchessa", "SOVIET", "4116 3412 3621 2718 2215", 5},
	} {
		lasts := ""
		for h := range strings.FieldsSeq(x.hexes) {
			lasts += "\n  last " + x.side + " " + h
		}
		playScene(t, x.id+" with "+x.hexes, fmt.Sprintf("MAP %s%s\nEXPECT\n  points %d", x.id, lasts, x.points))
	}
}

// Who has won at the end of the last turn with so many points.
func TestWhoWins(t *testing.T) {
	kursk := strings.Fields("2448 2750 2850 2751 4451 1448 2135 1742") // 2, 3 together, 3, 1, 1, 1
	for _, x := range []struct {
		id, side string
		hexes    []string
		winner   string
	}{
		{"gd-kursk", "GERMAN", nil, "SOVIET"}, {"gd-kursk", "GERMAN", kursk[:5], "SOVIET"},
		{"gd-kursk", "GERMAN", kursk[:6], "GERMAN"}, {"gd-kursk", "GERMAN", kursk, "GERMAN"},
		{"gd-akhtyrka", "SOVIET", nil, "GERMAN"},
		{"gd-akhtyrka", "SOVIET", []string{"3502", "3602", "3603"}, "GERMAN"},
		{"gd-akhtyrka", "SOVIET", []string{"3502", "3602", "3603", "3702"}, "SOVIET"},
		{"gd-mischurin-rog", "GERMAN", []string{"4047", "3551"}, "SOVIET"},
		{"gd-mischurin-rog", "GERMAN", []string{"4047", "3551", "3552"}, ""},
		{"gd-mischurin-rog", "GERMAN", []string{"4047", "4147"}, "GERMAN"},
		{"gd-lutchessa", "SOVIET", []string{"4116", "3412", "3621", "2718"}, "GERMAN"},
		{"gd-lutchessa", "SOVIET", []string{"4116", "3412", "3621", "2718", "2215"}, "SOVIET"},
	} {
		lasts := ""
		for _, h := range x.hexes {
			lasts += "\n  last " + x.side + " " + h
		}
		r := playScene(t, x.id, "MAP "+x.id+lasts)
		g := newGame(r.s.sc)
		r.s.Turn, r.s.Phase = len(r.s.sc.Track), 3
		out, err := g.Play(r.s.encode(), nil, plain{testRand(1)}, plotted{})
		if err != nil {
			t.Fatal(err)
		}
		at, err := g.At(out.Position)
		e := firstEvent(out.Events, "verdict")
		if err != nil || !at.Over || e == nil || e.Facts.Get("winner") != x.winner {
			t.Errorf("%s with %v: %+v, %v, not won by %q", x.id, x.hexes, at, e, x.winner)
		}
		if _, err := g.End(out.Position, "GERMAN", "again"); err != adjudicator.ErrOver {
			t.Errorf("%s: a game that is over is ended again: %v", x.id, err)
		}
	}
}

// Points for units led off the map and for enemies beside the entries hang on a road that
// is free of zones of control and of fire.
func TestPointsThatHangOnARoad(t *testing.T) {
	const exits = "MAP 7x9\n  road 0401-0402-0403-0404-0405-0406-0407-0408-0409\n  entry F 0401\n" +
		"  entry A 0409\n  exit RED F to A\n%s\nUNITS\n  RED h: hq 20, at 0701\n  RED a: %s, at 0402\n%s\n" +
		"CHIT RED 1\n  EXIT A F\nEXPECT\n  a exited\n  points %s"
	for _, x := range []struct{ what, ground, unit, more, points string }{
		{"a free road", "", "leg, 4-4-8", "", "1"},
		{"a depleted company counts as one", "", "leg, 4-4-8/2-2-8, steps 1", "", "1"},
		{"reconnaissance does not count", "", "leg, 4-4-8, of Rcn", "", "0"},
		{"an enemy on the road", "", "leg, 4-4-8", "  BLUE x: hq 6, of 3, at 0406", "0"},
		{"an enemy zone on the road", "", "leg, 4-4-8", "  BLUE x: leg, at 0506", "0"},
		{"a headquarters beside it has none", "", "leg, 4-4-8", "  BLUE x: hq 6, of 3, at 0506", "1"},
		{"a gun that reaches it", "", "leg, 4-4-8", "  BLUE x: tracked, direct 3, at 0706", "0"},
		{"a gun that does not", "", "leg, 4-4-8", "  BLUE x: tracked, direct 2, at 0706", "1"},
		{"artillery does not matter", "", "leg, 4-4-8", "  BLUE x: tracked, artillery 9, at 0706", "1"},
		{"a bridge that is down", "  river 0404/0405\n  bridge 0404/0405\n  blown 0404/0405", "leg, 4-4-8", "",
			"0"}, {"a bridge that stands", "  river 0404/0405\n  bridge 0404/0405", "leg, 4-4-8", "", "1"},
		{"one's own zones do not matter", "", "leg, 4-4-8", "  RED o: leg, of 2, at 0506", "1"},
		{"an enemy who is far off", "", "leg, 4-4-8", "  BLUE x: leg, at 0708", "1"},
	} {
		bn := "CHIT RED 1"
		body := fmt.Sprintf(exits, x.ground, x.unit, x.more, x.points)
		if strings.Contains(x.unit, "of Rcn") {
			body = strings.Replace(strings.Replace(body, bn, "CHIT RED Rcn", 1), "hq 20, at",
				"hq 20, of Rcn, at", 1)
		}
		playScene(t, x.what, body)
	}
}
