package post

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
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

// FirstMailRecords are the count of a day.
var FirstMailRecords = store.OneOfHouse[firstMails]("first-mails")

// on is the count of a day, which is another one if the day is.
func (f firstMails) on(today string) firstMails {
	if f.Day != today {
		f = firstMails{Day: today}
	}
	if f.By == nil {
		f.By = map[string]int{}
	}
	return f
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
	f, _, err := FirstMailRecords.After(o.DB, c, store.House{})
	if err != nil {
		return err
	}
	f = f.on(o.Now().UTC().Format(time.DateOnly))
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
	FirstMailRecords.Put(c, store.House{}, f)
	return nil
}

// FirstMailsToday is how many mails went today to addresses that never wrote to us.
func (o *Office) FirstMailsToday() (int, error) {
	f, _, err := FirstMailRecords.Get(o.DB, store.House{})
	return f.on(o.Now().UTC().Format(time.DateOnly)).All, err
}
