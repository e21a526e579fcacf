package umpire

import (
	"fmt"
	"slices"

	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// commanderLeaves takes a commander's key out of use on their own signed word.
func (l *letter) commanderLeaves() store.Change {
	return l.commandersKey("revoked", func(c *store.Change, p *store.Player, hand int) error {
		if err := l.u.farewell(c, *p, hand); err != nil {
			return err
		}
		who := seats.CommandName(*p, hand)
		p.Commanders[hand-1] = seats.Relieved(p.Commanders[hand-1])
		return l.u.tellSide(c, p.Side, post.Sentence(who+" has revoked his key, and commands no more"), l.u.CommandLines(*p)...)
	})
}

// commanderRotates gives a commander or deputy another key on a statement that both
// have signed. The side is told; the others do not know who commands there.
func (l *letter) commanderRotates(fresh seal.Key) store.Change {
	return l.commandersKey("rotated", func(c *store.Change, p *store.Player, hand int) error {
		m := &p.Commanders[hand-1]
		before := seats.SignerOf(m.Key)
		m.Former, m.Key = append(slices.Clone(m.Former), m.Key), fresh.String()
		return l.u.tellSide(c, p.Side, post.Sentence("the key of "+seats.CommandName(*p, hand)+" was rotated"),
			"Key until now: "+before+".", "Key from now on: "+seal.Signer(fresh)+".")
	})
}

// commandersKey changes the seat of the commander who signed.
func (l *letter) commandersKey(what string, change func(c *store.Change, p *store.Player, hand int) error) store.Change {
	g := l.game
	g.Players = slices.Clone(g.Players)
	c := l.outcome(fmt.Sprintf("key of a commander of %s in game %s %s", l.player.Side, g.ID, what))
	c.Game, c.Expect = &g, g.Seq
	p, err := sharedSeat(&c, l.player.Side)
	if err == nil {
		err = change(&c, p, l.player.Hand)
	}
	if err != nil {
		l.u.Log.Error("a commander's key cannot be changed", "game", g.ID, "error", err)
		return l.outcome("key not changed: " + err.Error())
	}
	return c
}
