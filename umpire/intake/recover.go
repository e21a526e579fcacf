package intake

import (
	"context"
	"crypto/subtle"
	"encoding/json"
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

func spareNote(game, side string) string { return "recover/" + game + "/" + side }

func seatOf(note, prefix string) store.Seat {
	g, s, _ := strings.Cut(strings.TrimPrefix(note, prefix), "/")
	return store.Seat{Game: g, Side: s}
}

func sameCode(code, hash string) bool {
	return subtle.ConstantTimeCompare([]byte(post.CodeHash(code)), []byte(hash)) == 1
}

// recovering is the note of a new key that waits for its time.
type recovering struct {
	Key string    `json:"key"`
	At  time.Time `json:"at"`
}

// recover announces a new key to all players. It counts after two days, unless
// the key that is in use turns out not to be lost.
func (l *incoming) recover(g store.Game, side, code string, fresh seal.Key) (store.Change, error) {
	hash, err := l.h.DB.Note(spareNote(g.ID, side))
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == side })
	if err != nil || hash == nil || i < 0 || !sameCode(code, string(hash)) {
		return l.outcome("not accepted: a recovery code that does not fit, for " + side + " in game " + g.ID), nil
	}
	l.game, l.player = g, g.Players[i]
	if err := l.h.Unused(g, fresh); err != nil {
		return l.refuse(because("the key is not replaced", refusal(err.Error(), "")))
	}
	at := l.h.Now().UTC().Add(recoverAfter)
	note, err := json.Marshal(recovering{Key: fresh.String(), At: at})
	if err != nil {
		return l.outcome("not accepted: " + err.Error()), nil
	}
	c := l.outcome(fmt.Sprintf("%s in game %s recovers a key", side, g.ID))
	// The code is used up.
	c.Notes = map[string][]byte{seats.RecoverNote(g.ID, side): note, spareNote(g.ID, side): nil}
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
	note := seats.RecoverNote(l.game.ID, l.player.Side)
	if text, err := l.h.DB.Note(note); err != nil || text == nil {
		return
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[note] = nil
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
	notes, err := hd.DB.Notes("recovering/")
	if err := hd.Readable(err); err != nil {
		hd.Log.Error("keys that wait cannot be read", "error", err)
		return
	}
	for name, text := range notes {
		var r recovering
		if err := json.Unmarshal(text, &r); err != nil || hd.Now().Before(r.At) {
			continue
		}
		if err := hd.again(func(on *Handler) error { return on.recovered(name) }); err != nil {
			hd.Log.Error("a key that was to be recovered is not in place", "note", name, "error", err)
		}
	}
}

// recovered puts the new key of a note into place.
func (hd *Handler) recovered(note string) error {
	seat := seatOf(note, "recovering/")
	var r recovering
	if err := hd.ReadNote(note, &r); err != nil || r.Key == "" {
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
		return errors.Join(err, hd.Commit(store.Change{Notes: map[string][]byte{note: nil}}))
	}
	if err := hd.ChangeKey(&c, g, seats.KeyChange{Side: seat.Side, What: "recovered", Old: store.KeyID(g.Players[i].Key)}, fresh, nil); err != nil {
		return err
	}
	c.Notes[note] = nil
	return hd.Commit(c)
}
