// Package report is what a side reads: the report of what happened, the
// acknowledgement of an order sheet, the invitation and the refusal, each as
// plain text and as HTML for a mail client. It knows a View, never a position,
// and no rules: a system's events are said by the system's own Wording.
//
// # Dice
//
// The story tells dice as
//
//	dice 4 1 (combat 2306)
//
// with the label of the random event in brackets. Their proofs are in the Story of the View;
// the section DICE of the text part says what they are checked with:
//
//	DICE OF THIS REPORT   2 events; proofs in view.json, for fieldpost verify
//	  game K7QX2MPA
//	  key 6f1c...
//	  root 9a0b...
//
// In reports from before the View had a Story the section has the proofs, which ParseDice
// still reads:
//
//	phase turn 3 phase 4
//	 combat 2306: 4 1 (d6), proof
//	   02a9...
//	   77c1...
//
// A line "phase LABEL" precedes the events of a phase. An event is one logical line,
// "LABEL: DICE (dSIDES), proof HEX". A label may hold any character but a line end. The proof
// may stand on the same line or be broken over following lines that hold only hexadecimal
// digits; empty lines, blanks around lines and "> " before them do not count. The
// section ends at the next title, a line that begins with capitals. What the
// story says as "dice 4 1 (...)" never occurs in it.
package report
