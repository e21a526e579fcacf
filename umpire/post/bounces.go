package post

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
)

// When an address is suspended: two mails of different occasions came back for
// good, or three for now with nothing heard in between.
const (
	maxDead = 2
	maxSoft = 3
)

// Has tells whether a mail is among those that came back.
func (h health) Has(id string) bool {
	_, dead := h.Dead[id]
	_, soft := h.Soft[id]
	return dead || soft
}

// countBounce adds a mail that came back to what is known of its address.
func (o *Office) countBounce(m store.Mail, address string, dead bool) (h health, suspendedNow bool, err error) {
	if h, err = o.Health(address); err != nil {
		return h, false, err
	}
	occasion := fmt.Sprintf("%s %d", m.Game, m.Seq)
	if m.Seq == 0 {
		occasion = m.Changed.UTC().Format(time.DateOnly)
	}
	list := &h.Soft
	if dead {
		list = &h.Dead
	}
	if *list == nil {
		*list = map[string]string{}
	}
	(*list)[m.ID] = occasion
	occasions := slices.Compact(slices.Sorted(maps.Values(h.Dead)))
	before := h.Suspended
	h.Suspended = h.Suspended || len(occasions) >= maxDead || len(h.Soft) >= maxSoft
	return h, h.Suspended && !before, nil
}

// Bounced is the Change of a mail that came back: the record of its address, and
// when that is suspended now, a word to the player's other one.
func (o *Office) Bounced(c *store.Change, m store.Mail, address string, dead bool, why string) error {
	h, suspended, err := o.countBounce(m, address, dead)
	if err != nil {
		return err
	}
	HealthRecords.Put(c, HealthOf(address), h)
	if !suspended {
		return nil
	}
	o.Log.Error("mail to a player comes back; nothing more goes there until they write", "game", m.Game, "side", m.Side, "address", address, "why", why)
	if m.Game == "" {
		return nil
	}
	g, err := o.DB.Game(m.Game)
	if err != nil {
		return err
	}
	for _, p := range g.Players {
		p = p.As(m.Commander)
		if p.Side != m.Side || p.Second == "" || strings.EqualFold(p.Second, address) {
			continue
		}
		p.Address, p.Second = p.Second, ""
		l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: o.Address,
			Reason: "Mail to your first address bounces.",
			Advice: []string{"From now on your mail goes here, until you write from the first address again.",
				"To get a report that did not reach you, write REPORT and its number."}}
		notice, err := o.Render(Draft{Game: g, Player: p, Kind: "notice", Number: "second-" + m.ID, Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, notice)
	}
	return nil
}

var enhanced = regexp.MustCompile(`^\s*(5\.\d{1,3}\.\d{1,3})\b`)

// refusedAt notes that a server refused a recipient at once.
func (o *Office) refusedAt(m store.Mail, to string, res mailbox.Result) error {
	r := mailbox.Returned{Action: "failed", Status: "5.1.1"}
	if f := enhanced.FindStringSubmatch(res.Reply); f != nil {
		r.Status = f[1]
	} else if !slices.Contains([]int{550, 551, 553}, res.Code) {
		return nil // the mail was refused, not its recipient
	}
	if !strings.HasPrefix(r.Status, "5.1.") && !strings.HasPrefix(r.Status, "5.2.") {
		return nil
	}
	o.Writing.Lock()
	defer o.Writing.Unlock()
	return store.Anew(o.DB, func(db store.Store) error {
		var c store.Change
		if err := o.Over(db).Bounced(&c, m, to, r.Dead(), res.Reply); err != nil {
			return err
		}
		return db.Commit(c)
	})
}

// ReportTo tells whether a mail is a report to a person of a side.
func ReportTo(m store.Mail, side string, commander int) bool {
	return m.Kind == "report" && m.Side == side && m.Commander == commander
}

// MissedReports tells in a report which earlier ones did not reach the player.
func MissedReports(mails []store.Mail, side string, commander int) string {
	n := 0
	var lost []string
	for _, m := range mails {
		if !ReportTo(m, side, commander) {
			continue
		}
		n++
		if m.State == store.MailFailed || m.State == store.MailBounced {
			lost = append(lost, fmt.Sprint(n))
		}
	}
	switch len(lost) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("Your report %s did not reach you: it bounced. Write REPORT %[1]s to get it again.", lost[0])
	}
	return fmt.Sprintf("Your reports %s did not reach you: your mail server returned them. Write REPORT and a number to get one again.", strings.Join(lost, ", "))
}
