package judge

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// WithAnswers puts the verdicts on the MODE line and the ANSWER section before those of
// the rules; what these refuse of the MODE line, such as a trigger, is refused once.
//
// Orders that ask for a question are warned of where the game puts none.
func WithAnswers(rules []adjudicator.Line, sheet *orders.Sheet, asked []adjudicator.Decision, may []string) []adjudicator.Line {
	for i := range rules {
		if l := &rules[i]; l.Asks && l.Refused == nil && !slices.Contains(may, adjudicator.KindActivation) {
			l.Warning = strings.Trim(l.Warning+"; nothing is asked in this game: what is left of the programme is played", "; ")
		}
	}
	own := slices.DeleteFunc(judgedAnswers(sheet, asked, may), func(l adjudicator.Line) bool {
		return slices.ContainsFunc(rules, func(r adjudicator.Line) bool { return r.Pos == l.Pos && r.Refused != nil })
	})
	return append(own, rules...)
}

// judgedAnswers are the verdicts on the MODE line and the ANSWER section of a
// sheet, against what the phase that waits asks of the side.
func judgedAnswers(sheet *orders.Sheet, asked []adjudicator.Decision, may []string) (lines []adjudicator.Line) {
	for _, h := range sheet.Headers {
		if h.Name == "MODE" {
			l := adjudicator.Line{Pos: h.Pos, Text: "MODE: " + h.Value}
			if _, l.Refused = adjudicator.ParseMode(h.Value, may); l.Refused == nil {
				l.Understood = "how your reactions are answered from now on"
			}
			lines = append(lines, l)
		}
	}
	for _, o := range sheet.Orders(orders.AnswerSection) {
		l := adjudicator.Line{Pos: o.Pos, Text: o.String()}
		label, answer, ok := strings.Cut(l.Text, ":")
		d := slices.IndexFunc(asked, func(d adjudicator.Decision) bool { return strings.EqualFold(d.Label, strings.TrimSpace(label)) })
		switch {
		case !ok:
			l.Refused = &rule.Violation{Why: "an answer is a question's label, a colon and the answer", Instead: awaited(asked, l.Text)}
		case d < 0:
			l.Refused = &rule.Violation{Why: fmt.Sprintf("nothing like %q is asked of you now", strings.TrimSpace(label)), Instead: awaited(asked, strings.TrimSpace(label))}
		default:
			_, l.Understood, l.Refused = asked[d].Reply(strings.TrimSpace(answer))
		}
		lines = append(lines, l)
	}
	return lines
}

// awaited says what is asked, and which of it a label may have been meant for.
func awaited(asked []adjudicator.Decision, label string) string {
	var labels []string
	for _, d := range asked {
		labels = append(labels, strings.ToUpper(d.Label))
	}
	if len(labels) == 0 {
		return "Nothing is being asked of you now. Please leave ANSWER out."
	}
	return strings.TrimSpace(orders.DidYouMeanOf(label, labels) + " Asked are: " + strings.Join(labels, ", "))
}
