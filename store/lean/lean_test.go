package lean

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"fieldpost/store"
)

// facts is a text that repeats itself from turn to turn in all but a few lines.
func facts(turn int) []byte {
	var b bytes.Buffer
	for unit := range 120 {
		at := store.Sum(fmt.Append(nil, unit))[:12]
		if unit%17 == turn%17 {
			at = store.Sum(fmt.Append(nil, unit, turn))[:12]
		}
		fmt.Fprintf(&b, `{"unit":"%s","hex":"%s"},`, store.Sum(fmt.Append(nil, "unit", unit))[:20], at)
	}
	return b.Bytes()
}

// mail is one with a file attached.
func mail(file []byte) []byte {
	return fmt.Appendf(nil, "Subject: x\r\n\r\n--part\r\nContent-Transfer-Encoding: base64\r\n\r\n%s\r\n--part--\r\n", store.Base64Lines(file))
}

// Attachments of any packing come out as they were; those that this program packs the same
// are kept unpacked.
func TestAttachmentsComeOutByteByByte(t *testing.T) {
	text := facts(3)
	with := func(level int) []byte {
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		z.Name = "view.json"
		_, err = z.Write(text)
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	ours, err := Zipped(text)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		file []byte
		gzip bool
	}{
		"ours": {ours, true}, "stored": {with(flate.NoCompression), false}, "best": {with(flate.BestCompression), false},
		"two in one": {append(bytes.Clone(ours), ours...), false}, "cut short": {ours[:len(ours)-3], false}, "plain": {text, false},
		"followed": {append(bytes.Clone(ours), "more"...), false},
	} {
		for cut := range 5 { // all lengths of a last line
			raw := append(mail(c.file), bytes.Repeat([]byte("A"), cut)...)
			got, parts := unpacked(raw)
			if len(parts) != 1 || parts[0].Gzip != c.gzip {
				t.Errorf("%s: %+v", what, parts)
			}
			if rest, err := repacked(got, parts); err != nil || !bytes.Equal(rest, raw) {
				t.Errorf("%s: %d of %d bytes, %v", what, len(rest), len(raw), err)
			}
		}
	}
	odd := []byte(strings.Repeat("A", 300) + "\r\n" + strings.Repeat(strings.Repeat("B", 76)+"\n", 5) + strings.Repeat(strings.Repeat("C", 76)+"\r\n", 2) + "D")
	if got, parts := unpacked(odd); len(parts) > 0 || !bytes.Equal(got, odd) {
		t.Errorf("%+v of what is no attachment", parts)
	}
}

// A position in a damaged thin file is never taken as it stands.
func FuzzContent(f *testing.F) {
	file, err := Zipped(facts(1))
	if err != nil {
		f.Fatal(err)
	}
	content, err := Mail{Rest: mail(file)}.Content()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add([]byte(`{"parts":[{"at":-1,"length":9}]}` + "\nabc"))
	f.Add([]byte(`{"parts":[{"at":2,"length":9223372036854775807}]}` + "\nabc"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if read, err := Read(content); err == nil && read.Rest == nil && len(content) > 0 && !bytes.HasSuffix(content, []byte("\n")) {
			t.Errorf("%q is read as nothing", content)
		}
	})
}
