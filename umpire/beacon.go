package umpire

import (
	"fmt"
	"slices"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/dice/beacon"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/proof"
)

// close takes no more orders for the phase that waits. Over is when they were due:
// it names the round. Every player is told, with the hash that seals the orders.
func (u *Umpire) close(c *store.Change, over time.Time, why string) error {
	g := *c.Game
	open := *c.Open
	open.Closed, open.Round = c.Expect+1, u.Chain().RoundAt(over.Add(post.BeaconAfter))
	c.Open = &open
	sheets, err := u.DB.AllSheets(g.ID)
	if err != nil {
		return err
	}
	seal := proof.SealedOrders(proof.SaltOf(g, open.Closed), sheets, open.Closed)
	for _, p := range u.Everybody(g) {
		if err := u.Notify(c, p, "closing", why,
			"No more orders are taken. The dice come from "+u.RoundInWords(open.Round),
			"All sheets that count are sealed by this hash: "+seal+". The archive at the end shows them. Keep this mail: that it reached you before the round came proves that no orders were given with the dice in sight",
			fmt.Sprintf("If no report has come an hour later, our daemon may not reach drand. Anybody can then read %s and mail us the answer, or a line DRAND %d and the signature",
				u.Chain().URL(drandServers[0], open.Round), open.Round)); err != nil {
			return err
		}
	}
	return nil
}

// awaitDice closes the phase that comes after a position, for dice that it may need
// before anybody is asked.
func (u *Umpire) awaitDice(c *store.Change, game adjudicator.Game, position []byte, why string) error {
	at, err := game.At(position)
	if err != nil {
		return err
	}
	c.Open = &store.OpenPhase{Phase: match.PhaseName(at.Label, c.Game.Rollbacks), Turn: at.Turn, Journal: []byte("[]"), Pending: []byte("[]"), Since: u.Now().UTC()}
	return u.close(c, u.Now(), why)
}

// drawDice goes on with a closed game if the value is there.
func (u *Umpire) drawDice(c *store.Change, pos store.Position, r match.Schedule, pending []adjudicator.Decision) (drawn bool, err error) {
	open := *pos.Open
	v, ok, err := u.valueOf(open.Round)
	if err != nil || !ok {
		return false, err
	}
	journal, err := match.EntriesOf(open.Journal)
	if err != nil {
		return false, err
	}
	open.Beacon = append(slices.Clone(open.Beacon), store.Beacon{From: len(journal), Closed: open.Closed, Round: v.Round, Signature: v.Signature})
	pos.Open, c.Open = &open, &open
	if !u.wanted(open.Round, c.Game.ID) {
		c.Notes[beaconNote(open.Round)] = nil
	}
	return true, u.passDeadline(c, pos, r, pending)
}

// beaconNote names the note of a value that games wait for.
func beaconNote(round uint64) string { return fmt.Sprintf("beacon/%020d", round) }

// valueOf is the beacon's value of a round, if it has come.
func (u *Umpire) valueOf(round uint64) (v beacon.Value, ok bool, err error) {
	text, err := u.DB.Note(beaconNote(round))
	if err != nil || text == nil {
		return v, false, err
	}
	v = beacon.Value{Round: round, Signature: text}
	return v, true, u.Chain().Verify(v)
}

// await sets the alarm of a closed game.
func (u *Umpire) await(game string, round uint64) {
	if u.awaited == nil {
		u.awaited = map[string]uint64{}
	}
	u.awaited[game] = round
	u.alarms[game] = u.Chain().Time(round)
}

// wanted tells whether a game other than the one named waits for a round.
func (u *Umpire) wanted(round uint64, but string) bool {
	for game, r := range u.awaited {
		if r == round && game != but {
			return true
		}
	}
	return false
}

// said takes a value for the games that wait for it. One that none waits for is
// not kept. The error is beacon.ErrSignature.
func (u *Umpire) said(c *store.Change, v beacon.Value) (taken bool, err error) {
	if !u.wanted(v.Round, "") {
		return false, nil
	}
	if err := u.Chain().Verify(v); err != nil {
		return false, err
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[beaconNote(v.Round)] = v.Signature
	for game, round := range u.awaited {
		if round == v.Round {
			u.alarms[game] = u.Now()
		}
	}
	return true, nil
}

// beaconSaid takes values of the beacon out of a mail, whoever sent it: a value
// proves itself. A player hears when his is not the beacon's.
func (l *letter) beaconSaid(c *store.Change) bool {
	for _, t := range l.msg.Texts {
		for _, v := range beacon.Find(t.Text) {
			switch taken, err := l.u.said(c, v); {
			case taken:
				c.Handled.Outcome = fmt.Sprintf("round %d of the beacon, by mail", v.Round)
				return true
			case err != nil:
				var known bool
				if l.game, l.player, known, _ = l.u.byAddress(l.msg.From); known {
					c.Handled.Outcome = "refused: " + err.Error()
					c.Mails = l.answer(report.Notice, "what you sent is not drand's value of "+err.Error(), "Read it at "+l.u.Chain().URL(drandServers[0], v.Round))
					return true
				}
			}
		}
	}
	return false
}

// What is said of it to players and the moderator.

// closedFor refuses orders while they are not taken.
func (u *Umpire) closedFor(open *store.OpenPhase) error {
	if open == nil || open.Closed == 0 {
		return nil
	}
	return refusal("the deadline has passed, and no orders are taken until the dice have come", fmt.Sprintf("The dice wait for round %d of drand: orders that came now could know them. Nothing of the sheet is filed. Send your orders when the next report has come.", open.Round))
}
