package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/demo/postoffice"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/trial/processor"
	"fieldpost/umpire"
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
		p := newBench(b, sheets)
		product.add(p.product())
		f := newBench(b, sheets)
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

// spent is time, by the clock and of the processor.
type spent struct{ clock, processor time.Duration }

func (s *spent) add(o spent) { s.clock += o.clock; s.processor += o.processor }

type bench struct {
	b      *testing.B
	office *postoffice.Office
	u      *umpire.Umpire
	config mailbox.Config
	games  []string
	sheets int
	// changes is what the product made of each mail, by the mail's SHA-256.
	changes map[string]store.Change
}

func newBench(b *testing.B, sheets int) *bench {
	b.Helper()
	b.StopTimer()
	defer b.StartTimer()
	t, err := NewTemplate()
	check(b, err)
	b.Cleanup(func() { t.Close() })
	x := &bench{b: b, sheets: sheets}
	users := map[string]string{desk: secret}
	for _, s := range t.seats {
		users[s.address] = secret
	}
	x.office, err = postoffice.Start(users)
	check(b, err)
	b.Cleanup(func() { x.office.Close() })
	db, err := store.Open(filepath.Join(b.TempDir(), base), store.Options{})
	check(b, err)
	b.Cleanup(func() { db.Close() })
	x.u = t.umpire(db, time.Now)
	x.u.Log = slog.New(slog.DiscardHandler)
	const games = 8
	var text [games * players]string
	for n := range games {
		g, err := x.u.NewGame("kharkov-1942", nil, zeros(n))
		check(b, err)
		x.games = append(x.games, g.ID)
		for _, p := range t.seats[:players] {
			check(b, x.u.AddPlayer(g.ID, p.side, "", p.address, p.key.Public().String()))
		}
		for i, p := range t.seats[:players] {
			text[n*players+i] = x.staffSheet(g.ID, p.side)
		}
	}
	for n := range sheets {
		s, sheet := t.seats[n%players], text[n%len(text)]
		text := strings.Replace(strings.Replace(sheet, "SERIAL: 1\n", fmt.Sprintf("SERIAL: %d\n", n/(games*players)+1), 1), "\nDONE\n", "\n", 1)
		canonical := orders.Canonical(text)
		armored, err := seal.Sign(s.key, seal.Namespace, []byte(canonical))
		check(b, err)
		raw := fmt.Sprintf("From: %s\nTo: %s\nSubject: orders\nMessage-ID: <%d@%s>\nContent-Type: text/plain; charset=utf-8\n\n%s", s.address, desk, n, domain, seal.Block(canonical, armored))
		check(b, x.office.Deliver(desk, []byte(strings.ReplaceAll(raw, "\n", "\r\n"))))
	}
	server := func(addr string) mailbox.ServerConfig {
		host, port, _ := net.SplitHostPort(addr)
		number, _ := strconv.Atoi(port)
		return mailbox.ServerConfig{Host: host, Port: number, TLS: mailbox.NoTLS, User: desk, Password: secret}
	}
	x.config = mailbox.Config{Address: desk, Instance: "soak"}
	x.config.IMAP.ServerConfig, x.config.SMTP.ServerConfig = server(x.office.IMAPAddr()), server(x.office.SMTPAddr())
	waiting, err := db.Queue(time.Now(), 0)
	check(b, err)
	for _, m := range waiting { // invitations and reports are not measured
		_, err := db.MarkSending(m.ID, time.Now())
		check(b, err)
		check(b, db.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: time.Now()}))
	}
	return x
}

// staffSheet is what the staff orders after the first report.
func (x *bench) staffSheet(id, side string) string {
	mails, err := x.u.DB.Mails(id)
	check(x.b, err)
	for _, m := range mails {
		if m.Kind != "report" || m.Side != side {
			continue
		}
		raw, err := x.u.DB.MailBytes(m.SHA256)
		check(x.b, err)
		msg, err := mailbox.Read(raw)
		check(x.b, err)
		for _, a := range msg.Attachments {
			if a.Name != "view.json" {
				continue
			}
			v := &view.View{}
			check(x.b, json.Unmarshal(a.Data, v))
			check(x.b, v.Board.Prepare())
			game, err := umpire.Scenario("kharkov-1942")
			check(x.b, err)
			sheet, err := staff.Officer{Game: game}.Sheet(v, 1)
			check(x.b, err)
			return sheet
		}
	}
	x.b.Fatal("no report")
	return ""
}

func (x *bench) run(handle mailbox.Handler, ahead func(mailbox.Raw)) spent {
	poller, err := mailbox.NewPoller(x.config, x.u.Seen(), handle, mailbox.PollerOptions{NoIdle: true, Ahead: ahead})
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
			last = true
		case <-time.After(time.Millisecond):
		}
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
	took := x.run(x.u.Receive, x.u.Ahead)
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
	return x.run(func(_ context.Context, raw mailbox.Raw) error {
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
	}, nil)
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
