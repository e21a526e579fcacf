package famous

import (
	"strings"

	"fieldpost/adjudicator/phrase"
)

// activates tells whether an order is the line of a division's programme that says which
// battalion its chit activates.
func activates(w phrase.Written) bool {
	word, _, _ := strings.Cut(w.Text, " ")
	return verb(word) == verbActivate
}

// battalionsOn are the names on such a line: ACTIVATE 1FUS ELSE 2FUS UNLESS DONE.
func battalionsOn(w phrase.Written) (names []string) {
	list := strings.TrimPrefix(w.Text, string(verbActivate))
	list = strings.ReplaceAll(strings.ReplaceAll(list, "UNLESS DONE", ""), "ELSE", ",")
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.Join(strings.Fields(name), " "); name != "" {
			names = append(names, name)
		}
	}
	return names
}
