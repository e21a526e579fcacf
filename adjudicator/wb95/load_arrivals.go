package wb95

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
)

// arrivals reads the reinforcements.
func (l *loader) arrivals() {
	for _, r := range l.Rows("arrivals.tsv", "counter", "date", "entry", "condition") {
		c := l.find(r, "arrivals.tsv")
		if c == nil {
			continue
		}
		a := Arrival{Counter: c.ID, Losses: l.losses(r, c), When: dash(r, "condition"), Entry: r.List("entry")}
		date := dash(r, "date")
		switch known := slices.ContainsFunc(l.file.Conditions, func(c hexTable) bool { return c.Key == a.When }); {
		case a.When != "" && !known:
			r.Fault("condition", "no condition %q in scenario.toml", a.When)
		case (a.When == "") == (date == ""):
			r.Fault("date", "either a date or a condition is expected")
		case date != "":
			a.Turn = l.turn(r, "date")
		}
		if a.Entry == nil {
			r.Fault("entry", "no entry")
		}
		for _, e := range a.Entry {
			if !slices.ContainsFunc(l.entryHexes(e), func(h hex.Hex) bool { return l.stands(c, h) }) {
				r.Fault("entry", "%q is not a zone, place or hex that %s can enter", e, c.Name)
			}
		}
		l.sc.Arrivals = append(l.sc.Arrivals, a)
	}
	l.sc.StandIns = l.file.StandIns
	for _, id := range l.sc.StandIns {
		if !slices.ContainsFunc(l.sc.Arrivals, func(a Arrival) bool { return a.Counter == id }) {
			l.fault(`"`+id+`"`, "stand_ins: %q is not a counter of arrivals.tsv", id)
		}
	}
}

// entryHexes are the hexes of a zone letter, a place name or a hex number.
func (l *loader) entryHexes(e string) []hex.Hex {
	if e == anyTown {
		var all []hex.Hex
		for _, p := range l.sc.Board.Places {
			all = append(all, p.Hexes...)
		}
		return all
	}
	if z := l.sc.Board.Zone(e); z != nil {
		return z.Hexes
	}
	if p := l.sc.Board.Named(e); p != nil {
		return p.Hexes
	}
	if h, err := hex.Parse(e); err == nil {
		return []hex.Hex{h}
	}
	return nil
}

// unused names the counters of the scenario that no file places.
func (l *loader) unused() {
	for _, r := range l.Rows("counters.tsv", "id", "scenarios") {
		if id := r.Text("id"); slices.Contains(r.List("scenarios"), l.sc.ID) && l.used[id] == "" {
			r.Fault("id", "%q is neither in setup.tsv nor in arrivals.tsv", id)
		}
	}
}

// turn is the turn of a date such as 1942-05-13. There is no clock here: days are
// counted.
func (l *loader) turn(r table.Row, column string) int {
	text := r.Text(column)
	if !isDate(text) {
		r.Fault(column, "%q is not a date such as 1942-05-13", text)
		return 0
	}
	turn := l.sc.turnOf(text)
	if turn == 0 {
		r.Fault(column, "%s is not a day of the game", text)
	}
	return turn
}

// isDate tells whether the text is a date such as 1942-05-13.
func isDate(text string) bool {
	var y, m, d int
	if n, err := fmt.Sscanf(text, "%4d-%2d-%2d", &y, &m, &d); n != 3 || err != nil {
		return false
	}
	return len(text) == 10 && 1 <= d && d <= daysIn(y, m)
}

// daysIn is the number of days of a month, 0 if there is no such month.
func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	case 1, 3, 5, 7, 8, 10, 12:
		return 31
	}
	return 0
}

func isLeap(year int) bool {
	if year%100 == 0 {
		return year%400 == 0
	}
	return year%4 == 0
}

// airStrength reads the air strength of each day.
func (l *loader) airStrength() {
	a, b := l.sc.Sides[0], l.sc.Sides[1]
	l.sc.Air = map[Side][]int{}
	rows := l.Rows("air-strength.tsv", "date", string(a), string(b))
	for i, r := range rows {
		if t := l.turn(r, "date"); t != i+1 && t != 0 {
			r.Fault("date", "the day of turn %d was expected", i+1)
		}
		l.sc.Air[a] = append(l.sc.Air[a], r.Int(string(a)))
		l.sc.Air[b] = append(l.sc.Air[b], r.Int(string(b)))
	}
	if n := len(rows); n > 0 && n != l.sc.Turns {
		rows[n-1].Fault("date", "%d days, the game has %d turns", n, l.sc.Turns)
	}
}
