package backup_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"

	"fieldpost/store/backup"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// moment is when the nth backup is made.
func moment(n int) time.Time { return noon.Add(time.Duration(n) * time.Hour) }

// source adds files by their contents; those with a stamp are the same as long as it is.
func source(files map[string]string, stamps map[string]string) backup.Source {
	return func(w *backup.Writer) error {
		for name, content := range files {
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
			if err := w.Add(name, stamps[name], open); err != nil {
				return err
			}
		}
		return nil
	}
}

// noise is a text in which nothing repeats.
func noise(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.IntN(256))
	}
	return string(out)
}

// restored is what a backup up to a moment holds.
func restored(t *testing.T, folder string, until time.Time, keys ...age.Identity) map[string]string {
	t.Helper()
	into := filepath.Join(t.TempDir(), "into")
	if _, err := backup.Restore(folder, until, keys, into); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	err := filepath.WalkDir(into, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(into, path)
		out[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
	for name, content := range want {
		if got[name] != content {
			t.Errorf("%s: %s is another", what, name)
		}
	}
}

// Each backup of a folder comes back as it was at its moment, and writes what is new alone;
// encrypted or not.
func TestEveryMomentComesBack(t *testing.T) {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]age.Recipient{"plain": nil, "encrypted": key.Recipient()} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			database := []byte(noise(1, 1<<20))
			var moments []map[string]string
			files := map[string]string{"empty": "", "mails/a.eml": noise(2, 70000), "mails/b.eml": noise(3, 10)}
			for n := range 5 {
				copy(database[n*100_000:], fmt.Sprintf("a page of turn %d", n))
				files["fieldpost.db"] = string(database)
				files[fmt.Sprintf("mails/of-turn-%d.eml", n)] = noise(uint64(10+n), 5000)
				if n == 3 {
					delete(files, "mails/b.eml")
				}
				out, err := backup.Write(folder, moment(n), to, source(files, map[string]string{"mails/a.eml": "for good"}))
				if err != nil {
					t.Fatal(err)
				}
				if out.Files != len(files) || n > 0 && out.NewBytes > 60_000 || n == 0 && out.NewBytes < 1<<20 {
					t.Errorf("backup %d: %+v", n, out)
				}
				now := map[string]string{}
				for k, v := range files {
					now[k] = v
				}
				moments = append(moments, now)
			}
			var keys []age.Identity
			if to != nil {
				keys = append(keys, key)
				if _, err := backup.Restore(folder, moment(4), nil, filepath.Join(t.TempDir(), "x")); !errors.Is(err, backup.ErrEncrypted) {
					t.Errorf("without a key: %v", err)
				}
				other, _ := age.GenerateX25519Identity()
				if _, err := backup.Restore(folder, moment(4), []age.Identity{other}, filepath.Join(t.TempDir(), "x")); !errors.Is(err, backup.ErrEncrypted) {
					t.Errorf("with another key: %v", err)
				}
				packs, _ := filepath.Glob(filepath.Join(folder, "*.pack"))
				for _, name := range packs {
					if text, err := os.ReadFile(name); err != nil || bytes.Contains(text, []byte("a page of turn")) {
						t.Errorf("%s can be read, %v", name, err)
					}
				}
			}
			for n, want := range moments {
				same(t, fmt.Sprintf("backup %d", n), restored(t, folder, moment(n).Add(time.Minute), keys...), want)
			}
			if _, err := backup.Restore(folder, noon.Add(-time.Second), keys, filepath.Join(t.TempDir(), "x")); !errors.Is(err, backup.ErrNone) {
				t.Errorf("before the first: %v", err)
			}
			found, err := backup.Check(folder)
			if err != nil || found.Backups != 5 || len(found.Wrong) > 0 || !found.First.Equal(noon) || !found.Last.Equal(moment(4)) {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

// A file with the stamp that it had is not opened again.
func TestWhatIsStampedTheSameIsNotRead(t *testing.T) {
	folder := t.TempDir()
	if _, err := backup.Write(folder, moment(0), nil, source(map[string]string{"a": "text"}, map[string]string{"a": "1"})); err != nil {
		t.Fatal(err)
	}
	_, err := backup.Write(folder, moment(1), nil, func(w *backup.Writer) error {
		return w.Add("a", "1", func() (io.ReadCloser, error) { t.Error("it is read"); return nil, fs.ErrNotExist })
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the second", restored(t, folder, moment(1)), map[string]string{"a": "text"})
}

// A backup that fails leaves those before it as they were, and what it had begun goes.
func TestABackupThatIsCutShort(t *testing.T) {
	folder := t.TempDir()
	first := map[string]string{"fieldpost.db": noise(1, 100_000)}
	if _, err := backup.Write(folder, moment(0), nil, source(first, nil)); err != nil {
		t.Fatal(err)
	}
	gone := errors.New("the disk is gone")
	_, err := backup.Write(folder, moment(1), nil, func(w *backup.Writer) error {
		if err := source(map[string]string{"fieldpost.db": noise(2, 100_000)}, nil)(w); err != nil {
			return err
		}
		return gone
	})
	if !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
	// One that was killed leaves its files.
	for _, name := range []string{"20261126T140000.000Z.pack.tmp", "20261126T140000.000Z.index.tmp"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		long := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	// And one that was killed between its pack and its index a pack that nothing names.
	if err := os.WriteFile(filepath.Join(folder, "20261126T150000.000Z.pack"), []byte("whole"), 0o600); err != nil {
		t.Fatal(err)
	}
	same(t, "the first", restored(t, folder, moment(9)), first)
	second := map[string]string{"fieldpost.db": noise(3, 100_000)}
	if _, err := backup.Write(folder, moment(4), nil, source(second, nil)); err != nil {
		t.Fatal(err)
	}
	same(t, "the next", restored(t, folder, moment(9)), second)
	if left, _ := filepath.Glob(filepath.Join(folder, "*.tmp")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
	if found, err := backup.Check(folder); err != nil || len(found.Wrong) > 0 || found.Backups != 2 {
		t.Errorf("%+v, %v", found, err)
	}
}

// A byte that is altered anywhere, or a file that is missing, is noticed and its file named, and
// what is restored is never another than what was saved.
func TestDamageIsNoticed(t *testing.T) {
	folder := t.TempDir()
	want := map[string]string{"fieldpost.db": strings.Repeat("a page. ", 20_000) + noise(1, 50_000), "mails/a.eml": noise(2, 3000)}
	if _, err := backup.Write(folder, moment(0), nil, source(want, nil)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		file := files[r.IntN(2)]
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		altered := bytes.Clone(whole)
		at := r.IntN(len(altered))
		altered[at] ^= byte(1 + r.IntN(255))
		if r.IntN(6) == 0 {
			altered = altered[:at]
		}
		if err := os.WriteFile(file, altered, 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := backup.Check(folder)
		if err != nil || len(found.Wrong) == 0 || !strings.Contains(fmt.Sprint(found.Wrong), filepath.Base(file)) {
			t.Errorf("byte %d of %s: %+v, %v", at, filepath.Base(file), found, err)
		}
		into := filepath.Join(t.TempDir(), "into")
		if _, err := backup.Restore(folder, moment(0), nil, into); err == nil { // the byte was of no piece
			for name, content := range want {
				if got, _ := os.ReadFile(filepath.Join(into, name)); string(got) != content {
					t.Errorf("byte %d of %s: %s came back as another", at, filepath.Base(file), name)
				}
			}
		} else if !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("byte %d of %s: %v", at, filepath.Base(file), err)
		}
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".pack") {
			os.Remove(file)
		}
	}
	if found, err := backup.Check(folder); err != nil || len(found.Wrong) != 1 || !errors.Is(found.Wrong[0], backup.ErrDamaged) {
		t.Errorf("without its pack: %+v, %v", found, err)
	}
}

// Of two backups of the same moment, on a machine whose clock was set back, the second takes nothing
// from the first.
func TestTwoBackupsOfOneMoment(t *testing.T) {
	folder := t.TempDir()
	contents := []map[string]string{{"db": noise(1, 300_000)}, {"db": noise(1, 300_000) + noise(2, 50_000)}, {"db": noise(3, 300_000) + noise(1, 300_000)}}
	for _, content := range contents {
		if _, err := backup.Write(folder, noon, nil, source(content, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := backup.Check(folder); err != nil || len(found.Wrong) > 0 || found.Backups != len(contents) {
		t.Errorf("%+v, %v", found, err)
	}
	same(t, "the last one", restored(t, folder, noon.Add(time.Second)), contents[len(contents)-1])
}

// Backups that are made at the same time, by a daemon that is ending and by the next one, leave each
// other alone.
func TestBackupsAtTheSameTime(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for k := range 5 {
				content := map[string]string{"db": noise(1, 200_000) + noise(uint64(10*n+k), 100_000)}
				if _, err := backup.Write(folder, noon, nil, source(content, nil)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	found, err := backup.Check(folder)
	if err != nil || len(found.Wrong) > 0 || found.Backups != 40 {
		t.Errorf("%+v, %v", found, err)
	}
	for n := range found.Backups {
		restored(t, folder, noon.Add(time.Duration(n)*time.Millisecond))
	}
}

// Backups of the format before are read and gone on from.
func TestTheFormatBefore(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("testdata/format1")); err != nil {
		t.Fatal(err)
	}
	first := map[string]string{"fieldpost.db": strings.Repeat("one", 20_000), "mails/a": "a mail"}
	second := map[string]string{"fieldpost.db": strings.Repeat("one", 20_000) + "two", "mails/a": "a mail", "mails/b": "b mail"}
	third := map[string]string{"fieldpost.db": strings.Repeat("one", 20_000) + "three", "mails/b": "b mail"}
	if _, err := backup.Write(folder, moment(2), nil, source(third, nil)); err != nil {
		t.Fatal(err)
	}
	for n, want := range []map[string]string{first, second, third} {
		same(t, fmt.Sprint("backup ", n), restored(t, folder, moment(n)), want)
	}
	if found, err := backup.Check(folder); err != nil || len(found.Wrong) > 0 || found.Backups != 3 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Of a database a page is written for a page that changed, and an index tells what changed: a long
// row of backups stays small, and each of them is whole.
func TestALongRowOfBackups(t *testing.T) {
	const page, pages, mails, backups = 4096, 500, 300, 70
	folder := t.TempDir()
	db, files := []byte(noise(1, page*pages)), map[string]string{}
	for n := range mails {
		files[fmt.Sprintf("mails/%03d", n)] = noise(uint64(n), 500)
	}
	var all []map[string]string
	for n := range backups {
		copy(db[page*(n*37%pages):], noise(uint64(1000+n), 100))
		delete(files, fmt.Sprintf("mails/%03d", n))
		files[fmt.Sprintf("mails/%03d", mails+n)] = noise(uint64(mails+n), 500)
		out, err := backup.Write(folder, moment(n), nil, func(w *backup.Writer) error {
			if err := w.AddPages("fieldpost.db", page, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(db)), nil }); err != nil {
				return err
			}
			return source(files, nil)(w)
		})
		if err != nil {
			t.Fatal(err)
		}
		if whole := n%31 == 0; !whole && out.NewBytes > 4*page {
			t.Errorf("backup %d has %d bytes for a page and a mail", n, out.NewBytes)
		}
		now := maps.Clone(files)
		now["fieldpost.db"] = string(db)
		all = append(all, now)
	}
	if found, err := backup.Check(folder); err != nil || len(found.Wrong) > 0 || found.Backups != backups {
		t.Errorf("%+v, %v", found, err)
	}
	for _, n := range []int{0, 1, 29, 30, 31, 32, 61, 62, 69} {
		same(t, fmt.Sprint("backup ", n), restored(t, folder, moment(n)), all[n])
	}
	// An index that others build on is missed in all of them.
	if err := os.Remove(filepath.Join(folder, moment(1).Format("20060102T150405.000Z")+".index")); err != nil {
		t.Fatal(err)
	}
	found, err := backup.Check(folder)
	if err != nil || found.Backups != backups-30 || len(found.Wrong) != 29 || !errors.Is(found.Wrong[0], backup.ErrDamaged) {
		t.Errorf("without the second index: %d backups, %d faults, %v", found.Backups, len(found.Wrong), err)
	}
}
