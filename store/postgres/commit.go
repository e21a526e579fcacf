package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
	"fieldpost/store/packing"
)

// Commit keeps a Change, whole or not at all; see store.Store.
func (db *DB) Commit(c store.Change) error {
	const doing = "committing a change"
	c.Mails = slices.DeleteFunc(slices.Clone(c.Mails), func(m store.Mail) bool { return m.ID == "" && m.To == "" })
	if err := c.Valid(); err != nil {
		return failed(doing, err)
	}
	return failed(doing, db.write(func(t tx) error {
		if err := t.admit(&c); err != nil {
			return err
		}
		w := &writing{tx: t}
		return cmp.Or(w.change(&c), w.send())
	}))
}

// admit checks that a Change fits to what is there.
func (t tx) admit(c *store.Change) error {
	if c.Handled != nil {
		before, err := t.is(`select 1 from handled where sha256 = $1`, c.Handled.SHA256)
		if err != nil {
			return err
		}
		if before {
			return fmt.Errorf("mail %s: %w", c.Handled.SHA256, store.ErrHandled)
		}
	}
	now, err := t.presently(c.Reads)
	if err == nil {
		err = c.Reads.Stale(now)
	}
	if err != nil || c.Game == nil {
		return err
	}
	return t.admitGame(c)
}

// present is what Reads are compared with, the notes among them asked for at once.
type present struct {
	tx
	notes map[string][]byte
}

func (t tx) presently(reads store.Reads) (present, error) {
	var names []string
	for r := range reads {
		if r.Of == store.OfNote {
			names = append(names, r.Name)
		}
	}
	notes, err := t.notes(`select name, value from notes where name = any($1)`, names)
	return present{t, notes}, err
}

// Note is as of a Reader.
func (p present) Note(name string) ([]byte, error) { return p.notes[name], nil }

func (t tx) admitGame(c *store.Change) error {
	var at uint64
	err := t.QueryRow(t.ctx, `select seq from games where id = $1`, c.Game.ID).Scan(&at)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	if at != c.Expect {
		return fmt.Errorf("game %s: %w: it is at %d, expected at %d", c.Game.ID, store.ErrStale, at, c.Expect)
	}
	open, waits, err := one[store.OpenPhase](t, `select document from open_phases where game = $1`, c.Game.ID)
	if err != nil {
		return err
	}
	if waits {
		if err := c.Extends(open); err != nil {
			return err
		}
	}
	var names []string
	for _, s := range c.Sheets {
		if slices.Contains(names, s.Name()) {
			return fmt.Errorf("game %s: sheet %s: %w", c.Game.ID, s.Name(), store.ErrExists)
		}
		names = append(names, s.Name())
	}
	filed, err := column[string](t, `select name from sheets where game = $1 and name = any($2)`, c.Game.ID, names)
	if err == nil && len(filed) > 0 {
		return fmt.Errorf("game %s: sheet %s: %w", c.Game.ID, filed[0], store.ErrExists)
	}
	return err
}

// writing is what a Change writes: gathered first, then sent to the database in one batch.
type writing struct {
	tx
	batch pgx.Batch
}

func (w *writing) add(statement string, args ...any) { w.batch.Queue(statement, args...) }

// put adds a statement whose last parameter is the document of v.
func (w *writing) put(v any, statement string, args ...any) error {
	text, err := document(v)
	if err == nil {
		w.add(statement, append(args, text)...)
	}
	return err
}

func (w *writing) send() error {
	if w.batch.Len() == 0 {
		return nil
	}
	return w.SendBatch(w.ctx, &w.batch).Close()
}

// change gathers everything that a Change brings.
func (w *writing) change(c *store.Change) error {
	var step store.Step
	if c.Game != nil {
		var err error
		if step, err = w.game(c); err != nil {
			return err
		}
	}
	mails, err := w.mails(c, step.Seq)
	if err != nil {
		return err
	}
	for _, m := range c.Mails {
		step.Mails = append(step.Mails, m.ID)
	}
	if err := w.replace(mails, c.Replaces); err != nil {
		return err
	}
	if c.Handled != nil {
		step.Handled = c.Handled.SHA256
		if err := w.handle(c, step.Seq); err != nil {
			return err
		}
	}
	step.Notes = slices.Sorted(maps.Keys(c.Notes))
	var gone []string
	for _, name := range step.Notes {
		if value := c.Notes[name]; value == nil {
			gone = append(gone, name)
		} else {
			w.noteRow(name, value)
		}
	}
	if len(gone) > 0 {
		w.add(`delete from notes where name = any($1)`, gone)
	}
	if c.Game == nil {
		return nil
	}
	return w.stepRow(c.Game.ID, step)
}

// game gathers the game with its seats, its phases and its sheets, and begins its step.
func (w *writing) game(c *store.Change) (store.Step, error) {
	g := *c.Game
	g.Seq, g.Phases = c.Expect+1, 0
	step := store.Step{Seq: g.Seq}
	if c.Expect > 0 {
		if err := w.QueryRow(w.ctx, `select phases from games where id = $1`, g.ID).Scan(&g.Phases); err != nil {
			return step, err
		}
	}
	first := g.Phases
	g.Phases += uint64(len(c.Phases))
	if err := w.gameRow(g); err != nil {
		return step, err
	}
	for i, p := range c.Phases {
		p.Number, p.Seq, p.Hash = first+uint64(i)+1, g.Seq, store.Sum(p.Snapshot)
		step.Phases = append(step.Phases, p.Number)
		if err := w.phaseRow(g.ID, p); err != nil {
			return step, err
		}
	}
	if err := w.open(c); err != nil {
		return step, err
	}
	for i, s := range c.Sheets {
		s.Game, s.Seq = g.ID, g.Seq
		step.Sheets = append(step.Sheets, s.Name())
		if err := w.sheetRow(s, i); err != nil {
			return step, err
		}
	}
	return step, nil
}

// gameRow gathers a game with its seats.
func (w *writing) gameRow(g store.Game) error {
	closed, err := each(g, w.seals.seal)
	if err != nil {
		return err
	}
	if err := w.put(closed, `insert into games (id, seq, phases, status, document) values ($1, $2, $3, $4, $5) on conflict (id) do update
		set seq = excluded.seq, phases = excluded.phases, status = excluded.status, document = excluded.document`, g.ID, g.Seq, g.Phases, string(g.Status)); err != nil {
		return err
	}
	return w.seats(g)
}

// packFrom is the size from which a position may be packed.
const packFrom = 512

func (w *writing) phaseRow(game string, p store.Phase) error {
	position, packed := p.Snapshot, []byte(nil)
	if len(position) >= packFrom {
		position, packed = nil, packing.Alone(packing.Quick, position)
	}
	return w.put(p, `insert into phases (game, number, position, packed, document) values ($1, $2, $3, $4, $5)`, game, p.Number, position, packed)
}

func (w *writing) openRow(game string, open store.OpenPhase) error {
	return w.put(open, `insert into open_phases values ($1, $2) on conflict (game) do update set document = excluded.document`, game)
}

func (w *writing) stepRow(game string, s store.Step) error {
	return w.put(s, `insert into steps values ($1, $2, $3)`, game, s.Seq)
}

// sheetRow gathers a sheet, and its place among those of its Change.
func (w *writing) sheetRow(s store.Sheet, place int) error {
	return w.put(s, `insert into sheets (game, name, side, turn, seq, place, document) values ($1, $2, $3, $4, $5, $6, $7)`,
		s.Game, s.Name(), s.Side, s.Turn, s.Seq, place)
}

func (w *writing) noteRow(name string, value []byte) {
	w.add(`insert into notes values ($1, $2) on conflict (name) do update set value = excluded.value`, name, value)
}

// open gathers what becomes of the phase that waits.
func (w *writing) open(c *store.Change) error {
	switch {
	case c.Opens() != "":
		return w.openRow(c.Game.ID, *c.Open)
	case c.Open != nil || len(c.Phases) > 0:
		w.add(`delete from open_phases where game = $1`, c.Game.ID)
	}
	return nil
}

// seats gathers by what the players of a game are found, if that is not as it was.
func (w *writing) seats(g store.Game) error {
	rows, err := w.Query(w.ctx, `select of, value, side from seats where game = $1`, g.ID)
	if err != nil {
		return err
	}
	was, err := pgx.CollectRows(rows, pgx.RowToStructByPos[seat])
	if err != nil {
		return err
	}
	now := seatsOf(g)
	isSame := len(was) == len(now) && !slices.ContainsFunc(now, func(s seat) bool { return !slices.Contains(was, s) })
	if isSame {
		return nil
	}
	w.add(`delete from seats where game = $1`, g.ID)
	for _, s := range now {
		w.add(`insert into seats values ($1, $2, $3, $4)`, s.Of, s.Value, g.ID, s.Side)
	}
	return nil
}

// seat is a side of a game, and what its player is found by.
type seat struct{ Of, Value, Side string }

// seatsOf are all seats of a game, each once.
func seatsOf(g store.Game) (found []seat) {
	add := func(of, value, side string) {
		if s := (seat{of, value, side}); value != "" && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	for _, p := range g.Players {
		add(ofKey, store.KeyID(p.Key), p.Side)
		add(ofAddress, strings.ToLower(p.Address), p.Side)
		add(ofAddress, strings.ToLower(p.Second), p.Side)
		for _, c := range p.Commanders {
			if c.Left {
				continue
			}
			add(ofKey, store.KeyID(c.Key), p.Side)
			add(ofAddress, strings.ToLower(c.Address), p.Side)
		}
	}
	return found
}

func (w *writing) handledRow(h store.Handled) error {
	return w.put(h, `insert into handled values ($1, $2, $3)`, h.SHA256, h.Game)
}

// handle gathers the mark of the mail that a Change answers.
func (w *writing) handle(c *store.Change, seq uint64) error {
	h := *c.Handled
	h.Seq = seq
	if c.Game != nil {
		h.Game = c.Game.ID
	}
	if c.Unkept {
		w.add(`delete from received_bytes where sha256 = $1`, h.SHA256)
	}
	kept, err := w.is(`select 1 from received_bytes where sha256 = $1`, h.SHA256)
	if err != nil {
		return err
	}
	h.Spooled = kept && !c.Unkept
	if err := w.handledRow(h); err != nil {
		return err
	}
	w.add(`delete from incoming where sha256 = $1`, h.SHA256)
	if h.Mailbox == "" || h.UID == 0 {
		return nil
	}
	at := message{h.Mailbox, h.UIDValidity, h.UID}
	return w.mark(at, store.UIDMark{State: store.UIDHandled, SHA256: h.SHA256})
}
