package mailbox

import (
	"errors"
	"strings"
	"testing"
)

// sparse puts characters that nobody sees into a text: one into every line, one behind every
// eighth letter.
func sparse(text, unseen string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		b.WriteRune(r)
		if n++; n%8 == 0 && r != '\n' {
			b.WriteString(unseen)
		}
	}
	return b.String()
}

// Shapes of mail that odd programs write around a block that is as it was signed.
func TestOddShapes(t *testing.T) {
	signed := block(t, 1, sheet)
	parts := func(boundary, named string) string {
		return head + "Content-Type: multipart/mixed; boundary=" + named + "\n\n--" + boundary + "\nContent-Type: text/plain; charset=utf-8\n\n" + signed + "\n--" + boundary + "--\n"
	}
	// inner is a multipart within another one, with its block in base64, so that nobody reads it by
	// chance who does not take the inner one apart.
	inner := func(boundary, field string) string {
		return multi("mixed", "Content-Type: text/plain\n\nHello", "Content-Type: multipart/alternative;"+field+"\n\n--"+boundary+
			"\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"+b64(signed)+"\n--"+boundary+"--\n")
	}
	for name, raw := range map[string]string{
		"an inner boundary with special marks": inner("a:b?c@d", " boundary=a:b?c@d"),
		"an inner boundary on a line alone":    inner("=_(x)/1", " charset=utf-8;\n\tboundary==_(x)/1; format=flowed"),
		"an inner boundary two floors down": multi("mixed", "Content-Type: multipart/related; boundary=[r]\n\n--[r]\nContent-Type: multipart/alternative; boundary=<a>\n\n--<a>\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"+
			b64(signed)+"\n--<a>--\n\n--[r]--\n"),
		"an inner boundary like armour":      inner("-----BEGIN SSH SIGNATURE-----", " boundary=\"-----BEGIN SSH SIGNATURE-----\""),
		"an inner Content-Type: text":        multi("mixed", "Content-Type: text\n\n"+signed),
		"the same inner Content-Type twice":  multi("mixed", "Content-Type: text/plain; charset=utf-8\nContent-Type: text/plain; charset=utf-8\n\n"+signed),
		"an inline part of our own type":     multi("mixed", "Content-Type: application/vnd.fieldpost.orders\nContent-Disposition: inline\n\n"+signed),
		"an inline part of type octets":      multi("mixed", "Content-Type: application/octet-stream\nContent-Disposition: inline\n\n"+signed),
		"an inline part of our own, x-":      multi("mixed", "Content-Type: application/x-fieldpost\nContent-Disposition: inline\n\n"+signed),
		"zero-width spaces":                  plain(sparse(signed, "\u200b")),
		"soft hyphens":                       plain(sparse(signed, "\u00ad")),
		"marks of direction":                 plain(sparse(signed, "\u200e")),
		"a boundary with an equals sign":     parts("=_x(1)", "=_x(1)"),
		"a boundary with special marks":      parts("a:b?c@d", "a:b?c@d"),
		"a boundary like armour":             parts("-----BEGIN SSH SIGNATURE-----", `"-----BEGIN SSH SIGNATURE-----"`),
		"a boundary like a block":            parts("-----BEGIN FIELDPOST ORDERS-----", `"-----BEGIN FIELDPOST ORDERS-----"`),
		"the same Content-Type twice":        head + "Content-Type: text/plain; charset=utf-8\nContent-Type: text/plain; charset=utf-8\n\n" + signed,
		"Content-Type: text":                 head + "Content-Type: text\n\n" + signed,
		"a block behind what is not shown":   head + "Content-Type: text/html; charset=utf-8\n\n<div style='display:none'><div>x</div>y</div><pre>" + signed + "</pre>",
		"Content-Type: text; with a charset": head + "Content-Type: text; charset=utf-8\n\n" + signed,
	} {
		m, err := Read([]byte(crlf(raw)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s, err := SignedBy(m, nil); err != nil || s.Key != key(t, 1).Public() {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		name, raw string
		want      error
	}{
		{"a block that is not shown", head + "Content-Type: text/html; charset=utf-8\n\n<p>hello</p><div style=\"color: red; Display : none\"><div>x</div><pre>" + signed + "</pre></div><p>bye</p>", ErrHidden},
		{"a block under another adjudicator's loop header", loopHeader + ": somebody-else\n" + plain(signed), ErrPassedOn},
		{"two Content-Types", head + "Content-Type: text/plain; charset=utf-8\nContent-Type: text/html; charset=utf-8\n\n" + signed, ErrDoubt},
	} {
		m, err := Read([]byte(crlf(c.raw)))
		if err != nil {
			t.Fatal(err)
		}
		if s, err := SignedBy(m, nil); !errors.Is(err, c.want) || Advice(err) == "" {
			t.Errorf("%s: %+v, %v", c.name, s, err)
		}
	}
}
