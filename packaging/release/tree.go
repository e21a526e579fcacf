package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// tree is the files of an archive by their paths; one that ends in a slash is a folder.
type tree map[string]file

type file struct {
	mode    fs.FileMode
	content []byte
	owner   int
}

// put reads a file of the sources into the tree.
func (t tree) put(at, from string, mode fs.FileMode) error {
	content, err := os.ReadFile(from)
	t[at] = file{mode: mode, content: content}
	return err
}

// putAll reads the files that a pattern finds into a folder of the tree.
func (t tree) putAll(folder, pattern string) error {
	found, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, from := range found {
		if err := t.put(path.Join(folder, filepath.Base(from)), from, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// putBelow reads a whole folder.
func (t tree) putBelow(folder, root string) error {
	return filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		return t.put(path.Join(folder, filepath.ToSlash(rel)), at, 0o644)
	})
}

// below is the same tree in a folder.
func (t tree) below(folder string) tree {
	moved := tree{}
	for at, f := range t {
		moved[path.Join(folder, at)] = f
	}
	return moved
}

// withFolders has an entry for every folder above a file, as packages need them.
func (t tree) withFolders() tree {
	whole := maps.Clone(t)
	for at := range t {
		for above := path.Dir(strings.TrimSuffix(at, "/")); above != "."; above = path.Dir(above) {
			if _, ok := whole[above+"/"]; !ok {
				whole[above+"/"] = file{mode: 0o755}
			}
		}
	}
	return whole
}

// paths are in the order in which they are written.
func (t tree) paths() []string { return slices.Sorted(maps.Keys(t)) }

// tar writes the tree; its entries begin with a prefix.
func (t tree) tar(w io.Writer, prefix string, moment time.Time) error {
	out := tar.NewWriter(w)
	for _, at := range t.paths() {
		f := t[at]
		h := &tar.Header{Name: prefix + at, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: moment, Uid: f.owner, Gid: f.owner, Typeflag: tar.TypeReg, Format: tar.FormatGNU}
		if strings.HasSuffix(at, "/") {
			h.Typeflag = tar.TypeDir
		}
		if f.owner == 0 {
			h.Uname, h.Gname = "root", "root"
		}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(f.content); err != nil {
			return err
		}
	}
	return out.Close()
}

// tarGz writes the tree as .tar.gz.
func (t tree) tarGz(w io.Writer, prefix string, moment time.Time) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := t.tar(packed, prefix, moment); err != nil {
		return err
	}
	return packed.Close()
}

// zip writes the tree as Windows opens it.
func (t tree) zip(w io.Writer, moment time.Time) error {
	out := zip.NewWriter(w)
	for _, at := range t.paths() {
		h := &zip.FileHeader{Name: at, Method: zip.Deflate, Modified: moment}
		h.SetMode(t[at].mode)
		entry, err := out.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := entry.Write(t[at].content); err != nil {
			return err
		}
	}
	return out.Close()
}

// write makes a file of a release.
func (r *release) write(name string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(filepath.Join(r.out, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if err := fill(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// archived makes the archive that a person unpacks where they like.
func archived(r *release, p product) error {
	t, err := r.contents(p)
	if err != nil {
		return err
	}
	name := "fieldpost-" + r.version + "-" + p.name
	t = t.below(name)
	if p.os == "windows" {
		return r.write(name+".zip", func(w io.Writer) error { return t.zip(w, r.moment) })
	}
	return r.write(name+".tar.gz", func(w io.Writer) error { return t.tarGz(w, "", r.moment) })
}

// contents are binary, documents, samples, manual, bill of materials and licences.
func (r *release) contents(p product) (tree, error) {
	binary, err := r.binary(p.os, p.arch)
	if err != nil {
		return nil, err
	}
	t := tree{}
	if err := t.put(p.executable, binary, 0o755); err != nil {
		return nil, err
	}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "config.toml"} {
		if err := t.put(name, name, 0o644); err != nil {
			return nil, err
		}
	}
	for folder, pattern := range map[string]string{"docs": "docs/*.*", "config": "packaging/config/*.toml"} {
		if err := t.putAll(folder, pattern); err != nil {
			return nil, err
		}
	}
	if err := r.bill(t, "", binary); err != nil {
		return nil, err
	}
	if p.os == "windows" {
		return t, nil
	}
	return t, r.manual(t, "fieldpost.1", "completion/fieldpost.bash", "completion/_fieldpost", "completion/fieldpost.fish")
}

// bill puts the bill of materials and the licence texts of a binary into a folder.
func (r *release) bill(t tree, folder, binary string) error {
	bill := binary + "-bill"
	if _, err := os.Stat(bill); err != nil {
		env := []string{"SOURCE_DATE_EPOCH=" + epoch(r.moment)}
		if err := command(env, "packaging/bill", binary, bill); err != nil {
			return err
		}
	}
	return t.putBelow(folder, bill)
}

// manual puts manual and completions at these paths, as the program for this machine tells them.
func (r *release) manual(t tree, man, bash, zsh, fish string) error {
	program, err := r.binary(runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return err
	}
	asked := map[string][]string{man: {"man"}, bash: {"completion", "bash"}, zsh: {"completion", "zsh"}, fish: {"completion", "fish"}}
	for at, words := range asked {
		text, err := exec.Command(program, words...).Output()
		if err != nil {
			return err
		}
		t[at] = file{mode: 0o644, content: text}
	}
	return nil
}
