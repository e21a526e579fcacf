package umpire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/internal/vrf"
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

// errMissing stops a repeat that wants more than the journal holds.
var errMissing = errors.New("the journal does not hold it")

// silent has neither dice nor answers: with it a phase runs on its journal alone.
type silent struct{}

func (silent) Throw(label string, _, _ int) ([]int, []byte, error) {
	return nil, nil, fmt.Errorf("dice %q: %w", label, errMissing)
}

func (silent) Answer(adjudicator.Decision) (answer, source string, known bool) {
	return "", "", false
}

// course is a game as it went: what a repeat is compared with.
type course struct {
	phases []store.Phase // the set-up first; snapshots are not needed
	open   *store.OpenPhase
	// migrated is the position after the last migration, if there was one: the
	// repeat begins there.
	migrated []byte
	// inputs, if set, gives a phase what it is run on instead of its journal,
	// which the run must then write again.
	inputs func(p store.Phase, journal []adjudicator.Entry) ([]adjudicator.Entry, adjudicator.Dice, adjudicator.Answerer)
	// kept holds the positions after the phases, by number, to which the game was
	// set back later; those are known from the start.
	kept map[uint64][]byte
}

// courseOf reads a game's course from the store.
func (u *Umpire) courseOf(id string) (store.Game, course, error) {
	pos, err := u.DB.Load(id)
	if err != nil {
		return pos.Game, course{}, err
	}
	phases, err := u.DB.Journal(id)
	return pos.Game, course{phases: phases, open: pos.Open}, err
}

// visitor is handed every phase that a repeat found right, with its entries and
// the position after it.
type visitor func(n int, p store.Phase, journal []adjudicator.Entry, position []byte) error

// repeat derives every position of a course from the opening and compares the
// hashes. It stops at the first phase that differs, because everything behind it
// would differ too, and returns its index.
func (c course) repeat(game adjudicator.Game, visit visitor) (n int, err error) {
	if len(c.phases) == 0 {
		return 0, nil
	}
	begin := lastMigration(c.phases)
	position, err := c.beginning(game, begin)
	if err != nil {
		return begin, err
	}
	c.kept = c.targets()
	c.keep(c.phases[begin], position)
	if err := visit(begin, c.phases[begin], nil, position); err != nil {
		return begin, err
	}
	n, position, err = c.stretch(game, begin+1, len(c.phases), position, visit)
	if err != nil {
		return n, err
	}
	return n, c.repeatOpen(game, position)
}

// beginning is the position from which a course is repeated: the opening, or that
// of the last migration.
func (c course) beginning(game adjudicator.Game, begin int) (position []byte, err error) {
	what := "the opening position"
	if begin == 0 {
		position, err = game.Opening()
	} else {
		what, position = "the position of the migration", c.migrated
	}
	if err != nil {
		return nil, err
	}
	if got := sum(position); got != c.phases[begin].Hash {
		return nil, fmt.Errorf("%s has hash %.16s, the game had %.16s", what, got, c.phases[begin].Hash)
	}
	return position, nil
}

// stretch repeats the phases from index n up to end, from the position before them.
func (c course) stretch(game adjudicator.Game, n, end int, position []byte, visit visitor) (at int, after []byte, err error) {
	at = n
	defer failed(&err)
	run, err := running(game, position)
	if err != nil {
		return at, nil, err
	}
	for ; at < end; at++ {
		p := c.phases[at]
		journal, err := entriesOf(p.Journal)
		if err != nil {
			return at, nil, fmt.Errorf("%s: %w", p.Phase, err)
		}
		if next, repeatIntervention, err := c.repeatIntervention(game, position, journal); repeatIntervention {
			if c.inputs != nil {
				c.inputs(p, journal) // what came before is looked at before it
			}
			if err == nil && sum(next) != p.Hash {
				err = fmt.Errorf("the position after it has hash %.16s, the game had %.16s", sum(next), p.Hash)
			}
			if err == nil {
				err = visit(at, p, journal, next)
			}
			if err == nil {
				position = next
				c.keep(p, position)
				run, err = running(game, position)
			}
			if err != nil {
				return at, nil, fmt.Errorf("%s: %w", p.Phase, err)
			}
			continue
		}
		given, dice, answers := journal, adjudicator.Dice(silent{}), adjudicator.Answerer(silent{})
		if c.inputs != nil {
			given, dice, answers = c.inputs(p, journal)
		}
		out, err := run(given, dice, answers)
		if err == nil && len(out.Pending) > 0 {
			err = fmt.Errorf("%q is asked: %w", out.Pending[0].Label, errMissing)
		}
		if err != nil {
			return at, nil, fmt.Errorf("%s: %w", p.Phase, err)
		}
		if err := sameEntries(out.Journal, journal); err != nil {
			return at, nil, fmt.Errorf("%s: %w", p.Phase, err)
		}
		if got := sum(out.Position); got != p.Hash {
			return at, nil, fmt.Errorf("%s: the position after it has hash %.16s, the game had %.16s", p.Phase, got, p.Hash)
		}
		position = out.Position
		c.keep(p, position)
		if err := visit(at, p, journal, position); err != nil {
			return at, nil, err
		}
	}
	return at, position, nil
}

// runner runs one phase after another.
type runner = func(journal []adjudicator.Entry, dice adjudicator.Dice, answers adjudicator.Answerer) (adjudicator.Outcome, error)

// running starts at a position. A system that can go on without reading its own
// positions anew says so with a method Course.
func running(game adjudicator.Game, position []byte) (runner, error) {
	if g, ok := game.(interface{ Course([]byte) (runner, error) }); ok {
		return g.Course(position)
	}
	return func(journal []adjudicator.Entry, dice adjudicator.Dice, answers adjudicator.Answerer) (adjudicator.Outcome, error) {
		out, err := game.Play(position, journal, dice, answers)
		if err == nil && len(out.Pending) == 0 {
			position = out.Position
		}
		return out, err
	}, nil
}

// repeatBetween is repeat on all processors. Each takes a stretch and begins at
// the position that was kept before it; that this one is right is what the
// stretch before it shows. Visits are in order within a stretch only.
func (c course) repeatBetween(game adjudicator.Game, kept func(n int) ([]byte, error), visit visitor) (n int, err error) {
	begin := lastMigration(c.phases)
	if begin > 0 {
		if c.migrated, err = kept(begin); err != nil {
			return begin, err
		}
	}
	parts := min(runtime.GOMAXPROCS(0), 1+(len(c.phases)-begin)/16)
	if parts < 2 || len(c.targets()) > 0 {
		return c.repeat(game, visit)
	}
	border := func(i int) int { return begin + 1 + i*(len(c.phases)-begin-1)/parts }
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
				o.n, o.position, o.err = c.stretch(game, border(i), border(i+1), from, visit)
			}
		})
	}
	first := course{phases: c.phases[:border(1)], migrated: c.migrated}
	n, err = first.repeat(game, visit)
	wg.Wait()
	if err != nil {
		return n, err
	}
	for _, o := range done[1:] {
		if o.err != nil {
			return o.n, o.err
		}
	}
	return len(c.phases), c.repeatOpen(game, done[parts-1].position)
}

// failed turns a panic of the rules engine into an error; defer it.
func failed(err *error) {
	if x := recover(); x != nil {
		*err = fmt.Errorf("the rules engine failed: %v\n%s", x, debug.Stack())
	}
}

// repeatOpen runs the phase that waits and compares what is asked.
func (c course) repeatOpen(game adjudicator.Game, position []byte) (err error) {
	defer failed(&err)
	at, err := game.At(position)
	if err != nil || c.open == nil {
		return err
	}
	if c.open.Closed > 0 && len(c.open.Journal) <= len("[]") && len(c.open.Pending) <= len("[]") {
		return nil // its dice are still to come
	}
	if at.Label != rulesLabel(c.open.Phase) {
		return fmt.Errorf("%s waits, the repeat stands before %s", c.open.Phase, at.Label)
	}
	journal, err := entriesOf(c.open.Journal)
	if err != nil {
		return fmt.Errorf("%s: %w", c.open.Phase, err)
	}
	out, err := game.Play(position, journal, silent{}, silent{})
	if err != nil {
		return fmt.Errorf("%s, which waits: %w", c.open.Phase, err)
	}
	var was []adjudicator.Decision
	if len(c.open.Pending) > 0 {
		if err := json.Unmarshal(c.open.Pending, &was); err != nil {
			return fmt.Errorf("%s: what is asked: %w", c.open.Phase, err)
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
			return fmt.Errorf("%s: the game waits for %q, the repeat asks %q", c.open.Phase, l, strings.Join(labels(out.Pending), ", "))
		}
	}
	return nil
}

func entriesOf(journal json.RawMessage) (list []adjudicator.Entry, err error) {
	if len(journal) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(journal, &list); err != nil {
		return nil, fmt.Errorf("its journal cannot be read: %w", err)
	}
	return list, nil
}

// Replay derives every position of a game anew from its opening, its journal and
// its scenario, and compares the hashes. With prove it also throws all dice
// again with the game's key and compares them and their proofs.
func (u *Umpire) Replay(id string, prove bool) (Replayed, error) {
	g, c, err := u.courseOf(id)
	r := Replayed{Game: g.ID, Status: string(g.Status)}
	if err != nil {
		return r, err
	}
	game, err := u.rules(g)
	if err != nil {
		return r, err
	}
	if err := u.fits(g); err != nil {
		r.Wrong = append(r.Wrong, err.Error())
	}
	kept := func(n int) ([]byte, error) {
		p, err := u.DB.Phase(id, uint64(n)+1)
		return p.Snapshot, err
	}
	r.Earlier = lastMigration(c.phases)
	var mu sync.Mutex
	n, err := c.repeatBetween(game, kept, func(_ int, p store.Phase, journal []adjudicator.Entry, _ []byte) error {
		rolls, proved, wrong := rolled(g, p, journal, prove)
		mu.Lock()
		defer mu.Unlock()
		r.Phases++
		r.Rolls, r.Proved, r.Wrong = r.Rolls+rolls, r.Proved+proved, append(r.Wrong, wrong...)
		return nil
	})
	if err != nil {
		r.Wrong = append(r.Wrong, fmt.Sprintf("phase %d of %d: %v", n+1, len(c.phases), err))
	}
	if g.Status != store.StatusFrozen && len(c.phases) > 0 && (g.Status == store.StatusFinished) != (c.open == nil) {
		r.Wrong = append(r.Wrong, fmt.Sprintf("the game is %s, but a phase waits: %v", g.Status, c.open != nil))
	}
	return r, nil
}

// rolled counts the dice of a phase and, with prove, throws them again.
func rolled(g store.Game, p store.Phase, journal []adjudicator.Entry, prove bool) (rolls, proved int, wrong []string) {
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
			t = thrower(g, p.Phase)
		}
		t.Root = rootFor(g, beaconAt(p.Beacon, i))
		dice, proof, err := t.Throw(e.Label, len(e.Dice), e.Sides)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("%s, %s: %v", p.Phase, e.Label, err))
		case !slices.Equal(dice, e.Dice) || !bytes.Equal(proof, e.Proof):
			wrong = append(wrong, fmt.Sprintf("%s, %s: the journal has %v, the key gives %v", p.Phase, e.Label, e.Dice, dice))
		default:
			proved++
		}
	}
	return rolls, proved, wrong
}

// Shadow repeats all games that are under way with the rules of this program,
// whatever version they were begun with. Nothing is changed.
func (u *Umpire) Shadow() (all []Replayed, err error) {
	games, err := u.DB.Games()
	var lost store.DamagedRecords
	if err != nil && !errors.As(err, &lost) {
		return nil, err
	}
	for _, d := range lost {
		all = append(all, Replayed{Game: d.ID, Wrong: []string{d.Err.Error()}})
	}
	for _, g := range games {
		if g.Status == store.StatusOpen || g.Status == store.StatusFinished {
			continue
		}
		r, err := u.Replay(g.ID, false)
		if err != nil {
			r.Game, r.Wrong = g.ID, append(r.Wrong, err.Error())
		}
		all = append(all, r)
	}
	return all, nil
}
