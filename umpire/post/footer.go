package post

import (
	"fmt"
	"html"
	"strings"
)

// ModeratorOf is the person to whom the players of a game turn; none has no name.
func (o *Office) ModeratorOf(game string) Person {
	if o.Moderating == nil {
		return Person{}
	}
	return o.Moderating(game)
}

// Footer are the lines at the end of every mail of a game: who moderates it, and what to ask.
func (o *Office) Footer(game string) (lines []string) {
	m := o.ModeratorOf(game)
	switch {
	case m.Name != "":
		lines = append(lines, fmt.Sprintf("%s moderates this game: %s.", m.Name, m.Address), "What you write to us in your own words goes to them.")
	case o.AboutClub.Contact != "":
		lines = append(lines, fmt.Sprintf("A person to write to: %s.", o.AboutClub.Contact))
	default:
		return nil
	}
	return append(lines, "HELP on the first line of a mail lists what else you can ask for.")
}

// footed is a mail's text with the footer.
func (o *Office) footed(game, text string) string {
	lines := o.Footer(game)
	if len(lines) == 0 {
		return text
	}
	return strings.TrimRight(text, "\n") + "\n\n" + strings.Join(lines, "\n") + "\n"
}

// footedHTML is a mail's page with the footer.
func (o *Office) footedHTML(game, page string) string {
	lines := o.Footer(game)
	end := strings.LastIndex(page, "</body>")
	if len(lines) == 0 || end < 0 {
		return page
	}
	return page[:end] + "<p style=\"margin:18px 0 0 0;color:#8a8373;\">" + html.EscapeString(strings.Join(lines, " ")) + "</p>\n" + page[end:]
}
