package mailbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/mail"
	"regexp"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Kind says why a mail is sent, which decides its headers (RFC 3834 section 5).
type Kind int

const (
	// Report is sent on our own account: a report, a question, an invitation.
	Report Kind = iota
	// Answer is sent because somebody wrote to us.
	Answer
)

// File is a picture or an attachment of an outgoing mail.
type File struct {
	// Name is the file name shown, ASCII letters, digits, dots, dashes and
	// underscores.
	Name string
	// Type is the media type; empty is application/octet-stream.
	Type string
	Data []byte
}

// Outgoing is a mail to be rendered. All of it is given by the caller, the date
// and the ids included, so that the same Outgoing is the same mail at any time.
type Outgoing struct {
	Kind Kind
	// From and FromName are the daemon's address and display name.
	From, FromName string
	// To is the one recipient, a bare address.
	To string
	// ReplyTo is where an answer goes, as in gm+g7@example.org; empty is From.
	ReplyTo string
	Subject string
	Date    time.Time
	// MessageID, InReplyTo and References are without angle brackets.
	// MessageID must be unique to this mail and stable for its repeats.
	MessageID  string
	InReplyTo  string
	References []string
	// Instance is the daemon's Config.Instance.
	Instance string
	// ListID is the list-like id of the game (RFC 2919), as in g7.example.org,
	// Unsubscribe an address to write to. Both are for reports and may be empty.
	ListID, Unsubscribe string
	// Text is the mail; HTML is the same in HTML, or empty.
	Text, HTML string
	// Images are shown in the HTML: an image named map.png is <img
	// src="cid:...">, see ContentID.
	Images []File
	// Attachments come below.
	Attachments []File
}

// ContentID is the id under which an image of the mail is named in its HTML, as
// in src="cid:" + ContentID(messageID, "map.png"). It is different in each mail,
// because some mail programs mix up pictures of equal id.
func ContentID(messageID, name string) string {
	sum := sha256.Sum256([]byte(messageID + "\x00" + name))
	return hex.EncodeToString(sum[:8]) + "@fieldpost.invalid"
}

// Compose renders a mail to the bytes that are stored and sent, with CRLF line
// ends. Equal input gives equal bytes. It has exactly one recipient and the
// headers that keep robots from answering. Errors are the caller's: addresses,
// ids or names that do not fit into a header.
func Compose(o Outgoing) ([]byte, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("composing %s: %w", o.MessageID, err)
	}
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithCharset(gomail.CharsetUTF8), gomail.WithEncoding(gomail.EncodingQP))
	m.FromMailAddress(&mail.Address{Name: o.FromName, Address: o.From})
	if err := m.To(o.To); err != nil {
		return nil, fmt.Errorf("composing %s: %w", o.MessageID, err)
	}
	replyTo := o.ReplyTo
	if replyTo == "" {
		replyTo = o.From
	}
	m.ReplyToMailAddress(&mail.Address{Address: replyTo})
	m.Subject(o.Subject)
	m.SetDateWithValue(o.Date)
	m.SetMessageIDWithValue(o.MessageID)
	for field, value := range o.headers() {
		m.SetGenHeader(gomail.Header(field), value)
	}
	m.SetBodyString(gomail.TypeTextPlain, toCRLF(o.Text))
	if o.HTML != "" {
		m.AddAlternativeString(gomail.TypeTextHTML, toCRLF(o.HTML))
	}
	for _, f := range o.Images {
		m.EmbedReadSeeker(f.Name, bytes.NewReader(f.Data), f.options(
			gomail.WithFileContentID("<"+ContentID(o.MessageID, f.Name)+">"))...)
	}
	for _, f := range o.Attachments {
		m.AttachReadSeeker(f.Name, bytes.NewReader(f.Data), f.options()...)
	}
	var b bytes.Buffer
	b.Grow(o.size())
	if _, err := m.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("composing %s: %w", o.MessageID, err)
	}
	return fixBoundaries(b.Bytes(), o)
}

// digest is the SHA-256 of what makes the mail another one.
func (o Outgoing) digest() [sha256.Size]byte {
	all := sha256.New()
	for _, s := range []string{o.MessageID, o.To, o.Subject, o.Text, o.HTML} {
		fmt.Fprintf(all, "%d ", len(s))
		io.WriteString(all, s)
	}
	for _, list := range [][]File{o.Images, o.Attachments} {
		fmt.Fprintf(all, "%d ", len(list))
		for _, f := range list {
			fmt.Fprintf(all, "%q %q %d ", f.Name, f.Type, len(f.Data))
			all.Write(f.Data)
		}
	}
	return [sha256.Size]byte(all.Sum(nil))
}

// size is about how many bytes the mail will have: text as quoted-printable, files
// in base64.
func (o Outgoing) size() int {
	n := 4<<10 + len(o.Text)*5/4 + len(o.HTML)*5/4
	for _, list := range [][]File{o.Images, o.Attachments} {
		for _, f := range list {
			n += 512 + len(f.Data)*37/27
		}
	}
	return n
}

func (f File) options(more ...gomail.FileOption) []gomail.FileOption {
	media := f.Type
	if media == "" {
		media = "application/octet-stream"
	}
	return append(more, gomail.WithFileContentType(gomail.ContentType(media)))
}

// headers are the fields that say what the mail is to other programs.
func (o Outgoing) headers() map[string]string {
	h := map[string]string{
		"X-Auto-Response-Suppress": "All",
		loopHeader:                 o.Instance,
	}
	switch o.Kind {
	case Answer:
		h["Auto-Submitted"] = "auto-replied"
		h["Precedence"] = "bulk"
	default:
		h["Auto-Submitted"] = "auto-generated"
		if o.ListID != "" {
			h["List-Id"] = "<" + o.ListID + ">"
		}
		if o.Unsubscribe != "" {
			h["List-Unsubscribe"] = "<mailto:" + o.Unsubscribe + ">"
		}
	}
	if o.InReplyTo != "" {
		h["In-Reply-To"] = "<" + o.InReplyTo + ">"
	}
	if len(o.References) > 0 {
		h["References"] = "<" + strings.Join(o.References, "> <") + ">"
	}
	return h
}

var (
	goodID   = regexp.MustCompile(`^[^\s<>@"(),:;\\\[\]\x00-\x1f\x7f-\x{10ffff}]+@[A-Za-z0-9.-]+$`)
	goodName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$`)
)

// maxID keeps an id with its field name on one header line that no server breaks.
const maxID = 240

func (o Outgoing) check() error {
	var faults []error
	addresses := map[string]string{"From": o.From, "To": o.To}
	if o.ReplyTo != "" {
		addresses["ReplyTo"] = o.ReplyTo
	}
	if o.Unsubscribe != "" {
		addresses["Unsubscribe"] = o.Unsubscribe
	}
	for what, a := range addresses {
		if _, err := PlainAddress(a); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", what, err))
		}
	}
	ids := append([]string{o.MessageID}, o.References...)
	if o.InReplyTo != "" {
		ids = append(ids, o.InReplyTo)
	}
	for _, id := range ids {
		if !goodID.MatchString(id) || len(id) > maxID {
			faults = append(faults, fmt.Errorf("%q is not a message id", id))
		}
	}
	for _, s := range []string{o.Subject, o.FromName, o.Instance, o.ListID} {
		if strings.ContainsFunc(s, isControl) {
			faults = append(faults, fmt.Errorf("%q has a control character in it", s))
		}
	}
	switch {
	case o.Instance == "", o.Date.IsZero(), o.Text == "":
		faults = append(faults, errors.New("instance, date and text are all needed"))
	}
	for _, f := range append(append([]File{}, o.Images...), o.Attachments...) {
		if !goodName.MatchString(f.Name) {
			faults = append(faults, fmt.Errorf("%q is not a file name for mail", f.Name))
		}
		if _, _, err := mime.ParseMediaType(f.Type); f.Type != "" && err != nil {
			faults = append(faults, fmt.Errorf("%q is not a media type", f.Type))
		}
	}
	return errors.Join(faults...)
}

// toCRLF gives text the line ends of mail, whatever it had.
func toCRLF(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

var boundaryParam = regexp.MustCompile(`(?i)(\r\nContent-Type: multipart/[a-z]+;\s+boundary=)([0-9a-f]{20,70})\r\n`)

// fixBoundaries replaces the random boundaries of the library by ones that
// follow from the mail. It goes down the first parts only, because that is
// where the library nests: mixed, related, alternative. The new boundaries hold
// "=_", which neither quoted-printable nor base64 can (RFC 2045 section 6.7), so
// no text of the mail can end a part before its time.
func fixBoundaries(raw []byte, o Outgoing) ([]byte, error) {
	sum := o.digest()
	from := 0 // the start of the header that is looked at
	for level := 0; ; level++ {
		end := bytes.Index(raw[from:], []byte("\r\n\r\n"))
		if end < 0 {
			return nil, fmt.Errorf("composing %s: the rendered mail has no body", o.MessageID)
		}
		at := boundaryParam.FindSubmatchIndex(raw[from : from+end+2])
		if at == nil {
			return raw, nil
		}
		random := string(raw[from+at[4] : from+at[5]])
		fixed := fmt.Sprintf("=_fp%d_%s", level, hex.EncodeToString(sum[:16]))
		body := raw[from+at[5]:]
		var out bytes.Buffer
		out.Grow(len(raw) + 1024)
		out.Write(raw[:from+at[4]])
		out.WriteString(`"` + fixed + `"`)
		out.Write(bytes.ReplaceAll(body, []byte("\r\n--"+random), []byte("\r\n--"+fixed)))
		raw = out.Bytes()
		opening := []byte("\r\n--" + fixed + "\r\n")
		part := bytes.Index(raw, opening)
		if part < 0 {
			return nil, fmt.Errorf("composing %s: a multipart without parts", o.MessageID)
		}
		from = part + len(opening) - 2 // the line end before the first field counts as part of it
	}
}
