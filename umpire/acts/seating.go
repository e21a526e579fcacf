package acts

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// Seat is what AddPlayer needs. Sealed is the SHA-256 of the player's part in the
// root of the dice, hexadecimal; it may be empty.
type Seat struct{ Game, Side, Name, Address, Key, Sealed string }

const (
	inviteFor = 14 * 24 * time.Hour
	codeBytes = 13 // 104 bits, 21 letters
)

// NewCode makes a one-time code: letters and digits in groups of five.
func NewCode(random io.Reader) (string, error) {
	b := make([]byte, codeBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("making a code: %w", err)
	}
	return grouped(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b)), nil
}

func grouped(s string) string {
	var out []string
	for len(s) > 5 {
		out, s = append(out, s[:5]), s[5:]
	}
	return strings.Join(append(out, s), "-")
}

// Invite mails somebody a one-time code with which they take a seat, with a key of
// their own. Another invitation to the seat replaces the one before.
func (hd *Executor) Invite(s Seat) error {
	return hd.Anew(func(on *Executor) error { return on.invite(s) })
}

func (hd *Executor) invite(s Seat) error {
	id, side := strings.ToUpper(s.Game), strings.ToUpper(s.Side)
	if _, err := mailbox.PlainAddress(s.Address); err != nil {
		return fmt.Errorf("%w: %w", ErrAddress, err)
	}
	g, err := hd.DB.Game(id)
	if err != nil {
		return err
	}
	if err := Free(g, side); err != nil {
		return err
	}
	var c store.Change
	if err := hd.InviteTo(&c, g, side, post.Invited{Address: s.Address, Name: s.Name}); err != nil {
		return err
	}
	return hd.Commit(c)
}

// InviteTo adds an invitation to a seat to a Change.
func (hd *Executor) InviteTo(c *store.Change, g store.Game, side string, in post.Invited) error {
	if !in.Asked {
		if err := hd.CountFirst(c, post.FirstMail{To: in.Address, Seat: in.By}); err != nil {
			return err
		}
	}
	code, err := NewCode(rand.Reader)
	if err != nil {
		return err
	}
	in.Hash, in.Until = post.CodeHash(code), hd.Now().UTC().Add(inviteFor)
	key := post.ToSeat(g.ID, side)
	if in.As != nil {
		key.For = post.CodeHash(in.Address)[:16] // the seat's own invitation is another one
	} else if before, err := hd.InvitedTo(g.ID, side); err == nil && before != nil && strings.EqualFold(before.Address, in.Address) {
		in.Replaced = append([]string{before.Hash}, before.Earlier...)
	}
	m, err := hd.InviteWith(g, store.Player{Side: side, Address: in.Address, Name: in.Name}, code, in.Until.Format("2 January 2006"), in.Duty()...)
	if err != nil {
		return err
	}
	post.InvitationRecords.Put(c, key, in)
	c.Mails = append(c.Mails, m)
	return nil
}

// Free checks that nobody has the seat of an open game.
func Free(g store.Game, side string) error {
	switch {
	case g.Status != store.StatusOpen:
		return fmt.Errorf("game %s: %w", g.ID, ErrStarted)
	case !slices.Contains(g.Sides, side):
		return fmt.Errorf("game %s: %w: %s; it has %s", g.ID, match.ErrNoSide, side, strings.Join(g.Sides, " and "))
	case slices.ContainsFunc(g.Players, func(p store.Player) bool { return p.Side == side }):
		return fmt.Errorf("game %s, %s: %w", g.ID, side, ErrTaken)
	}
	return nil
}

// Errors of AddPlayer.
var (
	ErrTaken   = errors.New("the side has a player already")
	ErrStarted = errors.New("the game has begun")
	ErrAddress = errors.New("not a mail address")
)

// ByCodes in the place of a key seats a player who sends their sheets by the codes
// of their reports.
const ByCodes = "codes"

// AddPlayer seats a player and mails them the invitation. When the last seat is
// taken the game begins and everybody gets the first report.
func (hd *Executor) AddPlayer(id, side, name, address, keyLine string) error {
	return hd.Seat(Seat{Game: id, Side: side, Name: name, Address: address, Key: keyLine})
}

// Seat is AddPlayer for a player who brings a sealed nonce.
func (hd *Executor) Seat(s Seat) error {
	return hd.Anew(func(on *Executor) error { return on.seat(s) })
}

func (hd *Executor) seat(s Seat) error {
	id, side, name, address := strings.ToUpper(s.Game), strings.ToUpper(s.Side), s.Name, s.Address
	if strings.EqualFold(s.Key, ByCodes) {
		s.Key = seal.CodeKey(id, side).String()
	}
	key, err := seal.ParseKey(s.Key)
	if err != nil {
		return err
	}
	sealed, err := seats.ParseSealed(s.Sealed)
	if err != nil {
		return err
	}
	if len(sealed) > 0 && seal.IsCode(key.String()) {
		return fmt.Errorf("%w: who sends codes cannot sign the nonce later", seats.ErrSealed)
	}
	if _, err := mailbox.PlainAddress(address); err != nil {
		return fmt.Errorf("%w: %w", ErrAddress, err)
	}
	g, err := hd.DB.Game(id)
	if err != nil {
		return err
	}
	p := store.Player{Side: side, Address: address, Key: key.String(), Name: name, Sealed: sealed}
	var c store.Change
	post.InvitationRecords.Drop(&c, post.ToSeat(id, side))
	if g, err = hd.Sit(&c, g, p); err != nil {
		return err
	}
	invitation, err := hd.Invitation(g, p)
	if err != nil {
		return err
	}
	c.Mails = append([]store.Mail{invitation}, c.Mails...)
	return hd.Commit(c)
}

// Sit adds to a Change that a player takes their seat. With the last one the game
// begins.
func (hd *Executor) Sit(c *store.Change, g store.Game, p store.Player) (store.Game, error) {
	if err := Free(g, p.Side); err != nil {
		return g, err
	}
	for _, q := range g.Players {
		if store.KeyID(q.Key) == store.KeyID(p.Key) {
			return g, fmt.Errorf("game %s: %w", g.ID, seats.ErrKeyTaken)
		}
	}
	c.Expect = g.Seq
	g.Players = append(slices.Clone(g.Players), p)
	c.Game = &g
	if len(g.Players) < len(g.Sides) {
		return g, nil
	}
	if len(seats.Unopened(g)) > 0 {
		return g, hd.AskNonces(c)
	}
	return g, hd.Begin(c)
}
