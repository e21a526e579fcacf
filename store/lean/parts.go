package lean

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"

	"github.com/klauspost/compress/gzip"

	"fieldpost/store"
)

// Part is an attachment that is kept without its base64, and without its gzip if
// that comes out byte by byte the same: zstd sees through neither.
type Part struct {
	At     int  `json:"at"` // of the unpacked text, in bytes
	Length int  `json:"length"`
	Gzip   bool `json:"gzip,omitempty"`
}

// castagnoli is the table of CRC-32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// attachment is base64 as a mail holds it, from four lines on.
var attachment = regexp.MustCompile(`(?:[A-Za-z0-9+/]{76}\r\n){3,}[A-Za-z0-9+/]+={0,2}`)

// gzipLevel is that of the files of our mails.
const gzipLevel = 6

// Zipped is a text packed by gzip (RFC 1952), the same for the same text.
func Zipped(text []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzipLevel)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}

// unzipped is the text of a file that Zipped makes again; not ok for any other.
func unzipped(file []byte) (text []byte, ok bool) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, false
	}
	text, err = io.ReadAll(io.LimitReader(z, store.MaxMail))
	if err != nil {
		return nil, false
	}
	again, err := Zipped(text)
	return text, err == nil && bytes.Equal(again, file)
}

// unpacked is the rest of a mail with its attachments unpacked, and where they are in it.
func unpacked(rest []byte) (text []byte, parts []Part) {
	from := 0
	for _, at := range attachment.FindAllIndex(rest, -1) {
		encoded := rest[at[0]:at[1]]
		data, err := base64.StdEncoding.DecodeString(string(encoded)) // line ends are skipped
		if err != nil || !bytes.Equal(store.Base64Lines(data), encoded) {
			continue
		}
		unzipped, gzip := unzipped(data)
		if gzip {
			data = unzipped
		}
		text = append(text, rest[from:at[0]]...)
		parts = append(parts, Part{At: len(text), Length: len(data), Gzip: gzip})
		text = append(text, data...)
		from = at[1]
	}
	return append(text, rest[from:]...), parts
}

// fit checks that parts lie one behind the other in a text of so many bytes.
func fit(parts []Part, length int) error {
	from := 0
	for _, p := range parts {
		if p.At < from || p.Length < 0 || p.Length > length-p.At {
			return fmt.Errorf("%w: an attachment of %d bytes at %d of %d", store.ErrDamaged, p.Length, p.At, length)
		}
		from = p.At + p.Length
	}
	return nil
}

// repacked is the rest of a mail, of the text with its attachments unpacked, in which they fit.
func repacked(text []byte, parts []Part) (rest []byte, err error) {
	from := 0
	for _, p := range parts {
		data := text[p.At : p.At+p.Length]
		if p.Gzip {
			if data, err = Zipped(data); err != nil {
				return nil, err
			}
		}
		rest = append(append(rest, text[from:p.At]...), store.Base64Lines(data)...)
		from = p.At + p.Length
	}
	return append(rest, text[from:]...), nil
}

// crcOf is the checksum of a mail's rest if a part of it is packed by gzip, else 0.
func crcOf(rest []byte, parts []Part) uint32 {
	for _, p := range parts {
		if p.Gzip {
			return crc32.Checksum(rest, castagnoli)
		}
	}
	return 0
}
