package browser

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"golang.org/x/net/websocket"
)

// firefox is steered by WebDriver BiDi (W3C) over a WebSocket.
type firefox struct {
	to        *websocket.Conn
	tab       string
	next      int
	requested []string
}

// preferences keep it from asking anybody for anything.
const preferences = `user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.normandy.enabled", false);
user_pref("browser.download.useDownloadDir", false);
`

// listens is the line by which it tells where it can be steered.
var listens = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// startFirefox starts a browser and takes it away when the test ends.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	path := installed(t, "firefox-esr", "firefox")
	profile := newProfile(t)
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "--remote-allow-origins=http://localhost", "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+profile, "MOZ_CRASHREPORTER_DISABLE=1")
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		removed(profile)
	})
	at, err := address(said)
	if err != nil {
		t.Fatal(err)
	}
	f := &firefox{}
	if f.to, err = websocket.Dial(at+"/session", "", "http://localhost"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.to.Close() })
	_ = f.to.SetDeadline(time.Now().Add(longest))
	if err := f.begin(); err != nil {
		t.Fatal(err)
	}
	return f
}

// address waits for the line that tells it.
func address(said io.Reader) (string, error) {
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if found := listens.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, said) }()
			return found[1], nil
		}
	}
	return "", fmt.Errorf("Firefox ended before it could be steered: %v", lines.Err())
}

// begin opens a session and a tab: in the one that is there from the start the field for
// addresses keeps the focus, and no key does anything.
func (f *firefox) begin() error {
	if err := f.ask("session.new", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		return err
	}
	var made struct{ Context string }
	err := f.ask("browsingContext.create", map[string]any{"type": "tab", "background": false}, &made)
	f.tab = made.Context
	return err
}

// ask puts a command and waits for its answer.
func (f *firefox) ask(method string, params map[string]any, into any) error {
	f.next++
	if err := websocket.JSON.Send(f.to, map[string]any{"id": f.next, "method": method, "params": params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	for {
		var answer struct {
			Type    string
			ID      int
			Result  json.RawMessage
			Message string
			Method  string
			Params  struct{ Request struct{ URL string } }
		}
		if err := websocket.JSON.Receive(f.to, &answer); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		if answer.Method == "network.beforeRequestSent" {
			f.requested = append(f.requested, answer.Params.Request.URL)
		}
		switch {
		case answer.Type == "event" || answer.ID != f.next:
			continue
		case answer.Type == "error":
			return fmt.Errorf("%s: %s", method, answer.Message)
		case into == nil:
			return nil
		}
		return json.Unmarshal(answer.Result, into)
	}
}

func (f *firefox) name() string { return "Firefox" }

// evaluated is a value as BiDi writes it.
type evaluated struct {
	Type   string
	Result struct {
		Value    any
		SharedID string
	}
}

func (f *firefox) evaluate(expression string) (evaluated, error) {
	var r evaluated
	err := f.ask("script.evaluate", map[string]any{"expression": expression, "target": map[string]any{"context": f.tab}, "awaitPromise": false}, &r)
	return r, err
}

func (f *firefox) eval(expression string) (string, error) {
	r, err := f.evaluate(expression)
	if err != nil || r.Type == "exception" {
		return "", err
	}
	return fmt.Sprint(r.Result.Value), nil
}

func (f *firefox) open(url string) error {
	return f.ask("browsingContext.navigate", map[string]any{"context": f.tab, "url": url, "wait": "none"}, nil)
}

// letters are those that stand for keys which write nothing (WebDriver, 17.4.2).
var letters = map[string]string{"Tab": "\uE004", "Enter": "\uE007", "Shift": "\uE008", "Control": "\uE009", "Escape": "\uE00C",
	"ArrowLeft": "\uE012", "ArrowUp": "\uE013", "ArrowRight": "\uE014", "ArrowDown": "\uE015", "Delete": "\uE017"}

func (f *firefox) perform(device string, actions ...map[string]any) error {
	return f.ask("input.performActions", map[string]any{"context": f.tab, "actions": []map[string]any{{"type": device, "id": device, "actions": actions}}}, nil)
}

// keys are presses or releases of keys.
func keys(kind string, names ...string) (actions []map[string]any) {
	for _, name := range names {
		actions = append(actions, map[string]any{"type": kind, "value": cmp.Or(letters[name], name)})
	}
	return actions
}

func (f *firefox) press(key string, held []string) error {
	all := append(held, key)
	return f.perform("key", append(keys("keyDown", all...), keys("keyUp", all...)...)...)
}

// write types all at once, as an input method does.
func (f *firefox) write(text string) error {
	quoted, _ := json.Marshal(text)
	_, err := f.evaluate("document.execCommand('insertText', false, " + string(quoted) + ")")
	return err
}

func (f *firefox) click(x, y float64, held []string) error {
	if len(held) > 0 {
		if err := f.perform("key", keys("keyDown", held...)...); err != nil {
			return err
		}
		defer func() { _ = f.perform("key", keys("keyUp", held...)...) }()
	}
	return f.perform("pointer", map[string]any{"type": "pointerMove", "x": int(x), "y": int(y)},
		map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0})
}

func (f *firefox) choose(selector, file string) error {
	field, err := f.evaluate(fmt.Sprintf("document.querySelector(%q)", selector))
	if err != nil {
		return err
	}
	return f.ask("input.setFiles", map[string]any{"context": f.tab, "element": map[string]any{"sharedId": field.Result.SharedID}, "files": []string{file}}, nil)
}

func (f *firefox) size(width, height int) error {
	return f.ask("browsingContext.setViewport", map[string]any{"context": f.tab, "viewport": map[string]any{"width": width, "height": height}}, nil)
}

func (f *firefox) picture() ([]byte, error) {
	var shot struct{ Data string }
	if err := f.ask("browsingContext.captureScreenshot", map[string]any{"context": f.tab}, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot.Data)
}

func (f *firefox) listen() error {
	return f.ask("session.subscribe", map[string]any{"events": []string{"network.beforeRequestSent"}}, nil)
}

func (f *firefox) requests() []string { return f.requested }
