package intake

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/turns"
)

// accept files the sheet: what stands is kept, the game goes on if this was what
// it waited for, and everybody hears of it.
func (l *incoming) accept(c *store.Change, m match.Match, sub submitted) error {
	turn, serial := sub.turn, sub.serial
	as, err := l.filedAs(m, sub)
	if err != nil {
		return err
	}
	l.replaced = l.replaces(m.Settings(), turn, as.fresh.Phase)
	as.fresh.Seq = m.Game.Seq + 1
	var becomes fate
	forgiving := match.HasSecondThoughts(m.Game)
	if forgiving {
		as.fresh.Doubts = l.doubtsOf(m, as)
		if becomes, err = l.fateOf(m, as); err != nil {
			return err
		}
		as.echo.Lines = judge.Shown(as.echo.Lines, l.sheet.Bare(), becomes.is == report.Held)
	}
	checked, fresh := as.echo, as.fresh
	g := l.counted(m.Game, serial)
	c.Game, c.Expect = &g, m.Game.Seq
	if private, changed := l.headLines(&g, m.Open); len(private) > 0 {
		checked.Lines = append(private, checked.Lines...)
		if changed && m.Open != nil {
			l.h.absent(g, m.Open)
			c.Open = m.Open
		}
	}
	if nothing := becomes.is == report.HeadOnly && len(checked.Lines) > 0 && len(l.sheet.Commands) == 0 && !anyAccepted(checked); nothing {
		c.Game, c.Expect, c.Open = nil, 0, nil // it takes no SERIAL
		c.Mails = append(c.Mails, l.acknowledgement(m, as, becomes, "")...)
		return nil
	}
	m.Game = g
	c.Sheets = as.sheets
	seat := store.Seat{Game: g.ID, Side: l.player.Side}
	match.FilingRecords.Put(c, match.FilingKey{Seat: seat, Turn: turn, Serial: as.serial}, fresh)
	match.DrawRecords.Drop(c, seat)
	c.WithRecords(l.invited)
	if err := l.remember(c, g.ID, becomes); err != nil {
		return err
	}
	if err := l.takeBack(c); err != nil {
		return err
	}
	c.Mails = append(c.Mails, l.invited.Mails...)

	c.Mails = append(c.Mails, as.mails...)
	l.next = as.next
	if forgiving && l.ofPart() {
		l.next = cmp.Or(l.waitsForOthers(becomes), l.next)
		if becomes.is == report.HeadOnly || becomes.is == report.Thinking {
			l.next = "" // it says all by itself
		}
		c.Mails = append(c.Mails, l.tellSide(as, becomes)...)
	}
	if l.sheet.Command("WITHDRAW") {
		c.Mails = append(c.Mails, l.answerAbout("NOT YET PLAYED: orders withdrawn", report.Notice, fmt.Sprintf("your orders for turn %d have been withdrawn", turn), l.toFileAgain("To file again, send a sheet", serial)+" Standing orders of earlier turns stay in force.")...)
		return l.h.DropAnswer(c, l.player.Side, c.Mails[len(c.Mails)-1].ID)
	}
	counts := fresh
	counts.Done = fresh.Done && becomes.thought == nil
	p, after := match.Progress{}, ""
	waits, err := turns.StillWaits(counts, m.Open)
	switch {
	case err != nil:
		return err
	case match.Beaconed(g):
		after, waits = l.h.WhenDrawn(g, m.Open, counts.Done), true
	case !waits:
		if p, err = l.h.PlayWith(m, counts, c); err != nil {
			return err
		}
		p.Late, after = l.late, p.After(m.Open)
	}
	if !forgiving {
		becomes.is = asBefore(counts.Done)
	}
	switch moved := !waits && p.Moved(m.Open); {
	case moved && (p.At.Over || match.TurnDue(p.Pending)):
		becomes.is = report.Played
	case moved:
		becomes.is = report.Playing
	}
	when := l.answeredWhen(c, m, p, becomes, as)
	if err := l.answerTo(c, m, as, becomes, told{when, after}); err != nil {
		return err
	}
	c.Mails = append(c.Mails, l.deputyFiled(turn, serial)...)
	if waits {
		return nil
	}
	return l.h.GoOn(c, m, p)
}

// anyAccepted tells whether a line of a sheet was accepted.
func anyAccepted(f *adjudicator.Filing) bool {
	return slices.ContainsFunc(f.Lines, func(l adjudicator.Line) bool { return l.Refused == nil })
}

// asBefore is what becomes of a sheet in a game without second thoughts.
func asBefore(done bool) report.Fate {
	if done {
		return report.Finished
	}
	return report.Filed
}
