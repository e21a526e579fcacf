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
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/trial/ramdisk"
)

const (
	domain  = "mail.test"
	desk    = "umpire@" + domain
	secret  = "secret"
	players = 2 // of a game
)

// Template is two games that have begun, kept in a folder: every schedule starts
// from a copy of it.
type Template struct {
	folder string
	key    seal.PrivateKey
	seats  []world.Player
	start  time.Time
}

// NewTemplate makes the games in a folder of its own; Close removes it.
func NewTemplate() (*Template, error) {
	folder, err := ramdisk.Folder("mail")
	if err != nil {
		return nil, err
	}
	t := &Template{folder: folder, start: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	o := t.options(func() time.Time { return t.start })
	o.Random = rand.NewChaCha8([32]byte{1})
	w, err := world.Open(folder, o)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	t.key = w.Umpire.Key
	n := 0
	for range 2 {
		_, seats, err := w.Begin("kharkov-1942", nil, func(string) (string, string) {
			n++
			return "", fmt.Sprintf("%c@%s", 'a'+n-1, domain)
		})
		if err != nil {
			return nil, err
		}
		t.seats = append(t.seats, seats...)
	}
	_, err = w.Post() // what goes out before the schedule begins is not its business
	return t, err
}

// Close removes the template.
func (t *Template) Close() error { return os.RemoveAll(t.folder) }

func (t *Template) options(now func() time.Time) world.Options {
	return world.Options{Address: desk, Instance: "mail", Key: t.key, Now: now}
}

// users are the accounts at the post office.
func (t *Template) users() map[string]string {
	users := map[string]string{desk: secret}
	for _, s := range t.seats {
		users[s.Address] = secret
	}
	return users
}

// account is the umpire's.
func account(office *postoffice.Office) mailbox.Config {
	c := world.Account(office, desk, secret)
	c.Name, c.Instance = "Fieldpost", "mail"
	return c
}

// Count is something that a schedule counts.
type Count int

const (
	Sent     Count = iota // to the umpire
	Copies                // of them that came
	Answers               // that arrived, to sheets
	Reports               // that arrived
	Repeats               // of answers and reports
	Cuts                  // of connections
	Refusals              // of verbs
	Odd                   // of servers, and stalls
	Deaths                // of the process
	Lost                  // sheets; this and the next four must be none
	Twice                 // sheets that were processed again
	Wrong                 // mails to another player
	Missing               // mails
	Changed               // mails under one Message-ID
	GivenUp               // mails that were refused for good, which the operator knows of
	counts
)

// Tally is what came of a schedule.
type Tally [counts]int

func (t *Tally) add(o Tally) {
	for i, n := range o {
		t[i] += n
	}
}

// Bad counts what must not happen.
func (t Tally) Bad() int { return t[Lost] + t[Twice] + t[Wrong] + t[Missing] + t[Changed] }

// String says it in a line.
func (t Tally) String() string {
	return fmt.Sprintf("%d mails in %d copies; %d answers and %d reports arrived, %d of them again; %d connections cut, %d refusals, %d odd answers, %d deaths; "+
		"orders lost %d, processed twice %d, mails to the wrong player %d, mails lost %d, changed under one Message-ID %d; given up and told %d",
		t[Sent], t[Copies], t[Answers], t[Reports], t[Repeats], t[Cuts], t[Refusals], t[Odd], t[Deaths], t[Lost], t[Twice], t[Wrong], t[Missing], t[Changed], t[GivenUp])
}

// schedule is one schedule of faults.
type schedule struct {
	*Template
	ctx    context.Context
	random *rand.Rand
	folder string
	office *postoffice.Office
	clock  time.Time
	round  int
	// timeout is how long the umpire waits for an answer, by the real clock.
	timeout time.Duration

	mu      sync.Mutex
	tally   Tally
	calm    bool // no more faults
	dead    bool // the process: nothing it does counts until it is started again
	db      store.Store
	kill    context.CancelFunc
	arrived map[string][][]byte // by recipient
	box     [][]byte            // everything delivered to the umpire
	junk    map[int]bool
}

// cuttable is the umpire's end of a connection, which breaks after a number of
// bytes in either direction.
type cuttable struct {
	net.Conn
	w    *schedule
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
	c.w.tally[Cuts]++
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
func (w *schedule) die() {
	w.dead = true
	w.tally[Deaths]++
	os.Remove(w.path("at-death"))
	if _, err := w.db.(store.File).Copy(w.path("at-death")); err != nil {
		panic(err)
	}
	w.kill()
}

// now is the virtual clock.
func (w *schedule) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

func (w *schedule) path(name string) string { return filepath.Join(w.folder, name) }

// dial is how the umpire reaches the office.
func (w *schedule) dial(ctx context.Context, network, address string) (net.Conn, error) {
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
	w := &schedule{Template: t, ctx: ctx, random: rand.New(rand.NewPCG(seed, 7)), clock: t.start.Add(time.Hour), arrived: map[string][][]byte{}, junk: map[int]bool{}}
	if w.folder, err = ramdisk.Folder("schedule"); err != nil {
		return tally, err
	}
	defer os.RemoveAll(w.folder)
	db, err := os.ReadFile(filepath.Join(t.folder, bolt.Database))
	if err == nil {
		err = os.WriteFile(w.path(bolt.Database), db, 0o600)
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
	if w.office, err = postoffice.StartWith(t.users(), postoffice.Options{InMemory: true}); err != nil {
		return tally, err
	}
	defer w.office.Close()
	w.office.SetClock(w.now)
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
func letter(p world.Player, serial int, done bool) []byte {
	sheet := fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\n\nSTANDING\n", p.Game, p.Side, serial)
	if done {
		sheet += "DONE!\n"
	}
	m := world.Mail{From: p.Address, To: desk, Subject: fmt.Sprintf("orders %d", serial), ID: fmt.Sprintf("%d.%s.%s", serial, strings.ToLower(p.Side), p.Game)}
	return m.Plain(p.Sign(sheet))
}

// noise is mail that must have no effect and no answer.
func (w *schedule) noise(n int) []byte {
	kinds := []string{
		"From: a@mail.test\nAuto-Submitted: auto-replied (vacation)\nReturn-Path: <>\nSubject: away\n\nSTATUS\n",
		"From: nobody@elsewhere.test\nSubject: hello\n\nSTATUS\n",
		"From: MAILER-DAEMON@mail.test\nReturn-Path: <>\nSubject: undelivered\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; a@mail.test\nAction: failed\nStatus: 5.1.1\n\n--b--\n",
		"From: umpire@mail.test\nX-Fieldpost-Loop: mail\nSubject: loop\n\nSTATUS\n",
	}
	return []byte(world.CRLF(fmt.Sprintf("X-Number: %d\n%s", n, kinds[n%len(kinds)])))
}
