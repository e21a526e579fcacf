package intake

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// answer answers a mail that had no effect, to the player's enrolled address.
func (l *incoming) answer(kind report.MessageKind, why string, instead ...string) []store.Mail {
	r := report.Message{Kind: kind, Game: l.game.ID, Title: l.game.Title, Scenario: l.game.Scenario, Side: l.player.Side,
		Address: l.h.Address, Reason: post.Sentence(why), Serial: l.player.Serial + 1}
	for _, s := range instead {
		if s != "" {
			r.Advice = append(r.Advice, post.Sentence(s))
		}
	}
	r.Turn = l.turn
	if _, sys, err := l.h.RulesOf(l.game); err == nil {
		r.Sections = sys.Template()
	}
	return l.mail(post.Draft{Kind: "refusal", Number: l.sha[:16], Subject: r.Subject(), Text: r.Text(), HTML: r.HTML()})
}

func (l *incoming) mail(d post.Draft) []store.Mail {
	d.Game, d.Player, d.Reply, d.To = l.game, l.player, true, l.msg.MessageID
	m, err := l.h.Render(d)
	if err != nil {
		// An odd Message-ID of the sender's must not cost them the answer.
		d.To = ""
		if m, err = l.h.Render(d); err != nil {
			l.h.Log.Error("mail cannot be rendered", "game", l.game.ID, "kind", d.Kind, "error", err)
			return nil
		}
	}
	return []store.Mail{m}
}

// replaces is the number of the sheet that one for a turn takes the place of: the last of
// its sender, if that was for the same turn, and spoke in a game with chits in the same
// phase (see plotted); 0 if there is none, or it cannot be read.
func (l *incoming) replaces(set match.Settings, turn int, phase string) int {
	last := l.player.Serial
	note, err := l.h.DB.Note(match.FilingNote(l.game.ID, fmt.Sprintf("%s/%03d/%06d", l.player.Side, turn, last)))
	switch {
	case err != nil:
		return 0
	case l.ofPart():
		// The side's sheet is joined from its commanders', who count their own.
		sheets, err := l.h.DB.Sheets(l.game.ID, l.player.Side, turn)
		if err != nil || !slices.ContainsFunc(sheets, func(s store.Sheet) bool { return s.Serial == last && s.Part == l.commander()+1 }) {
			return 0
		}
	case note == nil:
		return 0
	}
	if note == nil || !slices.Contains(set.May, adjudicator.KindActivation) {
		return last
	}
	var was match.Filing
	if json.Unmarshal(note, &was) == nil && was.Phase != phase && strings.HasPrefix(was.Phase, fmt.Sprintf("turn %d ", turn)) {
		return 0
	}
	return last
}

// ack is the acknowledgement of a sheet, without what happens next.
func (l *incoming) ack(turn, serial int, f *adjudicator.Filing, date string) *report.Ack {
	a := &report.Ack{Game: l.game.ID, Title: l.game.Title, Side: l.player.Side, Turn: turn, Date: date, Serial: serial,
		Replaces: l.replaced, Digest: l.digest, Key: seal.Signer(l.key)}
	for _, x := range f.Lines {
		a.Lines = append(a.Lines, judge.Line(x))
	}
	return a
}

// together tells whether the game waits for the player and another side at once, as
// games with sealed sheets do.
func (l *incoming) together() bool {
	open, err := l.h.DB.Waiting(l.game.ID)
	if err != nil {
		return false
	}
	all, err := match.PendingOf(open)
	sides := match.WaitingFor(all)
	return err == nil && len(sides) > 1 && slices.Contains(sides, l.player.Side)
}

// acknowledgement says what became of a sheet, and what was understood of its lines.
func (l *incoming) acknowledgement(m match.Match, as filedAs, becomes fate, after string) []store.Mail {
	serial := as.fresh.Serial
	if l.ofPart() {
		serial = as.sheets[0].Serial
	}
	a := l.ack(as.fresh.Turn, serial, as.echo, as.date)
	a.Fate, a.Doubts, a.Finishes = becomes.is, becomes.doubts, becomes.finishes
	if becomes.is != report.Held {
		a.Doubts = nil
	}
	a.Answer = l.sheet.Bare() && l.sheet.Answers()
	now, zone := l.h.Now(), post.ZoneOf(l.player, m.Game)
	if becomes.is == report.Thinking {
		a.At, a.In = clockTime(becomes.thought.Until, now, zone), inWords(becomes.thought.Until.Sub(now))
	}
	if pending, err := match.PendingOf(m.Open); err == nil && match.Timed(m.Open) && match.AwaitsTurnOf(pending, l.player.Side) {
		a.By = clockTime(m.Open.Deadline, now, zone)
	}
	a.Reply, a.Done = l.doneLines(m, serial)
	a.Next = l.whatFollows(a.Fate, after)
	if l.dropped != "" && becomes.is != report.Held {
		a.Next = append([]string{l.dropped}, a.Next...)
	}
	a.Next = append(a.Next, as.echo.Notes...)
	if by := match.StandInOf(l.sheet); by != "" {
		a.Next = append(a.Next, post.Sentence("it was filed by "+by+" in your place, with the adjudicator's key"))
	}
	d := post.Draft{Kind: "ack", Number: l.sha[:16], Subject: a.Subject(), Text: a.Text(), HTML: a.HTML()}
	if l.sheet.Command("ENCRYPT") {
		var err error
		if d.Files, err = l.h.EnvelopeKey(); err != nil {
			l.h.Log.Error("the OpenPGP key cannot be shown", "error", err)
		}
	}
	return l.mail(d)
}

// whatFollows says when a sheet is played, where its fate does not say so already.
func (l *incoming) whatFollows(is report.Fate, after string) []string {
	switch {
	case after != "":
		return []string{after}
	case l.next != "":
		return []string{l.next}
	case is == report.Finished && l.together():
		return []string{"They are played together with the other side's, when both are finished or time is up. Until then a sheet with a higher SERIAL replaces them."}
	case is == report.Finished:
		return []string{"They are played when your turn comes. Until then a sheet with a higher SERIAL replaces them."}
	case is == report.Filed:
		return []string{"Its standing orders, and what it says for phases of the enemy's turn, count already."}
	}
	return nil
}
