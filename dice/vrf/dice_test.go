package vrf

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The published vector of the whole way from the players' contributions to the
// dice. The key is the one of RFC 9381, example 16. Other programs that check
// Fieldpost reports can test themselves against it.
func published(t testing.TB) (Thrower, string) {
	axis, soviet := make([]byte, 16), make([]byte, 16)
	for i := range 16 {
		axis[i], soviet[i] = byte(i), byte(16+i)
	}
	root := Root([]Contribution{{"soviet", soviet}, {"axis", axis}})
	return Thrower{
		Key:   NewKey([32]byte(unhex(t, rfcExamples[0].sk))),
		Game:  "k7w2m9qd",
		Phase: "1.3 combat",
		Root:  root[:],
	}, "combat 2306"
}

const (
	vectorRoot  = "e49d5c11d34f0704b65a674b65c0e75b9e1583ce8b1ff5461b7dc88de9d1bf89"
	vectorAlpha = "6669656c64706f73742d646963652d76310000086b3777326d397164000a312e" +
		"3320636f6d626174000b636f6d62617420323330360020e49d5c11d34f0704b6" +
		"5a674b65c0e75b9e1583ce8b1ff5461b7dc88de9d1bf89"
	vectorPi = "a7c4bc7ae0f6cac305b9baa777539fb49020bfae91dfd9a05fb15626d88919d2" +
		"2246cf83ee114aadda591fdd26fc289451bef8c46360dc4a267fe9aacffb8883" +
		"b6de43d0ae2d6ff07af734f4e3513c09"
	vectorBeta = "c40970cdfada161e76d20d23eb20e81bf9b3b68e3f30bef43db8b0fdfd48aa1a" +
		"6cd57f43db246ca63cbc4b67eaacf410dbf86b6327689bb84b491dfa787f684d"
)

var (
	vectorStream = "651212b15a37665fcd7bd6b781c377bc9f568948d6b9fe2c31161eb954815562"
	vectorD6     = []int{6, 1, 1, 4, 1, 2, 1, 6, 2, 4, 5, 4, 4, 4, 6, 3, 4, 3, 6, 1, 5, 6, 3, 2}
	vectorD10    = []int{2, 9, 9, 8, 1, 6, 3, 6, 6, 4, 5, 4}
)

func TestPublishedVector(t *testing.T) {
	th, event := published(t)
	wantHex(t, "root", th.Root, vectorRoot)
	alpha := Alpha(th.Game, th.Phase, event, th.Root)
	wantHex(t, "alpha", alpha, vectorAlpha)
	dice, proof, err := th.Throw(event, 24, 6)
	if err != nil {
		t.Fatal(err)
	}
	wantHex(t, "proof", proof, vectorPi)
	beta, err := Verify(th.Key.PublicKey(), alpha, proof)
	if err != nil {
		t.Fatal(err)
	}
	wantHex(t, "beta", beta[:], vectorBeta)
	s := NewStream(beta)
	first := make([]byte, 32)
	for i := range first {
		first[i] = s.Byte()
	}
	wantHex(t, "stream", first, vectorStream)
	if !slices.Equal(dice, vectorD6) {
		t.Errorf("24d6 = %v, want %v", dice, vectorD6)
	}
	d10, err := Check(th.Key.PublicKey(), Throw{th.Game, th.Phase, event, th.Root, 12, 10}, proof)
	if err != nil || !slices.Equal(d10, vectorD10) {
		t.Errorf("12d10 = %v, %v, want %v", d10, err, vectorD10)
	}
}

func TestThrowIsCheckedByAnybody(t *testing.T) {
	th, _ := published(t)
	pub := th.Key.PublicKey()
	for i, n := range []int{0, 1, 2, 7, 65, MaxDice} {
		label := fmt.Sprintf("combat %04d", i)
		dice, proof, err := th.Throw(label, n, 6)
		if err != nil || len(dice) != n || len(proof) != ProofSize {
			t.Fatalf("%s: %d dice, %v", label, len(dice), err)
		}
		again, _, _ := th.Throw(label, n, 6)
		got, err := Check(pub, Throw{th.Game, th.Phase, label, th.Root, n, 6}, proof)
		if err != nil || !slices.Equal(got, dice) || !slices.Equal(again, dice) {
			t.Errorf("%s: %v, %v, want %v", label, got, err, dice)
		}
		for _, other := range [][3]string{
			{"other", th.Phase, label}, {th.Game, "other", label}, {th.Game, th.Phase, "other"},
			{th.Game + th.Phase, "", label}, {th.Game, th.Phase + label, ""},
		} {
			if _, err := Check(pub, Throw{other[0], other[1], other[2], th.Root, n, 6}, proof); !errors.Is(err, ErrProof) {
				t.Errorf("%q accepted for %s: %v", other, label, err)
			}
		}
		if _, err := Check(pub, Throw{th.Game, th.Phase, label, nil, n, 6}, proof); !errors.Is(err, ErrProof) {
			t.Errorf("another root: %v", err)
		}
	}
}

func TestImpossibleThrows(t *testing.T) {
	th, event := published(t)
	long := strings.Repeat("x", maxField+1)
	for _, c := range []struct {
		label        string
		count, sides int
	}{
		{event, -1, 6}, {event, MaxDice + 1, 6}, {event, 1, 0}, {event, 1, -6}, {event, 1, 257}, {long, 1, 6},
	} {
		if _, _, err := th.Throw(c.label, c.count, c.sides); !errors.Is(err, ErrThrow) {
			t.Errorf("%dd%d: %v", c.count, c.sides, err)
		}
		if _, err := Check(PublicKey{}, Throw{Label: c.label, Count: c.count, Sides: c.sides}, nil); !errors.Is(err, ErrThrow) {
			t.Errorf("check of %dd%d: %v", c.count, c.sides, err)
		}
	}
	for name, f := range map[string]func(){
		"count": func() { Dice([64]byte{}, -1, 6) },
		"many":  func() { Dice([64]byte{}, MaxDice+1, 6) },
		"sides": func() { Dice([64]byte{}, 1, 257) },
		"zero":  func() { NewStream([64]byte{}).Die(0) },
		"alpha": func() { Alpha(long, "", "", nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// No two lists of fields have the same input.
func TestAlphaKeepsItsFieldsApart(t *testing.T) {
	words := []string{"", "a", "b", "ab", "\x00", "\x00\x01", "\x00\x01a"}
	seen := map[string]string{}
	for _, g := range words {
		for _, p := range words {
			for _, e := range words {
				for _, r := range words {
					a, name := string(Alpha(g, p, e, []byte(r))), fmt.Sprintf("%q", []string{g, p, e, r})
					if was, ok := seen[a]; ok {
						t.Fatalf("%s and %s", was, name)
					}
					seen[a] = name
				}
			}
		}
	}
}

func TestRoot(t *testing.T) {
	a, b := Contribution{"axis", []byte("1234567890123456")}, Contribution{"soviet", []byte("6543210987654321")}
	root := Root([]Contribution{a, b})
	list := []Contribution{b, a}
	if Root(list) != root {
		t.Error("the order of the joins matters")
	}
	if list[0].Side != "soviet" {
		t.Error("the caller's list was sorted")
	}
	for _, other := range [][]Contribution{
		{a}, {b}, nil, {a, a}, {{"axis", b.Bytes}, {"soviet", a.Bytes}},
		{{"axis1", []byte("234567890123456")}, b},
	} {
		if Root(other) == root {
			t.Errorf("%v has the same root", other)
		}
	}
	same := []Contribution{{"x", []byte{2}}, {"x", []byte{1}}}
	if Root(same) != Root([]Contribution{same[1], same[0]}) {
		t.Error("two contributions of a side: the order matters")
	}
}

// The limits of rejection, face by face: for every die each face must own the
// same number of the 256 byte values, and no more values be lost than needed.
func TestDieHasNoBias(t *testing.T) {
	for sides := 1; sides <= MaxSides; sides++ {
		owned := make([]int, sides+1)
		for b := range 256 {
			// A stream that holds b and then zeros: a rejected b gives face 1 from
			// the second byte, which is told apart by what is left.
			s := &Stream{next: 0}
			s.block[0] = byte(b)
			face := s.Die(sides)
			if s.next == 2 {
				continue
			}
			owned[face]++
		}
		for face := 1; face <= sides; face++ {
			if owned[face] != 256/sides {
				t.Fatalf("d%d: face %d owns %d of 256 bytes, not %d", sides, face, owned[face], 256/sides)
			}
		}
	}
}

// chiSquare returns the statistic of the counts against an even spread.
func chiSquare(counts []int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	want, x := float64(n)/float64(len(counts)), 0.0
	for _, c := range counts {
		d := float64(c) - want
		x += d * d / want
	}
	return x
}

// The limits are the 0.1 % points of the chi-square distribution. The sample is
// fixed, so this test does not fail by chance.
func TestChiSquare(t *testing.T) {
	for _, c := range []struct {
		sides int
		limit float64
	}{{2, 10.83}, {3, 13.82}, {6, 20.52}, {10, 27.88}, {20, 43.82}, {100, 148.23}} {
		counts, pairs := make([]int, c.sides), make([]int, c.sides*c.sides)
		for event := range uint64(2000) {
			var beta [64]byte
			binary.BigEndian.PutUint64(beta[:], event)
			dice := Dice(beta, 300, c.sides)
			for i, d := range dice {
				counts[d-1]++
				if i%2 == 1 {
					pairs[(dice[i-1]-1)*c.sides+d-1]++
				}
			}
		}
		if x := chiSquare(counts); x > c.limit {
			t.Errorf("d%d: chi-square %.2f, limit %.2f", c.sides, x, c.limit)
		} else {
			t.Logf("d%d: 600000 throws, chi-square %.2f, limit %.2f", c.sides, x, c.limit)
		}
		if c.sides == 6 {
			if x := chiSquare(pairs); x > 66.62 { // 35 degrees
				t.Errorf("pairs of d6: chi-square %.2f, limit 66.62", x)
			}
		}
	}
}

// The dice of many events under one key: first dice of streams are independent.
func TestChiSquareOverEvents(t *testing.T) {
	th, _ := published(t)
	counts := make([]int, 6)
	for i := range 3000 {
		counts[Dice(th.Key.Output(Alpha(th.Game, th.Phase, fmt.Sprint("combat ", i), th.Root)), 1, 6)[0]-1]++
	}
	if x := chiSquare(counts); x > 20.52 {
		t.Errorf("chi-square %.2f, limit 20.52: %v", x, counts)
	}
}

func TestStreamBlocks(t *testing.T) {
	s := NewStream([64]byte{1})
	var all []byte
	for range 200 {
		all = append(all, s.Byte())
	}
	again := NewStream([64]byte{1})
	for i, b := range all {
		if again.Byte() != b {
			t.Fatalf("byte %d differs the second time", i)
		}
	}
	if bytes.Equal(all[:64], all[64:128]) {
		t.Error("the block number does not count")
	}
}

func BenchmarkD6(b *testing.B) {
	s := NewStream([64]byte{1})
	for b.Loop() {
		s.Die(6)
	}
}

func BenchmarkThrow2D6(b *testing.B) {
	th, event := published(b)
	for b.Loop() {
		if _, _, err := th.Throw(event, 2, 6); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleCheck() {
	key := NewKey([32]byte{7})
	th := Thrower{Key: key, Game: "k7w2m9qd", Phase: "1.3 combat", Root: []byte("root")}
	dice, proof, _ := th.Throw("combat 2306", 2, 6)
	again, err := Check(key.PublicKey(), Throw{"k7w2m9qd", "1.3 combat", "combat 2306", []byte("root"), 2, 6}, proof)
	fmt.Println(slices.Equal(dice, again), err, len(hex.EncodeToString(proof)))
	// Output: true <nil> 160
}
