package umpire

import (
	"encoding/json"
	"fmt"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
)

// file accepts the sheet: what stands is kept, the game goes on if this was what
// it waited for, and everybody hears of it.
func (l *letter) file(c *store.Change, game adjudicator.Game, sys adjudicator.System, pos store.Position, turn, serial int, canonical string, faults []*orders.Error) error {
	side := adjudicator.Side(l.player.Side)
	asked, err := askedOf(pos.Open, side)
	if err != nil {
		return err
	}
	checked, date, err := l.verdict(game, pos, canonical, faults)
	if err != nil {
		return err
	}
	checked.Lines = append(judgedAnswers(l.sheet, asked, mayAsk(pos.Game, sys)), checked.Lines...)
	open := ""
	if pos.Open != nil {
		open = pos.Open.Phase
	}
	fresh := filed(checked, l.sheet, side, open)
	fresh.Seq = pos.Game.Seq + 1
	note, err := json.Marshal(fresh)
	if err != nil {
		return err
	}
	g := l.counted(pos.Game, serial)
	c.Game, c.Expect = &g, pos.Game.Seq
	if private, changed := l.household(&g, pos.Open); len(private) > 0 {
		checked.Lines = append(private, checked.Lines...)
		l.movedAway(c, g)
		if changed && pos.Open != nil {
			l.u.absent(g, pos.Open)
			c.Open = pos.Open
		}
	}
	c.Sheets = []store.Sheet{{Side: l.player.Side, Turn: turn, Serial: serial, Canonical: canonical, Digest: l.digest, Source: l.sha, Key: l.key.String()}}
	c.Sheets[0].Signature, c.Sheets[0].Signed = evidence(l.msg, canonical, l.key)
	c.Notes = map[string][]byte{filingNote(g.ID, fmt.Sprintf("%s/%03d/%06d", side, turn, serial)): note,
		drawNote(g.ID, l.player.Side): nil}

	if fresh.Withdrawn {
		c.Mails = append(c.Mails, l.refusal(report.Notice, fmt.Sprintf("what you filed for turn %d is taken back", turn), fmt.Sprintf("To file again, write SERIAL: %d or more. Standing orders of earlier turns hold.", serial+1))...)
		return nil
	}
	if beaconed(g) {
		c.Mails = append(c.Mails, l.acknowledgement(turn, serial, checked, date, l.u.whenDrawn(g, pos.Open, checked.Done))...)
		return nil
	}
	clk, err := l.u.clockOf(g.ID)
	if err != nil {
		return err
	}
	late := lateness{policy: given(g, optionLate, lateStanding), released: clk.Released, held: held(g)}
	p, err := l.u.play(game, g, pos.Latest.Snapshot, pos.Open, c.Expect+1, l.u.sheetsOf(g, sys, &fresh, late, nil))
	if err != nil {
		return err
	}
	p.late = l.late
	c.Mails = append(c.Mails, l.acknowledgement(turn, serial, checked, date, p.after(pos.Open))...)
	return l.u.goesOn(c, game, sys, pos, p)
}

// goesOn puts what was played into the Change: phases, the one that waits, and
// the mails of all whom it concerns.
func (u *Umpire) goesOn(c *store.Change, game adjudicator.Game, sys adjudicator.System, pos store.Position, p progress) error {
	if !p.moved(pos.Open) {
		return nil
	}
	g := c.Game
	c.Phases, c.Open = p.phases, p.open
	p.notes = append(p.notes, inOthersPlace(p.phases)...)
	if err := u.setDeadline(*g, p); err != nil {
		return err
	}
	if p.at.Over {
		finish(c)
	}
	untold, err := u.untold(game, *g, pos)
	if err != nil {
		return err
	}
	p.events = append(untold, p.events...)
	if p.at.Over || turnDue(p.pending) {
		c.Notes[untoldNote(g.ID)] = nil
		reports, err := u.reports(game, sys, *g, c.Expect+1, p, c.Notes)
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, reports...)
	} else if first, err := u.DB.Note(untoldNote(g.ID)); err == nil && first == nil && len(p.phases) > 0 {
		// Only a question stops the game: those who are not asked read on when it goes on.
		c.Notes[untoldNote(g.ID)] = []byte(strconv.FormatUint(pos.Game.Phases+1, 10))
	}
	for _, player := range g.Players {
		if len(questions(p.pending, adjudicator.Side(player.Side))) == 0 {
			continue
		}
		m, err := u.question(game, sys, *g, player, c.Expect+1, p)
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
		if g.Players[i].Side == l.player.Side {
			g.Players[i].Serial = serial
			if l.sheet.Command("ENCRYPT") || l.sheet.Command("PLAINTEXT") {
				g.Players[i].Encrypted = l.sheet.Command("ENCRYPT")
				l.player.Encrypted = g.Players[i].Encrypted // the acknowledgement too
			}
		}
	}
	return g
}

// judged is the verdict on a sheet: on its orders, and on lines that could not be read.
func judged(game adjudicator.Game, v *view.View, sheet *orders.Sheet, faults []*orders.Error) *adjudicator.Filing {
	checked := game.Check(v, sheet)
	for _, f := range faults {
		checked.Lines = append(checked.Lines, adjudicator.Line{Pos: orders.Pos{Line: f.Line, Col: 1}, At: f.Pos, Text: f.Got, Refused: &rule.Violation{Why: f.Why()}})
	}
	return checked
}

// line turns a checked order into a line of the acknowledgement.
func line(l adjudicator.Line) report.Line {
	out := report.Line{Number: l.Pos.Line, Column: l.Pos.Col, Order: l.Text, Understood: l.Understood, Warning: l.Warning}
	if v := l.Refused; v != nil {
		out.Refused, out.Clause, out.Reason, out.Instead = true, string(v.Clause), v.Why, v.Instead
		if l.At != l.Pos && l.At.Line > 0 {
			out.At = fmt.Sprintf("column %d", l.At.Col)
			if l.At.Line != l.Pos.Line {
				out.At = l.At.String()
			}
		}
	}
	return out
}
