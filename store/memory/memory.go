// Package memory keeps a store in memory, for tests and trials: a second engine, written apart
// from the first one, that promises the same. It is gone with the process.
package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"fieldpost/store"
)

// DB is a store in memory.
type DB struct {
	mu     sync.RWMutex
	tables tables
	leases store.Leases // of the mails to be handled
	drawer store.Drawer
}

var _ store.Store = (*DB)(nil)

// New makes an empty store.
func New() *DB {
	return &DB{tables: tables{
		games: map[string]*game{}, mails: map[string]kept[store.Mail]{}, messages: map[string]string{}, whole: map[string]bool{}, bytes: map[string][]byte{},
		spool: map[string][]byte{}, handled: map[string]kept[store.Handled]{}, incoming: map[string]kept[store.Incoming]{}, uids: map[message]store.UIDMark{}, low: map[mailbox]uint32{}, notes: map[string][]byte{},
	}}
}

// tables are what is kept.
type tables struct {
	games    map[string]*game
	mails    map[string]kept[store.Mail] // by ID
	numbers  uint64                      // of mails
	messages map[string]string           // Message-ID: ID
	whole    map[string]bool             // by ID: its pictures may be left out
	bytes    map[string][]byte           // of outgoing mails, by SHA-256
	spool    map[string][]byte           // of incoming mails, by SHA-256
	handled  map[string]kept[store.Handled]
	incoming map[string]kept[store.Incoming] // mails to be handled, by SHA-256
	arrivals uint64                          // number of the last of them
	uids     map[message]store.UIDMark
	low      map[mailbox]uint32
	notes    map[string][]byte
}

// game is all of one game.
type game struct {
	record    kept[store.Game]
	open      *kept[store.OpenPhase]
	phases    []kept[store.Phase]
	positions [][]byte
	steps     []kept[store.Step]
	sheets    []kept[store.Sheet]
	names     map[string]bool // of sheets
}

type mailbox struct {
	name     string
	validity uint32
}

type message struct {
	mailbox
	uid uint32
}

// kept is a value as it was written: whoever reads it has a copy of their own.
type kept[T any] []byte

func keep[T any](v T) (kept[T], error) {
	var text bytes.Buffer
	into := json.NewEncoder(&text)
	into.SetEscapeHTML(false) // a journal is kept byte for byte
	if err := into.Encode(v); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

func (k kept[T]) value() (v T) {
	if err := json.Unmarshal(k, &v); err != nil {
		panic(err) // we wrote it
	}
	return v
}

func failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store in memory: %s: %w", doing, err)
}

// Close ends the use of the store.
func (db *DB) Close() error { return nil }

// Commit keeps a Change, whole or not at all; see store.Store.
func (db *DB) Commit(c store.Change) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return failed("committing a change", db.commit(c))
}

func (db *DB) commit(c store.Change) error {
	c.Mails = slices.DeleteFunc(slices.Clone(c.Mails), func(m store.Mail) bool { return m.ID == "" && m.To == "" })
	if err := c.Valid(); err != nil {
		return err
	}
	if err := db.admit(&c); err != nil {
		return err
	}
	next, err := db.prepare(&c)
	if err != nil {
		return err
	}
	next.become(&db.tables)
	if c.Handled != nil {
		db.leases.Done(c.Handled.SHA256)
	}
	return nil
}

// admit checks that a Change fits to what is there.
func (db *DB) admit(c *store.Change) error {
	if c.Handled != nil && db.tables.handled[c.Handled.SHA256] != nil {
		return fmt.Errorf("mail %s: %w", c.Handled.SHA256, store.ErrHandled)
	}
	if err := c.Reads.Stale(readings{&db.tables}); err != nil {
		return err
	}
	if c.Game == nil {
		return nil
	}
	g := db.tables.games[c.Game.ID]
	if at := g.seq(); at != c.Expect {
		return fmt.Errorf("game %s: %w: it is at %d, expected at %d", c.Game.ID, store.ErrStale, at, c.Expect)
	}
	if g == nil {
		return nil
	}
	if g.open != nil {
		if err := c.Extends(g.open.value()); err != nil {
			return err
		}
	}
	for _, s := range c.Sheets {
		if g.names[s.Name()] {
			return fmt.Errorf("game %s: sheet %s: %w", c.Game.ID, s.Name(), store.ErrExists)
		}
	}
	return nil
}

// seq counts the Changes of a game; 0 of one that there is not.
func (g *game) seq() uint64 {
	if g == nil {
		return 0
	}
	return uint64(len(g.steps))
}

// changed is what a Change makes of the tables, worked out beside them.
type changed struct {
	game     *game
	id       string
	mails    map[string]store.Mail
	messages map[string]string
	bytes    map[string][]byte
	numbers  uint64
	fresh    []string // IDs of the mails that are new
	handled  *store.Handled
	unkept   string // SHA-256 of a mail whose bytes go
	notes    map[string][]byte
}

// become puts it into the tables. Nothing can go wrong any more.
func (n changed) become(t *tables) {
	if n.game != nil {
		t.games[n.id] = n.game
	}
	for id, m := range n.mails {
		t.put(id, m)
	}
	for _, id := range n.fresh {
		t.whole[id] = true
	}
	maps.Copy(t.messages, n.messages)
	maps.Copy(t.bytes, n.bytes)
	t.numbers = n.numbers
	delete(t.spool, n.unkept)
	if h := n.handled; h != nil {
		_, h.Spooled = t.spool[h.SHA256]
		t.handled[h.SHA256], _ = keep(*h)
		delete(t.incoming, h.SHA256)
		if h.Mailbox != "" && h.UID != 0 {
			t.mark(message{mailbox{h.Mailbox, h.UIDValidity}, h.UID}, store.UIDMark{State: store.UIDHandled, SHA256: h.SHA256})
		}
	}
	for name, value := range n.notes {
		if value == nil {
			delete(t.notes, name)
			continue
		}
		t.notes[name] = append([]byte{}, value...)
	}
}

func (t *tables) put(id string, m store.Mail) { t.mails[id], _ = keep(m) }

// mark writes a mark, but never over a final one.
func (t *tables) mark(at message, m store.UIDMark) {
	old := t.uids[at]
	if old.Stays() {
		return
	}
	m.Tries = max(m.Tries, old.Tries)
	t.uids[at] = m
}

// prepare works a Change out.
func (db *DB) prepare(c *store.Change) (n changed, err error) {
	n = changed{mails: map[string]store.Mail{}, messages: map[string]string{}, bytes: map[string][]byte{}, numbers: db.tables.numbers, notes: c.Notes}
	var step store.Step
	if c.Game != nil {
		if n.id = c.Game.ID; err == nil {
			n.game, step, err = db.tables.games[n.id].with(c)
		}
		if err != nil {
			return n, err
		}
	}
	for _, m := range c.Mails {
		if c.Game != nil && m.Game == c.Game.ID {
			m.Seq = step.Seq
		}
		if err := db.enqueue(&n, m); err != nil {
			return n, err
		}
		step.Mails = append(step.Mails, m.ID)
	}
	for _, by := range slices.Sorted(maps.Keys(c.Replaces)) {
		if err := db.replace(&n, c.Replaces[by], by); err != nil {
			return n, err
		}
	}
	step.Notes = slices.Sorted(maps.Keys(c.Notes))
	if c.Handled != nil {
		h := *c.Handled
		h.Game, h.Seq, step.Handled, n.handled = n.id, step.Seq, h.SHA256, &h
		if c.Unkept {
			n.unkept = h.SHA256
		}
	}
	if n.game == nil {
		return n, nil
	}
	last, err := keep(step)
	n.game.steps = append(n.game.steps, last)
	return n, err
}

// with is a game with what a Change brings to it, but for its step, which it begins.
func (g *game) with(c *store.Change) (*game, store.Step, error) {
	next := &game{names: map[string]bool{}}
	record := *c.Game
	record.Phases = 0
	if g != nil {
		next.open, next.phases, next.positions = g.open, slices.Clone(g.phases), slices.Clone(g.positions)
		next.steps, next.sheets, next.names = slices.Clone(g.steps), slices.Clone(g.sheets), maps.Clone(g.names)
		record.Phases = g.record.value().Phases
	}
	record.Seq = g.seq() + 1
	step := store.Step{Seq: record.Seq}
	for _, p := range c.Phases {
		record.Phases++
		p.Number, p.Seq, p.Hash = record.Phases, record.Seq, store.Sum(p.Snapshot)
		step.Phases = append(step.Phases, p.Number)
		text, err := keep(p)
		if err != nil {
			return nil, step, err
		}
		next.phases, next.positions = append(next.phases, text), append(next.positions, bytes.Clone(p.Snapshot))
	}
	switch {
	case c.Opens() != "":
		text, err := keep(*c.Open)
		if err != nil {
			return nil, step, err
		}
		next.open = &text
	case c.Open != nil || len(c.Phases) > 0:
		next.open = nil
	}
	for _, s := range c.Sheets {
		s.Game, s.Seq = record.ID, record.Seq
		if next.names[s.Name()] {
			return nil, step, fmt.Errorf("game %s: sheet %s: %w", record.ID, s.Name(), store.ErrExists)
		}
		text, err := keep(s)
		if err != nil {
			return nil, step, err
		}
		next.names[s.Name()] = true
		next.sheets, step.Sheets = append(next.sheets, text), append(step.Sheets, s.Name())
	}
	var err error
	next.record, err = keep(record)
	return next, step, err
}

// mail is a mail as the Change leaves it so far.
func (db *DB) mail(n *changed, id string) (store.Mail, error) {
	if m, ok := n.mails[id]; ok {
		return m, nil
	}
	return db.tables.mail(id)
}

func (t *tables) mail(id string) (store.Mail, error) {
	text, ok := t.mails[id]
	if !ok {
		return store.Mail{}, fmt.Errorf("mail %q: %w", id, store.ErrNotFound)
	}
	return text.value(), nil
}

// enqueue puts a new mail into the outbox. One whose ID is known is left as it is.
func (db *DB) enqueue(n *changed, m store.Mail) error {
	if _, err := db.mail(n, m.ID); err == nil {
		return nil
	}
	if m.Raw != nil {
		sha := store.Sum(m.Raw)
		if m.SHA256 != "" && m.SHA256 != sha {
			return fmt.Errorf("%w: mail %s has SHA-256 %s, not %s", store.ErrInvalid, m.ID, sha, m.SHA256)
		}
		m.SHA256, n.bytes[sha] = sha, bytes.Clone(m.Raw)
	}
	if n.bytes[m.SHA256] == nil && db.tables.bytes[m.SHA256] == nil {
		return fmt.Errorf("mail %s: the bytes %q: %w", m.ID, m.SHA256, store.ErrNotFound)
	}
	if m.Game != "" && db.tables.games[m.Game] == nil && n.id != m.Game {
		return fmt.Errorf("mail %s: game %q: %w", m.ID, m.Game, store.ErrNotFound)
	}
	if m.MessageID != "" {
		for _, ids := range []map[string]string{db.tables.messages, n.messages} {
			if other, taken := ids[m.MessageID]; taken {
				return fmt.Errorf("%w mail %s: Message-ID %s belongs to mail %s", store.ErrInvalid, m.ID, m.MessageID, other)
			}
		}
		n.messages[m.MessageID] = m.ID
	}
	n.numbers++
	m.Queue(n.numbers)
	n.mails[m.ID], n.fresh = m, append(n.fresh, m.ID)
	return nil
}

// replace takes a mail out of the queue that another one of the same Change makes needless.
func (db *DB) replace(n *changed, id, by string) error {
	m, err := db.mail(n, id)
	if err == nil && m.Replace(by) {
		n.mails[id] = m
	}
	return err
}

// readings are what is read in one transaction.
type readings struct{ t *tables }

func (r readings) Game(id string) (store.Game, error) {
	g := r.t.games[id]
	if g == nil {
		return store.Game{}, fmt.Errorf("game %q: %w", id, store.ErrNotFound)
	}
	return g.record.value(), nil
}

func (r readings) Seats(key string) ([]store.Seat, error) {
	id := store.KeyID(key)
	if id == "" {
		return nil, nil
	}
	return r.seats(func(p store.Player) bool {
		return store.KeyID(p.Key) == id || slices.ContainsFunc(p.Commanders, func(c store.Commander) bool { return !c.Left && store.KeyID(c.Key) == id })
	}), nil
}

func (r readings) SeatsAt(address string) ([]store.Seat, error) {
	if address == "" {
		return nil, nil
	}
	return r.seats(func(p store.Player) bool {
		return strings.EqualFold(p.Address, address) || strings.EqualFold(p.Second, address) ||
			slices.ContainsFunc(p.Commanders, func(c store.Commander) bool { return !c.Left && strings.EqualFold(c.Address, address) })
	}), nil
}

// seats are those whose players fit, sorted by game and side.
func (r readings) seats(fits func(store.Player) bool) (seats []store.Seat) {
	for _, id := range slices.Sorted(maps.Keys(r.t.games)) {
		var sides []string
		for _, p := range r.t.games[id].record.value().Players {
			if fits(p) {
				sides = append(sides, p.Side)
			}
		}
		for _, side := range slices.Compact(slices.Sorted(slices.Values(sides))) {
			seats = append(seats, store.Seat{Game: id, Side: side})
		}
	}
	return seats
}

func (r readings) Note(name string) ([]byte, error) { return bytes.Clone(r.t.notes[name]), nil }

func (r readings) Notes(prefix string) (map[string][]byte, error) {
	notes := map[string][]byte{}
	for name, value := range r.t.notes {
		if strings.HasPrefix(name, prefix) {
			notes[name] = bytes.Clone(value)
		}
	}
	return notes, nil
}
