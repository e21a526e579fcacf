package wb95

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"
)

// Every worked example of the rulebooks has its cases, and most are named after the clause
// that the example stands at.
func TestWorkedExamples(t *testing.T) {
	f, err := os.Open("testdata/examples.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.Comment, r.LazyQuotes = '\t', '#', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	find := func(number string) *Case {
		i := slices.IndexFunc(cases, func(c Case) bool { return c.Number == number })
		if i < 0 {
			return nil
		}
		return &cases[i]
	}
	// Examples that stand at one clause and are about another, and those of tables and scenarios.
	elsewhere := map[string]string{
		"5.1.5": "5.1.4", "3.1.12": "3.1.12", "10.1.11": "10.1.9", "8.2.20": "8.2.18", "8.2.19": "8.2.17", "8.2.26": "8.2.25",
		"8.2.25": "8.2.24", "combat table": "5.", "28 Army": "11.1.1", "Two Stars": "4.3.2 8.1.1", "set-up aid": "1.2",
		"8.2.15": "8.2.13",
	}
	for _, row := range rows[1:] {
		clause, example := row[1], row[2]
		named := false
		for number := range strings.FieldsSeq(row[3]) {
			c := find(number)
			if c == nil {
				t.Errorf("%s, %s: there is no case %s", clause, example, number)
				continue
			}
			if c.Known != "" {
				t.Errorf("%s, %s: case %s does not hold: %s", clause, example, number, c.Known)
			}
			for _, k := range c.Clauses {
				named = named || k == clause || strings.HasPrefix(k, clause+"/") || slices.ContainsFunc(strings.Fields(elsewhere[clause]), func(p string) bool { return strings.HasPrefix(k, p) })
			}
		}
		if !named {
			t.Errorf("%s, %s: none of the cases %s is of that clause", clause, example, row[3])
		}
	}
	if len(rows) < 60 {
		t.Errorf("only %d examples", len(rows))
	}
}
