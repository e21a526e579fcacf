package casebook

import (
	"strings"
	"testing"
)

func TestReadCases(t *testing.T) {
	for text, why := range map[string]string{
		"CASE 5.3.7 \"no number of its own\"":    "a case begins",
		"CASE 5.3.7-1 no title":                  "a case begins",
		"MAP 8x8":                                "belongs to no case",
		"CASE 5.3.7-1 \"a\"\nCASE 5.3.7-1 \"b\"": "there already",
		"CASE 5.3.7-1 \"a\"\nALSO 5.3.8, 5.3.9\nALSO 5.4.1\nMAP 8x8": "more than three",
		"CASE 5.3.7-1 \"a\"\nKNOWN":                                  "says why",
	} {
		if _, err := Parse("x.txt", text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", text, err, why)
		}
	}
	cases, err := Parse("x.txt", "# words\n\nCASE 1.5/2-3 \"a \"b\"\"\nALSO 5.2.1/g\nKNOWN it is so\nMAP 8x8\n  forest 0101\n")
	if err != nil || len(cases) != 1 || cases[0].Number != "1.5/2-3" || strings.Join(cases[0].Clauses, " ") != "1.5/2 5.2.1/g" || cases[0].Known != "it is so" || len(cases[0].Body) != 2 {
		t.Errorf("%+v, %v", cases, err)
	}
}
