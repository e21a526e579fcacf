package umpire

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fieldpost/umpire/acts"
)

// Every act of a moderator is shown by a script with what the players, or those whom
// it concerns, read of it afterwards.
func TestEveryActHasAScript(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, v := range acts.Verbs() {
		act := regexp.MustCompile(`(?s)(-- moderator ` + v[0] + `\b|MODERATE: ` + strings.ToUpper(v[0]) + `\b).*?\n-- [A-Z0-9]+ gets --\nSubject: `)
		if !act.MatchString(all.String()) {
			t.Errorf("no script of testdata shows %q and a mail of it", v[0])
		}
	}
}
