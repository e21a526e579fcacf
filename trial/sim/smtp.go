package sim

import (
	"strings"
)

// smtpSession is one connection to the server that takes mail.
type smtpSession struct {
	w        *week
	to       string
	text     strings.Builder
	takesNow bool // what comes is the text of a mail
}

const smtpGreeting = "220 mail.test ready\r\n"

// hear answers a line: a command, or one of a mail's text.
func (s *smtpSession) hear(line string) (answer string, end ending) {
	if s.takesNow && line != "." {
		s.text.WriteString(strings.TrimPrefix(line, ".") + "\r\n")
		return "", goesOn
	}
	name, _, _ := strings.Cut(strings.ToUpper(line), " ")
	if s.takesNow {
		name, s.takesNow = "END", false
	}
	how := s.w.serverFault(smtpServer, name)
	switch how {
	case servesWell, diesAfter, diesHalfway:
		answer = s.obey(name, line)
	case refuses:
		return "451 4.3.0 not now\r\n", goesOn
	case refusesForGood:
		return refusal(name), goesOn
	case saysGoodbye:
		return "421 4.3.2 closing\r\n", hungUp
	}
	return answer, how.ending()
}

// refusal is how a verb is refused for good. The one of a recipient or of a text is about
// that mail alone.
func refusal(name string) string {
	switch name {
	case "AUTH":
		return "535 5.7.8 not you\r\n"
	case "RCPT", "DATA", "END": // a mail that is refused for good is the operator's, not a fault of the server
		return "450 4.2.0 greylisted\r\n"
	}
	return "554 5.7.1 not today\r\n"
}

// obey carries a command out.
func (s *smtpSession) obey(name, line string) string {
	switch name {
	case "EHLO":
		return "250-mail.test\r\n250-8BITMIME\r\n250 AUTH PLAIN\r\n"
	case "AUTH":
		return "235 2.7.0 in\r\n"
	case "RCPT":
		s.to = between(line, "<", ">")
	case "DATA":
		s.takesNow = true
		s.text.Reset()
		return "354 go on\r\n"
	case "END":
		s.w.arrives(s.to, []byte(s.text.String()))
		return "250 2.0.0 taken\r\n"
	case "QUIT":
		return "221 2.0.0 bye\r\n"
	}
	return "250 2.0.0 ok\r\n"
}

// between is what stands between two marks.
func between(text, left, right string) string {
	_, text, _ = strings.Cut(text, left)
	text, _, _ = strings.Cut(text, right)
	return text
}
