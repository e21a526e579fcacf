package intake

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
)

// A sheet that somebody files in a player's place says so in its head, MODERATE:
// ACT-FOR or MODERATE: STAFF, and is signed with the daemon's key: the journal, the
// reports and the archive name it for what it is.

// FileFor files a sheet in a player's place.
func (hd *Handler) FileFor(c *store.Change, pos store.Position, p store.Player, in acts.StandIn) error {
	m, err := hd.Under(pos)
	if err != nil {
		return err
	}
	at, err := m.At()
	if err != nil {
		return err
	}
	turn, serial := m.NextTurn(at, p.Side), p.Serial+1
	canonical := orders.Canonical(fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nMODERATE: %s\n%s", pos.Game.ID, p.Side, turn, serial, in.How, in.Sections))
	sheet, faults := orders.Parse(canonical, m.System.Vocabulary())
	v, err := m.View(p.Side)
	if err != nil {
		return err
	}
	for _, line := range judged(m, v, sheet, faults).Lines {
		if line.Refused != nil {
			return fmt.Errorf("%q: %s", line.Text, strings.TrimSpace(line.Refused.Why+". "+line.Refused.Instead))
		}
	}
	armored, err := seal.Sign(hd.Key, seal.Namespace, []byte(canonical))
	if err != nil {
		return err
	}
	l := &incoming{h: hd, sha: store.Sum([]byte(canonical)), msg: &mailbox.Message{}, digest: orders.Digest(canonical), key: hd.Key.Public(), sheet: sheet,
		game: pos.Game, player: p, turn: turn, late: in.Late}
	before := c.Mails
	c.Mails = nil
	if err := l.accept(c, m, submitted{turn, serial, canonical, faults}); err != nil {
		return err
	}
	c.Sheets[0].Source, c.Sheets[0].Signature, c.Sheets[0].Signed = "", armored, nil
	c.Mails = append(before, c.Mails...)
	return nil
}

// ActForLate has a staff officer write the sheet of the first late side that must
// give orders, from what that side can see. Without one, or if the officer knows no legal
// sheet, it is not done and standing orders count.
func (hd *Handler) ActForLate(c *store.Change, pos store.Position, r match.Schedule, missing []string) (done bool, err error) {
	pending, err := match.PendingOf(pos.Open)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(c.Game.Players, func(p store.Player) bool {
		return slices.Contains(missing, p.Side) && match.AwaitsTurnOf(pending, p.Side)
	})
	if i < 0 {
		return false, nil
	}
	if err := hd.CheckVersion(pos.Game); err != nil {
		return false, err
	}
	p := c.Game.Players[i]
	sections, err := hd.officersOrders(pos, p)
	if err == nil {
		try := *c
		g := pos.Game
		g.Players = slices.Clone(c.Game.Players)
		if hd.Overdue(pos.Open) {
			g.Players[i].LateTurns++
		}
		on := pos
		on.Game, try.Game = g, &g
		if err = hd.FileFor(&try, on, p, acts.StandIn{How: match.ActStaff, Sections: sections, Late: []string{p.Side}}); err == nil {
			*c = try
			if r.Late == match.LateReplace && hd.Overdue(pos.Open) {
				c.Mails = append(c.Mails, hd.TellModerators(*c.Game, fmt.Sprintf("%d", c.Expect+1), p.Side+" needs a player",
					fmt.Sprintf("No finished orders came from %s by the deadline, %s. A staff officer has written the sheet for turn %d.", p.Side, times(g.Players[i].LateTurns), pos.Open.Turn),
					fmt.Sprintf("The seat needs a player: MODERATE: REPLACE and their address, with SIDE: %s, or game replace %s --side %s ADDRESS.", p.Side, g.ID, p.Side))...)
			}
			return true, nil
		}
	}
	hd.Log.Error("a staff officer cannot write the sheet of a late side; standing orders count", "game", pos.Game.ID, "side", p.Side, "error", err)
	return false, nil
}

func times(n int) string {
	ordinals := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"}
	switch {
	case n == 1:
		return "the first time"
	case n <= len(ordinals):
		return "for the " + ordinals[n-1] + " time"
	}
	return fmt.Sprintf("%d times now", n)
}

// officersOrders is what a staff officer would do for a player, without a head.
func (hd *Handler) officersOrders(pos store.Position, p store.Player) (string, error) {
	m, err := hd.Under(pos)
	if err != nil {
		return "", err
	}
	v, err := m.View(p.Side)
	if err != nil {
		return "", err
	}
	v.Game = pos.Game.ID
	text, err := hd.thinks(hd.officer(m.Rules, pos.Game), v, p)
	if err != nil {
		return "", err
	}
	canonical := orders.Canonical(text)
	sheet, _ := orders.Parse(canonical, m.System.Vocabulary())
	first := sheet.DonePos.Line
	if len(sheet.Sections) > 0 {
		first = sheet.Sections[0].Pos.Line
	}
	lines := strings.Split(canonical, "\n")
	if first < 1 || first > len(lines) {
		return "", errors.New("the staff officer's sheet holds nothing")
	}
	return strings.Join(lines[first-1:], "\n"), nil
}
