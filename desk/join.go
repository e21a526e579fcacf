package desk

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message"

	"fieldpost/orders/seal"
)

// Invitation is what an invitation says of the seat that it is for.
type Invitation struct {
	Game    string `json:"game"`
	Side    string `json:"side"`
	Code    string `json:"code"`
	To      string `json:"to,omitempty"`
	Subject string `json:"subject,omitempty"`
	// ByCode tells that the side may be played without a key.
	ByCode bool `json:"by_code,omitempty"`
}

// Joining is how somebody takes the seat.
type Joining struct {
	Invitation
	Signing
	// Make asks for a new key, locked by the passphrase. Without it and without a key the
	// statement is one of playing by codes.
	Make bool `json:"make,omitempty"`
}

// Joined is the mail that joins, and the file of the key if it was made.
type Joined struct {
	*Signed
	KeyFile string `json:"key_file,omitempty"`
}

var (
	seatLine   = regexp.MustCompile(`(?m)^[ \t>|]*(GAME|SIDE|JOIN|KEY):[ \t]*([^\r\n]*?)[ \t\r]*$`)
	sheetsTo   = regexp.MustCompile(`(?m)^[ \t>|]*send sheets to[ \t]+(\S+@\S+?)[ \t\r]*$`)
	address    = regexp.MustCompile(`[^\s<>"@,;]+@[^\s<>"@,;]+`)
	errNoSeat  = errors.New("there is no invitation in this: it has the lines GAME:, SIDE: and JOIN:")
	plainWords = regexp.MustCompile(`^[\pL\pN][\pL\pN _-]*$`)
)

// shortestPassphrase is of a new key. Whoever has the file can try passphrases at home.
const shortestPassphrase = 8

// ReadInvitation finds the seat in an invitation: a mail as it was saved, or its text.
func ReadInvitation(file []byte) (*Invitation, error) {
	if len(file) > maxFile {
		return nil, errNoSeat
	}
	out := &Invitation{}
	text := string(file)
	if entity, err := message.Read(bytes.NewReader(file)); err == nil && entity.Header.Has("From") {
		text = textOf(entity)
		from := cmp.Or(entity.Header.Get("Reply-To"), entity.Header.Get("From"))
		out.To = address.FindString(from)
		if subject, err := entity.Header.Text("Subject"); err == nil && subject != "" {
			out.Subject = "Re: " + subject
		}
	}
	for _, m := range seatLine.FindAllStringSubmatch(text, -1) {
		switch m[1] {
		case "GAME":
			out.Game = cmp.Or(out.Game, m[2])
		case "SIDE":
			out.Side = cmp.Or(out.Side, m[2])
		case "JOIN":
			out.Code = cmp.Or(out.Code, m[2])
		case "KEY":
			out.ByCode = true
		}
	}
	if m := sheetsTo.FindStringSubmatch(text); m != nil {
		out.To = m[1]
	}
	out.Subject = cmp.Or(out.Subject, "Joining "+out.Game)
	return out, out.fault()
}

// fault says what is missing.
func (in *Invitation) fault() error {
	for _, word := range []string{in.Game, in.Side, in.Code} {
		if !plainWords.MatchString(word) || len(word) > 80 {
			return errNoSeat
		}
	}
	return nil
}

// textOf is what the plain parts of a mail say.
func textOf(entity *message.Entity) string {
	var b strings.Builder
	parts := 0
	_ = entity.Walk(func(_ []int, part *message.Entity, err error) error {
		if parts++; err != nil || parts > maxParts {
			return io.EOF
		}
		if kind, _, _ := part.Header.ContentType(); kind != "text/plain" && kind != "" {
			return nil
		}
		_, err = io.Copy(&b, io.LimitReader(part.Body, maxFile))
		return err
	})
	return b.String()
}

// Join makes the mail by which somebody takes the seat of an invitation.
func Join(j Joining) (*Joined, error) {
	if err := j.fault(); err != nil {
		return nil, err
	}
	out := &Joined{Signed: &Signed{To: j.To, Subject: cmp.Or(j.Subject, "Joining "+j.Game)}}
	statement := fmt.Sprintf("GAME: %s\nSIDE: %s\nJOIN: %s\n", j.Game, j.Side, j.Code)
	if !j.Make && j.Key == "" {
		out.Text = statement + "KEY: CODES\n"
	} else {
		key, err := j.with(out)
		if err != nil {
			return nil, err
		}
		if out.Text, err = seal.Signed(key, statement); err != nil {
			return nil, err
		}
		out.Fingerprint = key.Public().Fingerprint()
	}
	var err error
	out.Eml, err = draft(out.Signed)
	return out, err
}

// with is the key that signs: the one that was chosen, or a new one, whose file is read again
// before anybody relies on it.
func (j Joining) with(out *Joined) (seal.PrivateKey, error) {
	if !j.Make {
		return seal.ParsePrivateKey([]byte(j.Key), j.Passphrase)
	}
	if utf8.RuneCountInString(j.Passphrase) < shortestPassphrase {
		return seal.PrivateKey{}, fmt.Errorf("a passphrase has %d letters or more: it guards the key if the file gets lost", shortestPassphrase)
	}
	key, err := seal.GenerateKey(rand.Reader)
	if err != nil {
		return seal.PrivateKey{}, err
	}
	file, err := key.MarshalLocked("fieldpost", j.Passphrase)
	if err != nil {
		return seal.PrivateKey{}, err
	}
	out.KeyFile = string(file)
	return seal.ParsePrivateKey(file, j.Passphrase)
}
