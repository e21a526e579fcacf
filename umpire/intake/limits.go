package intake

import (
	"encoding/json"
	"fmt"
	"time"

	"fieldpost/report"
	"fieldpost/store"
)

// How many answers go out in a day (UTC) to mail that changes nothing: to one
// player, in one game, in all. Whoever lets two robots write to each other
// notices here at the latest. The answer to a sheet that counts always goes out.
const (
	AnswersPerPlayer = 30
	answersPerGame   = 200
	answersPerDay    = 2000
)

// answered counts the answers of a day.
type answered struct {
	Day string         `json:"day"`
	All int            `json:"all"`
	By  map[string]int `json:"by"` // by game, and by game and side
}

const AnsweredNote = "answers"

func (hd *Handler) answered() (a answered, err error) {
	err = hd.ReadNote(AnsweredNote, &a)
	if today := hd.Now().UTC().Format(time.DateOnly); a.Day != today {
		a = answered{Day: today}
	}
	if a.By == nil {
		a.By = map[string]int{}
	}
	return a, err
}

// limit counts the answers to a mail that changed nothing, and takes them out of
// the Change when there were too many. The last one says so.
func (l *incoming) limit(c *store.Change) error {
	if c.Game != nil || len(c.Mails) == 0 || l.player.Side == "" {
		return nil
	}
	a, err := l.h.answered()
	if err != nil {
		return l.unread(err)
	}
	seat := l.game.ID + " " + l.player.Side
	switch {
	case a.By[seat] > AnswersPerPlayer || a.By[l.game.ID] > answersPerGame || a.All > answersPerDay:
		l.h.Log.Warn("not answered: too many mails today", "game", l.game.ID, "side", l.player.Side, "outcome", c.Handled.Outcome)
		c.Mails = nil
		c.Handled.Outcome += "; not answered, there were too many today"
		return nil
	case a.By[seat] == AnswersPerPlayer:
		c.Mails = l.answer(report.Notice, fmt.Sprintf("this is the last answer for today: there were %d already", AnswersPerPlayer),
			"Sheets of orders count and are acknowledged as ever; other mails are not answered before midnight UTC.")
	}
	a.All++
	a.By[seat]++
	a.By[l.game.ID]++
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[AnsweredNote] = text
	return nil
}
