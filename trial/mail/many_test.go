package mail

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
)

// BenchmarkManyGames handles order mails end to end, over IMAP and SMTP and on a
// real disk, with one game in the store and with a thousand, two players of their
// own in each. The bar is 80 % of the rate; it is told by the clock and by the
// processor, because on a busy machine the clock tells of the neighbours.
func BenchmarkManyGames(b *testing.B) {
	const sheets, games = 64, 1000
	many, one := newHouse(b, games), newHouse(b, 1)
	var took, cpu [2]time.Duration
	n := 0
	for b.Loop() {
		for i, h := range []*house{one, many} {
			b.StopTimer()
			h.deliver(sheets)
			b.StartTimer()
			s := h.run(h.u.Receive, h.u.Ahead)
			took[i] += s.clock
			cpu[i] += s.processor
		}
		n += sheets
	}
	rate := func(d time.Duration) float64 { return float64(n) / d.Seconds() }
	b.ReportMetric(rate(took[0]), "one/s")
	b.ReportMetric(rate(took[1]), "thousand/s")
	b.ReportMetric(100*rate(took[1])/rate(took[0]), "%clock")
	b.ReportMetric(100*rate(cpu[1])/rate(cpu[0]), "%cpu")
	b.ReportMetric(0, "ns/op")
}

// house is a bench with a number of games, and the players of each.
type house struct {
	bench
	seats  []seat
	text   map[string]string // a staff's sheet, by side
	serial map[int]int       // by seat
	mails  int
}

func newHouse(b *testing.B, games int) *house {
	b.Helper()
	t, err := NewTemplate()
	check(b, err)
	b.Cleanup(func() { t.Close() })
	h := &house{bench: bench{b: b}, text: map[string]string{}, serial: map[int]int{}}
	db, err := store.Open(filepath.Join(b.TempDir(), base), store.Options{})
	check(b, err)
	b.Cleanup(func() { db.Close() })
	h.u = t.umpire(db, time.Now)
	h.u.Log = slog.New(slog.DiscardHandler)
	h.u.Draw = func(string, string) bool { return false }
	random := rand.NewChaCha8([32]byte{3})
	users := map[string]string{desk: secret}
	for range games {
		g, err := h.u.NewGame("kharkov-1942", nil, random)
		check(b, err)
		for _, side := range g.Sides {
			key, err := seal.GenerateKey(random)
			check(b, err)
			s := seat{g.ID, side, fmt.Sprintf("p%d@%s", len(h.seats), domain), key}
			check(b, h.u.AddPlayer(g.ID, side, "", s.address, key.Public().String()))
			users[s.address] = secret
			h.seats = append(h.seats, s)
		}
	}
	for _, s := range h.seats[:players] {
		h.text[s.side] = strings.Replace(h.staffSheet(s.game, s.side), s.game, "GAME-ID", 1)
	}
	h.office, err = postoffice.Start(users)
	check(b, err)
	b.Cleanup(func() { h.office.Close() })
	server := func(addr string) mailbox.ServerConfig {
		host, port, _ := net.SplitHostPort(addr)
		number, _ := strconv.Atoi(port)
		return mailbox.ServerConfig{Host: host, Port: number, TLS: mailbox.NoTLS, User: desk, Password: secret}
	}
	h.config = mailbox.Config{Address: desk, Instance: "soak"}
	h.config.IMAP.ServerConfig, h.config.SMTP.ServerConfig = server(h.office.IMAPAddr()), server(h.office.SMTPAddr())
	waiting, err := db.Queue(time.Now(), 0)
	check(b, err)
	for _, m := range waiting { // invitations and reports are not measured
		_, err := db.MarkSending(m.ID, time.Now())
		check(b, err)
		check(b, db.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: time.Now()}))
	}
	return h
}

// deliver puts sheets into the umpire's mailbox, of players all over the house.
func (h *house) deliver(sheets int) {
	h.sheets = sheets
	step := max(1, len(h.seats)/sheets) | 1 // both sides in turn
	for range sheets {
		i := h.mails * step % len(h.seats)
		h.mails++
		h.serial[i]++
		s := h.seats[i]
		text := strings.NewReplacer("GAME-ID", s.game, "SERIAL: 1\n", fmt.Sprintf("SERIAL: %d\n", h.serial[i]), "\nDONE\n", "\n").Replace(h.text[s.side])
		canonical := orders.Canonical(text)
		armored, err := seal.Sign(s.key, seal.Namespace, []byte(canonical))
		check(h.b, err)
		raw := fmt.Sprintf("From: %s\nTo: %s\nSubject: orders\nMessage-ID: <many%d@%s>\nContent-Type: text/plain; charset=utf-8\n\n%s", s.address, desk, h.mails, domain, seal.Block(canonical, armored))
		check(h.b, h.office.Deliver(desk, []byte(strings.ReplaceAll(raw, "\n", "\r\n"))))
	}
}
