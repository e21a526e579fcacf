package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Records are read and written by their kinds alone: who writes one by its name writes what
// "store check" may not know. Trials and tests may, to do damage.
func TestRecordsAreWrittenByTheirKinds(t *testing.T) {
	read := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel("..", path)
		inside := slices.ContainsFunc([]string{"umpire/", "web/", "cmd/", "demo/", "desk/"}, func(dir string) bool { return strings.HasPrefix(filepath.ToSlash(rel), dir) })
		if err != nil || !inside || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		read++
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, at := range byName(file) {
			t.Errorf("%s: a record is read or written by its name; let its kind do it", fset.Position(at))
		}
		return nil
	})
	if err != nil || read < 50 {
		t.Fatalf("%d files read, %v", read, err)
	}
}

// byName is where a file reads or writes notes of a store, or of a Change.
func byName(file *ast.File) (at []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, is := n.Fun.(*ast.SelectorExpr); is && len(n.Args) == 1 && (f.Sel.Name == "Note" || f.Sel.Name == "Notes") && strings.EqualFold(last(f.X), "db") {
				at = append(at, n.Pos())
			}
		case *ast.IndexExpr:
			if f, is := n.X.(*ast.SelectorExpr); is && f.Sel.Name == "Notes" {
				at = append(at, n.Pos())
			}
		case *ast.CompositeLit:
			if f, is := n.Type.(*ast.SelectorExpr); !is || last(f.X) != "store" || f.Sel.Name != "Change" {
				return true
			}
			for _, e := range n.Elts {
				if kv, is := e.(*ast.KeyValueExpr); is && last(kv.Key) == "Notes" {
					at = append(at, kv.Pos())
				}
			}
		}
		return true
	})
	return at
}

// last is the last name of an expression of names.
func last(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func TestRecordsByNameAreFound(t *testing.T) {
	for source, want := range map[string]int{
		`func f() { text, err := o.DB.Note("x") }`:                        1,
		`func f() { all, err := db.Notes("x/") }`:                         1,
		`func f() { c.Notes["x"] = nil }`:                                 1,
		`func f() { c := store.Change{Notes: map[string][]byte{}} }`:      1,
		`func f() { r.Notes = append(r.Notes, "what a report says") }`:    0,
		`func f() { v, _, err := BackupRecord.Get(o.DB, store.House{}) }`: 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(byName(file)); got != want {
			t.Errorf("%s: %d found, want %d", source, got, want)
		}
	}
}

// The list of all kinds has every kind that is declared.
func TestTheListOfKindsIsWhole(t *testing.T) {
	declared, listed := map[string]bool{}, map[string]bool{}
	files, err := filepath.Glob("../umpire/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, is := d.(*ast.GenDecl)
			if !is {
				continue
			}
			for _, s := range g.Specs {
				v, is := s.(*ast.ValueSpec)
				if !is || len(v.Names) != 1 || len(v.Values) != 1 {
					continue
				}
				if kind := kindIn(v.Values[0]); kind != "" {
					name := file.Name.Name + "." + v.Names[0].Name
					declared[name] = true
					if names[kind] != "" {
						t.Errorf("%s and %s are both called %q", name, names[kind], kind)
					}
					names[kind] = name
				}
			}
		}
		if filepath.Base(path) == "records.go" && filepath.Base(filepath.Dir(path)) == "records" {
			ast.Inspect(file, func(n ast.Node) bool {
				if list, is := n.(*ast.CompositeLit); is {
					for _, e := range list.Elts {
						if f, is := e.(*ast.SelectorExpr); is {
							listed[last(f.X)+"."+f.Sel.Name] = true
						}
					}
				}
				return true
			})
		}
	}
	if len(declared) < 30 {
		t.Fatalf("only %d kinds are found: the test looks in the wrong place", len(declared))
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		if !listed[name] {
			t.Errorf("umpire/records does not list %s", name)
		}
	}
	if len(listed) != len(declared) {
		t.Errorf("%d kinds are listed, and %d declared", len(listed), len(declared))
	}
}

// kindIn is the name of the kind that an expression declares, "" if it declares none.
func kindIn(e ast.Expr) (name string) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || len(call.Args) == 0 {
			return true
		}
		index, is := call.Fun.(*ast.IndexExpr)
		if !is {
			return true
		}
		f, is := index.X.(*ast.SelectorExpr)
		declares := is && last(f.X) == "store" && (strings.HasPrefix(f.Sel.Name, "One") || f.Sel.Name == "KindOf")
		if text, is := call.Args[0].(*ast.BasicLit); declares && is {
			name, _ = strconv.Unquote(text.Value)
		}
		return true
	})
	return name
}
