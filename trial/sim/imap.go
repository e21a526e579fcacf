package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// message is a mail in a folder of the provider.
type message struct {
	uid  uint32
	raw  []byte
	date time.Time
}

// folder is a folder of the provider.
type folder struct {
	validity uint32
	next     uint32
	messages []message
}

// put lays a mail into the folder.
func (f *folder) put(raw []byte, at time.Time) {
	f.next++
	f.messages = append(f.messages, message{f.next, raw, at})
}

// renumber gives everything in the folder another UID.
func (f *folder) renumber() {
	old := f.messages
	f.validity, f.next, f.messages = f.validity+1, 0, nil
	for _, m := range old {
		f.put(m.raw, m.date)
	}
}

// imapSession is one connection to the mailbox.
type imapSession struct {
	w    *week
	open *folder
	tag  string // of a command that goes on with the next line
}

const imapGreeting = "* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] ready\r\n"

// hear answers a command.
func (s *imapSession) hear(line string) (answer string, end ending) {
	if s.tag != "" { // the second half of a login
		tag := s.tag
		s.tag = ""
		return tag + " OK done\r\n", goesOn
	}
	tag, rest, _ := strings.Cut(line, " ")
	verb := strings.ToUpper(rest)
	name, _, _ := strings.Cut(verb, " ")
	if name == "UID" {
		name, _, _ = strings.Cut(verb[len("UID "):], " ")
	}
	how := s.w.serverFault(imapServer, name)
	switch how {
	case servesWell, diesAfter, diesHalfway:
		answer = s.obey(tag, name, rest)
	case refuses:
		return tag + " NO [UNAVAILABLE] not now\r\n", goesOn
	case refusesForGood:
		return tag + " NO not you\r\n", goesOn
	case saysGoodbye:
		return "* BYE going down\r\n", hungUp
	}
	return answer, how.ending()
}

// obey carries a command out.
func (s *imapSession) obey(tag, name, rest string) string {
	ok := tag + " OK done\r\n"
	switch name {
	case "CAPABILITY":
		return "* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN\r\n" + ok
	case "AUTHENTICATE":
		if len(strings.Fields(rest)) < 3 {
			s.tag = tag
			return "+ \r\n"
		}
		return tag + " OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] in\r\n"
	case "LIST":
		return "* LIST () \"/\" INBOX\r\n* LIST (\\Junk) \"/\" Junk\r\n" + ok
	case "SELECT", "EXAMINE":
		if s.open = s.w.folders[strings.Trim(strings.Fields(rest)[1], `"`)]; s.open == nil {
			return tag + " NO there is none\r\n"
		}
		return fmt.Sprintf("* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* OK [UIDVALIDITY %d] v\r\n* OK [UIDNEXT %d] n\r\n%s OK [READ-WRITE] open\r\n",
			len(s.open.messages), s.open.validity, s.open.next+1, tag)
	case "SEARCH":
		return s.search(rest) + ok
	case "FETCH":
		return s.fetch(rest) + ok
	}
	return ok
}

// search lists UIDs from one on, or the number of one.
func (s *imapSession) search(rest string) string {
	words := strings.Fields(rest)
	set := words[len(words)-1]
	from, _, isRange := strings.Cut(set, ":")
	n, _ := strconv.ParseUint(from, 10, 32)
	byUID := strings.EqualFold(words[0], "UID")
	var found []string
	for i, m := range s.open.messages {
		fits := m.uid == uint32(n) || isRange && (m.uid > uint32(n) || i == len(s.open.messages)-1)
		switch {
		case fits && byUID:
			found = append(found, fmt.Sprint(m.uid))
		case fits:
			found = append(found, fmt.Sprint(i+1))
		}
	}
	return strings.TrimRight("* SEARCH "+strings.Join(found, " "), " ") + "\r\n"
}

// fetch brings what a message is, or its bytes.
func (s *imapSession) fetch(rest string) string {
	words := strings.Fields(rest)
	byUID := strings.EqualFold(words[0], "UID")
	if byUID {
		words = words[1:]
	}
	n, _ := strconv.ParseUint(words[1], 10, 32)
	i := int(n) - 1
	if byUID {
		i = slices.IndexFunc(s.open.messages, func(m message) bool { return m.uid == uint32(n) })
	}
	if i < 0 || i >= len(s.open.messages) {
		return ""
	}
	m := s.open.messages[i]
	if strings.Contains(rest, "BODY") {
		return fmt.Sprintf("* %d FETCH (UID %d BODY[]<0> {%d}\r\n%s)\r\n", i+1, m.uid, len(m.raw), m.raw)
	}
	return fmt.Sprintf("* %d FETCH (UID %d FLAGS () INTERNALDATE %q RFC822.SIZE %d)\r\n", i+1, m.uid, m.date.Format("02-Jan-2006 15:04:05 -0700"), len(m.raw))
}
