package intake

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// goesOnLater is what players read whose sheets cannot be taken through no fault of theirs.
const goesOnLater = "Send the sheet again when you hear that the game goes on."

// signed reads the verified text. Only from here on is anything parsed.
func (l *incoming) signed(canonical string, seats []store.Seat) (store.Change, error) {
	head, sections := l.headOf(canonical)
	id := strings.ToUpper(head.Header("GAME"))
	seat, plays := seatFor(seats, id, strings.ToUpper(head.Header("SIDE")))
	if !plays {
		l.seat(seats[0])
		other := refusal(fmt.Sprintf("the sheet names game %q and side %q, which your key does not play", id, head.Header("SIDE")),
			fmt.Sprintf("Your key plays %s in game %s: begin the sheet with GAME: %s and SIDE: %s.", seats[0].Side, seats[0].Game, seats[0].Game, seats[0].Side))
		other.About = "NOT FILED: the sheet names another game or side"
		return l.refuse(other)
	}
	found := l.seat(seat)
	pos, err := l.h.DB.Load(seat.Game)
	if err != nil {
		if err := l.unread(err); err != nil {
			return store.Change{}, err
		}
		return l.refuse(refusal("the game cannot be read at the moment; the moderator has been told", ""))
	}
	if !found {
		return l.outcome("game " + seat.Game + " cannot be read"), nil
	}
	l.game = pos.Game
	if err := l.h.CheckVersion(pos.Game); err != nil {
		if l.h.Upgrading != nil && l.h.Upgrading() {
			return store.Change{}, fmt.Errorf("%w: %w", store.ErrElsewhere, err)
		}
		l.h.Log.Error("a sheet is not accepted: this program may not go on with the game", "game", pos.Game.ID, "error", err)
		return l.refuse(refusal("the program has changed, and this game was begun under another version. Nothing is lost, and the game stays as it is; the moderator has been told", goesOnLater))
	}
	m, err := l.h.Under(pos)
	if err != nil {
		l.h.Log.Error("a sheet is not accepted: the scenario cannot be loaded", "game", pos.Game.ID, "scenario", pos.Game.Scenario, "error", err)
		return l.refuse(refusal("the scenario of the game cannot be read at the moment. Nothing is lost, and the game stays as it is; the moderator has been told", goesOnLater))
	}
	l.sheet = head
	if err := head.Doubled(); err != nil {
		return l.refuse(faulty(err, "Nothing was filed. Name the game, the side, the turn and the number once each."))
	}
	if head.Header("MODERATE") != "" {
		l.h.Log.Warn("a player moderates without rights", "game", pos.Game.ID, "side", seat.Side, "line", head.Header("MODERATE"))
		return l.refuse(refusal("your key plays a side here; it does not moderate", "Nothing was carried out. Take the line MODERATE out to file orders."))
	}
	if err := l.mayNot(head); err != nil {
		return l.refuse(err)
	}
	if head.Header("PRESS") != "" && len(sections) == 0 && head.HeadersAlone() {
		return l.press()
	}
	if err := l.notNow(pos); err != nil {
		if fresh := l.isNew(pos.Game); errors.Is(fresh, errDone) || errors.Is(fresh, errTwice) {
			return l.outcome(fresh.Error()), nil
		}
		return l.refuse(err)
	}
	return l.ordered(m, canonical)
}

// notNow refuses a sheet that is not taken as the game stands.
func (l *incoming) notNow(pos store.Position) error {
	if l.wantsToPlayOn() && match.Underway(pos.Game) {
		return nil
	}
	switch pos.Game.Status {
	case store.StatusRunning:
		if l.sheet.Command("CHECK") {
			return nil
		}
		return l.h.closedFor(pos.Open)
	case store.StatusOpen:
		return refusal("the game has not started", "The first report will tell you when it does.")
	case store.StatusFinished:
		return refusal("the game is over", "")
	case store.StatusPaused:
		return refusal("the game is paused by its moderator", "Send the sheet again when you hear that it goes on.")
	}
	return refusal("the game is stopped; its moderator has been told", "")
}

// ErrDeadlineFirst: the mail came after a deadline that is still to pass. It is to be handed in again.
var ErrDeadlineFirst = errors.New("a deadline passes before the mail is judged")

// deadlinePassesFirst tells whether a sheet arrived in the mailbox after a deadline that passes as soon
// as all is handled that had arrived before it. What the sheet is worth is seen then: to count it now
// would be a matter of how soon the mailbox was looked into.
func (l *incoming) deadlinePassesFirst(m match.Match) bool {
	isFetched := l.raw.Box != "" // what is handed in otherwise has no place among those that arrived
	open := m.Open
	waitsOn := !match.Timed(open) || open.Late || match.OrdersClosed(open) || l.h.Service.Held()
	if !isFetched || waitsOn {
		return false
	}
	r, err := match.ScheduleOf(m.Game)
	if err != nil {
		return false
	}
	over := open.Deadline.Add(r.Grace)
	return l.raw.InternalDate.After(over) && !l.h.Now().Before(over)
}

// ordered reads what a sheet says for the game, and files it, judges it only, or ends
// the game by consent.
func (l *incoming) ordered(m match.Match, canonical string) (store.Change, error) {
	sub := submitted{canonical: canonical}
	l.sheet, sub.faults = l.parsed(m, canonical)
	at, err := m.At()
	if err != nil {
		l.h.Log.Error("a sheet is not accepted: the position cannot be read", "game", m.Game.ID, "error", err)
		return l.refuse(refusal("the position of the game cannot be read. Nothing is lost, and the game stays as it is; the moderator has been told", goesOnLater))
	}
	l.turn = m.NextTurn(at, l.player.Side)
	if l.sheet.Command("CHECK") {
		c := l.outcome("checked a sheet of " + l.player.Side)
		c.Mails = l.checkOnly(m, sub.faults)
		return c, nil
	}
	if l.deadlinePassesFirst(m) {
		return store.Change{}, ErrDeadlineFirst
	}
	fresh := l.isNew(m.Game)
	if errors.Is(fresh, errDone) || errors.Is(fresh, errTwice) {
		return l.outcome(fresh.Error()), nil
	}
	if l.wantsToPlayOn() {
		return l.playsOn(m, sub)
	}
	if fresh != nil {
		return l.refuse(fresh)
	}
	if sub.turn, sub.serial, err = l.current(); err != nil {
		return l.refuse(err)
	}
	if err := l.contradicts(sub); err != nil {
		return l.refuse(err)
	}
	if err := cmp.Or(l.tooLate(m), l.nothingToFinish(m, sub), l.nothingToWithdraw(m)); err != nil {
		return l.refuse(err)
	}
	if err := l.unsureOfDone(m); err != nil {
		return l.refuse(err)
	}
	if match.GivesUp(l.sheet) {
		c := l.outcome(l.player.Side + " gives the game up or offers a draw")
		if err := l.endByConsent(&c, m, sub); err != nil {
			return l.freeze(m.Position, err), nil
		}
		return c, nil
	}
	if l.ofPart() {
		if err := l.tooLong(m, canonical); err != nil {
			return l.refuse(err)
		}
	}
	c := l.outcome(fmt.Sprintf("sheet %d of %s for turn %d", sub.serial, l.player.Side, sub.turn))
	if err := l.accept(&c, m, sub); err != nil {
		return l.freeze(m.Position, err), nil
	}
	return c, l.withPress(&c)
}

// isNew refuses a sheet that is filed already.
func (l *incoming) isNew(g store.Game) error {
	same := store.Sheet{Digest: l.digest}
	if l.ofPart() {
		same.Part = l.commander() + 1
	}
	was, known, err := l.h.DB.FindSheet(g.ID, same.Name())
	if err != nil {
		return cmp.Or[error](l.unread(err), refusal("the sheets of the game cannot be read", ""))
	}
	switch {
	case known && was.Source == l.sha:
		return errDone
	case known && l.isCopyOf(was.Source):
		return errTwice
	case known:
		return stale("this sheet is filed already", "Nothing changed. To file another one, or to file it again after the game was set back, raise its SERIAL.")
	}
	return nil
}

// isCopyOf tells whether the mail is another one delivered a second time, as happens when a connection is
// lost between servers (RFC 5321 section 4.5.3.2.6): its bytes differ in what servers noted, and its
// Message-ID is the same.
func (l *incoming) isCopyOf(sha string) bool {
	if l.msg.MessageID == "" {
		return false
	}
	raw, err := l.h.DB.Spooled(sha)
	if err != nil {
		return false // it is not kept any more
	}
	first, err := mailbox.Read(raw)
	return err == nil && first.MessageID == l.msg.MessageID
}

// errTwice says that a mail was delivered twice; its first copy has been answered.
var errTwice = errors.New("the same mail came before")

// errDone says that a sheet has had its effect: its mail was cut short behind it.
var errDone = errors.New("the sheet was filed when the mail came first")

// unsureOfDone refuses a sheet with a misspelt DONE where none is held that may be finished:
// a part of a side's sheet, and in games that began without second thoughts.
func (l *incoming) unsureOfDone(m match.Match) error {
	d := l.sheet.DoneMeant
	if d == nil || match.HasSecondThoughts(m.Game) && !l.ofPart() {
		return nil
	}
	return refusal(fmt.Sprintf("line %d: %q: did you mean DONE?", d.Line, d.Got), "Nothing was filed. Please put the word right and send the sheet again.")
}

// contradicts refuses a sheet whose commands ask for what its writer or the sheet
// itself does not allow.
func (l *incoming) contradicts(sub submitted) error {
	holdsOrders := len(l.sheet.Sections) > 0 || l.sheet.Done || len(sub.faults) > 0
	switch {
	case l.sheet.Command("ENCRYPT") && !seal.CanEncrypt(l.key, l.h.Now()):
		return refusal("the sheet asks for encrypted mail, and "+seal.ErrNoEncryption.Error(), "Enrol an OpenPGP key that can encrypt, or take ENCRYPT out. Nothing was filed.")
	case l.sheet.Command("WITHDRAW") && match.GivesUp(l.sheet):
		return refusal("WITHDRAW takes orders back, and a sheet with it neither gives the game up nor offers a draw", "Send one or the other. Nothing in the sheet counts.")
	case l.sheet.Command("WITHDRAW") && holdsOrders:
		return refusal("WITHDRAW takes back what you filed for the turn; a sheet with it holds no orders and no DONE", "Send orders in a sheet without WITHDRAW.")
	}
	return nil
}

// current refuses a sheet that is not for the turn that its side plays next, or not
// newer than the last one.
func (l *incoming) current() (turn, serial int, err error) {
	turn, serial, old := judge.Numbers(l.sheet, l.turn, l.player.Serial)
	switch {
	case old == nil:
		return turn, serial, nil
	case old.Line != nil:
		return 0, 0, staleLine(old.Line, old.Instead)
	case old.Played:
		if late := l.cameTooLate(turn, serial); late != nil {
			return 0, 0, late
		}
	}
	return 0, 0, stale(old.Why, old.Instead)
}

// freeze stops a game whose rules engine failed: nothing of the mail is applied,
// both sides are told, and the moderator finds the reason in the log.
func (l *incoming) freeze(pos store.Position, cause error) store.Change {
	l.h.Log.Error("game frozen", "game", pos.Game.ID, "error", cause)
	c := l.outcome("game frozen: " + cause.Error())
	g := pos.Game
	g.Status = store.StatusFrozen
	c.Game, c.Expect = &g, pos.Game.Seq
	match.FrozenRecords.Put(&c, g.ID, l.sha)
	for _, p := range l.h.Everybody(g) {
		o := *l
		o.player = p
		c.Mails = append(c.Mails, o.answer(report.Notice, "A fault in the program stopped the game before anything in the last sheet was carried out. Nothing is lost; the moderator has been told.", "There is nothing for you to do. You will hear from us.")...)
	}
	return c
}
