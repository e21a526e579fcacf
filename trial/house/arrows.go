package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// arrow says that a file uses what another file of its package declares.
type arrow struct{ from, to string }

// arrows counts the references from file to file inside the packages below a folder,
// and of them those that run against the order of their package: the order in which
// as few as possible do. That no packages import each other is the compiler's to say.
func arrows(root string) (against, all int, err error) {
	folders := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			folders[filepath.Dir(path)] = true
		}
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	for folder := range folders {
		found, err := arrowsIn(folder)
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", folder, err)
		}
		all += len(found)
		against += backward(found)
	}
	return against, all, nil
}

// arrowsIn are the arrows between the files of one package. What it imports is not
// looked at: names of other packages are no arrows here.
func arrowsIn(folder string) (map[arrow]bool, error) {
	set := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	byPackage := map[string][]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return nil, err
		}
		byPackage[file.Name.Name] = append(byPackage[file.Name.Name], file)
	}
	out := map[arrow]bool{}
	for name, files := range byPackage {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: blind{importer.Default()}, Error: func(error) {}, FakeImportC: true}
		checked, _ := config.Check(name, set, files, info)
		for id, object := range info.Uses {
			if object.Pkg() != checked || object.Parent() != checked.Scope() && !declaredAside(object) {
				continue
			}
			from, to := set.Position(id.Pos()).Filename, set.Position(object.Pos()).Filename
			if from != to {
				out[arrow{from, to}] = true
			}
		}
	}
	return out, nil
}

// declaredAside tells whether something is a method or a field: what is declared
// inside a type can be used from every file too.
func declaredAside(o types.Object) bool {
	switch o := o.(type) {
	case *types.Func:
		return o.Signature().Recv() != nil
	case *types.Var:
		return o.IsField()
	}
	return false
}

// blind is an importer that knows no package: the arrows inside one package do not
// need them, and the check goes on without.
type blind struct{ types.Importer }

func (blind) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	p.MarkComplete()
	return p, nil
}

// backward is how many arrows run against the order in which as few as possible do:
// files that nobody uses come first, then those that nothing is used of but by them,
// and where a circle is left the file that uses the most for how much it is used.
func backward(found map[arrow]bool) (n int) {
	left := map[string]bool{}
	for a := range found {
		left[a.from], left[a.to] = true, true
	}
	rank := map[string]int{}
	low, high := 0, len(left)
	for len(left) > 0 {
		out, in := map[string]int{}, map[string]int{}
		for a := range found {
			if left[a.from] && left[a.to] {
				out[a.from]++
				in[a.to]++
			}
		}
		best, score := "", -1<<30
		for _, f := range slices.Sorted(maps.Keys(left)) {
			if out[f] == 0 { // it uses nothing of the rest: the ground floor
				best, score = f, 1<<30
				rank[f], high = high, high-1
				break
			}
			if s := out[f] - in[f]; in[f] == 0 || s > score {
				if in[f] == 0 {
					s = 1 << 29
				}
				if s > score {
					best, score = f, s
				}
			}
		}
		if score != 1<<30 {
			rank[best], low = low, low+1
		}
		delete(left, best)
	}
	for a := range found {
		if rank[a.from] > rank[a.to] {
			n++
		}
	}
	return n
}
