package umpire

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/seats"
)

// signed reads the verified text. Only from here on is anything parsed.
func (l *letter) signed(outcome func(string) store.Change, canonical string, seats []store.Seat) store.Change {
	head, sections := l.headOf(canonical)
	id := strings.ToUpper(head.Header("GAME"))
	seat, ok := seatFor(seats, id, strings.ToUpper(head.Header("SIDE")))
	refuse := func(kind report.LetterKind, s store.Seat, why, instead string) store.Change {
		c := outcome("refused: " + why)
		if l.seat(s) {
			c.Mails = l.refusal(kind, why, instead)
		}
		return c
	}
	if !ok {
		return refuse(report.Notice, seats[0], fmt.Sprintf("the sheet names game %q and side %q, which your key does not play", id, head.Header("SIDE")),
			fmt.Sprintf("Your key plays %s in game %s: begin the sheet with GAME: %s and SIDE: %s.", seats[0].Side, seats[0].Game, seats[0].Game, seats[0].Side))
	}
	pos, err := l.u.DB.Load(seat.Game)
	if err != nil {
		l.unread(err)
		return refuse(report.Notice, seat, "the game cannot be read at the moment; the moderator has been told", "")
	}
	if !l.seat(seat) {
		return outcome("game " + seat.Game + " cannot be read")
	}
	l.game = pos.Game
	if err := l.u.CheckVersion(pos.Game); err != nil {
		l.u.Log.Error("a sheet is not accepted: this program may not go on with the game", "game", pos.Game.ID, "error", err)
		return refuse(report.Notice, seat, "the adjudicator's program was changed, and this game was begun under another version. Nothing is lost, and the game stays as it is; the moderator has been told", "Send the sheet again when you hear that the game goes on.")
	}
	game, sys, err := l.u.RulesOf(pos.Game)
	if err != nil {
		l.u.Log.Error("a sheet is not accepted: the scenario cannot be loaded", "game", pos.Game.ID, "scenario", pos.Game.Scenario, "error", err)
		return refuse(report.Notice, seat, "the scenario of the game cannot be read at the moment. Nothing is lost, and the game stays as it is; the moderator has been told", "Send the sheet again when you hear that the game goes on.")
	}
	l.sheet = head
	if head.Header("MODERATE") != "" {
		l.u.Log.Warn("a player moderates without rights", "game", pos.Game.ID, "side", seat.Side, "line", head.Header("MODERATE"))
		return refuse(report.Notice, seat, "your key plays a side here; it does not moderate", "Nothing of the sheet is carried out. Take the line MODERATE out to file orders.")
	}
	if why, instead := l.mayNot(head); why != "" {
		return refuse(report.Notice, seat, why, instead)
	}
	if head.Header("PRESS") != "" && len(sections) == 0 && len(head.Commands) == 0 && !head.Done {
		return l.press(outcome)
	}
	if why, instead := l.notNow(pos); why != "" {
		return refuse(report.Notice, seat, why, instead)
	}
	return l.ordered(outcome, game, sys, pos, canonical)
}

// notNow is why no sheet is taken as the game stands, "" if it is.
func (l *letter) notNow(pos store.Position) (why, instead string) {
	switch pos.Game.Status {
	case store.StatusRunning:
		if l.sheet.Command("CHECK") {
			return "", ""
		}
		return l.u.closedFor(pos.Open)
	case store.StatusOpen:
		return "the game has not begun", "The first report will tell you when it does."
	case store.StatusFinished:
		return "the game is over", ""
	case store.StatusPaused:
		return "the game is paused by its moderator", "Send the sheet again when you hear that it goes on."
	}
	return "the game is stopped; its moderator has been told", ""
}

// ordered reads what a sheet says for the game, and files it, judges it only, or ends
// the game by consent.
func (l *letter) ordered(outcome func(string) store.Change, game adjudicator.Game, sys adjudicator.System, pos store.Position, canonical string) store.Change {
	refuse := func(kind report.LetterKind, why, instead string) store.Change {
		c := outcome("refused: " + why)
		c.Mails = l.refusal(kind, why, instead)
		return c
	}
	var faults []*orders.Error
	l.sheet, faults = l.parsed(pos.Game, sys, canonical)
	at, err := game.At(pos.Latest.Snapshot)
	if err != nil {
		l.u.Log.Error("a sheet is not accepted: the position cannot be read", "game", pos.Game.ID, "error", err)
		return refuse(report.Notice, "the position of the game cannot be read. Nothing is lost, and the game stays as it is; the moderator has been told", "Send the sheet again when you hear that the game goes on.")
	}
	l.turn = nextTurn(game, at, adjudicator.Side(l.player.Side))
	if l.sheet.Command("CHECK") {
		c := outcome("checked a sheet of " + l.player.Side)
		c.Mails = l.checkOnly(game, sys, pos, faults)
		return c
	}
	turn, serial, why, instead := l.current()
	if why != "" {
		return refuse(report.Stale, why, instead)
	}
	same := store.Sheet{Digest: l.digest}
	if l.ofPart() {
		same.Part = l.hand() + 1
	}
	_, known, err := l.u.DB.FindSheet(pos.Game.ID, same.Name())
	if err != nil {
		l.unread(err)
		return outcome("the sheets of the game cannot be read: " + err.Error())
	}
	if known {
		return refuse(report.Stale, "this very sheet is filed already", "Nothing changed. To file another one, raise its SERIAL.")
	}
	if l.sheet.Command("ENCRYPT") && !seal.CanEncrypt(l.key, l.u.Now()) {
		return refuse(report.Notice, "the sheet asks for encrypted mail, and "+seal.ErrNoEncryption.Error(), "Enrol an OpenPGP key that can encrypt, or take ENCRYPT out. Nothing of the sheet is filed.")
	}
	if l.sheet.Command("CONCEDE") || l.sheet.Command("DRAW?") {
		c := outcome(l.player.Side + " gives the game up or offers a draw")
		if err := l.endByConsent(&c, game, pos, serial, canonical); err != nil {
			return l.freeze(outcome, pos, err)
		}
		return c
	}
	if l.sheet.Command("WITHDRAW") && (len(l.sheet.Sections) > 0 || l.sheet.Done || len(faults) > 0) {
		return refuse(report.Notice, "WITHDRAW takes back what you filed for the turn; a sheet with it holds no orders and no DONE", "Send orders in a sheet without WITHDRAW.")
	}
	if l.ofPart() {
		if why := l.tooLong(sys, pos, canonical); why != "" {
			return refuse(report.Notice, why, "Write fewer lines: formations move in one line as well as units.")
		}
	}
	c := outcome(fmt.Sprintf("sheet %d of %s for turn %d", serial, l.player.Side, turn))
	if err := l.file(&c, game, sys, pos, turn, serial, canonical, faults); err != nil {
		return l.freeze(outcome, pos, err)
	}
	l.withPress(&c)
	return c
}

// seat finds the player of a seat.
func (l *letter) seat(s store.Seat) bool {
	g, err := l.u.DB.Game(s.Game)
	if err != nil {
		return false
	}
	for _, p := range g.Players {
		if p.Side == s.Side {
			l.game, l.player = g, p.As(seats.SignedBy(p, l.key))
			return true
		}
	}
	return false
}

func seatFor(seats []store.Seat, game, side string) (store.Seat, bool) {
	for _, s := range seats {
		if s.Game == game && s.Side == side {
			return s, true
		}
	}
	return store.Seat{}, false
}

// current checks that a sheet is for the turn that its side plays next and newer
// than the last one.
func (l *letter) current() (turn, serial int, why, instead string) {
	turn, err := l.sheet.Number("TURN")
	if err != nil {
		return 0, 0, err.Error(), ""
	}
	serial, err = l.sheet.Number("SERIAL")
	if err != nil {
		return 0, 0, err.Error(), "Every sheet carries a SERIAL higher than the one before."
	}
	if turn != l.turn {
		return 0, 0, fmt.Sprintf("the sheet is for turn %d; your next turn is %d", turn, l.turn), fmt.Sprintf("Write TURN: %d.", l.turn)
	}
	if serial == l.player.Serial {
		return 0, 0, fmt.Sprintf("a sheet %d is filed already", serial), fmt.Sprintf("Write SERIAL: %d or more.", l.player.Serial+1)
	}
	if serial < l.player.Serial {
		return 0, 0, fmt.Sprintf("sheet %d is older than sheet %d, which is filed", serial, l.player.Serial), fmt.Sprintf("Write SERIAL: %d or more.", l.player.Serial+1)
	}
	return turn, serial, "", ""
}

// nextTurn is the turn of a side's next player-turn: sides play in order, or both
// at once in a phase of both.
func nextTurn(game adjudicator.Game, at adjudicator.Phase, side adjudicator.Side) int {
	for _, s := range game.Sides() {
		if s == at.Side || at.Side == "" {
			return at.Turn
		}
		if s == side {
			return at.Turn + 1
		}
	}
	return at.Turn
}
