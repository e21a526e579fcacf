package umpire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/report"
	"fieldpost/report/chart"
)

// ErrNoTurn says that a game has no such turn (yet).
var ErrNoTurn = errors.New("no such turn")

// Scene is what a map is drawn from: a position as a side may know it and what
// led to it.
type Scene struct {
	View  *view.View
	Marks []chart.Mark
	Zones []view.Zone
	Note  string // whose knowledge it is, where the view does not say it
	// Frame shows where things happened; the zero Frame if nothing did.
	Frame chart.Frame
}

// Scene is the end of a turn of a game, or the present with turn 0, as a side
// may know it; without a side, both sides lie open. What happened in the turn is
// found by repeating its phases.
func (u *Umpire) Scene(id, side string, turn int) (*Scene, error) {
	pos, err := u.DB.Load(id)
	if err != nil {
		return nil, err
	}
	game, _, err := u.scenario(pos.Game.Scenario)
	if err != nil {
		return nil, err
	}
	phases, err := u.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	last := len(phases)
	for ; turn > 0 && last > 0 && phases[last-1].Turn != turn; last-- {
	}
	if last == 0 {
		return nil, fmt.Errorf("turn %d of game %s: %w", turn, id, ErrNoTurn)
	}
	end, err := u.DB.Phase(id, uint64(last))
	if err != nil {
		return nil, err
	}
	sc := &Scene{}
	if sc.View, err = seenBy(game, end.Snapshot, side); err != nil {
		return nil, err
	}
	sc.View.Game = id
	sc.Note = openNote(side)
	var told []happening
	for n := last; n > 1 && phases[n-1].Turn == end.Turn; n-- {
		before, err := u.DB.Phase(id, uint64(n-1))
		if err != nil {
			return nil, err
		}
		journal, err := entriesOf(phases[n-1].Journal)
		if err != nil {
			return nil, err
		}
		if _, ended, _ := byConsent(game, before.Snapshot, journal); ended {
			continue
		}
		out, err := game.Play(before.Snapshot, journal, silent{}, silent{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", phases[n-1].Phase, err)
		}
		told = append(happenings(phases[n-1].Phase, out), told...)
	}
	events, _ := storyFor(strings.ToUpper(side), told)
	if side == "" {
		events = nil
		for _, h := range told {
			events = append(events, h.Event)
		}
	}
	r := report.Report{View: sc.View, Wording: game.Wording(), Events: events}
	items, _ := r.Items() // a missing word costs a number on the map only
	sc.Marks = marks(events, items)
	sc.Frame = chart.CloseUp(sc.View.Board, markedHexes(sc.Marks))
	sc.Zones, err = zones(game, sc.View)
	return sc, err
}

// seenBy is the View of a side, or with both sides open.
func seenBy(game adjudicator.Game, position []byte, side string) (*view.View, error) {
	sides := game.Sides()
	for _, s := range sides {
		if strings.EqualFold(string(s), side) {
			return game.View(position, s)
		}
	}
	if side != "" {
		return nil, fmt.Errorf("%w: %s", ErrNoSide, side)
	}
	v, err := game.View(position, sides[0])
	if err != nil {
		return nil, err
	}
	return v, reveal(game, position, v, sides[1:])
}

// openNote says on a map without a side that both lie open.
func openNote(side string) string {
	if side == "" {
		return "both sides lie open"
	}
	return ""
}

// zones are the zones of control, where the rules have any to tell.
func zones(game adjudicator.Game, v *view.View) ([]view.Zone, error) {
	if z, ok := game.(adjudicator.Zoner); ok {
		return z.Zones(v)
	}
	return nil, nil
}

// marks are what the map shows of the events. A combat carries the number of its
// item in the story.
func marks(events []view.Event, items []report.Item) []chart.Mark {
	var numbers []string
	for _, it := range items {
		if it.Event.Mark == string(chart.MarkCombat) {
			numbers = append(numbers, strconv.Itoa(it.Number))
		}
	}
	var out []chart.Mark
	for _, e := range events {
		switch kind := chart.MarkKind(e.Mark); {
		case kind == "" || len(e.Hexes) == 0:
		case kind == chart.MarkCombat:
			m := chart.Mark{Kind: kind, To: e.Hexes[0], Side: e.Side}
			if len(numbers) > 0 {
				m.Label, numbers = numbers[0], numbers[1:]
			}
			out = append(out, m)
		default:
			out = append(out, chart.Mark{Kind: kind, Hexes: e.Hexes, Side: e.Side})
		}
	}
	return out
}

// markedHexes are the hexes where things happened: combats and their retreats,
// not the long marches.
func markedHexes(ms []chart.Mark) []hex.Hex {
	var out []hex.Hex
	for _, m := range ms {
		switch m.Kind {
		case chart.MarkCombat:
			out = append(out, m.To)
		case chart.MarkRetreat:
			out = append(out, m.Hexes...)
		}
	}
	return out
}
