// Package beacon checks values of drand's public randomness beacon "quicknet"
// without asking anybody. Every three seconds a network of independent parties
// signs the number of the round; nobody can know the signature before, and there
// is exactly one for a round. So a round that is named before it comes is a value
// that nobody chose.
//
// Its scheme is bls-unchained-g1-rfc9380: a BLS signature in G1 of BLS12-381 over
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

// Chain is a beacon: whose signatures count, and when which round comes.
type Chain struct {
	Hash    string        // its name among drand's chains
	Key     string        // the public key, 96 bytes in hexadecimal
	Genesis time.Time     // when round 1 comes
	Period  time.Duration // from round to round

	once sync.Once
	key  *bls.PublicKey[bls.KeyG2SigG1]
}

// Quicknet is drand's chain.
var Quicknet = &Chain{
	Hash:    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
	Key:     "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
	Genesis: time.Unix(1692803367, 0).UTC(),
	Period:  3 * time.Second,
}

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

// public reads the chain's key, once.
func (c *Chain) public() *bls.PublicKey[bls.KeyG2SigG1] {
	c.once.Do(func() {
		b, err := hex.DecodeString(c.Key)
		k := new(bls.PublicKey[bls.KeyG2SigG1])
		if err == nil {
			err = k.UnmarshalBinary(b)
		}
		if err != nil {
			panic(err) // a constant of the program
		}
		c.key = k
	})
	return c.key
}

// Verify checks that the value is the chain's. The error is ErrSignature.
func (c *Chain) Verify(v Value) error {
	wellFormed := v.Round > 0 && len(v.Signature) == SignatureSize && v.Signature[0]&infinity == 0
	if !wellFormed || !bls.Verify(c.public(), Message(v.Round), v.Signature) {
		return fmt.Errorf("round %d: %w", v.Round, ErrSignature)
	}
	return nil
}

// Message is what the chain signs in a round.
func Message(round uint64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return sum[:]
}

// RoundAt is the first round that comes at t or after it.
func (c *Chain) RoundAt(t time.Time) uint64 {
	d := t.Sub(c.Genesis)
	if d <= 0 {
		return 1
	}
	return uint64((d+c.Period-1)/c.Period) + 1
}

// Time is when a round comes.
func (c *Chain) Time(round uint64) time.Time {
	return c.Genesis.Add(time.Duration(round-1) * c.Period)
}

// URL is where anybody can read a round on a server of drand.
func (c *Chain) URL(server string, round uint64) string {
	return fmt.Sprintf("%s/%s/public/%d", strings.TrimRight(server, "/"), c.Hash, round)
}

// String is the value as it is written in a mail, and found by Find.
func (v Value) String() string { return fmt.Sprintf("DRAND %d %x", v.Round, v.Signature) }

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
