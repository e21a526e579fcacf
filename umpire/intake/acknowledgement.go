package intake

import (
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

// replaces is the number of the sheet that one for a turn takes the place of: the last of
// its sender, if that was for the same turn, and spoke in a game with chits in the same
// phase (see plotted); 0 if there is none, or it cannot be read.
func (l *incoming) replaces(set match.Settings, turn int, phase string) int {
	last := l.player.Serial
	filed, there, err := match.FilingRecords.Get(l.h.DB, match.FilingKey{Seat: store.Seat{Game: l.game.ID, Side: l.player.Side}, Turn: turn, Serial: last})
	switch {
	case err != nil:
		return 0
	case l.ofPart():
		// The side's sheet is joined from its commanders', who count their own.
		sheets, err := l.h.DB.Sheets(l.game.ID, l.player.Side, turn)
		if err != nil || !slices.ContainsFunc(sheets, func(s store.Sheet) bool { return s.Serial == last && s.Part == l.commander()+1 }) {
			return 0
		}
	case !there:
		return 0
	}
	if !there || !slices.Contains(set.May, adjudicator.KindActivation) {
		return last
	}
	if filed.Phase != phase && strings.HasPrefix(filed.Phase, fmt.Sprintf("turn %d ", turn)) {
		return 0
	}
	return last
}

// ack is the acknowledgement of a sheet, without what happens next.
func (l *incoming) ack(turn, serial int, f *adjudicator.Filing, date string) *report.Ack {
	a := &report.Ack{Game: l.game.ID, Title: l.game.Title, Side: l.player.Side, Turn: turn, Date: date, Serial: serial,
		Replaces: l.replaced, Digest: l.digest, Key: seal.Signer(l.key)}
	a.Lines = judge.Lines(f)
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
	if match.HasSecondThoughts(m.Game) {
		_, a.Replaces = l.replacedSheet(m) // sheets without orders are not replaced
	}
	a.Fate, a.Doubts, a.Finishes, a.Later = becomes.is, becomes.doubts, becomes.finishes, as.later
	if becomes.is != report.Held {
		a.Doubts = nil
	}
	a.Part = l.ofPart() && l.commander() != chief
	a.Answer = l.sheet.Bare() && l.sheet.Answers()
	now, zone := l.h.Now(), post.ZoneOf(l.player, m.Game)
	if becomes.is == report.Thinking {
		a.At, a.In = clockTime(becomes.thought.Until, now, zone), inWords(becomes.thought.Until.Sub(now))
		if match.SecondThought(m.Game) == 0 {
			a.At = "" // when all is read that came with it
		}
	}
	if pending, err := match.PendingOf(m.Open); err == nil && match.Timed(m.Open) && match.AwaitsTurnOf(pending, l.player.Side) {
		a.By = clockTime(m.Open.Deadline, now, zone)
	}
	a.Reply, a.Done = l.linesFor(m, serial, "DONE")
	a.Next = l.whatFollows(a.Fate, after)
	if l.dropped != "" && becomes.is != report.Held {
		a.Next = append([]string{l.dropped}, a.Next...)
	}
	if l.takesBack {
		a.Next = append(a.Next, "It takes back that you give the game up.")
	}
	a.Next = append(a.Next, as.echo.Notes...)
	if says := l.halfPlayed(m, becomes.is); says != "" {
		a.Next = append(a.Next, says)
	}
	if by := match.StandInOf(l.sheet); by != "" {
		a.Next = append(a.Next, post.Sentence("it was filed by "+by+" in your place, with the adjudicator's key"))
	}
	d := post.Draft{Kind: "ack", Number: l.number(), Subject: a.Subject(), Text: a.Text(), HTML: a.HTML()}
	if l.sheet.Command("ENCRYPT") {
		var err error
		if d.Files, err = l.h.EnvelopeKey(); err != nil {
			l.h.Log.Error("the OpenPGP key cannot be shown", "error", err)
		}
	}
	return l.mail(d)
}

// halfPlayed says of a sheet with orders that comes while its side is asked about a phase
// which has begun what is past, and what it can still change; "" where nothing is past, or
// the side cannot know.
func (l *incoming) halfPlayed(m match.Match, is report.Fate) string {
	if l.sheet.Bare() || is.InPlay() {
		return ""
	}
	begun, err := phaseBegun(m.Open)
	if err != nil || !begun || m.Open.Turn != l.turn {
		return ""
	}
	asked, err := m.Asked(l.player.Side)
	at, bad := m.At()
	if err != nil || bad != nil || len(asked) == 0 {
		return ""
	}
	var labels []string
	for _, d := range asked {
		labels = append(labels, strings.ToUpper(d.Label))
	}
	return fmt.Sprintf("Part of the phase %s has been played. This sheet cannot change moves and dice that are done. It counts for what you are asked now (%s), for the rest of the phase, and for all later ones.",
		at.Name, strings.Join(labels, ", "))
}

// whatFollows says when a sheet is played, where its fate does not say so already.
func (l *incoming) whatFollows(is report.Fate, after string) []string {
	switch {
	case after != "":
		return []string{after}
	case l.next != "" && is == report.Held:
		return nil // what a held part waits for is said above
	case l.next != "":
		return []string{l.next}
	case is == report.Finished && l.together():
		return []string{"They are played together with the other side's, when both are finished or time is up. Until then a sheet with a higher SERIAL replaces them."}
	case is == report.Finished:
		return []string{"They are played when your turn comes. Until then a sheet with a higher SERIAL replaces them."}
	case is == report.Filed:
		return []string{"Its standing orders, and what it says for phases of the enemy's turn, already count."}
	}
	return nil
}

// toFileAgain says what a further sheet needs, for somebody who plays as the player does and
// has filed sheets up to a serial.
func (l *incoming) toFileAgain(what string, serial int) string {
	if l.byCodes() {
		return what + " with the CODE of your latest report."
	}
	return fmt.Sprintf("%s with SERIAL: %d or more.", what, serial+1)
}
