package world

import (
	"mime"
	"net"
	"strconv"
	"strings"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/demo/postoffice"
	"fieldpost/mailbox"
	"fieldpost/umpire/proof"
)

// Mail is one that a player writes. Whatever is empty has no header.
type Mail struct {
	From, To, Subject string
	ID                string // without the domain, which is that of To
	ReplyTo           string // Message-ID of the mail that this one answers
	Date              time.Time
}

// Plain is a mail with a text, as any mail program writes it.
func (m Mail) Plain(text string) []byte { return m.With(Text(text)) }

// With is a mail with a header of its content and the content.
func (m Mail) With(content string) []byte {
	var b strings.Builder
	header := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + value + "\r\n")
		}
	}
	header("From", m.From)
	header("To", m.To)
	header("Subject", mime.QEncoding.Encode("utf-8", m.Subject))
	if !m.Date.IsZero() {
		header("Date", m.Date.Format(time.RFC1123Z))
		header("MIME-Version", "1.0")
	}
	_, domain, _ := strings.Cut(m.To, "@")
	header("Message-ID", "<"+m.ID+"@"+domain+">")
	if m.ReplyTo != "" {
		header("In-Reply-To", "<"+m.ReplyTo+">")
		header("References", "<"+m.ReplyTo+">")
	}
	return []byte(b.String() + content)
}

// Text is a text as the content of a mail, with its header.
func Text(text string) string { return "Content-Type: text/plain; charset=utf-8\r\n\r\n" + CRLF(text) }

// CRLF is a text with the ends of lines that mail has.
func CRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// ReadView is the view.json of a mail, nil if it has none.
func ReadView(raw []byte) (*view.View, error) {
	m, err := mailbox.Read(raw)
	if err != nil {
		return nil, err
	}
	return proof.View(m)
}

// Account is the account of an address at a post office.
func Account(office *postoffice.Office, address, password string) mailbox.Config {
	server := func(addr string) mailbox.ServerConfig {
		host, port, _ := net.SplitHostPort(addr)
		n, _ := strconv.Atoi(port)
		return mailbox.ServerConfig{Host: host, Port: n, TLS: mailbox.NoTLS, User: address, Password: password}
	}
	c := mailbox.Config{Address: address}
	c.IMAP.ServerConfig, c.SMTP.ServerConfig = server(office.IMAPAddr()), server(office.SMTPAddr())
	return c
}
