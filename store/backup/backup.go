// Package backup keeps backups by content in a folder: each names all files of its moment, and
// writes only those pieces of them that the one before has not.
//
// A backup is two files: a pack of the new pieces, each packed with zstd, encrypted with age if
// that is asked for; and an index, which names the files, their pieces and where these lie, in its
// own pack or in earlier ones. Most indexes tell only what differs from an earlier one. The pack is
// whole on the disk before the index appears: a backup that was cut short leaves those before it as
// they were. An index holds no content, but names, sizes and SHA-256, and is never encrypted: the
// next backup is made without a key.
package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

// pieceSize is how many bytes of a file are a piece, unless the file has pages.
const pieceSize = 32 << 10

// The names in a folder.
const (
	indexSuffix = ".index"
	packSuffix  = ".pack"
	tmpSuffix   = ".tmp"
	nameLayout  = "20060102T150405.000Z"
)

// file is a file of the backup; its pieces are numbers in index.Pieces.
type file struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	Stamp  string `json:"stamp,omitempty"` // when it is the same, so is the file
	Page   int    `json:"page,omitempty"`  // how long its pieces are, where that is not pieceSize
	Pieces []int  `json:"pieces"`
}

func (f file) pieceSize() int {
	if f.Page > 0 {
		return f.Page
	}
	return pieceSize
}

func (f file) equal(o file) bool {
	return f.Name == o.Name && f.Size == o.Size && f.Stamp == o.Stamp && f.Page == o.Page && slices.Equal(f.Pieces, o.Pieces)
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
	before       *index          // the backup before, nil for none
	known        map[string]int  // the numbers of pieces by SHA-256
	old          map[string]file // of the backup before
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
	w.before, err = latest(folder, at)
	if err != nil && !errors.Is(err, ErrNone) {
		return w, err
	}
	if w.before != nil {
		w.now.Packs, w.now.Pieces = w.before.Packs, slices.Clone(w.before.Pieces)
		for _, f := range w.before.Files {
			w.old[f.Name] = f
		}
		for n, p := range w.before.Pieces {
			w.known[p.SHA256] = n
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
		w.out.Files, w.out.Bytes = w.out.Files+1, w.out.Bytes+was.Size
		w.now.Files = append(w.now.Files, was)
		return nil
	}
	return w.add(file{Name: name, Stamp: stamp, Pieces: []int{}}, open)
}

// AddPages takes a file that is written in pages, such as a database: what changes in it lies
// scattered, and a piece is a page.
func (w *Writer) AddPages(name string, page int, open func() (io.ReadCloser, error)) error {
	return w.add(file{Name: name, Page: page, Pieces: []int{}}, open)
}

func (w *Writer) add(next file, open func() (io.ReadCloser, error)) error {
	from, err := open()
	if err != nil {
		return err
	}
	defer from.Close()
	room := make([]byte, next.pieceSize())
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

// put is the number of a piece in this backup; what no earlier one has goes into the pack.
func (w *Writer) put(content []byte) (int, error) {
	sum := sha256.Sum256(content)
	key := hex.EncodeToString(sum[:])
	if n, is := w.known[key]; is {
		return n, nil
	}
	packed := w.packer.EncodeAll(content, nil)
	if _, err := w.sealed.Write(packed); err != nil {
		return 0, err
	}
	w.known[key] = len(w.now.Pieces)
	w.now.Pieces = append(w.now.Pieces, piece{SHA256: key, Pack: len(w.now.Packs) - 1, At: w.at, Length: len(packed)})
	w.at += int64(len(packed))
	return w.known[key], nil
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
	slices.SortFunc(w.now.Files, func(a, b file) int { return strings.Compare(a.Name, b.Name) })
	whole, err := w.now.written(w.before, w.packer)
	if err != nil {
		return err
	}
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
