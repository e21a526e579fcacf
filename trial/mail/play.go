package mail

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"time"

	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/umpire"
	"fieldpost/umpire/records"
)

// process is the umpire between two deaths.
type process struct {
	u      *umpire.Umpire
	poller *mailbox.Poller
	sender *mailbox.Sender
	ctx    context.Context
	read   bool // the last poll read all mail that there was
}

// begin starts the process over what the last one left.
func (w *schedule) begin() (*process, error) {
	if w.db != nil {
		if err := w.db.Close(); err != nil {
			return nil, err
		}
	}
	if w.dead {
		if err := os.Rename(w.path("at-death"), w.path(bolt.Database)); err != nil {
			return nil, err
		}
	}
	db, err := bolt.Open(w.path(bolt.Database), bolt.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := db.Requeue(); err != nil {
		return nil, err
	}
	p := &process{u: world.New(db, w.options(w.now)).Umpire}
	w.mu.Lock()
	w.db, w.dead = db, false
	p.ctx, w.kill = context.WithCancel(w.ctx)
	w.mu.Unlock()
	options := mailbox.PollerOptions{Dial: w.dial, NoIdle: true, Timeout: w.timeout, Done: func(time.Time) { p.read = true }}
	inbox := p.u.Inbox()
	if p.poller, err = mailbox.NewPoller(account(w.office), inbox, inbox.Fetched, options); err != nil {
		return nil, err
	}
	p.sender, err = mailbox.NewSender(account(w.office), mailbox.SenderOptions{Dial: w.dial, Timeout: w.timeout})
	return p, err
}

// end lets go of the connections; the database stays open for begin.
func (p *process) end() {
	p.poller.Close()
	p.sender.Close()
}

// sent is a sheet that a player has mailed.
type sent struct {
	seat   int
	serial int
	raw    []byte
}

// play is the schedule: mails come in over some rounds with faults, and then
// everything is calm until nothing is left to do.
func (w *schedule) play() (sheets []sent, err error) {
	done := w.random.IntN(8) == 0 // now and then somebody ends their turn: adjudicated, and reported to both
	for i, s := range w.seats {
		for serial := 1; serial <= 1+w.random.IntN(3); serial++ {
			sheets = append(sheets, sent{i, serial, letter(s, serial, done && i == 0)})
		}
	}
	waiting := append([]sent(nil), sheets...)
	w.random.Shuffle(len(waiting), func(i, j int) { waiting[i], waiting[j] = waiting[j], waiting[i] })
	p, err := w.begin()
	if err != nil {
		return nil, err
	}
	defer func() { p.end(); w.db.Close() }()
	var polled error
	for round := 0; round < 40; round++ {
		w.calm = round > lastTrouble
		for n := w.random.IntN(5); n > 0 && len(waiting) > 0 || w.calm && len(waiting) > 0; n-- {
			w.tally[Sent]++
			if err := w.deliver(waiting[0].raw, 1+w.random.IntN(2)); err != nil {
				return nil, err
			}
			waiting = waiting[1:]
		}
		w.office.StallFetch(0)
		w.office.StallData(0)
		if !w.calm {
			if err := w.trouble(round); err != nil {
				return nil, err
			}
			if round == lastTrouble {
				w.accept()
			}
		}
		p.read = false
		polled = errors.Join(p.poller.Poll(p.ctx), p.u.WorkOff(p.ctx))
		_, sending := p.u.SendDue(p.ctx, p.sender)
		w.mu.Lock()
		dead := w.dead
		w.clock = w.clock.Add(time.Duration(1+w.random.IntN(600)) * time.Second)
		if w.calm {
			w.clock = w.clock.Add(6 * time.Hour)
		}
		w.mu.Unlock()
		if sending != nil && !dead {
			return nil, fmt.Errorf("sending: %w", sending)
		}
		if dead {
			p.end()
			if p, err = w.begin(); err != nil {
				return nil, err
			}
			continue
		}
		if w.calm && polled == nil && p.read && round > 10 && w.isDone() {
			return sheets, nil
		}
	}
	queue, err := w.db.Queue(w.clock.Add(1000*time.Hour), 3)
	return nil, fmt.Errorf("the mail does not come to rest: poll %v; queued %+v (%w)", polled, queue, err)
}

// isDone tells whether no mail is to be handled and none to be sent.
func (w *schedule) isDone() bool {
	_, more, err := w.db.NextAttempt()
	b, unread := w.db.Backlog()
	return err == nil && unread == nil && !more && b.Mails == 0
}

// deliver puts a mail into the umpire's folders, maybe more than once.
func (w *schedule) deliver(raw []byte, copies int) error {
	for range copies {
		box := "INBOX"
		if w.random.IntN(6) == 0 {
			box = "Junk"
		}
		w.tally[Copies]++
		w.junk[len(w.box)] = box == "Junk"
		w.box = append(w.box, raw)
		if err := w.office.DeliverTo(box, desk, raw); err != nil {
			return err
		}
	}
	return nil
}

// count looks at what is in the store and in the players' mailboxes.
func (w *schedule) count(sheets []sent) error {
	db, err := bolt.Open(w.path(bolt.Database), bolt.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer db.Close()
	for _, bad := range records.Check(db) {
		return fmt.Errorf("the store is not in order: %w", bad)
	}
	highest := map[int]int{}
	for _, s := range sheets {
		highest[s.seat] = max(highest[s.seat], s.serial)
		if _, handled, err := db.Handled(fmt.Sprintf("%x", sha256.Sum256(s.raw))); err != nil || !handled {
			w.tally[Lost]++
		}
	}
	for i, s := range w.seats {
		filed, err := db.AllSheets(s.Game)
		if err != nil {
			return err
		}
		times := map[int]int{}
		for _, f := range filed {
			if f.Side == s.Side {
				times[f.Serial]++
			}
		}
		for _, n := range times {
			if n > 1 {
				w.tally[Twice]++
			}
		}
		g, err := db.Game(s.Game)
		if err != nil {
			return err
		}
		// A sheet with DONE ends the turn: what comes later is for another one.
		if times[highest[i]] == 0 && g.Phases < 2 {
			w.tally[Lost]++
		}
	}
	seats := map[string]world.Player{}
	for _, s := range w.seats {
		seats[s.Game+" "+s.Side] = s
	}
	answers := 0
	for _, game := range []string{w.seats[0].Game, w.seats[players].Game} {
		mails, err := db.Mails(game)
		if err != nil {
			return err
		}
		for _, m := range mails {
			if m.Changed.Equal(w.start) {
				continue // from before
			}
			w.mail(m, seats[m.Game+" "+m.Side].Address)
			if m.Kind == "ack" || m.Kind == "refusal" {
				answers++
			}
		}
	}
	switch { // one answer for each sheet, however often it came
	case answers < len(sheets):
		w.tally[Missing] += len(sheets) - answers
	case answers > len(sheets):
		w.tally[Twice] += answers - len(sheets)
	}
	return nil
}

// mail checks that one outgoing mail came to its player, all copies alike, and
// to nobody else.
func (w *schedule) mail(m store.Mail, address string) {
	copies := 0
	var first []byte
	for rcpt, all := range w.arrived {
		for _, raw := range all {
			if !bytes.Contains(raw, []byte("<"+m.MessageID+">\r\n")) || !bytes.Contains(raw, []byte("Message-ID: <"+m.MessageID+">")) {
				continue
			}
			if rcpt != address {
				w.tally[Wrong]++
			}
			_, body, _ := bytes.Cut(raw, []byte("MIME-Version:")) // the trace in front differs
			if first != nil && !bytes.Equal(first, body) {
				w.tally[Changed]++
			}
			first = body
			copies++
		}
	}
	switch {
	case m.State == store.MailFailed && copies == 0:
		w.tally[GivenUp]++
	case copies == 0 || m.State != store.MailAccepted && m.State != store.MailFailed:
		w.tally[Missing]++
	}
	if m.Kind == "report" {
		w.tally[Reports] += min(copies, 1)
	} else {
		w.tally[Answers] += min(copies, 1)
	}
	w.tally[Repeats] += max(copies-1, 0)
}
