package report

import (
	"fmt"
	"strings"
	"time"

	"fieldpost/adjudicator/view"
)

// Report tells a side what happened since its last report, what it has and knows
// now, and what is due from it.
type Report struct {
	// View is the side's knowledge at the end of the events that its Story tells.
	View *view.View
	// Wording says the events.
	Wording view.Wording
	// Brief tells an item short; nil for reports that are told in full only.
	Brief func(v *view.View, told []view.Said) view.Brief
	// Charts tells that the game has charts to ask for, which the first report says.
	Charts bool
	// Number counts the side's reports in the game from 1.
	Number int
	// Due says in words what is due and By until when; both empty if nothing is.
	Due, By string
	// Notes are remarks about the run: where staff acted, what is not played yet.
	Notes []string
	// ViewHash and Commitment are hexadecimal: of this view, and to the full state.
	ViewHash, Commitment string
	// Roster lists the players and the fingerprints of their keys.
	Roster []Player
	// Files are all other parts of the mail.
	Files []File
	// Pictures of the HTML part: the whole map, then close-ups.
	Pictures []Picture
	// History is how the game went, for the report that ends it.
	History []Moment
	// Staff is what staff officers thought, turn by turn, for the report that ends a game. While a
	// game goes on it is nobody's to know.
	Staff []StaffPlans
	// Serial is the next free serial of an order sheet, for the template; 0 is 1.
	Serial int
	// Sections name the parts of the sheet template; nil is MOVE, ATTACK, STANDING.
	Sections []string
	// Method is how the reader sends sheets, Code what they put into the head of one; ""
	// for who signs.
	Method Method
	Code   string
	// Footer are the lines between what a player reads and the proofs: whom to write to.
	Footer []string
	// Turn is the turn that the next sheet is for; 0 is the view's turn.
	Turn int
	// Back tells that the moderator has set the game back to here.
	Back *SetBack
	// Answered are sheets that play has gone on with since the reader's last mail, and that had
	// no answer of their own: what was understood of them stands in this report.
	Answered []*Ack
}

// SetBack tells a player that their game was set back: to before which phase, why, what is
// undone, and what it means for the sheets that they have filed.
type SetBack struct {
	To, Why, Undone, Sheets string
	Forward                 bool // to what an earlier setting back had left
}

// lines are a SetBack's headings and words.
func (b *SetBack) lines() [][2]string {
	if b == nil {
		return nil
	}
	all := [][2]string{{"Set back", "The moderator has set the game back to before " + b.To + "."}}
	if b.Forward {
		all = [][2]string{{"Set forward", "The moderator has set the game forward again, to before " + b.To + "."}}
	}
	if b.Why != "" {
		all = append(all, [2]string{"Why", b.Why})
	}
	return append(all, [2]string{"Phases", b.Undone}, [2]string{"Sheets", b.Sheets})
}

// Proof is the dice of a random event and the proof that they were thrown by the game's key.
type Proof struct {
	Phase string
	view.Roll
}

// Proofs are all dice that a story tells of.
func Proofs(s *view.Story) (all []Proof) {
	if s == nil {
		return nil
	}
	for _, c := range s.Phases {
		for _, r := range c.Rolls {
			all = append(all, Proof{c.Phase, r})
		}
	}
	return all
}

// Player is a line of the roster.
type Player struct{ Side, Key string }

// File is another part of the mail and its SHA-256 in hexadecimal digits.
type File struct{ Name, SHA256 string }

// Picture is a picture of the HTML part: its Content-ID without brackets.
type Picture struct{ CID, Title string }

// Subject is the mail's subject: game, date, what happened last and what is due.
func (r *Report) Subject() string {
	v := r.View
	s := fmt.Sprintf("[%s] %s%s, turn %d", v.Game, r.setBackMark(), v.Title, v.Turn)
	if v.Date != "" {
		s += ", " + v.Date
	}
	switch {
	case v.Verdict != "":
		return s + ": the game is over"
	case len(v.Asked) > 0 && len(v.Due) == 0:
		if what, says, ok := strings.Cut(r.Due, ": "); ok && r.By != "" {
			return s + ": " + what + " to answer by " + shortTime(r.By) + ": " + says
		}
		return s + ": " + r.Due
	case r.Due != "" && r.By != "":
		return s + ": your orders by " + shortTime(r.By)
	case r.Due != "":
		return s + ": your orders are due"
	}
	return s + ": report " + fmt.Sprint(r.Number)
}

// setBackMark begins the subject of the first report after the game was set back.
func (r *Report) setBackMark() string {
	switch {
	case r.Back == nil:
		return ""
	case r.Back.Forward:
		return "SET FORWARD: "
	}
	return "SET BACK: "
}

// nothingSeen stands for the story of a report that has none.
func (r *Report) nothingSeen() string {
	if r.Back != nil {
		return "Nothing since the game was set back."
	}
	if r.Number <= 1 {
		return "The game begins. Nothing has been fought yet."
	}
	return "Your side saw nothing."
}

// deadline is until when an answer is due, in words.
func (r *Report) deadline() string {
	switch {
	case r.By != "":
		return r.By
	case len(r.View.Asked) > 0:
		return "No deadline: the game goes on when you answer."
	}
	return "No deadline: the game goes on when you send DONE."
}

// Deadline says a moment in a player's own time zone, and how far off it is:
// "Mon 23 Nov 2026, 20:00 Europe/Prague, in 2 days 4 hours".
func Deadline(at, now time.Time, zone *time.Location) string {
	if zone == nil {
		zone = time.UTC
	}
	left := at.Sub(now).Round(time.Minute)
	hours, days := int(left.Hours()), int(left.Hours())/24
	var away string
	switch {
	case left <= 0:
		away = "which is past"
	case days > 0:
		away = "in " + count(days, "day")
		if h := hours % 24; h > 0 {
			away += " " + count(h, "hour")
		}
	case hours > 0:
		away = "in " + count(hours, "hour")
	default:
		away = "in " + count(int(left.Minutes()), "minute")
	}
	return fmt.Sprintf("%s %s, %s", at.In(zone).Format("Mon 2 Jan 2006, 15:04"), zone, away)
}

// shortTime cuts what follows the first comma after the time: "Mon 23 Nov 2026,
// 20:00 Europe/Prague, in 2 days" keeps its first two parts.
func shortTime(by string) string {
	if parts := strings.SplitN(by, ",", 3); len(parts) == 3 {
		return parts[0] + "," + parts[1]
	}
	return by
}

func (r *Report) turn() int {
	if r.Turn > 0 {
		return r.Turn
	}
	return r.View.Turn
}

// sheet is the template of the side's next order sheet.
func (r *Report) sheet() string {
	if len(r.View.Asked) > 0 && len(r.View.Due) == 0 {
		return WithCode(AnswerSheet(r.View, r.turn(), r.Serial), r.Code)
	}
	return WithCode(Template(r.View.Game, r.View.Side, r.turn(), r.Serial, r.Sections), r.Code)
}

// WithCode is a sheet to fill in with the player's code in its head; without one it stays.
func WithCode(sheet, code string) string {
	head, rest, found := strings.Cut(sheet, "\nTURN: ")
	if code == "" || !found {
		return sheet
	}
	return head + "\nCODE: " + code + "\nTURN: " + rest
}

// howToAnswer says how the reader sends a sheet, by their own method.
func (r *Report) howToAnswer() string {
	const later = " A sheet with a higher SERIAL replaces it."
	switch r.Method {
	case ByCode:
		return "Reply, and copy the sheet below, or the one that is attached, to the top of your mail. Remove the # in front of every unit that is to act and say where it goes. Your code is in it. Remove the # before DONE to finish." + later
	case ByOpenPGP:
		return "Fill in the sheet and reply with it to this mail, signed with your OpenPGP key." + later
	case BySMIME:
		return "Fill in the sheet and reply with it to this mail, signed with your certificate." + later
	}
	if r.Method == ByKeygen {
		return "Save the sheet as sheet.txt, fill it in, and sign it: ssh-keygen -Y sign -n " + Namespace + " -f KEYFILE sheet.txt. Reply to this mail with sheet.txt and sheet.txt.sig attached." + later
	}
	return "Fill in the sheet, sign it with `fieldpost sign` and reply to this mail." + later
}

// firstSteps are what the first report that asks for orders says of how to begin: a title
// and a sentence each.
func (r *Report) firstSteps() [][2]string {
	if r.Number > 1 || r.Due == "" || len(r.View.Asked) > 0 {
		return nil
	}
	steps := [][2]string{{"How", "Reply with the sheet at the end of this mail, which says how."}}
	if r.Brief != nil {
		steps = append(steps, [2]string{"To fill in", "Mail us TEMPLATE for the sheet with a line for every unit."})
	}
	steps = append(steps, [2]string{"To try first", "A line CHECK tells you what would happen, and nothing is filed."})
	if r.Charts {
		steps = append(steps, [2]string{"Charts", "Mail us CHARTS for tables, track of turns and a card of every counter, to print."})
	}
	return steps
}

// unfinished ends every sheet to fill in. DONE is a comment in it: a mail program that
// sends our sheet back must not end anybody's turn.
const unfinished = "\n# DONE\n"

// Template is an empty order sheet for the player to fill in. A serial of 0 is
// 1; no sections are MOVE, ATTACK and STANDING.
func Template(game, side string, turn, serial int, sections []string) string {
	if len(sections) == 0 {
		sections = []string{"MOVE", "ATTACK", "STANDING"}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n", game, strings.ToUpper(side), turn, max(serial, 1))
	for _, s := range sections {
		fmt.Fprintf(&b, "\n%s\n\n", s)
	}
	b.WriteString(unfinished)
	return b.String()
}
