package umpire

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// joinAt joins the parts of a side's persons, by number, on a scenario's opening.
func joinAt(t *testing.T, scenario, side string, leads []string, parts ...string) (match.JoinedSheet, []match.Part) {
	t.Helper()
	game, sys, err := match.Builtin.Load(scenario)
	if err != nil {
		t.Fatal(err)
	}
	opening, err := game.Opening()
	if err != nil {
		t.Fatal(err)
	}
	v, err := game.View(opening, adjudicator.Side(side))
	if err != nil {
		t.Fatal(err)
	}
	seat := store.Player{Side: side, Name: "Chief"}
	for _, l := range leads {
		seat.Commanders = append(seat.Commanders, store.Commander{Name: "Leader of " + l, Leads: strings.Split(l, ", ")})
	}
	var all []match.Part
	for commander, text := range parts {
		if text != "" {
			all = match.WithPart(all, seat, store.Sheet{Canonical: orders.Canonical(text), Part: commander + 1}, sys)
		}
	}
	return match.Match{Rules: game, System: sys}.Joiner(v, seat).Join(all, "K7QX2MPA", 1, 3, 0), all
}

// In every rules system an order is its writer's if it names units of theirs and of
// nobody else, or stands in the programme of a headquarters of theirs.
func TestWhoseOrdersTheyAre(t *testing.T) {
	for _, tc := range []struct {
		scenario, side, leads, sheet string
		kept, refused                []string
	}{
		{"kharkov-1942", "SOVIET", "28 Army", "MOVE\n169 INF TO 1805\nALL AT 1804 TO 1805\nALL AT 3815 TO 3714\n277 INF TO 3202\nAIR 1\nSUPPORT 2505 3\nATTACK\n1: 1905 WITH 13 INF, 244 INF\n2: 1905 WITH 13 INF, 277 INF\n",
			[]string{"169 INF TO 1805", "ALL AT 1804 TO 1805", "1: 1905 WITH 13 INF, 244 INF"}, []string{"ALL AT 3815 TO 3714", "277 INF TO 3202", "SUPPORT 2505 3", "2: 1905 WITH 13 INF, 277 INF"}},
		{"kharkov-1942", "SOVIET", "28 Army, AIR", "AIR 1\nSUPPORT 2505 3\n", []string{"AIR 1", "SUPPORT 2505 3"}, nil},
		{"gd-kursk", "GERMAN", "2Gr", "CHIT 2Gr\nPASS\nCHIT 1Fus\nPASS\nSTANDING\nOPPORTUNITY 5K/2Gr HOLD\nOPPORTUNITY 5K/2Pz HOLD\nADVANCE NEVER\n",
			[]string{"CHIT 2GR", "PASS", "OPPORTUNITY 5K/2GR HOLD"}, []string{"CHIT 1FUS", "OPPORTUNITY 5K/2PZ HOLD", "ADVANCE NEVER"}},
		{"star-and-gallop", "SOVIET", "3TA, 111 RD", "CHIT 3TA\nMOVE 111 RD TO 3703\nCHIT 69A\nHOLD\nCHITS 3TA\nSTANDING\nLOSSES WEAKEST FIRST\n",
			[]string{"CHIT 3TA"}, []string{"CHIT 69A", "HOLD", "CHITS 3TA", "LOSSES WEAKEST FIRST"}},
	} {
		j, _ := joinAt(t, tc.scenario, tc.side, []string{tc.leads}, "", tc.sheet)
		text := "\n" + j.Text
		for _, line := range tc.kept {
			if !strings.Contains(text, "\n"+line+"\n") {
				t.Errorf("%s, %s: %q is not in the side's sheet:%s", tc.scenario, tc.leads, line, text)
			}
		}
		for _, line := range tc.refused {
			if strings.Contains(text, "\n"+line+"\n") {
				t.Errorf("%s, %s: %q is in the side's sheet:%s", tc.scenario, tc.leads, line, text)
			}
		}
	}
}

func TestJoinedSheets(t *testing.T) {
	leads := []string{"28 Army", "9 Army"}
	chief := "MODE: ASK\nMOVE\n277 INF TO 3202\n244 INF TO 1804\nATTACK\n1: 2505 WITH 300 INF, 81 INF\n2: 2106 WITH 226 INF; IF 1 WON\n"
	first := "MOVE\n169 INF TO 1805\n244 INF TO 1905\nATTACK\n1: 1705 WITH 175 INF\n7: 1905 WITH 13 INF; IF 1 LOST\nDONE\n"
	j, _ := joinAt(t, "kharkov-1942", "SOVIET", leads, chief, first)
	want := "GAME: K7QX2MPA\nSIDE: SOVIET\nTURN: 1\nSERIAL: 3\nMODERATE: JOINED\nMODE: ASK\n" +
		"MOVE\n277 INF TO 3202\n244 INF TO 1804\n169 INF TO 1805\n" +
		"ATTACK\n1: 2505 WITH 300 INF, 81 INF\n2: 2106 WITH 226 INF; IF 1 WON\n101: 1705 WITH 175 INF\n7: 1905 WITH 13 INF; IF 101 LOST\n"
	if j.Text != want {
		t.Errorf("--- got\n%s--- want\n%s", j.Text, want)
	}
	if v := j.Refused[1][3]; v == nil || !strings.Contains(v.Why, "has given it orders") {
		t.Errorf("the line that the commander-in-chief overrules: %v", v)
	}
	if !slices.Equal(j.Waits, []string{"Leader of 9 Army", "Chief (commander-in-chief)"}) {
		t.Errorf("the side waits for %q", j.Waits)
	}
	for _, tc := range []struct {
		parts []string
		done  bool
	}{
		{[]string{"MOVE\n", "DONE\n", "DONE\n"}, false}, // the chief has units of their own
		{[]string{"DONE\n", "DONE\n", "DONE\n"}, true},
		{[]string{"DONE\n"}, true},
		{[]string{"DONE\n", "MOVE\n", ""}, true},
	} {
		j, _ := joinAt(t, "kharkov-1942", "SOVIET", leads, tc.parts...)
		if done := strings.HasSuffix(j.Text, "\nDONE\n"); done != tc.done || done != (len(j.Waits) == 0) {
			t.Errorf("parts %q: done %v, waits for %q", tc.parts, done, j.Waits)
		}
	}
}
