package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/cmdline"
	"fieldpost/desk/dist"
	"fieldpost/umpire/match"
)

// The desk is written as one file with the report in it, or says in a line what its binary
// lacks; what is no report is told at once, and it is served to this machine alone.
func TestTheDeskIsWrittenAsOneFile(t *testing.T) {
	v, err := match.Builtin.OpeningView("kharkov-1942", "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	report, page, none := filepath.Join(dir, "view.json"), filepath.Join(dir, "desk.html"), filepath.Join(dir, "none.txt")
	for name, content := range map[string]string{report: string(text), none: "Dear umpire\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	desk := command{name: "desk", setUp: deskCommand}.run
	switch err := desk(t.Context(), []string{report, "--out", page}); {
	case errors.Is(err, dist.ErrNoEngine):
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("it says in several lines %q", err)
		}
	case err != nil:
		t.Fatal(err)
	default:
		written, err := os.ReadFile(page)
		if err != nil || !strings.Contains(string(written), `id="report" data-name="view.json"`) {
			t.Errorf("the page does not hold the report: %v", err)
		}
	}
	if err := desk(t.Context(), []string{none, "--out", page}); !errors.Is(err, errNoView) {
		t.Errorf("what is no report is answered %v", err)
	}
	// The archive of a game is one as well, unless it is damaged.
	archive := "../../umpire/testdata/formats/format1.tar"
	if err := desk(t.Context(), []string{archive, "--out", page}); err != nil && !errors.Is(err, dist.ErrNoEngine) {
		t.Errorf("an archive is answered %v", err)
	}
	whole, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(none, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := desk(t.Context(), []string{none, "--out", page}); err == nil || !strings.Contains(err.Error(), "the archive is damaged") {
		t.Errorf("half an archive is answered %v", err)
	}
	if err := desk(t.Context(), []string{report, "--listen", "0.0.0.0:0"}); !errors.Is(err, cmdline.ErrUsage) {
		t.Errorf("an open address is answered %v", err)
	}
}
