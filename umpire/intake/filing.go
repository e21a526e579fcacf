package intake

import (
	"encoding/json"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/turns"
)

// accept files the sheet: what stands is kept, the game goes on if this was what
// it waited for, and everybody hears of it.
func (l *incoming) accept(c *store.Change, game adjudicator.Game, sys adjudicator.System, pos store.Position, sub submitted) error {
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
			l.h.absent(g, pos.Open)
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
	waits, err := turns.StillWaits(fresh, pos.Open)
	switch {
	case err != nil:
		return err
	case match.Beaconed(g):
		after, waits = l.h.WhenDrawn(g, pos.Open, fresh.Done), true
	case !waits:
		if p, err = l.h.PlayWith(game, sys, g, pos, fresh); err != nil {
			return err
		}
		p.Late, after = l.late, p.After(pos.Open)
	}
	c.Mails = append(c.Mails, l.acknowledgement(turn, serial, checked, as.date, after)...)
	c.Mails = append(c.Mails, l.deputyFiled(turn, serial)...)
	if waits {
		return nil
	}
	return l.h.GoOn(c, game, sys, pos, p)
}

// counted is the game with the serial as the highest of its player.
func (l *incoming) counted(g store.Game, serial int) store.Game {
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
