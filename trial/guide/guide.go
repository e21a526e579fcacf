// Package guide takes the example out of the guide to scenarios, for the tests that
// play it. It is for docs/SCENARIOS.md alone.
package guide

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// files are what the guide prints: a heading with the path, some words, the text in a
// fence.
var files = regexp.MustCompile("(?s)### `([^`\n]+)`\n\n[^#]*?```[a-z]+\n(.*?)```\n")

// Write puts the files that the guide prints into the folder dir, and returns the
// guide's own text. It is an error if one of its headings has no file to it, or if
// there are fewer files than a scenario has.
func Write(guide, dir string) (text string, err error) {
	raw, err := os.ReadFile(guide)
	if err != nil {
		return "", err
	}
	found := files.FindAllStringSubmatch(string(raw), -1)
	if n := strings.Count(string(raw), "\n### `"); n != len(found) || n < 10 {
		return "", fmt.Errorf("%s names %d files, %d can be read", guide, n, len(found))
	}
	for _, m := range found {
		path := filepath.Join(dir, filepath.FromSlash(m[1]))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(m[2]), 0o600); err != nil {
			return "", err
		}
	}
	return string(raw), nil
}
