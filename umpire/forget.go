package umpire

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// ErrPlays says that somebody cannot be forgotten while they have a seat.
var ErrPlays = errors.New("they still have a seat")

// Forgotten is what Forget removed.
type Forgotten struct {
	Games          []string // finished games in which they had a seat
	Sent, Received int      // mails whose files are gone
	Waiting        int      // mails to them that are still on their way: forget them again later
}

// Forget removes what is kept of a person: name, addresses, time zone and absences
// in finished games, the mails to them and from them, and notes on their address. What
// proves a game stays, as their opponents have it too: keys, nonces and sheets. Who
// still has a seat has to be replaced first.
func (u *Umpire) Forget(address string) (f Forgotten, err error) {
	err = u.Anew(func(on *intake.Handler) error {
		f, err = forgetting{on}.forget(address)
		return err
	})
	return f, err
}

// forgetting removes what is kept of a person.
type forgetting struct{ *intake.Handler }

func (u forgetting) forget(address string) (f Forgotten, err error) {
	address = strings.ToLower(strings.TrimSpace(address))
	if _, err := mailbox.PlainAddress(address); err != nil {
		return f, fmt.Errorf("%w: %w", acts.ErrAddress, err)
	}
	games, err := u.DB.Games()
	if err != nil {
		return f, err
	}
	theirs := func(p store.Player) bool {
		return seats.HasAddress(p, address) || seats.WrittenFrom(p, address) > 0
	}
	for _, g := range games {
		if i := slices.IndexFunc(g.Players, theirs); i >= 0 && g.Status != store.StatusFinished {
			err = errors.Join(err, fmt.Errorf("game %s, %s: %w; game replace gives it to another player", g.ID, g.Players[i].Side, ErrPlays))
		}
	}
	if err != nil {
		return f, err
	}
	received, err := u.mailsFrom(address)
	if err != nil {
		return f, err
	}
	for _, g := range games {
		if !slices.ContainsFunc(g.Players, theirs) {
			continue
		}
		g.Players = slices.Clone(g.Players)
		for i, p := range g.Players {
			if n := seats.WrittenFrom(p, address); n > 0 {
				p.Commanders = slices.Clone(p.Commanders)
				p.Commanders[n-1] = seats.Relieved(p.Commanders[n-1])
				p.Commanders[n-1].Name = ""
				g.Players[i] = p
			} else if theirs(p) {
				g.Players[i] = store.Player{Side: p.Side, Key: p.Key, Nonce: p.Nonce, Sealed: p.Sealed, NonceSignature: p.NonceSignature, Serial: p.Serial, Drawn: p.Drawn, LateTurns: p.LateTurns, Commanders: p.Commanders, Own: p.Own}
			}
		}
		if err := u.Commit(store.Change{Game: &g, Expect: g.Seq}); err != nil {
			return f, err
		}
		f.Games = append(f.Games, g.ID)
	}
	var c store.Change
	post.HealthRecords.Drop(&c, post.HealthOf(address))
	intake.StrangerRecord.Drop(&c, store.House{})
	if err := u.forgetRecords(&c, address); err != nil {
		return f, err
	}
	if err := u.ActLog().Add(&c, audit.Entry{By: "the club", Verb: "forget", Did: fmt.Sprintf("a person's data are removed from %d finished games", len(f.Games))}); err != nil {
		return f, err
	}
	if err := u.Commit(c); err != nil {
		return f, err
	}
	p, waiting, err := u.DB.Forget(address, received)
	f.Sent, f.Received, f.Waiting = p.Sent, p.Received, waiting
	return f, err
}

// mailsFrom are the incoming mails from an address whose files are kept.
func (u forgetting) mailsFrom(address string) (shas []string, err error) {
	kept, err := u.DB.SpoolKept()
	if err != nil {
		return nil, err
	}
	for _, h := range kept {
		raw, err := u.DB.Spooled(h.SHA256)
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrDamaged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if m, err := mailbox.Read(raw); err == nil && strings.EqualFold(m.From, address) {
			shas = append(shas, h.SHA256)
		}
	}
	return shas, nil
}

// forgetRecords takes an address out of the records of invitations and of seats that
// were given up.
func (u forgetting) forgetRecords(c *store.Change, address string) error {
	invitations, err := post.InvitationRecords.All(u.DB)
	if err != nil {
		return err
	}
	for key, in := range invitations {
		if strings.EqualFold(in.Address, address) {
			post.InvitationRecords.Drop(c, key)
		}
	}
	if err := u.ForgetMoving(c, func(_ acts.MovingKey, in acts.Moving) bool { return strings.EqualFold(in.Address, address) }); err != nil {
		return err
	}
	left, err := seats.LeftSeatRecords.All(u.DB)
	if err != nil {
		return err
	}
	for key, l := range left {
		if strings.EqualFold(l.Address, address) {
			l.Name, l.Address = "", ""
			seats.LeftSeatRecords.Put(c, key, l)
		}
	}
	return nil
}

// Forget removes what is kept of a person.
func (d *Desk) Forget(address string) (f Forgotten, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Forget", address, &f)
		return f, err
	}
	return d.u.Forget(address)
}

// Forget is Forget over the socket.
func (s *service) Forget(address string, f *Forgotten) (err error) {
	*f, err = s.u.Forget(address)
	return err
}
