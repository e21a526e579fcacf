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
	told := map[hex.Hex]bool{}
	weigh := func(section, order string, at int, offered bool) error {
		if _, err := d.rehearse(text); err != nil {
			return err
		}
		o, err := d.oddsOf(section, order)
		if err != nil && at >= 0 {
			o, err = d.oddsInPlace(split(text, bench.System), at, section, order)
		}
		if err == nil && !told[o.Hex] {
			told[o.Hex], o.Offered = true, offered
			out = append(out, o)
		}
		return nil
	}
	for _, c := range offers {
		with, at := split(text, bench.System), -1
		if with.join(c.Section, c.Order) {
			at, c.Order = with.attackOn(c.Section, c.Order)
		}
		if err := weigh(c.Section, c.Order, at, true); err != nil {
			return nil, err
		}
	}
	split(text, bench.System).walk(func(i int, line, section string, opens bool) {
		if err == nil && !opens && attacks(section, line) {
			err = weigh(section, line, i, false)
		}
	})
	return out, err
}

// oddsInPlace are the odds of an order that stands on a sheet, or that takes the place of one, where
// who has attacked once attacks no more.
func (d *Desk) oddsInPlace(rest *sheet, at int, section, order string) (Odds, error) {
	rest.cut(at)
	if _, err := d.rehearse(rest.String()); err != nil {
		return Odds{}, err
	}
	return d.oddsOf(section, order)
}

// attackOn is the order of a section that has the target of another, and its line.
func (s *sheet) attackOn(section, order string) (at int, found string) {
	target, _, _ := strings.Cut(order, " WITH ")
	s.walk(func(i int, line, of string, opens bool) {
		if !opens && of == plain(section) && strings.HasPrefix(line, plain(target)+" WITH ") {
			at, found = i, line
		}
	})
	return at, found
}

// attacks tells whether an order is an attack on a hex that it names, in any system.
func attacks(section, line string) bool {
	if strings.Contains(line, "AT-WILL") {
		return false
	}
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
		return Odds{}, fmt.Errorf("nothing is thrown for %s", order)
	}
	return Odds{Hex: at, Column: f.Column, Chance: (100*ways + of/2) / of}, nil
}
