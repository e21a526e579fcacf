package mailbox

import (
	"slices"
	"strings"
)

// Class says what kind of mail a message is, and with that what may be done with it.
type Class int

// The classes, in the order in which they are looked for. Orders are taken
// from Ordinary and Bulk mail only; only Ordinary mail is answered without a
// valid signature.
const (
	// Ordinary mail was written by a person, as far as one can see.
	Ordinary Class = iota
	// Own mail came back to us: drop it.
	Own
	// Looping mail passed through more than 50 servers: put it aside.
	Looping
	// Bounce is a report on mail of ours that did not arrive.
	Bounce
	// Receipt is a report on mail of ours that did: somebody read it, or
	// called it spam. Log it.
	Receipt
	// Automated mail was sent by a program, a vacation notice for example:
	// never orders, never answered. It may quote signed orders of long ago.
	Automated
	// Bulk mail came through a list. Signed orders count, and are answered to
	// the player's own address.
	Bulk
)

// String is the name of the class in lower case.
func (c Class) String() string {
	names := []string{"ordinary", "own", "looping", "bounce", "receipt", "automated", "bulk"}
	if c < 0 || int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}

// MayCarryOrders says whether orders may be looked for in mail of this class.
func (c Class) MayCarryOrders() bool { return c == Ordinary || c == Bulk }

// Self is how the daemon knows its own mail.
type Self struct {
	// Instance is the value of its loop header (Config.Instance).
	Instance string
	// Addresses are its own; plus-tags do not count.
	Addresses []string
}

// The header that marks mail of this program, see Compose.
const loopHeader = "X-Fieldpost-Loop"

// maxReceived is the number of servers after which mail counts as looping
// (RFC 5321 section 6.3 asks for at least 100 in a relay; we are the last stop).
const maxReceived = 50

// Classify says what kind of mail m is. It looks at headers only, and anybody
// can write headers: the classes keep the daemon from answering robots, they
// do not tell friend from enemy.
func Classify(m *Message, self Self) Class {
	switch {
	case self.marked(m), self.has(m.From):
		return Own
	case len(m.Header("Received")) > maxReceived:
		return Looping
	}
	if m.media == "multipart/report" {
		switch strings.ToLower(m.params["report-type"]) {
		case "disposition-notification", "feedback-report":
			return Receipt
		}
		return Bounce
	}
	switch {
	case m.ReturnPath == "<>" && !isAutoReply(m):
		return Bounce
	case isAutomated(m):
		return Automated
	case isBulk(m):
		return Bulk
	}
	return Ordinary
}

// marked tells whether a mail has the loop header of this daemon.
func (s Self) marked(m *Message) bool {
	if s.Instance == "" {
		return false
	}
	return slices.ContainsFunc(m.Header(loopHeader), func(v string) bool {
		return strings.EqualFold(strings.TrimSpace(v), s.Instance)
	})
}

// has tells whether an address is one of the daemon's, whatever its plus-tag.
func (s Self) has(address string) bool {
	if address == "" {
		return false
	}
	return slices.ContainsFunc(s.Addresses, func(a string) bool { return untagged(a) == untagged(address) })
}

// untagged is an address in lower case without its plus-tag (RFC 5233).
func untagged(address string) string {
	local, domain, _ := strings.Cut(strings.ToLower(address), "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

// first is the first word of a header value in lower case: what stands before
// a comment, parameters or a blank (RFC 3834 section 5).
func first(v string) string {
	v = strings.ToLower(strings.TrimSpace(v))
	if i := strings.IndexAny(v, "(; \t"); i >= 0 {
		v = v[:i]
	}
	return v
}

// isAutoReply tells a vacation notice from a bounce: both have an empty return
// path, but a notice says in Auto-Submitted that it is a reply and is no report.
func isAutoReply(m *Message) bool {
	for _, v := range m.Header("Auto-Submitted") {
		if first(v) == "auto-replied" && !isDaemon(m) {
			return true
		}
	}
	return false
}

// isDaemon recognizes the senders that mail servers use for their reports.
func isDaemon(m *Message) bool {
	switch local, _, _ := strings.Cut(strings.ToLower(m.From), "@"); local {
	case "mailer-daemon", "postmaster":
		return true
	}
	return false
}

func isAutomated(m *Message) bool {
	for _, v := range m.Header("Auto-Submitted") {
		if first(v) != "no" {
			return true
		}
	}
	for fields := m.header.Fields(); fields.Next(); {
		name := strings.ToLower(fields.Key())
		switch {
		case name == "x-autoreply", name == "x-fc-machinegenerated", strings.HasPrefix(name, "x-autorespon"):
			if first(fields.Value()) != "no" {
				return true
			}
		}
	}
	for _, v := range m.Header("Precedence") {
		if strings.HasPrefix(first(v), "auto") {
			return true
		}
	}
	switch local, _, _ := strings.Cut(untagged(m.From), "@"); local {
	case "mailer-daemon", "postmaster", "no-reply", "noreply":
		return true
	}
	return false
}

// away are the subjects of vacation notices in some languages, in lower case.
var away = []string{
	"out of office", "out of the office", "automatic reply", "auto reply", "auto-reply", "autoreply", "auto:",
	"abwesenheitsnotiz", "automatische antwort", "abwesend", "réponse automatique", "absence du bureau",
	"respuesta automática", "fuera de la oficina", "resposta automática", "risposta automatica", "fuori ufficio",
	"automatisch antwoord", "automatiskt svar", "frånvaro", "automaattinen vastaus", "autosvar",
	"autoodpowiedź", "odpowiedź automatyczna", "automatická odpověď", "автоответ", "автоматический ответ",
}

// SoundsAway says that a subject begins like that of a vacation notice. People
// write such subjects too: it is a reason not to answer, never not to read.
func SoundsAway(subject string) bool {
	subject = strings.ToLower(strings.TrimSpace(subject))
	return slices.ContainsFunc(away, func(a string) bool { return strings.HasPrefix(subject, a) })
}

func isBulk(m *Message) bool {
	for _, field := range []string{"List-Id", "List-Post", "List-Unsubscribe", "List-Help", "Feedback-Id"} {
		if len(m.Header(field)) > 0 {
			return true
		}
	}
	for _, v := range m.Header("Precedence") {
		switch first(v) {
		case "bulk", "junk", "list":
			return true
		}
	}
	return false
}
