package intake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
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
	finishes int  // the sheet with orders that a bare DONE finishes
	reopened bool // a side of several commanders was finished before, and is no longer
	repeated bool // a DONE for a part that was finished already
}

// fateOf decides it. Nothing of the phase is tried for it.
func (l *incoming) fateOf(m match.Match, as filedAs) (fate, error) {
	before, err := l.thoughtOf(m.Game.ID, as.fresh.Turn)
	if err != nil {
		return fate{}, err
	}
	if l.ofPart() {
		return l.fateOfPart(m, as, before), nil
	}
	switch {
	case l.sheet.Command("WITHDRAW"):
		return fate{is: report.Withdrawn}, nil
	case l.sheet.NoOrders():
		return fate{is: report.HeadOnly, thought: before}, nil
	case !l.sheet.Done:
		return fate{is: report.Filed, doubts: as.fresh.Doubts}, nil
	case !as.fresh.Done: // the rules of the game return a sheet that leaves duties open
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
	meant := l.doneMeant()
	if !l.sheet.Bare() {
		return fate{doubts: append(meant, as.fresh.Doubts...)}, nil
	}
	filed, err := l.h.Filed(m.Game.ID, nil)
	k := match.LastWithOrders(filed, as.fresh.Side, as.fresh.Turn)
	if err != nil || k < 0 {
		return fate{doubts: meant}, err
	}
	return fate{doubts: append(meant, filed[k].Doubts...), finishes: filed[k].Serial}, nil
}

// doneMeant asks whether a misspelt DONE was meant: at most one doubt.
func (l *incoming) doneMeant() []string {
	d := l.sheet.DoneMeant
	if d == nil {
		return nil
	}
	return []string{fmt.Sprintf("Line %d: %s: %s", d.Line, d.Got, d.Instead())}
}

// onceMore is what a bare DONE does to a sheet that is held, or leaves time for a second
// thought. It confirms a held one, if it came after our answer.
func (l *incoming) onceMore(before *match.Thought, done fate) fate {
	switch {
	case !before.Held:
		done.is, done.thought = report.Thinking, before
	case l.sheet.DoneMeant != nil:
		again := *before
		again.Since, again.Doubts = l.h.Now().UTC(), done.doubts
		done.is, done.thought = report.Held, &again
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
	case err != nil, bad != nil, begun, wait == 0 && !l.raw.More:
		return until, false
	case match.Held(m.Game), match.Beaconed(m.Game):
		return until, false
	case !match.AwaitsTurnOf(pending, l.player.Side), l.turn != m.Open.Turn:
		return until, false
	}
	until = l.h.Now().UTC().Add(wait)
	if look := l.raw.Look.UTC(); wait == 0 && look.Before(until) {
		return look, true // mails that came together are one thought: it is played when all are read
	}
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
	doubts = judge.Doubts(as.echo.Lines)
	if was, serial := l.replacedSheet(m); was != nil {
		l.dropped = judge.Dropped(serial, was, l.sheet, l.fallingOf(m, was))
	}
	if l.dropped != "" {
		doubts = append(doubts, l.dropped)
	}
	return doubts
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

// fallingOf are the orders of a filed sheet that would be accepted as things stand now and count no
// more when another takes its place; nil if they cannot be told apart.
func (l *incoming) fallingOf(m match.Match, was *orders.Sheet) []string {
	if l.ofPart() {
		return nil
	}
	v, err := m.View(l.player.Side)
	if err != nil {
		return nil
	}
	return adjudicator.Falling(m.Rules, adjudicator.Side(l.player.Side), m.Rules.Check(v, was).Answers)
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
	r := refusal(fmt.Sprintf("your orders for turn %d are being played", l.turn), judge.InPlayInstead(l.sheet))
	if played, known := l.played(l.turn); known {
		now, zone := l.h.Now(), post.ZoneOf(l.player, l.game)
		at := clockTime(played.At, now, zone)
		r.Why = fmt.Sprintf("your orders for turn %d have been in play since %s %s", l.turn, at, zone)
		r.About = l.tooLateAbout(at)
	}
	r.Why += ", and can no longer be " + judge.Changed(l.sheet)
	return r
}

// played is how a turn of the side's came to be played; false if that is not known.
func (l *incoming) played(turn int) (match.PlayedTurn, bool) {
	all, err := l.h.PlayedTurnsOf(l.game.ID)
	one, known := all[adjudicator.Side(l.player.Side)]
	return one, err == nil && known && one.Turn == turn
}

// cameTooLate refuses what comes for a turn that has been played: it says when, and what
// was carried out. It is nil where that is not known.
func (l *incoming) cameTooLate(turn, serial int) *post.Refusal {
	played, known := l.played(turn)
	if !known {
		return nil
	}
	at, why := l.playedInWords(played)
	if played.Deadline.IsZero() {
		came := "your mail"
		if l.changesOrders() {
			came = fmt.Sprintf("sheet %d", serial)
		}
		why = strings.TrimSuffix(why, ".") + ", before " + came + " arrived."
	}
	r := refusal(why, "Nothing has changed.")
	r.About = l.tooLateAbout(at)
	if l.changesOrders() {
		r.Instead = fmt.Sprintf("Nothing in sheet %d was filed. Start your next one from the sheet in your latest report: TURN: %d, SERIAL: %d.", serial, l.turn, l.player.Serial+1)
	}
	return r
}

// changesOrders tells whether the sheet is more than a word on what is filed.
func (l *incoming) changesOrders() bool {
	return !l.sheet.Command("WITHDRAW") && !(l.sheet.Done && len(l.sheet.Sections) == 0)
}

// tooLateAbout is the subject of the answer to what came after a turn was played.
func (l *incoming) tooLateAbout(at string) string {
	switch {
	case l.sheet.Command("WITHDRAW"):
		return fmt.Sprintf("PLAYED at %s: too late to withdraw", at)
	case !l.changesOrders():
		return fmt.Sprintf("PLAYED at %s: nothing is left to finish", at)
	}
	return fmt.Sprintf("PLAYED at %s: sheet %s came too late", at, l.sheet.Header("SERIAL"))
}

// playedInWords says when a turn was played, "at the deadline" or at a time, and what was
// carried out.
func (l *incoming) playedInWords(played match.PlayedTurn) (at, why string) {
	now, zone := l.h.Now(), post.ZoneOf(l.player, l.game)
	at = clockTime(played.At, now, zone)
	if l.player.Shared() && played.Carried != "" {
		played.Carried = "your side's sheet" // its number is none that a commander wrote
	}
	switch {
	case played.Deadline.IsZero() && played.Carried == "":
		return at, fmt.Sprintf("Turn %d was played at %s %s.", played.Turn, at, zone)
	case played.Deadline.IsZero():
		sheet, rest, told := strings.Cut(played.Carried, ",")
		if sheet += fmt.Sprintf(" for turn %d", played.Turn); told {
			sheet += "," + rest + ","
		}
		return at, post.Sentence(fmt.Sprintf("%s was played at %s %s", sheet, at, zone))
	}
	why = fmt.Sprintf("The deadline for turn %d passed on %s %s", played.Turn, played.Deadline.In(zone).Format("Mon 2 Jan, 15:04"), zone)
	if r, err := match.ScheduleOf(l.game); err == nil && r.Grace > 0 && played.At.After(played.Deadline) {
		why += ", and sheets were taken until " + played.Deadline.Add(r.Grace).In(zone).Format("15:04")
	}
	return "the deadline", why + ". " + l.carriedAtDeadline(played)
}

// carriedAtDeadline says what was carried out when a deadline had passed.
func (l *incoming) carriedAtDeadline(played match.PlayedTurn) string {
	switch {
	case played.Carried != "":
		return "We carried out " + played.Carried + "."
	case match.OptionOr(l.game, match.OptionLate, match.LateStanding) == match.LateHold:
		return "You had filed no finished sheet, so your units held, and your standing orders counted."
	}
	return "You had filed no orders, so your standing orders counted."
}

// turnHasBegun tells whether the sheet is for a turn of its side that is being played.
func (l *incoming) turnHasBegun(m match.Match) (bool, error) {
	if m.Open == nil {
		return false, nil
	}
	at, err := m.At()
	if err != nil {
		return false, err
	}
	pending, err := m.Pending()
	return m.PlaysTurnOf(at, pending, l.player.Side) && at.Turn == l.turn, err
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
		at := orders.PlacesOf(l.typed).Where(fault.Pos)
		return refusal(fmt.Sprintf("line %d could not be read: %s", at.Line, fault.Why()), strings.TrimSpace(orders.DidYouMean(fault.Near)+" Nothing of the sheet is filed, and what you filed before stays as it is. Please put the line right and send the sheet again."))
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
	r := refusal(fmt.Sprintf("you have filed no orders for turn %d, so there is nothing that DONE could finish", l.turn), "To pass the turn without orders, write DONE! instead of DONE.")
	r.About = "NOT YET PLAYED: no orders are filed"
	return r
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
	thoughts.Keep(c, game)
	return nil
}

// nothingToWithdraw refuses a WITHDRAW where no orders are filed. It takes no SERIAL.
func (l *incoming) nothingToWithdraw(m match.Match) error {
	if !match.HasSecondThoughts(m.Game) || !l.sheet.Command("WITHDRAW") || l.ofPart() {
		return nil
	}
	filed, err := l.h.Filed(m.Game.ID, nil)
	if err != nil || match.LastWithOrders(filed, adjudicator.Side(l.player.Side), l.turn) >= 0 {
		return err
	}
	r := refusal(fmt.Sprintf("you have filed no orders for turn %d, so there is nothing to withdraw", l.turn), "")
	r.About = "NOT YET PLAYED: there is nothing to withdraw"
	return r
}

// linesFor are the lines by which the player says a word, DONE or WITHDRAW, and how to send
// them.
func (l *incoming) linesFor(m match.Match, serial int, word string) (reply string, lines []string) {
	if l.byCodes() {
		if at, err := m.At(); err == nil {
			return "reply with these two lines at the top", []string{"CODE: " + post.PhaseCode(m.Game, l.player.Side, at.Label), word}
		}
	}
	return "sign and send these lines", []string{"GAME: " + m.Game.ID, "SIDE: " + l.player.Side, fmt.Sprintf("TURN: %d", l.turn), fmt.Sprintf("SERIAL: %d", serial+1), word}
}

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
