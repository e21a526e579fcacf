package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldpost/desk/dist"
)

// The page that is committed is made of the sources that are.
func TestThePageIsCurrent(t *testing.T) {
	made, err := bundle("../page")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../dist/desk.html")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, kept) {
		t.Error("desk/dist/desk.html is not what desk/page gives: run go generate ./desk")
	}
	if n := len(made); n > 160<<10 {
		t.Errorf("the page has %d bytes", n)
	}
	for _, words := range []string{"connect-src 'none'", "Mike Bostock", "Jason Miller"} {
		if !bytes.Contains(made, []byte(words)) {
			t.Errorf("the page has no %q", words)
		}
	}
	for _, words := range []string{"{{", "unsafe-inline", "'unsafe-eval'"} {
		if bytes.Contains(made, []byte(words)) {
			t.Errorf("the page has %q", words)
		}
	}
}

// emphasized is what the document names as written on the page.
var emphasized = regexp.MustCompile(`\*([A-Z][^*\n]+)\*`)

// What the document says is written on the page is written there.
func TestTheDocumentNamesWhatThePageShows(t *testing.T) {
	text, err := os.ReadFile("../../docs/DESK.md")
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	sources, err := filepath.Glob("../page/*.ts*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(sources, "../ground.go") {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page.Write(source)
	}
	named := 0
	for _, words := range emphasized.FindAllSubmatch(text, -1) {
		for _, part := range bytes.Split(words[1], []byte(" … ")) {
			if named++; !bytes.Contains(page.Bytes(), part) {
				t.Errorf("docs/DESK.md speaks of %s, and the page has no %q", words[0], part)
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d words were found: the test looks for others than the document has", named)
	}
}

// What is vendored is as it was published: every file has the sum that was noted when it came.
func TestVendoredFilesAreAsTheyCame(t *testing.T) {
	const vendor = "../page/vendor"
	noted, err := os.ReadFile(filepath.Join(vendor, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	err = filepath.WalkDir(vendor, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == vendor {
			return err
		}
		text, err := os.ReadFile(path)
		sum := sha256.Sum256(text)
		name, _ := filepath.Rel(vendor, path)
		have = append(have, fmt.Sprintf("%s  %s", hex.EncodeToString(sum[:]), filepath.ToSlash(name)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(noted)), "\n")
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("SHA256SUMS does not name what is there:\n%s", strings.Join(have, "\n"))
	}
	packages, err := os.ReadFile(filepath.Join(vendor, "PACKAGES.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(vendor, "*", "package.json"))
	if err != nil || len(folders) < 5 {
		t.Fatalf("%d libraries, %v", len(folders), err)
	}
	for _, f := range folders {
		name := filepath.Base(filepath.Dir(f))
		if !bytes.Contains(packages, []byte("\n"+name+"\t")) {
			t.Errorf("PACKAGES.tsv does not say where %s is from", name)
		}
	}
}

// Equal engines are packed to equal files.
func TestPackingHasNoTimeInIt(t *testing.T) {
	engine := bytes.Repeat([]byte("engine"), 10_000)
	one, err := packed(engine)
	if err != nil {
		t.Fatal(err)
	}
	two, err := packed(engine)
	if err != nil || !bytes.Equal(one, two) || len(one) > 1000 {
		t.Errorf("packed twice: %d and %d bytes, %v", len(one), len(two), err)
	}
}

// What an older build left in the engine's folder is not carried along.
func TestAnOlderBuildIsTakenAway(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{".gitignore", dist.EngineFile, dist.ServedFile, dist.LoaderFile, "engine.wasm.gz"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := tidy(folder); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 4 {
		t.Errorf("%v are left, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "engine.wasm.gz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the older engine is there: %v", err)
	}
}
