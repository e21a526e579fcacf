package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
)

// index is what a backup holds.
type index struct {
	Format int       `json:"format"`
	Made   time.Time `json:"made"`
	// Base is the index that this one tells the differences from, and Gone the files of it that are
	// no more: Files are then the others and the new ones, and Packs and Pieces stand behind those
	// of the base. Depth is how many indexes are to be read before this one.
	Base   string   `json:"base,omitempty"`
	Depth  int      `json:"depth,omitempty"`
	Gone   []string `json:"gone,omitempty"`
	Files  []file   `json:"files"`
	Packs  []pack   `json:"packs"`
	Pieces []piece  `json:"pieces"`

	name string // of its file
}

const (
	// formatNow is the format of an index that this program writes; it reads those before, too.
	formatNow = 2
	// deepest is how many indexes build on each other.
	deepest = 30
)

// written is the file of an index: what differs from the one before, or now and then all of it.
func (x *index) written(before *index, packer *zstd.Encoder) ([]byte, error) {
	out := x.compact()
	if before != nil && before.Depth < deepest && 2*len(out.Pieces) > len(x.Pieces) {
		out = x.since(before)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	packed := packer.EncodeAll(text, nil)
	sum := sha256.Sum256(packed)
	return append(sum[:], packed...), nil
}

// since is what differs from an index on whose packs and pieces this one builds.
func (x *index) since(before *index) *index {
	out := &index{Format: x.Format, Made: x.Made, Base: before.name, Depth: before.Depth + 1, Files: []file{},
		Packs: x.Packs[len(before.Packs):], Pieces: x.Pieces[len(before.Pieces):]}
	was, is := map[string]file{}, map[string]bool{}
	for _, f := range before.Files {
		was[f.Name] = f
	}
	for _, f := range x.Files {
		is[f.Name] = true
		if old, there := was[f.Name]; !there || !old.equal(f) {
			out.Files = append(out.Files, f)
		}
	}
	for _, f := range before.Files {
		if !is[f.Name] {
			out.Gone = append(out.Gone, f.Name)
		}
	}
	return out
}

// on is the whole of an index that tells what differs from a base.
func (x *index) on(base *index) *index {
	out := &index{Format: x.Format, Made: x.Made, Base: x.Base, Depth: x.Depth, name: x.name,
		Packs: slices.Concat(base.Packs, x.Packs), Pieces: slices.Concat(base.Pieces, x.Pieces)}
	other := map[string]bool{}
	for _, name := range x.Gone {
		other[name] = true
	}
	for _, f := range x.Files {
		other[f.Name] = true
	}
	for _, f := range base.Files {
		if !other[f.Name] {
			out.Files = append(out.Files, f)
		}
	}
	out.Files = append(out.Files, x.Files...)
	slices.SortFunc(out.Files, func(a, b file) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return out
}

// compact is an index without the pieces that none of its files needs, and without the packs of
// which it needs no piece but its own.
func (x *index) compact() *index {
	out := &index{Format: x.Format, Made: x.Made, Files: []file{}, Pieces: []piece{}}
	pieces, packs := map[int]int{}, map[int]int{}
	packOf := func(n int) int {
		if _, known := packs[n]; !known {
			packs[n] = len(out.Packs)
			out.Packs = append(out.Packs, x.Packs[n])
		}
		return packs[n]
	}
	for _, f := range x.Files {
		f.Pieces = slices.Clone(f.Pieces)
		for i, n := range f.Pieces {
			if _, known := pieces[n]; !known {
				p := x.Pieces[n]
				p.Pack = packOf(p.Pack)
				pieces[n] = len(out.Pieces)
				out.Pieces = append(out.Pieces, p)
			}
			f.Pieces[i] = pieces[n]
		}
		out.Files = append(out.Files, f)
	}
	packOf(len(x.Packs) - 1)
	return out
}

// indexes reads the indexes of a folder, each once.
type indexes struct {
	folder string
	read   map[string]*index
}

func indexesOf(folder string) indexes { return indexes{folder, map[string]*index{}} }

// latest is the index of the last backup up to a moment.
func latest(folder string, until time.Time) (*index, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*"+indexSuffix))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	limit := until.UTC().Format(nameLayout) + indexSuffix
	for _, name := range slices.Backward(names) {
		if filepath.Base(name) <= limit {
			return indexesOf(folder).whole(filepath.Base(name))
		}
	}
	return nil, fmt.Errorf("%w in %s up to %s", ErrNone, folder, until.UTC().Format(time.RFC3339))
}

// whole is an index with what it has from those that it builds on.
func (all indexes) whole(name string) (*index, error) {
	if x := all.read[name]; x != nil {
		return x, nil
	}
	x, err := readIndex(filepath.Join(all.folder, name))
	if err != nil {
		return nil, err
	}
	damaged := fmt.Errorf("%w: %s is not as it was written", ErrDamaged, name)
	if x.Base != "" {
		if filepath.Base(x.Base) != x.Base || x.Base >= name { // those that it builds on are older
			return nil, damaged
		}
		base, err := all.whole(x.Base)
		if err != nil {
			return nil, fmt.Errorf("%s builds on another one: %w", name, err)
		}
		x = x.on(base)
	}
	if err := x.sound(damaged); err != nil {
		return nil, err
	}
	all.read[name] = x
	return x, nil
}

// readIndex reads the file of an index.
func readIndex(path string) (*index, error) {
	name := filepath.Base(path)
	file, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, name)
	}
	if err != nil {
		return nil, err
	}
	damaged := fmt.Errorf("%w: %s is not as it was written", ErrDamaged, name)
	if len(file) < sha256.Size {
		return nil, damaged
	}
	if sum := sha256.Sum256(file[sha256.Size:]); !bytes.Equal(sum[:], file[:sha256.Size]) {
		return nil, damaged
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer unpacker.Close()
	text, err := unpacker.DecodeAll(file[sha256.Size:], nil)
	if err != nil {
		return nil, damaged
	}
	out := index{name: name}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, damaged
	}
	if out.Format < 1 || out.Format > formatNow {
		return nil, fmt.Errorf("%s: written by another version of Fieldpost: format %d, this program knows those up to %d", name, out.Format, formatNow)
	}
	return &out, nil
}

// sound says whether the numbers in an index lead anywhere.
func (x *index) sound(damaged error) error {
	for _, f := range x.Files {
		for _, n := range f.Pieces {
			if n < 0 || n >= len(x.Pieces) {
				return damaged
			}
		}
		if !fs.ValidPath(f.Name) || f.Page < 0 {
			return damaged
		}
	}
	for _, p := range x.Pieces {
		if p.Pack < 0 || p.Pack >= len(x.Packs) || p.Length < 1 {
			return damaged
		}
	}
	for _, p := range x.Packs {
		if filepath.Base(p.Name) != p.Name {
			return damaged
		}
	}
	return nil
}
