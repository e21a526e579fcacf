package intake

import (
	"encoding/json"
	"fmt"
	"slices"

	"fieldpost/report"
	"fieldpost/store"
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
	checked, fresh := as.echo, as.fresh
	fresh.Seq = m.Game.Seq + 1
	note, err := json.Marshal(fresh)
	if err != nil {
		return err
	}
	l.replaced = l.replaces(m.Settings(), turn, fresh.Phase)
	g := l.counted(m.Game, serial)
	c.Game, c.Expect = &g, m.Game.Seq
	if private, changed := l.headLines(&g, m.Open); len(private) > 0 {
		checked.Lines = append(private, checked.Lines...)
		l.movedAway(c, g)
		if changed && m.Open != nil {
			l.h.absent(g, m.Open)
			c.Open = m.Open
		}
	}
	m.Game = g // as the Change leaves it
	c.Sheets = as.sheets
	c.Notes = map[string][]byte{match.FilingNote(g.ID, fmt.Sprintf("%s/%03d/%06d", l.player.Side, turn, as.serial)): note,
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
	waits, err := turns.StillWaits(fresh, m.Open)
	switch {
	case err != nil:
		return err
	case match.Beaconed(g):
		after, waits = l.h.WhenDrawn(g, m.Open, fresh.Done), true
	case !waits:
		if p, err = l.h.PlayWith(m, fresh); err != nil {
			return err
		}
		p.Late, after = l.late, p.After(m.Open)
	}
	c.Mails = append(c.Mails, l.acknowledgement(turn, serial, checked, as.date, after)...)
	c.Mails = append(c.Mails, l.deputyFiled(turn, serial)...)
	if waits {
		return nil
	}
	return l.h.GoOn(c, m, p)
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
		if n := l.player.Commander; n > 0 {
			p.Commanders = slices.Clone(p.Commanders)
			encrypted = &p.Commanders[n-1].Encrypted
			p.Commanders[n-1].Serial = serial
		}
		switch {
		case !l.ofPart():
			p.Serial = serial
		case l.commander() == 0:
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
