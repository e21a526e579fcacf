package charts

import (
	"strings"
	"testing"
	"unicode/utf8"

	"fieldpost/adjudicator/view"
)

func TestTextStandsInColumns(t *testing.T) {
	c := view.Chart{Title: "Fords", Clause: "X 1", Head: []string{"", "price"}, Notes: []string{"MP."}}
	c.Add("Öse", "1/2")
	c.Add("Dnepr <big>", "12")
	var text, page strings.Builder
	if err := Text(&text, "Test", []view.Chart{c}); err != nil {
		t.Fatal(err)
	}
	if want := "Test\n\nFORDS (X 1)\n               price\n  Öse            1/2\n  Dnepr <big>     12\n  MP.\n"; text.String() != want {
		t.Errorf("%s, want\n%s", text.String(), want)
	}
	if err := HTML(&page, "Test", []view.Chart{c}); err != nil || !strings.Contains(page.String(), "Dnepr &lt;big&gt;") || !utf8.ValidString(page.String()) {
		t.Errorf("%v\n%s", err, page.String())
	}
}
