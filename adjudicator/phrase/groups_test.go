package phrase

import (
	"strings"
	"testing"
)

func TestUnitsOfAFormationStandTogether(t *testing.T) {
	for names, want := range map[string]string{
		"1/1Mot, 2/1Mot, HQ 2Pz":     "1+2/1Mot, HQ 2Pz",
		"A, B":                       "A, B",
		"5K/2Pz":                     "5K/2Pz",
		"5K/2Pz, 1/1Mot, 6K/2Pz":     "5K/2Pz, 1/1Mot, 6K/2Pz",
		"178/10 TB, 186/10 TB, 3 TC": "178+186/10 TB, 3 TC",
	} {
		if got := Together(strings.Split(names, ", ")); got != want {
			t.Errorf("%s: %s", names, got)
		}
	}
}

func TestGroupsKeepTheirOrder(t *testing.T) {
	var g Groups
	g.Add("late", "a")
	g.Add("early", "b")
	g.Add("late", "c")
	g.Add("late", "a")
	var out []string
	for head, entries := range g.All() {
		out = append(out, head+": "+strings.Join(entries, ", "))
	}
	if got := strings.Join(out, "; "); got != "late: a, c; early: b" || len(g.Of("nothing")) != 0 {
		t.Error(got)
	}
}
