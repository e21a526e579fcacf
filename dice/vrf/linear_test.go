package vrf

import (
	"fmt"
	"testing"
)

// complexity is the length of the shortest linear feedback shift register that
// gives the bits (Berlekamp and Massey). A generator whose state is linear over
// the bits, such as the Mersenne Twister or an xorshift, never has more than the
// size of its state, however many bits it gave; the published recoveries of dice
// from a few throws solve just these equations. Bits without such a law have half
// their number.
func complexity(bits []byte) int {
	c, b := make([]byte, len(bits)+1), make([]byte, len(bits)+1)
	c[0], b[0] = 1, 1
	l, m := 0, -1
	for n := range bits {
		d := bits[n]
		for i := 1; i <= l; i++ {
			d ^= c[i] & bits[n-i]
		}
		if d == 0 {
			continue
		}
		old := append([]byte{}, c...)
		for i := 0; i+n-m < len(c); i++ {
			c[i+n-m] ^= b[i]
		}
		if 2*l <= n {
			l, m, b = n+1-l, n, old
		}
	}
	return l
}

// Neither the dice of one event nor those of many neighbours follow a linear law.
func TestNoLinearLaw(t *testing.T) {
	const n = 2000
	// A generator with 128 bits of state, to see that the law would be found.
	x := [4]uint32{1, 2, 3, 4}
	var weak []byte
	for range n {
		s := x[0] ^ x[0]<<11
		x[0], x[1], x[2] = x[1], x[2], x[3]
		x[3] ^= x[3]>>19 ^ s ^ s>>8
		weak = append(weak, byte(x[3]&1))
	}
	if l := complexity(weak); l > 128 {
		t.Fatalf("the law of a linear generator was not found: %d", l)
	}
	th, event := published(t)
	one := Dice(th.Key.Output(Alpha(th.Game, th.Phase, event, th.Root)), n, 6)
	var first []int
	for i := range n {
		first = append(first, Dice(th.Key.Output(Alpha(th.Game, th.Phase, fmt.Sprintf("combat %04d", i), th.Root)), 1, 6)[0])
	}
	for what, dice := range map[string][]int{"the dice of one event": one, "the first dice of neighbouring events": first} {
		for what2, bit := range map[string]func(d int) bool{"odd or even": func(d int) bool { return d%2 == 0 }, "high or low": func(d int) bool { return d > 3 }} {
			var bits []byte
			for _, d := range dice {
				if bit(d) {
					bits = append(bits, 1)
				} else {
					bits = append(bits, 0)
				}
			}
			l := complexity(bits)
			t.Logf("%s, %s: linear complexity %d of %d throws", what, what2, l, n)
			if l < n/2-20 || l > n/2+20 {
				t.Errorf("%s, %s: linear complexity %d, want about %d", what, what2, l, n/2)
			}
		}
	}
}
