package dist

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
)

// What is written into the page comes out of it again, and ends no script on the way.
func TestBytesStandInThePageAsText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for size := range 300 {
		content := make([]byte, size)
		for i := range content {
			content[i] = byte(random.Uint32())
		}
		text := string(texted(content))
		if strings.ContainsAny(text, "\x00\r<") {
			t.Fatalf("%d bytes are a text that HTML changes: %q", size, text)
		}
		var out []byte
		held, bits := 0, 0
		for _, r := range text {
			held, bits = held<<7|int(r&127), bits+7
			if bits >= 8 {
				bits -= 8
				out = append(out, byte(held>>bits))
				held &= 1<<bits - 1
			}
		}
		if !bytes.Equal(out, content) {
			t.Fatalf("%d bytes come out as %d", size, len(out))
		}
	}
}

// The desk stays small: as one file, and as it is served.
func TestTheDeskIsSmall(t *testing.T) {
	page, err := Whole(nil)
	if errors.Is(err, ErrNoEngine) {
		t.Skip("the desk's engine is not built: go generate ./desk")
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := len(page); n > 4_600_000 {
		t.Errorf("the one file has %d bytes", n)
	}
	packed, err := fs.ReadFile(engine, "engine/"+ServedFile)
	if err != nil || len(packed) > 3_000_000 {
		t.Errorf("what is served has %d bytes, %v", len(packed), err)
	}
}
