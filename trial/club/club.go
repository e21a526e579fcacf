// Package club plays the year of a club: many games with deadlines at once,
// staff officers for players, under a virtual clock in zones that change theirs
// for the summer. Players think, are late, go on vacation, send nothing at all,
// are replaced; a moderator looks at the status every morning and mends what it
// names, and now and then pauses a game or sets one back. Apart from the umpire it
// keeps its own books of every deadline, and counts those that were missed or
// came too early.
package club

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"time"

	"fieldpost/demo/world"
	"fieldpost/store"
	"fieldpost/umpire/club"
	"fieldpost/umpire/match"
)

// Options say what is played.
type Options struct {
	Library *match.Library
	Small   string // the scenario of most games
	Full    string // that of every twentieth; "" for none
	Games   int    // live at once: one that ends makes room for the next
	Days    int    // of the virtual clock
	Seed    uint64
	Data    string // the folder in which the club stays; "" for one in memory
	// Daemon is the command of the daemon's process; nil: it runs in this one.
	Daemon []string
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
	Heap, Own, Peak                     uint64        // of the daemon's process, bytes: in use at the end; the most of its own on any morning; the most that was resident, pages of the database included
	Processor                           time.Duration // that the daemon's process took
	Whole, Day                          int64         // bytes of the first backup, and of one a day later in the same folder
	DayTook                             time.Duration // to make that one
}

// Bad counts what must not happen.
func (t Tally) Bad() int { return t.Missed + t.Early + t.Nameless + t.Unexpected }

// String says it in lines.
func (t Tally) String() string {
	s := fmt.Sprintf("%d games, %d played to the end, %d wait for a reason that the status names, %d for none\n", t.Games, t.Finished, t.Waiting, t.Nameless)
	s += fmt.Sprintf("%d sheets, %d mails, %d reminders, %d deadlines passed: %d missed, %d early\n", t.Sheets, t.Mails, t.Reminders, t.Passed, t.Missed, t.Early)
	s += fmt.Sprintf("%d vacations, %d turns without orders, %d players replaced, %d rollbacks, %d pauses, %d extensions, %d forced; %d unexpected answers\n",
		t.Away, t.Absent, t.Replaced, t.Rolled, t.Paused, t.Extended, t.Forced, t.Unexpected)
	s += fmt.Sprintf("%v; heap %d MiB at the end, at most %d MiB of its own, %d resident with the pages of the database; %v of the daemon's processor", t.Elapsed.Round(time.Second), t.Heap>>20, t.Own>>20, t.Peak>>20, t.Processor.Round(time.Second))
	if t.Day > 0 {
		s += fmt.Sprintf("\na backup of %d bytes, and one a day later of %d, %.1f %% of it, in %v", t.Whole, t.Day, 100*float64(t.Day)/float64(t.Whole), t.DayTook.Round(time.Millisecond))
	}
	for _, f := range t.Faults {
		s += "\n  " + f
	}
	return s
}

const desk = "umpire@club.test"

// year is a running year.
type year struct {
	Options
	ctx    context.Context
	daemon asker
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

func (c *year) at(t time.Time, do func() error) {
	c.sheets++
	heap.Push(&c.plan, event{t, c.sheets, do})
}

func (c *year) hours(from, to int) time.Duration {
	return time.Duration(from*60+c.random.IntN((to-from)*60)) * time.Minute
}

func (c *year) chance(percent int) bool { return c.random.IntN(100) < percent }

func (c *year) fault(n *int, format string, a ...any) {
	*n++
	if len(c.tally.Faults) < 20 {
		c.tally.Faults = append(c.tally.Faults, c.now.Format("2006-01-02 15:04 ")+fmt.Sprintf(format, a...))
	}
}

// Play plays the year. The error is of the trial itself; what the umpire did
// wrong is in the Tally.
func Play(ctx context.Context, o Options) (Tally, error) {
	begun := time.Now()
	begin := func() (asker, func() error, error) { return within(o) }
	if o.Daemon != nil {
		begin = func() (asker, func() error, error) { return child(ctx, o.Daemon) }
	}
	ask, end, err := begin()
	if err != nil {
		return Tally{}, err
	}
	defer func() { _ = end() }()
	t, err := play(ctx, o, ask)
	t.Elapsed = time.Since(begun)
	return t, err
}

// play plays the year by a daemon.
func play(ctx context.Context, o Options, ask asker) (Tally, error) {
	start := time.Date(2026, 2, 16, 9, 0, 0, 0, time.UTC) // six weeks before the clocks change
	seed := [32]byte{byte(o.Seed), byte(o.Seed >> 8), 78}
	c := &year{Options: o, ctx: ctx, daemon: ask, random: rand.New(rand.NewPCG(o.Seed, 5)), keys: rand.NewChaCha8(seed), start: start, now: start, tables: map[string]*table{}}
	for n := range o.Games {
		c.at(start.Add(time.Duration(n)*13*time.Minute), c.open)
	}
	c.at(start.Add(24*time.Hour), c.morning)
	if o.Days > 1 {
		end := start.AddDate(0, 0, o.Days)
		c.at(end.Add(-25*time.Hour), c.backUp)
		c.at(end.Add(-time.Hour), c.backUp)
	}
	if err := c.run(); err != nil {
		return c.tally, err
	}
	return c.tally, c.count()
}

// backUp makes a backup: the first of all, then of what a day has brought.
func (c *year) backUp() error {
	r, err := c.ask(Request{Verb: "backup"})
	if err != nil {
		return err
	}
	if c.tally.Whole == 0 {
		c.tally.Whole = r.Backup.NewBytes
		return nil
	}
	c.tally.Day, c.tally.DayTook = r.Backup.NewBytes, r.Took
	return nil
}

// run lets the year pass: the next event of the plan, or the umpire's own.
func (c *year) run() error {
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
			if c.Progress != nil && at.UTC().Month() != c.now.UTC().Month() {
				fmt.Fprintf(c.Progress, "%s: %d games, %d over, %d sheets\n", at.UTC().Format("January 2006"), c.tally.Games, c.tally.Finished, c.tally.Sheets)
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
func (c *year) tick() error {
	if c.next.IsZero() || c.next.After(c.now) {
		if err := c.strike(); err != nil {
			return err
		}
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
		if err := c.strike(); err != nil {
			return err
		}
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

// ask asks the daemon something at this moment.
func (c *year) ask(q Request) (Reply, error) {
	q.Now = c.now
	return c.daemon(q)
}

// strike lets the daemon look at the clock.
func (c *year) strike() error {
	r, err := c.ask(Request{Verb: "tick"})
	c.next = r.Next
	return err
}

// post hands a mail to the umpire.
func (c *year) post(from, text string) error {
	c.sheets++
	raw := world.Mail{From: from, To: desk, Subject: "orders", ID: strconv.Itoa(c.sheets)}.Plain(text)
	_, err := c.ask(Request{Verb: "mail", Raw: raw})
	return err
}

// count looks at every game once more: it is over, or the status names why not.
func (c *year) count() error {
	r, err := c.ask(Request{Verb: "status"})
	if err != nil {
		return err
	}
	for _, g := range r.Status.Games {
		switch {
		case g.State == store.StatusFinished:
		case g.Why == "" || g.Rank == club.RankStopped:
			c.fault(&c.tally.Nameless, "game %s is %s: %q", g.ID, g.State, g.Why)
		default:
			c.tally.Waiting++
		}
	}
	if r, err = c.ask(Request{Verb: "check"}); err != nil {
		return err
	}
	for _, f := range r.Faults {
		c.fault(&c.tally.Unexpected, "%s", f)
	}
	c.tally.Heap, c.tally.Own, c.tally.Peak, c.tally.Processor = r.Heap, max(c.tally.Own, r.Own), r.Peak, r.Processor
	return nil
}
