// Package fog makes pairs of positions that differ only in what a side may not see, and
// demands that everything the side is sent stays the same, byte by byte.
package fog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/guidance"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/trial"
	"fieldpost/trial/engine"
	"fieldpost/trial/systems"
)

// Pairs counts what a comparison of positions came to.
type Pairs struct {
	Pairs, Alike int // compared; with the same position after all
	PNG          int // of them compared as pictures too
	Sheets       int // of them compared in the sheet to fill in too
	Asked        int // of them in the midst of a phase that asks the side something
	Next         int // of them with the next phase played on from both

	Turns   int // pairs of whole turns that were played from such positions
	Twins   int // pairs of hidden units with orders that had changed places in them
	Met     int // of them the side learned of a hidden unit in the end
	Fired   int // shots and barrages that the side saw in those that were compared
	Refused int // orders that were not carried out in them
}

// Add is the sum of two counts.
func (p Pairs) Add(o Pairs) Pairs {
	return Pairs{p.Pairs + o.Pairs, p.Alike + o.Alike, p.PNG + o.PNG, p.Sheets + o.Sheets, p.Asked + o.Asked, p.Next + o.Next,
		p.Turns + o.Turns, p.Twins + o.Twins, p.Met + o.Met, p.Fired + o.Fired, p.Refused + o.Refused}
}

// shown is everything that a player gets to see of a position.
type shown struct {
	view, text, html, svg, ack, next []byte
	picture                          *chart.Picture
	sheet                            func() string // to fill in
}

// disguises is how many positions a side must not be able to tell apart are made
// of each, everyPNG which of the pairs are compared as pictures, and everySheet which of them
// in the sheet to fill in: both are made of a view that was compared whole.
const (
	disguises  = 10
	everyPNG   = 50
	everySheet = 10
)

// disguiser is a game that can make, of a position, another one that a side must not be
// able to tell from it. n(k) is a number from 0 to k-1.
type disguiser interface {
	Disguise(position []byte, side adjudicator.Side, n func(k int) int) ([]byte, error)
}

// comparison is a match that is compared, with what the trials know of its system.
type comparison struct {
	playtest.Match
	system systems.System
	r      *rand.Rand
}

// compared is a match as it is compared.
func compared(m playtest.Match, r *rand.Rand) (comparison, error) {
	opening, err := m.Game.Opening()
	if err != nil {
		return comparison{}, err
	}
	v, err := m.Game.View(opening, m.Game.Sides()[0])
	if err != nil {
		return comparison{}, err
	}
	system, err := systems.Get(v.System)
	return comparison{m, system, r}, err
}

// errEnough ends a match after as many pairs as were wanted.
var errEnough = errors.New("enough pairs")

// Compare plays a game and after one phase in so many changes, for each side, what
// that side may not see: everything it is sent must stay the same, byte by byte.
// Limit is the number of pairs after which it stops.
func Compare(ctx context.Context, of playtest.Match, r *rand.Rand, every, limit int) (n Pairs, err error) {
	m, err := compared(of, r)
	if err != nil {
		return n, err
	}
	game, ok := systems.Inside(m.Game).(disguiser)
	if !ok {
		return n, fmt.Errorf("%s cannot disguise its positions", m.Game.Title())
	}
	sides := m.Game.Sides()
	m.Each = func(before []byte, out adjudicator.Outcome) error {
		if n.Pairs < limit {
			if err := n.wholeTurn(m, sides[r.IntN(len(sides))], out.Position); err != nil {
				return err
			}
		}
		if r.IntN(every) > 0 {
			return nil
		}
		for _, side := range sides {
			scenes := []adjudicator.Outcome{out}
			if asks, ok := m.question(before, out, side); ok {
				scenes = append(scenes, asks)
			}
			for _, scene := range scenes {
				if n.Pairs >= limit {
					return errEnough
				}
				if err := n.compare(m, game, side, scene); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if _, err = m.Play(ctx); errors.Is(err, errEnough) {
		err = nil
	}
	return n, err
}

// question is the midst of a phase, where a side is asked one of the reactions that
// it had in it; not ok if it had none.
func (m comparison) question(before []byte, out adjudicator.Outcome, side adjudicator.Side) (adjudicator.Outcome, bool) {
	var at []int
	for i, e := range out.Journal {
		if e.Kind == adjudicator.EntryAnswer && e.Side == side {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return out, false
	}
	asks, err := m.Game.Play(before, out.Journal[:at[m.r.IntN(len(at))]], nil, playtest.NoAnswer{})
	if err != nil || len(asks.Pending) == 0 || asks.Pending[0].Turn || asks.Pending[0].Filed {
		return out, false
	}
	return asks, true
}

// sheetless answers what needs no sheet, and for no turn decision has one.
type sheetless struct{}

// Answer implements adjudicator.Answerer.
func (sheetless) Answer(d adjudicator.Decision) (string, string, bool) {
	if d.Filed {
		return d.Proposal, d.Source, true
	}
	return adjudicator.Standing{}.Answer(d)
}

// compare makes the pairs of one position and one side.
func (n *Pairs) compare(m comparison, game disguiser, side adjudicator.Side, out adjudicator.Outcome) error {
	v, err := m.Game.View(out.Position, side)
	if err != nil {
		return err
	}
	sheet := m.probe(v)
	was, err := m.show(out.Position, side, out, sheet)
	if err != nil {
		return err
	}
	for range disguises {
		other, err := game.Disguise(out.Position, side, m.r.IntN)
		if err != nil {
			return err
		}
		is, err := m.show(other, side, out, sheet)
		if err != nil {
			return err
		}
		if n.Pairs++; bytes.Equal(other, out.Position) {
			n.Alike++
		}
		n.Asked += len(out.Pending[:min(1, len(out.Pending))])
		n.Next += len(was.next[:min(1, len(was.next))])
		if what := was.differs(is); what != "" {
			return fmt.Errorf("%s can tell two positions apart by %s", side, what)
		}
		if n.Pairs%everyPNG == 0 {
			n.PNG++
			if err := samePNG(was.picture, is.picture); err != nil {
				return fmt.Errorf("%s %w", side, err)
			}
		}
		if n.Pairs%everySheet == 0 {
			n.Sheets++
			if a, b := was.sheet(), is.sheet(); a != b {
				return fmt.Errorf("%s can tell two positions apart by the sheet to fill in: %s", side, difference([]byte(a), []byte(b)))
			}
		}
	}
	return nil
}

func samePNG(was, is *chart.Picture) error {
	var a, b bytes.Buffer
	if err := was.PNG(&a); err != nil {
		return err
	}
	if err := is.PNG(&b); err != nil {
		return err
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		return errors.New("can tell two positions apart by the PNG")
	}
	return nil
}

// show makes what a side is sent at a position, the answer to a sheet, and what the
// next phase tells it if nobody has filed anything.
func (m comparison) show(position []byte, side adjudicator.Side, out adjudicator.Outcome, sheet string) (s shown, err error) {
	v, err := m.Game.View(position, side)
	if err != nil {
		return s, err
	}
	v.Game = gameID
	for _, d := range out.Pending {
		if d.Side == side {
			q := view.Question{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source, Why: d.Pause}
			for _, o := range d.Options {
				q.Options = append(q.Options, view.Option(o))
			}
			v.Asked, v.Due = append(v.Asked, q), nil
		}
	}
	v.Story = view.StoryOf(string(side), "", out.Events)
	if s.view, err = json.Marshal(v); err != nil {
		return s, err
	}
	rep := report.Report{View: v, Wording: m.Game.Wording(), Number: 1, Turn: v.Turn}
	text, err := rep.Text()
	if err != nil {
		return s, err
	}
	page, err := rep.HTML()
	if err != nil {
		return s, err
	}
	var svg bytes.Buffer
	s.picture = chart.Render(v, chart.Options{Scale: chart.FitScale(v.Board, 1600), Marks: rep.Marks()})
	if err := s.picture.SVG(&svg); err != nil {
		return s, err
	}
	s.text, s.html, s.svg = []byte(rep.Subject()+"\n"+text), []byte(page), svg.Bytes()
	s.sheet = func() string { return m.sheetToFillIn(v) }
	parsed, faults := orders.Parse(sheet, m.Vocabulary)
	filing := m.Game.Check(v, parsed)
	ack := report.Ack{Game: v.Game, Side: string(side), Turn: v.Turn, Serial: 1}
	for _, l := range filing.Lines {
		line := report.Line{Number: l.Pos.Line, Order: l.Text, Understood: l.Understood, Warning: l.Warning, Refused: l.Refused != nil}
		if l.Refused != nil {
			line.Clause, line.Reason, line.Instead = string(l.Refused.Clause), l.Refused.Why, l.Refused.Instead
		}
		ack.Lines = append(ack.Lines, line)
	}
	s.ack = append([]byte(ack.Text()+ack.HTML()), fmt.Sprint(faults)...)
	if len(out.Pending) == 0 && v.Verdict == "" {
		s.next, err = m.next(position, side)
	}
	return s, err
}

// sheetToFillIn is the sheet that a side is sent with a view.
func (m comparison) sheetToFillIn(v *view.View) string {
	if len(v.Asked) > 0 {
		return report.AnswerSheet(v, v.Turn, 1)
	}
	sections := m.system.Rules.Template()
	plain := report.Filled(v, v.Turn, 1, sections)
	filled, err := guidance.Fill(plain, m.Game, v, sections)
	if err != nil {
		return plain // as the mail has it
	}
	return filled
}

// next is what the phase that follows tells a side, and whether the game stops in it
// and for whom, if nobody has filed a sheet: so the moment of sending shows nothing.
// Phases that play what the enemy has sealed are left out.
func (m comparison) next(position []byte, side adjudicator.Side) ([]byte, error) {
	at, err := m.Game.At(position)
	if err != nil || m.system.Sealed != nil && m.system.Sealed(at) {
		return nil, err
	}
	out, err := m.Game.Play(position, nil, playtest.Dice{Game: m.Number, Phase: at.Label}, sheetless{})
	if err != nil {
		return nil, err
	}
	b := fmt.Appendf(nil, "%s %s\n", at.Label, at.Name)
	for _, d := range out.Pending {
		b = fmt.Appendf(b, "waits for %s: %s\n", d.Side, d.Label)
	}
	for _, e := range out.Events {
		if e.For(string(side)) {
			text, err := json.Marshal(e)
			if err != nil {
				return nil, err
			}
			b = append(append(b, text...), '\n')
		}
	}
	return b, nil
}

// gameID stands in what a side is sent, as in a game by mail.
const gameID = "K7QX2MPA"

// probe is a sheet that feels for the enemy in the words of its system.
func (m comparison) probe(v *view.View) string {
	v.Game = gameID
	return m.system.Probe(v, 1, m.r) + "DONE\n"
}

// differs names what is not the same.
func (s shown) differs(o shown) string {
	for _, p := range []struct {
		what string
		a, b []byte
	}{{"the view", s.view, o.view}, {"the text", s.text, o.text}, {"the HTML part", s.html, o.html}, {"the map", s.svg, o.svg},
		{"the answer to a sheet", s.ack, o.ack}, {"what the next phase tells", s.next, o.next}} {
		if !bytes.Equal(p.a, p.b) {
			return p.what + ": " + difference(p.a, p.b)
		}
	}
	return ""
}

// difference shows the first place where two texts are not the same.
func difference(a, b []byte) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return fmt.Sprintf("...%s\nand ...%s", cutAt(a, at), cutAt(b, at))
}

func cutAt(b []byte, at int) []byte { return b[max(0, at-60):min(len(b), at+60)] }

// Run compares Count pairs of positions from random play over the scenarios in turn.
func Run(ctx context.Context, t *trial.Trial) error {
	began := time.Now()
	var lock sync.Mutex
	var all Pairs
	share := max(1, t.Count/max(1, t.Games))
	err := playtest.Parallel(ctx, t.Games, func(ctx context.Context, i int) error {
		number := t.Seed + i
		m, err := t.Match(t.Scenario(number), number)
		if err != nil {
			return err
		}
		for _, side := range m.Game.Sides() {
			m.Players[side] = engine.NewRandom(m.Game, number, side, map[string][2]int{})
		}
		n, err := Compare(ctx, m, rand.New(rand.NewPCG(uint64(number), 16)), 12, share)
		if err != nil {
			return fmt.Errorf("%s, --seed %d: %w", t.Scenario(number), number, err)
		}
		lock.Lock()
		defer lock.Unlock()
		all = all.Add(n)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "%d pairs of positions that differ only in what a side may not see (%d of them by chance not even in that), %d compared as PNG and %d as sheets to fill in too, %d at a question, %d with the phase that follows: 0 differing bytes (%v)\n",
		all.Pairs, all.Alike, all.PNG, all.Sheets, all.Asked, all.Next, time.Since(began).Round(time.Second))
	if all.Turns > 0 {
		fmt.Fprintf(t.Out, "%d pairs of whole turns with %d pairs of hidden units on the march exchanged, %d until the side met what was hidden: %d shots and %d orders not carried out told the same\n", all.Turns, all.Twins, all.Met, all.Fired, all.Refused)
	}
	return nil
}
