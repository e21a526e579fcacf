package match

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// Line is how a game went without what was undone: of its phases, numbered from 1 and in
// order, those that led to the last position. A phase in which the game was set back is
// not among them: what follows it continues from the phase to which it was set.
func Line(phases []store.Phase) (line []store.Phase) {
	for i := len(phases) - 1; i >= 0; {
		if n, restored := restoredTo(phases[i]); restored {
			i = int(n) - 1
			continue
		}
		line = append(line, phases[i])
		i--
	}
	slices.Reverse(line)
	return line
}

// restoredTo is the number of the phase to which a phase set the game back, or forth. It is one
// before that phase.
func restoredTo(p store.Phase) (n uint64, restored bool) {
	if !bytes.Contains(p.Journal, []byte(RestoreLabel)) {
		return 0, false
	}
	journal, err := EntriesOf(p.Journal)
	if err != nil {
		return 0, false
	}
	e := Intervention(journal)
	switch {
	case e == nil, e.Label != RestoreLabel:
		return 0, false
	}
	n, err = strconv.ParseUint(e.Answer, 10, 64)
	return n, err == nil && 0 < n && n < p.Number
}

// PlayedPhase is a phase of a game as people name it.
type PlayedPhase struct {
	Number, Seq uint64
	// Phase is the one that was played, zero for the opening. Of the one that waits for
	// players Open is true; Number is the one that it will have.
	adjudicator.Phase
	Open bool
	// Undone phases count no more; the game was set back behind them.
	Undone bool
	// Act says what a moderator did in it, "" if it was played. SetTo is the phase to whose
	// end they set the game in it, 0 if they did not.
	Act   string
	SetTo uint64
}

// counts tells whether the phase led to a position that counts.
func (p PlayedPhase) counts() bool {
	switch {
	case p.Open, p.Undone, p.SetTo > 0:
		return false
	}
	return true
}

// hasName tells whether people can name the phase by side, turn and name.
func (p PlayedPhase) hasName() bool {
	switch {
	case p.Undone, p.Act != "", p.Number == 1:
		return false
	}
	return true
}

// Title names the phase for people: "turn 3, 14 May 1942: Movement of the Soviets".
func (p PlayedPhase) Title() string {
	switch {
	case p.Act != "":
		return p.Act
	case p.Number == 1:
		return "the game begins"
	}
	s := fmt.Sprintf("turn %d", p.Turn)
	if p.Date != "" {
		s += ", " + p.Date
	}
	return s + ": " + p.Name
}

// inBrackets names it within a sentence: "Movement of the Soviets (turn 3)".
func (p PlayedPhase) inBrackets() string {
	switch {
	case p.Act != "", p.Number == 1:
		return p.Title()
	}
	return fmt.Sprintf("%s (turn %d)", p.Name, p.Turn)
}

// PlayedPhases are all phases of a game in order, with the one that waits for players.
func (gs *Games) PlayedPhases(id string) (all []PlayedPhase, err error) {
	defer CatchPanic(&err)
	m, err := gs.Load(id)
	if err != nil {
		return nil, err
	}
	phases, err := gs.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	counts := map[uint64]bool{}
	for _, p := range Line(phases) {
		counts[p.Number] = true
	}
	var at adjudicator.Phase // which phase begins
	earlier := LastMigration(phases)
	for i, p := range phases {
		named := PlayedPhase{Number: p.Number, Seq: p.Seq, Phase: at, Act: intervenedBy(p)}
		named.SetTo, _ = restoredTo(p)
		named.Undone = named.SetTo == 0 && !counts[p.Number]
		all = append(all, named)
		if i < earlier { // of rules that this program does not know
			at = adjudicator.Phase{Turn: p.Turn, Name: RulesLabel(p.Phase)}
			continue
		}
		whole, err := gs.DB.Phase(id, p.Number)
		if err != nil {
			return nil, err
		}
		if at, err = m.Rules.At(whole.Snapshot); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Phase, err)
		}
	}
	if m.Open != nil && !at.Over {
		all = append(all, PlayedPhase{Number: uint64(len(all)) + 1, Phase: at, Open: true})
	}
	return all, nil
}

// intervenedBy says what the moderator, or the players' consent, did in a phase; "" if it
// was played.
func intervenedBy(p store.Phase) string {
	journal, err := EntriesOf(p.Journal)
	if err != nil {
		return ""
	}
	e := Intervention(journal)
	if e == nil {
		return ""
	}
	switch e.Label {
	case RestoreLabel:
		return "the game was set to the end of phase " + e.Answer
	case EditLabel:
		return "the moderator edited the position"
	case BranchLabel:
		from, _, _ := strings.Cut(e.Answer, ":")
		return "the game begins with the position of " + from
	}
	_, verdict, _ := strings.Cut(e.Answer, ": ")
	return "the game was ended: " + verdict
}

// ErrNoPhase says that words do not name a phase of a game.
var ErrNoPhase = errors.New("no phase of the game")

var turnInWords = regexp.MustCompile(`(?i)\bturn\s+(\d+)\b,?`)

// PhaseEnd is the number of the phase at whose end a place in a game lies that is said in
// words: the number itself, "before GERMAN turn 2", "after turn 3", "before Attack of the
// Soviets turn 1". Words look among the phases that count; a number may also be of an
// undone one.
func PhaseEnd(all []PlayedPhase, where string) (n uint64, err error) {
	where = strings.Trim(strings.TrimSpace(where), `"'`)
	if n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(where), "phase "), 10, 64); err == nil {
		if n < 1 || n > lastNumber(all) {
			return 0, fmt.Errorf("%w has the number %d: they go from 1 to %d", ErrNoPhase, n, lastNumber(all))
		}
		return n, nil
	}
	word, what, _ := strings.Cut(where, " ")
	word = strings.ToLower(word)
	if !slices.Contains([]string{"before", "after"}, word) {
		return 0, fmt.Errorf("%w is named by %q: write the number of a phase, or BEFORE or AFTER and a side, a turn or both: before %s", ErrNoPhase, where, Example(all))
	}
	var found []PlayedPhase
	for _, p := range all {
		if p.hasName() && p.meets(what) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return 0, fmt.Errorf("%w that counts is %q: say, for example, before %s", ErrNoPhase, strings.TrimSpace(what), Example(all))
	}
	if word == "before" {
		return endBefore(all, found[0].Number), nil
	}
	last := found[len(found)-1]
	if last.Open {
		return 0, fmt.Errorf("%w: %s is not over yet", ErrNoPhase, last.Title())
	}
	return last.Number, nil
}

// meets tells whether a phase is of the side, turn and name that words say, where they do.
func (p PlayedPhase) meets(what string) bool {
	if t := turnInWords.FindStringSubmatch(what); t != nil {
		if strconv.Itoa(p.Turn) != t[1] {
			return false
		}
		what = turnInWords.ReplaceAllString(what, " ")
	}
	what = strings.TrimRight(strings.Join(strings.Fields(what), " "), ",:")
	if strings.EqualFold(what, string(p.Side)) {
		return true
	}
	return strings.Contains(strings.ToLower(p.Name), strings.ToLower(what))
}

// endBefore is the phase that counts before another one: its position is what that began from.
func endBefore(all []PlayedPhase, number uint64) (n uint64) {
	for _, p := range all {
		if p.counts() && p.Number < number {
			n = p.Number
		}
	}
	return n
}

func lastNumber(all []PlayedPhase) (n uint64) {
	for _, p := range all {
		if !p.Open {
			n = p.Number
		}
	}
	return n
}

// Example is a phase of a game in words that PhaseEnd takes behind BEFORE.
func Example(all []PlayedPhase) string {
	for _, p := range slices.Backward(all) {
		if p.hasName() {
			return strings.TrimSpace(fmt.Sprintf("%s turn %d", p.Side, p.Turn))
		}
	}
	return "turn 1"
}
