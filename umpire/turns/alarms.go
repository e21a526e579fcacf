package turns

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/match"
)

// Time alone moves games on. When it next does is a record, written with the Change that it follows
// from: the next process has it, and so has every daemon over the same store. That two of them act at
// once does no harm, the store admits one.

// WakeRecords are when time next moves games.
var WakeRecords = store.OnePerGame[time.Time]("wake")

// AwaitKey is the key of a game's wait for a round of the beacon.
type AwaitKey struct {
	Round uint64
	Game  string
}

// AwaitRecords are the games that wait for rounds of the beacon: as long as one waits for it, a
// round's value is kept.
var AwaitRecords = store.KindOf[store.Mark]("await", store.Shape[AwaitKey]{
	Form:  "ROUND/GAME",
	Words: func(k AwaitKey) []string { return []string{roundWord(k.Round), k.Game} },
	Parse: func(words []string) (k AwaitKey, ok bool) {
		if len(words) != 2 {
			return k, false
		}
		round, err := strconv.ParseUint(words[0], 10, 64)
		return AwaitKey{round, words[1]}, err == nil
	},
	Game: func(k AwaitKey) string { return k.Game }}).Plain()

func roundWord(round uint64) string { return fmt.Sprintf("%020d", round) }

// wake is when time next moves a game, zero for never, and the round that it waits for, 0 for none.
type wake struct {
	at    time.Time
	round uint64
}

// wakeAfter is the wake of a game after a Change.
func (k *Keeper) wakeAfter(c *store.Change) (w wake, err error) {
	g := *c.Game
	if !movedByTime(g) {
		return w, nil
	}
	open, err := k.openAfter(c)
	if err != nil {
		return w, err
	}
	if match.OrdersClosed(open) {
		return wake{k.Chain().Time(open.Round).UTC(), open.Round}, nil
	}
	thoughts, _, err := match.ThoughtRecords.After(k.DB, c, g.ID)
	if err != nil {
		return w, err
	}
	conceded, _, err := match.ConcessionRecords.After(k.DB, c, g.ID)
	if err != nil {
		return w, err
	}
	_, first := conceded.First()
	w.at = match.Sooner(k.deadlineWake(g, open), match.Sooner(thoughts.Next(), first.Until))
	if !match.Timed(open) {
		w.at = match.Sooner(w.at, nextReminder(thoughts))
	}
	w.at = w.at.UTC()
	return w, nil
}

// openAfter is the phase that waits after a Change.
func (k *Keeper) openAfter(c *store.Change) (*store.OpenPhase, error) {
	completes := slices.ContainsFunc(c.Phases, func(p store.Phase) bool { return !strings.HasPrefix(p.Phase, store.Migration) })
	switch {
	case c.Open != nil && c.Open.Phase == "":
		return nil, nil
	case c.Open != nil:
		return c.Open, nil
	case completes:
		return nil, nil
	}
	return k.DB.Waiting(c.Game.ID)
}

// withWake adds to a Change of a game when time moves it after that, and what it then waits for.
func (k *Keeper) withWake(c *store.Change) (w wake, err error) {
	id := c.Game.ID
	if w, err = k.wakeAfter(c); err != nil {
		return w, err
	}
	was, there, err := WakeRecords.Get(k.DB, id)
	switch {
	case err != nil:
		return w, err
	case w.at.IsZero() && there:
		WakeRecords.Drop(c, id)
	case !w.at.IsZero() && !was.Equal(w.at):
		WakeRecords.Put(c, id, w.at)
	}
	if !match.Beaconed(*c.Game) {
		return w, nil
	}
	before, err := k.DB.Waiting(id)
	if err != nil {
		return w, err
	}
	if match.OrdersClosed(before) && before.Round != w.round {
		AwaitRecords.Drop(c, AwaitKey{before.Round, id})
	}
	if w.round == 0 {
		return w, nil
	}
	_, waits, err := AwaitRecords.Get(k.DB, AwaitKey{w.round, id})
	if err == nil && !waits {
		AwaitRecords.Put(c, AwaitKey{w.round, id}, store.Mark{})
	}
	return w, err
}

// wanted tells whether a game other than the one named waits for a round.
func (k *Keeper) wanted(round uint64, but string) (bool, error) {
	waiting, err := AwaitRecords.All(k.DB, roundWord(round))
	delete(waiting, AwaitKey{round, but})
	return len(waiting) > 0, err
}

// ReadAlarms takes up what other daemons have written of when games are moved.
func (k *Keeper) ReadAlarms() error {
	all, err := WakeRecords.All(k.DB)
	if err := k.Readable(err); err != nil {
		return err
	}
	k.alarms.take(all)
	return nil
}

// mendWakes brings the records of when games are moved into line with the games, where an earlier
// program kept none.
func (k *Keeper) mendWakes(games []store.Game) error {
	wrong := map[string]bool{}
	for _, g := range games {
		c := store.Change{Game: &g}
		if _, err := k.withWake(&c); err != nil {
			k.Log.Error("it cannot be read when time moves a game", "game", g.ID, "error", err)
		}
		wrong[g.ID] = len(c.Notes) > 0
	}
	kept, err := WakeRecords.All(k.DB)
	if err := k.Readable(err); err != nil {
		return err
	}
	for id := range kept {
		if _, listed := wrong[id]; !listed {
			wrong[id] = true // it was stopped, or is over
		}
	}
	maps.DeleteFunc(wrong, func(_ string, is bool) bool { return !is })
	for some := range slices.Chunk(slices.Sorted(maps.Keys(wrong)), mendedAtOnce) {
		if err := store.Anew(k.DB, func(db store.Store) error { return k.Over(db).mendThese(some) }); err != nil {
			return err
		}
	}
	return nil
}

// mendedAtOnce is for how many games the records are brought into line in a Change.
const mendedAtOnce = 100

func (k *Keeper) mendThese(games []string) error {
	var c store.Change
	for _, id := range games {
		g, err := k.DB.Game(id)
		if err != nil {
			return err
		}
		one := store.Change{Game: &g}
		if _, err := k.withWake(&one); err != nil {
			return err
		}
		c.WithRecords(one)
	}
	if len(c.Notes) == 0 {
		return nil
	}
	return k.DB.Commit(c)
}

// alarms are the moments at which this process looks at games: those of the records, and later ones
// where something is still to be waited for.
type alarms struct {
	mu   sync.Mutex
	at   map[string]time.Time
	seen map[string]time.Time // the records as they were taken up last
}

// take takes up records: what has changed among them counts.
func (a *alarms) take(records map[string]time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for game := range a.seen {
		if _, still := records[game]; !still {
			delete(a.at, game)
		}
	}
	for game, at := range records {
		if was, known := a.seen[game]; !known || !was.Equal(at) {
			a.put(game, at)
		}
	}
	a.seen = records
}

// remove takes the alarm of a game away.
func (a *alarms) remove(game string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.at, game)
}

// set gives a game its next moment; zero is none.
func (a *alarms) set(game string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.put(game, at); at.IsZero() {
		delete(a.at, game)
	}
}

func (a *alarms) put(game string, at time.Time) {
	if a.at == nil {
		a.at = map[string]time.Time{}
	}
	a.at[game] = at
}

// due are the games whose moment has come, who waits longest first.
func (a *alarms) due(now time.Time) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []string
	for game, at := range a.at {
		if !at.After(now) {
			out = append(out, game)
		}
	}
	slices.SortFunc(out, func(x, y string) int { return cmp.Or(a.at[x].Compare(a.at[y]), cmp.Compare(x, y)) })
	return out
}

// next is the first moment of all, zero for none.
func (a *alarms) next() (next time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, at := range a.at {
		next = match.Sooner(next, at)
	}
	return next
}
