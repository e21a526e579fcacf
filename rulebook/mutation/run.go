package mutation

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"fieldpost/rulebook"
)

// Choice is which mutants are tried.
type Choice struct {
	Chapter int    // 0: all
	Sample  int    // so many, chosen by the seed; 0: all
	Seed    uint64 // of the sample
	List    string // the file to leave the results in, and to go on from; "" for none
}

// Result is what came of a mutant.
type Result struct {
	Mutant
	By         string // the case that failed, "" for none
	Equivalent string // why none can
}

func (r Result) verdict() string {
	switch {
	case r.By != "":
		return "killed"
	case r.Equivalent != "":
		return "equivalent"
	}
	return "survived"
}

// Survived tells whether the mutant went unnoticed though it makes a difference.
func (r Result) Survived() bool { return r.By == "" && r.Equivalent == "" }

// Try builds the mutants of the system in a folder of sources, tries the chosen ones on its
// numbered cases, and tells how many survive.
func Try(w io.Writer, dir, book string, c Choice) (survived int, err error) {
	cited, err := rulebook.ReadSources(os.DirFS(dir), book)
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "testdata", "equivalent.tsv"))
	if err != nil {
		return 0, err
	}
	equivalents, err := ReadEquivalents(string(text))
	if err != nil {
		return 0, err
	}
	s, err := Build(dir, cited)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	cases, err := s.Cases(AllCases)
	if err != nil {
		return 0, err
	}
	results, err := s.Run(w, cases, equivalents, c)
	for _, r := range results {
		if r.Survived() {
			survived++
		}
	}
	return survived, err
}

// chosen are the mutants to try.
func (s *System) chosen(c Choice) []Mutant {
	out := slices.DeleteFunc(slices.Clone(s.Mutants), func(m Mutant) bool { return c.Chapter != 0 && m.Chapter != c.Chapter })
	if c.Sample == 0 || c.Sample >= len(out) {
		return out
	}
	rng := rand.New(rand.NewPCG(c.Seed, 0))
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	out = out[:c.Sample]
	slices.SortFunc(out, func(a, b Mutant) int { return a.ID - b.ID })
	return out
}

// Run tries the chosen mutants on the cases, prints those that survive as it comes to them,
// and then the figures. An entry of the list of equivalents that fits nothing, or a mutant
// that a case notices, is an error.
func (s *System) Run(w io.Writer, cases []Case, equivalents Equivalents, c Choice) (results []Result, err error) {
	l, err := openList(c.List, s.digest)
	if err != nil {
		return nil, err
	}
	bench := s.NewBench(cases)
	defer func() { err = errors.Join(err, bench.Close(), l.close()) }()
	var faults []error
	for _, idle := range equivalents.Idle(s.Mutants) {
		faults = append(faults, errors.New(idle))
	}
	for _, m := range s.chosen(c) {
		r, done := l.done[m.key()]
		if !done {
			if r.By, err = bench.Try(m, l.hint[m.key()]); err != nil {
				return results, err
			}
		}
		e, listed := equivalents.of(m)
		r.Mutant, r.Equivalent = m, e.why
		if !done {
			if err := l.add(r); err != nil {
				return results, err
			}
		}
		results = append(results, r)
		if r.Survived() {
			fmt.Fprintln(w, r.Mutant)
		}
		if r.By != "" && listed && !e.whole() {
			faults = append(faults, fmt.Errorf("%v: equivalent.tsv:%d says that no case can notice, and %s does", r.Mutant, e.line, r.By))
		}
	}
	figures(w, results)
	return results, errors.Join(faults...)
}

func (m Mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s: %s", m.File, m.Line, m.Func, m.Operator, m.Change)
}

// count is how many mutants came to what.
type count struct{ killed, survived, equivalent int }

func (n *count) add(r Result) {
	switch {
	case r.By != "":
		n.killed++
	case r.Equivalent != "":
		n.equivalent++
	default:
		n.survived++
	}
}

func (n count) String() string {
	rate := 100 * float64(n.killed) / float64(max(1, n.killed+n.survived))
	return fmt.Sprintf("%6d %9d %11d %7.1f %%", n.killed, n.survived, n.equivalent, rate)
}

// figures prints what came of the mutants, by chapter.
func figures(w io.Writer, results []Result) {
	var all count
	by := map[int]*count{}
	for _, r := range results {
		if by[r.Chapter] == nil {
			by[r.Chapter] = new(count)
		}
		by[r.Chapter].add(r)
		all.add(r)
	}
	fmt.Fprintf(w, "\nchapter  killed  survived  equivalent   killed\n")
	for _, n := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(w, "%7d  %v\n", n, by[n])
	}
	fmt.Fprintf(w, "    all  %v\n", all)
}
