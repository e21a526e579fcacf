package orders

import (
	"strings"
	"testing"
)

func TestPressSurvivesTheWay(t *testing.T) {
	letter := "Dear enemy,\n\n  I \"propose\" a truce - until turn 3.\n-- \nAnna"
	part, digest := Press(letter)
	for name, change := range map[string]func(string) string{
		"as it was":       func(s string) string { return s },
		"CRLF":            func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"quoted":          func(s string) string { return "> " + strings.ReplaceAll(s, "\n", "\n> ") },
		"quoted twice":    func(s string) string { return "> > " + strings.ReplaceAll(s, "\n", "\n> > ") },
		"wrapped":         func(s string) string { return strings.Replace(s, "a truce", "a\ntruce", 1) },
		"curly quotes":    func(s string) string { return strings.NewReplacer(` "`, " \u201c", `" `, "\u201d ").Replace(s) },
		"blank lines":     func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") },
		"text round it":   func(s string) string { return "Hello\n" + s + "bye\n" },
		"no end":          func(s string) string { return s[:strings.LastIndex(s, "-----END")] },
		"no-break blanks": func(s string) string { return strings.ReplaceAll(s, " a ", "\u00a0a\u00a0") },
	} {
		_, letters := CutPress(change(part))
		if len(letters) != 1 || PressDigest(letters[0]) != digest {
			t.Errorf("%s: %q", name, letters)
		}
	}
	for _, changed := range []string{strings.Replace(part, "truce", "Truce", 1), strings.Replace(part, "3", "4", 1), strings.Replace(part, "Anna", "", 1)} {
		if _, letters := CutPress(changed); PressDigest(letters[0]) == digest {
			t.Errorf("a changed letter has the same digest: %q", changed)
		}
	}
}

// Nothing of a letter is left in the text, and what is left holds no letter.
func FuzzCutPress(f *testing.F) {
	part, _ := Press("Hello,\nGAME: X SIDE: Y\nMOVE\nDONE")
	f.Add(part)
	f.Add("before\n" + part + "between\n" + part + "after")
	f.Add("-----BEGIN FIELDPOST PRESS-----\n-----BEGIN FIELDPOST PRESS-----\n-----END FIELDPOST PRESS-----")
	f.Add("> -----begin fieldpost press-----\n> x")
	f.Fuzz(func(t *testing.T, text string) {
		rest, letters := CutPress(text)
		if _, again := CutPress(rest); len(again) > 0 {
			t.Fatalf("a letter is left in %q", rest)
		}
		n := len(rest)
		for _, l := range letters {
			n += len(l)
			PressDigest(l)
		}
		if n > len(text) {
			t.Fatalf("%d bytes were made of %d", n, len(text))
		}
	})
}

// Every place of a canonical sheet is a place of the sheet as typed.
func FuzzWhere(f *testing.F) {
	f.Add("GAME: X\n\n  move # all\n\t133/xxii to 2306\n", 3, 4)
	f.Add("\u2000\u00e9\u0301 a\r\n", 1, 1)
	f.Fuzz(func(t *testing.T, text string, line, col int) {
		p := PlacesOf(text).Where(Pos{line, col})
		if p.Line < 1 && line >= 1 {
			t.Fatalf("line %d column %d is at %v", line, col, p)
		}
	})
}
