package wb95

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/table"
)

// barrageTable is a [[barrage]] of scenario.toml.
type barrageTable struct {
	Side     Side
	From, To int
	Ammo     int
}

var (
	strengths = regexp.MustCompile(`^(\d+)(-\d+|\+)?$`)
	firePart  = regexp.MustCompile(`^(-\d|D|•)`)
)

// fireTables reads the tables of chapter 6 and what the scenario says on barrages.
func (l *loader) fireTables() {
	var columns []string
	for roll := 2; roll <= 12; roll++ {
		columns = append(columns, strconv.Itoa(roll))
	}
	least := 0
	for _, r := range l.Rows("artillery.tsv", append([]string{"sp"}, columns...)...) {
		row := FireRow{From: from(r, &least)}
		for i, col := range columns {
			row.Cells[i+2] = fireResult(r, col)
		}
		l.sc.Fire = append(l.sc.Fire, row)
	}
	for _, b := range l.file.Barrages {
		switch {
		case !slices.Contains(l.sc.Sides[:], b.Side):
			l.fault(`"`+string(b.Side)+`"`, "%q is not a side of the scenario", b.Side)
		case b.From < 1 || b.To < b.From || b.To > l.sc.Turns || b.Ammo < 2:
			l.fault("ammo", "a barrage from turn %d to %d with %d ammunition units", b.From, b.To, b.Ammo)
		}
		l.sc.Barrages = append(l.sc.Barrages, Barrage(b))
	}
}

// from is the least strength of a row such as 3-5 or 17+; rows ascend.
func from(r table.Row, least *int) int {
	m := strengths.FindStringSubmatch(r.Text("sp"))
	if m == nil {
		r.Fault("sp", "%q: strengths such as 3-5 or 17+ are expected", r.Text("sp"))
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	if n <= *least {
		r.Fault("sp", "the rows are not in ascending order")
	}
	*least = n
	return n
}

// fireResult reads a cell of the Artillery Fire table: "-", "-1D", "•".
func fireResult(r table.Row, column string) FireResult {
	text := r.Text(column)
	c := FireResult{Text: text}
	for rest := text; rest != "" && text != "-"; {
		part := firePart.FindString(rest)
		switch {
		case part == "":
			r.Fault(column, "%q is not a result of the table", text)
			return c
		case part == "D":
			c.Disorg = true
		case part == "•":
			c.Test = true
		default:
			c.Loss, _ = strconv.Atoi(part[1:])
		}
		rest = strings.TrimPrefix(rest, part)
	}
	return c
}
