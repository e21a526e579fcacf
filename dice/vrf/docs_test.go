package vrf

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const (
	verifier = "../../docs/verify_roll.py"
	page     = "../../docs/DICE.md"
)

// verification is a command line of the published verifier.
func (th Thrower) verification(event string, proof []byte, count, sides int) []string {
	return []string{verifier, th.Key.PublicKey().String(), th.Game, th.Phase, event,
		hex.EncodeToString(th.Root), hex.EncodeToString(proof), fmt.Sprint(count), fmt.Sprint(sides)}
}

// runVerifier runs the published verifier as a reader does; ok is whether it was content.
func runVerifier(t *testing.T, line []string) (out string, ok bool) {
	t.Helper()
	text, err := exec.Command("python3", line...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text)), err == nil
}

// manyRuns carries out many command lines of a script in one process, each from the
// script's first line on, and tells what each printed and whether it was content.
const manyRuns = `
import contextlib, io, json, runpy, sys
told = []
for sys.argv in json.load(sys.stdin):
    out, why = io.StringIO(), None
    try:
        with contextlib.redirect_stdout(out): runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as end: why = end.code
    told.append({"Out": (why if isinstance(why, str) else out.getvalue()).strip(), "OK": why in (None, 0)})
json.dump(told, sys.stdout)
`

// verdict is what the verifier says to a command line.
type verdict struct {
	Out string
	OK  bool
}

// runVerifiers runs the published verifier on many command lines.
func runVerifiers(t *testing.T, lines [][]string) (told []verdict) {
	t.Helper()
	in, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", manyRuns)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &told); err != nil || len(told) != len(lines) {
		t.Fatalf("%v: %d answers to %d command lines", err, len(told), len(lines))
	}
	return told
}

func words(dice []int) string { return strings.Trim(fmt.Sprint(dice), "[]") }

// Somebody else's arithmetic comes to the same dice, and refuses what is not proved.
func TestThePublishedVerifierAgrees(t *testing.T) {
	if exec.Command("python3", "-c", "int.from_bytes(b'', 'little'); ''.removeprefix('')").Run() != nil {
		t.Skip("there is no python3 (3.9 or later)")
	}
	th, event := published(t)
	var lines [][]string
	var want []string // the dice of each line, "" where the proof is to be refused
	add := func(dice string, event string, proof []byte, count, sides int) {
		lines, want = append(lines, th.verification(event, proof, count, sides)), append(want, dice)
	}
	for _, c := range []struct {
		event        string
		count, sides int
	}{{event, 24, 6}, {event, 12, 10}, {"retreat-test 513/294 2", 2, 6}, {"é", 100, 100}, {"", 1, 256}} {
		dice, proof, err := th.Throw(c.event, c.count, c.sides)
		if err != nil {
			t.Fatal(err)
		}
		add(words(dice), c.event, proof, c.count, c.sides)
		add("", c.event+"x", proof, c.count, c.sides)
		for _, at := range []int{0, 31, 40, 60, 79} {
			altered := slices.Clone(proof)
			altered[at] ^= 1
			add("", c.event, altered, c.count, c.sides)
		}
	}
	check := func(i int, out string, ok bool) {
		t.Helper()
		switch {
		case want[i] == "" && ok:
			t.Errorf("%q: it takes a proof of something else and says %s", lines[i][1:], out)
		case want[i] != "" && (!ok || out != want[i]):
			t.Errorf("%q: it says %q, the dice are %s", lines[i][1:], out, want[i])
		}
	}
	for i, v := range runVerifiers(t, lines) {
		check(i, v.Out, v.OK)
	}
	for i := range 2 { // by its exit code, as a reader sees it
		out, ok := runVerifier(t, lines[i])
		check(i, out, ok)
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
