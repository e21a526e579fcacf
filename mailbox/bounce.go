package mailbox

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"net/textproto"
	"strings"
)

// Bounces makes and checks the envelope senders that tell which mail of ours came
// back: name+b.ID.MAC@domain. Nobody without the key can make one, so that forged
// bounces have no effect.
type Bounces struct {
	// Address is our own, without a plus-tag.
	Address string
	Key     []byte
}

// From is the envelope sender of the mail with an id of letters and digits.
func (b Bounces) From(id string) string {
	local, domain, _ := strings.Cut(b.Address, "@")
	return local + "+b." + id + "." + b.mac(id) + "@" + domain
}

func (b Bounces) mac(id string) string {
	h := hmac.New(sha256.New, b.Key)
	h.Write([]byte("bounce " + id))
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil)))[:10]
}

// ID is the mail whose envelope sender is among the addresses. They may have been
// capitalised on the way.
func (b Bounces) ID(addresses []string) (id string, ok bool) {
	for _, a := range addresses {
		local, _, _ := strings.Cut(strings.ToLower(a), "@")
		_, tag, _ := strings.Cut(local, "+b.")
		id, mac, found := strings.Cut(tag, ".")
		if found && hmac.Equal([]byte(mac), []byte(b.mac(id))) {
			return id, true
		}
	}
	return "", false
}

// Returned is what a bounce says (RFC 3464).
type Returned struct {
	// Recipients are Final-Recipient and Original-Recipient, bare addresses.
	Recipients []string
	// Action is failed, delayed, delivered, relayed or expanded.
	Action string
	// Status is as 5.1.1 (RFC 3463), Diagnostic what the server said.
	Status, Diagnostic string
	// MessageID is that of the mail that came back, without brackets; empty if its
	// header did not come back with it.
	MessageID string
}

// ErrNoReport says that a message is no report on the delivery of one mail to
// one recipient, which is all that we send.
var ErrNoReport = errors.New("it is no delivery report on one mail to one recipient")

// ReadBounce reads a delivery report. Of a bounce in another form only the
// MessageID can be told.
func ReadBounce(m *Message) (r Returned, err error) {
	err = ErrNoReport
	for _, a := range m.Attachments {
		switch a.Type {
		case "message/delivery-status", "message/global-delivery-status":
			if err = r.readStatus(a.Data); err != nil {
				return r, err
			}
		case "message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global", "message/global-headers":
			if inner, bad := Read(append(bytes.Clone(a.Data), "\r\n\r\n"...)); bad == nil {
				r.MessageID = inner.MessageID
			}
		}
	}
	return r, err
}

// readStatus reads the fields on the message, an empty line, and those on the
// one recipient (RFC 3464 section 2).
func (r *Returned) readStatus(data []byte) error {
	data = append(bytes.TrimSpace(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))), "\n\n"...)
	in := textproto.NewReader(bufio.NewReader(bytes.NewReader(data)))
	recipients := 0
	for range maxParts {
		fields, err := in.ReadMIMEHeader()
		if len(fields) == 0 && err != nil {
			break
		}
		if fields.Get("Final-Recipient") == "" && fields.Get("Original-Recipient") == "" {
			continue
		}
		recipients++
		for _, name := range []string{"Final-Recipient", "Original-Recipient"} {
			if _, address, ok := strings.Cut(fields.Get(name), ";"); ok {
				r.Recipients = append(r.Recipients, strings.ToLower(strings.Trim(address, " <>\t")))
			}
		}
		r.Action, r.Status = first(fields.Get("Action")), first(fields.Get("Status"))
		r.Diagnostic = strings.Map(printable, fields.Get("Diagnostic-Code"))
	}
	if recipients != 1 {
		return ErrNoReport
	}
	return nil
}

// Dead says that the address will never take mail again, as far as the report tells:
// the mailbox or the domain does not exist or is closed (RFC 3463).
func (r Returned) Dead() bool {
	if r.Action != "failed" {
		return false
	}
	switch r.Status {
	case "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1":
		return true
	}
	return false
}
