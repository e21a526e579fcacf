// Package scale measures what a turn costs a daemon and its database, and reckons with that how many games
// how many daemons keep, hour by hour through a day, and what is too little first.
package scale

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"fieldpost/demo/world"
	"fieldpost/orders/seal"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/store/postgres"
	"fieldpost/store/postgres/server"
	"fieldpost/trial/processor"
	"fieldpost/umpire/match"
)

// Costs are what one closing sheet costs: it is judged, the turn is played, the reports of both sides are
// drawn and kept.
type Costs struct {
	Sheets   int           // that were measured
	Daemon   time.Duration // processor time of the daemon, all in all
	Store    time.Duration // and that of it which it spends in its store
	Database time.Duration // processor time of the database
	Log      int64         // bytes that the database writes ahead
	Rows     int64         // that it writes
	Mails    float64       // that are sent
}

// Beside is the share of a turn that is neither judging nor drawing.
func (c Costs) Beside() float64 {
	return float64(c.Store+c.Database) / float64(c.Daemon+c.Database)
}

// String says it in lines.
func (c Costs) String() string {
	return fmt.Sprintf("a closing sheet, of %d: %v of the daemon's processor time, %v of them in its store, and %v of the database's\n"+
		"neither judging nor drawing: %.1f %% (bar 15 %%); %d rows and %d kB written ahead; %.1f mails to send",
		c.Sheets, c.Daemon.Round(100*time.Microsecond), c.Store.Round(100*time.Microsecond), c.Database.Round(100*time.Microsecond),
		100*c.Beside(), c.Rows, c.Log/1000, c.Mails)
}

const scenario = "kharkov-1942"

// Measure plays a turn of both sides in so many games, with pictures, over a server of PostgreSQL.
func Measure(ctx context.Context, games int) (c Costs, err error) {
	s, err := server.Start()
	if err != nil {
		return c, err
	}
	defer s.Stop()
	url, err := s.Schema()
	if err != nil {
		return c, err
	}
	if err := postgres.Prepare(url); err != nil {
		return c, err
	}
	db, err := postgres.Open(url, postgres.Options{Node: "scale"})
	if err != nil {
		return c, err
	}
	defer db.Close()
	m := metering(db)
	p, err := begin(m, games)
	if err != nil {
		return c, err
	}
	m.spent = 0
	before, err := s.Used(ctx)
	if err != nil {
		return c, err
	}
	p.store = func() time.Duration { return m.spent }
	if err := p.play(); err != nil {
		return c, err
	}
	after, err := s.Used(ctx)
	if err != nil {
		return c, err
	}
	used, sheets := after.Since(before), p.sheets
	c.Sheets, c.Daemon, c.Store, c.Database = sheets, p.used/time.Duration(sheets), p.kept/time.Duration(sheets), used.Processor/time.Duration(sheets)
	c.Log, c.Rows, c.Mails = used.Log/int64(sheets), used.Rows/int64(sheets), float64(p.mails)/float64(sheets)
	return c, nil
}

// played is a number of games, the sheets of which are measured.
type played struct {
	w             *world.World
	officer       staff.Officer
	games         [][]world.Player
	used, kept    time.Duration        // by all of it, and in the store
	store         func() time.Duration // what was used in the store so far
	sheets, mails int
}

// begin makes the games, and plays one more that is not measured: maps and scenarios are loaded by it.
func begin(db store.Store, games int) (*played, error) {
	random := rand.NewChaCha8([32]byte{29})
	key, err := seal.GenerateKey(random)
	if err != nil {
		return nil, err
	}
	p := &played{store: func() time.Duration { return 0 }, w: world.New(db, world.Options{Address: "gm@example.org", Instance: "scale", Now: time.Now, Key: key})}
	p.w.Random = random
	if p.officer.Game, err = match.Scenario(scenario); err != nil {
		return nil, err
	}
	for n := range games + 1 {
		_, seats, err := p.w.Begin(scenario, map[string]string{match.OptionUndo: "0"}, func(side string) (string, string) {
			return side, fmt.Sprintf("%s%d@example.org", side, n)
		})
		if err != nil {
			return nil, err
		}
		p.games = append(p.games, seats)
	}
	if err := p.turn(p.games[games]); err != nil {
		return nil, err
	}
	p.games, p.used, p.kept, p.sheets = p.games[:games], 0, 0, 0
	_, err = p.w.Post()
	return p, err
}

// play plays a turn of every game.
func (p *played) play() error {
	for _, seats := range p.games {
		if err := p.turn(seats); err != nil {
			return err
		}
	}
	sent, err := p.w.Post()
	p.mails += len(sent)
	return err
}

// turn hands in the sheets of both sides of a game.
func (p *played) turn(seats []world.Player) error {
	for range seats {
		for n, seat := range seats {
			v, err := p.w.LastView(seat.Game, seat.Side)
			if err != nil {
				return err
			}
			if v.Turn > 1 || len(v.Due) == 0 {
				continue
			}
			sheet, err := p.officer.Sheet(v, 1)
			if err != nil {
				return err
			}
			raw := world.Mail{From: seat.Address, To: "gm@example.org", Subject: "orders", ID: fmt.Sprintf("%s.%d", seat.Game, n)}.Plain(seat.Sign(sheet))
			before, kept := processor.Time(), p.store()
			if err := p.w.Receive(context.Background(), raw); err != nil {
				return err
			}
			p.used, p.kept = p.used+processor.Time()-before, p.kept+p.store()-kept
			p.sheets++
		}
	}
	return nil
}
