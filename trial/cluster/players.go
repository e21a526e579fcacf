package cluster

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

// player answers every report with the sheet of a staff officer, as soon as it comes.
type player struct {
	world.Player
	club    *club
	officer staff.Officer

	mu       sync.Mutex
	answered int             // the last turn they gave orders for
	sheets   map[string]bool // Message-IDs of what they sent
	ended    bool            // they have all that is to come
	archive  []byte
}

func newPlayer(c *club, p world.Player) *player {
	return &player{Player: p, club: c, officer: staff.Officer{Game: c.game}, sheets: map[string]bool{}}
}

// delivered takes a mail of a daemon to a player.
func (c *club) delivered(rcpt, _ string, raw []byte) {
	m, err := mailbox.Read(raw)
	if err != nil {
		c.fault("a mail to %s cannot be read: %v", rcpt, err)
		return
	}
	p := c.players[rcpt]
	if p == nil {
		c.fault("a mail to %s, who plays nowhere: %s", rcpt, m.Subject)
		return
	}
	if c.isNew(rcpt, m.MessageID, own(raw)) {
		go p.read(m, bytes.Clone(raw))
	}
}

// own are the bytes of a mail without the lines that delivery adds.
func own(raw []byte) []byte {
	if at := bytes.Index(raw, []byte("Auto-Submitted:")); at > 0 {
		return raw[at:]
	}
	return raw
}

// isNew notes a mail, and tells whether it has not come before.
func (c *club) isNew(to, id string, own []byte) bool {
	sha := store.Sum(own)
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.mails[id]
	if before == nil {
		c.mails[id] = &mailed{to, sha, 1}
		return true
	}
	before.times++
	if before.sha != sha {
		c.wrong = append(c.wrong, fmt.Sprintf("%s came again with other bytes", id))
	}
	if before.to != to {
		c.wrong = append(c.wrong, fmt.Sprintf("%s came to %s and to %s", id, before.to, to))
	}
	return false
}

func (c *club) fault(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// read reads a mail that came for the first time.
func (p *player) read(m *mailbox.Message, raw []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.take(m, raw); err != nil {
		p.club.fault("%s of game %s: %s: %v", p.Side, p.Game, m.Subject, err)
	}
}

func (p *player) take(m *mailbox.Message, raw []byte) error {
	for _, a := range m.Attachments {
		if strings.HasSuffix(a.Name, ".tar") {
			found, err := archive.Verify(a.Data, p.trust())
			if err == nil && len(found.Unproven) > 0 {
				err = fmt.Errorf("unproven in the archive: %q", found.Unproven)
			}
			p.archive, p.ended = a.Data, true
			return err
		}
	}
	v, err := proof.View(m)
	if err != nil || v == nil {
		return err
	}
	if v.Game != p.Game || v.Side != p.Side {
		return fmt.Errorf("a report of game %s to %s", v.Game, v.Side)
	}
	if _, err := proof.Verify(raw, p.trust()); err != nil {
		return err
	}
	if p.club.Turns > 0 && v.Turn > p.club.Turns {
		p.ended = true
		return nil
	}
	if len(v.Due) == 0 || v.Turn <= p.answered || v.Verdict != "" {
		return nil
	}
	p.answered = v.Turn
	text, err := p.officer.Sheet(v, v.Turn)
	if err != nil {
		return err
	}
	mail := world.Mail{From: p.Address, To: desk, Subject: "Re: " + m.Subject, ReplyTo: m.MessageID,
		ID: fmt.Sprintf("sheet.%s.%s.%d", strings.ToLower(p.Game), strings.ToLower(p.Side), v.Turn)}
	p.sheets[mail.ID+"@"+domain] = true
	return p.club.office.Deliver(desk, mail.Plain("Our orders.\n\n"+p.Sign(text)))
}

func (p *player) trust() proof.Trust {
	return proof.Trust{DiceKey: p.club.dice[p.Game], DaemonKey: p.club.key.String()}
}

// ended tells whether every player has all that is to come.
func (c *club) ended() bool {
	for _, p := range c.players {
		p.mu.Lock()
		ended := p.ended
		p.mu.Unlock()
		if !ended {
			return false
		}
	}
	return true
}
