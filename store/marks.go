package store

// UIDState is what became of a message in a mailbox.
type UIDState string

// The states of a message. All but UIDPending are final; UIDArrived becomes UIDHandled.
const (
	UIDPending   UIDState = "pending"   // seen, not dealt with yet
	UIDArrived   UIDState = "arrived"   // in the queue of mails to be handled
	UIDHandled   UIDState = "handled"   // had its effect
	UIDDuplicate UIDState = "duplicate" // its content was handled before
	UIDOversize  UIDState = "oversize"  // too large to read
	UIDPoison    UIDState = "poison"    // reading it breaks the connection
	UIDGone      UIDState = "gone"      // removed by somebody before it was read
)

// UIDMark is what is kept of one message of a mailbox.
type UIDMark struct {
	State  UIDState `json:"state"`
	SHA256 string   `json:"sha256,omitempty"`
	Tries  int      `json:"tries,omitempty"` // how often reading it was begun
	Note   string   `json:"note,omitempty"`
}

// Final tells whether the message in the mailbox needs no more attention.
func (m UIDMark) Final() bool {
	switch m.State {
	case UIDArrived, UIDHandled, UIDDuplicate, UIDOversize, UIDPoison, UIDGone:
		return true
	}
	return false
}

// Stays tells whether the mark is the last one of its message.
func (m UIDMark) Stays() bool { return m.Final() && m.State != UIDArrived }

// Known tells whether the state of a mark is one that there is.
func (m UIDMark) Known() bool { return m.Final() || m.State == UIDPending }
