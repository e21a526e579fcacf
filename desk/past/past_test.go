package past

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// finished is a game that was played to its end by mail.
func finished(t *testing.T) []byte {
	t.Helper()
	file, err := os.ReadFile("../../umpire/testdata/formats/format1.tar")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A finished game is seen by both sides, turn by turn, as it was played: every position has the
// hash that the journal says, and what happened has its dice.
func TestAFinishedGameIsSeenByBothSides(t *testing.T) {
	file := finished(t)
	if !Is(file) || Is([]byte("From: umpire@example.org\r\n\r\n")) {
		t.Fatal("what an archive is, is not seen")
	}
	g, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	told, rolls := map[string]int{}, 0
	for _, side := range g.Sides {
		for _, turn := range append(g.Turns(), -1) {
			v, err := g.View(side, turn)
			if err != nil {
				t.Fatal(err)
			}
			if v.Side != side || v.Game != g.Game || turn < 0 && v.Verdict == "" {
				t.Errorf("turn %d of %s is %q of %s, verdict %q", turn, side, v.Game, v.Side, v.Verdict)
			}
			for _, c := range v.Story.Phases {
				if err := c.Loose(); len(err) > 0 {
					t.Error(err)
				}
				told[side] += len(c.Events)
				rolls += len(c.Rolls)
			}
		}
	}
	t.Logf("turns %v, %v events, %d rolls", g.Turns(), told, rolls)
	if len(g.played) != len(g.phases) || told[g.Sides[0]] == 0 || told[g.Sides[1]] == 0 || rolls == 0 {
		t.Errorf("%d of %d phases were played, %v, %d rolls", len(g.played), len(g.phases), told, rolls)
	}
	for _, c := range []struct {
		side string
		turn int
	}{{"FRENCH", 1}, {g.Sides[0], 99}} {
		if _, err := g.View(c.side, c.turn); err == nil {
			t.Errorf("turn %d of %s is seen", c.turn, c.side)
		}
	}
}

// A damaged archive says what is wrong, and nothing of it is shown.
func TestADamagedArchiveIsRefused(t *testing.T) {
	file := finished(t)
	for name, c := range map[string]struct {
		damage func([]byte) []byte
		says   string
	}{
		"half of it":   {func(b []byte) []byte { return b[:len(b)/2] }, "damaged"},
		"another byte": {func(b []byte) []byte { b[len(b)*2/3] ^= 1; return b }, "damaged"},
		"another scenario": {func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"scenario_hash": "7`), []byte(`"scenario_hash": "8`), 1)
		}, "not that of the game"},
		"no manifest": {func(b []byte) []byte { return []byte(partManifest + strings.Repeat("\x00", 600)) }, ""},
	} {
		g, err := Open(c.damage(bytes.Clone(file)))
		if err == nil {
			_, err = g.View(g.Sides[0], -1)
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
