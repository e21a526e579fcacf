package dist

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
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
	t.Logf("%d and %d bytes", len(page), len(packed))
}

// The desk of a club's page: its policy lets it fetch from there alone, the engine is sent as
// small as the browser takes it and kept for good, and the one file has the sum that is told.
func TestTheDeskOfAClub(t *testing.T) {
	sum, err := Sum()
	if errors.Is(err, ErrNoEngine) {
		t.Skip("the desk's engine is not built: go generate ./desk")
	}
	get := func(path, taken string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", path, nil)
		r.Header.Set("Accept-Encoding", taken)
		if path == "/desk" {
			err = ServePage(w, r, "/desk/")
		} else {
			err = ServeFile(w, r, strings.TrimPrefix(path, "/desk/"))
		}
		return w
	}
	page := get("/desk", "gzip")
	policy := page.Header().Get("Content-Security-Policy")
	if err != nil || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "connect-src 'self'") || strings.Contains(page.Body.String(), "connect-src 'none'") {
		t.Errorf("its policy is %q, %v", policy, err)
	}
	if page.Body.Len() > 200<<10 {
		t.Errorf("the page without the engine has %d bytes", page.Body.Len())
	}
	_, rest, _ := strings.Cut(page.Body.String(), `data-from="`)
	from, _, _ := strings.Cut(rest, `"`)
	for taken, want := range map[string]string{"gzip, deflate, br, zstd": "br", "gzip": "gzip", "": "", "br;q=0, gzip;q=0.5": "gzip"} {
		w := get(from, taken)
		if got := w.Header().Get("Content-Encoding"); err != nil || got != want || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("who takes %q gets %q, %v", taken, got, err)
		}
		if want == "" && !bytes.HasPrefix(w.Body.Bytes(), []byte("\x00asm")) {
			t.Errorf("it begins with % x", w.Body.Bytes()[:4])
		}
	}
	if whole := get("/desk/desk.html", ""); fmt.Sprintf("%x", sha256.Sum256(whole.Body.Bytes())) != sum {
		t.Error("the one file has another sum")
	}
	if get("/desk/engine.0000000000000000.wasm", ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another engine is %v", err)
	}
}
