package view

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// Dice of which no event tells, that are missing, or that stand there twice are named.
func TestDiceThatDoNotBelongTogether(t *testing.T) {
	tells := func(labels ...string) []Event { return []Event{{Kind: "combat", Rolls: labels}} }
	rolls := func(labels ...string) (all []Roll) {
		for _, l := range labels {
			all = append(all, Roll{Label: l, Dice: []int{4}, Sides: 6})
		}
		return all
	}
	for name, c := range map[string]struct {
		chapter Chapter
		want    string
	}{
		"whole":        {Chapter{Events: tells("a", "b"), Rolls: rolls("a", "b")}, ""},
		"missing":      {Chapter{Phase: "P", Events: tells("a", "b"), Rolls: rolls("a")}, "P: the story tells of b, whose dice are missing"},
		"told by none": {Chapter{Phase: "P", Events: tells("a"), Rolls: rolls("a", "b")}, "P: no event tells of b"},
		"twice":        {Chapter{Phase: "P", Events: tells("a"), Rolls: rolls("a", "a")}, "P: there are two rolls of a"},
	} {
		if err := errors.Join(c.chapter.Loose()...); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A story is for its side: it has the events that the side may know, and does not say who else
// knows them.
func TestStoryOfASide(t *testing.T) {
	s := StoryOf("A", "turn 1 phase 2", []Event{{Kind: "all"}, {Kind: "own", To: []string{"A"}}, {Kind: "theirs", To: []string{"B"}}})
	text, err := json.Marshal(s)
	if want := `{"phases":[{"phase":"turn 1 phase 2","events":[{"kind":"all"},{"kind":"own"}]}]}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	if none := (*Story)(nil).Events(); none != nil {
		t.Errorf("%v", none)
	}
}

func TestProofsAreWrittenInDigits(t *testing.T) {
	var r Roll
	err := json.Unmarshal([]byte(`{"label":"x","dice":[4,1],"sides":6,"proof":"02A9"}`), &r)
	text, _ := json.Marshal(r)
	if want := `{"label":"x","dice":[4,1],"sides":6,"proof":"02a9"}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	if err := json.Unmarshal([]byte(`{"proof":"02a"}`), &r); err == nil || !strings.Contains(err.Error(), "odd length") {
		t.Errorf("half a byte: %v", err)
	}
}
