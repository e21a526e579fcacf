package memory

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fieldpost/store"
)

// reading runs f while nobody writes.
func (db *DB) reading(f func(readings)) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	f(readings{&db.tables})
}

// Games are all games; see store.Reader, as of all that follows.
func (db *DB) Games() (games []store.Game, err error) {
	db.reading(func(r readings) {
		for _, id := range slices.Sorted(maps.Keys(r.t.games)) {
			games = append(games, r.t.games[id].record.value())
		}
	})
	return games, nil
}

// EachGame calls f for every game.
func (db *DB) EachGame(f func(store.Game) error) error {
	games, _ := db.Games()
	for _, g := range games {
		if err := f(g); err != nil {
			return failed("reading the games", err)
		}
	}
	return nil
}

// Game is one game.
func (db *DB) Game(id string) (g store.Game, err error) {
	db.reading(func(r readings) { g, err = r.Game(id) })
	return g, failed("reading a game", err)
}

// Waiting is the phase of a game that waits for players.
func (db *DB) Waiting(id string) (open *store.OpenPhase, err error) {
	db.reading(func(r readings) { open = r.t.games[id].waiting() })
	return open, nil
}

func (g *game) waiting() *store.OpenPhase {
	if g == nil || g.open == nil {
		return nil
	}
	open := g.open.value()
	return &open
}

// Load is one game with its position and what waits in it.
func (db *DB) Load(id string) (p store.Position, err error) {
	db.reading(func(r readings) {
		if p.Game, err = r.Game(id); err != nil {
			return
		}
		g := r.t.games[id]
		if p.Open = g.waiting(); p.Game.Phases > 0 {
			latest := g.phase(p.Game.Phases)
			p.Latest = &latest
		}
	})
	return p, failed("loading a game", err)
}

// phase is a phase with its position, by its number from 1.
func (g *game) phase(number uint64) store.Phase {
	p := g.phases[number-1].value()
	p.Snapshot = bytes.Clone(g.positions[number-1])
	return p
}

// Phase is one complete phase with its snapshot.
func (db *DB) Phase(game string, number uint64) (p store.Phase, err error) {
	db.reading(func(r readings) {
		if g := r.t.games[game]; g != nil && number > 0 && number <= uint64(len(g.phases)) {
			p = g.phase(number)
			return
		}
		err = fmt.Errorf("phase %d of game %q: %w", number, game, store.ErrNotFound)
	})
	return p, failed("reading a phase", err)
}

// values are the values of what is kept, nil for none.
func values[T any](all []kept[T]) (out []T) {
	for _, k := range all {
		out = append(out, k.value())
	}
	return out
}

// Journal are all complete phases of a game, without their snapshots.
func (db *DB) Journal(game string) (phases []store.Phase, err error) {
	db.reading(func(r readings) {
		if g := r.t.games[game]; g != nil {
			phases = values(g.phases)
		}
	})
	return phases, nil
}

// Steps are what every Change of a game brought.
func (db *DB) Steps(game string) (steps []store.Step, err error) {
	db.reading(func(r readings) {
		if g := r.t.games[game]; g != nil {
			steps = values(g.steps)
		}
	})
	return steps, nil
}

// AllSheets are the sheets of a game.
func (db *DB) AllSheets(game string) (sheets []store.Sheet, err error) {
	db.reading(func(r readings) {
		if g := r.t.games[game]; g != nil {
			sheets = values(g.sheets)
		}
	})
	slices.SortStableFunc(sheets, func(a, b store.Sheet) int { return cmp.Or(cmp.Compare(a.Side, b.Side), cmp.Compare(a.Turn, b.Turn)) })
	return sheets, nil
}

// Sheets are the sheets of a side for a turn.
func (db *DB) Sheets(game, side string, turn int) ([]store.Sheet, error) {
	all, _ := db.AllSheets(game)
	var theirs []store.Sheet
	for _, s := range all {
		if s.Side == side && s.Turn == turn {
			theirs = append(theirs, s)
		}
	}
	return theirs, nil
}

// FindSheet is the sheet of a game with that Name.
func (db *DB) FindSheet(game, name string) (store.Sheet, bool, error) {
	all, _ := db.AllSheets(game)
	i := slices.IndexFunc(all, func(s store.Sheet) bool { return s.Name() == name })
	if i < 0 {
		return store.Sheet{}, false, nil
	}
	return all[i], true, nil
}

// Seats are the places at which a public key plays.
func (db *DB) Seats(key string) (seats []store.Seat, err error) {
	db.reading(func(r readings) { seats, err = r.Seats(key) })
	return seats, err
}

// SeatsAt are the places at which an enrolled mail address plays.
func (db *DB) SeatsAt(address string) (seats []store.Seat, err error) {
	db.reading(func(r readings) { seats, err = r.SeatsAt(address) })
	return seats, err
}

// Note is a note by its name.
func (db *DB) Note(name string) (value []byte, err error) {
	db.reading(func(r readings) { value, err = r.Note(name) })
	return value, err
}

// Notes are all notes whose names begin with prefix.
func (db *DB) Notes(prefix string) (notes map[string][]byte, err error) {
	db.reading(func(r readings) { notes, err = r.Notes(prefix) })
	return notes, err
}

// Spool keeps the raw bytes of an incoming mail.
func (db *DB) Spool(raw []byte) (string, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	sha := store.Sum(raw)
	db.tables.spool[sha] = bytes.Clone(raw)
	return sha, nil
}

// Spooled reads an incoming mail back.
func (db *DB) Spooled(sha string) (raw []byte, err error) {
	if _, err := store.SHAKey(sha); err != nil {
		return nil, failed("reading the spool", err)
	}
	db.reading(func(r readings) { raw = bytes.Clone(r.t.spool[sha]) })
	if raw == nil {
		return nil, failed("reading the spool", fmt.Errorf("%s: %w", sha, store.ErrNotFound))
	}
	return raw, nil
}

// SpoolKept lists the incoming mails whose bytes are kept.
func (db *DB) SpoolKept() (all []store.Handled, err error) {
	db.reading(func(r readings) {
		for _, sha := range slices.Sorted(maps.Keys(r.t.handled)) {
			if h := r.t.handled[sha].value(); h.Spooled {
				all = append(all, h)
			}
		}
	})
	return all, nil
}

// Handled is the mark of an incoming mail.
func (db *DB) Handled(sha string) (h store.Handled, ok bool, err error) {
	if _, err := store.SHAKey(sha); err != nil {
		return h, false, failed("looking for a handled mail", err)
	}
	db.reading(func(r readings) {
		var text kept[store.Handled]
		if text, ok = r.t.handled[sha]; ok {
			h = text.value()
		}
	})
	return h, ok, nil
}

// MarkUID records what became of a message.
func (db *DB) MarkUID(box string, validity, uid uint32, m store.UIDMark) error {
	const doing = "marking a message"
	if err := store.Named("mailbox", box); err != nil {
		return failed(doing, err)
	}
	if uid == 0 || !m.Known() {
		return failed(doing, fmt.Errorf("%w mark %q of UID %d", store.ErrInvalid, m.State, uid))
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.tables.mark(message{mailbox{box, validity}, uid}, m)
	return nil
}

// UID is the mark of a message.
func (db *DB) UID(box string, validity, uid uint32) (m store.UIDMark, ok bool, err error) {
	db.reading(func(r readings) { m, ok = r.t.uids[message{mailbox{box, validity}, uid}] })
	return m, ok, nil
}

// Low is the low-water mark of a mailbox.
func (db *DB) Low(box string, validity uint32) (low uint32, err error) {
	db.reading(func(r readings) { low = r.t.low[mailbox{box, validity}] })
	return low, nil
}

// ForgetUIDs removes the marks of messages that are gone.
func (db *DB) ForgetUIDs(box string, validity uint32, listed []uint32) (forgotten int, err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	at := mailbox{box, validity}
	maps.DeleteFunc(db.tables.uids, func(one message, _ store.UIDMark) bool {
		gone := one.mailbox == at && one.uid <= db.tables.low[at] && !slices.Contains(listed, one.uid)
		if gone {
			forgotten++
		}
		return gone
	})
	return forgotten, nil
}

// Mail is one outgoing mail.
func (db *DB) Mail(id string) (m store.Mail, err error) {
	db.reading(func(r readings) { m, err = r.t.mail(id) })
	return m, failed("reading a mail", err)
}

// FindMessage is the outgoing mail with a Message-ID.
func (db *DB) FindMessage(messageID string) (m store.Mail, err error) {
	db.reading(func(r readings) {
		id, ok := r.t.messages[messageID]
		if !ok || messageID == "" {
			err = fmt.Errorf("Message-ID %q: %w", messageID, store.ErrNotFound)
			return
		}
		m, err = r.t.mail(id)
	})
	return m, failed("finding a mail", err)
}

// some are the mails that fit, by their numbers.
func (db *DB) some(fits func(store.Mail) bool) (mails []store.Mail) {
	db.reading(func(r readings) {
		for _, text := range r.t.mails {
			if m := text.value(); fits(m) {
				mails = append(mails, m)
			}
		}
	})
	slices.SortFunc(mails, func(a, b store.Mail) int { return cmp.Compare(a.Number, b.Number) })
	return mails
}

// Mails are all outgoing mails of a game.
func (db *DB) Mails(game string) ([]store.Mail, error) {
	return db.some(func(m store.Mail) bool { return m.Game == game && game != "" }), nil
}

// MailsSince are the newest mails of a game.
func (db *DB) MailsSince(game string, since time.Time) (mails []store.Mail, err error) {
	all, _ := db.Mails(game)
	for _, m := range slices.Backward(all) {
		mails = append(mails, m)
		if !m.Changed.IsZero() && m.Changed.Before(since) {
			break
		}
	}
	return mails, nil
}

// Queue are the mails whose time has come.
func (db *DB) Queue(now time.Time, limit int) ([]store.Mail, error) {
	mails := db.some(func(m store.Mail) bool { return m.State == store.MailQueued && !m.Next.After(now) })
	slices.SortStableFunc(mails, func(a, b store.Mail) int { return cmp.Compare(a.Next.UnixMilli(), b.Next.UnixMilli()) })
	if limit > 0 && len(mails) > limit {
		mails = mails[:limit]
	}
	return mails, nil
}

// NextAttempt is when the first queued mail may be sent.
func (db *DB) NextAttempt() (at time.Time, ok bool, err error) {
	all, _ := db.Queue(time.Unix(1<<40, 0), 1)
	if len(all) == 0 {
		return at, false, nil
	}
	return all[0].Next, true, nil
}

// update changes a mail.
func (db *DB) update(doing, id string, f func(m *store.Mail) error) (m store.Mail, err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if m, err = db.tables.mail(id); err == nil {
		err = f(&m)
	}
	if err != nil {
		return store.Mail{}, failed(doing, err)
	}
	db.tables.put(id, m)
	return m, nil
}

// MarkSending marks a queued mail before the first byte of it goes out.
func (db *DB) MarkSending(id string, now time.Time) (store.Mail, error) {
	return db.update("sending a mail", id, func(m *store.Mail) error { return m.Send(now) })
}

// MarkResult records what became of a mail.
func (db *DB) MarkResult(id string, r store.Result) error {
	_, err := db.update("recording the fate of a mail", id, func(m *store.Mail) error { return m.Take(r) })
	return err
}

// Requeue queues what was being sent when the process stopped.
func (db *DB) Requeue() (n int, err error) {
	for _, m := range db.some(func(m store.Mail) bool { return m.State == store.MailSending }) {
		if _, err := db.update("queueing again", m.ID, func(m *store.Mail) error { m.State = store.MailQueued; return nil }); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// MailBytes are the rendered bytes of an outgoing mail.
func (db *DB) MailBytes(sha string) (raw []byte, err error) {
	if _, err := store.SHAKey(sha); err != nil {
		return nil, failed("reading a mail", err)
	}
	db.reading(func(r readings) { raw = bytes.Clone(r.t.bytes[sha]) })
	if raw == nil {
		return nil, failed("reading a mail", fmt.Errorf("%s: %w", sha, store.ErrNotFound))
	}
	return raw, nil
}

// KeptMail is what is kept of a mail: all of it.
func (db *DB) KeptMail(sha string) (raw []byte, pictures int, err error) {
	raw, err = db.MailBytes(sha)
	return raw, 0, err
}

// DrawWith gives the store its Drawer. All pictures are kept here.
func (db *DB) DrawWith(d store.Drawer) { db.drawer = d }

// Stats counts what is in the store.
func (db *DB) Stats() (s store.Stats, err error) {
	s = store.Stats{Games: map[store.Status]int{}, Mails: map[store.MailState]int{}}
	for _, m := range db.some(func(store.Mail) bool { return true }) {
		s.Mails[m.State]++
	}
	db.reading(func(r readings) {
		for _, g := range r.t.games {
			s.Games[g.record.value().Status]++
			s.Phases += len(g.phases)
		}
		for _, raw := range r.t.bytes {
			s.Kept += int64(len(raw))
		}
		for _, raw := range r.t.spool {
			s.Spooled += int64(len(raw))
		}
	})
	return s, nil
}

// WholeMails are the mails with a fate whose pictures have not been looked at.
func (db *DB) WholeMails(before time.Time) (mails []store.Mail, err error) {
	for _, m := range db.some(func(m store.Mail) bool { return m.Ended() && m.Changed.Before(before) }) {
		db.reading(func(r readings) {
			if r.t.whole[m.ID] {
				mails = append(mails, m)
			}
		})
	}
	return mails, nil
}

// Thin leaves out of a mail what can be drawn again. Memory keeps everything.
func (db *DB) Thin(id string) (store.Thinned, error) {
	m, err := db.Mail(id)
	switch {
	case err != nil:
		return store.Thinned{}, err
	case !m.Ended():
		return store.Thinned{}, failed("making a mail thin", fmt.Errorf("mail %s is %s: %w", id, m.State, store.ErrState))
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	delete(db.tables.whole, id)
	return store.Thinned{Mails: 1}, nil
}

// Prune removes the bytes of old mails.
func (db *DB) Prune(before, strangers time.Time) (p store.Pruned, err error) {
	old := db.some(func(m store.Mail) bool { return m.Ended() && m.Changed.Before(before) && db.over(m.Game) })
	kept := map[string]bool{}
	for _, m := range db.some(func(m store.Mail) bool { return !m.Ended() || !m.Changed.Before(before) || !db.over(m.Game) }) {
		kept[m.SHA256] = true
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, m := range old {
		if kept[m.SHA256] {
			continue
		}
		if raw, there := db.tables.bytes[m.SHA256]; there {
			p.Sent, p.Bytes = p.Sent+1, p.Bytes+int64(len(raw))
		}
		db.tables.drop(m)
	}
	for sha, text := range db.tables.handled {
		h := text.value()
		isOld := h.Received.Before(before) || h.Stranger && h.Received.Before(strangers)
		if !isOld || !db.tables.over(h.Game) {
			continue
		}
		if raw, there := db.tables.spool[sha]; there {
			p.Received, p.Bytes = p.Received+1, p.Bytes+int64(len(raw))
		}
		db.tables.unspool(h)
	}
	return p, nil
}

// drop removes the bytes of an outgoing mail.
func (t *tables) drop(m store.Mail) {
	m.Pruned = true
	t.put(m.ID, m)
	delete(t.whole, m.ID)
	delete(t.bytes, m.SHA256)
}

// unspool removes the bytes of an incoming mail.
func (t *tables) unspool(h store.Handled) {
	h.Spooled = false
	t.handled[h.SHA256], _ = keep(h)
	delete(t.spool, h.SHA256)
}

// over tells whether a game is finished; "" stands for mails of no game.
func (t *tables) over(game string) bool {
	g := t.games[game]
	return game == "" || g != nil && g.record.value().Status == store.StatusFinished
}

func (db *DB) over(game string) bool { return db.tables.over(game) }

// Forget removes the bytes of the mails to and from an address.
func (db *DB) Forget(address string, received []string) (p store.Pruned, waiting int, err error) {
	theirs := db.some(func(m store.Mail) bool { return strings.EqualFold(m.To, address) })
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, m := range theirs {
		if !m.Ended() {
			waiting++
			continue
		}
		m.To, m.Reply = "", ""
		db.tables.drop(m)
		p.Sent++
	}
	for _, sha := range received {
		if text, ok := db.tables.handled[sha]; ok {
			db.tables.unspool(text.value())
		}
	}
	p.Received = len(received)
	return p, waiting, nil
}

// Refused is what the disk said when it last refused something: memory has no disk.
func (db *DB) Refused() error { return nil }

// Prove tries whether the store keeps what it is given.
func (db *DB) Prove() error { return nil }
