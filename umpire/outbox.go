package umpire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
)

// deliver sends what the outbox holds, one mail at a time.
func (u *Umpire) deliver(ctx context.Context, sender *mailbox.Sender, wake <-chan struct{}) error {
	defer sender.Close()
	for {
		more, err := u.SendDue(ctx, sender)
		if err != nil {
			return err
		}
		if more {
			continue
		}
		wait := time.Minute
		if at, ok, err := u.DB.NextAttempt(); err == nil && ok {
			wait = min(wait, max(at.Sub(u.Now()), 50*time.Millisecond))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-wake:
		case <-time.After(wait):
		}
	}
}

// queueLength is how many mails are looked up at once.
const queueLength = 50

// SendDue makes one attempt at each mail that is due, and tells whether there may
// be more.
func (u *Umpire) SendDue(ctx context.Context, sender *mailbox.Sender) (more bool, err error) {
	queue, err := u.DB.Queue(u.Now(), queueLength)
	if err := u.readable(err); err != nil {
		return false, err
	}
	for _, m := range queue {
		if ctx.Err() != nil {
			return false, nil
		}
		stop, err := u.send(ctx, sender, m)
		if err != nil && faultOf(err) == damaged {
			u.Log.Error("a mail is left where it is: what is known of it is damaged", "id", m.ID, "game", m.Game, "error", err)
			continue
		}
		if stop || err != nil {
			return false, err
		}
	}
	return len(queue) == queueLength, nil
}

// send makes one attempt. "Sending" is on disk before the first byte leaves: if
// the process dies now, the same bytes go out again under the same Message-ID.
// stop says that the server takes no mail at all, so that the next one need not
// be tried now.
func (u *Umpire) send(ctx context.Context, sender *mailbox.Sender, m store.Mail) (stop bool, err error) {
	to, err := u.recipient(m)
	var raw []byte
	if err == nil {
		raw, err = u.DB.MailBytes(m.SHA256)
	}
	if err != nil {
		return false, u.holdBack(m, err)
	}
	m, err = u.DB.MarkSending(m.ID, u.Now())
	if errors.Is(err, store.ErrState) {
		u.Log.Warn("a mail is not sent: it is in the queue, and on its way or gone already", "id", m.ID, "error", err)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	res := sender.Send(ctx, mailbox.Envelope{From: m.From, To: to}, raw)
	now := u.Now()
	r := store.Result{State: store.MailAccepted, At: now, Reply: res.Reply}
	if res.Err != nil && r.Reply == "" {
		r.Reply = res.Err.Error()
	}
	switch {
	case res.Outcome == mailbox.Delivered:
		u.tally.out.Add(1)
	case res.Outcome == mailbox.Permanent:
		r.State = store.MailFailed
		u.Log.Error("mail refused for good", "to", to, "id", m.ID, "reply", r.Reply)
		if err := u.refusedAt(m, to, res); err != nil && faultOf(err) != damaged {
			return false, err
		}
	case res.Outcome == mailbox.Temporary && m.Attempts >= maxAttempts:
		r.State = store.MailFailed
		u.Log.Error("mail given up", "to", to, "id", m.ID, "attempts", m.Attempts, "reply", r.Reply)
	default:
		r.State, r.Next = store.MailQueued, now.Add(backOff(m.Attempts))
		stop = res.Outcome == mailbox.Misconfigured
		log := u.Log.Warn
		if stop {
			log = u.Log.Error
		}
		log("mail not sent yet", "to", to, "id", m.ID, "outcome", res.Outcome.String(), "again", r.Next, "reply", r.Reply)
	}
	return stop, u.DB.MarkResult(m.ID, r)
}

// holdBack does with a mail that does not go out now what the kind of the reason calls
// for. A store that is unusable it hands back: no mail can be sent then.
func (u *Umpire) holdBack(m store.Mail, why error) error {
	r := store.Result{State: store.MailQueued, At: u.Now(), Reply: "held back: " + why.Error()}
	kind := faultOf(why)
	log := u.Log.Warn
	switch {
	case kind == unusable:
		return why
	case kind == damaged:
		r.Next, r.Damage = u.Now().Add(repairAgain), why.Error()
		log = u.Log.Error
	case errors.Is(why, errSuspended):
		r.Next = u.Now().Add(heldFor)
	default:
		r.State = store.MailFailed
	}
	log("mail held back", "id", m.ID, "kind", m.Kind, "game", m.Game, "side", m.Side, "until", r.Next, "why", why)
	return u.DB.MarkResult(m.ID, r)
}

// maxAttempts is how often a server may put a mail off: with the pauses of
// backOff five days.
const maxAttempts = 40

// backOff is the time to the next attempt: half a minute, doubling to four hours.
func backOff(attempts int) time.Duration {
	d := 30 * time.Second
	for i := 1; i < attempts && d < 4*time.Hour; i++ {
		d *= 2
	}
	return min(d, 4*time.Hour)
}

var (
	// errSuspended says that mail to all addresses of a player comes back.
	errSuspended = errors.New("mail to the player comes back; it waits until he writes")
	errMoved     = errors.New("its recipient is not the player of that side any more")
)

// repairAgain is how long a mail waits for something damaged before it is looked at
// again.
const repairAgain = 10 * time.Minute

// heldFor is how long a mail waits before its recipient is looked at again.
const heldFor = 6 * time.Hour

// recipient is where a mail goes, looked up once more: the seat it was written
// for must still have the address that it was written to. An error is why it does not
// go out now; of which kind, faultOf tells.
func (u *Umpire) recipient(m store.Mail) (to string, err error) {
	if m.Game == "" {
		return m.To, nil
	}
	g, err := u.DB.Game(m.Game)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == m.Side })
	if i < 0 || m.Kind == "invitation" { // who is invited has no seat yet
		all, err := u.invitations(m.Game, m.Side)
		if err != nil {
			return "", err
		}
		for _, in := range all {
			if !strings.EqualFold(m.To, in.Address) {
				continue
			}
			_, usable := u.route(store.Player{Address: m.To})
			if !usable && m.Kind != "invitation" { // somebody has just asked for that one
				return "", errSuspended
			}
			return m.To, nil
		}
	}
	var p store.Player
	if i >= 0 && m.Hand <= len(g.Players[i].Commanders) {
		p = g.Players[i].As(m.Hand)
	}
	if m.To == "" || !strings.EqualFold(m.To, p.Address) && !strings.EqualFold(m.To, p.Second) {
		return "", fmt.Errorf("%w: %s", errMoved, m.Side)
	}
	to, usable := u.route(p)
	if !usable {
		return "", errSuspended
	}
	return to, nil
}
