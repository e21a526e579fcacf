package intake

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/turns"
)

// No mail by itself loses a turn. A sheet with DONE that leaves something to look at is
// held; a clean one is played after the time that the game gives for a second thought; a
// bare DONE finishes what is filed. All of it ends when the phase begins: from the first
// throw on there is no way back, for the same throw would come again (docs/DICE.md).

// fate is what becomes of a sheet with the orders of its side.
type fate struct {
	is       report.Fate
	thought  *match.Thought // nil if its DONE counts at once, or it has none
	doubts   []string
	finishes int // the sheet with orders that a bare DONE finishes
}

// fateOf decides it. Nothing of the phase is tried for it.
func (l *incoming) fateOf(m match.Match, as filedAs) (fate, error) {
	filed, err := l.h.Filed(m.Game.ID, nil)
	if err != nil {
		return fate{}, err
	}
	thoughts, err := l.h.ThoughtsOf(m.Game.ID)
	if err != nil {
		return fate{}, err
	}
	side := adjudicator.Side(l.player.Side)
	before, thinking := thoughts[side]
	thinking = thinking && before.Turn == as.fresh.Turn
	bare := l.sheet.Bare()
	switch {
	case l.sheet.Command("WITHDRAW"):
		return fate{is: report.Withdrawn}, nil
	case bare && !l.sheet.Done:
		return fate{is: report.HeadOnly, thought: kept(before, thinking)}, nil
	case l.sheet.Done && !as.fresh.Done:
		return fate{is: report.PartDone}, nil
	case !as.fresh.Done:
		return fate{is: report.Filed, doubts: as.fresh.Doubts}, nil
	}
	f := fate{doubts: as.fresh.Doubts}
	orders := as.fresh.Serial
	if k := match.LastWithOrders(filed, side, as.fresh.Turn); bare && k >= 0 && !l.ofPart() {
		f.doubts, f.finishes, orders = filed[k].Doubts, filed[k].Serial, filed[k].Serial
	}
	confirms := bare && thinking && before.Held && l.raw.InternalDate.After(before.Since)
	switch {
	case l.sheet.AsIs, confirms, match.StandInOf(l.sheet) != "":
		f.doubts = nil
	case bare && thinking && before.Held:
		f.is, f.doubts, f.thought = report.Held, before.Doubts, &before
		return f, nil
	case bare && thinking:
		f.is, f.thought = report.Thinking, &before
		return f, nil
	case len(f.doubts) > 0:
		f.is = report.Held
		f.thought = &match.Thought{Turn: as.fresh.Turn, Serial: as.fresh.Serial, Orders: orders, Held: true, Doubts: f.doubts, Since: l.h.Now().UTC()}
		return f, nil
	}
	f.is = report.Finished
	if until, gives := l.secondThought(m); gives && !l.sheet.AsIs && !confirms {
		f.is = report.Thinking
		f.thought = &match.Thought{Turn: as.fresh.Turn, Serial: as.fresh.Serial, Orders: orders, Until: until, Since: l.h.Now().UTC()}
	}
	return f, nil
}

// kept is a thought that goes on, nil for none.
func kept(one match.Thought, is bool) *match.Thought {
	if !is {
		return nil
	}
	return &one
}

// secondThought is until when a clean DONE can be taken back. It gives no time where the
// phase has begun or is not the side's, and where nothing is played before the deadline.
func (l *incoming) secondThought(m match.Match) (until time.Time, gives bool) {
	wait := match.SecondThought(m.Game)
	pending, err := match.PendingOf(m.Open)
	thrown, bad := match.EntriesOf(openJournal(m.Open))
	switch {
	case err != nil, bad != nil, wait == 0, match.StandInOf(l.sheet) != "":
		return until, false
	case match.Held(m.Game), match.Beaconed(m.Game), len(thrown) > 0:
		return until, false
	case !match.AwaitsTurnOf(pending, l.player.Side), l.turn != m.Open.Turn:
		return until, false
	}
	until = l.h.Now().UTC().Add(wait)
	if r, err := match.ScheduleOf(m.Game); err == nil && match.Timed(m.Open) {
		if latest := m.Open.Deadline.Add(r.Grace); until.After(latest) {
			until = latest
		}
	}
	return until, true
}

func openJournal(open *store.OpenPhase) []byte {
	if open == nil {
		return nil
	}
	return open.Journal
}

// doubtsOf are what a finished sheet is held for: lines that were refused, duties that are
// left open, units that will be lost, and orders that it drops.
func (l *incoming) doubtsOf(m match.Match, as filedAs) (doubts []string) {
	if l.sheet.Bare() {
		return nil
	}
	for _, line := range as.echo.Lines {
		switch {
		case line.Refused != nil && line.Pos.Line > 0:
			doubts = append(doubts, fmt.Sprintf("Line %d: %s: %s", line.Pos.Line, line.Text, post.Sentence(line.Refused.Why)))
		case line.Refused != nil:
			doubts = append(doubts, post.Sentence(line.Refused.Why))
		case line.Doubt:
			doubts = append(doubts, post.Sentence(line.Warning))
		}
	}
	if serial, dropped := l.drops(m); len(dropped) > 0 {
		l.dropped = fmt.Sprintf("Sheet %d had %s that this one has not: %s.", serial, ordersInWords(len(dropped)), strings.Join(dropped, "; "))
		doubts = append(doubts, l.dropped)
	}
	return doubts
}

func ordersInWords(n int) string {
	if n == 1 {
		return "an order"
	}
	return fmt.Sprintf("%d orders", n)
}

// drops are the orders of the sheet that the one at hand replaces, and for which it has
// nothing in their place.
func (l *incoming) drops(m match.Match) (serial int, dropped []string) {
	if l.replaced == 0 {
		return 0, nil
	}
	sheets, err := l.h.DB.Sheets(m.Game.ID, l.player.Side, l.turn)
	if err != nil {
		return 0, nil
	}
	part := 0
	if l.ofPart() {
		part = l.commander() + 1
	}
	var was *orders.Sheet
	for _, s := range slices.Backward(sheets) {
		if s.Part != part || s.Serial > l.replaced {
			continue
		}
		if text, _ := orders.Parse(s.Canonical, m.System.Vocabulary()); !text.Bare() || text.Command("WITHDRAW") {
			serial, was = s.Serial, text
			break
		}
	}
	if was == nil {
		return 0, nil
	}
	accepted := l.acceptedOf(m.Game.ID, serial)
	return serial, slices.DeleteFunc(match.Dropped(was, l.sheet), func(order string) bool { return accepted != "" && !strings.Contains(accepted, order) })
}

// acceptedOf are the orders of a filed sheet that were accepted, as text; "" if they cannot
// be told apart.
func (l *incoming) acceptedOf(game string, serial int) string {
	filed, err := l.h.Filed(game, nil)
	if err != nil || l.ofPart() {
		return ""
	}
	var all strings.Builder
	for _, f := range filed {
		if string(f.Side) == l.player.Side && f.Serial == serial && f.Turn == l.turn {
			for _, text := range f.Answers {
				all.WriteString(text + "\n")
			}
		}
	}
	return all.String()
}

// tooLate refuses what cannot be changed any more: orders for a turn that has begun. Then
// only answers and lines of the head count.
func (l *incoming) tooLate(m match.Match) error {
	if !match.HasSecondThoughts(m.Game) || l.sheet.Bare() && !l.sheet.Command("WITHDRAW") {
		return nil
	}
	begun, err := l.turnHasBegun(m)
	if err != nil || !begun {
		return err
	}
	if l.sheet.Command("WITHDRAW") {
		return refusal(fmt.Sprintf("your orders for turn %d are being played, and can no longer be withdrawn", l.turn), "Nothing has changed. Your MODE stays as it is.")
	}
	return refusal(fmt.Sprintf("your orders for turn %d are being played, and can no longer be changed", l.turn),
		"Nothing of the sheet is filed. To answer a question, send its ANSWER section alone; MODE and the other lines of the head count, too.")
}

// turnHasBegun tells whether the turn of the side on move is being played: its orders lie
// behind the first throw. Where sheets go by phase, and where chits are still in the cup,
// orders for what is to come may be given.
func (l *incoming) turnHasBegun(m match.Match) (bool, error) {
	set := m.Settings()
	at, err := m.At()
	if err != nil || m.Open == nil || set.ByPhase || slices.Contains(set.May, adjudicator.KindActivation) {
		return false, err
	}
	pending, err := match.PendingOf(m.Open)
	if err != nil {
		return false, err
	}
	onMove := string(at.Side) == l.player.Side && at.Turn == l.turn
	return onMove && !match.AwaitsTurnOf(pending, l.player.Side), nil
}

// nothingToFinish refuses a DONE without orders where none are filed, and a sheet of which
// no line could be read: neither takes a SERIAL.
func (l *incoming) nothingToFinish(m match.Match, sub submitted) error {
	if !match.HasSecondThoughts(m.Game) || len(l.sheet.Commands) > 0 {
		return nil
	}
	if !l.sheet.Bare() {
		return nil
	}
	if len(sub.faults) > 0 {
		fault := sub.faults[0]
		at := orders.Where(l.typed, fault.Pos)
		return refusal(fmt.Sprintf("line %d could not be read: %s", at.Line, fault.Why()), "Nothing of the sheet is filed, and what you filed before stays as it is. Please put the line right and send the sheet again.")
	}
	if !l.sheet.Done || l.sheet.AsIs || l.ofPart() || l.sheet.Answers() {
		return nil
	}
	if passes := m.Settings().ByPhase && len(l.sheet.Sections) > 0; passes {
		return nil // an empty section passes its phase
	}
	filed, err := l.h.Filed(m.Game.ID, nil)
	if err != nil {
		return err
	}
	thrown, err := match.EntriesOf(openJournal(m.Open))
	if err != nil || len(thrown) > 0 || match.LastWithOrders(filed, adjudicator.Side(l.player.Side), l.turn) >= 0 {
		return err
	}
	return refusal(fmt.Sprintf("you have filed no orders for turn %d, so there is nothing that DONE could finish", l.turn), "To pass the turn without orders, write DONE! in place of DONE.")
}

// remember puts the side's thought into a Change, or ends the one that it had.
func (l *incoming) remember(c *store.Change, game string, f fate) error {
	thoughts, err := l.h.ThoughtsOf(game)
	if err != nil {
		return err
	}
	side := adjudicator.Side(l.player.Side)
	if f.thought == nil {
		if _, has := thoughts[side]; !has {
			return nil
		}
		delete(thoughts, side)
	} else {
		if thoughts == nil {
			thoughts = match.Thoughts{}
		}
		thoughts[side] = *f.thought
	}
	return turns.KeepThoughts(c.Notes, game, thoughts)
}

// doneLines are the lines by which the player finishes what is filed, and how to send them.
func (l *incoming) doneLines(m match.Match, serial int) (reply string, lines []string) {
	if l.byCodes() {
		if at, err := m.At(); err == nil {
			return "reply with these two lines at the top", []string{"CODE: " + post.PhaseCode(m.Game, l.player.Side, at.Label), "DONE"}
		}
	}
	return "sign and send these lines", []string{"GAME: " + m.Game.ID, "SIDE: " + l.player.Side, fmt.Sprintf("TURN: %d", l.turn), fmt.Sprintf("SERIAL: %d", serial+1), "DONE"}
}

// byCodes tells whether the player signs nothing, but plays by codes.
func (l *incoming) byCodes() bool { return seal.IsCode(l.player.Key) }

// clockTime is a time of day for a player, with its day if that is not today.
func clockTime(at, now time.Time, zone *time.Location) string {
	at, now = at.In(zone), now.In(zone)
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return at.Format("15:04")
	}
	return at.Format("Mon 2 Jan, 15:04")
}

// inWords is a length of time: "15 minutes", "2 hours".
func inWords(d time.Duration) string {
	n, unit := int(d.Round(time.Minute)/time.Minute), "minute"
	if n >= 120 {
		n, unit = int(d.Round(time.Hour)/time.Hour), "hour"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
