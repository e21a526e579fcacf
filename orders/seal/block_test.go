package seal

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fieldpost/orders"
)

// sheet has what mail mangles: a line over 72 columns and one far over, runs of
// blanks, dashes, a line that starts with "from", quotes and an umlaut.
const sheet = `GAME: K7QX2MPA   SIDE: Soviet
TURN: 3
SERIAL: 2

AIR 1                         # our half first
  SUPPORT 2306 3
MOVE
  133/XXII  2206-2306
  XXI ARM   TO 3911 VIA 4013, 4012, 3912 THEN ENTRENCH UNLESS 2306 WAS TAKEN BEFORE DARK
  From 2205: 2 Art. - LIMBER, TO 2205, UNLIMBER
ATTACK
  1: 2306 WITH 133/XXII, 13/XXII, 81 INF; ART 2 Art., 1 Art./38; STARS yes; LOSSES 81 INF first; PURSUE 2 TOWARD 2409 WITH 133/XXII AND THEN "hold" 'it'
DONE
`

func block(t testing.TB, n byte, sheet string) string {
	t.Helper()
	text := orders.Canonical(sheet)
	return Block(text, mustSign(t, testKey(t, n), text))
}

func TestBlockIsFitForMail(t *testing.T) {
	b := block(t, 1, sheet)
	for line := range strings.SplitSeq(strings.TrimSuffix(b, "\n"), "\n") {
		if len(line) > blockWidth || line == "" || strings.TrimSpace(line) != line || strings.HasPrefix(line, "From ") || strings.HasPrefix(line, ">") {
			t.Errorf("not fit for mail: %q", line)
		}
	}
	opened, err := Open(b)
	if err != nil || len(opened) != 1 || opened[0].Text != orders.Canonical(sheet) || opened[0].Key != testKey(t, 1).Public() {
		t.Fatalf("Open = %+v, %v", opened, err)
	}
}

// Lines that look like the format itself come back as they were.
func TestBlockIsReversible(t *testing.T) {
	for _, text := range []string{
		"", "A", `\`, `\\`, `A\`, `\A`, ">A", "|A", "-- A", "-----END FIELDPOST ORDERS-----",
		"-----BEGIN SSH SIGNATURE-----", "X --BEGIN FIELDPOST ORDERS--", strings.Repeat("X", 63), strings.Repeat("X", 64), strings.Repeat("X", 65),
		strings.Repeat("X", 64) + " Y", strings.Repeat("X", 63) + ` \`, strings.Repeat(`\`, 64), strings.Repeat(`\`, 200),
		strings.Repeat("A ", 100), strings.Repeat("> ", 100), strings.Repeat("Ü", 100), "X\nY Z\n" + strings.Repeat("Q--", 60),
	} {
		text = orders.Canonical(text)
		b := block(t, 1, text)
		for line := range strings.Lines(b) {
			if utf8.RuneCountInString(line) > blockWidth+1 {
				t.Errorf("%q: long line %q", text, line)
			}
		}
		opened, err := Open(b)
		if text == "" {
			if err == nil {
				t.Errorf("an empty sheet opens")
			}
			continue
		}
		if err != nil || opened[0].Text != text {
			t.Errorf("%q: %+v, %v\n%s", text, opened, err, b)
		}
	}
}

// wrapAt breaks lines at blanks as mail programs do when sending.
func wrapAt(width int, prefix string) func(string) string {
	return func(s string) string {
		var out strings.Builder
		for line := range strings.Lines(s) {
			column := 0
			for i, word := range strings.Fields(line) {
				switch {
				case i == 0:
				case column+1+len(word) > width:
					out.WriteString("\n" + prefix)
					column = len(prefix)
				default:
					out.WriteByte(' ')
					column++
				}
				out.WriteString(word)
				column += len(word)
			}
			out.WriteByte('\n')
		}
		return out.String()
	}
}

func quote(prefix string) func(string) string {
	return func(s string) string {
		return prefix + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+prefix) + "\n"
	}
}

func replace(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }

// transit is what happens to a block on the way without anybody meaning harm.
var transit = []struct {
	name string
	do   func(string) string
}{
	{"nothing", func(s string) string { return s }},
	{"LF to CRLF", replace("\n", "\r\n")},
	{"LF to CR", replace("\n", "\r")},
	{"trailing blanks stripped", func(s string) string { return stripTrailing(s) }},
	{"trailing blanks added", replace("\n", " \t\n")},
	{"final newline dropped", func(s string) string { return strings.TrimRight(s, "\n") }},
	{"blank lines added", replace("\n", "\n\n\n")},
	{"BOM and blank line before", func(s string) string { return "\ufeff\n" + s }},
	{"wrapped at 72", wrapAt(72, "")},
	{"wrapped at 60", wrapAt(60, "")},
	{"flowed, space-stuffed", quote(" ")},
	{"mbox >From", replace("\nFrom ", "\n>From ", "\nFROM ", "\n>FROM ")},
	{"blanks to NBSP", replace(" ", "\u00a0")},
	{"en dash and curly quotes", replace("-", "\u2013", `"`, "\u201d", "'", "\u2019")},
	{"two dashes to an em dash", replace("--", "\u2014")},
	{"HTML round trip, double lines", replace("\n", "\n \n")},
	{"list footer appended", func(s string) string { return s + "\n_____\nleague mailing list\nhttps://example.org\n" }},
	{"text around", func(s string) string { return "Hello,\nmy orders:\n" + s + "-- \nAnna\n" }},
	{"quoted", quote("> ")},
	{"quoted without blank", quote(">")},
	{"quoted twice", quote("> > ")},
	{"quoted twice, the other way", quote(">> ")},
	{"quoted by initials", quote("AK> ")},
	{"quoted with bars", quote("| ")},
	{"quoted, double lines", func(s string) string { return replace("\n", "\n\n")(quote("> ")(s)) }},
	{"quoted and wrapped at 60", func(s string) string { return wrapAt(60, "> ")(quote("> ")(s)) }},
	{"quoted and wrapped without marks", func(s string) string { return wrapAt(60, "")(quote("> ")(s)) }},
	{"dash-escaped by clearsign", replace("\n-", "\n- -")},
	{"zero-width blanks", replace("A", "A\u200b")},
	{"orders in small letters", func(s string) string {
		head, tail, ok := strings.Cut(s, beginArmor)
		if !ok {
			return s
		}
		return strings.ToLower(head) + beginArmor + tail
	}},
	{"end marker lost", replace(endBlock, "")},
	{"signature wrapped at 40", func(s string) string {
		head, tail, ok := strings.Cut(s, beginArmor+"\n")
		if !ok || len(tail) < 40 {
			return s
		}
		return head + beginArmor + "\n" + tail[:40] + "\n" + tail[40:]
	}},
	{"a broken block before it", func(s string) string { return beginBlock + "\nOLD\n" + s }},
}

func TestTransitDoesNoHarm(t *testing.T) {
	b := block(t, 1, sheet)
	want := Sealed{Text: orders.Canonical(sheet), Key: testKey(t, 1).Public()}
	for _, m := range transit {
		opened, err := Open(m.do(b))
		if err != nil || len(opened) != 1 || !opened[0].holds(want) {
			t.Errorf("%s: %+v, %v\n%s", m.name, opened, err, m.do(b))
		}
	}
	// Any two of them one after the other, as happens to a forwarded mail.
	// A second wrapping, or one of already quoted text, is beyond guessing.
	for _, m := range transit {
		for _, n := range transit {
			if strings.Contains(m.name, "wrapped") || strings.Contains(n.name, "wrapped") {
				continue
			}
			if m.name == "quoted by initials" && n.name == "orders in small letters" {
				continue // it would change the initials in half of the lines
			}
			if m.name == "two dashes to an em dash" && n.name == m.name || n.name == "dash-escaped by clearsign" {
				continue
			}
			if opened, err := Open(n.do(m.do(b))); err != nil || !opened[0].holds(want) {
				t.Errorf("%s, then %s: %v", m.name, n.name, err)
			}
		}
	}
}

// What changes the meaning is refused, before and after every transit.
func TestTamperingIsRejected(t *testing.T) {
	b := block(t, 1, sheet)
	other := block(t, 2, strings.Replace(sheet, "2306 3", "2306 4", 1))
	_, otherArmor, _ := strings.Cut(other, beginArmor)
	head, _, _ := strings.Cut(b, beginArmor)
	for name, forged := range map[string]string{
		"order changed":            replace("2206-2306", "2206-2307")(b),
		"line added":               replace("\nDONE\n", "\nDONE\nRETREAT ALL\n")(b),
		"line added at the top":    replace("\nGAME:", "\nTURN: 9\nGAME:")(b),
		"line removed":             replace("\nDONE\n", "\n")(b),
		"lines swapped":            replace("TURN: 3\nSERIAL: 2", "SERIAL: 2\nTURN: 3")(b),
		"two lines joined":         replace("TURN: 3\nSERIAL: 2", "TURN: 3 SERIAL: 2")(b),
		"continuation added":       replace("TURN: 3\n", "TURN: 3\\\n")(b),
		"signature of another":     head + beginArmor + otherArmor,
		"first letters capitals":   capitalise(b),
		"signature missing":        head + endBlock + "\n",
		"signature of other words": replace(beginArmor, "X "+beginArmor)(head) + endBlock,
	} {
		for _, m := range transit {
			if opened, err := Open(m.do(forged)); err == nil {
				t.Errorf("%s, then %s: accepted %+v", name, m.name, opened)
			}
		}
	}
	// A comment is not an order; whoever adds one adds nothing.
	opened, err := Open(replace("\nDONE\n", "\nDONE # RETREAT ALL\n")(b))
	if err != nil || opened[0].Text != orders.Canonical(sheet) {
		t.Errorf("comment added: %+v, %v", opened, err)
	}
}

func capitalise(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = strings.ToUpper(l[:1]) + l[1:]
		}
	}
	return strings.Join(lines, "\n")
}

func TestSeveralBlocks(t *testing.T) {
	one, two := block(t, 1, "A\n"), block(t, 1, "B\n")
	opened, err := Open(one + "> earlier:\n" + quote("> ")(two) + one)
	if err != nil || len(opened) != 2 || opened[0].Text != "A\n" || opened[1].Text != "B\n" {
		t.Errorf("%+v, %v", opened, err)
	}
	forged := strings.Replace(one, "\nA\n", "\nC\n", 1)
	if opened, err := Open(forged + two); err != nil || len(opened) != 1 || opened[0].Text != "B\n" {
		t.Errorf("a bad block before a good one: %+v, %v", opened, err)
	}
	if _, err := Open(forged); !errors.Is(err, ErrMismatch) {
		t.Errorf("a bad block: %v", err)
	}
	if _, err := Open("Hello"); !errors.Is(err, ErrNoBlock) {
		t.Errorf("no block: %v", err)
	}
	if n := len(Extract(strings.Repeat(one, 50))); n != maxBlocks {
		t.Errorf("%d blocks read", n)
	}
	for _, c := range Extract(wrapAt(40, "")(block(t, 1, sheet))) {
		if n := len(slices.Collect(c.Readings())); n > maxReadings {
			t.Errorf("%d readings", n)
		}
	}
}

func TestDetached(t *testing.T) {
	key := testKey(t, 1)
	text := "game: x\n\n  From a-b   \nc"
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	for _, c := range []struct{ name, signed, arrived string }{
		{"as it was", text, text},
		{"LF to CRLF", text, crlf},
		{"CRLF to LF", crlf, text},
		{"final newline added", text, text + "\r\n"},
		{"final newline dropped", text + "\n", text},
		{"newlines at the end", text + "\n", text + "\n\n\n"},
		{"trailing blanks stripped after signing without", stripTrailing(text) + "\n", text},
		{"BOM added", text[:9] + "c\n", "\ufeff" + text[:9] + "c\n"},
		{"signed in canonical form", orders.Canonical(text), text},
		{"UTF-16", "\xff\xfeA\x00\n\x00", "\xff\xfeA\x00\n\x00"},
	} {
		sealed, err := VerifyDetached([]byte(c.arrived), mustSign(t, key, c.signed))
		if err != nil || sealed.Text != orders.Canonical(PlainText([]byte(c.signed))) || sealed.Key != key.Public() {
			t.Errorf("%s: %+v, %v", c.name, sealed, err)
		}
	}
	armored := mustSign(t, key, text)
	for _, forged := range []string{"", text + "d", strings.Replace(text, "a-b", "a-c", 1), text + "\nd\n"} {
		if sealed, err := VerifyDetached([]byte(forged), armored); !errors.Is(err, ErrMismatch) || sealed != (Sealed{}) {
			t.Errorf("%q: %+v, %v", forged, sealed, err)
		}
	}
	if n := len(TextForms([]byte("\ufeffa \r\nb\n\n"))); n > 20 {
		t.Errorf("%d forms are tried", n)
	}
}

// Whatever the bytes, nothing is opened that the key did not sign.
func FuzzExtract(f *testing.F) {
	b := block(f, 1, sheet)
	for _, m := range transit {
		f.Add(m.do(b))
	}
	f.Add(beginBlock + "\nA\n" + beginArmor + "\n" + endArmor)
	want := Sealed{Text: orders.Canonical(sheet), Key: testKey(f, 1).Public()}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range Extract(text) {
			if n := len(slices.Collect(c.Readings())); n == 0 || n > maxReadings {
				t.Fatalf("%d readings", n)
			}
		}
		opened, _ := Open(text)
		for _, s := range opened {
			if !s.holds(want) && s.Key == want.Key {
				t.Fatalf("forged: %+v", s)
			}
		}
	})
}

func FuzzVerify(f *testing.F) {
	const text = "DONE\n"
	good := mustSign(f, testKey(f, 1), text)
	f.Add(text, good)
	f.Add("", "")
	f.Add(text, beginArmor+"\nU1NIU0lH\n"+endArmor)
	f.Fuzz(func(t *testing.T, message, armored string) {
		key, err := Verify([]byte(message), armored, Namespace)
		if err != nil && !key.IsZero() {
			t.Fatal("a key with an error")
		}
		if err == nil && key == testKey(t, 1).Public() && message != text {
			t.Fatalf("forged: %q", message)
		}
	})
}

// Any text survives being put into a block.
func FuzzBlock(f *testing.F) {
	f.Add(sheet)
	f.Add(strings.Repeat(`\ `, 70))
	f.Fuzz(func(t *testing.T, text string) {
		text = orders.Canonical(text)
		if text == "" || strings.Count(text, "\n") > 1000 || len(text) > 50000 {
			return
		}
		opened, err := Open(block(t, 1, text))
		if err != nil || opened[0].Text != text {
			t.Fatalf("%q does not come back: %v", text, err)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	text := block(b, 1, sheet)
	for b.Loop() {
		if _, err := Open(text); err != nil {
			b.Fatal(err)
		}
	}
}

// The worst a mail can ask for: blocks full of short lines, none of them signed.
func BenchmarkExtractHostile(b *testing.B) {
	one := beginBlock + "\n" + strings.Repeat("A B\n", maxBlockLines-10) + beginArmor + "\nAAAA\n" + endArmor + "\n"
	text := strings.Repeat(one, maxBlocks)
	for b.Loop() {
		Extract(text)
	}
}

// holds tells whether it is the sheet, and what was typed reads as what was signed.
func (s Sealed) holds(want Sealed) bool {
	return s.Same(want) && orders.Canonical(s.Typed) == s.Text
}

// A block keeps the letters of its writer; what the signature does not cover is not
// believed to be typed.
func TestABlockKeepsWhatWasTyped(t *testing.T) {
	const text = "GAME: K7QX2MPA  SIDE: Soviet # a remark\nTURN: 1\nSERIAL: 1\nZONE: Australia/NSW\nADDRESS: Anna.Berg@Example.org\nDONE\n"
	canonical := orders.Canonical(text)
	armored, err := Sign(testKey(t, 1), Namespace, []byte(canonical))
	if err != nil {
		t.Fatal(err)
	}
	typed := orders.Typed(text)
	for _, m := range transit {
		opened, err := Open(m.do(Block(typed, armored)))
		if err != nil || len(opened) != 1 || opened[0].Text != canonical || orders.Canonical(opened[0].Typed) != canonical {
			t.Errorf("%s: %+v, %v", m.name, opened, err)
			continue
		}
		if m.name != "orders in small letters" && opened[0].Typed != typed {
			t.Errorf("%s: typed was\n%s\nand it reads\n%s", m.name, typed, opened[0].Typed)
		}
	}
	detached, err := Sign(testKey(t, 1), Namespace, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := VerifyDetached([]byte(text), detached); err != nil || s.Typed != typed || s.Text != canonical {
		t.Errorf("beside a file: %+v, %v", s, err)
	}
	if s := sealed(canonical, strings.Replace(text, "Anna", "Otto", 1), nil); s.Typed != canonical {
		t.Errorf("another text is taken for what was typed: %q", s.Typed)
	}
}
