package mutation

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// Case is a numbered case that holds, as it was played once without any mutant.
type Case struct {
	Number  string
	steps   int          // how many switches it came through
	reaches map[int]bool // mutants that would have made a difference on its way
}

// AllCases is the pattern of the numbers of all cases.
const AllCases = "."

// Cases plays the cases whose numbers fit a pattern and notes which mutants they reach, the
// shortest case first. Those that are known to fail can notice nothing and are left out.
func (s *System) Cases(pattern string) ([]Case, error) {
	cmd := s.command(fmt.Sprintf("note %d %s", len(s.Mutants), pattern))
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("playing the cases: %w\n%s", err, text)
	}
	var out []Case
	first := map[string]map[int]bool{} // what a case reached when it was played first
	s.shared = map[int]bool{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 5 || f[0] != tag || f[1] != "case" {
			continue
		}
		if f[3] == "fails" {
			return nil, fmt.Errorf("with nothing changed case %s fails already", f[2])
		}
		c := Case{Number: f[2], steps: number(f[4]), reaches: map[int]bool{}}
		for _, id := range f[5:] {
			c.reaches[number(id)] = true
		}
		was, again := first[c.Number]
		if !again {
			first[c.Number] = c.reaches
			continue
		}
		for id := range was {
			if !c.reaches[id] {
				s.shared[id] = true
			}
		}
		if f[3] == "ok" {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Case) int { return cmp.Compare(a.steps, b.steps) })
	return out, nil
}

// tag begins what the bench says among what tests print.
const tag = "mutation:"

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func (s *System) command(do string) *exec.Cmd {
	cmd := exec.Command(s.binary, "-test.run", "^TestCases$", "-test.timeout", "0")
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "FIELDPOST_MUTATION="+do)
	return cmd
}

// Bench tries mutants of a system, one after the other, in processes of its own.
type Bench struct {
	system *System
	cases  []Case
	run    *running
}

// NewBench is a bench that plays these cases, the first of them first.
func (s *System) NewBench(cases []Case) *Bench { return &Bench{system: s, cases: cases} }

// Endless is what kills a mutant that the cases come to no end with.
const Endless = "the cases come to no end"

// Try switches a mutant on and plays the cases that reach it until one fails, the hinted one
// first. It returns that case, "" if the mutant survives. One that a used process does not
// notice gets a fresh one: it may be what is made once, when a scenario is read, that it changes.
func (b *Bench) Try(m Mutant, hint string) (by string, err error) {
	line := b.line(m, hint)
	if line == "" {
		return "", nil
	}
	if b.system.shared[m.ID] { // it is on from the beginning, and stays
		if err := b.Close(); err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, b.Close()) }()
	}
	for {
		fresh := b.run == nil
		if fresh {
			if b.run, err = b.system.start(); err != nil {
				return "", err
			}
		}
		answer, err := b.run.ask(line)
		verdict, by, _ := strings.Cut(answer, " ")
		switch {
		case errors.Is(err, io.EOF): // it has ended itself
			if b.Close(); fresh {
				return Endless, nil
			}
			continue
		case err != nil:
			return "", errors.Join(err, b.Close())
		case verdict == "killed":
			return by, nil
		case verdict == "spoiled" && fresh:
			return by, b.Close()
		case verdict == "survived" && fresh:
			return "", nil
		}
		if err := b.Close(); err != nil {
			return "", err
		}
	}
}

// line is what the process is told of a mutant: its cases, each with the steps that it may
// take.
func (b *Bench) line(m Mutant, hint string) string {
	var first, rest string
	for _, c := range b.cases {
		if !c.reaches[m.ID] && !b.system.shared[m.ID] {
			continue
		}
		with := fmt.Sprintf(" %s %d", c.Number, c.steps*manyTimes+manySteps)
		if c.Number == hint {
			first = with
		} else {
			rest += with
		}
	}
	if first+rest == "" {
		return ""
	}
	return strconv.Itoa(m.ID) + first + rest
}

// A case has no end that takes so many times its steps, and so many besides.
const (
	manyTimes = 20
	manySteps = 200_000
)

// Close ends the process.
func (b *Bench) Close() error {
	if b.run == nil {
		return nil
	}
	r := b.run
	b.run = nil
	err := r.to.Close()
	_ = r.cmd.Wait() // it may have been ended by a mutant
	return err
}

// running is a process that tries mutants.
type running struct {
	cmd  *exec.Cmd
	to   io.WriteCloser
	from *bufio.Scanner
}

func (s *System) start() (*running, error) {
	cmd := s.command("try")
	to, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &running{cmd, to, bufio.NewScanner(from)}, cmd.Start()
}

// ask has the process try a mutant; the error is io.EOF if it ends over that.
func (r *running) ask(line string) (answer string, err error) {
	if _, err := fmt.Fprintln(r.to, line); err != nil {
		return "", io.EOF
	}
	id, _, _ := strings.Cut(line, " ")
	for r.from.Scan() {
		if answer, ok := strings.CutPrefix(r.from.Text(), tag+" "+id+" "); ok {
			return answer, nil
		}
	}
	return "", cmp.Or(r.from.Err(), io.EOF)
}
