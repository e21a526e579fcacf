// Package browser drives a headless Chromium or Firefox in tests, as whoever sits before it does.
package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Browser is a headless browser with one tab.
type Browser struct {
	t      *testing.T
	driver driver
}

// driver is what steers a browser.
type driver interface {
	name() string
	eval(expression string) (string, error)
	open(url string) error
	press(key string, held []string) error
	write(text string) error
	click(x, y float64, held []string) error
	choose(selector, file string) error
	size(width, height int) error
	picture() ([]byte, error)
	listen() error
	requests() []string
}

// longest is how long a browser runs.
const longest = 10 * time.Minute

// New starts the browser that FIELDPOST_BROWSER names, chromium unless that is set, or skips the
// test where there is none.
func New(t *testing.T) *Browser {
	t.Helper()
	switch named := os.Getenv("FIELDPOST_BROWSER"); named {
	case "", "chromium":
		return Chromium(t)
	case "firefox":
		return Firefox(t)
	default:
		t.Fatalf("FIELDPOST_BROWSER is chromium or firefox, not %q", named)
		return nil
	}
}

// Chromium starts one, or skips the test.
func Chromium(t *testing.T) *Browser {
	t.Helper()
	return &Browser{t: t, driver: startChromium(t)}
}

// Firefox starts one, or skips the test.
func Firefox(t *testing.T) *Browser {
	t.Helper()
	return &Browser{t: t, driver: startFirefox(t)}
}

// installed is the first of the programs that is there.
func installed(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no %s here: the page is not driven in it", names[0])
	return ""
}

// newProfile is a folder that a browser may fill.
func newProfile(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "profile")
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// removed takes a profile away: helpers write into it a moment longer than the browser lives.
func removed(profile string) {
	for range 40 {
		if os.RemoveAll(profile) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// must ends the test at a fault of the browser.
func (b *Browser) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%s: %v", b.driver.name(), err)
	}
}

// IsChromium tells whether Call is understood.
func (b *Browser) IsChromium() bool {
	_, is := b.driver.(*chromium)
	return is
}

// Call asks a Chromium something by its own protocol and waits for the answer.
func (b *Browser) Call(method string, params map[string]any, into any) {
	b.t.Helper()
	c, is := b.driver.(*chromium)
	if !is {
		b.t.Fatalf("%s is asked of %s", method, b.driver.name())
	}
	b.must(c.ask(method, params, into))
}

// Eval is the value of an expression in the page; the page's own policy does not
// bind it.
func (b *Browser) Eval(expression string) string {
	b.t.Helper()
	value, err := b.driver.eval(expression)
	b.must(err)
	return value
}

// Until waits for an expression to be true, on the page that is there or the one that comes after it.
func (b *Browser) Until(what, expression string) {
	b.t.Helper()
	for range 2400 {
		value, err := b.driver.eval(expression)
		if err != nil && !isLeaving(err) {
			b.must(err)
		}
		if value == "true" {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.t.Fatalf("%s does not come; the page is\n%s", what, b.Eval("document.body.innerText"))
}

// isLeaving tells whether something could not be asked of a page because another one takes its place.
func isLeaving(err error) bool {
	return strings.Contains(err.Error(), "navigated or closed") || strings.Contains(err.Error(), "context was destroyed")
}

// Open goes to an address.
func (b *Browser) Open(url string) {
	b.t.Helper()
	b.must(b.driver.open(url))
	b.Until(url, fmt.Sprintf("document.readyState==='complete' && location.href===%q", url))
}

// Press presses a key as a person would: a letter, or a name such as Enter, behind keys that
// are held with it, "Shift+Enter".
func (b *Browser) Press(key string) {
	b.t.Helper()
	keys := strings.Split(key, "+")
	if key == "+" {
		keys = []string{key}
	}
	b.must(b.driver.press(keys[len(keys)-1], keys[:len(keys)-1]))
}

// Write types a text where the focus is.
func (b *Browser) Write(text string) {
	b.t.Helper()
	b.must(b.driver.write(text))
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
		b.tab()
	}
	b.t.Fatalf("no Tab leads to %s", selector)
}

// tab presses Tab and waits a second at most until the focus has moved: a busy browser moves it later than
// it takes the key, and where a second one is pressed meanwhile it leaves the page.
func (b *Browser) tab() {
	b.t.Helper()
	b.Eval("void (window.focusWas = document.activeElement)")
	b.Press("Tab")
	for range 40 {
		if b.Eval("document.activeElement !== window.focusWas") == "true" {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// Sees waits for a text on the page.
func (b *Browser) Sees(text string) {
	b.t.Helper()
	b.Until(fmt.Sprintf("%q", text), fmt.Sprintf("document.readyState==='complete' && document.body.innerText.includes(%q)", text))
}

// Click presses the mouse on the middle of an element, as soon as nothing lies on it there.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	b.click(selector, fmt.Sprintf(`(()=>{const e=document.querySelector(%q);if(!e)return "";e.scrollIntoViewIfNeeded?e.scrollIntoViewIfNeeded():e.scrollIntoView({block:"nearest"});const r=e.getBoundingClientRect(),X=r.left+r.width/2,Y=r.top+r.height/2;return e.contains(document.elementFromPoint(X,Y))?JSON.stringify({X,Y}):""})()`, selector), nil)
}

// ClickThere presses the mouse where the middle of an element is, whatever takes it there, with
// keys that are held.
func (b *Browser) ClickThere(selector string, held ...string) {
	b.t.Helper()
	b.click(selector, fmt.Sprintf(`(()=>{const r=document.querySelector(%q)?.getBoundingClientRect();return r?JSON.stringify({X:r.left+r.width/2,Y:r.top+r.height/2}):""})()`, selector), held)
}

// click presses the mouse at the place that an expression gives as soon as it gives one.
func (b *Browser) click(what, place string, held []string) {
	b.t.Helper()
	b.Until(what+" in sight", place+` !== ""`)
	var at struct{ X, Y float64 }
	if err := json.Unmarshal([]byte(b.Eval(place)), &at); err != nil {
		b.t.Fatalf("%s is nowhere: %v", what, err)
	}
	b.must(b.driver.click(at.X, at.Y, held))
}

// Choose puts a file into a field.
func (b *Browser) Choose(selector, file string) {
	b.t.Helper()
	b.must(b.driver.choose(selector, file))
}

// Size makes the window as large as a screen, a telephone's or another.
func (b *Browser) Size(width, height int) {
	b.t.Helper()
	b.must(b.driver.size(width, height))
}

// Picture is what the browser shows, as PNG.
func (b *Browser) Picture() []byte {
	b.t.Helper()
	png, err := b.driver.picture()
	b.must(err)
	return png
}

// Listen has the browser tell from now on what it asks of a network.
func (b *Browser) Listen() {
	b.t.Helper()
	b.must(b.driver.listen())
}

// Requests are the addresses that were asked of a network since [Browser.Listen], as the
// browser's own log has them.
func (b *Browser) Requests() (out []string) {
	b.t.Helper()
	b.Eval("0") // what it tells before its answer has come
	for _, url := range b.driver.requests() {
		local := strings.HasPrefix(url, "blob:") || strings.HasPrefix(url, "data:") || strings.HasPrefix(url, "file:")
		if !local {
			out = append(out, url)
		}
	}
	return out
}
