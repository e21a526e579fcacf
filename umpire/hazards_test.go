package umpire

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"fieldpost/demo/postoffice"
	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/postgres"
	"fieldpost/store/postgres/server"
)

// No transaction is open while a turn is played, its pictures are drawn or a server is asked to take a mail: whoever
// waits for the database would wait for that as well.
func TestNoTransactionIsOpenWhileOneWorks(t *testing.T) {
	url := server.Store(t)
	db := openNode(t, url, "node")
	beside, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close(context.WithoutCancel(t.Context()))
	looked := map[string]int{}
	look := func(while string) {
		looked[while]++
		var open int
		err := beside.QueryRow(t.Context(), `select count(*) from pg_stat_activity where application_name = 'fieldpost' and state like 'idle in transaction%'`).Scan(&open)
		if err != nil || open > 0 {
			t.Errorf("%d transactions are open while %s, %v", open, while, err)
		}
	}
	g := tableOver(t, db)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.u.Draw = func(string, string) bool {
		look("a turn is drawn")
		return false
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))

	office, err := postoffice.Start(map[string]string{"umpire@example.org": "x", "soviet@example.org": "x", "german@example.org": "x"})
	if err != nil {
		t.Fatal(err)
	}
	defer office.Close()
	office.OnDelivery(func(string, string, []byte) { look("a mail is sent") })
	var account mailbox.Config
	host, port, _ := net.SplitHostPort(office.SMTPAddr())
	account.Address, account.SMTP.Host, account.SMTP.TLS = "umpire@example.org", host, mailbox.NoTLS
	account.SMTP.Port, _ = strconv.Atoi(port)
	sender, err := mailbox.NewSender(account, mailbox.SenderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer sender.Close()
	if _, err := g.u.SendDue(t.Context(), sender); err != nil {
		t.Fatal(err)
	}
	if looked["a turn is drawn"] == 0 || looked["a mail is sent"] < 3 {
		t.Errorf("looked was %v", looked)
	}
}

// A second machine makes no identity of its own: without the key that signed for the games in the database
// its daemon does not begin, nor without the key that its mail is signed with for the domain, and makes none.
func TestASecondMachineMakesNoKey(t *testing.T) {
	url := server.Store(t)
	if err := postgres.Prepare(url); err != nil {
		t.Fatal(err)
	}
	config := func() *Config {
		c := &Config{Data: "data", Key: "daemon.key", Store: url, dir: t.TempDir()}
		c.Mail.Address, c.Mail.Name = "umpire@example.org", "Fieldpost"
		return c
	}
	first := config()
	u, err := Open(first, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer u.DB.Close()
	if _, err := os.Stat(first.KeyFile()); err != nil {
		t.Errorf("the first machine has no key: %v", err)
	}
	if _, err := u.NewGame("kharkov-1942", nil, strings.NewReader(strings.Repeat("entropy", 10))); err != nil {
		t.Fatal(err)
	}
	unsigned := config()
	unsigned.Mail.DKIM = mailbox.DKIMConfig{Domain: "example.org", Selector: "s", KeyFile: filepath.Join(unsigned.dir, "dkim.pem")}
	for file, c := range map[string]*Config{"daemon.key": config(), "dkim.pem": unsigned} {
		if _, err := Open(c, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("a second machine without %s: %v", file, err)
		}
		for _, key := range []string{"daemon.key", "dkim.pem"} {
			if _, err := os.Stat(filepath.Join(c.dir, key)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it has made %s", key)
			}
		}
	}
}

// unkept is a store that keeps no Change.
type unkept struct{ store.Store }

func (unkept) Commit(store.Change) error { return store.ErrAway }

// What is not kept is told to nobody: mails go out of the store alone.
func TestNobodyIsToldWhatIsNotKept(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	before, err := g.u.DB.Queue(g.clock, 0)
	if err != nil {
		t.Fatal(err)
	}
	setup := g.setup
	setup.DB = unkept{g.setup.DB}
	sheet := g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n"))
	if err := brought(New(setup), sheet); !errors.Is(err, store.ErrAway) {
		t.Errorf("a mail whose effect is not kept: %v", err)
	}
	after, err := g.u.DB.Queue(g.clock, 0)
	if err != nil || len(after) != len(before) {
		t.Errorf("%d mails wait in place of %d, %v", len(after), len(before), err)
	}
	if g.receive(sheet); len(g.outbox("SOVIET")) == 0 {
		t.Error("when it is kept there is no answer")
	}
}

// A deadline passes when the mailbox was looked through after it, and not before: a mailbox that nobody
// looks into lets none pass, however long it is.
func TestADeadlineWaitsForTheMailbox(t *testing.T) {
	g := newTable(t, "deadline=2d")
	g.seat("SOVIET")
	g.seat("GERMAN")
	open, err := g.u.DB.Waiting(g.game)
	if err != nil || open == nil || open.Deadline.IsZero() {
		t.Fatalf("there is no deadline: %+v, %v", open, err)
	}
	g.clock = open.Deadline.Add(20 * time.Hour)
	g.u.Tick(open.Deadline.Add(-1))
	if late := g.player("SOVIET").LateTurns; late != 0 {
		t.Error("a deadline has passed that nobody looked into the mailbox after")
	}
	g.clock = g.clock.Add(time.Hour) // it does not try at every moment
	g.u.Tick(g.clock)
	if late := g.player("SOVIET").LateTurns; late != 1 {
		t.Error("a deadline does not pass when the mailbox was looked through")
	}
}
