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

// chromium is steered by the DevTools protocol over a pair of pipes.
type chromium struct {
	out       *os.File
	in        *bufio.Reader
	tab       string
	next      int
	requested []string
}

// startChromium starts a browser and takes it away when the test ends.
func startChromium(t *testing.T) *chromium {
	t.Helper()
	path := installed(t, "chromium", "chromium-browser", "google-chrome")
	toR, toW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromR, fromW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile := newProfile(t)
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
		removed(profile)
		fromR.Close()
	})
	_ = fromR.SetReadDeadline(time.Now().Add(longest))
	c := &chromium{out: toW, in: bufio.NewReader(fromR)}
	var made struct{ TargetID string }
	if err := c.ask("Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		t.Fatal(err)
	}
	var attached struct{ SessionID string }
	if err := c.ask("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached); err != nil {
		t.Fatal(err)
	}
	c.tab = attached.SessionID
	return c
}

// ask puts a command and waits for its answer.
func (c *chromium) ask(method string, params map[string]any, into any) error {
	c.next++
	ask := map[string]any{"id": c.next, "method": method, "params": params}
	if c.tab != "" {
		ask["sessionId"] = c.tab
	}
	text, _ := json.Marshal(ask)
	if _, err := c.out.Write(append(text, 0)); err != nil {
		return err
	}
	for {
		text, err := c.in.ReadBytes(0)
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		var answer struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
			Method string
			Params struct{ Request struct{ URL string } }
		}
		if err := json.Unmarshal(text[:len(text)-1], &answer); err != nil {
			return err
		}
		if answer.Method == "Network.requestWillBeSent" {
			c.requested = append(c.requested, answer.Params.Request.URL)
		}
		switch {
		case answer.ID != c.next:
			continue
		case answer.Error != nil:
			return fmt.Errorf("%s: %s", method, answer.Error.Message)
		case into == nil:
			return nil
		}
		return json.Unmarshal(answer.Result, into)
	}
}

func (c *chromium) name() string { return "Chromium" }

func (c *chromium) eval(expression string) (string, error) {
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	err := c.ask("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if err != nil || r.ExceptionDetails != nil {
		return "", err
	}
	return fmt.Sprint(r.Result.Value), nil
}

func (c *chromium) open(url string) error {
	return c.ask("Page.navigate", map[string]any{"url": url}, nil)
}

// codes are those of keys that write nothing.
var codes = map[string]int{"Tab": 9, "Enter": 13, "Shift": 16, "Control": 17, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46}

// bits are those by which an event tells which keys are held.
var bits = map[string]int{"Control": 2, "Shift": 8}

func (c *chromium) press(key string, held []string) error {
	event := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
	modifiers := 0
	for _, h := range held {
		modifiers |= bits[h]
	}
	event["modifiers"] = modifiers
	switch {
	case key == "Enter":
		event["text"] = "\r"
	case codes[key] == 0 && modifiers&bits["Control"] == 0:
		event["text"] = key
	}
	if err := c.ask("Input.dispatchKeyEvent", event, nil); err != nil {
		return err
	}
	delete(event, "text")
	event["type"] = "keyUp"
	return c.ask("Input.dispatchKeyEvent", event, nil)
}

func (c *chromium) write(text string) error {
	return c.ask("Input.insertText", map[string]any{"text": text}, nil)
}

func (c *chromium) click(x, y float64, held []string) error {
	modifiers := 0
	for _, h := range held {
		modifiers |= bits[h]
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		err := c.ask("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1, "modifiers": modifiers}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *chromium) choose(selector, file string) error {
	var doc struct{ Root struct{ NodeID int } }
	var field struct{ NodeID int }
	if err := c.ask("DOM.getDocument", map[string]any{}, &doc); err != nil {
		return err
	}
	if err := c.ask("DOM.querySelector", map[string]any{"nodeId": doc.Root.NodeID, "selector": selector}, &field); err != nil {
		return err
	}
	return c.ask("DOM.setFileInputFiles", map[string]any{"nodeId": field.NodeID, "files": []string{file}}, nil)
}

func (c *chromium) size(width, height int) error {
	return c.ask("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

func (c *chromium) picture() ([]byte, error) {
	var shot struct{ Data []byte }
	err := c.ask("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	return shot.Data, err
}

func (c *chromium) listen() error { return c.ask("Network.enable", map[string]any{}, nil) }

func (c *chromium) requests() []string { return c.requested }
