package acts

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// doRollback goes on after an earlier phase, or after a later one that an earlier
// rollback had left. Value is where, as match.PhaseEnd reads it, a colon and why. Sheets
// that came since count no more, and the phases are played with other dice.
func (hd *Executor) doRollback(c *store.Change, pos store.Position, a Act) (string, error) {
	if !match.Underway(pos.Game) {
		return "", fmt.Errorf("%w: the game is %s", ErrNotNow, pos.Game.Status)
	}
	where, why, _ := strings.Cut(a.Value, ":")
	where, why = strings.TrimSpace(where), strings.TrimSpace(why)
	all, err := hd.PlayedPhases(c.Game.ID)
	if err != nil {
		return "", err
	}
	n, err := match.PhaseEnd(all, where)
	switch {
	case err != nil:
		return "", err
	case why == "" && !a.Dry:
		return "", fmt.Errorf("%w: say after a colon why, for the players will ask: rollback %s: the sheet of %s was lost", errNoReason, where, c.Game.Sides[0])
	}
	target, err := hd.phaseToGoOnFrom(c.Game.ID, n)
	if err != nil {
		return "", err
	}
	back, err := hd.setBack(c, all, target, why)
	if err != nil {
		return "", err
	}
	c.Game.Rollbacks++
	on := restart{position: target.Snapshot, turn: target.Turn, back: back}
	if err := hd.onFrom(c, pos, adjudicator.Entry{Label: match.RestoreLabel, Answer: strconv.FormatUint(n, 10), Source: "the moderator"}, on); err != nil {
		return "", err
	}
	lines := append([]string{back.Words()}, back.SheetLines()...)
	if !back.Forward() {
		seen, err := hd.seenSince(pos.Game, target.Seq)
		if err != nil {
			return "", err
		}
		lines = append(lines, seen...)
	}
	if a.Dry {
		lines = append(lines, nothingDone(c))
	}
	return strings.Join(lines, "\n"), nil
}

// errNoReason says that an act which undoes what people did needs a reason.
var errNoReason = errors.New("no reason is given")

// phaseToGoOnFrom is a phase of a game with its position, unless the rules have changed since.
func (hd *Executor) phaseToGoOnFrom(id string, n uint64) (store.Phase, error) {
	phases, err := hd.DB.Journal(id)
	if err != nil {
		return store.Phase{}, err
	}
	if first := match.LastMigration(phases); n < uint64(first+1) {
		return store.Phase{}, fmt.Errorf("%w: the game came to the rules of this program in phase %d, and cannot go back behind it", ErrNotNow, first+1)
	}
	return hd.DB.Phase(id, n)
}

// setBack takes back the sheets that came after a phase, has their numbers begin anew, and
// says what is undone.
func (hd *Executor) setBack(c *store.Change, all []match.PlayedPhase, target store.Phase, why string) (*match.SetBack, error) {
	back := match.NewSetBack(all, target.Number, why)
	dropped, err := hd.forgetFilings(c, target.Seq)
	if err != nil {
		return nil, err
	}
	for i := range c.Game.Players {
		p := &c.Game.Players[i]
		back.Sheets = append(back.Sheets, match.SheetsBack{Side: p.Side, Dropped: dropped[p.Side]})
		if len(dropped[p.Side]) == 0 {
			continue
		}
		if err := hd.serialsUpTo(c.Game.ID, p, func(s store.Sheet) bool { return s.Seq <= target.Seq }); err != nil {
			return nil, err
		}
		back.Sheets[i].Next = p.As(0).Serial + 1
	}
	return back, hd.forgetThoughts(c, dropped)
}

// forgetThoughts takes away what is held of sheets that count no more.
func (hd *Executor) forgetThoughts(c *store.Change, dropped map[string][]int) error {
	thoughts, err := hd.ThoughtsOf(c.Game.ID)
	if err != nil {
		return err
	}
	maps.DeleteFunc(thoughts, func(side adjudicator.Side, t match.Thought) bool {
		return slices.ContainsFunc(dropped[string(side)], func(serial int) bool { return serial == t.Serial || serial == t.Orders })
	})
	thoughts.Keep(c, c.Game.ID)
	return nil
}

// seenSince says who was told of what came after a Change.
func (hd *Executor) seenSince(g store.Game, seq uint64) (lines []string, err error) {
	steps, err := hd.DB.Steps(g.ID)
	if err != nil {
		return nil, err
	}
	mails, err := hd.DB.Mails(g.ID)
	if err != nil {
		return nil, err
	}
	since := map[string]bool{}
	for _, s := range steps {
		if s.Seq > seq {
			for _, id := range s.Mails {
				since[id] = true
			}
		}
	}
	for _, side := range g.Sides {
		told := map[string]int{}
		for _, m := range mails {
			if m.Side == side && since[m.ID] {
				told[m.Kind]++
			}
		}
		var what []string
		for _, kind := range []string{"report", "question"} {
			if told[kind] > 0 {
				what = append(what, counted(told[kind], kind))
			}
		}
		if len(what) > 0 {
			lines = append(lines, fmt.Sprintf("%s had %s of what is undone.", side, strings.Join(what, " and ")))
		}
	}
	if len(lines) == 0 {
		return []string{"Nobody had a report of what is undone."}, nil
	}
	return lines, nil
}

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "a " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// forgetFilings takes back the sheets that were filed after a Change. It returns their
// numbers by side.
func (hd *Executor) forgetFilings(c *store.Change, seq uint64) (dropped map[string][]int, err error) {
	filed, err := match.FilingRecords.All(hd.DB, c.Game.ID)
	if err != nil {
		return nil, err
	}
	dropped = map[string][]int{}
	for key, f := range filed {
		if f.Seq > seq {
			match.FilingRecords.Drop(c, key)
			dropped[string(f.Side)] = append(dropped[string(f.Side)], f.Serial)
		}
	}
	id := c.Game.ID
	match.ClockRecords.Drop(c, id)
	match.UnreportedRecords.Drop(c, id)
	match.PlayedRecords.Drop(c, id)
	match.ConcessionRecords.Drop(c, id)
	match.FrozenRecords.Drop(c, id)
	PausedRecords.Drop(c, id)
	for _, p := range c.Game.Players {
		seat := store.Seat{Game: id, Side: p.Side}
		match.DrawRecords.Drop(c, seat)
		match.UnansweredRecords.Drop(c, seat)
		match.HeardRecords.Drop(c, seat)
		slices.Sort(dropped[p.Side])
	}
	return dropped, nil
}
