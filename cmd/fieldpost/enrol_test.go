package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/orders"
	"fieldpost/orders/seal"
)

// printed is what a command prints, with its arguments.
func printed(t *testing.T, command func(context.Context, []string) error, args ...string) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stdout
	os.Stdout = w
	err = command(context.Background(), args)
	os.Stdout = was
	w.Close()
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What enrol --reveal opens is what enrol --nonce sealed, for that seat alone, and
// without a flag nothing is sealed.
func TestEnrolOpensWhatItSealed(t *testing.T) {
	key := filepath.Join(t.TempDir(), "test.key")
	enrolling := command{name: "enrol", setUp: enrol}.run
	head := func(args ...string) *orders.Sheet {
		t.Helper()
		block := printed(t, enrolling, append([]string{"--game", "K7QX2MPA", "--key", key}, args...)...)
		all, err := seal.Open(block)
		if err != nil || len(all) != 1 {
			t.Fatalf("%v\n%s", err, block)
		}
		sheet, faults := orders.Parse(all[0].Text, orders.Vocabulary{})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return sheet
	}
	join := head("--side", "SOVIET", "--code", "ABCDE-FGHIJ-KLMNO-PQRST-U", "--nonce")
	nonce, err := hex.DecodeString(strings.ToLower(head("--side", "SOVIET", "--reveal").Header("NONCE")))
	if err != nil || len(nonce) < 16 {
		t.Fatalf("nonce %x, %v", nonce, err)
	}
	if got, want := strings.ToLower(join.Header("NONCE-SHA256")), fmt.Sprintf("%x", sha256.Sum256(nonce)); got != want || join.Header("JOIN") == "" {
		t.Errorf("sealed %s, opened what has %s", got, want)
	}
	if other := head("--side", "GERMAN", "--reveal").Header("NONCE"); strings.EqualFold(other, hex.EncodeToString(nonce)) {
		t.Error("both seats have the same nonce")
	}
	if plain := head("--side", "SOVIET", "--code", "ABCDE"); plain.Header("NONCE-SHA256") != "" {
		t.Error("a nonce that nobody asked for")
	}
	for _, wrong := range [][]string{{"--side", "SOVIET", "--reveal", "--nonce"}, {"--side", "SOVIET", "--reveal", "--code", "A"}, {"--side", "SOVIET"}} {
		if err := enrolling(context.Background(), append([]string{"--game", "X", "--key", key}, wrong...)); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}
