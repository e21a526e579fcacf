// Package door knows who is logged in at the page and who guesses passwords. It knows it from the
// store: a restart logs nobody out and forgives nobody, and several daemons count together.
package door

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"maps"
	"slices"
	"time"

	"fieldpost/store"
)

// How long a login lasts: in all, and without a request.
const (
	Longest = 8 * time.Hour
	Idle    = 30 * time.Minute
)

// MostVisits bounds the logins at one time.
const MostVisits = 100

// clickEvery is how exactly it is kept when a visitor last did something.
const clickEvery = time.Minute

// Visit is a moderator who is logged in.
type Visit struct {
	Name   string               `json:"name"`
	Token  string               `json:"token"` // that their forms carry
	Ends   time.Time            `json:"ends"`
	Last   time.Time            `json:"last"`
	Inside map[string]time.Time `json:"inside,omitempty"` // until when they may look inside games
}

// VisitRecords are the visits, by the hash of their cookies.
var VisitRecords = store.OnePerName[Visit]("visit", "COOKIE")

func (v Visit) over(now time.Time) bool { return now.After(v.Ends) || now.Sub(v.Last) > Idle }

// guesser counts the wrong passwords of one client in a row. Until Closed no other is tried; who is
// Known gave the right one of late.
type guesser struct {
	Failed int       `json:"failed,omitempty"`
	Closed time.Time `json:"closed,omitzero"`
	Tried  time.Time `json:"tried"`
	Known  bool      `json:"known,omitempty"`
}

// GuesserRecords are the clients that gave passwords of late, by the hash of where they come from.
var GuesserRecords = store.OnePerName[guesser]("guesser", "CLIENT")

// minute counts the passwords of all clients that are not known.
type minute struct {
	Began time.Time `json:"began"`
	Tried int       `json:"tried"`
}

// MinuteRecord is the minute.
var MinuteRecord = store.OneOfHouse[minute]("guesses")

const (
	// MostEachMinute is how many passwords of clients that never gave the right one are tried in a
	// minute.
	MostEachMinute = 30
	// freely is how many wrong passwords in a row close the door to nobody.
	freely = 4
	// rememberedFor is how long it is remembered who gave a wrong password, and knownFor who gave
	// the right one.
	rememberedFor = 24 * time.Hour
	knownFor      = 90 * 24 * time.Hour
)

// Door is the door of a page.
type Door struct {
	DB  store.Store
	Log *slog.Logger
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Visit is the visit with a cookie, nil if there is none. A click keeps it from ending.
func (d *Door) Visit(cookie string, now time.Time, click bool) *Visit {
	v, there, err := VisitRecords.Get(d.DB, hashed(cookie))
	if err != nil {
		d.Log.Error("who is logged in cannot be read", "error", err)
	}
	if err != nil || !there || v.over(now) {
		return nil
	}
	if click && now.Sub(v.Last) >= clickEvery {
		v.Last = now
		d.change("a visit", func(c *store.Change, db store.Store) error {
			is, there, err := VisitRecords.Get(db, hashed(cookie))
			if there && !is.over(now) {
				is.Last = now
				VisitRecords.Put(c, hashed(cookie), is)
			}
			return err
		})
	}
	return &v
}

// change has a Change reckoned and committed.
func (d *Door) change(of string, reckon func(c *store.Change, db store.Store) error) error {
	err := store.Anew(d.DB, func(db store.Store) error {
		var c store.Change
		if err := reckon(&c, db); err != nil || len(c.Notes) == 0 {
			return err
		}
		return db.Commit(c)
	})
	if err != nil {
		d.Log.Error("what is known at the door cannot be kept", "of", of, "error", err)
	}
	return err
}

// LetLook lets a visit look inside a game for a while.
func (d *Door) LetLook(cookie, game string, until time.Time) {
	d.change("a visit", func(c *store.Change, db store.Store) error {
		v, there, err := VisitRecords.Get(db, hashed(cookie))
		if there {
			inside := maps.Clone(v.Inside)
			if inside == nil {
				inside = map[string]time.Time{}
			}
			inside[game], v.Inside = until, inside
			VisitRecords.Put(c, hashed(cookie), v)
		}
		return err
	})
}

// Open lets somebody in and returns the cookie's value.
func (d *Door) Open(name, from string, now time.Time) (cookie string, err error) {
	cookie = rand.Text() + rand.Text()
	v := Visit{Name: name, Token: rand.Text(), Ends: now.Add(Longest), Last: now}
	err = d.change("a login", func(c *store.Change, db store.Store) error {
		all, err := VisitRecords.All(db)
		if err != nil {
			return err
		}
		byLast := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return all[a].Last.Compare(all[b].Last) })
		for i, key := range byLast {
			if tooMany := len(all)-i >= MostVisits; tooMany || all[key].over(now) {
				VisitRecords.Drop(c, key)
			}
		}
		VisitRecords.Put(c, hashed(cookie), v)
		GuesserRecords.Put(c, hashed(from), guesser{Tried: now, Known: true})
		return nil
	})
	return cookie, err
}

// Shut ends a visit.
func (d *Door) Shut(cookie string) {
	d.change("a visit", func(c *store.Change, _ store.Store) error {
		VisitRecords.Drop(c, hashed(cookie))
		return nil
	})
}

// Knock tells whether a password of a client may be tried now; else how long to wait. The try counts
// as a wrong one until Open: so it counts once, however many daemons are asked at the same time. From
// the fifth on the door stays closed to its client a while, doubling up to a quarter of an hour.
func (d *Door) Knock(from string, now time.Time) (wait time.Duration, err error) {
	err = d.change("a password", func(c *store.Change, db store.Store) error {
		wait = 0
		g, _, err := GuesserRecords.Get(db, hashed(from))
		if err != nil {
			return err
		}
		if g.Closed.After(now) {
			wait = g.Closed.Sub(now)
			return nil
		}
		if !g.Known {
			if wait, err = d.inMinute(c, db, now); err != nil || wait > 0 {
				return err
			}
		}
		g.Tried = now
		if g.Failed++; g.Failed > freely {
			g.Closed = now.Add(min(15*time.Minute, time.Second<<min(g.Failed-freely-1, 10)))
		}
		GuesserRecords.Put(c, hashed(from), g)
		return nil
	})
	return wait, err
}

// inMinute counts a try of a client that is not known. With each minute those are forgotten who have
// not knocked for long.
func (d *Door) inMinute(c *store.Change, db store.Store, now time.Time) (wait time.Duration, err error) {
	m, _, err := MinuteRecord.Get(db, store.House{})
	if err != nil {
		return 0, err
	}
	if now.Sub(m.Began).Abs() >= time.Minute {
		m = minute{Began: now}
		if err := d.forget(c, now); err != nil {
			return 0, err
		}
	}
	if m.Tried++; m.Tried > MostEachMinute {
		return m.Began.Add(time.Minute).Sub(now), nil
	}
	MinuteRecord.Put(c, store.House{}, m)
	return 0, nil
}

// forget drops clients who have not knocked for long. It need not see what others write meanwhile:
// they write of those who knock now.
func (d *Door) forget(c *store.Change, now time.Time) error {
	all, err := GuesserRecords.All(d.DB)
	for key, g := range all {
		kept := rememberedFor
		if g.Known {
			kept = knownFor
		}
		if now.Sub(g.Tried) > kept {
			GuesserRecords.Drop(c, key)
		}
	}
	return err
}

// Unlock forgets all wrong passwords.
func (d *Door) Unlock() {
	d.change("wrong passwords", func(c *store.Change, db store.Store) error {
		all, err := GuesserRecords.All(db)
		for key, g := range all {
			if !g.Known {
				GuesserRecords.Drop(c, key)
			} else if g.Failed > 0 {
				GuesserRecords.Put(c, key, guesser{Tried: g.Tried, Known: true})
			}
		}
		MinuteRecord.Drop(c, store.House{})
		return err
	})
}
