package report

import (
	"regexp"
	"strings"
)

var fileLine = regexp.MustCompile(`^([0-9a-f]{64})  (\S+)$`)

// ParseFiles reads the FILES section of a report's text part: the name and the
// SHA-256 of every other part of the mail.
func ParseFiles(text string) []File {
	var out []File
	inside := false
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		m := fileLine.FindStringSubmatch(l)
		switch {
		case strings.HasPrefix(l, "FILES "):
			inside = true
		case inside && m != nil:
			out = append(out, File{Name: m[2], SHA256: m[1]})
		default:
			inside = false
		}
	}
	return out
}
