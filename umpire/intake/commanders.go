package intake

import (
	"fmt"
	"slices"

	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// A side may have several commanders. The player of the seat is the
// commander-in-chief, who may order every unit and whose DONE ends the side's turn.
// The others lead the formations that are given to them; they get the reports of
// the side and send sheets of their own, which are joined into the side's sheet
// (joined_file.go). A deputy leads nothing, but sends sheets in the player's place while
// standing in for them.

// commanderLeaves takes a commander's key out of use on their own signed word.
func (l *incoming) commanderLeaves() store.Change {
	return l.commandersKey("revoked", func(c *store.Change, p *store.Player, commander int) error {
		if err := l.h.Farewell(c, *p, commander); err != nil {
			return err
		}
		who := seats.CommandName(*p, commander)
		p.Commanders[commander-1] = seats.Relieved(p.Commanders[commander-1])
		return l.h.TellSide(c, p.Side, post.Sentence(who+" has revoked their key and no longer commands"), l.h.CommandLines(*p)...)
	})
}

// commanderRotates gives a commander or deputy another key on a statement that both
// have signed. The side is told; the others do not know who commands there.
func (l *incoming) commanderRotates(fresh seal.Key) store.Change {
	return l.commandersKey("rotated", func(c *store.Change, p *store.Player, commander int) error {
		m := &p.Commanders[commander-1]
		before := seats.SignerOf(m.Key)
		m.Former, m.Key = append(slices.Clone(m.Former), m.Key), fresh.String()
		return l.h.TellSide(c, p.Side, post.Sentence("the key of "+seats.CommandName(*p, commander)+" was rotated"),
			"Key until now: "+before+".", "Key from now on: "+seal.Signer(fresh)+".")
	})
}

// commandersKey changes the seat of the commander who signed.
func (l *incoming) commandersKey(what string, change func(c *store.Change, p *store.Player, commander int) error) store.Change {
	g := l.game
	g.Players = slices.Clone(g.Players)
	c := l.outcome(fmt.Sprintf("key of a commander of %s in game %s %s", l.player.Side, g.ID, what))
	c.Game, c.Expect = &g, g.Seq
	p, err := acts.SharedSeat(&c, l.player.Side)
	if err == nil {
		err = change(&c, p, l.player.Commander)
	}
	if err != nil {
		l.h.Log.Error("a commander's key cannot be changed", "game", g.ID, "error", err)
		return l.outcome("key not changed: " + err.Error())
	}
	return c
}

// mayNot refuses a sheet whose head says what is not for its writer to say.
func (l *incoming) mayNot(head *orders.Sheet) error {
	p := l.player
	if p.Commander == 0 {
		return nil
	}
	c := p.Commanders[p.Commander-1]
	if c.Deputy && !l.h.StandsIn(p, c) {
		when := "while the player has said that they are AWAY"
		if !c.Stands.To.IsZero() {
			when = fmt.Sprintf("from %s to %s", c.Stands.From.Format("2 Jan 2006 15:04"), c.Stands.To.Format("2 Jan 2006 15:04 MST"))
		}
		r := refusal("you stand in for the player of "+p.Side+" "+when+", and not now", "Nothing was filed.")
		r.About = "NOT FILED: you stand in at other times"
		return r
	}
	if match.GivesUp(head) {
		return refusal("only the player of the seat can give the game up or offer a draw", "Write to them.")
	}
	return nil
}

// deputyFiled tells the player what the deputy has filed in their place.
func (l *incoming) deputyFiled(turn, serial int) []store.Mail {
	if !seats.Deputy(l.player) {
		return nil
	}
	i := slices.IndexFunc(l.game.Players, func(p store.Player) bool { return p.Side == l.player.Side })
	seat := l.game.Players[i]
	n := report.Note{Game: l.game.ID, Title: l.game.Title, About: fmt.Sprintf("%s has filed sheet %d in your place", seats.CommandName(seat, l.player.Commander), serial),
		Says: []string{fmt.Sprintf("It is for turn %d. A sheet of yours with a higher SERIAL takes its place, and DEPUTY: NO in a sheet's head ends their part.", turn)}}
	return l.toCommander(seat, 0, post.Draft{Kind: "deputy", Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})
}
