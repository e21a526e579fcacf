package orders

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"golang.org/x/text/unicode/norm"
)

func TestCanonical(t *testing.T) {
	const want = "GAME: K7QX2MPA\n133/XXII 2206-2306\n2: 2105 WITH 36/XXII; MIN 2:1\n"
	plain := "game: k7qx2mpa\n133/XXII  2206-2306\n2: 2105 with 36/XXII; min 2:1\n"
	for name, text := range map[string]string{
		"as typed":                         plain,
		"Windows line ends":                strings.ReplaceAll(plain, "\n", "\r\n"),
		"old Macintosh line ends":          strings.ReplaceAll(plain, "\n", "\r"),
		"no final line end":                strings.TrimSuffix(plain, "\n"),
		"a byte order mark":                "\ufeff" + plain,
		"empty lines and indents":          "\n\n  " + strings.ReplaceAll(plain, "\n", "\n\n\t "),
		"trailing blanks":                  strings.ReplaceAll(plain, "\n", "  \t\n"),
		"no-break and narrow blanks":       strings.ReplaceAll(plain, " ", "\u00a0\u202f"),
		"typographic dashes":               strings.ReplaceAll(plain, "-", "\u2013"),
		"the minus sign":                   strings.ReplaceAll(plain, "-", "\u2212"),
		"zero-width blanks between digits": strings.ReplaceAll(plain, "2", "2\u200b"),
		"comments":                         "# my plan\n" + strings.ReplaceAll(plain, "\n", "   # why\n"),
	} {
		if got := Canonical(text); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for text, want := range map[string]string{
		"":                         "",
		" \r\n\t# only a remark\n": "",
		"“a” ‘b’ „c‟":              "\"A\" 'B' \"C\"\n",
		"e\u0301":                  "É\n",
		"e\u200d\u0301":            "É\n", // the joiner goes first, then the accent fits
		"é":                        "É\n",
		"a\u2000b":                 "A B\n",
		"a\x00b\vc":                "A\x00B\vC\n", // left for the lexer to refuse
		"\xff":                     "\ufffd\n",
	} {
		if got := Canonical(text); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCanonicalKeepsWhatMatters(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{"A 2206-2306", "A 2206-2307", "A 2206 2306", "A 22062306", "B 2206-2306", "A 2206-2306\nDONE"} {
		c := Canonical(text)
		if other, ok := seen[c]; ok {
			t.Errorf("%q and %q have one canonical form", text, other)
		}
		seen[c] = text
	}
}

// What the canonical form has at a place is found on the sheet as it was typed.
func TestWhere(t *testing.T) {
	typed := "GAME: X   # mine\n\n# a remark\n   move\n\t133/xxii\u00a0  to   2306\n"
	if Canonical(typed) != "GAME: X\nMOVE\n133/XXII TO 2306\n" {
		t.Fatal(Canonical(typed))
	}
	for canonical, want := range map[Pos]Pos{{1, 1}: {1, 1}, {1, 7}: {1, 7}, {2, 1}: {4, 4}, {3, 10}: {5, 13}, {3, 13}: {5, 18}, {9, 1}: {9, 1}} {
		if got := PlacesOf(typed).Where(canonical); got != want {
			t.Errorf("%v is at %v, want %v", canonical, got, want)
		}
	}
}

func TestDigest(t *testing.T) {
	const want = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := Digest(""); got != want {
		t.Errorf("Digest of nothing is %s", got)
	}
	if Digest("A\n") == Digest("B\n") {
		t.Error("different sheets with one digest")
	}
}

// checkCanonical states what holds for the canonical form of any text.
func checkCanonical(t *testing.T, text string) {
	t.Helper()
	c := Canonical(text)
	if again := Canonical(c); again != c {
		t.Fatalf("not stable: %q, then %q, then %q", text, c, again)
	}
	if !norm.NFC.IsNormalString(c) {
		t.Fatalf("%q is not composed", c)
	}
	if c != "" && !strings.HasSuffix(c, "\n") {
		t.Fatalf("%q has no final line end", c)
	}
	if strings.ContainsAny(c, "#\r\t") || strings.Contains(c, "  ") || strings.Contains(c, "\n\n") ||
		strings.Contains(c, " \n") || strings.Contains(c, "\n ") || strings.HasPrefix(c, " ") || strings.HasPrefix(c, "\n") {
		t.Fatalf("%q has a blank or comment too many", c)
	}
}

func TestCanonicalIsStable(t *testing.T) {
	property := func(text string) bool { checkCanonical(t, text); return true }
	if err := quick.Check(property, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
	// Every single character, between letters and before a combining accent.
	for r := rune(0); r <= 0x2ffff; r++ {
		checkCanonical(t, "a"+string(r)+"\u0301\u0345b")
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"", "a # b\r\nc", "\ufeffx\u00a0\u2014y", "\u1fb3\u0345", "\xff\xfe", "a\u0345\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkCanonical(t, text) })
}

// Each section is cut out whole, and reads as it does in the whole sheet.
func TestCut(t *testing.T) {
	v := Vocabulary{Sections: []string{"CHIT", "STANDING"}, Open: []string{"CHIT"}}
	for text, want := range map[string][]string{
		"":                             nil,
		"GAME: X\nDONE":                nil,
		"CHIT A":                       {"CHIT A"},
		"SIDE: A\nCHIT A\nMOVE B TO 1": {"CHIT A\nMOVE B TO 1"},
		"CHIT A\nMOVE CHIT TO 1\nCHITS\nCHIT B; MOVE C\nSTANDING\nX\nY\n": {"CHIT A\nMOVE CHIT TO 1\nCHITS", "CHIT B; MOVE C", "STANDING\nX\nY"},
		"CHIT A\nX\nANSWER\nCHIT: Y":                                      {"CHIT A\nX", "ANSWER\nCHIT: Y"},
	} {
		got := Cut(text, v)
		if !slices.Equal(got, want) {
			t.Errorf("%q is cut into %q, expected %q", text, got, want)
		}
		whole, _ := Parse(text, v)
		if len(whole.Sections) != len(got) {
			t.Errorf("%q has %d sections, and is cut into %d", text, len(whole.Sections), len(got))
		}
	}
}

// What was typed has the canonical form of the text, and is typed by itself.
func TestTypedReadsAsTheSheet(t *testing.T) {
	check := func(text string) bool {
		typed := Typed(text)
		if Canonical(typed) != Canonical(text) || Typed(typed) != typed {
			t.Errorf("%q is typed %q, which reads %q and not %q", text, typed, Canonical(typed), Canonical(text))
		}
		return true
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
	check("Game: k7qx2mpa\t Side:\u00a0Soviet # who\r\n\r\nAddress: Anna@Example.org\n")
	if got := Typed("Zone:  Etc/GMT+5 # here\n\ndone"); got != "Zone: Etc/GMT+5\ndone\n" {
		t.Errorf("%q", got)
	}
}

// The headers of a sheet have the letters of the text that reads as it does, and of no
// other.
func TestHeadersAsTyped(t *testing.T) {
	const typed = "game: k7qx2mpa SIDE: Soviet\nZONE: Etc/GMT+5\nADDRESS: Anna, Berg@Example.org\nDONE\n"
	sheet, _ := Parse(Canonical(typed), Vocabulary{})
	var got []string
	for _, h := range sheet.AsTyped(typed) {
		got = append(got, h.Name+"="+h.Value+"="+h.Typed)
	}
	want := []string{"GAME=K7QX2MPA=k7qx2mpa", "SIDE=SOVIET=Soviet", "ZONE=ETC/GMT+5=Etc/GMT+5", "ADDRESS=ANNA BERG@EXAMPLE.ORG=Anna Berg@Example.org"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, other := range []string{"", "ZONE: Etc/GMT+6\n", "GAME: k7qx2mpa SIDE: Soviet\nZONE: Etc/GMT+6\nADDRESS: x\n"} {
		for _, h := range sheet.AsTyped(other) {
			if h.Name == "ZONE" && h.Typed != "ETC/GMT+5" {
				t.Errorf("from %q the zone is %q", other, h.Typed)
			}
		}
	}
}

// What people type by hand is forgiven in the head, and left alone in the orders.
func TestPlainHeads(t *testing.T) {
	for typed, want := range map[string]string{
		"CODE : AB-CD\nMOVE":           "CODE: AB-CD\nMOVE",
		"  side  :SOVIET":              "  side:SOVIET",
		"*GAME: K7QX2MPA*\n**TURN:1**": "GAME: K7QX2MPA\nTURN:1",
		"ANSWER\nLOSS 1 : 9 INF":       "ANSWER\nLOSS 1 : 9 INF",
		"2 * 3 * 4":                    "2 * 3 * 4",
	} {
		if got := PlainHeads(typed); got != want {
			t.Errorf("%q reads %q, want %q", typed, got, want)
		}
	}
}
