package hosting

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/demo/world"
	"fieldpost/umpire"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
	"fieldpost/umpire/post"
)

// log is what the daemon logs.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// street is a house of clubs over a post office.
type street struct {
	t       *testing.T
	dir     string
	path    string
	listen  string
	office  *postoffice.Office
	log     *log
	hangups chan os.Signal
	stop    context.CancelFunc
	ended   chan struct{}

	mu    sync.Mutex
	mails map[string][]string // by recipient
}

var names = []string{"north", "south", "east"}

func newStreet(t *testing.T, people ...string) *street {
	t.Helper()
	s := &street{t: t, dir: t.TempDir(), log: &log{}, hangups: make(chan os.Signal), mails: map[string][]string{}}
	s.path = filepath.Join(s.dir, "house.toml")
	users := map[string]string{"ann@players.test": "x"}
	for _, name := range names {
		users["umpire@"+name+".test"] = "x"
	}
	for _, name := range people {
		users[name+"@players.test"] = "x"
	}
	var err error
	if s.office, err = postoffice.Start(users); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.office.Close() })
	s.office.OnDelivery(func(rcpt, from string, raw []byte) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.mails[rcpt] = append(s.mails[rcpt], from+"\n"+string(raw))
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.listen = l.Addr().String()
	l.Close()
	return s
}

// configure writes the configuration of some of the clubs; changes are pairs of what to replace.
func (s *street) configure(of []string, changes ...string) {
	s.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "[web]\nlisten = %q\n", s.listen)
	imapHost, imapPort, _ := net.SplitHostPort(s.office.IMAPAddr())
	smtpHost, smtpPort, _ := net.SplitHostPort(s.office.SMTPAddr())
	for _, name := range of {
		fmt.Fprintf(&b, "[[club]]\nname = %q\n# %[1]s\n[club.mail]\naddress = \"umpire@%[1]s.test\"\n[club.mail.imap]\nhost = %[2]q\nport = %[3]s\ntls = \"none\"\nuser = \"umpire@%[1]s.test\"\npassword = \"x\"\npoll = \"100ms\"\n[club.mail.smtp]\nhost = %[4]q\nport = %[5]s\ntls = \"none\"\nuser = \"umpire@%[1]s.test\"\npassword = \"x\"\n",
			name, imapHost, imapPort, smtpHost, smtpPort)
		if name == "north" {
			b.WriteString("[club.web]\nhost = \"north.test\"\n")
		} else {
			fmt.Fprintf(&b, "[club.web]\npath = \"/%s\"\n", name)
		}
	}
	text := strings.NewReplacer(changes...).Replace(b.String())
	if err := os.WriteFile(s.path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *street) read() *umpire.File {
	s.t.Helper()
	file, err := umpire.ReadFile(s.path)
	if err != nil {
		s.t.Fatal(err)
	}
	return file
}

// begin begins the daemon.
func (s *street) begin() {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	h := House{Read: func() (*umpire.File, error) { return umpire.ReadFile(s.path) }, Hangups: s.hangups, Log: slog.New(slog.NewTextHandler(s.log, nil))}
	file := s.read()
	s.stop, s.ended = stop, make(chan struct{})
	go func() {
		defer close(s.ended)
		h.Serve(ctx, file)
	}()
	s.t.Cleanup(s.end)
}

func (s *street) end() {
	s.stop()
	select {
	case <-s.ended:
	case <-time.After(20 * time.Second):
		s.t.Errorf("the daemon does not end\n%s", s.log)
	}
}

func (s *street) until(what string, is func() bool) {
	s.t.Helper()
	for end := time.Now().Add(60 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s does not come\n%s", what, s.log)
		}
	}
}

// answered has Ann ask a club for help, and waits for its answer.
func (s *street) answered(name, id string) {
	s.t.Helper()
	raw := world.Mail{From: "ann@players.test", To: "umpire@" + name + ".test", Subject: "hello", ID: id}.Plain("HELP\n")
	err := s.desk(name, func(d *umpire.Desk) error {
		g, err := d.NewGame(umpire.Wanted{Scenario: "prokhorovka"})
		if err == nil {
			err = d.AddPlayer(seatIn(g.ID, g.Sides[0]))
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.office.Deliver("umpire@"+name+".test", raw); err != nil {
		s.t.Fatal(err)
	}
	s.until("the answer of "+name, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.ContainsFunc(s.mails["ann@players.test"], func(m string) bool {
			return strings.Contains(m, "<"+id+"@"+name+".test>") && strings.Contains(strings.SplitN(m, "\n", 2)[0], "@"+name+".test")
		})
	})
}

func (s *street) desk(name string, do func(*umpire.Desk) error) error {
	s.t.Helper()
	c, err := s.read().Club(name)
	if err != nil {
		return err
	}
	d, err := umpire.OpenDesk(c, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer d.Close()
	return do(d)
}

func (s *street) status(name string) (st club.Status, err error) {
	err = s.desk(name, func(d *umpire.Desk) error {
		st, err = d.Status()
		return err
	})
	return st, err
}

// get asks for a page of a host.
func (s *street) get(host, path string, headers ...string) (int, string) {
	r, err := http.NewRequest("GET", "http://"+s.listen+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Host = host
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

// A club whose store is damaged and one whose password is wrong do not keep the others from starting
// and answering; what is wrong with them is told, and when it is mended they go on by themselves.
func TestOneClubDoesNotStopTheOthers(t *testing.T) {
	s := newStreet(t)
	s.configure(names, "# east", "keep_mail_days = -1")
	damaged := filepath.Join(s.dir, "south-data")
	if err := os.MkdirAll(damaged, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(damaged, "fieldpost.db"), bytes.Repeat([]byte("no database "), 2000), 0o600); err != nil {
		t.Fatal(err)
	}
	s.begin()
	s.until("the club that is well", func() bool { code, _ := s.get("north.test", "/healthz"); return code == 200 })
	s.answered("north", "m1")
	s.until("the others in the log", func() bool {
		return strings.Contains(s.log.String(), "club=south") && strings.Contains(s.log.String(), "keep_mail_days = -1: 0 or more days are expected")
	})
	code, text := s.get("127.0.0.1", "/healthz")
	if code != 503 || !strings.Contains(text, "north: ok") || !strings.Contains(text, "south: serving has been out since") || !strings.Contains(text, "east: serving has been out") {
		t.Errorf("the house's health is %d:\n%s", code, text)
	}
	if _, text := s.get("127.0.0.1", "/metrics"); !strings.Contains(text, `fieldpost_served{club="south"} 0`) || !strings.Contains(text, `fieldpost_games{club="north",state="open"} 1`) || strings.Count(text, "# TYPE fieldpost_games gauge") != 1 {
		t.Errorf("the figures are\n%s", text)
	}
	if _, err := s.status("south"); err == nil || !strings.Contains(err.Error(), "the daemon has not served this club since") {
		t.Errorf("the status of the damaged one: %v", err)
	}
	// The moderator mends them: the damaged folder goes away, and nothing takes its place before a
	// backup is there; the setting is put right.
	if err := os.Rename(damaged, damaged+".bad"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * firstPause)
	if _, err := os.Stat(filepath.Join(damaged, "fieldpost.db")); err == nil {
		t.Error("an empty store took the place of the damaged one")
	}
	s.configure(names)
	s.until("the faulty one", func() bool { code, _ := s.get("any.test", "/east/healthz"); return code == 200 })
	s.answered("east", "m2")
	if code, _ := s.get("any.test", "/south/"); code != 503 {
		t.Errorf("the page of the damaged one answers %d", code)
	}
}

// What is wrong with the mail of one is shown in its status alone. A new configuration is for those
// that it changes: the others keep on as they are.
func TestANewConfigurationIsForWhomItChanges(t *testing.T) {
	s := newStreet(t)
	s.configure(names[:2], "user = \"umpire@south.test\"\npassword = \"x\"\npoll", "user = \"umpire@south.test\"\npassword = \"wrong\"\npoll")
	s.begin()
	s.until("both", func() bool { return strings.Count(s.log.String(), "the club is served") == 2 })
	s.answered("north", "m1")
	s.until("the alarm of the other one", func() bool {
		st, err := s.status("south")
		return err == nil && slices.ContainsFunc(st.Troubles, refused)
	})
	if st, err := s.status("north"); err != nil || slices.ContainsFunc(st.Troubles, refused) {
		t.Errorf("north: %v, %v", st.Troubles, err)
	}
	for _, c := range []struct {
		host, path string
		code       int
	}{{"north.test", "/", 200}, {"north.test:443", "/south/", 404}, {"any.test", "/south", 302}, {"any.test", "/south/", 200}, {"any.test", "/south/nothing", 404}, {"any.test", "/southern", 404}, {"any.test", "/", 404}} {
		if code, text := s.get(c.host, c.path); code != c.code {
			t.Errorf("%s%s: %d, want %d\n%s", c.host, c.path, code, c.code, text)
		}
	}
	if code, text := s.get("any.test", "/south/", "X-Forwarded-For", "203.0.113.9"); code != 200 || !strings.Contains(text, `href="/south/gallery"`) || strings.Contains(text, `href="/gallery"`) {
		t.Errorf("the page at a path answers %d:\n%s", code, text)
	}
	if code, text := s.get("any.test", "/metrics", "X-Forwarded-For", "203.0.113.9"); code != 404 || strings.Contains(text, "north") {
		t.Errorf("the world is told of all clubs: %d\n%s", code, text)
	}
	s.configure(names)
	s.hangups <- os.Interrupt
	s.until("the third", func() bool { return strings.Count(s.log.String(), "the club is served") == 4 })
	if n := strings.Count(s.log.String(), `msg="the club is served" club=north`); n != 1 {
		t.Errorf("the club without a change began %d times", n)
	}
	s.answered("south", "m2")
	s.answered("east", "m3")
	s.configure(names[1:])
	s.hangups <- os.Interrupt
	s.until("the first one's end", func() bool { code, _ := s.get("north.test", "/"); return code == 404 })
	s.configure(names[1:], "# east", "data = \"house.toml/nowhere\"")
	s.hangups <- os.Interrupt
	s.until("the way back", func() bool {
		code, _ := s.get("any.test", "/east/healthz")
		return strings.Contains(s.log.String(), "it goes on with the one before") && code == 200
	})
	s.answered("south", "m4")
	s.end()
	s.configure(names)
	for _, name := range names {
		if st, err := s.status(name); err != nil || len(st.Troubles) > 0 {
			t.Errorf("the store of %s: %v, %v", name, err, st.Troubles)
		}
	}
}

// refused is that a mailbox's password is wrong.
func refused(t post.Trouble) bool {
	return t.Of == post.Fetching && strings.Contains(t.Why, "refuses the login")
}

// seatIn is Ann's seat in a game.
func seatIn(game, side string) acts.Seat {
	return acts.Seat{Game: game, Side: side, Name: "Ann", Address: "ann@players.test", Key: acts.ByCodes}
}
