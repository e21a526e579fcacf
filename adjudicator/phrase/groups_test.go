package phrase

import (
	"strings"
	"testing"

	"fieldpost/orders"
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

// What Together puts together is a list of the same names in an order.
func TestNamesPutTogetherComeApart(t *testing.T) {
	for names, want := range map[string]string{
		"1+2/1Mot, HQ 2Pz":       "1/1Mot, 2/1Mot, HQ 2Pz",
		"178+186/10 TB, 3 TC":    "178/10 TB, 186/10 TB, 3 TC",
		"A, B":                   "A, B",
		"3 TC, 5K+6K+7K/2Pz":     "3 TC, 5K/2Pz, 6K/2Pz, 7K/2Pz",
		"5K/2Pz+6K/2Pz":          "5K/2Pz, 6K/2Pz",
		"A Coy+B Coy/3Fus, HQ 1": "A Coy/3Fus, B Coy/3Fus, HQ 1",
	} {
		var list []orders.Word
		for i, name := range strings.Split(names, ", ") {
			words := asWords(name)
			words[0].Comma = i > 0
			list = append(list, words...)
		}
		var got []string
		for _, part := range Parts(apart(list)) {
			got = append(got, Join(part))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %s", names, got, want)
		}
	}
}
