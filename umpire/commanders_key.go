package umpire

import (
	"fmt"
	"slices"

	"fieldpost/orders/seal"
	"fieldpost/store"
)

// relieved is what is kept of somebody who is no commander any more.
func relieved(c store.Commander) store.Commander {
	return store.Commander{Name: c.Name, Key: c.Key, Former: c.Former, Serial: c.Serial, Deputy: c.Deputy, Left: true}
}

// commanderLeaves takes a commander's key out of use on his own signed word.
func (l *letter) commanderLeaves(outcome func(string) store.Change) store.Change {
	g, hand := l.game, l.player.Hand
	g.Players = slices.Clone(g.Players)
	c := outcome(fmt.Sprintf("a commander of %s in game %s revokes his key", l.player.Side, g.ID))
	c.Game, c.Expect = &g, g.Seq
	p, err := sharedSeat(&c, l.player.Side)
	if err == nil {
		err = l.u.farewell(&c, *p, hand)
	}
	if err == nil {
		who := commandName(*p, hand)
		p.Commanders[hand-1] = relieved(p.Commanders[hand-1])
		err = l.u.tellSide(&c, l.player.Side, sentence(who+" has revoked his key, and commands no more"), l.u.commandLines(*p)...)
	}
	if err != nil {
		l.u.Log.Error("a commander's key cannot be taken out of use", "game", g.ID, "error", err)
		return outcome("key not changed: " + err.Error())
	}
	return c
}

// commanderRotates gives a commander or deputy another key on a statement that both
// have signed. His side is told; the others know nothing of who commands there.
func (l *letter) commanderRotates(outcome func(string) store.Change, fresh seal.Key) store.Change {
	g, hand := l.game, l.player.Hand
	g.Players = slices.Clone(g.Players)
	c := outcome(fmt.Sprintf("key of a commander of %s in game %s rotated", l.player.Side, g.ID))
	c.Game, c.Expect = &g, g.Seq
	p, err := sharedSeat(&c, l.player.Side)
	if err == nil {
		m := &p.Commanders[hand-1]
		before := "none"
		if key, err := seal.ParseKey(m.Key); err == nil {
			before = seal.Signer(key)
		}
		m.Former, m.Key = append(slices.Clone(m.Former), m.Key), fresh.String()
		err = l.u.tellSide(&c, l.player.Side, sentence("the key of "+commandName(*p, hand)+" was rotated"),
			"Key until now: "+before+".", "Key from now on: "+seal.Signer(fresh)+".")
	}
	if err != nil {
		l.u.Log.Error("a commander's key cannot be changed", "game", g.ID, "error", err)
		return outcome("key not changed: " + err.Error())
	}
	return c
}
