package intake

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
)

// purpose is what a signed sheet is for: sheets of one purpose in one mail may be meant to
// replace each other, those of different ones stand side by side.
type purpose struct {
	key, game, side string
	join, moderates bool
}

// apart sorts the signed sheets of a mail by what they are for, in the order they stand.
func apart(sheets []seal.Sealed) (kinds [][]seal.Sealed) {
	var seen []purpose
	for _, s := range sheets {
		head, _ := orders.Parse(s.Text, orders.Vocabulary{})
		if i := slices.IndexFunc(kinds, func(k []seal.Sealed) bool { return k[0].Text == s.Text }); i >= 0 {
			kinds[i] = append(kinds[i], s) // one text by two keys: nobody can tell who speaks
			continue
		}
		p := purpose{s.Key.ID(), strings.ToUpper(head.Header("GAME")), strings.ToUpper(head.Header("SIDE")), isJoin(s.Text), isModeration(s.Text)}
		if i := slices.Index(seen, p); i >= 0 {
			kinds[i] = append(kinds[i], s)
			continue
		}
		seen, kinds = append(seen, p), append(kinds, []seal.Sealed{s})
	}
	return kinds
}

// mostApart is how many purposes the signed sheets of one mail may have.
const mostApart = 12

// several gives signed sheets that are for different purposes their effect one after the
// other, as if each had come in a mail of its own: each has its answer. What changes a game
// is committed at once, and known again if the mail must be handed in a second time; the
// mail is handled with the last of them.
func (l *incoming) several(kinds [][]seal.Sealed) (store.Change, error) {
	if len(kinds) > mostApart {
		return l.unsigned(fmt.Errorf("%w: for %d games, sides and keys; at most %d in one mail are read", mailbox.ErrSeveral, len(kinds), mostApart))
	}
	all := l.outcome("")
	var outcomes []string
	for i, sheets := range kinds {
		one := &incoming{h: l.h, raw: l.raw, sha: l.sha, msg: l.msg, part: i + 1}
		c, err := one.committed(sheets)
		if err != nil {
			return store.Change{}, err
		}
		outcomes = append(outcomes, c.Handled.Outcome)
		if c.Game == nil {
			all.Mails = append(all.Mails, c.Mails...)
			all.WithRecords(c)
		}
	}
	all.Handled.Outcome = fmt.Sprintf("%d sheets: %s", len(kinds), strings.Join(outcomes, "; "))
	return all, nil
}

// committed is what sheets of one purpose come to. What changes a game is committed.
func (l *incoming) committed(sheets []seal.Sealed) (c store.Change, err error) {
	if c, err = l.one(sheets); err != nil {
		return c, err
	}
	if err = l.limit(&c); err != nil || c.Game == nil {
		return c, err
	}
	kept := c
	kept.Handled = nil
	return c, l.h.Commit(kept)
}

// unfiled chooses among sheets of one purpose: the only one that was not filed before and
// does not stand in quoted lines, as when somebody answers a mail of their own. Where all
// were filed, it is the one with the highest number; only is false where more than one may
// be meant.
func (l *incoming) unfiled(sheets []seal.Sealed) (best seal.Sealed, only bool, err error) {
	fresh := slices.Clone(sheets)
	if len(sheets) > 1 {
		head, _ := orders.Parse(sheets[0].Text, orders.Vocabulary{})
		filed, err := l.h.DB.AllSheets(strings.ToUpper(head.Header("GAME")))
		if err := l.unread(err); err != nil {
			return best, false, err
		}
		fresh = slices.DeleteFunc(fresh, func(s seal.Sealed) bool {
			return slices.ContainsFunc(filed, func(f store.Sheet) bool { return f.Digest == s.Digest() && f.Source != l.sha })
		})
	}
	if len(fresh) > 1 {
		quoted := func(s seal.Sealed) bool {
			return !slices.ContainsFunc(l.unquoted(), func(own seal.Sealed) bool { return own.Same(s) })
		}
		if own := slices.DeleteFunc(slices.Clone(fresh), quoted); len(own) > 0 {
			fresh = own
		}
	}
	if len(fresh) > 0 {
		return fresh[0], len(fresh) == 1, nil
	}
	return slices.MaxFunc(sheets, func(a, b seal.Sealed) int { return serialOf(a) - serialOf(b) }), true, nil
}

// unquoted are the signed blocks of the mail that do not stand in quoted lines.
func (l *incoming) unquoted() (own []seal.Sealed) {
	for _, p := range l.msg.Texts {
		var kept strings.Builder
		for line := range strings.Lines(p.AsSent) {
			if !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
				kept.WriteString(line)
			}
		}
		found, _ := seal.Open(kept.String()) // what is wrong with others was said before
		own = append(own, found...)
	}
	return own
}

// serialOf is the number of a sheet, 0 if it has none.
func serialOf(s seal.Sealed) int {
	head, _ := orders.Parse(s.Text, orders.Vocabulary{})
	n, _ := head.Number("SERIAL")
	return n
}

// undecided refuses sheets for one game and side of which nobody can tell which one counts.
func (l *incoming) undecided(sheets []seal.Sealed, held []store.Seat) (store.Change, error) {
	head, _ := orders.Parse(sheets[0].Text, orders.Vocabulary{})
	seat, plays := seatFor(held, strings.ToUpper(head.Header("GAME")), strings.ToUpper(head.Header("SIDE")))
	if !plays {
		seat = held[0]
	}
	l.seat(seat)
	c := l.outcome("refused: several sheets for one game in a mail")
	c.Mails = l.tell(report.Note{About: "NOT FILED: more than one sheet for the game", Says: []string{
		l.twoSheets(sheets) + ", and we cannot tell which one is to count. None of them was filed. " + l.stillFiled(),
		"Please send only the one that is to count."}})
	return c, nil
}

// twoSheets says that a mail holds several sheets for one purpose, with their numbers.
func (l *incoming) twoSheets(sheets []seal.Sealed) string {
	var numbers []string
	for _, s := range sheets {
		numbers = append(numbers, fmt.Sprint(serialOf(s)))
	}
	numbers = slices.Compact(numbers)
	return fmt.Sprintf("Your mail holds %d different signed sheets for game %s, with SERIAL %s", len(sheets), orders.Head(sheets[0].Text).Header("GAME"), strings.Join(numbers, " and "))
}

// one gives signed sheets for one purpose by one key their effect: of several that one
// counts which was not filed before.
func (l *incoming) one(sheets []seal.Sealed) (store.Change, error) {
	u := l.h
	if isJoin(sheets[0].Text) && len(sheets) == 1 {
		return l.join(sheets[0])
	}
	if isConfirmation(sheets[0].Text) && len(sheets) == 1 {
		return l.confirm(statementIn(sheets[0].Text))
	}
	if slices.ContainsFunc(sheets, func(s seal.Sealed) bool { return s.Key != sheets[0].Key }) {
		return l.unsigned(&mailbox.SeveralError{Sheets: sheets})
	}
	sealed, only, err := l.unfiled(sheets)
	if err != nil {
		return store.Change{}, err
	}
	l.key, l.digest, l.typed = sealed.Key, sealed.Digest(), sealed.Typed
	m, is := u.ModeratorWithKey(l.key)
	if isModeration(sealed.Text) && (is || !l.plays()) {
		if is && !only {
			c := l.outcome("refused: several acts for one game in a mail")
			c.Mails = l.toModerator(m, orders.Head(sealed.Text).Header("GAME"), "your acts are not carried out", l.twoSheets(sheets)+", and nothing was changed.", "Please send each act in a mail of its own.")
			return c, nil
		}
		return l.moderation(m, sealed.Text)
	}
	seats, err := u.DB.Seats(l.key.ID())
	if err != nil {
		return l.unreadable("the players' keys", err)
	}
	l.vouched = len(seats) > 0
	if !only && len(seats) > 0 {
		return l.undecided(sheets, seats)
	}
	switch {
	case len(seats) == 0 && is:
		return l.onlyModerates(m, orders.Head(sealed.Text).Header("GAME")), nil
	case len(seats) == 0:
		return l.unsigned(fmt.Errorf("%w: %s", errUnknownKey, l.key.Fingerprint()))
	}
	c, err := l.signed(sealed.Text, seats)
	if len(c.Sheets) > 0 {
		l.notLost(&c)
	}
	return c, err
}
