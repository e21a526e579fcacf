package proof

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"fieldpost/store"
)

// SealedOrders is what seals the sheets that came before a Change: SHA-256 of a
// salt and a line for each, in the order in which they came.
func SealedOrders(salt []byte, sheets []store.Sheet, before uint64) string {
	var lines []string
	for _, s := range sheets {
		if s.Seq < before {
			lines = append(lines, fmt.Sprintf("%06d %s %d %d %s\n", s.Seq, s.Side, s.Turn, s.Serial, s.Digest))
		}
	}
	slices.Sort(lines)
	h := sha256.New()
	h.Write(salt)
	h.Write([]byte(strings.Join(lines, "")))
	return hex.EncodeToString(h.Sum(nil))
}

func Committed(salt, position []byte) string {
	h := sha256.New()
	h.Write(salt)
	h.Write(position)
	return hex.EncodeToString(h.Sum(nil))
}

// SaltOf is the salt of the commitment in the reports of a Change.
func SaltOf(g store.Game, seq uint64) []byte {
	salt := hmac.New(sha256.New, g.DiceKey)
	fmt.Fprintf(salt, "fieldpost commitment %s %d", g.ID, seq)
	return salt.Sum(nil)
}
