package fog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/trial/systems"
)

// filed answers by what the sides have filed for a turn, the rest by standing orders
// and doctrine. It keeps what a side would be asked.
type filed struct {
	answers map[adjudicator.Side]map[string]string
	side    adjudicator.Side
	asked   *[]adjudicator.Decision
}

// Answer implements adjudicator.Answerer.
func (f filed) Answer(d adjudicator.Decision) (string, string, bool) {
	if d.Side == f.side && !d.Filed { // what is filed is looked up unseen
		*f.asked = append(*f.asked, d)
	}
	answer, ok := f.answers[d.Side][d.Answers()]
	if d.Turn || d.Filed && ok {
		return answer, "sheet", true
	}
	return adjudicator.Standing{}.Answer(d)
}

// step is a phase of a turn that was played.
type step struct {
	label string
	out   adjudicator.Outcome
	asked []adjudicator.Decision // of the side that is compared
}

// veiler is a disguiser whose disguises can last a whole turn: as long as the side learns
// of none of the units, nothing that it is told may differ.
type veiler interface {
	disguiser
	// Unknown are the names of the enemy units on the map of which the side knows nothing.
	Unknown(position []byte, side adjudicator.Side) ([]string, error)
	// Veil makes another position in which only these units stand elsewhere or are in
	// another state: by whatever the side does without meeting them nothing comes otherwise.
	Veil(position []byte, side adjudicator.Side, units []string, n func(k int) int) ([]byte, error)
	// Twins are pairs among these units that differ in nothing but name and place, and
	// Swap has two of them change places: what is ordered the one the other does as well.
	Twins(position []byte, side adjudicator.Side, units []string) ([][2]string, error)
	Swap(position []byte, side adjudicator.Side, pairs [][2]string) ([]byte, error)
}

// veils is how many positions are made of one for the comparison of whole turns.
const veils = 4

// wholeTurn compares turns where the rules can and orders are due.
func (n *Pairs) wholeTurn(m comparison, side adjudicator.Side, position []byte) error {
	game, ok := systems.Inside(m.Game).(veiler)
	if !ok {
		return nil
	}
	v, err := m.Game.View(position, side)
	if err != nil || v.Turn == 0 || !slices.ContainsFunc(v.Due, func(d string) bool { return d != "" }) {
		return err
	}
	return n.turns(m, game, side, position)
}

// turns plays a turn from a position where orders are due, with random orders of both
// sides, and again from positions in which enemy units are otherwise of which the side
// learns nothing in it: units without orders stand elsewhere or are in another state,
// those with orders have changed places and orders with their like. Phase by phase the
// side must be told the same, and at the end it must be shown the same. A pair is left
// where the side has learned of such a unit.
func (n *Pairs) turns(m comparison, game veiler, side adjudicator.Side, position []byte) error {
	units, err := game.Unknown(position, side)
	if err != nil {
		return err
	}
	sheets := map[adjudicator.Side]map[string]string{}
	var marching []string // hidden units with orders
	for _, s := range m.Game.Sides() {
		if sheets[s], err = m.random(position, s); err != nil {
			return err
		}
		if s == side {
			continue
		}
		for _, order := range sheets[s] {
			for _, name := range words.FindAllString(order, -1) {
				marching = append(marching, strings.ToUpper(name))
			}
		}
	}
	was, err := m.turn(position, side, sheets)
	if err != nil {
		return err
	}
	for _, s := range was { // of these the side learns nothing
		still, err := game.Unknown(s.out.Position, side)
		if err != nil {
			return err
		}
		units = slices.DeleteFunc(units, func(u string) bool { return !slices.Contains(still, u) })
	}
	resting, twins := parted(units, marching)
	pairs, err := game.Twins(position, side, twins)
	if err != nil {
		return err
	}
	n.Twins += len(pairs)
	veiled := map[adjudicator.Side]map[string]string{}
	for s, answers := range sheets {
		if veiled[s] = answers; s != side {
			veiled[s] = exchanged(answers, pairs)
		}
	}
	for range veils {
		other, err := game.Swap(position, side, pairs)
		if err == nil {
			other, err = game.Veil(other, side, resting, m.r.IntN)
		}
		if err != nil {
			return err
		}
		is, err := m.turn(other, side, veiled)
		if err != nil {
			return err
		}
		n.Turns++
		if err := n.alike(m, game, side, was, is, units); err != nil {
			return err
		}
	}
	return nil
}

// parted are the units without orders, and those with orders whose name is one word, so
// that orders can be told from those of others.
func parted(units, marching []string) (resting, named []string) {
	for _, u := range units {
		switch {
		case !slices.ContainsFunc(marching, func(w string) bool { return strings.Contains(strings.ToUpper(u), w) }):
			resting = append(resting, u)
		case slices.Contains(marching, strings.ToUpper(u)):
			named = append(named, u)
		}
	}
	return resting, named
}

// words are those of orders, names of units among them.
var words = regexp.MustCompile(`[^\s,;+]+`)

// exchanged are orders in which each of two units has the other's.
func exchanged(answers map[string]string, pairs [][2]string) map[string]string {
	other := map[string]string{}
	for _, p := range pairs {
		a, b := strings.ToUpper(p[0]), strings.ToUpper(p[1])
		other[a], other[b] = b, a
	}
	out := map[string]string{}
	for entry, text := range answers {
		out[entry] = words.ReplaceAllStringFunc(text, func(w string) string { return cmp.Or(other[strings.ToUpper(w)], w) })
	}
	return out
}

// random is what a side files by random orders.
func (m comparison) random(position []byte, side adjudicator.Side) (map[string]string, error) {
	v, err := m.Game.View(position, side)
	if err != nil {
		return nil, err
	}
	v.Game = gameID
	list, err := m.system.Orders(m.Game, v, m.r)
	if err != nil {
		return nil, err
	}
	text, _ := systems.Compose(v, 1, list)
	sheet, faults := orders.Parse(orders.Canonical(text), m.Vocabulary)
	if len(faults) > 0 {
		return nil, fmt.Errorf("a random sheet of %s: %v", side, faults[0])
	}
	return m.Game.Check(v, sheet).Answers, nil
}

// longestTurn is the number of phases after which a turn is called endless.
const longestTurn = 5000

// turn plays from a position to the end of its turn.
func (m comparison) turn(position []byte, side adjudicator.Side, sheets map[adjudicator.Side]map[string]string) (all []step, err error) {
	began, err := m.Game.At(position)
	if err != nil {
		return nil, err
	}
	for at := began; at.Turn == began.Turn && !at.Over; {
		var asked []adjudicator.Decision
		out, err := m.Game.Play(position, nil, playtest.Dice{Game: m.Number, Phase: at.Label}, filed{sheets, side, &asked})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at.Label, err)
		}
		if len(out.Pending) > 0 || len(all) > longestTurn {
			return nil, fmt.Errorf("%s: the turn does not end", at.Label)
		}
		all = append(all, step{at.Label + " " + at.Name, out, asked})
		position = out.Position
		if at, err = m.Game.At(position); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// alike compares two turns as a side is told of them.
func (n *Pairs) alike(m comparison, game veiler, side adjudicator.Side, was, is []step, units []string) error {
	var events []view.Event
	for i := range max(len(was), len(is)) {
		if i < len(is) {
			still, err := game.Unknown(is[i].out.Position, side)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(units, func(u string) bool { return !slices.Contains(still, u) }) {
				n.Met++
				return nil
			}
		}
		if i >= len(was) || i >= len(is) || was[i].label != is[i].label {
			return fmt.Errorf("%s can tell two turns apart by their phases", side)
		}
		a, err := m.told(was[i], side)
		if err != nil {
			return err
		}
		b, err := m.told(is[i], side)
		if err != nil {
			return err
		}
		if !bytes.Equal(a, b) {
			return fmt.Errorf("%s can tell two turns apart in %s: %s", side, was[i].label, difference(a, b))
		}
		for _, e := range was[i].out.Events {
			if e.For(string(side)) {
				switch {
				case e.Mark == "fire":
					n.Fired++
				case e.Kind == "skipped":
					n.Refused++
				}
			}
		}
		events = append(events, was[i].out.Events...)
	}
	return n.ends(m, side, was[len(was)-1].out, is[len(is)-1].out, events)
}

// ends compares what a side is shown after two turns: reports of the whole turn, maps,
// empty sheets, answers to a sheet.
func (n *Pairs) ends(m comparison, side adjudicator.Side, was, is adjudicator.Outcome, events []view.Event) error {
	v, err := m.Game.View(was.Position, side)
	if err != nil {
		return err
	}
	was.Events, is.Events = events, events // they were compared
	sheet := m.probe(v)
	a, err := m.show(was.Position, side, was, sheet)
	b, err2 := m.show(is.Position, side, is, sheet)
	if err = errors.Join(err, err2); err != nil {
		return err
	}
	if what := a.differs(b); what != "" {
		return fmt.Errorf("%s can tell two positions apart after a turn by %s", side, what)
	}
	return nil
}

// told is all that a side is told and asked in a phase, and what it sees after it.
func (m comparison) told(s step, side adjudicator.Side) ([]byte, error) {
	v, err := m.Game.View(s.out.Position, side)
	if err != nil {
		return nil, err
	}
	var mine []view.Event
	for _, e := range s.out.Events {
		if e.For(string(side)) {
			mine = append(mine, e)
		}
	}
	return json.Marshal(map[string]any{"events": mine, "asked": s.asked, "view": v})
}
