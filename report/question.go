package report

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/view"
)

// AnswerSheet is a sheet that answers the questions with what holds without an
// answer: the player changes what should be otherwise.
func AnswerSheet(v *view.View, turn, serial int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n\nANSWER\n", v.Game, strings.ToUpper(v.Side), turn, max(serial, 1))
	for _, q := range v.Asked {
		answer := q.Proposal
		if len(q.Options) == 0 {
			answer = "AS FILED"
		}
		fmt.Fprintf(&b, "  %s: %s\n", strings.ToUpper(q.Label), answer)
	}
	return b.String()
}

// askingFor are the questions in words, by what is asked: of the hex that the label names.
var askingFor = map[string]string{
	"retreat":   "where does %s retreat to?",
	"loss":      "who takes the loss at %s?",
	"pursuit":   "do you pursue at %s?",
	"advance":   "do you advance at %s?",
	"support":   "which guns support %s?",
	"artillery": "which guns fire at %s?",
}

// activation is the kind of question that orders for a chit answer.
const activation = "activation"

// InWords says what is asked, of several questions the first.
func InWords(asked []view.Question) string {
	q := asked[0]
	label := strings.ToUpper(q.Label)
	says := fmt.Sprintf("what do you decide on %s?", label)
	words := strings.Fields(label)
	form, known := askingFor[q.Kind]
	at := hexIn(words, q.Kind == "retreat")
	switch {
	case known && at != "":
		says = fmt.Sprintf(form, at)
	case q.Kind == activation && len(words) > 1:
		chit := strings.Join(strings.Fields(q.Label)[1:], " ") // as it is printed
		says = "what are your orders for " + strings.TrimPrefix(chit, "for ") + "?"
	}
	if n := len(asked); n > 1 {
		return fmt.Sprintf("%s questions, the first: %s", inLetters(n), says)
	}
	return "a question: " + says
}

// hexIn is the first hex that a label names, or the last; "" for none.
func hexIn(words []string, last bool) (at string) {
	for _, w := range words {
		if isHex := len(w) == 4 && strings.Trim(w, "0123456789") == ""; isHex && (at == "" || last) {
			at = w
		}
	}
	return at
}

// marked tells whether the option holds without an answer.
func marked(q view.Question, o view.Option) string {
	if o.Answer == q.Proposal {
		return "*"
	}
	return ""
}

// askedFor says what is asked, in a line.
func askedFor(q view.Question) string {
	s := strings.ToUpper(q.Label)
	if q.Clause != "" {
		s += " (" + string(q.Clause) + ")"
	}
	if q.Why != "" {
		s += ": " + q.Why
	}
	return s
}

// otherwise says what holds without an answer.
func otherwise(q view.Question) string {
	switch {
	case len(q.Options) == 0 && q.Proposal == "":
		return "Answer with a section of orders of its own. Without one nothing is done."
	case len(q.Options) == 0:
		return "Answer with a section of orders of its own, or AS FILED: " + strings.ReplaceAll(q.Proposal, "\n", " / ")
	}
	source := q.Source
	if source != "" {
		source = ", by " + source
	}
	return "* holds without an answer" + source + "."
}

func (r *Report) textQuestions(p *page) {
	if len(r.View.Asked) == 0 {
		return
	}
	p.line("ASKED OF YOU")
	for _, q := range r.View.Asked {
		p.hang("  ", askedFor(q))
		wide := 0
		for _, o := range q.Options {
			wide = max(wide, len(o.Answer))
		}
		for _, o := range q.Options {
			p.hang(fmt.Sprintf("   %1s %s  ", marked(q, o), pad(o.Answer, min(wide, 30))), o.Means)
		}
		p.hang("    ", otherwise(q))
	}
	p.line("")
}

func (r *Report) htmlQuestions(m *markup) {
	if len(r.View.Asked) == 0 {
		return
	}
	m.section("Asked of you")
	for _, q := range r.View.Asked {
		m.tag("p", "margin:8px 0 2px;font-weight:bold;", askedFor(q))
		var rows [][]cell
		for _, o := range q.Options {
			rows = append(rows, []cell{{marked(q, o), goodStyle}, {o.Answer, monoStyle}, {o.Means, ""}})
		}
		if len(rows) > 0 {
			m.table(nil, rows)
		}
		m.tag("p", "margin:2px 0;"+quietStyle, otherwise(q))
	}
}
