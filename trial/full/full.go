// Package full fills the disk under a running daemon, again and again, while players write:
// nothing of theirs may be lost, and status says within a minute what is wrong. Each daemon
// has a small disk of its own in memory, which only an administrator can make.
package full

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/demo/world"
	"fieldpost/trial"
	"fieldpost/umpire"
	"fieldpost/umpire/post"
	"fieldpost/umpire/records"
)

const (
	desk   = "umpire@mail.test"
	secret = "secret"
	room   = "6m" // of a disk
	// perDaemon is how often the disk of one daemon is filled: a player has so many answers a day.
	perDaemon = 10
	patience  = time.Minute
)

// ErrNoDisk says that this machine, or this user, can make no small disk.
var ErrNoDisk = errors.New("no small disk can be mounted here")

// Disk is a small disk.
type Disk struct{ Folder string }

// Mount makes a disk.
func Mount() (*Disk, error) {
	folder, err := os.MkdirTemp("", "fieldpost-disk")
	if err != nil {
		return nil, err
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+room+",mode=700", "fieldpost", folder).CombinedOutput(); err != nil {
		os.Remove(folder)
		return nil, fmt.Errorf("%w: %w: %s", ErrNoDisk, err, bytes.TrimSpace(out))
	}
	return &Disk{folder}, nil
}

// Close takes the disk away.
func (d *Disk) Close() error {
	return errors.Join(exec.Command("umount", "-l", d.Folder).Run(), os.Remove(d.Folder))
}

func (d *Disk) ballast() string { return filepath.Join(d.Folder, "ballast") }

// Fill leaves no room.
func (d *Disk) Fill() error {
	f, err := os.Create(d.ballast())
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		if _, err := f.Write(make([]byte, 4096)); errors.Is(err, syscall.ENOSPC) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Empty makes room again.
func (d *Disk) Empty() error { return os.Remove(d.ballast()) }

// Tally is what came of it.
type Tally struct {
	Fills, Sheets, Lost, Twice int
	Silent                     int           // fills of which status said nothing in time
	Longest, LongestBack       time.Duration // until status said so, and until all was answered
}

func (t *Tally) add(o Tally) {
	t.Fills += o.Fills
	t.Sheets += o.Sheets
	t.Lost += o.Lost
	t.Twice += o.Twice
	t.Silent += o.Silent
	t.Longest, t.LongestBack = max(t.Longest, o.Longest), max(t.LongestBack, o.LongestBack)
}

// String says it in a line.
func (t Tally) String() string {
	return fmt.Sprintf("%d fills, %d sheets filed meanwhile: lost %d, answered twice %d; status said nothing within a minute of %d, it took %v at most; all was answered %v after there was room, at most",
		t.Fills, t.Sheets, t.Lost, t.Twice, t.Silent, t.Longest.Round(time.Second), t.LongestBack.Round(time.Second))
}

// Run fills the disks of running daemons Count times.
func Run(ctx context.Context, of *trial.Trial) error {
	var lock sync.Mutex
	var all Tally
	daemons := (of.Count + perDaemon - 1) / perDaemon
	var running sync.WaitGroup
	faults := make([]error, daemons)
	for i := range daemons {
		running.Go(func() {
			tally, err := fills(ctx, min(perDaemon, of.Count-i*perDaemon), of.Progress)
			lock.Lock()
			defer lock.Unlock()
			faults[i] = err
			all.add(tally)
		})
	}
	running.Wait()
	fmt.Fprintln(of.Out, all)
	if err := errors.Join(faults...); err != nil {
		return err
	}
	if all.Lost+all.Twice+all.Silent > 0 {
		return errors.New("a full disk did harm")
	}
	return nil
}

// daemon is one that runs, with two players.
type daemon struct {
	disk   *Disk
	u      *umpire.Umpire
	office *postoffice.Office
	seats  []world.Player
	sheets int

	mu      sync.Mutex
	answers map[string][]string // Message-IDs of the answers to a letter
}

// fills has a daemon run and fills its disk so many times.
func fills(ctx context.Context, times int, progress io.Writer) (tally Tally, err error) {
	disk, err := Mount()
	if err != nil {
		return tally, err
	}
	defer func() { err = errors.Join(err, disk.Close()) }()
	d := &daemon{disk: disk, answers: map[string][]string{}}
	config, err := d.begin()
	if err != nil {
		return tally, err
	}
	defer d.office.Close()
	defer d.u.DB.Close()
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- d.u.Run(ctx, config) }()
	defer func() {
		stop()
		err = errors.Join(err, <-ended)
	}()
	for range times {
		if err := d.fill(&tally); err != nil {
			return tally, err
		}
		fmt.Fprintln(progress, tally)
	}
	for _, bad := range records.Check(d.u.DB) {
		return tally, fmt.Errorf("the store is not in order: %w", bad)
	}
	return tally, nil
}

// begin makes the configuration, the mail server, and a game.
func (d *daemon) begin() (*umpire.Config, error) {
	var err error
	users := map[string]string{desk: secret, "a@mail.test": secret, "b@mail.test": secret}
	if d.office, err = postoffice.Start(users); err != nil {
		return nil, err
	}
	d.office.OnDelivery(d.delivered)
	imap, smtp := address(d.office.IMAPAddr()), address(d.office.SMTPAddr())
	text := fmt.Sprintf("data = \"data\"\n[mail]\naddress = %q\n[mail.imap]\n%stls = \"none\"\nuser = %q\npassword = %q\npoll = \"1s\"\n[mail.smtp]\n%stls = \"none\"\nuser = %q\npassword = %q\n",
		desk, imap, desk, secret, smtp, desk, secret)
	path := filepath.Join(d.disk.Folder, "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, err
	}
	config, err := umpire.ReadConfig(path)
	if err != nil {
		return nil, err
	}
	if d.u, err = umpire.Open(config, slog.New(slog.DiscardHandler)); err != nil {
		return nil, err
	}
	d.u.Draw = func(string, string) bool { return false }
	n := 0
	w := &world.World{Umpire: d.u, Random: rand.Reader}
	_, d.seats, err = w.Begin("prokhorovka", nil, func(string) (string, string) {
		n++
		return "", fmt.Sprintf("%c@mail.test", 'a'+n-1)
	})
	return config, err
}

func address(hostPort string) string {
	host, port, _ := strings.Cut(hostPort, ":")
	return fmt.Sprintf("host = %q\nport = %s\n", host, port)
}

// delivered notes an answer.
func (d *daemon) delivered(_, _ string, raw []byte) {
	to, id := field(raw, "In-Reply-To"), field(raw, "Message-ID")
	d.mu.Lock()
	defer d.mu.Unlock()
	if to != "" && !slices.Contains(d.answers[to], id) {
		d.answers[to] = append(d.answers[to], id)
	}
}

// field is a field of a mail's head.
func field(raw []byte, name string) string {
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if k, v, _ := strings.Cut(line, ": "); strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// sheet is the next mail of a player, with its Message-ID.
func (d *daemon) sheet() (id string, raw []byte) {
	d.sheets++
	return Sheet(d.seats, d.sheets)
}

// Sheet is a mail of the players, who write in turn, with its Message-ID.
func Sheet(seats []world.Player, serial int) (id string, raw []byte) {
	s := seats[serial%len(seats)]
	m := world.Mail{From: s.Address, To: desk, Subject: "orders", ID: fmt.Sprintf("sheet%d", serial)}
	sheet := fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\n\nSTANDING\n", s.Game, s.Side, serial)
	return fmt.Sprintf("<%s@mail.test>", m.ID), m.Plain(s.Sign(sheet))
}

// fill fills the disk, has players write before, when and after status has said so, and
// makes room again.
func (d *daemon) fill(tally *Tally) error {
	tally.Fills++
	if err := d.disk.Fill(); err != nil {
		return err
	}
	begun := time.Now()
	var letters []string
	writes := func() error {
		id, raw := d.sheet()
		letters = append(letters, id)
		tally.Sheets++
		return d.office.Deliver(desk, raw)
	}
	err := writes()
	complains := func() bool {
		st, err := d.u.Status()
		return err == nil && slices.ContainsFunc(st.Troubles, func(t post.Trouble) bool { return t.Of == post.Keeping })
	}
	if !within(patience, complains) {
		tally.Silent++
	}
	tally.Longest = max(tally.Longest, time.Since(begun))
	err = errors.Join(err, writes(), d.disk.Empty())
	begun = time.Now()
	within(2*patience, func() bool { return !complains() && d.unanswered(letters) == 0 })
	tally.LongestBack = max(tally.LongestBack, time.Since(begun))
	tally.Lost += d.unanswered(letters)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range letters {
		if len(d.answers[id]) > 1 {
			tally.Twice++
		}
	}
	return err
}

// unanswered counts the letters without an answer.
func (d *daemon) unanswered(letters []string) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range letters {
		if len(d.answers[id]) == 0 {
			n++
		}
	}
	return n
}

// within waits until something is so, and tells whether it came to be in time.
func within(d time.Duration, so func() bool) bool {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if so() {
			return true
		}
	}
	return so()
}
