package mail

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/trial/processor"
	"fieldpost/umpire"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/match"
	"fieldpost/umpire/scene"
)

// BenchmarkThroughput brings a few hundred sheets of sixteen players in eight
// games, each a whole turn of Kharkov 1942 by the staff, over IMAP, and answers
// each over SMTP, on a real disk. Fetching and sending go on side by side, as in
// the daemon.
//
// The floor is what no program can leave out: fetch the message, verify its
// signature, write the very files and commit the very changes that the product
// made of it, and send the answer that the product sent, one mail after the other. The
// product reads, classifies, checks every order against the position, and writes the
// answer; it spools and judges mails ahead of their turn.
//
// On a busy machine the clock tells of the neighbours: the processor time of a
// sheet, servers included, is told beside it.
func BenchmarkThroughput(b *testing.B) {
	const sheets = 192
	var floor, product spent
	n := 0
	for b.Loop() {
		p := newTurn(b, sheets)
		product.add(p.product())
		f := newTurn(b, sheets)
		f.changes = p.made(f)
		floor.add(f.floor())
		n += sheets
	}
	rate := func(s spent) float64 { return float64(n) / s.clock.Seconds() }
	each := func(s spent) float64 { return s.processor.Seconds() * 1000 / float64(n) }
	b.ReportMetric(rate(floor), "floor/s")
	b.ReportMetric(rate(product), "product/s")
	b.ReportMetric(100*rate(product)/rate(floor), "%floor")
	b.ReportMetric(each(floor), "floor-cpu-ms")
	b.ReportMetric(each(product), "product-cpu-ms")
	b.ReportMetric(0, "ns/op")
}

// drawAll has every picture drawn, for games begun alike show the same ones more often than the
// games of a club do.
func drawAll(b *testing.B) {
	was := scene.Keep(0)
	b.Cleanup(func() { scene.Keep(was) })
}

// spent is time, by the clock and of the processor.
type spent struct{ clock, processor time.Duration }

func (s *spent) add(o spent) { s.clock += o.clock; s.processor += o.processor }

type bench struct {
	b      *testing.B
	office *postoffice.Office
	world  *world.World
	u      *umpire.Umpire
	config mailbox.Config
	seats  []world.Player
	games  []string
	sheets int // to be answered
	mails  int // delivered so far
	// changes is what the product made of each mail, by the mail's SHA-256.
	changes map[string]store.Change
}

// newBench is a number of games in one store, each begun and its first mails on their way.
// Seat begins the next game and gives its players.
func newBench(b *testing.B, games int, seat func(t *Template, w *world.World, n int) []world.Player) *bench {
	b.Helper()
	t, err := NewTemplate()
	check(b, err)
	b.Cleanup(func() { t.Close() })
	w, err := world.Open(b.TempDir(), t.options(time.Now))
	check(b, err)
	b.Cleanup(func() { w.Close() })
	x := &bench{b: b, world: w, u: w.Umpire}
	users := map[string]string{desk: secret}
	for n := range games {
		seats := seat(t, w, n)
		x.games = append(x.games, seats[0].Game)
		x.seats = append(x.seats, seats...)
		for _, p := range seats {
			users[p.Address] = secret
		}
	}
	x.office, err = postoffice.Start(users)
	check(b, err)
	b.Cleanup(func() { x.office.Close() })
	x.config = account(x.office)
	_, err = w.Post() // invitations and reports are not measured
	check(b, err)
	return x
}

// newTurn is eight games of two players, with sheets in the umpire's mailbox.
func newTurn(b *testing.B, sheets int) *bench {
	b.Helper()
	drawAll(b)
	b.StopTimer()
	defer b.StartTimer()
	x := newBench(b, 8, func(t *Template, w *world.World, n int) (seats []world.Player) {
		g, err := w.Umpire.NewGame("kharkov-1942", nil, zeros(n))
		check(b, err)
		for _, p := range t.seats[:players] {
			p.Game = g.ID
			check(b, w.Seat(p, ""))
			seats = append(seats, p)
		}
		return seats
	})
	text := make([]string, len(x.seats))
	for i, p := range x.seats {
		text[i] = x.staffSheet(p)
	}
	x.sheets = sheets
	for n := range sheets {
		i := n % len(x.seats)
		x.deliver(i, strings.Replace(text[i], "SERIAL: 1\n", fmt.Sprintf("SERIAL: %d\n", n/len(x.seats)+1), 1))
	}
	return x
}

// deliver puts a player's sheet into the umpire's mailbox, not finished.
func (x *bench) deliver(seat int, sheet string) {
	x.mails++
	p := x.seats[seat]
	m := world.Mail{From: p.Address, To: desk, Subject: "orders", ID: strconv.Itoa(x.mails)}
	check(x.b, x.office.Deliver(desk, m.Plain(p.Sign(strings.Replace(sheet, "\nDONE!\n", "\n", 1)))))
}

// staffSheet is what the staff orders after the first report.
func (x *bench) staffSheet(p world.Player) string {
	v, err := x.world.LastView(p.Game, p.Side)
	check(x.b, err)
	game, err := match.Scenario("kharkov-1942")
	check(x.b, err)
	sheet, err := staff.Officer{Game: game}.Sheet(v, 1)
	check(x.b, err)
	return sheet
}

func (x *bench) run(inbox *intake.Inbox, handle mailbox.Handler) spent {
	poller, err := mailbox.NewPoller(x.config, inbox, handle, mailbox.PollerOptions{NoIdle: true})
	check(x.b, err)
	defer poller.Close()
	sender, err := mailbox.NewSender(x.config, mailbox.SenderOptions{})
	check(x.b, err)
	defer sender.Close()
	before := x.office.Accepted()
	begin, used := time.Now(), processor.Time()
	polled := make(chan error, 1)
	go func() { polled <- poller.Poll(x.b.Context()) }()
	for last := false; !last; {
		select {
		case err := <-polled:
			check(x.b, err)
			polled = nil
		case <-time.After(time.Millisecond):
		}
		waits, err := x.u.DB.Backlog()
		check(x.b, err)
		last = polled == nil && waits.Mails == 0
		for more := true; more; {
			more, err = x.u.SendDue(x.b.Context(), sender)
			check(x.b, err)
		}
	}
	took := spent{time.Since(begin), processor.Time() - used}
	if n := x.office.Accepted() - before; n != x.sheets {
		x.b.Fatalf("%d answers to %d sheets", n, x.sheets)
	}
	return took
}

func (x *bench) product() spent {
	took := x.answer()
	n := 0
	for _, id := range x.games {
		filed, err := x.u.DB.AllSheets(id)
		check(x.b, err)
		n += len(filed)
	}
	if n != x.sheets {
		x.b.Fatalf("%d of %d sheets are filed", n, x.sheets)
	}
	return took
}

// answer has the product fetch, handle and answer what is in the mailbox.
func (x *bench) answer() spent {
	ctx, end := context.WithCancel(x.b.Context())
	worked := make(chan error, 1)
	go func() { worked <- x.u.Work(ctx) }()
	inbox := x.u.Inbox()
	took := x.run(inbox, inbox.Fetched)
	end()
	check(x.b, <-worked)
	return took
}

// made is what the product made of each mail, for the floor to commit to a store
// with the same games.
func (x *bench) made(f *bench) map[string]store.Change {
	changes := map[string]store.Change{}
	for i, id := range x.games {
		if f.games[i] != id {
			x.b.Fatalf("game %s is %s on the floor", id, f.games[i])
		}
		steps, err := x.u.DB.Steps(id)
		check(x.b, err)
		g, err := f.u.DB.Game(id)
		check(x.b, err)
		for _, step := range steps {
			if step.Handled == "" {
				continue // the beginning of the game
			}
			h, _, err := x.u.DB.Handled(step.Handled)
			check(x.b, err)
			now, c := g, store.Change{Handled: &h, Notes: map[string][]byte{}, Expect: g.Seq}
			now.Players = slices.Clone(g.Players)
			for _, digest := range step.Sheets {
				s, _, err := x.u.DB.FindSheet(id, digest)
				check(x.b, err)
				c.Sheets = append(c.Sheets, s)
				for i := range now.Players {
					if now.Players[i].Side == s.Side {
						now.Players[i].Serial = s.Serial
					}
				}
			}
			for _, name := range step.Notes {
				c.Notes[name], err = x.u.DB.Note(name)
				check(x.b, err)
			}
			for _, mail := range step.Mails {
				m, err := x.u.DB.Mail(mail)
				check(x.b, err)
				m.Raw, err = x.u.DB.MailBytes(m.SHA256)
				check(x.b, err)
				m.Number, m.State, m.Attempts, m.Changed, m.Reply, m.Seq = 0, "", 0, time.Time{}, "", 0
				c.Mails = append(c.Mails, m)
			}
			c.Game = &now
			changes[step.Handled] = c
			g = now
			g.Seq++
		}
	}
	if len(changes) != x.sheets {
		x.b.Fatalf("%d changes by %d sheets", len(changes), x.sheets)
	}
	return changes
}

// floor does what must be done, and nothing else.
func (x *bench) floor() spent {
	return x.run(x.u.Inbox(), func(_ context.Context, raw mailbox.Raw) error {
		sha, err := x.u.DB.Spool(raw.Bytes)
		if err != nil {
			return err
		}
		m, err := mailbox.Read(raw.Bytes)
		if err != nil {
			return err
		}
		if _, err := mailbox.SignedBy(m, nil); err != nil {
			return err
		}
		c, ok := x.changes[sha]
		if !ok {
			return fmt.Errorf("mail %s is not one of the product's", sha)
		}
		return x.u.DB.Commit(c)
	})
}

// zeros is no randomness: the games of a benchmark are the same each time.
type zeros byte

func (z zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(i) + byte(z)*32 + 1
	}
	return len(p), nil
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
