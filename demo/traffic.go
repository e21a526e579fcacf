package demo

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Traffic counts the mails to and from a side: sheets and what answers them, reports, and the
// questions among its mails.
type Traffic struct {
	Mails, Questions int
	seen             map[string]bool // by Message-ID: what came twice is one mail
}

// messageID is how a mail names its kind: "report", "question", "ack", "sheet".
var messageID = regexp.MustCompile(`(?m)^Message-ID: <(([a-z]+)\.[^>\r]+)>`)

// kinds are those of the mails that a turn is played with.
var kinds = []string{"report", "question", "ack", "refusal", "sheet"}

// count counts a mail for the side that it goes to or comes from.
func (r *Result) count(clerks []*clerk, rcpt string, raw []byte) {
	id := messageID.FindSubmatch(raw)
	if id == nil || !slices.Contains(kinds, string(id[2])) {
		return
	}
	for _, c := range clerks {
		from := strings.HasPrefix(string(id[1]), "sheet."+strings.ToLower(c.Side)+".")
		if c.Address != rcpt && !from {
			continue
		}
		if r.Traffic == nil {
			r.Traffic = map[string]Traffic{}
		}
		t := r.Traffic[c.Side]
		if t.seen == nil {
			t.seen = map[string]bool{}
		}
		if t.seen[string(id[1])] {
			continue
		}
		t.seen[string(id[1])] = true
		t.Mails++
		if string(id[2]) == "question" {
			t.Questions++
		}
		r.Traffic[c.Side] = t
	}
}

// PerTurn says how many mails a turn has cost each side, the report that opened the game aside.
func (r Result) PerTurn(turns int) string {
	var out []string
	each := func(n int) float64 { return float64(n) / float64(max(turns, 1)) }
	for _, side := range slices.Sorted(maps.Keys(r.Traffic)) {
		t := r.Traffic[side]
		out = append(out, fmt.Sprintf("%s %.2f with %.2f questions", side, each(t.Mails-1), each(t.Questions)))
	}
	return strings.Join(out, "; ")
}
