// Package mail plays mail between players and the umpire over a post office in
// which everything goes wrong: connections break at any byte, servers refuse at
// any verb, mail comes twice and in another order, folders get a new UIDVALIDITY,
// the umpire's process dies. The clock is virtual, so that a day of trouble takes
// a moment. In the end it counts what was lost, doubled or sent to the wrong player.
package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire"
)

const (
	domain  = "mail.test"
	desk    = "umpire@" + domain
	secret  = "secret"
	base    = "fieldpost.db"
	players = 2 // of a game
)

// Seat is a player of one of the games.
type seat struct {
	game, side, address string
	key                 seal.PrivateKey
}

// Template is two games that have begun, kept in a folder: every schedule starts
// from a copy of it.
type Template struct {
	folder string
	key    seal.PrivateKey
	seats  []seat
	start  time.Time
}

// NewTemplate makes the games in a folder of its own; Close removes it.
func NewTemplate() (*Template, error) {
	parent := "/dev/shm" // the disk is not what is tried here
	if _, err := os.Stat(parent); err != nil {
		parent = ""
	}
	folder, err := os.MkdirTemp(parent, "mailsoak")
	if err != nil {
		return nil, err
	}
	t := &Template{folder: folder, start: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	random := rand.NewChaCha8([32]byte{1})
	if t.key, err = seal.GenerateKey(random); err != nil {
		return nil, err
	}
	db, err := store.Open(filepath.Join(folder, base), store.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	u := t.umpire(db, func() time.Time { return t.start })
	for n := range 2 {
		g, err := u.NewGame("kharkov-1942", nil, random)
		if err != nil {
			return nil, err
		}
		for i, side := range g.Sides {
			key, err := seal.GenerateKey(random)
			if err != nil {
				return nil, err
			}
			s := seat{g.ID, side, fmt.Sprintf("%c@%s", 'a'+n*players+i, domain), key}
			if err := u.AddPlayer(g.ID, side, "", s.address, key.Public().String()); err != nil {
				return nil, err
			}
			t.seats = append(t.seats, s)
		}
		mails, err := db.Mails(g.ID)
		if err != nil {
			return nil, err
		}
		for _, m := range mails { // what goes out before the schedule begins is not its business
			if _, err := db.MarkSending(m.ID, t.start); err != nil {
				return nil, err
			}
			if err := db.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: t.start}); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// Close removes the template.
func (t *Template) Close() error { return os.RemoveAll(t.folder) }

func (t *Template) umpire(db *store.DB, now func() time.Time) *umpire.Umpire {
	return &umpire.Umpire{DB: db, Address: desk, Name: "Fieldpost", Instance: "soak", Key: t.key, Now: now, Log: slog.New(slog.DiscardHandler)}
}

// Tally is what came of a schedule.
type Tally struct {
	Sent, Copies, Answers, Reports, Repeats int // mails to the umpire; copies of them; answers and reports that arrived; repeats of those
	Cuts, Refusals, Odd, Deaths             int // connections cut, verbs refused, odd answers and stalls, deaths of the process
	Lost, Twice, Wrong, Missing, Changed    int // what must be none
	Told                                    int // mails given up after a refusal for good, which the operator knows of
}

func (t *Tally) add(o Tally) {
	t.Sent += o.Sent
	t.Copies += o.Copies
	t.Answers += o.Answers
	t.Reports += o.Reports
	t.Repeats += o.Repeats
	t.Cuts += o.Cuts
	t.Refusals += o.Refusals
	t.Odd += o.Odd
	t.Deaths += o.Deaths
	t.Lost += o.Lost
	t.Twice += o.Twice
	t.Wrong += o.Wrong
	t.Missing += o.Missing
	t.Changed += o.Changed
	t.Told += o.Told
}

// Bad counts what must not happen.
func (t Tally) Bad() int { return t.Lost + t.Twice + t.Wrong + t.Missing + t.Changed }

// String says it in a line.
func (t Tally) String() string {
	return fmt.Sprintf("%d mails in %d copies; %d answers and %d reports arrived, %d of them again; %d connections cut, %d refusals, %d odd answers, %d deaths; "+
		"orders lost %d, processed twice %d, mails to the wrong player %d, mails lost %d, changed under one Message-ID %d; given up and told %d",
		t.Sent, t.Copies, t.Answers, t.Reports, t.Repeats, t.Cuts, t.Refusals, t.Odd, t.Deaths, t.Lost, t.Twice, t.Wrong, t.Missing, t.Changed, t.Told)
}

// world is one schedule.
type world struct {
	*Template
	ctx    context.Context
	random *rand.Rand
	folder string
	office *postoffice.Office
	clock  time.Time
	// timeout is how long the umpire waits for an answer, by the real clock.
	timeout time.Duration

	mu      sync.Mutex
	tally   Tally
	calm    bool // no more faults
	dead    bool // the process: nothing it does counts until it is started again
	db      *store.DB
	kill    context.CancelFunc
	arrived map[string][][]byte // by recipient
	box     [][]byte            // everything delivered to the umpire
	junk    map[int]bool
}

// cuttable is the umpire's end of a connection, which breaks after a number of
// bytes in either direction.
type cuttable struct {
	net.Conn
	w    *world
	left int  // bytes; below 0: never
	kill bool // and the process dies with it
}

func (c *cuttable) spend(n int) bool {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if c.w.dead {
		return false
	}
	if c.left < 0 {
		return true
	}
	if c.left -= n; c.left >= 0 {
		return true
	}
	c.left = 0
	c.w.tally.Cuts++
	if c.kill {
		c.kill = false
		c.w.die()
	}
	return false
}

func (c *cuttable) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.spend(n) {
		c.Conn.Close()
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

func (c *cuttable) Write(p []byte) (int, error) {
	if !c.spend(len(p)) {
		c.Conn.Close()
		return 0, io.ErrUnexpectedEOF
	}
	return c.Conn.Write(p)
}

// die ends the process at this very moment: the database stays as it is now.
func (w *world) die() {
	w.dead = true
	w.tally.Deaths++
	os.Remove(w.path("at-death"))
	if _, err := w.db.Copy(w.path("at-death")); err != nil {
		panic(err)
	}
	w.kill()
}

func (w *world) path(name string) string { return filepath.Join(w.folder, name) }

// dial is how the umpire reaches the office.
func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	refuse := w.dead || !w.calm && w.random.IntN(12) == 0
	left, kill := -1, false
	if !w.calm && w.random.IntN(3) == 0 {
		left = 1 << w.random.IntN(14)
		left += w.random.IntN(left)
		kill = w.random.IntN(6) == 0
	}
	w.mu.Unlock()
	if refuse {
		return nil, errors.New("nobody answers")
	}
	conn, err := w.office.Dial(address)
	if err != nil {
		return nil, err
	}
	return &cuttable{Conn: conn, w: w, left: left, kill: kill}, nil
}

// hasty is the timeout of the schedules in which servers stall: it passes by the
// real clock, so that most schedules go without.
const hasty = 300 * time.Millisecond

// Run plays one schedule. The same seed is the same trouble, as far as goroutines allow.
func (t *Template) Run(ctx context.Context, seed uint64) (tally Tally, err error) {
	w := &world{Template: t, ctx: ctx, random: rand.New(rand.NewPCG(seed, 7)), clock: t.start.Add(time.Hour), arrived: map[string][][]byte{}, junk: map[int]bool{}}
	if w.folder, err = os.MkdirTemp(filepath.Dir(t.folder), "mailsoak"); err != nil {
		return tally, err
	}
	defer os.RemoveAll(w.folder)
	db, err := os.ReadFile(filepath.Join(t.folder, base))
	if err == nil {
		err = os.WriteFile(w.path(base), db, 0o600)
	}
	if err == nil {
		err = os.CopyFS(w.path("mails"), os.DirFS(filepath.Join(t.folder, "mails")))
	}
	if err != nil {
		return tally, err
	}
	if w.timeout = 20 * time.Second; w.random.IntN(20) == 0 {
		w.timeout = hasty
	}
	users := map[string]string{desk: secret}
	for _, s := range t.seats {
		users[s.address] = secret
	}
	if w.office, err = postoffice.StartWith(users, postoffice.Options{InMemory: true}); err != nil {
		return tally, err
	}
	defer w.office.Close()
	w.office.SetClock(func() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.clock })
	w.office.OnDelivery(func(rcpt, from string, raw []byte) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.arrived[rcpt] = append(w.arrived[rcpt], bytes.Clone(raw))
	})
	sheets, err := w.play()
	if err != nil {
		return w.tally, fmt.Errorf("schedule %d: %w", seed, err)
	}
	return w.tally, w.count(sheets)
}

// letter is a player's mail with a signed sheet.
func (w *world) letter(s seat, serial int, done bool) []byte {
	sheet := fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\n\nSTANDING\n", s.game, s.side, serial)
	if done {
		sheet += "DONE\n"
	}
	canonical := orders.Canonical(sheet)
	armored, err := seal.Sign(s.key, seal.Namespace, []byte(canonical))
	if err != nil {
		panic(err)
	}
	text := fmt.Sprintf("From: %s\nTo: %s\nSubject: orders %d\nMessage-ID: <%d.%s.%s@%s>\nContent-Type: text/plain; charset=utf-8\n\n%s",
		s.address, desk, serial, serial, strings.ToLower(s.side), s.game, domain, seal.Block(canonical, armored))
	return []byte(strings.ReplaceAll(text, "\n", "\r\n"))
}

// noise is mail that must have no effect and no answer.
func (w *world) noise(n int) []byte {
	kinds := []string{
		"From: a@mail.test\nAuto-Submitted: auto-replied (vacation)\nReturn-Path: <>\nSubject: away\n\nSTATUS\n",
		"From: nobody@elsewhere.test\nSubject: hello\n\nSTATUS\n",
		"From: MAILER-DAEMON@mail.test\nReturn-Path: <>\nSubject: undelivered\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; a@mail.test\nAction: failed\nStatus: 5.1.1\n\n--b--\n",
		"From: umpire@mail.test\nX-Fieldpost-Loop: soak\nSubject: loop\n\nSTATUS\n",
	}
	return []byte(strings.ReplaceAll(fmt.Sprintf("X-Number: %d\n%s", n, kinds[n%len(kinds)]), "\n", "\r\n"))
}

func (w *world) config() mailbox.Config {
	c := mailbox.Config{Address: desk, Name: "Fieldpost", Instance: "soak"}
	server := func(port int) mailbox.ServerConfig {
		return mailbox.ServerConfig{Host: "127.0.0.1", Port: port, TLS: mailbox.NoTLS, User: desk, Password: secret}
	}
	c.IMAP.ServerConfig, c.SMTP.ServerConfig = server(143), server(25)
	return c
}
