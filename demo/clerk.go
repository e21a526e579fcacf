package demo

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/staff"
	"fieldpost/umpire/proof"
)

// clerk is a player's desk: it reads the mailbox, lets the staff officer decide, signs
// the sheet and mails it. It knows nothing but what came by mail.
type clerk struct {
	world.Player
	config   mailbox.Config
	umpire   string
	officer  staff.Officer
	sender   *mailbox.Sender
	answered int // the last turn they gave orders for
	serial   int
	answers  string // their ANSWERS line
	stop     func(v *view.View) bool

	mu   sync.Mutex
	read map[mailbox.Key]bool
}

func (s *show) newClerk(p world.Player, game adjudicator.Game) (c *clerk, err error) {
	c = &clerk{Player: p, umpire: address("umpire"), read: map[mailbox.Key]bool{}, officer: staff.Officer{Game: game, Mode: s.mode()},
		answers: s.Answers,
		stop:    func(v *view.View) bool { return s.Turns > 0 && v.Turn > s.Turns }}
	c.config = world.Account(s.office, p.Address, strings.ToLower(p.Side))
	c.config.Name, c.config.Instance = "Staff of "+p.Side, "staff-"+strings.ToLower(p.Side)
	c.config.IMAP.Poll = mailbox.Duration(50 * time.Millisecond)
	c.config = c.config.WithDefaults()
	c.sender, err = mailbox.NewSender(c.config, mailbox.SenderOptions{})
	return c, err
}

// mode is the MODE line of the staff that comes next.
func (s *show) mode() string {
	if len(s.clerks) == 0 {
		return s.Mode
	}
	return s.Other
}

// run reads mail until ctx ends.
func (c *clerk) run(ctx context.Context) error {
	defer c.sender.Close()
	var fault error
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := mailbox.NewPoller(c.config, c, func(ctx context.Context, raw mailbox.Raw) error {
		if err := c.open(ctx, raw); err != nil {
			if ctx.Err() == nil {
				fault = fmt.Errorf("staff of %s: %w", c.Side, err)
				cancel()
			}
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.read[raw.Key] = true
		return nil
	}, mailbox.PollerOptions{Log: slog.New(slog.DiscardHandler), MinBackoff: 50 * time.Millisecond})
	if err != nil {
		return err
	}
	err = p.Run(ctx)
	if fault != nil {
		return fault
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Low implements mailbox.Seen.
func (c *clerk) Low(box string, validity uint32) uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	low := uint32(0)
	for c.read[mailbox.Key{Box: box, UIDValidity: validity, UID: low + 1}] {
		low++
	}
	return low
}

// Handled implements mailbox.Seen.
func (c *clerk) Handled(key mailbox.Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read[key]
}

// Listed implements mailbox.Seen.
func (c *clerk) Listed(string, uint32, []uint32) error { return nil }

// All is of no interest to who keeps everything.
func (c *clerk) All(string, uint32, []uint32) {}

// open reads a mail. Only a report that asks for orders is answered.
func (c *clerk) open(ctx context.Context, raw mailbox.Raw) error {
	m, err := mailbox.Read(raw.Bytes)
	if err != nil {
		return err
	}
	v, err := proof.View(m)
	if err != nil || v == nil {
		return err
	}
	if len(v.Asked) == 0 && (len(v.Due) == 0 || v.Turn <= c.answered) || v.Verdict != "" || c.stop(v) {
		return nil
	}
	text, err := c.officer.Sheet(v, c.serial+1)
	if err != nil {
		return err
	}
	if c.answers != "" {
		text = strings.Replace(text, "\nTURN:", "\nANSWERS: "+c.answers+"\nTURN:", 1)
	}
	if err := c.send(ctx, m, v, text); err != nil {
		return err
	}
	c.serial++
	if len(v.Asked) == 0 {
		c.answered = v.Turn
	}
	return nil
}

// send signs a sheet and mails it as an answer to the report.
func (c *clerk) send(ctx context.Context, report *mailbox.Message, v *view.View, text string) error {
	raw := world.Mail{From: c.Address, To: c.umpire, Subject: "Re: " + report.Subject, ReplyTo: report.MessageID, Date: time.Now(),
		ID: fmt.Sprintf("sheet.%s.%d.%d", strings.ToLower(c.Side), v.Turn, c.serial+1)}.
		Plain(fmt.Sprintf("Our orders for %s.\n\n%s", v.Date, c.Sign(text)))
	for ctx.Err() == nil {
		r := c.sender.Send(ctx, mailbox.Envelope{From: c.Address, To: c.umpire}, raw)
		if r.Outcome == mailbox.Delivered {
			return nil
		}
		if r.Outcome == mailbox.Permanent {
			return r.Err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return ctx.Err()
}
