package dist

import (
	"fmt"
	"strings"
	"testing"

	"fieldpost/trial/browser"
)

// What lies over the map is switched one by one, with the mouse and the keyboard, and stays so; the small
// map shows where one is and goes where it is clicked; the odds of an attack stand on its hex while it is
// put together.
func TestTheLayersOfTheMapInABrowser(t *testing.T) {
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			_, report := kharkov(t)
			url := served(t, report)
			b := browser.New(t)
			b.Size(screen.width, screen.height)
			b.Open(url)
			ready := "!!document.documentElement.dataset.ready"
			b.Until("the sheet is judged", ready)
			b.Listen()
			has := func(group string) string {
				return fmt.Sprintf("!!document.querySelector('.over #%s')", group)
			}
			b.Until("the usual layers", has("front")+" && !"+has("zoc"))
			b.Until("each name once more over its halo", "[...document.querySelectorAll('.over text[stroke]')].every(t => t.nextElementSibling.textContent === t.textContent && !t.nextElementSibling.hasAttribute('stroke'))")
			b.TabTo("#to-layers")
			b.Press("Enter")
			b.Until("the list of layers", "document.activeElement?.dataset.layer === 'units'")
			b.Press(" ")
			b.Until("the ground without counters", "document.querySelectorAll('.over [data-unit]').length === 0")
			b.Press(" ")
			b.Until("the counters", "document.querySelectorAll('.over [data-unit]').length > 50")
			for _, layer := range []string{"zoc", "supply"} {
				b.Click("[data-layer=" + layer + "]")
				b.Until(layer, has(layer))
			}
			b.Click("[data-layer=front]")
			b.Until("no front", "!"+has("front"))
			picture(t, b, "layers-list-"+screen.name)
			axed(t, b, "layers-"+screen.name)
			b.Size(screen.width, screen.height)
			b.TabTo("[data-layer=zoc]")
			b.Press("Escape")
			b.Until("the list is closed", "!document.querySelector('#layers') && document.activeElement.id === 'to-layers'")
			b.Click("#find")
			b.Write("2406")
			b.Press("Enter")
			b.Until("the ground in words", "/zone of control of SOVIET and GERMAN/.test(document.querySelector('.ground')?.textContent)")
			picture(t, b, "layers-shown-"+screen.name)

			frame := "document.querySelector('.in-sight').style.cssText"
			b.Until("the small map", "!!document.querySelector('.small-map')")
			was, at := b.Eval(frame), b.Eval("document.querySelector('.world').style.transform")
			b.Click(".small-map")
			b.Until("another part of the map", fmt.Sprintf("document.querySelector('.world').style.transform !== %q && %s !== %q", at, frame, was))
			b.Eval("[...document.querySelectorAll('.zoom button')].find(b => b.textContent === 'Fit').click()")
			b.Until("no small map beside the whole one", "!document.querySelector('.small-map')")

			if asked := b.Requests(); len(asked) > 0 {
				t.Errorf("the page asks for %v", asked)
			}
			b.Open(url)
			b.Until("the sheet is judged", ready)
			b.Until("the layers that were chosen", has("zoc")+" && !"+has("front"))
			b.Click("#to-layers")
			b.Until("the list of layers again", "document.activeElement?.dataset.layer === 'units'")
			press(b, ".layers button", "As usual")
			b.Until("the usual layers", has("front")+" && !"+has("zoc"))
			press(b, ".layers button", "Close")

			unit(b, "124 INF")
			press(b, ".ways button", "2406")
			badge := "document.querySelector('[data-odds=\"2505\"]')"
			unit(b, "300 INF")
			b.Until("the odds that are offered", badge+"?.classList.contains('offered')")
			press(b, ".offers button", "ATTACK 2505 WITH 300 INF")
			b.Until("the odds of the sheet", "!"+badge+"?.classList.contains('offered')")
			alone := b.Eval(badge + ".textContent")
			unit(b, "124 INF")
			b.Until("the odds with both", badge+"?.classList.contains('offered') && "+badge+fmt.Sprintf(".textContent !== %q", alone))
			joined := b.Eval(badge + ".textContent")
			picture(t, b, "odds-"+screen.name)
			press(b, ".offers button", "ATTACK 2505 WITH 124 INF")
			b.Until("both on the sheet", "[...document.querySelectorAll('.lines code')].some(c => c.textContent === '2505 WITH 300 INF, 124 INF')")
			b.Until("its odds", fmt.Sprintf("!%s.classList.contains('offered') && %s.textContent === %q", badge, badge, joined))
			column, _, _ := strings.Cut(joined, " ")
			if said := b.Eval("document.querySelector('.lines').innerText"); !strings.Contains(column, ":") || !strings.Contains(said, column[:3]) {
				t.Errorf("on the map stands %s, on the sheet %s", joined, said)
			}
			if b.Eval("document.documentElement.scrollWidth <= innerWidth") != "true" {
				t.Error("the page scrolls sideways")
			}
		})
	}
}
