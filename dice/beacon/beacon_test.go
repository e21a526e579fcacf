package beacon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"
	"time"
)

// Rounds of quicknet as drand's servers give them.
var published = []struct {
	round                 uint64
	signature, randomness string
}{
	{123, "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
		"fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc"},
	{1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
		"fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"},
	{657413, "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
		"fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"},
}

func TestPublishedRounds(t *testing.T) {
	for _, p := range published {
		sig, err := hex.DecodeString(p.signature)
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(sig); hex.EncodeToString(got[:]) != p.randomness {
			t.Errorf("round %d: the vector does not hang together", p.round)
		}
		if err := Quicknet.Verify(Value{p.round, sig}); err != nil {
			t.Error(err)
		}
		for what, bad := range map[string]Value{
			"the next round":    {p.round + 1, sig},
			"no round":          {0, sig},
			"cut short":         {p.round, sig[:47]},
			"nothing":           {p.round, nil},
			"the other's":       {p.round, other(t, p.round)},
			"the neutral point": {p.round, append([]byte{0xc0}, make([]byte, 47)...)},
		} {
			if err := Quicknet.Verify(bad); !errors.Is(err, ErrSignature) {
				t.Errorf("round %d, %s: %v", p.round, what, err)
			}
		}
		for at := range sig {
			sig[at] ^= 1
			if Quicknet.Verify(Value{p.round, sig}) == nil {
				t.Errorf("round %d: byte %d altered, and nobody noticed", p.round, at)
			}
			sig[at] ^= 1
		}
	}
}

func other(t *testing.T, round uint64) []byte {
	for _, p := range published {
		if p.round != round {
			sig, err := hex.DecodeString(p.signature)
			if err != nil {
				t.Fatal(err)
			}
			return sig
		}
	}
	return nil
}

func TestRoundsInTime(t *testing.T) {
	begin := time.Date(2023, 8, 23, 15, 9, 27, 0, time.UTC)
	for _, c := range []struct {
		after time.Duration
		round uint64
	}{{-time.Hour, 1}, {0, 1}, {time.Nanosecond, 2}, {3 * time.Second, 2}, {3*time.Second + 1, 3}, {2997 * time.Second, 1000}} {
		if got := Quicknet.RoundAt(begin.Add(c.after)); got != c.round {
			t.Errorf("%v after the beginning comes round %d, want %d", c.after, got, c.round)
		}
	}
	for _, r := range []uint64{1, 2, 1000, 20_000_000} {
		if Quicknet.RoundAt(Quicknet.Time(r)) != r || Quicknet.RoundAt(Quicknet.Time(r).Add(1)) != r+1 {
			t.Errorf("round %d comes at %v", r, Quicknet.Time(r))
		}
	}
}

func TestValuesInMails(t *testing.T) {
	p := published[1]
	for _, text := range []string{
		"DRAND 1000 " + p.signature,
		Value{1000, unhex(t, p.signature)}.String(),
		"Hello,\n> drand 1000\n " + p.signature + "\nbye",
		`{"round":1000,"randomness":"` + p.randomness + `","signature":"` + p.signature + `"}`,
		"{\"round\": 1000,\r\n \"randomness\": \"" + p.randomness[:30] + "\r\n" + p.randomness[30:] + "\", \"signature\":\"" + p.signature + "\"}",
	} {
		all := Find(text)
		if len(all) != 1 || all[0].Round != 1000 || Quicknet.Verify(all[0]) != nil {
			t.Errorf("%q: %v", text, all)
		}
	}
	for _, text := range []string{"", "DRAND", "DRAND 1000 abcd", "{}", `{"round":-1,"signature":"` + p.signature + `"}`, "DRAND 99999999999999999999999 " + p.signature} {
		if all := Find(text); len(all) != 0 {
			t.Errorf("%q: %v", text, all)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("DRAND 1000 " + published[1].signature)
	f.Add(`{"round":1000,"signature":"` + published[0].signature + `"}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range Find(text) {
			if len(v.Signature) != SignatureSize {
				t.Errorf("%v", v)
			}
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	sig, _ := hex.DecodeString(published[0].signature)
	for b.Loop() {
		if err := Quicknet.Verify(Value{123, sig}); err != nil {
			b.Fatal(err)
		}
	}
}

func unhex(t *testing.T, s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
