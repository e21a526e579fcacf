package mailbox

import (
	"bytes"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"golang.org/x/text/unicode/norm"

	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/trial/signers"
)

var update = flag.Bool("update", false, "write the table of what transit does to each format")

var (
	ssh1   = signers.NewSSH(1)
	pgp1   = signers.NewPGP(1)
	pgp2   = signers.NewPGP(2)
	smime1 = signers.NewSMIME(1)
	smime2 = signers.NewSMIME(2)
)

func ringOf(keys ...seal.Key) *seal.Ring { return seal.NewRing(signers.Signed, keys...) }

// textPart is a part with its header, as a mail program signs it.
func textPart(body string) string {
	return "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n" + qp(body)
}

// nested is what Thunderbird signs: the text inside a multipart whose header
// repeats the fields of the mail.
func nested(body string) string {
	return "Content-Type: multipart/mixed; boundary=\"=_in\"; protected-headers=\"v1\"\nFrom: Anna <anna@fieldpost.test>\nSubject: orders\n\n--=_in\n" +
		"Content-Type: multipart/mixed; boundary=\"=_in2\"\n\n--=_in2\n" + textPart(body) + "\n--=_in2\n" +
		part("application/pgp-keys; name=\"key.asc\"", "Content-Disposition: attachment; filename=\"key.asc\"\n", pgp1.Public()) + "\n--=_in2--\n\n--=_in--\n"
}

// mailHead is the head of a mail whose content type follows.
var mailHead = crlf(head)

const file = "Content-Disposition: attachment; filename="

func b64Bytes(b []byte) string { return b64(string(b)) }

// goodMIME are mails whose sheet must be found, with the key that signed.
func goodMIME() map[string]struct {
	raw string
	key seal.Key
} {
	type mail = struct {
		raw string
		key seal.Key
	}
	letter := "Dear umpire,\n\n" + sheet + "\nBest wishes\n-- \nAnna\n"
	exchange := func(m string) string {
		return strings.Replace(strings.Replace(m, "multipart/signed", "multipart/mixed", 1), "protocol=\"application/pgp-signature\"; ", "", 1)
	}
	pgpDetached, p7s := pgp1.Detached(sheet), smime1.Detached(sheet)
	return map[string]mail{
		"clearsigned":                   {plain("Hello\n" + pgp1.Clearsigned(letter) + "bye\n"), pgp1.Key()},
		"clearsigned, quoted-printable": {head + textPart(pgp1.Clearsigned(letter)), pgp1.Key()},
		"clearsigned, quoted":           {plain(quoted(pgp1.Clearsigned(letter), "> ")), pgp1.Key()},
		"clearsigned file":              {multi("mixed", part("text/plain", "", "see file\n"), part("text/plain", file+"\"o.txt.asc\"\n", pgp1.Clearsigned(sheet))), pgp1.Key()},
		"clearsigned, flowed":           {head + "Content-Type: text/plain; charset=utf-8; format=flowed\n\n" + pgp1.Clearsigned(sheet), pgp1.Key()},
		"PGP/MIME":                      {mailHead + pgp1.MIME(textPart(letter)), pgp1.Key()},
		"PGP/MIME, protected headers":   {mailHead + pgp1.MIME(nested(letter)), pgp1.Key()},
		"PGP/MIME, alternative": {mailHead + pgp1.MIME("Content-Type: multipart/alternative; boundary=a\n\n--a\n"+textPart(letter)+"\n--a\n"+
			part("text/html", "", htmlBr(letter))+"\n--a--\n"), pgp1.Key()},
		"PGP/MIME, HTML alone": {mailHead + pgp1.MIME(part("text/html; charset=utf-8", "", htmlBr(sheet))), pgp1.Key()},
		"PGP/MIME, attached sheet": {mailHead + pgp1.MIME("Content-Type: multipart/mixed; boundary=a\n\n--a\n"+textPart("attached\n")+"\n--a\n"+
			part("text/plain", file+"\"o.txt\"\n", sheet)+"\n--a--\n"), pgp1.Key()},
		"PGP/MIME through a list": {"From: l@x.test\nContent-Type: multipart/mixed; boundary=list\n\n--list\n" + strings.ReplaceAll(pgp1.MIME(textPart(letter)), "\r\n", "\n") +
			"\n--list\n" + part("text/plain", "", "GAME: FOOTER\nDONE\n") + "\n--list--\n", pgp1.Key()},
		"PGP/MIME, rebuilt by Exchange": {mailHead + exchange(pgp1.MIME(textPart(letter))), pgp1.Key()},
		"text and a lone .asc":          {multi("mixed", part("text/plain; charset=utf-8", "", sheet), part("application/octet-stream", file+"\"signature.asc\"\n", pgpDetached)), pgp1.Key()},
		"text recoded, and a lone .asc": {multi("mixed", textPart(sheet), part("text/plain", file+"\"noname\"\nContent-Transfer-Encoding: base64\n", b64(pgpDetached))), pgp1.Key()},
		"sheet and .asc": {multi("mixed", part("text/plain", "", "attached\n"), part("text/plain", file+"\"orders.txt\"\n", sheet),
			part("application/pgp-signature", file+"\"orders.txt.asc\"\n", pgpDetached)), pgp1.Key()},
		"sheet and .asc in text mode": {multi("mixed", part("text/plain", file+"\"orders.txt\"\n", sheet),
			part("application/pgp-signature", file+"\"orders.txt.asc\"\n", pgp1.DetachedText(sheet))), pgp1.Key()},
		"S/MIME":                   {mailHead + smime1.MIME(textPart(letter)), smime1.Key()},
		"S/MIME of a bare text":    {mailHead + smime1.MIME(sheet), smime1.Key()},
		"S/MIME, empty header":     {mailHead + smime1.MIME("\n"+sheet), smime1.Key()},
		"S/MIME, opaque":           {head + part("application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "Content-Transfer-Encoding: base64\n", b64Bytes(smime1.Opaque(crlf(textPart(letter))))), smime1.Key()},
		"sheet and .p7s":           {multi("mixed", part("text/plain", file+"\"orders.txt\"\n", sheet), part("application/octet-stream", file+"\"orders.txt.p7s\"\nContent-Transfer-Encoding: base64\n", b64Bytes(p7s))), smime1.Key()},
		"text and a .p7s":          {multi("mixed", part("text/plain", "", sheet), part("application/pkcs7-signature", file+"\"smime.p7s\"\nContent-Transfer-Encoding: base64\n", b64Bytes(p7s))), smime1.Key()},
		"a .p7s before the text":   {multi("mixed", part("application/pkcs7-signature", file+"\"smime.p7s\"\nContent-Transfer-Encoding: base64\n", b64Bytes(p7s)), part("text/plain", "", sheet)), smime1.Key()},
		"PGP signs a signed block": {mailHead + pgp2.MIME(textPart(ssh1.Block(sheet))), ssh1.Public()},
	}
}

func TestSignedMIME(t *testing.T) {
	ring := ringOf(pgp1.Key(), smime1.Key())
	for name, c := range goodMIME() {
		for _, raw := range []string{crlf(strings.ReplaceAll(c.raw, "\r\n", "\n")), strings.ReplaceAll(c.raw, "\r\n", "\n")} {
			m, err := Read([]byte(raw))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			s, err := SignedBy(m, ring)
			if err != nil || s.Text != orders.Canonical(sheet) || s.Key != c.key {
				t.Errorf("%s: %q, %v\n%s", name, s.Text, err, raw)
			}
			if c.key.Method() == seal.SSH {
				continue
			}
			if _, _, err := signed(m); !errors.Is(err, ErrUnknown) || Advice(err) == "" {
				t.Errorf("%s, without a ring: %v", name, err)
			}
			if s, err := SignedBy(m, ringOf(pgp2.Key(), smime2.Key())); err == nil {
				t.Errorf("%s: %q by another's key", name, s.Text)
			}
		}
	}
}

func TestForgedMIME(t *testing.T) {
	mime, small := pgp1.MIME(textPart(sheet)), smime1.MIME(textPart(sheet))
	other := "GAME: EVIL\nSIDE: SOVIET\nDONE\n"
	for name, c := range map[string]struct {
		raw  string
		want error
	}{
		"order changed, PGP/MIME":       {mailHead + strings.Replace(mime, "2206-2306", "2206-2307", 1), ErrNoFit},
		"line added, PGP/MIME":          {mailHead + strings.Replace(mime, "DONE", "RETREAT\r\nDONE", 1), ErrNoFit},
		"order changed, S/MIME":         {mailHead + strings.Replace(small, "2206-2306", "2206-2307", 1), ErrNoFit},
		"line added, S/MIME":            {mailHead + strings.Replace(small, "DONE", "RETREAT\r\nDONE", 1), ErrNoFit},
		"header added to the part":      {mailHead + strings.Replace(mime, "\r\nContent-Transfer", "\r\nX-Y: z\r\nContent-Transfer", 1), ErrNoFit},
		"a signed letter":               {mailHead + pgp1.MIME(textPart("How are you?\n")), ErrNoSheet},
		"a signed letter with two":      {mailHead + pgp1.MIME(textPart(sheet+other)), ErrNoSheet},
		"a signed quotation":            {mailHead + pgp1.MIME(textPart("no\n"+quoted(sheet, "> "))), ErrNoSheet},
		"two differing parts":           {mailHead + pgp1.MIME("Content-Type: multipart/mixed; boundary=a\n\n--a\n"+textPart(sheet)+"\n--a\n"+textPart(other)+"\n--a--\n"), ErrSeveral},
		"two clearsigned":               {plain(pgp1.Clearsigned(sheet) + pgp1.Clearsigned(other)), ErrSeveral},
		"signature of another part":     {mailHead + strings.Replace(pgp1.MIME(textPart(other)), crlf(qp(other)), crlf(qp(sheet)), 1), ErrNoFit},
		"key of a stranger":             {mailHead + pgp2.MIME(textPart(sheet)), ErrUnknown},
		"twin of a certificate":         {mailHead + smime1.Twin().MIME(textPart(sheet)), ErrNoFit},
		"clearsigned, nothing in it":    {plain(pgp1.Clearsigned("hello\n") + sheet), ErrNoSheet},
		"a mail attached that is":       {multi("mixed", part("message/rfc822", "", plain(pgp1.Clearsigned(sheet)))), ErrNoOrders},
		"a part that says twice":        {mailHead + pgp1.MIME("Content-Type: text/html\n"+textPart(sheet)), ErrDoubt},
		"HTML hides a clearsigned text": {head + "Content-Type: text/html\n\n" + htmlBr(pgp1.Clearsigned(sheet)), ErrNoOrders},
	} {
		m, err := Read([]byte(crlf(strings.ReplaceAll(c.raw, "\r\n", "\n"))))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := SignedBy(m, ringOf(pgp1.Key(), smime1.Key()))
		if !errors.Is(err, c.want) || s != (seal.Sealed{}) || Advice(err) == "" {
			t.Errorf("%s: %q, %v; want %v", name, s.Text, err, c.want)
		}
	}
}

// A line that stands outside of what is signed is nobody's, wherever it is.
func TestOutsideIsNeverRead(t *testing.T) {
	evil := "GAME: K7QX2MPA\nSIDE: SOVIET\nTURN: 3\nSERIAL: 9\nRETREAT ALL\nDONE\n"
	ring := ringOf(pgp1.Key(), smime1.Key())
	for name, c := range goodMIME() {
		raw := strings.ReplaceAll(c.raw, "\r\n", "\n")
		top, body, _ := strings.Cut(raw, "\n\n")
		around := []string{raw + "\n" + evil, top + "\n\n" + evil + "\n" + body}
		if strings.Contains(top, "multipart/") {
			for _, b := range []string{"=_b", "=_signed", "list"} {
				around = append(around, strings.Replace(raw, "\n--"+b+"\n", "\n--"+b+"\nContent-Type: text/plain\n\n"+evil+"\n--"+b+"\n", 1))
				around = append(around, strings.Replace(raw, "\n--"+b+"--\n", "\n--"+b+"\nContent-Type: text/plain\n\n"+evil+"\n--"+b+"--\n", 1))
			}
		}
		for _, a := range around {
			m, err := Read([]byte(crlf(a)))
			if err != nil {
				continue
			}
			if s, err := SignedBy(m, ring); err == nil && s.Text != orders.Canonical(sheet) {
				t.Errorf("%s: %q", name, s.Text)
			}
		}
	}
}

// The table of mail.md in the project's own test: changes on the way, by format.
var changes = []struct {
	name string
	do   func(string) string
	bad  bool // meant: must be rejected in every format
}{
	{"LF to CRLF", crlf, false},
	{"trailing blanks stripped", func(s string) string { return eachLine(s, func(l string) string { return strings.TrimRight(l, " ") }) }, false},
	{"trailing blanks added", func(s string) string { return eachLine(s, func(l string) string { return l + "  " }) }, false},
	{"final newline dropped", func(s string) string { return strings.TrimRight(s, "\n") }, false},
	{"blank lines added at the end", func(s string) string { return s + "\n\n\n" }, false},
	{"BOM and blank line before", func(s string) string { return "\ufeff\n" + s }, false},
	{"wrapped at 72", func(s string) string { return eachLine(s, wrap72) }, false},
	{"flowed, space-stuffed", func(s string) string { return eachLine(s, stuff) }, false},
	{"mbox >From", func(s string) string { return strings.ReplaceAll(s, "\nFrom ", "\n>From ") }, false},
	{"blanks to NBSP", func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }, false},
	{"en dash and curly quotes", func(s string) string {
		return strings.NewReplacer("-", "\u2013", `"`, "\u201d", "'", "\u2019").Replace(s)
	}, false},
	{"HTML round trip, double lines", func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") }, false},
	{"list footer appended", func(s string) string { return s + "\n____\nleague list\nhttps://x.test/\n" }, false},
	{"quoted once", func(s string) string { return quoted(s, "> ") }, false},
	{"quoted twice", func(s string) string { return quoted(quoted(s, "> "), "> ") }, false},
	{"latin1 read as utf-8 and back", func(s string) string { return strings.ReplaceAll(s, "ü", "Ã¼") }, false},
	{"NFD", norm.NFD.String, false},
	{"first letters capitalised", func(s string) string {
		return eachLine(s, func(l string) string { return strings.ToUpper(l[:min(1, len(l))]) + l[min(1, len(l)):] })
	}, false},
	{"order changed", func(s string) string { return strings.Replace(s, "2306", "2307", 1) }, true},
	{"line added", func(s string) string { return strings.Replace(s, "DONE", "RETREAT ALL\nDONE", 1) }, true},
}

func eachLine(s string, do func(string) string) string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = do(l)
	}
	return strings.Join(lines, "\n") + "\n"
}

func wrap72(l string) string {
	out, rest := "", l
	for len(rest) > 72 {
		i := strings.LastIndexByte(rest[:72], ' ')
		if i <= 0 {
			break
		}
		out, rest = out+rest[:i]+"\n", rest[i+1:]
	}
	return out + rest
}

func stuff(l string) string {
	if strings.HasPrefix(l, " ") || strings.HasPrefix(l, ">") || strings.HasPrefix(l, "From ") {
		l = " " + l
	}
	return strings.ReplaceAll(wrap72(l), "\n", " \n")
}

// transitSheet has what mail mangles. Its umlaut stands in a comment: orders are
// ASCII.
const transitSheet = `GAME: K7QX2MPA   SIDE: Soviet
TURN: 3
SERIAL: 2
MOVE
  133/XXII  2206-2306      # "über" die Höhe
From 2205: 2 Art. - LIMBER
  XXI ARM   TO 3911 VIA 4013, 4012, 3912 THEN ENTRENCH UNLESS 2306 WAS TAKEN BEFORE DARK
- note
DONE
`

// Formats change as a whole text where they are text, and in the signed part
// where they are MIME. In the last two the file changes and its signature not.
func TestTransit(t *testing.T) {
	mixed := func(body, name, sig string) string {
		return head + "Content-Type: multipart/mixed; boundary=\"=_b\"\n\n--=_b\nContent-Type: text/plain; charset=utf-8\nContent-Disposition: attachment; filename=\"orders.txt\"\n\n" + body +
			"\n--=_b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"orders.txt." + name + "\"\nContent-Transfer-Encoding: base64\n\n" + b64(sig) + "\n--=_b--\n"
	}
	inPart := func(signed func(string) string) func(func(string) string) string {
		return func(do func(string) string) string {
			raw := strings.ReplaceAll(signed("Content-Type: text/plain; charset=utf-8\n\n"+transitSheet), "\r\n", "\n")
			before, rest, _ := strings.Cut(raw, transitSheet)
			changed := do(transitSheet)
			return head + before + changed + rest
		}
	}
	asFile := func(name string, sig string) func(func(string) string) string {
		return func(do func(string) string) string { return mixed(do(transitSheet), name, sig) }
	}
	formats := []struct {
		name string
		send func(do func(string) string) string
	}{
		{"block", func(do func(string) string) string { return plain(do(ssh1.Block(transitSheet))) }},
		{"clearsigned", func(do func(string) string) string { return plain(do(pgp1.Clearsigned(transitSheet))) }},
		{"PGP/MIME", inPart(pgp1.MIME)},
		{"S/MIME", inPart(smime1.MIME)},
		{".sig", asFile("sig", ssh1.Detached(transitSheet))},
		{".sig canonical", asFile("sig", ssh1.Detached(orders.Canonical(transitSheet)))},
		{".asc", asFile("asc", pgp1.Detached(transitSheet))},
		{".asc text mode", asFile("asc", pgp1.DetachedText(transitSheet))},
		{".p7s", asFile("p7s", string(smime1.Detached(transitSheet)))},
	}
	ring := ringOf(pgp1.Key(), smime1.Key())
	want := orders.Canonical(transitSheet)
	for _, f := range formats {
		m, err := Read([]byte(f.send(func(s string) string { return s })))
		if err != nil {
			t.Fatal(err)
		}
		if s, err := SignedBy(m, ring); err != nil || s.Text != want {
			t.Fatalf("%s unchanged: %q, %v", f.name, s.Text, err)
		}
	}
	var table strings.Builder
	table.WriteString("change")
	for _, f := range formats {
		table.WriteString(" | " + f.name)
	}
	table.WriteString("\n")
	for _, c := range changes {
		table.WriteString(c.name)
		for _, f := range formats {
			m, err := Read([]byte(f.send(c.do)))
			if err != nil {
				t.Fatal(err)
			}
			s, err := SignedBy(m, ring)
			switch {
			case err == nil && s.Text != want:
				t.Errorf("%s, %s: something else was accepted: %q", f.name, c.name, s.Text)
			case err == nil && c.bad:
				t.Errorf("%s, %s: accepted", f.name, c.name)
			case err != nil && f.name == "block" && !c.bad && c.name != "first letters capitalised":
				t.Errorf("%s, %s: %v", f.name, c.name, err)
			}
			if err == nil {
				table.WriteString(" | ok")
			} else {
				table.WriteString(" | -")
			}
		}
		table.WriteString("\n")
	}
	path := filepath.Join("testdata", "transit.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(path)
	if err != nil || string(golden) != table.String() {
		t.Errorf("%s differs (%v); it should be\n%s", path, err, table.String())
	}
}

// The mails of real programs.
func TestRealProgramsSignMIME(t *testing.T) {
	dir, err := os.MkdirTemp("", "fp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	run := func(t *testing.T, stdin, name string, args ...string) string {
		t.Helper()
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip("no " + name + " here")
		}
		cmd := exec.Command(path, args...)
		cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader(stdin), append(os.Environ(), "GNUPGHOME="+dir)
		var out, bad bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &bad
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, bad.String())
		}
		return out.String()
	}
	open := func(t *testing.T, raw string, key seal.Key) {
		t.Helper()
		m, err := Read([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		s, err := SignedBy(m, seal.NewRing(time.Now(), key))
		if err != nil || s.Text != orders.Canonical(sheet) || s.Key != key {
			t.Errorf("%q, %v\n%s", s.Text, err, raw)
		}
	}
	enrolled := func(t *testing.T, text string) seal.Key {
		t.Helper()
		k, err := seal.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	t.Run("gpg", func(t *testing.T) {
		run(t, "", "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "anna@fieldpost.test", "ed25519", "sign", "1y")
		defer run(t, "", "gpgconf", "--kill", "all")
		key := enrolled(t, run(t, "", "gpg", "--armor", "--export"))
		open(t, plain("Hi\n"+run(t, sheet, "gpg", "--batch", "--clearsign")+"GAME: X\n"), key)
		for _, p := range []string{textPart(sheet), nested("Hello,\n" + sheet)} {
			sig := run(t, crlf(p), "gpg", "--batch", "--armor", "--detach-sign")
			open(t, mailHead+crlf("Content-Type: multipart/signed; micalg=pgp-sha512; protocol=\"application/pgp-signature\"; boundary=x\n\n--x\n"+p+
				"\n--x\nContent-Type: application/pgp-signature\n\n"+sig+"\n--x--\n"), key)
		}
		sig := run(t, sheet, "gpg", "--batch", "--detach-sign")
		open(t, multi("mixed", part("text/plain", file+"\"o.txt\"\n", sheet), part("application/octet-stream", file+"\"o.txt.sig\"\nContent-Transfer-Encoding: base64\n", b64(sig))), key)
		whole := run(t, sheet, "gpg", "--batch", "--sign")
		for shape, raw := range map[string]string{
			"armour in the text": plain(run(t, sheet, "gpg", "--batch", "--armor", "--sign")),
			"armour in a file":   multi("mixed", textPart("Hello"), part("application/octet-stream", file+"\"o.txt.asc\"\n", run(t, sheet, "gpg", "--batch", "--armor", "--sign"))),
			"a file":             multi("mixed", textPart("Hello"), part("application/octet-stream", file+"\"o.txt.gpg\"\nContent-Transfer-Encoding: base64\n", b64(whole))),
			"a file, unpacked":   multi("mixed", textPart("Hello"), part("application/pgp-encrypted", file+"\"o.gpg\"\nContent-Transfer-Encoding: base64\n", b64(run(t, sheet, "gpg", "--batch", "--compress-algo", "none", "--sign")))),
		} {
			m, err := Read([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := SignedBy(m, seal.NewRing(time.Now(), key)); !errors.Is(err, ErrPacked) {
				t.Errorf("gpg --sign, %s: %v", shape, err)
			}
		}
	})
	t.Run("openssl", func(t *testing.T) {
		run(t, "", "openssl", "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=Anna", "-days", "30", "-keyout", "key.pem", "-out", "cert.pem")
		pem, err := os.ReadFile(filepath.Join(dir, "cert.pem"))
		if err != nil {
			t.Fatal(err)
		}
		key := enrolled(t, string(pem))
		sign := []string{"cms", "-sign", "-signer", "cert.pem", "-inkey", "key.pem"}
		for _, extra := range [][]string{nil, {"-text"}, {"-crlfeol"}, {"-nodetach", "-text"}} {
			open(t, head[:strings.Index(head, "MIME-Version")]+run(t, sheet, "openssl", append(sign, extra...)...), key)
		}
		open(t, head[:strings.Index(head, "MIME-Version")]+run(t, textPart("Hello,\n"+sheet), "openssl", sign...), key)
		der := run(t, sheet, "openssl", append(sign, "-binary", "-outform", "DER")...)
		open(t, multi("mixed", part("text/plain", "", sheet), part("application/pkcs7-signature", file+"\"smime.p7s\"\nContent-Transfer-Encoding: base64\n", b64(der))), key)
	})
}

func TestOfferedKeys(t *testing.T) {
	raw := multi("mixed", part("text/plain", "", "my key:\n"+pgp1.Public()), part("application/pgp-keys", file+"\"k.asc\"\n", pgp2.Public()),
		part("application/pkcs7-signature", file+"\"smime.p7s\"\nContent-Transfer-Encoding: base64\n", b64Bytes(smime1.Detached("x"))))
	m, err := Read([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, k := range OfferedKeys(m) {
		found[k.ID()] = true
	}
	if len(found) != 3 || !found[pgp1.Key().ID()] || !found[pgp2.Key().ID()] || !found[smime1.Key().ID()] {
		t.Errorf("%v", found)
	}
}

func TestRawParts(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"pre\r\n--b\r\none\r\n--b\r\ntwo\r\n\r\n--b--\r\npost", "one|two\r\n"},
		{"--b\none\n--b  \n\n--b--", "one|"},
		{"--b\none", "one"},
		{"--bb\nno\n--b\nyes\n--bx\nstill\n--b--", "yes\n--bx\nstill"},
		{"nothing", ""},
	} {
		var got []string
		for _, p := range rawParts([]byte(c.body), "b", 9) {
			got = append(got, string(p))
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q: %q", c.body, got)
		}
	}
	deep := ""
	for i := range 100 {
		deep += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	if n := len(readRaw([]byte(deep)).leaves()); n != 1 {
		t.Errorf("%d leaves", n)
	}
	wide := "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 10000)
	if n := len(readRaw([]byte(wide)).leaves()); n > maxParts {
		t.Errorf("%d leaves", n)
	}
}

// A hostile mail full of signatures is given up in time.
func TestManySignatures(t *testing.T) {
	var parts []string
	for range 60 {
		parts = append(parts, part("application/octet-stream", file+"\"x.p7s\"\nContent-Transfer-Encoding: base64\n",
			base64.StdEncoding.EncodeToString(append([]byte{0x30, 0x80, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02, 0xa0, 0x80}, bytes.Repeat([]byte{0x30, 0}, 11<<10)...))))
	}
	start := time.Now()
	m, err := Read([]byte(multi("mixed", parts...)))
	if err != nil {
		t.Fatal(err)
	}
	OfferedKeys(m)
	if _, err := SignedBy(m, ringOf(smime1.Key())); err == nil {
		t.Error("it holds a sheet")
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
}

// Whatever the bytes, nothing is found that the keys did not sign.
func FuzzSignedMIME(f *testing.F) {
	for _, c := range goodMIME() {
		f.Add([]byte(c.raw))
	}
	ring := ringOf(pgp1.Key(), smime1.Key())
	want := orders.Canonical(sheet)
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Read(raw)
		if err != nil {
			return
		}
		OfferedKeys(m)
		s, err := SignedBy(m, ring)
		// All that these keys ever signed here is the sheet, or the sheet in a
		// letter or part; of that a shorter reading may be possible.
		if err == nil && (s.Key == pgp1.Key() || s.Key == smime1.Key()) && s.Text != want {
			t.Fatalf("forged: %q", s.Text)
		}
	})
}

func BenchmarkSignedPGPMIME(b *testing.B) {
	raw := []byte(mailHead + pgp1.MIME(textPart(sheet)))
	ring := ringOf(pgp1.Key())
	for b.Loop() {
		m, err := Read(raw)
		if err == nil {
			_, err = SignedBy(m, ring)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// A key or a certificate that has run out is called that, in whatever shape the mail comes.
func TestExpiredKeysAreCalledExpired(t *testing.T) {
	expiring := *signers.PGPConfig
	expiring.KeyLifetimeSecs, expiring.Time = 3600, func() time.Time { return signers.Signed.Add(-time.Minute) }
	short, cert := signers.NewPGPWith(&expiring), signers.NewSMIME(7)
	ring := seal.NewRing(signers.Born.AddDate(3, 0, 0), short.Key(), cert.Key())
	other := part("text/plain", file+"\"note.txt\"\n", "Hello")
	for name, raw := range map[string]string{
		"clearsigned":           plain(short.Clearsigned(sheet)),
		"PGP/MIME":              mailHead + short.MIME(textPart(sheet)),
		"a file beside another": multi("mixed", other, part("text/plain", file+"\"o.txt\"\n", sheet), part("application/pgp-signature", file+"\"o.txt.asc\"\n", short.Detached(sheet))),
		"S/MIME":                mailHead + cert.MIME(textPart(sheet)),
		"S/MIME beside another": multi("mixed", other, part("text/plain", file+"\"o.txt\"\n", sheet), part("application/pkcs7-signature", file+"\"o.txt.p7s\"\nContent-Transfer-Encoding: base64\n", b64(string(cert.Detached(sheet))))),
	} {
		m, err := Read([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := SignedBy(m, ring); !errors.Is(err, ErrExpired) || !strings.Contains(Advice(err), "has expired") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A signed multipart within another one is found, also where its boundary lacks quotation marks.
func TestSignedWithinWithoutQuotationMarks(t *testing.T) {
	boundary := regexp.MustCompile(`boundary="?([^";\r\n]+)"?`)
	signed := pgp1.MIME(textPart(sheet))
	name := boundary.FindStringSubmatch(signed)[1]
	bare := strings.ReplaceAll(boundary.ReplaceAllString(signed, "boundary=a:b(1)"), "--"+name, "--a:b(1)")
	m, err := Read([]byte(mailHead + "Content-Type: multipart/mixed; boundary=outer?x\r\n\r\n--outer?x\r\n" + crlf(textPart("Hello")) + "\r\n--outer?x\r\n" + bare + "\r\n--outer?x--\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := SignedBy(m, ringOf(pgp1.Key())); err != nil || s.Key != pgp1.Key() || s.Text != orders.Canonical(sheet) {
		t.Errorf("%+v, %v", s, err)
	}
}

// What "gpg --sign" writes is signed and not encrypted, and its sender is told so.
func TestASignedMessageIsCalledSigned(t *testing.T) {
	p := signers.NewPGP(1)
	var b bytes.Buffer
	armoured, err := armor.Encode(&b, "PGP MESSAGE", nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := openpgp.Sign(armoured, p.Entity, nil, signers.PGPConfig)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, sheet)
	if err := errors.Join(w.Close(), armoured.Close()); err != nil {
		t.Fatal(err)
	}
	m, err := Read([]byte(plain(b.String())))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := SignedBy(m, seal.NewRing(signers.Signed, p.Key())); !errors.Is(err, ErrPacked) || !strings.Contains(Advice(err), "--clearsign") {
		t.Errorf("%v", err)
	}
}
