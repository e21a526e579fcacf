package turns

import (
	"fmt"
	"strconv"
	"strings"
	"time"

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
			"All sheets that count are sealed by this hash: "+seal+". The archive at the end shows them. Keep this mail: it reached you before the round came, and so it proves that nobody gave orders knowing the dice",
			fmt.Sprintf("If no report has come an hour later, our daemon may be unable to reach drand. Anybody can then read %s and mail us the answer, or a line DRAND %d and the signature",
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

// BeaconRecords are the signatures of the rounds that games wait for.
var BeaconRecords = store.KindOf[[]byte]("beacon", store.Shape[uint64]{Form: "ROUND",
	Words: func(round uint64) []string { return []string{roundWord(round)} },
	Parse: func(words []string) (round uint64, ok bool) {
		round, err := strconv.ParseUint(strings.Join(words, "/"), 10, 64)
		return round, err == nil
	},
	Game: func(uint64) string { return "" }}).Plain()

// valueOf is the beacon's value of a round, if it has come.
func (k *Keeper) valueOf(round uint64) (v beacon.Value, ok bool, err error) {
	signature, there, err := BeaconRecords.Get(k.DB, round)
	if err != nil || !there {
		return v, false, err
	}
	v = beacon.Value{Round: round, Signature: signature}
	return v, true, k.Chain().Verify(v)
}

// TakeValue takes a value for the games that wait for it. One that none waits for is
// not kept. The error is beacon.ErrSignature.
func (k *Keeper) TakeValue(c *store.Change, v beacon.Value) (taken bool, err error) {
	waiting, err := AwaitRecords.All(k.DB, roundWord(v.Round))
	if err != nil || len(waiting) == 0 {
		return false, err
	}
	if err := k.Chain().Verify(v); err != nil {
		return false, err
	}
	BeaconRecords.Put(c, v.Round, v.Signature)
	for key := range waiting {
		k.alarms.set(key.Game, k.Now())
	}
	return true, nil
}

// What is said of it to players and the moderator.

// DrandServers are who gives the beacon's values to everybody, asked in turn.
var DrandServers = []string{"https://api.drand.sh", "https://api2.drand.sh", "https://drand.cloudflare.com"}
