package intake

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// A player joins by mail with a statement that their key signs:
//
//	GAME: K7QX2MPA
//	SIDE: SOVIET
//	JOIN: ABCDE-FGHIJ-KLMNO-PQRST
//	NONCE-SHA256: 0123...       for a part in the dice, see nonce.go
//
// The code shows that it is the one who was invited, the signature that the key is
// theirs. RECOVER in place of JOIN, with the code from the mail that confirmed the
// joining, replaces a key that was lost.

// isJoin tells a statement by which somebody joins, or puts a new key into the
// place of a lost one, from a sheet of orders.
func isJoin(canonical string) bool {
	for line := range strings.Lines(canonical) {
		if beginsWith(line, "JOIN:", "RECOVER:", "NONCE:") {
			return true
		}
	}
	return false
}

// notJoined is what is refused to who cannot join.
const notJoined = "you have not joined"

// clearJoin tells whether a statement names a seat and one thing to do, and gives no orders.
func clearJoin(head *orders.Sheet) bool {
	switch {
	case head.Header("GAME") == "", head.Header("SIDE") == "", head.Done, len(head.Commands) > 0:
		return false
	}
	return head.Header("JOIN") == "" || head.Header("RECOVER") == ""
}

// join gives such a statement its effect. A stranger with a wrong code is not
// answered.
func (l *incoming) join(s seal.Sealed) (store.Change, error) {
	head, faults := orders.Parse(s.Text, orders.Vocabulary{})
	id, side := head.Header("GAME"), head.Header("SIDE")
	if len(faults) > 0 || !clearJoin(head) {
		return l.notJoining(l.outcome("not accepted: no clear statement of joining"), id,
			"To join, a mail holds the lines GAME, SIDE and JOIN, and no orders. Yours does not.")
	}
	g, err := l.h.DB.Game(id)
	if err != nil {
		return l.notJoining(l.outcome("not accepted: a statement of joining for game "+id), id,
			fmt.Sprintf("There is no game %s here. Please copy the line GAME from your invitation.", id))
	}
	if nonce := head.Header("NONCE"); nonce != "" && head.Header("JOIN") == "" {
		return l.reveal(g, side, nonce, s), nil
	}
	if code := head.Header("RECOVER"); code != "" {
		return l.recover(g, side, code, s.Key)
	}
	all, err := l.h.Invitations(id, side)
	if err := l.unread(err); err != nil {
		return store.Change{}, err
	}
	var in post.Invited
	var invitation post.InvitationKey
	for key, x := range all {
		if x.Fits(head.Header("JOIN")) {
			invitation, in = key, x
		}
	}
	m, moderates := l.h.ModeratorWithKey(s.Key)
	switch {
	case invitation.Game == "" && moderates:
		return l.onlyModerates(m, id), nil
	case invitation.Game == "":
		return l.codeDoesNotFit(id, side, head.Header("JOIN"))
	}
	l.game, l.player = g, store.Player{Side: side, Address: in.Address}
	l.guest, l.guestKey = &in, invitation // the answer goes out although somebody else may have the seat
	refuse := func(why, instead string) (store.Change, error) {
		c, err := l.refuse(because(notJoined, refusal(why, instead)))
		c.Mails = append(c.Mails, l.trouble(&c, why)...)
		return c, err
	}
	sealed, err := seats.ParseSealed(strings.ToLower(head.Header("NONCE-SHA256")))
	switch {
	case s.Key.Method() == seal.Code && head.Header("NONCE-SHA256") != "":
		return refuse("a player who plays by codes cannot show later that a nonce is theirs", "Leave NONCE-SHA256 out, or join with a key.")
	case in.Tries >= JoinTries:
		return refuse("there have been too many wrong codes, so this invitation no longer counts", "Ask the moderator for another one.")
	case l.h.Now().After(in.Until):
		return refuse("the invitation has run out", "Ask the moderator for another one.")
	case err != nil:
		return refuse(err.Error(), "Leave NONCE-SHA256 out, or let fieldpost enrol --nonce make it.")
	case head.Header("NONCE") != "":
		return refuse("a nonce is sealed first: whoever joins after you could choose theirs to suit it", "Send NONCE-SHA256, the SHA-256 of another nonce; fieldpost enrol --nonce makes one. You are asked for the nonce itself when all sides have players.")
	}
	if in.As != nil {
		return l.joinAs(invitation, in, s.Key)
	}
	return l.takesSeat(g, in, store.Player{Side: side, Address: in.Address, Key: s.Key.String(), Name: in.Name, Sealed: sealed}, s.Key)
}

// notJoining answers a statement that cannot be read, if somebody who is invited sent it.
func (l *incoming) notJoining(c store.Change, game, why string) (store.Change, error) {
	invited, err := l.invitedSender(game)
	if err != nil || !invited || l.staysSilent() {
		return c, l.unread(err)
	}
	c.Mails = l.tell(report.Note{About: "You have not joined yet", Says: []string{why + " Nothing has changed."}})
	c.Mails = append(c.Mails, l.trouble(&c, "a statement of joining that could not be read")...)
	return c, nil
}

// codeDoesNotFit answers a code of joining that is nobody's: to who is invited and to the
// player of the seat, at their address. A stranger hears nothing.
func (l *incoming) codeDoesNotFit(id, side, code string) (store.Change, error) {
	c := l.outcome("not accepted: a join code that does not fit, for " + side + " in game " + id)
	invited, err := l.invitedSender(id)
	if err != nil || l.staysSilent() {
		return c, l.unread(err)
	}
	if invited {
		return l.wrongJoin(code)
	}
	game, player, known, err := l.h.ByAddress(l.msg.From)
	if err != nil || !known {
		return c, l.unread(err)
	}
	l.game, l.player = game, player
	c.Mails = l.tell(report.Note{About: "You have joined already", Says: []string{
		fmt.Sprintf("The JOIN code in your mail has been used, or is not one of ours. You play the %s side of %s; there is no need to join again. Nothing has changed.", sideName(player.Side), game.Title)}})
	return c, nil
}

// joinUnsigned gives an unsigned statement of joining its effect. It counts with KEY: CODES;
// without that line somebody who is invited hears what is missing. Taken is false for a
// statement that is nobody's who may join.
func (l *incoming) joinUnsigned(st statement) (c store.Change, taken bool, err error) {
	if st.value("GAME") == "" || st.value("SIDE") == "" {
		invited, err := l.invitedSender(l.taggedGame())
		if err != nil || !invited {
			return c, false, l.unread(err)
		}
		st.lines = append(st.lines, orders.Header{Name: "GAME", Value: l.game.ID}, orders.Header{Name: "SIDE", Value: l.player.Side})
		l.guest, l.guestKey, l.game, l.player = nil, post.InvitationKey{}, store.Game{}, store.Player{}
	}
	if strings.EqualFold(st.value("KEY"), acts.ByCodes) && !st.clash {
		// Whoever has the join code may do without a key: it came to their address.
		c, err := l.join(seal.Sealed{Text: st.text(), Key: seal.CodeKey(st.value("GAME"), st.value("SIDE"))})
		return c, true, err
	}
	invited, err := l.invitedSender(st.value("GAME"))
	if err != nil || !invited || l.staysSilent() {
		l.guest, l.game, l.player = nil, store.Game{}, store.Player{}
		return c, false, l.unread(err)
	}
	c = l.outcome("not accepted: a statement of joining without a key and without KEY: CODES")
	switch {
	case st.clash:
		c.Mails = l.oneMoreStep(&c, "We found two different statements of joining in your mail, and cannot tell which of them you mean.")
	case l.guestCode(st.value("JOIN")) && l.h.Now().Before(l.guest.Until):
		c.Mails = l.oneMoreStep(&c, "Your code is right. One line is missing: the one that says how you will send your orders.")
	default:
		c, err = l.wrongJoin(st.value("JOIN"))
	}
	return c, true, err
}

// takesSeat seats whoever has joined, and tells them how it goes on.
func (l *incoming) takesSeat(g store.Game, in post.Invited, p store.Player, key seal.Key) (store.Change, error) {
	id, side := g.ID, p.Side
	c := l.outcome(fmt.Sprintf("%s joins game %s", side, id))
	spare, err := acts.NewCode(rand.Reader)
	if err == nil {
		post.InvitationRecords.Drop(&c, post.ToSeat(id, side))
		SpareRecords.Put(&c, store.Seat{Game: id, Side: side}, post.CodeHash(spare))
		if in.Replaces {
			l.game, err = l.h.TakeOver(&c, g, p)
		} else {
			l.game, err = l.h.Sit(&c, g, p)
		}
	}
	switch {
	case errors.Is(err, acts.ErrTaken), errors.Is(err, acts.ErrStarted), errors.Is(err, seats.ErrKeyTaken), errors.Is(err, seats.ErrKeyUsed), errors.Is(err, acts.ErrNotNow):
		return l.refuse(because(notJoined, refusal(err.Error(), "")))
	case err != nil:
		l.h.Log.Error("a player cannot join", "game", id, "error", err)
		return l.refuse(because(notJoined, refusal("a fault of ours; the moderator will see it in the log", "Send the mail again later.")))
	}
	if key.Method() == seal.Code {
		l.player = p
		pin, err := l.provider(store.Seat{Game: id, Side: side})
		switch {
		case err == nil && pin != nil:
			ProviderRecords.Put(&c, store.Seat{Game: id, Side: side}, *pin)
		case err != nil && post.KindOf(err) != post.Policy:
			return store.Change{}, err
		}
	}
	next := "Your first report comes as soon as all sides have players; there is nothing to do until then."
	if c.Game != nil && c.Game.Status == store.StatusRunning {
		next = "All sides have players now: the game begins, and your first report follows."
	}
	if in.Replaces {
		next = "The game has begun. Another mail brings you everything that your side knows, and what is filed."
	}
	signs := "You sign with " + seal.Signer(key) + ". Compare it with what your program shows."
	if key.Method() == seal.Code {
		signs = "You play by codes: each report brings the line CODE for the head of your next sheet, and nothing is signed. Anybody who can read your mail can play for you; the roster says so."
	}
	first := l.letterTo(p, fmt.Sprintf("welcome: you play the %s side", sideName(side)),
		signs,
		"Please write this recovery code on paper: "+spare+". If you ever change to a key or lose one, it lets you back in without anybody's help.",
		next)
	c.Mails = append(first, c.Mails...)
	return c, nil
}

// joinAs seats a commander or a deputy whose join code has come with a key.
func (l *incoming) joinAs(invitation post.InvitationKey, in post.Invited, key seal.Key) (store.Change, error) {
	u, g := l.h, l.game
	refuse := func(why string) (store.Change, error) {
		return l.refuse(because(notJoined, refusal(why, "")))
	}
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == l.player.Side })
	if i < 0 || g.Status == store.StatusFinished {
		return refuse("the side has no player, or the game is over")
	}
	if key.Method() == seal.Code {
		return l.refuse(because(notJoined, refusal("commanders and deputies sign with a key of their own: codes are for the player of the seat", "Sign the statement with a key, and leave KEY: CODES out. The code of your invitation stays good.")))
	}
	if err := u.Unused(g, key); err != nil {
		return refuse(err.Error())
	}
	g.Players = slices.Clone(g.Players)
	p := &g.Players[i]
	as := *in.As
	as.Key = key.String()
	if !p.Shared() && !as.Deputy {
		p.Own = p.Serial
	}
	p.Commanders = append(slices.Clone(p.Commanders), as)
	commander := len(p.Commanders)
	c := l.outcome(fmt.Sprintf("a commander joins %s in game %s", p.Side, g.ID))
	c.Game, c.Expect = &g, g.Seq
	post.InvitationRecords.Drop(&c, invitation)
	did := post.Sentence(seats.CommandName(*p, commander) + " joins the command of " + p.Side)
	joined := "you have joined the command of " + p.Side
	if as.Deputy {
		did = post.Sentence(fmt.Sprintf("%s of %s has joined with a key of their own", seats.CommandName(*p, commander), p.Side))
		joined = "you are the deputy of the player of " + p.Side
	}
	for _, q := range u.Persons(*p) {
		if q.Commander == commander {
			continue
		}
		if err := u.Notify(&c, q, "command", did, append(u.CommandLines(*p), "They sign with "+seal.Signer(key)+".")...); err != nil {
			return refuse("a fault of ours; the moderator will see it in the log")
		}
	}
	l.game = g
	says := append([]string{"You sign with " + seal.Signer(key) + ". Compare it with what your program shows."}, u.CommandLines(*p)...)
	c.Mails = append(l.letterTo(p.As(commander), joined, says...), c.Mails...)
	if pos, err := u.DB.Load(g.ID); err == nil && pos.Latest != nil && (!as.Deputy || u.StandsIn(*p, as)) {
		m, err := u.Handover(&c, pos, p.As(commander))
		if err != nil {
			u.Log.Error("a commander cannot be told the story", "game", g.ID, "error", err)
			return c, nil
		}
		c.Mails = append(c.Mails, m)
	}
	return c, nil
}
