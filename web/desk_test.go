package web

import (
	"net/http/httptest"
	"strings"
	"testing"

	"fieldpost/desk/dist"
)

// The order desk may have a host of its own: there is nothing else there, and the club's page leads
// to it.
func TestTheDeskHasAnOriginOfItsOwn(t *testing.T) {
	h := newHall(t)
	h.s.config.DeskHost = "desk.example.org"
	pages := h.s.Handler()
	ask := func(url, forwarded string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", url, nil)
		if forwarded != "" {
			r.Header.Set("X-Forwarded-Proto", forwarded)
		}
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		return w
	}
	shown := 200
	if _, err := dist.Sum(); err != nil {
		shown = 404 // built without its engine
	}
	for _, c := range []struct {
		url, forwarded string
		code           int
		to             string
	}{
		{"http://games.example.org/desk", "", 302, "https://desk.example.org/desk"},
		{"http://games.example.org/desk", "http", 302, "http://desk.example.org/desk"},
		{"http://games.example.org/desk", "javascript", 302, "https://desk.example.org/desk"},
		{"http://games.example.org/desk/desk.html", "", 302, "https://desk.example.org/desk/desk.html"},
		{"http://games.example.org/", "", 200, ""},
		{"http://desk.example.org/", "", 302, "/desk"},
		{"http://Desk.Example.org:8443/desk", "", shown, ""},
		{"http://desk.example.org/games/" + h.running, "", 404, ""},
		{"http://desk.example.org/login", "", 404, ""},
		{"http://desk.example.org/desk/nothing", "", 404, ""},
	} {
		w := ask(c.url, c.forwarded)
		if w.Code != c.code || w.Header().Get("Location") != c.to {
			t.Errorf("%s (%s): %d to %q, want %d to %q", c.url, c.forwarded, w.Code, w.Header().Get("Location"), c.code, c.to)
		}
		if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || w.Header().Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: the policy is %q", c.url, policy)
		}
	}
}
