package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// unused checks that a key is new to a game.
func (hd *Handler) unused(g store.Game, key seal.Key) error {
	for _, p := range g.Players {
		if p.Key != "" && store.KeyID(p.Key) == key.ID() {
			return seats.ErrKeyTaken
		}
		for _, c := range p.Commanders {
			if store.KeyID(c.Key) == key.ID() {
				return seats.ErrKeyTaken
			}
			if slices.ContainsFunc(c.Former, func(k string) bool { return store.KeyID(k) == key.ID() }) {
				return seats.ErrKeyUsed
			}
		}
	}
	notes, err := hd.DB.Notes(seats.KeyNotes(g.ID))
	if err != nil {
		return err
	}
	for name, note := range notes {
		var k seats.KeyChange
		if err := json.Unmarshal(note, &k); err != nil {
			return fmt.Errorf("note %s: %w", name, err)
		}
		if k.Old == key.ID() || k.New == key.ID() {
			return seats.ErrKeyUsed
		}
	}
	return nil
}

// identity gives a statement about keys its effect.
func (l *incoming) identity(sheets []seal.Sealed) (store.Change, error) {
	text := sheets[0].Text
	for _, s := range sheets {
		if s.Text != text {
			return l.unsigned(&mailbox.SeveralError{Sheets: sheets})
		}
	}
	refuse := func(err error) (store.Change, error) {
		return l.refuse(because("your statement about keys has no effect", err))
	}
	st, bad := seats.ParseStatement(text)
	var old seal.Key
	var seat store.Seat
	known := false
	for _, s := range sheets {
		found, err := l.h.DB.Seats(s.Key.ID())
		if err := l.unread(err); err != nil {
			return store.Change{}, err
		}
		if len(found) == 0 {
			continue
		}
		if !known {
			known, seat = true, found[0]
		}
		// Where the new key is somebody's of the side already, the other one is the old one.
		named := seats.KeyName(strings.Fields(s.Key.ID())) == st.Rotate
		if at, ok := seatFor(found, strings.ToUpper(st.Game), strings.ToUpper(st.Side)); ok && (old == nil || !named) {
			old, seat = s.Key, at
		}
	}
	switch {
	case !known:
		return l.unsigned(errUnknownKey)
	case !l.seat(seat):
		return l.outcome("game " + seat.Game + " cannot be read"), nil
	case bad != nil:
		return refuse(refusal(bad.Error(), ""))
	case old == nil:
		return refuse(refusal(fmt.Sprintf("the statement names game %q and side %q, which your key does not play", st.Game, st.Side), ""))
	case l.game.Status == store.StatusFinished:
		return refuse(refusal("the game is over", ""))
	}
	l.player = l.player.As(seats.SignedBy(l.player, old))
	change := seats.KeyChange{Side: l.player.Side, What: "revoked", Old: old.ID(), Mail: l.sha}
	var fresh seal.Key
	if st.Rotate != "" {
		var err error
		if fresh, err = l.newKey(st, old, sheets); err != nil {
			return refuse(err)
		}
		change.What = "rotated"
	}
	switch {
	case l.player.Commander > 0 && fresh == nil:
		return l.commanderLeaves(), nil
	case l.player.Commander > 0:
		return l.commanderRotates(fresh), nil
	}
	c := l.outcome(fmt.Sprintf("key of %s in game %s %s", l.player.Side, l.game.ID, change.What))
	if err := l.h.changeKey(&c, l.game, change, fresh, l); err != nil {
		l.h.Log.Error("a key cannot be changed", "game", l.game.ID, "error", err)
		return l.outcome("key not changed: " + err.Error()), nil
	}
	return c, nil
}

// newKey is the key that a statement puts into the place of the old one, if it has
// signed too.
func (l *incoming) newKey(st seats.Statement, old seal.Key, sheets []seal.Sealed) (seal.Key, error) {
	if seats.KeyName(strings.Fields(old.ID())) == st.Rotate {
		return nil, refusal("the new key is in use already", "")
	}
	i := slices.IndexFunc(sheets, func(s seal.Sealed) bool {
		return s.Key != old && seats.KeyName(strings.Fields(s.Key.ID())) == st.Rotate
	})
	if i < 0 {
		return nil, refusal("the new key did not sign, or it is not the one that ROTATE names",
			"Sign the same three lines with the old key and with the new one, and put both into one mail. With OpenPGP or S/MIME attach the new public key.")
	}
	switch err := l.h.unused(l.game, sheets[i].Key); {
	case errors.Is(err, seats.ErrKeyTaken):
		return nil, refusal("the new key is in use by somebody else in this game", "")
	case err != nil:
		return nil, refusal(err.Error(), "")
	}
	return sheets[i].Key, nil
}

// changeKey adds to a Change that a player has another key, or none, with the
// note of it and a notice to every player.
func (hd *Handler) changeKey(c *store.Change, g store.Game, change seats.KeyChange, fresh seal.Key, l *incoming) error {
	g.Players = slices.Clone(g.Players)
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == change.Side })
	before := seats.SignerOf(g.Players[i].Key)
	g.Players[i].Key = ""
	if fresh != nil {
		g.Players[i].Key, change.New = fresh.String(), fresh.ID()
	}
	change.At = hd.Now().UTC()
	note, err := json.Marshal(change)
	if err != nil {
		return err
	}
	c.Expect, c.Game = g.Seq, &g
	c.Notes = map[string][]byte{fmt.Sprintf("%s%08d", seats.KeyNotes(g.ID), g.Seq+1): note, recoverNote(g.ID, change.Side): nil}
	for _, p := range hd.Everybody(g) {
		notice := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: hd.Address,
			Roster: post.Roster(g), Reason: post.Sentence(fmt.Sprintf("the %s player's key was %s", change.Side[:1]+strings.ToLower(change.Side[1:]), change.What)),
			Advice: []string{"Key until now: " + before + "."}}
		if fresh != nil {
			notice.Advice = append(notice.Advice, "Key from now on: "+seal.Signer(fresh)+".")
		} else {
			notice.Advice = append(notice.Advice, "Until the moderator enrols a new key, the side files no sheets. What was filed still stands.")
		}
		d := post.Draft{Game: g, Player: p, Kind: "notice", Number: fmt.Sprintf("key-%d", g.Seq+1)}
		d.Subject, d.Text, d.HTML = notice.Subject(), notice.Text(), notice.HTML()
		if l != nil && p.Side == change.Side && p.Commander == 0 {
			d.Reply, d.To = true, l.msg.MessageID
		}
		m, err := hd.Render(d)
		if err != nil {
			d.To = "" // an odd Message-ID of the sender's
			if m, err = hd.Render(d); err != nil {
				return err
			}
		}
		c.Mails = append(c.Mails, m)
	}
	return nil
}

// SetKey enrols another key for a player: the moderator's way for keys that were
// lost or revoked. All players are told.
func (hd *Handler) SetKey(id, side, keyLine string) error {
	hd.Writing.Lock()
	defer hd.Writing.Unlock()
	fresh, err := seal.ParseKey(keyLine)
	if err != nil {
		return err
	}
	g, err := hd.DB.Game(strings.ToUpper(id))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return strings.EqualFold(p.Side, side) })
	if i < 0 {
		return fmt.Errorf("game %s: %w: %s has no player", g.ID, match.ErrNoSide, side)
	}
	old := store.KeyID(g.Players[i].Key)
	// The same OpenPGP key again brings new subkeys and dates.
	if old != fresh.ID() {
		if err := hd.unused(g, fresh); err != nil {
			return fmt.Errorf("game %s: %w", g.ID, err)
		}
	}
	var c store.Change
	if err := hd.changeKey(&c, g, seats.KeyChange{Side: g.Players[i].Side, What: "enrolled anew", Old: old}, fresh, nil); err != nil {
		return err
	}
	return hd.Commit(c)
}
