package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Settle commits a Change and finds out what became of it: where that is ErrUnknown it looks
// whether the Change was kept, and commits it again if it was not. It is never kept twice: a game
// takes no second step in the place of the first, a mail is handled once, and what was read is as
// it was.
func Settle(db Store, c Change) error {
	unsure := false
	var err error
	for range attempts {
		err = db.Commit(c)
		if unknown := errors.Is(err, ErrUnknown); unknown {
			unsure = true
		} else if err == nil || !unsure {
			return err
		}
		if kept, lost := c.kept(db); lost != nil || kept {
			return lost
		}
		if !errors.Is(err, ErrUnknown) {
			return err
		}
	}
	return err
}

// kept tells whether a Change is in a store, by what it brings.
func (c *Change) kept(db Store) (bool, error) {
	if c.Handled != nil {
		_, handled, err := db.Handled(c.Handled.SHA256)
		return handled, err
	}
	if c.Game != nil {
		return c.stepped(db)
	}
	for _, m := range c.Mails {
		if m.ID == "" && m.To == "" {
			continue
		}
		if _, err := db.Mail(m.ID); err != nil {
			return false, ignoring(err, ErrNotFound)
		}
	}
	for name, value := range c.Notes {
		is, err := db.Note(name)
		if err != nil || !bytes.Equal(is, value) || (is == nil) != (value == nil) {
			return false, err
		}
	}
	return true, nil
}

// stepped tells whether the game has taken the step that a Change is.
func (c *Change) stepped(db Store) (bool, error) {
	steps, err := db.Steps(c.Game.ID)
	if err != nil || uint64(len(steps)) <= c.Expect {
		return false, err
	}
	step := steps[c.Expect]
	var sheets, mails []string
	for _, s := range c.Sheets {
		sheets = append(sheets, s.Name())
	}
	for _, m := range c.Mails {
		if m.ID != "" || m.To != "" {
			mails = append(mails, m.ID)
		}
	}
	same := slices.Equal(step.Sheets, sheets) && slices.Equal(step.Mails, mails) &&
		slices.Equal(step.Notes, slices.Sorted(maps.Keys(c.Notes))) && len(step.Phases) == len(c.Phases)
	if !same {
		return false, fmt.Errorf("game %s: %w: another step was taken", c.Game.ID, ErrStale)
	}
	return true, nil
}

func ignoring(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
