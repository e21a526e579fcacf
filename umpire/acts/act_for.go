package acts

import (
	"fmt"
	"slices"

	"fieldpost/orders"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// doActFor files orders for a side. They are the sections of a sheet; the head is
// written here. One order that cannot stand and nothing is filed.
func (hd *Executor) doActFor(c *store.Change, pos store.Position, a Act) (string, error) {
	i := slices.IndexFunc(c.Game.Players, func(p store.Player) bool { return p.Side == a.Side })
	if i < 0 {
		return "", fmt.Errorf("%w: say for which side, which has a player", match.ErrNoSide)
	}
	if _, _, err := waits(pos); err != nil {
		return "", err
	}
	if err := hd.CheckVersion(pos.Game); err != nil {
		return "", err
	}
	if bare, _ := orders.Parse(orders.Canonical(a.Value), orders.Vocabulary{}); len(bare.Headers)+len(bare.Commands) > 0 {
		return "", fmt.Errorf("%w: send the orders from the first section on; their head is written here", ErrNotNow)
	}
	p := c.Game.Players[i]
	did := fmt.Sprintf("sheet %d of %s was filed by the moderator in the player's place", p.Serial+1, p.Side)
	for _, q := range hd.Everybody(*c.Game) {
		did := did
		if q.Side != p.Side { // its number tells how often the side filed
			did = fmt.Sprintf("a sheet of %s was filed by the moderator in the player's place", p.Side)
		}
		if err := hd.Notify(c, q, "moderator", "The moderator: "+did); err != nil {
			return "", err
		}
	}
	return did, hd.Filing.FileFor(c, pos, p, StandIn{How: match.ActFor, Sections: a.Value})
}
