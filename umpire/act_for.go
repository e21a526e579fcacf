package umpire

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
)

// A sheet that somebody files in a player's place says so in its head, MODERATE:
// ACT-FOR, and is signed with the daemon's key: the journal, the reports and the
// archive name it for what it is.

// actFor is the value of the line MODERATE in such a sheet.
const actFor = "ACT-FOR"

// filedBy names who filed a sheet in the player's place, "" if he did himself.
func filedBy(sheet *orders.Sheet) string {
	if sheet.Header("MODERATE") == actFor {
		return "the moderator"
	}
	return ""
}

// byModerator tells it of a canonical text.
func byModerator(canonical string) bool {
	sheet, _ := orders.Parse(canonical, orders.Vocabulary{})
	return filedBy(sheet) != ""
}

// placeMark stands in the source of an answer between a sheet and who filed it.
const placeMark = ", filed by "

func (s filing) by() string {
	if s.By == "" {
		return ""
	}
	return placeMark + s.By
}

// inOthersPlace are remarks for every report on sheets of these phases that were
// not the player's own.
func inOthersPlace(phases []store.Phase) (notes []string) {
	for _, p := range phases {
		journal, err := entriesOf(p.Journal)
		if err != nil {
			continue // it was written a moment ago
		}
		for _, e := range journal {
			if sheet, by, ok := strings.Cut(e.Source, placeMark); ok {
				by, _, _ = strings.Cut(by, ",")
				if note := fmt.Sprintf("For %s %s acted: %s.", e.Side, by, sheet); !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
	}
	return notes
}

// doActFor files orders for a side. They are the sections of a sheet; the head is
// written here. One order that cannot stand and nothing is filed.
func (u *Umpire) doActFor(c *store.Change, pos store.Position, a Act) (string, error) {
	i := slices.IndexFunc(c.Game.Players, func(p store.Player) bool { return p.Side == a.Side })
	if i < 0 {
		return "", fmt.Errorf("%w: say for which side, which has a player", ErrNoSide)
	}
	if _, _, err := waits(pos); err != nil {
		return "", err
	}
	if err := u.fits(pos.Game); err != nil {
		return "", err
	}
	if bare, _ := orders.Parse(orders.Canonical(a.Value), orders.Vocabulary{}); len(bare.Headers)+len(bare.Commands) > 0 {
		return "", fmt.Errorf("%w: send the orders from the first section on; their head is written here", ErrNotNow)
	}
	return u.fileFor(c, pos, c.Game.Players[i], a.Value)
}

// fileFor files a sheet of these sections for a player and tells all.
func (u *Umpire) fileFor(c *store.Change, pos store.Position, p store.Player, sections string) (string, error) {
	game, sys, err := u.under(pos.Game)
	if err != nil {
		return "", err
	}
	at, err := game.At(pos.Latest.Snapshot)
	if err != nil {
		return "", err
	}
	turn, serial := nextTurn(game, at, adjudicator.Side(p.Side)), p.Serial+1
	canonical := orders.Canonical(fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nMODERATE: %s\n%s", pos.Game.ID, p.Side, turn, serial, actFor, sections))
	sheet, faults := orders.Parse(canonical, sys.Vocabulary())
	v, err := game.View(pos.Latest.Snapshot, adjudicator.Side(p.Side))
	if err != nil {
		return "", err
	}
	for _, line := range judged(game, v, sheet, faults).Lines {
		if line.Refused != nil {
			return "", fmt.Errorf("%q: %s", line.Text, strings.TrimSpace(line.Refused.Why+". "+line.Refused.Instead))
		}
	}
	armored, err := seal.Sign(u.Key, seal.Namespace, []byte(canonical))
	if err != nil {
		return "", err
	}
	l := &letter{u: u, sha: sum([]byte(canonical)), msg: &mailbox.Message{}, digest: orders.Digest(canonical), key: u.Key.Public(), sheet: sheet,
		game: pos.Game, player: p, turn: turn}
	before := c.Mails
	c.Mails = nil
	if err := l.file(c, game, sys, pos, turn, serial, canonical, faults); err != nil {
		return "", err
	}
	c.Sheets[0].Source, c.Sheets[0].Signature, c.Sheets[0].Signed = "", armored, nil
	did := fmt.Sprintf("sheet %d of %s for turn %d was filed by the moderator in the player's place", serial, p.Side, turn)
	reports := c.Mails
	c.Mails = before
	for _, q := range c.Game.Players {
		if err := u.notify(c, q, "moderator", "The moderator: "+did); err != nil {
			return "", err
		}
	}
	c.Mails = append(c.Mails, reports...)
	return did, nil
}
