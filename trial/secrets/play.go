package secrets

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/playtest"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/trial/engine"
	"fieldpost/trial/systems"
	"fieldpost/umpire"
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
	u       *umpire.Umpire
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
	law     func(systems.Moment) // which names of the enemy's a side may know
	grid    hex.Grid
	tamper  func(side string, raw []byte) []byte // a test changes mails before they are searched
}

type seat struct {
	side   string
	key    seal.PrivateKey
	writer playtest.Player
	serial int
	turn   int // the last one that he gave orders for
}

// Play plays a game in a folder of its own and searches its mails.
func (g Game) Play(ctx context.Context, folder string) (Result, error) {
	r, err := g.open(folder)
	if err != nil {
		return Result{}, err
	}
	defer r.u.DB.Close()
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
	shelf, err := umpire.NewShelf(filepath.Join(folder, "scenario"))
	if err != nil {
		return nil, err
	}
	db, err := store.Open(filepath.Join(folder, "fieldpost.db"), store.Options{})
	if err != nil {
		return nil, err
	}
	var seed [32]byte
	copy(seed[:], fmt.Sprintf("secrets %d", g.Number))
	keys := rand.NewChaCha8(seed)
	r := &room{Game: g, marks: marks, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(uint64(g.Number), 16))}
	daemon, err := seal.GenerateKey(keys)
	if err != nil {
		return nil, err
	}
	r.u = &umpire.Umpire{DB: db, Address: "umpire@mail.test", Name: "Fieldpost", Instance: "secrets", Key: daemon, Shelf: shelf,
		Now: func() time.Time { return r.clock }, Log: slog.New(slog.DiscardHandler)}
	made, err := r.u.NewGame(g.Scenario, g.Options, keys)
	if err != nil {
		return nil, err
	}
	r.id = made.ID
	if r.planted, _, err = shelf.Game(g.Scenario); err != nil {
		return nil, err
	}
	if r.planted, err = adjudicator.Under(r.planted, made.Options); err != nil {
		return nil, err
	}
	system, err := systems.Get(made.System)
	if err != nil {
		return nil, err
	}
	if r.law = system.Law; g.Options["fog"] == "open" {
		r.law = systems.Everything
	}
	for i, side := range made.Sides {
		s := &seat{side: side, writer: engine.NewRandom(r.planted, g.Number, adjudicator.Side(side), map[string][2]int{})}
		if g.Number%(2*len(made.Sides)) == i {
			s.writer = staff.Officer{Game: r.planted}
		}
		if s.key, err = seal.GenerateKey(keys); err != nil {
			return nil, err
		}
		if err := r.u.AddPlayer(r.id, side, "Player of "+side, address(side), s.key.Public().String()); err != nil {
			return nil, err
		}
		r.seats = append(r.seats, s)
	}
	return r, nil
}

func address(side string) string { return strings.ToLower(side) + "@mail.test" }

// round hands out the post and in what the players write to it.
func (r *room) round(ctx context.Context) (moved bool, err error) {
	mails, err := r.u.DB.Mails(r.id)
	if err != nil {
		return false, err
	}
	slices.SortFunc(mails, func(a, b store.Mail) int { return int(a.Number) - int(b.Number) })
	for _, m := range mails {
		if m.Number <= r.last {
			continue
		}
		r.last = m.Number
		raw, err := r.u.DB.MailBytes(m.SHA256)
		if err != nil {
			return false, err
		}
		msg, err := mailbox.Read(raw)
		if err != nil {
			return false, err
		}
		v, err := viewIn(msg)
		if err != nil || v == nil {
			if err != nil {
				return false, err
			}
			continue
		}
		r.turn, moved = max(r.turn, v.Turn), true
		if v.Verdict != "" {
			r.verdict = v.Verdict
		}
		s := r.seats[slices.IndexFunc(r.seats, func(s *seat) bool { return s.side == m.Side })]
		if len(v.Due) == 0 || v.Turn <= s.turn || v.Verdict != "" {
			continue
		}
		if err := r.answer(ctx, s, v); err != nil {
			return false, err
		}
	}
	return moved, nil
}

func viewIn(m *mailbox.Message) (*view.View, error) {
	for _, a := range m.Attachments {
		if a.Name == "view.json" {
			v := &view.View{}
			if err := json.Unmarshal(a.Data, v); err != nil {
				return nil, fmt.Errorf("view.json: %w", err)
			}
			return v, v.Board.Prepare()
		}
	}
	return nil, nil
}

// answer is what a player does with a report: now and then he asks for something
// or feels for the enemy with orders that are refused, and then he gives orders.
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
		if err := r.send(ctx, s, r.signed(s, feeler(v, s.serial, r.random))); err != nil {
			return err
		}
	}
	s.serial++
	text, err := s.writer.Sheet(v, s.serial)
	if err != nil {
		return err
	}
	s.turn = v.Turn
	return r.send(ctx, s, r.signed(s, text))
}

// feeler is a sheet, not finished, of moves on to and next to the enemy and of
// attacks on him, most of them illegal.
func feeler(v *view.View, serial int, r *rand.Rand) string {
	var moves, attacks strings.Builder
	for range 8 {
		if len(v.Units) == 0 || len(v.Enemy) == 0 {
			break
		}
		u, e := v.Units[r.IntN(len(v.Units))], v.Enemy[r.IntN(len(v.Enemy))]
		around := append(v.Board.Grid.Neighbours(e.Hex), e.Hex)
		fmt.Fprintf(&moves, "%s %v-%v\n", u.Name, u.Hex, around[r.IntN(len(around))])
		fmt.Fprintf(&attacks, "%v WITH %s\n", e.Hex, u.Name)
	}
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n\nMOVE\n%sATTACK\n%s", v.Game, v.Side, v.Turn, serial, moves.String(), attacks.String())
}

func (r *room) signed(s *seat, sheet string) string {
	canonical := orders.Canonical(sheet)
	armored, err := seal.Sign(s.key, seal.Namespace, []byte(canonical))
	if err != nil {
		panic(err) // the key was made here
	}
	return seal.Block(canonical, armored)
}

// send hands the umpire a mail as the poller would.
func (r *room) send(ctx context.Context, s *seat, body string) error {
	r.mails++
	r.clock = r.clock.Add(time.Hour)
	raw := fmt.Appendf(nil, "From: %s\nTo: umpire@mail.test\nSubject: [%s] orders\nMessage-ID: <%d.%s@mail.test>\nDate: %s\nContent-Type: text/plain; charset=utf-8\n\n%s",
		address(s.side), r.id, r.mails, strings.ToLower(s.side), r.clock.Format(time.RFC1123Z), body)
	raw = []byte(strings.ReplaceAll(string(raw), "\n", "\r\n"))
	return r.u.Receive(ctx, mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uint32(r.mails)}, InternalDate: r.clock, Bytes: raw, Size: int64(len(raw))})
}
