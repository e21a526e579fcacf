package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/store"
)

// asking is how a side wants its reactions answered.
type asking struct {
	kinds []string // that it is asked about
	pause bool     // when something that it named has come true
}

// parseMode reads the MODE line of a sheet: STANDING or PLOT (nothing is asked),
// ASK with or without kinds, PAUSE-IF and what the rules system makes of the rest.
func parseMode(text string, may []string) (asking, *rule.Violation) {
	words := Listed(strings.ToUpper(text))
	if len(words) == 0 {
		return asking{}, nil
	}
	alone := len(words) == 1
	switch words[0] {
	case "STANDING", "PLOT":
		if alone {
			return asking{}, nil
		}
	case "PAUSE-IF":
		if slices.Contains(may, adjudicator.KindActivation) {
			return asking{pause: true}, nil
		}
	case "ASK":
		if alone {
			return asking{kinds: may}, nil
		}
		a := asking{}
		for _, w := range words[1:] {
			kind := strings.ToLower(w)
			if !slices.Contains(may, kind) {
				return asking{}, &rule.Violation{Why: fmt.Sprintf("%s is not a question in this game", w), Instead: modes(may)}
			}
			a.kinds = append(a.kinds, kind)
		}
		return a, nil
	}
	return asking{}, &rule.Violation{Why: fmt.Sprintf("MODE: %s is no way of answering reactions", words[0]), Instead: modes(may)}
}

// modes says which MODE lines a game takes.
func modes(may []string) string {
	switch {
	case len(may) == 0:
		return "This game asks no reactions: its mode is always STANDING."
	case slices.Contains(may, adjudicator.KindActivation):
		return "Write MODE: PLOT, MODE: PAUSE-IF and your triggers, or MODE: ASK."
	}
	return fmt.Sprintf("Write MODE: STANDING, MODE: ASK, or MODE: ASK and some of %s.", strings.ToUpper(strings.Join(may, ", ")))
}

// MayAsk are the kinds of reactions that a side of the match may be asked about.
func (m Match) MayAsk() []string {
	switch text := m.Game.Options[optionAsk]; text {
	case "", "all":
		return adjudicator.AsksOf(m.System)
	case "none":
		return nil
	default:
		return slices.DeleteFunc(slices.Clone(adjudicator.AsksOf(m.System)), func(kind string) bool { return !slices.Contains(strings.Split(text, ","), kind) })
	}
}

// asks tells whether the side wants to answer the decision itself.
func (a asking) asks(d adjudicator.Decision) bool {
	switch {
	case d.Ordered, len(d.Options) == 1: // there is nothing to choose
		return false
	case len(d.Options) == 0 && d.Kind != adjudicator.KindActivation:
		return false
	case a.pause && d.Pause != "":
		return true
	}
	return slices.Contains(a.kinds, d.Kind)
}

// asPlotted answers a question whose answer would be orders: those filed hold.
const asPlotted = "AS FILED"

// FilingOf is what is kept of a sheet that was judged while the phase waited.
func FilingOf(checked *adjudicator.Filing, sheet *orders.Sheet, side adjudicator.Side, phase string) Filing {
	turn, _ := sheet.Number("TURN")
	serial, _ := sheet.Number("SERIAL")
	if sheet.Command("WITHDRAW") {
		return Filing{Side: side, Turn: turn, Serial: serial, Withdrawn: true}
	}
	done := checked.Done
	if sheet.Bare() {
		done = sheet.Done // whether duties are open is for the sheet with the orders to say
	}
	f := Filing{Side: side, Turn: turn, Serial: serial, By: StandInOf(sheet), Joined: sheet.Header("MODERATE") == JoinedMark, Answers: checked.Answers,
		Done: done, Bare: sheet.Bare(), Mode: sheet.Header("MODE"), Phase: phase}
	for _, o := range answerLines(sheet) {
		if label, answer, ok := strings.Cut(o.String(), ":"); ok {
			if f.Replies == nil {
				f.Replies = map[string]string{}
			}
			f.Replies[strings.ToUpper(strings.TrimSpace(label))] = strings.TrimSpace(answer)
		}
	}
	return f
}

// answerLines are the lines of the ANSWER section.
func answerLines(sheet *orders.Sheet) (all []orders.Order) {
	for _, sec := range sheet.Sections {
		if sec.Name == orders.AnswerSection {
			all = append(all, sec.Orders...)
		}
	}
	return all
}

// WithAnswers puts the verdicts on the MODE line and the ANSWER section before those of
// the rules; what these refuse of the MODE line, such as a trigger, is refused once.
func WithAnswers(rules []adjudicator.Line, sheet *orders.Sheet, asked []adjudicator.Decision, may []string) []adjudicator.Line {
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
			if _, l.Refused = parseMode(h.Value, may); l.Refused == nil {
				l.Understood = "how your reactions are answered from now on"
			}
			lines = append(lines, l)
		}
	}
	for _, o := range answerLines(sheet) {
		l := adjudicator.Line{Pos: o.Pos, Text: o.String()}
		label, answer, ok := strings.Cut(l.Text, ":")
		d := slices.IndexFunc(asked, func(d adjudicator.Decision) bool { return strings.EqualFold(d.Label, strings.TrimSpace(label)) })
		switch {
		case !ok:
			l.Refused = &rule.Violation{Why: "an answer is a question's label, a colon and the answer", Instead: awaited(asked)}
		case d < 0:
			l.Refused = &rule.Violation{Why: fmt.Sprintf("nothing like %q is asked of you now", strings.TrimSpace(label)), Instead: awaited(asked)}
		default:
			_, l.Understood, l.Refused = reply(asked[d], strings.TrimSpace(answer))
		}
		lines = append(lines, l)
	}
	return lines
}

// reply finds the option that an answer names.
func reply(d adjudicator.Decision, answer string) (text, means string, bad *rule.Violation) {
	if len(d.Options) == 0 && strings.EqualFold(answer, asPlotted) {
		return d.Proposal, "what you filed before holds", nil
	}
	var legal []string
	for _, o := range d.Options {
		if strings.EqualFold(o.Answer, answer) {
			return o.Answer, o.Means, nil
		}
		legal = append(legal, o.Answer)
	}
	if len(d.Options) == 0 {
		return "", "", &rule.Violation{Clause: d.Clause, Why: fmt.Sprintf("%q is answered by orders of their own", d.Label), Instead: "Write the section, or " + asPlotted + "."}
	}
	return "", "", &rule.Violation{Clause: d.Clause, Why: fmt.Sprintf("%q is no answer to %q", answer, d.Label), Instead: "Legal are: " + strings.Join(legal, " | ")}
}

func awaited(asked []adjudicator.Decision) string {
	var labels []string
	for _, d := range asked {
		labels = append(labels, strings.ToUpper(d.Label))
	}
	if len(labels) == 0 {
		return "Nothing is being asked of you now. Please leave ANSWER out."
	}
	return "Asked are: " + strings.Join(labels, ", ")
}

// AskedOf are the questions of the open phase to a side: its reactions.
func AskedOf(open *store.OpenPhase, side adjudicator.Side) ([]adjudicator.Decision, error) {
	all, err := PendingOf(open)
	return Questions(all, side), err
}

// Pending are the decisions that the open phase waits for.
func (m Match) Pending() ([]adjudicator.Decision, error) { return PendingOf(m.Open) }

// Asked are the questions of the open phase to a side.
func (m Match) Asked(side string) ([]adjudicator.Decision, error) {
	return AskedOf(m.Open, adjudicator.Side(side))
}

// Questions are the reactions among the decisions that are the side's.
func Questions(pending []adjudicator.Decision, side adjudicator.Side) []adjudicator.Decision {
	return slices.DeleteFunc(slices.Clone(pending), func(d adjudicator.Decision) bool { return d.Turn || d.Side != side })
}

// TurnDue tells whether somebody's turn decision is waited for.
func TurnDue(pending []adjudicator.Decision) bool {
	return slices.ContainsFunc(pending, func(d adjudicator.Decision) bool { return d.Turn })
}

// WaitingFor are the sides whose decisions are pending, each once.
func WaitingFor(pending []adjudicator.Decision) (sides []string) {
	for _, d := range pending {
		if !slices.Contains(sides, string(d.Side)) {
			sides = append(sides, string(d.Side))
		}
	}
	return sides
}

// Asked is what a view tells its side of the questions to it.
func Asked(pending []adjudicator.Decision, side adjudicator.Side) (out []view.Question) {
	for _, d := range Questions(pending, side) {
		q := view.Question{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source, Why: d.Pause}
		for _, o := range d.Options {
			q.Options = append(q.Options, view.Option{Answer: o.Answer, Means: o.Means})
		}
		out = append(out, q)
	}
	return out
}

// PendingOf reads the decisions that the open phase waits for.
func PendingOf(open *store.OpenPhase) (all []adjudicator.Decision, err error) {
	if open == nil || len(open.Pending) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(open.Pending, &all); err != nil {
		return nil, fmt.Errorf("%s: what is asked: %w", open.Phase, err)
	}
	return all, nil
}

// Moved tells whether anything was decided since the phase that waited stopped. That
// one side of a decision of both has filed decides nothing, and nobody hears of it.
func (p Progress) Moved(open *store.OpenPhase) bool {
	switch {
	case len(p.Phases) > 0, p.Open == nil, open == nil:
		return true
	case open.Closed > 0, !bytes.Equal(p.Open.Journal, open.Journal):
		return true
	}
	before, err := PendingOf(open)
	if err != nil {
		return true
	}
	reaction := func(d adjudicator.Decision) bool { return !d.Turn }
	asked := func(d adjudicator.Decision) bool {
		return slices.ContainsFunc(before, func(b adjudicator.Decision) bool { return b.Label == d.Label })
	}
	if slices.ContainsFunc(p.Pending, func(d adjudicator.Decision) bool { return reaction(d) && !asked(d) }) {
		return true
	}
	allAnswered := !slices.ContainsFunc(p.Pending, reaction)
	return allAnswered && slices.ContainsFunc(before, reaction)
}

// After says what a sheet led to at once; "" if it waits.
func (p Progress) After(open *store.OpenPhase) string {
	switch {
	case !p.Moved(open):
		return ""
	case p.At.Over || TurnDue(p.Pending):
		return "The report follows."
	}
	return "The report follows when the phase is over."
}

// UnreportedNote names the note of the first phase that no report has told yet.
func UnreportedNote(game string) string { return "untold/" + game }

// Unreported repeats the phases since the last report, for what happened in them.
func (gs *Games) Unreported(m Match) (all []ProvedEvent, err error) {
	id := m.Game.ID
	text, err := gs.DB.Note(UnreportedNote(id))
	if err != nil || text == nil {
		return nil, err
	}
	first, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", UnreportedNote(id), err)
	}
	phases, err := gs.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	for n := first; n <= m.Game.Phases; n++ {
		before, err := gs.DB.Phase(id, n-1)
		if err != nil {
			return nil, err
		}
		journal, err := EntriesOf(phases[n-1].Journal)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", phases[n-1].Phase, err)
		}
		if Intervention(journal) != nil {
			continue
		}
		out, err := m.Rules.Play(before.Snapshot, journal, JournalOnly{}, JournalOnly{})
		if err != nil {
			return nil, err
		}
		all = append(all, ProvedEvents(phases[n-1].Phase, out, phases[n-1].Beacon)...)
	}
	return all, nil
}
