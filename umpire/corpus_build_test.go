package umpire

import (
	"fmt"
	"strings"

	"fieldpost/orders"
)

// The shapes that mail of ordinary people has.
func (b *builder) ordinary() {
	pdf := attached("plan.pdf", "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n", enc64("%PDF-1.4 no orders in here"))
	image := "Content-Type: image/png\nContent-ID: <a@b>\nContent-Transfer-Encoding: base64\n\n" + enc64("\x89PNG no picture")
	alternative := func(block string) string {
		return together("alternative", "alt", utf8Text+"\n"+block, "Content-Type: text/html; charset=utf-8\n\n"+inHTML(block))
	}
	b.put("001-plain-7bit", "filed", mimeHead+"Content-Type: text/plain; charset=us-ascii\n\n"+b.block())
	b.put("002-qp-flowed", "filed", mimeHead+"Content-Type: text/plain; charset=utf-8; format=flowed\nContent-Transfer-Encoding: quoted-printable\n\n"+encQP("Grüße an alle \nund hier sind sie:\n\n"+b.block()))
	b.put("003-base64", "filed", mimeHead+utf8Text+"Content-Transfer-Encoding: base64\n\n"+enc64(b.block()))
	b.put("004-alternative", "filed", mimeHead+alternative(b.block()))
	b.put("005-mixed-alternative-pdf", "filed", mimeHead+together("mixed", "mix", alternative(b.block()), pdf))
	b.put("006-related-alternative", "filed", mimeHead+together("related", "rel", alternative(b.block()), image))
	b.put("007-html-only", "filed", mimeHead+"Content-Type: text/html; charset=utf-8\n\n"+inHTML(b.block()))
	b.put("008-text-attachment", "filed", mimeHead+together("mixed", "mix", utf8Text+"\nsee file\n", attached("orders.txt", utf8Text, b.block())))
	b.put("009-octet-stream-attachment", "filed", mimeHead+together("mixed", "mix", utf8Text+"\nsee file\n", attached("orders.txt", "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n", enc64(b.block()))))
	b.put("010-top-posted-reply", "filed", mimeHead+utf8Text+"\nhere they are\n\n"+b.block()+"\nOn Friday the umpire wrote:\n"+quoted("[QMPVHWHH] Kharkov, turn 1\nyour orders are due\n"))
	b.put("011-signature-footer", "filed", mimeHead+utf8Text+"\n"+b.block()+"\n-- \nIwan\nSent from my pocket calculator\n")
	b.put("012-utf8-bom", "filed", mimeHead+utf8Text+"\n\ufeff"+b.block())
	b.put("013-utf16-charset", "filed", mimeHead+"Content-Type: text/plain; charset=utf-16le\nContent-Transfer-Encoding: base64\n\n"+enc64(encUTF16(b.block(), false)))
	b.put("014-utf16-attachment", "filed", mimeHead+together("mixed", "mix", utf8Text+"\nsee file\n", attached("orders.txt", "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n", enc64(encUTF16(b.block(), true)))))
	b.put("015-no-date", "filed", "To: umpire@example.org\nSubject: orders\n\n"+b.block())
	b.put("016-crlf-in-base64", "filed", mimeHead+utf8Text+"Content-Transfer-Encoding: base64\n\n"+enc64(strings.ReplaceAll(b.block(), "\n", "\r\n")))
	b.bytes("017-lf-only", "filed", []byte("From: soviet@example.org\n"+mimeHead+"\n"+b.block()))
	sheet := b.sheet("SOVIET")
	b.put("018-sheet-and-signature-files", "filed", mimeHead+together("mixed", "mix", utf8Text+"\nattached\n", attached("orders.txt", utf8Text, sheet), attached("orders.txt.sig", "Content-Type: application/octet-stream\n", b.ssh(sheet))))
	sheet = b.sheet("SOVIET")
	b.put("019-signature-of-crlf-file", "filed", mimeHead+together("mixed", "mix", attached("orders.txt", utf8Text, sheet), attached("orders.txt.sig", "Content-Type: text/plain\n", b.ssh(strings.ReplaceAll(sheet, "\n", "\r\n")))))
	b.put("020-no-mime-at-all", "filed", "\n"+b.block())
}

// Habits of programs: Outlook, Apple Mail, Gmail, phones, webmail.
func (b *builder) clients() {
	html := func(body string) string { return "Content-Type: text/html; charset=utf-8\n\n" + body }
	esc := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
	b.put("021-outlook-paragraphs", "filed", mimeHead+html("<div class=WordSection1>"+"<p class=MsoNormal>"+strings.ReplaceAll(esc(b.block()), "\n", "<o:p></o:p></p>\n<p class=MsoNormal>")+"</p></div>\n"))
	b.put("022-gmail-divs", "filed", mimeHead+html("<div dir=\"ltr\"><div>"+strings.ReplaceAll(esc(b.block()), "\n", "</div><div>")+"</div></div>\n"))
	b.put("023-pre", "filed", mimeHead+html("<pre>"+esc(b.block())+"</pre>\n"))
	b.put("024-html-nbsp", "filed", mimeHead+html(strings.ReplaceAll(inHTML(b.block()), " ", "&nbsp;")))
	b.put("025-html-beside-excuse", "filed", mimeHead+together("alternative", "alt", utf8Text+"\nYour program cannot show this.\n", html(inHTML(b.block()))))
	b.put("026-html-quoted-printable", "filed", mimeHead+"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"+encQP(inHTML(b.block())))
	b.put("027-latin1", "filed", mimeHead+"Content-Type: text/plain; charset=iso-8859-1\n\nGr\xfc\xdfe\n"+b.block())
	b.put("028-windows-1252-dashes", "filed", mimeHead+"Content-Type: text/plain; charset=windows-1252\n\n"+strings.ReplaceAll(b.block(), "-", "\x96"))
	b.put("029-koi8-r", "filed", mimeHead+"Content-Type: text/plain; charset=koi8-r\n\n\xf0\xd2\xc9\xd7\xc5\xd4\n"+b.block())
	b.put("030-undeclared-latin1", "filed", mimeHead+"\nGr\xfc\xdfe\n"+b.block())
	b.put("031-unknown-charset", "filed", mimeHead+"Content-Type: text/plain; charset=x-user-defined-9\n\n"+b.block())
	b.put("032-flowed-spaces", "filed", mimeHead+"Content-Type: text/plain; charset=utf-8; format=flowed\n\n"+strings.ReplaceAll(b.block(), "\n", " \n"))
	b.put("033-flowed-delsp", "filed", mimeHead+"Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n"+quoted(b.block()))
	b.put("034-forwarded-quoted", "filed", mimeHead+utf8Text+"\nFyi\n"+quoted(quoted(b.block())))
	b.put("035-curly-dashes", "filed", mimeHead+utf8Text+"\n"+strings.ReplaceAll(b.block(), "-----", "–––––"))
	b.put("036-nbsp", "filed", mimeHead+utf8Text+"\n"+strings.ReplaceAll(b.block(), " ", "\u00a0"))
	b.put("037-rfc2231-name", "filed", mimeHead+together("mixed", "mix", utf8Text+"\nx\n", utf8Text+"Content-Disposition: attachment; filename*0*=UTF-8''bef; filename*1*=ehle%20%C3%A4.txt\n\n"+b.block()))
	b.put("038-bad-name", "filed", mimeHead+together("mixed", "mix", utf8Text+"\nx\n", "Content-Type: text/plain; name=..\\..\\evil orders.txt\n\n"+b.block()))
	b.put("039-attached-twice", "filed", func() string {
		block := b.block()
		return mimeHead + together("mixed", "mix", utf8Text+"\n"+block, attached("orders.txt", utf8Text, block))
	}())
	b.put("040-status", "advice", mimeHead+utf8Text+"\nSTATUS\n")
	b.put("041-unsigned-sheet", "advice", mimeHead+utf8Text+"\n"+b.sheet("SOVIET"))
	b.put("042-just-talk", "advice", mimeHead+utf8Text+"\nWhen does the next turn begin?\n")
	b.put("043-empty", "advice", mimeHead+"\n")
	b.put("044-order-changed", "advice", mimeHead+utf8Text+"\n"+strings.Replace(b.block(), "TURN: 1", "TURN: 2", 1))
	b.put("045-signature-cut", "advice", mimeHead+utf8Text+"\n"+strings.Replace(b.block(), "U1NIU0", "U1NI", 1))
	b.put("046-two-sheets-same-serial", "advice", func() string {
		one := b.block()
		b.serial--
		two := b.g.signed("SOVIET", b.sheet("SOVIET")+"AFV 2306 ASK\n")
		return mimeHead + utf8Text + "\n" + one + two
	}())
	b.put("047-old-sheet-quoted-below", "filed", func() string {
		old := b.block()
		return mimeHead + utf8Text + "\nbetter so:\n" + b.block() + "\nI wrote:\n" + quoted(old)
	}())
	b.put("048-winmail", "advice", mimeHead+together("mixed", "mix", utf8Text+"\n\n", "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"+enc64("x\x9f>\"...")))
	b.put("049-encrypted", "advice", mimeHead+together("encrypted; protocol=\"application/pgp-encrypted\"", "enc", "Content-Type: application/pgp-encrypted\n\nVersion: 1\n", "Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n\nhF4D\n-----END PGP MESSAGE-----\n"))
	b.put("050-inline-encrypted", "advice", mimeHead+utf8Text+"\n-----BEGIN PGP MESSAGE-----\n\nhF4D\n-----END PGP MESSAGE-----\n")
	b.put("051-zip", "advice", mimeHead+together("mixed", "mix", utf8Text+"\nzipped\n", attached("orders.zip", "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n", enc64("PK\x03\x04"))))
	b.put("052-picture-of-orders", "advice", mimeHead+together("mixed", "mix", attached("sheet.jpg", "Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n", enc64("\xff\xd8\xff"))))
}

// Mail of the German player, who signs by OpenPGP.
func (b *builder) signedMIME() {
	from := "From: german@example.org\n"
	part := func(text string) string { return utf8Text + "\n" + orders.Canonical(text) }
	wire := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	signed := func(body, signature string) string {
		return together("signed; micalg=pgp-sha256; protocol=\"application/pgp-signature\"", "sig", body, "Content-Type: application/pgp-signature; name=signature.asc\n\n"+signature)
	}
	p := part(b.sheet("GERMAN"))
	b.raw("053-pgp-mime-plain", "filed", from+mimeHead+signed(p, b.pgp(wire(p))))
	p = together("alternative", "alt", part(b.sheet("GERMAN")), "Content-Type: text/html\n\n<p>as above</p>\n")
	b.raw("054-pgp-mime-alternative", "filed", from+mimeHead+signed(p, b.pgp(wire(p))))
	b.raw("055-pgp-clearsigned", "filed", from+mimeHead+utf8Text+"\n"+b.clear(orders.Canonical(b.sheet("GERMAN"))))
	b.raw("056-pgp-clearsigned-qp", "filed", from+mimeHead+utf8Text+"Content-Transfer-Encoding: quoted-printable\n\n"+encQP("Grüße\n"+b.clear(orders.Canonical(b.sheet("GERMAN")))))
	sheet := b.sheet("GERMAN")
	b.raw("057-pgp-detached-file", "filed", from+mimeHead+together("mixed", "mix", utf8Text+"\nattached\n", attached("orders.txt", utf8Text, sheet), attached("orders.txt.asc", "Content-Type: text/plain\n", b.pgp(wire(sheet)))))
	p = part(b.sheet("GERMAN"))
	b.raw("058-pgp-mime-rebuilt-as-mixed", "filed", from+mimeHead+together("mixed", "mix", p, "Content-Type: application/pgp-signature\n\n"+b.pgp(wire(p)), utf8Text+"\nThis mail passed our scanner.\n"))
	p = part(b.sheet("GERMAN"))
	b.raw("059-pgp-mime-changed", "advice", from+mimeHead+signed(strings.Replace(p, "TURN: 1", "TURN: 2", 1), b.pgp(wire(p))))
	b.raw("060-pgp-clearsigned-line-added", "advice", from+mimeHead+utf8Text+"\n"+strings.Replace(b.clear(orders.Canonical(b.sheet("GERMAN"))), "STANDING", "STANDING\nALL RETREAT", 1))
	p = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n" + encQP(orders.Canonical(b.sheet("GERMAN"))+"\n# Übel\n")
	b.raw("061-pgp-mime-quoted-printable", "filed", from+mimeHead+signed(p, b.pgp(wire(strings.ReplaceAll(p, "\r\n", "\n")))))
	b.raw("062-pgp-key-only", "advice", from+mimeHead+utf8Text+"\nmy key is on the server\n")
}

// What lists, gateways and old servers do to mail.
func (b *builder) gateways() {
	b.put("063-list-footer", "filed", "List-Id: <league.example.org>\nPrecedence: list\n"+mimeHead+utf8Text+"\n"+b.block()+"\n_______________________\nleague mailing list\n")
	b.put("064-list-unsigned", "silent", "List-Id: <league.example.org>\nPrecedence: list\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.put("065-list-footer-part", "filed", "List-Post: <mailto:league@example.org>\n"+mimeHead+together("mixed", "mix", utf8Text+"\n"+b.block(), utf8Text+"\nfooter\n"))
	b.put("066-base64-with-footer", "filed", mimeHead+utf8Text+"Content-Transfer-Encoding: base64\n\n"+enc64(func() string { s := b.block(); return s + strings.Repeat(" ", 3-len(s)%3) }())+"\n____\nfooter, not base64!\n")
	b.raw("067-mbox-from-line", "filed", "From soviet@example.org Fri Nov 20 12:00:00 2026\nFrom: soviet@example.org\n"+mimeHead+utf8Text+"\n"+b.block())
	b.put("068-broken-header-lines", "filed", "this is no header\n nor is this\nX Y: z\n"+mimeHead+utf8Text+"\n"+b.block())
	b.put("069-nul-in-header", "filed", "X-Odd: a\x00b\n"+mimeHead+utf8Text+"\n"+b.block())
	b.put("070-unterminated-multipart", "filed", mimeHead+strings.TrimSuffix(together("mixed", "mix", utf8Text+"\n"+b.block()), "--mix--\n"))
	b.put("071-unreadable-type", "filed", "To: umpire@example.org\nContent-Type: text; charset\n\n"+b.block())
	b.put("072-deep-but-sane", "filed", mimeHead+together("mixed", "a", together("mixed", "b", together("alternative", "c", utf8Text+"\n"+b.block()))))
	b.put("073-forty-received", "filed", strings.Repeat("Received: from a by b; Fri, 20 Nov 2026 12:00:00 +0000\n", 40)+mimeHead+utf8Text+"\n"+b.block())
	b.put("074-broken-quoted-printable", "filed", mimeHead+utf8Text+"Content-Transfer-Encoding: quoted-printable\n\n=ZZ and =\n"+encQP(b.block()))
	b.put("075-wrapped-block", "filed", mimeHead+utf8Text+"\n"+b.block()+"\n\nwrapped  \n")
	b.put("076-trailing-blanks", "filed", mimeHead+utf8Text+"\n"+strings.ReplaceAll(b.block(), "\n", "  \n"))
	b.put("077-mime-in-capitals", "filed", "TO: umpire@example.org\nMIME-VERSION: 1.0\nCONTENT-TYPE: TEXT/PLAIN; CHARSET=UTF-8\nCONTENT-TRANSFER-ENCODING: BASE64\n\n"+enc64(b.block()))
	b.put("078-folded-headers", "filed", "To:\n umpire@example.org\nSubject: =?utf-8?q?Z=C3=BCge?=\n =?utf-8?b?ZsO8ciBIZXV0ZQ==?=\nContent-Type: text/plain;\n\tcharset=utf-8\n\n"+b.block())
}

// Mail of programs: never answered, never orders.
func (b *builder) robots() {
	report := func(kind, second string) string {
		return together("report; report-type="+kind, "rep", utf8Text+"\nAs you see.\n", "Content-Type: message/"+kind+"\n\n"+second)
	}
	b.put("079-vacation", "silent", "Return-Path: <>\nAuto-Submitted: auto-replied (vacation)\nPrecedence: bulk\n"+mimeHead+utf8Text+"\nI am away.\n"+quoted(b.block()))
	b.put("080-vacation-outlook", "silent", "X-Auto-Response-Suppress: All\nAuto-Submitted: auto-generated\n"+mimeHead+utf8Text+"\nOut of office\n")
	b.put("081-x-autoreply", "silent", "X-Autoreply: yes\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.put("082-x-autorespond", "silent", "X-Autorespond: your mail\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.put("083-precedence-auto-reply", "silent", "Precedence: auto_reply\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.put("084-bounce", "silent", "Return-Path: <>\n"+mimeHead+report("delivery-status", "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; x@example.org\nAction: failed\nStatus: 5.1.1\n"))
	b.put("085-bounce-old-style", "silent", "Return-Path: <>\n"+mimeHead+utf8Text+"\nHi. This is the qmail-send program.\n")
	b.put("086-read-receipt", "silent", mimeHead+report("disposition-notification", "Final-Recipient: rfc822; soviet@example.org\nDisposition: manual-action/MDN-sent-manually; displayed\n"))
	b.put("087-spam-complaint", "silent", mimeHead+report("feedback-report", "Feedback-Type: abuse\nVersion: 1\n"))
	b.raw("088-mailer-daemon", "silent", "From: MAILER-DAEMON@example.org\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.raw("089-no-reply", "silent", "From: no-reply@example.org\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.raw("090-our-own", "silent", "From: umpire@example.org\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.put("091-loop", "silent", "X-Fieldpost-Loop: test\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.put("092-sixty-received", "silent", strings.Repeat("Received: from a by b\n", 60)+mimeHead+utf8Text+"\n"+b.block())
}

// Mail that pretends.
func (b *builder) lies() {
	stranger := "From: stranger@example.net\n"
	b.raw("093-stranger", "silent", stranger+mimeHead+utf8Text+"\nSTATUS\n")
	b.raw("094-signed-from-elsewhere", "filed", stranger+mimeHead+utf8Text+"\n"+b.block())
	b.raw("095-display-name", "silent", "From: \"soviet@example.org\" <stranger@example.net>\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.raw("096-two-from", "silent", "From: soviet@example.org\nFrom: stranger@example.net\n"+mimeHead+utf8Text+"\nSTATUS\n")
	b.raw("097-two-from-signed", "filed", "From: soviet@example.org\nFrom: stranger@example.net\n"+mimeHead+utf8Text+"\n"+b.block())
	b.put("098-two-content-types", "advice", "Content-Type: text/html\n"+mimeHead+utf8Text+"\n"+b.block())
	b.put("099-signed-by-another", "advice", mimeHead+utf8Text+"\n"+b.g.signed("STRANGER", b.sheet("SOVIET")))
	b.put("100-other-side-named", "advice", mimeHead+utf8Text+"\n"+b.g.signed("SOVIET", b.sheet("GERMAN")))
	b.put("101-other-game-named", "advice", mimeHead+utf8Text+"\n"+b.g.signed("SOVIET", strings.Replace(b.sheet("SOVIET"), b.g.game, "AAAAAAAA", 1)))
	b.put("102-old-serial", "advice", mimeHead+utf8Text+"\n"+b.g.signed("SOVIET", fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\n\nSTANDING\n\n", b.g.game)))
	b.put("103-line-after-block", "filed", mimeHead+utf8Text+"\n"+b.block()+"\nALL RETREAT\nDONE\n")
	b.put("104-hidden-in-script", "advice", mimeHead+"Content-Type: text/html\n\n<p>hello</p><script>"+b.block()+"</script>\n")
	b.put("105-attached-mail", "advice", mimeHead+together("mixed", "mix", utf8Text+"\nlook\n", "Content-Type: message/rfc822\n\nFrom: a@b.test\nSubject: x\n\n"+b.block()))
	b.put("106-nested-too-deep", "advice", func() string {
		s := utf8Text + "\n" + b.block()
		for i := range 12 {
			s = together("mixed", fmt.Sprint("b", i), s)
		}
		return mimeHead + s
	}())
	b.put("107-boundary-in-text", "filed", mimeHead+together("mixed", "=_x", utf8Text+"\nthe boundary is =_x, is it not\n"+b.block()))
	b.put("108-bidi-in-subject", "filed", "Subject: \u202eorders\u202c\n"+utf8Text+"\n"+b.block())
	b.put("109-return-receipt-wanted", "filed", "Disposition-Notification-To: soviet@example.org\nReturn-Receipt-To: soviet@example.org\n"+mimeHead+utf8Text+"\n"+b.block())
	b.put("110-odd-message-id", "filed", "Message-ID: <a b c>\nReferences: <x> , <<y>>\n"+mimeHead+utf8Text+"\n"+b.block())
	b.put("111-reply-to-another", "filed", "Reply-To: victim@example.net\nErrors-To: victim@example.net\n"+mimeHead+utf8Text+"\n"+b.block())
}
