package post

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/seats"
)

// Deliver sends what the outbox holds, one mail at a time.
func (o *Office) Deliver(ctx context.Context, sender *mailbox.Sender, wake <-chan struct{}) error {
	defer sender.Close()
	if err := o.ClampRetries(); err != nil && !o.passes(err) {
		return err
	}
	for {
		more, err := o.SendDue(ctx, sender)
		switch {
		case err != nil && !o.passes(err):
			return err
		case err != nil:
			o.Log.Error("no mail is sent: what becomes of it cannot be kept", "error", err)
			select {
			case <-ctx.Done():
				return nil
			case <-wake:
			case <-time.After(o.unkeptAgain()):
			}
			continue
		case more:
			continue
		}
		wait := time.Minute
		if o.isShared() {
			wait = othersAgain
		}
		if at, ok, err := o.DB.NextAttempt(); err == nil && ok {
			wait = min(wait, max(at.Sub(o.Now()), 50*time.Millisecond))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-wake:
		case <-time.After(wait):
		}
	}
}

// isShared tells whether other nodes send out of the same outbox.
func (o *Office) isShared() bool {
	_, is := o.DB.(store.Shared)
	return is
}

// passes tells whether an error is of a disk that is full, of a database that is away, or of nodes that
// come first again and again: the outbox waits until it is its turn.
func (o *Office) passes(err error) bool {
	return errors.Is(err, store.ErrAway) || errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrStale) || o.DB.Refused() != nil
}

// unkeptAgain is how long the outbox waits for a disk that keeps nothing, or a database that is
// away, unless it is woken. A disk waits for a person; a database comes back by itself.
func (o *Office) unkeptAgain() time.Duration {
	if o.isShared() {
		return 2 * othersAgain
	}
	return 20 * time.Second
}

// othersAgain is how often the outbox is looked into in which other nodes may have put a mail.
const othersAgain = time.Second

// queueLength is how many mails are looked up at once.
const queueLength = 50

// SendDue makes one attempt at each mail that is due, and tells whether there may
// be more.
func (o *Office) SendDue(ctx context.Context, sender *mailbox.Sender) (more bool, err error) {
	if err := o.settle(); err != nil {
		return false, err
	}
	queue, err := o.DB.Queue(o.Now(), queueLength)
	if err := o.Readable(err); err != nil {
		return false, err
	}
	for _, m := range queue {
		if ctx.Err() != nil {
			return false, nil
		}
		stop, err := o.send(ctx, sender, m)
		if err != nil && KindOf(err) == Damaged {
			o.Log.Error("a mail is left where it is: what is known of it is damaged", "id", m.ID, "game", m.Game, "error", err)
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
func (o *Office) send(ctx context.Context, sender *mailbox.Sender, m store.Mail) (stop bool, err error) {
	to, err := o.Recipient(m)
	var raw []byte
	if err == nil {
		raw, err = o.DB.MailBytes(m.SHA256)
	}
	if err != nil {
		return false, o.holdBack(m, err)
	}
	id := m.ID
	m, err = o.DB.MarkSending(id, o.Now())
	if errors.Is(err, store.ErrState) {
		if !o.isShared() { // else another node was first
			o.Log.Warn("a mail is not sent: it is in the queue, and on its way or gone already", "id", id, "error", err)
		}
		return false, nil
	}
	if err != nil {
		// A disk that fails at the last moment may have kept it nevertheless.
		o.owed[id] = store.Result{State: store.MailQueued, At: o.Now(), Next: o.Now(), Reply: "not sent: " + err.Error()}
		return false, err
	}
	res := sender.Send(ctx, mailbox.Envelope{From: m.From, To: to}, raw)
	now := o.Now()
	o.Service.SentOne(res, now)
	r := store.Result{State: store.MailAccepted, At: now, Reply: res.Reply}
	if res.Err != nil && r.Reply == "" {
		r.Reply = res.Err.Error()
	}
	switch {
	case res.Outcome == mailbox.Delivered:
		o.Tally.Out.Add(1)
	case res.Outcome == mailbox.Permanent:
		r.State = store.MailFailed
		o.Log.Error("mail refused for good", "to", to, "id", m.ID, "reply", r.Reply)
		if err := o.refusedAt(m, to, res); err != nil && KindOf(err) != Damaged {
			return false, err
		}
	case res.Outcome == mailbox.Temporary && m.Attempts >= maxAttempts:
		r.State = store.MailFailed
		o.Log.Error("mail given up", "to", to, "id", m.ID, "attempts", m.Attempts, "reply", r.Reply)
	default:
		r.State, r.Next = store.MailQueued, now.Add(pauseAfter(res, m.Attempts))
		if ctx.Err() != nil { // we stop, and whoever comes next sends it: the server has put nothing off
			r.Next = now
		}
		stop = res.Outcome == mailbox.Misconfigured
		log := o.Log.Warn
		if stop {
			log = o.Log.Error
		}
		log("mail not sent yet", "to", to, "id", m.ID, "outcome", res.Outcome.String(), "again", r.Next, "reply", r.Reply)
	}
	err = o.DB.MarkResult(m.ID, r)
	if errors.Is(err, store.ErrState) && o.isShared() {
		return false, nil // another node took it over meanwhile, and has said what became of it
	}
	if err != nil {
		o.owed[m.ID] = r
		return stop, err
	}
	return stop, nil
}

// settle notes what became of mails when the disk did not keep it. Until then none is sent: it
// would be sent again with every try.
func (o *Office) settle() error {
	for _, id := range slices.Sorted(maps.Keys(o.owed)) {
		err := o.DB.MarkResult(id, o.owed[id])
		if err != nil && o.passes(err) {
			return err
		}
		delete(o.owed, id) // where it is not the disk, the record is damaged: see send
	}
	return nil
}

// holdBack does with a mail that does not go out now what the kind of the reason calls
// for. A store that is unusable it hands back: no mail can be sent then.
func (o *Office) holdBack(m store.Mail, why error) error {
	r := store.Result{State: store.MailQueued, At: o.Now(), Reply: "held back: " + why.Error()}
	kind := KindOf(why)
	log := o.Log.Warn
	switch {
	case kind == unusable:
		return why
	case kind == Damaged:
		r.Next, r.Damage = o.Now().Add(RepairAgain), why.Error()
		log = o.Log.Error
	case errors.Is(why, errSuspended):
		r.Next = o.Now().Add(heldFor)
	default:
		r.State = store.MailFailed
	}
	log("mail held back", "id", m.ID, "kind", m.Kind, "game", m.Game, "side", m.Side, "until", r.Next, "why", why)
	return o.DB.MarkResult(m.ID, r)
}

// maxAttempts is how often a server may put a mail off: with the pauses of
// backOff five days.
const maxAttempts = 40

// pauseAfter is the time to the next attempt. A connection that broke is mostly good again at once, and players wait.
func pauseAfter(res mailbox.Result, attempts int) time.Duration {
	isBroken := res.Outcome == mailbox.Temporary && res.Code == 0
	switch {
	case isBroken && attempts == 1:
		return 2 * time.Second
	case isBroken:
		return backOff(attempts - 1)
	}
	return backOff(attempts)
}

// backOff is the time to the next attempt: half a minute, doubling to four hours.
func backOff(attempts int) time.Duration {
	d := 30 * time.Second
	for i := 1; i < attempts && d < 4*time.Hour; i++ {
		d *= 2
	}
	return min(d, 4*time.Hour)
}

// RepairAgain is how long a mail waits for something damaged before it is looked at
// again.
const RepairAgain = 10 * time.Minute

// ClampRetries brings back mails that wait for a moment further off than any pause is: the
// clock was ahead when they were put off.
func (o *Office) ClampRetries() error {
	now := o.Now()
	queue, err := o.DB.Queue(now.AddDate(store.AllUnsent, 0, 0), 0)
	if err := o.Readable(err); err != nil {
		return err
	}
	for _, m := range queue {
		longest := heldFor
		if m.Changed.IsZero() {
			longest = longestWish // nobody has tried it: it is a letter that goes by a slow post
		}
		if !m.Next.After(now.Add(longest)) {
			continue
		}
		o.Log.Warn("a mail waited for a moment that is far off; it is tried again now", "id", m.ID, "until", m.Next)
		if err := o.DB.MarkResult(m.ID, store.Result{State: store.MailQueued, At: now, Next: now, Reply: m.Reply, Damage: m.Damage}); err != nil && KindOf(err) == unusable {
			return err
		}
	}
	return nil
}

// longestWish is longer than a game can ask its letters to wait.
const longestWish = 31 * 24 * time.Hour

// heldFor is how long a mail waits before its recipient is looked at again.
const heldFor = 6 * time.Hour

// Recipient is where a mail goes, looked up once more: the seat it was written
// for must still have the address that it was written to. An error is why it does not
// go out now; of which kind, faultOf tells.
func (o *Office) Recipient(m store.Mail) (to string, err error) {
	if m.Game == "" {
		return m.To, nil
	}
	g, err := o.DB.Game(m.Game)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == m.Side })
	toGuest := m.Kind == "invitation" || m.Kind == ToGuest // who is invited has no seat yet
	if i < 0 || toGuest {
		all, err := o.Invitations(m.Game, m.Side)
		if err != nil {
			return "", err
		}
		for _, in := range all {
			if !strings.EqualFold(m.To, in.Address) {
				continue
			}
			_, usable := o.Route(store.Player{Address: m.To})
			if !usable && !toGuest { // somebody has just asked for that one
				return "", errSuspended
			}
			return m.To, nil
		}
	}
	var p store.Player
	if i >= 0 && m.Commander <= len(g.Players[i].Commanders) {
		p = g.Players[i].As(m.Commander)
	}
	if m.To == "" || !seats.HasAddress(p, m.To) {
		return "", fmt.Errorf("%w: %s", ErrMoved, m.Side)
	}
	to, usable := o.Route(p)
	if !usable {
		return "", errSuspended
	}
	return to, nil
}
