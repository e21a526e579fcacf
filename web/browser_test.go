package web

import (
	"fmt"
	"strings"
	"testing"

	"fieldpost/trial/browser"
)

// A moderator's round in a browser, by keyboard alone: list, game and its map,
// login, extend, pause, audit.
func TestTheModeratorsRoundInABrowser(t *testing.T) {
	b := browser.New(t)
	h := newHall(t)
	b.Open(h.at.URL + "/")
	b.Sees(h.running)
	b.TabTo(fmt.Sprintf("a[href='/games/%s']", h.running))
	b.Press("Enter")
	b.Sees("spectators are 1 turn(s) behind")
	b.Until("the map", "document.querySelector('img').naturalWidth > 500")
	if w := b.Eval("getComputedStyle(document.body).maxWidth"); w != "1216px" {
		t.Errorf("the style sheet does not count: %s", w)
	}
	if strings.Contains(b.Eval("document.body.innerText"), "What you can do") {
		t.Error("a spectator is offered acts")
	}
	b.TabTo("a[href='/login']")
	b.Press("Enter")
	b.Until("the login", "!!document.querySelector('#name')")
	b.TabTo("#name")
	b.Write("Anna")
	b.TabTo("#password")
	b.Write(password)
	b.Press("Enter")
	b.Sees("Log Anna out")
	b.Open(h.at.URL + "/games/" + h.running)
	b.TabTo("form[action$='/extend'] button")
	b.Press("Enter")
	b.Sees("the deadline of SOVIET is now")
	b.TabTo("#pause")
	b.Write("the holidays")
	b.TabTo("form[action$='/pause'] button")
	b.Press("Enter")
	b.Sees("End the pause")
	b.TabTo("a[href='/audit']")
	b.Press("Enter")
	b.Until("the audit log", "location.pathname === '/audit'")
	b.Sees("Anna (web)")
	b.Sees("The log is whole")
	all, err := h.u.Audit(h.running)
	if err != nil || len(all) != 2 || all[0].Verb != "extend" || all[1].Verb != "pause" {
		t.Errorf("the audit log: %+v, %v", all, err)
	}
	// The game is set back: first what that would do, then with a reason.
	b.Open(h.at.URL + "/games/" + h.running)
	b.Eval("document.querySelector('form[action$=\"/rollback\"]').closest('details').open = true")
	b.TabTo("#rollback")
	b.Write("before SOVIET turn 1")
	b.TabTo("form[action$='/rollback'] button[name=dry]")
	b.Press("Enter")
	b.Sees("Nothing was done")
	b.TabTo("#rollback")
	b.Write("before SOVIET turn 1: we begin anew")
	b.TabTo("form[action$='/rollback'] button:not([name])")
	b.Press("Enter")
	b.Until("the game set back, not only tried", `document.body.innerText.includes("The moderator sets the game back") && !document.body.innerText.includes("Nothing was done")`)
	// What is hidden is asked for twice.
	b.Open(h.at.URL + "/games/" + h.running + "/inside")
	b.TabTo("form.narrow button")
	b.Press("Enter")
	b.Sees("Mail that went out")
	// A new game, from the list of scenarios on.
	b.Open(h.at.URL + "/new?scenario=kharkov-1942")
	b.TabTo("#o-deadline")
	b.Write("2d")
	b.TabTo("form[action='/new'] button")
	b.Press("Enter")
	b.Sees("deadline = 2d")
	b.TabTo("#invite")
	b.Write("ann@example.org Ann")
	b.TabTo("form[action$='/invite'] button")
	b.Press("Enter")
	b.Sees("a player is invited for SOVIET")
	// A telephone scrolls down, not sideways.
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": false}, nil)
	for _, path := range []string{"/", "/games/" + h.running, "/games/" + h.running + "/inside", "/new?scenario=kharkov-1942", "/audit"} {
		b.Open(h.at.URL + path)
		b.Until(path+" without scrolling sideways", "document.documentElement.scrollWidth <= 360")
	}
}
