package intake

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// A side with several commanders thinks twice, too. Each part that is finished with something
// to look at is held, and its writer is told. While a part is held the side's turn is not
// played: its writer, the commander-in-chief or the deadline goes on with it. The side's time
// for a second thought begins when all are done, or the commander-in-chief is, and a newer
// part ends it.

const chief = 0 // the commander-in-chief among the commanders of a side

// fateOfPart decides what becomes of one commander's part.
func (l *incoming) fateOfPart(m match.Match, as filedAs, before *match.Thought) fate {
	me, done := l.commander(), fate{finishes: l.finishes(m)}
	withdraws := l.sheet.Command("WITHDRAW")
	thinking := before != nil && !before.Held
	bare := l.sheet.Bare()
	switch {
	case !withdraws && l.sheet.NoOrders():
		return fate{is: report.HeadOnly, thought: before}
	case thinking && as.fresh.Done && bare && !l.sheet.AsIs:
		done.is, done.thought, done.repeated = report.Thinking, before, true
		return done
	}
	_, confirms := before.HeldParts()[me]
	done.repeated = bare && as.part.done && !confirms
	held, decides := l.stillHeld(m, as, before)
	done.reopened = len(as.part.was) == 0 && !(bare && l.sheet.Done)
	done.doubts = held[me].Doubts
	switch _, mine := held[me]; {
	case withdraws:
		done.is = report.Withdrawn
	case !l.sheet.Done:
		done.is = report.Filed
	case mine:
		done.is = report.Held
	default:
		done.is = report.PartDone
	}
	thought := &match.Thought{Turn: as.fresh.Turn, Serial: as.fresh.Serial, Orders: as.sheets[0].Serial, Since: l.h.Now().UTC()}
	complete := l.sheet.Done && as.fresh.Done
	until, gives := l.secondThought(m)
	switch {
	case len(held) > 0:
		thought.Held, thought.Parts = true, held
		done.thought = thought
	case !complete:
	case gives && !decides:
		thought.Until = until
		done.is, done.thought = report.Thinking, thought
	default:
		done.is, done.reopened = report.Finished, false
	}
	return done
}

// finishes is the writer's sheet with orders that a bare one leaves as it is, 0 for none.
func (l *incoming) finishes(m match.Match) int {
	if !l.sheet.Bare() {
		return 0
	}
	_, serial := l.replacedSheet(m)
	return serial
}

// stillHeld are the parts of the side that are held with the sheet at hand, and whether the
// commander-in-chief decides that the turn is played as it is.
func (l *incoming) stillHeld(m match.Match, as filedAs, before *match.Thought) (held map[int]match.HeldPart, decides bool) {
	held = before.HeldParts()
	me, now := l.commander(), l.h.Now().UTC()
	was, again := held[me]
	again = again && l.sheet.Bare()
	delete(held, me)
	confirms := again && l.raw.InternalDate.After(was.Since)
	switch {
	case !l.sheet.Done:
	case l.asItIs(), confirms:
		decides = me == chief
	case l.sheet.Bare() && as.part.done && !again: // nothing is new
	case again: // it was on its way before our answer was
		held[me] = was
		return held, false
	default:
		fresh := match.HeldPart{Sheet: cmp.Or(l.finishes(m), as.sheets[0].Serial), Doubts: l.doubtsOfPart(m, as), Since: now}
		if me == chief {
			fresh.Others = len(fresh.Doubts) == 0
			fresh.Doubts = append(fresh.Doubts, l.doubtsOfOthers(held)...)
		}
		if len(fresh.Doubts) > 0 {
			held[me] = fresh
		}
	}
	if decides {
		clear(held)
	}
	if theirs, is := held[chief]; is && theirs.Others && len(held) == 1 {
		delete(held, chief) // what it was held for is settled
	}
	return held, decides
}

// doubtsOfPart are what a finished part is held for: its own lines, and of the part that
// completes the side's orders what the side leaves open.
func (l *incoming) doubtsOfPart(m match.Match, as filedAs) (doubts []string) {
	if !l.sheet.Bare() {
		return as.fresh.Doubts // with what the side leaves open
	}
	filed, _ := l.replacedSheet(m)
	passes := len(l.sheet.Sections) > 0
	idle := filed == nil && !passes && (l.commander() != chief || as.fresh.Bare)
	if idle {
		doubts = append(doubts, fmt.Sprintf("You have filed no orders for turn %d.", l.turn))
	}
	return append(doubts, judge.DoubtsAgain(append(slices.Clone(as.part.lines), as.part.duties...))...)
}

// doubtsOfOthers tell the commander-in-chief which parts are held, and for what.
func (l *incoming) doubtsOfOthers(held map[int]match.HeldPart) (doubts []string) {
	for _, by := range slices.Sorted(maps.Keys(held)) {
		for _, doubt := range held[by].Doubts {
			doubts = append(doubts, fmt.Sprintf("%s has not confirmed their part yet: %s", seats.CommandName(l.seatOfSide(), by), doubt))
		}
	}
	return doubts
}

// seatOfSide is the whole seat of the writer's side.
func (l *incoming) seatOfSide() store.Player {
	i := slices.IndexFunc(l.game.Players, func(p store.Player) bool { return p.Side == l.player.Side })
	return l.game.Players[i]
}

// waitsForOthers says to the writer of a part which parts of others are held; "" for none.
func (l *incoming) waitsForOthers(f fate) string {
	if f.thought == nil || f.is == report.HeadOnly {
		return ""
	}
	held := f.thought.HeldParts()
	delete(held, l.commander())
	if len(held) == 0 {
		return ""
	}
	return fmt.Sprintf("Your part is filed. The side's turn is held until %s had a second look.", have(l.holders(held)))
}

// holders are the names of the commanders whose parts are held.
func (l *incoming) holders(held map[int]match.HeldPart) (names []string) {
	for _, by := range slices.Sorted(maps.Keys(held)) {
		names = append(names, seats.CommandName(l.seatOfSide(), by))
	}
	return names
}

// have joins names to what they "have" done.
func have(names []string) string {
	if len(names) == 1 {
		return names[0] + " has"
	}
	return strings.Join(names, " and ") + " have"
}

// tellSide tells the commander-in-chief of a part that was finished, and the whole side of one
// that came when the side was finished already.
func (l *incoming) tellSide(as filedAs, f fate) (mails []store.Mail) {
	seat, me := l.seatOfSide(), l.commander()
	finished := l.sheet.Done && f.is != report.Held && f.is != report.HeadOnly
	switch {
	case !f.reopened && finished && me != chief:
		if f.repeated {
			return nil
		}
		return l.partDone(as, f)
	case !f.reopened:
		return nil
	}
	name, did := seats.CommandName(seat, me), "has written again"
	if l.sheet.Command("WITHDRAW") {
		did = "has withdrawn their orders"
	}
	for other := range len(seat.Commanders) + 1 {
		if other == me || !seats.WritesPart(seat, other) {
			continue
		}
		n := report.Note{Game: l.game.ID, Title: l.game.Title, About: "NOT YET PLAYED: " + name + " " + did,
			Says: []string{fmt.Sprintf("%s %s, so your side's turn is not played yet. %s", name, did, l.nowWaits(as, f, other))}}
		if finished && other == chief {
			n.Block = as.part.block
		}
		mails = append(mails, l.toCommander(seat, other, post.Draft{Kind: "reopened", Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})...)
	}
	return mails
}

// nowWaits says to another commander what a side waits for that was finished already.
func (l *incoming) nowWaits(as filedAs, f fate, other int) string {
	if f.is == report.Thinking {
		to := l.seatOfSide().As(other)
		return "All are done, and it will be played at " + clockTime(f.thought.Until, l.h.Now(), post.ZoneOf(to, l.game)) + "."
	}
	names := slices.Clone(as.part.is)
	for _, name := range l.holders(f.thought.HeldParts()) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if other == chief {
		names = append(slices.DeleteFunc(names, func(name string) bool { return name == seats.CommandName(l.seatOfSide(), chief) }), "your DONE")
		return "It waits for " + strings.Join(names, ", or for ") + "."
	}
	return "It waits for " + strings.Join(names, " and ") + "."
}

// partDone shows a commander's finished part to the commander-in-chief, who may end
// the side's turn on it, or overrule it.
func (l *incoming) partDone(as filedAs, f fate) []store.Mail {
	seat := l.seatOfSide()
	name := seats.CommandName(seat, l.commander())
	says := name + " has finished the orders below. What you order yourself goes before them, and a sheet of yours with DONE ends the side's turn."
	if f.is == report.Thinking {
		says = name + " has finished the orders below. " + l.nowWaits(as, f, chief) + " What you order yourself before then goes before them."
	}
	n := report.Note{Game: l.game.ID, Title: l.game.Title, About: name + " is done", Block: as.part.block, Says: []string{says}}
	return l.toCommander(seat, chief, post.Draft{Kind: "part", Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})
}

// partSoFar says what is filed of a commander's own part for a turn, and how far it and the
// side are.
func (l *incoming) partSoFar(m match.Match, turn int) string {
	const unread = "they cannot be read now, and are not lost"
	parts, err := l.h.PartsOf(m, l.seatOfSide(), turn)
	if err != nil {
		return unread
	}
	thoughts, err := l.h.ThoughtsOf(m.Game.ID)
	if err != nil {
		return unread
	}
	one := thoughts[adjudicator.Side(l.player.Side)]
	if one.Turn != turn {
		one = match.Thought{}
	}
	held := one.HeldParts()
	v, err := m.View(l.player.Side)
	if err != nil {
		return unread
	}
	waits := m.Joiner(v, l.seatOfSide()).Join(parts, m.Game.ID, turn, 0, -1).Waits
	waits = slices.DeleteFunc(waits, func(name string) bool { return name == seats.CommandName(l.seatOfSide(), l.commander()) })
	said := fmt.Sprintf("none of yours are filed for turn %d", turn)
	if k := slices.IndexFunc(parts, func(p match.Part) bool { return p.Commander == l.commander() && !p.Sheet.Command("WITHDRAW") }); k >= 0 {
		said = fmt.Sprintf("sheet %s for turn %d is filed and not finished: send DONE", parts[k].Sheet.Header("SERIAL"), turn)
		if parts[k].Sheet.Done {
			said = fmt.Sprintf("your part for turn %d is finished", turn)
		}
	}
	if part, is := held[l.commander()]; is {
		said = fmt.Sprintf("sheet %d for turn %d is held: send DONE to have it count as it is, or a new sheet", part.Sheet, turn)
		delete(held, l.commander())
	}
	if len(waits) > 0 {
		said += "; not done yet: " + strings.Join(waits, " and ")
	}
	if len(held) > 0 {
		said += "; the side waits until " + have(l.holders(held)) + " had a second look"
	}
	if !one.Until.IsZero() {
		said += "; the side's turn will be played at " + clockTime(one.Until, l.h.Now(), post.ZoneOf(l.player, m.Game))
	}
	return said
}
