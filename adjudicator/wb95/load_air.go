package wb95

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// airMissions reads which missions the aircraft of a side may fly; all for a side
// that is not named.
func (l *loader) airMissions() {
	l.sc.AirKinds = l.file.AirMissions
	for side, kinds := range l.file.AirMissions {
		known := func(k string) bool { return slices.Contains(airVerb, k) }
		if !l.side(side) || slices.ContainsFunc(kinds, func(k string) bool { return !known(k) }) {
			l.fault("air_missions", "air_missions names a side and some of %s", strings.Join(airVerb, ", "))
			return
		}
	}
}

// StrikeTable is a table that fire and bombs are looked up in: strength points
// by two dice.
type StrikeTable []StrikeRow

// StrikeRow is a line of a StrikeTable, for From to To strength points.
type StrikeRow struct {
	From, To int // To is 0 in the last line, which has no end
	Cells    [13]Strike
}

// Strike is a cell of a StrikeTable.
type Strike struct {
	Loss   int  // steps
	Disorg bool // D against units: all of the hex
	Wreck  bool // D against an object: destroyed
	Text   string
}

// name is the line as a player reads it on the table: "3-5", "17+".
func (r StrikeRow) name() string {
	if r.To == 0 {
		return fmt.Sprintf("%d+", r.From)
	}
	return fmt.Sprintf("%d-%d", r.From, r.To)
}

// row is the line for so many strength points, nil for none.
func (t StrikeTable) row(sp int) *StrikeRow { return t.down(sp, 0) }

// down is the line for so many strength points and some lines farther down, the
// last at most.
func (t StrikeTable) down(sp, lines int) *StrikeRow {
	for i := range t {
		if r := &t[i]; sp >= r.From && (r.To == 0 || sp <= r.To) {
			return &t[min(i+lines, len(t)-1)]
		}
	}
	return nil
}

var (
	strikeRow  = regexp.MustCompile(`^(\d+)(?:-(\d+)|\+)$`)
	strikeCell = regexp.MustCompile(`^(-\d)?(D)?$`)
)

// strikes reads a StrikeTable. Against objects a D destroys, against units it
// disorganizes.
func (l *loader) strikes(name string, objects bool) StrikeTable {
	columns := []string{"sp"}
	for roll := 2; roll <= 12; roll++ {
		columns = append(columns, strconv.Itoa(roll))
	}
	var t StrikeTable
	next := 1
	for _, r := range l.Rows(name, columns...) {
		m := strikeRow.FindStringSubmatch(r.Text("sp"))
		if m == nil || m[1] != strconv.Itoa(next) {
			r.Fault("sp", "%q: lines such as 3-5 and 17+ without a gap were expected, from %d on", r.Text("sp"), next)
			continue
		}
		row := StrikeRow{From: next}
		row.To, _ = strconv.Atoi(m[2])
		next = row.To + 1
		for roll := 2; roll <= 12; roll++ {
			cell := r.Text(strconv.Itoa(roll))
			c := strikeCell.FindStringSubmatch(cell)
			s := Strike{Text: cell}
			switch {
			case cell == "-":
			case c == nil, objects && c[1] != "":
				r.Fault(strconv.Itoa(roll), "%q is not a result of this table", cell)
			default:
				s.Loss, _ = strconv.Atoi(strings.TrimPrefix(c[1], "-"))
				s.Disorg, s.Wreck = c[2] != "" && !objects, c[2] != "" && objects
			}
			row.Cells[roll] = s
		}
		t = append(t, row)
	}
	if n := len(t); n > 0 && t[n-1].To != 0 {
		l.FaultAt(name, "", "the last line has an end: it should read %d+", t[n-1].From)
	}
	return t
}
