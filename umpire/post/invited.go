package post

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"time"

	"fieldpost/store"
)

// Invited is an invitation that waits. The code itself is not kept.
type Invited struct {
	Address string    `json:"address"`
	Name    string    `json:"name,omitempty"`
	Hash    string    `json:"hash"`
	Until   time.Time `json:"until"`
	// Earlier are codes of the same invitation that are good, too; Replaced those of one
	// before it. Tries are the wrong codes that came from its address.
	Earlier  []string `json:"earlier,omitempty"`
	Replaced []string `json:"replaced,omitempty"`
	Tries    int      `json:"tries,omitempty"`
	// Replaces says that the seat has a player, whose place is taken.
	Replaces bool `json:"replaces,omitempty"`
	// As is what somebody is to be beside the player of the seat: a commander of
	// formations, or a deputy.
	As *store.Commander `json:"as,omitempty"`

	// Asked tells that they wrote to us and want the seat, By whose player wants them; the
	// zero Seat is a moderator. Neither is kept.
	Asked bool       `json:"-"`
	By    store.Seat `json:"-"`
}

// InvitationKey is the key of an invitation: to a seat, or, with For, to share it.
type InvitationKey struct {
	store.Seat
	For string // the beginning of the hash of the address
}

// InvitationRecords are the invitations that wait.
var InvitationRecords = store.KindOf[Invited]("join", store.Shape[InvitationKey]{
	Form: "GAME/SIDE[/FOR]",
	Words: func(k InvitationKey) []string {
		if k.For == "" {
			return []string{k.Game, k.Side}
		}
		return []string{k.Game, k.Side, k.For}
	},
	Parse: func(words []string) (k InvitationKey, ok bool) {
		if len(words) == 3 {
			k.For = words[2]
		}
		if len(words) < 2 || len(words) > 3 {
			return k, false
		}
		k.Seat = store.Seat{Game: words[0], Side: words[1]}
		return k, true
	},
	Game: func(k InvitationKey) string { return k.Game }})

// ToSeat is the key of the invitation to a seat.
func ToSeat(game, side string) InvitationKey {
	return InvitationKey{Seat: store.Seat{Game: game, Side: side}}
}

// CodeHash is what is kept of a code. Blanks and hyphens in it do not count.
func CodeHash(code string) string {
	sum := sha256.Sum256([]byte(strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(code))))
	return hex.EncodeToString(sum[:])
}

// Fits tells whether a code is one of the invitation's that are good.
func (in Invited) Fits(code string) bool {
	return sameHash(code, append([]string{in.Hash}, in.Earlier...))
}

// Lapsed tells whether a code is of an invitation that this one has replaced.
func (in Invited) Lapsed(code string) bool { return sameHash(code, in.Replaced) }

func sameHash(code string, hashes []string) (same bool) {
	for _, hash := range hashes {
		same = subtle.ConstantTimeCompare([]byte(CodeHash(code)), []byte(hash)) == 1 || same
	}
	return same
}

// ToGuest is the kind of mail that answers somebody who is invited.
const ToGuest = "guest"

// Invitations are those to a side that wait: to its seat, and to share it.
func (o *Office) Invitations(game, side string) (map[InvitationKey]Invited, error) {
	all, err := InvitationRecords.All(o.DB, game)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(all, func(k InvitationKey, _ Invited) bool { return k.Side != side })
	return all, nil
}

// InvitedTo is the invitation to a seat that waits, nil for none.
func (o *Office) InvitedTo(game, side string) (*Invited, error) {
	in, there, err := InvitationRecords.Get(o.DB, ToSeat(game, side))
	if err != nil || !there {
		return nil, err
	}
	return &in, nil
}

// Duty says in an invitation what its reader is to be.
func (in Invited) Duty() []string {
	switch {
	case in.As == nil:
		return nil
	case in.As.Deputy:
		return []string{"You are to stand in for the player of the side: sheets with your key count as theirs in that time, and their mail goes to you as well."}
	}
	return []string{fmt.Sprintf("The side has several commanders. You are to lead %s: write orders for these units only. You see what the side sees.", strings.Join(in.As.Leads, ", "))}
}
