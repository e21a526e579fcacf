package mailbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // every common charset, by its registration
	"golang.org/x/text/encoding/charmap"

	"fieldpost/orders/seal"
)

// The limits of one message. Ordinary mail has a hundredth of them; a message
// beyond the first two is an error, of the others the rest is left out.
const (
	maxHeader      = 64 << 10  // bytes of the top header
	maxFields      = 300       // fields of the top header
	maxDepth       = 8         // multiparts within multiparts
	maxParts       = 64        // leaves and multiparts together
	maxText        = 256 << 10 // decoded bytes of one text part
	maxAttachments = 16
	maxAttached    = 1 << 20 // decoded bytes of one attachment
	maxLine        = 2 << 20 // bytes of one line: more than any part that is kept can need
)

// Part is a text part in UTF-8 with LF line ends.
type Part struct {
	// Type is "text/plain" or "text/html".
	Type string
	// Text is what a person reads: soft line breaks of format=flowed undone
	// (RFC 3676), HTML reduced to its text.
	Text string
	// AsSent is the text before soft line breaks were undone, or the HTML.
	AsSent string
	// Unseen is the text of HTML that its style hides from who reads it.
	Unseen string
}

// Attachment is a part with a file name, or one that is not text.
type Attachment struct {
	// Name is the last element of the file name given, "" if there was none.
	// It is for showing and comparing; it must never name a file on this machine.
	Name string
	// Type is the media type in lower case.
	Type string
	// Data are the decoded bytes, cut off after 1 MiB.
	Data []byte
}

// Message is a mail taken apart. Everything in it was written by whoever sent
// it and proves nothing about them.
type Message struct {
	// From is the address of the sender if there is exactly one From line with
	// exactly one address, else "".
	From string
	// To has the addresses of To and Cc.
	To []string
	// Recipients are the addresses that delivery noted: Delivered-To,
	// X-Original-To, Envelope-To and X-Envelope-To, in this order.
	Recipients []string
	Subject    string
	// Date is what the sender claims; zero if it cannot be read.
	Date time.Time
	// MessageID, InReplyTo and References are without angle brackets.
	MessageID  string
	InReplyTo  []string
	References []string
	// ReturnPath is the envelope sender noted at delivery; "<>" for a bounce,
	// "" if nothing was noted.
	ReturnPath  string
	Texts       []Part
	Attachments []Attachment
	// Doubt says why the message has no single meaning (two Content-Type lines
	// in one header, for example), or is nil. No orders are taken from such mail.
	Doubt error

	raw    []byte // the message with its header repaired and its body untouched
	header message.Header
	media  string            // media type of the whole
	params map[string]string // and its parameters
	parts  int
}

// Header returns the values of a field of the top header, undecoded, in the
// order they stand.
func (m *Message) Header(field string) []string { return m.header.Values(field) }

// ReadError says why a message cannot be read at all. It is the sender's fault,
// or that of a program on the way.
type ReadError struct{ Why error }

func (e *ReadError) Error() string { return "the message cannot be read: " + e.Why.Error() }

// Unwrap is the reason.
func (e *ReadError) Unwrap() error { return e.Why }

// Read takes a message apart (RFC 5322, RFC 2045-2047). It forgives what mail
// in the wild does: broken header lines, a leading mbox line, charsets wrongly
// named, cut-off or broken encodings, missing final boundaries. All its errors
// are *ReadError. It never panics.
func Read(raw []byte) (m *Message, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, &ReadError{fmt.Errorf("reading it broke the reader: %v", r)}
		}
	}()
	repaired, err := repair(raw)
	if err != nil {
		return nil, &ReadError{err}
	}
	entity, err := message.ReadWithOptions(withoutEndlessLines(quotedWithin(repaired)), &message.ReadOptions{MaxHeaderBytes: maxHeader + 2})
	if entity == nil || isBroken(err) {
		return nil, &ReadError{err}
	}
	m = &Message{raw: repaired, header: entity.Header}
	m.readHeader()
	m.walk(entity, 0)
	return m, nil
}

// withoutEndlessLines reads a message whose lines are cut off after maxLine bytes. A line
// is held in memory several times while it is taken apart, and nothing that is kept of a
// message is longer.
func withoutEndlessLines(raw []byte) io.Reader {
	var pieces []io.Reader
	kept := 0
	for at := 0; at < len(raw); {
		end := bytes.IndexByte(raw[at:], '\n') + at
		if end < at {
			end = len(raw)
		}
		if end-at > maxLine {
			pieces = append(pieces, bytes.NewReader(raw[kept:at+maxLine]))
			kept = end
		}
		at = end + 1
	}
	return io.MultiReader(append(pieces, bytes.NewReader(raw[kept:]))...)
}

func (m *Message) readHeader() {
	h := &m.header
	if from := h.Values("From"); len(from) == 1 {
		if list := addresses(from[0]); len(list) == 1 {
			m.From = list[0]
		}
	}
	for _, field := range []string{"To", "Cc"} {
		for _, v := range h.Values(field) {
			m.To = append(m.To, addresses(v)...)
		}
	}
	for _, field := range []string{"Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To"} {
		for _, v := range h.Values(field) {
			m.Recipients = append(m.Recipients, addresses(v)...)
		}
	}
	m.Subject = strings.Map(printable, textOf(h, "Subject"))
	m.Date, _ = mail.ParseDate(h.Get("Date"))
	if ids := messageIDs(h.Get("Message-Id")); len(ids) > 0 {
		m.MessageID = ids[0]
	}
	m.InReplyTo = messageIDs(h.Get("In-Reply-To"))
	m.References = messageIDs(h.Get("References"))
	if v := strings.TrimSpace(h.Get("Return-Path")); v != "" {
		m.ReturnPath = strings.Trim(v, "<> ")
		if m.ReturnPath == "" {
			m.ReturnPath = "<>"
		}
	}
	m.media, m.params, _ = h.ContentType()
	m.media = strings.ToLower(m.media)
}

// isBroken tells whether an error leaves nothing to read. A charset or an encoding that
// the reader does not know is no such error.
func isBroken(err error) bool {
	switch {
	case err == nil, message.IsUnknownCharset(err), message.IsUnknownEncoding(err):
		return false
	}
	return true
}

// walk collects the leaves of the tree below an entity.
func (m *Message) walk(e *message.Entity, depth int) {
	if m.parts++; m.parts > maxParts {
		m.doubt(fmt.Errorf("it has more than %d parts", maxParts))
		return
	}
	if saysTwo(e, "Content-Type") || saysTwo(e, "Content-Transfer-Encoding") {
		// Two programs would read two different messages.
		m.doubt(errors.New("one of its parts says twice what it is"))
		return
	}
	mr := e.MultipartReader()
	if mr == nil {
		m.leaf(e)
		return
	}
	if depth >= maxDepth {
		m.doubt(fmt.Errorf("its parts are nested more than %d deep", maxDepth))
		return
	}
	for m.parts <= maxParts {
		part, err := mr.NextPart()
		if part == nil || isBroken(err) {
			// The end, or no more sense: what was read so far stands.
			return
		}
		m.walk(part, depth+1)
	}
}

// saysTwo tells whether a part has a field more than once, and not the same each time.
func saysTwo(e *message.Entity, field string) bool {
	values := e.Header.Values(field)
	return slices.ContainsFunc(values, func(v string) bool {
		return !slices.Equal(strings.Fields(v), strings.Fields(values[0]))
	})
}

func (m *Message) doubt(why error) {
	if m.Doubt == nil {
		m.Doubt = why
	}
}

func (m *Message) leaf(e *message.Entity) {
	media, params, err := e.Header.ContentType()
	media = strings.ToLower(media)
	if err != nil || media == "" || media == "text" {
		media = "text/plain" // RFC 2045 section 5.2: unreadable means the default
	}
	name := fileName(e, params)
	disposition, _, _ := e.Header.ContentDisposition()
	isText := media == "text/plain" || media == "text/html"
	if !isText || name != "" || strings.EqualFold(disposition, "attachment") {
		if len(m.Attachments) < maxAttachments {
			m.Attachments = append(m.Attachments, Attachment{Name: name, Type: media, Data: readUpTo(e.Body, maxAttached)})
		}
		return
	}
	sent := clean(readUpTo(e.Body, maxText))
	part := Part{Type: media, Text: sent, AsSent: sent}
	switch {
	case media == "text/html":
		part.Text, part.Unseen = htmlText(sent)
	case strings.EqualFold(params["format"], "flowed"):
		part.Text = unflow(sent, strings.EqualFold(params["delsp"], "yes"))
	}
	m.Texts = append(m.Texts, part)
}

// readUpTo reads what can be decoded, up to a limit. Where decoding fails the
// rest is lost; the signature decides whether that mattered.
func readUpTo(r io.Reader, limit int64) []byte {
	b, _ := io.ReadAll(io.LimitReader(r, limit))
	return b
}

// clean turns decoded bytes into UTF-8 with LF line ends. Bytes that are not
// UTF-8 have no charset or a wrong one, and in mail that is nearly always the
// Western one of Windows, of which Latin-1 is a part.
func clean(b []byte) string {
	if bytes.HasPrefix(b, []byte{0xff, 0xfe}) || bytes.HasPrefix(b, []byte{0xfe, 0xff}) {
		b = []byte(seal.PlainText(b)) // UTF-16, as some Windows programs save text
	}
	if !utf8.Valid(b) {
		if w, err := charmap.Windows1252.NewDecoder().Bytes(b); err == nil {
			b = w
		}
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

// fileName is the name of a part, or "". Only its last element is kept, for
// either kind of slash.
func fileName(e *message.Entity, params map[string]string) string {
	_, dp, _ := e.Header.ContentDisposition()
	name := dp["filename"]
	if name == "" {
		name = params["name"]
	}
	if name == "" {
		return ""
	}
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	switch name {
	case ".", "/", "..":
		return "unnamed"
	}
	return strings.Map(printable, name)
}

func printable(r rune) rune {
	if isControl(r) {
		return -1
	}
	return r
}

func textOf(h *message.Header, field string) string {
	s, err := h.Text(field)
	if err != nil {
		return h.Get(field)
	}
	return s
}

// addresses reads an address list; an unreadable list has none. Display names
// are thrown away: they are not an identity.
func addresses(v string) []string {
	list, err := mail.ParseAddressList(v)
	if err != nil {
		return nil
	}
	out := make([]string, 0, len(list))
	for _, a := range list {
		out = append(out, a.Address)
	}
	return out
}

// messageIDs reads a list of ids. Some programs put commas between them.
func messageIDs(v string) []string {
	var ids []string
	for _, f := range strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) }) {
		if id := strings.Trim(f, "<>"); id != "" && len(ids) < 100 {
			ids = append(ids, id)
		}
	}
	return ids
}
