// Package clubsoak plays the year of a club: many games with deadlines at once,
// staff officers for players, under a virtual clock in zones that change theirs
// for the summer. Players think, are late, go on vacation, send nothing at all,
// are replaced; a moderator looks at the status every morning and mends what it
// names, and now and then pauses a game or sets one back. Apart from the umpire it
// keeps its own books of every deadline, and counts those that were missed or
// came too early.
package clubsoak

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire"
)

// Options say what is played.
type Options struct {
	Shelf *umpire.Shelf
	Small string // the scenario of most games
	Full  string // that of every twentieth; "" for none
	Games int    // live at once: one that ends makes room for the next
	Days  int    // of the virtual clock
	Seed  uint64
	// Progress is told of every month; may be nil.
	Progress io.Writer
}

// Tally is what came of it.
type Tally struct {
	Games, Finished, Waiting            int // begun; of these over; of these waiting for what the status names
	Sheets, Reminders, Passed, Mails    int // orders filed, reminders, deadlines that passed, mails written
	Away, Absent, Replaced, Rolled      int
	Paused, Forced, Extended            int
	Missed, Early, Nameless, Unexpected int // what must be none
	Faults                              []string
	Elapsed                             time.Duration
	Heap, Peak                          uint64 // bytes: in use at the end; the most that was resident
}

// Bad counts what must not happen.
func (t Tally) Bad() int { return t.Missed + t.Early + t.Nameless + t.Unexpected }

// String says it in lines.
func (t Tally) String() string {
	s := fmt.Sprintf("%d games, %d played to the end, %d wait for a reason that the status names, %d for none\n", t.Games, t.Finished, t.Waiting, t.Nameless)
	s += fmt.Sprintf("%d sheets, %d mails, %d reminders, %d deadlines passed: %d missed, %d early\n", t.Sheets, t.Mails, t.Reminders, t.Passed, t.Missed, t.Early)
	s += fmt.Sprintf("%d vacations, %d turns without orders, %d players replaced, %d rollbacks, %d pauses, %d extensions, %d forced; %d unexpected answers\n",
		t.Away, t.Absent, t.Replaced, t.Rolled, t.Paused, t.Extended, t.Forced, t.Unexpected)
	s += fmt.Sprintf("%v; heap %d MiB at the end, at most %d MiB resident, players and all", t.Elapsed.Round(time.Second), t.Heap>>20, t.Peak>>20)
	for _, f := range t.Faults {
		s += "\n  " + f
	}
	return s
}

const desk = "umpire@club.test"

// club is a running year.
type club struct {
	Options
	ctx    context.Context
	u      *umpire.Umpire
	random *rand.Rand
	keys   *rand.ChaCha8
	start  time.Time
	now    time.Time
	plan   plan
	tables map[string]*table
	tally  Tally
	next   time.Time // when the umpire wants to be called
	sheets int
}

// event is something that happens at a time.
type event struct {
	at   time.Time
	turn int // the order of making decides between equal times
	do   func() error
}

type plan []event

func (p plan) Len() int { return len(p) }
func (p plan) Less(i, j int) bool {
	if !p[i].at.Equal(p[j].at) {
		return p[i].at.Before(p[j].at)
	}
	return p[i].turn < p[j].turn
}
func (p plan) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *plan) Push(x any)   { *p = append(*p, x.(event)) }
func (p *plan) Pop() any {
	old := *p
	e := old[len(old)-1]
	*p = old[:len(old)-1]
	return e
}

func (c *club) at(t time.Time, do func() error) {
	c.sheets++
	heap.Push(&c.plan, event{t, c.sheets, do})
}

func (c *club) hours(from, to int) time.Duration {
	return time.Duration(from*60+c.random.IntN((to-from)*60)) * time.Minute
}

func (c *club) chance(percent int) bool { return c.random.IntN(100) < percent }

func (c *club) fault(n *int, format string, a ...any) {
	*n++
	if len(c.tally.Faults) < 20 {
		c.tally.Faults = append(c.tally.Faults, c.now.Format("2006-01-02 15:04 ")+fmt.Sprintf(format, a...))
	}
}

// Play plays the year. The error is of the trial itself; what the umpire did
// wrong is in the Tally.
func Play(ctx context.Context, o Options) (Tally, error) {
	begun := time.Now()
	parent := "/dev/shm" // the disk is not what is tried here
	if _, err := os.Stat(parent); err != nil {
		parent = ""
	}
	folder, err := os.MkdirTemp(parent, "clubsoak")
	if err != nil {
		return Tally{}, err
	}
	defer os.RemoveAll(folder)
	db, err := store.Open(filepath.Join(folder, "fieldpost.db"), store.Options{})
	if err != nil {
		return Tally{}, err
	}
	defer db.Close()
	start := time.Date(2026, 2, 16, 9, 0, 0, 0, time.UTC) // six weeks before the clocks change
	seed := [32]byte{byte(o.Seed), byte(o.Seed >> 8), 77}
	c := &club{Options: o, ctx: ctx, random: rand.New(rand.NewPCG(o.Seed, 5)), keys: rand.NewChaCha8(seed), start: start, now: start, tables: map[string]*table{}}
	key, err := seal.GenerateKey(c.keys)
	if err != nil {
		return Tally{}, err
	}
	c.u = &umpire.Umpire{DB: db, Address: desk, Name: "Fieldpost", Instance: "club", Key: key, Shelf: o.Shelf,
		Now: func() time.Time { return c.now }, Log: slog.New(slog.DiscardHandler),
		Draw: func(string, string) bool { return c.random.IntN(100) == 0 }}
	for n := range o.Games {
		c.at(start.Add(time.Duration(n)*13*time.Minute), c.open)
	}
	c.at(start.Add(24*time.Hour), c.morning)
	if err := c.run(); err != nil {
		return c.tally, err
	}
	err = c.count()
	c.tally.Elapsed = time.Since(begun)
	c.tally.Heap, c.tally.Peak = memory()
	return c.tally, err
}

// run lets the year pass: the next event of the plan, or the umpire's own.
func (c *club) run() error {
	end := c.start.AddDate(0, 0, c.Days)
	for c.ctx.Err() == nil {
		at, own := end, false
		if len(c.plan) > 0 && c.plan[0].at.Before(at) {
			at = c.plan[0].at
		}
		if !c.next.IsZero() && !c.next.After(at) {
			at, own = c.next, true
		}
		if !at.Before(end) {
			c.now = end
			return nil
		}
		if at.After(c.now) {
			if c.Progress != nil && at.Month() != c.now.Month() {
				fmt.Fprintf(c.Progress, "%s: %d games, %d over, %d sheets\n", at.Format("January 2006"), c.tally.Games, c.tally.Finished, c.tally.Sheets)
			}
			c.now = at
		}
		if !own {
			if err := heap.Pop(&c.plan).(event).do(); err != nil {
				return err
			}
		}
		if err := c.tick(); err != nil {
			return err
		}
	}
	return c.ctx.Err()
}

// tick is the daemon's look at the clock, and at the mailbox just before.
func (c *club) tick() error {
	if c.next.IsZero() || c.next.After(c.now) {
		c.next = c.u.Tick(c.now)
		if c.next.After(c.now) || c.next.IsZero() {
			return nil
		}
	}
	for range 10 {
		due := c.due()
		before := make([]table, len(due))
		for i, t := range due {
			before[i] = *t
		}
		c.next = c.u.Tick(c.now)
		for i, t := range due {
			if err := c.refresh(t); err != nil {
				return err
			}
			c.watch(before[i], t)
		}
		if c.next.IsZero() || c.next.After(c.now) {
			return nil
		}
	}
	return errors.New("the clock does not come to rest")
}

// post hands a mail to the umpire.
func (c *club) post(from, text string) error {
	c.sheets++
	head := fmt.Sprintf("From: %s\nTo: %s\nSubject: orders\nMessage-ID: <%d@club.test>\nContent-Type: text/plain; charset=utf-8\n\n", from, desk, c.sheets)
	raw := []byte(strings.ReplaceAll(head+text, "\n", "\r\n"))
	return c.u.Receive(c.ctx, mailbox.Raw{Bytes: raw, Size: int64(len(raw)), InternalDate: c.now})
}

// send empties the outbox: the post works. What comes of it is counted.
func (c *club) send() error {
	queue, err := c.u.DB.Queue(c.now, 0)
	for _, m := range queue {
		if _, err := c.u.DB.MarkSending(m.ID, c.now); err != nil {
			return err
		}
		if err := c.u.DB.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: c.now}); err != nil {
			return err
		}
		c.tally.Mails++
		if m.Kind == "reminder" {
			c.tally.Reminders++
		}
	}
	return err
}

// count looks at every game once more: it is over, or the status names why not.
func (c *club) count() error {
	s, err := c.u.Status()
	if err != nil {
		return err
	}
	for _, g := range s.Games {
		switch {
		case g.State == store.StatusFinished:
		case g.Why == "" || g.Rank == umpire.RankStopped:
			c.fault(&c.tally.Nameless, "game %s is %s: %q", g.ID, g.State, g.Why)
		default:
			c.tally.Waiting++
		}
	}
	for _, err := range c.u.DB.Check() {
		c.fault(&c.tally.Unexpected, "the store: %v", err)
	}
	if _, err := c.u.Audit(""); err != nil {
		c.fault(&c.tally.Unexpected, "the audit log: %v", err)
	}
	return nil
}

// memory is the heap in use and the most that was resident, 0 where that is not told.
func memory() (inUse, peak uint64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	text, err := os.ReadFile("/proc/self/status")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				var kib uint64
				fmt.Sscanf(strings.TrimSpace(rest), "%d", &kib)
				peak = kib << 10
			}
		}
	}
	return m.HeapInuse, peak
}
