package desk

import (
	"slices"

	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// setUpSection is that of the orders that place units before the first turn.
const setUpSection = "SETUP"

// Placed is a unit whose place in the set-up is chosen, and whether the sheet chooses it. Who is not
// placed stands where the scenario puts it.
type Placed struct {
	Unit   string `json:"unit"`
	Placed bool   `json:"placed"`
}

// setsUp tells whether a sheet on the view places units.
func setsUp(v *view.View, words orders.Vocabulary) bool {
	begins := v.Turn == 0 || v.Turn == 1 && v.Chits != nil
	return begins && slices.Contains(words.Sections, setUpSection)
}

// SetUp are the units whose place is chosen, in the order of a sheet to fill in; none when the set-up is
// over.
func (d *Desk) SetUp(text string) (out []Placed, err error) {
	bench, err := d.judged()
	if err != nil || d.guide == nil || !setsUp(d.view, bench.System.Vocabulary()) {
		return nil, err
	}
	if d.toPlace == nil {
		if d.toPlace, err = d.placeable(); err != nil {
			return nil, err
		}
	}
	chosen := split(text, bench.System)
	for _, unit := range d.toPlace {
		p := Placed{Unit: unit}
		chosen.walk(func(_ int, line, section string, opens bool) {
			p.Placed = p.Placed || !opens && firstWord(section) == setUpSection && whose(line, unit)
		})
		out = append(out, p)
	}
	return out, nil
}

// placeable are the units that an empty sheet could place.
func (d *Desk) placeable() ([]string, error) {
	if _, err := d.rehearse(d.blank()); err != nil {
		return nil, err
	}
	out, actors := []string{}, d.guide.Actors()
	for _, o := range d.guide.Usual() {
		for _, a := range actors {
			first := o.Section == setUpSection && whose(plain(o.Order), a.Name) && !slices.Contains(out, a.Name)
			if first {
				out = append(out, a.Name)
			}
		}
	}
	return out, nil
}
