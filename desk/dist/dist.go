// Package dist is the order desk as it is carried in a binary: the page, and the engine if the
// binary was built with it.
package dist

import (
	"embed"
	"encoding/base64"
	"errors"
	"html"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// Page is the page without engine and report, as desk/build makes it.
//
//go:embed desk.html
var Page string

// The engine is not among the sources: desk/build makes it of them.
//
//go:embed all:engine
var engine embed.FS

// Names of the engine's files.
const (
	EngineFile = "engine.wasm.zst"
	ServedFile = "engine.wasm.br"
	LoaderFile = "wasm_exec.js"
)

// Slot is where Whole puts the engine and the report into the page.
const Slot = "<!--engine and report-->"

// ErrNoEngine says what to run.
var ErrNoEngine = errors.New("this binary was built without the desk's engine: run go generate ./desk in the sources, then go build ./cmd/fieldpost")

// Report is a file that the page opens at once.
type Report struct {
	Name string
	File []byte
}

// Whole is the page with the engine in it, one file that needs nothing else; and with a
// report, unless that is nil.
func Whole(r *Report) (string, error) {
	wasm, err := fs.ReadFile(engine, "engine/"+EngineFile)
	if err != nil {
		return "", ErrNoEngine
	}
	loader, err := script("loader", LoaderFile)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(loader)
	b.WriteString(`<script type="application/octet-stream" id="engine">`)
	b.Write(texted(wasm))
	b.WriteString("</script>\n")
	if r != nil {
		b.WriteString(data("report", r.Name, r.File))
	}
	return strings.Replace(Page, Slot, b.String(), 1), nil
}

// Engine is the engine's wasm and its loader, or ErrNoEngine.
func Engine() (wasm, loader []byte, err error) {
	packed, err := fs.ReadFile(engine, "engine/"+EngineFile)
	if err == nil {
		loader, err = fs.ReadFile(engine, "engine/"+LoaderFile)
	}
	if err != nil {
		return nil, nil, ErrNoEngine
	}
	unpack, err := zstd.NewReader(nil)
	if err != nil {
		return nil, nil, err
	}
	defer unpack.Close()
	wasm, err = unpack.DecodeAll(packed, nil)
	return wasm, loader, err
}

// script is one of the engine's files as the page holds it.
func script(id, file string) (string, error) {
	content, err := fs.ReadFile(engine, "engine/"+file)
	if err != nil {
		return "", ErrNoEngine
	}
	return data(id, file, content), nil
}

func data(id, name string, content []byte) string {
	return `<script type="application/octet-stream" id="` + id + `" data-name="` + html.EscapeString(name) + `">` +
		base64.StdEncoding.EncodeToString(content) + "</script>\n"
}

// texted writes bytes as a text of UTF-8 that stands in a script as it is: seven bits a letter,
// where base64 has six. The letters that HTML would change (NUL, CR and <) have 128 added, and
// take two bytes.
func texted(content []byte) []byte {
	out := make([]byte, 0, len(content)*7/6)
	put := func(seven byte) {
		if seven == 0 || seven == '\r' || seven == '<' {
			out = utf8.AppendRune(out, rune(seven)|0x80)
			return
		}
		out = append(out, seven)
	}
	held, bits := 0, 0
	for _, c := range content {
		held, bits = held<<8|int(c), bits+8
		for bits >= 7 {
			bits -= 7
			put(byte(held>>bits) & 0x7f)
		}
		held &= 1<<bits - 1
	}
	if bits > 0 {
		put(byte(held<<(7-bits)) & 0x7f)
	}
	return out
}

// Policy is what the page may do, as it says itself: it reaches no network.
func Policy() string {
	_, rest, _ := strings.Cut(Page, `http-equiv="Content-Security-Policy" content="`)
	policy, _, _ := strings.Cut(rest, `"`)
	return html.UnescapeString(policy)
}
