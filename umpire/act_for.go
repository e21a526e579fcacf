package umpire

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/staff"
	"fieldpost/store"
)

// A sheet that somebody files in a player's place says so in its head, MODERATE:
// ACT-FOR or MODERATE: STAFF, and is signed with the daemon's key: the journal, the
// reports and the archive name it for what it is.

// Values of the line MODERATE in such a sheet: the moderator wrote it, or a staff
// officer because nothing came by the deadline.
const (
	actFor   = "ACT-FOR"
	actStaff = "STAFF"
)

// standInOf names who filed a sheet in the player's place, "" if the player did.
func standInOf(sheet *orders.Sheet) string {
	switch sheet.Header("MODERATE") {
	case actFor:
		return "the moderator"
	case actStaff:
		return "a staff officer"
	}
	return ""
}

// standInOfText tells who filed a canonical text in the player's place.
func standInOfText(canonical string) string {
	sheet, _ := orders.Parse(canonical, orders.Vocabulary{})
	return standInOf(sheet)
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
				sheet, _, _ = strings.Cut(sheet, " of turn ")
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
	p := c.Game.Players[i]
	did := fmt.Sprintf("sheet %d of %s was filed by the moderator in the player's place", p.Serial+1, p.Side)
	for _, q := range u.everybody(*c.Game) {
		if err := u.notify(c, q, "moderator", "The moderator: "+did); err != nil {
			return "", err
		}
	}
	return did, u.fileFor(c, pos, p, standIn{how: actFor, sections: a.Value})
}

// standIn is what is filed in a player's place: the sections of a sheet, and how they
// came about (actFor, actStaff). Late are the sides without whose orders the game goes
// on by it.
type standIn struct {
	how, sections string
	late          []string
}

// fileFor files a sheet in a player's place.
func (u *Umpire) fileFor(c *store.Change, pos store.Position, p store.Player, in standIn) error {
	game, sys, err := u.under(pos.Game)
	if err != nil {
		return err
	}
	at, err := game.At(pos.Latest.Snapshot)
	if err != nil {
		return err
	}
	turn, serial := nextTurn(game, at, adjudicator.Side(p.Side)), p.Serial+1
	canonical := orders.Canonical(fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nMODERATE: %s\n%s", pos.Game.ID, p.Side, turn, serial, in.how, in.sections))
	sheet, faults := orders.Parse(canonical, sys.Vocabulary())
	v, err := game.View(pos.Latest.Snapshot, adjudicator.Side(p.Side))
	if err != nil {
		return err
	}
	for _, line := range judged(game, v, sheet, faults).Lines {
		if line.Refused != nil {
			return fmt.Errorf("%q: %s", line.Text, strings.TrimSpace(line.Refused.Why+". "+line.Refused.Instead))
		}
	}
	armored, err := seal.Sign(u.Key, seal.Namespace, []byte(canonical))
	if err != nil {
		return err
	}
	l := &letter{u: u, sha: sum([]byte(canonical)), msg: &mailbox.Message{}, digest: orders.Digest(canonical), key: u.Key.Public(), sheet: sheet,
		game: pos.Game, player: p, turn: turn, late: in.late}
	before := c.Mails
	c.Mails = nil
	if err := l.accept(c, game, sys, pos, submitted{turn, serial, canonical, faults}); err != nil {
		return err
	}
	c.Sheets[0].Source, c.Sheets[0].Signature, c.Sheets[0].Signed = "", armored, nil
	c.Mails = append(before, c.Mails...)
	return nil
}

// staffActs has a staff officer write the sheet of the first late side that must
// give orders, from what that side can see. Without one, or if the officer knows no legal
// sheet, it is not done and standing orders count.
func (u *Umpire) staffActs(c *store.Change, pos store.Position, r rhythm, missing []string) (done bool, err error) {
	pending, err := pendingOf(pos.Open)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(c.Game.Players, func(p store.Player) bool {
		return slices.Contains(missing, p.Side) && slices.ContainsFunc(pending, func(d adjudicator.Decision) bool { return d.Turn && string(d.Side) == p.Side })
	})
	if i < 0 {
		return false, nil
	}
	if err := u.fits(pos.Game); err != nil {
		return false, err
	}
	p := c.Game.Players[i]
	sections, err := u.officersOrders(pos, p)
	if err == nil {
		try := *c
		g := pos.Game
		g.Players = slices.Clone(c.Game.Players)
		g.Players[i].LateTurns++
		on := pos
		on.Game, try.Game = g, &g
		if err = u.fileFor(&try, on, p, standIn{how: actStaff, sections: sections, late: []string{p.Side}}); err == nil {
			*c = try
			if r.late == lateReplace {
				c.Mails = append(c.Mails, u.tellModerators(*c.Game, fmt.Sprintf("%d", c.Expect+1), p.Side+" needs a player",
					fmt.Sprintf("No orders came from %s by the deadline, %s. A staff officer has written the sheet for turn %d.", p.Side, times(g.Players[i].LateTurns), pos.Open.Turn),
					fmt.Sprintf("The seat needs a player: MODERATE: REPLACE and his address, with SIDE: %s, or game replace %s --side %s ADDRESS.", p.Side, g.ID, p.Side))...)
			}
			return true, nil
		}
	}
	u.Log.Error("a staff officer cannot write the sheet of a late side; standing orders count", "game", pos.Game.ID, "side", p.Side, "error", err)
	return false, nil
}

func times(n int) string {
	if n == 1 {
		return "the first time"
	}
	return fmt.Sprintf("for the %dth time", n)
}

// officersOrders is what a staff officer would do for a player, without a head.
func (u *Umpire) officersOrders(pos store.Position, p store.Player) (string, error) {
	game, sys, err := u.under(pos.Game)
	if err != nil {
		return "", err
	}
	v, err := game.View(pos.Latest.Snapshot, adjudicator.Side(p.Side))
	if err != nil {
		return "", err
	}
	v.Game = pos.Game.ID
	text, err := staff.Officer{Game: game}.Sheet(v, p.Serial+1)
	if err != nil {
		return "", err
	}
	canonical := orders.Canonical(text)
	sheet, _ := orders.Parse(canonical, sys.Vocabulary())
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
