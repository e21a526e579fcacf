package dist

import (
	"fmt"
	"os"
	"testing"

	"fieldpost/trial/browser"
)

// Every screen of the desk, light and dark, wide and narrow, is without a fault that axe-core
// finds. It is used here alone, as it was published (testdata/axe-core/ORIGIN.tsv).
func TestScreensAreAccessible(t *testing.T) {
	_, report := kharkov(t)
	empty, url := served(t, nil), served(t, report)
	b := browser.New(t)
	look := func(screen string) {
		t.Helper()
		axed(t, b, screen)
	}
	b.Size(1360, 850)
	b.Open(empty)
	b.Until("the page", "!!document.querySelector('#report-file')")
	b.Until("the scenarios", "document.querySelectorAll('#scenario option').length > 10")
	b.Eval("document.querySelector('#scenario').value = 'star-and-gallop'; document.querySelector('#scenario').dispatchEvent(new Event('change', {bubbles: true}))")
	b.Until("its sides", "document.querySelectorAll('[data-side]').length === 2")
	look("welcome")
	b.Click("#to-join")
	b.Click("#by-new")
	look("join")
	b.Open(empty)
	b.Until("the lesson", "!!document.querySelector('#lesson')")
	b.Click("#lesson")
	b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
	b.Click("#lesson-next")
	unit(b, "124 INF")
	look("lesson")
	b.Click("#propose")
	b.Until("the staff's proposal", "document.querySelectorAll('.lines .ok').length > 20")
	b.Click("#done")
	b.Until("DONE", "document.querySelector('#done').checked")
	b.Click("#play")
	b.Until("the report", "!!document.querySelector('.story')")
	replayed(t, b)
	look("story")
	b.Open(url)
	b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
	b.Click("#find")
	b.Write("13/XXII")
	b.Press("Enter")
	b.Until("the choices", "!!document.querySelector('.ways')")
	b.Eval("[...document.querySelectorAll('details')].forEach(d => d.open = true)")
	b.Click(".ways button")
	b.Until("the order", "!!document.querySelector('.lines .ok')")
	b.Click(".lines .order")
	b.Until("what may be added", "document.querySelectorAll('.chips button').length > 1")
	look("turn")
	b.Click(".sheet .bar button")
	b.Click("#send")
	b.Click("#make")
	b.Until("the mail", "!!document.querySelector('#block')")
	look("send")
	b.Eval("document.querySelector('dialog').insertAdjacentHTML('beforeend', '<button></button>'); window.axed = undefined; axe.run().then(r => { window.axed = r.violations.map(v => v.id).join(' ') })")
	b.Until("the fault that was made", "window.axed?.includes('button-name')")
}

// axed has axe-core look at a screen, light and dark, wide and narrow.
func axed(t *testing.T, b *browser.Browser, screen string) {
	t.Helper()
	if !b.IsChromium() {
		return // the schemes of colours are asked of Chromium
	}
	axe, err := os.ReadFile("testdata/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	b.Eval(string(axe))
	for _, scheme := range []string{"light", "dark"} {
		b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
		for _, width := range []int{1360, 390} {
			b.Size(width, 850)
			b.Eval("window.axed = undefined; axe.run(document, {resultTypes: ['violations']}).then(r => { window.axed = r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + n.any.concat(n.all).map(x => x.message).join('; ').slice(0, 200)).join(' | ')).join('\\n') })")
			b.Until("what axe-core finds", "window.axed !== undefined")
			if found := b.Eval("window.axed"); found != "" {
				t.Errorf("%s, %s, %d wide:\n%s", screen, scheme, width, found)
			}
			picture(t, b, fmt.Sprintf("%s-%s-%d", screen, scheme, width))
		}
	}
	b.Size(1360, 850)
}
