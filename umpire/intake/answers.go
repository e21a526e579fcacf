package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// answer answers a mail that had no effect, to the player's enrolled address.
func (l *incoming) answer(kind report.MessageKind, why string, instead ...string) []store.Mail {
	return l.answerAbout("", kind, why, instead...)
}

// answerAbout is answer with a subject of its own; "" for none.
func (l *incoming) answerAbout(about string, kind report.MessageKind, why string, instead ...string) []store.Mail {
	r := report.Message{Kind: kind, About: about, Game: l.game.ID, Title: l.game.Title, Scenario: l.game.Scenario, Side: l.player.Side,
		Address: l.h.Address, Reason: post.Sentence(why), Serial: l.player.Serial + 1, Method: l.h.WayOf(l.game, l.player, l.turn, l.turn-1)}
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
	sort := "refusal"
	if l.guest != nil {
		sort = post.ToGuest
	}
	return l.mail(post.Draft{Kind: sort, Number: l.number(), Subject: r.Subject(), Text: r.Text(), HTML: r.HTML()})
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

// tell answers the mail at hand with a note, at the enrolled address or that of the invitation.
func (l *incoming) tell(n report.Note) []store.Mail {
	n.Game, n.Title = l.game.ID, l.game.Title
	n.Says = slices.DeleteFunc(n.Says, func(s string) bool { return s == "" })
	kind := "refusal"
	if l.guest != nil {
		kind = post.ToGuest
	}
	return l.mail(post.Draft{Kind: kind, Number: l.number(), Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})
}

// letterTo is a notice to a player in answer to the mail at hand.
func (l *incoming) letterTo(p store.Player, why string, advice ...string) []store.Mail {
	l.player = p
	r := report.Message{Kind: report.Notice, Game: l.game.ID, Title: l.game.Title, Scenario: l.game.Scenario, Side: p.Side, Address: l.h.Address,
		Roster: post.Roster(l.game), Reason: post.Sentence(why), Advice: advice}
	return l.mail(post.Draft{Kind: "notice", Number: l.number(), Subject: r.Subject(), Text: r.Text(), HTML: r.HTML()})
}

// personName is how the sender is called in mails to others.
func (l *incoming) personName() string {
	if n := l.player.Commander; n > 0 {
		return seats.CommandName(l.player, n)
	}
	if l.player.Name != "" {
		return l.player.Name
	}
	return "the " + sideName(l.player.Side) + " player"
}

// sideName is a side as sentences have it.
func sideName(side string) string {
	if side == "" {
		return side
	}
	return side[:1] + strings.ToLower(side[1:])
}

// capital begins with a capital letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

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
	return l.answerAbout(cmp.Or(r.About, l.aboutRefused(r)), cmp.Or(r.Kind, report.Notice), r.Error(), r.Instead)
}

// aboutRefused is the subject of the answer to a mail that is refused: what is not done, and
// the first words of why. It is "" where the kind of the answer has one.
func (l *incoming) aboutRefused(r *post.Refusal) string {
	switch {
	case cmp.Or(r.Kind, report.Notice) != report.Notice:
		return ""
	case r.What != "" && len(r.Error()) > longestSubject:
		return strings.TrimSuffix(post.Sentence(r.What), ".")
	case r.What != "":
		return ""
	case r.At != (orders.Pos{}):
		return fmt.Sprintf("NOT FILED: line %d could not be read", r.At.Line)
	case l.sheet == nil || l.sheet.Header("PRESS") != "":
		return ""
	}
	return "NOT FILED: " + firstClause(r.Why)
}

// longestSubject is how many letters a subject shows of why something is refused.
const longestSubject = 72

// firstClause is a sentence up to where it could end, of a length for a subject.
func firstClause(why string) string {
	end := len(why)
	for _, stop := range []string{"; ", ": ", ". ", ", and ", ", so "} {
		if at := strings.Index(why, stop); at > 0 && strings.Count(why[:at], `"`)%2 == 0 {
			end = min(end, at)
		}
	}
	if why = why[:end]; len(why) <= longestSubject {
		return why
	}
	return why[:strings.LastIndex(why[:longestSubject], " ")] + " ..."
}

// How many answers go out in a day (UTC) to mail that changes nothing: to one
// player, in one game, in all. Whoever lets two robots write to each other
// notices here at the latest. The answer to a sheet that counts always goes out. What a
// signature or a code vouches for has a budget of its own: a forged sender uses up none of it.
const (
	AnswersPerPlayer = 30
	answersPerGame   = 200
	answersPerDay    = 2000
)

// answered counts the answers of a day.
type answered struct {
	Day string         `json:"day"`
	By  map[string]int `json:"by"` // by game, and by game and side, and in all
}

// AnsweredRecord is the count of a day.
var AnsweredRecord = store.OneOfHouse[answered]("answers")

func (hd *Handler) answered() (a answered, err error) {
	a, _, err = AnsweredRecord.Get(hd.DB, store.House{})
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
	whose := ""
	if l.vouched {
		whose = "vouched "
	}
	seat, game, all := whose+l.game.ID+" "+l.player.Side, whose+l.game.ID, whose+"all"
	switch {
	case a.By[seat] > AnswersPerPlayer || a.By[game] > answersPerGame || a.By[all] > answersPerDay:
		l.h.Log.Warn("not answered: too many mails today", "game", l.game.ID, "side", l.player.Side, "vouched", l.vouched, "outcome", c.Handled.Outcome)
		c.Mails = nil
		c.Handled.Outcome += "; not answered, there were too many today"
		return nil
	case a.By[seat] == AnswersPerPlayer:
		about := "mail without a signature or a code"
		if l.vouched {
			about = "sheets that change nothing"
		}
		c.Mails = l.answer(report.Notice, fmt.Sprintf("this is the last answer for today to %s: there were %d already", about, AnswersPerPlayer),
			"Sheets of orders count and are acknowledged as always; other mails are not answered before midnight UTC.")
	}
	a.By[seat]++
	a.By[game]++
	a.By[all]++
	AnsweredRecord.Put(c, store.House{}, a)
	return nil
}
