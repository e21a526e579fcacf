package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/report/chart"
)

// Pairs counts what a comparison of positions came to.
type Pairs struct {
	Pairs, Alike int // compared; with the same position after all
	PNG          int // of them compared as pictures too
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
	return Pairs{p.Pairs + o.Pairs, p.Alike + o.Alike, p.PNG + o.PNG, p.Asked + o.Asked, p.Next + o.Next,
		p.Turns + o.Turns, p.Twins + o.Twins, p.Met + o.Met, p.Fired + o.Fired, p.Refused + o.Refused}
}

// shown is everything that a player gets to see of a position.
type shown struct {
	view, text, html, svg, sheet, ack, next []byte
	picture                                 *chart.Picture
}

// disguises is how many positions a side must not be able to tell apart are made
// of each, and everyPNG which of the pairs are compared as pictures.
const (
	disguises = 10
	everyPNG  = 50
)

// Fog plays a game and after one phase in so many changes, for each side, what
// that side may not see: everything it is sent must stay the same, byte by byte.
// Limit is the number of pairs after which it stops.
func Fog(ctx context.Context, m Match, r *rand.Rand, every, limit int) (Pairs, error) {
	var n Pairs
	game, ok := m.Game.(adjudicator.Disguiser)
	if !ok {
		return n, fmt.Errorf("%s cannot disguise its positions", m.Game.Title())
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var fault error
	m.Each = func(before []byte, out adjudicator.Outcome) {
		if sides := m.Game.Sides(); fault == nil && n.Pairs < limit {
			fault = n.wholeTurn(m, sides[r.IntN(len(sides))], out.Position, r)
		}
		if r.IntN(every) > 0 {
			return
		}
		for _, side := range m.Game.Sides() {
			scenes := []adjudicator.Outcome{out}
			if asks, ok := m.question(before, out, side, r); ok {
				scenes = append(scenes, asks)
			}
			for _, scene := range scenes {
				if fault != nil || n.Pairs >= limit {
					stop()
					return
				}
				fault = n.compare(m, game, side, scene, r)
			}
		}
	}
	_, err := m.Play(ctx)
	if fault != nil {
		return n, fault
	}
	if n.Pairs >= limit {
		err = nil
	}
	return n, err
}

// question is the midst of a phase, where a side is asked one of the reactions that
// it had in it; not ok if it had none.
func (m Match) question(before []byte, out adjudicator.Outcome, side adjudicator.Side, r *rand.Rand) (adjudicator.Outcome, bool) {
	var at []int
	for i, e := range out.Journal {
		if e.Kind == adjudicator.EntryAnswer && e.Side == side {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return out, false
	}
	asks, err := m.Game.Play(before, out.Journal[:at[r.IntN(len(at))]], nil, silent{})
	if err != nil || len(asks.Pending) == 0 || asks.Pending[0].Turn || asks.Pending[0].Filed {
		return out, false
	}
	return asks, true
}

// silent has no answer to anything.
type silent struct{}

// Answer implements adjudicator.Answerer.
func (silent) Answer(adjudicator.Decision) (string, string, bool) { return "", "", false }

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
func (n *Pairs) compare(m Match, game adjudicator.Disguiser, side adjudicator.Side, out adjudicator.Outcome, r *rand.Rand) error {
	v, err := m.Game.View(out.Position, side)
	if err != nil {
		return err
	}
	sheet := probe(v, r)
	was, err := m.show(out.Position, side, out, sheet)
	if err != nil {
		return err
	}
	for range disguises {
		other, err := game.Disguise(out.Position, side, r.IntN)
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
func (m Match) show(position []byte, side adjudicator.Side, out adjudicator.Outcome, sheet string) (s shown, err error) {
	v, err := m.Game.View(position, side)
	if err != nil {
		return s, err
	}
	v.Game = "K7QX2MPA"
	for _, d := range out.Pending {
		if d.Side == side {
			q := view.Question{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source, Why: d.Pause}
			for _, o := range d.Options {
				q.Options = append(q.Options, view.Option(o))
			}
			v.Asked, v.Due = append(v.Asked, q), nil
		}
	}
	if s.view, err = json.Marshal(v); err != nil {
		return s, err
	}
	rep := report.Report{View: v, Wording: m.Game.Wording(), Number: 1, Turn: v.Turn}
	for _, e := range out.Events {
		if e.For(string(side)) {
			rep.Events = append(rep.Events, e)
		}
	}
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
	s.sheet = []byte(report.Filled(v, v.Turn, 1, scribes[v.System].Template))
	if len(v.Asked) > 0 {
		s.sheet = []byte(report.AnswerSheet(v, v.Turn, 1))
	}
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
		s.next, err = m.next(position, side, scribes[v.System].Sealed)
	}
	return s, err
}

// next is what the phase that follows tells a side, and whether the game stops in it
// and for whom, if nobody has filed a sheet: so the moment of sending shows nothing.
// Phases that play what the enemy has sealed are left out.
func (m Match) next(position []byte, side adjudicator.Side, sealed func(adjudicator.Phase) bool) ([]byte, error) {
	at, err := m.Game.At(position)
	if err != nil || sealed != nil && sealed(at) {
		return nil, err
	}
	out, err := m.Game.Play(position, nil, dice{m.Number, at.Label}, sheetless{})
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

// probe is a sheet that feels for the enemy in the words of its system: moves next
// to him and on to him, and attacks, most of them illegal.
func probe(v *view.View, r *rand.Rand) string {
	head := fmt.Sprintf("GAME: K7QX2MPA\nSIDE: %s\nTURN: %d\nSERIAL: 1\n", v.Side, v.Turn)
	var moves, attacks, chits string
	for range 6 {
		if len(v.Units) == 0 {
			break
		}
		u, at := v.Units[r.IntN(len(v.Units))], v.Board.Grid.At(r.IntN(v.Board.Grid.Len()))
		if len(v.Enemy) > 0 && r.IntN(4) > 0 {
			at = v.Enemy[r.IntN(len(v.Enemy))].Hex
		}
		around := v.Board.Grid.Neighbours(at)
		to := append(around, at)[r.IntN(len(around)+1)]
		moves += fmt.Sprintf("%s %v-%v\n", u.Name, u.Hex, to)
		attacks += fmt.Sprintf("%v WITH %s\n", at, u.Name)
		chit := u.Parent
		if own := chitsOf(v); v.System == "steppe" && len(own) > 0 {
			chit = own[r.IntN(len(own))]
		}
		chits += fmt.Sprintf("CHIT %s\nMOVE %s TO %v\nATTACK %v WITH %s\nFIRE %s AT %v\n", strings.ToUpper(chit), u.Name, to, at, u.Name, u.Name, at)
	}
	if v.System == "wb95" {
		return head + "\nMOVE\n" + moves + "\nATTACK\n" + attacks + "\nDONE\n"
	}
	return head + chits + "DONE\n"
}

// differs names what is not the same.
func (s shown) differs(o shown) string {
	for _, p := range []struct {
		what string
		a, b []byte
	}{{"the view", s.view, o.view}, {"the text", s.text, o.text}, {"the HTML part", s.html, o.html}, {"the map", s.svg, o.svg}, {"the empty sheet", s.sheet, o.sheet},
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

// Fog compares Count pairs of positions from random play over the scenarios in turn.
func (s *Soaker) Fog(ctx context.Context) error {
	began := time.Now()
	var lock sync.Mutex
	var all Pairs
	share := max(1, s.Count/max(1, s.Games))
	var wg sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	var fault error
	for i := range s.Games {
		turn <- struct{}{}
		wg.Go(func() {
			defer func() { <-turn }()
			number := s.Seed + i
			id := s.IDs[number%len(s.IDs)]
			m := s.match(id, number)
			for _, side := range m.Game.Sides() {
				m.Players[side] = NewRandom(m.Game, number, side, map[string][2]int{})
			}
			n, err := Fog(ctx, m, rand.New(rand.NewPCG(uint64(number), 16)), 12, share)
			lock.Lock()
			defer lock.Unlock()
			if all = all.Add(n); err != nil && fault == nil {
				fault = fmt.Errorf("%s, --seed %d: %w", id, number, err)
			}
		})
	}
	wg.Wait()
	if fault != nil {
		return fault
	}
	fmt.Fprintf(s.Out, "%d pairs of positions that differ only in what a side may not see (%d of them by chance not even in that), %d compared as PNG too, %d at a question, %d with the phase that follows: 0 differing bytes (%v)\n",
		all.Pairs, all.Alike, all.PNG, all.Asked, all.Next, time.Since(began).Round(time.Second))
	if all.Turns > 0 {
		fmt.Fprintf(s.Out, "%d pairs of whole turns with %d pairs of hidden units on the march exchanged, %d until the side met what was hidden: %d shots and %d orders not carried out told the same\n", all.Turns, all.Twins, all.Met, all.Fired, all.Refused)
	}
	return nil
}
