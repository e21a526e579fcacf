package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldpost/trial/guide"
)

// What the documents show and what needs neither a daemon nor a store is carried
// out as written, in an empty folder. The rest is carried out by TestModeratingAsWritten,
// by the demo and by the conversations with real servers; what tries the program, in small,
// by the test of cmd/fieldpost-trial.
func TestCommandsThatOnlyRead(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	dir := t.TempDir()
	if _, err := guide.Write("../../docs/SCENARIOS.md", filepath.Join(dir, "mine")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sheet.txt"), []byte("GAME: K7QX2MPA\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"orders.txt", "act.txt"} {
		if err := os.Link(filepath.Join(dir, "sheet.txt"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "letter.txt"), []byte("Shall we talk?\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("../../docs/*.md")
	files = append(files, "../../README.md")
	var commands []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command1.FindAllSubmatch(text, -1) {
			if line := smaller(string(m[1])); line != "" && !slices.Contains(commands, line) {
				commands = append(commands, line)
			}
		}
	}
	slices.SortStableFunc(commands, func(a, b string) int { return makesKey(b) - makesKey(a) })
	if len(commands) < 27 {
		t.Errorf("only %d commands: %q", len(commands), commands)
	}
	for _, line := range commands {
		cmd := exec.Command("bash", "-c", `fieldpost() { FIELDPOST_COMMAND=1 "$FIELDPOST_BINARY" "$@"; }
`+line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "FIELDPOST_BINARY="+binary(t))
		begun := time.Now()
		out, err := cmd.CombinedOutput()
		t.Logf("%v  %s", time.Since(begun).Round(100*time.Millisecond), line)
		if err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

func binary(t *testing.T) string {
	path, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func makesKey(line string) int {
	if strings.HasPrefix(line, "fieldpost keygen") {
		return 1
	}
	return 0
}

var (
	comment  = regexp.MustCompile(`\s+#.*$|\s{3,}[a-z].*$`)
	size     = regexp.MustCompile(`--games +(\d+|N)\b`)
	onlyRead = []string{"fieldpost rules", "fieldpost scenario", "fieldpost game options", "fieldpost config describe", "fieldpost keygen", "fieldpost sign", "fieldpost press",
		"fieldpost enrol --game K7QX2MPA --side SOVIET --code"}
)

// smaller is a command that only reads, with the words of its place and in small;
// "" for others.
func smaller(line string) string {
	line = strings.TrimSpace(comment.ReplaceAllString(line, ""))
	if !slices.ContainsFunc(onlyRead, func(p string) bool { return strings.HasPrefix(line, p) }) || strings.Contains(line, "|") {
		return ""
	}
	if slices.Contains([]string{"fieldpost sign", "fieldpost press", "fieldpost rules odds"}, line) || strings.Contains(line, "--break") {
		return "" // a name only; of the sources
	}
	line = size.ReplaceAllString(line, "--games 1")
	if strings.HasPrefix(line, "fieldpost rules") {
		line = strings.Replace(line, "ID", "wb95", 1)
	}
	return strings.NewReplacer("ID", "prokhorovka", "--chapter N", "--chapter 5", "--games N", "--games 1").Replace(line)
}
