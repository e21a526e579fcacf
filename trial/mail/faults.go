package mail

// oddLines are things that servers say and nobody expects. Some of them the IMAP
// client takes, others end its connection.
var oddLines = []string{
	"* 5 RECENT ", "* OK [HIGHESTMODSEQ 0] ok", "* LIST () NIL \"é\"", "* FLAGS (\\Seen \\* )", "* OK [UNSEEN] x", "* SEARCH 1 2 3 ",
	"* XFOO bar", "* VANISHED 3", "* 4 XEXP", "* 1 FETCH (X-GM-LABELS (\"a\"))", "* 1 FETCH (UID 1 EMAILID (M1))", "* OK [Error=\"a b\" Proxy=c] x",
	"*  5 EXISTS", "* STATUS \"A\"B\" (MESSAGES 1)", "* BYE going down", "what is this",
}

// lastTrouble is the last round in which anything goes wrong.
const lastTrouble = 7

// trouble does some of what can go wrong.
func (w *schedule) trouble(round int) error {
	w.round = round
	for range w.random.IntN(4) {
		if err := faults[w.random.IntN(len(faults))](w); err != nil {
			return err
		}
	}
	return nil
}

// accept has the servers take mail for all players again.
func (w *schedule) accept() {
	for _, s := range w.seats {
		w.office.FailRcpt(s.Address, 0, "")
	}
}

// faults are what can go wrong in a round.
var faults = []func(*schedule) error{
	(*schedule).deliverNoise,
	(*schedule).renumber,
	as(nothing, func(w *schedule) { w.office.BreakFetch(1+w.random.IntN(2), 0) }),
	as(nothing, func(w *schedule) { w.office.DropIMAP() }),
	as(nothing, func(w *schedule) { w.office.DropSMTP() }),
	as(nothing, func(w *schedule) { w.office.DropAfterData(1 + w.random.IntN(3)) }),
	as(Refusals, func(w *schedule) { w.office.FailData(1+w.random.IntN(3), 451, "later") }),
	as(Refusals, func(w *schedule) { w.office.FailMail(452, "too many messages") }),
	as(Refusals, func(w *schedule) { w.office.FailMail(550, "who are you") }),
	as(Refusals, func(w *schedule) {
		s := w.seats[w.random.IntN(len(w.seats))]
		w.office.FailRcpt(s.Address, []int{450, 0, 0}[w.random.IntN(3)], "greylisted")
	}),
	as(Refusals, func(w *schedule) { w.office.FailLogin(1 + w.random.IntN(2)) }),
	seldom(as(Refusals, func(w *schedule) { w.office.FailData(1, 552, "too large") })),
	as(Odd, func(w *schedule) { w.office.OddLines(oddLines[w.random.IntN(len(oddLines))]) }),
	as(Odd, func(w *schedule) { w.office.WrongUID(1 + w.random.IntN(2)) }),
	as(Refusals, func(w *schedule) { // the server says 421 and is gone
		w.office.FailVerb([]string{"EHLO", "MAIL", "RCPT", "DATA"}[w.random.IntN(4)], 1, 421, "closing", true)
	}),
	as(Refusals, func(w *schedule) {
		w.office.FailVerb([]string{"EHLO", "AUTH"}[w.random.IntN(2)], 1+w.random.IntN(3), []int{454, 554}[w.random.IntN(2)], "not today", false)
	}),
	seldom(as(Refusals, func(w *schedule) { w.office.FailVerb("RCPT", 1, 550, "not wanted here", false) })),
	(*schedule).stall,
}

// nothing says that a fault is not counted.
const nothing Count = -1

// as is a fault that counts as something.
func as(what Count, do func(*schedule)) func(*schedule) error {
	return func(w *schedule) error {
		do(w)
		if what != nothing {
			w.tally[what]++
		}
		return nil
	}
}

// seldom is a fault that happens once in four times.
func seldom(do func(*schedule) error) func(*schedule) error {
	return func(w *schedule) error {
		if w.random.IntN(4) > 0 {
			return nil
		}
		return do(w)
	}
}

// deliverNoise delivers mail that nobody should answer.
func (w *schedule) deliverNoise() error { return w.office.Deliver(desk, w.noise(w.round)) }

// renumber makes the folder anew: everything in it gets another name.
func (w *schedule) renumber() error {
	if err := w.office.Renumber(desk); err != nil {
		return err
	}
	for i, raw := range w.box {
		if w.junk[i] {
			continue
		}
		if err := w.office.Deliver(desk, raw); err != nil {
			return err
		}
	}
	return nil
}

// stall has a server answer too late, in the schedules that wait only so long.
func (w *schedule) stall() error {
	if w.timeout == hasty {
		w.office.StallFetch(2 * hasty)
		w.office.StallData(2 * hasty)
		w.tally[Odd]++
	}
	return nil
}
