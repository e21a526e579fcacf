package mailbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Encrypt puts the content of a rendered mail into an OpenPGP envelope (RFC 3156
// section 6.1), made by seal. Outside stay the fields that mail needs on its way;
// the subject there is the one given, the true one is inside.
func Encrypt(raw []byte, subject string, seal func(content []byte) (armored string, err error)) ([]byte, error) {
	header, body := splitHeader(raw)
	var outer, inner bytes.Buffer
	here := &outer
	for line := range bytes.Lines(header) {
		if !continues(line) {
			name, _, _ := bytes.Cut(line, []byte(":"))
			switch lower := strings.ToLower(string(name)); {
			case lower == "mime-version":
				here = new(bytes.Buffer)
			case lower == "subject", strings.HasPrefix(lower, "content-"):
				here = &inner
			default:
				here = &outer
			}
		}
		here.Write(line)
	}
	inner.WriteString("\r\n")
	inner.Write(body)
	armored, err := seal(inner.Bytes())
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(armored))
	boundary := "=_fpe_" + hex.EncodeToString(sum[:16])
	fmt.Fprintf(&outer, "Subject: %s\r\nMIME-Version: 1.0\r\nContent-Type: multipart/encrypted;\r\n protocol=\"application/pgp-encrypted\"; boundary=%q\r\n\r\n", subject, boundary)
	fmt.Fprintf(&outer, "--%s\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n\r\n", boundary)
	fmt.Fprintf(&outer, "--%s\r\nContent-Type: application/octet-stream; name=\"encrypted.asc\"\r\nContent-Disposition: inline; filename=\"encrypted.asc\"\r\n\r\n%s\r\n--%[1]s--\r\n", boundary, strings.TrimRight(toCRLF(armored), "\r\n"))
	return outer.Bytes(), nil
}
