package vrf

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"filippo.io/edwards25519"
)

// rfcExamples are examples 16, 17 and 18 of RFC 9381, appendix B.3. h, u and v are
// the intermediate points that the RFC prints beside them, k the nonce.
var rfcExamples = []struct {
	name, sk, pk, alpha, h, k, pi, beta string
}{
	{
		"16",
		"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
		"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
		"",
		"91bbed02a99461df1ad4c6564a5f5d829d0b90cfc7903e7a5797bd658abf3318",
		"8a49edbd1492a8ee09766befe50a7d563051bf3406cbffc20a88def030730f0f",
		"8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f" +
			"26f8a57ccaed74ee1b190bed1f479d97" +
			"27d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805",
		"90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff" +
			"66b71dda49d2de59d03450451af026798e8f81cd2e333de5cdf4f3e140fdd8ae",
	},
	{
		"17",
		"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
		"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
		"72",
		"5b659fc3d4e9263fd9a4ed1d022d75eaacc20df5e09f9ea937502396598dc551",
		"d8c3a66921444cb3427d5d989f9b315aa8ca3375e9ec4d52207711a1fdb44107",
		"f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed593" +
			"3bf0864a62558b3ed7f2fea45c92a465" +
			"301b3bbf5e3e54ddf2d935be3b67926da3ef39226bbc355bdc9850112c8f4b02",
		"eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb" +
			"5e33821bc613efb94db5e5b54c70a848a0bef4553a41befc57663b56373a5031",
	},
	{
		"18",
		"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
		"fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
		"af82",
		"bf4339376f5542811de615e3313d2b36f6f53c0acfebb482159711201192576a",
		"5ffdbc72135d936014e8ab708585fda379405542b07e3bd2c0bd48437fbac60a",
		"9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf80" +
			"96bb474e53895c362d8628ee9f9ea3c0" +
			"e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e",
		"645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c45" +
			"2118fec1219202a0edcf038bb6373241578be7217ba85a2687f7a0310b2df19f",
	},
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func wantHex(t *testing.T, what string, got []byte, want string) {
	t.Helper()
	if hex.EncodeToString(got) != want {
		t.Errorf("%s\n got %x\nwant %s", what, got, want)
	}
}

func TestRFC9381(t *testing.T) {
	for _, e := range rfcExamples {
		t.Run(e.name, func(t *testing.T) {
			k := NewKey([32]byte(unhex(t, e.sk)))
			alpha := unhex(t, e.alpha)
			pub := k.PublicKey()
			wantHex(t, "public key", pub[:], e.pk)
			h := encodeToCurve(pub, alpha).Bytes()
			wantHex(t, "H", h, e.h)
			wantHex(t, "k", k.nonce(h).Bytes(), e.k)
			pi := k.Prove(alpha)
			wantHex(t, "pi", pi[:], e.pi)
			beta, err := Verify(pub, alpha, pi[:])
			if err != nil {
				t.Fatal(err)
			}
			wantHex(t, "beta", beta[:], e.beta)
			if k.Output(alpha) != beta {
				t.Error("Output differs from what Verify proves")
			}
		})
	}
}

// Every single bit of a proof, a key or an input counts.
func TestVerifyRefusesEveryFlippedBit(t *testing.T) {
	k := NewKey([32]byte{1})
	alpha := []byte("combat 2306")
	pi, pub := k.Prove(alpha), k.PublicKey()
	for i := range len(pi) * 8 {
		bad := pi
		bad[i/8] ^= 1 << (i % 8)
		if beta, err := Verify(pub, alpha, bad[:]); !errors.Is(err, ErrProof) || beta != [64]byte{} {
			t.Fatalf("bit %d of the proof: %v", i, err)
		}
	}
	for i := range len(pub) * 8 {
		bad := pub
		bad[i/8] ^= 1 << (i % 8)
		if _, err := Verify(bad, alpha, pi[:]); !errors.Is(err, ErrProof) && !errors.Is(err, ErrKey) {
			t.Fatalf("bit %d of the key: %v", i, err)
		}
	}
	for i := range len(alpha) * 8 {
		bad := bytes.Clone(alpha)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := Verify(pub, bad, pi[:]); !errors.Is(err, ErrProof) {
			t.Fatalf("bit %d of the input: %v", i, err)
		}
	}
	for n := range 200 {
		if n != ProofSize {
			if _, err := Verify(pub, alpha, make([]byte, n)); !errors.Is(err, ErrProof) {
				t.Fatalf("a proof of %d bytes: %v", n, err)
			}
		}
	}
}

// The order of the group; s and s+q are the same scalar, and only one of them
// may verify.
const orderHex = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"

func TestVerifyRefusesScalarAboveTheOrder(t *testing.T) {
	k := NewKey([32]byte{2})
	pi, pub := k.Prove(nil), k.PublicKey()
	q, carry := unhex(t, orderHex), 0
	for i := range 32 {
		sum := int(pi[48+i]) + int(q[i]) + carry
		pi[48+i], carry = byte(sum), sum>>8
	}
	if carry != 0 {
		t.Fatal("s+q does not fit: choose another seed")
	}
	if _, err := Verify(pub, nil, pi[:]); !errors.Is(err, ErrProof) {
		t.Fatalf("s+q: %v", err)
	}
}

// smallOrder are the eight points of small order: the multiples of q*P for a P
// that has a component of order 8.
func smallOrder(t *testing.T) []*edwards25519.Point {
	minusOne := edwards25519.NewScalar().Negate(one(t))
	for b := byte(2); ; b++ {
		p, err := decodePoint(append([]byte{b}, make([]byte, 31)...))
		if err != nil {
			continue
		}
		e := new(edwards25519.Point).ScalarMult(minusOne, p)
		e.Add(e, p) // (q-1)P + P
		seen := map[string]*edwards25519.Point{}
		sum := edwards25519.NewIdentityPoint()
		for range 8 {
			seen[string(sum.Bytes())] = new(edwards25519.Point).Set(sum)
			sum.Add(sum, e)
		}
		if len(seen) < 8 {
			continue
		}
		var all []*edwards25519.Point
		for _, s := range seen {
			all = append(all, s)
		}
		return all
	}
}

func one(t *testing.T) *edwards25519.Scalar {
	s, err := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{1}, make([]byte, 31)...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSmallOrderKeysAreRefused(t *testing.T) {
	for _, p := range smallOrder(t) {
		pub := PublicKey(p.Bytes())
		// With c*Y vanishing for every c divisible by 8 such a key could prove
		// anything.
		if _, err := Verify(pub, nil, make([]byte, ProofSize)); !errors.Is(err, ErrKey) {
			t.Errorf("%x: %v", pub, err)
		}
		if _, err := ParsePublicKey(pub.String()); !errors.Is(err, ErrKey) {
			t.Errorf("%s parsed: %v", pub, err)
		}
	}
}

// A cheat may add a point of small order to Gamma and search for a challenge
// with which that goes through. It must not change the output.
func TestSmallOrderGammaGivesTheSameOutput(t *testing.T) {
	k, alpha := NewKey([32]byte{3}), []byte("retreat-test 513/294 2")
	pub, want := k.PublicKey(), k.Output(alpha)
	accepted := 0
	for _, e := range smallOrder(t) {
		for try := range 64 {
			pi := cheat(t, k, alpha, e, byte(try))
			beta, err := Verify(pub, alpha, pi)
			if err != nil {
				continue
			}
			accepted++
			if beta != want {
				t.Fatalf("another output was proved with %x", e.Bytes())
			}
		}
	}
	if accepted < 64 {
		t.Errorf("only %d proofs went through: the test tests nothing", accepted)
	}
}

// cheat proves with Gamma+e, with a nonce of its own choice.
func cheat(t *testing.T, k *Key, alpha []byte, e *edwards25519.Point, try byte) []byte {
	h := encodeToCurve(k.public, alpha)
	gamma := new(edwards25519.Point).ScalarMult(k.x, h)
	gamma.Add(gamma, e)
	nonce, err := edwards25519.NewScalar().SetUniformBytes(bytes.Repeat([]byte{try + 1}, 64))
	if err != nil {
		t.Fatal(err)
	}
	u := new(edwards25519.Point).ScalarBaseMult(nonce)
	v := new(edwards25519.Point).ScalarMult(nonce, h)
	c := challenge(k.public[:], h.Bytes(), gamma.Bytes(), u.Bytes(), v.Bytes())
	s := edwards25519.NewScalar().MultiplyAdd(challengeScalar(c), k.x, nonce)
	return append(append(gamma.Bytes(), c[:]...), s.Bytes()...)
}

func TestDecodePointIsCanonical(t *testing.T) {
	ff := strings.Repeat("ff", 30)
	for _, bad := range []string{
		"ed" + ff + "7f", // y = p, which is 0
		"ee" + ff + "7f", // y = p+1, which is 1
		"ff" + ff + "7f",
		"01" + strings.Repeat("00", 30) + "80", // y = 1 with a negative zero
		"ec" + ff + "ff",                       // y = -1 with a negative zero
		"02" + strings.Repeat("00", 30) + "00", // not on the curve
		"", "00",
	} {
		if _, err := decodePoint(unhex(t, bad)); err == nil {
			t.Errorf("%s was taken for a point", bad)
		}
	}
}

func TestPublicKeyText(t *testing.T) {
	pub := NewKey([32]byte{4}).PublicKey()
	text := pub.String()
	for _, s := range []string{text, " " + text + "\r\n", strings.ToUpper(text), strings.TrimPrefix(text, keyPrefix)} {
		if got, err := ParsePublicKey(s); err != nil || got != pub {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", keyPrefix, text[:len(text)-1], text + "0", text[:len(text)-1] + "g", "x" + text} {
		if got, err := ParsePublicKey(s); !errors.Is(err, ErrKey) || got != (PublicKey{}) {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	type doc struct{ Dice PublicKey }
	b, err := json.Marshal(doc{pub})
	if err != nil {
		t.Fatal(err)
	}
	var back doc
	if err := json.Unmarshal(b, &back); err != nil || back.Dice != pub {
		t.Errorf("%s: %v", b, err)
	}
	if err := json.Unmarshal([]byte(`{"Dice":"nonsense"}`), &back); !errors.Is(err, ErrKey) {
		t.Errorf("nonsense: %v", err)
	}
}

func TestGenerateKey(t *testing.T) {
	k, err := GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if again := NewKey(k.Seed()); again.PublicKey() != k.PublicKey() {
		t.Error("the seed does not give the key back")
	}
	if _, err := GenerateKey(strings.NewReader("too short")); err == nil {
		t.Error("a key from nine bytes")
	}
}

func TestKeyPrintsNoSecret(t *testing.T) {
	seed := [32]byte(bytes.Repeat([]byte{0xab}, 32))
	k := NewKey(seed)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		out := fmt.Sprintf(verb, k)
		out += fmt.Sprintf(verb, Thrower{Key: k})
		if strings.Contains(strings.ToLower(out), "abab") || strings.Contains(out, "171 171") || !strings.Contains(out, k.PublicKey().String()) {
			t.Errorf("%s prints %s", verb, out)
		}
	}
}

func FuzzVerify(f *testing.F) {
	k := NewKey([32]byte{5})
	good := k.Prove([]byte("a"))
	pub := k.PublicKey()
	f.Add(pub[:], []byte("a"), good[:])
	f.Add(make([]byte, 32), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, key, alpha, pi []byte) {
		if len(key) != 32 {
			return
		}
		beta, err := Verify(PublicKey(key), alpha, pi)
		if (err == nil) == (beta == [64]byte{}) {
			t.Fatalf("error %v, output %x", err, beta)
		}
		if err == nil && PublicKey(key) == pub && beta != k.Output(alpha) {
			t.Fatal("a second output was proved")
		}
	})
}

func BenchmarkProve(b *testing.B) {
	k := NewKey([32]byte{6})
	alpha := Alpha("k7w2m9qd", "1.3 combat", "combat 2306", make([]byte, 32))
	for b.Loop() {
		k.Prove(alpha)
	}
}

func BenchmarkVerify(b *testing.B) {
	k := NewKey([32]byte{6})
	alpha := Alpha("k7w2m9qd", "1.3 combat", "combat 2306", make([]byte, 32))
	pi, pub := k.Prove(alpha), k.PublicKey()
	for b.Loop() {
		if _, err := Verify(pub, alpha, pi[:]); err != nil {
			b.Fatal(err)
		}
	}
}
