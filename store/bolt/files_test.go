package bolt

import (
	"os"
	"path/filepath"
	"testing"

	"fieldpost/store"
)

func TestFilesAreWholeOrAbsent(t *testing.T) {
	db := newStore(t)
	sha, err := db.Spool([]byte("one"))
	must(t, err)
	name := filepath.Join(filepath.Dir(db.Path()), "spool", sha+".eml")
	must(t, os.WriteFile(name, []byte("on"), 0o600)) // what a bad disk may leave
	_, err = db.Spooled(sha)
	wantErr(t, "a damaged file", err, store.ErrDamaged)
	if errs := db.Check(); len(errs) == 0 {
		t.Error("Check did not see the damaged file")
	}
	again, err := db.Spool([]byte("one"))
	if err != nil || again != sha {
		t.Fatal(again, err)
	}
	if b, err := db.Spooled(sha); err != nil || string(b) != "one" {
		t.Errorf("not mended: %q, %v", b, err)
	}
	tmp := filepath.Join(filepath.Dir(db.Path()), "spool", "left.123.tmp")
	must(t, os.WriteFile(tmp, nil, 0o600))
	db = reopen(t, db)
	_, err = db.Requeue()
	must(t, err)
	if _, err := os.Stat(tmp); err == nil {
		t.Error("the rest of a crash was left")
	}
	must(t, os.RemoveAll(filepath.Dir(name)))
	if _, err := db.Spool([]byte("two")); err == nil {
		t.Error("spooled into nowhere")
	}
}
