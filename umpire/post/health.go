package post

import (
	"strings"

	"fieldpost/mailbox"
	"fieldpost/store"
)

// Bounces are the envelope senders of this daemon.
func (o *Office) Bounces() mailbox.Bounces {
	return mailbox.Bounces{Address: o.Address, Key: o.Key.Secret("bounces")}
}

// Health is what is known of an address that mail came back from. A record of it
// stays until somebody writes from there, or a mail does arrive.
type health struct {
	// Dead are the mails that came back for good, by id, with the Change of the
	// game or the day that they belong to; Soft those that came back for now.
	Dead map[string]string `json:"dead,omitempty"`
	Soft map[string]string `json:"soft,omitempty"`
	// Suspended says that nothing is sent there.
	Suspended bool `json:"suspended,omitempty"`
}

// HealthRecords are what is known of addresses that mail came back from.
var HealthRecords = store.OnePerName[health]("bounces", "ADDRESS")

// HealthOf is the key of an address.
func HealthOf(address string) string { return strings.ToLower(address) }

func (o *Office) Health(address string) (h health, err error) {
	h, _, err = HealthRecords.Get(o.DB, HealthOf(address))
	return h, err
}

// Route is the address of a player that mail goes to: the first, or the second
// while mail to the first comes back. It is not usable when all are suspended.
func (o *Office) Route(p store.Player) (address string, usable bool) {
	for _, a := range []string{p.Address, p.Second} {
		if a == "" {
			continue
		}
		if h, err := o.Health(a); err != nil || !h.Suspended {
			return a, true
		}
	}
	return p.Address, false
}
