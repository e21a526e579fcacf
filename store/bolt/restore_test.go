package bolt

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"fieldpost/store"
)

func TestRestore(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "club"), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := Open(filepath.Join(dir, "club", Database), Options{})
	if err != nil {
		t.Fatal(err)
	}
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Commit(store.Change{Notes: map[string][]byte{"what": []byte("is kept")}}); err != nil {
		t.Fatal(err)
	}
	spooled, err := db.Spool([]byte("Subject: orders\r\n\r\nMOVE\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	plain, sealed := filepath.Join(dir, "plain"), filepath.Join(dir, "sealed")
	if _, err := db.Backup(plain); err != nil {
		t.Fatal(err)
	}
	if _, err := db.BackupFor(sealed, key.Recipient().String()); err != nil {
		t.Fatal(err)
	}
	db.Close()
	restored := func(file string, identity []byte) {
		t.Helper()
		folder := filepath.Join(dir, "again")
		if err := Restore(file, folder, identity); err != nil {
			t.Fatal(err)
		}
		db, err := Open(filepath.Join(folder, Database), Options{MustExist: true})
		if err != nil {
			t.Fatal(err)
		}
		if note, err := db.Note("what"); err != nil || string(note) != "is kept" {
			t.Errorf("%q, %v", note, err)
		}
		if raw, err := db.Spooled(spooled); err != nil || !bytes.Contains(raw, []byte("MOVE")) {
			t.Errorf("%q, %v", raw, err)
		}
		db.Close()
		if err := Restore(file, folder, identity); !errors.Is(err, fs.ErrExist) {
			t.Errorf("over a folder that is in use: %v", err)
		}
		os.RemoveAll(folder)
	}
	restored(plain, nil)
	restored(sealed, []byte("# created: today\n"+key.String()+"\n"))

	// What is no whole backup leaves nothing behind.
	other, _ := age.GenerateX25519Identity()
	whole, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	bundle := func(name string, kind byte) []byte {
		var b bytes.Buffer
		z, _ := zstd.NewWriter(&b)
		w := tar.NewWriter(z)
		_ = w.WriteHeader(&tar.Header{Name: name, Typeflag: kind, Mode: 0o600, Size: 0, Linkname: "/etc/passwd"})
		_ = w.Close()
		_ = z.Close()
		return b.Bytes()
	}
	for what, c := range map[string]struct {
		bytes    []byte
		identity []byte
		want     error
	}{
		"half of it":                 {whole[:len(whole)/2], nil, ErrNotBackup},
		"a letter":                   {[]byte("Dear Anna"), nil, ErrNotBackup},
		"nothing":                    {nil, nil, ErrNotBackup},
		"a file that climbs out":     {bundle("mails/../../x.eml", tar.TypeReg), nil, ErrNotBackup},
		"a file from elsewhere":      {bundle("/etc/cron.d/x", tar.TypeReg), nil, ErrNotBackup},
		"a link":                     {bundle("fieldpost.db", tar.TypeSymlink), nil, ErrNotBackup},
		"no database":                {bundle("spool/"+strings.Repeat("a", 64)+".eml", tar.TypeReg), nil, ErrNotBackup},
		"an empty database":          {bundle("fieldpost.db", tar.TypeReg), nil, ErrNotBackup},
		"sealed, without a key":      {mustRead(t, sealed), nil, ErrEncrypted},
		"sealed, with another's key": {mustRead(t, sealed), []byte(other.String()), ErrEncrypted},
		"sealed, with no key at all": {mustRead(t, sealed), []byte("hello"), ErrEncrypted},
	} {
		file, folder := filepath.Join(dir, "bad"), filepath.Join(dir, "never")
		if err := os.WriteFile(file, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Restore(file, folder, c.identity); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
		left, _ := filepath.Glob(folder + "*")
		if len(left) > 0 {
			t.Errorf("%s leaves %v", what, left)
		}
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
