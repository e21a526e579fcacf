package overlay

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/caserun"
)

// What the bench is to do stands in the environment: "note N PATTERN" plays the cases whose
// numbers fit the pattern and notes which of N mutants they reach; "try" reads mutants and
// their cases, a line each.
func init() {
	do := strings.Fields(os.Getenv("FIELDPOST_MUTATION"))
	if len(do) == 0 {
		return
	}
	debug.SetMaxStack(256 << 20)
	go watchMutant()
	caserun.Instead = func(t *testing.T, cases []casebook.Case, play func(*caserun.Run)) {
		b := mutantBench{t: t, cases: cases, play: play}
		if do[0] == "try" {
			b.tryAll()
			return
		}
		n, _ := strconv.Atoi(do[1])
		fits := regexp.MustCompile(do[2])
		b.cases = slices.DeleteFunc(cases, func(c casebook.Case) bool { return !fits.MatchString(c.Number) })
		b.note(n)
	}
}

const (
	mutantTime   = time.Minute // for one mutant
	mutantMemory = 1 << 30
	mutantStuck  = 3
)

var mutantBeats = make(chan bool, 1)

// mutantBegins says that another mutant begins.
func mutantBegins() {
	select {
	case mutantBeats <- true:
	default: // there is one that was not looked at yet
	}
}

// watchMutant ends the process when a mutant takes it too long or too much memory.
func watchMutant() {
	memory := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	began := time.Now()
	for range time.Tick(100 * time.Millisecond) {
		select {
		case <-mutantBeats:
			began = time.Now()
		default:
		}
		if metrics.Read(memory); time.Since(began) > mutantTime || memory[0].Value.Uint64() > mutantMemory {
			os.Exit(mutantStuck)
		}
	}
}

type mutantBench struct {
	t     *testing.T
	cases []casebook.Case
	play  func(*caserun.Run)
}

// outcome plays a case with a mutant switched on and tells what fails.
func (b mutantBench) outcome(id, most, number int) string {
	mutation.on, mutation.steps, mutation.most = id, 0, most
	return caserun.Outcome(b.t, b.cases[number], b.play)
}

const mutantNoLimit = 1 << 40

// note tells of each case whether it holds, how many steps it takes, and what it reaches:
// "case NUMBER ok STEPS ID ID ...". It plays all of them twice: what is reached the first
// time alone is what the cases share, such as a scenario that is kept when it is read.
func (b mutantBench) note(mutants int) {
	for i := range 2 * len(b.cases) {
		i %= len(b.cases)
		c := b.cases[i]
		mutantBegins()
		mutation.reached = make([]bool, mutants+1)
		held := "ok"
		switch why := b.outcome(0, mutantNoLimit, i); {
		case c.Known != "":
			held = "known"
		case why != "":
			held = "fails"
		}
		var ids []string
		for id, was := range mutation.reached {
			if was {
				ids = append(ids, strconv.Itoa(id))
			}
		}
		fmt.Printf("mutation: case %s %s %d %s\n", c.Number, held, mutation.steps, strings.Join(ids, " "))
	}
}

// tryAll reads lines "ID CASE STEPS CASE STEPS ..." and answers each "ID killed CASE", "ID
// survived", or "ID spoiled CASE" when the case fails without the mutant too, since an
// earlier mutant has left something behind: then the process is of no more use.
func (b mutantBench) tryAll() {
	number := map[string]int{}
	for i, c := range b.cases {
		number[c.Number] = i
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		id, _ := strconv.Atoi(f[0])
		mutantBegins()
		answer := "survived"
		for with := range slices.Chunk(f[1:], 2) {
			most, _ := strconv.Atoi(with[1])
			if b.outcome(id, most, number[with[0]]) == "" {
				continue
			}
			answer = "killed " + with[0]
			if b.outcome(0, mutantNoLimit, number[with[0]]) != "" {
				answer = "spoiled " + with[0]
			}
			break
		}
		fmt.Printf("mutation: %d %s\n", id, answer)
	}
}
