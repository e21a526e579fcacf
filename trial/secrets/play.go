package secrets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/demo/world"
	"fieldpost/playtest"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/trial/engine"
	"fieldpost/trial/systems"
	"fieldpost/umpire/match"
)

// Game says what to play.
type Game struct {
	Scenario string
	Number   int               // seed of the names, the dice and the orders
	Turns    int               // stop after so many turns; 0 plays to the verdict
	Options  map[string]string // of the game
}

// Result is what a game came to.
type Result struct {
	Mails, Parts int // to players before the end; their parts, decoded
	After        int // mails of the end and after it, which may tell all
	Marks        int
	Lawful       int // names that the reader had a right to: mails times names
	Turn         int
	Verdict      string
	Leaks        []string
}

// room is a running game: an umpire without a network, and its players.
type room struct {
	Game
	*world.World
	id      string
	planted adjudicator.Game // the scenario under its planted names
	marks   map[string]Mark
	clock   time.Time
	random  *rand.Rand
	seats   []*seat
	last    uint64 // number of the last mail that was delivered
	mails   int    // that players have sent
	turn    int
	verdict string
	system  systems.System
	grid    hex.Grid
	tamper  func(side string, raw []byte) []byte // a test changes mails before they are searched
}

type seat struct {
	world.Player
	writer playtest.Player
	serial int
	turn   int // the last one that they gave orders for
}

// Play plays a game in a folder of its own and searches its mails.
func (g Game) Play(ctx context.Context, folder string) (Result, error) {
	r, err := g.open(folder)
	if err != nil {
		return Result{}, err
	}
	defer r.Close()
	if err := r.play(ctx); err != nil {
		return Result{}, err
	}
	return r.search()
}

// play plays until the game is over, or as many turns as it should.
func (r *room) play(ctx context.Context) error {
	for quiet := 0; r.verdict == "" && (r.Turns == 0 || r.turn <= r.Turns); {
		if err := ctx.Err(); err != nil {
			return err
		}
		moved, err := r.round(ctx)
		if err != nil {
			return fmt.Errorf("turn %d: %w", r.turn, err)
		}
		if quiet++; moved {
			quiet = 0
		}
		if quiet > 2 {
			return fmt.Errorf("turn %d: nobody is asked for orders and the game is not over", r.turn)
		}
	}
	return nil
}

// open makes the game under planted names and seats its players: one of them is a
// staff officer in every second game, the others give random orders.
func (g Game) open(folder string) (*room, error) {
	marks, err := Plant(g.Scenario, filepath.Join(folder, "scenario"), uint64(g.Number))
	if err != nil {
		return nil, err
	}
	library, err := match.NewLibrary(filepath.Join(folder, "scenario"))
	if err != nil {
		return nil, err
	}
	var seed [32]byte
	copy(seed[:], fmt.Sprintf("secrets %d", g.Number))
	r := &room{Game: g, marks: marks, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(uint64(g.Number), 16))}
	r.World, err = world.Open(folder, world.Options{Address: desk, Instance: "secrets", Random: rand.NewChaCha8(seed), Library: library, Now: func() time.Time { return r.clock }})
	if err != nil {
		return nil, err
	}
	made, players, err := r.Begin(g.Scenario, g.Options, func(side string) (string, string) {
		return "Player of " + side, strings.ToLower(side) + "@mail.test"
	})
	if err != nil {
		return nil, err
	}
	r.id = made.ID
	if r.planted, _, err = library.Game(g.Scenario); err != nil {
		return nil, err
	}
	if r.planted, err = adjudicator.Under(r.planted, made.Options); err != nil {
		return nil, err
	}
	if r.system, err = systems.Get(made.System); err != nil {
		return nil, err
	}
	if g.Options["fog"] == "open" {
		r.system.Law = systems.Everything
	}
	for i, p := range players {
		s := &seat{Player: p, writer: engine.NewRandom(r.planted, g.Number, adjudicator.Side(p.Side), map[string][2]int{})}
		if g.Number%(2*len(players)) == i {
			s.writer = staff.Officer{Game: r.planted}
		}
		r.seats = append(r.seats, s)
	}
	return r, nil
}

const desk = "umpire@mail.test"

// round hands out the post and in what the players write to it.
func (r *room) round(ctx context.Context) (moved bool, err error) {
	mails, err := r.Umpire.DB.Mails(r.id)
	if err != nil {
		return false, err
	}
	slices.SortFunc(mails, func(a, b store.Mail) int { return int(a.Number) - int(b.Number) })
	for _, m := range mails {
		if m.Number <= r.last {
			continue
		}
		r.last = m.Number
		raw, err := r.Umpire.DB.MailBytes(m.SHA256)
		if err != nil {
			return false, err
		}
		v, err := world.ReadView(raw)
		if err != nil {
			return false, err
		}
		if v == nil {
			continue
		}
		r.turn, moved = max(r.turn, v.Turn), true
		if v.Verdict != "" {
			r.verdict = v.Verdict
		}
		s := r.seats[slices.IndexFunc(r.seats, func(s *seat) bool { return s.Side == m.Side })]
		if len(v.Due) == 0 || v.Turn <= s.turn || v.Verdict != "" {
			continue
		}
		if err := r.answer(ctx, s, v); err != nil {
			return false, err
		}
	}
	return moved, nil
}

// answer is what a player does with a report: now and then they ask for something
// or feel for the enemy with orders that are refused, and then they give orders.
func (r *room) answer(ctx context.Context, s *seat, v *view.View) error {
	if r.random.IntN(3) == 0 {
		for _, ask := range []string{"STATUS", "ORDERS?", "MAP", "TEMPLATE", "REPORT 1", "HELP"} {
			if r.random.IntN(3) == 0 {
				if err := r.send(ctx, s, ask+"\n"); err != nil {
					return err
				}
			}
		}
	}
	if r.random.IntN(2) == 0 {
		s.serial++
		if err := r.send(ctx, s, s.Sign(r.system.Probe(v, s.serial, r.random))); err != nil {
			return err
		}
	}
	s.serial++
	text, err := s.writer.Sheet(v, s.serial)
	if err != nil {
		return err
	}
	s.turn = v.Turn
	return r.send(ctx, s, s.Sign(text))
}

// send hands the umpire a mail.
func (r *room) send(ctx context.Context, s *seat, text string) error {
	r.mails++
	r.clock = r.clock.Add(time.Hour)
	m := world.Mail{From: s.Address, To: desk, Subject: fmt.Sprintf("[%s] orders", r.id), ID: fmt.Sprintf("%d.%s", r.mails, strings.ToLower(s.Side)), Date: r.clock}
	return r.Receive(ctx, m.Plain(text))
}
