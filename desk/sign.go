package desk

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"strings"
	"unicode"

	"fieldpost/orders"
	"fieldpost/orders/seal"
)

// Signing is what a sheet is signed with. Without a key its code vouches for it.
type Signing struct {
	Key        string `json:"key,omitempty"` // an OpenSSH key file
	Passphrase string `json:"passphrase,omitempty"`
}

// Signed is a sheet ready to be sent.
type Signed struct {
	Text        string `json:"text"` // what goes into the mail
	To          string `json:"to"`
	Subject     string `json:"subject"`
	Eml         string `json:"eml"` // a draft for a mail program
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Sign makes of a sheet what its player sends: the signed block, or the sheet with its code.
func (d *Desk) Sign(sheet string, with Signing) (*Signed, error) {
	if d.view == nil {
		return nil, errNothing
	}
	out := &Signed{Subject: "Orders for " + d.view.Title}
	if r := d.view.Reply; r != nil {
		out.To, out.Subject = r.To, r.Subject
	}
	head := orders.Head(orders.Canonical(sheet))
	switch {
	case head.Header("GAME") == "":
		return nil, errors.New("the sheet has no GAME: line")
	case with.Key == "" && head.Header("CODE") == "":
		return nil, errors.New("neither a key nor a CODE: line vouches for this sheet. Choose your key, or write below SERIAL: the line CODE: of your latest report")
	case with.Key == "":
		out.Text = sheet
	default:
		key, err := seal.ParsePrivateKey([]byte(with.Key), with.Passphrase)
		if err != nil {
			return nil, err
		}
		if out.Text, err = seal.Signed(key, sheet); err != nil {
			return nil, err
		}
		out.Fingerprint = key.Public().Fingerprint()
	}
	var err error
	out.Eml, err = draft(out)
	return out, err
}

// draft is a mail that mail programs open to be sent.
func draft(s *Signed) (string, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "To: %s\r\nSubject: %s\r\nX-Unsent: 1\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
		oneLine(s.To), mime.QEncoding.Encode("utf-8", oneLine(s.Subject)))
	body := quotedprintable.NewWriter(&b)
	if _, err := body.Write([]byte(strings.ReplaceAll(s.Text, "\n", "\r\n"))); err != nil {
		return "", err
	}
	err := body.Close()
	return b.String(), err
}

// oneLine is a text without what would end its line in the head of a mail.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
