package staff

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"fieldpost/scenarios"
)

var update = flag.Bool("update", false, "write testdata/sheets.txt anew")

// What the officers write in the first turns of every scenario stays as it is to the
// letter: games that were played, and their archives, are repeated from such sheets. Only a
// change that is to make them play otherwise may write the list anew:
//
//	go test ./staff -run TestSheetsStayAsTheyAre -update
func TestSheetsStayAsTheyAre(t *testing.T) {
	var got strings.Builder
	for _, s := range everySitting(t) {
		fmt.Fprintf(&got, "%s: %d lines, %.8x\n", s.label, strings.Count(s.text, "\n"), sha256.Sum256([]byte(s.text)))
	}
	const file = "testdata/sheets.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(text), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("line %d of %s: now %q", i+1, file, line)
		}
	}
}

// large are the scenarios in which one turn is enough of them: many units think long.
var large = map[string]bool{"kursk-joined": true, "nysa-1945": true, "two-stars": true}

// everySitting is what officers see and write in the first two turns of all scenarios, in one
// of the large ones, and where chits are drawn, what they answer to each in the first turn of
// a game that asks.
func everySitting(t testing.TB) (out []*sitting) {
	t.Helper()
	for _, info := range scenarios.List() {
		turns := 2
		if large[info.ID] {
			turns = 1
		}
		out = append(out, sittings(t, info.ID, "", turns)...)
		if info.System != "wb95" {
			out = append(out, sittings(t, info.ID, "ASK", 1)...)
		}
	}
	return out
}
