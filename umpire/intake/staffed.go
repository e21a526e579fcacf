package intake

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// A side that a staff officer plays is a seat like any other but for its mail:
// it has a key, its sheets are signed and kept, and an archive proves them. The
// umpire lets the officer see that side's View when the game waits for the side,
// and hands the sheet in as if it had come by post. The key is made with the game,
// before a player's is known, so that it gives nobody a say in the dice.

// Attend lets staff officers play as long as a game waits for one of them. A fault
// of an officer stops only that officer: the moderator finds it in the log.
func (hd *Handler) Attend(ctx context.Context, id string) {
	if _, at := hd.attending.LoadOrStore(id, true); at {
		return
	}
	defer hd.attending.Delete(id)
	for last := 0; ctx.Err() == nil; {
		p, raw, err := hd.staffSheet(id)
		switch {
		case err != nil:
			hd.Log.Error("a staff officer cannot play; the game waits", "game", id, "side", p.Side, "error", err)
			return
		case raw.Bytes == nil:
			return
		case p.Serial < last:
			hd.Log.Error("the sheet of a staff officer was not accepted; the game waits", "game", id, "side", p.Side)
			return
		}
		last = p.Serial + 1
		if err := hd.receive(ctx, raw); err != nil {
			hd.Log.Error("the sheet of a staff officer could not be handed in", "game", id, "side", p.Side, "error", err)
			return
		}
	}
}

// staffSheet is the mail with the sheet of the staff officer for whom the game
// waits; without bytes if it waits for none.
func (hd *Handler) staffSheet(id string) (p store.Player, raw mailbox.Raw, err error) {
	if g, err := hd.DB.Game(id); err != nil || !slices.ContainsFunc(g.Players, store.Player.Staffed) {
		return p, raw, err // most games have no staff officer
	}
	pos, err := hd.DB.Load(id)
	if err != nil || !hd.playable(pos) {
		return p, raw, err
	}
	pending, err := match.PendingOf(pos.Open)
	if err != nil || pos.Open == nil || pos.Open.Closed > 0 {
		return p, raw, err
	}
	i, err := hd.turnOfStaff(pos, pending)
	if err != nil || i < 0 {
		return p, raw, err
	}
	p = pos.Game.Players[i]
	m, err := hd.Under(pos)
	if err != nil {
		return p, raw, err
	}
	v, err := staffView(m, p.Side, pending)
	if err != nil {
		return p, raw, err
	}
	v.Game = id
	officer := hd.officer(m.Rules, pos.Game)
	officer.Holds = !match.Held(pos.Game) // else the game would wait for a deadline at each of their chits
	text, err := hd.deliberate(officer, v, p)
	if err != nil {
		return p, raw, err
	}
	raw, err = hd.posted(pos.Game, p, orders.Canonical(text))
	return p, raw, err
}

// turnOfStaff is the number of the seat of a staff officer whose sheet a game waits for, or whose
// answer; -1 if it waits for none.
func (hd *Handler) turnOfStaff(pos store.Position, pending []adjudicator.Decision) (int, error) {
	missing, err := hd.Unfinished(pos, pending) // what is filed may wait for its deadline
	if err != nil {
		return -1, err
	}
	return slices.IndexFunc(pos.Game.Players, func(p store.Player) bool {
		switch {
		case !p.Staffed():
			return false
		case len(match.Questions(pending, adjudicator.Side(p.Side))) > 0:
			return true
		}
		return slices.Contains(missing, p.Side) && match.AwaitsTurnOf(pending, p.Side)
	}), nil
}

// staffView is what a staff officer sees of a game that waits for them: of a question in the midst
// of a phase what a player finds in the mail that puts it.
func staffView(m match.Match, side string, pending []adjudicator.Decision) (*view.View, error) {
	asked := match.Asked(pending, adjudicator.Side(side))
	if len(asked) == 0 {
		return m.View(side)
	}
	journal, err := match.EntriesOf(m.Open.Journal)
	if err != nil {
		return nil, err
	}
	v, err := match.Midst(m.Rules, m.Latest.Snapshot, journal, adjudicator.Side(side))
	if err != nil {
		return nil, err
	}
	v.Asked, v.Due = asked, nil
	return v, nil
}

// deliberate has an officer write the sheet of a seat, who knows from where the last one sent the
// units, and keeps what they thought.
func (hd *Handler) deliberate(o staff.Officer, v *view.View, p store.Player) (sheet string, err error) {
	if o.Strength == staff.Cadet {
		return hd.thinks(o, v, p)
	}
	before, err := hd.Deliberations(v.Game, p.Side, v.Turn)
	if err != nil {
		return "", err
	}
	if n := len(before); n > 0 {
		o.Stood = before[n-1].Stood
	}
	key := match.TurnKey{Seat: store.Seat{Game: v.Game, Side: p.Side}, Turn: v.Turn}
	written, _, err := match.DeliberationRecords.Get(hd.DB, key)
	if err != nil {
		return "", err
	}
	o.Plan = written.Plan.Name
	var th staff.Thought
	hd.Share.Do(func() { th, err = o.Think(v, p.Serial+1) })
	if err != nil || len(v.Asked) > 0 {
		return th.Sheet, err
	}
	d := match.Deliberation{Turn: v.Turn, Plan: match.Considered(th.Plan), Stood: staff.StoodOn(v)}
	for _, w := range th.Others {
		d.Others = append(d.Others, match.Considered(w))
	}
	var kept store.Change
	match.DeliberationRecords.Put(&kept, key, d)
	return th.Sheet, hd.Commit(kept)
}

// thinks has an officer write the sheet of a seat.
func (hd *Handler) thinks(o staff.Officer, v *view.View, p store.Player) (sheet string, err error) {
	hd.Share.Do(func() { sheet, err = o.Sheet(v, p.Serial+1) })
	return sheet, err
}

// officer is a staff officer of the strength that a game asks for.
func (hd *Handler) officer(rules adjudicator.Game, g store.Game) staff.Officer {
	return staff.Officer{Game: rules, Pause: hd.Share.Pass, Strength: staff.Strength(match.OptionOr(g, match.OptionStrength, match.StrengthCadet))}
}

// posted is a sheet as the staff officer's mail, signed with their key. Equal sheets
// are equal mails, so that a repeat after a crash has no second effect.
func (hd *Handler) posted(g store.Game, p store.Player, canonical string) (mailbox.Raw, error) {
	key, err := seal.GenerateKey(bytes.NewReader(p.Staff))
	if err != nil {
		return mailbox.Raw{}, err
	}
	armored, err := seal.Sign(key, seal.Namespace, []byte(canonical))
	if err != nil {
		return mailbox.Raw{}, err
	}
	from := strings.ToLower(fmt.Sprintf("%s.%s@staff.invalid", p.Side, g.ID))
	head := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: sheet %d\r\nMessage-ID: <%d.%s>\r\nDate: %s\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n",
		from, hd.Address, p.Serial+1, p.Serial+1, from, g.Created.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	text := []byte(head + strings.ReplaceAll(seal.Block(canonical, armored), "\n", "\r\n"))
	return mailbox.Raw{Bytes: text, Size: int64(len(text)), InternalDate: hd.Now()}, nil
}
