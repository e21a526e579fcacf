package seal

import (
	"errors"
	"strings"
)

// codeKey stands in for the key of a player who has none, and whose sheets carry the
// codes of the reports instead. It signs nothing.
type codeKey struct{ seat string }

// CodeKey is the key of a seat that plays by codes.
func CodeKey(game, side string) Key { return codeKey{game + "/" + side} }

func parseCodeKey(seat string) (Key, error) {
	if seat = strings.TrimSpace(seat); seat == "" || strings.ContainsAny(seat, " \n") {
		return nil, errors.New("after the word code a game and a side are expected")
	}
	return codeKey{seat}, nil
}

func (k codeKey) Method() Method { return Code }
func (k codeKey) ID() string     { return string(Code) + " " + k.seat }
func (k codeKey) String() string { return k.ID() }
func (k codeKey) IsZero() bool   { return k.seat == "" }

// Fingerprint says in a roster what a code is worth.
func (k codeKey) Fingerprint() string {
	return "no key: anybody who can read this player's mail can play for them"
}

// IsCode tells the stored form of such a key.
func IsCode(text string) bool { return strings.HasPrefix(text, string(Code)+" ") }
