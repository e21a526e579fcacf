package intake

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// A side may have several commanders. The player of the seat is the
// commander-in-chief, who may order every unit and whose DONE ends the side's turn.
// The others lead the formations that are given to them; they get the reports of
// the side and send sheets of their own, which are joined into the side's sheet
// (joined.go). A deputy leads nothing, but sends sheets in the player's place while
// standing in for them.

// given checks names of formations and units that are to be somebody's, and writes
// them as the side's own view does. Words of the order sheet, such as AIR, give them
// the orders of that section that name no unit.
func (hd *Handler) given(g store.Game, side, text string) ([]string, error) {
	game, sys, err := hd.RulesOf(g)
	if err != nil {
		return nil, err
	}
	position, err := game.Opening()
	if err != nil {
		return nil, err
	}
	if pos, err := hd.DB.Load(g.ID); err == nil && pos.Latest != nil {
		position = pos.Latest.Snapshot
	}
	v, err := game.View(position, adjudicator.Side(side))
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	var formations []string
	for _, list := range [][]view.Unit{v.Lost, v.Arrivals, v.Units} {
		for _, unit := range list {
			for _, n := range []string{unit.ID, unit.Name, unit.Parent, unit.Formation} {
				known[strings.ToUpper(n)] = n
			}
			if f := unit.Formation; f != "" && !slices.Contains(formations, f) {
				formations = append(formations, f)
			}
		}
	}
	for _, s := range sys.Vocabulary().Sections {
		known[s] = s
	}
	var out []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		n, ok := known[strings.ToUpper(name)]
		if !ok {
			slices.Sort(formations)
			return nil, fmt.Errorf("%s has no formation or unit %q; its formations are %s", side, name, strings.Join(formations, ", "))
		}
		out = append(out, n)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no formation is named: write 6 Army, XXI ARM")
	}
	return out, nil
}

// Manned is who plays a side, for moderators: addresses are nobody else's business.
type Manned struct {
	Side, Who string
	// Command says who leads what where a side has several commanders or a deputy.
	Command []string
}

// Manned are the sides of a game in their order; errors as of the store.
func (hd *Handler) Manned(id string) (all []Manned, err error) {
	g, err := hd.DB.Game(id)
	if err != nil {
		return nil, err
	}
	for _, side := range g.Sides {
		m := Manned{Side: side, Who: "nobody yet"}
		for _, p := range g.Players {
			switch {
			case p.Side != side:
			case p.Staffed():
				m.Who = "a staff officer of the program"
			default:
				m.Who, m.Command = strings.TrimSpace(p.Name+" "+p.Address), hd.CommandLines(p)
				for i, c := range p.Commanders {
					if !c.Left {
						m.Command = append(m.Command, fmt.Sprintf("Write to %s at %s.", seats.CommandName(p, i+1), c.Address))
					}
				}
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// commanderLeaves takes a commander's key out of use on their own signed word.
func (l *incoming) commanderLeaves() store.Change {
	return l.commandersKey("revoked", func(c *store.Change, p *store.Player, commander int) error {
		if err := l.h.farewell(c, *p, commander); err != nil {
			return err
		}
		who := seats.CommandName(*p, commander)
		p.Commanders[commander-1] = seats.Relieved(p.Commanders[commander-1])
		return l.h.tellSide(c, p.Side, post.Sentence(who+" has revoked their key and no longer commands"), l.h.CommandLines(*p)...)
	})
}

// commanderRotates gives a commander or deputy another key on a statement that both
// have signed. The side is told; the others do not know who commands there.
func (l *incoming) commanderRotates(fresh seal.Key) store.Change {
	return l.commandersKey("rotated", func(c *store.Change, p *store.Player, commander int) error {
		m := &p.Commanders[commander-1]
		before := seats.SignerOf(m.Key)
		m.Former, m.Key = append(slices.Clone(m.Former), m.Key), fresh.String()
		return l.h.tellSide(c, p.Side, post.Sentence("the key of "+seats.CommandName(*p, commander)+" was rotated"),
			"Key until now: "+before+".", "Key from now on: "+seal.Signer(fresh)+".")
	})
}

// commandersKey changes the seat of the commander who signed.
func (l *incoming) commandersKey(what string, change func(c *store.Change, p *store.Player, commander int) error) store.Change {
	g := l.game
	g.Players = slices.Clone(g.Players)
	c := l.outcome(fmt.Sprintf("key of a commander of %s in game %s %s", l.player.Side, g.ID, what))
	c.Game, c.Expect = &g, g.Seq
	p, err := sharedSeat(&c, l.player.Side)
	if err == nil {
		err = change(&c, p, l.player.Commander)
	}
	if err != nil {
		l.h.Log.Error("a commander's key cannot be changed", "game", g.ID, "error", err)
		return l.outcome("key not changed: " + err.Error())
	}
	return c
}
