package web

import (
	"crypto/rand"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldpost/umpire"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/door"
)

const password = "correct horse battery"

// hall is a page over an umpire with a game under way and one that is over.
type hall struct {
	t             testing.TB
	u             *umpire.Umpire
	s             *Server
	at            *httptest.Server
	running, over string
	cookie        string
	clock         time.Time
}

func newHall(t testing.TB) *hall {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	text := "[mail]\naddress = \"umpire@example.org\"\ninstance = \"test\"\n[mail.imap]\nhost = \"127.0.0.1\"\nuser = \"u\"\npassword = \"p\"\n[mail.smtp]\nhost = \"127.0.0.1\"\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := umpire.ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	u, err := umpire.Open(c, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { u.DB.Close() })
	h := &hall{t: t, u: u, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	u.Now = func() time.Time { return h.clock }
	u.Draw = func(string, string) bool { return false } // of reports; the page draws its own
	h.running, h.over = h.game(), h.game()
	if _, err := u.Moderate(acts.Act{By: "test", Verb: "finish", Game: h.over, Value: "SOVIET: agreed"}); err != nil {
		t.Fatal(err)
	}
	hash := hashCost{passes: 1, memory: 64, threads: 1}.hash(password) // a full one takes 64 MiB
	h.s, err = New(u, umpire.WebConfig{Listen: "127.0.0.1:0", Password: hash}, log)
	if err != nil {
		t.Fatal(err)
	}
	h.at = httptest.NewServer(h.s.Handler())
	t.Cleanup(func() {
		h.at.CloseClientConnections() // an open page listens for ever
		h.at.Close()
	})
	return h
}

func (h *hall) game() string {
	h.t.Helper()
	g, err := h.u.NewGame("kharkov-1942", map[string]string{"deadline": "3d"}, rand.Reader)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, side := range g.Sides {
		if err := h.u.AddPlayer(g.ID, side, "Somebody", "player@example.org", acts.ByCodes); err != nil {
			h.t.Fatal(err)
		}
	}
	return g.ID
}

// do makes a request, with the cookie if there is one, and follows nothing.
func (h *hall) do(method, path string, form url.Values, headers ...string) (int, string, http.Header) {
	h.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequest(method, h.at.URL+path, body)
	if err != nil {
		h.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if h.cookie != "" {
		r.AddCookie(&http.Cookie{Name: cookieName, Value: h.cookie})
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, c := range resp.Cookies() {
		h.cookie = c.Value
	}
	return resp.StatusCode, string(text), resp.Header
}

var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

func (h *hall) login() (token string) {
	h.t.Helper()
	if code, _, _ := h.do("POST", "/login", url.Values{"name": {"Anna"}, "password": {password}}); code != http.StatusSeeOther {
		h.t.Fatalf("the login answers %d", code)
	}
	_, text, _ := h.do("GET", "/", nil)
	m := tokenField.FindStringSubmatch(text)
	if m == nil {
		h.t.Fatal("no token after the login")
	}
	return m[1]
}

// entries are the audit log: what was changed.
func (h *hall) entries() int {
	h.t.Helper()
	all, err := h.u.Audit("")
	if err != nil {
		h.t.Fatal(err)
	}
	return len(all)
}

func TestPagesForEverybody(t *testing.T) {
	h := newHall(t)
	for path, want := range map[string]struct {
		code  int
		holds string
	}{
		"/":                                    {200, h.running},
		"/games/" + h.running:                  {200, "spectators are 1 turn(s) behind"},
		"/games/" + strings.ToLower(h.over):    {200, "Both sides are open"},
		"/games/NOSUCH":                        {404, "no such game"},
		"/games/" + h.running + "/map.png":     {200, "PNG"},
		"/games/" + h.over + "/archive.tar":    {403, "addresses"},
		"/games/" + h.running + "/extend":      {404, "no such page"},
		"/login":                               {200, "password"},
		"/audit":                               {303, ""},
		"/style.css":                           {200, "body"},
		"/healthz":                             {200, "ok"},
		"/metrics":                             {200, "fieldpost_games{state=\"running\"} 1\n"},
		"/nothing":                             {404, "no such page"},
		"/games/../../etc/passwd":              {404, ""},
		"/games/%3Cscript%3Ealert(1)":          {404, ""},
		"/games/" + h.running + "/archive.tar": {403, ""},
	} {
		code, text, head := h.do("GET", path, nil)
		if code != want.code && !(code == 301 || code == 307) || !strings.Contains(text, want.holds) && code != 301 && code != 307 {
			t.Errorf("%s answers %d, want %d with %q:\n%.300s", path, code, want.code, want.holds, text)
		}
		scripts := strings.Count(text, `<script src="/live.js"></script>`) // the only one, of pages that show what is new
		text = strings.ReplaceAll(text, `<script src="/live.js"></script>`, "")
		csp := head.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s has the policy %q", path, csp)
		}
		if strings.Contains(csp, "script-src 'self'") != (scripts == 1) || scripts == 0 && strings.Contains(csp, "script-src") {
			t.Errorf("%s has %d scripts and the policy %q", path, scripts, csp)
		}
		for _, secret := range []string{"player@example.org", "Somebody", "<script", "style=\"", "onclick", "http://", "https://"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %q", path, secret)
			}
		}
	}
}

// Without a login, without the form's token, or from another site nothing changes.
func TestARequestWithoutRightsChangesNothing(t *testing.T) {
	h := newHall(t)
	before := h.entries()
	try := func(what string, want int, form url.Values, headers ...string) {
		t.Helper()
		for _, verb := range []string{"extend", "force", "pause", "message", "rollback", "edit", "finish", "address", "inside"} {
			if code, _, _ := h.do("POST", "/games/"+h.running+"/"+verb, form, headers...); code != want {
				t.Errorf("%s: %s answers %d, want %d", what, verb, code, want)
			}
		}
		if n := h.entries(); n != before {
			t.Errorf("%s: %d acts were done", what, n-before)
		}
	}
	form := url.Values{"value": {"48h"}}
	try("nobody", http.StatusForbidden, form)
	h.cookie = "made up"
	try("a cookie that nobody gave", http.StatusForbidden, form)
	h.cookie = ""
	token := h.login()
	try("no token", http.StatusForbidden, form)
	form.Set("token", "guessed")
	try("a wrong token", http.StatusForbidden, form)
	form.Set("token", token)
	try("another site", http.StatusForbidden, form, "Sec-Fetch-Site", "cross-site")
	try("another origin", http.StatusForbidden, form, "Origin", "https://evil.example")
	if code, _, _ := h.do("POST", "/games/"+h.running+"/promote", form); code != http.StatusNotFound {
		t.Errorf("an act that nobody knows answers %d", code)
	}
	for _, page := range []string{"/inside", "/inside/map.png", "/inside/map.png?side=GERMAN", "/inside/out/x", "/inside/in/x"} {
		if code, text, _ := h.do("GET", "/games/"+h.running+page, nil); strings.Contains(text, "With both sides open") || code == http.StatusOK && page != "/inside" {
			t.Errorf("%s answers %d before somebody asked to look inside", page, code)
		}
	}
	if code, _, _ := h.do("GET", "/games/"+h.running+"/extend?value=48h&token="+token, nil); code != http.StatusNotFound || h.entries() != before {
		t.Errorf("an act by GET answers %d", code)
	}
	h.clock = h.clock.Add(door.Idle + time.Second)
	try("a login that ran out", http.StatusForbidden, form)
	h.cookie = ""
	form.Set("token", h.login())
	if code, _, _ := h.do("POST", "/logout", form); code != http.StatusSeeOther {
		t.Errorf("logging out answers %d", code)
	}
	try("after logging out", http.StatusForbidden, form)
}

func TestActsOfTheModerator(t *testing.T) {
	h := newHall(t)
	token := h.login()
	before := h.entries()
	for _, c := range []struct{ verb, value, says string }{
		{"extend", "48h", "the deadline of SOVIET is now"},
		{"message", "Mind <b>the</b> snow", "the message went to 2 player(s)"},
		{"pause", "holidays", "pause"},
		{"unpause", "", "goes on"},
		{"force", "", "goes on without waiting for SOVIET"},
	} {
		code, text, _ := h.do("POST", "/games/"+h.running+"/"+c.verb, url.Values{"token": {token}, "value": {c.value}})
		if code != 200 || !strings.Contains(text, c.says) {
			t.Errorf("%s answers %d without %q", c.verb, code, c.says)
		}
		if before++; h.entries() != before {
			t.Errorf("%s: %d entries in the audit log, want %d", c.verb, h.entries(), before)
		}
	}
	if _, text, _ := h.do("GET", "/games/"+h.running, nil); !strings.Contains(text, `<th scope="row">GERMAN</th><td>Somebody player@example.org</td>`) {
		t.Error("the page does not say who plays")
	}
	code, text, _ := h.do("POST", "/games/"+h.running+"/extend", url.Values{"token": {token}, "value": {"soon <i>"}})
	if code != http.StatusUnprocessableEntity || !strings.Contains(text, "&#34;soon &lt;i&gt;&#34;") || h.entries() != before {
		t.Errorf("nonsense answers %d:\n%.900s", code, text)
	}
	if _, text, _ = h.do("GET", "/audit", nil); !strings.Contains(text, "Anna (web)") || !strings.Contains(text, "The log is whole") {
		t.Error("the audit log does not name who did it")
	}
	if code, raw, _ := h.do("GET", "/games/"+h.over+"/archive.tar", nil); code != 200 || !strings.Contains(raw[:512], "manifest") {
		t.Errorf("the archive answers %d", code)
	}
}

// The cookie is for this site over a safe way only, and guessing gets slow.
func TestTheDoor(t *testing.T) {
	h := newHall(t)
	_, _, head := h.do("POST", "/login", url.Values{"name": {"Anna"}, "password": {password}})
	for _, want := range []string{"HttpOnly", "Secure", "SameSite=Strict", "Max-Age=28800"} {
		if c := head.Get("Set-Cookie"); !strings.Contains(c, want) {
			t.Errorf("the cookie %q lacks %s", c, want)
		}
	}
	h.cookie = ""
	for n := range 5 {
		if code, _, _ := h.do("POST", "/login", url.Values{"name": {"Eve"}, "password": {"wrong"}}); code != http.StatusForbidden {
			t.Errorf("wrong password %d answers %d", n+1, code)
		}
	}
	right := url.Values{"name": {"Eve"}, "password": {password}}
	if code, _, _ := h.do("POST", "/login", right); code != http.StatusTooManyRequests {
		t.Errorf("after five wrong passwords the door answers %d", code)
	}
	h.clock = h.clock.Add(time.Hour)
	if code, _, _ := h.do("POST", "/login", url.Values{"password": {password}}); code != http.StatusBadRequest {
		t.Errorf("without a name the door answers %d", code)
	}
	if code, _, _ := h.do("POST", "/login", right); code != http.StatusSeeOther {
		t.Errorf("an hour later the door answers %d", code)
	}
	cheap := hashCost{passes: 1, memory: 64, threads: 1}.hash(password)
	for _, bad := range []string{"short", "plain text password", "argon2id$3$65536$4$AAAA$BBBB",
		cheap + "$", cheap[:40],
		strings.Replace(cheap, "$64$", "$65537$", 1), strings.Replace(cheap, "$64$", "$0$", 1), strings.Replace(cheap, "$64$", "$-1$", 1)} {
		if _, err := parseHash(bad); err == nil {
			t.Errorf("%q is taken for a hash", bad)
		}
	}
	if _, err := Hash("short"); err == nil {
		t.Error("a short password is taken")
	}
	full, err := Hash(password)
	if err != nil || !strings.HasPrefix(full, "argon2id$3$65536$4$") {
		t.Errorf("a new hash is %q: %v", full, err)
	}
	for _, text := range []string{cheap, full} {
		if hash, err := parseHash(text); err != nil || !hash.fits(password) || hash.fits(password+"x") {
			t.Errorf("%q does not tell the password from another: %v", text, err)
		}
	}
}

// When no mail is fetched for a while /healthz says so and to what, and /metrics has it.
func TestHealthKnowsTheMail(t *testing.T) {
	h := newHall(t)
	began := h.u.Now().Add(-time.Hour)
	h.u.Service.Begin(time.Minute, []string{"INBOX"}, began)
	h.u.Service.Looked("INBOX", h.u.Now())
	if code, text, _ := h.do("GET", "/healthz", nil); code != 200 || text != "ok\n" {
		t.Errorf("after a look: %d %q", code, text)
	}
	h.u.Service.Looked("INBOX", began)
	code, text, _ := h.do("GET", "/healthz", nil)
	if code != http.StatusServiceUnavailable || !strings.HasPrefix(text, "fetching has been out since ") {
		t.Errorf("without one for an hour: %d %q", code, text)
	}
	if _, text, _ := h.do("GET", "/metrics", nil); !strings.Contains(text, "fieldpost_out{of=\"fetching\"} 1\n") || !strings.Contains(text, "fieldpost_folder_looked_timestamp_seconds{folder=\"INBOX\"} "+strconv.FormatInt(began.Unix(), 10)) {
		t.Errorf("the metrics:\n%s", text)
	}
}

// Wrong passwords of one client close the door to nobody else, those of many have a bound,
// who was in before comes in, and the command line opens it.
func TestTheDoorClosesToWhoGuesses(t *testing.T) {
	h := newHall(t)
	try := func(from, with string) int {
		t.Helper()
		h.cookie = ""
		code, _, _ := h.do("POST", "/login", url.Values{"name": {"Anna"}, "password": {with}}, "X-Forwarded-For", "1.2.3.4, "+from)
		return code
	}
	if code := try("192.0.2.9", password); code != http.StatusSeeOther {
		t.Fatalf("the right password answers %d", code)
	}
	for range 5 {
		try("192.0.2.1", "wrong")
	}
	if code := try("192.0.2.1", password); code != http.StatusTooManyRequests {
		t.Errorf("who guesses is answered %d", code)
	}
	if code := try("192.0.2.2", password); code != http.StatusSeeOther {
		t.Errorf("another client is answered %d", code)
	}
	if err := h.u.UnlockPage(); err != nil {
		t.Fatal(err)
	}
	if code := try("192.0.2.1", password); code != http.StatusSeeOther {
		t.Errorf("after the unlock it is answered %d", code)
	}
	for n := range door.MostEachMinute - 1 { // one was tried since the unlock
		if wait, err := h.s.door.Knock("elsewhere "+strconv.Itoa(n), h.clock); wait > 0 || err != nil {
			t.Errorf("client %d waits for %v, %v", n, wait, err)
		}
	}
	if code := try("192.0.2.77", password); code != http.StatusTooManyRequests {
		t.Errorf("with all tries of the minute used up a new client is answered %d", code)
	}
	if code := try("192.0.2.9", password); code != http.StatusSeeOther {
		t.Errorf("and who was in before %d", code)
	}
	h.clock = h.clock.Add(time.Minute)
	if code := try("192.0.2.77", password); code != http.StatusSeeOther {
		t.Errorf("a minute later a new client is answered %d", code)
	}
	for n := range 10 * door.MostEachMinute {
		if _, err := h.s.door.Knock(strconv.Itoa(n), h.clock); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := door.GuesserRecords.All(h.u.DB); err != nil || len(all) > 2*door.MostEachMinute+2 {
		t.Errorf("%d clients are remembered, %v", len(all), err)
	}
	h.clock = h.clock.Add(25 * time.Hour)
	try("192.0.2.78", "wrong")
	if all, err := door.GuesserRecords.All(h.u.DB); err != nil || len(all) > 5 {
		t.Errorf("a day later %d clients are remembered, %v", len(all), err)
	}
}

// Every act of the command line and of moderators' mails can be done on the page, in some state of
// a game.
func TestThePageOffersEveryAct(t *testing.T) {
	offered := map[string]bool{"create": true, "tournament": true} // pages of their own, /new and /tournaments
	for _, in := range []state{waiting, running, paused, frozen, finished} {
		for _, g := range offeredIn(in, acts.Act{}) {
			for _, d := range g.Deeds {
				offered[d.Verb] = true
			}
		}
	}
	for _, v := range acts.Verbs() {
		if !offered[v[0]] {
			t.Errorf("%s is on no page", v[0])
		}
		delete(offered, v[0])
	}
	if delete(offered, "resume"); len(offered) > 0 {
		t.Errorf("the page offers what is no act: %v", offered)
	}
}

// A moderator sets a game back from the page: first asks what that would do, then does it.
func TestSettingBackFromThePage(t *testing.T) {
	h := newHall(t)
	form := url.Values{"token": {h.login()}, "value": {"before SOVIET turn 1"}, "dry": {"yes"}}
	before := h.entries()
	_, text, _ := h.do("POST", "/games/"+h.running+"/rollback", form)
	if !strings.Contains(text, "Nothing was done; 2 mails would go out.") || !strings.Contains(text, `value="before SOVIET turn 1"`) || h.entries() != before {
		t.Errorf("a dry run, %d entries more:\n%s", h.entries()-before, text)
	}
	form.Del("dry")
	if _, text, _ := h.do("POST", "/games/"+h.running+"/rollback", form); !strings.Contains(text, "say after a colon why") || !strings.Contains(text, `value="before SOVIET turn 1"`) {
		t.Errorf("without a reason:\n%s", text)
	}
	form.Set("value", "before SOVIET turn 1: we begin anew")
	if _, text, _ := h.do("POST", "/games/"+h.running+"/rollback", form); !strings.Contains(text, "The moderator sets the game back to before turn 1") || h.entries() != before+1 {
		t.Errorf("with one, %d entries more:\n%s", h.entries()-before, text)
	}
}

// Who looks inside a game is asked first, and stands in the log.
func TestLookingInside(t *testing.T) {
	h := newHall(t)
	form := url.Values{"token": {h.login()}}
	if _, text, _ := h.do("GET", "/games/"+h.running+"/inside", nil); !strings.Contains(text, "Better not") || strings.Contains(text, "Mail that went out") {
		t.Fatalf("nobody is asked:\n%s", text)
	}
	before := h.entries()
	if code, _, _ := h.do("POST", "/games/"+h.running+"/inside", form); code != http.StatusSeeOther || h.entries() != before+1 {
		t.Fatalf("asking answers %d, %d entries", code, h.entries()-before)
	}
	_, text, _ := h.do("GET", "/games/"+h.running+"/inside", nil)
	mail := regexp.MustCompile(`/inside/out/([^"]+)">report`).FindStringSubmatch(text)
	if mail == nil || !strings.Contains(text, "turn 1, 12 May 1942") {
		t.Fatalf("inside stands\n%s", text)
	}
	for path, want := range map[string]string{"/inside/out/" + mail[1]: "YOUR ARMY", "/inside/map.png?side=GERMAN": "PNG", "/inside/map.png": "PNG", "/inside/out/" + mail[1] + "?raw=yes": "Message-ID: ", "/inside/map.png?side=FRENCH": "no such game", "/inside/in/" + strings.Repeat("0", 64): "not kept"} {
		if _, text, _ := h.do("GET", "/games/"+h.running+path, nil); !strings.Contains(text, want) {
			t.Errorf("%s has no %q: %.300s", path, want, text)
		}
	}
	if _, text, _ := h.do("GET", "/games/"+h.over+"/inside/out/"+mail[1], nil); strings.Contains(text, "YOUR ARMY") {
		t.Error("leave for one game opens another")
	}
	form.Set("value", mail[1])
	if _, text, _ := h.do("POST", "/games/"+h.running+"/resend", form); !strings.Contains(text, "on its way") {
		t.Errorf("resending:\n%s", text)
	}
	h.clock = h.clock.Add(looking - time.Minute)
	h.do("GET", "/", nil)
	h.clock = h.clock.Add(2 * time.Minute)
	if _, text, _ := h.do("GET", "/games/"+h.running+"/inside", nil); !strings.Contains(text, "Better not") {
		t.Error("leave to look lasts for ever")
	}
}

// A game is made in a form in which every option is explained; what is refused stands in it still.
func TestANewGameFromThePage(t *testing.T) {
	h := newHall(t)
	token := h.login()
	if _, text, _ := h.do("GET", "/new", nil); !strings.Contains(text, `<option value="kursk">`) {
		t.Fatalf("the scenarios:\n%s", text)
	}
	if _, text, _ := h.do("GET", "/new?scenario=kharkov-1942", nil); !strings.Contains(text, "how long a side has for its orders") || !strings.Contains(text, `name="option-undo"`) {
		t.Fatalf("the options:\n%s", text)
	}
	form := url.Values{"token": {token}, "scenario": {"kharkov-1942"}, "option-deadline": {"soon"}, "option-zone": {"Europe/Prague"}, "staff": {"GERMAN"}}
	if code, text, _ := h.do("POST", "/new", form); code != http.StatusUnprocessableEntity || !strings.Contains(text, `value="soon"`) || !strings.Contains(text, `value="Europe/Prague"`) {
		t.Errorf("what is refused answers %d:\n%s", code, text)
	}
	form.Set("option-deadline", "3d 20:00")
	code, _, header := h.do("POST", "/new", form)
	if code != http.StatusSeeOther {
		t.Fatalf("the form answers %d", code)
	}
	_, text, _ := h.do("GET", header.Get("Location"), nil)
	for _, want := range []string{"Invite", "deadline = 3d 20:00", "zone = Europe/Prague"} {
		if !strings.Contains(text, want) {
			t.Errorf("the new game's page has no %q", want)
		}
	}
	if code, _, _ := h.do("GET", "/new?scenario=atlantis", nil); code != http.StatusNotFound {
		t.Errorf("a scenario that nobody has answers %d", code)
	}
}

// A moderator who looks inside sees the position as an edit would make it, before it is made.
func TestAnEditIsShownBeforeItIsMade(t *testing.T) {
	h := newHall(t)
	form := url.Values{"token": {h.login()}, "value": {"PUT 227 INF 1504\nSTEPS 227 INF 1"}, "dry": {"yes"}}
	before := h.entries()
	if _, text, _ := h.do("POST", "/games/"+h.running+"/edit", form); !strings.Contains(text, "Nothing was done") || !strings.Contains(text, "Look inside first") || h.entries() != before {
		t.Errorf("tried without looking inside:\n%s", text)
	}
	h.do("POST", "/games/"+h.running+"/inside", url.Values{"token": form["token"]})
	_, text, _ := h.do("POST", "/games/"+h.running+"/edit", form)
	src := regexp.MustCompile(`src="(/games/[^"]+edit=[^"]+)"`).FindStringSubmatch(text)
	if src == nil {
		t.Fatalf("no picture:\n%s", text)
	}
	_, edited, _ := h.do("GET", html.UnescapeString(src[1]), nil)
	_, now, _ := h.do("GET", "/games/"+h.running+"/inside/map.png", nil)
	if !strings.HasPrefix(edited, "\x89PNG") || edited == now {
		t.Error("the picture is none, or not of the edit")
	}
	if h.entries() != before+1 { // that somebody looked inside
		t.Errorf("%d entries more", h.entries()-before)
	}
}

// The alerts and the dashboard that come with the program ask for figures that the page has.
func TestAlertsAndDashboardAskForFiguresThatThereAre(t *testing.T) {
	page, err := os.ReadFile("figures.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`fieldpost_(\w+)(?:\{\w+=~?\\?"([^"\\]*))?`)
	for _, name := range []string{"alerts.yml", "dashboard.json"} {
		text, err := os.ReadFile(filepath.Join("..", "packaging", "monitoring", name))
		if err != nil {
			t.Fatal(err)
		}
		found := asked.FindAllStringSubmatch(string(text), -1)
		if len(found) < 8 {
			t.Errorf("%s asks for %d figures", name, len(found))
		}
		for _, m := range found {
			if !strings.Contains(string(page), `("`+m[1]+`",`) {
				t.Errorf("%s asks for fieldpost_%s, which the page has not", name, m[1])
			}
			for _, value := range strings.Split(m[2], "|") {
				if !strings.Contains(string(page), `"`+value) {
					t.Errorf("%s asks for fieldpost_%s of %q, which the page has not", name, m[1], value)
				}
			}
		}
		if strings.HasSuffix(name, ".json") && !json.Valid(text) {
			t.Errorf("%s is no JSON", name)
		}
	}
}
