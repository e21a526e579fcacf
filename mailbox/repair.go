package mailbox

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// repair returns a copy of a message whose header block a strict reader can
// read: without empty lines and an mbox "From " line in front, without lines
// that are no fields, without NUL and lone CR. The body is left as it is. It
// fails if there is no header or too much of it.
func repair(raw []byte) ([]byte, error) {
	raw = bytes.TrimLeft(raw, "\r\n")
	header, body := splitHeader(raw)
	if len(header) > maxHeader {
		return nil, fmt.Errorf("its header has more than %d bytes", maxHeader)
	}
	var out bytes.Buffer
	out.Grow(len(raw) + 4)
	fields := 0
	keep := false // whether the field that a continuation line belongs to was kept
	for line := range bytes.SplitSeq(header, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		line = bytes.ReplaceAll(bytes.ReplaceAll(line, []byte{0}, nil), []byte("\r"), nil)
		if len(line) == 0 {
			continue
		}
		if continues(line) {
			if keep && len(bytes.TrimSpace(line)) > 0 {
				out.Write(line)
				out.WriteString("\r\n")
			}
			continue
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		name = bytes.TrimRight(name, " \t")
		if keep = ok && isFieldName(name); !keep {
			continue
		}
		if fields++; fields > maxFields {
			return nil, fmt.Errorf("its header has more than %d fields", maxFields)
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
		out.WriteString("\r\n")
	}
	if fields == 0 {
		return nil, errors.New("it has no header")
	}
	repaired := quoteBoundaries(out.Bytes())
	return append(append(repaired, "\r\n"...), body...), nil
}

// quoteBoundaries gives boundaries in a header the quotation marks that they lack.
func quoteBoundaries(header []byte) []byte { return bareBoundary.ReplaceAll(header, []byte(`$1"$2"`)) }

// quotedBoundary is the value of a Content-Type whose boundary has them.
func quotedBoundary(contentType string) string {
	const field = "content-type:"
	return string(bytes.TrimPrefix(quoteBoundaries([]byte(field+contentType)), []byte(field)))
}

// maxPartHeader is how much of a part's header is looked at for its boundary.
const maxPartHeader = 8 << 10

// quotedWithin is a message in which the headers of parts have them, too: what stands between
// a line that begins with two dashes and the next empty one. It is for reading; signatures are
// over the message as it came.
func quotedWithin(raw []byte) []byte {
	var out []byte
	kept, begin, mended := 0, -1, 0
	for at := 0; at < len(raw) && mended < maxParts; {
		end := len(raw)
		if i := bytes.IndexByte(raw[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := raw[at:end]
		switch {
		case bytes.HasPrefix(line, []byte("--")):
			begin = end
		case begin >= 0 && len(bytes.TrimRight(line, "\r\n")) == 0:
			if header := raw[begin:at]; len(header) <= maxPartHeader && bytes.Contains(bytes.ToLower(header), []byte("boundary=")) {
				out = append(append(out, raw[kept:begin]...), quoteBoundaries(header)...)
				kept = at
				mended++
			}
			begin = -1
		}
		at = end
	}
	if kept == 0 {
		return raw
	}
	return append(out, raw[kept:]...)
}

// bareBoundary is a boundary with characters that need quotation marks (RFC 2045 section
// 5.1), and has none.
var bareBoundary = regexp.MustCompile(`(?im)^(content-type:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*?;[ \t\r\n]*boundary=)([^"\s;\\]*[()<>@,:/?=\[\]][^"\s;\\]*)`)

// splitHeader parts a message at its first empty line.
func splitHeader(raw []byte) (header, body []byte) {
	for at := 0; at < len(raw); {
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			break
		}
		if len(bytes.TrimSuffix(raw[at:at+end], []byte("\r"))) == 0 {
			return raw[:at], raw[at+end+1:]
		}
		at += end + 1
	}
	return raw, nil
}

// continues tells whether a line goes on with the header field of the line before
// (RFC 5322 section 2.2.3).
func continues[T string | []byte](line T) bool {
	return len(line) > 0 && strings.IndexByte(" \t", line[0]) >= 0
}

// isFieldName is RFC 5322 section 3.6.8: printable ASCII without blank and colon.
func isFieldName(name []byte) bool {
	for _, c := range name {
		if !within(c, '!', '~') {
			return false
		}
	}
	return len(name) > 0
}
