// Package beacon checks values of drand's public randomness beacon "quicknet"
// without asking anybody. Every three seconds a network of independent parties
// signs the number of the round; nobody can know the signature before, and there
// is exactly one for a round. So a round that is named before it comes is a value
// that nobody chose.
//
// The chain is 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971,
// its scheme bls-unchained-g1-rfc9380: a BLS signature in G1 of BLS12-381 over
// SHA-256 of the round in eight bytes, big-endian.
package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cloudflare/circl/sign/bls"
)

// The chain.
const (
	Chain   = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
	Period  = 3 * time.Second
	genesis = 1692803367 // when round 1 came, in seconds since 1970

	publicKey = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)

// SignatureSize is the length of a value in bytes.
const SignatureSize = 48

// infinity marks, in the first byte, the neutral point. It signs nothing, but the
// library takes it for a signature of everything.
const infinity = 0x40

// Value is what the beacon said in a round.
type Value struct {
	Round     uint64
	Signature []byte
}

// ErrSignature says that a value is not the beacon's.
var ErrSignature = errors.New("the signature is not the beacon's")

var key = sync.OnceValue(func() *bls.PublicKey[bls.KeyG2SigG1] {
	b, err := hex.DecodeString(publicKey)
	k := new(bls.PublicKey[bls.KeyG2SigG1])
	if err == nil {
		err = k.UnmarshalBinary(b)
	}
	if err != nil {
		panic(err) // the constant above
	}
	return k
})

// Verify checks that the value is the beacon's. The error is ErrSignature.
func (v Value) Verify() error {
	msg := sha256.Sum256(binary.BigEndian.AppendUint64(nil, v.Round))
	if v.Round == 0 || len(v.Signature) != SignatureSize || v.Signature[0]&infinity != 0 || !bls.Verify(key(), msg[:], v.Signature) {
		return fmt.Errorf("round %d: %w", v.Round, ErrSignature)
	}
	return nil
}

// RoundAt is the first round that comes at t or after it.
func RoundAt(t time.Time) uint64 {
	d := t.Sub(time.Unix(genesis, 0))
	if d <= 0 {
		return 1
	}
	return uint64((d+Period-1)/Period) + 1
}

// Time is when a round comes.
func Time(round uint64) time.Time {
	return time.Unix(genesis, 0).Add(time.Duration(round-1) * Period).UTC()
}

// URL is where anybody can read a round.
func URL(round uint64) string {
	return fmt.Sprintf("https://api.drand.sh/%s/public/%d", Chain, round)
}

var (
	inWords = regexp.MustCompile(`(?i)\bdrand\s+([0-9]{1,19})\s+([0-9a-f]{96})\b`)
	inJSON  = regexp.MustCompile(`\{[^{}]{0,900}\}`)
)

// Find reads the values in a text: "DRAND 1000 b446...", or the JSON that a
// server of drand gives. Whether they are the beacon's is not checked.
func Find(text string) (all []Value) {
	for _, m := range inWords.FindAllStringSubmatch(text, 8) {
		all = add(all, m[1], m[2])
	}
	for _, m := range inJSON.FindAllString(text, 8) {
		var j struct {
			Round     json.Number `json:"round"`
			Signature string      `json:"signature"`
		}
		// A mail may have broken the lines.
		if json.Unmarshal([]byte(strings.NewReplacer("\n", "", "\r", "", " ", "").Replace(m)), &j) == nil {
			all = add(all, j.Round.String(), j.Signature)
		}
	}
	return all
}

func add(all []Value, round, signature string) []Value {
	n, err := strconv.ParseUint(round, 10, 64)
	b, bad := hex.DecodeString(signature)
	if err != nil || bad != nil || len(b) != SignatureSize {
		return all
	}
	return append(all, Value{n, b})
}
