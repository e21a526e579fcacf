package seats

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
)

// ErrKeyTaken says that a key plays another side of the game.
var ErrKeyTaken = errors.New("the key plays another side of this game")

// A statement about keys is a sheet of its own kind:
//
//	GAME: K7QX2MPA
//	SIDE: SOVIET
//	ROTATE: ssh-ed25519 AAAA...       or   ROTATE: OpenPGP 0123 4567 ...
//
// signed twice, by the key in use and by the new one; or with REVOKE in the
// place of ROTATE, signed by the key in use. It counts at once. It needs no
// serial: a key that was in use in a game never comes back there, so a statement
// that is sent again finds its key gone.
type Statement struct {
	Game, Side string
	// Rotate names the new key in capitals without blanks; "" for REVOKE.
	Rotate string
}

// IsIdentity tells a statement about keys from a sheet of orders.
func IsIdentity(canonical string) bool {
	for line := range strings.Lines(canonical) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch first := words[0]; {
		case first == "REVOKE", first == "REVOKE:", strings.HasPrefix(first, "ROTATE:"):
			return true
		}
	}
	return false
}

// errStatement says that a statement about keys has something else in it.
var errStatement = errors.New("a statement about keys has three lines: GAME, SIDE, and ROTATE with the new key or REVOKE")

// ParseStatement reads the canonical text of a statement. Orders beside it would
// be signed by two keys; they make it invalid.
func ParseStatement(canonical string) (s Statement, err error) {
	lines := strings.Split(strings.TrimSuffix(canonical, "\n"), "\n")
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	at := slices.IndexFunc(lines, IsIdentity)
	head, faults := orders.Parse(strings.Join(lines[:at], "\n"), orders.Vocabulary{})
	switch {
	case len(faults) > 0, len(head.Headers) != 2, len(head.Sections) > 0, head.Done:
		return s, errStatement
	}
	s.Game, s.Side = head.Header("GAME"), head.Header("SIDE")
	if s.Game == "" || s.Side == "" {
		return s, errStatement
	}
	words := strings.Fields(strings.Join(lines[at:], " "))
	if name, ok := strings.CutPrefix(words[0], "ROTATE:"); ok {
		if words[0] = name; name == "" {
			words = words[1:]
		}
		if s.Rotate = KeyName(words); s.Rotate == "" {
			return s, errStatement
		}
		return s, nil
	}
	if len(words) > 1 {
		return s, errStatement
	}
	return s, nil
}

// rank puts the lines that name a seat in front of the others, which keep their order: a key
// may take several lines.
func rank(line string) int {
	if strings.HasPrefix(line, "GAME:") || strings.HasPrefix(line, "SIDE:") {
		return 0
	}
	return 1
}

// KeyName is a key's two words in the form that is compared. Signing has put
// them into capitals. For a key of OpenSSH that leaves some 200 bits of its 256,
// far more than anybody can search for another key that reads alike.
func KeyName(words []string) string {
	if len(words) < 2 {
		return ""
	}
	if !slices.Contains([]string{strings.ToUpper(string(seal.OpenPGP)), string(seal.SMIME)}, strings.ToUpper(words[0])) {
		words = words[:2] // what follows is the comment of a key line
	}
	return strings.ToUpper(words[0] + " " + strings.ReplaceAll(strings.Join(words[1:], ""), ":", ""))
}

// KeyChange is the audit of one change of a key, kept for ever.
type KeyChange struct {
	Side string    `json:"side"`
	What string    `json:"what"` // rotated, revoked, enrolled
	Old  string    `json:"old,omitempty"`
	New  string    `json:"new,omitempty"`
	At   time.Time `json:"at"`
	// Mail is the SHA-256 of the mail that brought it, "" if the moderator did.
	Mail string `json:"mail,omitempty"`
}

// KeyRecords are the changes of keys.
var KeyRecords = store.OnePerChange[KeyChange]("identity")

// ErrKeyUsed says that a key was in use in a game before.
var ErrKeyUsed = errors.New("the key was in use in this game before; a new one is needed")

// Recovering is a seat's new key that waits for its time, in the place of a lost one.
type Recovering struct {
	Key string    `json:"key"`
	At  time.Time `json:"at"`
}

// RecoveringRecords are the keys that wait.
var RecoveringRecords = store.OnePerSeat[Recovering]("recovering")
