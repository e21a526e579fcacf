package mailbox

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"mime/quotedprintable"
	"runtime"
	"strings"
	"testing"
	"time"

	"fieldpost/orders"
	"fieldpost/orders/seal"
)

const sheet = `GAME: K7QX2MPA   SIDE: Soviet   TURN: 3   SERIAL: 2
MOVE
  133/XXII  2206-2306      # attack
  XXI ARM   TO 3911 VIA 4013, 4012, 3912 THEN ENTRENCH UNLESS 2306 WAS TAKEN
DONE
`

func key(t testing.TB, n byte) seal.PrivateKey {
	t.Helper()
	k, err := seal.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{n}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func signature(t testing.TB, n byte, text string) string {
	t.Helper()
	armored, err := seal.Sign(key(t, n), seal.Namespace, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return armored
}

func block(t testing.TB, n byte, sheet string) string {
	t.Helper()
	text := orders.Canonical(sheet)
	return seal.Block(text, signature(t, n, text))
}

// crlf gives a message typed with LF the line ends of mail.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

const head = "From: Anna <anna@fieldpost.test>\nTo: gm@fieldpost.test\nSubject: orders\nMIME-Version: 1.0\n"

func plain(body string) string {
	return head + "Content-Type: text/plain; charset=utf-8\n\n" + body
}

func multi(kind string, parts ...string) string {
	var b strings.Builder
	b.WriteString(head + "Content-Type: multipart/" + kind + "; boundary=\"=_b\"\n\npreamble\n")
	for _, p := range parts {
		b.WriteString("--=_b\n" + p + "\n")
	}
	return b.String() + "--=_b--\n"
}

func part(media, extra, body string) string {
	return "Content-Type: " + media + "\n" + extra + "\n" + body
}

func qp(s string) string {
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

func b64(s string) string {
	text := base64.StdEncoding.EncodeToString([]byte(s))
	var b strings.Builder
	for len(text) > 76 {
		b.WriteString(text[:76] + "\n")
		text = text[76:]
	}
	return b.String() + text + "\n"
}

func quoted(s, prefix string) string {
	return prefix + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+prefix) + "\n"
}

func htmlBr(s string) string {
	return "<html><head><title>x</title><style>p{}</style></head><body><div>Hello,</div><p>" +
		strings.ReplaceAll(htmlEscape(s), "\n", "<br>\n") + "</p></body></html>"
}

func htmlEscape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "  ", " &nbsp;").Replace(s)
}

func htmlDivs(s string) string {
	return "<div>" + strings.ReplaceAll(htmlEscape(s), "\n", "</div><div><span>") + "</span></div>"
}

// good are mails whose sheet must be found.
func good(t testing.TB) map[string]string {
	b := block(t, 1, sheet)
	sig := signature(t, 1, sheet)
	sigCanonical := signature(t, 1, orders.Canonical(sheet))
	const attached = "Content-Disposition: attachment; filename=\"orders.txt\"\n"
	const attachedSig = "Content-Disposition: attachment; filename=\"orders.txt.sig\"\n"
	const base64d = "Content-Transfer-Encoding: base64\n"
	sigPart := part("application/octet-stream", attachedSig+base64d, b64(sig))
	return map[string]string{
		"plain":               plain(b),
		"no MIME at all":      "From: anna@fieldpost.test\n\n" + b,
		"with words around":   plain("Hi,\nhere they are.\n\n" + b + "\n-- \nAnna\n"),
		"quoted-printable":    head + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n" + qp("Grüße –\n"+b),
		"base64":              head + "Content-Type: text/plain; charset=utf-8\n" + base64d + "\n" + b64(b),
		"base64, list footer": head + "Content-Type: text/plain; charset=utf-8\n" + base64d + "\n" + b64(b+strings.Repeat(" ", 3-len(b)%3)) + "\n____\nlist footer, not base64!\n",
		"latin1 declared":     head + "Content-Type: text/plain; charset=iso-8859-1\n\nGr\xfc\xdfe\n" + b,
		"latin1 undeclared":   plain("Gr\xfc\xdfe\n" + strings.ReplaceAll(b, " ", "\xa0")),
		"utf-8 as latin1":     head + "Content-Type: text/plain; charset=iso-8859-1\n\nGrüße\n" + b,
		"windows-1252 dashes": head + "Content-Type: text/plain; charset=windows-1252\n\n" + strings.ReplaceAll(b, "-", "\x96"),
		"unknown charset":     head + "Content-Type: text/plain; charset=x-nowhere\n\n" + b,
		"unreadable type":     head + "Content-Type: text; charset\n\n" + b,
		"alternative":         multi("alternative", part("text/plain; charset=utf-8", "", b), part("text/html; charset=utf-8", "", htmlBr(b))),
		"HTML with br":        head + "Content-Type: text/html; charset=utf-8\n\n" + htmlBr(b),
		"HTML with divs":      head + "Content-Type: text/html; charset=utf-8\n\n" + htmlDivs(b),
		"HTML in pre":         head + "Content-Type: text/html; charset=utf-8\n\n<pre>" + htmlEscape(b) + "</pre>",
		"HTML beside useless text": multi("alternative", part("text/plain", "", "This mail needs an HTML viewer.\n"),
			part("text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable\n", qp(htmlBr(b)))),
		"sheet and signature":             multi("mixed", part("text/plain", "", "attached\n"), part("text/plain", attached, sheet), sigPart),
		"sheet in base64 and signature":   multi("mixed", part("text/plain", attached+base64d, b64(sheet)), sigPart),
		"sheet sent as octets":            multi("mixed", sigPart, part("application/octet-stream", attached+base64d, b64(sheet))),
		"sheet and signature, odd names":  multi("mixed", part("text/plain", strings.Replace(attached, "orders.txt", "turn3.doc", 1), sheet), part("text/plain", "Content-Disposition: attachment\n", sig)),
		"sheet as the text, and a .sig":   multi("mixed", part("text/plain; charset=utf-8", "", sheet), sigPart),
		"canonical signature of the text": multi("mixed", part("text/plain; charset=utf-8", "", strings.ReplaceAll(sheet, "  ", " ")), part("application/pgp-signature", attachedSig, sigCanonical)),
		"block as a file":                 multi("mixed", part("text/plain", "", "see file\n"), part("text/plain; name=\"block.txt\"", base64d, b64(b))),
		"quoted reply":                    plain("Anna wrote:\n" + quoted(b, "> ")),
		"forwarded twice":                 plain(quoted(quoted(b, "> "), "> ")),
		"format=flowed":                   head + "Content-Type: text/plain; charset=utf-8; format=flowed\n\n" + strings.ReplaceAll(b, "\nFROM", "\n FROM"),
		"format=flowed, blanks added":     head + "Content-Type: text/plain; format=flowed\n\n" + strings.ReplaceAll(b, "\n", " \n"),
		"format=flowed, quoted, delsp":    head + "Content-Type: text/plain; format=flowed; delsp=yes\n\n" + quoted(b, ">"),
		"mbox From line":                  "From anna@fieldpost.test Fri Nov 20 12:00:00 2026\n" + plain(b),
		"broken header lines":             "this is no header\n and this goes on\n" + strings.Replace(plain(b), "Subject:", "X Y: z\nSubject :", 1),
		"empty lines first":               "\n\n" + plain(b),
		"NUL in the header":               strings.Replace(plain(b), "orders", "or\x00ders", 1),
		"list footer":                     plain(b + "\n_______________________________________________\nleague mailing list\n"),
		"unterminated multipart":          strings.TrimSuffix(multi("mixed", part("text/plain", "", b)), "--=_b--\n"),
		"nested in mixed and alternative": multi("mixed", "Content-Type: multipart/alternative; boundary=in\n\n--in\n"+part("text/plain", "", b)+"\n--in\n"+part("text/html", "", "<p>x</p>")+"\n--in--\n"),
		"the same sheet twice":            plain(b + "\n" + quoted(b, "> ")),
		"a forged block before it":        plain(strings.Replace(b, "2306", "2307", 1) + b),
	}
}

// signed is SignedBy for signatures that carry their key.
func signed(m *Message) (string, seal.Key, error) {
	s, err := SignedBy(m, nil)
	if err != nil {
		return "", seal.PublicKey{}, err
	}
	return s.Text, s.Key, err
}

func TestSheetIsFound(t *testing.T) {
	for name, text := range good(t) {
		for _, raw := range []string{text, crlf(text)} {
			m, err := Read([]byte(raw))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			text, who, err := signed(m)
			if err != nil || text != orders.Canonical(sheet) || who != key(t, 1).Public() {
				t.Errorf("%s: %q, %v\n%s", name, text, err, raw)
			}
		}
	}
}

func TestNoSheetIsFound(t *testing.T) {
	b := block(t, 1, sheet)
	sig := signature(t, 1, sheet)
	attach := func(name, body string) string {
		return part("text/plain", "Content-Disposition: attachment; filename=\""+name+"\"\n", body)
	}
	for _, c := range []struct {
		name, raw string
		want      error
	}{
		{"a letter", plain("How are you?\n"), ErrNoOrders},
		{"no body", head + "\n", ErrNoOrders},
		{"an unsigned sheet", plain(sheet), ErrNoOrders},
		{"an order changed", plain(strings.Replace(b, "2206-2306", "2206-2307", 1)), ErrNoFit},
		{"a line added", plain(strings.Replace(b, "\nDONE", "\nALL RETREAT\nDONE", 1)), ErrNoFit},
		{"a line behind the block only", plain(strings.Replace(b, "\nDONE", "", 1) + "DONE\n"), ErrNoFit},
		{"signature cut", plain(strings.Replace(b, "U1NIU0", "U1NIU", 1)), ErrDamaged},
		{"two sheets", plain(b + block(t, 1, "GAME: X\nDONE\n")), ErrSeveral},
		{"one sheet by two keys", plain(b + block(t, 2, sheet)), ErrSeveral},
		{"a sheet in the text and another attached", multi("mixed", part("text/plain", "", b), attach("o.txt", "DONE\n"), attach("o.txt.sig", signature(t, 1, "DONE\n"))), ErrSeveral},
		{"file changed", multi("mixed", attach("orders.txt", strings.Replace(sheet, "2306", "2307", 1)), attach("orders.txt.sig", sig)), ErrNoFit},
		{"signature without file", multi("mixed", part("text/plain", "", "hello"), attach("orders.txt.sig", sig)), ErrNoFit},
		{"signature of something else", multi("mixed", attach("orders.txt", sheet), attach("orders.txt.sig", foreign(t))), ErrNoFit},
		{"winmail.dat", multi("mixed", part("text/plain", "", "hello"), part("application/ms-tnef; name=winmail.dat", "Content-Transfer-Encoding: base64\n", b64("x\x9f>\"...."))), ErrWinmail},
		{"encrypted", multi("encrypted; protocol=\"application/pgp-encrypted\"", part("application/pgp-encrypted", "", "Version: 1\n"), part("application/octet-stream", "", "-----BEGIN PGP MESSAGE-----\n")), ErrEncrypted},
		{"encrypted in the text", plain("-----BEGIN PGP MESSAGE-----\n\nhF4D\n-----END PGP MESSAGE-----\n"), ErrEncrypted},
		{"two content types", strings.Replace(plain(b), "Content-Type", "Content-Type: text/html\nContent-Type", 1), ErrDoubt},
		{"two content types in a part", multi("mixed", "Content-Type: text/html\n"+part("text/plain", "", b)), ErrDoubt},
		{"an attached mail", multi("mixed", part("message/rfc822", "", plain(b))), ErrNoOrders},
		{"hidden in a script", head + "Content-Type: text/html\n\n<script>" + b + "</script>", ErrNoOrders},
	} {
		m, err := Read([]byte(crlf(c.raw)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text, who, err := signed(m)
		if !errors.Is(err, c.want) || text != "" || !who.IsZero() {
			t.Errorf("%s: %q, %v; want %v", c.name, text, err, c.want)
		}
		if Advice(err) == "" {
			t.Errorf("%s: no advice", c.name)
		}
	}
}

func foreign(t testing.TB) string {
	t.Helper()
	armored, err := seal.Sign(key(t, 1), "git", []byte(sheet))
	if err != nil {
		t.Fatal(err)
	}
	return armored
}

// Mail that only wants to cost time or memory is given up in time.
func TestHostileMail(t *testing.T) {
	nested := func(depth int, leaf string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range depth {
			n := strings.Repeat("b", 1+i%50)
			b.WriteString("Content-Type: multipart/mixed; boundary=" + n + "\n\n--" + n + "\n")
		}
		return b.String() + leaf
	}
	b := block(t, 1, sheet)
	half := "Content-Type: multipart/mixed; boundary=%s\n\n--%[1]s\n"
	for _, c := range []struct {
		name string
		raw  string
		want error // nil: the sheet is found
	}{
		{"nested 10,000 deep", nested(10000, part("text/plain", "", b)), ErrDoubt},
		{"nested 20 deep", nested(20, part("text/plain", "", b)), ErrDoubt},
		{"nested, all one boundary", head + strings.Repeat(fmt.Sprintf(half, "b"), 10000) + part("text/plain", "", b), ErrDoubt},
		{"100,000 empty parts", multi("mixed", strings.Repeat("\n--=_b\n", 100000), part("text/plain", "", b)), ErrDoubt},
		{"a million empty parts", multi("mixed", strings.Repeat("\n--=_b\n", 1000000)), ErrDoubt},
		{"block behind 1 MiB", plain(strings.Repeat("x\n", 512<<10) + b), ErrNoOrders},
		{"block before 4 MiB", plain(b + strings.Repeat("x\n", 2<<20)), nil},
		{"a 20 MB line before it", plain(strings.Repeat("x", 20<<20) + "\n" + b), ErrNoOrders},
		{"a 20 MB line behind it", plain(b + strings.Repeat("x", 20<<20)), nil},
		{"400 bad blocks", plain(strings.Repeat(strings.Replace(b, "DONE", "D0NE", 1), 400)), ErrNoFit},
		{"an unclosed block", plain("-----BEGIN FIELDPOST ORDERS-----\n" + strings.Repeat("A\n", 50000) + b), nil},
		{"20,000 html tags", head + "Content-Type: text/html\n\n" + strings.Repeat("<div>", 20000) + htmlBr(b), nil},
		{"an html bomb of entities", head + "Content-Type: text/html\n\n" + strings.Repeat("&nbsp;", 1<<20) + htmlBr(b), ErrNoOrders},
		{"signature only, 4 MiB", multi("mixed", part("application/octet-stream", "", strings.Repeat("A", 4<<20))), ErrNoOrders},
		{"a 20 MB header in a part", multi("mixed", "X-A: "+strings.Repeat("y", 20<<20)+"\n"+part("text/plain", "", b)), nil},
		{"a thousand attachments", multi("mixed", strings.Repeat("Content-Type: a/b\nContent-Disposition: attachment; filename=x.sig\n\n-----BEGIN SSH SIGNATURE-----\n\n--=_b\n", 1000)), ErrDoubt},
		{"a hundred references", strings.Replace(plain(b), "Subject", "References: "+strings.Repeat("<a@b> ", 5000)+"\nSubject", 1), nil},
		{"quoted ten thousand deep", plain(strings.Repeat(">", 10000) + " x\n" + b), nil},
		{"flowed without end", head + "Content-Type: text/plain; format=flowed\n\n" + strings.Repeat("a \n", 50000) + b, nil},
		{"base64 of nothing", head + "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + strings.Repeat("=\n", 1<<20), ErrNoOrders},
		{"a PGP armour without end", plain("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n" + strings.Repeat("- a\n", 50000)), ErrDamaged},
		{"4000 parameters", strings.Replace(plain(b), "text/plain", "text/plain"+strings.Repeat("; a=b", 4000), 1), nil},
	} {
		idle := heap()
		stop, peak := watchHeap()
		begin := time.Now()
		m, err := Read([]byte(c.raw))
		if err == nil {
			Classify(m, Self{Instance: "x"})
			OfferedKeys(m)
			var s seal.Sealed
			if s, err = SignedBy(m, nil); err == nil && s.Text != orders.Canonical(sheet) {
				t.Errorf("%s: %q", c.name, s.Text)
			}
		}
		took := time.Since(begin)
		close(stop)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		// The bar is 64 MiB for mail of at most 5 MiB; what is larger is not read.
		limit := uint64(64 << 20)
		if len(c.raw) > DefaultMaxMessage {
			limit = uint64(len(c.raw)) * 8
		}
		if used := <-peak; used > idle+limit || took > 2*time.Second {
			t.Errorf("%s: %v and %d MiB", c.name, took, (used-idle)>>20)
		}
	}
	for name, raw := range map[string]string{
		"nothing":          "",
		"only line ends":   "\r\n\r\n",
		"no header":        "hello\nworld\n",
		"a 70 KiB header":  "Subject: " + strings.Repeat("x", 70<<10) + "\n\nx",
		"400 fields":       strings.Repeat("X: y\n", 400) + "\nx",
		"random bytes":     "\x00\xff\xfe\x80",
		"no usable header": "\n: x\n\nbody",
	} {
		var unreadable *ReadError
		if _, err := Read([]byte(raw)); !errors.As(err, &unreadable) || Advice(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// watchHeap looks at the heap until stop is closed, and then tells its peak.
func watchHeap() (stop chan struct{}, peak chan uint64) {
	stop, peak = make(chan struct{}), make(chan uint64, 1)
	go func() {
		most := uint64(0)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return stop, peak
}

func TestReadHeader(t *testing.T) {
	m, err := Read([]byte(crlf(`Return-Path: <>
Delivered-To: gm+k7qx2mpa@fieldpost.test
From: "evil@x.test" <anna@fieldpost.test>
To: gm@fieldpost.test, Bruno <bruno@fieldpost.test>
Subject: =?utf-8?q?Z=C3=BCge?= 3
Date: Fri, 20 Nov 2026 12:00:00 +0100
Message-ID: <1@a>
In-Reply-To: <r.1@b>
References: <r.0@b>,<r.1@b>

x
`)))
	if err != nil {
		t.Fatal(err)
	}
	if m.From != anna || strings.Join(m.To, " ") != "gm@fieldpost.test bruno@fieldpost.test" || m.Subject != "Züge 3" ||
		m.MessageID != "1@a" || strings.Join(m.References, " ") != "r.0@b r.1@b" || m.InReplyTo[0] != "r.1@b" ||
		m.Date.Unix() != 1795172400 && m.Date.IsZero() || m.ReturnPath != "<>" || m.Recipients[0] != "gm+k7qx2mpa@fieldpost.test" {
		t.Errorf("%+v", m)
	}
	for _, from := range []string{"From: a@x.test, b@x.test", "From: a@x.test\nFrom: b@x.test", "From: nobody", "X: y"} {
		m, err := Read([]byte(crlf(from + "\n\nx")))
		if err != nil || m.From != "" {
			t.Errorf("%q: From is %q, %v", from, m.From, err)
		}
	}
	m, err = Read([]byte(crlf(multi("mixed", part("text/plain; name=\"../../etc/passwd\"", "", "x"), part("text/plain", "Content-Disposition: attachment; filename=\"C:\\\\dir\\\\o.txt\"\n", "x")))))
	if err != nil || m.Attachments[0].Name != "passwd" || m.Attachments[1].Name != "o.txt" {
		t.Errorf("%+v, %v", m.Attachments, err)
	}
}

func TestClassify(t *testing.T) {
	self := Self{Instance: "test-1", Addresses: []string{gm}}
	report := "Content-Type: multipart/report; report-type=%; boundary=b\n\n--b--\n"
	for _, c := range []struct {
		header string
		want   Class
	}{
		{"Subject: hi", Ordinary},
		{"Auto-Submitted: no", Ordinary},
		{"Auto-Submitted: No (really)", Ordinary},
		{"X-Fieldpost-Loop: test-1", Own},
		{"X-Fieldpost-Loop: test-2", Ordinary},
		{"From: GM+g7@fieldpost.test", Own},
		{strings.Repeat("Received: x\n", 51) + "Subject: x", Looping},
		{strings.Repeat("Received: x\n", 50) + "Subject: x", Ordinary},
		{strings.Replace(report, "%", "delivery-status", 1), Bounce},
		{strings.Replace(report, "%", "disposition-notification", 1), Receipt},
		{strings.Replace(report, "%", "feedback-report", 1), Receipt},
		{"Return-Path: <>\nFrom: MAILER-DAEMON@x.test", Bounce},
		{"Return-Path: <>\nFrom: MAILER-DAEMON@x.test\nAuto-Submitted: auto-replied", Bounce},
		{"Return-Path: <>\nAuto-Submitted: auto-replied (vacation)", Automated},
		{"Auto-Submitted: auto-generated; x=y", Automated},
		{"X-Autoreply: yes", Automated},
		{"Precedence: auto_reply", Automated},
		{"From: no-reply@shop.test", Automated},
		{"List-Id: <league.x.test>", Bulk},
		{"Precedence: bulk", Bulk},
		{"List-Id: <x>\nAuto-Submitted: auto-generated", Automated},
	} {
		m, err := Read([]byte(crlf(c.header + "\n\nx\n")))
		if err != nil {
			t.Errorf("%q: %v", c.header, err)
			continue
		}
		if got := Classify(m, self); got != c.want {
			t.Errorf("%q is %v, want %v", c.header, got, c.want)
		}
	}
}

// Whatever the bytes, reading them ends well and yields nothing unsigned.
func FuzzRead(f *testing.F) {
	for _, raw := range good(f) {
		f.Add([]byte(crlf(raw)))
	}
	want := orders.Canonical(sheet)
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Read(raw)
		if err != nil {
			return
		}
		Classify(m, Self{Instance: "x"})
		if text, who, err := signed(m); err == nil && who == key(t, 1).Public() && text != want {
			t.Fatalf("forged: %q", text)
		}
	})
}
