package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)
	namedTest    = regexp.MustCompile("`((?:Test|Benchmark|Fuzz)[A-Z]\\w+)`")
	chosenTests  = regexp.MustCompile(`go test [^\n` + "`" + `]*-(run|bench) '?([^\s'` + "`" + `]+)`)
)

// Every test that the documents name is there, and every command that runs some of them runs one.
func TestNamedTestsAreThere(t *testing.T) {
	there := testFunctions(t)
	named := 0
	for page, text := range written(t) {
		for _, m := range namedTest.FindAllStringSubmatch(text, -1) {
			if named++; !slices.Contains(there, m[1]) {
				t.Errorf("%s names %s, and there is no such test", page, m[1])
			}
		}
		for _, m := range chosenTests.FindAllStringSubmatch(text, -1) {
			if m[2] == "XXX" { // none, beside -bench
				continue
			}
			named++
			first, _, _ := strings.Cut(strings.Trim(m[2], `"`), "/") // the rest is a case of a test
			chosen, err := regexp.Compile(first)
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if !slices.ContainsFunc(there, chosen.MatchString) {
				t.Errorf("%s: no test is chosen by -%s %s", page, m[1], m[2])
			}
		}
	}
	if named < 40 {
		t.Errorf("%d names of tests were found in the documents", named)
	}
}

// testFunctions are the names of all tests of the module.
func testFunctions(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunction.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// written are the documents, by name.
func written(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, file := range append(files, "../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages[file] = string(text)
	}
	return pages
}
