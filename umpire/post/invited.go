package post

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"fieldpost/store"
)

// Invited is the note of an invitation that waits. The code itself is not kept.
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

func InviteNote(game, side string) string { return "join/" + game + "/" + side }

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

// Invitations are those to a side that wait: to its seat, and to share it. By note.
func (o *Office) Invitations(game, side string) (map[string]Invited, error) {
	notes, err := o.DB.Notes(InviteNote(game, side))
	if err != nil {
		return nil, err
	}
	all := map[string]Invited{}
	for name, text := range notes {
		var in Invited
		if rest := strings.TrimPrefix(name, InviteNote(game, side)); rest != "" && rest[0] != '/' {
			continue // of a side whose name begins alike
		}
		if err := json.Unmarshal(text, &in); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = in
	}
	return all, nil
}

// InvitedTo is the invitation to a seat that waits, nil for none.
func (o *Office) InvitedTo(game, side string) (*Invited, error) {
	text, err := o.DB.Note(InviteNote(game, side))
	if err != nil || text == nil {
		return nil, err
	}
	in := &Invited{}
	return in, json.Unmarshal(text, in)
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
