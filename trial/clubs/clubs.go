// Package clubs serves many clubs by one daemon over a post office, and floods one of them: what
// it measures is how long the players of the others wait for their answers, and what it looks for
// is mail of one club in another.
package clubs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/hosting"
	"fieldpost/trial/ramdisk"
	"fieldpost/umpire"
)

// Options say what is played.
type Options struct {
	Clubs int
	// Quiet is how long the clubs play before one is flooded, and how long while it is.
	Quiet time.Duration
	// Every is how often each club gets a sheet that closes a turn; Rate how many of those the
	// flooded one gets in a second.
	Every time.Duration
	Rate  int
	Seed  uint64
	// Folder is where the stores are; "" is a folder in memory.
	Folder string
	// Daemon is the command of the daemon's process, the configuration its last word; nil: Serve
	// runs it in this process.
	Daemon []string
	Serve  func(ctx context.Context, config string) error
	// Progress is told how it goes; may be nil.
	Progress io.Writer
}

// Waits are how long players waited for the answers to their sheets.
type Waits struct {
	Sheets   int
	P50, P95 time.Duration
}

// Tally is what came of it.
type Tally struct {
	Before, During Waits // of the clubs that are not flooded
	Flood          Waits // of the flooded one
	Unanswered     int   // sheets of the clubs that are not flooded
	Crossed        []string
}

// String says it in lines.
func (t Tally) String() string {
	line := func(what string, w Waits) string {
		return fmt.Sprintf("%-32s %5d sheets, answered within p50 %v, p95 %v\n", what, w.Sheets, w.P50.Round(time.Millisecond), w.P95.Round(time.Millisecond))
	}
	s := line("nobody is flooded", t.Before) + line("one is flooded: the others", t.During) + line("one is flooded: that one", t.Flood)
	s += fmt.Sprintf("p95 of the others: %.2f of what it was; %d of their sheets without an answer; %d mails in a wrong club", float64(t.During.P95)/float64(max(1, t.Before.P95)), t.Unanswered, len(t.Crossed))
	for _, c := range t.Crossed[:min(20, len(t.Crossed))] {
		s += "\n  " + c
	}
	return s
}

// answersIn is how long answers are waited for at the end.
const answersIn = 30 * time.Second

// Play plays it. The error is of the trial itself.
func Play(ctx context.Context, o Options) (t Tally, err error) {
	if o.Folder == "" {
		if o.Folder, err = ramdisk.Folder("clubs"); err != nil {
			return t, err
		}
		defer os.RemoveAll(o.Folder)
	}
	h := newHouse(o)
	if h.office, err = postoffice.Start(h.users()); err != nil {
		return t, err
	}
	defer h.office.Close()
	h.office.OnDelivery(h.delivered)
	config, err := h.furnish()
	if err != nil {
		return t, err
	}
	end, err := o.begin(ctx, config)
	if err != nil {
		return t, err
	}
	h.warmUp(ctx)
	h.play(ctx, false)
	h.play(ctx, true)
	h.settle(ctx)
	err = errors.Join(ctx.Err(), end())
	return h.tally(), err
}

// begin begins the daemon; what it returns ends it.
func (o Options) begin(ctx context.Context, config string) (end func() error, err error) {
	if o.Daemon == nil {
		ctx, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- o.Serve(ctx, config) }()
		return func() error { stop(); return <-ended }, nil
	}
	cmd := exec.CommandContext(ctx, o.Daemon[0], append(slices.Clone(o.Daemon[1:]), config)...)
	cmd.Stderr = io.Discard
	if o.Progress != nil {
		cmd.Stdout = o.Progress
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() error {
		return errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait())
	}, nil
}

// Serve is the daemon: it serves the clubs of a configuration until ctx ends, with so many places for
// heavy work.
func Serve(ctx context.Context, config string, places int) error {
	file, err := umpire.ReadFile(config)
	if err == nil {
		err = file.Fault()
	}
	if err != nil {
		return err
	}
	h := hosting.House{Read: func() (*umpire.File, error) { return umpire.ReadFile(config) }, Log: slog.New(slog.DiscardHandler), Places: places}
	h.Serve(ctx, file)
	return nil
}
