package desk

import (
	"fmt"
	"regexp"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// Odds are what an attack comes to, for the map.
type Odds struct {
	Hex hex.Hex `json:"hex"`
	// Column is that of the table, such as 3:1, Chance how many throws of a hundred drive the enemy
	// off the hex.
	Column string `json:"column"`
	Chance int    `json:"chance"`
	// Offered tells that the attack is not on the sheet, or not with the unit that may join in.
	Offered bool `json:"offered,omitempty"`
}

// Odds are those of the attacks on a sheet, and of those that are offered, as they would be there. A
// hex that is offered is told as offered alone. What cannot be weighed is left out.
func (d *Desk) Odds(text string, offers []Change) (out []Odds, err error) {
	bench, err := d.judged()
	if err != nil {
		return nil, err
	}
	if _, err := d.rehearse(text); err != nil {
		return nil, err
	}
	told := map[hex.Hex]bool{}
	weigh := func(section, order string, offered bool) {
		o, err := d.oddsOf(section, order)
		if err != nil || told[o.Hex] {
			return
		}
		told[o.Hex], o.Offered = true, offered
		out = append(out, o)
	}
	for _, c := range offers {
		with := split(text, bench.System)
		if with.join(c.Section, c.Order) {
			c.Order = with.attackOn(c.Section, c.Order)
		}
		weigh(c.Section, c.Order, true)
	}
	split(text, bench.System).walk(func(_ int, line, section string, opens bool) {
		if !opens && attacks(section, line) {
			weigh(section, line, false)
		}
	})
	return out, nil
}

// attackOn is the order of a section that has the target of another.
func (s *sheet) attackOn(section, order string) (found string) {
	target, _, _ := strings.Cut(order, " WITH ")
	s.walk(func(_ int, line, of string, opens bool) {
		if !opens && of == plain(section) && strings.HasPrefix(line, plain(target)+" WITH ") {
			found = line
		}
	})
	return found
}

// attacks tells whether an order is an attack, in any system.
func attacks(section, line string) bool {
	return firstWord(section) == "ATTACK" || strings.HasPrefix(line, "ATTACK ") || strings.HasPrefix(line, "OVERRUN ")
}

// target is the hex that an attack names first.
var target = regexp.MustCompile(`\b\d{4}\b`)

func (d *Desk) oddsOf(section, order string) (Odds, error) {
	f, err := d.guide.Weigh(section, order)
	if err != nil {
		return Odds{}, err
	}
	at, err := hex.Parse(target.FindString(order))
	if err != nil || f.Column == "" {
		return Odds{}, fmt.Errorf("%s has no odds", order)
	}
	ways, of := f.Sum(func(r adjudicator.Result) bool { return r.TheirHexes > 0 })
	if of == 0 {
		return Odds{}, fmt.Errorf("%s is not thrown for", order)
	}
	return Odds{Hex: at, Column: f.Column, Chance: (100*ways + of/2) / of}, nil
}
