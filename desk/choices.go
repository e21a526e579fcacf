package desk

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/guidance"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/report/chart"
)

// rehearse has the guide stand after a sheet.
func (d *Desk) rehearse(text string) (*adjudicator.Filing, error) {
	bench, err := d.judged()
	switch {
	case err != nil:
		return nil, err
	case d.guide == nil:
		return nil, errors.New("these rules have no guide")
	case d.filing != nil && d.stands == text:
		return d.filing, nil
	}
	sheet, _ := orders.Parse(orders.Canonical(text), bench.System.Vocabulary())
	d.filing, d.stands, d.after = d.guide.Rehearse(sheet), text, nil
	return d.filing, nil
}

// Choices is what an actor may be ordered to do.
type Choices struct {
	*guidance.Guidance
	// Given are the orders for the actor that the sheet has. The ways are those it would
	// have without them: a choice takes their place.
	Given []string `json:"given,omitempty"`
}

// Choices tells what an actor, a unit or a chit, may be ordered after the rest of a sheet. What
// would take the place of an order that it has is told as if it had none there; all else as its
// orders leave it: a unit that was sent somewhere attacks from there.
func (d *Desk) Choices(sheet, actor string) (*Choices, error) {
	bench, err := d.judged()
	if err != nil {
		return nil, err
	}
	rest := split(sheet, bench.System)
	given := rest.without(actor, "")
	if _, err := d.rehearse(rest.String()); err != nil {
		return nil, err
	}
	told, err := guidance.Answer(d.guide, guidance.Question{Actor: actor})
	if err != nil {
		return nil, err
	}
	if len(given) == 0 {
		told.Verbs = d.joining(sheet, told.Verbs)
		return &Choices{Guidance: told}, nil
	}
	ordered := func(o adjudicator.Offer) bool { return len(split(sheet, bench.System).without(actor, o.Section)) > 0 }
	verbs := slices.DeleteFunc(slices.Clone(told.Verbs), func(o adjudicator.Offer) bool { return !ordered(o) })
	if _, err := d.rehearse(sheet); err != nil {
		return nil, err
	}
	after, err := d.guide.Verbs(actor)
	if err != nil {
		return nil, err
	}
	told.Verbs = append(verbs, d.joining(sheet, slices.DeleteFunc(after, ordered))...)
	return &Choices{Guidance: told, Given: given}, nil
}

// joining has attacks on hexes that the sheet attacks already as they are when the unit joins in;
// those that it is in are left out.
func (d *Desk) joining(sheet string, offers []adjudicator.Offer) (out []adjudicator.Offer) {
	for _, o := range offers {
		with := split(sheet, d.bench.System)
		before := with.String()
		if !with.join(o.Section, o.Order) {
			out = append(out, o)
			continue
		}
		after := with.String()
		filing, err := d.rehearse(after)
		if err != nil || after == before {
			continue
		}
		target, _, _ := strings.Cut(o.Order, " WITH ")
		for _, l := range filing.Lines {
			if strings.HasPrefix(l.Text, target+" WITH ") {
				o.Understood, o.Warning, o.Refused = l.Understood, l.Warning, l.Refused
			}
		}
		out = append(out, o)
	}
	return out
}

// Weigh says what an attack, barrage or mission comes to as ordered.
func (d *Desk) Weigh(sheet, section, order string) (*adjudicator.Forecast, error) {
	if _, err := d.rehearse(sheet); err != nil {
		return nil, err
	}
	return d.guide.Weigh(section, order)
}

// Board is the printed map as SVG.
func (d *Desk) Board() (string, error) {
	if d.view == nil {
		return "", errNothing
	}
	var b bytes.Buffer
	err := picture(d.view, chart.Options{}).BoardSVG(&b)
	return b.String(), err
}

// Position is what lies on the board as SVG: units where the sheet leaves them, an arrow for
// each that it moves. Of the layers those are drawn that are named; nil is the usual ones.
func (d *Desk) Position(sheet string, layers []chart.Layer) (string, error) {
	if d.view == nil {
		return "", errNothing
	}
	v, marks := d.shown(sheet)
	o := chart.Options{Marks: marks, Layers: layers}
	if reckoned := slices.ContainsFunc(layers, func(l chart.Layer) bool { return !usual(l) }); reckoned {
		known := d.reckon(v)
		o.Zones, o.Sight, o.Supply = known.Zones, known.Sight, known.Supply
	}
	var b bytes.Buffer
	err := picture(v, o).PositionSVG(&b)
	return b.String(), err
}

// shown is the view with the units where a sheet leaves them, and the arrows there.
func (d *Desk) shown(sheet string) (*view.View, []chart.Mark) {
	filing, err := d.rehearse(sheet)
	if err != nil || filing.Preview == nil {
		return d.view, nil
	}
	if d.after == nil {
		d.after = filing.Preview()
	}
	if d.after == nil {
		return d.view, nil
	}
	return d.after, moved(d.view, d.after, filing)
}

// moved are the arrows from where units are to where a sheet leaves them.
func moved(before, after *view.View, filing *adjudicator.Filing) (marks []chart.Mark) {
	at := map[string]hex.Hex{}
	for _, u := range before.Units {
		at[u.ID] = u.Hex
	}
	ways := routes(filing)
	for _, u := range after.Units {
		from, was := at[u.ID]
		if !was || from == u.Hex || u.Hex == hex.None {
			continue
		}
		m := chart.Mark{Kind: chart.MarkMove, From: from, To: u.Hex, Side: before.Side}
		m.Hexes = ways[[2]hex.Hex{from, u.Hex}]
		marks = append(marks, m)
	}
	return marks
}

// route is a way, hex by hex, as the check writes it.
var route = regexp.MustCompile(`^\d{4}(-\d{4})+`)

// routes are the ways that the check found, by their ends.
func routes(filing *adjudicator.Filing) map[[2]hex.Hex][]hex.Hex {
	out := map[[2]hex.Hex][]hex.Hex{}
	for _, l := range filing.Lines {
		var way []hex.Hex
		for _, number := range strings.Split(route.FindString(l.Understood), "-") {
			h, err := hex.Parse(number)
			if err != nil {
				break
			}
			way = append(way, h)
		}
		if len(way) > 1 {
			out[[2]hex.Hex{way[0], way[len(way)-1]}] = way
		}
	}
	return out
}
