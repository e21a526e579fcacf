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
		"a phone's line":            {"CODE: X\nDONE\n\nVon meinem iPhone gesendet\n\n> Am 20.11.2026 um 13:00 schrieb Fieldpost <umpire@example.org>:\n> \n> " + strings.ReplaceAll(report, "\n", "\n> "), ""},
		"a row and a header":        {"CODE: X\nDONE\n\n-------- Nachricht --------Von: Fieldpost <umpire@example.org> An: anna@example.org\n" + report, "-------- Nachricht --------Von: Fieldpost <umpire@example.org> An: anna@example.org"},
		"the time sent first":       {"CODE: X\nDONE\n\nGesendet: Freitag, 13:00 Uhr\nVon: Fieldpost <umpire@example.org>\nAn: anna@example.org\nBetreff: [K7QX2MPA] Kharkov\n\n" + report, "Gesendet: Freitag, 13:00 Uhr"},
		"below the quotation":       {"Am 20.11.26 um 13:00 schrieb Fieldpost:\n> " + strings.ReplaceAll(strings.TrimSpace(report), "\n", "\n> ") + "\n\nCODE: X\nDONE\n", ""},
		"a mark on one line only":   {"CODE: X\nDONE\n\nAm 20.11.26 schrieb Fieldpost:\n> " + report, "> KHARKOV 1942   turn 1 of 17, 12 May 1942   you: SOVIET   report 1"},
		"written in French":         {"CODE\u00a0: X\nDONE\n\n" + report, "KHARKOV 1942   turn 1 of 17, 12 May 1942   you: SOVIET   report 1"},
		"in bold letters":           {"*CODE: X*\nDONE\n", ""},
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
		"Yahoo":          "<div>CODE: X</div><div>DONE</div><div id=\"ydp12abyahoo_quoted_1\" class=\"ydp12abyahoo_quoted\">CODE: AAAA</div>",
		"GMX":            "<div>CODE: X</div><div>DONE</div><div name=\"quote\">CODE: AAAA</div>",
		"Outlook's mark": "<div>CODE: X</div><div>DONE</div><div id=appendonsend></div><hr><div>CODE: AAAA</div>",
	} {
		m, err := Read([]byte("From: anna@example.org\r\nContent-Type: text/html\r\n\r\n" + page))
		if err != nil {
			t.Fatal(err)
		}
		own := OwnTexts(m)[0]
		if strings.Contains(own.Text, "AAAA") || !strings.Contains(own.Text, "CODE: X") || own.Cut == cutMark {
			t.Errorf("%s: %q", name, own.Text)
		}
	}
}
