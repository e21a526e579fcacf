package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
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
}

// Add is the sum of two counts.
func (p Pairs) Add(o Pairs) Pairs { return Pairs{p.Pairs + o.Pairs, p.Alike + o.Alike, p.PNG + o.PNG} }

// shown is everything that a player can get to see of a position.
type shown struct {
	view, text, html, svg, ack []byte
	picture                    *chart.Picture
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
	m.Each = func(_ []byte, out adjudicator.Outcome) {
		if r.IntN(every) > 0 {
			return
		}
		for _, side := range m.Game.Sides() {
			if fault != nil || n.Pairs >= limit {
				stop()
				return
			}
			fault = n.compare(m, game, side, out, r)
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

// compare makes the pairs of one position and one side.
func (n *Pairs) compare(m Match, game adjudicator.Disguiser, side adjudicator.Side, out adjudicator.Outcome, r *rand.Rand) error {
	v, err := m.Game.View(out.Position, side)
	if err != nil {
		return err
	}
	sheet := probe(v, r)
	was, err := m.show(out.Position, side, out.Events, sheet)
	if err != nil {
		return err
	}
	for range disguises {
		other, err := game.Disguise(out.Position, side, r.IntN)
		if err != nil {
			return err
		}
		is, err := m.show(other, side, out.Events, sheet)
		if err != nil {
			return err
		}
		if n.Pairs++; bytes.Equal(other, out.Position) {
			n.Alike++
		}
		if what := was.differs(is); what != "" {
			return fmt.Errorf("%s can tell two positions apart by %s", side, what)
		}
		if n.Pairs%everyPNG == 0 {
			n.PNG++
			var a, b bytes.Buffer
			if err := was.picture.PNG(&a); err != nil {
				return err
			}
			if err := is.picture.PNG(&b); err != nil {
				return err
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				return fmt.Errorf("%s can tell two positions apart by the PNG", side)
			}
		}
	}
	return nil
}

// show makes what a side is sent at a position, and the answer to a sheet.
func (m Match) show(position []byte, side adjudicator.Side, events []view.Event, sheet string) (s shown, err error) {
	v, err := m.Game.View(position, side)
	if err != nil {
		return s, err
	}
	v.Game = "K7QX2MPA"
	if s.view, err = json.Marshal(v); err != nil {
		return s, err
	}
	rep := report.Report{View: v, Wording: m.Game.Wording(), Number: 1, Turn: v.Turn}
	for _, e := range events {
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
	s.text, s.html, s.svg = []byte(text), []byte(page), svg.Bytes()
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
	return s, nil
}

// probe is a sheet that feels for the enemy: moves next to him and on to him, and
// attacks, most of them illegal.
func probe(v *view.View, r *rand.Rand) string {
	var moves, attacks string
	for range 6 {
		if len(v.Units) == 0 || len(v.Enemy) == 0 {
			break
		}
		u, e := v.Units[r.IntN(len(v.Units))], v.Enemy[r.IntN(len(v.Enemy))]
		around := v.Board.Grid.Neighbours(e.Hex)
		moves += fmt.Sprintf("%s %v-%v\n", u.Name, u.Hex, append(around, e.Hex)[r.IntN(len(around)+1)])
		attacks += fmt.Sprintf("%v WITH %s\n", e.Hex, u.Name)
	}
	return fmt.Sprintf("GAME: K7QX2MPA\nSIDE: %s\nTURN: %d\nSERIAL: 1\n\nMOVE\n%s\nATTACK\n%s\nDONE\n", v.Side, v.Turn, moves, attacks)
}

// differs names what is not the same.
func (s shown) differs(o shown) string {
	for _, p := range []struct {
		what string
		a, b []byte
	}{{"the view", s.view, o.view}, {"the text", s.text, o.text}, {"the HTML part", s.html, o.html}, {"the map", s.svg, o.svg}, {"the answer to a sheet", s.ack, o.ack}} {
		if !bytes.Equal(p.a, p.b) {
			at := 0
			for at < min(len(p.a), len(p.b)) && p.a[at] == p.b[at] {
				at++
			}
			return fmt.Sprintf("%s: ...%s\nand ...%s", p.what, cutAt(p.a, at), cutAt(p.b, at))
		}
	}
	return ""
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
	fmt.Fprintf(s.Out, "%d pairs of positions that differ only in what a side may not see (%d of them by chance not even in that), %d compared as PNG too: 0 differing bytes (%v)\n",
		all.Pairs, all.Alike, all.PNG, time.Since(began).Round(time.Second))
	return nil
}
