package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// file is one Go file.
type file struct {
	path      string
	test      bool
	code      int // lines that hold code: neither blank nor comment
	functions []function
}

// function is a declared function or method.
type function struct {
	name       string // with its file and line
	lines      int
	parameters int
	operators  int // && and ||
}

// skipped are folders without source of ours.
var skipped = map[string]bool{"vendor": true, "testdata": true, "node_modules": true}

// read reads all Go files below a folder, without those that are generated.
func read(root string) (all tree, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 1
		if d.IsDir() && (skipped[d.Name()] || hidden) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if head := text[:min(len(text), 400)]; bytes.Contains(head, []byte("DO NOT EDIT")) {
			return nil
		}
		f, err := parse(filepath.ToSlash(path), text)
		all = append(all, f)
		return err
	})
	return all, err
}

// parse reads one file.
func parse(path string, text []byte) (file, error) {
	f := file{path: path, test: strings.HasSuffix(path, "_test.go")}
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, path, text, parser.ParseComments)
	if err != nil {
		return f, err
	}
	f.code = codeLines(set, syntax, text)
	for _, d := range syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			f.functions = append(f.functions, measure(set, fn))
		}
	}
	return f, nil
}

// codeLines counts the lines that are neither blank nor wholly comment.
func codeLines(set *token.FileSet, syntax *ast.File, text []byte) (n int) {
	comment := map[int]bool{}
	for _, g := range syntax.Comments {
		for _, c := range g.List {
			for line := set.Position(c.Pos()).Line; line <= set.Position(c.End()).Line; line++ {
				comment[line] = true
			}
		}
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		blank := len(line) == 0
		wholly := comment[i+1] && (bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*")))
		if !blank && !wholly {
			n++
		}
	}
	return n
}

// measure measures one function.
func measure(set *token.FileSet, d *ast.FuncDecl) function {
	begin, end := set.Position(d.Pos()), set.Position(d.End())
	f := function{name: begin.String() + " " + d.Name.Name, lines: end.Line - begin.Line + 1}
	for _, p := range d.Type.Params.List {
		f.parameters += max(1, len(p.Names))
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if e, ok := n.(*ast.BinaryExpr); ok && (e.Op == token.LAND || e.Op == token.LOR) {
			f.operators++
		}
		return true
	})
	return f
}
