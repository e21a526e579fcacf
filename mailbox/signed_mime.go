package mailbox

import (
	"errors"
	"regexp"
	"strings"

	"fieldpost/orders/seal"
)

// maxContents is how many parts of a message one signature is tried with.
const maxContents = 8

// inClearsigned looks for clearsigned OpenPGP messages in the plain text parts
// and in attached text files.
func inClearsigned(m *Message, ring *seal.Ring) (sheets []seal.Sealed, worst error) {
	var texts []string
	for _, p := range m.Texts {
		if p.Type == "text/plain" {
			texts = append(texts, p.AsSent)
			if p.Text != p.AsSent {
				texts = append(texts, p.Text)
			}
		}
	}
	for _, a := range m.Attachments {
		if mayBeText(a) || strings.HasSuffix(strings.ToLower(a.Name), ".asc") {
			texts = append(texts, clean(a.Data))
		}
	}
	for _, text := range texts {
		found, err := ring.Clearsigned(text)
		worst = graver(worst, err)
		for _, v := range found {
			s, err := v.Sheet(clean(v.Content))
			if err != nil {
				worst = graver(worst, err)
				continue
			}
			sheets = collect(sheets, []seal.Sealed{s})
		}
	}
	return sheets, worst
}

// inMIME looks for signatures of mail programs: multipart/signed, the same after
// a server has rebuilt it as multipart/mixed, and signature files beside others.
func inMIME(m *Message, ring *seal.Ring) (sheets []seal.Sealed, worst error) {
	root := readRaw(m.raw)
	tried := 0
	var walk func(p *rawPart)
	walk = func(p *rawPart) {
		for _, c := range p.parts {
			walk(c)
		}
		for i, sig := range p.parts {
			if len(sig.parts) > 0 || tried == maxSignatures {
				continue
			}
			data := sig.decoded()
			method := seal.MethodOf(data)
			if method != seal.OpenPGP && method != seal.SMIME {
				continue
			}
			tried++
			found, err := openSigned(root, p, i, data, ring)
			worst = graver(worst, err)
			sheets = collect(sheets, found)
		}
	}
	walk(root)
	if len(root.parts) == 0 && isOpaque(root) {
		found, err := openOpaque(root, ring)
		return found, graver(worst, err)
	}
	return sheets, worst
}

// openSigned opens the signature that is the i-th part of a multipart. What it
// covers should be the part before it; failing that it is any part beside it,
// byte by byte, or any file of the message.
func openSigned(root, parent *rawPart, i int, sig []byte, ring *seal.Ring) ([]seal.Sealed, error) {
	var worst error
	tries := 0
	for n, p := range parent.parts {
		if n == i || tries == maxContents {
			continue
		}
		tries++
		v, err := ring.Detached(p.forms(), sig)
		if err == nil {
			return sheetsOf(v)
		}
		worst = graver(worst, err)
	}
	if parent.media == "multipart/signed" && i == 1 && len(parent.parts) == 2 {
		return nil, worst
	}
	name := strings.ToLower(parent.parts[i].name)
	for _, ext := range []string{".asc", ".sig", ".p7s"} {
		name = strings.TrimSuffix(name, ext)
	}
	var siblings, others []*rawPart
	for _, p := range root.leaves() {
		switch {
		case p == parent.parts[i]:
		case p.name != "" && strings.ToLower(p.name) == name:
			siblings = append(siblings, p)
		default:
			others = append(others, p)
		}
	}
	for n, p := range append(siblings, others...) {
		if n == maxContents {
			break
		}
		v, err := ring.Detached(seal.TextForms(p.decoded()), sig)
		if err != nil {
			worst = graver(worst, err)
			continue
		}
		s, err := v.Sheet(clean(v.Content))
		if err != nil {
			worst = graver(worst, err)
			continue
		}
		return []seal.Sealed{s}, nil
	}
	return nil, worst
}

// sheetsOf finds the sheet in a part whose bytes are verified: those bytes are
// read as a message of their own, and nothing else.
func sheetsOf(v seal.Verified) (sheets []seal.Sealed, worst error) {
	inner, err := Read(v.Content)
	if err != nil || len(inner.Header("Content-Type")) == 0 {
		// No part at all but bare text, as openssl cms -sign makes of a file.
		s, err := v.Sheet(clean(v.Content))
		if err != nil {
			return nil, err
		}
		return []seal.Sealed{s}, nil
	}
	if inner.Doubt != nil {
		return nil, seal.ErrNoSheet
	}
	var texts, pages []string
	for _, p := range inner.Texts {
		if p.Type == "text/plain" {
			texts = append(texts, p.Text)
		} else {
			pages = append(pages, p.Text)
		}
	}
	for _, a := range inner.Attachments {
		if mayBeText(a) {
			texts = append(texts, clean(a.Data))
		}
	}
	if len(texts) == 0 {
		texts = pages
	}
	for _, text := range texts {
		s, err := v.Sheet(text)
		if err != nil {
			worst = graver(worst, err)
			continue
		}
		sheets = collect(sheets, []seal.Sealed{s})
	}
	return sheets, worst
}

// isOpaque tells an S/MIME message that holds its content inside the signature
// (RFC 8551 section 3.5.2).
func isOpaque(p *rawPart) bool {
	switch p.media {
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
		return seal.MethodOf(p.decoded()) == seal.SMIME
	}
	return false
}

func openOpaque(p *rawPart, ring *seal.Ring) ([]seal.Sealed, error) {
	v, err := ring.Detached(nil, p.decoded())
	if err != nil {
		return nil, err
	}
	return sheetsOf(v)
}

var keyBlock = regexp.MustCompile(`(?s)-----BEGIN (PGP PUBLIC KEY BLOCK|CERTIFICATE)-----.*?-----END (PGP PUBLIC KEY BLOCK|CERTIFICATE)-----`)

// maxOffered is how many keys of one message are looked at.
const maxOffered = 4

// OfferedKeys are the public keys that a message brings: OpenPGP key blocks and
// certificates in its text and files, and the certificates of its S/MIME
// signatures. They are whoever's sent it and prove nothing; a signature by one of
// them proves that the sender holds it. Keys of OpenSSH come with their
// signatures and need no offer.
func OfferedKeys(m *Message) (keys []seal.Key) {
	if m.Doubt != nil {
		return nil
	}
	add := func(k seal.Key) {
		if k != nil && len(keys) < maxOffered {
			keys = append(keys, k)
		}
	}
	texts := []string{}
	for _, p := range m.Texts {
		texts = append(texts, p.AsSent)
	}
	tried := 0
	for _, a := range m.Attachments {
		if tried < maxSignatures && seal.MethodOf(a.Data) == seal.SMIME {
			tried++
			add(seal.CertificateOf(a.Data))
		}
		texts = append(texts, clean(a.Data))
	}
	for _, text := range texts {
		for _, block := range keyBlock.FindAllString(text, maxOffered) {
			if k, err := seal.ParseKey(block); err == nil {
				add(k)
			}
		}
	}
	return keys
}

// isNoSheet tells that a signature is good and that there is no sheet under it.
func isNoSheet(err error) bool {
	return errors.Is(err, seal.ErrNoSheet) || errors.Is(err, seal.ErrTwoSheets)
}
