package intake

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/calendar"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/scene"
	"fieldpost/umpire/seats"
)

// longestAway bounds what a player can hold the clock for with one line.
const longestAway = 60 * 24 * time.Hour

// headLines carries out the lines of a sheet's head that are settings of the player:
// ZONE (the time zone that deadlines are given in), AWAY (days that do not count),
// EXTEND (from the time in hand), ADDRESS (where their mail goes), CONFIRM (that they read
// it there), PICTURES (of their reports), ANSWERS (which sheets have one of their own) and DEPUTY. It changes
// the player's entry in g and, for the phase that waits, the deadline; open is nil if nothing waits.
func (l *incoming) headLines(g *store.Game, open *store.OpenPhase) (lines []adjudicator.Line, changed bool) {
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == l.player.Side })
	if i < 0 {
		return nil, false
	}
	p := &g.Players[i]
	if l.player.Commander > 0 {
		return l.commandersHeadLines(g, p), false
	}
	for _, h := range l.sheet.AsTyped(l.typed) {
		line := adjudicator.Line{Pos: h.Pos, Text: h.Name + ": " + h.Value}
		switch h.Name {
		case "DEPUTY":
			line.Understood, line.Refused = l.appoint(p, *g, h)
		case "ZONE":
			line.Understood, line.Refused = SetZone(p, h)
		case "PICTURES":
			line.Understood, line.Refused = setPictures(&p.Pictures, h)
		case "ANSWERS":
			line.Understood, line.Refused = setAnswers(p, h)
		case "AWAY":
			line.Understood, line.Refused = l.h.setAway(p, *g, h)
		case "ADDRESS":
			line.Understood, line.Refused = l.askToMove(p.As(0), *g, h)
		case "CONFIRM":
			line.Understood, line.Refused = l.confirmed(g, h)
		case "EXTEND":
			line.Understood, line.Refused = l.h.extend(p, *g, open, h)
		default:
			continue
		}
		changed = changed || line.Refused == nil
		lines = append(lines, line)
	}
	return lines, changed
}

// setPictures chooses which pictures the player's reports bring.
func setPictures(kept *string, h orders.Header) (string, *rule.Violation) {
	for _, c := range scene.Choices {
		if string(c) == strings.ToUpper(h.Value) {
			*kept = string(c)
			return "from the next report on: " + c.Brings(), nil
		}
	}
	return "", &rule.Violation{Why: fmt.Sprintf("%q is not a choice of pictures", h.Value),
		Instead: "Write PICTURES: CLOSE for close-ups and an overview, WHOLE for the whole map, ALL for both, or NONE."}
}

// setAnswers chooses which of the player's sheets have an answer of their own.
func setAnswers(p *store.Player, h orders.Header) (string, *rule.Violation) {
	switch chosen := store.Answers(strings.ToUpper(h.Value)); chosen {
	case store.AnswerAll:
		p.Answers = chosen
		return "every sheet has an answer of its own from now on", nil
	case store.AnswerFaults:
		p.Answers = chosen
		return "from now on, if no line of a finished sheet is refused, your next mail begins with what became of it", nil
	}
	return "", &rule.Violation{Why: fmt.Sprintf("%q is not a choice of answers", h.Value),
		Instead: "Write ANSWERS: FAULTS to be answered at once only where a line is refused or doubtful, or ANSWERS: ALL."}
}

// commandersHeadLines carries out the lines of a commander's head that are about
// themselves; those about the side's time are its player's.
func (l *incoming) commandersHeadLines(g *store.Game, p *store.Player) (lines []adjudicator.Line) {
	p.Commanders = slices.Clone(p.Commanders)
	c := &p.Commanders[l.player.Commander-1]
	for _, h := range l.sheet.AsTyped(l.typed) {
		line := adjudicator.Line{Pos: h.Pos, Text: h.Name + ": " + h.Value}
		as := store.Player{Zone: c.Zone}
		switch h.Name {
		case "ZONE":
			line.Understood, line.Refused = SetZone(&as, h)
		case "ADDRESS":
			line.Understood, line.Refused = l.askToMove(p.As(l.player.Commander), *g, h)
		case "CONFIRM":
			line.Understood, line.Refused = l.confirmed(g, h)
			c = &p.Commanders[l.player.Commander-1]
		case "PICTURES":
			line.Understood, line.Refused = setPictures(&c.Pictures, h)
		case "ANSWERS", "AWAY", "EXTEND", "DEPUTY":
			line.Refused = &rule.Violation{Why: h.Name + " is for the player of the side to say", Instead: "Write to them."}
		case "MODE":
			if seats.Deputy(l.player) || !l.player.Shared() {
				continue
			}
			line.Refused = &rule.Violation{Why: "only the commander-in-chief can set MODE", Instead: "Write to them."}
		default:
			continue
		}
		c.Zone = as.Zone
		lines = append(lines, line)
	}
	return lines
}

// inSmall is a text of a sheet as it was typed; in small letters if it has none. Then
// it may have come as its canonical form, which is all capitals, and small letters are
// the better guess: all but a few servers take what stands before the @ in either.
func inSmall(typed string) string {
	if strings.ToUpper(typed) == typed {
		return strings.ToLower(typed)
	}
	return typed
}

// askToMove has the sender of a sheet confirm an address that their mail is to go to. What
// stands before the @ keeps its letters.
func (l *incoming) askToMove(p store.Player, g store.Game, h orders.Header) (string, *rule.Violation) {
	typed := inSmall(h.Typed)
	if at := strings.LastIndexByte(typed, '@'); at >= 0 {
		typed = typed[:at] + strings.ToLower(typed[at:])
	}
	address, err := mailbox.PlainAddress(typed)
	switch {
	case err != nil:
		return "", &rule.Violation{Why: fmt.Sprintf("%q is not an email address", h.Value), Instead: "Write ADDRESS: anna@example.org."}
	case strings.EqualFold(address, p.Address):
		return "we write to " + p.Address + " already", nil
	}
	if err := l.h.AskToConfirm(&l.invited, g, p, acts.Move{Address: address}); err != nil {
		if !errors.Is(err, post.ErrFirstMails) {
			l.h.Log.Error("an address cannot be confirmed", "game", g.ID, "side", p.Side, "error", err)
		}
		return "", &rule.Violation{Why: err.Error(), Instead: "Your mail goes where it went before."}
	}
	return "we have sent a code to " + address + "; your mail goes there when the code comes back, and to the old address until then", nil
}

// confirmed moves mail to an address by a line CONFIRM in a sheet's head.
func (l *incoming) confirmed(g *store.Game, h orders.Header) (string, *rule.Violation) {
	was, to, err := l.h.Confirm(&l.invited, g, l.player.Side, h.Value)
	if err != nil {
		return "", &rule.Violation{Why: err.Error(), Instead: "Write the line CONFIRM as it stands in the mail that asks for it."}
	}
	return l.moved(&l.invited, *g, was, to), nil
}

// moved tells the address that a person of a seat had until now that their mail goes to
// another one: if somebody else asked for that, the person reads of it. It says what has
// become of the mail.
func (l *incoming) moved(c *store.Change, g store.Game, was store.Player, to acts.Move) string {
	if to.Second {
		says := "while mail to your first address bounces we write to " + to.Address
		if l.sendsAgain(was) {
			says += ", and send again what had come back"
		}
		return says
	}
	if was.Commander == l.player.Commander {
		l.player.Address = to.Address
	}
	r := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: was.Side, Address: l.h.Address,
		Reason: "Your mail goes to another address.", Advice: []string{"A code that we mailed there has come back. If you did not ask for that, somebody has your key, or reads your mail: write to the moderator at once."}}
	m, err := l.h.Render(post.Draft{Game: g, Player: was, Kind: "moved", Number: l.number(), Subject: r.Subject(), Text: r.Text(), HTML: r.HTML()})
	if err != nil {
		l.h.Log.Error("an address that was given up is not told", "game", g.ID, "error", err)
	} else {
		m.Game, m.Side, m.Commander = "", "", 0 // the seat would not be looked up under it any more
		c.Mails = append(c.Mails, m)
	}
	return "from now on we write to " + to.Address + "; we have told the old address"
}

func SetZone(p *store.Player, h orders.Header) (string, *rule.Violation) {
	zone, err := calendar.ParseZone(calendar.ZoneName(h.Typed))
	if err != nil || h.Typed == "" {
		return "", &rule.Violation{Why: fmt.Sprintf("%q is not a time zone", h.Value), Instead: "Write a name such as Europe/Prague."}
	}
	p.Zone = zone.String()
	return "deadlines are given in the time of " + p.Zone + " from now on", nil
}

// upTo are the words that people write between two days.
var upTo = []string{"TO", "TILL", "UNTIL", "-", "--", "–", "—"}

// setAway takes "2026-12-20 TO 2027-01-03": whole days by the player's clock.
func (hd *Handler) setAway(p *store.Player, g store.Game, h orders.Header) (string, *rule.Violation) {
	bad := func(why string) (string, *rule.Violation) {
		return "", &rule.Violation{Why: why, Instead: "Write AWAY: 2026-12-20 TO 2027-01-03, or AWAY: NO."}
	}
	if strings.EqualFold(h.Value, "NO") {
		p.Away = nil
		return "you are not away", nil
	}
	words := strings.Fields(h.Value)
	if len(words) != 3 || !slices.Contains(upTo, strings.ToUpper(words[1])) {
		return bad(fmt.Sprintf("we cannot read %q as dates", h.Value))
	}
	zone := post.ZoneOf(*p, g)
	from, err1 := time.ParseInLocation(time.DateOnly, words[0], zone)
	to, err2 := time.ParseInLocation(time.DateOnly, words[2], zone)
	if errors.Join(err1, err2) != nil {
		return bad(fmt.Sprintf("we cannot read %q as dates", h.Value))
	}
	to = to.AddDate(0, 0, 1)
	switch now := hd.Now(); {
	case !from.Before(to):
		return bad("the last day is before the first")
	case to.Sub(from) > longestAway:
		return bad(fmt.Sprintf("AWAY can cover %d days at most", longestAway/(24*time.Hour)))
	case !from.After(now):
		return bad("AWAY has to begin after today")
	}
	p.Away = slices.DeleteFunc(p.Away, func(s store.Span) bool { return !s.To.After(hd.Now()) })
	p.Away = append(p.Away, store.Span{From: from.UTC(), To: to.UTC()})
	return fmt.Sprintf("the clock does not run against you from %s to the end of %s", from.Format("Mon 2 Jan 2006"), to.Add(-time.Hour).Format("Mon 2 Jan 2006")), nil
}

// extend draws on the player's time in hand.
func (hd *Handler) extend(p *store.Player, g store.Game, open *store.OpenPhase, h orders.Header) (string, *rule.Violation) {
	t, err := calendar.ParseTerm(h.Value)
	r, fault := match.ScheduleOf(g)
	if err != nil || t.At >= 0 || fault != nil {
		return "", &rule.Violation{Why: fmt.Sprintf("%q is not a length of time", h.Value), Instead: "Write EXTEND: 24h or EXTEND: 2d."}
	}
	want := t.Hours + time.Duration(t.Days)*24*time.Hour
	pending, _ := match.PendingOf(open)
	switch {
	case !match.Timed(open), !slices.Contains(match.WaitingFor(pending), p.Side):
		return "", &rule.Violation{Why: "no deadline runs against you now"}
	case r.Bank-p.Drawn < want:
		return "", &rule.Violation{Why: fmt.Sprintf("you have %s of extra time left", hours(max(0, r.Bank-p.Drawn))), Instead: "Ask the moderator for more."}
	}
	p.Drawn += want
	hd.Postpone(open, r, r.Later(g, match.WaitingFor(pending), open.Deadline, want))
	return fmt.Sprintf("your deadline is %s; %s of time in hand are left", hd.UntilInWords(*p, g, open.Deadline), hours(r.Bank-p.Drawn)), nil
}

func hours(d time.Duration) string { return fmt.Sprintf("%d hours", int(d.Hours())) }

// absent moves the deadline of the phase that waits if somebody it waits for has
// said that they will be away.
func (hd *Handler) absent(g store.Game, open *store.OpenPhase) {
	r, err := match.ScheduleOf(g)
	pending, bad := match.PendingOf(open)
	if err != nil || bad != nil || !match.ClockRuns(open) {
		return
	}
	term := r.Answer
	if match.TurnDue(pending) {
		term = r.Deadline
	}
	if term == nil {
		return
	}
	if due := r.Away(g, match.WaitingFor(pending)).After(open.Since, *term).UTC(); due.After(open.Deadline) {
		hd.Postpone(open, r, due)
	}
}

// appoint carries out a line DEPUTY of a player's sheet: an address, perhaps with
// days, or NO. Its invitation goes into the Change with the sheet.
func (l *incoming) appoint(p *store.Player, g store.Game, h orders.Header) (string, *rule.Violation) {
	p.Commanders = slices.Clone(p.Commanders)
	if strings.EqualFold(h.Value, "NO") {
		return l.withoutDeputy(p, g)
	}
	did, err := l.h.InviteDeputy(&l.invited, g, *p, acts.Deputation{Text: inSmall(h.Typed), ByPlayer: true})
	switch {
	case errors.Is(err, post.ErrFirstMails):
		return "", &rule.Violation{Why: err.Error(), Instead: "Nobody is invited."}
	case err != nil:
		return "", &rule.Violation{Why: err.Error(), Instead: "Write DEPUTY: anna@example.org FROM 2026-12-20 TO 2027-01-03, or DEPUTY: anna@example.org for whenever you are AWAY, or DEPUTY: NO."}
	}
	return did, nil
}

// withoutDeputy ends that others stand in for a player, and takes back the invitations of
// those who have not joined.
func (l *incoming) withoutDeputy(p *store.Player, g store.Game) (string, *rule.Violation) {
	waiting, err := l.h.Invitations(g.ID, p.Side)
	if err != nil {
		l.h.Log.Error("the invitations of deputies cannot be read", "game", g.ID, "error", err)
	}
	c, ended := store.Change{Game: &g, Expect: g.Seq}, false
	for i, d := range p.Commanders {
		if !d.Deputy || d.Left {
			continue
		}
		if err := l.h.Farewell(&c, *p, i+1); err != nil {
			l.h.Log.Error("a deputy cannot be told that their part has ended", "game", g.ID, "error", err)
		}
		p.Commanders[i], ended = seats.Relieved(d), true
	}
	l.invited.Mails = append(l.invited.Mails, c.Mails...)
	for key, in := range waiting {
		if in.As == nil || !in.As.Deputy {
			continue
		}
		post.InvitationRecords.Drop(&l.invited, key)
		ended = true
	}
	if !ended {
		return "", &rule.Violation{Why: "you have no deputy"}
	}
	return "nobody stands in for you any longer", nil
}

// sheetIn looks for a sheet in a text: a line of a head, or a command, a section word or DONE
// alone on a line.
func (l *incoming) sheetIn(text string) (sheet string, is bool) {
	if s, err := (seal.Verified{}).Sheet(text); err == nil {
		return s.Text, true
	} else if errors.Is(err, seal.ErrTwoSheets) {
		return text, true
	}
	var sections []string
	if _, sys, err := l.h.RulesOf(l.game); err == nil {
		sections = sys.Vocabulary().Sections
	}
	canonical := orders.Canonical(text)
	for line := range strings.Lines(canonical) {
		line = strings.TrimSpace(line)
		switch {
		case orders.IsDone(line), beginsWith(line, "SERIAL:", "TURN:", "CODE:"), slices.Contains(orders.Commands, line), slices.Contains(sections, line):
			return canonical, true
		}
	}
	return "", false
}

// beginsWith tells whether a line begins with one of some words.
func beginsWith(line string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(line, word) })
}
