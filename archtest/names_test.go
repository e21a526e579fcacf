package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// One place makes the forms in which units are printed, so that orders take them all:
// adjudicator/phrase/forms.go. Nothing else joins a unit's name and its type.
const whereNamesAreJoined = "adjudicator/phrase/forms.go"

func TestNamesAndTypesAreJoinedInOnePlace(t *testing.T) {
	root := ".."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if err != nil || rel == whereNamesAreJoined || strings.HasPrefix(rel, "mailbox/") { // a part of a mail has a name and a type too
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, at := range joinedNames(file) {
			t.Errorf("%v: a unit's name and type are joined here; ask its Called for a form", files.Position(at))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// joinedNames are the places in a file where text is put together from the Name and the
// Type of one thing: by +, or by fmt.
func joinedNames(file *ast.File) (out []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BinaryExpr:
			if x.Op == token.ADD && joinsName(x) {
				out = append(out, x.Pos())
				return false
			}
		case *ast.CallExpr:
			f, ok := x.Fun.(*ast.SelectorExpr)
			if pkg, isName := selected(f, ok); isName && pkg == "fmt" && joinsName(x) {
				out = append(out, x.Pos())
				return false
			}
		}
		return true
	})
	return out
}

// selected is the package, or the variable, that a selector is of.
func selected(f *ast.SelectorExpr, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	id, ok := f.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	return id.Name, true
}

// joinsName tells whether an expression has the Name and the Type of one thing in it.
func joinsName(n ast.Node) bool {
	var names, types []string
	ast.Inspect(n, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch s.Sel.Name {
		case "Name":
			names = append(names, owner(s.X))
		case "Type":
			types = append(types, owner(s.X))
		}
		return true
	})
	return slices.ContainsFunc(types, func(of string) bool { return of != "" && slices.Contains(names, of) })
}

// owner writes what a selector is of, "u.c", "" if that is no plain name.
func owner(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if of := owner(x.X); of != "" {
			return of + "." + x.Sel.Name
		}
	}
	return ""
}

func TestJoinedNamesAreFound(t *testing.T) {
	for code, found := range map[string]int{
		`x := u.Name + " " + u.Type`:                    1,
		`x := fmt.Sprintf("%s %s", u.c.Name, u.c.Type)`: 1,
		`x := string(u.c.Type) + " " + u.c.Name`:        1,
		`x := u.Name + " " + v.Type`:                    0,
		`x := U{Name: u.Name, Type: u.Type}`:            0,
		`x := u.Name + " on " + u.Hex.String()`:         0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc f() {\n"+code+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := joinedNames(file); len(got) != found {
			t.Errorf("%s: %d places, want %d", code, len(got), found)
		}
	}
}
