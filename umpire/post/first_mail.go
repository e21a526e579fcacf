package post

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"fieldpost/store"
)

// Somebody can have us write to an address that never wrote to us: by an invitation, or
// by the code that confirms an address. How many such mails go out in a day (UTC) is bounded:
// to one address, at the wish of one seat, and in all (Office.FirstMails).
const (
	firstMailsToOne  = 3
	firstMailsBySeat = 5
)

// ErrFirstMails says that the bound of a day is reached.
var ErrFirstMails = errors.New("no more mail goes to new addresses today")

// firstMails counts them for a day.
type firstMails struct {
	Day string         `json:"day"`
	All int            `json:"all"` // to addresses that never wrote to us
	By  map[string]int `json:"by"`  // by seat, and by address under a key of the daemon's
}

const firstMailsNote = "first-mails"

func firstMailsOf(text []byte, today string) (f firstMails, err error) {
	if len(text) > 0 {
		err = json.Unmarshal(text, &f)
	}
	if f.Day != today {
		f = firstMails{Day: today}
	}
	if f.By == nil {
		f.By = map[string]int{}
	}
	return f, err
}

// FirstMail is a mail to an address that perhaps never wrote to us.
type FirstMail struct {
	To string
	// Seat is whose player asks for it; the zero Seat is a moderator.
	Seat store.Seat
}

// CountFirst counts such a mail in a Change, or says why it does not go today. Addresses
// of seats have answered us: what moderators want to write to them is not counted.
func (o *Office) CountFirst(c *store.Change, m FirstMail) error {
	seatsThere, err := o.DB.SeatsAt(m.To)
	if err := o.Readable(err); err != nil {
		return err
	}
	known, byModerator := len(seatsThere) > 0, m.Seat == store.Seat{}
	if known && byModerator {
		return nil
	}
	text, counted := c.Notes[firstMailsNote]
	if !counted {
		if text, err = o.DB.Note(firstMailsNote); err != nil {
			return err
		}
	}
	f, err := firstMailsOf(text, o.Now().UTC().Format(time.DateOnly))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, o.Key.Secret("first mails"))
	mac.Write([]byte(strings.ToLower(m.To)))
	address, seat := "to "+hex.EncodeToString(mac.Sum(nil)[:12]), "by "+m.Seat.Game+" "+m.Seat.Side
	switch {
	case f.By[address] >= firstMailsToOne:
		return fmt.Errorf("%w: %d went to this one; ask again after midnight UTC", ErrFirstMails, f.By[address])
	case !byModerator && f.By[seat] >= firstMailsBySeat:
		return fmt.Errorf("%w: your side has asked for %d; ask again after midnight UTC", ErrFirstMails, f.By[seat])
	case !known && o.FirstMails > 0 && f.All >= o.FirstMails:
		o.Log.Warn("no more mail goes to new addresses today: the bound new_addresses_per_day is reached", "mails", f.All)
		return fmt.Errorf("%w: %d went out, as many as the configuration allows; ask again after midnight UTC", ErrFirstMails, f.All)
	}
	f.By[address]++
	if !byModerator {
		f.By[seat]++
	}
	if !known {
		f.All++
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[firstMailsNote], err = json.Marshal(f)
	return err
}

// FirstMailsToday is how many mails went today to addresses that never wrote to us.
func (o *Office) FirstMailsToday() (int, error) {
	text, err := o.DB.Note(firstMailsNote)
	if err != nil {
		return 0, err
	}
	f, err := firstMailsOf(text, o.Now().UTC().Format(time.DateOnly))
	return f.All, err
}
