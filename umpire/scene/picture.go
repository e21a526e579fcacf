// Package scene is what a map is drawn from, and the pictures of a report.
package scene

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/share"
)

// ErrNoTurn says that a game has no such turn (yet).
var ErrNoTurn = errors.New("no such turn")

// ErrPart says that a part of a map cannot be drawn.
var ErrPart = errors.New("cannot be drawn")

// Scene is what a map is drawn from: a position as a side may know it and what
// led to it.
type Scene struct {
	View  *view.View
	Marks []chart.Mark
	adjudicator.Reckoned
	Note string // whose knowledge it is, where the view does not say it
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
	all, err := games.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	phases := match.Line(all)
	last := throughTurn(phases, turn)
	if last == 0 {
		return nil, fmt.Errorf("turn %d of game %s: %w", turn, id, ErrNoTurn)
	}
	end, err := games.DB.Phase(id, phases[last-1].Number)
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
		before, err := games.DB.Phase(id, phases[n-1].Number-1)
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
	with := *sc.View
	with.Story = &view.Story{Phases: match.StoryFor(strings.ToUpper(side), told)}
	r := report.Report{View: &with, Wording: m.Rules.Wording()}
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

// Reckon adds what can be reckoned from the View of a side, or of none.
func (sc *Scene) Reckon(game adjudicator.Game, side string) (err error) {
	sc.Reckoned, err = adjudicator.Reckon(game, sc.View, adjudicator.Side(side))
	return err
}

// Options are those of a map of the scene with these layers, as chart.ParseLayers
// reads them. An error says in words which layer the game cannot have.
func (sc *Scene) Options(layers string) (chart.Options, error) {
	o := chart.Options{Marks: sc.Marks, Zones: sc.Zones, Sight: sc.Sight, Supply: sc.Supply, Note: sc.Note}
	var err error
	if o.Layers, err = chart.ParseLayers(layers); err != nil || strings.EqualFold(layers, chart.AllLayers) {
		return o, err
	}
	switch {
	case slices.Contains(o.Layers, chart.LayerZones) && sc.Zones == nil:
		err = fmt.Errorf("zoc: no zones of control are told of %s", sc.View.Title)
	case slices.Contains(o.Layers, chart.LayerSight) && sc.Sight == nil:
		err = fmt.Errorf("sight: no lines of sight of one side are told of %s", sc.View.Title)
	case slices.Contains(o.Layers, chart.LayerSupply) && sc.Supply == nil:
		err = fmt.Errorf("supply: no lines of supply of one side are told of %s", sc.View.Title)
	}
	return o, err
}

// MapWidth is how wide a whole map is drawn, in pixels, where nothing else bounds it.
const MapWidth = 1600

// CloseUpScale is the width of a hex of a close-up in pixels. Everything on it can be read.
const CloseUpScale = 64

// MailLimit is the greatest size of a report as it travels, in bytes.
const MailLimit = 600 << 10

// Choice is which pictures a player's reports bring.
type Choice string

// The choices. Whoever has made none gets close-ups.
const (
	ChoiceClose Choice = "CLOSE" // where things happened and decisions are, and an overview
	ChoiceWhole Choice = "WHOLE" // the whole map in detail
	ChoiceAll   Choice = "ALL"   // both
	ChoiceNone  Choice = "NONE"
)

// Choices are all there are.
var Choices = []Choice{ChoiceClose, ChoiceWhole, ChoiceAll, ChoiceNone}

// Brings says what a report with this choice has.
func (c Choice) Brings() string {
	switch c {
	case ChoiceWhole:
		return "the whole map in detail"
	case ChoiceAll:
		return "the whole map in detail, and close-ups of where things happen"
	case ChoiceNone:
		return "no pictures"
	}
	return "close-ups of where things happen, and an overview of the map"
}

// hexesOfCloseUps is how many hexes the close-ups of a report show together, unless the
// player wants all that there is.
const hexesOfCloseUps = 150

// mostCloseUps is how many close-ups a report has that brings all.
const mostCloseUps = 4

// shown is a picture of a report.
type shown struct {
	Name, Title string
	Data        []byte
}

// Planned is a picture that is still to be drawn.
type Planned struct {
	Name, Title string
	// Frame is the part of the map that a close-up shows.
	Frame chart.Frame
	// Scale is the width of a hex in pixels of a map to play from, 0 of an overview.
	Scale float64
	Draw  func() *chart.Picture
}

// Pictures draws the pictures of a report that a player wants, the one of the whole map
// first. Room is what the mail has left for them, in bytes as they travel. What is
// drawn is decided before, by the size that such pictures have; each is drawn once.
func Pictures(in *share.Share, v *view.View, ms []chart.Mark, want Choice, room int) ([]shown, error) {
	out, err := drawnAll(in, Plan(v, ms, want, room))
	return fitting(out, room), err
}

// mostSheets is how many close-ups the answer to a request for a part of the map brings.
const mostSheets = 8

// Part draws a part of the map, as chart.ParseFrame reads it, in close-ups. ErrPart says in
// words what is wrong with the part.
func (sc *Scene) Part(in *share.Share, text string, o chart.Options) ([]shown, error) {
	f, err := chart.ParseFrame(sc.View.Board, text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPart, err)
	}
	sheets := f.Sheets()
	if len(sheets) > mostSheets {
		return nil, fmt.Errorf("%w: it takes %d close-ups, and a mail brings at most %d; MAP alone is the whole map", ErrPart, len(sheets), mostSheets)
	}
	return drawnAll(in, planCloseUps(sc.View, o, sheets))
}

// drawnAll draws what is planned, at once.
func drawnAll(in *share.Share, plans []Planned) ([]shown, error) {
	out := make([]shown, len(plans))
	errs := make([]error, len(plans))
	var all sync.WaitGroup
	for i, p := range plans {
		all.Go(func() {
			out[i], errs[i] = p.file(in)
		})
	}
	all.Wait()
	return out, errors.Join(errs...)
}

// Plan says which pictures a report brings.
func Plan(v *view.View, ms []chart.Mark, want Choice, room int) []Planned {
	detail := Planned{Name: proof.FileMap, Title: "The whole map as your side knows it"}
	switch want {
	case ChoiceNone:
		return nil
	case ChoiceWhole:
		detail.Scale, detail.Draw = wholeMap(v, ms, room)
		return []Planned{detail}
	case ChoiceAll:
		frames := closeUps(v, ms, math.MaxInt)
		for len(frames) > 1 && estimated(v.Board.Grid.Len(), leastScale)+estimated(hexesIn(frames), CloseUpScale) > room {
			frames = frames[:len(frames)-1]
		}
		detail.Scale, detail.Draw = wholeMap(v, ms, room-estimated(hexesIn(frames), CloseUpScale))
		return append([]Planned{detail}, planCloseUps(v, chart.Options{Marks: ms, Bare: true}, frames)...)
	}
	told := glimpses(v, ms)
	frames := closeUps(v, ms, hexesOfCloseUps-hexesIn(framesOf(told[:min(1, len(told))])))
	if len(frames) == 1 && frames[0].Holds(v.Board) {
		detail.Scale, detail.Draw = CloseUpScale, func() *chart.Picture {
			return chart.Render(v, chart.Options{Scale: CloseUpScale, Marks: ms, Colours: mailColours})
		}
		return []Planned{detail} // a small map is its own close-up
	}
	closer := planCloseUps(v, chart.Options{Marks: ms, Bare: true}, frames)
	over := Planned{Name: proof.FileMap, Title: "The whole map, where the close-ups lie, and what their signs mean", Draw: func() *chart.Picture {
		signs := chart.Signs{}
		for _, p := range closer {
			maps.Copy(signs, p.Draw().Signs())
		}
		return chart.Overview(v, ms, frames, signs)
	}}
	for len(told) > 0 && hexesIn(frames)+hexesIn(framesOf(told)) > hexesOfCloseUps {
		told = told[:len(told)-1]
	}
	return slices.Concat([]Planned{over}, closer, planGlimpses(v, told))
}

// A glimpse is the picture of one activation of a game of chits.
type glimpse struct {
	title string
	marks []chart.Mark
	frame chart.Frame
}

// mostGlimpses is how many activations a report shows.
const mostGlimpses = 3

// glimpses are the activations in which most was fought, the fiercest first.
func glimpses(v *view.View, ms []chart.Mark) []glimpse {
	var out []glimpse
	for _, m := range ms {
		if m.Part == "" {
			continue
		}
		i := slices.IndexFunc(out, func(g glimpse) bool { return g.title == m.Part })
		if i < 0 {
			i = len(out)
			out = append(out, glimpse{title: m.Part})
		}
		if m.Kind == chart.MarkFire {
			m.Label = "" // the title has it
		}
		out[i].marks = append(out[i].marks, m)
	}
	out = slices.DeleteFunc(out, func(g glimpse) bool { return g.fought() == 0 })
	slices.SortStableFunc(out, func(a, b glimpse) int { return b.fought() - a.fought() })
	out = out[:min(len(out), mostGlimpses)]
	for i := range out {
		out[i].frame = chart.Glimpse(v.Board, out[i].places())
	}
	return out
}

// fought is how much was fought: an assault tells as much as three shots.
func (g glimpse) fought() (n int) {
	for _, m := range g.marks {
		switch m.Kind {
		case chart.MarkCombat:
			n += 3
		case chart.MarkFire:
			n++
		}
	}
	return n
}

// places are the hexes where something was fought.
func (g glimpse) places() (out []hex.Hex) {
	for _, m := range g.marks {
		switch m.Kind {
		case chart.MarkCombat:
			out = append(out, m.To)
		case chart.MarkFire:
			out = append(out, m.To, m.From)
		}
	}
	return out
}

func framesOf(all []glimpse) (out []chart.Frame) {
	for _, g := range all {
		out = append(out, g.frame)
	}
	return out
}

// planGlimpses are pictures of activations, each with what happened in it alone.
func planGlimpses(v *view.View, all []glimpse) (out []Planned) {
	layers, err := chart.ParseLayers("-ranges")
	if err != nil {
		panic(err) // a layer that there is
	}
	for i, g := range all {
		o := chart.Options{Title: g.title, Scale: CloseUpScale, Colours: mailColours, Bare: true, Marks: g.marks, Frame: g.frame, Layers: layers}
		out = append(out, Planned{Name: fmt.Sprintf("activation-%d.png", i+1), Title: g.title + " (the counters stand where they do now)",
			Frame: g.frame, Scale: CloseUpScale, Draw: sync.OnceValue(func() *chart.Picture { return chart.Render(v, o) })})
	}
	return out
}

// mailColours is how many colours a picture in a mail has. More are not missed.
const mailColours = 28

// planCloseUps are close-ups of frames, with what else the options say.
func planCloseUps(v *view.View, o chart.Options, frames []chart.Frame) []Planned {
	o.Scale, o.Colours = CloseUpScale, mailColours
	var out []Planned
	for i, f := range frames {
		first, last := v.Board.Grid.Number(f.ColMin, f.RowMin), v.Board.Grid.Number(f.ColMax, f.RowMax)
		one := o // they are drawn side by side
		one.Frame = f
		out = append(out, Planned{Name: fmt.Sprintf("close-up-%d.png", i+1), Title: fmt.Sprintf("Close-up %d: hexes %v to %v", i+1, first, last),
			Frame: f, Scale: CloseUpScale, Draw: sync.OnceValue(func() *chart.Picture { return chart.Render(v, one) })})
	}
	return out
}

// wholeMap draws the whole map as large as there is room for, never with smaller hexes than
// can be read.
func wholeMap(v *view.View, ms []chart.Mark, room int) (scale float64, draw func() *chart.Picture) {
	scale = chart.DefaultScale
	for scale > leastScale && estimated(v.Board.Grid.Len(), scale) > room {
		scale -= 4
	}
	return scale, func() *chart.Picture {
		return chart.Render(v, chart.Options{Scale: scale, Marks: ms, Colours: mailColours})
	}
}

// leastScale is the least width of a hex of a detailed map in pixels.
const leastScale = 36

// estimated is the most that a picture of so many hexes takes as it travels, in bytes: the
// maps of the scenarios take up to perPixel bytes for a square of a hex's width.
func estimated(hexes int, scale float64) int {
	const perPixel, bare = 0.13, 10000
	return Travels(bare + int(perPixel*float64(hexes)*scale*scale))
}

// closeUps are the frames around what happened and where the side stands in contact, with
// so many hexes in all: first what happened. Where neither is, around what the side has.
func closeUps(v *view.View, ms []chart.Mark, hexes int) []chart.Frame {
	frames := chart.CloseUps(v.Board, markedHexes(ms), mostCloseUps)
	open := slices.DeleteFunc(inContact(v), func(h hex.Hex) bool {
		return slices.ContainsFunc(frames, func(f chart.Frame) bool { return f.Shows(v.Board, h) })
	})
	frames = append(frames, chart.CloseUps(v.Board, open, mostCloseUps-len(frames))...)
	if len(frames) == 0 {
		var own []hex.Hex
		for _, u := range v.Units {
			own = append(own, u.Hex)
		}
		frames = chart.CloseUps(v.Board, own, 1)
	}
	for len(frames) > 1 && hexesIn(frames) > hexes {
		frames = frames[:len(frames)-1]
	}
	return frames
}

func hexesIn(frames []chart.Frame) int {
	n := 0
	for _, f := range frames {
		n += (f.ColMax - f.ColMin + 1) * (f.RowMax - f.RowMin + 1)
	}
	return n
}

// inContact are the hexes of the side's units beside an enemy that it knows of.
func inContact(v *view.View) []hex.Hex {
	enemy := map[hex.Hex]bool{}
	for _, st := range v.Enemy {
		enemy[st.Hex] = true
	}
	var out []hex.Hex
	for _, u := range v.Units {
		if !v.Board.Grid.Contains(u.Hex) {
			continue
		}
		for d := range hex.Dir(6) {
			if enemy[v.Board.Grid.Step(u.Hex, d)] {
				out = append(out, u.Hex)
				break
			}
		}
	}
	return out
}

// fitting leaves away the last pictures where they took more room than was reckoned.
func fitting(all []shown, room int) []shown {
	for n, pic := range all {
		if room -= Travels(len(pic.Data)); room < 0 && n > 0 {
			return all[:n]
		}
	}
	return all
}

// Drawn is a map as a file.
func Drawn(in *share.Share, name, title string, v *view.View, o chart.Options) (shown, error) {
	return Planned{Name: name, Title: title, Draw: func() *chart.Picture { return chart.Render(v, o) }}.file(in)
}

// file is a picture as a file, drawn in a club's share unless it is still at hand.
func (p Planned) file(in *share.Share) (out shown, err error) {
	out.Name, out.Title = p.Name, p.Title
	in.Do(func() { out.Data, err = lately.file(p.Draw(), in) })
	return out, err
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
