package secrets

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"regexp"
	"strings"
)

// Found is a planted string in a mail.
type Found struct {
	Mark  Mark
	Where string // the header, or the part by its type and name
	Text  string // around it
}

// searcher looks for planted strings.
type searcher struct {
	marks map[string]Mark
	found map[string]Found
	parts int // decoded and searched
	texts int // chunks of text in pictures
}

// Search lists the planted strings of a mail: in its bytes as they travel, in
// every header with its encoded words decoded, in every part decoded (messages and
// compressed files opened in turn), in the chunks of its pictures that hold text,
// and in whatever looks like base64 or hexadecimal within all these.
func Search(raw []byte, marks map[string]Mark) (found []Found, parts int, err error) {
	s := &searcher{marks: marks, found: map[string]Found{}}
	err = s.message("", raw)
	for _, f := range s.found {
		found = append(found, f)
	}
	return found, s.parts, err
}

func (s *searcher) message(within string, raw []byte) error {
	s.plain(within+"raw", raw)
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("%smail: %w", within, err)
	}
	return s.part(within, m.Header, m.Body)
}

// part searches a header and what it describes.
func (s *searcher) part(within string, header map[string][]string, body io.Reader) error {
	h := mail.Header(header)
	words := mime.WordDecoder{CharsetReader: func(_ string, r io.Reader) (io.Reader, error) { return r, nil }}
	for field, values := range header {
		for _, v := range values {
			if decoded, err := words.DecodeHeader(v); err == nil {
				v = decoded
			}
			s.text(within+field, []byte(v))
		}
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	name := kind
	if _, p, err := mime.ParseMediaType(h.Get("Content-Disposition")); err == nil && p["filename"] != "" {
		name += " " + p["filename"]
		s.text(within+"file name", []byte(p["filename"]))
	}
	switch strings.ToLower(h.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		data, err := io.ReadAll(body)
		if err != nil {
			return fmt.Errorf("%s%s: %w", within, name, err)
		}
		return s.content(within+name, kind, data)
	}
	r := multipart.NewReader(body, params["boundary"])
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s%s: %w", within, name, err)
		}
		if err := s.part(within+kind+" > ", p.Header, p); err != nil {
			return err
		}
	}
}

// content searches the decoded bytes of a part.
func (s *searcher) content(where, kind string, data []byte) error {
	s.parts++
	switch {
	case kind == "message/rfc822":
		return s.message(where+" > ", data)
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		s.plain(where, data)
		return s.png(where, data)
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		if data, err = io.ReadAll(z); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	s.text(where, data)
	return nil
}

// png searches every chunk of a picture but its pixels; text that is compressed
// is opened.
func (s *searcher) png(where string, data []byte) error {
	data = data[8:]
	for len(data) >= 12 {
		n := int(binary.BigEndian.Uint32(data))
		if n < 0 || n > len(data)-12 {
			break
		}
		kind, chunk := string(data[4:8]), data[8:8+n]
		data = data[12+n:]
		if kind == "IDAT" {
			continue
		}
		s.text(where+" "+kind, chunk)
		for i := range chunk { // zTXt and iTXt: where the stream begins depends on the words before it
			if z, err := zlib.NewReader(bytes.NewReader(chunk[i:])); err == nil {
				if inner, err := io.ReadAll(z); err == nil {
					s.text(where+" "+kind+" compressed", inner)
				}
			}
		}
		s.texts++
		if kind == "IEND" {
			if len(data) > 0 {
				s.text(where+" after the picture", data)
			}
			return nil
		}
	}
	return fmt.Errorf("%s is cut off", where)
}

var (
	base64Run = regexp.MustCompile(`[A-Za-z0-9+/_-]{12,}`)
	hexRun    = regexp.MustCompile(`[0-9A-Fa-f]{16,}`)
	urlSafe   = strings.NewReplacer("-", "+", "_", "/")
)

// text searches bytes as they are and what they may encode.
func (s *searcher) text(where string, data []byte) {
	s.plain(where, data)
	for _, run := range base64Run.FindAll(data, -1) {
		text := urlSafe.Replace(string(run))
		for off := range 4 {
			t := text[off:]
			if out, err := base64.StdEncoding.DecodeString(t[:len(t)/4*4]); err == nil {
				s.plain(where+" in base64", out)
			}
		}
	}
	for _, run := range hexRun.FindAll(data, -1) {
		for off := range 2 {
			t := string(run[off:])
			if out, err := hex.DecodeString(t[:len(t)/2*2]); err == nil {
				s.plain(where+" in hexadecimal", out)
			}
		}
	}
}

func (s *searcher) plain(where string, data []byte) {
	for at := 0; ; {
		loc := marked.FindIndex(data[at:])
		if loc == nil {
			return
		}
		word := strings.ToLower(string(data[at+loc[0] : at+loc[1]]))
		if m, ok := s.marks[word]; ok {
			if k := m.Text + " " + where; s.found[k].Where == "" {
				s.found[k] = Found{m, where, string(data[max(0, at+loc[0]-60):min(len(data), at+loc[1]+30)])}
			}
		}
		at += loc[0] + 1 // what may be one can begin within another
	}
}
