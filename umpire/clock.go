package umpire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// setDeadline gives the open phase of a game its deadline, from now.
func (u *Umpire) setDeadline(g store.Game, p match.Progress) error {
	if p.Open == nil {
		return nil
	}
	r, err := match.ScheduleOf(g)
	if err != nil {
		return err
	}
	term := r.Answer
	if match.TurnDue(p.Pending) {
		term = r.Deadline
	}
	p.Open.Since, p.Open.Deadline, p.Open.Reminded, p.Open.Late = u.Now().UTC(), time.Time{}, false, false
	if term != nil {
		p.Open.Deadline = r.Away(g, match.WaitingFor(p.Pending)).After(u.Now(), *term).UTC()
	}
	return nil
}

// alarms are the moments at which time alone moves a game.
type alarms map[string]time.Time

// setAlarm sets the alarm of a game by its open phase.
func (u *Umpire) setAlarm(g store.Game) {
	if u.alarms == nil {
		u.alarms = alarms{}
	}
	delete(u.alarms, g.ID)
	delete(u.awaited, g.ID)
	if g.Status != store.StatusRunning || g.Options[match.OptionDeadline] == "" && g.Options[match.OptionAnswer] == "" {
		return
	}
	open, err := u.DB.Waiting(g.ID)
	if err == nil && open != nil && open.Closed > 0 {
		u.await(g.ID, open.Round)
		return
	}
	if err != nil || open == nil || open.Deadline.IsZero() || open.Late {
		return
	}
	r, err := match.ScheduleOf(g)
	if err != nil {
		u.Log.Error("the deadlines of a game cannot be kept", "game", g.ID, "error", err)
		return
	}
	at := open.Deadline.Add(r.Grace)
	if r.Remind > 0 && !open.Reminded {
		at = open.Deadline.Add(-r.Remind)
	}
	u.alarms[g.ID] = at
}

// commit puts a Change into the store, and does what follows from it.
func (u *Umpire) commit(c store.Change) error {
	if err := u.DB.Commit(c); err != nil || c.Game == nil {
		return err
	}
	u.setAlarm(*c.Game)
	if c.Game.Status == store.StatusFinished {
		u.disclose()
	}
	u.attend(context.Background(), c.Game.ID)
	return nil
}

// setAlarms sets the alarms of all games, and lets staff officers play for whom a
// game waits: the last process may have stopped before. Games without either are
// left alone; there may be thousands.
func (u *Umpire) setAlarms() error {
	var games []store.Game
	err := u.DB.EachGame(func(g store.Game) error {
		timed := g.Options[match.OptionDeadline] != "" || g.Options[match.OptionAnswer] != ""
		if g.Status == store.StatusRunning && (timed || slices.ContainsFunc(g.Players, store.Player.Staffed)) {
			games = append(games, g)
		}
		return nil
	})
	for _, g := range games {
		u.setAlarm(g)
		if slices.ContainsFunc(g.Players, store.Player.Staffed) {
			u.attend(context.Background(), g.ID)
		}
	}
	return u.Readable(err)
}

// Tick lets pass what time brings: reminders, and deadlines whose grace is over.
// Orders that had arrived before a deadline count, so a phase closes only when
// the mailbox was looked through after it: polled is when the last complete look
// began. It returns when it wants to be called again, zero for no time.
func (u *Umpire) Tick(polled time.Time) (next time.Time) {
	u.Writing.Lock()
	defer u.Writing.Unlock()
	now := u.Now()
	var ids []string
	for id, at := range u.alarms {
		if !at.After(now) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		err := u.deadlinePasses(id, now, polled)
		for range 2 {
			if !errors.Is(err, store.ErrStale) {
				break
			}
			err = u.deadlinePasses(id, now, polled)
		}
		if err != nil {
			u.Log.Error("a deadline could not be kept; it is tried again", "game", id, "error", err)
			u.alarms[id] = now.Add(time.Minute)
		}
	}
	for _, at := range u.alarms {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next
}

// deadlinePasses does what is due in one game.
func (u *Umpire) deadlinePasses(id string, now, polled time.Time) error {
	pos, err := u.DB.Load(id)
	if err != nil || pos.Open == nil || pos.Open.Deadline.IsZero() && pos.Open.Closed == 0 || pos.Game.Status != store.StatusRunning {
		delete(u.alarms, id)
		return err
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
	c := store.Change{Game: &g, Expect: g.Seq, Open: &open, Notes: map[string][]byte{}}
	over := open.Deadline.Add(r.Grace)
	switch {
	case open.Closed > 0:
		var drawn bool
		if drawn, err = u.drawDice(&c, pos, r, pending); err == nil && !drawn {
			u.alarms[id] = now.Add(post.BeaconAgain)
			return nil
		}
	case now.Before(over) && r.Remind > 0 && !open.Reminded:
		open.Reminded = true
		err = u.Remind(&c, pending)
	case now.Before(over) || polled.Before(over):
		u.alarms[id] = over
		if !now.Before(over) {
			u.alarms[id] = now.Add(time.Second) // the mailbox has to be looked through first
		}
		return nil
	case match.Beaconed(g):
		err = u.close(&c, over, "The deadline has passed.")
	case u.drawBank(&c, r, pending):
	default:
		err = u.passDeadline(&c, pos, r, pending)
	}
	if err != nil {
		return err
	}
	if err := u.commit(c); err != nil {
		return err
	}
	u.Log.Info("a deadline", "game", id, "at", open.Deadline, "mails", len(c.Mails))
	return nil
}

// passDeadline goes on without those who are late, as the game's option says.
func (u *Umpire) passDeadline(c *store.Change, pos store.Position, r match.Schedule, pending []adjudicator.Decision) error {
	g := c.Game
	missing, err := u.unfinished(pos, pending)
	if err != nil {
		return err
	}
	if r.Late == match.LateStaff || r.Late == match.LateReplace {
		if done, err := u.staffActs(c, pos, r, missing); done || err != nil {
			return err
		}
	}
	for i := range g.Players {
		if slices.Contains(missing, g.Players[i].Side) {
			g.Players[i].LateTurns++
		}
	}
	if r.Late == match.LateWait && len(missing) > 0 {
		c.Open.Late = true
		u.Log.Warn("a deadline has passed, and the game waits", "game", g.ID, "for", match.WaitingFor(pending))
		for _, p := range u.Everybody(*g) {
			if err := u.Notify(c, p, "late", fmt.Sprintf("The deadline has passed without orders of %s. The game waits for them.", strings.Join(missing, " and "))); err != nil {
				return err
			}
		}
		return nil
	}
	game, sys, err := u.RulesOf(*g)
	if err != nil {
		return err
	}
	if err := u.CheckVersion(*g); err != nil {
		return err
	}
	clk, err := u.ClockOf(g.ID)
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
		}
	}
	if c.Notes[match.ClockNote(g.ID)], err = json.Marshal(match.Clock{Released: late.Released}); err != nil {
		return err
	}
	p, err := u.Play(game, *g, pos.Latest.Snapshot, pos.Open, c.Expect+1, u.SheetsOf(*g, sys, nil, late, nil))
	if err != nil {
		return err
	}
	p.Late = missing
	c.Open = nil
	return u.goesOn(c, game, sys, pos, p)
}

// unfinished are the sides whose orders or answers are missing, and not only the
// deadline.
func (u *Umpire) unfinished(pos store.Position, pending []adjudicator.Decision) (sides []string, err error) {
	_, sys, err := u.RulesOf(pos.Game)
	if err != nil {
		return nil, err
	}
	f, err := u.SheetsOf(pos.Game, sys, nil, match.Lateness{}, nil)(adjudicator.Phase{Turn: pos.Open.Turn, Label: match.RulesLabel(pos.Open.Phase)})
	if err != nil {
		return nil, err
	}
	return match.WaitingFor(slices.DeleteFunc(slices.Clone(pending), func(d adjudicator.Decision) bool {
		_, _, known := f.Answer(d)
		return known
	})), nil
}

// keepTime calls Tick when it is time, until ctx ends.
func (u *Umpire) keepTime(ctx context.Context, polled <-chan time.Time, wake chan<- struct{}) error {
	var last time.Time
	for {
		wait := time.Minute
		if next := u.Tick(last); !next.IsZero() {
			wait = min(wait, max(next.Sub(u.Now()), 100*time.Millisecond))
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

// offer puts the newest value into a channel of one place, in the place of one
// that nobody has taken yet.
func offer(c chan time.Time, v time.Time) {
	select {
	case <-c:
	default:
	}
	select {
	case c <- v:
	default:
	}
}
