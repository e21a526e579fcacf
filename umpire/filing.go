package umpire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// accept files the sheet: what stands is kept, the game goes on if this was what
// it waited for, and everybody hears of it.
func (l *letter) accept(c *store.Change, game adjudicator.Game, sys adjudicator.System, pos store.Position, sub submitted) error {
	turn, serial := sub.turn, sub.serial
	side := adjudicator.Side(l.player.Side)
	asked, err := match.AskedOf(pos.Open, side)
	if err != nil {
		return err
	}
	open := ""
	if pos.Open != nil {
		open = pos.Open.Phase
	}
	as, err := l.filedAs(game, sys, pos, turn, serial, sub.canonical, sub.faults, asked, open)
	if err != nil {
		return err
	}
	checked, fresh := as.echo, as.fresh
	fresh.Seq = pos.Game.Seq + 1
	note, err := json.Marshal(fresh)
	if err != nil {
		return err
	}
	l.replaced = l.replaces(match.SettingsOf(pos.Game, sys), turn, fresh.Phase)
	g := l.counted(pos.Game, serial)
	c.Game, c.Expect = &g, pos.Game.Seq
	if private, changed := l.headLines(&g, pos.Open); len(private) > 0 {
		checked.Lines = append(private, checked.Lines...)
		l.movedAway(c, g)
		if changed && pos.Open != nil {
			l.u.absent(g, pos.Open)
			c.Open = pos.Open
		}
	}
	c.Sheets = as.sheets
	c.Notes = map[string][]byte{match.FilingNote(g.ID, fmt.Sprintf("%s/%03d/%06d", side, turn, as.serial)): note,
		drawNote(g.ID, l.player.Side): nil}
	for name, text := range l.invited.Notes {
		c.Notes[name] = text
	}
	c.Mails = append(c.Mails, l.invited.Mails...)

	c.Mails = append(c.Mails, as.mails...)
	if l.sheet.Command("WITHDRAW") {
		c.Mails = append(c.Mails, l.answer(report.Notice, fmt.Sprintf("what you filed for turn %d is taken back", turn), fmt.Sprintf("To file again, write SERIAL: %d or more. Standing orders of earlier turns hold.", serial+1))...)
		return nil
	}
	l.next = as.next
	after, p := "", match.Progress{}
	waits, err := stillWaits(fresh, pos.Open)
	switch {
	case err != nil:
		return err
	case match.Beaconed(g):
		after, waits = l.u.WhenDrawn(g, pos.Open, fresh.Done), true
	case !waits:
		if p, err = l.u.playWith(game, sys, g, pos, fresh); err != nil {
			return err
		}
		p.Late, after = l.late, p.After(pos.Open)
	}
	c.Mails = append(c.Mails, l.acknowledgement(turn, serial, checked, as.date, after)...)
	c.Mails = append(c.Mails, l.deputyFiled(turn, serial)...)
	if waits {
		return nil
	}
	return l.u.goesOn(c, game, sys, pos, p)
}

// playWith plays on with a sheet that is about to be filed, as the game's next Change.
func (u *Umpire) playWith(game adjudicator.Game, sys adjudicator.System, g store.Game, pos store.Position, fresh match.Filing) (match.Progress, error) {
	clk, err := u.ClockOf(g.ID)
	if err != nil {
		return match.Progress{}, err
	}
	late := match.Lateness{Policy: match.OptionOr(g, match.OptionLate, match.LateStanding), Released: clk.Released, Held: match.Held(g)}
	return u.Play(game, g, pos.Latest.Snapshot, pos.Open, pos.Game.Seq+1, u.SheetsOf(g, sys, &fresh, late, nil))
}

// stillWaits tells that a sheet decides nothing yet: the game waits for turns alone,
// which only a finished sheet plays. Then nothing need be tried.
func stillWaits(fresh match.Filing, open *store.OpenPhase) (bool, error) {
	pending, err := match.PendingOf(open)
	return err == nil && !fresh.Done && len(pending) > 0 && open.Closed == 0 &&
		!slices.ContainsFunc(pending, func(d adjudicator.Decision) bool { return !d.Turn }), err
}

// goesOn puts what was played into the Change: phases, the one that waits, and
// the mails of all whom it concerns.
func (u *Umpire) goesOn(c *store.Change, game adjudicator.Game, sys adjudicator.System, pos store.Position, p match.Progress) error {
	if !p.Moved(pos.Open) {
		return nil
	}
	g := c.Game
	c.Phases, c.Open = p.Phases, p.Open
	p.Notes = append(p.Notes, match.InOthersPlace(p.Phases)...)
	if err := u.setDeadline(*g, p); err != nil {
		return err
	}
	if p.At.Over {
		finish(c)
	}
	unreported, err := u.Unreported(game, *g, pos)
	if err != nil {
		return err
	}
	p.Events = append(unreported, p.Events...)
	if p.At.Over || match.TurnDue(p.Pending) {
		c.Notes[match.UnreportedNote(g.ID)] = nil
		if err := u.Reports(c, game, sys, p); err != nil {
			return err
		}
	} else if first, err := u.DB.Note(match.UnreportedNote(g.ID)); err == nil && first == nil && len(p.Phases) > 0 {
		// Only a question stops the game: those who are not asked read on when it goes on.
		c.Notes[match.UnreportedNote(g.ID)] = []byte(strconv.FormatUint(pos.Game.Phases+1, 10))
	}
	for _, player := range u.Everybody(*g) {
		if len(match.Questions(p.Pending, adjudicator.Side(player.Side))) == 0 {
			continue
		}
		m, err := u.Question(c, game, sys, player, p)
		if err != nil {
			return fmt.Errorf("question to %s: %w", player.Side, err)
		}
		c.Mails = append(c.Mails, m)
	}
	return nil
}

// counted is the game with the serial as the highest of its player.
func (l *letter) counted(g store.Game, serial int) store.Game {
	g.Players = append([]store.Player(nil), g.Players...)
	for i := range g.Players {
		p := &g.Players[i]
		if p.Side != l.player.Side {
			continue
		}
		encrypted := &p.Encrypted
		if n := l.player.Hand; n > 0 {
			p.Commanders = slices.Clone(p.Commanders)
			encrypted = &p.Commanders[n-1].Encrypted
			p.Commanders[n-1].Serial = serial
		}
		switch {
		case !l.ofPart():
			p.Serial = serial
		case l.hand() == 0:
			p.Own = serial
			fallthrough
		default:
			p.Serial++
		}
		if l.sheet.Command("ENCRYPT") || l.sheet.Command("PLAINTEXT") {
			*encrypted = l.sheet.Command("ENCRYPT")
			l.player.Encrypted = *encrypted // the acknowledgement too
		}
	}
	return g
}
