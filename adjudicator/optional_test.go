package adjudicator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	guideRow  = regexp.MustCompile("(?m)^\\| (`[^|]+) \\| (System|Game) \\|") // of the guide's table
	quoted    = regexp.MustCompile("`(.+?)`")
	link      = regexp.MustCompile(`\[(\w+)\]`)
	assertion = regexp.MustCompile(`\.\((?:adjudicator\.)?([A-Z]\w*)\)`)
	isA       = regexp.MustCompile(`^\w+ is a (\w+)`)
)

// What a system may bring besides System and Game is declared in this package, listed in
// docs/DEVELOP.md and in the comments of these two, and asked for somewhere.
func TestTheOptionalInterfacesAreListed(t *testing.T) {
	declared, comments := interfaces(t)
	if len(declared) < 10 {
		t.Fatalf("only %d optional interfaces were found: the test looks in the wrong place", len(declared))
	}
	guide := map[string]string{}
	for _, row := range guideRow.FindAllStringSubmatch(howToAddASystem(t), -1) {
		for _, name := range quoted.FindAllStringSubmatch(row[1], -1) {
			guide[name[1]] = row[2]
		}
	}
	if !maps.Equal(guide, declared) {
		t.Errorf("docs/DEVELOP.md lists the optional interfaces %v, the package has %v", guide, declared)
	}

	linked := map[string]string{}
	for _, of := range []string{"System", "Game"} {
		for _, name := range link.FindAllStringSubmatch(comments[of], -1) {
			linked[name[1]] = of
		}
	}
	if !maps.Equal(linked, declared) {
		t.Errorf("the comments of System and Game list %v, the package has %v", linked, declared)
	}

	asked := assertions(t)
	for name := range declared {
		if !asked[name] {
			t.Errorf("nothing asks whether a system is %s", name)
		}
	}
}

// interfaces are the package's optional interfaces with what implements them, which the
// first sentence of their comments says, and the comments of all its types.
func interfaces(t *testing.T) (optional, comments map[string]string) {
	optional, comments = map[string]string{}, map[string]string{}
	paths, _ := filepath.Glob("*.go")
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			for _, spec := range d.Specs {
				typ := spec.(*ast.TypeSpec)
				name, comment := typ.Name.Name, d.Doc.Text()
				comments[name] = comment
				if _, ok := typ.Type.(*ast.InterfaceType); !ok {
					continue
				}
				switch of := isA.FindStringSubmatch(comment); {
				case of == nil:
				case of[1] == "System":
					optional[name] = "System"
				case of[1] == "Game", of[1] == "Disguiser":
					optional[name] = "Game"
				}
			}
		}
	}
	delete(optional, "System")
	delete(optional, "Game")
	return optional, comments
}

// assertions are the names of this package that the program asserts types to be.
func assertions(t *testing.T) map[string]bool {
	names := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range assertion.FindAllSubmatch(text, -1) {
			names[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// howToAddASystem is the section of the guide.
func howToAddASystem(t *testing.T) string {
	text, err := os.ReadFile("../docs/DEVELOP.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "## How to add a system\n")
	if !found {
		t.Fatal("docs/DEVELOP.md has no such section")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}
