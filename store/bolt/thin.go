package bolt

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/store"
	"fieldpost/store/lean"
)

// DrawWith gives the store its Drawer, before the store is used. Without one no picture
// is taken out of a mail, and a mail whose pictures are taken out is ErrUndrawn.
func (db *DB) DrawWith(d store.Drawer) { db.drawer = d }

// wholeMail is the entry of a mail that is not yet thin.
type wholeMail struct {
	SHA256 string          `json:"sha256"`
	Recipe json.RawMessage `json:"recipe,omitempty"`
}

// MailBytes are the rendered bytes of an outgoing mail. Pictures that are not kept are
// drawn again, which takes its time. Errors as Spooled, and ErrUndrawn when the mail
// would not be the same: KeptMail then has what is kept of it.
func (db *DB) MailBytes(sha string) ([]byte, error) {
	b, err := db.mailBytes(sha)
	return b, db.fail("reading a mail", err)
}

func (db *DB) mailBytes(sha string) ([]byte, error) {
	b, err := readFile(db.mails, sha)
	if !errors.Is(err, store.ErrNotFound) {
		return b, err
	}
	t, err := readThin(db.mails, sha)
	if err != nil {
		return nil, err
	}
	b, err = t.Whole(db.drawer)
	if err != nil {
		return nil, fmt.Errorf("mail %s: %w", sha, err)
	}
	if store.Sum(b) == sha {
		return b, nil
	}
	if len(t.Gaps) == 0 { // and it was packed as it was
		return nil, fmt.Errorf("%w: the thin file of mail %s holds another mail", store.ErrDamaged, sha)
	}
	return nil, fmt.Errorf("mail %s: %w", sha, store.ErrUndrawn)
}

// KeptMail are the bytes of an outgoing mail as they are kept, without drawing anything:
// all of it but so many pictures. Errors as Spooled.
func (db *DB) KeptMail(sha string) (raw []byte, pictures int, err error) {
	raw, err = readFile(db.mails, sha)
	if !errors.Is(err, store.ErrNotFound) {
		return raw, 0, db.fail("reading a mail", err)
	}
	t, err := readThin(db.mails, sha)
	return t.Rest, len(t.Gaps), db.fail("reading a mail", err)
}

func (db *DB) haveMail(sha string) bool {
	if haveFile(db.mails, sha) {
		return true
	}
	info, err := os.Stat(filepath.Join(db.mails, sha+thinSuffix))
	return err == nil && info.Mode().IsRegular()
}

// mailFiles are the paths under which a mail may be kept.
func (db *DB) mailFiles(sha string) []string {
	return []string{filepath.Join(db.mails, sha+mailSuffix), filepath.Join(db.mails, sha+thinSuffix)}
}

// WholeMails are the mails that Thin was not yet asked for, of those whose fate was known
// before a moment; with DamagedRecords all but those.
func (db *DB) WholeMails(before time.Time) (mails []store.Mail, err error) {
	err = db.view("finding mails that are kept whole", func(tx *bbolt.Tx) error {
		var lost store.DamagedRecords
		err := each(tx.Bucket(bRecipes), nil, func(k, _ []byte) error {
			m, err := mailByID(tx, k)
			if err == nil && m.Ended() && m.Changed.Before(before) {
				mails = append(mails, m)
			}
			return lost.Skip("mail", string(k), err)
		})
		if err != nil {
			return err
		}
		return lost.Err()
	})
	return mails, err
}

// Thin keeps a mail whose fate is known packed and without its pictures. These are drawn
// here first: only what comes out byte by byte as it stands in the mail is left out, and
// MailBytes draws it again. A mail that is not in such a state is ErrState.
//
// The thin file is on the disk before the whole one is removed, and the recipe is
// dropped last. A crash in between leaves a mail that Thin finishes the next time.
func (db *DB) Thin(id string) (t store.Thinned, err error) {
	const doing = "making a mail thin"
	if db.readOnly {
		return t, db.fail(doing, store.ErrReadOnly)
	}
	m, recipe, err := db.mailAndRecipe(id)
	if err != nil {
		return t, err
	}
	if !m.Ended() {
		return t, db.fail(doing, fmt.Errorf("mail %s is %s: %w", id, m.State, store.ErrState))
	}
	raw, err := readFile(db.mails, m.SHA256)
	if errors.Is(err, store.ErrNotFound) { // a crash, or another mail with this file
		if _, err = readThin(db.mails, m.SHA256); err != nil {
			return t, db.fail(doing, err)
		}
		return t, db.dropRecipe(id)
	}
	if err != nil {
		return t, db.fail(doing, err)
	}
	slim, drawn, failed := lean.Of(raw, recipe, db.drawer)
	size, err := db.exchange(m, slim)
	if err == nil {
		t = store.Thinned{Mails: 1, Pictures: len(slim.Gaps), Differ: drawn - len(slim.Gaps), Bytes: int64(len(raw) - size)}
	}
	if err == nil {
		err = db.dropRecipe(id)
	}
	if err != nil {
		return store.Thinned{}, db.fail(doing, err)
	}
	return t, db.fail(doing, failed) // with all its pictures, but thin
}

// mailAndRecipe are a mail and its recipe; ErrNotFound if there is no such mail, or it
// waits for no Thin.
func (db *DB) mailAndRecipe(id string) (m store.Mail, recipe []byte, err error) {
	err = db.view("making a mail thin", func(tx *bbolt.Tx) error {
		b := tx.Bucket(bRecipes)
		w, err := mustJSON[wholeMail](b, []byte(id), "the recipe of mail %q", id)
		if err != nil {
			return err
		}
		recipe = w.Recipe
		m, err = mailByID(tx, []byte(id))
		return err
	})
	return m, recipe, err
}

// exchange puts the thin file of a mail into the place of the whole one, and returns its
// size.
func (db *DB) exchange(m store.Mail, slim lean.Mail) (size int, err error) {
	db.files.Lock()
	defer db.files.Unlock()
	if !haveFile(db.mails, m.SHA256) {
		return 0, fmt.Errorf("mail %s was removed meanwhile: %w", m.ID, store.ErrNotFound)
	}
	file, err := db.leanest(m, slim)
	if err != nil {
		return 0, err
	}
	if err := db.writeNew(db.mails, m.SHA256+thinSuffix, file); err != nil {
		return 0, err
	}
	if err := db.at(PointThinRemove); err != nil {
		return 0, err
	}
	if err := os.Remove(filepath.Join(db.mails, m.SHA256+mailSuffix)); err != nil {
		return 0, err
	}
	return len(file), syncDir(db.mails)
}

// dropRecipe says that Thin has nothing more to do with a mail.
func (db *DB) dropRecipe(id string) error {
	if err := db.at(PointThinDrop); err != nil {
		return err
	}
	err := db.update("making a mail thin", func(tx *bbolt.Tx) error { return tx.Bucket(bRecipes).Delete([]byte(id)) })
	if err != nil {
		return err
	}
	return db.at(PointThinned)
}

// withoutRecipes lets Thin pack the mails that were kept before there were recipes.
func withoutRecipes(tx *bbolt.Tx) error {
	return each(tx.Bucket(bOutbox), nil, func(k, v []byte) error {
		m, err := decode[store.Mail](k, v)
		if err != nil || m.Pruned {
			return nil // a damaged one is told of where it is read
		}
		return putJSON(tx.Bucket(bRecipes), k, wholeMail{SHA256: m.SHA256})
	})
}
