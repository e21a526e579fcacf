package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SetBack is what it means for people that a game goes on from the end of another phase
// than its last.
type SetBack struct {
	To     PlayedPhase // the one that is played next
	Number uint64      // of the phase from whose end the game goes on
	Why    string      // the moderator's reason
	// Undone are the phases that count no more, Again those that count again, in order.
	Undone, Again []PlayedPhase
	Sheets        []SheetsBack
}

// SheetsBack are the numbers of a side's sheets that count no more, and that of its next
// one; 0 if its numbers stay as they are.
type SheetsBack struct {
	Side    string
	Dropped []int
	Next    int
}

// NewSetBack compares the game as it stands with the one that goes on from a phase's end.
func NewSetBack(all []PlayedPhase, number uint64, why string) *SetBack {
	b := &SetBack{Number: number, Why: why}
	if int(number) < len(all) {
		b.To = all[number]
		b.To.Act = "" // a phase in which the moderator acted is played yet
	}
	after := lineUpTo(all, number)
	for _, p := range all {
		switch is, will := p.counts(), after[p.Number]; {
		case is == will:
			// as it was
		case is:
			b.Undone = append(b.Undone, p)
		default:
			b.Again = append(b.Again, p)
		}
	}
	return b
}

// lineUpTo are the numbers of the phases that led to the end of one.
func lineUpTo(all []PlayedPhase, number uint64) map[uint64]bool {
	line := map[uint64]bool{}
	for n := number; n >= 1; {
		p := all[n-1]
		if p.SetTo > 0 {
			n = p.SetTo
			continue
		}
		line[n] = true
		n--
	}
	return line
}

// Words tell it in a sentence or three.
func (b *SetBack) Words() string {
	if b == nil {
		return ""
	}
	s := fmt.Sprintf("The moderator sets the game back to before %s. ", b.To.Title())
	if b.Forward() {
		s = fmt.Sprintf("The moderator sets the game forward again to before %s. ", b.To.Title())
	}
	if b.Why != "" {
		s += "Why: " + strings.TrimRight(b.Why, ".") + ". "
	}
	return s + b.UndoneWords()
}

// Forward tells whether the game goes to what an earlier setting back had left, and nothing
// is undone.
func (b *SetBack) Forward() bool { return len(b.Undone) == 0 && len(b.Again) > 0 }

// UndoneWords say which phases count no more, and which do again.
func (b *SetBack) UndoneWords() string {
	var says []string
	if s := span(b.Undone); s != "" {
		says = append(says, "Undone: "+s+". What is played again has other dice.")
	}
	if s := span(b.Again); s != "" {
		says = append(says, "Counts again: "+s+".")
	}
	if len(says) == 0 {
		return "No phase is undone; what was rolled and answered in the one that is open is, and the dice will be others."
	}
	return strings.Join(says, " ")
}

// span names phases by the first and the last of them.
func span(phases []PlayedPhase) string {
	switch len(phases) {
	case 0:
		return ""
	case 1:
		return phases[0].Title()
	}
	return fmt.Sprintf("%d phases, the first %s, the last %s", len(phases), phases[0].inBrackets(), phases[len(phases)-1].inBrackets())
}

// SheetLines say for each side which sheets count no more.
func (b *SetBack) SheetLines() (lines []string) {
	for _, s := range b.Sheets {
		if words := s.Words(); words != "" {
			lines = append(lines, s.Side+": "+words)
		}
	}
	if len(lines) == 0 {
		return []string{"All sheets that are filed stand."}
	}
	return lines
}

// SheetsOf says of a side which of its sheets count no more.
func (b *SetBack) SheetsOf(side string) string {
	i := slices.IndexFunc(b.Sheets, func(s SheetsBack) bool { return s.Side == side })
	if i >= 0 && len(b.Sheets[i].Dropped) > 0 {
		return b.Sheets[i].Words()
	}
	return "What you had filed before stands."
}

// Words say which sheets count no more, "" if all do.
func (s SheetsBack) Words() string {
	switch len(s.Dropped) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("sheet %d no longer counts; the next one may be numbered %d.", s.Dropped[0], s.Next)
	}
	var numbers []string
	for _, n := range s.Dropped {
		numbers = append(numbers, strconv.Itoa(n))
	}
	return fmt.Sprintf("sheets %s no longer count; the next one may be numbered %d.", strings.Join(numbers, ", "), s.Next)
}
