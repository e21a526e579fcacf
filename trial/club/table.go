package club

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/demo/world"
	"fieldpost/orders/seal"
	"fieldpost/staff"
	"fieldpost/store"
)

// table is a game with the trial's own books on it.
type table struct {
	id    string
	game  adjudicator.Game
	seats map[string]*seat
	grace time.Duration
	zone  *time.Location
	term  string
	late  string
	hours int // see rhythms

	store.OpenPhase              // as it was at the last look
	waiting         []string     // sides
	phases          uint64       // complete then
	status          store.Status // then
	players         []store.Player
}

// seat is a player: a staff officer with habits.
type seat struct {
	world.Player
	absent int  // percent of turns without orders
	gone   bool // sends nothing any more, until they are replaced
	away   []store.Span
	done   int // the turn of the last finished sheet
}

// The habits of games, one after the other: two in a hurry, as in a tournament,
// four with the week or so that a club gives its players for a turn. Within so
// many hours most players send their orders.
var rhythms = []struct {
	zone, deadline, days, late, grace, bank string
	hours                                   int
}{
	{"Europe/Berlin", "2d 20:00", "all", "standing", "0h", "0h", 34},
	{"America/New_York", "36h", "all", "hold", "6h", "0h", 34},
	{"Australia/Sydney", "5d 09:00", "mon-fri", "wait", "12h", "48h", 120},
	{"Europe/Prague", "6d", "mon,tue,wed,thu,fri,sat", "standing", "3h", "24h", 140},
	{"Asia/Kolkata", "168h", "all", "hold", "0h", "0h", 150},
	{"America/St_Johns", "7d 02:30", "all", "standing", "1h", "0h", 150},
}

// open begins a game and plans the next.
func (c *year) open() error {
	scenario := c.Small
	if c.Full != "" && c.tally.Games%20 == 19 {
		scenario = c.Full
	}
	r := rhythms[c.tally.Games%len(rhythms)]
	c.tally.Games++
	begun, err := c.ask(Request{Verb: "begin", Scenario: scenario, Options: map[string]string{"deadline": r.deadline, "zone": r.zone, "days": r.days, "late": r.late, "grace": r.grace, "bank": r.bank, "remind": "12h"}})
	if err != nil {
		return err
	}
	g := begun.Game
	t := &table{id: g.ID, seats: map[string]*seat{}, term: r.deadline, late: r.late, hours: r.hours}
	if t.game, _, err = c.Library.Game(scenario); err != nil {
		return err
	}
	if t.zone, err = time.LoadLocation(r.zone); err != nil {
		return err
	}
	if t.grace, err = time.ParseDuration(r.grace); err != nil {
		return err
	}
	c.tables[g.ID] = t
	for n, side := range g.Sides {
		s := &seat{Player: world.Player{Game: g.ID, Side: side}, absent: []int{2, 10, 35}[c.random.IntN(3)]}
		if err := c.fill(s, n); err != nil {
			return err
		}
		if _, err := c.ask(Request{Verb: "seat", Game: g.ID, Side: side, Address: s.Address, Key: s.Key.Public().String()}); err != nil {
			return err
		}
		t.seats[side] = s
	}
	return c.refresh(t)
}

// fill makes a person of a seat: an address and a key.
func (c *year) fill(s *seat, n int) (err error) {
	s.Address = fmt.Sprintf("p%d.%d@club.test", c.tally.Games*10+n, c.tally.Replaced)
	s.Key, err = seal.GenerateKey(c.keys)
	s.gone = false // a vacation that was announced stays the seat's
	return err
}

// refresh looks at a game after something happened to it. Players think anew when
// it waits for something new.
func (c *year) refresh(t *table) error {
	r, err := c.ask(Request{Verb: "look", Game: t.id})
	if err != nil {
		return err
	}
	g, open := r.Game, r.Open
	c.tally.Mails += r.Mails
	c.tally.Reminders += r.Reminders
	t.status, t.players = g.Status, g.Players
	if g.Status == store.StatusFinished {
		c.tally.Finished++
		t.phases = g.Phases
		delete(c.tables, t.id)
		c.at(c.now.Add(c.hours(1, 48)), c.open)
		return nil
	}
	if open == nil {
		t.waiting, t.phases = nil, g.Phases
		return nil
	}
	changed := g.Phases != t.phases || !open.Since.Equal(t.Since)
	t.OpenPhase, t.phases = *open, g.Phases
	if !changed {
		return nil
	}
	var pending []adjudicator.Decision
	if err := json.Unmarshal(open.Pending, &pending); err != nil {
		return err
	}
	t.waiting = nil
	for _, d := range pending {
		if !slices.Contains(t.waiting, string(d.Side)) {
			t.waiting = append(t.waiting, string(d.Side))
		}
	}
	c.reckon(t)
	for _, side := range t.waiting {
		if s := t.seats[side]; s != nil {
			c.think(t, s)
		}
	}
	return nil
}

// reckon holds a fresh deadline against the trial's own idea of it, where nobody
// is away: hours are hours; days are counted by the calendar of the zone.
func (c *year) reckon(t *table) {
	for _, side := range t.waiting {
		if len(t.seats[side].away) > 0 {
			return
		}
	}
	var want time.Time
	switch {
	case strings.HasSuffix(t.term, "h"):
		d, _ := time.ParseDuration(t.term)
		want = t.Since.Add(d)
	default:
		var days, hour, minute int
		local := t.Since.In(t.zone)
		hour, minute = local.Hour(), local.Minute()
		if n, _ := fmt.Sscanf(t.term, "%dd %d:%d", &days, &hour, &minute); n == 0 || !slices.Contains([]string{"2d 20:00", "7d 02:30"}, t.term) {
			return // working days are the calendar's own tests
		}
		want = time.Date(local.Year(), local.Month(), local.Day()+days, hour, minute, 0, 0, t.zone)
		if want.In(t.zone).Hour() != hour {
			return // that minute does not exist on the day the clocks change
		}
	}
	if !t.Deadline.Equal(want) {
		c.fault(&c.tally.Unexpected, "game %s: waiting since %s with %s the deadline is %s, not %s", t.id, t.Since.In(t.zone), t.term, t.Deadline.In(t.zone), want.In(t.zone))
	}
}

// think plans when a player acts on what the game waits for, and makes sure that
// the deadline is looked at when it has passed.
func (c *year) think(t *table, s *seat) {
	phases, since := t.phases, t.Since
	mine := func() bool {
		return c.tables[t.id] == t && t.phases == phases && t.Since.Equal(since) && slices.Contains(t.waiting, s.Side)
	}
	act := func() error {
		if !mine() || s.gone {
			return nil
		}
		return c.orders(t, s)
	}
	begin := c.now
	for _, a := range s.away {
		if !c.now.Before(a.From) && c.now.Before(a.To) {
			begin = a.To // they said so
		}
	}
	switch {
	case s.gone:
		c.tally.Absent++
	case c.chance(s.absent):
		c.tally.Absent++
		if c.chance(10) {
			s.gone = true
		}
		c.at(begin.Add(c.hours(4*t.hours, 8*t.hours)), act) // much too late, unless the game waits
	case c.chance(3):
		c.at(begin.Add(c.hours(1, 8)), func() error {
			if !mine() || s.gone {
				return nil
			}
			return c.vacation(t, s)
		})
		c.at(begin.Add(c.hours(12, t.hours)), act)
	default:
		c.at(begin.Add(c.hours(1, t.hours)), act)
	}
}

// orders files the sheet of a staff officer for what their last report shows.
func (c *year) orders(t *table, s *seat) error {
	if t.status != store.StatusRunning {
		c.at(c.now.Add(c.hours(12, 36)), func() error {
			if c.tables[t.id] != t || !slices.Contains(t.waiting, s.Side) || s.gone {
				return nil
			}
			return c.orders(t, s)
		})
		return nil
	}
	v, err := c.lastView(t, s)
	if err != nil {
		return err
	}
	if accepted, err := c.sheetFor(t, s, v); err != nil || !accepted {
		return err
	}
	s.done = v.Turn
	c.tally.Sheets++
	before := *t
	if err := c.refresh(t); err != nil {
		return err
	}
	if t.phases > before.phases && c.now.Before(before.Deadline) {
		for _, side := range before.waiting { // it may go on only if all are done
			if t.seats[side].done < before.Turn {
				c.fault(&c.tally.Early, "game %s went on at the sheet of %s without %s before the deadline", t.id, s.Side, side)
			}
		}
	}
	return nil
}

// sheetFor has a staff officer write the sheet, and files it. Whoever took over a seat may write, after
// the game was set back, the very sheet that the one before them had filed: the answer says to
// raise its SERIAL, and they do.
func (c *year) sheetFor(t *table, s *seat, v *view.View) (bool, error) {
	for serial := t.serial(s.Side) + 1; ; serial++ {
		text, err := staff.Officer{Game: t.game}.Sheet(v, serial)
		if err != nil {
			return false, err
		}
		accepted, err := c.file(t, s, text, serial)
		if !errors.Is(err, errVerySheet) {
			return accepted, err
		}
	}
}

// errVerySheet says that a sheet with these words and this serial was filed before.
var errVerySheet = errors.New("this sheet is filed already")

// file signs and mails a sheet, and tells whether it was accepted.
func (c *year) file(t *table, s *seat, text string, serial int) (bool, error) {
	if err := c.post(s.Address, s.Sign(text)); err != nil {
		return false, err
	}
	r, err := c.ask(Request{Verb: "look", Game: t.id, Address: s.Address})
	if err != nil {
		return false, err
	}
	c.tally.Mails += r.Mails
	c.tally.Reminders += r.Reminders
	t.players = r.Game.Players
	if t.serial(s.Side) != serial && strings.Contains(r.Answer, "This sheet is filed already") {
		return false, errVerySheet
	}
	if t.serial(s.Side) != serial {
		c.fault(&c.tally.Unexpected, "game %s: sheet %d of %s was not accepted (the game is %s); the answer:\n%s", t.id, serial, s.Side, r.Game.Status, r.Answer)
		return false, nil
	}
	return true, nil
}

// serial is the highest that was accepted of a side.
func (t *table) serial(side string) int {
	for _, p := range t.players {
		if p.Side == side {
			return p.Serial
		}
	}
	return 0
}

// vacation says that the player will be away, from the day after tomorrow.
func (c *year) vacation(t *table, s *seat) error {
	if t.status != store.StatusRunning {
		return nil
	}
	from := c.now.In(t.zone).AddDate(0, 0, 2)
	to := from.AddDate(0, 0, 3+c.random.IntN(15))
	serial := t.serial(s.Side) + 1
	text := fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nAWAY: %s TO %s\n", t.id, s.Side, t.Turn, serial, from.Format(time.DateOnly), to.Format(time.DateOnly))
	if accepted, err := c.file(t, s, text, serial); err != nil || !accepted {
		return err
	}
	day := func(d time.Time, more int) time.Time {
		return time.Date(d.Year(), d.Month(), d.Day()+more, 0, 0, 0, 0, t.zone)
	}
	s.away = append(s.away, store.Span{From: day(from, 0), To: day(to, 1)})
	c.tally.Away++
	return c.refresh(t)
}

// lastView is the position as the player's last report tells it.
func (c *year) lastView(t *table, s *seat) (*view.View, error) {
	r, err := c.ask(Request{Verb: "report", Game: t.id, Side: s.Side})
	if err != nil {
		return nil, err
	}
	v, err := world.ReadView(r.Raw)
	if err == nil && v == nil {
		err = fmt.Errorf("game %s: the last report of %s has no view", t.id, s.Side)
	}
	return v, err
}
