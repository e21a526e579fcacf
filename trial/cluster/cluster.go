// Package cluster plays games by mail under several daemons over one database with a standby, while all
// that can go wrong does: daemons are killed and stopped, primaries lost, connections cut. Then it looks
// whether anything was lost, doubled, misdirected or repeated with other bytes.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"fieldpost/store/postgres/server"
	"fieldpost/trial/ramdisk"
	"fieldpost/umpire"
)

// Options say what is played, and what happens to it.
type Options struct {
	Games, Daemons int
	Turns          int // that a game lasts at most; 0: to the verdict
	Faults         int
	// Pause is how long a daemon is stopped at most, at least a sixtieth of it.
	Pause time.Duration
	Seed  uint64
	// Daemon is the command line of a daemon; the path of its configuration is appended.
	Daemon []string
	// Progress is told how it goes; may be nil.
	Progress io.Writer
}

// Tally is what came of it.
type Tally struct {
	Rounds, Games, Sheets, Mails, Copies int // copies are mails that came again
	Archives                             int // of whole games, verified
	Faults                               map[string]int
	Wrong                                []string
	Took                                 time.Duration
}

// Happened is how many faults there were.
func (t *Tally) Happened() (n int) {
	for _, times := range t.Faults {
		n += times
	}
	return n
}

// String says it in lines.
func (t *Tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d games in %d rounds: %d sheets, %d mails and %d copies of those, %d archives verified, in %v\n%d faults:\n",
		t.Games, t.Rounds, t.Sheets, t.Mails, t.Copies, t.Archives, t.Took.Round(time.Second), t.Happened())
	for _, kind := range slices.Sorted(maps.Keys(t.Faults)) {
		fmt.Fprintf(&b, "%6d %s\n", t.Faults[kind], kind)
	}
	fmt.Fprintf(&b, "%d things wrong: lost, doubled, misdirected or repeated with other bytes", len(t.Wrong))
	for _, w := range t.Wrong[:min(20, len(t.Wrong))] {
		b.WriteString("\n  " + w)
	}
	return b.String()
}

// Play plays rounds of games until so many faults have happened. The error is of the trial itself.
func Play(ctx context.Context, o Options) (*Tally, error) {
	begun := time.Now()
	t := &Tally{Faults: map[string]int{}}
	for t.Happened() < o.Faults && len(t.Wrong) == 0 && ctx.Err() == nil {
		if err := o.round(ctx, t); err != nil {
			return t, fmt.Errorf("round %d: %w", t.Rounds+1, err)
		}
		t.Rounds++
		t.Took = time.Since(begun)
		o.tell("%v", t)
	}
	return t, ctx.Err()
}

func (o Options) tell(format string, args ...any) {
	if o.Progress != nil {
		fmt.Fprintf(o.Progress, format+"\n", args...)
	}
}

// patience is how long nothing may come from the daemons, when the faults are over, before the games are taken
// for stuck: longer than a mail waits that a server has not taken.
const patience = 3 * time.Minute

// round plays games in a database of their own to the end.
func (o Options) round(ctx context.Context, t *Tally) (err error) {
	folder, err := ramdisk.Folder("cluster")
	if err != nil {
		return err
	}
	defer func() {
		if err == nil && len(t.Wrong) == 0 {
			os.RemoveAll(folder) // otherwise it is to be looked at
		} else {
			o.tell("what the daemons said is in %s", folder)
		}
	}()
	pair, err := server.StartPair()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pair.Stop()) }()
	c := &club{Options: o, folder: folder, pair: pair, random: rand.New(rand.NewPCG(o.Seed, uint64(t.Rounds)))}
	if err := c.begin(t.Rounds); err != nil {
		return err
	}
	defer c.office.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d := c.startDaemons(ctx, stop)
	f := &faults{club: c, daemons: d, wanted: o.Faults - t.Happened(), happened: map[string]int{}}
	if err := f.run(ctx); err != nil {
		stop(err)
	}
	c.settle(ctx)
	cause := context.Cause(ctx)
	stop(nil)
	d.wait()
	for kind, n := range f.happened {
		t.Faults[kind] += n
	}
	if cause != nil {
		return cause
	}
	return c.judge(t)
}

// settle waits until every game is at its end and no mail is on its way.
func (c *club) settle(ctx context.Context) {
	came, since := 0, time.Now()
	for ; time.Since(since) < patience && ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		if c.ended() && c.queued(ctx) == 0 {
			return
		}
		if n := c.came(); n != came {
			came, since = n, time.Now()
		}
	}
}

// came counts the mails that players got.
func (c *club) came() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.mails)
}

// queued counts the mails that are on their way; 1 where that cannot be asked.
func (c *club) queued(ctx context.Context) (n int) {
	db, err := c.pair.Connect(ctx)
	if err != nil {
		return 1
	}
	defer db.Close(ctx)
	if db.QueryRow(ctx, `select count(*) from outgoing where state in ('queued', 'sending')`).Scan(&n) != nil {
		return 1
	}
	return n
}

// Serve is the daemon of a configuration, until it is told to end.
func Serve(config string, log io.Writer) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	c, err := umpire.ReadConfig(config)
	if err != nil {
		return err
	}
	u, err := umpire.Open(c, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		return err
	}
	defer u.DB.Close()
	return u.Run(ctx, c)
}
