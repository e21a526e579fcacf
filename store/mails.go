package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// MailState is how far an outgoing mail has come.
type MailState string

// The states of an outgoing mail.
const (
	MailQueued   MailState = "queued"   // to be sent when Next has come
	MailSending  MailState = "sending"  // handed to a server; how far, nobody knows yet
	MailAccepted MailState = "accepted" // a server has taken it over
	MailFailed   MailState = "failed"   // given up
	MailBounced  MailState = "bounced"  // accepted, but it came back
	MailReplaced MailState = "replaced" // never sent: a later mail says what it said
)

// steps from one state to the next that MarkResult allows. The way back to
// queued from the ends is an operator's: send it again.
var mailSteps = map[MailState][]MailState{
	MailQueued:   {MailQueued, MailFailed},
	MailSending:  {MailAccepted, MailQueued, MailFailed},
	MailAccepted: {MailBounced, MailQueued},
	MailFailed:   {MailQueued},
	MailBounced:  {MailQueued},
	MailReplaced: nil,
}

// Becomes tells whether a mail in this state may come to the next one.
func (s MailState) Becomes(next MailState) bool { return slices.Contains(mailSteps[s], next) }

// Known tells whether there is such a state.
func (s MailState) Known() bool {
	_, known := mailSteps[s]
	return known
}

// Mail is one outgoing mail to one recipient. Its bytes are a file, rendered
// once: every attempt sends the same bytes under the same Message-ID.
type Mail struct {
	ID        string `json:"id"` // unique for ever; derived from what the mail is about
	Game      string `json:"game,omitempty"`
	Side      string `json:"side,omitempty"`
	Commander int    `json:"hand,omitempty"`       // of the side, as Player.As counts
	From      string `json:"from,omitempty"`       // envelope sender; empty is the null sender
	To        string `json:"to"`                   // envelope recipient
	MessageID string `json:"message_id,omitempty"` // with or without angle brackets, as the caller likes
	SHA256    string `json:"sha256"`               // of the rendered mail; names its file
	Kind      string `json:"kind"`                 // report, question, answer ...
	// Seq is the Change of the game that the mail belongs to. Commit sets it when
	// the Change is about that game.
	Seq uint64 `json:"seq,omitempty"`
	// Next is when the mail may be sent: before the first attempt and between
	// attempts. Zero is at once.
	Next time.Time `json:"next,omitzero"`

	// Raw are the rendered bytes. If they are given Commit writes the file.
	Raw []byte `json:"-"`
	// Recipe, JSON, is what a Drawer draws the pictures of Raw from again; empty if there is
	// nothing to draw. See Thin.
	Recipe json.RawMessage `json:"-"`

	// What follows is set by this package.
	Number   uint64    `json:"number"` // counts all mails of the store: the order of sending
	State    MailState `json:"state"`
	Attempts int       `json:"attempts,omitempty"`
	Changed  time.Time `json:"changed,omitzero"` // the time given with the last mark
	Reply    string    `json:"reply,omitempty"`  // the last thing the server said, or why it failed
	Pruned   bool      `json:"pruned,omitempty"` // its file is not kept any more
	// Damage is what was damaged that the mail needs, in words, when it was last looked
	// at: it waits in the queue until that is repaired.
	Damage string `json:"damage,omitempty"`
}

// Ended tells whether nothing more is tried with a mail.
func (m *Mail) Ended() bool {
	switch m.State {
	case MailAccepted, MailFailed, MailBounced, MailReplaced:
		return true
	}
	return false
}

// Queue makes it a new mail of the queue, whatever it was; number counts all mails of the store.
func (m *Mail) Queue(number uint64) {
	m.Number, m.State, m.Attempts, m.Changed, m.Reply, m.Pruned = number, MailQueued, 0, time.Time{}, "", false
}

// Send marks it before the first byte of it goes out; ErrState if it is not queued.
func (m *Mail) Send(now time.Time) error {
	if m.State != MailQueued {
		return fmt.Errorf("mail %s is %s: %w", m.ID, m.State, ErrState)
	}
	m.State, m.Changed, m.Damage = MailSending, now, ""
	m.Attempts++
	return nil
}

// Take records what became of it. A mail that is being sent becomes accepted, failed or queued
// for another attempt; a queued one may be put off or failed; an accepted one may bounce; and from
// every end it may be queued again. Anything else is ErrState; to queue one whose bytes were
// removed is ErrNotFound.
func (m *Mail) Take(r Result) error {
	if m.Pruned && r.State == MailQueued {
		return fmt.Errorf("mail %s was removed because of its age: %w", m.ID, ErrNotFound)
	}
	if !m.State.Becomes(r.State) {
		return fmt.Errorf("mail %s is %s and cannot become %q: %w", m.ID, m.State, r.State, ErrState)
	}
	m.State, m.Changed, m.Reply, m.Damage = r.State, r.At, r.Reply, r.Damage
	if r.State == MailQueued {
		m.Next = r.Next
	}
	return nil
}

// Replace takes it out of the queue, since a later mail of the same Change says what it said. One
// that was tried before stays what it is, and the answer is false: it may be on its way.
func (m *Mail) Replace(by string) bool {
	if m.State != MailQueued || m.Attempts > 0 {
		return false
	}
	m.State, m.Reply = MailReplaced, "replaced by "+by
	return true
}

// Valid checks what can be checked of a mail alone.
func (m *Mail) Valid() error {
	if err := Named("mail", m.ID); err != nil {
		return err
	}
	for _, s := range []string{m.Game, m.Side} {
		if s != "" {
			if err := Named("game or side of a mail", s); err != nil {
				return err
			}
		}
	}
	if m.To == "" || len(m.MessageID) > 998 {
		return fmt.Errorf("%w mail %s: no recipient, or too long a Message-ID", ErrInvalid, m.ID)
	}
	if len(m.Recipe) > 0 && !json.Valid(m.Recipe) {
		return fmt.Errorf("%w mail %s: its recipe is no JSON", ErrInvalid, m.ID)
	}
	if _, err := SHAKey(m.SHA256); err != nil && m.Raw == nil {
		return fmt.Errorf("mail %s: %w", m.ID, err)
	}
	return nil
}

// AllUnsent is how many years from now on no mail can wait for: Queue of then has all.
const AllUnsent = 1000

// Result is what became of a mail.
type Result struct {
	State MailState
	At    time.Time // when that was known
	Next  time.Time // for MailQueued: not to be sent before
	Reply string    // what the server said, or why
	// Damage, for MailQueued, is what is damaged that the mail needs; "" for nothing.
	Damage string
}

// MaxMail is the largest mail file that the store reads back, in bytes.
const MaxMail = 64 << 20
