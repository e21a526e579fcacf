package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldpost/cmdline"
	"fieldpost/desk/dist"
	"fieldpost/store/postgres/server"
	"fieldpost/trial"
	"fieldpost/trial/guide"
)

// The processes of the daemons of club, clubs and cluster are this test binary.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"club-daemon", "clubs-daemon", "cluster-daemon"}, os.Args[1]) {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

var shown = regexp.MustCompile(`(?m)(?:^ {4,}|\x60)(fieldpost-trial [a-z]+[^\x60\n]*)`)

// documented are the command lines that the documents show.
func documented(t *testing.T) (lines []string) {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range shown.FindAllSubmatch(text, -1) {
			line, _, _ := strings.Cut(string(m[1]), " #")
			lines = append(lines, line)
		}
	}
	return lines
}

// small are the sizes at which documented commands are carried out.
var small = map[string]string{"--games": "1", "--count": "4", "--schedules": "2", "--pairs": "2", "--sheets": "4", "--seeds": "5", "--days": "3", "--full": "", "--a": "officer@300", "--clubs": "2", "--rate": "2", "--faults": "5"}

// smaller is a documented command in small. What plays scenarios in turn plays one, to
// the end of its first turn where it can; "" says that there is nothing to carry out.
func smaller(line string) (args []string) {
	words := strings.Fields(line)[1:]
	if len(words) == 1 || strings.HasSuffix(words[0], "-daemon") { // a name only; club, clubs and cluster begin them
		return nil
	}
	if words[0] == "full" { // only root may mount its disks; package samples has one
		return nil
	}
	if slices.Contains([]string{"cluster", "scale"}, words[0]) && !server.Installed() && os.Getenv("CI") == "" {
		return nil
	}
	inNode := words[0] == "wasm" || words[0] == "thoughts"
	if inNode && !hasEngine() {
		return nil
	}
	for i := 0; i < len(words); i++ {
		size, sized := small[words[i]]
		switch {
		case sized && size == "":
			i++
		case sized:
			args = append(args, words[i], size)
			i++
		default:
			args = append(args, words[i])
		}
	}
	if !slices.Contains(args, "--games") && slices.Contains([]string{"fog", "random", "staff", "secrets", "club"}, words[0]) {
		args = append(args, "--games", "1")
	}
	if slices.Contains([]string{"secrets", "referee", "mutants", "arena", "habits", "demos", "cluster"}, words[0]) {
		args = append(args, "--turns", "1")
	}
	if words[0] == "clubs" {
		args = append(args, "--seconds", "2")
	}
	if words[0] == "club" {
		args = append(args, "--days", "3")
	}
	playsInTurn := []string{"staff", "habits", "random", "referee", "mutants", "checks", "secrets", "demos", "pictures"}
	if i := slices.Index(args, "--system"); slices.Contains(playsInTurn, words[0]) && (i < 0 || args[i+1] == "wb95") {
		args = append(args, "--scenario", "prokhorovka")
	}
	if words[0] == "habits" { // whose games are many
		args = append(args, "--b", "officer@300", "--pairs", "1")
	}
	if words[0] == "rollbacks" { // each of whose acts reads all that is told of the game: the smallest one
		args = append(args, "--system", "steppe", "--scenario", "star-and-gallop")
	}
	return args
}

// hasEngine tells whether the order desk's engine is there. A fresh clone has none; what is
// tried before anything lands has it.
func hasEngine() bool {
	_, err := dist.Sum()
	return os.Getenv("CI") == "true" || !errors.Is(err, dist.ErrNoEngine)
}

// meaning is what a command line comes to with its flags read: lines of one meaning are one run,
// whichever defaults they spell out. One that cannot be read means itself, and fails when it is carried out.
func meaning(args []string) string {
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		s := &settings{Trial: trial.Trial{Progress: io.Discard}}
		f := s.flags(c)
		s.setUp(c)(f)
		words, err := cmdline.Parse(f, args[1:])
		if err == nil {
			return fmt.Sprintf("%s %q %+v", c.name, words, *s)
		}
	}
	return strings.Join(args, " ")
}

// Lines of one meaning differ by nothing but what is the default anyway.
func TestMeaning(t *testing.T) {
	for line, same := range map[string]bool{
		"rollbacks --games 1": true, "rollbacks --seed 1 --system wb95 --games 1": true, "rollbacks --games 5 --games 1": true,
		"rollbacks --games 2": false, "rollbacks --games 1 --seed 2": false, "rollbacks --games 1 --system steppe": false,
		"random --games 1": false, "rollbacks --games 1 --option fog=off": false, "rollbacks --games 1 --dir mine": false,
		"rollbacks --games 1 --scenario prokhorovka": false, "rollbacks --gams 1": false,
	} {
		if got := meaning(strings.Fields(line)) == meaning([]string{"rollbacks", "--games", "1"}); got != same {
			t.Errorf("%s means the same: %v", line, got)
		}
	}
}

// Every trial that the documents name is there, and is carried out as written, in small.
func TestDocumentedTrials(t *testing.T) {
	guideText, err := filepath.Abs("../../docs/SCENARIOS.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := documented(t)
	t.Chdir(t.TempDir())
	if _, err := guide.Write(guideText, "mine"); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands() {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.Fields(l)[1] == c.name }) {
			t.Errorf("no document names fieldpost-trial %s", c.name)
		}
		lines = append(lines, c.example) // which its help shows
	}
	carriedOut := map[string]bool{}
	for _, line := range lines {
		args := smaller(line)
		if args == nil || carriedOut[meaning(args)] {
			continue
		}
		carriedOut[meaning(args)] = true
		var out, progress strings.Builder
		began := time.Now()
		if code := run(t.Context(), args, &out, &progress); code != 0 || out.Len() == 0 {
			t.Errorf("%s: exit code %d\n%s%s", strings.Join(args, " "), code, out.String(), progress.String())
		}
		t.Logf("%v  %s", time.Since(began).Round(time.Millisecond), strings.Join(args, " "))
	}
	t.Logf("%d commands", len(carriedOut))
	if len(carriedOut) < 14 {
		t.Errorf("only %d commands were carried out", len(carriedOut))
	}
}

// A command line that is off is not carried out, and help carries nothing out.
func TestCommandLines(t *testing.T) {
	for line, want := range map[string]int{
		"": 0, "help": 0, "random --help": 0, "rondom": 2, "random --gams 3": 2, "mail --games 3": 2, "fog more": 2, "fog --system chess": 2,
	} {
		var out strings.Builder
		if code := run(t.Context(), strings.Fields(line), &out, &out); code != want || out.Len() == 0 {
			t.Errorf("fieldpost-trial %s: exit code %d, want %d: %s", line, code, want, out.String())
		}
	}
}
