package wb95

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// ClauseIndex is clauses.txt: every clause of the three rulebooks and whether it
// is played. Its own head says how it is written.
//
//go:embed clauses.txt
var ClauseIndex string

// Citations is the index of the comments that cite clauses, by go generate.
//
//go:embed citations.tsv
var Citations string

//go:embed testdata/cases/*.txt
var caseFiles embed.FS

// A Case is a numbered case: a position, orders and dice, and what must come of
// them. The cases stand in testdata/cases, a file for each chapter.
type Case struct {
	Number  string // of the clause, and a number of its own: 5.3.7-1
	Title   string
	Clauses []string // what the case asserts, three at most
	Known   string   // why it fails today, "" if it holds
	File    string
	Line    int
	Body    []CaseLine
}

// CaseLine is a line of a case, without its indent. Head tells lines that begin
// in the first column: they open a section.
type CaseLine struct {
	At   int
	Head bool
	Text string
}

var caseHead = regexp.MustCompile(`^CASE ((\d+(?:\.\d+)+(?:/\w+)?)-\d+) "(.+)"$`)

// Cases reads all cases, in order of their files.
func Cases() ([]Case, error) {
	files, err := caseFiles.ReadDir("testdata/cases")
	if err != nil {
		return nil, err
	}
	var out []Case
	for _, f := range files {
		text, err := caseFiles.ReadFile("testdata/cases/" + f.Name())
		if err != nil {
			return nil, err
		}
		cases, err := readCases(f.Name(), string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, cases...)
	}
	return out, nil
}

// readCases reads one file.
func readCases(file, text string) ([]Case, error) {
	var out []Case
	for i, l := range strings.Split(text, "\n") {
		fault := func(format string, a ...any) ([]Case, error) {
			return nil, fmt.Errorf("%s:%d: %s", file, i+1, fmt.Sprintf(format, a...))
		}
		if l = strings.TrimRight(l, " \t\r"); strings.TrimSpace(l) == "" || strings.HasPrefix(strings.TrimSpace(l), "#") {
			continue
		}
		if m := caseHead.FindStringSubmatch(l); m != nil {
			if slices.ContainsFunc(out, func(c Case) bool { return c.Number == m[1] }) {
				return fault("case %s is there already", m[1])
			}
			out = append(out, Case{Number: m[1], Title: m[3], Clauses: []string{m[2]}, File: file, Line: i + 1})
			continue
		}
		if strings.HasPrefix(l, "CASE") {
			return fault("a case begins: CASE 5.3.7-1 \"title\"")
		}
		if len(out) == 0 {
			return fault("this belongs to no case")
		}
		c := &out[len(out)-1]
		switch word, rest, _ := strings.Cut(l, " "); word {
		case "ALSO": // clauses that the case asserts besides the one in its number
			for also := range strings.SplitSeq(rest, ",") {
				c.Clauses = append(c.Clauses, strings.TrimSpace(also))
			}
			if len(c.Clauses) > 3 {
				return fault("case %s asserts more than three clauses", c.Number)
			}
		case "KNOWN":
			if c.Known = strings.TrimSpace(rest); c.Known == "" {
				return fault("KNOWN says why the case fails")
			}
		default:
			c.Body = append(c.Body, CaseLine{i + 1, l[0] != ' ' && l[0] != '\t', strings.TrimSpace(l)})
		}
	}
	return out, nil
}
