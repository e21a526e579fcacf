package packing

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"fieldpost/store"
)

// What is packed comes out again, alone and as a difference; a difference is small, and no other base takes its place.
func TestPacking(t *testing.T) {
	base := []byte(strings.Repeat("the quick brown fox ", 5) + store.Sum([]byte("a")) + store.Sum([]byte("b")))
	content := bytes.Replace(base, []byte("brown"), []byte("red"), 1)
	if got, err := Unpack(Alone(Quick, content)); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%q, %v", got, err)
	}
	alone, err := Difference(Better, nil, content, []byte("head"))
	if err != nil || !bytes.HasPrefix(alone, []byte("head")) {
		t.Fatalf("%q, %v", alone, err)
	}
	if got, err := Unpack(alone[4:]); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%q, %v", got, err)
	}
	difference, err := Difference(Better, base, content, nil)
	if err != nil || len(difference)*2 > len(alone) {
		t.Fatalf("%d bytes in the place of %d, %v", len(difference), len(alone), err)
	}
	var r Reader
	defer r.Close()
	other := bytes.ToUpper(base)
	for range 2 {
		if got, err := r.Unpack(base, difference); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := r.Unpack(other, difference); err == nil && bytes.Equal(got, content) {
			t.Error("another base does as well")
		}
	}
	for _, damaged := range [][]byte{nil, difference[:len(difference)-1], []byte("nonsense")} {
		if got, err := UnpackOn(base, damaged); len(damaged) > 0 && !errors.Is(err, store.ErrDamaged) {
			t.Errorf("of %q comes %q, %v", damaged, got, err)
		}
	}
}
