package umpire

import (
	"log/slog"

	"fieldpost/mailbox"
	"fieldpost/store"
)

// seen tells the poller what the store has dealt with.
type seen struct {
	db  store.Store
	log *slog.Logger
}

// Seen tells a poller what the store has dealt with.
func (u *Umpire) Seen() mailbox.Seen { return seen{u.DB, u.Log} }

// Low is the highest UID such that it and all below it are dealt with.
func (s seen) Low(box string, uidvalidity uint32) uint32 {
	low, err := s.db.Low(box, uidvalidity)
	if err != nil {
		s.log.Error("the low-water mark cannot be read", "folder", box, "error", err)
		return 0 // everything is looked at again; what is handled has no second effect
	}
	return low
}

// Handled says whether a message needs no more attention.
func (s seen) Handled(k mailbox.Key) bool {
	m, ok, err := s.db.UID(k.Box, k.UIDValidity, k.UID)
	return err == nil && ok && m.Final()
}

// Listed raises the low-water mark over what is dealt with.
func (s seen) Listed(box string, uidvalidity uint32, uids []uint32) {
	low := uint32(0)
	for _, uid := range uids {
		if !s.Handled(mailbox.Key{Box: box, UIDValidity: uidvalidity, UID: uid}) {
			break
		}
		low = uid
	}
	if low == 0 {
		return
	}
	if err := s.db.Arrived(store.Look{Mailbox: box, UIDValidity: uidvalidity, Low: low, Listed: uids}); err != nil {
		s.log.Error("the low-water mark is not raised", "folder", box, "error", err)
	}
}

// All removes the marks of messages that are not in a folder any more.
func (s seen) All(box string, uidvalidity uint32, uids []uint32) {
	if _, err := s.db.ForgetUIDs(box, uidvalidity, uids); err != nil {
		s.log.Error("the marks of removed messages stay", "folder", box, "error", err)
	}
}
