package mutation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldpost/rulebook"
)

const sample = `package p

type kind uint8

const far = 3

// Book 3.1
func f(a, b int, k kind, list []string) (n int) {
	if a < 4 && b >= far || k == 2 {
		note(list)
	}
	switch k {
	case 1, 2:
		n++
	}
	switch {
	case a != b:
		return a + 2*b
	}
	for ready(list) {
		n -= 1
		panic("no")
	}
	return n
}

// It cites nothing.
func note([]string) {}

func ready(l []string) bool { return len(l) > 0 && l[0] != "" }
`

// found are the mutants of the sample, and its text with the switches.
func found(t *testing.T) (mutants []Mutant, changed string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "r03_p.go", sample, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	pack, err := (&types.Config{}).Check("p", set, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	s := newSource(set, file, []byte(sample), pack, info, func(m Mutant) int {
		m.ID = len(mutants) + 1
		mutants = append(mutants, m)
		return m.ID
	})
	s.citing(rulebook.Sources{Citations: []rulebook.Citation{{Number: "4.1", File: "r03_p.go", Where: "f"}}})
	return mutants, string(s.changed())
}

// Each operator finds its mutants, in functions that cite a clause and nowhere else.
func TestOperators(t *testing.T) {
	mutants, _ := found(t)
	var got []string
	for _, m := range mutants {
		if m.Func != "f" || m.Chapter != 3 || m.Line < 8 {
			t.Errorf("%+v", m)
		}
		got = append(got, string(m.Operator)+": "+m.Change)
	}
	want := []string{
		"function: returns at once",
		"negate: not (a < 4 && b >= far || k == 2)",
		"disjunct: without a < 4 && b >= far", "disjunct: without k == 2",
		"conjunct: without a < 4", "conjunct: without b >= far",
		"boundary: a < 4 -> a <= 4", "constant: a < 4 -> a < 3",
		"boundary: b >= far -> b > far", "constant: b >= far -> b >= 2",
		"equality: k == 2 -> k != 2", "constant: k == 2 -> k == 3",
		"call: without note(list)",
		"case: without case 1", "case: without case 2", "call: without n++",
		"case: without case a != b", "equality: a != b -> a == b",
		"constant: 2*b -> 3*b", "constant: 2*b -> 1*b",
		"negate: not (ready(list))",
		"constant: n -= 1 -> n -= 2", "constant: n -= 1 -> n -= 0",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What comes of the edits is Go, and with no mutant on it is the same function.
func TestSwitchedSourceCompiles(t *testing.T) {
	_, changed := found(t)
	with, err := switches.ReadFile("overlay/switches.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	helpers := strings.NewReplacer("package overlay", "package p", "import (\n\t\"cmp\"\n\t\"math\"\n)", "", "cmp.Ordered", "~int", "math.MaxInt", "1<<40").Replace(string(with))
	for name, text := range map[string]string{"p.go": changed, "switches.go": helpers} {
		file, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		files = append(files, file)
	}
	if _, err := (&types.Config{}).Check("p", set, files, nil); err != nil {
		t.Errorf("%v\n%s", err, changed)
	}
}

// A case that fails with nothing changed is named, and nothing else is said.
func TestACaseThatFailsAlready(t *testing.T) {
	_, err := (&System{}).noted("mutation: case 3.1-1 ok 12 4\n--- FAIL: TestCases/8.0/6-91\nmutation: case 8.0/6-91 fails 7\n")
	if want := "with nothing changed case 8.0/6-91 fails already"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	played := "mutation: case 3.1-1 ok 12 4\nmutation: case 3.1-2 known 3 4\n"
	cases, err := (&System{}).noted(played + played)
	if err != nil || len(cases) != 1 || cases[0].Number != "3.1-1" {
		t.Errorf("%v, %v", cases, err)
	}
}

func TestEquivalents(t *testing.T) {
	list, err := ReadEquivalents("# why\nr03_p.go f\tequality\tk == 2 -> k != 2\tno case\nr03_p.go f\tcall\t*\tno case\nr03_p.go f\tcall\tgone()\tno case\nr03_p.go g\t*\t*\tno case\n")
	if err != nil {
		t.Fatal(err)
	}
	mutants, _ := found(t)
	if idle := strings.Join(list.Idle(mutants), "\n"); strings.Count(idle, "\n") != 1 || !strings.Contains(idle, ":4: ") || !strings.Contains(idle, ":5: ") {
		t.Errorf("%q", idle)
	}
	n := 0
	for _, m := range mutants {
		if _, listed := list.of(m); listed {
			n++
		}
	}
	if n != 3 { // k == 2, the call and the count
		t.Errorf("%d mutants are in the list", n)
	}
	for _, bad := range []string{"a\tb\tc", "a\tb\tc\t "} {
		if _, err := ReadEquivalents(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// builtOf are the systems that were built, each once: what a test tries of one changes nothing.
var builtOf = map[string]*System{}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range builtOf {
		if err := s.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// built is a system with its mutants.
func built(t *testing.T, system string) (*System, Equivalents) {
	t.Helper()
	dir := filepath.Join("..", "..", "adjudicator", system)
	text, err := os.ReadFile(filepath.Join(dir, "testdata", "equivalent.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadEquivalents(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if s := builtOf[system]; s != nil {
		return s, list
	}
	b, err := rulebook.Load(system)
	if err != nil {
		t.Fatal(err)
	}
	cited, err := rulebook.ReadSources(os.DirFS(dir), b.Name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(dir, cited, "-gcflags=-N -l") // it is built for longer than it runs
	if err != nil {
		t.Fatal(err)
	}
	builtOf[system] = s
	return s, list
}

// The share of the sample that cases notice does not fall below what it is today; the whole
// is `fieldpost rules coverage --break`.
func TestSample(t *testing.T) {
	for _, x := range []struct {
		system, cases string // and a pattern of the cases that are played
		chapter       int    // that they are of, 0 for all
		floor         float64
	}{
		{"steppe", AllCases, 0, 0.95},
		{"famous", AllCases, 0, 0.95},
		{"wb95", `^7\.`, 7, 0.88}, // all of its cases take longer than a test may
	} {
		t.Run(x.system, func(t *testing.T) {
			s, list := built(t, x.system)
			cases, err := s.Cases(x.cases)
			if err != nil {
				t.Fatal(err)
			}
			results, err := s.Run(io.Discard, cases, list, Choice{Chapter: x.chapter, Sample: 40, Seed: 1})
			if err != nil {
				t.Error(err)
			}
			rate := killed(results)
			t.Logf("%.0f %%", 100*rate)
			if rate < x.floor {
				t.Errorf("of a sample of the changes the cases notice %.0f %%, not %.0f %%", 100*rate, 100*x.floor)
			}
		})
	}
}

// killed is the share of the mutants that cases notice, of those that make a difference.
func killed(results []Result) float64 {
	var n count
	for _, r := range results {
		n.add(r)
	}
	return float64(n.killed) / float64(max(1, n.killed+n.survived))
}

// A set of cases that asserts nothing of a rule is found out: a change that was noticed
// survives when the cases that come by it are taken away, and the share falls.
func TestHollowCases(t *testing.T) {
	s, list := built(t, "steppe")
	cases, err := s.Cases(`^(7|10)\.`)
	if err != nil {
		t.Fatal(err)
	}
	chapter7 := Choice{Chapter: 7, Sample: 12, Seed: 1}
	whole, err := s.Run(io.Discard, cases, list, chapter7)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(whole, func(r Result) bool { return r.By != "" })
	if i < 0 {
		t.Fatal("nothing is noticed at all")
	}
	without := slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return c.reaches[whole[i].ID] })
	var said strings.Builder
	hollow, err := s.Run(&said, without, list, chapter7)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), whole[i].Mutant.String()+"\n") || !hollow[i].Survived() {
		t.Errorf("%v is not told of:\n%s", whole[i].Mutant, said.String())
	}
	if before, after := killed(whole), killed(hollow); after >= before {
		t.Errorf("the cases notice %.2f of the changes, and %.2f without those that come by one", before, after)
	}
}

// A run goes on from the list that another has left.
func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.tsv")
	m := Mutant{File: "r03_p.go", Func: "f", Line: 9, Chapter: 3, Operator: negate, Change: "not (a)", Nth: 2}
	l, err := openList(path, "one")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.add(Result{Mutant: m, By: "3.1-1"}); err != nil {
		t.Fatal(err)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	same, err := openList(path, "one")
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := same.done[m.key()]; !ok || r.By != "3.1-1" {
		t.Errorf("%+v", same)
	}
	if err := same.close(); err != nil {
		t.Fatal(err)
	}
	changed, err := openList(path, "two")
	if err != nil {
		t.Fatal(err)
	}
	defer changed.close()
	if len(changed.done) != 0 || changed.hint[m.key()] != "3.1-1" {
		t.Errorf("after a change of the sources: %+v", changed)
	}
}
