// Package casebook reads numbered cases: positions, orders and dice, and what the
// rules must make of them. It knows no game; what the lines of a case mean is its
// system's business.
package casebook

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Case is a numbered case: a position, orders and dice, and what must come of
// them. The cases stand in testdata/cases, a file for each chapter.
type Case struct {
	Number  string // of the clause, and a number of its own: 5.3.7-1
	Title   string
	Clauses []string // what the case asserts, three at most
	Known   string   // why it fails today, "" if it holds
	File    string
	Line    int
	Body    []Line
}

// Line is a line of a case, without its indent. Head tells lines that begin
// in the first column: they open a section.
type Line struct {
	At   int
	Head bool
	Text string
}

var caseHead = regexp.MustCompile(`^CASE ((\d+(?:\.\d+)+(?:/\w+)?)-\d+) "(.+)"$`)

// Read reads all cases of a folder, in order of its files.
func Read(folder embed.FS, dir string) ([]Case, error) {
	files, err := folder.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Case
	for _, f := range files {
		text, err := folder.ReadFile(dir + "/" + f.Name())
		if err != nil {
			return nil, err
		}
		cases, err := Parse(f.Name(), string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, cases...)
	}
	return out, nil
}

// Parse reads one file.
func Parse(file, text string) ([]Case, error) {
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
			c.Body = append(c.Body, Line{i + 1, l[0] != ' ' && l[0] != '\t', strings.TrimSpace(l)})
		}
	}
	return out, nil
}
