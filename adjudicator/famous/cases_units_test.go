package famous

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/casebook"
)

// unit reads a line of UNITS: RED a: tracked, 8-7-10/5-5-10, of 2Pz, at 0303, direct 3.
func (l *layout) unit(r *caseRun, line casebook.Line) {
	head, rest, _ := strings.Cut(line.Text, ": ")
	side, name, _ := strings.Cut(head, " ")
	c := Counter{ID: strings.ToLower(side + "-" + name), Name: name, Side: Side(side), Battalion: "1", Kind: "inf", Full: Values{4, 4, 8}, Reduced: Values{2, 2, 8}, TwoSteps: true}
	u := Unit{ID: c.ID, Where: Later, Steps: 2}
	steps := 0
	for _, f := range strings.Split(rest, ", ") {
		w := strings.Fields(f)
		arg := strings.Join(w[1:], " ")
		n, _ := strconv.Atoi(arg)
		switch w[0] {
		case "leg", "tracked", "wheeled":
			c.Class = Class(slices.Index(classNames[:], w[0]))
		case "of":
			c.Battalion = arg
		case "at":
			u.Where, u.Hex = OnMap, r.hex(arg)
		case "hq":
			c.HQ, c.Command, c.Full, c.TwoSteps, c.Class = true, max(1, n), Values{0, 2, 8}, false, Wheeled
		case "division":
			c.Division, c.Battalion = true, "Div"
		case "artillery":
			c.Artillery, c.TwoSteps, c.Kind = n, false, "art"
		case "direct":
			c.Direct = n
		case "engineer":
			c.Engineer = true
		case "raft":
			c.Raft = true
		case "AA":
			c.AA = 2
		case "Lt":
			c.AA = 3
		case "flak":
			c.Flak, c.AA = true, 2
		case "ersatz":
			c.Ersatz = true
		case "one":
			c.TwoSteps = false
		case "steps":
			steps = n
		case "debarked":
			u.Debarked = true
		case "fired":
			u.Fired = true
		case "pinned":
			u.Pinned = true
		case "road":
			u.Road = true
		case "used":
			u.Used = true
		case "unsupplied":
			u.Unsupplied = n
		case "riding":
			u.Aboard = strings.ToLower(side + "-" + arg)
		case "due": // due 1 by A
			turn, _ := strconv.Atoi(w[1])
			l.arrivals = append(l.arrivals, Arrival{Counter: c.ID, Turn: turn, Entry: w[3:]})
		case "together": // all of its battalion by one entry
			l.arrivals[len(l.arrivals)-1].Together = true
		case "off":
			u.Where = Beside
		default:
			if !l.values(&c, f) {
				r.Fault(line.At, "%q is not understood", f)
			}
		}
	}
	if u.Steps = c.Steps(); steps > 0 {
		u.Steps = steps
	}
	l.counters = append(l.counters, c)
	l.units = append(l.units, u)
}

// values reads 4-6-8 or 4-6-8/2-4-8.
func (l *layout) values(c *Counter, f string) bool {
	full, reduced, two := strings.Cut(f, "/")
	var v [2]Values
	for i, t := range []string{full, reduced} {
		if i == 1 && !two {
			break
		}
		if _, err := fmt.Sscanf(t, "%d-%d-%d", &v[i].Attack, &v[i].Defence, &v[i].Move); err != nil {
			return false
		}
	}
	c.Full, c.Reduced = v[0], v[1]
	c.TwoSteps = two
	return true
}
