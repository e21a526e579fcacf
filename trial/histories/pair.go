// Package histories plays a game several times through the umpire: every time the same is
// played, but the enemy has done other things before that a side must not learn of, such as
// sheets that were replaced, checks and letters. All that the side and spectators get is
// compared.
package histories

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/trial/systems"
	"fieldpost/umpire/match"
)

// Pair says which games to play: one, and others that are each compared with it.
type Pair struct {
	Scenario string
	Number   int // seed of the dice, the orders and both histories
	Turns    int
	Options  map[string]string
	Library  *match.Library
	Pictures bool // the reports have maps
	Others   int  // games that are compared with the first, a pair each; 0 is one
}

// Result is what the pairs of one first game came to.
type Result struct {
	Turn, Acts          int // turns begun; what the enemy did beside
	Mails, Parts, Pages int // of the side, compared
	Told                int // pairs that can be told apart
	Differing           []string
}

// atDeadlines tells whether the turns of the pair are played at their deadlines only, so
// that the enemy's last sheets may come at different times. Else they come at the same.
func (p Pair) atDeadlines() bool { return p.drawn(ofDeadlines, 2) == 0 }

// What is drawn for a pair, each by a seed of its own: scenarios are played in turn, and
// every one of them is to have every choice.
const (
	ofObserver uint64 = 1000 + iota
	ofDeadlines
	ofUndo
)

func (p Pair) drawn(of uint64, among int) int {
	return rand.New(rand.NewPCG(uint64(p.Number), of)).IntN(among)
}

// options are those of the games: nobody is asked in the midst of a phase.
func (p Pair) options() map[string]string {
	o := map[string]string{"ask": "none", "deadline": "1d", "remind": "6h", "spectators": "0"}
	if p.atDeadlines() {
		o["early"] = "no"
	}
	if p.drawn(ofUndo, 2) == 0 {
		o["undo"] = "0"
	}
	maps.Copy(o, p.Options)
	return o
}

// table is a first game and its others while they are played.
type table struct {
	Pair
	rooms    []*room // the first, and those that are compared with it
	observer string
	system   systems.System
	game     adjudicator.Game
	random   *rand.Rand // of what is the same in all rooms
}

// Play plays a pair in a folder of its own and compares what came of it.
func (p Pair) Play(ctx context.Context, folder string) (Result, error) {
	t, err := p.open(folder)
	if err != nil {
		return Result{}, err
	}
	defer t.close()
	if err := t.play(ctx); err != nil {
		return Result{}, err
	}
	return t.compare()
}

// observer is the side that must not tell the rooms apart.
func (p Pair) observer(sides []string) string { return sides[p.drawn(ofObserver, len(sides))] }

func (p Pair) open(folder string) (*table, error) {
	t := &table{Pair: p, rooms: make([]*room, 1+max(p.Others, 1)), random: rand.New(rand.NewPCG(uint64(p.Number), 7))}
	for i := range t.rooms {
		r, err := p.openRoom(filepath.Join(folder, fmt.Sprint(i)), uint64(i))
		if err != nil {
			t.close()
			return nil, err
		}
		t.rooms[i] = r
	}
	t.observer = p.observer(t.rooms[0].sides())
	made, err := t.rooms[0].Umpire.DB.Game(t.rooms[0].id)
	if err == nil {
		t.system, err = systems.Get(made.System)
	}
	if err == nil {
		t.game, err = p.rules(made.Options)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// rules are those of the games, under their options.
func (p Pair) rules(options map[string]string) (adjudicator.Game, error) {
	game, _, err := p.Library.Game(p.Scenario)
	if err != nil {
		return nil, err
	}
	return adjudicator.Under(game, options)
}

func (t *table) close() {
	for _, r := range t.rooms {
		if r != nil {
			r.Close()
		}
	}
}

// play plays round by round until the turns are over.
func (t *table) play(ctx context.Context) error {
	for round := range 6 * t.Turns {
		if err := ctx.Err(); err != nil {
			return err
		}
		v := t.rooms[0].seats[t.observer].view
		if v == nil {
			return fmt.Errorf("round %d: %s has had no report", round, t.observer)
		}
		if v.Verdict != "" || v.Turn > t.Turns {
			return nil
		}
		if err := t.round(); err != nil {
			return fmt.Errorf("round %d, turn %d: %w", round, v.Turn, err)
		}
	}
	return nil
}

// deed is something that happens so long after the round began.
type deed struct {
	after time.Duration
	do    func(*room) error
}

const (
	hour    = time.Hour
	minutes = 60 // in each of which something may happen

	filed    = 5*hour + 20*time.Minute // when the enemy's last sheet comes: before the side's own, which may be what is waited for
	filedFor = 10 * minutes            // in which of the minutes after it may come, where the deadline is waited for
)

// length is how long a round is: the next one begins more than filed and filedFor before
// the deadline of what was asked in this one. A last sheet that came after it would leave
// those standing that it replaces.
func (t *table) length() time.Duration {
	if t.atDeadlines() {
		return 25 * hour
	}
	return 22 * hour
}

// inTime tells whether a last sheet of this round comes before the deadline: there was no
// sheet in the last round, for instance, and what was asked is still asked.
func (t *table) inTime() (bool, error) {
	first := t.rooms[0]
	open, err := first.Umpire.DB.Waiting(first.id)
	if err != nil || open == nil {
		return false, err
	}
	latest := first.clock.Add(filed)
	if t.atDeadlines() {
		latest = latest.Add(filedFor * time.Minute)
	}
	return open.Deadline.IsZero() || latest.Before(open.Deadline), nil
}

// round lets all rooms go on to the same moment, and reads what came of it.
func (t *table) round() error {
	common, err := t.common()
	if err != nil {
		return err
	}
	inTime, err := t.inTime()
	if err != nil {
		return err
	}
	last, err := t.last(inTime)
	if err != nil {
		return err
	}
	for _, r := range t.rooms {
		deeds := append(slices.Clone(common), t.history(r, last)...)
		if last != "" {
			at := filed
			if t.atDeadlines() {
				at += time.Duration(r.random.IntN(filedFor)) * time.Minute
			}
			deeds = append(deeds, deed{at, func(r *room) error { return t.file(r, last) }})
		}
		slices.SortStableFunc(deeds, func(a, b deed) int { return cmp.Compare(a.after, b.after) })
		begun := r.clock
		for _, d := range deeds {
			r.until(begun.Add(d.after))
			if err := d.do(r); err != nil {
				return err
			}
		}
		r.until(begun.Add(t.length()))
	}
	for _, r := range t.rooms {
		if err := r.read(); err != nil {
			return err
		}
	}
	return nil
}
