package club

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
)

// due are the games whose time may have come, looked at before the umpire is: what
// the umpire then does to them is held against the books.
func (c *year) due() (out []*table) {
	for _, t := range c.tables {
		if t.status == store.StatusRunning && !t.Deadline.IsZero() && !t.Deadline.Add(-12*time.Hour).After(c.now) {
			out = append(out, t)
		}
	}
	return out
}

// watch looks after a game whose phase ended, or did not, by time alone.
func (c *year) watch(before table, t *table) {
	over := before.Deadline.Add(before.grace)
	if t.phases > before.phases {
		c.tally.Passed++
		if c.now.Before(over) {
			c.fault(&c.tally.Early, "game %s went on at %s before %s", t.id, c.now, over)
		}
		for _, side := range before.waiting {
			for _, a := range before.seats[side].away {
				wasAway := before.Deadline.After(a.From) && before.Deadline.Before(a.To)
				if len(before.waiting) == 1 && wasAway {
					c.fault(&c.tally.Early, "game %s went on without %s at a deadline of %s, and they had said that they are away", t.id, side, before.Deadline)
				}
			}
		}
	}
	if t.phases == before.phases && t.Since.Equal(before.Since) && c.now.Sub(t.Deadline.Add(t.grace)) > time.Minute && !t.Late {
		c.fault(&c.tally.Missed, "game %s still waits: its deadline was %s, grace %v", t.id, t.Deadline, t.grace)
	}
}

// morning is the moderator's round: they read the status and mend what it names,
// and some things happen that no status tells beforehand.
func (c *year) morning() error {
	r, err := c.ask(Request{Verb: "status"})
	if err != nil {
		return err
	}
	c.tally.Own = max(c.tally.Own, r.Own)
	for _, st := range r.Status.Games {
		t := c.tables[st.ID]
		if t == nil {
			continue
		}
		if err := c.mend(t, st); err != nil {
			return err
		}
	}
	c.at(c.now.Add(24*time.Hour), c.morning)
	return nil
}

// act is an act of the moderator that must succeed.
func (c *year) act(t *table, n *int, verb, side, value string) error {
	_, err := c.ask(Request{Verb: "act", Act: acts.Act{By: "club", Verb: verb, Game: t.id, Side: side, Value: value}})
	if err != nil {
		c.fault(&c.tally.Unexpected, "game %s: %s %s: %v", t.id, verb, value, err)
		return nil
	}
	*n++
	return c.refresh(t)
}

func (c *year) mend(t *table, st club.GameStatus) error {
	for _, side := range t.waiting {
		if s := t.seats[side]; s.gone && t.status == store.StatusRunning && c.now.Sub(t.Since) > 4*24*time.Hour {
			if err := c.replace(t, s); err != nil {
				return err
			}
		}
	}
	switch {
	case t.status != store.StatusRunning:
		return nil
	case st.Rank == club.RankAlarm && t.Late && c.chance(50):
		return c.act(t, &c.tally.Forced, "force", "", "")
	case st.Rank == club.RankAlarm && t.Late:
		return c.act(t, &c.tally.Extended, "extend", "", "2d")
	case c.random.IntN(600) == 0:
		if t.phases < 3 {
			return nil
		}
		for _, s := range t.seats {
			s.done = 0 // their sheets since then count no more
		}
		return c.act(t, &c.tally.Rolled, "rollback", "", strconv.Itoa(1+c.random.IntN(int(t.phases)-1))+": the trial wants it")
	case c.random.IntN(400) == 0:
		if err := c.act(t, &c.tally.Paused, "pause", "", "holidays"); err != nil {
			return err
		}
		c.at(c.now.Add(c.hours(24, 24*14)), func() error {
			if c.tables[t.id] != t || t.status != store.StatusPaused {
				return nil
			}
			var none int
			return c.act(t, &none, "unpause", "", "")
		})
	}
	return nil
}

// replace gives a seat to somebody else, who orders for what they are told.
func (c *year) replace(t *table, s *seat) error {
	c.tally.Replaced++
	if err := c.fill(s, 5); err != nil {
		return err
	}
	if _, err := c.ask(Request{Verb: "key", Game: t.id, Side: s.Side, Key: s.Key.Public().String()}); err != nil {
		return err
	}
	if _, err := c.ask(Request{Verb: "act", Act: acts.Act{By: "club", Verb: "address", Game: t.id, Side: s.Side, Value: s.Address}}); err != nil {
		return err
	}
	if err := c.confirm(t, s); err != nil {
		return err
	}
	c.at(c.now.Add(c.hours(1, 20)), func() error {
		if c.tables[t.id] != t || !slices.Contains(t.waiting, s.Side) || s.gone {
			return nil
		}
		return c.orders(t, s)
	})
	return nil
}

// confirm answers the mail that asks somebody whether an address is theirs: until then their mail goes to
// the one before.
func (c *year) confirm(t *table, s *seat) error {
	r, err := c.ask(Request{Verb: "look", Game: t.id, Address: s.Address})
	if err != nil {
		return err
	}
	c.tally.Mails += r.Mails
	c.tally.Reminders += r.Reminders
	_, block, asks := strings.Cut(r.Answer, "GAME: "+t.id)
	if block, _, _ = strings.Cut(block, "\n\n"); !asks {
		c.fault(&c.tally.Unexpected, "game %s: %s is not asked to confirm their address; the answer:\n%s", t.id, s.Side, r.Answer)
		return nil
	}
	if err := c.post(s.Address, "GAME: "+t.id+block+"\n"); err != nil {
		return err
	}
	if err := c.refresh(t); err != nil {
		return err
	}
	for _, p := range t.players {
		if p.Side == s.Side && p.Address != s.Address {
			c.fault(&c.tally.Unexpected, "game %s: the address of %s is not confirmed", t.id, s.Side)
		}
	}
	return nil
}
