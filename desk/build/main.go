// Command build makes the order desk: desk/dist/desk.html of the sources in desk/page, and the
// engine of those in Go, as wasm. It needs Go alone. Equal sources give equal files.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"fieldpost/desk/dist"
)

func main() {
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, "desk/build:", err)
		os.Exit(1)
	}
}

// build is run in the folder desk.
func build() error {
	page, err := bundle("page")
	if err != nil {
		return err
	}
	if err := write("dist/desk.html", page); err != nil {
		return err
	}
	wasm, err := compiled()
	if err != nil {
		return err
	}
	small, err := packed(wasm)
	if err != nil {
		return err
	}
	if err := keep(wasm, small); err != nil {
		return err
	}
	loader, err := loader()
	if err != nil {
		return err
	}
	if err := write(filepath.Join("dist/engine", dist.LoaderFile), loader); err != nil {
		return err
	}
	return tidy("dist/engine")
}

// tidy takes away what an earlier build left in the folder of the engine: all that lies in it is
// carried in the binary.
func tidy(folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	carried := []string{".gitignore", dist.EngineFile, dist.ServedFile, dist.LoaderFile}
	for _, f := range files {
		if slices.Contains(carried, f.Name()) {
			continue
		}
		if err := os.Remove(filepath.Join(folder, f.Name())); err != nil {
			return err
		}
		fmt.Println("removed", filepath.Join(folder, f.Name()), "of an earlier build")
	}
	return nil
}

// keep writes the engine, packed for the page and for servers. The second takes a minute, and
// is left as it is while the engine is the same.
func keep(wasm, small []byte) error {
	file, served := filepath.Join("dist/engine", dist.EngineFile), filepath.Join("dist/engine", dist.ServedFile)
	before, _ := os.ReadFile(file)
	if _, err := os.Stat(served); err == nil && bytes.Equal(before, small) {
		fmt.Println(file, "and", served, "are current")
		return nil
	}
	smallest, err := brotlied(wasm)
	if err != nil {
		return err
	}
	if err := write(served, smallest); err != nil {
		return err
	}
	return write(file, small)
}

// write says what it writes.
func write(name string, content []byte) error {
	fmt.Printf("%-28s %9d bytes  %.16x\n", name, len(content), sha256.Sum256(content))
	return os.WriteFile(name, content, 0o644)
}

// lean are the flags by which the engine is a sixth smaller than it would be: functions are
// written into their callers only where that is felt, in what runs a million times.
var lean = []string{"-gcflags=all=-l", "-gcflags=runtime/...=", "-gcflags=internal/runtime/...=",
	"-gcflags=fieldpost/adjudicator/hex=", "-gcflags=fieldpost/adjudicator/board="}

// compiled is the engine as wasm.
func compiled() ([]byte, error) {
	dir, err := os.MkdirTemp("", "desk")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "engine.wasm")
	build := exec.Command("go", append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", out}, append(lean, "./wasm")...)...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	return os.ReadFile(out)
}

// packed packs for the page, which unpacks it by itself.
func packed(content []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(32<<20), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(content, nil), w.Close()
}

// brotlied packs for servers: browsers unpack it by themselves.
func brotlied(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// loader is Go's own script that starts wasm: it belongs to the compiler, not to our sources.
func loader() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	for _, folder := range []string{"lib", "misc"} {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), folder, "wasm", "wasm_exec.js"))
		if err == nil {
			return text, nil
		}
	}
	return nil, errors.New("this Go has no wasm_exec.js (Debian: it is in golang-go-misc or golang-src)")
}
