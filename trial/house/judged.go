package main

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// judgings is how often the sheets are judged more in the second run than in the first:
// what differs between the two is the judging alone.
const judgings = 10

// printedAndParsed is how often an order of a staff officer's sheet is printed and parsed
// while the rules judge it, over one sheet of each system.
func printedAndParsed() (float64, error) {
	once, n, err := calls(0)
	if err != nil {
		return 0, err
	}
	often, _, err := calls(judgings)
	return float64(often-once) / judgings / float64(n), err
}

var ordersLogged = regexp.MustCompile(`orders ([0-9]+)`)

// calls runs the test that judges the sheets and counts the calls of Order.String and
// ParseOrder in it, and the orders of the sheets.
func calls(times int) (called, orders int, err error) {
	dir, err := os.MkdirTemp("", "fieldpost-house-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	profile := filepath.Join(dir, "profile")
	cmd := exec.Command("go", "test", "./trial/systems", "-run", "^TestAStaffSheetIsJudged$", "-count=1", "-v",
		"-covermode=count", "-coverpkg=fieldpost/orders", "-coverprofile="+profile)
	cmd.Env = append(os.Environ(), "FIELDPOST_JUDGED="+strconv.Itoa(times))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, out)
	}
	for _, m := range ordersLogged.FindAllSubmatch(out, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		orders += n
	}
	if orders == 0 {
		return 0, 0, fmt.Errorf("no orders were judged: %s", out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return 0, 0, err
	}
	called, err = entered(text, map[string]bool{"String": true, "ParseOrder": true})
	return called, orders, err
}

// entered counts how often the named functions of package orders, and the methods of
// Order of these names, were entered, by the first block of each in a coverage profile.
func entered(profile []byte, names map[string]bool) (n int, err error) {
	first := map[string]bool{} // "file.go:line" of the opening braces
	paths, err := filepath.Glob("orders/*.go")
	if err != nil {
		return 0, err
	}
	for _, path := range paths {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return 0, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && names[f.Name.Name] && ofOrder(f) {
				at := set.Position(f.Body.Lbrace)
				first[fmt.Sprintf("%s:%d.%d", filepath.Base(path), at.Line, at.Column)] = true
			}
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(profile))
	for lines.Scan() {
		// fieldpost/orders/sheet.go:12.30,14.2 3 17
		block, counts, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "fieldpost/orders/"), ",")
		if !ok || !first[block] {
			continue
		}
		fields := strings.Fields(counts)
		count, err := strconv.Atoi(fields[len(fields)-1])
		if err != nil {
			return 0, err
		}
		n += count
	}
	return n, lines.Err()
}

// ofOrder tells a function, or a method of Order, from methods of other types.
func ofOrder(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	name, ok := f.Recv.List[0].Type.(*ast.Ident)
	return ok && name.Name == "Order"
}
