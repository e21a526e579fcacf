// Package vrf makes dice that nobody can choose or repeat and everybody can
// check. It has three layers:
//
//   - the verifiable random function ECVRF-EDWARDS25519-SHA512-TAI of RFC 9381
//     (suite 0x03): Key.Prove and Verify;
//   - the stream of dice that belongs to its output: Alpha, Stream, Dice;
//   - a Thrower, which the engine takes as its dice, and Check, with which
//     anybody repeats what a report shows.
//
// For one key and one input there is exactly one output that verifies. The
// input names the game, the phase, the random event and the root on which the
// players agreed, and nothing that anybody chooses later, so neither a player
// nor the operator can try again. A signature would not do: its signer can
// choose among many that verify.
//
// What remains is that the holder of the key can foresee rolls.
package vrf

import (
	"crypto/sha512"
	"errors"

	"filippo.io/edwards25519"
)

// Sizes of the suite in bytes (RFC 9381, 5.5).
const (
	ProofSize  = 80 // Gamma (32), c (16), s (32)
	OutputSize = 64 // of SHA-512

	challengeSize = 16 // cLen
)

// The domain separators of RFC 9381, section 5.
const (
	suite          = 0x03
	domainEncode   = 0x01
	domainChal     = 0x02
	domainProof    = 0x03
	domainTrailing = 0x00
)

// ErrProof says that a proof does not belong to this key and input, or is no
// proof at all. Which of the two is not told: a forger learns nothing.
var ErrProof = errors.New("vrf: the proof does not fit the key and the event")

// errPoint says that 32 bytes are no canonical point.
var errPoint = errors.New("vrf: not a point of the curve")

// Prove makes the proof for the input alpha (RFC 9381, 5.1). The same key and
// input always give the same 80 bytes.
func (k *Key) Prove(alpha []byte) (pi [ProofSize]byte) {
	h := encodeToCurve(k.public, alpha)
	hBytes := h.Bytes()
	gamma := new(edwards25519.Point).ScalarMult(k.x, h)
	nonce := k.nonce(hBytes)
	u := new(edwards25519.Point).ScalarBaseMult(nonce)
	v := new(edwards25519.Point).ScalarMult(nonce, h)

	gammaBytes := gamma.Bytes()
	c := challenge(k.public[:], hBytes, gammaBytes, u.Bytes(), v.Bytes())
	s := edwards25519.NewScalar().MultiplyAdd(challengeScalar(c), k.x, nonce)

	copy(pi[:32], gammaBytes)
	copy(pi[32:48], c[:])
	copy(pi[48:], s.Bytes())
	return pi
}

// Verify checks a proof of 80 bytes (RFC 9381, 5.3, with the key validation of
// 5.4.5) and returns the output beta of 64 bytes that it proves. The error is
// ErrKey or ErrProof; beta is then zero. It takes a slice because proofs come
// from reports that anybody may have edited.
func Verify(pub PublicKey, alpha, pi []byte) (beta [OutputSize]byte, err error) {
	y, err := pub.point()
	if err != nil {
		return beta, err
	}
	if len(pi) != ProofSize {
		return beta, ErrProof
	}
	gamma, err := decodePoint(pi[:32])
	if err != nil {
		return beta, ErrProof
	}
	s, err := edwards25519.NewScalar().SetCanonicalBytes(pi[48:])
	if err != nil {
		return beta, ErrProof
	}
	var c [challengeSize]byte
	copy(c[:], pi[32:48])

	// U = s*B - c*Y and V = s*H - c*Gamma. Nothing here is secret.
	h := encodeToCurve(pub, alpha)
	minusC := edwards25519.NewScalar().Negate(challengeScalar(c))
	u := new(edwards25519.Point).VarTimeDoubleScalarBaseMult(minusC, y, s)
	v := new(edwards25519.Point).VarTimeMultiScalarMult(
		[]*edwards25519.Scalar{s, minusC}, []*edwards25519.Point{h, gamma})

	if challenge(pub[:], h.Bytes(), pi[:32], u.Bytes(), v.Bytes()) != c {
		return beta, ErrProof
	}
	return output(gamma), nil
}

// Output is the output of the key for an input without the detour over a proof:
// what Verify returns for Prove(alpha).
func (k *Key) Output(alpha []byte) [OutputSize]byte {
	return output(new(edwards25519.Point).ScalarMult(k.x, encodeToCurve(k.public, alpha)))
}

// output is ECVRF_proof_to_hash for a decoded Gamma (RFC 9381, 5.2). The
// cofactor removes what a cheat could add to Gamma without being noticed.
func output(gamma *edwards25519.Point) [OutputSize]byte {
	g := new(edwards25519.Point).MultByCofactor(gamma)
	b := append([]byte{suite, domainProof}, g.Bytes()...)
	return sha512.Sum512(append(b, domainTrailing))
}

// encodeToCurve is ECVRF_encode_to_curve_try_and_increment with the public key
// as salt (RFC 9381, 5.4.1.1). Half of all tries succeed; that 256 of them fail
// does not happen.
func encodeToCurve(pub PublicKey, alpha []byte) *edwards25519.Point {
	b := make([]byte, 0, 2+len(pub)+len(alpha)+2)
	b = append(b, suite, domainEncode)
	b = append(b, pub[:]...)
	b = append(b, alpha...)
	b = append(b, 0, domainTrailing)
	ctr := &b[len(b)-2]
	for {
		hash := sha512.Sum512(b)
		if p, err := decodePoint(hash[:32]); err == nil {
			if p.MultByCofactor(p); !isIdentity(p) {
				return p
			}
		}
		*ctr++
		if *ctr == 0 {
			panic("vrf: no point in 256 tries")
		}
	}
}

// nonce is ECVRF_nonce_generation of RFC 8032 (RFC 9381, 5.4.2.2).
func (k *Key) nonce(h []byte) *edwards25519.Scalar {
	hash := sha512.Sum512(append(k.prefix[:len(k.prefix):len(k.prefix)], h...))
	s, err := edwards25519.NewScalar().SetUniformBytes(hash[:])
	if err != nil {
		panic(err) // only for a length other than 64
	}
	return s
}

// challenge is ECVRF_challenge_generation over the encodings of Y, H, Gamma, U
// and V (RFC 9381, 5.4.3).
func challenge(points ...[]byte) (c [challengeSize]byte) {
	b := make([]byte, 0, 2+5*32+1)
	b = append(b, suite, domainChal)
	for _, p := range points {
		b = append(b, p...)
	}
	hash := sha512.Sum512(append(b, domainTrailing))
	copy(c[:], hash[:])
	return c
}

func challengeScalar(c [challengeSize]byte) *edwards25519.Scalar {
	var wide [32]byte
	copy(wide[:], c[:])
	s, err := edwards25519.NewScalar().SetCanonicalBytes(wide[:])
	if err != nil {
		panic(err) // 128 bits are always below the order
	}
	return s
}

// decodePoint is string_to_point: RFC 8032, 5.1.3, which refuses a y that is not
// reduced and a negative zero. SetBytes lets both pass, as Ed25519 signatures
// once had to.
func decodePoint(b []byte) (*edwards25519.Point, error) {
	p, err := new(edwards25519.Point).SetBytes(b)
	if err != nil || string(p.Bytes()) != string(b) {
		return nil, errPoint
	}
	return p, nil
}

func isIdentity(p *edwards25519.Point) bool {
	return p.Equal(edwards25519.NewIdentityPoint()) == 1
}
