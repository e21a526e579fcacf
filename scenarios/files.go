package scenarios

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// OpenFS opens a scenario from a folder that holds all of its files, and from
// nowhere else.
func OpenFS(all fs.FS, id string) (*Pack, error) {
	l := &Library{bare: true}
	l.Lay("archive", all)
	return l.Open(id)
}

// Files are the files of the scenario by their paths: those of its folder and of
// the folders above it, as Read finds them. Texts for people (.md) are left out.
func (p *Pack) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for dir := p.Dir; dir != "."; dir = path.Dir(dir) {
		for _, l := range p.layers {
			entries, err := fs.ReadDir(l.fsys, dir)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				name := path.Join(dir, e.Name())
				if _, shadowed := files[name]; shadowed || e.IsDir() || strings.HasSuffix(name, ".md") {
					continue
				}
				if files[name], err = fs.ReadFile(l.fsys, name); err != nil {
					return nil, err
				}
			}
		}
	}
	return files, nil
}

// Hash is SHA-256 in hex over the scenario's files in the order of their paths:
// of each the path and the content, both as length (eight bytes, big-endian) and
// bytes. Of tables (.tsv) empty lines and lines that begin with # do not count,
// nor do line ends: a remark that is mended changes no game.
func (p *Pack) Hash() (string, error) {
	files, err := p.Files()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	field := func(b []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		field([]byte(name))
		field(essence(name, files[name]))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func essence(name string, text []byte) []byte {
	if !strings.HasSuffix(name, ".tsv") {
		return text
	}
	var out []byte
	for line := range strings.SplitSeq(string(text), "\n") {
		line = strings.TrimRight(line, "\r")
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}
