package mailbox

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"fieldpost/orders"
)

// OwnText is what the sender of an unsigned mail has written themselves, as far as one can
// tell. What a signature covers needs none of this.
type OwnText struct {
	// Text is without quoted lines, letters and all that stands below the cut.
	Text string
	// Cut is the line at which reading stopped, "" if nothing was cut off.
	Cut string
	// Rest is what was left out, without quotation marks: never orders, never a code.
	Rest string
}

// OwnTexts are the readings of what the sender wrote: of the plain text with soft line
// breaks undone, and as it was sent; of the HTML where there is no plain text. Text files
// follow, which count where the body holds no sheet.
func OwnTexts(m *Message) (readings []OwnText) {
	var texts, asSent, pages, whole []string
	for _, p := range m.Texts {
		switch {
		case p.Type == "text/html":
			pages, whole = append(pages, ownHTML(p.AsSent)), append(whole, p.Text)
		case strings.TrimSpace(p.Text) != "":
			texts, asSent = append(texts, p.Text), append(asSent, p.AsSent)
		}
	}
	if len(texts) == 0 && len(pages) > 0 {
		own := ownWords(strings.Join(pages, "\n"))
		own.Rest = strings.Join(whole, "\n")
		readings = append(readings, own)
	}
	add := func(text string) {
		if own := ownWords(text); !slices.Contains(readings, own) {
			readings = append(readings, own)
		}
	}
	if len(texts) > 0 {
		add(strings.Join(texts, "\n"))
		add(strings.Join(asSent, "\n"))
	}
	for _, a := range m.Attachments {
		if strings.HasSuffix(strings.ToLower(a.Name), ".txt") && mayBeText(a) {
			add(clean(a.Data))
		}
	}
	return readings
}

// ownWords parts what somebody wrote from what they answer. It only ever takes away.
func ownWords(text string) (own OwnText) {
	text, _ = orders.CutPress(text)
	lines := strings.Split(orders.PlainHeads(orders.Fold(text)), "\n")
	cut := cutAt(lines)
	if cut < len(lines) {
		own.Cut = strings.TrimSpace(firstAfter(lines[cut:], cutMark))
	}
	var kept, rest []string
	for i, line := range lines {
		bare, quoted := unquoted(line)
		switch {
		case i < cut && (ofProgram.MatchString(line) || announcesQuote(lines[i:])):
			kept = append(kept, "") // so that the others keep their numbers
		case i >= cut || quoted:
			rest = append(rest, bare)
			if i < cut {
				kept = append(kept, quotedLine)
			}
		default:
			kept = append(kept, line)
		}
	}
	own.Text, own.Rest = strings.Join(kept, "\n"), strings.Join(rest, "\n")
	return own
}

// firstAfter is the first line that is not empty and not a mark of ours, which the sender
// would not find in their mail; the mark if there is none.
func firstAfter(lines []string, mark string) string {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && line != mark {
			return line
		}
	}
	return mark
}

// announcesQuote tells whether the first line says who wrote the quoted lines below it, and when.
func announcesQuote(lines []string) bool {
	return writes.MatchString(lines[0]) && dated.MatchString(lines[0]) && quotesNext(lines[1:])
}

// quotedLine stands for a line that was left out: a sheet ends there.
const quotedLine = ">"

// unquoted is a line without the marks of a quotation.
func unquoted(line string) (bare string, quoted bool) {
	bare = strings.TrimLeft(line, " ")
	for strings.HasPrefix(bare, ">") || strings.HasPrefix(bare, "|") {
		bare, quoted = strings.TrimLeft(bare[1:], " "), true
	}
	if !quoted {
		return line, false
	}
	return bare, true
}

var (
	rule = regexp.MustCompile(`^\s*[-_]{5,}(\s*$|.*[-_]{5,}\s*$|[^-_]+[-_]{5,})`)
	// A line that mail programs set below what is written, without the separator of signatures.
	ofProgram = regexp.MustCompile(`(?i)^\s*(sent (from|with|via) \S|get outlook for |outlook für \S+ beziehen|holen sie sich outlook|gesendet (von|mit|über) \S|von mei\S+ .*gesendet|diese nachricht wurde von mei\S+ .*gesendet|envoyé (de|depuis|avec|à partir) |obtenir outlook pour |télécharger outlook pour |inviato da|enviado (desde|do|de|a partir) |verzonden (vanaf|vanuit|met|via) |wysłan\S+ z |odesláno z |skickat från |sendt fra |отправлено (с|из) )`)
	timed     = regexp.MustCompile(`\d:\d\d`)
	dated     = regexp.MustCompile(`\d[-./]\d|\d:\d\d`)
	// A line of the header that mail programs set above a mail that is answered.
	headerLine = regexp.MustCompile(`^\s*\*?\pL[\pL .-]{0,24}\s?:\*?\s`)
	address    = regexp.MustCompile(`\S+@\S+\.\S+`)
	gameTag    = regexp.MustCompile(`\[[A-Z2-7]{8}\]`)
	writes     = regexp.MustCompile(`:\s*$`)
	// The first lines of our own mails.
	reportHead = regexp.MustCompile(`(turn \d+ of \d+.* you: \S.* report \d+\s*|You are the \S+ side\. Report \d+ of game \S+)$`)
	// The lines above those that our mails give to copy.
	toCopy    = regexp.MustCompile(`\b((these (two|four) lines at the|with this line at its) top|that we believe to be yours)\b`)
	ownLetter = regexp.MustCompile(`^\s*(Your (sheet|orders|turn|side|part) .*(is filed|is finished|are finished|have been (played|withdrawn))|.* moderates this game: \S+@\S+)`)
)

// cutAt is the line where what is answered begins, or one beyond the last.
func cutAt(lines []string) int {
	for i, line := range lines {
		if _, quoted := unquoted(line); quoted && quotesNext(lines[i+1:]) {
			continue // it is left out by itself, and what follows is marked, too
		}
		switch {
		case rule.MatchString(line), reportHead.MatchString(line), toCopy.MatchString(line), ownLetter.MatchString(line):
			return i
		case gameTag.MatchString(line) && headerLine.MatchString(line):
			if begin := headerAbove(lines, i); begin >= 0 {
				return begin
			}
		case writes.MatchString(line) && address.MatchString(lines[max(i-1, 0)]+" "+line) && quotesNext(lines[i+1:]):
			if address.MatchString(line) || i == 0 {
				return i
			}
			return i - 1
		}
	}
	return len(lines)
}

// headerAbove is the first of the lines of a mail's header above its subject, -1 if there
// is none with an address.
func headerAbove(lines []string, subject int) (begin int) {
	begin = -1
	for i := subject; i >= max(subject-3, 0) && headerLine.MatchString(lines[i]+" "); i-- {
		if address.MatchString(lines[i]) {
			begin = i
		}
	}
	if begin > 0 && headerLine.MatchString(lines[begin-1]) && timed.MatchString(lines[begin-1]) {
		begin-- // some programs say first when it was sent
	}
	return begin
}

// quotesNext tells whether the next line with anything in it is quoted.
func quotesNext(lines []string) bool {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			_, quoted := unquoted(line)
			return quoted
		}
	}
	return false
}

// replyBegins are the marks by which mail programs begin, in HTML, the mail that is answered.
var replyBegins = []string{"appendonsend", "divRplyFwdMsg", "mail-editor-reference-message-container", "gmail_quote", "gmail_attr", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote", "fairemail_quote"}

// yahooPrefix is what Yahoo sets before the names of classes.
var yahooPrefix = regexp.MustCompile(`^ydp[0-9a-f]+`)

// ownHTML is the text of an HTML part; what is quoted in it is marked or cut off.
func ownHTML(source string) string {
	var out strings.Builder
	quoted := 0
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			shown, _ := htmlText(out.String())
			return shown
		}
		raw := string(z.Raw())
		name, more := z.TagName()
		tag := atom.Lookup(name)
		switch {
		case kind == html.StartTagToken && tag == atom.Blockquote:
			quoted++
		case kind == html.EndTagToken && tag == atom.Blockquote:
			quoted = max(0, quoted-1)
		case kind == html.StartTagToken && more && beginsReply(z), tag == atom.Hr && kind != html.EndTagToken:
			raw = "<br>" + cutMark + "<br>" + raw
		}
		if quoted == 0 {
			out.WriteString(raw)
		}
	}
}

// cutMark is a line that is always cut at.
const cutMark = "----------"

// beginsReply tells whether the attributes of a tag say that the answered mail begins.
func beginsReply(z *html.Tokenizer) bool {
	for {
		name, value, more := z.TagAttr()
		switch n := string(name); {
		case n == "name" && string(value) == "quote": // GMX, web.de
			return true
		case n == "id" || n == "class":
			for word := range strings.FieldsSeq(string(value)) {
				if slices.Contains(replyBegins, yahooPrefix.ReplaceAllString(word, "")) {
					return true
				}
			}
		}
		if !more {
			return false
		}
	}
}
