package turns

import (
	"fmt"
	"slices"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/dice/beacon"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/proof"
)

// CloseOrders takes no more orders for the phase that waits. Over is when they were due:
// it names the round. Every player is told, with the hash that seals the orders.
func (k *Keeper) CloseOrders(c *store.Change, over time.Time, why string) error {
	g := *c.Game
	open := *c.Open
	open.Closed, open.Round = c.Expect+1, k.Chain().RoundAt(over.Add(post.BeaconAfter))
	c.Open = &open
	sheets, err := k.DB.AllSheets(g.ID)
	if err != nil {
		return err
	}
	seal := proof.SealedOrders(proof.SaltOf(g, open.Closed), sheets, open.Closed)
	for _, p := range k.Everybody(g) {
		if err := k.Notify(c, p, "closing", why,
			"No more orders are taken. The dice come from "+k.RoundInWords(open.Round),
			"All sheets that count are sealed by this hash: "+seal+". The archive at the end shows them. Keep this mail: that it reached you before the round came proves that no orders were given with the dice in sight",
			fmt.Sprintf("If no report has come an hour later, our daemon may not reach drand. Anybody can then read %s and mail us the answer, or a line DRAND %d and the signature",
				k.Chain().URL(DrandServers[0], open.Round), open.Round)); err != nil {
			return err
		}
	}
	return nil
}

// AwaitDice closes the phase that comes after the latest position, for dice that it may
// need before anybody is asked.
func (k *Keeper) AwaitDice(c *store.Change, m match.Match, why string) error {
	at, err := m.At()
	if err != nil {
		return err
	}
	c.Open = &store.OpenPhase{Phase: match.PhaseName(at.Label, c.Game.Rollbacks), Turn: at.Turn, Journal: []byte("[]"), Pending: []byte("[]"), Since: k.Now().UTC()}
	return k.CloseOrders(c, k.Now(), why)
}

// drawDice goes on with a closed game if the value is there.
func (k *Keeper) drawDice(c *store.Change, pos store.Position, r match.Schedule, pending []adjudicator.Decision) (drawn bool, err error) {
	open := *pos.Open
	v, ok, err := k.valueOf(open.Round)
	if err != nil || !ok {
		return false, err
	}
	journal, err := match.EntriesOf(open.Journal)
	if err != nil {
		return false, err
	}
	open.Beacon = append(slices.Clone(open.Beacon), store.Beacon{From: len(journal), Closed: open.Closed, Round: v.Round, Signature: v.Signature})
	pos.Open, c.Open = &open, &open
	if !k.wanted(open.Round, c.Game.ID) {
		c.Notes[beaconNote(open.Round)] = nil
	}
	return true, k.PassDeadline(c, pos, r, pending)
}

// beaconNote names the note of a value that games wait for.
func beaconNote(round uint64) string { return fmt.Sprintf("beacon/%020d", round) }

// valueOf is the beacon's value of a round, if it has come.
func (k *Keeper) valueOf(round uint64) (v beacon.Value, ok bool, err error) {
	text, err := k.DB.Note(beaconNote(round))
	if err != nil || text == nil {
		return v, false, err
	}
	v = beacon.Value{Round: round, Signature: text}
	return v, true, k.Chain().Verify(v)
}

// await sets the alarm of a closed game.
func (k *Keeper) await(game string, round uint64) {
	if k.awaited == nil {
		k.awaited = map[string]uint64{}
	}
	k.awaited[game] = round
	k.alarms[game] = k.Chain().Time(round)
}

// wanted tells whether a game other than the one named waits for a round.
func (k *Keeper) wanted(round uint64, but string) bool {
	for game, r := range k.awaited {
		if r == round && game != but {
			return true
		}
	}
	return false
}

// TakeValue takes a value for the games that wait for it. One that none waits for is
// not kept. The error is beacon.ErrSignature.
func (k *Keeper) TakeValue(c *store.Change, v beacon.Value) (taken bool, err error) {
	if !k.wanted(v.Round, "") {
		return false, nil
	}
	if err := k.Chain().Verify(v); err != nil {
		return false, err
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[beaconNote(v.Round)] = v.Signature
	for game, round := range k.awaited {
		if round == v.Round {
			k.alarms[game] = k.Now()
		}
	}
	return true, nil
}

// What is said of it to players and the moderator.
