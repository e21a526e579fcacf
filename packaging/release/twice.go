package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"fieldpost/packaging/sums"
)

// twice makes the release two times, each from a copy of the last commit in a folder of its own,
// and compares what came of it by the list of checksums. It tells that list.
func twice(args []string) (list []byte, err error) {
	moment, err := lastChange()
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "fieldpost-twice")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	var lists [2][]byte
	var faults [2]error
	var both sync.WaitGroup // packing the engine takes most of the time, on one core
	for i, name := range []string{"one", "another-with-a-longer-name"} {
		both.Go(func() {
			if lists[i], faults[i] = madeIn(filepath.Join(work, name), moment, args); faults[i] != nil {
				faults[i] = fmt.Errorf("the %s: %w", []string{"first", "second"}[i], faults[i])
			}
		})
	}
	both.Wait()
	if err := errors.Join(faults[:]...); err != nil {
		return nil, err
	}
	if !bytes.Equal(lists[0], lists[1]) {
		return nil, fmt.Errorf("the two differ:\n%s\n%s", lists[0], lists[1])
	}
	return lists[0], nil
}

// madeIn makes the release in a folder, and is the list of its checksums.
func madeIn(folder string, moment time.Time, args []string) ([]byte, error) {
	sources, out := filepath.Join(folder, "sources"), filepath.Join(folder, "release")
	if err := copied(sources); err != nil {
		return nil, err
	}
	cmd := exec.Command("go", append([]string{"run", "./packaging/release", "--out", out}, args...)...)
	cmd.Dir, cmd.Stderr = sources, os.Stderr
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(moment.Unix(), 10))
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(out, sums.ListFile))
}

// copied writes the sources of the last commit into a folder.
func copied(folder string) error {
	text, err := exec.Command("git", "archive", "HEAD").Output()
	if err != nil {
		return fmt.Errorf("git archive: %w", err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(bytes.NewReader(text)); ; {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case h.Typeflag == tar.TypeDir:
			err = root.MkdirAll(filepath.Clean(h.Name), 0o755)
		case h.Typeflag == tar.TypeReg:
			err = written(root, h, r)
		}
		if err != nil {
			return err
		}
	}
}

// written copies a file out of an archive.
func written(root *os.Root, h *tar.Header, from io.Reader) error {
	file, err := root.OpenFile(filepath.Clean(h.Name), os.O_CREATE|os.O_WRONLY, h.FileInfo().Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}
