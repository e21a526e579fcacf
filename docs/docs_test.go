package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
)

// site is the pages by their names, and what each has that can be linked to.
func site(t *testing.T) (pages map[string]*html.Node, anchors map[string]bool) {
	t.Helper()
	root := Root{}
	for _, name := range []string{"README.md", "LICENSE", "NOTICE"} {
		content, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		root[name] = string(content)
	}
	folder := t.TempDir()
	if err := Write(folder, root); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	pages, anchors = map[string]*html.Node{}, map[string]bool{}
	for _, file := range files {
		anchors[file.Name()] = true
		if filepath.Ext(file.Name()) != ".html" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		page, err := html.Parse(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		pages[file.Name()] = page
		for n := range page.Descendants() {
			if id := attribute(n, "id"); id != "" {
				anchors[file.Name()+"#"+id] = true
			}
		}
	}
	return pages, anchors
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// Every link and picture of the documents leads to something that is there.
func TestLinks(t *testing.T) {
	pages, anchors := site(t)
	if len(pages) < 15 || !anchors["index.html"] {
		t.Fatalf("the site has %d pages", len(pages))
	}
	links, pictures := 0, 0
	for name, page := range pages {
		for n := range page.Descendants() {
			to := attribute(n, "href")
			if n.Data == "img" {
				to = attribute(n, "src")
				pictures++
				if attribute(n, "alt") == "" {
					t.Errorf("%s: the picture %s has no text for those who do not see it", name, to)
				}
			}
			if to == "" || strings.Contains(to, "://") {
				continue
			}
			if strings.HasPrefix(to, "#") {
				to = name + to
			}
			if links++; !anchors[to] {
				t.Errorf("%s: nothing is at %s", name, to)
			}
		}
	}
	if links < 100 || pictures < 2 {
		t.Errorf("%d links and %d pictures were looked at", links, pictures)
	}
}

// What TESTING counts is there, at least as often as it says.
func TestCounts(t *testing.T) {
	page, err := os.ReadFile("TESTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for kind, pattern := range map[string]string{"conversations": "../umpire/testdata/*.txtar", "golden maps": "../report/chart/testdata/*/*.svg"} {
		row := regexp.MustCompile(`(?m)^\| ` + kind + ` \|.*\| (\d+) \|$`).FindSubmatch(page)
		files, err := filepath.Glob(pattern)
		if row == nil || err != nil {
			t.Fatalf("%s: no row, or %v", kind, err)
		}
		if told, _ := strconv.Atoi(string(row[1])); told < 10 || told > len(files) {
			t.Errorf("%s: told %s, there are %d", kind, row[1], len(files))
		}
	}
}

// The pages that strangers read first are easy to read: at least 60 by Flesch's measure, of their
// running text without tables, examples and lists of links.
func TestReadingEase(t *testing.T) {
	for _, file := range []string{"../README.md", "PLAYING.md", "FIRST-TURN.md"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		prose := runningText(source)
		ease, words := readingEase(prose)
		t.Logf("%s: %.0f, %d words", file, ease, words)
		if ease < 60 || words < 200 {
			t.Errorf("%s: reading ease %.0f of %d words, at least 60 is wanted", file, ease, words)
		}
	}
	if ease, _ := readingEase("The cat sat on the mat."); ease < 100 {
		t.Errorf("a simple sentence has %.0f", ease)
	}
	if ease, _ := readingEase("Institutional interoperability necessitates comprehensive administrative considerations."); ease > 0 {
		t.Errorf("a sentence of officials has %.0f", ease)
	}
}

// No page takes longer than ten minutes to read: its running text, at 240 words a minute.
func TestNoPageIsLong(t *testing.T) {
	files, err := filepath.Glob("*.md")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	for _, file := range append(files, "../README.md") {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if words := len(strings.Fields(runningText(source))); words > 2400 {
			t.Errorf("%s has %d words", file, words)
		}
	}
}

// runningText is the paragraphs of a document and the items of its lists.
func runningText(source []byte) string {
	var out strings.Builder
	document := markdown.Parser().Parse(text.NewReader(source))
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *east.Table, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.Heading, *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan: // a word of the program stands for a short one
			if entering {
				out.WriteString("it ")
			}
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if entering {
				out.Write(n.Segment.Value(source))
				out.WriteString(" ")
			}
		case *ast.Paragraph, *ast.TextBlock:
			if !entering {
				out.WriteString(". ")
			}
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

var (
	endOfSentence = regexp.MustCompile(`[.!?:;]+\s`)
	wordOf        = regexp.MustCompile(`[A-Za-z']+`)
	vowels        = regexp.MustCompile(`[aeiouy]+`)
)

// readingEase is Flesch's: 206.835 - 1.015 words a sentence - 84.6 syllables a word, the
// syllables by groups of vowels without a silent e at the end.
func readingEase(prose string) (ease float64, words int) {
	sentences, syllables := 0, 0
	for _, sentence := range endOfSentence.Split(prose+" ", -1) {
		found := wordOf.FindAllString(strings.ToLower(sentence), -1)
		if len(found) == 0 {
			continue
		}
		sentences++
		for _, word := range found {
			words++
			spoken := strings.TrimSuffix(strings.TrimSuffix(word, "es"), "e")
			syllables += max(1, len(vowels.FindAllString(spoken, -1)))
		}
	}
	return 206.835 - 1.015*float64(words)/float64(sentences) - 84.6*float64(syllables)/float64(words), words
}

func TestOnSite(t *testing.T) {
	for link, want := range map[string]string{
		"docs/PLAYING.md": "playing.html", "ORDERS.md#what-may-be-ordered": "orders.html#what-may-be-ordered", "#here": "#here", "../README.md": "index.html",
		"docs/kharkov-1942.png": "kharkov-1942.png", "LICENSE": "LICENSE", "https://example.org/a.md": "https://example.org/a.md",
	} {
		if got := onSite(link); got != want {
			t.Errorf("%s leads to %s, expected %s", link, got, want)
		}
	}
}
