package mailbox

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func outgoing() Outgoing {
	return Outgoing{
		From: gm, FromName: "Fieldpost, the \"gm\" – Köln", To: anna, ReplyTo: "gm+k7qx2mpa@fieldpost.test",
		Subject: "[K7QX2MPA] 14 May 1942: Züge der Sowjets, ein langer Betreff, der über eine Zeile hinausgeht",
		Date:    time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 3600)), MessageID: "report.k7qx2mpa.3.german.11.ab12cd34@fieldpost.test",
		InReplyTo: "r.10@fieldpost.test", References: []string{"r.0@fieldpost.test", "r.10@fieldpost.test"},
		Instance: "test-1", ListID: "k7qx2mpa.fieldpost.test", Unsubscribe: "gm+stop@fieldpost.test",
		Text:        "Grüße.\n.a line with a dot\n\nFrom here on\n" + strings.Repeat("long ", 300) + "\n",
		HTML:        "<p>Grüße</p><img src=\"cid:" + ContentID("report.k7qx2mpa.3.german.11.ab12cd34@fieldpost.test", "map.png") + "\">",
		Images:      []File{{"map.png", "image/png", bytes.Repeat([]byte{0x89, 'P', 0, '\n'}, 500)}},
		Attachments: []File{{"map.pdf", "application/pdf", []byte("%PDF")}, {"proofs.txt", "text/plain", []byte("02a9\n")}},
	}
}

func compose(t *testing.T, o Outgoing) []byte {
	t.Helper()
	raw, err := Compose(o)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestComposeIsReadableAndMarked(t *testing.T) {
	o := outgoing()
	raw := compose(t, o)
	m, err := Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	if m.From != gm || len(m.To) != 1 || m.To[0] != anna || m.Subject != o.Subject || !m.Date.Equal(o.Date) || m.MessageID != o.MessageID ||
		m.InReplyTo[0] != o.InReplyTo || len(m.References) != 2 {
		t.Errorf("%+v\n%s", m, raw[:1500])
	}
	for field, want := range map[string]string{
		"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All", "X-Fieldpost-Loop": "test-1",
		"List-Id": "<k7qx2mpa.fieldpost.test>", "List-Unsubscribe": "<mailto:gm+stop@fieldpost.test>",
		"Reply-To": "<gm+k7qx2mpa@fieldpost.test>", "Precedence": "", "Bcc": "", "Cc": "",
	} {
		if got := strings.Join(m.Header(field), "|"); got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
	if len(m.Texts) != 2 || m.Texts[0].Text != o.Text || m.Texts[1].AsSent != o.HTML {
		t.Errorf("texts: %q", m.Texts)
	}
	if len(m.Attachments) != 3 || !bytes.Equal(m.Attachments[0].Data, o.Images[0].Data) || m.Attachments[0].Name != "map.png" ||
		string(m.Attachments[1].Data) != "%PDF" || string(m.Attachments[2].Data) != "02a9\n" {
		t.Errorf("attachments: %+v", m.Attachments)
	}
	if !bytes.Contains(raw, []byte("Content-ID: <"+ContentID(o.MessageID, "map.png")+">")) &&
		!bytes.Contains(raw, []byte("Content-Id: <"+ContentID(o.MessageID, "map.png")+">")) {
		t.Error("the picture has not the id that the HTML names")
	}
	for line := range bytes.Lines(raw) {
		if len(line) > 200 || !bytes.HasSuffix(line, []byte("\r\n")) {
			t.Errorf("line %q", line)
		}
	}
	if Classify(m, Self{Instance: "test-1"}) != Own || Classify(m, Self{Instance: "other"}) != Automated {
		t.Error("our own mail is not known again")
	}
	o.Kind = Answer
	if m, err = Read(compose(t, o)); err != nil || m.Header("Auto-Submitted")[0] != "auto-replied" || len(m.Header("List-Id")) != 0 || len(m.Header("Precedence")) != 1 {
		t.Errorf("an answer: %v, %v", m.Header("Auto-Submitted"), err)
	}
}

// Equal input, equal bytes, for every nesting that the parts can have.
func TestComposeIsReproducible(t *testing.T) {
	for bits := range 8 {
		o := outgoing()
		if bits&1 == 0 {
			o.HTML = ""
		}
		if bits&2 == 0 {
			o.Images = nil
		}
		if bits&4 == 0 {
			o.Attachments = nil
		}
		first := compose(t, o)
		for range 3 {
			if !bytes.Equal(first, compose(t, o)) {
				t.Fatalf("variant %d differs from itself", bits)
			}
		}
		m, err := Read(first)
		if err != nil || len(m.Texts) != 1+bits&1 || m.Texts[0].Text != o.Text || len(m.Attachments) != len(o.Images)+len(o.Attachments) {
			t.Errorf("variant %d: %v, %d texts, %d attachments\n%s", bits, err, len(m.Texts), len(m.Attachments), first)
		}
		o.Text += "."
		if bits > 0 && bytes.Contains(compose(t, o), boundaryOf(first)) {
			t.Errorf("variant %d: two mails with one boundary", bits)
		}
	}
}

func boundaryOf(raw []byte) []byte {
	_, rest, _ := bytes.Cut(raw, []byte("boundary=\""))
	b, _, _ := bytes.Cut(rest, []byte("\""))
	return b
}

// A text that imitates the structure of a mail stays text.
func TestComposeCannotBeInjected(t *testing.T) {
	o := outgoing()
	bait := "\r\nContent-Type: multipart/mixed;\r\n boundary=" + strings.Repeat("a", 60) + "\r\n\r\n--" + string(boundaryOf(compose(t, o))) + "\r\n--=_fp0_x--\r\n"
	o.Text += bait
	m, err := Read(compose(t, o))
	if err != nil || m.Texts[0].Text != strings.ReplaceAll(o.Text, "\r\n", "\n") || len(m.Texts) != 2 || len(m.Attachments) != 3 {
		t.Errorf("%v: %q", err, m.Texts)
	}
	for name, spoil := range map[string]func(*Outgoing){
		"two recipients":          func(o *Outgoing) { o.To = "a@x.test, b@x.test" },
		"recipient with a name":   func(o *Outgoing) { o.To = "Anna <a@x.test>" },
		"header in the recipient": func(o *Outgoing) { o.To = "a@x.test\r\nBcc: b@x.test" },
		"quoted local part":       func(o *Outgoing) { o.To = "\"a b\"@x.test" },
		"header in the subject":   func(o *Outgoing) { o.Subject = "x\r\nBcc: b@x.test" },
		"header in the id":        func(o *Outgoing) { o.MessageID = "x@y\r\nBcc: b@x.test" },
		"an id like two":          func(o *Outgoing) { o.References = []string{"a@b> <c@d"} },
		"header in the name":      func(o *Outgoing) { o.FromName = "x\nBcc: b@x.test" },
		"path as file name":       func(o *Outgoing) { o.Images[0].Name = "../x.png" },
		"header in the type":      func(o *Outgoing) { o.Images[0].Type = "image/png\r\nX: y" },
		"no date":                 func(o *Outgoing) { o.Date = time.Time{} },
		"no instance":             func(o *Outgoing) { o.Instance = "" },
		"no text":                 func(o *Outgoing) { o.Text = "" },
	} {
		o := outgoing()
		spoil(&o)
		if raw, err := Compose(o); err == nil {
			t.Errorf("%s: composed\n%s", name, raw[:400])
		}
	}
}
