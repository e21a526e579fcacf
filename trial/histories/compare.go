package histories

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/umpire/proof"
)

// opaque is what identifiers and hashes under keys of the daemon's look like, which follow
// how often the game changed: Message-IDs and what is made of them (Content-IDs, tags of
// envelopes, boundaries), and commitments to positions, in a line and in groups. Two rooms
// differ in them. They are compared by which of them are the same within a room.
var opaque = regexp.MustCompile(`[a-z2-7]{24}@mail\.test|[0-9a-f]{16}@fieldpost\.invalid|b\.[a-z2-7]{20}\.[a-z2-7]{10}|=_fp[0-9e]_?[0-9a-f_]{31,34}|[0-9a-f]{64}|[0-9a-f]{4}( [0-9a-f]{4})+`)

// Masker writes the numbers in which opaque words first came up in their place.
type Masker map[string]int

// In is the text with numbers for its opaque words.
func (m Masker) In(text []byte) []byte {
	return opaque.ReplaceAllFunc(text, func(w []byte) []byte {
		key := string(w)
		if _, known := m[key]; !known {
			m[key] = len(m) + 1
		}
		return fmt.Appendf(nil, "OPAQUE-%d", m[key])
	})
}

// got is all that the side got in a room, mail by mail: envelopes, times and bytes, parts
// decoded.
func (t *table) got(r *room) (all [][]byte, parts int, err error) {
	mails, err := r.Umpire.DB.Mails(r.id)
	if err != nil {
		return nil, 0, err
	}
	m := Masker{}
	for _, sent := range mails {
		if sent.To != address(t.observer) {
			continue
		}
		raw, err := r.Umpire.DB.MailBytes(sent.SHA256)
		if err != nil {
			return nil, 0, err
		}
		open, n, err := decoded(raw)
		if err != nil {
			return nil, 0, err
		}
		parts += n
		all = append(all, m.In(fmt.Appendf(nil, "from %s to %s at %v\n%s\n%d bytes", sent.From, sent.To, sent.Next, open, len(raw))))
	}
	return all, parts, nil
}

// decoded is a mail with its headers as they travel and its parts decoded.
func decoded(raw []byte) (out []byte, parts int, err error) {
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return nil, 0, err
	}
	body, parts, err := part(map[string][]string(m.Header), m.Body)
	return append(append(bytes.Clone(head), '\n'), body...), parts, err
}

func part(header mail.Header, body io.Reader) (out []byte, parts int, err error) {
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		out, err = content(header, body)
		return out, 1, err
	}
	for r := multipart.NewReader(body, params["boundary"]); ; {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return out, parts, nil
		}
		if err != nil {
			return nil, 0, err
		}
		for _, field := range slices.Sorted(maps.Keys(p.Header)) {
			out = fmt.Appendf(out, "%s: %s\n", field, p.Header[field])
		}
		inner, n, err := part(map[string][]string(p.Header), p)
		if err != nil {
			return nil, 0, err
		}
		out, parts = append(out, inner...), parts+n
	}
}

// content is what a file or a text says. Of a signature its length counts: it is over
// opaque words.
func content(header mail.Header, body io.Reader) ([]byte, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	_, params, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	switch params["filename"] {
	case proof.FileSignature:
		return fmt.Appendf(nil, "a signature of %d bytes\n", len(data)), nil
	case view.PackedFile:
		return view.Unpacked(data)
	}
	return data, nil
}

// compare compares what the side and spectators got in the first room with every other.
func (t *table) compare() (res Result, err error) {
	first := t.rooms[0]
	expected, _, err := t.got(first)
	if err != nil {
		return res, err
	}
	res.Turn, res.Acts = first.seats[t.observer].view.Turn, first.acts
	for i, r := range t.rooms[1:] {
		mails, parts, err := t.got(r)
		if err != nil {
			return res, err
		}
		res.Acts, res.Mails, res.Parts, res.Pages = res.Acts+r.acts, res.Mails+len(mails), res.Parts+parts, res.Pages+len(r.seen)
		found := append(differences("mail", expected, mails), differences("page", first.seen, r.seen)...)
		if len(found) == 0 {
			continue
		}
		res.Told++
		for _, d := range found {
			res.Differing = append(res.Differing, fmt.Sprintf("pair %d: %s", i+1, d))
		}
	}
	return res, nil
}

func differences(what string, a, b [][]byte) (out []string) {
	if len(a) != len(b) {
		out = append(out, fmt.Sprintf("%d or %d %ss", len(a), len(b), what))
	}
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			out = append(out, fmt.Sprintf("%s %d of %d: %s", what, i+1, len(a), firstDifference(a[i], b[i])))
		}
	}
	return out
}

// firstDifference is the first line that differs, and the one before it.
func firstDifference(a, b []byte) string {
	as, bs := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("\n  %.200q\n- %.400q\n+ %.400q", as[max(0, i-1)], as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d or %d lines", len(as), len(bs))
}
