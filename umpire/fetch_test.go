package umpire

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store/postgres"
	"fieldpost/store/postgres/server"
)

// A daemon that cannot look into the mailbox gives it up after three tries for another one that could. While there
// is none it keeps trying.
func TestAMailboxIsLeftToADaemonThatReachesIt(t *testing.T) {
	url := server.Store(t)
	cutOff, other := openNode(t, url, "cut off"), openNode(t, url, "other")
	u := tableOver(t, cutOff).u
	if err := cutOff.Alive("fieldpost", []string{string(Intake)}); err != nil {
		t.Fatal(err)
	}

	var c mailbox.Config
	c.Address = "umpire@example.org"
	c.IMAP.ServerConfig = mailbox.ServerConfig{Host: "mail.example.org", User: "umpire", Password: "x"}
	f := &fetching{every: time.Minute, boxes: []string{"INBOX"}, since: u.Now()}
	inbox := u.Inbox()
	var err error
	f.poller, err = mailbox.NewPoller(c, inbox, inbox.Fetched, mailbox.PollerOptions{
		MinBackoff: time.Millisecond, MaxBackoff: time.Millisecond,
		Dial:   func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("the network is down") },
		Failed: func(err error, _ time.Time) { f.looked(err) }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- u.fetch(ctx, f) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()

	for f.failed.Load() < 10*mostFailures {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(2 * claimEvery)
	if ours, err := other.Claim(mailboxClaim); err != nil || ours {
		t.Fatalf("a mailbox that nobody else fetches from was given up: %t, %v", ours, err)
	}
	if err := other.Alive("fieldpost", []string{string(Intake)}); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(claimEvery / 10) {
		ours, err := other.Claim(mailboxClaim)
		if err != nil {
			t.Fatal(err)
		}
		if ours {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the daemon that is cut off from the mailbox keeps it")
		}
	}
}

// openNode is the database, prepared, as a node of a name.
func openNode(t *testing.T, url, name string) *postgres.DB {
	t.Helper()
	if err := postgres.Prepare(url); err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(url, postgres.Options{Node: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}
