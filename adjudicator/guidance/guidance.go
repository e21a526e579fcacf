// Package guidance gathers what a guide answers about one unit or chit, and prints it for
// people.
package guidance

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// Question is what somebody wants to know.
type Question struct {
	Sheet  string // the orders already given; may be empty
	Actor  string // a unit or chit; "" lists all
	Manner string // of its ways; "" for all of them
	Weigh  string // an order to be weighed, behind its section: "ATTACK: 2505 WITH 124 INF"
}

// Guidance is the answer.
type Guidance struct {
	Game string `json:"game,omitempty"`
	Side string `json:"side"`
	Turn int    `json:"turn"`
	// Actors are all that can be given orders, or the one that was asked for.
	Actors   []adjudicator.Actor   `json:"actors,omitempty"`
	Verbs    []adjudicator.Offer   `json:"verbs,omitempty"`
	Reach    []Reach               `json:"reach,omitempty"`
	Forecast *adjudicator.Forecast `json:"forecast,omitempty"`
	// Refused are the lines of the sheet that do not stand: the guide passes over them.
	Refused []string `json:"refused,omitempty"`
	v       *view.View
}

// Reach is where an actor can go in one manner, or why not.
type Reach struct {
	Manner  string            `json:"manner"`
	Ways    []adjudicator.Way `json:"ways,omitempty"`
	Refused *rule.Violation   `json:"refused,omitempty"`
}

// Ask puts a question to the guide of a game.
func Ask(game adjudicator.Game, words orders.Vocabulary, v *view.View, q Question) (*Guidance, error) {
	guide, err := adjudicator.GuideOf(game, v)
	if err != nil {
		return nil, err
	}
	sheet, _ := orders.Parse(orders.Canonical(q.Sheet), words)
	filing := guide.Rehearse(sheet)
	out, err := Answer(guide, q)
	if err != nil {
		return nil, err
	}
	out.Game, out.Side, out.Turn, out.v = v.Game, v.Side, v.Turn, v
	for _, l := range filing.Lines {
		if l.Refused != nil && l.Pos.Line > 0 {
			out.Refused = append(out.Refused, l.Text+": "+l.Refused.Error())
		}
	}
	return out, nil
}

// Answer puts a question to a guide that stands after a sheet already.
func Answer(guide adjudicator.Guide, q Question) (out *Guidance, err error) {
	out = &Guidance{}
	if q.Weigh != "" {
		section, order, ok := strings.Cut(q.Weigh, ": ")
		if !ok {
			return nil, errors.New("what is to be weighed begins with its section, such as ATTACK: 2505 WITH 124 INF")
		}
		out.Forecast, err = guide.Weigh(section, order)
		return out, err
	}
	if q.Actor == "" {
		out.Actors = guide.Actors()
		return out, nil
	}
	return out, out.about(guide, q)
}

// about fills in what there is to say of one actor.
func (out *Guidance) about(guide adjudicator.Guide, q Question) (err error) {
	if out.Verbs, err = guide.Verbs(q.Actor); err != nil {
		return err
	}
	all := guide.Actors()
	i := slices.IndexFunc(all, func(a adjudicator.Actor) bool { return strings.EqualFold(a.Name, q.Actor) || a.ID == q.Actor })
	manners := []string{q.Manner}
	if i >= 0 {
		out.Actors = all[i : i+1]
		if q.Manner == "" {
			manners = all[i].Ways
		}
	}
	for _, manner := range manners {
		r := Reach{Manner: manner}
		r.Ways, err = guide.Reach(q.Actor, manner)
		if err != nil && !errors.As(err, &r.Refused) {
			return err
		}
		out.Reach = append(out.Reach, r)
	}
	return nil
}

// Text prints the answer for people.
func (out *Guidance) Text() string {
	p := &printer{}
	for _, line := range out.Refused {
		p.line("NOT COUNTED  %s", line)
	}
	switch {
	case out.Forecast != nil:
		p.forecast(out.Forecast)
	case len(out.Verbs)+len(out.Reach) == 0:
		p.actors(out.Actors, out.v)
	default:
		p.actors(out.Actors, out.v)
		for _, r := range out.Reach {
			p.reach(r)
		}
		p.verbs(out.Verbs)
	}
	return p.String()
}

// printer writes lines.
type printer struct{ strings.Builder }

func (p *printer) line(format string, a ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, a...), " ") + "\n")
}

func (p *printer) actors(list []adjudicator.Actor, v *view.View) {
	for _, a := range list {
		where := "not on the map"
		switch {
		case a.Hex != hex.None:
			where = "on " + a.Hex.String()
		case a.Kind == "air":
			where = "the aircraft of the side"
		}
		if a.Ordered {
			where += ", has orders"
		}
		where = strings.Join(append([]string{where}, facing(a, v)...), "; ")
		p.line("%-5s %-18s %s", a.Kind, a.Name, where)
		if len(a.InRange) > 0 {
			p.line("      in range now: %s", strings.Join(a.InRange, ", "))
		}
	}
}

// facing is what a unit is, and the hexes of the enemy beside it, as far as a View tells.
func facing(a adjudicator.Actor, v *view.View) (out []string) {
	if v == nil {
		return nil
	}
	for _, u := range slices.Concat(v.Units, v.Arrivals) {
		if a.ID == "" || u.ID != a.ID {
			continue
		}
		strength := strconv.Itoa(u.Attack)
		if u.Defence != u.Attack {
			strength += "/" + strconv.Itoa(u.Defence)
		}
		out = append(out, fmt.Sprintf("%s %s-%d, steps %d/%d", u.Type, strength, u.Moves, u.Steps, u.MaxSteps))
	}
	var beside []string
	for _, st := range v.Enemy {
		if v.Board.On(a.Hex) && v.Board.Grid.Distance(a.Hex, st.Hex) == 1 {
			beside = append(beside, st.Hex.String())
		}
	}
	if len(beside) > 0 {
		out = append(out, "enemy beside it on "+strings.Join(beside, ", "))
	}
	return out
}

// reach prints ways, a line each, and the way there.
func (p *printer) reach(r Reach) {
	title := "REACH " + r.Manner
	if r.Refused != nil {
		p.line("%s: none: %s", strings.TrimSpace(title), r.Refused.Error())
		return
	}
	p.line("%s: %d hexes", strings.TrimSpace(title), len(r.Ways))
	for _, w := range r.Ways {
		price := w.Cost
		if w.Of != "" {
			price += " of " + w.Of
		}
		said := append([]string{path(w.Path)}, w.Meets...)
		p.line("  %-34s %-12s room %2d  %s", w.Order, price, w.Room, strings.Join(said, "; "))
	}
}

func path(list []hex.Hex) string {
	var out []string
	for _, h := range list {
		out = append(out, h.String())
	}
	return strings.Join(out, "-")
}

// verbs prints what stands, section by section, and below it what does not.
func (p *printer) verbs(list []adjudicator.Offer) {
	for _, refused := range []bool{false, true} {
		section := ""
		some := slices.DeleteFunc(slices.Clone(list), func(o adjudicator.Offer) bool { return (o.Refused != nil) != refused })
		for len(some) > 0 {
			if o := some[0]; o.Section != section {
				section = o.Section
				p.line("%s", section)
			}
			n := alike(some)
			p.offers(some[:n])
			some = some[n:]
		}
	}
}

// place is a hex or a hexside, as orders write it.
var place = regexp.MustCompile(`\b\d{4}(/\d{4})?\b`)

// said is an offer with what there is to say of it, and the same for whatever place.
func said(o adjudicator.Offer) (order, text, anywhere string) {
	text = strings.Trim(o.Understood+"; "+o.Warning, "; ")
	if o.Refused != nil {
		text = o.Refused.Error()
	}
	return o.Order, text, o.Section + place.ReplaceAllString(o.Order+" "+text, "HEX")
}

// few is how many offers that differ in their place alone have a line each.
const few = 3

// alike is how many of the first offers are told together: they differ in their place alone.
func alike(list []adjudicator.Offer) int {
	_, _, first := said(list[0])
	n := slices.IndexFunc(list, func(o adjudicator.Offer) bool { _, _, other := said(o); return other != first })
	if n < 0 {
		n = len(list)
	}
	if n <= few || place.FindString(list[0].Order) == "" {
		return 1
	}
	return n
}

// offers prints offers of one kind.
func (p *printer) offers(list []adjudicator.Offer) {
	mark := "OK"
	if list[0].Refused != nil {
		mark = "XX"
	}
	order, text, _ := said(list[0])
	if len(list) == 1 {
		p.line("  %s %-32s %s", mark, order, text)
		return
	}
	p.line("  %s %-32s %s", mark, place.ReplaceAllString(order, "HEX"), place.ReplaceAllString(text, "HEX"))
	const indent, width = "         ", 100
	line := "     HEX:"
	for _, o := range list {
		here := place.FindString(o.Order)
		if len(line)+len(here) >= width {
			p.line("%s", line)
			line = indent
		}
		line += " " + here
	}
	p.line("%s", line)
}

// forecast prints the table that an attack is rolled on.
func (p *printer) forecast(f *adjudicator.Forecast) {
	p.line("%s", f.Order)
	p.line("%s", f.Text)
	for _, s := range f.Shifts {
		p.line("  %+d  %s", s.By, strings.TrimSpace(s.What+"  "+string(s.Clause)))
	}
	p.line("column %s%s", f.Column, cmp.Or(dice(f.Dice), ""))
	for _, r := range f.Results {
		p.line("  %2d  %2d of %d  %-10s they lose %d, retreat %d; we lose %d, retreat %d", r.Roll, r.Ways, r.Of, r.Text, r.TheirLoss, r.TheirHexes, r.OurLoss, r.OurHexes)
	}
}

func dice(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", dice %+d", n)
}
