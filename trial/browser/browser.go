// Package browser drives a headless Chromium in tests, over its debugging pipe.
package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Browser is a headless Chromium, steered over a pair of pipes.
type Browser struct {
	t    *testing.T
	out  *os.File
	in   *bufio.Reader
	tab  string
	next int
}

// New starts a browser, or skips the test where there is none.
func New(t *testing.T) *Browser {
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
	_ = fromR.SetReadDeadline(time.Now().Add(3 * time.Minute))
	b := &Browser{t: t, out: toW, in: bufio.NewReader(fromR)}
	var made struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	b.tab = attached.SessionID
	return b
}

// Call asks the browser something and waits for the answer.
func (b *Browser) Call(method string, params map[string]any, into any) {
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

// Eval is the value of an expression in the page; the page's own policy does not
// bind it.
func (b *Browser) Eval(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		return ""
	}
	return fmt.Sprint(r.Result.Value)
}

// Until waits for an expression to be true.
func (b *Browser) Until(what, expression string) {
	b.t.Helper()
	for range 2400 {
		if b.Eval(expression) == "true" {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.t.Fatalf("%s does not come; the page is\n%s", what, b.Eval("document.body.innerText"))
}

// Open goes to an address.
func (b *Browser) Open(url string) {
	b.t.Helper()
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
	b.Until(url, fmt.Sprintf("document.readyState==='complete' && location.href===%q", url))
}

// Press presses a key as a person would; text is typed.
func (b *Browser) Press(key string) {
	b.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13, "ArrowRight": 39}[key]
	down := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code}
	if key == "Enter" {
		down["text"] = "\r"
	}
	b.Call("Input.dispatchKeyEvent", down, nil)
	b.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
}

// Write types a text where the focus is.
func (b *Browser) Write(text string) {
	b.t.Helper()
	b.Call("Input.insertText", map[string]any{"text": text}, nil)
}

// TabTo goes by the Tab key to an element.
func (b *Browser) TabTo(selector string) {
	b.t.Helper()
	for range 80 {
		if b.Eval(fmt.Sprintf("document.activeElement.matches(%q)", selector)) == "true" {
			if ring := b.Eval("getComputedStyle(document.activeElement).outlineStyle"); ring != "solid" {
				b.t.Errorf("%s has the focus, and it is not seen (%s)", selector, ring)
			}
			return
		}
		b.Press("Tab")
	}
	b.t.Fatalf("no Tab leads to %s", selector)
}

// Sees waits for a text on the page.
func (b *Browser) Sees(text string) {
	b.t.Helper()
	b.Until(fmt.Sprintf("%q", text), fmt.Sprintf("document.readyState==='complete' && document.body.innerText.includes(%q)", text))
}

// Click presses the mouse on the middle of an element, as soon as nothing lies on it there.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	b.click(selector, fmt.Sprintf(`(()=>{const e=document.querySelector(%q);if(!e)return "";e.scrollIntoViewIfNeeded?.();const r=e.getBoundingClientRect(),X=r.left+r.width/2,Y=r.top+r.height/2;return e.contains(document.elementFromPoint(X,Y))?JSON.stringify({X,Y}):""})()`, selector))
}

// ClickThere presses the mouse where the middle of an element is, whatever takes it there.
func (b *Browser) ClickThere(selector string) {
	b.t.Helper()
	b.click(selector, fmt.Sprintf(`(()=>{const r=document.querySelector(%q)?.getBoundingClientRect();return r?JSON.stringify({X:r.left+r.width/2,Y:r.top+r.height/2}):""})()`, selector))
}

// click presses the mouse at the place that an expression gives as soon as it gives one.
func (b *Browser) click(what, place string) {
	b.t.Helper()
	b.Until(what+" in sight", place+` !== ""`)
	var at struct{ X, Y float64 }
	if err := json.Unmarshal([]byte(b.Eval(place)), &at); err != nil {
		b.t.Fatalf("%s is nowhere: %v", what, err)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
}

// Choose puts a file into a field.
func (b *Browser) Choose(selector, file string) {
	b.t.Helper()
	var doc struct{ Root struct{ NodeID int } }
	b.Call("DOM.getDocument", map[string]any{}, &doc)
	var field struct{ NodeID int }
	b.Call("DOM.querySelector", map[string]any{"nodeId": doc.Root.NodeID, "selector": selector}, &field)
	b.Call("DOM.setFileInputFiles", map[string]any{"nodeId": field.NodeID, "files": []string{file}}, nil)
}

// Size makes the window as large as a screen, a telephone's or another.
func (b *Browser) Size(width, height int) {
	b.t.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}
