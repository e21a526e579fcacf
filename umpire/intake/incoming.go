package intake

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// incoming is a mail on its way to its effect.
type incoming struct {
	h      *Handler
	raw    mailbox.Raw
	sha    string // SHA-256 of the raw mail in hex
	msg    *mailbox.Message
	digest string
	typed  string // the sheet in the letters of its writer, "" if they are not known
	key    seal.Key
	sheet  *orders.Sheet
	game   store.Game
	player store.Player
	turn   int      // the turn of the side's next sheet, once known
	late   []string // sides without whose orders the game goes on
	ahead  *readAhead
	next   string // what a part of a side's sheet waits for
	// dropped says which orders of the sheet before it has nothing for, "" for none.
	dropped string
	// replaced is the number of the sheet that it takes the place of, 0 for none.
	replaced int
	// invited holds the invitation of a deputy whom the sheet appoints.
	invited store.Change
	// enclosed goes along with the answer to a moderator.
	enclosed []mailbox.File
}

// outcome begins the Change of a mail: in words, what became of it.
func (l *incoming) outcome(words string) store.Change {
	return store.Change{Handled: &store.Handled{SHA256: l.sha, Mailbox: l.raw.Box, UIDValidity: l.raw.UIDValidity, UID: l.raw.UID,
		Received: l.raw.InternalDate, Outcome: words}}
}

// unread notes that the store could not be read, and returns the error if the mail
// must come again. Damage does not pass by waiting: then it returns nil, and the mail
// has the outcome that follows.
func (l *incoming) unread(err error) error {
	if err == nil {
		return nil
	}
	l.h.Log.Error("the store cannot be read", "mail", l.sha, "error", err)
	if post.KindOf(err) == post.Damaged {
		return nil
	}
	return err
}

// unreadable is the outcome of a mail that nothing can be done about because what it
// needs cannot be read.
func (l *incoming) unreadable(what string, err error) (store.Change, error) {
	return l.outcome(what + " cannot be read: " + err.Error()), l.unread(err)
}

// consider judges a mail. A fault of this program becomes an outcome too, or one
// mail would stop the daemon for ever.
func (hd *Handler) consider(raw mailbox.Raw, sha string, ahead *readAhead) (c store.Change, err error) {
	l := &incoming{h: hd, raw: raw, sha: sha, ahead: ahead}
	defer func() {
		if r := recover(); r != nil {
			hd.Log.Error("a mail met a fault of this program; it is kept in the spool", "mail", sha, "fault", r, "stack", string(debug.Stack()))
			c, err = l.outcome(fmt.Sprintf("met a fault of the program: %v", r)), nil
			c.Mails = l.apology()
		}
	}()
	if c, err = l.judge(); err != nil {
		return store.Change{}, err
	}
	if err := l.limit(&c); err != nil {
		return store.Change{}, err
	}
	l.addressWorks(&c)
	return c, nil
}

// apology tells the player, if it is known by now who that is, that their mail met a
// fault of the program.
func (l *incoming) apology() (mails []store.Mail) {
	defer func() {
		if r := recover(); r != nil {
			l.h.Log.Error("and there is no answer to it", "mail", l.sha, "fault", r)
			mails = nil
		}
	}()
	if l.player.Side == "" || l.msg == nil {
		return nil
	}
	return l.answer(report.Notice, "your mail met a fault of the adjudicator's program, and nothing of it has an effect. It is kept, and the moderator has been told",
		"Send your orders in another mail, or wait to hear from the moderator.")
}

// judge works out what a mail changes. Whatever is wrong with it becomes an answer or
// silence; an error is of the store, and the mail must come again.
func (l *incoming) judge() (store.Change, error) {
	u := l.h
	var err error
	if l.ahead != nil && l.ahead.msg != nil {
		l.msg = l.ahead.msg
	} else if l.msg, err = mailbox.Read(l.raw.Bytes); err != nil {
		u.Log.Warn("mail cannot be read", "uid", l.raw.UID, "error", err)
		return l.outcome("unreadable: " + err.Error()), nil
	}
	switch class := l.class(); {
	case class == mailbox.Bounce:
		return l.bounce()
	case !class.MayCarryOrders():
		return l.outcome("ignored: " + class.String()), nil
	}
	sheets, err := l.verified()
	if errors.Is(err, mailbox.ErrNoOrders) {
		if c, ok, err := l.coded(); ok {
			return c, err
		}
	}
	if err != nil {
		return l.unsigned(err)
	}
	if len(sheets) == 1 && isJoin(sheets[0].Text) {
		return l.join(sheets[0])
	}
	if slices.ContainsFunc(sheets, func(s seal.Sealed) bool { return seats.IsIdentity(s.Text) }) {
		return l.identity(sheets)
	}
	sealed, err := latest(sheets)
	if err != nil {
		return l.unsigned(err)
	}
	l.key, l.digest, l.typed = sealed.Key, sealed.Digest(), sealed.Typed
	if m, is := u.moderator(l.key); isModeration(sealed.Text) && (is || !l.plays()) {
		return l.moderation(m, sealed.Text)
	}
	seats, err := u.DB.Seats(l.key.ID())
	if err != nil {
		return l.unreadable("the players' keys", err)
	}
	if len(seats) == 0 {
		return l.unsigned(fmt.Errorf("%w: %s", errUnknownKey, l.key.Fingerprint()))
	}
	c, err := l.signed(sealed.Text, seats)
	if len(c.Sheets) > 0 {
		l.notLost(&c)
	}
	return c, err
}

// class says what kind of mail it is.
func (l *incoming) class() mailbox.Class {
	return mailbox.Classify(l.msg, mailbox.Self{Instance: l.h.Instance, Addresses: []string{l.h.Address}})
}

// verified are the sheets in a mail whose signatures fit, at least one. Whose
// keys they are by is not looked at here.
func (l *incoming) verified() ([]seal.Sealed, error) {
	if l.ahead != nil && len(l.ahead.sheets) > 0 {
		return l.ahead.sheets, nil
	}
	sealed, err := mailbox.SignedBy(l.msg, l.h.ring(mailbox.OfferedKeys(l.msg)))
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
func (hd *Handler) ring(offered []seal.Key) *seal.Ring {
	return seal.LazyRing(hd.Now(), func() []seal.Key {
		keys, err := hd.enrolled()
		if err != nil {
			hd.Log.Error("the games cannot be read", "error", err)
			return nil
		}
		return append(keys, offered...)
	})
}

// enrolled are the enrolled keys of other methods than OpenSSH's.
func (hd *Handler) enrolled() (keys []seal.Key, err error) {
	games, err := hd.DB.Games()
	if err := hd.Readable(err); err != nil {
		return nil, err
	}
	for _, m := range hd.Moderators {
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

// unsigned answers a player who is known by their address only, and says nothing
// to anybody else. The answer goes to the enrolled address.
func (l *incoming) unsigned(why error) (store.Change, error) {
	c := l.outcome("not accepted: " + why.Error())
	if errors.Is(why, mailbox.ErrNoOrders) {
		if asks, err := l.signUp(&c); asks || err != nil {
			return c, err
		}
		if l.beaconSaid(&c) {
			return c, nil
		}
	}
	game, player, ok, err := l.h.ByAddress(l.msg.From)
	if err := l.unread(err); err != nil {
		return c, err
	}
	if !ok {
		return l.stranger(c)
	}
	if l.class() == mailbox.Bulk {
		return c, nil // it came through a list: only a signature tells from whom
	}
	l.game, l.player = game, player
	if slices.ContainsFunc(append(slices.Clone(l.msg.Recipients), l.msg.To...), func(a string) bool { return strings.Contains(strings.ToLower(a), "+"+post.LeaveTag) }) {
		c.Handled.Outcome = "answered: how to leave"
		c.Mails = l.answer(report.Notice, "reports are how the game is played; there is no list to leave",
			"To give the game up, send a signed sheet with the line CONCEDE in its head. To have your mail at another address, write to the moderator.")
		return c, nil
	}
	if errors.Is(why, mailbox.ErrNoOrders) {
		if words := l.request(); words != nil {
			c.Handled.Outcome = "answered: " + strings.Join(words, " ")
			c.Mails = l.obey(words)
			return c, nil
		}
	}
	kind := report.Malformed
	switch {
	case errors.Is(why, mailbox.ErrNoOrders) && l.raw.Junk:
		return c, nil // junk with a player's address for its sender is not rare
	case errors.Is(why, mailbox.ErrNoOrders) && mailbox.SoundsAway(l.msg.Subject):
		c.Handled.Outcome = "ignored: no orders, and the subject of a vacation notice"
		return c, nil // some programs do not say that they are programs
	case errors.Is(why, mailbox.ErrNoOrders):
		kind = report.Unsigned
	case errors.Is(why, mailbox.ErrNoFit), errors.Is(why, mailbox.ErrDamaged), errors.Is(why, mailbox.ErrUnknown), errors.Is(why, errUnknownKey):
		kind = report.WrongSignature
	}
	c.Mails = l.answer(kind, why.Error(), mailbox.Advice(why))
	return c, nil
}

// ByAddress finds a seat by its enrolled address: of a game that is under way, if
// there is one.
func (hd *Handler) ByAddress(address string) (game store.Game, player store.Player, ok bool, err error) {
	found, err := hd.DB.SeatsAt(address)
	for _, s := range found {
		g, bad := hd.DB.Game(s.Game)
		if bad != nil {
			err = bad
			continue
		}
		if ok && g.Status != store.StatusRunning {
			continue
		}
		for _, p := range g.Players {
			if p.Side == s.Side {
				game, player, ok = g, p.As(seats.WrittenFrom(p, address)), true
			}
		}
		if game.Status == store.StatusRunning {
			break
		}
	}
	return game, player, ok, err
}
