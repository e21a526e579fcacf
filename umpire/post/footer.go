package post

import (
	"errors"
	"fmt"
	"html"
	"net/url"
	"strings"

	"fieldpost/mailbox"
)

// Person is somebody whom a player can write to.
type Person struct{ Name, Address string }

// Club is what the club that runs the games says of itself; all of it may be empty.
type Club struct {
	// Page tells about the games, Downloads is where the program is, Contact an address.
	Page      string `toml:"page"`
	Downloads string `toml:"downloads"`
	Contact   string `toml:"contact"`
}

// Check says what is wrong with the settings.
func (c Club) Check() error {
	var faults []error
	for _, link := range []struct{ name, value string }{{"page", c.Page}, {"downloads", c.Downloads}} {
		if at, err := url.Parse(link.value); link.value != "" && (err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http") {
			faults = append(faults, fmt.Errorf("club.%s: %q is not the address of a page, such as https://club.example", link.name, link.value))
		}
	}
	if _, err := mailbox.PlainAddress(c.Contact); c.Contact != "" && err != nil {
		faults = append(faults, fmt.Errorf("club.contact = %q: %w", c.Contact, err))
	}
	return errors.Join(faults...)
}

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
