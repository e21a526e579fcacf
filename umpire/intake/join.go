package intake

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
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

const (
	inviteFor    = 14 * 24 * time.Hour
	recoverAfter = 48 * time.Hour
	codeBytes    = 13 // 104 bits, 21 letters
)

func spareNote(game, side string) string   { return "recover/" + game + "/" + side }
func recoverNote(game, side string) string { return "recovering/" + game + "/" + side }
func seatOf(note, prefix string) store.Seat {
	g, s, _ := strings.Cut(strings.TrimPrefix(note, prefix), "/")
	return store.Seat{Game: g, Side: s}
}

// newCode makes a one-time code: letters and digits in groups of five.
func newCode(random io.Reader) (string, error) {
	b := make([]byte, codeBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("making a code: %w", err)
	}
	return grouped(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b)), nil
}

func grouped(s string) string {
	var out []string
	for len(s) > 5 {
		out, s = append(out, s[:5]), s[5:]
	}
	return strings.Join(append(out, s), "-")
}

func sameCode(code, hash string) bool {
	return subtle.ConstantTimeCompare([]byte(post.CodeHash(code)), []byte(hash)) == 1
}

// Invite mails somebody a one-time code with which they take a seat, with a key of
// their own. Another invitation to the seat replaces the one before.
func (hd *Handler) Invite(s Seat) error {
	hd.Writing.Lock()
	defer hd.Writing.Unlock()
	id, side := strings.ToUpper(s.Game), strings.ToUpper(s.Side)
	if _, err := mailbox.PlainAddress(s.Address); err != nil {
		return fmt.Errorf("%w: %w", ErrAddress, err)
	}
	g, err := hd.DB.Game(id)
	if err != nil {
		return err
	}
	if err := free(g, side); err != nil {
		return err
	}
	var c store.Change
	if err := hd.inviteTo(&c, g, side, post.Invited{Address: s.Address, Name: s.Name}); err != nil {
		return err
	}
	return hd.Commit(c)
}

// inviteTo adds an invitation to a seat to a Change.
func (hd *Handler) inviteTo(c *store.Change, g store.Game, side string, in post.Invited) error {
	code, err := newCode(rand.Reader)
	if err != nil {
		return err
	}
	in.Hash, in.Until = post.CodeHash(code), hd.Now().UTC().Add(inviteFor)
	name := post.InviteNote(g.ID, side)
	if in.As != nil {
		name += "/" + post.CodeHash(in.Address)[:16] // the seat's own invitation is another one
	} else if before, err := hd.InvitedTo(g.ID, side); err == nil && before != nil && strings.EqualFold(before.Address, in.Address) {
		in.Replaced = append([]string{before.Hash}, before.Earlier...)
	}
	note, err := json.Marshal(in)
	if err != nil {
		return err
	}
	m, err := hd.InviteWith(g, store.Player{Side: side, Address: in.Address, Name: in.Name}, code, in.Until.Format("2 January 2006"), in.Duty()...)
	if err != nil {
		return err
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[name] = note
	c.Mails = append(c.Mails, m)
	return nil
}

// free checks that nobody has the seat of an open game.
func free(g store.Game, side string) error {
	switch {
	case g.Status != store.StatusOpen:
		return fmt.Errorf("game %s: %w", g.ID, ErrStarted)
	case !slices.Contains(g.Sides, side):
		return fmt.Errorf("game %s: %w: %s; it has %s", g.ID, match.ErrNoSide, side, strings.Join(g.Sides, " and "))
	case slices.ContainsFunc(g.Players, func(p store.Player) bool { return p.Side == side }):
		return fmt.Errorf("game %s, %s: %w", g.ID, side, ErrTaken)
	}
	return nil
}

// isJoin tells a statement by which somebody joins, or puts a new key into the
// place of a lost one, from a sheet of orders.
func isJoin(canonical string) bool {
	for line := range strings.Lines(canonical) {
		if strings.HasPrefix(line, "JOIN:") || strings.HasPrefix(line, "RECOVER:") || strings.HasPrefix(line, "NONCE:") {
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
			"To join, a mail holds the lines GAME, SIDE and JOIN, and no orders. We could not read yours so.")
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
	invitation := ""
	for name, x := range all {
		if x.Fits(head.Header("JOIN")) {
			invitation, in = name, x
		}
	}
	if invitation == "" {
		return l.codeDoesNotFit(id, side, head.Header("JOIN"))
	}
	l.game, l.player = g, store.Player{Side: side, Address: in.Address}
	refuse := func(why, instead string) (store.Change, error) {
		c, err := l.refuse(because(notJoined, refusal(why, instead)))
		c.Mails = append(c.Mails, l.trouble(&c, why)...)
		return c, err
	}
	sealed, err := seats.ParseSealed(strings.ToLower(head.Header("NONCE-SHA256")))
	switch {
	case s.Key.Method() == seal.Code && head.Header("NONCE-SHA256") != "":
		return refuse("who plays by codes cannot show later that a nonce is theirs", "Leave NONCE-SHA256 out, or join with a key.")
	case in.Tries >= JoinTries:
		return refuse("there have been too many wrong codes, so this invitation no longer counts", "Ask the moderator for another one.")
	case l.h.Now().After(in.Until):
		return refuse("the invitation has run out", "Ask the moderator for another one.")
	case err != nil:
		return refuse(err.Error(), "Leave NONCE-SHA256 out, or let fieldpost enrol --nonce make it.")
	case head.Header("NONCE") != "":
		return refuse("a nonce is sealed first: who joins after you could choose theirs to suit it", "Send NONCE-SHA256, the SHA-256 of another nonce; fieldpost enrol --nonce makes one. You are asked for the nonce itself when all sides have players.")
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

// takesSeat seats whoever has joined, and tells them how it goes on.
func (l *incoming) takesSeat(g store.Game, in post.Invited, p store.Player, key seal.Key) (store.Change, error) {
	id, side := g.ID, p.Side
	c := l.outcome(fmt.Sprintf("%s joins game %s", side, id))
	spare, err := newCode(rand.Reader)
	if err == nil {
		c.Notes = map[string][]byte{post.InviteNote(id, side): nil, spareNote(id, side): []byte(post.CodeHash(spare))}
		if in.Replaces {
			l.game, err = l.h.takeOver(&c, g, p)
		} else {
			l.game, err = l.h.sit(&c, g, p)
		}
	}
	switch {
	case errors.Is(err, ErrTaken), errors.Is(err, ErrStarted), errors.Is(err, seats.ErrKeyTaken), errors.Is(err, seats.ErrKeyUsed), errors.Is(err, ErrNotNow):
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
			c.Notes[codeProvider(id, side)] = pin
		case err != nil && post.KindOf(err) != post.Policy:
			return store.Change{}, err
		}
	}
	next := "Your first report comes as soon as all sides have players; there is nothing to do until then."
	if c.Game != nil && c.Game.Status == store.StatusRunning {
		next = "All sides have players now: the game begins, and your first report follows."
	}
	if in.Replaces {
		next = "The game is under way: another mail brings you all that your side knows, and what is filed."
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

// letterTo is a notice to a player in answer to the mail at hand.
func (l *incoming) letterTo(p store.Player, why string, advice ...string) []store.Mail {
	l.player = p
	r := report.Message{Kind: report.Notice, Game: l.game.ID, Title: l.game.Title, Scenario: l.game.Scenario, Side: p.Side, Address: l.h.Address,
		Roster: post.Roster(l.game), Reason: post.Sentence(why), Advice: advice}
	return l.mail(post.Draft{Kind: "notice", Number: l.sha[:16], Subject: r.Subject(), Text: r.Text(), HTML: r.HTML()})
}

// recovering is the note of a new key that waits for its time.
type recovering struct {
	Key string    `json:"key"`
	At  time.Time `json:"at"`
}

// Errors of AddPlayer.
var (
	ErrTaken   = errors.New("the side has a player already")
	ErrStarted = errors.New("the game has begun")
	ErrAddress = errors.New("not a mail address")
)

// ByCodes in the place of a key seats a player who sends their sheets by the codes
// of their reports.
const ByCodes = "codes"

// AddPlayer seats a player and mails them the invitation. When the last seat is
// taken the game begins and everybody gets the first report.
func (hd *Handler) AddPlayer(id, side, name, address, keyLine string) error {
	return hd.Seat(Seat{Game: id, Side: side, Name: name, Address: address, Key: keyLine})
}

// Seat is AddPlayer for a player who brings a sealed nonce.
func (hd *Handler) Seat(s Seat) error {
	hd.Writing.Lock()
	defer hd.Writing.Unlock()
	id, side, name, address := strings.ToUpper(s.Game), strings.ToUpper(s.Side), s.Name, s.Address
	if strings.EqualFold(s.Key, ByCodes) {
		s.Key = seal.CodeKey(id, side).String()
	}
	key, err := seal.ParseKey(s.Key)
	if err != nil {
		return err
	}
	sealed, err := seats.ParseSealed(s.Sealed)
	if err != nil {
		return err
	}
	if len(sealed) > 0 && seal.IsCode(key.String()) {
		return fmt.Errorf("%w: who sends codes cannot sign the nonce later", seats.ErrSealed)
	}
	if _, err := mailbox.PlainAddress(address); err != nil {
		return fmt.Errorf("%w: %w", ErrAddress, err)
	}
	g, err := hd.DB.Game(id)
	if err != nil {
		return err
	}
	p := store.Player{Side: side, Address: address, Key: key.String(), Name: name, Sealed: sealed}
	c := store.Change{Notes: map[string][]byte{post.InviteNote(id, side): nil}}
	if g, err = hd.sit(&c, g, p); err != nil {
		return err
	}
	invitation, err := hd.Invitation(g, p)
	if err != nil {
		return err
	}
	c.Mails = append([]store.Mail{invitation}, c.Mails...)
	return hd.Commit(c)
}

// sit adds to a Change that a player takes their seat. With the last one the game
// begins.
func (hd *Handler) sit(c *store.Change, g store.Game, p store.Player) (store.Game, error) {
	if err := free(g, p.Side); err != nil {
		return g, err
	}
	for _, q := range g.Players {
		if store.KeyID(q.Key) == store.KeyID(p.Key) {
			return g, fmt.Errorf("game %s: %w", g.ID, seats.ErrKeyTaken)
		}
	}
	c.Expect = g.Seq
	g.Players = append(slices.Clone(g.Players), p)
	c.Game = &g
	if len(g.Players) < len(g.Sides) {
		return g, nil
	}
	if len(seats.Unopened(g)) > 0 {
		return g, hd.AskNonces(c)
	}
	return g, hd.Begin(c)
}

// Seat is what AddPlayer needs. Sealed is the SHA-256 of the player's part in the
// root of the dice, hexadecimal; it may be empty.
type Seat struct{ Game, Side, Name, Address, Key, Sealed string }
