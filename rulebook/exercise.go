package rulebook

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// block is a stretch of code and how often a test run came through it.
type block struct{ from, to, count int } // lines

// Exercise plays the numbered cases of the system in a folder of sources and
// tells which citations of its code they come through. A citation before a
// function stands for the function, one inside it for the lines about it, one of
// a type, a value or a table for the functions that speak of it. It needs the go
// command.
func Exercise(dir string, s Sources) (map[Citation]bool, error) {
	profile, err := profileCases(dir)
	if err != nil {
		return nil, err
	}
	code, err := readCode(dir)
	if err != nil {
		return nil, err
	}
	out := map[Citation]bool{}
	for _, c := range s.Citations {
		out[c] = out[c] || code.came(c, s.Lines[c], profile)
	}
	return out, nil
}

// profileCases plays the cases under the coverage tool; blocks by file name.
func profileCases(dir string) (map[string][]block, error) {
	tmp, err := os.MkdirTemp("", "fieldpost-cases")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	out := filepath.Join(tmp, "cover")
	cmd := exec.Command("go", "test", "-count=1", "-run", "^TestCases$", "-coverprofile", out, ".")
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the cases do not all hold: %w\n%s", err, text)
	}
	f, err := os.Open(out)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readProfile(bufio.NewScanner(f))
}

// readProfile reads lines such as "fieldpost/adjudicator/wb95/a.go:12.3,14.5 2 1".
func readProfile(lines *bufio.Scanner) (map[string][]block, error) {
	out := map[string][]block{}
	for lines.Scan() {
		file, rest, ok := strings.Cut(lines.Text(), ".go:")
		if !ok {
			continue // the head
		}
		var b block
		var skip int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.from, &skip, &b.to, &skip, &skip, &b.count); err != nil {
			return nil, fmt.Errorf("coverage profile: %q: %w", lines.Text(), err)
		}
		name := filepath.Base(file) + ".go"
		out[name] = append(out[name], b)
	}
	return out, lines.Err()
}

// code is where the functions of a package are and what they speak of.
type code struct{ funcs []function }

type function struct {
	file, name string
	from, to   int // lines
	speaksOf   map[string]bool
}

func readCode(dir string) (*code, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	c := &code{}
	for _, path := range names {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			fn := function{file: filepath.Base(path), name: FuncName(f), from: set.Position(f.Body.Pos()).Line, to: set.Position(f.Body.End()).Line, speaksOf: map[string]bool{}}
			ast.Inspect(f, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					fn.speaksOf[id.Name] = true
				}
				return true
			})
			c.funcs = append(c.funcs, fn)
		}
	}
	return c, nil
}

// came tells whether the run came through what the citation at the lines stands for.
func (c *code) came(x Citation, lines []int, profile map[string][]block) bool {
	for _, f := range c.funcs {
		if f.file != x.File || f.name != x.Where {
			continue
		}
		return slices.ContainsFunc(lines, func(at int) bool {
			if at < f.from { // it stands above the function and means all of it
				return ran(f, profile)
			}
			return at <= f.to && passed(profile[x.File], at)
		})
	}
	return slices.ContainsFunc(c.funcs, func(f function) bool { return f.speaksOf[x.Where] && ran(f, profile) })
}

// ran tells whether a function was called.
func ran(f function, profile map[string][]block) bool {
	return slices.ContainsFunc(profile[f.file], func(b block) bool { return b.count > 0 && b.from >= f.from && b.to <= f.to })
}

// passed tells whether the innermost block about a line, or the one that begins
// on the next, was come through.
func passed(blocks []block, line int) bool {
	best := block{}
	for _, b := range blocks {
		if b.from > line+1 || b.to < line {
			continue
		}
		if cmp.Or(cmp.Compare(b.from, best.from), cmp.Compare(b.count, best.count)) > 0 {
			best = b
		}
	}
	return best.count > 0
}

const idleHead = "# Citations of the code that no numbered case comes through. Made by go generate ./rulebook; do not edit.\n# number\tfile\twhere\n"

// WriteIdle writes the citations that no case comes through.
func WriteIdle(list []Citation, exercised map[Citation]bool) string {
	var lines []string
	for _, c := range list {
		if line := c.Number + "\t" + c.File + "\t" + c.Where + "\n"; !exercised[c] && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return idleHead + strings.Join(lines, "")
}

// readIdle reads what WriteIdle has written: "number file where".
func readIdle(text string) map[string]bool {
	out := map[string]bool{}
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "#") {
			out[strings.TrimSpace(strings.ReplaceAll(l, "\t", " "))] = true
		}
	}
	return out
}
