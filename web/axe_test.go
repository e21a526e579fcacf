package web

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"fieldpost/trial/browser"
)

// A moderator on a telephone's width and at a desk looks inside, answers a player's letter, tries an
// edit and sees it, and sends a report again; no page that they meet has a fault that axe-core finds.
func TestAModeratorAnswersEditsAndSendsAgain(t *testing.T) {
	axe, err := os.ReadFile("../desk/dist/testdata/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	h := newHall(t)
	h.s.config.PublicLadder = true
	h.at.Config.Handler = h.s.Handler()
	letter := "From: player@example.org\r\nTo: umpire@example.org\r\nSubject: Re: [" + h.running + "] a question\r\nMessage-ID: <q1@example.org>\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\n\r\nMay I have two days more?\r\n"
	if _, err := h.u.Ingest(t.Context(), []byte(letter)); err != nil {
		t.Fatal(err)
	}
	b := browser.New(t)
	clean := func(page string) {
		t.Helper()
		b.Eval(string(axe))
		b.Eval("window.axed = undefined; axe.run(document, {resultTypes: ['violations']}).then(r => { window.axed = r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')).join('\\n') })")
		b.Until("what axe-core finds", "window.axed !== undefined")
		if found := b.Eval("window.axed"); found != "" {
			t.Errorf("%s:\n%s", page, found)
		}
	}
	b.Open(h.at.URL + "/login")
	clean("/login")
	b.TabTo("#name")
	b.Write("Anna")
	b.TabTo("#password")
	b.Write(password)
	b.Press("Enter")
	b.Sees("Log Anna out")
	game := h.at.URL + "/games/" + h.running
	for _, width := range []int{1200, 390} {
		b.Size(width, 850)
		if width == 1200 {
			b.Open(game + "/inside")
			clean("asked before looking inside")
			b.Click("form.narrow button")
		} else {
			b.Open(game + "/inside")
		}
		b.Sees("Mail that went out")
		clean("inside")
		b.Click("a[href*='/inside/in/']")
		b.Sees("May I have two days more?")
		clean("a letter")
		b.Click("#answer")
		b.Write("One more day, and greetings.")
		b.Click("form[action$='/message'] button")
		b.Until("the answer sent", "location.pathname.endsWith('/message') && !document.querySelector('.fault')")
		b.Open(game)
		clean("a game")
		b.Eval("document.querySelector('form[action$=\"/edit\"]').closest('details').open = true")
		b.Click("#edit")
		b.Write("PUT 227 INF 1504")
		b.Click("form[action$='/edit'] button[name=dry]")
		b.Sees("Nothing was done")
		b.Until("the map as the edit would make it", "document.querySelector('img[src*=\"edit=\"]').naturalWidth > 500")
		clean("an edit that is tried")
		b.Open(game + "/inside")
		b.Click("form[action$='/resend'] button")
		b.Sees("on its way")
		for _, path := range []string{"/", "/gallery", "/ladder", "/tournaments", "/audit", "/new", "/new?scenario=kharkov-1942", "/games/" + h.over, "/games/" + h.over + "/turns/1"} {
			b.Open(h.at.URL + path)
			if width < 1000 {
				clean(path)
			}
			b.Until(path+" without scrolling sideways", "document.documentElement.scrollWidth <= innerWidth")
		}
	}
	h.cookie = "" // what went out, by another door
	token := h.login()
	h.do("POST", "/games/"+h.running+"/inside", url.Values{"token": {token}})
	if _, text, _ := h.do("GET", "/games/"+h.running+"/inside", nil); strings.Count(text, ">moderator</a>")+strings.Count(text, ">message</a>") < 2 {
		t.Errorf("the answers did not go out:\n%s", text)
	}
}
