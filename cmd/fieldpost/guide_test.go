package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/umpire/match"
)

// The guide tells where a unit can go after the orders given so far, what it may do and what
// not, and what an attack comes to, for people and for programs.
func TestGuideTellsWhatMayBeOrdered(t *testing.T) {
	dir := t.TempDir()
	v, err := match.Builtin.OpeningView("kharkov-1942", "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	viewFile, sheet := filepath.Join(dir, "view.json"), filepath.Join(dir, "sheet.txt")
	for name, content := range map[string]string{viewFile: string(text), sheet: "GAME: X\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nMOVE\n  13/XXII TO 2304\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	guide := func(args ...string) string {
		return printed(t, command{name: "orders", setUp: ordersCommand}.run, append([]string{"guide", "--view", viewFile}, args...)...)
	}
	for _, c := range []struct {
		args []string
		says []string
	}{
		{nil, []string{"unit  13/XXII            on 2206", "air   AIR"}},
		{[]string{"--unit", "13/xxii"}, []string{"13/XXII TO 2305", "2 of 7", "2206-2305", "enemy ZOC: must attack", "OK 13/XXII ENTRENCH"}},
		{[]string{"--unit", "13/XXII", "--orders", sheet}, []string{"on 2304, has orders", "REACH: none: WB-95 3.1.6", "XX 13/XXII ENTRENCH"}},
		{[]string{"--unit", "13/XXII", "--way", "STRATEGIC"}, []string{"REACH STRATEGIC", "STRATEGIC"}},
		{[]string{"--weigh", "ATTACK: 2306 WITH 13/XXII"}, []string{"column 1:2", " 7   6 of 36"}},
		{[]string{"--unit", "AIR"}, []string{"AIR 1", "OK SUPPORT"}},
	} {
		got := guide(c.args...)
		for _, words := range c.says {
			if !strings.Contains(got, words) {
				t.Errorf("%q does not say %q:\n%s", c.args, words, got)
			}
		}
	}
	blank := printed(t, command{name: "orders", setUp: ordersCommand}.run, "template", "--view", viewFile)
	for _, words := range []string{"\nMOVE\n", "  # 13/XXII TO 2206 ", "# 4-7 stays, ends in enemy ZOC: must attack", "\nATTACK\n", "# DONE"} {
		if !strings.Contains(blank, words) {
			t.Errorf("the sheet to fill in does not say %q:\n%s", words, blank)
		}
	}
	var told struct {
		Reach []struct {
			Ways []struct{ Hex, Cost, Of, Order string }
		}
		Verbs []struct{ Section, Order string }
	}
	if err := json.Unmarshal([]byte(guide("--unit", "13/XXII", "--format", "json")), &told); err != nil {
		t.Fatal(err)
	}
	if len(told.Reach) == 0 || len(told.Reach[0].Ways) < 5 || told.Reach[0].Ways[0].Of != "7" || len(told.Verbs) < 5 {
		t.Errorf("for programs: %+v", told)
	}
}
