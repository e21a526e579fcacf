package acts

import (
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

// Unused checks that a key is new to a game.
func (hd *Executor) Unused(g store.Game, key seal.Key) error {
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
	changes, err := seats.KeyRecords.All(hd.DB, g.ID)
	if err != nil {
		return err
	}
	for _, k := range changes {
		if k.Old == key.ID() || k.New == key.ID() {
			return seats.ErrKeyUsed
		}
	}
	return nil
}

// ChangeKey adds to a Change that a player has another key, or none, with the
// record of it and a notice to every player; the player's own answers a mail, if there is one.
func (hd *Executor) ChangeKey(c *store.Change, g store.Game, change seats.KeyChange, fresh seal.Key, answers *mailbox.Message) error {
	g.Players = slices.Clone(g.Players)
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == change.Side })
	before := seats.SignerOf(g.Players[i].Key)
	g.Players[i].Key = ""
	if fresh != nil {
		g.Players[i].Key, change.New = fresh.String(), fresh.ID()
	}
	change.At = hd.Now().UTC()
	c.Expect, c.Game = g.Seq, &g
	seats.KeyRecords.Put(c, store.Numbered{Game: g.ID, Seq: g.Seq + 1}, change)
	seats.RecoveringRecords.Drop(c, store.Seat{Game: g.ID, Side: change.Side})
	for _, p := range hd.Everybody(g) {
		notice := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: hd.Address,
			Roster: post.Roster(g), Reason: post.Sentence(fmt.Sprintf("the %s player's key was %s", change.Side[:1]+strings.ToLower(change.Side[1:]), change.What)),
			Advice: []string{"Key until now: " + before + "."}}
		switch byCodes := fresh != nil && fresh.Method() == seal.Code; {
		case byCodes && change.Old == change.New:
			notice.Reason = post.Sentence("another player leads the " + change.Side[:1] + strings.ToLower(change.Side[1:]) + " side")
			notice.Advice = []string{"They play by codes, as the player before them did."}
		case fresh != nil:
			notice.Advice = append(notice.Advice, "Key from now on: "+seal.Signer(fresh)+".")
		default:
			notice.Advice = append(notice.Advice, "Until the moderator enrols a new key, the side files no sheets. What was filed still stands.")
		}
		d := post.Draft{Game: g, Player: p, Kind: "notice", Number: fmt.Sprintf("key-%d", g.Seq+1)}
		d.Subject, d.Text, d.HTML = notice.Subject(), notice.Text(), notice.HTML()
		if answers != nil && p.Side == change.Side && p.Commander == 0 {
			d.Reply, d.To = true, answers.MessageID
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
func (hd *Executor) SetKey(id, side, keyLine string) error {
	return hd.Anew(func(on *Executor) error { return on.setKey(id, side, keyLine) })
}

func (hd *Executor) setKey(id, side, keyLine string) error {
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
		if err := hd.Unused(g, fresh); err != nil {
			return fmt.Errorf("game %s: %w", g.ID, err)
		}
	}
	var c store.Change
	if err := hd.ChangeKey(&c, g, seats.KeyChange{Side: g.Players[i].Side, What: "enrolled anew", Old: old}, fresh, nil); err != nil {
		return err
	}
	return hd.Commit(c)
}
