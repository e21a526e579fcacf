package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"go.etcd.io/bbolt"

	"fieldpost/store"
	"fieldpost/store/lean"
	"fieldpost/store/packing"
)

// A thin file is one of these, the SHA-256 of the mail's name and what follows (32 bytes), of
// one that builds the name of the mail that it builds on (32 bytes), and, packed with zstd,
// its content, see lean.Mail.Content. A mail builds on another of its game as on a dictionary: reports repeat each
// other in all but what happened. What is built on builds on nothing.
const (
	thinMagic  = "fieldpost thin mail 1\n"
	thinBuilds = "fieldpost thin mail 2\n"
)

// nothing stands for no mail to build on.
const nothing = ""

// standing is the thin file of a mail that builds on nothing.
func standing(sha string, content []byte) ([]byte, error) {
	packed, err := packing.Difference(thinLevel, nil, content, nil)
	if err != nil {
		return nil, err
	}
	return thinWith(sha, nothing, packed)
}

// building is the thin file of a mail that builds on another, given by name and content.
func building(sha, on string, base, content []byte) ([]byte, error) {
	packed, err := packing.Difference(thinLevel, base, content, nil)
	if err != nil {
		return nil, err
	}
	return thinWith(sha, on, packed)
}

// thinWith is the thin file of a mail with what is packed of it.
func thinWith(sha, on string, packed []byte) ([]byte, error) {
	var key []byte
	magic := thinMagic
	if on != nothing {
		var err error
		if key, err = store.SHAKey(on); err != nil {
			return nil, err
		}
		magic = thinBuilds
	}
	file := slices.Concat([]byte(magic), make([]byte, sha256.Size), key, packed)
	copy(file[len(magic):], thinSum(sha, file[len(magic)+sha256.Size:]))
	return file, nil
}

// thinLevel is how hard thin files are packed. The next level makes them a twentieth smaller, and takes six times the
// time and 64 MiB of memory.
const thinLevel = packing.Better

// thinSum binds what follows it to the mail's name.
func thinSum(sha string, rest []byte) []byte {
	h := sha256.New()
	_, _ = io.WriteString(h, sha) // a hash takes everything
	_, _ = h.Write(rest)
	return h.Sum(nil)
}

// openThin reads the thin file of a mail, checks that it is as it was written, and gives the
// name of the mail that it builds on and its packed content.
func openThin(dir, sha string) (on string, body []byte, err error) {
	if _, err := store.SHAKey(sha); err != nil {
		return "", nil, err
	}
	name := filepath.Join(dir, sha+thinSuffix)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	if err != nil {
		return "", nil, err
	}
	const sum = len(thinMagic)
	damaged := fmt.Errorf("%w: %s is not as it was written", store.ErrDamaged, name)
	if len(b) < sum+32 || !bytes.Equal(b[sum:sum+32], thinSum(sha, b[sum+32:])) {
		return "", nil, damaged
	}
	body = b[sum+32:]
	switch builds := string(b[:sum]) == thinBuilds; {
	case string(b[:sum]) == thinMagic:
		return nothing, body, nil
	case builds && len(body) > 32:
		return hex.EncodeToString(body[:32]), body[32:], nil
	}
	return "", nil, damaged
}

// thinContent is the content of a mail's thin file, and the name of the mail that it builds on.
func thinContent(dir, sha string) (content []byte, on string, err error) {
	on, body, err := openThin(dir, sha)
	if err != nil {
		return nil, "", err
	}
	content, err = unpackThin(dir, on, body)
	if errors.Is(err, store.ErrNotFound) { // it may stand for itself since
		if now, body, again := openThin(dir, sha); again == nil && now != on {
			content, err = unpackThin(dir, now, body)
			return content, now, err
		}
		err = fmt.Errorf("%w: the mail that it builds on is gone: %v", store.ErrDamaged, err)
	}
	if err != nil {
		return nil, "", fmt.Errorf("the thin file of mail %s: %w", sha, err)
	}
	return content, on, nil
}

// unpackThin unpacks a content, with the mail that it builds on.
func unpackThin(dir, on string, body []byte) (content []byte, err error) {
	if on == nothing {
		return packing.Unpack(body)
	}
	base, err := standingContent(dir, on)
	if err != nil {
		return nil, err
	}
	return packing.UnpackOn(base, body)
}

// standingContent is the content of a mail that others build on.
func standingContent(dir, sha string) ([]byte, error) {
	on, packed, err := openThin(dir, sha)
	if err != nil {
		return nil, err
	}
	if on != nothing {
		return nil, fmt.Errorf("%w: mail %s, on which another builds, builds on another", store.ErrDamaged, sha)
	}
	return packing.Unpack(packed)
}

// readThin reads the thin file of a mail.
func readThin(dir, sha string) (m lean.Mail, err error) {
	content, _, err := thinContent(dir, sha)
	if err != nil {
		return m, err
	}
	m, err = lean.Read(content)
	if err != nil {
		return m, fmt.Errorf("the thin file of mail %s: %w", sha, err)
	}
	return m, nil
}

// shareLess says how much smaller, at least so many times, a mail must be when it builds on
// one to another reader: as two copies of one archive are. Else it stands for itself, and
// those of its own reader build on it.
const shareLess = 4

// leanest is the smallest thin file of a mail: standing for itself, or building on the first
// of its kind in its game to the same reader, or to anybody. The files are locked.
func (db *DB) leanest(m store.Mail, slim lean.Mail) ([]byte, error) {
	content, err := slim.Content()
	if err != nil {
		return nil, err
	}
	alone, err := standing(m.SHA256, content)
	if err != nil {
		return nil, err
	}
	own, any, err := db.bases(m)
	if err != nil {
		return nil, err
	}
	on, most := own, len(alone)
	if own == "" {
		on, most = any, len(alone)/shareLess
	}
	if on == "" || len(content) < packFrom {
		return alone, nil
	}
	base, _, err := thinContent(db.mails, on)
	if err != nil {
		return alone, nil // a damaged one must not spoil others
	}
	file, err := building(m.SHA256, on, base, content)
	if err != nil || len(file) >= most {
		return alone, err
	}
	return file, nil
}

// bases are the names of the first mails of its kind in a mail's game whose thin files stand
// for themselves: to the same reader, and to anybody; "" for none.
func (db *DB) bases(m store.Mail) (own, any string, err error) {
	if m.Game == "" {
		return "", "", nil
	}
	err = db.view("finding a mail to build on", func(tx *bbolt.Tx) error {
		return each(tx.Bucket(bGameMails), under(m.Game), func(k, v []byte) error {
			var lost store.DamagedRecords
			o, err := mailOf(tx, k, v, &lost)
			switch {
			case err != nil || own != "" || o.ID == "" || o.Pruned || o.Kind != m.Kind || o.SHA256 == m.SHA256:
				return err
			case any != "" && o.To != m.To:
				return nil
			}
			if on, _, err := openThin(db.mails, o.SHA256); err != nil || on != nothing {
				return nil
			}
			if any == "" {
				any = o.SHA256
			}
			if o.To == m.To {
				own = o.SHA256
			}
			return nil
		})
	})
	return own, any, err
}

// leaving are the names of mails whose files go, by game.
type leaving map[string]map[string]bool

func (l leaving) add(m store.Mail) {
	if l[m.Game] == nil {
		l[m.Game] = map[string]bool{}
	}
	l[m.Game][m.SHA256] = true
}

// letGo has the mails that build on one that goes stand for themselves. The files are locked.
func (db *DB) letGo(going leaving) error {
	for game, gone := range going {
		mails, err := db.Mails(game)
		if err != nil && !errors.As(err, new(store.DamagedRecords)) {
			return err
		}
		for _, m := range mails {
			if gone[m.SHA256] {
				continue
			}
			if err := db.standAlone(m.SHA256, gone); err != nil {
				return err
			}
		}
	}
	return nil
}

// standAlone writes the thin file of a mail anew if it builds on one of those that go. What
// is damaged stays as it is: Check tells of it.
func (db *DB) standAlone(sha string, gone map[string]bool) error {
	on, _, err := openThin(db.mails, sha)
	if err != nil || !gone[on] {
		return nil
	}
	content, _, err := thinContent(db.mails, sha)
	if err != nil {
		return nil
	}
	file, err := standing(sha, content)
	if err != nil {
		return err
	}
	return db.writeNew(db.mails, sha+thinSuffix, file)
}
