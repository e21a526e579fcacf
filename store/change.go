package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Valid checks what can be checked without looking into a store: the error is ErrInvalid.
func (c *Change) Valid() error {
	if c.unkept != nil {
		return c.unkept
	}
	if h := c.Handled; h != nil {
		if _, err := SHAKey(h.SHA256); err != nil {
			return err
		}
		if h.Mailbox != "" {
			if err := Named("mailbox", h.Mailbox); err != nil {
				return err
			}
		}
	}
	needsGame := c.Open != nil || len(c.Phases)+len(c.Sheets) > 0
	if needsGame && c.Game == nil {
		return fmt.Errorf("%w change: phases and sheets need a game", ErrInvalid)
	}
	if c.Game != nil {
		if err := c.validGame(); err != nil {
			return err
		}
	}
	for _, m := range c.Mails {
		if err := m.Valid(); err != nil {
			return err
		}
	}
	for name := range c.Notes {
		if err := Named("note", name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Change) validGame() error {
	g := c.Game
	if err := Named("game", g.ID); err != nil {
		return err
	}
	if err := Named("side", g.Sides...); err != nil {
		return err
	}
	switch g.Status {
	case StatusOpen, StatusRunning, StatusFinished, StatusFrozen, StatusPaused:
	default:
		return fmt.Errorf("%w status %q of game %s", ErrInvalid, g.Status, g.ID)
	}
	for _, p := range g.Players {
		if !slices.Contains(g.Sides, p.Side) {
			return fmt.Errorf("%w player of game %s: there is no side %q", ErrInvalid, g.ID, p.Side)
		}
	}
	for _, p := range c.Phases {
		if len(p.Snapshot) == 0 || p.Phase == "" {
			return fmt.Errorf("%w phase %q of game %s: without a name or a position", ErrInvalid, p.Phase, g.ID)
		}
		if sha := Sum(p.Snapshot); p.Hash != "" && p.Hash != sha {
			return fmt.Errorf("%w phase %q of game %s: the position has hash %s, not %s", ErrInvalid, p.Phase, g.ID, sha, p.Hash)
		}
	}
	if err := c.validJournals(); err != nil {
		return fmt.Errorf("game %s: %w", g.ID, err)
	}
	if len(c.Sheets) > 1<<16 {
		return fmt.Errorf("%w change: %d sheets", ErrInvalid, len(c.Sheets))
	}
	for _, s := range c.Sheets {
		if err := Named("side or digest of a sheet", s.Side, s.Digest); err != nil {
			return err
		}
		switch {
		case !slices.Contains(g.Sides, s.Side), s.Turn < 0, int64(s.Turn) > 1<<31, s.Serial < 0, s.Serial > MaxSerial:
			return fmt.Errorf("%w sheet of game %s: side %q, turn %d, serial %d", ErrInvalid, g.ID, s.Side, s.Turn, s.Serial)
		}
	}
	return nil
}

func (c *Change) validJournals() error {
	for _, p := range c.Phases {
		if _, err := Entries(p.Journal); err != nil {
			return err
		}
	}
	if c.Open == nil {
		return nil
	}
	_, err := Entries(c.Open.Journal)
	return err
}

// Opens is the name of the phase that the change leaves open, "" for none.
func (c *Change) Opens() string {
	if c.Open == nil {
		return ""
	}
	return c.Open.Phase
}

// Extends checks that what was rolled in the open phase stays as it is, or it is ErrRewritten: a
// lost entry would be a second throw. Only a Change without phases that removes
// the open phase by name may drop it.
func (c *Change) Extends(open OpenPhase) error {
	var phase string
	var journal json.RawMessage
	next := c.Phases
	if len(next) > 0 && strings.HasPrefix(next[0].Phase, Migration) {
		if next = next[1:]; len(next) == 0 && c.Opens() == "" {
			return fmt.Errorf("game %s: %w: phase %q would be lost in a migration", c.Game.ID, ErrRewritten, open.Phase)
		}
	}
	switch {
	case len(next) > 0:
		phase, journal = next[0].Phase, next[0].Journal
	case c.Opens() == "":
		return nil
	default:
		phase, journal = c.Open.Phase, c.Open.Journal
	}
	if phase != open.Phase {
		return fmt.Errorf("game %s: %w: phase %q is open, not %q", c.Game.ID, ErrRewritten, open.Phase, phase)
	}
	was, err := Entries(open.Journal)
	if err != nil {
		return err
	}
	is, err := Entries(journal)
	if err != nil {
		return err
	}
	if len(is) < len(was) || !slices.EqualFunc(was, is[:len(was)], bytes.Equal) {
		return fmt.Errorf("game %s: %w: the first %d entries of phase %q differ", c.Game.ID, ErrRewritten, len(was), phase)
	}
	return nil
}

// Entries are the elements of a JSON array, without white space.
func Entries(journal json.RawMessage) (list [][]byte, err error) {
	if len(journal) == 0 {
		return nil, nil
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(journal, &raw); err != nil {
		return nil, fmt.Errorf("%w journal: %w", ErrInvalid, err)
	}
	for _, r := range raw {
		var b bytes.Buffer
		if err := json.Compact(&b, r); err != nil {
			return nil, fmt.Errorf("%w journal: %w", ErrInvalid, err)
		}
		list = append(list, b.Bytes())
	}
	return list, nil
}
