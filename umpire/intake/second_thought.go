package intake

import (
	"cmp"
	"fmt"
	"maps"
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
	before, err := l.thoughtOf(m.Game.ID, as.fresh.Turn)
	if err != nil {
		return fate{}, err
	}
	switch {
	case l.sheet.Command("WITHDRAW"):
		return fate{is: report.Withdrawn}, nil
	case !l.sheet.Done && l.sheet.Bare():
		return fate{is: report.HeadOnly, thought: before}, nil
	case !l.sheet.Done:
		return fate{is: report.Filed, doubts: as.fresh.Doubts}, nil
	case as.fresh.Done:
	case l.ofPart():
		return fate{is: report.PartDone}, nil
	default: // the rules of the game return a sheet that leaves duties open
		return fate{is: report.Filed}, nil
	}
	done, err := l.finishedBy(m, as)
	switch {
	case err != nil, l.asItIs():
		return fate{is: report.Finished, finishes: done.finishes}, err
	case !l.sheet.Bare(), before == nil:
		return l.secondLook(m, as, done), nil
	}
	return l.onceMore(before, done), nil
}

// thoughtOf is the side's thought on a turn, nil for none.
func (l *incoming) thoughtOf(game string, turn int) (*match.Thought, error) {
	thoughts, err := l.h.ThoughtsOf(game)
	if err != nil {
		return nil, err
	}
	one, ok := thoughts[adjudicator.Side(l.player.Side)]
	if !ok || one.Turn != turn {
		return nil, nil
	}
	return &one, nil
}

// asItIs tells whether the writer wants no second look: they said DONE!, or stand in.
func (l *incoming) asItIs() bool { return l.sheet.AsIs || match.StandInOf(l.sheet) != "" }

// finishedBy are the doubts about the orders that a DONE finishes: its own, or those that
// are filed.
func (l *incoming) finishedBy(m match.Match, as filedAs) (fate, error) {
	if !l.sheet.Bare() || l.ofPart() {
		return fate{doubts: as.fresh.Doubts}, nil
	}
	filed, err := l.h.Filed(m.Game.ID, nil)
	k := match.LastWithOrders(filed, as.fresh.Side, as.fresh.Turn)
	if err != nil || k < 0 {
		return fate{}, err
	}
	return fate{doubts: filed[k].Doubts, finishes: filed[k].Serial}, nil
}

// onceMore is what a bare DONE does to a sheet that is held, or leaves time for a second
// thought. It confirms a held one, if it came after our answer.
func (l *incoming) onceMore(before *match.Thought, done fate) fate {
	switch {
	case !before.Held:
		done.is, done.thought = report.Thinking, before
	case l.raw.InternalDate.After(before.Since):
		done.is = report.Finished
	default:
		done.is, done.doubts, done.thought = report.Held, before.Doubts, before
	}
	return done
}

// secondLook holds a finished sheet with doubts, and gives a clean one its time.
func (l *incoming) secondLook(m match.Match, as filedAs, done fate) fate {
	thought := &match.Thought{Turn: as.fresh.Turn, Serial: as.fresh.Serial, Orders: cmp.Or(done.finishes, as.fresh.Serial), Since: l.h.Now().UTC()}
	until, gives := l.secondThought(m)
	switch {
	case len(done.doubts) > 0:
		thought.Held, thought.Doubts = true, done.doubts
		done.is, done.thought = report.Held, thought
	case gives:
		thought.Until = until
		done.is, done.thought = report.Thinking, thought
	default:
		done.is = report.Finished
	}
	return done
}

// secondThought is until when a clean DONE can be taken back. It gives no time where the
// phase has begun or is not the side's, and where nothing is played before the deadline.
func (l *incoming) secondThought(m match.Match) (until time.Time, gives bool) {
	wait := match.SecondThought(m.Game)
	pending, err := m.Pending()
	begun, bad := phaseBegun(m.Open)
	switch {
	case err != nil, bad != nil, begun, wait == 0:
		return until, false
	case match.Held(m.Game), match.Beaconed(m.Game):
		return until, false
	case !match.AwaitsTurnOf(pending, l.player.Side), l.turn != m.Open.Turn:
		return until, false
	}
	until = l.h.Now().UTC().Add(wait)
	r, err := match.ScheduleOf(m.Game)
	if err != nil || !match.Timed(m.Open) {
		return until, true
	}
	if latest := m.Open.Deadline.Add(r.Grace); until.After(latest) {
		until = latest
	}
	return until, true
}

// phaseBegun tells whether something was thrown or answered in the phase that waits.
func phaseBegun(open *store.OpenPhase) (bool, error) {
	if open == nil {
		return false, nil
	}
	journal, err := match.EntriesOf(open.Journal)
	return len(journal) > 0, err
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
// nothing in their place. What was refused of that sheet is not missed.
func (l *incoming) drops(m match.Match) (serial int, dropped []string) {
	was, serial := l.replacedSheet(m)
	if was == nil {
		return 0, nil
	}
	dropped = match.Dropped(was, l.sheet)
	if accepted := l.acceptedOf(m.Game.ID, serial); accepted != "" {
		dropped = slices.DeleteFunc(dropped, func(order string) bool { return !strings.Contains(accepted, order) })
	}
	return serial, dropped
}

// replacedSheet is the last sheet of the writer's with orders for the turn, nil for none.
func (l *incoming) replacedSheet(m match.Match) (*orders.Sheet, int) {
	if l.replaced == 0 {
		return nil, 0
	}
	part := 0
	if l.ofPart() {
		part = l.commander() + 1
	}
	sheets, err := l.h.DB.Sheets(m.Game.ID, l.player.Side, l.turn)
	if err != nil {
		return nil, 0
	}
	for _, s := range slices.Backward(sheets) {
		if s.Part != part || s.Serial > l.replaced {
			continue
		}
		switch text, _ := orders.Parse(s.Canonical, m.System.Vocabulary()); {
		case text.Command("WITHDRAW"):
			return nil, 0
		case !text.Bare():
			return text, s.Serial
		}
	}
	return nil, 0
}

// acceptedOf are the orders of a filed sheet that were accepted, as text; "" if they cannot
// be told apart.
func (l *incoming) acceptedOf(game string, serial int) string {
	filed, err := l.h.Filed(game, nil)
	if err != nil || l.ofPart() {
		return ""
	}
	at := slices.IndexFunc(filed, func(f match.Filing) bool { return f.Of(l.player.Side, l.turn) && f.Serial == serial })
	if at < 0 {
		return ""
	}
	return strings.Join(slices.Collect(maps.Values(filed[at].Answers)), "\n")
}

// tooLate refuses what cannot be changed any more: orders for a turn that has begun. Then
// only answers and lines of the head count.
func (l *incoming) tooLate(m match.Match) error {
	if !match.HasSecondThoughts(m.Game) {
		return nil
	}
	if changes := !l.sheet.Bare() || l.sheet.Command("WITHDRAW"); !changes {
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
	if m.Open == nil || m.Settings().Piecemeal() {
		return false, nil
	}
	at, err := m.At()
	if err != nil {
		return false, err
	}
	if string(at.Side) != l.player.Side || at.Turn != l.turn {
		return false, nil
	}
	pending, err := m.Pending()
	return !match.AwaitsTurnOf(pending, l.player.Side), err
}

// nothingToFinish refuses a DONE without orders where none are filed, and a sheet of which
// no line could be read: neither takes a SERIAL.
func (l *incoming) nothingToFinish(m match.Match, sub submitted) error {
	switch {
	case !match.HasSecondThoughts(m.Game), len(l.sheet.Commands) > 0, !l.sheet.Bare():
		return nil
	}
	if len(sub.faults) > 0 {
		fault := sub.faults[0]
		at := orders.Where(l.typed, fault.Pos)
		return refusal(fmt.Sprintf("line %d could not be read: %s", at.Line, fault.Why()), "Nothing of the sheet is filed, and what you filed before stays as it is. Please put the line right and send the sheet again.")
	}
	passes := len(l.sheet.Sections) > 0 // an empty section passes its phase, where sheets go by phase
	switch {
	case !l.sheet.Done, l.sheet.AsIs, l.sheet.Answers(), l.ofPart():
		return nil
	case m.Settings().ByPhase && passes:
		return nil
	}
	begun, err := phaseBegun(m.Open)
	if err != nil || begun {
		return err
	}
	filed, err := l.h.Filed(m.Game.ID, nil)
	if err != nil || match.LastWithOrders(filed, adjudicator.Side(l.player.Side), l.turn) >= 0 {
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
	switch _, had := thoughts[side]; {
	case f.thought != nil:
		if thoughts == nil {
			thoughts = match.Thoughts{}
		}
		thoughts[side] = *f.thought
	case had:
		delete(thoughts, side)
	default:
		return nil
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
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
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
