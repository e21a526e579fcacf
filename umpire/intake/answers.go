package intake

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/orders"
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
		Address: l.h.Address, Reason: post.Sentence(why), Serial: l.player.Serial + 1, Method: post.MethodOf(l.player)}
	for _, s := range instead {
		if s != "" {
			r.Advice = append(r.Advice, post.Sentence(s))
		}
	}
	r.Turn = l.turn
	if _, sys, err := l.h.RulesOf(l.game); err == nil {
		r.Sections = sys.Template()
	}
	if code, _, err := l.h.codeNow(store.Seat{Game: l.game.ID, Side: l.player.Side}); err == nil && l.byCodes() {
		r.Sheet = report.WithCode(report.Template(l.game.ID, l.player.Side, max(l.turn, 1), l.player.Serial+1, r.Sections), code)
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

// refusal is a Refusal that a notice answers.
func refusal(why, instead string) *post.Refusal { return &post.Refusal{Why: why, Instead: instead} }

// stale is the Refusal of a sheet that is older than what is filed, or for another turn.
func stale(why, instead string) *post.Refusal {
	return &post.Refusal{Kind: report.Stale, Why: why, Instead: instead}
}

// faulty is the Refusal of a sheet for a line that cannot be read.
func faulty(err error, instead string) *post.Refusal {
	var fault *orders.Error
	if errors.As(err, &fault) {
		return &post.Refusal{Why: fault.Why(), At: fault.Pos, Instead: strings.TrimSpace(fault.Instead() + " " + instead)}
	}
	return refusal(err.Error(), instead)
}

// staleLine is a faulty line of those that say how new a sheet is.
func staleLine(err error, instead string) *post.Refusal {
	r := faulty(err, instead)
	r.Kind = report.Stale
	return r
}

// because says of a refusal what is not done. Another error stays as it is.
func because(what string, err error) error {
	var r *post.Refusal
	if !errors.As(err, &r) {
		return err
	}
	of := *r
	of.What = what
	return &of
}

// refuse gives a mail the outcome and the answer of a Refusal. Any other error it
// hands back.
func (l *incoming) refuse(err error) (store.Change, error) {
	var r *post.Refusal
	if !errors.As(err, &r) {
		return store.Change{}, err
	}
	c := l.outcome("refused: " + r.Reason())
	c.Mails = l.refused(r)
	return c, nil
}

// refused is the mail that tells the player of a Refusal: none where it is not known
// whose seat the mail is about.
func (l *incoming) refused(r *post.Refusal) []store.Mail {
	if l.player.Side == "" {
		return nil
	}
	return l.answer(cmp.Or(r.Kind, report.Notice), r.Error(), r.Instead)
}

// How many answers go out in a day (UTC) to mail that changes nothing: to one
// player, in one game, in all. Whoever lets two robots write to each other
// notices here at the latest. The answer to a sheet that counts always goes out.
const (
	AnswersPerPlayer = 30
	answersPerGame   = 200
	answersPerDay    = 2000
)

// answered counts the answers of a day.
type answered struct {
	Day string         `json:"day"`
	All int            `json:"all"`
	By  map[string]int `json:"by"` // by game, and by game and side
}

const AnsweredNote = "answers"

func (hd *Handler) answered() (a answered, err error) {
	err = hd.ReadNote(AnsweredNote, &a)
	if today := hd.Now().UTC().Format(time.DateOnly); a.Day != today {
		a = answered{Day: today}
	}
	if a.By == nil {
		a.By = map[string]int{}
	}
	return a, err
}

// limit counts the answers to a mail that changed nothing, and takes them out of
// the Change when there were too many. The last one says so.
func (l *incoming) limit(c *store.Change) error {
	if c.Game != nil || len(c.Mails) == 0 || l.player.Side == "" {
		return nil
	}
	a, err := l.h.answered()
	if err != nil {
		return l.unread(err)
	}
	seat := l.game.ID + " " + l.player.Side
	switch {
	case a.By[seat] > AnswersPerPlayer || a.By[l.game.ID] > answersPerGame || a.All > answersPerDay:
		l.h.Log.Warn("not answered: too many mails today", "game", l.game.ID, "side", l.player.Side, "outcome", c.Handled.Outcome)
		c.Mails = nil
		c.Handled.Outcome += "; not answered, there were too many today"
		return nil
	case a.By[seat] == AnswersPerPlayer:
		c.Mails = l.answer(report.Notice, fmt.Sprintf("this is the last answer for today: there were %d already", AnswersPerPlayer),
			"Sheets of orders count and are acknowledged as ever; other mails are not answered before midnight UTC.")
	}
	a.All++
	a.By[seat]++
	a.By[l.game.ID]++
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[AnsweredNote] = text
	return nil
}
