// Command house measures the shape of the source: what makes it easy or hard to
// read, whatever the lengths of files and functions say.
//
//	go run ./trial/house            # the whole tree, each system, and the rooms of the daemon
//	go run ./trial/house -top 20    # besides, the functions with the densest conditions
//	go run ./trial/house -judged    # besides, prints and parses of an order in Check
//
// It reads the tree that it is started in and writes nothing.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	top := flag.Int("top", 0, "list so many functions with the most && and || for their length")
	judged := flag.Bool("judged", false, "besides, count how often an order is printed and parsed while a sheet is judged")
	flag.Parse()
	if err := run(*top, *judged); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// areas are the parts of the tree that are measured by themselves; "" is all of it.
var areas = []string{"", "umpire", "adjudicator/wb95", "adjudicator/steppe", "adjudicator/famous", "staff", "report", "orders", "store", "mailbox", "cmd", "trial"}

func run(top int, judged bool) error {
	tree, err := read(".")
	if err != nil {
		return err
	}
	fmt.Printf("%-20s %7s %6s %6s %9s %7s %6s\n", "folder", "code", "tests", "ratio", "&& || %", "6+ par.", "files")
	for _, area := range areas {
		m := tree.below(area)
		fmt.Printf("%-20s %7d %6d %6.2f %9.1f %7d %6d\n", cmp.Or(area, "all"), m.code, m.tests, m.ratio(), m.density(), m.wide, m.largest)
	}
	fmt.Println("\nfiles is the largest package; && || are for 100 lines of code; 6+ par. are functions with six or more parameters")
	against, all, err := arrows("umpire")
	if err != nil {
		return err
	}
	fmt.Printf("\nrooms of the daemon: of %d references from file to file %d run against the order of their package\n", all, against)
	if judged {
		per, err := printedAndParsed()
		if err != nil {
			return err
		}
		fmt.Printf("prints and parses of an order while a sheet is judged: %.2f\n", per)
	}
	for _, f := range tree.densest(top) {
		fmt.Printf("%5d %4d lines  %s\n", f.operators, f.lines, f.name)
	}
	return nil
}

// measured is a part of the tree.
type measured struct {
	code, tests int // lines that hold code
	operators   int // && and ||
	wide        int // functions with six or more parameters
	largest     int // files in the largest package, tests not counted
}

func (m measured) ratio() float64   { return float64(m.tests) / float64(max(1, m.code)) }
func (m measured) density() float64 { return 100 * float64(m.operators) / float64(max(1, m.code)) }

// tree is the files of a source tree.
type tree []file

// below measures the files below a folder; "" is all.
func (t tree) below(folder string) (m measured) {
	packages := map[string]int{}
	for _, f := range t {
		if folder != "" && !strings.HasPrefix(f.path, folder+"/") {
			continue
		}
		if f.test {
			m.tests += f.code
			continue
		}
		m.code += f.code
		packages[filepath.Dir(f.path)]++
		for _, fn := range f.functions {
			m.operators += fn.operators
			if fn.parameters >= 6 {
				m.wide++
			}
		}
	}
	for _, n := range packages {
		m.largest = max(m.largest, n)
	}
	return m
}

// densest are the n functions with the most operators for their length.
func (t tree) densest(n int) []function {
	var all []function
	for _, f := range t {
		if !f.test {
			all = append(all, f.functions...)
		}
	}
	slices.SortStableFunc(all, func(a, b function) int {
		return cmp.Compare(b.operators*(a.lines+5), a.operators*(b.lines+5))
	})
	return all[:min(n, len(all))]
}
