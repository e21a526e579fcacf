package umpire

import (
	"fmt"

	"fieldpost/dice/beacon"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/turns"
)

// beaconSaid takes values of the beacon out of a mail, whoever sent it: a value
// proves itself. A player hears when his is not the beacon's.
func (l *letter) beaconSaid(c *store.Change) bool {
	for _, t := range l.msg.Texts {
		for _, v := range beacon.Find(t.Text) {
			switch taken, err := l.u.TakeValue(c, v); {
			case taken:
				c.Handled.Outcome = fmt.Sprintf("round %d of the beacon, by mail", v.Round)
				return true
			case err != nil:
				var known bool
				if l.game, l.player, known, _ = l.u.byAddress(l.msg.From); known {
					c.Handled.Outcome = "refused: " + err.Error()
					c.Mails = l.answer(report.Notice, "what you sent is not drand's value of "+err.Error(), "Read it at "+l.u.Chain().URL(turns.DrandServers[0], v.Round))
					return true
				}
			}
		}
	}
	return false
}

// closedFor refuses orders while they are not taken.
func (u *Umpire) closedFor(open *store.OpenPhase) error {
	if open == nil || open.Closed == 0 {
		return nil
	}
	return refusal("the deadline has passed, and no orders are taken until the dice have come", fmt.Sprintf("The dice wait for round %d of drand: orders that came now could know them. Nothing of the sheet is filed. Send your orders when the next report has come.", open.Round))
}
