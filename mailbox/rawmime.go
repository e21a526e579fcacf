package mailbox

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/quotedprintable"
	"slices"
	"strings"
)

// rawPart is a part of a message with its bytes as they arrived. Signatures of
// mail programs cover them, header, encoding and all; a reader that decodes and
// repairs loses them.
type rawPart struct {
	media    string // in lower case
	params   map[string]string
	name     string
	whole    []byte // header, empty line and body
	body     []byte
	encoding string
	parts    []*rawPart
}

// readRaw takes a message or part apart without changing a byte (RFC 2046
// section 5.1). It has the limits of Read; what is beyond is left out.
func readRaw(whole []byte) *rawPart {
	left := maxParts
	return readRawPart(whole, 0, &left)
}

func readRawPart(whole []byte, depth int, left *int) *rawPart {
	*left--
	p := &rawPart{media: "text/plain", whole: whole}
	var header []byte
	if header, p.body = splitHeader(whole); len(header) > maxHeader {
		return p
	}
	fields := rawFields(header)
	if media, params, err := mime.ParseMediaType(quotedBoundary(fields["content-type"])); err == nil {
		p.media, p.params = strings.ToLower(media), params
	}
	p.encoding = strings.ToLower(strings.TrimSpace(fields["content-transfer-encoding"]))
	_, disposition, _ := mime.ParseMediaType(fields["content-disposition"])
	if p.name = disposition["filename"]; p.name == "" {
		p.name = p.params["name"]
	}
	if strings.HasPrefix(p.media, "multipart/") && p.params["boundary"] != "" && depth < maxDepth {
		for _, part := range rawParts(p.body, p.params["boundary"], *left) {
			if *left <= 0 {
				break
			}
			p.parts = append(p.parts, readRawPart(part, depth+1, left))
		}
	}
	return p
}

// rawFields are the fields of a header that tell what a part is, unfolded. Of a
// field that stands twice the first counts; Read has doubts about such mail.
func rawFields(header []byte) map[string]string {
	fields := map[string]string{}
	last := ""
	for line := range strings.SplitSeq(strings.ReplaceAll(string(header), "\r\n", "\n"), "\n") {
		if continues(line) {
			if last != "" {
				fields[last] += " " + strings.TrimSpace(line)
			}
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		last = ""
		if _, twice := fields[name]; ok && !twice && strings.HasPrefix(name, "content-") {
			last, fields[name] = name, strings.TrimSpace(value)
		}
	}
	return fields
}

// rawParts cuts the body of a multipart at its delimiters. The line end before
// a delimiter belongs to it. A missing last delimiter is forgiven.
func rawParts(body []byte, boundary string, limit int) [][]byte {
	delimiter := []byte("--" + boundary)
	var parts [][]byte
	start := -1
	for at := 0; at < len(body); {
		end := len(body)
		if i := bytes.IndexByte(body[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := body[at:end]
		if bytes.HasPrefix(line, delimiter) {
			rest := bytes.TrimRight(line[len(delimiter):], " \t\r\n")
			last := bytes.Equal(rest, []byte("--"))
			if len(rest) == 0 || last {
				if start >= 0 {
					parts = append(parts, withoutLineEnd(body[start:at]))
				}
				start = end
				if last {
					return parts
				}
				if len(parts) >= limit {
					return parts
				}
			}
		}
		at = end
	}
	if start >= 0 && start < len(body) {
		parts = append(parts, body[start:])
	}
	return parts
}

func withoutLineEnd(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r"))
}

// leaves are the parts that hold no others, in the order they stand.
func (p *rawPart) leaves() []*rawPart {
	if len(p.parts) == 0 {
		return []*rawPart{p}
	}
	var out []*rawPart
	for _, c := range p.parts {
		out = append(out, c.leaves()...)
	}
	return out
}

// decoded is the content of a leaf without its transfer encoding, at most as
// much as of an attachment.
func (p *rawPart) decoded() []byte {
	var r io.Reader = bytes.NewReader(p.body)
	switch p.encoding {
	case "base64":
		clean := bytes.Map(func(c rune) rune {
			if strings.ContainsRune("\r\n \t", c) {
				return -1
			}
			return c
		}, p.body)
		r = base64.NewDecoder(base64.StdEncoding, bytes.NewReader(clean))
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	}
	return readUpTo(r, maxAttached)
}

// forms are what the signed bytes of a part may have been: with CRLF, as mail
// programs sign (RFC 3156 section 5, RFC 8551 section 3.1.1), as they came, with
// LF, and each with one more line end, which some programs sign too.
func (p *rawPart) forms() [][]byte {
	lf := bytes.ReplaceAll(p.whole, []byte("\r\n"), []byte("\n"))
	crlf := bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))
	forms := [][]byte{crlf}
	for _, f := range [][]byte{p.whole, lf, append(bytes.Clone(crlf), "\r\n"...), append(bytes.Clone(lf), '\n')} {
		known := slices.ContainsFunc(forms, func(have []byte) bool { return bytes.Equal(have, f) })
		if !known {
			forms = append(forms, f)
		}
	}
	return forms
}
