package vrf

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const (
	verifier = "../../docs/verify_roll.py"
	page     = "../../docs/DICE.md"
)

// runVerifier runs the published verifier on an event; ok is whether it was content.
func runVerifier(t *testing.T, th Thrower, event string, proof []byte, count, sides int) (out string, ok bool) {
	t.Helper()
	cmd := exec.Command("python3", verifier, th.Key.PublicKey().String(), th.Game, th.Phase, event,
		hex.EncodeToString(th.Root), hex.EncodeToString(proof), fmt.Sprint(count), fmt.Sprint(sides))
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text)), err == nil
}

func words(dice []int) string { return strings.Trim(fmt.Sprint(dice), "[]") }

// Somebody else's arithmetic comes to the same dice, and refuses what is not proved.
func TestThePublishedVerifierAgrees(t *testing.T) {
	if exec.Command("python3", "-c", "int.from_bytes(b'', 'little'); ''.removeprefix('')").Run() != nil {
		t.Skip("there is no python3 (3.9 or later)")
	}
	th, event := published(t)
	for _, c := range []struct {
		event        string
		count, sides int
	}{{event, 24, 6}, {event, 12, 10}, {"retreat-test 513/294 2", 2, 6}, {"é", 100, 100}, {"", 1, 256}} {
		dice, proof, err := th.Throw(c.event, c.count, c.sides)
		if err != nil {
			t.Fatal(err)
		}
		if out, ok := runVerifier(t, th, c.event, proof, c.count, c.sides); !ok || out != words(dice) {
			t.Errorf("%q: it says %q, the dice are %v", c.event, out, dice)
		}
		if out, ok := runVerifier(t, th, c.event+"x", proof, c.count, c.sides); ok {
			t.Errorf("%q: it takes the proof for another event: %s", c.event, out)
		}
		for _, at := range []int{0, 31, 40, 60, 79} {
			proof[at] ^= 1
			if out, ok := runVerifier(t, th, c.event, proof, c.count, c.sides); ok {
				t.Errorf("%q: with byte %d of the proof altered it says %s", c.event, at, out)
			}
			proof[at] ^= 1
		}
	}
}

// The page tells the vectors of the tests.
func TestThePageTellsTheVectors(t *testing.T) {
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(raw)), "")
	for what, want := range map[string]string{
		"root": vectorRoot, "alpha": vectorAlpha, "proof": vectorPi, "beta": vectorBeta, "stream": vectorStream,
		"d6": words(vectorD6), "d10": words(vectorD10), "key": rfcExamples[0].pk,
	} {
		if !strings.Contains(text, strings.ReplaceAll(want, " ", "")) {
			t.Errorf("%s does not tell the vector's %s", page, what)
		}
	}
}

// The page's way to a root that is bound to a beacon's value is ours.
func TestThePageBindsARoot(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, line, found := strings.Cut(string(text), "$ python3 -c \"")
	line, _, closed := strings.Cut(line, "\"\n")
	if !found || !closed {
		t.Fatal("the page has no such line")
	}
	if exec.Command("python3", "-c", "").Run() != nil {
		t.Skip("there is no python3")
	}
	root, value := []byte("root of thirty-two bytes, or not"), []byte{0xb4, 0x46, 0x79}
	line = strings.NewReplacer("ROOT", hex.EncodeToString(root), "SIGNATURE", hex.EncodeToString(value)).Replace(line)
	out, err := exec.Command("python3", "-c", line).CombinedOutput()
	bound := Bound(root, value)
	if got := strings.TrimSpace(string(out)); err != nil || got != hex.EncodeToString(bound[:]) {
		t.Errorf("%s, %v; want %x", got, err, bound)
	}
}
