package web

import (
	"bufio"
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"fieldpost/trial/browser"
	"fieldpost/umpire/acts"
)

var seenMark = regexp.MustCompile(`data-seen="([^"]+)"`)

// stream loads the page of a game and listens to what is said of it, as whoever has the cookie.
func (h *hall) stream(ctx context.Context, game string) <-chan string {
	h.t.Helper()
	_, text, _ := h.do("GET", "/games/"+game, nil)
	seen := seenMark.FindStringSubmatch(text)
	if seen == nil {
		h.t.Fatal("the page does not say what it shows")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, h.at.URL+"/events?game="+game+"&seen="+url.QueryEscape(html.UnescapeString(seen[1])), nil)
	if err != nil {
		h.t.Fatal(err)
	}
	if h.cookie != "" {
		r.AddCookie(&http.Cookie{Name: cookieName, Value: h.cookie})
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		h.t.Fatalf("%v, %v", resp, err)
	}
	said := make(chan string, 100)
	go func() {
		defer resp.Body.Close()
		defer close(said)
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if strings.TrimSpace(lines.Text()) != "" {
				said <- lines.Text()
			}
		}
	}()
	return said
}

// hears waits for a line of a stream, before which nothing has changed.
func hears(t *testing.T, said <-chan string, want string) {
	t.Helper()
	for {
		select {
		case line := <-said:
			if line == want {
				return
			}
			if line == "event: changed" {
				t.Fatalf("a change is told where %q was expected", want)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%q is not said", want)
		}
	}
}

// An open page hears that a game has changed: a moderator of everything, everybody else only of
// what everybody may see. A moderator's word to one side is not among that, a pause is.
func TestAnOpenPageHearsWhatItMayShow(t *testing.T) {
	h := newHall(t)
	h.s.liveEvery = 5 * time.Millisecond
	ctx, end := context.WithCancel(t.Context())
	defer end()
	public := h.stream(ctx, h.running)
	hears(t, public, ": still so")
	h.login()
	inside := h.stream(ctx, h.running)
	hears(t, inside, ": still so")
	if _, err := h.u.Moderate(acts.Act{By: "test", Verb: "message", Game: h.running, Side: "SOVIET", Value: "For you alone."}); err != nil {
		t.Fatal(err)
	}
	hears(t, inside, "event: changed")
	h.clock = h.clock.Add(time.Minute) // beyond what is kept of the last look
	hears(t, public, ": still so")     // ten looks later
	hears(t, public, ": still so")
	if _, err := h.u.Moderate(acts.Act{By: "test", Verb: "pause", Game: h.running}); err != nil {
		t.Fatal(err)
	}
	h.clock = h.clock.Add(time.Minute)
	hears(t, public, "event: changed")
	end()
	for range public {
	}
	for deadline := time.Now().Add(10 * time.Second); h.s.watched.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a page that was closed is still counted")
		}
	}
	h.s.watched.Store(mostWatched)
	if code, _, _ := h.do("GET", "/events", nil); code != http.StatusServiceUnavailable {
		t.Errorf("one page too many is answered with %d", code)
	}
}

// A page that is open does not keep a login from ending.
func TestAnOpenPageIsNoClick(t *testing.T) {
	h := newHall(t)
	h.login()
	for range 7 {
		h.clock = h.clock.Add(5 * time.Minute)
		h.do("GET", "/games/"+h.running, nil, "X-Live", "yes")
	}
	if _, text, _ := h.do("GET", "/games/"+h.running, nil); strings.Contains(text, "Log Anna out") {
		t.Error("somebody is logged in who clicked nothing for 35 minutes")
	}
}

// What is new comes onto the page by itself, and what somebody has begun to write stays.
func TestAPageShowsWhatIsNewByItself(t *testing.T) {
	b := browser.New(t)
	h := newHall(t)
	h.s.liveEvery = 20 * time.Millisecond
	b.Open(h.at.URL + "/login")
	b.TabTo("#name")
	b.Write("Anna")
	b.TabTo("#password")
	b.Write(password)
	b.Press("Enter")
	b.Sees("Log Anna out")
	b.Open(h.at.URL + "/games/" + h.running)
	b.Until("the page that listens", "performance.getEntriesByType('resource').some(e => e.name.includes('live.js'))")
	b.TabTo("#message")
	b.Write("Dear both,")
	if _, err := h.u.Moderate(acts.Act{By: "test", Verb: "pause", Game: h.running, Value: "the holidays"}); err != nil {
		t.Fatal(err)
	}
	b.Until("the pause on the page", "document.querySelector('[data-part=state]').innerText.includes('paused')")
	b.Sees("Something else can be done now")
	if got := b.Eval("document.querySelector('#message').value"); got != "Dear both," {
		t.Errorf("what was written became %q", got)
	}
}
