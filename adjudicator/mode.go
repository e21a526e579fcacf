package adjudicator

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Mode is how a side wants its reactions answered.
type Mode struct {
	kinds []string // that it is asked about
	pause bool     // when something that it named has come true
	// Within is how long it wants to be waited for, such as 6h; "" for what the game has agreed.
	Within string
}

// ParseMode reads the MODE line of a sheet: STANDING or PLOT (nothing is asked),
// ASK with or without kinds, PAUSE-IF or ASK with chits and what the rules system makes of the
// rest; behind all but the first how long the side wants to be waited for, WITHIN 6h.
func ParseMode(text string, may []string) (Mode, *rule.Violation) {
	text, within := phrase.CutWithin(text)
	m, bad := parseMode(text, may)
	if unasked := len(m.kinds) == 0 && !m.pause; bad == nil && within != "" && unasked {
		return Mode{}, &rule.Violation{Why: "nothing is asked in this mode, so nothing is waited for", Instead: "Leave WITHIN out, or write MODE: ASK and what you want to be asked about."}
	}
	m.Within = within
	return m, bad
}

func parseMode(text string, may []string) (Mode, *rule.Violation) {
	words := strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return r == ',' || r == ' ' })
	if len(words) == 0 {
		return Mode{}, nil
	}
	alone := len(words) == 1
	switch words[0] {
	case "STANDING", "PLOT":
		if alone {
			return Mode{}, nil
		}
	case "PAUSE-IF":
		if slices.Contains(may, KindActivation) {
			return Mode{pause: true}, nil
		}
	case "ASK":
		if alone {
			return Mode{kinds: may}, nil
		}
		a := Mode{}
		if namesChits := slices.Contains(may, KindActivation) && !slices.Contains(may, strings.ToLower(words[1])); namesChits {
			return Mode{pause: true}, nil // which these are is for the rules system to say
		}
		for _, w := range words[1:] {
			kind := strings.ToLower(w)
			if !slices.Contains(may, kind) {
				return Mode{}, &rule.Violation{Why: fmt.Sprintf("%s is not a question in this game", w), Instead: modes(may)}
			}
			a.kinds = append(a.kinds, kind)
		}
		return a, nil
	}
	return Mode{}, &rule.Violation{Why: fmt.Sprintf("MODE: %s is no way of answering reactions", words[0]), Instead: modes(may)}
}

// Modes are the words that a MODE line may begin with where these kinds of reactions may be
// asked about.
func Modes(may []string) []string {
	switch {
	case len(may) == 0:
		return []string{"STANDING"}
	case slices.Contains(may, KindActivation):
		return []string{"PLOT", "PAUSE-IF", "ASK"}
	}
	return []string{"STANDING", "ASK"}
}

// modes says which MODE lines a game takes.
func modes(may []string) string {
	switch {
	case len(may) == 0:
		return "This game asks no reactions: its mode is always STANDING."
	case slices.Contains(may, KindActivation):
		return "Write MODE: PLOT, MODE: ASK, MODE: ASK and the chits that you want to be asked about, or MODE: PAUSE-IF and your triggers."
	}
	return fmt.Sprintf("Write MODE: STANDING, MODE: ASK, or MODE: ASK and some of %s.", strings.ToUpper(strings.Join(may, ", ")))
}

// IsQuiet tells whether the side wants to answer nothing itself.
func (m Mode) IsQuiet() bool { return !m.pause && len(m.kinds) == 0 }

// Asks tells whether the side wants to answer the decision itself.
func (m Mode) Asks(d Decision) bool {
	switch {
	case d.Ordered, len(d.Options) == 1: // there is nothing to choose
		return false
	case d.Wanted:
		return true
	case len(d.Options) == 0 && d.Kind != KindActivation:
		return false
	case m.pause && d.Pause != "":
		return true
	}
	return slices.Contains(m.kinds, d.Kind)
}

// asPlotted answers a question whose answer would be orders: those filed hold.
const asPlotted = "AS FILED"

// Reply finds the option that an answer names: the answer as it counts and what it means,
// or what forbids it.
func (d Decision) Reply(answer string) (text, means string, bad *rule.Violation) {
	if len(d.Options) == 0 && strings.EqualFold(answer, asPlotted) {
		return d.Proposal, "what you filed before holds", nil
	}
	if o, named := meant(d.Options, answer); named {
		return o.Answer, o.Means, nil
	}
	var legal []string
	for _, o := range d.Options {
		legal = append(legal, o.Answer)
	}
	if len(d.Options) == 0 {
		return "", "", &rule.Violation{Clause: d.Clause, Why: fmt.Sprintf("%q is answered by orders of their own", d.Label), Instead: "Write the section, or " + asPlotted + "."}
	}
	return "", "", &rule.Violation{Clause: d.Clause, Why: fmt.Sprintf("%q is not an answer to %q", answer, d.Label), Instead: strings.TrimSpace(orders.DidYouMeanOf(answer, legal) + " Legal are: " + strings.Join(legal, " | "))}
}

// meant is the option that an answer names: as it is written, in any spelling of it, with its
// words in another order, with a unit's type that its name lacks, or by a beginning that no
// other has.
func meant(options []Option, answer string) (Option, bool) {
	key, words := phrase.Fold(answer), inOrder(answer)
	for _, fits := range []func(string) bool{
		func(o string) bool { return strings.EqualFold(o, answer) },
		func(o string) bool { return phrase.Fold(o) == key },
		func(o string) bool { return inOrder(o) == words },
		func(o string) bool { return inOrder(o) == inOrder(withoutTypes(answer)) },
		func(o string) bool { return key != "" && strings.HasPrefix(phrase.Fold(o), key) },
	} {
		found := slices.DeleteFunc(slices.Clone(options), func(o Option) bool { return !fits(o.Answer) })
		if len(found) == 1 {
			return found[0], true
		}
		if len(found) > 1 {
			break
		}
	}
	return Option{}, false
}

// withoutTypes is an answer without the types of units that reports print beside names.
func withoutTypes(answer string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(answer), phrase.IsType), " ")
}

// inOrder are the words of an answer, folded and sorted.
func inOrder(answer string) string {
	words := strings.Fields(answer)
	for i, w := range words {
		words[i] = phrase.Fold(w)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
