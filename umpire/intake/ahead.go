package intake

import (
	"maps"
	"runtime"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// What is read ahead: so many mails, none of them larger than a signed sheet ever is.
const (
	aheadMails = 16
	aheadBytes = 128 << 10
)

// readAhead is what could be done about a mail while those before it were committed:
// it is in the spool, and judged. Nothing of it depends on when that was: what the
// mail says follows from its bytes, and the verdict on its orders from them and from
// the position, which is named here. Receive takes only what still fits, and decides
// the rest.
type readAhead struct {
	Done   chan struct{} // closed when all is said
	sha    string        // the mail is in the spool under this hash; "" if it is not
	msg    *mailbox.Message
	sheets []seal.Sealed // at least one, if a signature fitted

	text      string // of the sheet that counts, and what is read from it
	head      *orders.Sheet
	strange   []*orders.Error // what is no part of a head
	sheet     *orders.Sheet   // in the words of the game
	faults    []*orders.Error
	signature string // see evidence
	signed    []byte

	game     store.Game // the verdict is on this game
	position string     // after the phase with this hash
	side     string
	verdict  *adjudicator.Filing
	date     string
}

// Ahead begins to read a mail that Receive will be given soon. It returns at once.
func (hd *Handler) Ahead(raw mailbox.Raw) {
	if unreadable(raw) || len(raw.Bytes) > aheadBytes {
		return
	}
	f := &readAhead{Done: make(chan struct{})}
	hd.aheadMu.Lock()
	defer hd.aheadMu.Unlock()
	if len(hd.ReadAhead) >= aheadMails { // a poll was broken off: what it brought comes again
		clear(hd.ReadAhead)
	}
	if hd.ReadAhead == nil {
		hd.ReadAhead = map[[32]byte]*readAhead{}
		hd.reading = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))
	}
	hd.ReadAhead[raw.SHA256] = f
	reading := hd.reading
	go func() {
		defer close(f.Done)
		// The disk is waited for here and not where the mails are handled in turn.
		sha, err := hd.DB.Spool(raw.Bytes)
		if err != nil {
			return // Receive tries again, and says what is amiss
		}
		f.sha = sha
		reading <- struct{}{}
		defer func() { <-reading }()
		hd.lookAhead(f, raw)
	}()
}

// takeAhead hands over what is read ahead of a mail, nil if nothing is. It may not be
// Done yet.
func (hd *Handler) takeAhead(raw mailbox.Raw) *readAhead {
	hd.aheadMu.Lock()
	defer hd.aheadMu.Unlock()
	f := hd.ReadAhead[raw.SHA256]
	delete(hd.ReadAhead, raw.SHA256)
	return f
}

// lookAhead reads a mail as far as it goes. Whatever is amiss is Receive's to find.
func (hd *Handler) lookAhead(f *readAhead, raw mailbox.Raw) {
	defer func() {
		if r := recover(); r != nil {
			*f = readAhead{Done: f.Done, sha: f.sha} // Receive meets the same, and says so
		}
	}()
	l := &incoming{h: hd, raw: raw}
	var err error
	if l.msg, err = mailbox.Read(raw.Bytes); err != nil {
		return
	}
	f.msg = l.msg
	if !l.class().MayCarryOrders() {
		return
	}
	if f.sheets, err = l.verified(); err != nil {
		f.sheets = nil
		return
	}
	sealed, err := latest(f.sheets)
	if err != nil {
		return
	}
	found, err := hd.DB.Seats(sealed.Key.ID())
	if err != nil || len(found) == 0 {
		return
	}
	f.text = sealed.Text
	f.head, f.strange = orders.Parse(sealed.Text, orders.Vocabulary{})
	seat, ok := seatFor(found, strings.ToUpper(f.head.Header("GAME")), strings.ToUpper(f.head.Header("SIDE")))
	if !ok {
		return
	}
	pos, err := hd.DB.Load(seat.Game)
	if err != nil || !hd.playable(pos) {
		return
	}
	m, err := hd.Under(pos)
	if err != nil {
		return
	}
	f.sheet, f.faults = orders.Parse(sealed.Text, m.System.Vocabulary())
	f.signature, f.signed = seats.Evidence(f.msg, sealed.Text, sealed.Key)
	v, err := m.View(seat.Side)
	if err != nil {
		return
	}
	f.verdict, f.date = judge.Judged(m.Rules, v, f.sheet, f.faults), v.Date
	f.game, f.position, f.side = pos.Game, pos.Latest.Hash, seat.Side
}

// judged tells whether a sheet of this very text was judged ahead; nil if nothing was.
func (f *readAhead) judged(canonical string) bool {
	return f != nil && f.verdict != nil && f.text == canonical
}

// inGame tells whether the sheet was read in the words of this game.
func (f *readAhead) inGame(g store.Game) bool {
	return f.game.ID == g.ID && f.game.Scenario == g.Scenario
}

// sees tells whether the sheet was judged in the View that a side has of a position.
func (f *readAhead) sees(side string, pos store.Position) bool {
	switch {
	case f.side != side, f.position != pos.Latest.Hash, !f.inGame(pos.Game):
		return false
	}
	return maps.Equal(f.game.Options, pos.Game.Options)
}

// parsed reads a sheet in the words of its game, unless that was done ahead: of this
// very sheet and game. Nobody writes to what it returns.
func (l *incoming) parsed(m match.Match, canonical string) (*orders.Sheet, []*orders.Error) {
	if a := l.ahead; a.judged(canonical) && a.inGame(m.Game) {
		return a.sheet, a.faults
	}
	return orders.Parse(canonical, m.System.Vocabulary())
}

// headOf reads the head of a sheet, before it is known of which game it is.
func (l *incoming) headOf(canonical string) (*orders.Sheet, []*orders.Error) {
	if a := l.ahead; a != nil && a.head != nil && a.text == canonical {
		return a.head, a.strange
	}
	return orders.Parse(canonical, orders.Vocabulary{})
}

// evidence is the signature of the mail's sheet: see the function.
func (l *incoming) evidence(canonical string) (signature string, signed []byte) {
	if a := l.ahead; a.judged(canonical) && len(a.sheets) == 1 {
		return a.signature, a.signed
	}
	return seats.Evidence(l.msg, canonical, l.key)
}

// verdict judges the sheet of a mail in its side's View, unless that was done
// ahead: on this very sheet, side and position. Date is the position's.
func (l *incoming) verdict(m match.Match, canonical string, faults []*orders.Error) (f *adjudicator.Filing, date string, err error) {
	if a := l.ahead; a.judged(canonical) && a.sees(l.player.Side, m.Position) {
		again := *a.verdict
		return &again, a.date, nil
	}
	v, err := m.View(l.player.Side)
	if err != nil {
		return nil, "", err
	}
	return judge.Judged(m.Rules, v, l.sheet, faults), v.Date, nil
}
