// Package backup keeps backups by content in a folder: each names all files of its moment, and
// writes only those pieces of them that the one before has not.
//
// A backup is two files: a pack of the new pieces, each packed with zstd, encrypted with age if
// that is asked for; and an index, which names the files, their pieces and where these lie, in its
// own pack or in earlier ones. The pack is whole on the disk before the index appears: a backup
// that was cut short leaves those before it as they were. An index holds no content, but names,
// sizes and SHA-256, and is never encrypted: the next backup is made without a key.
package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// Errors of this package, beside those of the disk.
var (
	// ErrDamaged says that a file of the folder is not as it was written.
	ErrDamaged = errors.New("the backup is damaged")
	// ErrNone says that there is no backup of that moment.
	ErrNone = errors.New("there is no backup")
	// ErrEncrypted says that a pack is encrypted, and to none of the keys given.
	ErrEncrypted = errors.New("the backup is encrypted")
)

// pieceSize is how many bytes of a file are a piece: what changes in a database lies scattered.
const pieceSize = 32 << 10

// The names in a folder.
const (
	indexSuffix = ".index"
	packSuffix  = ".pack"
	tmpSuffix   = ".tmp"
	nameLayout  = "20060102T150405.000Z"
)

// index is what a backup holds.
type index struct {
	Format int       `json:"format"`
	Made   time.Time `json:"made"`
	Files  []file    `json:"files"`
	Packs  []pack    `json:"packs"`
	Pieces []piece   `json:"pieces"`
}

// formatNow is the format of an index that this program writes and reads.
const formatNow = 1

// file is a file of the backup; its pieces are numbers in index.Pieces.
type file struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	Stamp  string `json:"stamp,omitempty"` // when it is the same, so is the file
	Pieces []int  `json:"pieces"`
}

// pack is a file with pieces, of this backup or an earlier one.
type pack struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// piece is where a piece lies: in the pack of that number, at an offset of what the pack holds
// when it is decrypted, so many bytes packed.
type piece struct {
	SHA256 string `json:"sha256"`
	Pack   int    `json:"pack"`
	At     int64  `json:"at"`
	Length int    `json:"length"`
}

// Written is what a backup came to.
type Written struct {
	Files, NewFiles int
	Bytes, NewBytes int64 // of the files; of the pack and the index
}

// A Source adds the files of a store to a backup, in any order.
type Source func(*Writer) error

// Write makes the backup of a moment in a folder, which is made if it is not there. The packs are
// encrypted to a recipient of age unless it is nil. If the folder has a backup of that moment, as
// where the clock was set back, this one is of the next millisecond. Several may be made at once.
func Write(folder string, at time.Time, to age.Recipient, from Source) (out Written, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return out, err
	}
	if err := swept(folder); err != nil {
		return out, err
	}
	w, err := begin(folder, at, to)
	if err != nil {
		return out, err
	}
	defer w.giveUp()
	if err := from(w); err != nil {
		return out, err
	}
	if err := w.finish(); err != nil {
		return out, err
	}
	return w.out, nil
}

// leftAfter is how long nothing was written to a file of a backup that was cut short: another one
// may be at work.
const leftAfter = time.Hour

// swept removes what a backup that was cut short left.
func swept(folder string) error {
	left, err := filepath.Glob(filepath.Join(folder, "*"+tmpSuffix))
	for _, name := range left {
		info, gone := os.Lstat(name)
		if gone != nil || time.Since(info.ModTime()) < leftAfter {
			continue
		}
		if removed := os.Remove(name); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return err
}

// reserved is the first moment from one on of which a folder has no backup, whole or begun, with the
// file of its pack.
func reserved(folder string, at time.Time) (time.Time, *os.File, error) {
	for ; ; at = at.Add(time.Millisecond) {
		path := filepath.Join(folder, at.Format(nameLayout))
		f, err := os.OpenFile(path+packSuffix+tmpSuffix, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return at, nil, err
		}
		_, noPack := os.Lstat(path + packSuffix)
		_, noIndex := os.Lstat(path + indexSuffix)
		if errors.Is(noPack, fs.ErrNotExist) && errors.Is(noIndex, fs.ErrNotExist) {
			return at, f, nil
		}
		f.Close()
		if err := os.Remove(f.Name()); err != nil {
			return at, nil, err
		}
	}
}

// Writer takes the files of a backup.
type Writer struct {
	folder, name string
	now          index
	known        map[string]int  // by SHA-256: pieces of now, from 1 on, and those of before, from -1 down
	old          map[string]file // of the backup before
	oldPieces    []piece
	pack         *os.File
	sum          io.Writer // the pack and its SHA-256
	digest       interface{ Sum([]byte) []byte }
	sealed       io.WriteCloser // into which pieces go
	at           int64
	packer       *zstd.Encoder
	out          Written
	finished     bool
}

func begin(folder string, at time.Time, to age.Recipient) (w *Writer, err error) {
	at, f, err := reserved(folder, at.UTC())
	if err != nil {
		return nil, err
	}
	w = &Writer{folder: folder, name: at.Format(nameLayout), known: map[string]int{}, old: map[string]file{}, pack: f,
		now: index{Format: formatNow, Made: at}}
	defer func() {
		if err != nil {
			w.giveUp()
		}
	}()
	before, err := latest(folder, at)
	if err != nil && !errors.Is(err, ErrNone) {
		return w, err
	}
	if before != nil {
		w.now.Packs, w.oldPieces = before.Packs, before.Pieces
		for _, f := range before.Files {
			w.old[f.Name] = f
		}
		for n, p := range before.Pieces {
			w.known[p.SHA256] = -1 - n
		}
	}
	if w.packer, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err != nil {
		return w, err
	}
	w.now.Packs = append(slices.Clone(w.now.Packs), pack{Name: w.name + packSuffix})
	digest := sha256.New()
	w.digest, w.sum = digest, io.MultiWriter(w.pack, digest)
	w.sealed = unsealed{w.sum}
	if to != nil {
		w.sealed, err = age.Encrypt(w.sum, to)
	}
	return w, err
}

// unsealed is a pack that is not encrypted.
type unsealed struct{ io.Writer }

func (unsealed) Close() error { return nil }

// Add takes a file. If the backup before has a file of the name with this stamp, which is not
// empty, it is the same, and open is not called. What open fails with comes back as it is.
func (w *Writer) Add(name, stamp string, open func() (io.ReadCloser, error)) error {
	if was, ok := w.old[name]; ok && stamp != "" && was.Stamp == stamp {
		kept := file{Name: name, Size: was.Size, Stamp: stamp}
		for _, n := range was.Pieces {
			kept.Pieces = append(kept.Pieces, w.keep(w.oldPieces[n]))
		}
		w.out.Files, w.out.Bytes = w.out.Files+1, w.out.Bytes+was.Size
		w.now.Files = append(w.now.Files, kept)
		return nil
	}
	from, err := open()
	if err != nil {
		return err
	}
	defer from.Close()
	next := file{Name: name, Stamp: stamp, Pieces: []int{}}
	room := make([]byte, pieceSize)
	for {
		n, err := io.ReadFull(from, room)
		if n > 0 {
			number, err := w.put(room[:n])
			if err != nil {
				return err
			}
			next.Pieces = append(next.Pieces, number)
			next.Size += int64(n)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	w.out.Files, w.out.NewFiles, w.out.Bytes = w.out.Files+1, w.out.NewFiles+1, w.out.Bytes+next.Size
	w.now.Files = append(w.now.Files, next)
	return nil
}

// keep is the number of an earlier piece in this backup.
func (w *Writer) keep(p piece) int {
	if n := w.known[p.SHA256]; n > 0 {
		return n - 1
	}
	w.now.Pieces = append(w.now.Pieces, p)
	w.known[p.SHA256] = len(w.now.Pieces)
	return len(w.now.Pieces) - 1
}

// put is the number of a piece in this backup; what no earlier one has goes into the pack.
func (w *Writer) put(content []byte) (int, error) {
	sum := sha256.Sum256(content)
	key := hex.EncodeToString(sum[:])
	switch n := w.known[key]; {
	case n > 0:
		return n - 1, nil
	case n < 0:
		return w.keep(w.oldPieces[-1-n]), nil
	}
	packed := w.packer.EncodeAll(content, nil)
	if _, err := w.sealed.Write(packed); err != nil {
		return 0, err
	}
	n := w.keep(piece{SHA256: key, Pack: len(w.now.Packs) - 1, At: w.at, Length: len(packed)})
	w.at += int64(len(packed))
	return n, nil
}

// finish puts the pack and then the index into the folder.
func (w *Writer) finish() error {
	if err := errors.Join(w.sealed.Close(), w.pack.Sync()); err != nil {
		return err
	}
	size, err := w.pack.Seek(0, io.SeekCurrent)
	if err = errors.Join(err, w.pack.Close()); err != nil {
		return err
	}
	own := &w.now.Packs[len(w.now.Packs)-1]
	own.Size, own.SHA256 = size, hex.EncodeToString(w.digest.Sum(nil))
	w.leaveUnused()
	slices.SortFunc(w.now.Files, func(a, b file) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.Marshal(&w.now)
	if err != nil {
		return err
	}
	packed := w.packer.EncodeAll(text, nil)
	sum := sha256.Sum256(packed)
	whole := append(sum[:], packed...)
	if err := durable(filepath.Join(w.folder, w.name+indexSuffix+tmpSuffix), whole); err != nil {
		return err
	}
	for _, suffix := range []string{packSuffix, indexSuffix} { // the pack first
		path := filepath.Join(w.folder, w.name+suffix)
		if err := os.Rename(path+tmpSuffix, path); err != nil {
			return err
		}
		if err := syncFolder(w.folder); err != nil {
			return err
		}
	}
	w.out.NewBytes, w.finished = size+int64(len(whole)), true
	return nil
}

// leaveUnused forgets the packs of which this backup needs no piece.
func (w *Writer) leaveUnused() {
	used := map[int]int{} // new number by the old one, and one more
	for _, p := range w.now.Pieces {
		used[p.Pack] = 0
	}
	used[len(w.now.Packs)-1] = 0
	var packs []pack
	for n, p := range w.now.Packs {
		if _, ok := used[n]; ok {
			used[n] = len(packs)
			packs = append(packs, p)
		}
	}
	w.now.Packs = packs
	for i := range w.now.Pieces {
		w.now.Pieces[i].Pack = used[w.now.Pieces[i].Pack]
	}
}

// giveUp removes what is not finished.
func (w *Writer) giveUp() {
	if w.finished {
		return
	}
	w.pack.Close()
	for _, suffix := range []string{packSuffix, indexSuffix} {
		os.Remove(filepath.Join(w.folder, w.name+suffix+tmpSuffix))
	}
}

func durable(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

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
			return readIndex(name)
		}
	}
	return nil, fmt.Errorf("%w in %s up to %s", ErrNone, folder, until.UTC().Format(time.RFC3339))
}

func readIndex(name string) (*index, error) {
	whole, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	damaged := fmt.Errorf("%w: %s is not as it was written", ErrDamaged, filepath.Base(name))
	if len(whole) < sha256.Size {
		return nil, damaged
	}
	if sum := sha256.Sum256(whole[sha256.Size:]); !bytes.Equal(sum[:], whole[:sha256.Size]) {
		return nil, damaged
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer unpacker.Close()
	text, err := unpacker.DecodeAll(whole[sha256.Size:], nil)
	if err != nil {
		return nil, damaged
	}
	var out index
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, damaged
	}
	if out.Format != formatNow {
		return nil, fmt.Errorf("%s: written by another version of Fieldpost: format %d, this program knows %d", filepath.Base(name), out.Format, formatNow)
	}
	return &out, out.sound(damaged)
}

// sound says whether the numbers in an index lead anywhere.
func (x *index) sound(damaged error) error {
	for _, f := range x.Files {
		for _, n := range f.Pieces {
			if n < 0 || n >= len(x.Pieces) {
				return damaged
			}
		}
		if !fs.ValidPath(f.Name) {
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
