package turns

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// setAlarm sets the alarm of a game as it stands.
func (k *Keeper) setAlarm(g store.Game) {
	w, err := k.wakeAfter(&store.Change{Game: &g})
	if err != nil {
		k.Log.Error("it cannot be read when time moves a game", "game", g.ID, "error", err)
		return
	}
	k.alarms.set(g.ID, w.at)
}

// movedByTime tells whether time alone may move a game as it is agreed on and stands.
func movedByTime(g store.Game) bool {
	if g.Status != store.StatusRunning {
		return false
	}
	return match.HasDeadlines(g) || match.HasSecondThoughts(g)
}

// playedByStaff tells whether staff officers have something to do in a game.
func playedByStaff(g store.Game) bool {
	return g.Status == store.StatusRunning && slices.ContainsFunc(g.Players, store.Player.Staffed)
}

// deadlineWake is when a game is moved by the deadline of its open phase; zero for never.
func (k *Keeper) deadlineWake(g store.Game, open *store.OpenPhase) (at time.Time) {
	if !match.Timed(open) || open.Late {
		return at
	}
	r, err := match.ScheduleOf(g)
	if err != nil {
		k.Log.Error("the deadlines of a game cannot be kept", "game", g.ID, "error", err)
		return at
	}
	if remindsOf(r, open) {
		return open.Deadline.Add(-r.Remind)
	}
	return open.Deadline.Add(r.Grace)
}

// remindsOf tells whether a reminder of the open phase's deadline is still to come.
func remindsOf(r match.Schedule, open *store.OpenPhase) bool { return r.Remind > 0 && !open.Reminded }

// Commit puts a Change into the store, with when time moves its game after it, and does what
// follows from it.
func (k *Keeper) Commit(c store.Change) error {
	if c.Game == nil {
		return store.Settle(k.DB, c)
	}
	w, err := k.withWake(&c)
	if err != nil {
		return err
	}
	if err := store.Settle(k.DB, c); err != nil {
		return err
	}
	k.alarms.set(c.Game.ID, w.at)
	if c.Game.Status == store.StatusFinished {
		k.Disclose()
	}
	k.Staff.Attend(context.Background(), c.Game.ID)
	return nil
}

// SetAlarms sets the alarms of all games, with a record of each, and lets staff officers play for
// whom a game waits: the last process may have stopped before, or been one that kept no such records.
// Games without either are left alone; there may be thousands.
func (k *Keeper) SetAlarms() error {
	var games []store.Game
	err := k.DB.EachGame(func(g store.Game) error {
		if movedByTime(g) || playedByStaff(g) {
			games = append(games, g)
		}
		return nil
	})
	if err := k.Readable(err); err != nil {
		return err
	}
	if err := k.mendWakes(games); err != nil {
		return err
	}
	if err := k.ReadAlarms(); err != nil {
		return err
	}
	for _, g := range games {
		if playedByStaff(g) {
			k.Staff.Attend(context.Background(), g.ID)
		}
	}
	return nil
}

// Tick lets pass what time brings: reminders, and deadlines whose grace is over.
// Orders that had arrived before a deadline count, so a phase closes only when
// the mailbox was looked through after it, and what had arrived before is handled:
// polled is when the last complete look began. It returns when it wants to be called again, zero for no time.
func (k *Keeper) Tick(polled time.Time) (next time.Time) {
	now := k.Now()
	if k.clockHeld(now) {
		return now.Add(time.Minute)
	}
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, id := range k.alarms.due(now) {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			k.ring(id, now, polled)
		})
	}
	all.Wait()
	if k.Between != nil {
		k.Between()
	}
	next = k.alarms.next()
	if k.owesDisclosure.Load() {
		k.Disclose()
	}
	again := now.Add(discloseAgain)
	if k.owesDisclosure.Load() && (next.IsZero() || again.Before(next)) {
		return again
	}
	return next
}

// mailMayCome tells whether mail that had arrived by a moment may still have an effect on a game: the
// mailbox has to be looked through first, or it is in the queue.
func (k *Keeper) mailMayCome(game string, by, polled time.Time) bool {
	if polled.Before(by) {
		return true
	}
	waits, err := k.DB.Unhandled(game, by)
	if err != nil {
		k.Log.Error("whether mail waits to be handled cannot be read", "game", game, "error", err)
	}
	return waits || err != nil
}

// mailAgain is how often is looked for such mail.
const mailAgain = time.Second

// ring does what is due in one game, while other games go on.
func (k *Keeper) ring(id string, now, polled time.Time) {
	defer k.Writing.Lane(id)()
	letGo, err := store.Hold(k.DB, match.ClaimOf(id))
	if err != nil {
		k.alarms.set(id, now.Add(time.Second)) // who is at work at the game may see to it
		return
	}
	defer letGo()
	err = k.tryDeadline(id, now, polled)
	if err != nil {
		k.Log.Error("a deadline could not be kept; it is tried again", "game", id, "error", err)
		k.alarms.set(id, now.Add(time.Minute))
	}
}

// tryDeadline is deadlinePasses, again while it comes too late for the store. A fault of the program
// in one of several clubs is an error, and does not stop the others.
func (k *Keeper) tryDeadline(id string, now, polled time.Time) (err error) {
	if k.Share != nil {
		defer match.CatchPanic(&err)
	}
	return store.Anew(k.DB, func(db store.Store) error { return k.Over(db).deadlinePasses(id, now, polled) })
}

// waitsForClock tells whether a game goes on by itself when a time has come.
func waitsForClock(pos store.Position) bool {
	if pos.Game.Status != store.StatusRunning {
		return false
	}
	return match.Timed(pos.Open) || match.OrdersClosed(pos.Open)
}

// deadlinePasses does what is due in one game.
func (k *Keeper) deadlinePasses(id string, now, polled time.Time) error {
	pos, err := k.DB.Load(id)
	if err != nil || pos.Game.Status != store.StatusRunning {
		k.alarms.remove(id)
		return err
	}
	if done, err := k.thoughtEnds(pos, now, polled); done || err != nil {
		return err
	}
	if !waitsForClock(pos) {
		k.setAlarm(pos.Game)
		return nil
	}
	r, err := match.ScheduleOf(pos.Game)
	if err != nil {
		return err
	}
	pending, err := match.PendingOf(pos.Open)
	if err != nil {
		return err
	}
	g, open := pos.Game, *pos.Open
	g.Players = slices.Clone(g.Players)
	c := store.Change{Game: &g, Expect: g.Seq, Open: &open}
	over := open.Deadline.Add(r.Grace)
	switch {
	case open.Closed > 0:
		var drawn bool
		if drawn, err = k.drawDice(&c, pos, r, pending); err == nil && !drawn {
			k.alarms.set(id, now.Add(post.BeaconAgain))
			return nil
		}
	case now.Before(over) && remindsOf(r, &open):
		open.Reminded = true
		err = k.Remind(&c, pending)
	case now.Before(over):
		k.alarms.set(id, over)
		return nil
	case k.mailMayCome(id, over, polled):
		k.alarms.set(id, now.Add(mailAgain))
		return nil
	case match.Beaconed(g):
		err = k.CloseOrders(&c, over, "The deadline has passed.")
	case k.drawBank(&c, r, pending):
	default:
		err = k.PassDeadline(&c, pos, r, pending)
	}
	if err != nil {
		return err
	}
	if err := k.Commit(c); err != nil {
		return err
	}
	k.Log.Info("a deadline", "game", id, "at", open.Deadline, "mails", len(c.Mails))
	return nil
}

// PassDeadline goes on without those who are late, as the game's option says.
func (k *Keeper) PassDeadline(c *store.Change, pos store.Position, r match.Schedule, pending []adjudicator.Decision) error {
	g := c.Game
	if err := k.letThoughtsCount(c, pending); err != nil {
		return err
	}
	missing, err := k.unfinished(pos, pending, c)
	if err != nil {
		return err
	}
	switch r.Late {
	case match.LateStaff, match.LateReplace:
		if done, err := k.Staff.ActForLate(c, pos, r, missing); done || err != nil {
			return err
		}
	}
	overdue := k.Overdue(pos.Open)
	for i := range g.Players {
		if overdue && slices.Contains(missing, g.Players[i].Side) {
			g.Players[i].LateTurns++
		}
	}
	if r.Late == match.LateWait && len(missing) > 0 {
		c.Open.Late = true
		k.Log.Warn("a deadline has passed, and the game waits", "game", g.ID, "for", match.WaitingFor(pending))
		for _, p := range k.Everybody(*g) {
			if err := k.Notify(c, p, "late", fmt.Sprintf("The deadline has passed without orders from %s. The game waits for them.", strings.Join(missing, " and "))); err != nil {
				return err
			}
		}
		return nil
	}
	m, err := k.Under(store.Position{Game: *g, Latest: pos.Latest, Open: pos.Open})
	if err != nil {
		return err
	}
	if err := k.CheckVersion(*g); err != nil {
		return err
	}
	clk, err := k.ClockOf(g.ID)
	if err != nil {
		return err
	}
	late := match.Lateness{Policy: r.Late, Overdue: map[string]bool{}, Released: clk.Released}
	if late.Released == nil {
		late.Released = map[adjudicator.Side]int{}
	}
	for _, d := range pending {
		if d.Turn {
			late.Released[d.Side] = pos.Open.Turn
		} else {
			late.Overdue[d.Label] = true
			clk.Miss(d, pos.Open.Turn)
		}
	}
	clk.Released, late.Clock = late.Released, clk
	match.ClockRecords.Put(c, g.ID, clk)
	p, err := m.Play(k.SheetsOf(m, match.Given{Late: late, Changed: c}))
	if err != nil {
		return err
	}
	p.Late, p.Early = missing, !overdue
	c.Open = nil
	return k.GoOn(c, m, p)
}

// Overdue tells whether the deadline of a phase has passed. A moderator can let a game go on
// before: then nobody was late.
func (k *Keeper) Overdue(open *store.OpenPhase) bool {
	return match.Timed(open) && !k.Now().Before(open.Deadline)
}

// Unfinished are the sides whose orders or answers are missing, and not only the
// deadline.
func (k *Keeper) Unfinished(pos store.Position, pending []adjudicator.Decision) (sides []string, err error) {
	return k.unfinished(pos, pending, nil)
}

// unfinished are they after a Change that is not committed yet.
func (k *Keeper) unfinished(pos store.Position, pending []adjudicator.Decision, c *store.Change) (sides []string, err error) {
	m, err := k.Under(pos)
	if err != nil {
		return nil, err
	}
	return k.UnfinishedOf(m, pending, c)
}

// KeepTime calls Tick when it is time, until ctx ends.
func (k *Keeper) KeepTime(ctx context.Context, polled <-chan time.Time, wake chan<- struct{}) error {
	var last time.Time
	for {
		wait := time.Minute
		if next := k.Tick(last); !next.IsZero() {
			wait = min(wait, max(next.Sub(k.Now()), 100*time.Millisecond))
		}
		select {
		case wake <- struct{}{}:
		default:
		}
		select {
		case <-ctx.Done():
			return nil
		case last = <-polled:
		case <-time.After(wait):
		}
	}
}

// Offer puts the newest value into a channel of one place, in the place of one
// that nobody has taken yet.
func Offer(c chan time.Time, v time.Time) {
	select {
	case <-c:
	default:
	}
	select {
	case c <- v:
	default:
	}
}

// thoughtEnds plays a sheet whose writer has had their second thought, and reminds of
// sheets that are held. Mail that had arrived before the end counts, so the mailbox is
// looked through first, as for deadlines. It reports whether it did anything, or looks
// again soon.
func (k *Keeper) thoughtEnds(pos store.Position, now, polled time.Time) (done bool, err error) {
	if pos.Open == nil || match.OrdersClosed(pos.Open) {
		return false, nil
	}
	if done, err := k.concessionEnds(pos, now, polled); done || err != nil {
		return done, err
	}
	thoughts, err := k.ThoughtsOf(pos.Game.ID)
	if err != nil || len(thoughts) == 0 {
		return false, err
	}
	g := pos.Game
	c := store.Change{Game: &g, Expect: g.Seq}
	if end := thoughts.Next(); !end.IsZero() && !end.After(now) {
		if k.mailMayCome(g.ID, end, polled) {
			k.alarms.set(g.ID, now.Add(mailAgain))
			return true, nil
		}
		if err := k.playThought(&c, pos, thoughts, now); err != nil {
			return true, err
		}
		return true, k.Commit(c)
	}
	told, err := k.remindOfHeld(&c, pos, thoughts, now)
	if err != nil || !told {
		return false, err
	}
	return true, k.Commit(c)
}

// drawDice goes on with a closed game if the value is there.
func (k *Keeper) drawDice(c *store.Change, pos store.Position, r match.Schedule, pending []adjudicator.Decision) (drawn bool, err error) {
	open := *pos.Open
	v, ok, err := k.valueOf(open.Round)
	if err != nil || !ok {
		return false, err
	}
	journal, err := match.EntriesOf(open.Journal)
	if err != nil {
		return false, err
	}
	open.Beacon = append(slices.Clone(open.Beacon), store.Beacon{From: len(journal), Closed: open.Closed, Round: v.Round, Signature: v.Signature})
	pos.Open, c.Open = &open, &open
	others, err := k.wanted(open.Round, c.Game.ID)
	if err != nil {
		return false, err
	}
	if !others {
		BeaconRecords.Drop(c, open.Round)
	}
	return true, k.PassDeadline(c, pos, r, pending)
}
