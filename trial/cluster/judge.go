package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"fieldpost/store"
	"fieldpost/umpire"
	"fieldpost/umpire/records"
)

// judge compares what is in the store with what players sent and got.
func (c *club) judge(t *Tally) error {
	u, err := c.open()
	if err != nil {
		return err
	}
	defer u.DB.Close()
	if !c.ended() {
		c.fault("not every game came to its end; nothing happened for %v", patience)
	}
	for _, err := range records.Check(u.DB) {
		c.fault("the store is not in order: %v", err)
	}
	known := map[string]bool{}
	for game := range c.dice {
		if err := errors.Join(c.mailsOf(u, game, known), c.sheetsOf(u, game)); err != nil {
			return err
		}
		if _, err := u.Replay(game, true); err != nil {
			c.fault("game %s replayed: %v", game, err)
		}
	}
	c.archives(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, m := range c.mails {
		if t.Mails++; !known[id] {
			c.wrong = append(c.wrong, fmt.Sprintf("%s came to %s, and the store knows nothing of it", id, m.to))
		}
		t.Copies += m.times - 1
	}
	t.Games += len(c.dice)
	t.Wrong = append(t.Wrong, c.wrong...)
	for _, p := range c.players {
		t.Sheets += len(p.sheets)
	}
	return nil
}

// mailsOf compares the mails of a game: each that was written came, to whom it was written, as it was
// written; each sheet has one answer.
func (c *club) mailsOf(u *umpire.Umpire, game string, known map[string]bool) error {
	mails, err := u.DB.Mails(game)
	if err != nil {
		return err
	}
	for _, m := range mails {
		id := strings.Trim(m.MessageID, "<>")
		known[id] = true
		if m.State == store.MailReplaced {
			continue
		}
		if m.Kind == "refusal" {
			c.fault("game %s: %s was refused: %s", game, m.Side, id)
		}
		raw, err := u.DB.MailBytes(m.SHA256)
		if err != nil {
			return err
		}
		c.mu.Lock()
		came := c.mails[id]
		c.mu.Unlock()
		switch {
		case m.State != store.MailAccepted:
			c.fault("%s to %s is %s at the end", id, m.To, m.State)
		case came == nil:
			c.fault("%s to %s never came", id, m.To)
		case came.to != m.To:
			c.fault("%s to %s came to %s", id, m.To, came.to)
		case came.sha != store.Sum(own(raw)):
			c.fault("%s came with other bytes than were written", id)
		}
	}
	return nil
}

// sheetsOf compares the sheets of a game: each that was sent is filed, once, and no other.
func (c *club) sheetsOf(u *umpire.Umpire, game string) error {
	sheets, err := u.DB.AllSheets(game)
	if err != nil {
		return err
	}
	filed := map[string]int{}
	for _, s := range sheets {
		filed[fmt.Sprintf("%s %d", s.Side, s.Turn)]++
	}
	sent := 0
	for _, p := range c.players {
		if p.Game != game {
			continue
		}
		sent += len(p.sheets)
		for turn := 1; turn <= p.answered; turn++ {
			if n := filed[fmt.Sprintf("%s %d", p.Side, turn)]; n != 1 {
				c.fault("game %s: the sheet of %s for turn %d is filed %d times", game, p.Side, turn, n)
			}
		}
	}
	if sent != len(sheets) {
		c.fault("game %s: %d sheets were sent and %d are filed", game, sent, len(sheets))
	}
	return nil
}

// archives counts the archives of games, of which the sides must have got the same.
func (c *club) archives(t *Tally) {
	first := map[string][]byte{}
	for _, p := range c.players {
		if p.archive == nil {
			continue
		}
		before, there := first[p.Game]
		if there && !bytes.Equal(before, p.archive) {
			c.fault("game %s: the sides got different archives", p.Game)
		}
		if !there {
			first[p.Game] = p.archive
			t.Archives++
		}
	}
}
