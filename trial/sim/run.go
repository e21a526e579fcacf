// Package sim plays weeks of the daemon in one process: clock, disk, IMAP and SMTP are
// simulated, and all that happens follows from a seed. Disks fill, tear writes and forget what
// they did not sync; servers refuse and die in every state of a session; the process dies
// at any operation; the clock jumps; mails come late, twice and among the junk. After each step it
// looks whether anything was lost, doubled, misdirected, early or late, and whether status
// tells of what is wrong. A week that goes wrong is made as short as it still goes wrong.
package sim

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fieldpost/demo/world"
	"fieldpost/orders/seal"
	"fieldpost/playtest"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/trial"
	"fieldpost/umpire/match"
)

const (
	desk     = "umpire@mail.test"
	seats    = 4
	scenario = "lipowka" // the example of the guide to scenarios: as small as one can be
	grace    = time.Hour
)

// Template is two games that have begun: one with deadlines, and one that waits for its
// players alone. Every week begins with a copy of it.
type Template struct {
	folder       string // the weeks have theirs in it
	inUse        *os.File
	roomFor      uint64 // how much must be free for a week; 0 is roomNeeded
	library      *match.Library
	database     []byte
	key          seal.PrivateKey
	seats        []world.Player
	timed, free0 string
	start        time.Time
}

//go:embed field
var field embed.FS

// NewTemplate makes the games in a folder of its own; Close removes it.
func NewTemplate() (*Template, error) {
	folder, inUse, err := ownFolder()
	if err != nil {
		return nil, err
	}
	t := &Template{folder: folder, inUse: inUse, start: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	if err := t.make(); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// make makes the games.
func (t *Template) make() error {
	err := os.CopyFS(t.folder, field)
	if err == nil {
		t.library, err = match.NewLibrary(filepath.Join(t.folder, "field"))
	}
	if err != nil {
		return err
	}
	o := t.options(func() time.Time { return t.start })
	o.Random = rand.NewChaCha8([32]byte{21})
	w, err := world.Open(t.folder, o)
	if err != nil {
		return err
	}
	t.key = w.Umpire.Key
	n := -1
	for _, options := range []map[string]string{
		{"deadline": "68h", "late": "standing", "grace": "1h", "remind": "8h", "undo": "15m"},
		{"undo": "0"},
	} {
		g, seats, err := w.Begin(scenario, options, func(string) (string, string) {
			n++
			return "", fmt.Sprintf("player%d@mail.test", n)
		})
		if err != nil {
			return errors.Join(err, w.Close())
		}
		t.seats = append(t.seats, seats...)
		if t.free0 = g.ID; t.timed == "" {
			t.timed = g.ID
		}
	}
	if _, err = w.Post(); err == nil {
		_, _, err = w.Umpire.DB.(store.File).Compact()
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	t.database, err = os.ReadFile(filepath.Join(t.folder, bolt.Database))
	return err
}

// Close removes the template.
func (t *Template) Close() error { return errors.Join(os.RemoveAll(t.folder), t.inUse.Close()) }

func (t *Template) options(now func() time.Time) world.Options {
	return world.Options{Library: t.library, Address: desk, Instance: "sim", Key: t.key, Now: now, Draw: func(string, string) bool { return false }}
}

// lay copies the template into a folder. Files of mails are never altered, so that links do.
func (t *Template) lay(folder string) error {
	if err := os.WriteFile(filepath.Join(folder, bolt.Database), t.database, 0o600); err != nil {
		return err
	}
	for _, sub := range []string{"mails", "spool"} {
		if err := os.Mkdir(filepath.Join(folder, sub), 0o700); err != nil {
			return err
		}
		files, err := os.ReadDir(filepath.Join(t.folder, sub))
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := os.Link(filepath.Join(t.folder, sub, f.Name()), filepath.Join(folder, sub, f.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Tally is what came of weeks.
type Tally struct {
	Mails, Answers, Arrived          int
	Plays, Deadlines, Alarms, Deaths int
	Steps, Unsent                    int
	Faults                           [kinds]int
}

func (t *Tally) add(o *Tally) {
	t.Mails += o.Mails
	t.Answers += o.Answers
	t.Arrived += o.Arrived
	t.Plays += o.Plays
	t.Deadlines += o.Deadlines
	t.Alarms += o.Alarms
	t.Deaths += o.Deaths
	t.Steps += o.Steps
	t.Unsent += o.Unsent
	for k, n := range o.Faults {
		t.Faults[k] += n
	}
}

// String says it in a line.
func (t *Tally) String() string {
	var faults []string
	for k := firstFault; k < kinds; k++ {
		faults = append(faults, fmt.Sprintf("%v %d", k, t.Faults[k]))
	}
	return fmt.Sprintf("%d mails of players, %d answers, %d mails arrived; %d phases played on, %d deadlines passed, %d alarms looked for and seen, %d starts after a death, %d steps; faults: %s",
		t.Mails, t.Answers, t.Arrived, t.Plays, t.Deadlines, t.Alarms, t.Deaths, t.Steps, strings.Join(faults, ", "))
}

// Run plays Count weeks with the seeds from Seed on, and says what came of them. The error
// names the seed of a week that went wrong, and what of it is needed for that.
func Run(ctx context.Context, of *trial.Trial) error {
	t, err := NewTemplate()
	if err != nil {
		return err
	}
	defer t.Close()
	began := time.Now()
	var lock sync.Mutex
	var all Tally
	var faults []error
	played := 0
	err = playtest.Parallel(ctx, of.Count, func(ctx context.Context, i int) error {
		var tally Tally
		err := t.Week(ctx, uint64(of.Seed+i), &tally)
		if ctx.Err() != nil {
			return ctx.Err() // a week that is cut short says nothing
		}
		lock.Lock()
		defer lock.Unlock()
		if errors.Is(err, errNoRoom) {
			return err
		}
		if err != nil {
			fmt.Fprintln(of.Progress, err)
			if faults = append(faults, err); len(faults) >= 10 {
				return errors.New("that is enough")
			}
		}
		all.add(&tally)
		if played++; played%1000 == 0 {
			fmt.Fprintf(of.Progress, "%d of %d weeks\n", played, of.Count)
		}
		return nil
	})
	fmt.Fprintf(of.Out, "%d weeks in %v: %v; violations %d\n", played, time.Since(began).Round(time.Second), &all, len(faults))
	return errors.Join(append(faults, err)...)
}

// Week plays the week of a seed. What goes wrong is made short.
func (t *Template) Week(ctx context.Context, seed uint64, tally *Tally) error {
	plan := NewPlan(seed)
	err := t.Play(ctx, plan, tally)
	if err == nil || ctx.Err() != nil || errors.Is(err, errNoRoom) {
		return err
	}
	kind := kindOf(err)
	short := shrink(plan, func(p Plan) bool { return kindOf(t.Play(ctx, p, &Tally{})) == kind })
	if again := t.Play(ctx, short, &Tally{}); again != nil {
		return fmt.Errorf("seed %d: %w\nin short: %w\n%v", seed, err, again, short)
	}
	return fmt.Errorf("seed %d: %w\n(a second time it went well)\n%v", seed, err, plan)
}

// kindOf is what sort of violation an error is, "" for none.
func kindOf(err error) string {
	var v violation
	errors.As(err, &v)
	return v.kind
}
