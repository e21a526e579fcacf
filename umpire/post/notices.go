package post

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// Remind tells those who are waited for. Of a side with several commanders these are
// the commander-in-chief and those whose part is not done.
func (o *Office) Remind(c *store.Change, pending []adjudicator.Decision) error {
	for _, seat := range c.Game.Players {
		if !slices.Contains(match.WaitingFor(pending), seat.Side) {
			continue
		}
		left := o.CommandersNotDone(*c.Game, seat, c.Open)
		why := "Your orders are due "
		if len(left) > 0 {
			why = "Your side's orders are due "
		}
		for _, p := range o.Persons(seat) {
			if p.Commander > 0 && len(left) > 0 && !seats.Deputy(p) && !slices.Contains(left, seats.CommandName(seat, p.Commander)) {
				continue
			}
			advice := []string{o.without(*c.Game)}
			if len(left) > 0 {
				advice = append([]string{"Not done yet: " + strings.Join(left, ", ") + "."}, advice...)
			}
			if err := o.Notify(c, p, "reminder", why+o.UntilInWords(p, *c.Game, c.Open.Deadline)+".", advice...); err != nil {
				return err
			}
		}
	}
	return nil
}

// notice is what a mail of a few lines says; About is its subject, "" for Why.
type notice struct {
	kind, about, why string
	advice           []string
}

// Notify adds a notice to one player of the game, once for each Change.
func (o *Office) Notify(c *store.Change, p store.Player, kind, why string, advice ...string) error {
	return o.notify(c, p, notice{kind: kind, why: why, advice: advice})
}

func (o *Office) notify(c *store.Change, p store.Player, n notice) error {
	g := *c.Game
	l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: o.Address, About: n.about, Reason: Sentence(n.why)}
	for _, a := range n.advice {
		l.Advice = append(l.Advice, Sentence(a))
	}
	m, err := o.Render(Draft{Game: g, Player: p, Kind: n.kind, Number: fmt.Sprint(c.Expect + 1), Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
	if err == nil {
		c.Mails = append(c.Mails, m)
	}
	return err
}

// What moderators do to the clock of a game they often do twice: they pause it and let it go
// on, or give more time and then more. Such an act is told a minute later, and one that
// follows in that minute is told with it, in one mail that takes the place of the first.

// togetherFor is how long acts on the clock wait for others to be told with.
const togetherFor = time.Minute

// toTell is what a person will be told of acts on the clock.
type toTell struct {
	Mail   string    `json:"mail"` // that tells it, by its ID
	Since  time.Time `json:"since"`
	Did    []string  `json:"did"`
	Stands string    `json:"stands"` // how the game stands after them
}

// ToTellRecords are what people will be told.
var ToTellRecords = store.OnePerPerson[toTell]("to-tell")

// notTold is what a person of a game will be told and has not been; nothing once the mail is
// on its way.
func (o *Office) notTold(game string, p store.Player) (t toTell) {
	t, there, err := ToTellRecords.Get(o.DB, p.In(game))
	if err != nil || !there {
		return toTell{}
	}
	m, err := o.DB.Mail(t.Mail)
	if err != nil || m.State != store.MailQueued || !m.Next.After(o.Now()) {
		return toTell{}
	}
	return t
}

// TellClock tells everybody in a game what a moderator did to its clock, and how it stands
// since: a minute later, with what else was done to it by then.
func (o *Office) TellClock(c *store.Change, did, stands string) error {
	for _, p := range o.Everybody(*c.Game) {
		t := o.notTold(c.Game.ID, p)
		before := t.Mail
		if before == "" {
			t = toTell{Since: o.Now().UTC()}
		}
		t.Did, t.Stands = append(t.Did, did), stands
		n := len(c.Mails)
		if err := o.notify(c, p, t.notice("moderator")); err != nil {
			return err
		}
		mail := &c.Mails[n]
		if mail.ID == "" {
			continue // to a staff officer
		}
		mail.Next, t.Mail = t.Since.Add(togetherFor), mail.ID
		replaces(c, before, mail.ID)
		ToTellRecords.Put(c, p.In(c.Game.ID), t)
	}
	return nil
}

// notice tells a single act as it is, and of several how the game stands, and what was done,
// one after the other.
func (t toTell) notice(kind string) notice {
	n := notice{kind: kind, why: "The moderator: " + t.Did[0]}
	if len(t.Did) > 1 {
		n.why = "The moderator: " + t.Stands
		for _, did := range t.Did {
			n.advice = append(n.advice, "Then: "+did)
		}
		n.advice[0] = "First: " + t.Did[0]
	}
	who, did, _ := strings.Cut(n.why, ": ")
	what, _, _ := strings.Cut(did, ": ") // what follows is the reason, in the moderator's words
	n.about = who + ": " + what
	return n
}

// TellClockNow has everybody told at once what is still to be told of acts on the clock:
// something follows that must not be read before it.
func (o *Office) TellClockNow(c *store.Change) error {
	for _, p := range o.Everybody(*c.Game) {
		who := p.In(c.Game.ID)
		t := o.notTold(c.Game.ID, p)
		if told := ToTellRecords.Changes(c, who); told || t.Mail == "" {
			continue
		}
		n := len(c.Mails)
		if err := o.notify(c, p, t.notice("moderator-before")); err != nil {
			return err
		}
		replaces(c, t.Mail, c.Mails[n].ID)
		ToTellRecords.Drop(c, who)
	}
	return nil
}

// replaces has a mail of a Change take the place of one that is still queued.
func replaces(c *store.Change, old, by string) {
	if old == "" {
		return
	}
	if c.Replaces == nil {
		c.Replaces = map[string]string{}
	}
	c.Replaces[by] = old
}
