package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Kind is what an event of a week is.
type Kind int

// The kinds: what players send, and what goes wrong.
const (
	Filed    Kind = iota // a sheet that is right, without DONE
	Finished             // a sheet with DONE!
	Doubted              // a sheet with DONE and a line that cannot be read
	Wrong                // a sheet with orders that the rules forbid
	Checked              // CHECK
	Stale                // a sheet of the turn before
	Again                // a serial that was used before
	Asked                // an unsigned STATUS
	Forged               // a sheet signed by somebody else
	Strange              // mail of a stranger

	DiskFull   // no room, until some is made
	ShortWrite // a write that stops in the middle
	WriteFails // the disk cannot write
	SyncFails  // the disk cannot say that it has written
	Crash      // the process dies at an operation of the disk
	Killed     // the process dies in between
	IMAPOut    // the mailbox cannot be reached
	IMAPOdd    // the IMAP server refuses or dies in the midst of a session
	SMTPOut    // the server that takes mail cannot be reached
	SMTPOdd    // it refuses or dies in the midst of a session
	Renumbered // the folder has new UIDs
	ClockSet   // the clock jumps, and is set right some hours later
	kinds

	firstFault = DiskFull
)

func (k Kind) String() string {
	return []string{"sheet", "finished sheet", "sheet in doubt", "illegal orders", "check", "stale sheet", "serial again", "unsigned request", "forged sheet", "stranger's mail",
		"disk full", "short write", "write failed", "sync failed", "crash", "kill", "IMAP out", "IMAP fault", "SMTP out", "SMTP fault", "folder renumbered", "clock set"}[k]
}

// signed tells that a player signs it, who must have one answer.
func (k Kind) signed() bool { return k <= Again }

// Event is something that happens in a week.
type Event struct {
	Kind  Kind
	At    time.Duration // since its beginning
	Long  time.Duration // of what lasts; of a mail how long it is on its way
	Seat  int           // of the player
	Times int           // copies of a mail; operations before a fault of the disk; how often a server fails
	How   manner        // of a server
	Verb  int           // of a session at which it fails
	Jump  time.Duration // of the clock
	Part  bool          // a full disk still takes what it had room for; after a failed sync the machine stops; a mail goes to the junk
}

func (e Event) String() string {
	return fmt.Sprintf("%s %v (long %v, seat %d, times %d, how %d, verb %d, jump %v, part %v)", e.At, e.Kind, e.Long, e.Seat, e.Times, e.How, e.Verb, e.Jump, e.Part)
}

// Plan is a week: what happens in it, in the order of time.
type Plan struct {
	Seed   uint64
	Events []Event
}

func (p Plan) String() string {
	var b strings.Builder
	for _, e := range p.Events {
		fmt.Fprintf(&b, "  %v\n", e)
	}
	return b.String()
}

const day = 24 * time.Hour

// week is how long the players write and servers fail.
const length = 7 * day

// NewPlan makes the week of a seed.
func NewPlan(seed uint64) Plan {
	r := rand.New(rand.NewPCG(seed, 21))
	p := Plan{Seed: seed}
	any := func(d time.Duration) time.Duration {
		return time.Duration(r.Int64N(int64(d/time.Second))) * time.Second
	}
	mails := []Kind{Filed, Filed, Filed, Finished, Finished, Finished, Finished, Finished, Finished, Doubted, Doubted, Wrong, Checked, Stale, Again, Asked, Forged, Strange}
	for range 4 + r.IntN(9) {
		e := Event{Kind: mails[r.IntN(len(mails))], At: any(length), Seat: r.IntN(seats), Times: 1, Part: r.IntN(8) == 0}
		if r.IntN(4) == 0 {
			e.Long = any(6 * time.Hour)
		}
		if r.IntN(4) == 0 {
			e.Times = 2
		}
		p.Events = append(p.Events, e)
	}
	for range r.IntN(7) {
		e := Event{Kind: firstFault + Kind(r.IntN(int(kinds-firstFault))), At: any(length), Times: r.IntN(4), Part: r.IntN(2) == 0}
		switch e.Kind {
		case DiskFull, IMAPOut, SMTPOut:
			if e.Long = any(4 * time.Hour); r.IntN(4) == 0 {
				e.Long = any(day)
			}
			e.Times = 0
		case ShortWrite, WriteFails, SyncFails, Crash:
			e.Times = r.IntN(40)
		case IMAPOdd:
			e.How, e.Verb, e.Long = manner(r.IntN(int(manners))), r.IntN(len(verbs[imapServer])), any(3*day)
		case SMTPOdd:
			e.How, e.Verb, e.Long = manner(r.IntN(int(manners))), r.IntN(len(verbs[smtpServer])), any(3*day)
		case ClockSet:
			e.Long = any(12 * time.Hour)
			e.Jump = []time.Duration{2 * time.Hour, -2 * time.Hour, 3 * day, -3 * day, 3650 * day, 30 * time.Minute}[r.IntN(6)]
		}
		e.Long = min(e.Long, length+recovery-e.At) // in the end all is well
		p.Events = append(p.Events, e)
	}
	slices.SortStableFunc(p.Events, func(a, b Event) int { return int(a.At - b.At) })
	return p
}

// without leaves some events out.
func (p Plan) without(from, n int) Plan {
	return Plan{p.Seed, slices.Delete(slices.Clone(p.Events), from, from+n)}
}

// shrink drops events as long as what is left still goes wrong.
func shrink(p Plan, bad func(Plan) bool) Plan {
	for n := max(1, len(p.Events)/2); n > 0; n /= 2 {
		for from := 0; from+n <= len(p.Events); {
			if less := p.without(from, n); bad(less) {
				p = less
				continue
			}
			from += n
		}
	}
	for i := range p.Events { // what is left is made plain
		for _, plain := range []func(*Event){
			func(e *Event) { e.Long = 0 }, func(e *Event) { e.Times = min(e.Times, 1) }, func(e *Event) { e.Part = false },
		} {
			less := Plan{p.Seed, slices.Clone(p.Events)}
			if plain(&less.Events[i]); less.Events[i] != p.Events[i] && bad(less) {
				p = less
			}
		}
	}
	return p
}
