// Package scene is what a map is drawn from, and the pictures of a report.
package scene

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// ErrNoTurn says that a game has no such turn (yet).
var ErrNoTurn = errors.New("no such turn")

// Scene is what a map is drawn from: a position as a side may know it and what
// led to it.
type Scene struct {
	View  *view.View
	Marks []chart.Mark
	Zones []view.Zone
	Sight *view.Lookout // of a side, where the rules have lines of sight
	Note  string        // whose knowledge it is, where the view does not say it
	// Frame shows where things happened; the zero Frame if nothing did.
	Frame chart.Frame
	// Items are the story of the turn.
	Items []report.Item
}

// At is the end of a turn of a game, or the present with turn 0, as a side
// may know it; without a side, both sides lie open. What happened in the turn is
// found by repeating its phases.
func At(games *match.Games, id, side string, turn int) (*Scene, error) {
	m, err := games.Load(id)
	if err != nil {
		return nil, err
	}
	phases, err := games.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	last := throughTurn(phases, turn)
	if last == 0 {
		return nil, fmt.Errorf("turn %d of game %s: %w", turn, id, ErrNoTurn)
	}
	end, err := games.DB.Phase(id, uint64(last))
	if err != nil {
		return nil, err
	}
	sc := &Scene{}
	if sc.View, err = match.SeenBy(m.Rules, end.Snapshot, side); err != nil {
		return nil, err
	}
	sc.View.Game = id
	sc.Note = match.OpenNote(side)
	var told []match.ProvedEvent
	for n := last; n > 1 && phases[n-1].Turn == end.Turn; n-- {
		before, err := games.DB.Phase(id, uint64(n-1))
		if err != nil {
			return nil, err
		}
		journal, err := match.EntriesOf(phases[n-1].Journal)
		if err != nil {
			return nil, err
		}
		if match.Intervention(journal) != nil {
			continue
		}
		out, err := m.Rules.Play(before.Snapshot, journal, match.JournalOnly{}, match.JournalOnly{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", phases[n-1].Phase, err)
		}
		told = append(match.ProvedEvents(phases[n-1].Phase, out, phases[n-1].Beacon), told...)
	}
	events, _ := match.StoryFor(strings.ToUpper(side), told)
	if side == "" {
		events = nil
		for _, h := range told {
			events = append(events, h.Event)
		}
	}
	r := report.Report{View: sc.View, Wording: m.Rules.Wording(), Events: events}
	sc.Marks = r.Marks()
	sc.Items, _ = r.Items()
	sc.Frame = chart.CloseUp(sc.View.Board, markedHexes(sc.Marks))
	return sc, sc.Reckon(m.Rules, side)
}

// throughTurn is how many phases there are up to the end of a turn, 0 if it never was;
// with turn 0 it is all of them.
func throughTurn(phases []store.Phase, turn int) int {
	if turn <= 0 {
		return len(phases)
	}
	for n, p := range slices.Backward(phases) {
		if p.Turn == turn {
			return n + 1
		}
	}
	return 0
}

// Reckon adds what can be reckoned from the View of a side, or of none: zones of
// control and what the side looks at, where the rules have such.
func (sc *Scene) Reckon(game adjudicator.Game, side string) (err error) {
	if z, ok := game.(adjudicator.Zoner); ok {
		if sc.Zones, err = z.Zones(sc.View); err != nil {
			return err
		}
	}
	if o, ok := game.(adjudicator.Observer); ok && side != "" {
		sc.Sight, err = o.Lookout(sc.View)
	}
	return err
}

// Options are those of a map of the scene with these layers, as chart.ParseLayers
// reads them. An error says in words which layer the game cannot have.
func (sc *Scene) Options(layers string) (chart.Options, error) {
	o := chart.Options{Marks: sc.Marks, Zones: sc.Zones, Sight: sc.Sight, Note: sc.Note}
	var err error
	if o.Layers, err = chart.ParseLayers(layers); err != nil || strings.EqualFold(layers, chart.AllLayers) {
		return o, err
	}
	switch {
	case slices.Contains(o.Layers, chart.LayerZones) && sc.Zones == nil:
		err = fmt.Errorf("zoc: no zones of control are told of %s", sc.View.Title)
	case slices.Contains(o.Layers, chart.LayerSight) && sc.Sight == nil:
		err = fmt.Errorf("sight: no lines of sight of one side are told of %s", sc.View.Title)
	}
	return o, err
}

// The pictures of a report: the whole map at this width, and close-ups of where
// things happened at this scale, at which everything on it can be read.
const (
	MapWidth     = 1600
	CloseUpScale = 56
	numbersScale = 40 // every hex has its number
	mostCloseUps = 2
)

// MailLimit is the greatest size of a report as it travels.
const MailLimit = 600 << 10

// shown is a picture of a report.
type shown struct {
	Name, Title string
	Data        []byte
}

// Pictures draws a report's pictures into the room there is, in bytes as they
// travel: the whole map, drawn smaller where that makes room for a close-up, and
// what stood there before, or a second close-up, if it still fits. Before may be nil.
func Pictures(v, before *view.View, ms []chart.Mark, room int) ([]shown, error) {
	var closer []shown
	scale := chart.FitScale(v.Board, MapWidth)
	frames := chart.CloseUps(v.Board, markedHexes(ms), mostCloseUps)
	for i, f := range frames {
		if f.Holds(v.Board) && scale >= numbersScale {
			break // the whole map shows as much
		}
		pic, err := Drawn(fmt.Sprintf("close-up-%d.png", i+1), fmt.Sprintf("Where it happened: hexes %v to %v", hex.New(f.ColMin, f.RowMin), hex.New(f.ColMax, f.RowMax)),
			v, chart.Options{Scale: CloseUpScale, Frame: f, Marks: ms})
		if err != nil {
			return nil, err
		}
		closer = append(closer, pic)
		if before == nil || len(frames) > 1 {
			continue
		}
		if pic, err = Drawn("before.png", "The same place before", before, chart.Options{Scale: CloseUpScale, Frame: f}); err != nil {
			return nil, err
		}
		closer = append(closer, pic)
	}
	var whole shown
	fits := func(n int) bool { // beside the whole map
		sum := Travels(len(whole.Data))
		for _, pic := range closer[:n] {
			sum += Travels(len(pic.Data))
		}
		return sum <= room
	}
	whole, err := Drawn(proof.FileMap, "The whole map as your side knows it", v, chart.Options{Scale: scale, Marks: ms})
	for ; err == nil && scale > 16 && !fits(min(1, len(closer))); scale -= 4 {
		whole, err = Drawn(proof.FileMap, whole.Title, v, chart.Options{Scale: scale - 4, Marks: ms})
	}
	if err != nil {
		return nil, err
	}
	n := len(closer)
	for n > 0 && !fits(n) {
		n--
	}
	return append([]shown{whole}, closer[:n]...), nil
}

func Drawn(name, title string, v *view.View, o chart.Options) (shown, error) {
	var png bytes.Buffer
	err := chart.Render(v, o).PNG(&png)
	return shown{name, title, png.Bytes()}, err
}

// Travels is the size of a file in a mail: base64 in lines, and its headers.
func Travels(n int) int { return n*4/3 + n/57*2 + 400 }

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
