// Package deadlines has sheets arrive around deadlines, while two daemons over one store, whose
// clocks are minutes apart, look now and then into a slow mailbox: whatever arrived before the
// deadline must count, and nothing that arrived after it.
package deadlines

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/demo/postoffice"
	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store/memory"
	"fieldpost/trial"
	"fieldpost/umpire/match"
)

const (
	desk     = "umpire@mail.test"
	scenario = "kharkov-1942"
	apart    = 5 * time.Minute // how far each daemon's clock is off, in opposite directions
	games    = 20              // with one deadline a day
)

// Tally is what came of the sheets.
type Tally struct {
	Before, Counted  int // sheets that arrived before their deadline, and those of them that count
	After, Admitted  int // sheets that arrived after it, and those that counted nevertheless
	Deadlines, Looks int
}

// Add adds another tally.
func (t *Tally) Add(o Tally) {
	t.Before, t.Counted, t.After, t.Admitted = t.Before+o.Before, t.Counted+o.Counted, t.After+o.After, t.Admitted+o.Admitted
	t.Deadlines, t.Looks = t.Deadlines+o.Deadlines, t.Looks+o.Looks
}

// Run has at least Count sheets arrive before deadlines, and as many after them.
func Run(ctx context.Context, t *trial.Trial) error {
	began := time.Now()
	var sum Tally
	for number := t.Seed; sum.Before < t.Count && ctx.Err() == nil; number++ {
		days := min(10, (t.Count-sum.Before+2*games-1)/(2*games))
		one, err := Play(ctx, number, games, days)
		if sum.Add(one); err != nil {
			return fmt.Errorf("--seed %d: %w", number, err)
		}
		fmt.Fprintf(t.Progress, "%d of %d sheets\n", sum.Before, t.Count)
	}
	fmt.Fprintf(t.Out, "%d deadlines, %d looks into the mailbox by daemons %v apart: of %d sheets that arrived before the deadline %d count, of %d after it %d (%v)\n",
		sum.Deadlines, sum.Looks, 2*apart, sum.Before, sum.Counted, sum.After, sum.Admitted, time.Since(began).Round(time.Second))
	if sum.Counted < sum.Before || sum.Admitted > 0 {
		return errors.New("a sheet counts that came too late, or one does not that came in time")
	}
	return ctx.Err()
}

// letter is a mail on its way into the mailbox.
type letter struct {
	at  time.Time
	raw []byte
}

// sheet is one that is on its way, and what is to become of it.
type sheet struct {
	game, side string
	serial     int
	inTime     bool
}

// club is the games, and all that happens to them.
type club struct {
	random *rand.Rand
	office *postoffice.Office
	nodes  []*node
	seats  []world.Player

	now     time.Time // by the store's clock and the mail server's
	arrival time.Time // of the mail that is being delivered
	coming  []letter
	sheets  []sheet
	serial  int
	tally   Tally
}

// node is one of the daemons.
type node struct {
	*world.World
	poller *mailbox.Poller
	looks  bool      // it is in the midst of a look into the mailbox
	swept  time.Time // up to when it knows that all is handled
}

// Play plays so many games for so many days, by a seed.
func Play(ctx context.Context, number, games, days int) (Tally, error) {
	c := &club{random: rand.New(rand.NewPCG(uint64(number), 29)), now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	if err := c.begin(number, games); err != nil {
		return c.tally, err
	}
	defer c.office.Close()
	for range days {
		if err := c.day(ctx); err != nil {
			return c.tally, err
		}
	}
	return c.tally, c.count()
}

func (c *club) begin(number, games int) error {
	var err error
	if c.office, err = postoffice.StartWith(map[string]string{desk: "secret"}, postoffice.Options{InMemory: true}); err != nil {
		return err
	}
	c.office.SetClock(func() time.Time { return c.arrival })
	var seed [32]byte
	copy(seed[:], "deadlines "+strconv.Itoa(number))
	dice := rand.NewChaCha8(seed)
	key, err := seal.GenerateKey(dice)
	if err != nil {
		return err
	}
	db := memory.New()
	for _, off := range []time.Duration{apart, -apart} {
		n := &node{World: world.New(db, world.Options{Address: desk, Instance: "deadlines", Key: key, Now: func() time.Time { return c.now },
			Draw: func(string, string) bool { return false }})}
		n.Random = dice
		n.Umpire.Local = func() time.Time { return c.now.Add(off) }
		if err := c.connect(n); err != nil {
			return err
		}
		c.nodes = append(c.nodes, n)
	}
	for n := range games {
		_, seats, err := c.nodes[0].Begin(scenario, map[string]string{match.OptionDeadline: "1d 20:00", match.OptionUndo: "0", "remind": "none"},
			func(side string) (string, string) { return side, fmt.Sprintf("%s%d@mail.test", side, n) })
		if err != nil {
			return err
		}
		c.seats = append(c.seats, seats...)
	}
	return nil
}

// connect gives a node its way to the mailbox.
func (c *club) connect(n *node) (err error) {
	account := mailbox.Config{Address: desk, Name: "Fieldpost"}
	account.IMAP.ServerConfig = mailbox.ServerConfig{Host: "127.0.0.1", Port: 143, TLS: mailbox.NoTLS, User: desk, Password: "secret"}
	inbox := n.Umpire.Inbox()
	receive := func(ctx context.Context, raw mailbox.Raw) error {
		if err := c.passes(ctx); err != nil {
			return err
		}
		return inbox.Fetched(ctx, raw)
	}
	n.poller, err = mailbox.NewPoller(account, inbox, receive, mailbox.PollerOptions{NoIdle: true, Now: n.Umpire.Local,
		Dial: func(_ context.Context, _, address string) (net.Conn, error) { return c.office.Dial(address) },
		Done: func(begun time.Time) { n.swept = n.Umpire.OnOurClock(begun) }})
	return err
}

// passes is a while in which mail comes, and another daemon may do what it does: while one is in the
// midst of a look, too.
func (c *club) passes(ctx context.Context) error {
	while := time.Duration(c.random.IntN(1500)) * time.Millisecond
	if c.random.IntN(30) == 0 {
		while = time.Duration(c.random.IntN(40)) * time.Second // the server is slow
	}
	if err := c.letTimePass(while); err != nil {
		return err
	}
	if c.random.IntN(4) > 0 {
		return nil
	}
	return c.act(ctx)
}

// act has a daemon look into the mailbox, handle what has come, or look at the clock.
func (c *club) act(ctx context.Context) error {
	n := c.nodes[c.random.IntN(len(c.nodes))]
	switch what := c.random.IntN(4); {
	case what == 0:
		return n.Umpire.WorkOff(ctx)
	case n.looks || what == 1:
		n.Umpire.Tick(n.swept)
		return nil
	}
	return c.look(ctx, n)
}

// look has a daemon look into the mailbox.
func (c *club) look(ctx context.Context, n *node) error {
	n.looks = true
	defer func() { n.looks = false }()
	c.tally.Looks++
	return n.poller.Poll(ctx)
}

// letTimePass delivers what arrives meanwhile.
func (c *club) letTimePass(while time.Duration) error {
	until := c.now.Add(while)
	for len(c.coming) > 0 && !c.coming[0].at.After(until) {
		c.arrival = c.coming[0].at
		if err := c.office.Deliver(desk, c.coming[0].raw); err != nil {
			return err
		}
		c.coming = c.coming[1:]
	}
	c.now = until
	return nil
}

// day writes the sheets of a day's deadlines, and lets time pass until they are over.
func (c *club) day(ctx context.Context) error {
	db := c.nodes[0].Umpire.DB
	var last time.Time
	due := map[string]time.Time{}
	for _, p := range c.seats {
		open, err := db.Waiting(p.Game)
		if err != nil {
			return err
		}
		if open == nil || open.Deadline.IsZero() {
			continue // the game is over
		}
		asked, err := match.PendingOf(open)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(asked, func(d adjudicator.Decision) bool { return string(d.Side) == p.Side && d.Turn }) {
			continue // their half of the turn is over, or still to come
		}
		due[p.Game] = open.Deadline
		if open.Deadline.After(last) {
			last = open.Deadline
		}
		c.write(p, open.Turn, open.Deadline, true)
		c.write(p, open.Turn, open.Deadline, false)
	}
	slices.SortFunc(c.coming, func(a, b letter) int { return a.at.Compare(b.at) })
	if len(c.coming) == 0 {
		return errors.New("no game waits for anybody")
	}
	if err := c.letTimePass(c.coming[0].at.Sub(c.now)); err != nil {
		return err
	}
	for _, n := range c.nodes {
		if err := n.Umpire.SetAlarms(); err != nil {
			return err
		}
	}
	for len(c.coming) > 0 || c.now.Before(last.Add(2*time.Minute)) {
		if err := errors.Join(c.passes(ctx), ctx.Err()); err != nil {
			return err
		}
	}
	return c.settle(ctx, due)
}

// settle has both daemons do what is left, and looks whether every deadline has passed.
func (c *club) settle(ctx context.Context, due map[string]time.Time) error {
	for range 4 {
		for _, n := range c.nodes {
			if err := c.letTimePass(2 * time.Second); err != nil {
				return err
			}
			if err := errors.Join(c.look(ctx, n), n.Umpire.WorkOff(ctx)); err != nil {
				return err
			}
			n.Umpire.Tick(n.swept)
		}
	}
	for game, deadline := range due {
		open, err := c.nodes[0].Umpire.DB.Waiting(game)
		if err != nil {
			return err
		}
		if open != nil && !open.Deadline.After(deadline) {
			return fmt.Errorf("game %s: the deadline of %v has not passed by %v", game, deadline, c.now)
		}
		c.tally.Deadlines++
	}
	return nil
}

// write writes a sheet that arrives before or after a deadline, every other one within two seconds of it.
func (c *club) write(p world.Player, turn int, deadline time.Time, inTime bool) {
	c.serial++
	off := time.Duration(c.random.IntN(180_000)) * time.Millisecond
	if c.random.IntN(2) == 0 {
		off = time.Duration(c.random.IntN(2000)) * time.Millisecond
	}
	at := deadline.Add(-off)
	if !inTime {
		at = deadline.Add(time.Second + off) // mail servers know no fractions of a second
	}
	text := fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nMOVE\n", p.Game, p.Side, turn, c.serial)
	m := world.Mail{From: p.Address, To: desk, Subject: "orders", ID: strconv.Itoa(c.serial)}
	c.coming = append(c.coming, letter{at, m.Plain(p.Sign(text))})
	c.sheets = append(c.sheets, sheet{p.Game, p.Side, c.serial, inTime})
}

// count looks which sheets were filed.
func (c *club) count() error {
	filed := map[sheet]bool{}
	for _, p := range c.seats {
		all, err := c.nodes[0].Umpire.DB.AllSheets(p.Game)
		if err != nil {
			return err
		}
		for _, s := range all {
			filed[sheet{s.Game, s.Side, s.Serial, true}] = true
		}
	}
	for _, s := range c.sheets {
		is := filed[sheet{s.game, s.side, s.serial, true}]
		switch {
		case s.inTime && is:
			c.tally.Before, c.tally.Counted = c.tally.Before+1, c.tally.Counted+1
		case s.inTime:
			c.tally.Before++
		case is:
			c.tally.After, c.tally.Admitted = c.tally.After+1, c.tally.Admitted+1
		default:
			c.tally.After++
		}
	}
	return nil
}
