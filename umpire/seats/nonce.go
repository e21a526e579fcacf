package seats

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"fieldpost/dice/vrf"
	"fieldpost/store"
)

// Errors of a nonce.
var (
	ErrNonce  = errors.New("a nonce has 16 to 64 bytes, in hexadecimal")
	ErrSealed = errors.New("a nonce is sealed by its SHA-256: 64 hexadecimal digits")
)

// RootOf is the root of the dice of a game with these players.
func RootOf(players []store.Player) [32]byte {
	var parts []vrf.Contribution
	for _, p := range players {
		sum := sha256.Sum256([]byte(store.KeyID(p.Key)))
		parts = append(parts, vrf.Contribution{Side: p.Side, Bytes: append(sum[:], p.Nonce...)})
	}
	return vrf.Root(parts)
}

// ParseNonce reads a player's nonce, hexadecimal; "" is none.
func ParseNonce(text string) ([]byte, error) {
	nonce, err := hex.DecodeString(text)
	switch n := len(nonce); {
	case err != nil, n > 64:
		return nil, ErrNonce
	case n > 0 && n < 16:
		return nil, ErrNonce
	}
	return nonce, nil
}

// ParseSealed reads the SHA-256 of a nonce, hexadecimal; "" is none.
func ParseSealed(text string) ([]byte, error) {
	sealed, err := hex.DecodeString(text)
	if err != nil {
		return nil, ErrSealed
	}
	switch len(sealed) {
	case 0, sha256.Size:
		return sealed, nil
	}
	return nil, ErrSealed
}

// NonceStatement is what a player signs to open their nonce, in canonical form.
func NonceStatement(game, side, nonce string) string {
	return strings.ToUpper(fmt.Sprintf("GAME: %s\nSIDE: %s\nNONCE: %s\n", game, side, nonce))
}

// Unopened are the sides whose nonces are not open yet.
func Unopened(g store.Game) (sides []string) {
	for _, p := range g.Players {
		if len(p.Sealed) > 0 && len(p.Nonce) == 0 {
			sides = append(sides, p.Side)
		}
	}
	return sides
}
