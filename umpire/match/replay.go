package match

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/dice/vrf"
	"fieldpost/store"
)

// Replayed is what repeating a game came to.
type Replayed struct {
	Game, Status string
	Phases       int // repeated, the set-up among them
	Rolls        int // random events in them
	Proved       int // of these, made again with the key of the dice
	// Earlier phases were decided by another version before a migration, and are
	// not repeated.
	Earlier int
	// Wrong lists in words everything that came out otherwise.
	Wrong []string
}

// Recording is a game as it went: what a repeat is compared with.
type Recording struct {
	Rules  adjudicator.Game // that it is repeated by
	Phases []store.Phase    // the set-up first; snapshots are not needed
	Open   *store.OpenPhase
	// Migrated is the position after the last migration, if there was one: the
	// Repeat begins there.
	Migrated []byte
	// Inputs, if set, gives a phase what it is run on instead of its journal,
	// which the run must then write again.
	Inputs func(p store.Phase, journal []adjudicator.Entry) ([]adjudicator.Entry, adjudicator.Dice, adjudicator.Answerer)
	// Told, if set, is handed what every phase that was found right tells.
	Told func(p store.Phase, events []ProvedEvent)
	// kept holds the positions after the phases, by number, to which the game was
	// set back later; those are known from the start.
	kept map[uint64][]byte
}

// RecordingOf reads from the store how a game went.
func (gs *Games) RecordingOf(id string) (store.Game, Recording, error) {
	pos, err := gs.DB.Load(id)
	if err != nil {
		return pos.Game, Recording{}, err
	}
	phases, err := gs.DB.Journal(id)
	return pos.Game, Recording{Phases: phases, Open: pos.Open}, err
}

// visitor is handed every phase that a repeat found right, with its entries and
// the position after it.
type visitor func(n int, p store.Phase, journal []adjudicator.Entry, position []byte) error

// Repeat derives every position of a recording from the opening and compares the
// hashes. It stops at the first phase that differs, because everything behind it
// would differ too, and returns its index.
func (c Recording) Repeat(visit visitor) (n int, err error) {
	if len(c.Phases) == 0 {
		return 0, nil
	}
	begin := LastMigration(c.Phases)
	position, err := c.beginning(begin)
	if err != nil {
		return begin, err
	}
	c.kept = c.targets()
	c.keep(c.Phases[begin], position)
	if err := visit(begin, c.Phases[begin], nil, position); err != nil {
		return begin, err
	}
	n, position, err = c.stretch(begin+1, len(c.Phases), position, visit)
	if err != nil {
		return n, err
	}
	return n, c.RepeatOpen(position)
}

// beginning is the position from which a recording is repeated: the opening, or that
// of the last migration.
func (c Recording) beginning(begin int) (position []byte, err error) {
	what := "the opening position"
	if begin == 0 {
		position, err = c.Rules.Opening()
	} else {
		what, position = "the position of the migration", c.Migrated
	}
	if err != nil {
		return nil, err
	}
	if got := store.Sum(position); got != c.Phases[begin].Hash {
		return nil, fmt.Errorf("%s has hash %.16s, the game had %.16s", what, got, c.Phases[begin].Hash)
	}
	return position, nil
}

// stretch repeats the phases from index n up to end, from the position before them.
func (c Recording) stretch(n, end int, position []byte, visit visitor) (at int, after []byte, err error) {
	at = n
	defer CatchPanic(&err)
	run, err := c.running(position)
	if err != nil {
		return at, nil, err
	}
	for ; at < end; at++ {
		p := c.Phases[at]
		journal, err := EntriesOf(p.Journal)
		if err != nil {
			return at, nil, fmt.Errorf("%s: %w", p.Phase, err)
		}
		if next, intervened, err := c.repeatIntervention(position, journal); intervened {
			if c.Inputs != nil {
				c.Inputs(p, journal) // what came before is looked at before it
			}
			if err == nil && store.Sum(next) != p.Hash {
				err = fmt.Errorf("the position after it has hash %.16s, the game had %.16s", store.Sum(next), p.Hash)
			}
			if err == nil {
				err = visit(at, p, journal, next)
			}
			if err == nil {
				position = next
				c.keep(p, position)
				run, err = c.running(position)
			}
			if err != nil {
				return at, nil, fmt.Errorf("%s: %w", p.Phase, err)
			}
			continue
		}
		given, dice, answers := journal, adjudicator.Dice(JournalOnly{}), adjudicator.Answerer(JournalOnly{})
		if c.Inputs != nil {
			given, dice, answers = c.Inputs(p, journal)
		}
		out, err := run(given, dice, answers)
		if err == nil && len(out.Pending) > 0 {
			err = fmt.Errorf("%q is asked: %w", out.Pending[0].Label, ErrMissing)
		}
		if err != nil {
			return at, nil, fmt.Errorf("%s: %w", p.Phase, err)
		}
		if err := sameEntries(out.Journal, journal); err != nil {
			return at, nil, fmt.Errorf("%s: %w", p.Phase, err)
		}
		if got := store.Sum(out.Position); got != p.Hash {
			return at, nil, fmt.Errorf("%s: the position after it has hash %.16s, the game had %.16s", p.Phase, got, p.Hash)
		}
		if c.Told != nil {
			c.Told(p, ProvedEvents(p.Phase, out, p.Beacon))
		}
		position = out.Position
		c.keep(p, position)
		if err := visit(at, p, journal, position); err != nil {
			return at, nil, err
		}
	}
	return at, position, nil
}

// running starts at a position.
func (c Recording) running(position []byte) (adjudicator.Runner, error) {
	if g, ok := c.Rules.(adjudicator.Repeater); ok {
		return g.Course(position)
	}
	return func(journal []adjudicator.Entry, dice adjudicator.Dice, answers adjudicator.Answerer) (adjudicator.Outcome, error) {
		out, err := c.Rules.Play(position, journal, dice, answers)
		if err == nil && len(out.Pending) == 0 {
			position = out.Position
		}
		return out, err
	}, nil
}

// repeatBetween is repeat on all processors. Each takes a stretch and begins at
// the position that was kept before it; that this one is right is what the
// stretch before it shows. Visits are in order within a stretch only.
func (c Recording) repeatBetween(kept func(n int) ([]byte, error), visit visitor) (n int, err error) {
	begin := LastMigration(c.Phases)
	if begin > 0 {
		if c.Migrated, err = kept(begin); err != nil {
			return begin, err
		}
	}
	parts := min(runtime.GOMAXPROCS(0), 1+(len(c.Phases)-begin)/16)
	if parts < 2 || len(c.targets()) > 0 {
		return c.Repeat(visit)
	}
	border := func(i int) int { return begin + 1 + i*(len(c.Phases)-begin-1)/parts }
	type outcome struct {
		n        int
		position []byte
		err      error
	}
	done := make([]outcome, parts)
	var wg sync.WaitGroup
	for i := 1; i < parts; i++ {
		wg.Go(func() {
			o := &done[i]
			o.n = border(i)
			var from []byte
			if from, o.err = kept(border(i) - 1); o.err == nil {
				o.n, o.position, o.err = c.stretch(border(i), border(i+1), from, visit)
			}
		})
	}
	first := Recording{Rules: c.Rules, Phases: c.Phases[:border(1)], Migrated: c.Migrated}
	n, err = first.Repeat(visit)
	wg.Wait()
	if err != nil {
		return n, err
	}
	for _, o := range done[1:] {
		if o.err != nil {
			return o.n, o.err
		}
	}
	return len(c.Phases), c.RepeatOpen(done[parts-1].position)
}

// RepeatOpen runs the phase that waits and compares what is asked.
func (c Recording) RepeatOpen(position []byte) (err error) {
	defer CatchPanic(&err)
	at, err := c.Rules.At(position)
	if err != nil || c.Open == nil {
		return err
	}
	if c.Open.Closed > 0 && len(c.Open.Journal) <= len("[]") && len(c.Open.Pending) <= len("[]") {
		return nil // its dice are still to come
	}
	if at.Label != RulesLabel(c.Open.Phase) {
		return fmt.Errorf("%s waits, the repeat stands before %s", c.Open.Phase, at.Label)
	}
	journal, err := EntriesOf(c.Open.Journal)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Open.Phase, err)
	}
	out, err := c.Rules.Play(position, journal, JournalOnly{}, JournalOnly{})
	if err != nil {
		return fmt.Errorf("%s, which waits: %w", c.Open.Phase, err)
	}
	var was []adjudicator.Decision
	if len(c.Open.Pending) > 0 {
		if err := json.Unmarshal(c.Open.Pending, &was); err != nil {
			return fmt.Errorf("%s: what is asked: %w", c.Open.Phase, err)
		}
	}
	labels := func(ds []adjudicator.Decision) (s []string) {
		for _, d := range ds {
			s = append(s, string(d.Side)+" "+d.Label)
		}
		return s
	}
	for _, l := range labels(was) { // with no answers at all, what was answered since is asked again
		if !slices.Contains(labels(out.Pending), l) {
			return fmt.Errorf("%s: the game waits for %q, the repeat asks %q", c.Open.Phase, l, strings.Join(labels(out.Pending), ", "))
		}
	}
	return nil
}

// Replay derives every position of a game anew from its opening, its journal and
// its scenario, and compares the hashes. With prove it also throws all dice
// again with the game's key and compares them and their proofs.
func (gs *Games) Replay(id string, prove bool) (Replayed, error) {
	g, c, err := gs.RecordingOf(id)
	r := Replayed{Game: g.ID, Status: string(g.Status)}
	if err != nil {
		return r, err
	}
	c.Rules, _, err = gs.RulesOf(g)
	if err != nil {
		return r, err
	}
	if err := gs.CheckVersion(g); err != nil {
		r.Wrong = append(r.Wrong, err.Error())
	}
	kept := func(n int) ([]byte, error) {
		p, err := gs.DB.Phase(id, uint64(n)+1)
		return p.Snapshot, err
	}
	r.Earlier = LastMigration(c.Phases)
	var mu sync.Mutex
	n, err := c.repeatBetween(kept, func(_ int, p store.Phase, journal []adjudicator.Entry, _ []byte) error {
		rolls, proved, wrong := Rolled(g, p, journal, prove)
		mu.Lock()
		defer mu.Unlock()
		r.Phases++
		r.Rolls, r.Proved, r.Wrong = r.Rolls+rolls, r.Proved+proved, append(r.Wrong, wrong...)
		return nil
	})
	if err != nil {
		r.Wrong = append(r.Wrong, fmt.Sprintf("phase %d of %d: %v", n+1, len(c.Phases), err))
	}
	switch over := g.Status == store.StatusFinished; {
	case g.Status == store.StatusFrozen, len(c.Phases) == 0:
		// stopped where it was, or not begun
	case over != (c.Open == nil):
		r.Wrong = append(r.Wrong, fmt.Sprintf("the game is %s, but a phase waits: %v", g.Status, c.Open != nil))
	}
	return r, nil
}

// Rolled counts the dice of a phase and, with prove, throws them again.
func Rolled(g store.Game, p store.Phase, journal []adjudicator.Entry, prove bool) (rolls, proved int, wrong []string) {
	t := vrf.Thrower{}
	for i, e := range journal {
		if e.Kind != adjudicator.EntryRoll {
			continue
		}
		rolls++
		if !prove {
			continue
		}
		if t.Key == nil {
			t = Thrower(g, p.Phase)
		}
		t.Root = rootFor(g, BeaconAt(p.Beacon, i))
		dice, proof, err := t.Throw(e.Label, len(e.Dice), e.Sides)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("%s, %s: %v", p.Phase, e.Label, err))
		case !slices.Equal(dice, e.Dice), !bytes.Equal(proof, e.Proof):
			wrong = append(wrong, fmt.Sprintf("%s, %s: the journal has %v, the key gives %v", p.Phase, e.Label, e.Dice, dice))
		default:
			proved++
		}
	}
	return rolls, proved, wrong
}

// Shadow repeats all games that are under way with the rules of this program,
// whatever version they were begun with. Nothing is changed.
func (gs *Games) Shadow() (all []Replayed, err error) {
	games, err := gs.DB.Games()
	var lost store.DamagedRecords
	if err != nil && !errors.As(err, &lost) {
		return nil, err
	}
	for _, d := range lost {
		all = append(all, Replayed{Game: d.ID, Wrong: []string{d.Err.Error()}})
	}
	for _, g := range games {
		if !Underway(g) {
			continue
		}
		r, err := gs.Replay(g.ID, false)
		if err != nil {
			r.Game, r.Wrong = g.ID, append(r.Wrong, err.Error())
		}
		all = append(all, r)
	}
	return all, nil
}

// sameEntries compares what a run wrote with the journal.
func sameEntries(a, b []adjudicator.Entry) error {
	for i := range min(len(a), len(b)) {
		if !reflect.DeepEqual(a[i], b[i]) {
			return fmt.Errorf("entry %d (%s %q) is not what the sheets and the dice give (%s %q)", i+1, b[i].Kind, b[i].Label, a[i].Kind, a[i].Label)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("it has %d entries, the sheets and the dice give %d", len(b), len(a))
	}
	return nil
}

// repeatIntervention repeats what such an entry did to the position before the phase.
func (c Recording) repeatIntervention(position []byte, journal []adjudicator.Entry) (after []byte, done bool, err error) {
	e := Intervention(journal)
	if e == nil {
		return nil, false, nil
	}
	switch e.Label {
	case EndLabel:
		winner, verdict, _ := strings.Cut(e.Answer, ": ")
		after, err = c.Rules.End(position, adjudicator.Side(winner), verdict)
	case BranchLabel:
		after, err = unpacked(e.Answer)
	case EditLabel:
		after, _, err = Edited(c.Rules, position, e.Answer)
	default:
		n, bad := strconv.ParseUint(e.Answer, 10, 64)
		if after = c.kept[n]; bad != nil || after == nil {
			err = fmt.Errorf("it goes back to phase %q, which is not there", e.Answer)
		}
	}
	return after, true, err
}

// targets are the phases to which the game was set back, by number.
func (c Recording) targets() map[uint64][]byte {
	out := map[uint64][]byte{}
	for _, p := range c.Phases {
		journal, err := EntriesOf(p.Journal)
		if e := Intervention(journal); err == nil && e != nil && e.Label == RestoreLabel {
			if n, err := strconv.ParseUint(e.Answer, 10, 64); err == nil {
				out[n] = nil
			}
		}
	}
	return out
}

// keep remembers a position that the game is set back to later.
func (c Recording) keep(p store.Phase, position []byte) {
	if _, wanted := c.kept[p.Number]; wanted {
		c.kept[p.Number] = position
	}
}
