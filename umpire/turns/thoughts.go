package turns

import (
	"fmt"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// heldReminder is how long a held sheet lies, where no deadline plays it, before its
// writer is told again.
const heldReminder = 24 * time.Hour

// nextReminder is when the first writer of a held sheet is told again; zero for none.
func nextReminder(thoughts match.Thoughts) (next time.Time) {
	for _, one := range thoughts {
		if one.ToRemind() {
			next = match.Sooner(next, one.Since.Add(heldReminder))
		}
	}
	return next
}

// reminderDue tells whether the writer of a held sheet is to be told again now.
func reminderDue(one match.Thought, now time.Time) bool {
	return one.ToRemind() && !now.Before(one.Since.Add(heldReminder))
}

// playThought goes on with the sheets whose time for a second thought is over.
func (k *Keeper) playThought(c *store.Change, pos store.Position, thoughts match.Thoughts, now time.Time) error {
	g := *c.Game
	for side, one := range thoughts {
		if one.Over(now) {
			delete(thoughts, side)
		}
	}
	thoughts.Keep(c, g.ID)
	m, err := k.Under(pos)
	if err != nil {
		return err
	}
	if err := k.CheckVersion(g); err != nil {
		return err
	}
	late, err := k.latenessOf(g)
	if err != nil {
		return err
	}
	p, err := m.Play(k.SheetsOf(m, match.Given{Late: late, Changed: c}))
	if err != nil {
		return err
	}
	return k.GoOn(c, m, p)
}

// remindOfHeld tells those whose sheets are held for long, where no deadline is ahead.
func (k *Keeper) remindOfHeld(c *store.Change, pos store.Position, thoughts match.Thoughts, now time.Time) (told bool, err error) {
	if match.Timed(pos.Open) {
		return false, nil
	}
	for _, p := range k.Everybody(*c.Game) {
		one := thoughts[adjudicator.Side(p.Side)] // none is due where there is none
		if !reminderDue(one, now) {
			continue
		}
		by := p.Commander
		if seats.Deputy(p) {
			by = 0
		}
		part, theirs := one.HeldParts()[by]
		if !theirs {
			continue
		}
		if err := k.Notify(c, p, "held", fmt.Sprintf("Your sheet %d for turn %d is still held, and the game waits for you.", part.Sheet, one.Turn),
			"Send DONE to have it played as it is, or a new sheet. Our answer to it says what to look at."); err != nil {
			return false, err
		}
		told = true
	}
	for side, one := range thoughts {
		if reminderDue(one, now) {
			one.Reminded = true
			thoughts[side] = one
		}
	}
	thoughts.Keep(c, c.Game.ID)
	return told, nil
}

// letThoughtsCount ends the thoughts of the sides whose deadline has passed: what is held,
// or was to be played later, is played as it is.
func (k *Keeper) letThoughtsCount(c *store.Change, pending []adjudicator.Decision) error {
	thoughts, err := k.ThoughtsOf(c.Game.ID)
	if err != nil {
		return err
	}
	for _, side := range match.WaitingFor(pending) {
		delete(thoughts, adjudicator.Side(side))
	}
	thoughts.Keep(c, c.Game.ID)
	return nil
}
