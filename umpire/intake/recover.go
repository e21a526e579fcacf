package intake

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

const recoverAfter = 48 * time.Hour

// SpareRecords are the hashes of recovery codes.
var SpareRecords = store.OnePerSeat[string]("recover").Plain()

func sameCode(code, hash string) bool {
	return subtle.ConstantTimeCompare([]byte(post.CodeHash(code)), []byte(hash)) == 1
}

// recover announces a new key to all players. It counts after two days, unless
// the key that is in use turns out not to be lost.
func (l *incoming) recover(g store.Game, side, code string, fresh seal.Key) (store.Change, error) {
	seat := store.Seat{Game: g.ID, Side: side}
	hash, there, err := SpareRecords.Get(l.h.DB, seat)
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == side })
	if err != nil || !there || i < 0 || !sameCode(code, hash) {
		return l.outcome("not accepted: a recovery code that does not fit, for " + side + " in game " + g.ID), nil
	}
	l.game, l.player = g, g.Players[i]
	if err := l.h.Unused(g, fresh); err != nil {
		return l.refuse(because("the key is not replaced", refusal(err.Error(), "")))
	}
	at := l.h.Now().UTC().Add(recoverAfter)
	c := l.outcome(fmt.Sprintf("%s in game %s recovers a key", side, g.ID))
	seats.RecoveringRecords.Put(&c, seat, seats.Recovering{Key: fresh.String(), At: at})
	SpareRecords.Drop(&c, seat) // it is used up
	c.Mails = l.toAll(fmt.Sprintf("the %s player says that they have lost their key", side[:1]+strings.ToLower(side[1:])),
		"Their new key, from "+at.Format("2 January 2006 15:04 MST")+" on: "+seal.Signer(fresh)+".",
		"If that is not so, file a sheet, or a ROTATE or REVOKE, signed with the key that is in use: then the new one is forgotten.")
	return c, nil
}

// toAll is a notice to every player of the game.
func (l *incoming) toAll(why string, advice ...string) (mails []store.Mail) {
	me := l.player
	for _, p := range l.h.Everybody(l.game) {
		o := *l
		if p.Side != me.Side || p.Commander != me.Commander {
			o.msg = &mailbox.Message{}
		}
		mails = append(mails, o.letterTo(p, why, advice...)...)
	}
	return mails
}

// notLost forgets a recovery when the key in use has signed something.
func (l *incoming) notLost(c *store.Change) {
	seat := store.Seat{Game: l.game.ID, Side: l.player.Side}
	if _, there, err := seats.RecoveringRecords.Get(l.h.DB, seat); err != nil || !there {
		return
	}
	seats.RecoveringRecords.Drop(c, seat)
	c.Mails = append(c.Mails, l.toAll(fmt.Sprintf("the %s player's key was not lost", l.player.Side[:1]+strings.ToLower(l.player.Side[1:])),
		"The key in use has signed a sheet, so the other one that was announced is forgotten.")...)
}

// WatchKeys looks every minute for keys whose time has come.
func (hd *Handler) WatchKeys(ctx context.Context, wake chan<- struct{}) error {
	for {
		hd.Writing.Lock()
		hd.RecoverDue()
		hd.Writing.Unlock()
		select {
		case wake <- struct{}{}:
		default:
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Minute):
		}
	}
}

// RecoverDue puts the new keys into place whose time has come.
func (hd *Handler) RecoverDue() {
	waiting, err := seats.RecoveringRecords.All(hd.DB)
	if err := hd.Readable(err); err != nil {
		hd.Log.Error("keys that wait cannot be read", "error", err)
		return
	}
	for seat, r := range waiting {
		if hd.Now().Before(r.At) {
			continue
		}
		if err := hd.again(func(on *Handler) error { return on.recovered(seat) }); err != nil {
			hd.Log.Error("a key that was to be recovered is not in place", "game", seat.Game, "side", seat.Side, "error", err)
		}
	}
}

// recovered puts the new key of a seat into place.
func (hd *Handler) recovered(seat store.Seat) error {
	r, there, err := seats.RecoveringRecords.Get(hd.DB, seat)
	if err != nil || !there || r.Key == "" {
		return err
	}
	g, err := hd.DB.Game(seat.Game)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == seat.Side })
	fresh, err := seal.ParseKey(r.Key)
	if err != nil || i < 0 {
		return errors.Join(err, fmt.Errorf("game %s has no player of %s", g.ID, seat.Side))
	}
	var c store.Change
	if err := hd.Unused(g, fresh); err != nil {
		seats.RecoveringRecords.Drop(&c, seat)
		return errors.Join(err, hd.Commit(c))
	}
	if err := hd.ChangeKey(&c, g, seats.KeyChange{Side: seat.Side, What: "recovered", Old: store.KeyID(g.Players[i].Key)}, fresh, nil); err != nil {
		return err
	}
	return hd.Commit(c)
}
