package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"fieldpost/store"
	"fieldpost/store/lean"
	"fieldpost/store/packing"
)

// keptMails are the mails of a store, as far as they can be read.
type keptMails struct {
	files            map[string][]mailFile // of those whose bytes are kept, by game
	ofGames, indexed int                   // of a game, with a Message-ID
	unsure           bool                  // one is not found by what it is indexed by
}

// mailFile is the file of a mail.
type mailFile struct {
	id, sha   string
	hasRecipe bool // as a mail that is kept whole
}

// mails checks the outbox, and that each mail is in the indexes.
func (a *audit) mails() *keptMails {
	kept := &keptMails{files: map[string][]mailFile{}}
	all(a, bOutbox, nil, func(k []byte, m store.Mail) {
		if m.ID != string(k) || !m.State.Known() {
			a.add("mail %s in state %q is stored as %q", m.ID, m.State, k)
			return
		}
		if !m.Pruned {
			kept.files[m.Game] = append(kept.files[m.Game], mailFile{m.ID, m.SHA256, a.has(bRecipes, k)})
		}
		at, err := getBytes(a.tx.Bucket(bQueue), queueKey(m))
		if a.err(err) && (m.State == store.MailQueued) != (string(at) == m.ID) {
			a.add("mail %s is %s, but the queue says otherwise", m.ID, m.State)
		}
		if (m.State == store.MailSending) != a.has(bSending, k) {
			a.add("mail %s is %s, but the list of those being sent says otherwise", m.ID, m.State)
		}
		if m.Game != "" {
			kept.ofGames++
			a.mailOfGame(m, kept)
		}
		if m.MessageID != "" {
			kept.indexed++
			if !a.finds(bMessages, []byte(m.MessageID), m) {
				kept.unsure = true
				a.missing(bMessages, []byte(m.MessageID), "mail %s is not indexed by its Message-ID", m.ID)
			}
		}
	})
	return kept
}

func (a *audit) mailOfGame(m store.Mail, kept *keptMails) {
	if !a.has(bGames, []byte(m.Game)) {
		a.add("mail %s: there is no game %q", m.ID, m.Game)
	}
	key := numbered(m.Game, m.Number)
	if !a.finds(bGameMails, key, m) {
		kept.unsure = true
		a.missing(bGameMails, key, "mail %s is not indexed under its game %s", m.ID, m.Game)
	}
}

// missing tells of a key that is not in a bucket.
func (a *audit) missing(bucket, key []byte, format string, args ...any) {
	if !a.has(bucket, key) {
		a.add(format, args...)
	}
}

// finds tells whether an index has a mail under a key.
func (a *audit) finds(bucket, key []byte, m store.Mail) bool {
	id, err := getBytes(a.tx.Bucket(bucket), key)
	return err == nil && string(id) == m.ID
}

// mailIndexes checks that the indexes name nothing else than what mails found. Where each mail was found
// by its own entry, and there are no more of them, nothing else is there.
func (a *audit) mailIndexes(kept *keptMails) {
	index := func(bucket []byte, ok func(k []byte, m store.Mail) bool) {
		each(a.tx.Bucket(bucket), nil, func(k, v []byte) error {
			id, err := payload(k, v)
			if string(bucket) == string(bSending) {
				id = k
			}
			if !a.err(err) {
				return nil
			}
			m, err := mailByID(a.tx, id)
			if err != nil || !ok(k, m) {
				a.add("bucket %s: the entry %q for mail %q is wrong", bucket, k, id)
			}
			return nil
		})
	}
	each(a.tx.Bucket(bRecipes), nil, func(k, v []byte) error {
		w, err := decode[wholeMail](k, v)
		if !a.err(err) {
			return nil
		}
		if m, err := mailByID(a.tx, k); err != nil || m.Pruned || m.SHA256 != w.SHA256 {
			a.add("bucket %s: the entry of mail %q is wrong", bRecipes, k)
		}
		return nil
	})
	index(bQueue, func(k []byte, m store.Mail) bool { return m.State == store.MailQueued && bytes.Equal(k, queueKey(m)) })
	index(bSending, func(_ []byte, m store.Mail) bool { return m.State == store.MailSending })
	if kept.unsure || a.count(bGameMails, nil) != kept.ofGames {
		index(bGameMails, func(k []byte, m store.Mail) bool { return bytes.Equal(k, numbered(m.Game, m.Number)) })
	}
	if kept.unsure || a.count(bMessages, nil) != kept.indexed {
		index(bMessages, func(k []byte, m store.Mail) bool { return string(k) == m.MessageID })
	}
}

// files begins to check the files of mails, game by game on all processors, and returns what waits for it and
// tells what is wrong.
func (a *audit) files(kept *keptMails) (wrong func() []error) {
	games := make(chan []mailFile)
	var mu sync.Mutex
	var found []error
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for game := range games {
				faults := checkFiles(a.db.mails, game)
				mu.Lock()
				found = append(found, faults...)
				mu.Unlock()
			}
		})
	}
	all.Go(func() {
		defer close(games)
		for _, game := range kept.files {
			games <- game
		}
	})
	return func() []error {
		all.Wait()
		return found
	}
}

var errNoRecipe = errors.New("it is kept whole and has no recipe")

// checkFiles checks the files of the mails of a game, without drawing anything, and returns what is wrong.
func checkFiles(dir string, game []mailFile) (wrong []error) {
	bases := map[string][]byte{}
	var differences packing.Reader
	defer differences.Close()
	thin := func(sha string) error {
		on, packed, err := openThin(dir, sha)
		if err != nil {
			return err
		}
		if on == nothing {
			content, err := packing.Unpack(packed)
			if err != nil {
				return err
			}
			bases[sha] = content
			return lean.Check(content)
		}
		if bases[on] == nil {
			if bases[on], err = standingContent(dir, on); err != nil {
				return err
			}
		}
		content, err := differences.Unpack(bases[on], packed)
		if err != nil {
			return err
		}
		return lean.Check(content)
	}
	for _, m := range game {
		_, err := readFile(dir, m.sha)
		switch {
		case errors.Is(err, store.ErrNotFound):
			err = thin(m.sha)
		case err == nil && !m.hasRecipe:
			err = errNoRecipe
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("mail %s: %w", m.id, err))
		}
	}
	return wrong
}
