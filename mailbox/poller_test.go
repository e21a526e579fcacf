package mailbox

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldpost/demo/postoffice"
)

const gm, anna = "gm@fieldpost.test", "anna@fieldpost.test"

func startOffice(t testing.TB) (*postoffice.Office, Config) {
	t.Helper()
	return startOfficeTLS(t, nil, NoTLS)
}

// startOfficeTLS starts an office whose ports speak TLS from the start, or when
// asked to, or not at all.
func startOfficeTLS(t testing.TB, tlsConfig *tls.Config, mode string) (*postoffice.Office, Config) {
	t.Helper()
	office, err := postoffice.StartWith(map[string]string{gm: "secret", anna: "pw"},
		postoffice.Options{TLS: tlsConfig, Implicit: mode == TLS})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { office.Close() })
	server := func(addr string) ServerConfig {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(port)
		if err != nil {
			t.Fatal(err)
		}
		return ServerConfig{Host: host, Port: n, TLS: NoTLS, User: gm, Password: "secret"}
	}
	c := Config{Address: gm, Name: "Fieldpost", Instance: "test-1", MaxMessage: 64 << 10}
	c.IMAP = IMAPConfig{ServerConfig: server(office.IMAPAddr()), Poll: Duration(20 * time.Millisecond)}
	c.SMTP = SMTPConfig{server(office.SMTPAddr())}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return office, c
}

// ledger is a store as small as can be. It remembers what the handler took.
type ledger struct {
	mu      sync.Mutex
	handled map[Key]int
	got     []Raw
	listed  []string // complete polls of a folder
	all     []string // all that is in one
	fail    func(Raw) error
	unkept  error // of Listed

	retryPoison bool // poison does not count as handled
}

func (l *ledger) Low(box string, validity uint32) uint32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	low := uint32(0)
	for l.handled[Key{box, validity, low + 1}] > 0 {
		low++
	}
	return low
}

func (l *ledger) Handled(key Key) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.handled[key] > 0
}

func (l *ledger) Listed(box string, validity uint32, uids []uint32) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listed = append(l.listed, fmt.Sprint(box, uids))
	return l.unkept
}

func (l *ledger) All(box string, validity uint32, uids []uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, fmt.Sprint(box, uids))
}

func (l *ledger) handle(_ context.Context, raw Raw) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if raw.Poison && l.retryPoison {
		return nil
	}
	if l.fail != nil {
		if err := l.fail(raw); err != nil {
			return err
		}
	}
	if l.handled == nil {
		l.handled = map[Key]int{}
	}
	l.handled[raw.Key]++
	l.got = append(l.got, raw)
	return nil
}

// subjects lists the Subject lines taken so far; poison and oversize say so.
func (l *ledger) subjects() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, raw := range l.got {
		_, rest, _ := strings.Cut(string(raw.Bytes), "Subject: ")
		s, _, _ := strings.Cut(rest, "\r\n")
		if raw.Oversize {
			s += "(oversize)"
		}
		if raw.Poison {
			s += "(poison)"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func letter(subject string) []byte {
	return []byte("From: anna@fieldpost.test\r\nTo: gm@fieldpost.test\r\nSubject: " + subject + "\r\n\r\nhello\r\n")
}

var quick = PollerOptions{Timeout: 5 * time.Second, MinBackoff: 5 * time.Millisecond, MaxBackoff: 20 * time.Millisecond}

func newPoller(t testing.TB, c Config, l *ledger, o PollerOptions) *Poller {
	t.Helper()
	p, err := NewPoller(c, l, l.handle, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func deliver(t testing.TB, o *postoffice.Office, raw []byte) {
	t.Helper()
	if err := o.Deliver(gm, raw); err != nil {
		t.Fatal(err)
	}
}

func TestPollBringsEachMessageOnce(t *testing.T) {
	office, config := startOffice(t)
	arrived := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	office.SetClock(func() time.Time { return arrived })
	var l ledger
	p := newPoller(t, config, &l, quick)
	poll := func(want string) {
		t.Helper()
		if err := p.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := l.subjects(); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	poll("")
	deliver(t, office, letter("a"))
	deliver(t, office, letter("b"))
	poll("a b")
	poll("a b")
	if raw := l.got[0]; raw.UID != 1 || !raw.InternalDate.Equal(arrived) || raw.Size != int64(len(letter("a"))) ||
		string(raw.Bytes) != string(letter("a")) || raw.SHA256 == l.got[1].SHA256 {
		t.Errorf("%+v", raw)
	}
	if a, b := l.got[0], l.got[1]; !a.More || b.More || a.Look.IsZero() || !a.Look.Equal(b.Look) {
		t.Errorf("of one look: %v with more %v, and %v with more %v", a.Look, a.More, b.Look, b.More)
	}
	// The connection is closed while nobody looks: the next poll does not mind.
	if office.DropIMAP() == 0 {
		t.Error("there was no connection")
	}
	deliver(t, office, letter("c"))
	poll("a b c")
	deliver(t, office, letter("large"+strings.Repeat("x", 70<<10)))
	deliver(t, office, letter("d"))
	if err := p.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if raw := l.got[3]; !raw.Oversize || len(raw.Bytes) != oversizeHead || raw.Size < 70<<10 || l.got[4].Oversize {
		t.Errorf("oversize: %v, %d of %d bytes", raw.Oversize, len(raw.Bytes), raw.Size)
	}
	// A new generation of UIDs: all that is there is new again.
	if err := office.Renumber(gm); err != nil {
		t.Fatal(err)
	}
	deliver(t, office, letter("e"))
	if err := p.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := l.got[5]; got.UID != 1 || got.UIDValidity == l.got[0].UIDValidity {
		t.Errorf("after the mailbox was made anew: %+v", got)
	}
	// A store that forgets gets everything again; a daemon that restarts does not.
	again := newPoller(t, config, &l, quick)
	if err := again.Poll(t.Context()); err != nil || len(l.got) != 6 {
		t.Errorf("another poller on the same store: %d messages, %v", len(l.got), err)
	}
}

// New is what came since the last look through its folder, and nothing else: not what was there
// before the first, not what an earlier look could not hand over, not what stands in another folder.
func TestWhatIsNewSinceTheLastLook(t *testing.T) {
	office, config := startOffice(t)
	disk := errors.New("disk full")
	full := false
	l := ledger{fail: func(raw Raw) error {
		if full {
			return disk
		}
		return nil
	}}
	deliver(t, office, letter("old"))
	p := newPoller(t, config, &l, quick)
	for _, s := range []string{"new", "newer"} {
		if err := p.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		deliver(t, office, letter(s))
	}
	full = true
	if err := p.Poll(t.Context()); !errors.Is(err, disk) {
		t.Fatal(err)
	}
	full, l.handled = false, nil // what was handled is brought again
	if err := p.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, raw := range l.got {
		got = append(got, fmt.Sprint(raw.UID, raw.New))
	}
	if want := "1 false 2 true 1 false 2 false 3 true"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Now and then a folder is listed whole, so that the marks of removed messages can go.
func TestFolderIsListedWhole(t *testing.T) {
	office, config := startOffice(t)
	var l ledger
	deliver(t, office, letter("a"))
	deliver(t, office, letter("b"))
	p := newPoller(t, config, &l, quick)
	for _, all := range []int{0, 0, 1, 1} {
		if err := p.Poll(t.Context()); err != nil || len(l.all) != all {
			t.Fatalf("%q, %v; folders listed whole so far must be %d", l.all, err, all)
		}
		if !slices.Equal(l.all, []string{"INBOX[1 2]"}[:all]) {
			t.Errorf("%q", l.all)
		}
		if len(l.listed) == 4 { // twice two folders
			p.listed["INBOX"] = p.listed["INBOX"].Add(-2 * fullSearch)
		}
	}
}

func TestHandlerThatFailsGetsTheMessageAgain(t *testing.T) {
	office, config := startOffice(t)
	disk := errors.New("disk full")
	tries := 0
	l := ledger{fail: func(raw Raw) error {
		if strings.Contains(string(raw.Bytes), "Subject: b") {
			if tries++; tries < 3 {
				return disk
			}
		}
		return nil
	}}
	for _, s := range []string{"a", "b", "c"} {
		deliver(t, office, letter(s))
	}
	p := newPoller(t, config, &l, quick)
	for range 2 {
		if err := p.Poll(t.Context()); !errors.Is(err, disk) {
			t.Fatalf("a poll whose handler failed: %v", err)
		}
	}
	if err := p.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := l.subjects(); got != "a c b" || len(l.listed) != 6 { // Junk and INBOX each time
		t.Errorf("%q, %q", got, l.listed)
	}
}

// What messages have their effect on is away: the first one is not overtaken by those behind it, the mailbox is
// not fetched for nothing, and it is tried again soon however often that was in vain.
func TestNothingIsFetchedForAStoreThatIsAway(t *testing.T) {
	office, config := startOffice(t)
	tries := 0
	l := ledger{fail: func(raw Raw) error {
		if tries++; tries == 1 {
			return fmt.Errorf("%w: the database does not answer", ErrAway)
		}
		return nil
	}}
	for n := range 20 {
		deliver(t, office, letter(fmt.Sprint("s", n)))
	}
	fetched := 0
	options := quick
	options.MaxBackoff, options.Ahead = time.Hour, func(Raw) { fetched++ }
	p := newPoller(t, config, &l, options)
	err := p.Poll(t.Context())
	if !errors.Is(err, ErrAway) || fetched > aheadMessages+2 || l.subjects() != "" {
		t.Errorf("%d messages are fetched for a store that is away, %q handled: %v", fetched, l.subjects(), err)
	}
	if d := p.pause(30, err); d != soon {
		t.Errorf("it is tried again in %v", d)
	}
	if err := p.Poll(t.Context()); err != nil || !strings.HasPrefix(l.subjects(), "s0 s1 s2 ") {
		t.Errorf("%v, %q", err, l.subjects())
	}
}

// What Listed could not keep is no message that was handled: nobody is told that all mail is read, and the
// next poll brings what is not handled.
func TestWhatIsNotKeptComesAgain(t *testing.T) {
	office, config := startOffice(t)
	disk := errors.New("the disk is full")
	l := ledger{unkept: disk}
	done := 0
	options := quick
	options.Done = func(time.Time) { done++ }
	deliver(t, office, letter("a"))
	p := newPoller(t, config, &l, options)
	if err := p.Poll(t.Context()); !errors.Is(err, disk) || done > 0 {
		t.Errorf("%v, and all mail was said to be read %d times", err, done)
	}
	l.unkept, l.handled = nil, nil
	if err := p.Poll(t.Context()); err != nil || done != 1 || l.subjects() != "a a" {
		t.Errorf("%v, %d, %q", err, done, l.subjects())
	}
}

func TestMessageThatBreaksTheConnectionIsPoison(t *testing.T) {
	office, config := startOffice(t)
	for _, s := range []string{"a", "b", "c"} {
		deliver(t, office, letter(s))
	}
	office.BreakFetch(1000, 2)
	var l ledger
	p := newPoller(t, config, &l, quick)
	for i := range 2 {
		if err := p.Poll(t.Context()); err == nil {
			t.Fatalf("poll %d says nothing", i)
		}
	}
	if err := p.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := l.subjects(); got != "a c (poison)" || l.got[2].UID != 2 {
		t.Errorf("got %q", got)
	}
	// One broken connection is an accident.
	office.BreakFetch(1, 0)
	deliver(t, office, letter("d"))
	if err := p.Poll(t.Context()); err == nil {
		t.Error("the break was not noticed")
	}
	deliver(t, office, letter("e"))
	if err := p.Poll(t.Context()); err != nil || l.subjects() != "a c (poison) d e" {
		t.Errorf("%v, %q", err, l.subjects())
	}
}

func TestPollEndsWithItsContext(t *testing.T) {
	office, config := startOffice(t)
	deliver(t, office, letter("a"))
	const stall = 3 * time.Second
	office.StallFetch(stall)
	var l ledger
	p := newPoller(t, config, &l, quick)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := p.Poll(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if d := time.Since(start); d >= stall {
		t.Errorf("it took %v to stop: it waited for the server", d)
	}
	// A server that does not answer: the operation's own time runs out.
	slow := quick
	slow.Timeout = 50 * time.Millisecond
	if err := newPoller(t, config, &l, slow).Poll(t.Context()); err == nil {
		t.Error("a stuck server is not noticed")
	}
	office.StallFetch(0)
	if err := p.Poll(t.Context()); err != nil || l.subjects() != "a" {
		t.Errorf("%v, %q", err, l.subjects())
	}
}

func TestWrongPassword(t *testing.T) {
	_, config := startOffice(t)
	config.IMAP.Password = "wrong"
	var l ledger
	p := newPoller(t, config, &l, quick)
	err := p.Poll(t.Context())
	if !errors.Is(err, ErrLogin) {
		t.Errorf("%v", err)
	}
	if d := p.pause(1, err); d < 13*time.Minute {
		t.Errorf("tries again in %v", d)
	}
	if d := p.pause(30, errors.New("x")); d > 25*time.Millisecond {
		t.Errorf("pause of %v", d)
	}
}

// Mail keeps coming while connections break and the handler fails: all of it
// is taken, none of it twice.
func TestRunLosesAndDoublesNothing(t *testing.T) {
	for _, noIdle := range []bool{false, true} {
		t.Run(fmt.Sprintf("noIdle=%v", noIdle), func(t *testing.T) {
			office, config := startOffice(t)
			n := 0
			l := ledger{retryPoison: true, fail: func(Raw) error {
				if n++; n%7 == 0 {
					return errors.New("not now")
				}
				return nil
			}}
			options := quick
			options.NoIdle = noIdle
			p := newPoller(t, config, &l, options)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- p.Run(ctx) }()
			const letters = 40
			for i := range letters {
				deliver(t, office, letter(strconv.Itoa(i)))
				switch i % 10 {
				case 3:
					office.DropIMAP()
				case 6:
					office.BreakFetch(1, 0)
				}
				time.Sleep(time.Millisecond)
			}
			for range 200 { // one more poll than enough; each may meet a fault
				if err := p.Poll(ctx); err == nil && len(strings.Fields(l.subjects())) >= letters {
					break
				}
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("Run ended with %v", err)
			}
			seen := map[string]int{}
			for _, s := range strings.Fields(l.subjects()) {
				seen[s]++
			}
			for i := range letters {
				if seen[strconv.Itoa(i)] != 1 {
					t.Errorf("letter %d came %d times", i, seen[strconv.Itoa(i)])
				}
			}
		})
	}
}

// What the provider takes for junk is read as well, and marked as that.
func TestJunkIsRead(t *testing.T) {
	office, config := startOffice(t)
	deliver(t, office, letter("a"))
	if err := office.DeliverTo("Junk", gm, letter("b")); err != nil {
		t.Fatal(err)
	}
	var l ledger
	if err := newPoller(t, config, &l, quick).Poll(t.Context()); err != nil || l.subjects() != "b a" || !l.got[0].Junk || l.got[1].Junk {
		t.Errorf("%q, %v", l.subjects(), err)
	}
	l = ledger{}
	config.IMAP.Junk = NoJunk
	if err := newPoller(t, config, &l, quick).Poll(t.Context()); err != nil || l.subjects() != "a" {
		t.Errorf("without Junk: %q, %v", l.subjects(), err)
	}
	config.IMAP.Junk = "Spamme"
	if err := newPoller(t, config, &l, quick).Poll(t.Context()); !errors.Is(err, errNoFolder) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// A server that never stops talking is cut off.
func TestEndlessServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		line := strings.Repeat("x", 64<<10)
		for _, err = fmt.Fprint(c, "* OK "); err == nil; _, err = fmt.Fprint(c, line) {
		}
	}()
	_, config := startOffice(t)
	config.IMAP.Port = listener.Addr().(*net.TCPAddr).Port
	var l ledger
	if err := newPoller(t, config, &l, quick).Poll(t.Context()); err == nil {
		t.Error("no error")
	}
}
