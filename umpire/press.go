package umpire

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
)

// pressNote remembers a sheet that sent press, so that a repeat sends nothing.
func pressNote(game, digest string) string { return "press/" + game + "/" + digest }

// letterOf finds the letter that the sheet sends: in the text of the mail or in a
// file of it, between its markers, and under the digest that was signed.
func (l *letter) letterOf() (text, why string) {
	want := strings.ToLower(l.sheet.Header("PRESS-SHA256"))
	if want == "" {
		return "", "the sheet has a line PRESS and no line PRESS-SHA256"
	}
	var texts []string
	for _, p := range l.msg.Texts {
		texts = append(texts, p.Text, p.AsSent)
	}
	for _, a := range l.msg.Attachments {
		texts = append(texts, string(a.Data))
	}
	found := false
	for _, t := range texts {
		_, letters := orders.CutPress(t)
		for _, text := range letters {
			found = true
			if orders.PressDigest(text) != want {
				continue
			}
			if len(text) > orders.MaxPress {
				return "", fmt.Sprintf("the letter is longer than %d KiB", orders.MaxPress>>10)
			}
			return strings.Trim(orders.Fold(text), "\n"), ""
		}
	}
	if found {
		return "", "the letter in the mail is not the one that was signed"
	}
	return "", "there is no letter in the mail"
}

// relay passes a player's letter on to those whom its sheet names. The mails are
// for the others and for him; why is what is wrong with it.
func (l *letter) relay() (mails []store.Mail, why, instead string) {
	to := strings.ToUpper(l.sheet.Header("PRESS"))
	var readers []store.Player
	var named []string
	for _, p := range l.game.Players {
		if p.Side != l.player.Side && (to == "ALL" || p.Side == to) {
			readers, named = append(readers, p), append(named, p.Side)
		}
	}
	if len(readers) == 0 {
		return nil, fmt.Sprintf("nobody else plays %q here", to), "Write PRESS: ALL, or PRESS: and one of " + strings.Join(l.game.Sides, ", ") + "."
	}
	text, why := l.letterOf()
	if why != "" {
		return nil, why, "fieldpost press LETTER.txt --to " + to + " prints the two lines for the head of the sheet and the letter between its markers; put the letter below the signed block, or attach it."
	}
	for _, p := range readers {
		n := report.Note{Game: l.game.ID, Title: l.game.Title, About: fmt.Sprintf("a letter from %s", l.player.Side), Block: text,
			Says: []string{fmt.Sprintf("%s writes to %s. The adjudicator passes it on as it came; what it says is the player's own, and his signature is under it.", l.player.Side, strings.Join(named, " and "))}}
		d := draft{game: l.game, player: p, kind: "press", number: l.sha[:16], subject: n.Subject(), text: n.Text(), html: n.HTML()}
		m, err := l.u.post(d)
		if err != nil {
			return nil, "the letter cannot be sent: " + err.Error(), ""
		}
		mails = append(mails, m)
	}
	return append(mails, l.refusal(report.Notice, "your letter has been passed on to "+strings.Join(named, " and "))...), "", ""
}

// press deals with a sheet that does nothing but send a letter.
func (l *letter) press(outcome func(string) store.Change) store.Change {
	c := outcome("press of " + l.player.Side)
	if known, err := l.u.DB.Note(pressNote(l.game.ID, l.digest)); err != nil || known != nil {
		c.Mails = l.refusal(report.Stale, "this very letter has been passed on already", "To send it again, give the sheet another SERIAL.")
		return c
	}
	mails, why, instead := l.relay()
	if why != "" {
		c.Mails = l.refusal(report.Notice, "your letter is not passed on: "+why, instead)
		return c
	}
	c.Mails, c.Notes = mails, map[string][]byte{pressNote(l.game.ID, l.digest): []byte(l.sha)}
	return c
}

// withPress adds the letter that a sheet of orders sends along. What is wrong
// with it costs the orders nothing.
func (l *letter) withPress(c *store.Change) {
	if l.sheet.Header("PRESS") == "" {
		return
	}
	mails, why, instead := l.relay()
	if why != "" {
		mails = l.refusal(report.Notice, "your orders are filed, your letter is not passed on: "+why, instead)
	}
	// An answer has its Message-ID by kind and mail: that of the orders is another kind.
	c.Mails = slices.Concat(c.Mails, mails)
}
