package report

import (
	"fmt"
	"strings"
)

// Fate is what became of a sheet that was filed.
type Fate int

// The fates of a sheet.
const (
	Filed     Fate = iota // it waits for DONE
	Held                  // it is finished, and something of it needs a second look
	Thinking              // it is finished, and played when the time for a second thought is over
	Finished              // it is finished, and played when others are, or at its time
	Played                // it has been played
	Playing               // it is being played: somebody is asked a question first
	HeadOnly              // it held lines of the head only; what is filed stays as it is
	PartDone              // it finishes one commander's part
	Withdrawn             // it takes back what was filed, and is answered by a notice
)

// InPlay tells whether the orders are carried out: they can no longer be changed.
func (f Fate) InPlay() bool { return f == Played || f == Playing }

// Counts tells whether the orders are finished, and will be carried out if nothing more comes.
func (f Fate) Counts() bool { return f.InPlay() || f == Finished || f == Thinking }

// subject is what the subject of the answer says behind the game.
func (a *Ack) subject() string {
	switch a.Fate {
	case Held:
		return fmt.Sprintf("NOT YET PLAYED: sheet %d, %s to look at", a.of(), things(len(a.Doubts)))
	case Thinking:
		if a.At == "" {
			return fmt.Sprintf("NOT YET PLAYED: sheet %d, with more mail to read first", a.of())
		}
		return fmt.Sprintf("NOT YET PLAYED: sheet %d will be played at %s", a.of(), a.At)
	case Finished:
		if a.Later {
			return fmt.Sprintf("sheet %d for turn %d is filed and finished", a.of(), a.Turn)
		}
		return "NOT YET PLAYED: your side is finished"
	case Played, Playing:
		if a.Answer {
			return fmt.Sprintf("PLAYED: your answer, sheet %d", a.Serial)
		}
		return fmt.Sprintf("PLAYED: sheet %d, turn %d", a.of(), a.Turn)
	case PartDone:
		return fmt.Sprintf("NOT YET PLAYED: your part is finished, sheet %d", a.of())
	case HeadOnly:
		stand, refused, look := a.tally()
		if stand+refused == 0 {
			return fmt.Sprintf("sheet %d: it holds no orders, nothing changed", a.Serial)
		}
		if refused+look > 0 {
			return fmt.Sprintf("sheet %d: %s to look at, no orders changed", a.Serial, things(refused+look))
		}
		return fmt.Sprintf("sheet %d: done, no orders changed", a.Serial)
	}
	return fmt.Sprintf("NOT YET PLAYED: sheet %d filed, send DONE", a.Serial)
}

// of is the serial of the sheet that holds the orders.
func (a *Ack) of() int {
	if a.Finishes > 0 {
		return a.Finishes
	}
	return a.Serial
}

// things counts what there is to look at.
func things(n int) string {
	if n == 1 {
		return "1 thing"
	}
	return fmt.Sprintf("%d things", n)
}

// fate says in a sentence or two what became of a sheet, and what to do now.
func (a *Ack) fate() (out []string) {
	turn := fmt.Sprintf("turn %d", a.Turn)
	switch a.Fate {
	case Held:
		return []string{fmt.Sprintf("Your sheet %d for %s is filed but held, because %s a second look:", a.of(), turn, needs(len(a.Doubts)))}
	case Thinking:
		if a.At == "" {
			return []string{fmt.Sprintf("Your turn is finished%s. More mail came with it; your turn is played in a moment, when all of that is read. If there is a newer sheet of yours, that counts.", a.whichOrders())}
		}
		return []string{fmt.Sprintf("Your turn is finished%s. It will be played at %s, in %s.", a.whichOrders(), a.At, a.In),
			fmt.Sprintf("Noticed something? A new sheet or the word WITHDRAW that reaches us before %s counts. No die is thrown before that, and your opponent does not know that you are finished.", a.At)}
	case Finished:
		return []string{fmt.Sprintf("Your orders for %s are finished%s.", turn, a.whichOrders())}
	case Played:
		if a.Answer {
			return []string{"Your answer counts, and play goes on with it."}
		}
		return []string{fmt.Sprintf("Your orders for %s have been played%s.", turn, a.whichOrders())}
	case Playing:
		if a.Answer {
			return []string{"Your answer counts, and play goes on with it."}
		}
		return []string{fmt.Sprintf("Your orders for %s are being played%s.", turn, a.whichOrders())}
	case PartDone:
		return []string{fmt.Sprintf("Your part of the orders for %s is finished%s.", turn, a.whichOrders())}
	case HeadOnly:
		return []string{"Your mail held no orders. What you filed before stays as it is."}
	}
	s := fmt.Sprintf("Your sheet %d for %s is filed", a.Serial, turn)
	if a.Replaces > 0 {
		s += fmt.Sprintf(" in place of sheet %d", a.Replaces)
	}
	return []string{s + ": " + a.accepted() + ". Your turn is not finished."}
}

func needs(n int) string {
	if n == 1 {
		return "one thing needs"
	}
	return inLetters(n) + " things need"
}

// inLetters writes numbers under ten in words.
func inLetters(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}

// whichOrders are the orders that are finished, behind what becomes of them: how many, or
// whose sheet's.
func (a *Ack) whichOrders() string {
	if a.Finishes > 0 {
		return fmt.Sprintf(", as sheet %d has it", a.Finishes)
	}
	return ": " + a.accepted()
}

// accepted counts the orders in words.
func (a *Ack) accepted() string {
	stand, refused, look := a.tally()
	s := count(stand, "order") + " accepted"
	if refused > 0 {
		s += fmt.Sprintf(", %d refused", refused)
	}
	if look > 0 {
		s += fmt.Sprintf(", %d worth a look", look)
	}
	return s
}

// confirm says how the player finishes what is filed.
func (a *Ack) confirm() []string {
	var out []string
	by := ""
	if a.By != "" {
		by = " At the deadline, " + a.By + ", what is filed is played."
	}
	switch a.Fate {
	case Held:
		if a.By != "" {
			by = fmt.Sprintf(" At the deadline, %s, sheet %d is played as it is.", a.By, a.of())
		}
		then := "it is played at once"
		if a.Part {
			then = "your part counts as it is"
		}
		out = append(out, "If you want it as it is, "+a.Reply+"; "+then+". Otherwise send a new sheet."+by)
	case Filed:
		out = append(out, "When you are ready, "+a.Reply+". To change something, send a whole new sheet."+by)
	}
	return out
}

// DoneBlock is what a player sends to finish what is filed: by code two lines, else a
// sheet with nothing but a head and DONE, ready to sign.
func (a *Ack) doneBlock() []string {
	if a.Fate != Held && a.Fate != Filed {
		return nil
	}
	return a.Done
}

// mostDoubts is how many doubts are listed: the lines below have the others, marked.
const mostDoubts = 8

// listed are the doubts as a list has them, and what is said of those that it leaves out.
func listed(doubts []string) (list []string, rest string) {
	if len(doubts) <= mostDoubts+1 {
		return doubts, ""
	}
	return doubts[:mostDoubts], fmt.Sprintf("And %d more: see the lines marked XX and !! below.", len(doubts)-mostDoubts)
}

// numbered writes the doubts as a list.
func numbered(p *page, doubts []string) {
	list, rest := listed(doubts)
	for i, d := range list {
		p.hang(fmt.Sprintf(" %2d. ", i+1), d)
	}
	if rest != "" {
		p.line("     " + rest)
	}
}

// indented writes lines to copy.
func indented(p *page, lines []string) {
	for _, l := range lines {
		p.line("      " + strings.TrimSpace(l))
	}
}
