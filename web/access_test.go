package web

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Every page can be used by ear and by keyboard: labels, headings, tables with
// heads, pictures with words, nothing that needs a pointer.
func TestPagesCanBeUsedByEarAndKeyboard(t *testing.T) {
	h := newHall(t)
	check := func(path string) {
		t.Helper()
		_, text, _ := h.do("GET", path, nil)
		doc, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults(doc) {
			t.Errorf("%s: %s", path, f)
		}
	}
	all := []string{"/", "/gallery", "/games/" + h.running, "/games/" + h.over, "/games/" + h.over + "/turns/1", "/nothing"}
	for _, path := range append(all, "/login") {
		check(path)
	}
	token := h.login()
	for _, path := range append(all, "/audit", "/ladder") {
		check(path)
	}
	if code, _, _ := h.do("POST", "/games/"+h.running+"/pause", url.Values{"token": {token}}); code != http.StatusOK {
		t.Fatal(code)
	}
	check("/games/" + h.running)
}

// The check must be able to fail.
func TestTheAccessibilityCheckBites(t *testing.T) {
	for text, want := range map[string]string{
		`<input name="x">`:              "no label",
		`<img src="x">`:                 "no words",
		`<h1>a</h1><h3>b</h3>`:          "skips a level",
		`<table><tr><th>a</th></table>`: "no scope",
		`<div onclick="x()">a</div>`:    "onclick",
		`<p tabindex="3">a</p>`:         "order of the page",
		`<button></button>`:             "says nothing",
		`<p id="a"></p><p id="a"></p>`:  "twice",
	} {
		doc, _ := html.Parse(strings.NewReader(text))
		if got := strings.Join(faults(doc), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: %q is not found: %s", text, want, got)
		}
	}
}

func faults(doc *html.Node) (out []string) {
	labels, ids, level, h1 := map[string]bool{}, map[string]bool{}, 0, 0
	var title, main, lang bool
	walk(doc, func(n *html.Node) {
		if n.Data == "label" && words(n) != "" {
			labels[attr(n, "for")] = true
		}
	})
	walk(doc, func(n *html.Node) {
		bad := func(format string, a ...any) {
			out = append(out, fmt.Sprintf("<%s>: ", n.Data)+fmt.Sprintf(format, a...))
		}
		if id := attr(n, "id"); id != "" {
			if ids[id] {
				bad("the id %s is there twice", id)
			}
			ids[id] = true
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") {
				bad("%s needs a script", a.Key)
			}
		}
		if i, _ := strconv.Atoi(attr(n, "tabindex")); i > 0 {
			bad("tabindex %d breaks the order of the page", i)
		}
		switch n.Data {
		case "html":
			lang = attr(n, "lang") != ""
		case "title":
			title = words(n) != ""
		case "main":
			main = true
		case "h1", "h2", "h3":
			now := int(n.Data[1] - '0')
			if now > level+1 {
				bad("skips a level of headings")
			}
			if level = now; now == 1 {
				h1++
			}
		case "input", "select", "textarea":
			if attr(n, "type") != "hidden" && !labels[attr(n, "id")] {
				bad("%s has no label", attr(n, "name"))
			}
		case "img":
			if attr(n, "alt") == "" {
				bad("%s has no words", attr(n, "src"))
			}
		case "th":
			if attr(n, "scope") == "" {
				bad("%s has no scope", words(n))
			}
		case "a", "button":
			if words(n) == "" {
				bad("says nothing")
			}
		}
	})
	if !lang || !title || !main || h1 != 1 {
		out = append(out, fmt.Sprintf("the page: language %v, title %v, main %v, %d h1", lang, title, main, h1))
	}
	return out
}

func walk(n *html.Node, f func(*html.Node)) {
	if n.Type == html.ElementNode {
		f(n)
	}
	for c := range n.ChildNodes() {
		walk(c, f)
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func words(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data)
	}
	var out []string
	for c := range n.ChildNodes() {
		if w := words(c); w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

var (
	rule      = regexp.MustCompile(`(?m)^([^{}@]+)\{([^}]*)\}`)
	colourOf  = regexp.MustCompile(`(?:^|[ ;])color: (#[0-9a-f]{6})`)
	backOf    = regexp.MustCompile(`background: (#[0-9a-f]{6})`)
	anyColour = regexp.MustCompile(`#[0-9a-f]{6}\b`)
)

// Text stands out from its ground, 4.5 to 1 (WCAG 2.2, 1.4.3), lines 3 to 1, and
// what has the focus is seen.
func TestContrast(t *testing.T) {
	css, err := os.ReadFile("style.css")
	if err != nil {
		t.Fatal(err)
	}
	grounds := []string{"#fbfaf5", "#efecdf"} // of the page and of bands
	pairs := 0
	for _, r := range rule.FindAllStringSubmatch(string(css), -1) {
		ink := colourOf.FindStringSubmatch(r[2])
		if ink == nil {
			continue
		}
		on := grounds
		if back := backOf.FindStringSubmatch(r[2]); back != nil {
			on = []string{back[1]}
		}
		for _, ground := range on {
			if c := contrast(ink[1], ground); c < 4.5 {
				t.Errorf("%s: %s on %s has %.1f to 1", strings.TrimSpace(r[1]), ink[1], ground, c)
			}
			pairs++
		}
	}
	if pairs < 20 {
		t.Errorf("only %d pairs of colours were found", pairs)
	}
	for _, line := range []string{"#8a8674", "#55523f", "#0b4a8f"} {
		if !strings.Contains(string(css), line) || contrast(line, grounds[0]) < 3 {
			t.Errorf("lines of %s cannot be told from the ground", line)
		}
	}
	if !strings.Contains(string(css), "a:focus-visible, button:focus-visible, input:focus-visible") || strings.Contains(string(css), "outline: 0") || strings.Contains(string(css), "outline: none") {
		t.Error("what has the focus is not seen")
	}
	if contrast("#777777", "#ffffff") > 4.5 || contrast("#000000", "#ffffff") != 21 || len(anyColour.FindAllString(string(css), -1)) < 20 {
		t.Error("the reckoning is off")
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	n, _ := strconv.ParseUint(colour[1:], 16, 32)
	part := func(v uint64) float64 {
		c := float64(v&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(n>>16) + 0.7152*part(n>>8) + 0.0722*part(n)
}
