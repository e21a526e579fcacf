package main

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
)

// watched is a daemon, a process of its own, over a mail server, with a moderator.
func watched(t *testing.T, more string) *newcomer {
	t.Helper()
	n := newcomerWith(t, "club.toml", "umpire@example.org", "anna@example.org")
	sample, err := os.ReadFile("../../config.toml")
	if err != nil {
		t.Fatal(err)
	}
	key, err := seal.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	n.write("club.toml", more+"\n"+string(sample)+"\n[[moderator]]\nname = \"Anna\"\naddress = \"anna@example.org\"\nkey = \""+key.Public().String()+"\"\n")
	n.write("imap-password", "the password")
	n.write("smtp-password", "the password")
	n.account()
	return n
}

// status is what fieldpost status tells of the running daemon.
func (n *newcomer) status() (s struct {
	Looked   map[string]time.Time
	Sent     time.Time
	Troubles []struct{ Of string }

	NewAddressesBound int `json:"new_addresses_bound"`
}) {
	n.t.Helper()
	if err := json.Unmarshal([]byte(n.shell("fieldpost status --config club.toml --format json")), &s); err != nil {
		n.t.Fatal(err)
	}
	return s
}

// A mail server that refuses the daemon's login is told by the running daemon: status has it,
// and the moderator reads of it by the server that still takes mail.
func TestARunningDaemonComplains(t *testing.T) {
	n := watched(t, "new_addresses_per_day = 7")
	n.write("imap-password", "the former password")
	n.serve()
	defer n.stop()
	n.until("the trouble in the status", func() bool {
		s := n.status()
		return len(s.Troubles) == 1 && s.Troubles[0].Of == "fetching"
	})
	n.until("the alarm", func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, raw := range n.mails["anna@example.org"] {
			if m, err := mailbox.Read(raw); err == nil && strings.Contains(m.Subject, "ALARM: no mail is fetched") {
				return true
			}
		}
		return false
	})
	n.until("the time of the last mail", func() bool { return !n.status().Sent.IsZero() })
	if bound := n.status().NewAddressesBound; bound != 7 {
		t.Errorf("%d mails a day may go to new addresses", bound)
	}
}

// One that answers is looked into again and again.
func TestARunningDaemonLooks(t *testing.T) {
	n := watched(t, "")
	n.serve()
	defer n.stop()
	first := n.status().Looked["INBOX"]
	n.until("another look", func() bool { return n.status().Looked["INBOX"].After(first) })
	if s := n.status(); len(s.Troubles) != 0 {
		t.Errorf("troubles: %v", s.Troubles)
	}
}
