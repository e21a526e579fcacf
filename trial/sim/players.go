package sim

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/demo/world"
	"fieldpost/store"
	"fieldpost/umpire/records"
)

// letter is a mail that a player has written.
type letter struct {
	Event
	seat   world.Player
	id     string // the Message-ID
	sha    string
	turn   int // of the sheet
	serial int
	came   time.Time // when the first copy lay in a folder; zero for not yet
	dealt  bool      // the store counts it as handled
}

// writes is a player who writes a mail, which lies in a folder some time later.
func (w *week) writes(e Event) {
	s := w.seats[e.Seat]
	l := &letter{Event: e, seat: s, turn: w.seen.turn[s.Game]}
	n := len(w.letters) + 1
	l.id = fmt.Sprintf("letter%d@mail.test", n)
	head := func(turn, serial int) string {
		l.serial = serial
		return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n\n", s.Game, s.Side, turn, serial)
	}
	next := func() int {
		w.serials[e.Seat]++
		return w.serials[e.Seat]
	}
	var text string
	switch e.Kind {
	case Filed:
		text = s.Sign(head(l.turn, next()) + "STANDING\n")
	case Finished:
		text = s.Sign(head(l.turn, next()) + "DONE!\n")
	case Doubted:
		text = s.Sign(head(l.turn, next()) + "STANDING\n  NOBODY RETREAT FULL\nDONE\n")
	case Wrong:
		text = s.Sign(head(l.turn, next()) + "MOVE\n  NOBODY 0101-0102\n")
	case Checked:
		text = s.Sign("CHECK\n" + head(l.turn, w.serials[e.Seat]+1) + "STANDING\n")
	case Stale:
		text = s.Sign(head(max(0, l.turn-1), next()) + "DONE!\n")
	case Again:
		if w.serials[e.Seat] == 0 {
			next()
		}
		text = s.Sign(head(l.turn, w.serials[e.Seat]) + "STANDING\n")
	case Asked:
		text = "STATUS\n"
	case Forged:
		other := w.seats[(e.Seat+1)%seats]
		l.seat.Address = other.Address // whose key it is must read of it
		text = other.Sign(head(l.turn, w.serials[e.Seat]+1) + "DONE!\n")
	case Strange:
		s.Address = "nobody@elsewhere.test"
		text = "hello\n"
	}
	raw := world.Mail{From: s.Address, To: desk, Subject: fmt.Sprintf("mail %d", n), ID: strings.TrimSuffix(l.id, "@mail.test")}.Plain(text)
	l.sha = fmt.Sprintf("%x", sha256.Sum256(raw))
	w.letters = append(w.letters, l)
	w.tally.Mails++
	for i := range e.Times {
		box := "INBOX"
		if e.Part && i == 0 {
			box = "Junk"
		}
		w.plans(w.now.Add(e.Long*time.Duration(i+1)), func() {
			if l.came.IsZero() {
				l.came = w.now
			}
			w.folders[box].put(raw, w.now)
		})
	}
}

// sight is how the games stood at the last look.
type sight struct {
	turn   map[string]int
	phases uint64
	open   store.OpenPhase
	sides  []string // that are waited for
	late   map[string]int
	fresh  bool // there was a look
}

// look looks at the games after something has happened, and holds them against what the
// players have sent.
func (w *week) look() {
	w.deal()
	g, err := w.db.Game(w.timed)
	if err != nil {
		w.wrong("the game is not there: %v", err)
	}
	open, err := w.db.Waiting(w.timed)
	if err != nil {
		w.wrong("what the game waits for is not there: %v", err)
	}
	now := sight{turn: map[string]int{}, phases: g.Phases, late: map[string]int{}, fresh: true}
	for _, id := range []string{w.timed, w.free0} {
		if o, err := w.db.Waiting(id); err == nil && o != nil {
			now.turn[id] = o.Turn
		} else {
			now.turn[id] = w.seen.turn[id]
		}
	}
	if open != nil {
		now.open = *open
		var pending []adjudicator.Decision
		if err := json.Unmarshal(open.Pending, &pending); err != nil {
			w.wrong("what the game waits for cannot be read: %v", err)
		}
		for _, d := range pending {
			now.sides = append(now.sides, string(d.Side))
		}
	}
	for _, p := range g.Players {
		now.late[p.Side] = p.LateTurns
	}
	if w.seen.fresh {
		w.compare(now, g)
	}
	w.seen = now
}

// compare holds how the game with deadlines stands against how it stood.
func (w *week) compare(now sight, g store.Game) {
	was := w.seen
	var over time.Time
	if !was.open.Deadline.IsZero() {
		over = was.open.Deadline.Add(grace)
	}
	moved := now.phases > was.phases || !now.open.Since.Equal(was.open.Since)
	passed := false
	for side, n := range now.late {
		if n == was.late[side] {
			continue
		}
		passed = true
		if l := w.finished(side, was.open.Turn, over); l != nil && !w.replaced(l, over) {
			w.wrong("the deadline of turn %d passed without %s, whose sheet %d had come by %v", was.open.Turn, side, l.serial, l.came.Sub(w.begun))
		}
	}
	held := w.skew.Abs() > time.Hour
	clock := w.wall() // is believed as long as it is not far off
	if held {
		clock = w.now
	}
	switch {
	case passed && !over.IsZero() && clock.Before(over):
		w.wrong("the deadline of %v passed early", over.Sub(w.begun))
	case moved && !passed && now.phases > was.phases && clock.Before(over):
		w.tally.Plays++
		for _, side := range was.sides {
			if w.finished(side, was.open.Turn, w.now) == nil {
				w.wrong("turn %d was played without %s before its deadline", was.open.Turn, side)
			}
		}
	case passed:
		w.tally.Deadlines++
	}
	due := later(over, w.ailing).Add(time.Hour)
	overdue := !moved && !over.IsZero() && !now.open.Late && w.now.After(due) && g.Status == store.StatusRunning
	if overdue && !w.u.Service.Held() && !held {
		w.wrong("the deadline of %v has not passed; the last trouble was at %v", over.Sub(w.begun), w.ailing.Sub(w.begun))
	}
}

// finished is the last sheet with which a side was done with a turn before a moment, nil if none is known.
func (w *week) finished(side string, turn int, before time.Time) *letter {
	for _, l := range slices.Backward(w.letters) {
		mine := l.Kind == Finished && l.seat.Game == w.timed && l.seat.Side == side && l.turn == turn
		if mine && !l.came.IsZero() && !l.came.After(before) {
			return l
		}
	}
	return nil
}

// replaced tells whether another sheet of the same side with its number or a later one had come
// before a moment: the newest counts, and of two with one number the first that came.
func (w *week) replaced(l *letter, before time.Time) bool {
	return slices.ContainsFunc(w.letters, func(o *letter) bool {
		newer := o.seat.Address == l.seat.Address && o != l && o.serial >= l.serial && o.Kind != Checked && o.Kind != Forged
		return newer && !o.came.IsZero() && !o.came.After(before)
	})
}

// deal looks which letters the store counts as handled, and never again does not.
func (w *week) deal() {
	for _, l := range w.letters {
		if l.dealt && w.disk.deaths() == 0 {
			continue
		}
		h, ok, err := w.db.Handled(l.sha)
		switch {
		case err != nil:
			w.wrong("a letter cannot be looked up: %v", err)
		case l.dealt && !ok:
			w.wrong("%s was handled, and the store does not know of it any more", l.id)
		case ok && l.Kind == Finished && strings.Contains(h.Outcome, "met a fault"):
			w.wrong("%s: %s", l.id, h.Outcome)
		}
		l.dealt = ok
	}
}

// final looks at everything when all has come to rest.
func (w *week) final() {
	if w.u == nil {
		w.wrong("the daemon does not begin, although nothing is wrong any more")
	}
	for _, bad := range records.Check(w.db) {
		w.wrong("the store is not in order: %v", bad)
	}
	w.deal()
	for _, l := range w.letters {
		if !l.dealt {
			w.wrong("%s, a %v that came at %v, is lost", l.id, l.Kind, l.came.Sub(w.begun))
		}
	}
	w.filedOnce()
	w.answered()
	w.sentWhere()
	if t := w.u.Service.Troubles(w.wall()); len(t) > 0 {
		w.wrong("all is well, and status says %v", t)
	}
}

// filedOnce looks for sheets that were filed twice, or that nobody has written.
func (w *week) filedOnce() {
	for _, id := range []string{w.timed, w.free0} {
		filed, err := w.db.AllSheets(id)
		if err != nil {
			w.wrong("the sheets of a game cannot be read: %v", err)
		}
		seen := map[string]bool{}
		for _, f := range filed {
			key := fmt.Sprint(f.Side, " ", f.Serial)
			if seen[key] {
				w.wrong("sheet %s of %s was filed twice", key, id)
			}
			seen[key] = true
			i := slices.IndexFunc(w.letters, func(l *letter) bool {
				return l.seat.Game == id && l.seat.Side == f.Side && l.serial == f.Serial && l.Kind.signed() && l.Kind != Checked
			})
			if i < 0 {
				w.wrong("sheet %s of %s is of nobody", key, id)
			}
		}
	}
}

// answered looks whether each signed letter has one answer, and it is its writer's.
func (w *week) answered() {
	answers := map[string]map[string]bool{} // letter: Message-IDs
	for _, a := range w.arrived {
		head, _, _ := strings.Cut(string(a.raw), "\r\n\r\n")
		to, id := header(head, "In-Reply-To"), header(head, "Message-ID")
		for _, l := range w.letters {
			if "<"+l.id+">" != to {
				continue
			}
			if l.seat.Address != a.to {
				w.wrong("the answer to %s of %s went to %s", l.id, l.seat.Address, a.to)
			}
			if answers[l.id] == nil {
				answers[l.id] = map[string]bool{}
			}
			answers[l.id][id] = true
		}
	}
	for _, l := range w.letters {
		n := len(answers[l.id])
		switch {
		case l.Kind == Strange && n > 0:
			w.wrong("a stranger was answered")
		case l.Kind.signed() && n == 0:
			w.wrong("%s, a %v, has no answer", l.id, l.Kind)
		case n > 1:
			w.wrong("%s, a %v, has %d answers", l.id, l.Kind, n)
		}
		w.tally.Answers += n
	}
}

// sentWhere looks whether each mail of the outbox is where it should be, and nowhere else.
func (w *week) sentWhere() {
	place := map[string][]string{}
	for _, a := range w.arrived {
		head, _, _ := strings.Cut(string(a.raw), "\r\n\r\n")
		id := strings.Trim(header(head, "Message-ID"), "<>")
		place[id] = append(place[id], a.to)
	}
	for _, id := range []string{w.timed, w.free0} {
		g, err := w.db.Game(id)
		if err != nil {
			w.wrong("the game is not there: %v", err)
		}
		mails, err := w.db.Mails(id)
		if err != nil {
			w.wrong("the mails of a game cannot be read: %v", err)
		}
		for _, m := range mails {
			if m.Changed.Equal(w.Template.start) {
				continue
			}
			i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == m.Side })
			came := place[strings.Trim(m.MessageID, "<>")]
			switch {
			case m.State != store.MailAccepted:
				w.wrong("mail %s (%s to %s) is %s: %s", m.ID, m.Kind, m.Side, m.State, m.Reply)
			case len(came) == 0:
				w.wrong("mail %s (%s to %s) counts as sent, and no server has it", m.ID, m.Kind, m.Side)
			case slices.ContainsFunc(came, func(to string) bool { return to != g.Players[i].Address }):
				w.wrong("mail %s of %s went to %v", m.ID, m.Side, came)
			}
		}
	}
}

// header is a field of a mail's head.
func header(head, name string) string {
	for line := range strings.SplitSeq(head, "\r\n") {
		if k, v, _ := strings.Cut(line, ": "); strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}
