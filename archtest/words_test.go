package archtest

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// retired are the words that were given up, as far as they have no other sense, with
// what is said instead. docs/DEVELOP.md has the whole list.
var retired = []struct{ word, instead string }{
	{"foretold", "read ahead"},
	{"foretell", "read ahead, prospect"},
	{"household", "head lines"},
	{"sorry", "apology"},
	{"untold", "unreported"},
	{"happening", "proved event"},
	{"stitcher", "joined sheet"},
	{"duelist", "steppe unit"},
	{"shelf", "library"},
}

// retiredNames are words that were given up as names of the daemon and its records, and
// have other senses elsewhere: people have time in hand, and sides chits.
var retiredNames = []struct{ word, instead string }{
	{"hand", "commander, intervention"},
}

// ofDaemon tells whether a file is of the daemon or its records.
func ofDaemon(name string) bool {
	return strings.HasPrefix(name, "umpire/") || strings.HasPrefix(name, "store/") || strings.HasPrefix(name, "web/")
}

// glossary is the part of docs/DEVELOP.md that names retired words to retire them.
const glossary = "Words that were given up"

// freeNames are files that may hold a word that no other may, each for a reason.
var freeNames = map[string]string{
	"archtest/words_test.go": "it is the list",
}

// isRetired finds a retired word in a text, whole or as a part of an identifier: in
// untoldNote, TestUntold and untold/, not in a longer word.
func isRetired(text string) (word, instead string) {
	for i, r := range retired {
		if retiredWords[i].MatchString(text) {
			return r.word, r.instead
		}
	}
	return "", ""
}

// isRetiredName finds a retired name: the whole of an identifier, or its last word.
func isRetiredName(identifier string) (word, instead string) {
	for _, r := range retiredNames {
		small, large := r.word, strings.ToUpper(r.word[:1])+r.word[1:]
		if identifier == small || strings.HasSuffix(identifier, large) {
			return r.word, r.instead
		}
	}
	return "", ""
}

var retiredWords = func() (all []*regexp.Regexp) {
	for _, r := range retired {
		small, large := r.word, strings.ToUpper(r.word[:1])+r.word[1:]
		all = append(all, regexp.MustCompile(`(\b`+small+`|`+large+`)(s|ed|ing)?([^a-z]|$)`))
	}
	return all
}()

// A string of a program is its behaviour: what players read, and the names of records on
// the disk ("untold/" and its like), stay as they are. So only comments and identifiers are read.
func TestRetiredWordsStayRetired(t *testing.T) {
	eachFile(t, func(name string) func([]byte) []passage {
		switch {
		case freeNames[name] != "":
			return nil
		case name == "README.md", strings.HasPrefix(name, "docs/") && strings.HasSuffix(name, ".md"):
			return wordsOfDocument
		case strings.HasSuffix(name, ".go"):
			return wordsOfSource
		}
		return nil
	}, func(name string, w passage) {
		word, instead := isRetired(w.text)
		if word == "" && w.name && ofDaemon(name) {
			word, instead = isRetiredName(w.text)
		}
		if word != "" {
			t.Errorf("%s:%d: %q is a word that was given up: say %s", name, w.line, word, instead)
		}
	})
}

// eachFile shows the passages of the project's files. How says for a file how its
// passages are found; nil leaves it out.
func eachFile(t *testing.T, how func(name string) func([]byte) []passage, show func(name string, w passage)) {
	t.Helper()
	read := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../")
		passages := how(name)
		if passages == nil {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for _, w := range passages(text) {
			show(name, w)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 100 {
		t.Errorf("only %d files were read: the test looks in the wrong place", read)
	}
}

// manOrWoman are the words that make one or the other of somebody. In "Höhe" there is none.
var manOrWoman = regexp.MustCompile(`(?i)(?:^|[^\pL])(he|him|his|himself|she|her|hers|herself)(?:[^\pL]|$)`)

// makesManOrWoman finds such a word in a text.
func makesManOrWoman(text string) string {
	if found := manOrWoman.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// Comments, strings, documents, indexes of clauses, scenarios and scripts of tests are
// written for people, and whoever they speak of may be anybody.
func TestPeopleAreThey(t *testing.T) {
	eachFile(t, func(name string) func([]byte) []passage {
		switch {
		case freeNames[name] != "", strings.Contains(name, "testdata/fuzz/"):
			return nil
		case strings.HasSuffix(name, ".go"):
			return func(text []byte) []passage { return tokensOf(text, token.COMMENT, token.STRING, token.IDENT) }
		case slices.Contains([]string{".md", ".txt", ".tsv", ".txtar", ".toml"}, filepath.Ext(name)):
			return linesOf
		}
		return nil
	}, func(name string, w passage) {
		if word := makesManOrWoman(w.text); word != "" {
			t.Errorf("%s:%d: %q speaks of a person: say they, them, their, or the role", name, w.line, word)
		}
	})
}

// The test must be able to find what it forbids, and let alone what it does not.
func TestPronounsBite(t *testing.T) {
	for text, want := range map[string]string{"// he goes": "he", "Ask him for it;": "him", "His sheet": "His", "for herself.": "herself", "her,": "her",
		"the": "", "this": "", "here": "", "there": "", "history": "", "they": "", "sheet": "", "isHis": "", "die Höhe": "", "he_": "he"} {
		if got := makesManOrWoman(text); got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
	source := tokensOf([]byte("package x\n\n// a comment on her\nvar his = `he`\n"), token.COMMENT, token.STRING, token.IDENT)
	found := 0
	for _, w := range source {
		if makesManOrWoman(w.text) != "" {
			found++
		}
	}
	if found != 3 {
		t.Errorf("%d of three were found in a source file: %+v", found, source)
	}
}

// linesOf are all lines of a text.
func linesOf(text []byte) (out []passage) {
	for i, line := range strings.Split(string(text), "\n") {
		out = append(out, passage{line: i + 1, text: line})
	}
	return out
}

// passage is a piece of a file: a line of a document, a comment or an identifier.
type passage struct {
	line int
	text string
	name bool // an identifier
}

// wordsOfDocument are the lines of a document, without the list of retired words itself.
func wordsOfDocument(text []byte) (out []passage) {
	inList := false
	for _, line := range linesOf(text) {
		switch {
		case strings.HasPrefix(line.text, glossary):
			inList = true
		case strings.HasPrefix(line.text, "## "):
			inList = false
		}
		if !inList {
			out = append(out, line)
		}
	}
	return out
}

// wordsOfSource are the comments and identifiers of a Go file.
func wordsOfSource(text []byte) []passage { return tokensOf(text, token.COMMENT, token.IDENT) }

// tokensOf are a Go file's tokens of some kinds.
func tokensOf(text []byte, kinds ...token.Token) (out []passage) {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return out
		}
		if slices.Contains(kinds, tok) {
			out = append(out, passage{file.Line(pos), literal, tok == token.IDENT})
		}
	}
}

// The list must be able to find what it forbids, and let alone what it does not.
func TestTheListOfWordsBites(t *testing.T) {
	for text, want := range map[string]string{"untoldNote": "untold", "TestMarksOfUntoldCombats": "untold", "// they are foretold.": "foretold",
		"s.foretell(side)": "foretell", "happenings": "happening", "retold": "", "told": "", "joined": "", "stitcher": "stitcher"} {
		if got, _ := isRetired(text); got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]string{"hand": "hand", "Hand": "hand", "toHand": "hand", "handed": "", "shorthand": "", "Handler": ""} {
		if got, _ := isRetiredName(name); got != want {
			t.Errorf("the name %q: found %q, want %q", name, got, want)
		}
	}
	source := wordsOfSource([]byte("package x\n\n// a sorry comment\nvar name = \"untold/\"\n"))
	if i := slices.IndexFunc(source, func(p passage) bool { w, _ := isRetired(p.text); return w != "" }); i < 0 || source[i].line != 3 {
		t.Errorf("of a source file: %+v", source)
	}
	if slices.ContainsFunc(source, func(p passage) bool { return strings.Contains(p.text, "untold/") }) {
		t.Error("a string is read as if it were a name")
	}
	document := wordsOfDocument([]byte("sorry\n" + glossary + ":\n| sorry |\n## Next\nsorry\n"))
	if len(document) != 4 { // the last one is the empty line at the end
		t.Errorf("of a document: %+v", document)
	}
}
