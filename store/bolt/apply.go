package bolt

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// apply writes the Change.
func (c *change) apply(tx *bbolt.Tx) error {
	if err := c.admit(tx); err != nil {
		return err
	}
	var step store.Step
	var err error
	if c.Game != nil {
		if step, err = c.applyGame(tx); err != nil {
			return err
		}
	}
	for _, m := range c.Mails {
		if c.Game != nil && m.Game == c.Game.ID {
			m.Seq = step.Seq
		}
		if err := enqueue(tx, m); err != nil {
			return err
		}
		step.Mails = append(step.Mails, m.ID)
	}
	for _, by := range slices.Sorted(maps.Keys(c.Replaces)) {
		if err := replace(tx, c.Replaces[by], by); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Notes)) {
		step.Notes = append(step.Notes, name)
		if err = putNote(tx, name, c.Notes[name]); err != nil {
			return err
		}
	}
	if c.Handled != nil {
		h := *c.Handled
		h.Game, h.Seq, step.Handled = "", step.Seq, h.SHA256
		if c.Game != nil {
			h.Game = c.Game.ID
		}
		if err := putHandled(tx, h); err != nil {
			return err
		}
		if c.Unkept {
			if err := tx.Bucket(bMeta).Put(unkept, []byte(h.SHA256)); err != nil {
				return err
			}
		}
	}
	if c.Game == nil {
		return nil
	}
	return putJSON(tx.Bucket(bSteps), numbered(c.Game.ID, step.Seq), step)
}

// putNote writes a note or, with nil, removes it. The bucket's sequence counts the
// notes: nothing else would miss one that is lost.
func putNote(tx *bbolt.Tx, name string, value []byte) error {
	b, key := tx.Bucket(bNotes), []byte(name)
	was := b.Get(key) != nil
	n := b.Sequence()
	var err error
	switch {
	case value == nil:
		if was {
			n--
		}
		err = b.Delete(key)
	default:
		if !was {
			n++
		}
		err = putBytes(b, key, value)
	}
	if err != nil {
		return err
	}
	return b.SetSequence(n)
}

// applyGame writes the game, its phases and its sheets, and starts the Step.
func (c *change) applyGame(tx *bbolt.Tx) (step store.Step, err error) {
	old, _, err := getJSON[store.Game](tx.Bucket(bGames), []byte(c.Game.ID))
	if err != nil {
		return step, err
	}
	g := *c.Game
	g.Seq = old.Seq + 1
	g.Phases = old.Phases
	step.Seq = g.Seq
	for _, b := range [][]byte{bPhases, bSnapshots, bSteps} {
		tx.Bucket(b).FillPercent = 0.9 // they only grow at their ends
	}
	for _, p := range c.Phases {
		g.Phases++
		p.Number, p.Seq, p.Hash = g.Phases, g.Seq, store.Sum(p.Snapshot)
		step.Phases = append(step.Phases, p.Number)
		if err := putJSON(tx.Bucket(bPhases), numbered(g.ID, p.Number), p); err != nil {
			return step, err
		}
		if err := putSnapshot(tx, g.ID, p.Number, p.Snapshot); err != nil {
			return step, err
		}
	}
	if err := c.applyOpen(tx); err != nil {
		return step, err
	}
	for i, s := range c.Sheets {
		s.Game, s.Seq = g.ID, g.Seq
		step.Sheets = append(step.Sheets, s.Name())
		digest := append(under(g.ID), s.Name()...)
		if tx.Bucket(bDigests).Get(digest) != nil { // twice in this Change
			return step, fmt.Errorf("game %s: sheet %s: %w", g.ID, s.Name(), store.ErrExists)
		}
		key := sheetKey(s, i)
		if err := putJSON(tx.Bucket(bSheets), key, s); err != nil {
			return step, err
		}
		if err := putBytes(tx.Bucket(bDigests), digest, key); err != nil {
			return step, err
		}
	}
	if err := putSeats(tx, old, g); err != nil {
		return step, err
	}
	return step, putJSON(tx.Bucket(bGames), []byte(g.ID), g)
}

func sheetKey(s store.Sheet, n int) []byte {
	k := append(under(s.Game), under(s.Side)...)
	k = binary.BigEndian.AppendUint32(k, uint32(s.Turn))
	k = binary.BigEndian.AppendUint64(k, s.Seq)
	return binary.BigEndian.AppendUint16(k, uint16(n))
}

func (c *change) applyOpen(tx *bbolt.Tx) error {
	b, key := tx.Bucket(bOpen), []byte(c.Game.ID)
	switch {
	case c.Opens() != "":
		return putJSON(b, key, c.Open)
	case c.Open != nil || len(c.Phases) > 0:
		return b.Delete(key)
	}
	return nil
}

// putSeats makes the indexes of keys and addresses follow the players of a game.
func putSeats(tx *bbolt.Tx, old, g store.Game) error {
	for _, p := range old.Players {
		for _, k := range seatKeys(p, g.ID) {
			if err := tx.Bucket(k.bucket).Delete(k.key); err != nil {
				return err
			}
		}
	}
	for _, p := range g.Players {
		for _, k := range seatKeys(p, g.ID) {
			if err := putBytes(tx.Bucket(k.bucket), k.key, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// indexed is a key in the bucket of an index.
type indexed struct{ bucket, key []byte }

// seatKeys are a player's keys in the indexes.
func seatKeys(p store.Player, game string) (keys []indexed) {
	if store.KeyID(p.Key) != "" {
		keys = append(keys, indexed{bSeats, seatKey(p.Key, game, p.Side)})
	}
	addresses := []string{p.Address, p.Second}
	for _, c := range p.Commanders {
		if c.Left {
			continue
		}
		addresses = append(addresses, c.Address)
		if store.KeyID(c.Key) != "" {
			keys = append(keys, indexed{bSeats, seatKey(c.Key, game, p.Side)})
		}
	}
	for _, address := range addresses {
		if address != "" {
			keys = append(keys, indexed{bAddresses, addressKey(address, game, p.Side)})
		}
	}
	return keys
}

// indexAddresses fills the index of addresses from the games.
func indexAddresses(tx *bbolt.Tx) error {
	return each(tx.Bucket(bGames), nil, func(k, raw []byte) error {
		g, err := decode[store.Game](k, raw)
		if err != nil {
			return err
		}
		for _, p := range g.Players {
			if p.Address != "" {
				if err := putBytes(tx.Bucket(bAddresses), addressKey(p.Address, g.ID, p.Side), nil); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
