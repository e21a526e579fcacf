package umpire

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/umpire/club"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// trouble is the page of docs/MODERATING.md about alarms.
func trouble(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/MODERATING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, found := strings.Cut(string(text), "## When something is wrong\n")
	page, _, _ = strings.Cut(page, "\n## ")
	if !found {
		t.Fatal("docs/MODERATING.md has no page \"When something is wrong\"")
	}
	return page
}

var verb = regexp.MustCompile(`%[a-z]`)

// longest is the longest piece of a text between what is filled in.
func longest(text string) (piece string) {
	for _, p := range verb.Split(text, -1) {
		if p = strings.Trim(p, " ,;:"); len(p) > len(piece) {
			piece = p
		}
	}
	return piece
}

// calm are the beginnings of notes that are no alarm.
var calm = []string{"has no player for", "waits for the nonce of", "orders", "of", "is away until", "waits for", "and", "then", "answer(s)", "2 Jan 15:04", "mails to new addresses today"}

// Every note by which status marks a game, every trouble, and every line beside the games that
// wants the moderator stands on the page.
func TestEveryAlarmStandsOnThePage(t *testing.T) {
	page := trouble(t)
	found := 0
	has := func(what string) {
		found++
		if !strings.Contains(page, what) {
			t.Errorf("the page \"When something is wrong\" has nothing of %q", what)
		}
	}
	for _, kind := range club.CanBeOut() {
		says := post.Trouble{Of: kind}.String()
		has(says[:strings.Index(says, " since")+len(" since")])
		has("`" + kind + "`")
	}
	for _, note := range notesOf(t, "explain", "waitsFor", "countMails", "newAddresses") {
		has(note)
	}
	has("the dice wait for round")
	has(match.ErrVersion.Error())
	for _, rank := range []club.Rank{club.RankStopped, club.RankAlarm, club.RankWarning} {
		has("`" + rank.Mark() + "`")
	}
	for _, word := range []string{"`damaged`", "`stuck`", "`ALARM`", "503"} {
		has(word)
	}
	if pages, err := filepath.Glob("../web/*.go"); err != nil || len(pages) == 0 {
		t.Error("there is no page to log in")
	}
	if door, err := os.ReadFile("../web/door.go"); err != nil || !strings.Contains(string(door), "Too many wrong passwords") {
		t.Errorf("the door says something else: %v", err)
	}
	has("Too many wrong passwords")
	if found < 25 {
		t.Errorf("%d alarms were looked for", found)
	}
}

// notesOf are the words of the functions of package club that say why a game is marked.
func notesOf(t *testing.T, names ...string) (notes []string) {
	t.Helper()
	files, err := filepath.Glob("club/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || !slices.Contains(names, f.Name.Name) {
				continue
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				lit, is := n.(*ast.BasicLit)
				if !is || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				piece, _, _ := strings.Cut(strings.TrimPrefix(longest(text), "ALARM: "), ": ")
				if len(piece) > 7 && !slices.Contains(calm, piece) {
					notes = append(notes, piece)
				}
				return true
			})
		}
	}
	return notes
}
