package desk

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"text/template"

	"fieldpost/adjudicator/view"
	"fieldpost/report"
)

// The words for events are those that text/template gives, whatever the facts are.
func TestWordingsAreSaidAsTextTemplateSaysThem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	values := []string{"", "", "0", "1", "NO", "no pursuit", "pursuit", "fighter", "2505"}
	said := 0
	for _, id := range []string{"kharkov-1942", "nysa-1945", "star-and-gallop", "gd-kursk"} {
		game, _, err := builtin.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		wording := game.Wording()
		for _, kind := range slices.Sorted(maps.Keys(wording)) {
			src := wording[kind]
			if strings.HasSuffix(kind, ":all") {
				continue
			}
			want, err := template.New(kind).Option("missingkey=zero").Parse(src)
			if err != nil {
				t.Fatal(err)
			}
			for range 6 {
				facts := view.Pairs{}
				for _, w := range strings.FieldsFunc(src, func(r rune) bool { return strings.ContainsRune(" {}()", r) }) {
					if name, is := strings.CutPrefix(w, "."); is {
						facts = facts.With(name, values[random.IntN(len(values))])
					}
				}
				var b strings.Builder
				if err := want.Execute(&b, facts.Map()); err != nil {
					t.Fatal(err)
				}
				r := report.Report{View: &view.View{Story: view.StoryOf("", "", []view.Event{{Kind: kind, Facts: facts}})}, Wording: view.Wording{kind: src}}
				items, err := r.Items()
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if len(items) > 0 {
					got = items[0].Told[0].Text
				}
				if strings.TrimSpace(b.String()) != strings.TrimSpace(got) {
					t.Errorf("%s of %s, %v: %q, text/template says %q", kind, id, facts.Map(), got, b.String())
				}
				said++
			}
		}
	}
	if said < 500 {
		t.Errorf("only %d were said", said)
	}
}

// A wording with what is not carried out is a fault, also where the facts pass it by.
func TestAWordingThatCannotBeSaidIsAFault(t *testing.T) {
	for _, src := range []string{"{{range .x}}{{end}}", "{{if .a}}{{printf .b}}{{end}}", "{{.a.b}}", "{{$x := .a}}", "{{len .a}}", "{{eq .a}}", "{{if"} {
		if err := report.CheckWording(view.Wording{"x": src}); err == nil {
			t.Errorf("%s is said", src)
		}
	}
}
