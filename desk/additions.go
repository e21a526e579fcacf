package desk

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Addition is an order of the sheet with something more to it, which stands.
type Addition struct {
	// More is what is new: "; MIN 2:1".
	More string `json:"more"`
	// Order is the line that takes the place of the one that is there, or that stands below it.
	Order string `json:"order"`
	Below bool   `json:"below,omitempty"`
	// Says is how the check reads it, with what should be looked at.
	Says string `json:"says,omitempty"`
}

// errNoLine says that a sheet is shorter than that.
var errNoLine = errors.New("the sheet has no such line")

// guards are conditions that orders of the games with chits may stand under. {to} is the last hex
// that the order names, {who} its unit.
var guards = []string{"; IF {to} EMPTY", "; IF ENEMY AT {to} UNDER 9", "; IF {who} IN CONTACT", "; IF {who} IN SUPPLY", "; IF 2 OWN CHITS PLAYED"}

// mores are what may be added to an order, by system and the word that opens its section; behind
// "CHIT " by the first word of the order, with "CHIT" alone for the line that opens a programme.
var mores = map[string]map[string][]string{
	"wb95": {
		"MOVE": {"; IF {to} EMPTY", "; UNLESS {to} ENEMY", " FULL", ", ENTRENCH"},
		"ATTACK": {"; MIN 1:1", "; MIN 2:1", "; MIN 3:1", "; LOSSES WEAKEST FIRST", "; PURSUE NO", "; PURSUE OCCUPY", "; PURSUE FULL", "; ADVANCE",
			"; RETREAT 1", "; HOLD", "; PAY 1", "; STARS NO", "; STARS YES", "; UNLESS {to} EMPTY"},
		"STANDING": {", LOSSES WEAKEST FIRST", ", PAY 1", ", PURSUE NO", ", PURSUE OCCUPY", ", VITAL", " UNTIL TURN {next}"},
	},
	"steppe": {
		"CHIT":      {" MOVE THEN ATTACK", " ATTACK THEN MOVE", " HOLD", " IF 2 OWN CHITS PLAYED", " UNLESS 2 OWN CHITS PLAYED", " IF SECOND CHIT"},
		"CHIT MOVE": append([]string{" PUSH"}, guards...),
		"CHIT ATTACK": append([]string{"; MIN 1:1", "; MIN 2:1", "; MIN 3:1", "; ARTILLERY ALL", "; ARTILLERY 0", "; KEY", "; AIR NO", "; ADVANCE ALL", "; ADVANCE NO", "; OVERRUN"},
			guards...),
	},
	"famous": {
		"CHIT":         {" HOLD", " IF 2 OWN CHITS PLAYED", " UNLESS 2 OWN CHITS PLAYED", " IF TURN {next}"},
		"CHIT MOVE":    append([]string{" BY ROAD", "; STOP-IF SPOT TANK", "; STOP-IF SPOT ANY", "; IF-FIRED STOP", "; IF-FIRED GO", "; DEBARK"}, guards...),
		"CHIT ATTACK":  append([]string{"; MIN 1-1", "; MIN 2-1", "; MIN 3-1", "; ARTILLERY ANY", "; ARTILLERY KEY", "; ADVANCE NO"}, guards...),
		"CHIT OVERRUN": append([]string{"; MIN 1-1", "; MIN 2-1", "; ARTILLERY ANY", "; ADVANCE NO"}, guards...),
		"CHIT FIRE":    append([]string{" PREF TRACKED", " PREF LEG", " PREF WHEELED"}, guards...),
		"CHIT BARRAGE": guards,
	},
}

// belows are lines that may stand below an order of a programme.
var belows = map[string][]string{
	"steppe": {"ATTACK AT-WILL MIN 1:1", "ATTACK AT-WILL MIN 2:1", "OTHERWISE SKIP", "STOP HERE IF {who} REDUCED", "STOP ALL IF {who} LOST", "STOP HERE IF TOOK {to}", "STOP ALL IF LOSSES 2",
		"ASK HERE", "ASK AFTER ATTACK {to}"},
	"famous": {"ATTACK AT-WILL MIN 1-1", "ATTACK AT-WILL MIN 2-1", "OTHERWISE SKIP", "STOP HERE IF {who} REDUCED", "STOP ALL IF {who} LOST", "STOP HERE IF TOOK {to}", "STOP ALL IF LOSSES 2",
		"ASK HERE", "ASK AFTER ATTACK {to}"},
}

var (
	lastHex = regexp.MustCompile(`^.*\b(\d{4})\b`)
	points  = regexp.MustCompile(`^(.*\d{4}) \d{1,2}$`)
	mover   = regexp.MustCompile(`^[A-Z-]+ (.+?)(?: TO | WITH | AT |$)`)
)

// most are the strength points that a mission is tried with.
const most = 9

// Additions are what may be added to an order of the sheet: conditions, limits, manners, other
// strengths, each tried by the check of the whole sheet. Lines are counted from 1.
func (d *Desk) Additions(text string, line int) (out []Addition, err error) {
	bench, err := d.judged()
	if err != nil {
		return nil, err
	}
	s := split(text, bench.System)
	if line < 1 || line > len(s.lines) {
		return nil, errNoLine
	}
	for _, a := range d.tried(s, line) {
		changed, err := d.Edit(text, Change{Take: line, Order: a.Order, Below: a.Below})
		if err != nil {
			return nil, err
		}
		at := line
		if a.Below {
			at++
		}
		if d.stood(changed, at, &a) {
			out = append(out, a)
		}
	}
	return out, nil
}

// stood tells whether a line stands, and notes what is said of it.
func (d *Desk) stood(text string, line int, a *Addition) bool {
	filing, err := d.rehearse(text)
	if err != nil {
		return false
	}
	for _, l := range filing.Lines {
		if l.Pos.Line != line {
			continue
		}
		if l.Refused != nil {
			return false
		}
		a.Says = strings.Trim(l.Understood+"; "+l.Warning, "; ")
		return true
	}
	return a.Below // a line that only bears on the one above is judged with it
}

// tried are the additions that might stand.
func (d *Desk) tried(s *sheet, line int) (out []Addition) {
	order, of := "", ""
	s.walk(func(i int, plain, section string, opens bool) {
		if i == line-1 {
			order, of = plain, firstWord(section)
			if of == "CHIT" && !opens {
				of += " " + firstWord(plain)
			}
		}
	})
	fill := d.filled(order)
	if strength := points.FindStringSubmatch(order); of == "AIR" && strength != nil {
		for n := 1; n <= most; n++ {
			if changed := fmt.Sprintf("%s %d", strength[1], n); changed != order {
				out = append(out, Addition{More: strconv.Itoa(n), Order: changed})
			}
		}
	}
	for _, more := range mores[d.view.System][of] {
		kind, _, _ := strings.Cut(strings.TrimLeft(more, ";, "), " ")
		if said := fill.Replace(more); !strings.Contains(said, "{") && !strings.Contains(order, " "+kind) {
			out = append(out, Addition{More: said, Order: order + said})
		}
	}
	if strings.HasPrefix(of, "CHIT ") {
		for _, below := range belows[d.view.System] {
			if said := fill.Replace(below); !strings.Contains(said, "{") {
				out = append(out, Addition{More: said, Order: said, Below: true})
			}
		}
	}
	return out
}

// filled puts what an order speaks of into an addition.
func (d *Desk) filled(order string) *strings.Replacer {
	pairs := []string{"{next}", strconv.Itoa(d.view.Turn + 1)}
	if found := lastHex.FindStringSubmatch(order); found != nil {
		pairs = append(pairs, "{to}", found[1])
	}
	if found := mover.FindStringSubmatch(order); found != nil && !strings.Contains(found[1], ",") && !lastHex.MatchString(found[1]) {
		pairs = append(pairs, "{who}", found[1])
	}
	return strings.NewReplacer(pairs...)
}
