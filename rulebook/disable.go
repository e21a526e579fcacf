package rulebook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Disable checks that the cases notice what the code does: it disables n cited
// functions of the system in a folder, chosen by the seed, one after the other
// (each returns zero values at once), and plays the numbered cases. It prints
// what noticed each and returns the functions that nothing noticed. It needs the
// go command; the sources stay as they are.
func Disable(w io.Writer, dir string, s Sources, n int, seed uint64) ([]string, error) {
	targets := s.functions()
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	targets = targets[:min(n, len(targets))]
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	// Not the system's folder for temporary files: programs may not run there.
	tmp, err := os.MkdirTemp(cache, "fieldpost-disable")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	binary, err := buildSwitched(dir, tmp, targets)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	switch by, err := noticed(dir, binary, "", allCases, time.Hour); {
	case err != nil:
		return nil, fmt.Errorf("with nothing disabled the cases cannot be played: %w", err)
	case by != "":
		return nil, fmt.Errorf("with nothing disabled a case fails already: %s", by)
	}
	limit := caseLimit + 4*time.Since(began) // a case that hangs has noticed something
	seen := make([]string, len(targets))
	errs := make([]error, len(targets))
	done := make([]chan bool, len(targets))
	slots := make(chan bool, runtime.NumCPU())
	for i, t := range targets {
		done[i] = make(chan bool)
		go func() {
			slots <- true
			defer func() { <-slots; close(done[i]) }()
			// The cases of its own clauses first: usually one of them fails.
			for _, cases := range []string{s.casesOf(t), allCases} {
				if seen[i], errs[i] = noticed(dir, binary, t, cases, limit); seen[i] != "" || errs[i] != nil {
					break
				}
			}
		}()
	}
	var quiet []string
	for i, t := range targets {
		<-done[i] // told one by one: all of a system take a quarter of an hour
		if seen[i] == "" {
			quiet = append(quiet, t)
		}
		fmt.Fprintf(w, "%-50s %s\n", t, orElse(seen[i], "NOTHING FAILS"))
	}
	fmt.Fprintf(w, "\n%d of the cited functions disabled one at a time (seed %d): a case fails for %d, none for %d\n", len(targets), seed, len(targets)-len(quiet), len(quiet))
	return quiet, errors.Join(errs...)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// functions are the functions that cite clauses: "r05_retreat.go combat.leave".
func (s Sources) functions() []string {
	var out []string
	for _, c := range s.Citations {
		if t := c.File + " " + c.Where; s.Funcs[t] && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return out
}

// casesOf is the pattern of the cases of the clauses that a function cites.
func (s Sources) casesOf(target string) string {
	var begin []string
	for _, c := range s.Citations {
		number, _, part := strings.Cut(c.Number, "/") // a test's name ends at the slash
		at := regexp.QuoteMeta(number) + "-"
		if part {
			at = regexp.QuoteMeta(number) + "$"
		}
		if c.File+" "+c.Where == target && !slices.Contains(begin, at) {
			begin = append(begin, at)
		}
	}
	return "^TestCases$/^(" + strings.Join(begin, "|") + ")"
}

// switchName is the variable, of the environment and of the package, that names
// the function which is disabled.
const switchName = "FIELDPOST_DISABLE"

// buildSwitched builds the tests of the package with a switch in every target.
func buildSwitched(dir, tmp string, targets []string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	byFile := map[string][]string{}
	for _, t := range targets {
		file, name, _ := strings.Cut(t, " ")
		byFile[file] = append(byFile[file], name)
	}
	pack := ""
	for file, names := range byFile {
		path := filepath.Join(abs, file)
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		var changed []byte
		if changed, pack, err = withSwitches(file, text, names); err != nil {
			return "", err
		}
		replace[path] = filepath.Join(tmp, file)
		if err := os.WriteFile(replace[path], changed, 0o600); err != nil {
			return "", err
		}
	}
	extra := filepath.Join(tmp, "zz_disabled.go")
	replace[filepath.Join(abs, "zz_disabled.go")] = extra
	text := "package " + pack + "\n\nimport \"os\"\n\nvar disabledNow = os.Getenv(\"" + switchName + "\")\n"
	if err := os.WriteFile(extra, []byte(text), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	binary := filepath.Join(tmp, "cases.test")
	cmd := exec.Command("go", "test", "-vet=off", "-c", "-overlay", list, "-o", binary, ".")
	cmd.Dir = abs
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building with switches: %w\n%s", err, out)
	}
	return binary, nil
}

// withSwitches puts a switch at the start of functions of a file.
func withSwitches(file string, text []byte, names []string) (changed []byte, pack string, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, "", err
	}
	at := 0
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || !slices.Contains(names, funcName(f)) {
			continue
		}
		open := set.Position(f.Body.Lbrace).Offset + 1
		changed = append(changed, text[at:open]...)
		changed = fmt.Appendf(changed, " if disabledNow == %q { %s }; ", file+" "+funcName(f), returnNothing(set, text, f))
		at = open
	}
	return append(changed, text[at:]...), tree.Name.Name, nil
}

// returnNothing is a return with zero values.
func returnNothing(set *token.FileSet, text []byte, f *ast.FuncDecl) string {
	if f.Type.Results == nil || len(f.Type.Results.List[0].Names) > 0 {
		return "return"
	}
	var decl, list []string
	for i, r := range f.Type.Results.List {
		kind := text[set.Position(r.Type.Pos()).Offset:set.Position(r.Type.End()).Offset]
		decl = append(decl, fmt.Sprintf("var zero%d %s", i, kind))
		list = append(list, fmt.Sprintf("zero%d", i))
	}
	return strings.Join(decl, "; ") + "; return " + strings.Join(list, ", ")
}

// allCases is the pattern of the tests that play the numbered cases.
const allCases = "^TestCases$"

// caseLimit is what the cases may take besides a few times what they take with
// nothing disabled.
const caseLimit = 10 * time.Second

var failedCase = regexp.MustCompile(`(?m)^\s+--- FAIL: TestCases/(\S+)`)

// noticed plays cases with a function disabled and tells which one fails first,
// "" for none.
func noticed(dir, binary, target, cases string, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.run", cases, "-test.failfast")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), switchName+"="+target)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "the cases come to no end", nil
	case !errors.As(err, &exit):
		return "", err
	}
	if m := failedCase.FindSubmatch(out); m != nil {
		return "case " + string(m[1]), nil
	}
	return "the cases cannot be played", nil
}
