package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// made are the files of a release of a program that is a few bytes, with a bill that is there already:
// what packaging/build and packaging/bill do has tests of its own.
func made(t *testing.T, at func(r *release, p product) error, p product) (name string, content []byte) {
	t.Helper()
	r := &release{out: t.TempDir(), version: "1.2.0", moment: time.Unix(1_700_000_000, 0).UTC(), work: t.TempDir()}
	binary := filepath.Join(r.work, p.os+"-"+p.arch)
	if err := os.WriteFile(binary, []byte("the program"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(binary+"-bill", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(binary+"-bill", "bill.spdx"), []byte("SPDXVersion: SPDX-2.3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := at(r, p); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(r.out)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	content, err = os.ReadFile(filepath.Join(r.out, files[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	return files[0].Name(), content
}

// An image for containers is what its list of blobs says, the layer has the program, and nobody's date is in it.
func TestContainer(t *testing.T) {
	t.Chdir("../..")
	p := product{name: "container-arm64", os: "linux", arch: "arm64"}
	name, first := made(t, container, p)
	_, second := made(t, container, p)
	if !bytes.Equal(first, second) {
		t.Error("two builds differ")
	}
	if name != "fieldpost-1.2.0-container-arm64.tar" {
		t.Errorf("the file is called %s", name)
	}
	files := untarred(t, first)
	for path, content := range files {
		if sum, blob := strings.CutPrefix(path, "blobs/sha256/"); blob && sum != "" && digest(content) != "sha256:"+sum {
			t.Errorf("%s is not the sum of its bytes", path)
		}
	}
	var index struct{ Manifests []descriptor }
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	var config struct {
		Architecture string
		Config       struct{ Entrypoint []string }
		Rootfs       struct {
			DiffIDs []string `json:"diff_ids"`
		}
	}
	blob := func(d descriptor) []byte { return files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")] }
	parse(t, files["index.json"], &index)
	parse(t, blob(index.Manifests[0]), &manifest)
	parse(t, blob(manifest.Config), &config)
	if config.Architecture != "arm64" || config.Config.Entrypoint[0] != "/fieldpost" {
		t.Errorf("%+v", config)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(blob(manifest.Layers[0])))
	if err != nil {
		t.Fatal(err)
	}
	layer, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	if digest(layer) != config.Rootfs.DiffIDs[0] {
		t.Error("the layer is not the one that the settings name")
	}
	root := untarred(t, layer)
	if string(root["fieldpost"]) != "the program" || root["data/"] == nil || root["bill/bill.spdx"] == nil {
		t.Errorf("the layer has %d files", len(root))
	}
}

// Debian's own tools read the package, where they are.
func TestDebianPackage(t *testing.T) {
	tool, err := exec.LookPath("dpkg-deb")
	if err != nil {
		t.Skip("there is no dpkg-deb")
	}
	file := filepath.Join(t.TempDir(), "fieldpost.deb")
	content := tree{"usr/bin/fieldpost": {mode: 0o755, content: []byte("the program")}, "etc/fieldpost/": {mode: 0o755}}
	var out bytes.Buffer
	moment := time.Unix(1_700_000_000, 0).UTC()
	if err := packed(&out, moment, controlFile(debianVersion("v1.2.0"), "arm64", content), content); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	told, err := exec.Command(tool, "--info", file).CombinedOutput()
	if err != nil || !strings.Contains(string(told), "Version: 1.2.0") || !strings.Contains(string(told), "Architecture: arm64") {
		t.Errorf("%v\n%s", err, told)
	}
	told, err = exec.Command(tool, "--contents", file).CombinedOutput()
	if err != nil || !strings.Contains(string(told), "-rwxr-xr-x root/root        11 2023-11-14") || !strings.Contains(string(told), "./usr/bin/fieldpost") {
		t.Errorf("%v\n%s", err, told)
	}
}

func TestVersionsOfDebian(t *testing.T) {
	for version, want := range map[string]string{"1.2.0": "1.2.0", "v1.2.0": "1.2.0", "abc123": "0~abc123"} {
		if got := debianVersion(version); got != want {
			t.Errorf("%s became %s", version, got)
		}
	}
}

// What is asked for and is not there is told, before anything is built.
func TestWhatCannotBeMade(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "a"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, why string }{
		{"", "name the version"}, {"--version 1 --only linux-mips", "there is no \"linux-mips\" to make: linux-amd64"},
		{"--version 1 --out " + full, "is not empty"}, {"--version 1 --key /nowhere", "no such file"},
	} {
		if err := run(strings.Fields(c.args)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("release %s: %v", c.args, err)
		}
	}
}

func untarred(t *testing.T, content []byte) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(content)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if h.ModTime.Unix() != 1_700_000_000 {
			t.Errorf("%s is of %v", h.Name, h.ModTime)
		}
	}
}

func parse(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
}
