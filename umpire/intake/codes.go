package intake

import (
	"cmp"
	"crypto/subtle"
	"errors"
	"fmt"
	"regexp"
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

// CodeTries is how many wrong codes lock a seat for the rest of the phase.
const CodeTries = 20

// TriesKey is the key of the wrong codes of a seat in a phase.
type TriesKey struct {
	store.Seat
	Phase string
}

// TriesRecords count wrong codes.
var TriesRecords = store.KindOf[int]("code-tries", store.Shape[TriesKey]{
	Form:  "GAME/SIDE/PHASE",
	Words: func(k TriesKey) []string { return []string{k.Game, k.Side, k.Phase} },
	Parse: func(words []string) (k TriesKey, ok bool) {
		if len(words) < 3 {
			return k, false
		}
		return TriesKey{store.Seat{Game: words[0], Side: words[1]}, strings.Join(words[2:], "/")}, true
	},
	Game: func(k TriesKey) string { return k.Game }}).Plain()

// withGame puts the game and the side into a sheet by code that names neither.
func (l *incoming) withGame(text string) string {
	return mailbox.WithGame(text, func(code string) (game, side string, found bool) {
		seat, found := l.seatOfCode(code)
		return seat.Game, seat.Side, found
	})
}

// seatOfCode is the seat that a code belongs to: one of the sender's address, or one of the
// game in the subject. Without a seat that it fits, it is the sender's own, for whom it is wrong.
func (l *incoming) seatOfCode(code string) (seat store.Seat, found bool) {
	candidates, _ := l.h.DB.SeatsAt(l.msg.From)
	own := len(candidates)
	if named := l.taggedGame(); named != "" {
		slices.SortStableFunc(candidates, func(a, b store.Seat) int { return cmp.Compare(btoi(b.Game == named), btoi(a.Game == named)) })
		if g, err := l.h.DB.Game(named); err == nil {
			for _, p := range g.Players {
				candidates = append(candidates, store.Seat{Game: named, Side: p.Side})
			}
		}
	}
	for i, one := range candidates {
		g, err := l.h.DB.Game(one.Game)
		if err != nil || !playsByCode(g, one.Side) {
			continue
		}
		if i < own && (!found || g.Status == store.StatusRunning && seat.Game == "") {
			seat, found = one, true
		}
		if want, _, err := l.h.codeNow(one); err == nil && sameLetters(code, want) {
			return one, true
		}
	}
	return seat, found
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// playsByCode tells whether the player of a side signs nothing.
func playsByCode(g store.Game, side string) bool {
	return slices.ContainsFunc(g.Players, func(p store.Player) bool { return p.Side == side && seal.IsCode(p.Key) })
}

// sameLetters compares codes without regard to blanks and hyphens.
func sameLetters(code, want string) bool {
	plain := strings.NewReplacer(" ", "", "-", "")
	return subtle.ConstantTimeCompare([]byte(plain.Replace(strings.ToUpper(code))), []byte(plain.Replace(want))) == 1
}

// byCode gives a sheet its effect that a code vouches for.
func (l *incoming) byCode(s seal.Sealed, head *orders.Sheet, code string) (store.Change, error) {
	seat := store.Seat{Game: head.Header("GAME"), Side: head.Header("SIDE")}
	key := seal.CodeKey(seat.Game, seat.Side)
	if !l.seat(seat) || store.KeyID(l.player.Key) != key.ID() {
		l.game, l.player = store.Game{}, store.Player{}
		game, player, known, _ := l.h.ByAddress(l.msg.From)
		if !known {
			return l.outcome("not accepted: a code for a seat that has none"), nil
		}
		if seal.IsCode(player.Key) {
			l.game, l.player = game, player
			return l.onlyToSender(l.outcome("not accepted: a code for another seat"), l.notTheirSeat(seat)), nil
		}
		return l.unsigned(fmt.Errorf("%w: a code for a seat that has none", mailbox.ErrNoOrders))
	}
	want, label, err := l.h.codeNow(seat)
	switch {
	case errors.Is(err, errNotBegun):
		return l.onlyToSender(l.outcome("not accepted: a code before the game has begun"), report.Note{About: "NOT FILED: the game has not started", Says: []string{
			"The game has not started yet, so there are no orders to give. Nothing was filed. Your first report tells you when it begins, and brings your code."}}), nil
	case err != nil:
		return l.unreadable("the phase that a code is for", err)
	}
	tries, _, err := TriesRecords.Get(l.h.DB, TriesKey{seat, label})
	if err := l.unread(err); err != nil {
		return store.Change{}, err
	}
	if tries >= CodeTries {
		return l.onlyToSender(l.outcome("not accepted: too many wrong codes in this phase"), report.Note{About: "NOT FILED: too many wrong codes", Says: []string{
			fmt.Sprintf("There have been %d wrong codes for your side in this phase, so no code is taken before the next phase. Nothing was filed, and what you filed before stays as it is.", CodeTries),
			"Please write to the moderator, who can file your orders for you."}}), nil
	}
	if !sameLetters(code, want) {
		c := l.outcome("not accepted: a wrong code")
		TriesRecords.Put(&c, TriesKey{seat, label}, tries+1)
		return l.onlyToSender(c, l.wrongCode(head, CodeTries-tries-1)), nil
	}
	pin, err := l.provider(seat)
	var unvouched *post.Refusal
	switch {
	case errors.As(err, &unvouched):
		c := l.outcome("not accepted: a code, and " + unvouched.Why)
		c.Mails = l.refused(unvouched)
		return c, nil
	case err != nil:
		return store.Change{}, err
	}
	l.vouched = true
	if emptyHead(head) && l.emptySheet(s.Text) {
		c := l.outcome("the empty sheet came back")
		c.Mails = l.tell(report.Note{About: "NOT FILED: this is the empty sheet", Says: []string{emptySheetBack, l.stillFiled()}})
		return c, nil
	}
	missing := l.missingLines(seat, head)
	if beginsLetter(head) {
		return l.letterByCode(orders.Canonical(withoutCode(orders.HeadLines(s.Text), missing)), key, seat)
	}
	kept := orders.Canonical(withoutCode(s.Text, missing))
	l.key, l.digest, l.typed = key, orders.Digest(kept), withoutCode(s.Typed, missing)
	c, err := l.signed(kept, []store.Seat{seat})
	if len(c.Sheets) > 0 && pin != nil {
		ProviderRecords.Put(&c, seat, *pin)
	}
	return c, err
}

// onlyToSender answers a sheet with a code where it is the player of the seat who wrote, as
// far as their address says, and not a machine or the junk folder.
func (l *incoming) onlyToSender(c store.Change, n report.Note) store.Change {
	theirs := seats.HasAddress(l.player, l.msg.From) || seats.WrittenFrom(l.player, l.msg.From) > 0
	if theirs && !l.staysSilent() {
		c.Mails = l.tell(n)
	}
	return c
}

// notTheirSeat says of a sheet with a code that it names a seat of somebody else's, or none.
func (l *incoming) notTheirSeat(named store.Seat) report.Note {
	return report.Note{About: "NOT FILED: the sheet names another seat",
		Says: []string{fmt.Sprintf("The sheet names game %q and side %q, and you do not play that. Nothing was filed. %s", named.Game, named.Side, l.stillFiled()),
			"Please begin it with these lines:"},
		Block: fmt.Sprintf("      GAME: %s\n      SIDE: %s\n", l.game.ID, l.player.Side)}
}

// wrongCode says which code it is, if it is an older one, and how many tries are left.
func (l *incoming) wrongCode(head *orders.Sheet, left int) report.Note {
	now, of := l.reportsWith(head.Header("CODE"))
	if n, late := l.lateByCode(head, now, of); late {
		n.Says = append(n.Says, fmt.Sprintf("Cannot find report %d? Write REPORT %d on the first line of a mail, and we send it again. You have %s before the moderator has to help.", now, now, moreTries(left)))
		return n
	}
	why := "The CODE in your sheet is not from your latest report."
	again := "Please take the line CODE from your latest report."
	switch {
	case of > 0 && of < now:
		why = fmt.Sprintf("The CODE in your sheet is from report %d. Your latest report is number %d; use its code.", of, now)
		fallthrough
	case now > 0:
		again = fmt.Sprintf("Cannot find report %d? Write REPORT %d on the first line of a mail, and we send it again.", now, now)
	}
	return report.Note{About: "NOT FILED: the code is not right", Says: []string{why,
		"Nothing was filed. " + l.stillFiled() + " " + fmt.Sprintf("You have %s before the moderator has to help. ", moreTries(left)) + again}}
}

// lateByCode answers a sheet with the code of an older report, if the turn that it was for
// has been played: that is what its writer wants to know first.
func (l *incoming) lateByCode(head *orders.Sheet, now, of int) (n report.Note, late bool) {
	turn, err := head.Number("TURN")
	played, known := l.played(turn)
	switch {
	case err != nil, !known, of == 0, of >= now:
		return n, false
	}
	at, why := l.playedInWords(played)
	return report.Note{About: fmt.Sprintf("PLAYED at %s: your sheet came too late", at), Says: []string{why,
		fmt.Sprintf("Nothing was filed. The CODE in your sheet is from report %d. Your next orders need the one from report %d.", of, now)}}, true
}

// reportsWith is how many reports the player has had, and which of the last of them has the
// code; 0 for none.
func (l *incoming) reportsWith(code string) (latest, with int) {
	mails, err := l.h.DB.Mails(l.game.ID)
	if err != nil {
		return 0, 0
	}
	mails = slices.DeleteFunc(mails, func(m store.Mail) bool { return !post.ReportTo(m, l.player.Side, l.player.Commander) })
	for i := len(mails) - 1; i >= max(0, len(mails)-reportsSearched); i-- {
		raw, _, err := l.h.DB.KeptMail(mails[i].SHA256)
		if err != nil {
			continue
		}
		m, err := mailbox.Read(raw)
		if err != nil || len(m.Texts) == 0 {
			continue
		}
		if found := codeWords.FindStringSubmatch(m.Texts[0].AsSent); found != nil && sameLetters(code, found[1]) {
			return len(mails), i + 1
		}
	}
	return len(mails), 0
}

// reportsSearched is in how many of the latest reports an old code is looked for.
const reportsSearched = 30

var codeWords = regexp.MustCompile(`CODE:\s+([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})`)

// missingLines are the lines of the head that a sheet by code leaves to us.
func (l *incoming) missingLines(seat store.Seat, head *orders.Sheet) string {
	var lines []string
	m, err := l.h.Load(seat.Game)
	if err != nil || m.Latest == nil {
		return ""
	}
	at, err := m.At()
	if err != nil {
		return ""
	}
	if head.Header("TURN") == "" {
		lines = append(lines, fmt.Sprintf("TURN: %d", m.NextTurn(at, seat.Side)))
	}
	if head.Header("SERIAL") == "" {
		lines = append(lines, fmt.Sprintf("SERIAL: %d", l.player.Serial+1))
	}
	return strings.Join(lines, " ")
}

// withoutCode is a sheet without its line CODE: the code is a secret, and is not kept. What
// is missing in the head stands in its place.
func withoutCode(text, missing string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(strings.ToUpper(line), "CODE:") {
			kept.WriteString(line)
			continue
		}
		var words []string
		secret := false
		for _, w := range strings.Fields(line) {
			upper := strings.ToUpper(w)
			switch {
			case strings.HasPrefix(upper, "CODE:"):
				secret = true
				continue
			case strings.Contains(w, ":"), orders.IsDone(upper), slices.Contains(orders.Commands, upper):
				secret = false
			}
			if !secret {
				words = append(words, w)
			}
		}
		if missing != "" {
			words, missing = append(strings.Fields(missing), words...), ""
		}
		if len(words) > 0 {
			kept.WriteString(strings.Join(words, " ") + "\n")
		}
	}
	return kept.String()
}

// vouching is who vouched for the mail of a player who plays by codes: from then on
// a code counts only in mail that the same domain vouches for, as long as the
// player's address is that one. A code that somebody has read is not enough then.
type vouching struct {
	Address string `json:"address"` // the enrolled one
	Domain  string `json:"domain"`  // of the mail's sender, and of the DKIM signature
}

// ProviderRecords are who vouched for players who play by codes.
var ProviderRecords = store.OnePerSeat[vouching]("code-provider")

// provider looks whether the mail comes from where the seat's mail came from
// before; a Refusal says that it does not. Pin is what is to be kept when the mail
// counts, nil for nothing new.
func (l *incoming) provider(seat store.Seat) (pin *vouching, err error) {
	unvouched := func(why string) error {
		return &post.Refusal{Kind: report.WrongSignature, Why: why, Instead: "Send it from the address that you enrolled. If your provider has changed, write to the moderator."}
	}
	domain := strings.ToLower(post.DomainOf(l.msg.From))
	known, _, err := ProviderRecords.Get(l.h.DB, seat)
	if err != nil {
		return nil, cmp.Or[error](l.unread(err), unvouched("it cannot be looked up who vouches for your mail"))
	}
	if known.Address != l.player.Address {
		known = vouching{}
	}
	vouched := mailbox.Vouched(l.raw.Bytes, l.msg, l.h.lookupTXT())
	switch {
	case errors.Is(vouched, mailbox.ErrNotSaid) && (known.Domain == "" || known.Domain == domain):
		return nil, nil // nobody can say whether the provider vouches: the code does, as it did before
	case known.Domain == "" && vouched == nil:
		pin = &vouching{l.player.Address, domain}
	case known.Domain != "" && (vouched != nil || known.Domain != domain):
		return nil, unvouched(fmt.Sprintf("the mail with your code does not come from where your mail came from before: %s does not vouch for it", known.Domain))
	}
	return pin, nil
}
