package bolt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
)

// stripes are the pictures of the tests: each a passage that no packing makes small.
func stripes(id string, n int) (out [][]byte) {
	for i := range n {
		var b bytes.Buffer
		for line := range 20 {
			b.WriteString(store.Sum(fmt.Append(nil, id, i, line)) + "\r\n")
		}
		out = append(out, b.Bytes())
	}
	return out
}

type stripeRecipe struct {
	ID string
	N  int
}

// drawStripes draws them from the recipe, and looks at the mail, as a real one does.
func drawStripes(mail, recipe []byte) ([][]byte, error) {
	var r stripeRecipe
	if err := json.Unmarshal(recipe, &r); err != nil {
		return nil, err
	}
	if !bytes.Contains(mail, []byte("Subject: "+r.ID)) {
		return nil, errors.New("the mail is another one")
	}
	return stripes(r.ID, r.N), nil
}

// pictured is a mail with pictures and their recipe.
func pictured(id, game string, n int) store.Mail {
	m := mail(id, game)
	for _, p := range stripes(id, n) {
		m.Raw = append(append(append(m.Raw, "--part\r\n"...), p...), "--end\r\n"...)
	}
	m.Recipe, _ = json.Marshal(stripeRecipe{id, n})
	return m
}

// thinAll makes all mails thin that may be.
func thinAll(db *DB) error {
	mails, err := db.WholeMails(noon.Add(time.Hour))
	for _, m := range mails {
		if _, err := db.Thin(m.ID); err != nil {
			return err
		}
	}
	return err
}

// withPictures is a store with a game of two accepted mails of three pictures each.
func withPictures(t *testing.T) (*DB, store.Mail) {
	t.Helper()
	db := newStore(t)
	db.DrawWith(drawStripes)
	g := newGame("g1")
	g.Status = store.StatusFinished
	c := full(g, 0)
	for i, m := range c.Mails {
		c.Mails[i] = pictured(m.ID, "g1", 3)
	}
	must(t, db.Commit(c))
	for _, m := range c.Mails {
		accept(t, db, m.ID)
	}
	return db, c.Mails[0]
}

func accept(t *testing.T, db *DB, id string) {
	t.Helper()
	_, err := db.MarkSending(id, noon)
	must(t, err)
	must(t, db.MarkResult(id, store.Result{State: store.MailAccepted, At: noon}))
}

// same wants the mail byte by byte, from its thin file alone.
func same(t *testing.T, db *DB, want store.Mail) {
	t.Helper()
	got, err := db.MailBytes(store.Sum(want.Raw))
	if err != nil || !bytes.Equal(got, want.Raw) {
		t.Errorf("%d of %d bytes, %v", len(got), len(want.Raw), err)
	}
}

func thinFile(db *DB, m store.Mail) string {
	return filepath.Join(filepath.Dir(db.Path()), "mails", store.Sum(m.Raw)+".thin")
}

func TestThinMailsComeOutByteByByte(t *testing.T) {
	db, m := withPictures(t)
	if whole, err := db.WholeMails(noon); err != nil || len(whole) != 0 {
		t.Errorf("before their time: %d, %v", len(whole), err)
	}
	s, err := db.Stats()
	must(t, err)
	got, err := db.Thin(m.ID)
	if err != nil || got.Mails != 1 || got.Pictures != 3 || got.Differ != 0 || got.Bytes < 3*20*64 {
		t.Errorf("%+v, %v", got, err)
	}
	if haveFile(db.mails, store.Sum(m.Raw)) {
		t.Error("the whole file is still there")
	}
	if now, err := db.Stats(); err != nil || now.Thin != 1 || s.Kept-now.Kept != got.Bytes {
		t.Errorf("%d thin, %d bytes less of %d, %v", now.Thin, s.Kept-now.Kept, got.Bytes, err)
	}
	same(t, db, m)
	kept, pictures, err := db.KeptMail(store.Sum(m.Raw))
	if want := bytes.Count(m.Raw, []byte("--part\r\n")); err != nil || pictures != 3 || bytes.Count(kept, []byte("--part\r\n--end\r\n")) != want {
		t.Errorf("%d pictures, %v:\n%s", pictures, err, kept)
	}
	_, err = db.Thin(m.ID)
	wantErr(t, "a second time", err, store.ErrNotFound)
	sound(t, db)
	must(t, db.MarkResult(m.ID, store.Result{State: store.MailQueued, At: noon}))
	again, err := db.MarkSending(m.ID, noon)
	must(t, err)
	same(t, db, store.Mail{Raw: m.Raw, SHA256: again.SHA256})
	db = reopen(t, db)
	db.DrawWith(drawStripes)
	same(t, db, m)
	must(t, thinAll(db))
	if whole, err := db.WholeMails(noon.Add(time.Hour)); err != nil || len(whole) != 0 {
		t.Errorf("%d are left, %v", len(whole), err)
	}
	sound(t, db)
}

// A mail on its way stays whole: it is sent as it is.
func TestOnlyMailsWithAFateBecomeThin(t *testing.T) {
	db := newStore(t)
	must(t, db.Commit(store.Change{Mails: []store.Mail{pictured("one", "", 1)}}))
	_, err := db.Thin("one")
	wantErr(t, "queued", err, store.ErrState)
	if whole, err := db.WholeMails(noon.Add(time.Hour)); err != nil || len(whole) != 0 {
		t.Errorf("%v, %v", whole, err)
	}
	_, err = db.Thin("none")
	wantErr(t, "none", err, store.ErrNotFound)
	bad := pictured("two", "", 1)
	bad.Recipe = []byte("{")
	wantErr(t, "a recipe that is no JSON", db.Commit(store.Change{Mails: []store.Mail{bad}}), store.ErrInvalid)
}

// What is drawn otherwise at the time of thinning stays in the mail; what is drawn
// otherwise later is never taken for the mail.
func TestPicturesThatAreDrawnOtherwise(t *testing.T) {
	db, m := withPictures(t)
	second := func(mail, recipe []byte) ([][]byte, error) {
		all, err := drawStripes(mail, recipe)
		if len(all) > 1 {
			all[1] = bytes.ToUpper(all[1])
		}
		return all, err
	}
	db.DrawWith(second)
	if got, err := db.Thin(m.ID); err != nil || got.Pictures != 2 || got.Differ != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	same(t, db, m)
	for what, draw := range map[string]store.Drawer{
		"none":   nil,
		"failed": func(_, _ []byte) ([][]byte, error) { return nil, errors.New("no ink") },
		"fewer":  func(mail, recipe []byte) ([][]byte, error) { return nil, nil },
		"others": func(mail, recipe []byte) ([][]byte, error) { return stripes("another", 3), nil },
	} {
		db.DrawWith(draw)
		b, err := db.MailBytes(store.Sum(m.Raw))
		wantErr(t, what, err, store.ErrUndrawn)
		if b != nil {
			t.Errorf("%s: %d bytes of another mail", what, len(b))
		}
		if kept, n, err := db.KeptMail(store.Sum(m.Raw)); err != nil || n != 2 || !strings.HasPrefix(string(kept), "Subject: "+m.ID) {
			t.Errorf("%s: %d pictures, %v", what, n, err)
		}
	}
	sound(t, db)
	db.DrawWith(second)
	same(t, db, m)
}

func TestADrawerThatFailsCostsNoPicture(t *testing.T) {
	db, m := withPictures(t)
	broken := errors.New("no ink")
	db.DrawWith(func(_, _ []byte) ([][]byte, error) { return nil, broken })
	if got, err := db.Thin(m.ID); !errors.Is(err, broken) || got.Pictures != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	db.DrawWith(nil)
	same(t, db, m)
	sound(t, db)
}

// A thin file with any byte altered is damaged, whichever it is, and so is one under the
// name of another mail.
func TestDamagedThinFiles(t *testing.T) {
	db, m := withPictures(t)
	must(t, thinAll(db))
	path := thinFile(db, m)
	good, err := os.ReadFile(path)
	must(t, err)
	look := func(what string, b []byte) {
		t.Helper()
		must(t, os.WriteFile(path, b, 0o600))
		_, err := db.MailBytes(store.Sum(m.Raw))
		wantErr(t, what, err, store.ErrDamaged)
		_, _, err = db.KeptMail(store.Sum(m.Raw))
		wantErr(t, what, err, store.ErrDamaged)
	}
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 4
		look(fmt.Sprintf("byte %d", i), b)
	}
	look("cut short", good[:len(good)-1])
	look("empty", nil)
	other, err := os.ReadFile(thinFile(db, pictured("g1-1-soviet", "g1", 3)))
	must(t, err)
	look("another mail's", other)
	if errs := db.Check(); len(errs) != 1 || !errors.Is(errs[0], store.ErrDamaged) {
		t.Errorf("check: %v", errs)
	}
	must(t, os.Remove(path))
	if errs := db.Check(); len(errs) != 1 || !errors.Is(errs[0], store.ErrNotFound) {
		t.Errorf("check without the file: %v", errs)
	}
}

// A damaged recipe is told of, and its mail stays whole.
func TestADamagedRecipe(t *testing.T) {
	db, m := withPictures(t)
	tx, err := db.bolt.Begin(true)
	must(t, err)
	b := tx.Bucket(bRecipes)
	v := bytes.Clone(b.Get([]byte(m.ID)))
	v[len(v)-1] ^= 1
	must(t, b.Put([]byte(m.ID), v))
	must(t, tx.Commit())
	_, err = db.Thin(m.ID)
	wantErr(t, "thinning", err, store.ErrDamaged)
	same(t, db, m)
	errs := db.Check()
	for _, err := range errs {
		wantErr(t, "check", err, store.ErrDamaged)
	}
	if len(errs) == 0 {
		t.Error("check: nobody saw it")
	}
}

// Whatever step fails, the mail is there, and the next time finishes it.
func TestThinningThatFailsOnTheWay(t *testing.T) {
	for _, point := range []string{PointFileWrite, PointFileSync, PointFileRename, PointFileFolder, PointFileKept, PointThinRemove, PointThinDrop, PointBegin, PointCommit} {
		t.Run(point, func(t *testing.T) {
			db, m := withPictures(t)
			full := errors.New("the disk says no")
			db.hook = func(p string) error {
				if p == point {
					return full
				}
				return nil
			}
			if _, err := db.Thin(m.ID); !errors.Is(err, full) {
				t.Errorf("error %v", err)
			}
			db.hook = nil
			same(t, db, m)
			sound(t, db)
			must(t, thinAll(db))
			if haveFile(db.mails, store.Sum(m.Raw)) {
				t.Error("the whole file stayed")
			}
			same(t, db, m)
			sound(t, db)
		})
	}
}

func TestThinMailsArePrunedForgottenAndBackedUp(t *testing.T) {
	db, m := withPictures(t)
	must(t, thinAll(db))
	file := filepath.Join(t.TempDir(), "backup.tar.zst")
	_, err := db.Backup(file)
	must(t, err)
	dir := t.TempDir()
	unpack(t, file, dir)
	restored, err := Open(filepath.Join(dir, Database), Options{MustExist: true})
	must(t, err)
	defer restored.Close()
	restored.DrawWith(drawStripes)
	same(t, restored, m)
	sound(t, restored)

	if p, err := restored.Prune(noon.Add(time.Hour), noon.Add(time.Hour)); err != nil || p.Sent != 2 || p.Bytes == 0 {
		t.Errorf("pruned %+v, %v", p, err)
	}
	_, err = restored.MailBytes(store.Sum(m.Raw))
	wantErr(t, "pruned", err, store.ErrNotFound)
	sound(t, restored)

	if p, _, err := db.Forget(m.To, nil); err != nil || p.Sent != 2 {
		t.Errorf("forgot %+v, %v", p, err)
	}
	if left, _ := filepath.Glob(filepath.Join(db.mails, "*")); len(left) != 0 {
		t.Errorf("what was forgotten is there: %v", left)
	}
	sound(t, db)
}

// What is pruned while it could still be made thin stays away.
func TestPrunedMailsDoNotComeBackThin(t *testing.T) {
	db, m := withPictures(t)
	_, err := db.Prune(noon.Add(time.Hour), noon.Add(time.Hour))
	must(t, err)
	_, err = db.Thin(m.ID)
	wantErr(t, "pruned", err, store.ErrNotFound)
	if left, _ := filepath.Glob(filepath.Join(db.mails, "*")); len(left) != 0 {
		t.Errorf("%v", left)
	}
	sound(t, db)
}
