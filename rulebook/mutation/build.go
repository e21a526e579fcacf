package mutation

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/rulebook"
)

// System is a rules system with all mutants of it built into one test binary.
type System struct {
	Mutants []Mutant // by id, from 1

	shared map[int]bool // mutants of what is set up once for many cases
	dir    string       // of the sources
	tmp    string
	binary string
	digest string // of the sources and cases that it was built from
}

// switches are laid over the package: the switches of the mutants, and what plays the cases.
//
//go:embed overlay/switches.go overlay/bench_test.go
var switches embed.FS

// Build finds the mutants of the functions that cite a clause, in a folder of sources, and
// builds them, with flags for the go command that it needs. The sources stay as they are.
func Build(dir string, cited rulebook.Sources, flags ...string) (*System, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	// Not the system's folder for temporary files: programs may not run there.
	tmp, err := os.MkdirTemp(cache, "fieldpost-mutation")
	if err != nil {
		return nil, err
	}
	s := &System{dir: abs, tmp: tmp, binary: filepath.Join(tmp, "cases.test")}
	if err := s.build(cited, flags); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close removes what Build has written.
func (s *System) Close() error { return os.RemoveAll(s.tmp) }

func (s *System) build(cited rulebook.Sources, flags []string) error {
	var err error
	if s.digest, err = digestOf(s.dir); err != nil {
		return err
	}
	set := token.NewFileSet()
	files, err := parseFolder(set, s.dir)
	if err != nil {
		return err
	}
	pack, info, err := check(set, s.dir, files)
	if err != nil {
		return err
	}
	over := overlay{tmp: s.tmp, replace: map[string]string{}}
	alike := map[string]int{}
	keep := func(m Mutant) int {
		m.ID, m.Nth = len(s.Mutants)+1, 0
		alike[m.key()]++
		m.Nth = alike[m.key()]
		s.Mutants = append(s.Mutants, m)
		return m.ID
	}
	for _, file := range files {
		path := set.Position(file.Pos()).Filename
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		src := newSource(set, file, text, pack, info, keep)
		src.citing(cited)
		if len(src.edits) > 0 {
			over.lay(path, src.changed())
		}
	}
	return s.compile(over, pack.Name(), flags)
}

// citing finds the mutants of all functions of the file that cite a clause.
func (s *source) citing(cited rulebook.Sources) {
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		name := rulebook.FuncName(f)
		if i := slices.IndexFunc(cited.Citations, func(c rulebook.Citation) bool { return c.File == s.name && c.Where == name }); i >= 0 {
			s.about = Mutant{File: s.name, Func: name, Chapter: chapter(s.name, cited.Citations[i].Number)}
			s.function(f)
		}
	}
}

var chapterFile = regexp.MustCompile(`^r(\d\d)_`)

// chapter is that of a file such as r10_advance.go, else that of a clause.
func chapter(file, clause string) int {
	number, _, _ := strings.Cut(clause, ".")
	if m := chapterFile.FindStringSubmatch(file); m != nil {
		number = m[1]
	}
	n, _ := strconv.Atoi(number)
	return n
}

func parseFolder(set *token.FileSet, dir string) ([]*ast.File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var out []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		out = append(out, file)
	}
	return out, nil
}

// check finds the types of a package. What it imports is read as the go command built it.
func check(set *token.FileSet, dir string, files []*ast.File) (*types.Package, *types.Info, error) {
	built, err := goCommand(dir, "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".")
	if err != nil {
		return nil, nil, err
	}
	where := map[string]string{}
	for line := range strings.Lines(string(built)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		where[path] = file
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(where[path]) }
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	pack, err := (&types.Config{Importer: importer.ForCompiler(set, "gc", open)}).Check(files[0].Name.Name, set, files, info)
	return pack, info, err
}

func goCommand(dir string, words ...string) ([]byte, error) {
	cmd := exec.Command("go", words...)
	var faults bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &faults
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", words[0], err, &faults)
	}
	return out, nil
}

// overlay are files in the place of those of the sources.
type overlay struct {
	tmp     string
	replace map[string]string
	err     error
}

func (o *overlay) lay(path string, text []byte) {
	to := filepath.Join(o.tmp, filepath.Base(path))
	o.replace[path] = to
	o.err = errors.Join(o.err, os.WriteFile(to, text, 0o600))
}

var packageLine = regexp.MustCompile(`(?m)^package overlay\n`)

// compile builds the tests of the package with the switches.
func (s *System) compile(over overlay, pack string, flags []string) error {
	err := fs.WalkDir(switches, "overlay", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := switches.ReadFile(path)
		under := packageLine.ReplaceAll(text, []byte("package "+pack+"\n"))
		over.lay(filepath.Join(s.dir, "mutation_"+filepath.Base(path)), under)
		return err
	})
	if err = errors.Join(err, over.err); err != nil {
		return err
	}
	list, err := json.Marshal(map[string]any{"Replace": over.replace})
	if err != nil {
		return err
	}
	name := filepath.Join(s.tmp, "overlay.json")
	if err := os.WriteFile(name, list, 0o600); err != nil {
		return err
	}
	words := append([]string{"test", "-vet=off", "-c", "-ldflags=-s -w", "-overlay", name, "-o", s.binary}, flags...)
	_, err = goCommand(s.dir, append(words, ".")...)
	return err
}
