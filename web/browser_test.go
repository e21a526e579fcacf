package web

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium, steered over a pair of pipes.
type browser struct {
	t    *testing.T
	out  *os.File
	in   *bufio.Reader
	tab  string
	next int
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium here: the page is not driven in a browser")
	}
	toR, toW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromR, fromW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "profile")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	cmd.ExtraFiles = []*os.File{toR, fromW} // it reads 3 and writes 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toR.Close()
	fromW.Close()
	t.Cleanup(func() {
		toW.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		for range 40 { // its helpers write a moment longer than it lives
			if os.RemoveAll(profile) == nil {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		fromR.Close()
	})
	_ = fromR.SetReadDeadline(time.Now().Add(60 * time.Second))
	b := &browser{t: t, out: toW, in: bufio.NewReader(fromR)}
	var made struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	b.tab = attached.SessionID
	return b
}

// call asks the browser something and waits for the answer.
func (b *browser) call(method string, params map[string]any, into any) {
	b.t.Helper()
	b.next++
	ask := map[string]any{"id": b.next, "method": method, "params": params}
	if b.tab != "" {
		ask["sessionId"] = b.tab
	}
	text, _ := json.Marshal(ask)
	if _, err := b.out.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		text, err := b.in.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var answer struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(text[:len(text)-1], &answer); err != nil {
			b.t.Fatal(err)
		}
		if answer.ID != b.next {
			continue
		}
		if answer.Error != nil {
			b.t.Fatalf("%s: %s", method, answer.Error.Message)
		}
		if into != nil {
			if err := json.Unmarshal(answer.Result, into); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// eval is the value of an expression in the page; the page's own policy does not
// bind it.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		return ""
	}
	return fmt.Sprint(r.Result.Value)
}

// until waits for an expression to be true.
func (b *browser) until(what, expression string) {
	b.t.Helper()
	for range 200 {
		if b.eval(expression) == "true" {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.t.Fatalf("%s does not come; the page is\n%s", what, b.eval("document.body.innerText"))
}

func (b *browser) open(url string) {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	b.until(url, fmt.Sprintf("document.readyState==='complete' && location.href===%q", url))
}

// press presses a key as a person would; text is typed.
func (b *browser) press(key string) {
	b.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13}[key]
	down := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code}
	if key == "Enter" {
		down["text"] = "\r"
	}
	b.call("Input.dispatchKeyEvent", down, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
}

func (b *browser) write(text string) {
	b.t.Helper()
	b.call("Input.insertText", map[string]any{"text": text}, nil)
}

// tabTo goes by the Tab key to an element.
func (b *browser) tabTo(selector string) {
	b.t.Helper()
	for range 80 {
		if b.eval(fmt.Sprintf("document.activeElement.matches(%q)", selector)) == "true" {
			if ring := b.eval("getComputedStyle(document.activeElement).outlineStyle"); ring != "solid" {
				b.t.Errorf("%s has the focus, and it is not seen (%s)", selector, ring)
			}
			return
		}
		b.press("Tab")
	}
	b.t.Fatalf("no Tab leads to %s", selector)
}

func (b *browser) sees(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%q", text), fmt.Sprintf("document.readyState==='complete' && document.body.innerText.includes(%q)", text))
}

// A moderator's round in a browser, by keyboard alone: list, game and its map,
// login, extend, pause, audit.
func TestTheModeratorsRoundInABrowser(t *testing.T) {
	b := newBrowser(t)
	h := newHall(t)
	b.open(h.at.URL + "/")
	b.sees(h.running)
	b.tabTo(fmt.Sprintf("a[href='/games/%s']", h.running))
	b.press("Enter")
	b.sees("spectators are 1 turn(s) behind")
	b.until("the map", "document.querySelector('img').naturalWidth > 500")
	if w := b.eval("getComputedStyle(document.body).maxWidth"); w != "1216px" {
		t.Errorf("the style sheet does not count: %s", w)
	}
	if strings.Contains(b.eval("document.body.innerText"), "What you can do") {
		t.Error("a spectator is offered acts")
	}
	b.tabTo("a[href='/login']")
	b.press("Enter")
	b.until("the login", "!!document.querySelector('#name')")
	b.tabTo("#name")
	b.write("Anna")
	b.tabTo("#password")
	b.write(password)
	b.press("Enter")
	b.sees("Log Anna out")
	b.open(h.at.URL + "/games/" + h.running)
	b.tabTo("form[action$='/extend'] button")
	b.press("Enter")
	b.sees("the deadline of SOVIET is now")
	b.tabTo("#pause")
	b.write("the holidays")
	b.tabTo("form[action$='/pause'] button")
	b.press("Enter")
	b.sees("End the pause")
	b.tabTo("a[href='/audit']")
	b.press("Enter")
	b.sees("Anna (web)")
	b.sees("The log is whole")
	all, err := h.u.Audit(h.running)
	if err != nil || len(all) != 2 || all[0].Verb != "extend" || all[1].Verb != "pause" {
		t.Errorf("the audit log: %+v, %v", all, err)
	}
	// A telephone scrolls down, not sideways.
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": false}, nil)
	for _, path := range []string{"/", "/games/" + h.running, "/audit"} {
		b.open(h.at.URL + path)
		b.until(path+" without scrolling sideways", "document.documentElement.scrollWidth <= 360")
	}
}
