package mailbox

import (
	"errors"
	"regexp"
	"strings"
	"time"

	"fieldpost/orders"
	"fieldpost/orders/seal"
)

// Saved is a file with a sheet as its writer has it: the bare sheet, a signed block or text,
// or a mail as a mail program saves it.
type Saved struct {
	File []byte
	// Signature is what lies in a file beside it, nil for none.
	Signature []byte
	// Keys are keys that may have signed, for signatures that do not bring theirs.
	Keys []seal.Key
	Now  time.Time
	// Game and Side are those of a sheet by code that names neither.
	Game, Side string
}

// Found is the sheet in a Saved file.
type Found struct {
	// Text is the sheet: in canonical form as the umpire has it, or as it was typed.
	Text string
	// Typed tells that it is as it was typed, with comments and empty lines.
	Typed bool
	// Unsigned tells of a mail that neither a signature nor a code vouches for.
	Unsigned bool
}

// Sheet finds the sheet as the umpire would in a mail with this file. Errors are those of
// Read, SignedBy and seal.Verified.Sheet.
func (s Saved) Sheet() (Found, error) {
	m, isMail, err := s.message()
	if err != nil {
		return Found{}, err
	}
	ring := seal.LazyRing(s.Now, func() []seal.Key { return append(OfferedKeys(m), s.Keys...) })
	sealed, err := SignedBy(m, ring)
	var several *SeveralError
	if errors.As(err, &several) {
		sealed, err = Latest(several.Sheets)
	}
	switch {
	case err == nil:
		return Found{Text: sealed.Text}, nil
	case !errors.Is(err, ErrNoOrders):
		return Found{}, err
	case !isMail:
		return Found{Text: string(s.File), Typed: true}, nil
	}
	return s.unsigned(m)
}

// headField is a field that the head of a mail has and no sheet.
var headField = regexp.MustCompile(`(?im)^(From|Received|MIME-Version|Message-ID|Content-Type|Return-Path):`)

// message is the file as a mail; any other as the text of one.
func (s Saved) message() (m *Message, isMail bool, err error) {
	head, _, _ := strings.Cut(strings.ReplaceAll(string(s.File), "\r\n", "\n"), "\n\n")
	if headField.MatchString(head) {
		m, err = Read(s.File)
		return m, true, err
	}
	text := clean(s.File)
	m = &Message{Texts: []Part{{Type: "text/plain", Text: text, AsSent: text}}}
	if len(s.Signature) > 0 {
		m.Attachments = []Attachment{{Name: "sheet", Type: "text/plain", Data: s.File}, {Name: "sheet.sig", Type: "application/octet-stream", Data: s.Signature}}
	}
	return m, false, nil
}

// unsigned finds a sheet that is not signed in what the sender wrote themselves.
func (s Saved) unsigned(m *Message) (Found, error) {
	worst := error(ErrNoOrders)
	for _, own := range OwnTexts(m) {
		sheet, err := seal.Verified{}.Sheet(WithGame(own.Text, func(string) (string, string, bool) { return s.Game, s.Side, true }))
		if err == nil {
			return Found{Text: sheet.Text, Unsigned: orders.Head(sheet.Text).Header("CODE") == ""}, nil
		}
		if !errors.Is(err, seal.ErrNoSheet) {
			worst = err
		}
	}
	return Found{}, worst
}

var codeLine = regexp.MustCompile(`(?im)^[ \t]*CODE:`)

// WithGame puts the game and the side before the line CODE of a sheet that names neither:
// by code the two lines CODE and DONE are enough. SeatOf says whose a code is.
func WithGame(text string, seatOf func(code string) (game, side string, found bool)) string {
	at := codeLine.FindStringIndex(text)
	if at == nil {
		return text
	}
	if _, err := (seal.Verified{}).Sheet(text); !errors.Is(err, seal.ErrNoSheet) {
		return text
	}
	head := orders.Head(orders.Canonical(text[at[0]:]))
	game, side, found := seatOf(head.Header("CODE"))
	if !found {
		return text
	}
	return text[:at[0]] + "GAME: " + game + " SIDE: " + side + " " + strings.TrimLeft(text[at[0]:], " \t")
}
