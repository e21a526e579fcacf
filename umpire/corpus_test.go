package umpire

import (
	"bytes"
	"crypto"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/intake"
)

// The corpus is mail in every shape that mail programs, lists, gateways and liars
// give it. Each file is one message, by the Soviet player unless its name says
// otherwise; INDEX says what becomes of it:
//
//	filed    its sheet counts, and is acknowledged
//	advice   nothing counts, and the player is told what to do
//	silent   nothing counts, and nobody is answered
//
// The bytes are kept as they are: "go test ./umpire -run Corpus -update" writes
// the whole folder anew from the builders below.
const corpus = "testdata/corpus"

func TestCorpus(t *testing.T) {
	if *update {
		writeCorpus(t)
	}
	index, err := os.ReadFile(filepath.Join(corpus, "INDEX"))
	if err != nil {
		t.Fatal(err)
	}
	g := corpusTable(t)
	g.outbox("SOVIET")
	g.outbox("GERMAN")
	counts := map[string]int{}
	for line := range strings.Lines(string(index)) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		name, want := f[0], f[1]
		raw, err := os.ReadFile(filepath.Join(corpus, name+".eml"))
		if err != nil {
			t.Error(err)
			continue
		}
		side := "SOVIET"
		if strings.Contains(name, "pgp") {
			side = "GERMAN"
		}
		before, _ := g.u.DB.AllSheets(g.game)
		begin := time.Now()
		g.take(raw)
		took := time.Since(begin)
		after, _ := g.u.DB.AllSheets(g.game)
		answers := g.outbox(side)
		other := map[string]string{"SOVIET": "GERMAN", "GERMAN": "SOVIET"}[side]
		if n := len(g.outbox(other)); n > 0 {
			t.Errorf("%s: the other player got %d mails", name, n)
		}
		got := "silent"
		switch {
		case len(after) == len(before)+1 && len(answers) == 1:
			got = "filed"
		case len(after) == len(before) && len(answers) == 1:
			got = "advice"
		case len(after) != len(before) || len(answers) != 0:
			got = fmt.Sprintf("%d sheets and %d answers", len(after)-len(before), len(answers))
		}
		if got != want || took > 2*time.Second {
			h, _, _ := g.u.DB.Handled(shaOf(raw))
			t.Errorf("%s: %s after %v, want %s (%s)", name, got, took, want, h.Outcome)
		}
		counts[got]++
		// Many answers in a day are another test's.
		var c store.Change
		intake.AnsweredRecord.Drop(&c, store.House{})
		g.commit(c)
	}
	total := counts["filed"] + counts["advice"] + counts["silent"]
	t.Logf("%d messages: %d filed, %d answered with advice, %d without an answer", total, counts["filed"], counts["advice"], counts["silent"])
	if total < 78 {
		t.Errorf("the corpus has only %d messages", total)
	}
}

// corpusTable is a game in which the German player signs by OpenPGP.
func corpusTable(t *testing.T) *gameTable {
	g := newTable(t)
	g.seat("SOVIET")
	if err := g.u.AddPlayer(g.game, "GERMAN", "Karl", "german@example.org", corpusKey(t)); err != nil {
		t.Fatal(err)
	}
	return g
}

// corpusKey is the public half of corpusPGP.
func corpusKey(t *testing.T) string {
	var public strings.Builder
	w, _ := armor.Encode(&public, openpgp.PublicKeyType, nil)
	if err := corpusPGP(t).Serialize(w); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return public.String()
}

// corpusPGP is the same key each time.
func corpusPGP(t *testing.T) *openpgp.Entity {
	e, err := openpgp.NewEntity("Karl", "", "german@example.org", &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA,
		Rand: rand.NewChaCha8([32]byte{9}), Time: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// builder makes the parts of messages. Every sheet has a serial of its own.
type builder struct {
	t      *testing.T
	g      *gameTable
	serial int
	index  strings.Builder
}

func (b *builder) sheet(side string) string {
	b.serial++
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\n\nSTANDING\n\n", b.g.game, side, b.serial)
}

func (b *builder) block() string { return b.g.signed("SOVIET", b.sheet("SOVIET")) }

func (b *builder) ssh(text string) string {
	armored, err := seal.Sign(b.g.keys["SOVIET"], seal.Namespace, []byte(text))
	if err != nil {
		b.t.Fatal(err)
	}
	return armored
}

func (b *builder) pgp(text string) string {
	var out bytes.Buffer
	if err := openpgp.ArmoredDetachSign(&out, corpusPGP(b.t), strings.NewReader(text), b.config()); err != nil {
		b.t.Fatal(err)
	}
	return out.String() + "\n"
}

func (b *builder) config() *packet.Config {
	return &packet.Config{Time: func() time.Time { return b.g.clock }, DefaultHash: crypto.SHA256}
}

func (b *builder) clear(text string) string {
	var out bytes.Buffer
	w, err := clearsign.Encode(&out, corpusPGP(b.t).PrivateKey, b.config())
	if err != nil {
		b.t.Fatal(err)
	}
	fmt.Fprint(w, text)
	w.Close()
	return out.String() + "\n"
}

// put writes a message. The text has a header without From, and LF line ends.
func (b *builder) put(name, want, text string) { b.raw(name, want, "From: soviet@example.org\n"+text) }

func (b *builder) raw(name, want, text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	b.bytes(name, want, []byte(text))
}

func (b *builder) bytes(name, want string, raw []byte) {
	fmt.Fprintf(&b.index, "%-42s %s\n", name, want)
	if err := os.WriteFile(filepath.Join(corpus, name+".eml"), raw, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

const (
	mimeHead = "To: umpire@example.org\nSubject: orders\nDate: Fri, 20 Nov 2026 12:00:00 +0100\nMIME-Version: 1.0\n"
	utf8Text = "Content-Type: text/plain; charset=utf-8\n"
)

func enc64(s string) string {
	text := base64.StdEncoding.EncodeToString([]byte(s))
	var out strings.Builder
	for len(text) > 76 {
		out.WriteString(text[:76] + "\n")
		text = text[76:]
	}
	return out.String() + text + "\n"
}

func encQP(s string) string {
	var out strings.Builder
	w := quotedprintable.NewWriter(&out)
	fmt.Fprint(w, s)
	w.Close()
	return out.String()
}

func encUTF16(s string, mark bool) string {
	var out []byte
	if mark {
		out = append(out, 0xff, 0xfe)
	}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

func together(kind, boundary string, parts ...string) string {
	s := "Content-Type: multipart/" + kind + "; boundary=\"" + boundary + "\"\n\n"
	for _, p := range parts {
		s += "--" + boundary + "\n" + p + "\n"
	}
	return s + "--" + boundary + "--\n"
}

func inHTML(s string) string {
	s = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
	return "<html><head><style>p{margin:0}</style></head><body><p>Hello,</p><p>" + strings.ReplaceAll(s, "\n", "<br>\n") + "</p></body></html>\n"
}

func quoted(s string) string {
	return "> " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n> ") + "\n"
}

func attached(name, head, body string) string {
	return head + "Content-Disposition: attachment; filename=\"" + name + "\"\n\n" + body
}

func writeCorpus(t *testing.T) {
	if err := os.RemoveAll(corpus); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(corpus, 0o755); err != nil {
		t.Fatal(err)
	}
	b := &builder{t: t, g: corpusTable(t)}
	b.index.WriteString("# message and what becomes of it; see corpus_test.go\n")
	b.ordinary()
	b.clients()
	b.signedMIME()
	b.gateways()
	b.robots()
	b.lies()
	if err := os.WriteFile(filepath.Join(corpus, "INDEX"), []byte(b.index.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func shaOf(raw []byte) string { return store.Sum(raw) }
