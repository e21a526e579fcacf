package intake

import (
	"slices"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// answerWhen is when the writer of a sheet is told what was understood of it.
type answerWhen int

const (
	answerNow      answerWhen = iota // by a mail of its own
	answerWithNext                   // at the head of their next mail
	answerLater                      // so, too, but in any case before answerWithin is over
)

// answerWithin is how long the answer to a finished sheet waits for a mail that it can head: whoever
// sends orders in the evening knows the same evening that they came.
const answerWithin = 2 * time.Hour

// answeredWhen decides between them. A line that was refused is told at once, and so are orders
// that an earlier sheet had and this one has not. In a game with chits an answer heads the mail that
// play brings its writer at once; that to a reply waits for it. A side that is asked at its chits gets
// mails enough in a turn, so the answer to its turn orders waits too, but not long.
func (l *incoming) answeredWhen(c *store.Change, m match.Match, p match.Progress, becomes fate, as filedAs) answerWhen {
	isPlain := l.dropped == "" && !l.ofPart() && len(l.sheet.Commands) == 0 && match.StandInOf(l.sheet) == ""
	isRefused := func(line adjudicator.Line) bool { return line.Refused != nil }
	if !isPlain || l.player.Staffed() || !becomes.is.Counts() || slices.ContainsFunc(as.echo.Lines, isRefused) {
		return answerNow
	}
	switch answersTo(m.Game, l.player.Side) {
	case store.AnswerFaults:
		return answerWithNext
	case store.AnswerAll:
		return answerNow
	}
	if !slices.Contains(m.MayAsk(), adjudicator.KindActivation) {
		return answerNow
	}
	if becomes.is.InPlay() && (l.repliesAboutChit(m) || hasMailFor(p, l.player.Side)) {
		return answerWithNext
	}
	if becomes.is != report.Thinking && l.isAsked(c, m, as) {
		return answerLater
	}
	return answerNow
}

// answersTo is which of their sheets the player of a side wants to have answered by themselves;
// "" if they have not said.
func answersTo(g store.Game, side string) store.Answers {
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == side })
	if i < 0 {
		return ""
	}
	return g.Players[i].Answers
}

// repliesAboutChit tells whether the sheet answers a question about a chit.
func (l *incoming) repliesAboutChit(m match.Match) bool {
	before, err := m.Asked(l.player.Side)
	return err == nil && slices.ContainsFunc(before, isAboutChit)
}

func isAboutChit(d adjudicator.Decision) bool { return d.Kind == adjudicator.KindActivation }

// hasMailFor tells whether what was played brings a side a mail at once.
func hasMailFor(p match.Progress, side string) bool {
	return p.At.Over || match.TurnDue(p.Pending) || slices.ContainsFunc(match.Questions(p.Pending, adjudicator.Side(side)), isAboutChit)
}

// isAsked tells whether the side's mode has it asked about chits in the turn.
func (l *incoming) isAsked(c *store.Change, m match.Match, as filedAs) bool {
	if m.Open == nil {
		return false
	}
	at := adjudicator.Phase{Turn: m.Open.Turn, Label: match.RulesLabel(m.Open.Phase)}
	filed, err := l.h.SheetsOf(m, match.Given{Fresh: &as.fresh, Changed: c})(at)
	return err == nil && filed.AreAsked(adjudicator.Side(l.player.Side))
}

// answerTo has the writer told what became of a sheet, when it is time.
func (l *incoming) answerTo(c *store.Change, m match.Match, as filedAs, becomes fate, told told) error {
	as.later = told.when == answerLater
	if told.when == answerWithNext {
		return l.keepForNext(c, m, as, becomes, "")
	}
	mails := l.acknowledgement(m, as, becomes, told.after)
	c.Mails = append(c.Mails, mails...)
	if len(mails) == 0 || becomes.is == report.HeadOnly || l.ofPart() {
		return nil
	}
	if err := l.h.DropAnswer(c, l.player.Side, mails[0].ID); err != nil || told.when == answerNow {
		return err
	}
	own := &c.Mails[len(c.Mails)-1]
	own.Next = l.latestAnswer(m)
	return l.keepForNext(c, m, as, becomes, own.ID)
}

// told is when a sheet is answered, and what it led to.
type told struct {
	when  answerWhen
	after string
}

// latestAnswer is when an answer that waits for another mail goes by itself: while there is time to
// send another sheet.
func (l *incoming) latestAnswer(m match.Match) time.Time {
	now, wait := l.h.Now(), answerWithin
	if match.Timed(m.Open) {
		wait = max(0, min(wait, m.Open.Deadline.Sub(now)/2))
	}
	return now.Add(wait)
}

// keepForNext keeps what was understood of a sheet for the next mail to its writer. The mail named
// is the one that tells it if none comes in time.
func (l *incoming) keepForNext(c *store.Change, m match.Match, as filedAs, becomes fate, mail string) error {
	all, err := l.h.UnansweredIn(c, l.player.Side)
	if err != nil {
		return err
	}
	a := l.ack(as.fresh.Turn, as.fresh.Serial, as.echo, as.date)
	a.Fate, a.Finishes, a.Answer, a.Mail = becomes.is, becomes.finishes, l.sheet.Bare() && l.sheet.Answers(), mail
	if !becomes.is.InPlay() {
		a.Fate = report.Playing // by the time of that mail
	}
	match.UnansweredRecords.Put(c, store.Seat{Game: m.Game.ID, Side: l.player.Side}, append(all, a))
	return nil
}
