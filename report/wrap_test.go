package report

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWrapBreaksAtBlanks(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"   \n\t ", 10, []string{""}},
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{" one   two\nthree ", 9, []string{"one two", "three"}},
		{"unbreakable word", 5, []string{"unbreakable", "word"}},
		{"Łódź Żory", 9, []string{"Łódź Żory"}},
		{"path 0101-0102-0103-0104", 10, []string{"path", "0101-0102-", "0103-0104"}},
		{"0101-0102-0103-0104 ends", 12, []string{"0101-0102-", "0103-0104", "ends"}},
		{"abcdefghij-k", 6, []string{"abcdefghij-k"}},
	} {
		if got := wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d columns: %q", c.text, c.width, got)
		}
	}
}

// Whatever is wrapped, the words stay as they are and in their order, no line is
// longer than it may be but for one word that nothing breaks, and none could take
// the first word of the next.
func FuzzWrap(f *testing.F) {
	f.Add("To fight it, stop in 2206 or 2205 and ATTACK.", 12)
	f.Add("0101-0102-0103-0104-0105", 7)
	f.Add("Ł\u00a0Ż  - x", 1)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 1 || width > 200 || !utf8.ValidString(s) {
			t.Skip()
		}
		lines := wrap(s, width)
		if got, want := strings.Join(lines, ""), strings.Join(strings.Fields(s), ""); strings.ReplaceAll(got, " ", "") != want {
			t.Errorf("%q became %q", want, got)
		}
		for i, l := range lines {
			words := strings.Fields(l)
			if utf8.RuneCountInString(l) > width && len(words) != 1 {
				t.Errorf("%q is longer than %d", l, width)
			}
			if i == 0 || len(lines[i-1]) > 0 && lines[i-1][len(lines[i-1])-1] == '-' {
				continue
			}
			if n := utf8.RuneCountInString(lines[i-1]) + 1 + utf8.RuneCountInString(words[0]); n <= width {
				t.Errorf("%q has room for %q in %d columns", lines[i-1], words[0], width)
			}
		}
	})
}

// written is what is put on an empty page.
func written(put func(p *page)) string {
	p := &page{}
	put(p)
	return p.String()
}

func TestHangingIndents(t *testing.T) {
	long := strings.Repeat("word ", 30)
	got := written(func(p *page) { p.hang("  - ", long) })
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "  - word") || !strings.HasPrefix(lines[1], "    word") {
		t.Errorf("%s", got)
	}
	for _, l := range lines {
		if len(l) > columns {
			t.Errorf("%d columns: %s", len(l), l)
		}
	}
	if got := written(func(p *page) { p.hang("lead   ", "") }); got != "lead\n" {
		t.Errorf("%q", got)
	}
	if got := written(func(p *page) { p.hang("Łódź ", strings.Repeat("x", 75)+" y") }); got != "Łódź "+strings.Repeat("x", 75)+"\n     y\n" {
		t.Errorf("%q", got)
	}
}

func TestKeptLinesKeepTheirColumns(t *testing.T) {
	table := "attack 14      defence 8"
	if got := written(func(p *page) { p.kept("   ", table) }); got != "   "+table+"\n" {
		t.Errorf("%q", got)
	}
	exact := strings.Repeat("x ", 38) + "xx"
	if got := written(func(p *page) { p.kept("  ", exact) }); got != "  "+exact+"\n" {
		t.Errorf("80 columns are broken: %q", got)
	}
	if got := written(func(p *page) { p.kept("   ", exact) }); strings.Count(got, "\n") != 2 {
		t.Errorf("81 columns are not broken: %q", got)
	}
}

func TestTablesOfText(t *testing.T) {
	rows := [][]string{{"Ł 2", "0604", strings.TrimSpace(strings.Repeat("state ", 14))}, {"513/294", "1", ""}}
	got := written(func(p *page) { p.table("  ", []string{"unit", "hex", "state"}, rows) })
	want := "  unit     hex   state\n" +
		"  Ł 2      0604  " + strings.TrimSpace(strings.Repeat("state ", 10)) + "\n" +
		"                 state state state state\n" +
		"  513/294  1\n"
	if got != want {
		t.Errorf("%s", got)
	}
	if got := written(func(p *page) { p.table("", []string{"", ""}, [][]string{{"a", "b"}}) }); got != "a  b\n" {
		t.Errorf("a table without a head: %q", got)
	}
}

func TestLinesEndWithoutBlanks(t *testing.T) {
	if got := written(func(p *page) { p.line("x   "); p.line("   ") }); got != "x\n\n" {
		t.Errorf("%q", got)
	}
}

func TestDigestsInGroupsOfFour(t *testing.T) {
	for in, want := range map[string]string{"": "", "abc": "abc", "abcd": "abcd", "abcde": "abcd e", "0123456789ab": "0123 4567 89ab"} {
		if got := spaced(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestPadCountsLetters(t *testing.T) {
	if got := pad("Łódź", 6) + "|" + pad("Łódź", 4) + "|" + pad("Łódź", 2); got != "Łódź  |Łódź|Łódź" {
		t.Errorf("%q", got)
	}
}

// A lead that leaves no room for its text, such as the name of a formation with nothing but
// long words, stands on lines of its own.
func TestALeadWithoutRoom(t *testing.T) {
	lead := "  " + strings.Repeat("Panzergrenadier ", 6)
	want := strings.TrimRight(strings.Repeat("Panzergrenadier ", 5), " ") + "\nPanzergrenadier\n      1 of 2\n"
	if got := written(func(p *page) { p.hang(lead, "1 of 2") }); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	got := written(func(p *page) {
		p.table("", []string{"", ""}, [][]string{{"short", "1A"}, {strings.Repeat("x", 90), "2B"}})
	})
	if want := "short  1A\n" + strings.Repeat("x", 90) + "\n      2B\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
