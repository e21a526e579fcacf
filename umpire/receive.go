package umpire

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
)

// Receive gives one incoming mail its effect, once and for ever: repeating it
// with the same bytes changes nothing. An error means that nothing happened and
// the mail must be handed in again.
func (u *Umpire) Receive(ctx context.Context, raw mailbox.Raw) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.receive(ctx, raw)
}

func (u *Umpire) receive(_ context.Context, raw mailbox.Raw) error {
	if raw.Poison || raw.Oversize || raw.Gone {
		return u.leave(raw)
	}
	sha, err := u.DB.Spool(raw.Bytes)
	if err != nil {
		return err
	}
	if _, done, err := u.DB.Handled(sha); err != nil || done {
		return cmp.Or(err, u.markUID(raw, store.UIDMark{State: store.UIDDuplicate, SHA256: sha}))
	}
	for range 3 {
		var c store.Change
		if c, err = u.consider(raw, sha); err != nil {
			return err
		}
		if err = u.commit(c); !errors.Is(err, store.ErrStale) {
			u.tally.handled(c, err)
			u.Log.Info("mail handled", "uid", raw.UID, "outcome", c.Handled.Outcome, "answers", len(c.Mails), "error", err)
			break
		}
	}
	return err
}

// poisonTries is how often a message may break the connection in vain before it
// is left alone: a flapping network looks the same for a while.
const poisonTries = 5

// leave marks a message that is not read, and tells the operator.
func (u *Umpire) leave(raw mailbox.Raw) error {
	mark := store.UIDMark{State: store.UIDOversize}
	switch {
	case raw.Gone:
		mark.State = store.UIDGone
	case raw.Poison:
		before, _, err := u.DB.UID(raw.Box, raw.UIDValidity, raw.UID)
		if err != nil {
			return err
		}
		mark = store.UIDMark{State: store.UIDPending, Tries: before.Tries + 1}
		if mark.Tries >= poisonTries {
			mark.State = store.UIDPoison
		}
	}
	if raw.Oversize {
		if err := u.tooLarge(raw); err != nil {
			return err
		}
	}
	u.Log.Warn("a message is not read", "why", mark.State, "tries", mark.Tries, "folder", raw.Box, "uid", raw.UID, "bytes", raw.Size)
	return u.markUID(raw, mark)
}

// tooLarge tells a player that his mail is not read for its size.
func (u *Umpire) tooLarge(raw mailbox.Raw) (err error) {
	sum := sha256.Sum256(fmt.Appendf(bytes.Clone(raw.Bytes), "\n%d bytes", raw.Size))
	l := &letter{u: u, raw: raw, sha: hex.EncodeToString(sum[:])}
	if l.msg, err = mailbox.Read(raw.Bytes); err != nil || !l.class().MayCarryOrders() || raw.Junk {
		return nil
	}
	var ok bool
	if l.game, l.player, ok, err = u.byAddress(l.msg.From); err != nil || !ok {
		return nil
	}
	c := l.outcome("too large")
	c.Mails = l.refusal(report.Malformed, fmt.Sprintf("your mail has %d bytes and was not read", raw.Size), "Send the signed sheet alone, without pictures and other files.")
	l.limit(&c)
	c.Handled = nil // nothing of it was spooled
	return u.DB.Commit(c)
}

func (u *Umpire) markUID(raw mailbox.Raw, m store.UIDMark) error {
	if raw.UID == 0 {
		return nil // it came by another way than IMAP
	}
	return u.DB.MarkUID(raw.Box, raw.UIDValidity, raw.UID, m)
}

// seen tells the poller what the store has dealt with.
type seen struct {
	db  *store.DB
	log *slog.Logger
}

// Seen tells a poller what the store has dealt with.
func (u *Umpire) Seen() mailbox.Seen { return seen{u.DB, u.Log} }

// Low is the highest UID such that it and all below it are dealt with.
func (s seen) Low(box string, uidvalidity uint32) uint32 {
	low, err := s.db.Low(box, uidvalidity)
	if err != nil {
		s.log.Error("the low-water mark cannot be read", "folder", box, "error", err)
		return 0 // everything is looked at again; what is handled has no second effect
	}
	return low
}

// Handled says whether a message needs no more attention.
func (s seen) Handled(k mailbox.Key) bool {
	m, ok, err := s.db.UID(k.Box, k.UIDValidity, k.UID)
	return err == nil && ok && m.Final()
}

// Listed raises the low-water mark over what is dealt with.
func (s seen) Listed(box string, uidvalidity uint32, uids []uint32) {
	low := uint32(0)
	for _, uid := range uids {
		if !s.Handled(mailbox.Key{Box: box, UIDValidity: uidvalidity, UID: uid}) {
			break
		}
		low = uid
	}
	if low == 0 {
		return
	}
	if err := s.db.RaiseLow(box, uidvalidity, low, uids...); err != nil {
		s.log.Error("the low-water mark is not raised", "folder", box, "error", err)
	}
}

// letter is one incoming mail on its way to its effect.
type letter struct {
	u      *Umpire
	raw    mailbox.Raw
	sha    string // SHA-256 of the raw mail in hex
	msg    *mailbox.Message
	digest string
	key    seal.Key
	sheet  *orders.Sheet
	game   store.Game
	player store.Player
	turn   int      // the turn of the side's next sheet, once known
	late   []string // sides without whose orders the game goes on
	// trouble is a store that could not be read: the mail must come again.
	trouble error
}

// outcome begins the Change of a mail: in words, what became of it.
func (l *letter) outcome(words string) store.Change {
	return store.Change{Handled: &store.Handled{SHA256: l.sha, Mailbox: l.raw.Box, UIDValidity: l.raw.UIDValidity, UID: l.raw.UID,
		Received: l.raw.InternalDate, Outcome: words}}
}

// unread notes that the store could not be read. Damage does not pass by waiting:
// then the mail has the outcome that follows.
func (l *letter) unread(err error) {
	l.u.Log.Error("the store cannot be read", "mail", l.sha, "error", err)
	if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNotFound) {
		l.trouble = err
	}
}

// consider judges a mail. A fault of this program becomes an outcome too, or one
// mail would stop the daemon for ever.
func (u *Umpire) consider(raw mailbox.Raw, sha string) (c store.Change, err error) {
	l := &letter{u: u, raw: raw, sha: sha}
	defer func() {
		if r := recover(); r != nil {
			u.Log.Error("a mail met a fault of this program; it is kept in the spool", "mail", sha, "fault", r, "stack", string(debug.Stack()))
			c, err = l.outcome(fmt.Sprintf("met a fault of the program: %v", r)), nil
			c.Mails = l.sorry()
		}
	}()
	c = l.judge()
	l.limit(&c)
	l.heard(&c)
	return c, l.trouble
}

// sorry tells the player, if he is known by now, that his mail met a fault.
func (l *letter) sorry() (mails []store.Mail) {
	defer func() {
		if r := recover(); r != nil {
			l.u.Log.Error("and there is no answer to it", "mail", l.sha, "fault", r)
			mails = nil
		}
	}()
	if l.player.Side == "" || l.msg == nil {
		return nil
	}
	return l.refusal(report.Notice, "your mail met a fault of the adjudicator's program, and nothing of it has an effect. It is kept, and the moderator has been told",
		"Send your orders in another mail, or wait to hear from the moderator.")
}

// judge works out what a mail changes. Whatever goes wrong in it becomes an
// answer or silence, never an error.
func (l *letter) judge() store.Change {
	u, outcome := l.u, l.outcome
	var err error
	if l.msg, err = mailbox.Read(l.raw.Bytes); err != nil {
		u.Log.Warn("mail cannot be read", "uid", l.raw.UID, "error", err)
		return outcome("unreadable: " + err.Error())
	}
	switch class := l.class(); {
	case class == mailbox.Bounce:
		return l.bounce()
	case !class.MayCarryOrders():
		return outcome("ignored: " + class.String())
	}
	sheets, err := l.verified()
	if errors.Is(err, mailbox.ErrNoOrders) {
		if c, ok := l.coded(outcome); ok {
			return c
		}
	}
	if err != nil {
		return l.unsigned(outcome, err)
	}
	if len(sheets) == 1 && isJoin(sheets[0].Text) {
		return l.join(outcome, sheets[0])
	}
	if slices.ContainsFunc(sheets, func(s seal.Sealed) bool { return isIdentity(s.Text) }) {
		return l.identity(outcome, sheets)
	}
	sealed, err := latest(sheets)
	if err != nil {
		return l.unsigned(outcome, err)
	}
	l.key, l.digest = sealed.Key, sealed.Digest()
	if m, is := u.moderator(l.key); isModeration(sealed.Text) && (is || !l.plays()) {
		return l.moderation(outcome, m, sealed.Text)
	}
	seats, err := u.DB.Seats(l.key.ID())
	if err != nil {
		l.unread(err)
		return outcome("the players' keys cannot be read: " + err.Error())
	}
	if len(seats) == 0 {
		return l.unsigned(outcome, fmt.Errorf("%w: %s", errUnknownKey, l.key.Fingerprint()))
	}
	c := l.signed(outcome, sealed.Text, seats)
	if len(c.Sheets) > 0 {
		l.notLost(&c)
	}
	return c
}

// class says what kind of mail it is.
func (l *letter) class() mailbox.Class {
	return mailbox.Classify(l.msg, mailbox.Self{Instance: l.u.Instance, Addresses: []string{l.u.Address}})
}

// verified are the sheets in a mail whose signatures fit, at least one. Whose
// keys they are by is not looked at here.
func (l *letter) verified() ([]seal.Sealed, error) {
	sealed, err := mailbox.SignedBy(l.msg, l.u.ring(mailbox.OfferedKeys(l.msg)))
	var several *mailbox.SeveralError
	switch {
	case errors.As(err, &several):
		return several.Sheets, nil
	case err != nil:
		return nil, err
	}
	return []seal.Sealed{sealed}, nil
}

// ring is the enrolled keys that signatures do not carry themselves, and those
// offered in the mail at hand. An enrolled key cannot be replaced by an offer.
// They are read only for a signature that needs them: it takes a look at all games.
func (u *Umpire) ring(offered []seal.Key) *seal.Ring {
	return seal.LazyRing(u.Now(), func() []seal.Key {
		keys, err := u.enrolled()
		if err != nil {
			u.Log.Error("the games cannot be read", "error", err)
			return nil
		}
		return append(keys, offered...)
	})
}

// enrolled are the enrolled keys of other methods than OpenSSH's.
func (u *Umpire) enrolled() (keys []seal.Key, err error) {
	games, err := u.DB.Games()
	if err != nil {
		return nil, err
	}
	for _, m := range u.Moderators {
		if key, err := seal.ParseKey(m.Key); err == nil && key.Method() != seal.SSH {
			keys = append(keys, key)
		}
	}
	for _, g := range games {
		for _, p := range g.Players {
			if p.Key == "" {
				continue
			}
			if key, err := seal.ParseKey(p.Key); err == nil && key.Method() != seal.SSH {
				keys = append(keys, key)
			}
		}
	}
	return keys, nil
}

// latest chooses among several signed sheets in one mail, such as an answer that
// quotes an older one: the highest SERIAL, if all are for one game and by one key.
func latest(sheets []seal.Sealed) (best seal.Sealed, err error) {
	if len(sheets) == 1 {
		return sheets[0], nil
	}
	highest := -1
	for _, s := range sheets {
		head, _ := orders.Parse(s.Text, orders.Vocabulary{})
		serial, bad := head.Number("SERIAL")
		if bad != nil || s.Key != sheets[0].Key || serial == highest {
			return seal.Sealed{}, &mailbox.SeveralError{Sheets: sheets}
		}
		if serial > highest {
			highest, best = serial, s
		}
	}
	return best, nil
}

// errUnknownKey says that a good signature is of nobody who plays here.
var errUnknownKey = errors.New("the signature is good, but no game here knows its key")

// unsigned answers a player who is known by his address only, and says nothing
// to anybody else. The answer goes to the enrolled address.
func (l *letter) unsigned(outcome func(string) store.Change, why error) store.Change {
	c := outcome("not accepted: " + why.Error())
	if errors.Is(why, mailbox.ErrNoOrders) && l.signUp(&c) {
		return c
	}
	game, player, ok, err := l.u.byAddress(l.msg.From)
	if err != nil {
		l.unread(err)
	}
	if !ok {
		return l.stranger(c)
	}
	if l.class() == mailbox.Bulk {
		return c // it came through a list: only a signature tells from whom
	}
	l.game, l.player = game, player
	if slices.ContainsFunc(append(slices.Clone(l.msg.Recipients), l.msg.To...), func(a string) bool { return strings.Contains(strings.ToLower(a), "+"+leaveTag) }) {
		c.Handled.Outcome = "answered: how to leave"
		c.Mails = l.refusal(report.Notice, "reports are how the game is played; there is no list to leave",
			"To give the game up, send a signed sheet with the line CONCEDE in its head. To have your mail at another address, write to the moderator.")
		return c
	}
	if errors.Is(why, mailbox.ErrNoOrders) {
		if words := l.request(); words != nil {
			c.Handled.Outcome = "answered: " + strings.Join(words, " ")
			c.Mails = l.obey(words)
			return c
		}
	}
	kind := report.Malformed
	switch {
	case errors.Is(why, mailbox.ErrNoOrders) && l.raw.Junk:
		return c // junk with a player's address for its sender is not rare
	case errors.Is(why, mailbox.ErrNoOrders):
		kind = report.Unsigned
	case errors.Is(why, mailbox.ErrNoFit), errors.Is(why, mailbox.ErrDamaged), errors.Is(why, mailbox.ErrUnknown), errors.Is(why, errUnknownKey):
		kind = report.WrongSignature
	}
	c.Mails = l.refusal(kind, why.Error(), mailbox.Advice(why))
	return c
}

// byAddress finds a seat by its enrolled address: of a game that is under way, if
// there is one.
func (u *Umpire) byAddress(address string) (game store.Game, player store.Player, ok bool, err error) {
	seats, err := u.DB.SeatsAt(address)
	for _, s := range seats {
		g, bad := u.DB.Game(s.Game)
		if bad != nil {
			err = bad
			continue
		}
		if ok && g.Status != store.StatusRunning {
			continue
		}
		for _, p := range g.Players {
			if p.Side == s.Side {
				game, player, ok = g, p, true
			}
		}
		if game.Status == store.StatusRunning {
			break
		}
	}
	return game, player, ok, err
}

// signed reads the verified text. Only from here on is anything parsed.
func (l *letter) signed(outcome func(string) store.Change, canonical string, seats []store.Seat) store.Change {
	head, sections := orders.Parse(canonical, orders.Vocabulary{})
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
	if err := l.u.fits(pos.Game); err != nil {
		l.u.Log.Error("a sheet is not accepted: this program may not go on with the game", "game", pos.Game.ID, "error", err)
		return refuse(report.Notice, seat, "the adjudicator's program was changed, and this game was begun under another version. Nothing is lost, and the game stays as it is; the moderator has been told", "Send the sheet again when you hear that the game goes on.")
	}
	game, sys, err := l.u.under(pos.Game)
	if err != nil {
		l.u.Log.Error("a sheet is not accepted: the scenario cannot be loaded", "game", pos.Game.ID, "scenario", pos.Game.Scenario, "error", err)
		return refuse(report.Notice, seat, "the scenario of the game cannot be read at the moment. Nothing is lost, and the game stays as it is; the moderator has been told", "Send the sheet again when you hear that the game goes on.")
	}
	l.sheet = head
	if head.Header("MODERATE") != "" {
		l.u.Log.Warn("a player moderates without rights", "game", pos.Game.ID, "side", seat.Side, "line", head.Header("MODERATE"))
		return refuse(report.Notice, seat, "your key plays a side here; it does not moderate", "Nothing of the sheet is carried out. Take the line MODERATE out to file orders.")
	}
	if head.Header("PRESS") != "" && len(sections) == 0 && len(head.Commands) == 0 && !head.Done {
		return l.press(outcome)
	}
	switch pos.Game.Status {
	case store.StatusRunning:
	case store.StatusOpen:
		return refuse(report.Notice, seat, "the game has not begun", "The first report will tell you when it does.")
	case store.StatusFinished:
		return refuse(report.Notice, seat, "the game is over", "")
	case store.StatusPaused:
		return refuse(report.Notice, seat, "the game is paused by its moderator", "Send the sheet again when you hear that it goes on.")
	default:
		return refuse(report.Notice, seat, "the game is stopped; its moderator has been told", "")
	}
	var faults []*orders.Error
	l.sheet, faults = orders.Parse(canonical, sys.Vocabulary())
	at, err := game.At(pos.Latest.Snapshot)
	if err != nil {
		l.u.Log.Error("a sheet is not accepted: the position cannot be read", "game", pos.Game.ID, "error", err)
		return refuse(report.Notice, seat, "the position of the game cannot be read. Nothing is lost, and the game stays as it is; the moderator has been told", "Send the sheet again when you hear that the game goes on.")
	}
	l.turn = nextTurn(game, at, adjudicator.Side(seat.Side))
	if l.sheet.Command("CHECK") {
		c := outcome("checked a sheet of " + seat.Side)
		c.Mails = l.checkOnly(game, sys, pos, faults)
		return c
	}
	turn, serial, why, instead := l.current()
	if why != "" {
		return refuse(report.Stale, seat, why, instead)
	}
	_, known, err := l.u.DB.FindSheet(seat.Game, l.digest)
	if err != nil {
		l.unread(err)
		return outcome("the sheets of the game cannot be read: " + err.Error())
	}
	if known {
		return refuse(report.Stale, seat, "this very sheet is filed already", "Nothing changed. To file another one, raise its SERIAL.")
	}
	if l.sheet.Command("ENCRYPT") && !seal.CanEncrypt(l.key, l.u.Now()) {
		return refuse(report.Notice, seat, "the sheet asks for encrypted mail, and "+seal.ErrNoEncryption.Error(), "Enrol an OpenPGP key that can encrypt, or take ENCRYPT out. Nothing of the sheet is filed.")
	}
	if l.sheet.Command("CONCEDE") || l.sheet.Command("DRAW?") {
		c := outcome(seat.Side + " gives the game up or offers a draw")
		if err := l.endByConsent(&c, game, pos, serial, canonical); err != nil {
			return l.freeze(outcome, pos, err)
		}
		return c
	}
	if l.sheet.Command("WITHDRAW") && (len(l.sheet.Sections) > 0 || l.sheet.Done || len(faults) > 0) {
		return refuse(report.Notice, seat, "WITHDRAW takes back what you filed for the turn; a sheet with it holds no orders and no DONE", "Send orders in a sheet without WITHDRAW.")
	}
	c := outcome(fmt.Sprintf("sheet %d of %s for turn %d", serial, seat.Side, turn))
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
			l.game, l.player = g, p
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
	if serial <= l.player.Serial {
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

// file accepts the sheet: what stands is kept, the game goes on if this was what
// it waited for, and everybody hears of it.
func (l *letter) file(c *store.Change, game adjudicator.Game, sys adjudicator.System, pos store.Position, turn, serial int, canonical string, faults []*orders.Error) error {
	side := adjudicator.Side(l.player.Side)
	v, err := game.View(pos.Latest.Snapshot, side)
	if err != nil {
		return err
	}
	asked, err := askedOf(pos.Open, side)
	if err != nil {
		return err
	}
	checked := judged(game, v, l.sheet, faults)
	checked.Lines = append(judgedAnswers(l.sheet, asked, mayAsk(pos.Game, sys)), checked.Lines...)
	open := ""
	if pos.Open != nil {
		open = pos.Open.Phase
	}
	fresh := filed(checked, l.sheet, side, open)
	fresh.Seq = pos.Game.Seq + 1
	note, err := json.Marshal(fresh)
	if err != nil {
		return err
	}
	g := l.counted(pos.Game, serial)
	c.Game, c.Expect = &g, pos.Game.Seq
	if private, changed := l.household(&g, pos.Open); len(private) > 0 {
		checked.Lines = append(private, checked.Lines...)
		l.movedAway(c, g)
		if changed && pos.Open != nil {
			l.u.absent(g, pos.Open)
			c.Open = pos.Open
		}
	}
	c.Sheets = []store.Sheet{{Side: l.player.Side, Turn: turn, Serial: serial, Canonical: canonical, Digest: l.digest, Source: l.sha, Key: l.key.String()}}
	c.Sheets[0].Signature, c.Sheets[0].Signed = evidence(l.msg, canonical, l.key)
	c.Notes = map[string][]byte{filingNote(g.ID, fmt.Sprintf("%s/%03d/%06d", side, turn, serial)): note,
		drawNote(g.ID, l.player.Side): nil}

	clk, err := l.u.clockOf(g.ID)
	if err != nil {
		return err
	}
	late := lateness{policy: given(g, optionLate, lateStanding), released: clk.Released, held: held(g)}
	p, err := l.u.play(game, g, pos.Latest.Snapshot, pos.Open, c.Expect+1, l.u.sheetsOf(g, sys, &fresh, late, nil))
	if err != nil {
		return err
	}
	p.late = l.late
	if fresh.Withdrawn {
		c.Mails = append(c.Mails, l.refusal(report.Notice, fmt.Sprintf("what you filed for turn %d is taken back", turn), fmt.Sprintf("To file again, write SERIAL: %d or more. Standing orders of earlier turns hold.", serial+1))...)
		return nil
	}
	c.Mails = append(c.Mails, l.acknowledgement(turn, serial, checked, v.Date, p.after(pos.Open))...)
	return l.u.goesOn(c, game, sys, pos, p)
}

// goesOn puts what was played into the Change: phases, the one that waits, and
// the mails of all whom it concerns.
func (u *Umpire) goesOn(c *store.Change, game adjudicator.Game, sys adjudicator.System, pos store.Position, p progress) error {
	if !p.moved(pos.Open) {
		return nil
	}
	g := c.Game
	c.Phases, c.Open = p.phases, p.open
	p.notes = append(p.notes, inOthersPlace(p.phases)...)
	if err := u.setDeadline(*g, p); err != nil {
		return err
	}
	if p.at.Over {
		finish(c)
	}
	untold, err := u.untold(game, *g, pos)
	if err != nil {
		return err
	}
	p.events = append(untold, p.events...)
	if p.at.Over || turnDue(p.pending) {
		c.Notes[untoldNote(g.ID)] = nil
		reports, err := u.reports(game, sys, *g, c.Expect+1, p, c.Notes)
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, reports...)
	} else if first, err := u.DB.Note(untoldNote(g.ID)); err == nil && first == nil && len(p.phases) > 0 {
		// Only a question stops the game: those who are not asked read on when it goes on.
		c.Notes[untoldNote(g.ID)] = []byte(strconv.FormatUint(pos.Game.Phases+1, 10))
	}
	for _, player := range g.Players {
		if len(questions(p.pending, adjudicator.Side(player.Side))) == 0 {
			continue
		}
		m, err := u.question(game, sys, *g, player, c.Expect+1, p)
		if err != nil {
			return fmt.Errorf("question to %s: %w", player.Side, err)
		}
		c.Mails = append(c.Mails, m)
	}
	return nil
}

// counted is the game with the serial as the highest of its player.
func (l *letter) counted(g store.Game, serial int) store.Game {
	g.Players = append([]store.Player(nil), g.Players...)
	for i := range g.Players {
		if g.Players[i].Side == l.player.Side {
			g.Players[i].Serial = serial
			if l.sheet.Command("ENCRYPT") || l.sheet.Command("PLAINTEXT") {
				g.Players[i].Encrypted = l.sheet.Command("ENCRYPT")
				l.player.Encrypted = g.Players[i].Encrypted // the acknowledgement too
			}
		}
	}
	return g
}

// judged is the verdict on a sheet: on its orders, and on lines that could not be read.
func judged(game adjudicator.Game, v *view.View, sheet *orders.Sheet, faults []*orders.Error) *adjudicator.Filing {
	checked := game.Check(v, sheet)
	for _, f := range faults {
		checked.Lines = append(checked.Lines, adjudicator.Line{Pos: orders.Pos{Line: f.Line, Col: 1}, At: f.Pos, Text: f.Got, Refused: &rule.Violation{Why: f.Why()}})
	}
	return checked
}

// line turns a checked order into a line of the acknowledgement.
func line(l adjudicator.Line) report.Line {
	out := report.Line{Number: l.Pos.Line, Column: l.Pos.Col, Order: l.Text, Understood: l.Understood, Warning: l.Warning}
	if v := l.Refused; v != nil {
		out.Refused, out.Clause, out.Reason, out.Instead = true, string(v.Clause), v.Why, v.Instead
		if l.At != l.Pos && l.At.Line > 0 {
			out.At = fmt.Sprintf("column %d", l.At.Col)
			if l.At.Line != l.Pos.Line {
				out.At = l.At.String()
			}
		}
	}
	return out
}
