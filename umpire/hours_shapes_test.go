package umpire

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"fieldpost/mailbox"
)

// letter is what somebody writes, before their mail program makes a mail of it.
type letter struct {
	from, to string // addresses
	text     string
	re       *mailbox.Message // what is answered, nil for nothing
	place    string           // above, below, within or alone
	files    []string         // each a name, a line end and the text
}

// shapes are the mail programs. Each gives the header lines that tell of it, and the body
// with its own; lines end with LF.
var shapes = map[string]func(l letter) (head, body string){
	"mutt": func(l letter) (string, string) {
		return "User-Agent: Mutt/2.2.12 (2023-09-09)\nContent-Disposition: inline\n", l.plain("charset=utf-8", "8bit", "On Fri, Nov 20, 2026 at 01:00:00PM +0100, Fieldpost wrote:", "> ")
	},
	"gmail": func(l letter) (string, string) {
		on := "On Fri, Nov 20, 2026 at 1:00\u202fPM Fieldpost <umpire@example.org> wrote:\n"
		page := "<div dir=\"ltr\">" + lines(l.text, "<div>", "</div>\n", "<div><br></div>\n") + "</div><br>"
		if l.quotes() {
			page += "<div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" class=\"gmail_attr\">On Fri, Nov 20, 2026 at 1:00\u202fPM Fieldpost &lt;<a href=\"mailto:umpire@example.org\">umpire@example.org</a>&gt; wrote:<br></div><blockquote class=\"gmail_quote\" style=\"margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex\">" + l.page() + "</blockquote></div>\n"
		}
		return "X-Gm-Features: AWEUYZn\n", l.alternative(l.around(on, "> "), page, "quoted-printable")
	},
	"outlook": func(l letter) (string, string) {
		return "X-Mailer: Microsoft Outlook 16.0\nThread-Index: AQHb\nContent-Language: de\n", l.alternative(l.unquoted("\n\n", "Von: Fieldpost <umpire@example.org> \nGesendet: Freitag, 20. November 2026 13:00\nAn: %s\nBetreff: %s\n\n"), l.word(), "quoted-printable")
	},
	"outlook-html": func(l letter) (string, string) {
		return "X-Mailer: Microsoft Outlook 16.0\nThread-Index: AQHb\n", "Content-Type: text/html; charset=\"utf-8\"\nContent-Transfer-Encoding: base64\n\n" + enc64(l.word())
	},
	"outlook-mobile": func(l letter) (string, string) {
		text := l.text + "\n\nOutlook für Android beziehen<https://aka.ms/AAb9ysg>\n"
		page := "<html><body><div dir=\"auto\">" + lines(l.text, "<div dir=\"ltr\" style=\"font-family: Aptos;\">", "</div>\n", "<div><br></div>\n") + "</div><div id=\"ms-outlook-mobile-signature\">Outlook für Android beziehen</div><div id=\"mail-editor-reference-message-container\"><hr style=\"display:inline-block;width:98%\"><div id=\"divRplyFwdMsg\">" + l.page() + "</div></div></body></html>"
		l.text = text
		return "X-Mailer: Outlook-Android/4.2443\n", l.alternative(l.unquoted("\n", "________________________________\nFrom: Fieldpost <umpire@example.org>\nSent: Friday, November 20, 2026 1:00:00 PM\nTo: %s <%[1]s>\nSubject: %s\n\n"), page, "base64")
	},
	"apple-mail": func(l letter) (string, string) {
		return "X-Mailer: Apple Mail (2.3826.200.121)\n", l.plain("charset=utf-8", "quoted-printable", "> On 20. Nov 2026, at 13:00, Fieldpost <umpire@example.org> wrote:\n> ", "> ")
	},
	"iphone": func(l letter) (string, string) {
		l.text += "\n\nVon meinem iPhone gesendet\n"
		page := "<html><head><meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\"></head><body dir=\"auto\">" + lines(l.text, "<div>", "</div>", "<div><br></div>") + "<br><blockquote type=\"cite\">Am 20.11.2026 um 13:00 schrieb Fieldpost &lt;umpire@example.org&gt;:<br><br></blockquote><blockquote type=\"cite\">" + l.page() + "</blockquote></body></html>"
		return "X-Mailer: iPhone Mail (22B91)\n", l.alternative(l.around("> Am 20.11.2026 um 13:00 schrieb Fieldpost <umpire@example.org>:\n> \n> \ufeff", "> "), page, "quoted-printable")
	},
	"thunderbird": func(l letter) (string, string) {
		l.text = flowed(l.text)
		return "User-Agent: Mozilla Thunderbird\nContent-Language: de-DE\n", l.plain("charset=UTF-8; format=flowed", "8bit", "Am 20.11.26 um 13:00 schrieb Fieldpost:", "> ")
	},
	"k9": func(l letter) (string, string) {
		l.text += "\n-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.\n"
		return "User-Agent: K-9 Mail for Android\n", l.plain("charset=utf-8", "base64", "Am 20. November 2026 13:00:00 MEZ schrieb Fieldpost <umpire@example.org>:", ">")
	},
	"fairemail": func(l letter) (string, string) {
		page := "<div class=\"fairemail_reply\">" + lines(l.text, "<p>", "</p>\n", "<p><br></p>\n") + "</div><div class=\"fairemail_quote\"><p>Nov 20, 2026 13:00:00 Fieldpost &lt;umpire@example.org&gt;:</p><blockquote style=\"margin:0\">" + l.page() + "</blockquote></div>"
		return "X-Mailer: FairEmail 1.2241\n", l.alternative(l.around("Nov 20, 2026 13:00:00 Fieldpost <umpire@example.org>:\n", "> "), page, "quoted-printable")
	},
	"proton": func(l letter) (string, string) {
		l.text += "\n\nSent with Proton Mail secure email.\n"
		return "X-Pm-Message-ID: 8a7c\n", l.plain("charset=utf-8", "base64", "\nOn Friday, November 20th, 2026 at 1:00 PM, Fieldpost <umpire@example.org> wrote:\n", "> ")
	},
	"yahoo": func(l letter) (string, string) {
		page := "<html><head></head><body><div class=\"ydpa1yahoo-style-wrap\" style=\"font-family:Helvetica Neue, Helvetica, Arial, sans-serif;font-size:13px;\">" + lines(l.text, "<div dir=\"ltr\" data-setdir=\"false\">", "</div>", "<div><br></div>") + "<div><br></div></div>"
		if l.quotes() {
			page += "<div id=\"ydpb2yahoo_quoted_77\" class=\"ydpb2yahoo_quoted\"><div style=\"font-size:13px;color:#26282a;\"><div>On Friday, November 20, 2026 at 01:00:00 PM GMT+1, Fieldpost &lt;umpire@example.org&gt; wrote:</div><div><br></div><div>" + l.page() + "</div></div></div>"
		}
		return "X-Mailer: WebService/1.1.22876 YMailNorrin\n", "Content-Type: text/html; charset=UTF-8\nContent-Transfer-Encoding: quoted-printable\n\n" + encQP(page+"</body></html>\n")
	},
	"gmx": func(l letter) (string, string) {
		page := "<html><head></head><body><div style=\"font-family: Verdana;font-size: 12.0px;\">" + lines(strings.ReplaceAll(l.text, "  ", "\u00a0 "), "<div>", "</div>\n", "<div>&nbsp;</div>\n")
		if l.quotes() {
			page += "<div name=\"quote\" style=\"margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;\"><div style=\"margin:0 0 10px 0;\"><b>Gesendet:</b>&nbsp;Freitag, 20. November 2026 um 13:00 Uhr<br/><b>Von:</b>&nbsp;&quot;Fieldpost&quot; &lt;umpire@example.org&gt;<br/><b>An:</b>&nbsp;" + l.from + "<br/><b>Betreff:</b>&nbsp;" + html.EscapeString(l.re.Subject) + "</div><div name=\"quoted-content\">" + l.page() + "</div></div>"
		}
		return "X-Priority: 3\nImportance: normal\nX-UI-Message-Type: mail\n", "Content-Type: text/html; charset=UTF-8\n\n" + page + "</div></body></html>\n"
	},
	"samsung": func(l letter) (string, string) {
		l.text += "\n\nVon meinem Galaxy gesendet\n"
		return "X-Mailer: com.samsung.android.email.provider\n", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + enc64(l.unquoted("\n", "-------- Ursprüngliche Nachricht --------Von: Fieldpost <umpire@example.org> Datum: 20.11.26  13:00  (GMT+01:00) An: %s Betreff: %s \n"))
	},
	"roundcube": func(l letter) (string, string) {
		return "User-Agent: Roundcube Webmail/1.6.9\n", l.plain("charset=US-ASCII; format=flowed", "7bit", "On 2026-11-20 13:00, Fieldpost wrote:", "> ")
	},
}

// written is a mail of somebody's as their program sends it.
func (x *exchange) written(who, program string, s step) []byte {
	shape, is := shapes[program]
	if !is {
		x.t.Fatalf("%s: there is no mail program %q", s.name, program)
	}
	address := strings.ToLower(who) + "@example.org"
	text, rest, _ := strings.Cut(s.body, "%%")
	l := letter{from: address, to: "umpire@example.org", text: strings.TrimSpace(x.signedParts(who, text)), place: s.one("place", "above")}
	subject := s.one("subject", "orders")
	replies := ""
	if _, to, is := strings.Cut(s.name, ", to the "); is {
		l.re = x.lastTo(who, to)
		prefix := "Re: "
		if slices.Contains([]string{"outlook", "gmx", "samsung", "outlook-html"}, program) {
			prefix = "AW: "
		}
		subject = s.one("subject", prefix+l.re.Subject)
		replies = "In-Reply-To: <" + l.re.MessageID + ">\nReferences: <" + l.re.MessageID + ">\n"
	}
	for part := range strings.SplitSeq(rest, "%%") {
		if part = strings.TrimLeft(part, " "); strings.TrimSpace(part) != "" {
			l.files = append(l.files, part)
		}
	}
	head, body := shape(l)
	if len(l.files) > 0 {
		parts := []string{body}
		for _, f := range l.files {
			name, data, _ := strings.Cut(f, "\n")
			kind := "application/octet-stream"
			if strings.HasSuffix(name, ".txt") {
				kind = "text/plain; charset=utf-8"
			}
			parts = append(parts, "Content-Type: "+kind+"; name=\""+name+"\"\nContent-Disposition: attachment; filename=\""+name+"\"\nContent-Transfer-Encoding: base64\n\n"+enc64(x.signedParts(who, data)))
		}
		body = together("mixed", "----=_Part_4711", parts...)
	}
	x.mails++
	more := ""
	for _, h := range s.must["header"] {
		more += h + "\n"
	}
	raw := fmt.Sprintf("From: %s <%s>\nTo: %s\nSubject: %s\nDate: %s\nMessage-ID: <mail-%d@example.org>\nMIME-Version: 1.0\n%s%s%s%s",
		displayed(who), s.one("at", address), l.to, encodedSubject(subject), x.clock.Format("Mon, 02 Jan 2006 15:04:05 -0700"), x.mails, replies, more, head, body)
	return []byte(strings.ReplaceAll(strings.ReplaceAll(raw, "\r\n", "\n"), "\n", "\r\n"))
}

// displayed is the name that a mail program has for its owner.
func displayed(who string) string {
	return map[string]string{"GERMAN": "Vera Brandt", "SOVIET": "\"Petrow, Iwan\"", "NEWCOMER": "=?utf-8?q?J=C3=BCrgen_Wei=C3=9F?=", "MODERATOR": "Anna"}[who]
}

func encodedSubject(s string) string {
	if regexp.MustCompile(`^[ -~]*$`).MatchString(s) {
		return s
	}
	return "=?utf-8?b?" + strings.ReplaceAll(enc64(s), "\n", "") + "?="
}

// lastTo is the last mail to somebody, of a kind.
func (x *exchange) lastTo(who, kind string) (last *mailbox.Message) {
	x.t.Helper()
	var mails []*mailbox.Message
	for _, id := range x.ids() {
		all, err := x.u.DB.Mails(id)
		if err != nil {
			x.t.Fatal(err)
		}
		for _, m := range all {
			if m.To != strings.ToLower(who)+"@example.org" {
				continue
			}
			raw, err := x.u.DB.MailBytes(m.SHA256)
			if err != nil {
				x.t.Fatal(err)
			}
			read, err := mailbox.Read(raw)
			if err != nil {
				x.t.Fatal(err)
			}
			mails = append(mails, read)
		}
	}
	for _, m := range mails {
		got := kindOf(m)
		answer := kind == "answer" && !slices.Contains(unbidden, got)
		if got == kind || answer {
			last = m
		}
	}
	if last == nil {
		x.t.Fatalf("%s has had no %s", who, kind)
	}
	return last
}

// quotes tells whether the mail that is answered comes along.
func (l letter) quotes() bool { return l.re != nil && l.place != "alone" }

// original is the text that is answered; within it stands what was filled in.
func (l letter) original() string {
	was := strings.TrimRight(l.re.Texts[0].AsSent, "\n")
	if l.place == "within" {
		was = strings.Replace(was, "\nMOVE\n", "\nMOVE\n"+l.text+"\n", 1)
		was = strings.Replace(was, "\n# DONE", "\nDONE", 1)
	}
	return was
}

// around is the text with what it answers, each line of that behind a mark.
func (l letter) around(wrote, mark string) string {
	if !l.quotes() {
		return l.text + "\n"
	}
	var quote strings.Builder
	quote.WriteString(wrote + "\n")
	for line := range strings.SplitSeq(l.original(), "\n") {
		quote.WriteString(mark + line + "\n")
	}
	switch l.place {
	case "below":
		return quote.String() + "\n" + l.text + "\n"
	case "within":
		return quote.String()
	}
	return l.text + "\n\n" + quote.String()
}

// unquoted is the text above what it answers, which is not marked but by a head.
func (l letter) unquoted(gap, head string) string {
	if !l.quotes() {
		return strings.ReplaceAll(l.text, "\n", gap) + "\n"
	}
	head = fmt.Sprintf(head, l.from, l.re.Subject)
	if l.place == "within" {
		return head + l.original() + "\n"
	}
	return strings.ReplaceAll(l.text, "\n", gap) + "\n\n" + head + l.original() + "\n"
}

// plain is a mail of plain text alone.
func (l letter) plain(parameters, encoding, wrote, mark string) string {
	text := l.around(wrote, mark)
	switch encoding {
	case "base64":
		text = enc64(text)
	case "quoted-printable":
		text = encQP(text)
	}
	return "Content-Type: text/plain; " + parameters + "\nContent-Transfer-Encoding: " + encoding + "\n\n" + text
}

// alternative is a mail in plain text and in HTML.
func (l letter) alternative(text, page, encoding string) string {
	encode := encQP
	if encoding == "base64" {
		encode = enc64
	}
	return together("alternative", "000000000000a1b2", "Content-Type: text/plain; charset=\"utf-8\"\nContent-Transfer-Encoding: "+encoding+"\n\n"+encode(text),
		"Content-Type: text/html; charset=\"utf-8\"\nContent-Transfer-Encoding: "+encoding+"\n\n"+encode(page))
}

// page is the HTML that is answered, "" for none.
func (l letter) page() string {
	if !l.quotes() {
		return ""
	}
	for _, t := range l.re.Texts {
		if t.Type == "text/html" {
			_, body, _ := strings.Cut(t.AsSent, "<body")
			_, body, _ = strings.Cut(body, ">")
			body, _, _ = strings.Cut(body, "</body>")
			if l.place == "within" {
				body = strings.Replace(body, "\nMOVE\n", "\nMOVE\n"+html.EscapeString(l.text)+"\n", 1)
			}
			return body
		}
	}
	return "<pre>" + html.EscapeString(l.re.Texts[0].AsSent) + "</pre>"
}

// word is the page that Word makes for Outlook, with the mail that is answered below.
func (l letter) word() string {
	text := strings.NewReplacer("'", "’", " - ", " – ", "...", "…").Replace(l.text)
	page := "<html xmlns:o=\"urn:schemas-microsoft-com:office:office\" xmlns:w=\"urn:schemas-microsoft-com:office:word\"><head><meta name=Generator content=\"Microsoft Word 15 (filtered medium)\"><style><!--\n@font-face {font-family:Aptos;}\np.MsoNormal {margin:0cm;}\n--></style></head><body lang=DE link=\"#0563C1\"><div class=WordSection1>" +
		lines(text, "<p class=MsoNormal><span style='mso-fareast-language:EN-US'>", "<o:p></o:p></span></p>\n", "<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n")
	if l.quotes() {
		page += "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>Von:</b> Fieldpost &lt;umpire@example.org&gt; <br><b>Gesendet:</b> Freitag, 20. November 2026 13:00<br><b>An:</b> " + l.from + "<br><b>Betreff:</b> " + html.EscapeString(l.re.Subject) + "<o:p></o:p></p></div>" + l.page()
	}
	return page + "</div></body></html>\n"
}

// lines are those of a text as elements of a page.
func lines(text, begin, end, empty string) string {
	var out strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			out.WriteString(empty)
			continue
		}
		out.WriteString(begin + html.EscapeString(line) + end)
	}
	return out.String()
}

// flowed breaks long lines softly, and stuffs those that begin with a blank (RFC 3676).
func flowed(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " ")
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, ">") {
			line = " " + line
		}
		for len(line) > 72 {
			at := strings.LastIndex(line[:72], " ")
			if at < 1 {
				break
			}
			out, line = append(out, line[:at+1]), line[at+1:]
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
