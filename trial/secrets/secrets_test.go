package secrets

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"mime"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// A sample of the games; fieldpost-trial secrets plays 100 whole ones.
func TestNoMailTellsASecret(t *testing.T) {
	r, err := Game{Scenario: "kharkov-1942", Number: 1, Turns: 1}.open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	res, err := r.search()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range res.Leaks {
		t.Error(l)
	}
	if res.Mails < 8 || res.Parts < 4*res.Mails || res.Marks < 200 || res.Lawful == 0 {
		t.Errorf("too little was played to show anything: %+v", res)
	}

	// One mail that says a word too much is found.
	var secret Mark
	side := r.seats[0].Side
	v, err := r.planted.View(must(r.planted.Opening()), "GERMAN")
	if err != nil || side == "GERMAN" {
		t.Fatal(side, err)
	}
	for _, u := range v.Arrivals { // off the map, so nobody has met it
		secret = r.marks[strings.ToLower(u.Name)]
	}
	told := false
	r.tamper = func(to string, raw []byte) []byte {
		if to != side || told {
			return raw
		}
		told = true
		return append([]byte("X-Trace: "+secret.Text+"\r\n"), raw...)
	}
	if res, err = r.search(); err != nil || len(res.Leaks) == 0 || !strings.Contains(strings.Join(res.Leaks, "\n"), secret.String()+": X-Trace") {
		t.Errorf("%v in a header: %v, %q", secret, err, res.Leaks)
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// The search finds a planted string wherever a mail can hold it.
func TestWhereTheSearchLooks(t *testing.T) {
	const word = "qnabcdefgh"
	marks := map[string]Mark{word: {word, "x", true}}
	part := func(kind, coding string, body []byte) []byte {
		text := string(body)
		if coding == "base64" {
			text = base64.StdEncoding.EncodeToString(body)
		}
		return fmt.Appendf(nil, "Subject: report\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Type: %s\r\nContent-Transfer-Encoding: %s\r\n\r\n%s\r\n--b--\r\n", kind, coding, text)
	}
	var zipped, deflated, picture bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte("a table with " + word))
	z.Close()
	d := zlib.NewWriter(&deflated)
	d.Write([]byte("remark: " + word))
	d.Close()
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	chunk := func(kind string, data []byte) []byte {
		body := append([]byte(kind), data...)
		out := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
		head := picture.Bytes()[:33] // signature and IHDR
		return append(append(bytes.Clone(head), out...), picture.Bytes()[33:]...)
	}
	for name, raw := range map[string][]byte{
		"header":            []byte("X-Unit: " + strings.ToUpper(word) + "\r\n\r\nhello\r\n"),
		"encoded word":      []byte("Subject: " + mime.BEncoding.Encode("utf-8", "über "+word) + "\r\n\r\nhello\r\n"),
		"Message-ID":        []byte("Message-ID: <report.1." + word + "@x>\r\n\r\nhello\r\n"),
		"text":              part("text/plain", "7bit", []byte("the "+word+".")),
		"soft line break":   part("text/plain", "quoted-printable", []byte("the qnabc=\r\ndefgh.")),
		"base64":            part("application/json", "base64", []byte(`{"name":"`+word+`"}`)),
		"file name":         part("application/json; charset=utf-8\r\nContent-Disposition: attachment; filename="+word+".json", "7bit", []byte("{}")),
		"base64 in JSON":    part("application/json", "base64", []byte(`{"proof":"`+base64.RawURLEncoding.EncodeToString([]byte("x"+word+"y"))+`"}`)),
		"hexadecimal":       part("text/plain", "7bit", []byte("proof a"+hex.EncodeToString([]byte(word)))),
		"gzip":              part("application/gzip", "base64", zipped.Bytes()),
		"PNG tEXt":          part("image/png", "base64", chunk("tEXt", []byte("Comment\x00"+word))),
		"PNG zTXt":          part("image/png", "base64", chunk("zTXt", append([]byte("Comment\x00\x00"), deflated.Bytes()...))),
		"PNG behind":        part("image/png", "base64", append(bytes.Clone(picture.Bytes()), word...)),
		"forwarded message": part("message/rfc822", "7bit", []byte("Subject: x\r\nContent-Transfer-Encoding: base64\r\n\r\n"+base64.StdEncoding.EncodeToString([]byte(word)))),
	} {
		found, _, err := Search(raw, marks)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	for name, raw := range map[string][]byte{
		"nothing":      part("image/png", "base64", picture.Bytes()),
		"another word": part("text/plain", "7bit", []byte("qnabcdefg2")),
	} {
		if found, _, err := Search(raw, marks); err != nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	if _, _, err := Search(part("image/png", "base64", picture.Bytes()[:40]), marks); err == nil {
		t.Error("a picture that is cut off is searched all the same")
	}
}

// idle is a player who hands in what is asked for, and nothing in it.
type idle struct{}

func (idle) Sheet(v *view.View, serial int) (string, error) {
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nDONE!\n", v.Game, v.Side, v.Turn, serial), nil
}

// Who asks for a template when units have come over to them finds them in it; that
// mail belongs to no Change of the game, and is judged by when it was written.
func TestUnitsThatChangedSidesAreTheirNewOwners(t *testing.T) {
	ctx := context.Background()
	r, err := Game{Scenario: "two-stars", Number: 7, Turns: 1}.open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, s := range r.seats {
		s.writer = idle{}
	}
	if err := r.play(ctx); err != nil {
		t.Fatal(err)
	}
	for _, s := range r.seats {
		if err := r.send(ctx, s, "TEMPLATE\n"); err != nil {
			t.Fatal(err)
		}
	}
	res, err := r.search()
	if err != nil || len(res.Leaks) > 0 {
		t.Fatalf("%v, %q", err, res.Leaks)
	}
	own, _, err := r.known()
	if err != nil {
		t.Fatal(err)
	}
	joined := 0
	for word, since := range own["AMERICAN"] {
		if since > 0 && own["SOVIET"][word] == 0 && r.marks[word].Name {
			joined++
		}
	}
	if joined == 0 {
		t.Error("nobody has changed sides: this shows nothing")
	}
}

// The other systems: one that is open but for its sealed sheets, and one that hides
// what stands further off than one can see.
func TestTheOtherSystemsTellNoSecret(t *testing.T) {
	for _, id := range []string{"star-and-gallop", "gd-lutchessa"} {
		res, err := Game{Scenario: id, Number: 3, Turns: 1}.Play(context.Background(), t.TempDir())
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		for _, l := range res.Leaks {
			t.Errorf("%s: %s", id, l)
		}
		if res.Mails < 8 || res.Marks < 100 || res.Lawful == 0 {
			t.Errorf("%s: too little was played to show anything: %+v", id, res)
		}
	}
}
