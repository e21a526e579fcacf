package backup

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// Restore writes the files of the last backup up to a moment into a folder, which must not be there.
// keys are those of encrypted packs. It is the moment of the backup. What fails may leave part of
// the files there.
func Restore(folder string, until time.Time, keys []age.Identity, into string) (made time.Time, err error) {
	x, err := latest(folder, until)
	if err != nil {
		return made, err
	}
	if err := os.Mkdir(into, 0o700); err != nil {
		return made, err
	}
	wanted, err := x.laidOut(into)
	if err != nil {
		return made, err
	}
	for n, p := range x.Packs {
		if len(wanted[n]) == 0 {
			continue
		}
		if err := x.unpack(filepath.Join(folder, p.Name), keys, wanted[n], into); err != nil {
			return made, err
		}
	}
	return x.Made, nil
}

// place is where a piece goes: into a file, at an offset.
type place struct {
	piece, file int
	at          int64
}

// laidOut makes the files, as yet empty, and says by packs what goes where.
func (x *index) laidOut(into string) (map[int][]place, error) {
	wanted := map[int][]place{}
	for i, f := range x.Files {
		path := filepath.Join(into, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return nil, err
		}
		for k, n := range f.Pieces {
			pack := x.Pieces[n].Pack
			wanted[pack] = append(wanted[pack], place{n, i, int64(k) * int64(f.pieceSize())})
		}
	}
	for _, all := range wanted {
		slices.SortFunc(all, func(a, b place) int { return cmp.Compare(x.Pieces[a.piece].At, x.Pieces[b.piece].At) })
	}
	return wanted, nil
}

// unpack reads a pack from its beginning to its end and puts its pieces where they go.
func (x *index) unpack(name string, keys []age.Identity, wanted []place, into string) error {
	damaged := fmt.Errorf("%w: %s is not as it was written", ErrDamaged, filepath.Base(name))
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is missing", ErrDamaged, filepath.Base(name))
	}
	if err != nil {
		return err
	}
	defer f.Close()
	from, err := opened(f, keys)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer unpacker.Close()
	var content []byte
	at, has := int64(0), -1
	for _, w := range wanted {
		if p := x.Pieces[w.piece]; w.piece != has {
			if _, err := io.CopyN(io.Discard, from, p.At-at); err != nil {
				return damaged
			}
			packed := make([]byte, p.Length)
			if _, err := io.ReadFull(from, packed); err != nil {
				return damaged
			}
			at, has = p.At+int64(p.Length), w.piece
			if content, err = unpacker.DecodeAll(packed, nil); err != nil {
				return damaged
			}
			if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != p.SHA256 {
				return damaged
			}
		}
		if err := writtenAt(filepath.Join(into, filepath.FromSlash(x.Files[w.file].Name)), content, w.at); err != nil {
			return err
		}
	}
	return nil
}

// ageHeader begins every file of age.
const ageHeader = "age-encryption.org/v1"

// opened is what a pack holds, decrypted if it is encrypted.
func opened(f io.Reader, keys []age.Identity) (io.Reader, error) {
	from := bufio.NewReaderSize(f, 1<<20)
	if begin, err := from.Peek(len(ageHeader)); err != nil || string(begin) != ageHeader {
		return from, nil
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%w: the file of its key is needed, as age-keygen wrote it", ErrEncrypted)
	}
	plain, err := age.Decrypt(from, keys...)
	if err != nil {
		return nil, fmt.Errorf("%w, and not to this key: %w", ErrEncrypted, err)
	}
	return plain, nil
}

func writtenAt(path string, content []byte, at int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, at)
	return errors.Join(err, f.Close())
}

// Checked is what a look at a folder found: how many backups there are, the first and the last
// of them, and what is wrong.
type Checked struct {
	Backups     int
	First, Last time.Time
	Wrong       []error
}

// Check looks whether all backups of a folder are as they were written. It needs no key.
func Check(folder string) (out Checked, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*"+indexSuffix))
	if err != nil {
		return out, err
	}
	slices.Sort(names)
	all, sums := indexesOf(folder), map[string]error{} // and of packs that were read
	for _, name := range names {
		x, err := all.whole(filepath.Base(name))
		if err != nil {
			out.Wrong = append(out.Wrong, err)
			continue
		}
		out.Backups, out.Last = out.Backups+1, x.Made
		if out.First.IsZero() {
			out.First = x.Made
		}
		for _, p := range x.Packs {
			if _, read := sums[p.Name]; !read {
				sums[p.Name] = p.check(folder)
				if sums[p.Name] != nil {
					out.Wrong = append(out.Wrong, sums[p.Name])
				}
			}
		}
	}
	if len(names) == 0 {
		return out, fmt.Errorf("%w in %s", ErrNone, folder)
	}
	return out, nil
}

// check compares a pack with its checksum.
func (p pack) check(folder string) error {
	f, err := os.Open(filepath.Join(folder, p.Name))
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, p.Name, err)
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return err
	}
	if n != p.Size || hex.EncodeToString(sum.Sum(nil)) != p.SHA256 {
		return fmt.Errorf("%w: %s is not as it was written", ErrDamaged, p.Name)
	}
	return nil
}
