package mailbox

import (
	"strings"
	"testing"
)

// The cut only ever takes away: what stands below it, and what is quoted, is never orders.
func TestOwnTexts(t *testing.T) {
	const report = "KHARKOV 1942   turn 1 of 17, 12 May 1942   you: SOVIET   report 1\nCODE: AAAA\nDONE\n"
	for name, c := range map[string]struct{ mail, cut string }{
		"nothing but orders":        {"CODE: X\nDONE\n", ""},
		"Outlook, with a row":       {"CODE: X\nDONE\n\n-----Original Message-----\nFrom: umpire@example.org\n" + report, "-----Original Message-----"},
		"Outlook, with underscores": {"CODE: X\nDONE\n________________________________\nFrom: umpire@example.org\n" + report, "________________________________"},
		"Outlook, header only":      {"CODE: X\nDONE\n\nVon: Fieldpost <umpire@example.org>\nGesendet: Freitag\nAn: anna@example.org\nBetreff: [K7QX2MPA] Kharkov\n\n" + report, "Von: Fieldpost <umpire@example.org>"},
		"the report alone":          {"CODE: X\nDONE\n\n" + report, "KHARKOV 1942   turn 1 of 17, 12 May 1942   you: SOVIET   report 1"},
		"an attribution":            {"CODE: X\nDONE\n\nOn Fri, Fieldpost <umpire@example.org> wrote:\n\n> " + report, "On Fri, Fieldpost <umpire@example.org> wrote:"},
		"a broken attribution":      {"CODE: X\nDONE\n\nOn Fri, Fieldpost <umpire@example.org>\nwrote:\n> " + report, "On Fri, Fieldpost <umpire@example.org>"},
	} {
		m, err := Read([]byte("From: anna@example.org\r\n\r\n" + strings.ReplaceAll(c.mail, "\n", "\r\n")))
		if err != nil {
			t.Fatal(err)
		}
		own := OwnTexts(m)[0]
		if own.Cut != c.cut || strings.Contains(own.Text, "AAAA") || !strings.Contains(own.Text, "CODE: X\nDONE") {
			t.Errorf("%s: cut at %q, %q", name, own.Cut, own.Text)
		}
	}
	for name, page := range map[string]string{
		"a block quote":  "<div>CODE: X</div><div>DONE</div><blockquote><div>CODE: AAAA</div></blockquote>",
		"Gmail":          "<div>CODE: X</div><div>DONE</div><div class=\"gmail_quote\">CODE: AAAA</div>",
		"Outlook's mark": "<div>CODE: X</div><div>DONE</div><div id=appendonsend></div><hr><div>CODE: AAAA</div>",
	} {
		m, err := Read([]byte("From: anna@example.org\r\nContent-Type: text/html\r\n\r\n" + page))
		if err != nil {
			t.Fatal(err)
		}
		own := OwnTexts(m)[0]
		if strings.Contains(own.Text, "AAAA") || !strings.Contains(own.Text, "CODE: X") {
			t.Errorf("%s: %q", name, own.Text)
		}
	}
}
