// Package calendar finds deadlines: so many hours or days after a moment, counting
// working time only. It knows time zones and when their clocks change, working days
// and hours, holidays, and time that somebody is away. It is pure: it never asks what
// time it is.
package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a list of zones
)

// Term is how long somebody has. Hours are counted in working time; Days are
// working days, and the deadline is at a time of day.
type Term struct {
	Days  int
	At    int // minutes after midnight; -1: the time of day of the start
	Hours time.Duration
}

// Calendar says which time counts. The zero value is every hour of every day in UTC.
type Calendar struct {
	Zone     *time.Location // nil is UTC
	Rest     [7]bool        // days of the week that do not count, Sunday first
	From, To int            // working hours in minutes after midnight; both 0: the whole day
	Holidays []Day
	Away     []Span
}

// Day is a date without a time of day.
type Day struct {
	Year  int
	Month time.Month
	Day   int
}

// Span is time from one moment up to another.
type Span struct{ From, To time.Time }

// never bounds the search: nobody has more than this.
const never = 10 * 366

// ParseTerm reads "36h", "3d" and "3d 20:00".
func ParseTerm(text string) (Term, error) {
	bad := fmt.Errorf("%q is not a length of time: write 36h, 3d or 3d 20:00", text)
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 || len(words) > 2 {
		return Term{}, bad
	}
	number, unit := words[0][:len(words[0])-1], words[0][len(words[0])-1]
	n, err := strconv.Atoi(number)
	switch {
	case err != nil, n < 1, n > 1000:
		return Term{}, bad
	case unit == 'h' && len(words) == 1:
		return Term{At: -1, Hours: time.Duration(n) * time.Hour}, nil
	case unit != 'd':
		return Term{}, bad
	case len(words) == 1:
		return Term{Days: n, At: -1}, nil
	}
	at, ok := clock(words[1])
	if !ok {
		return Term{}, bad
	}
	return Term{Days: n, At: at}, nil
}

func (t Term) String() string {
	switch {
	case t.Hours > 0:
		return fmt.Sprintf("%dh", t.Hours/time.Hour)
	case t.At >= 0:
		return fmt.Sprintf("%dd %02d:%02d", t.Days, t.At/60, t.At%60)
	}
	return fmt.Sprintf("%dd", t.Days)
}

// clock reads "20:00", up to "24:00", as minutes after midnight.
func clock(text string) (int, bool) {
	h, m, ok := strings.Cut(text, ":")
	hours, err1 := strconv.Atoi(h)
	minutes, err2 := strconv.Atoi(m)
	switch {
	case !ok, err1 != nil, err2 != nil:
		return 0, false // not two numbers
	case hours < 0, minutes < 0, minutes > 59:
		return 0, false
	}
	if at := hours*60 + minutes; at <= 24*60 {
		return at, true
	}
	return 0, false
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// Parse reads a calendar: a zone such as "Europe/Prague", days such as "mon-fri"
// or "mon,wed,sat", hours such as "08:00-22:00", holidays such as "2026-12-24,
// 2026-12-31". Every text may be empty.
func Parse(zone, days, hours, holidays string) (c Calendar, err error) {
	if c.Zone, err = ParseZone(zone); err != nil {
		return c, err
	}
	if days != "" {
		if c.Rest, err = rest(days); err != nil {
			return c, err
		}
	}
	if hours != "" {
		from, to, _ := strings.Cut(hours, "-")
		var begins, ends bool
		c.From, begins = clock(strings.TrimSpace(from))
		c.To, ends = clock(strings.TrimSpace(to))
		if !begins || !ends || c.From >= c.To {
			return c, fmt.Errorf("we cannot read %q as working hours: write 08:00-22:00", hours)
		}
	}
	for _, text := range list(holidays) {
		d, err := ParseDay(text)
		if err != nil {
			return c, err
		}
		c.Holidays = append(c.Holidays, d)
	}
	return c, nil
}

// ParseZone finds a time zone by its name; "" is UTC.
func ParseZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, fmt.Errorf("%q is not a time zone: write a name such as Europe/Prague", name)
	}
	return zone, nil
}

// ParseDay reads a date as 2026-12-24.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return Day{}, fmt.Errorf("%q is not a day: write it as 2026-12-24", text)
	}
	return dayOf(t), nil
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", ", r) })
}

// rest reads the days that count, and returns those that do not.
func rest(days string) (off [7]bool, err error) {
	for i := range off {
		off[i] = true
	}
	day := func(s string) int { return slices.Index(weekdays, strings.ToLower(strings.TrimSpace(s))) }
	for _, part := range list(days) {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		a, b := day(from), day(to)
		if a < 0 || b < 0 {
			return off, fmt.Errorf("we cannot read %q as days: write mon-fri, or mon,wed,sat", days)
		}
		for i := a; ; i = (i + 1) % 7 {
			off[i] = false
			if i == b {
				break
			}
		}
	}
	return off, nil
}

func dayOf(t time.Time) Day {
	y, m, d := t.Date()
	return Day{y, m, d}
}

func (d Day) next() Day { return dayOf(time.Date(d.Year, d.Month, d.Day+1, 12, 0, 0, 0, time.UTC)) }

// at is the moment of that day so many minutes after midnight by the clock. Where
// the clock is put forward over it, it is the moment after the change.
func (d Day) at(minutes int, zone *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, minutes, 0, 0, zone)
}

func (c Calendar) zone() *time.Location {
	if c.Zone == nil {
		return time.UTC
	}
	return c.Zone
}

// works tells whether anything of the day counts, by week and holidays.
func (c Calendar) works(d Day) bool {
	week := time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, time.UTC).Weekday()
	return !c.Rest[week] && !slices.Contains(c.Holidays, d)
}

func (c Calendar) hours() (from, to int) {
	if c.From == 0 && c.To == 0 {
		return 0, 24 * 60
	}
	return c.From, c.To
}

// After is the deadline of somebody who has the term from start on. It is always
// a moment that counts, or the end of one.
func (c Calendar) After(start time.Time, t Term) time.Time {
	if t.Hours > 0 {
		return c.afterHours(start, t.Hours)
	}
	return c.afterDays(start, t)
}

// afterHours counts working time.
func (c Calendar) afterHours(start time.Time, left time.Duration) time.Time {
	zone := c.zone()
	from, to := c.hours()
	d := dayOf(start.In(zone))
	for range never {
		if c.works(d) {
			for _, s := range c.present(Span{d.at(from, zone), d.at(to, zone)}) {
				if s.From.Before(start) {
					s.From = start
				}
				if length := s.To.Sub(s.From); length >= left {
					return s.From.Add(left)
				} else if length > 0 {
					left -= length
				}
			}
		}
		d = d.next()
	}
	return d.at(to, zone)
}

// Between is how much of the time from one moment to another counts; 0 if none does.
func (c Calendar) Between(start, end time.Time) (counts time.Duration) {
	zone := c.zone()
	from, to := c.hours()
	for d := dayOf(start.In(zone)); d.at(0, zone).Before(end); d = d.next() {
		if !c.works(d) {
			continue
		}
		for _, s := range c.present(Span{d.at(from, zone), d.at(to, zone)}) {
			counts += max(0, earlier(s.To, end).Sub(later(s.From, start)))
		}
	}
	return counts
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// present is the parts of a span in which nobody is away, in order.
func (c Calendar) present(s Span) []Span {
	out := []Span{s}
	for _, a := range c.Away {
		var kept []Span
		for _, p := range out {
			overlap := a.From.Before(p.To) && p.From.Before(a.To)
			if !overlap {
				kept = append(kept, p)
				continue
			}
			if p.From.Before(a.From) {
				kept = append(kept, Span{p.From, a.From})
			}
			if a.To.Before(p.To) {
				kept = append(kept, Span{a.To, p.To})
			}
		}
		out = kept
	}
	return out
}

// afterDays counts working days: one counts if nobody is away at the hour of the
// deadline.
func (c Calendar) afterDays(start time.Time, t Term) time.Time {
	zone := c.zone()
	local := start.In(zone)
	from, to := c.hours()
	at := t.At
	if at < 0 {
		at = min(max(local.Hour()*60+local.Minute(), from), to)
	}
	d, left := dayOf(local), t.Days
	for range never {
		d = d.next()
		due := d.at(at, zone)
		if !c.works(d) || c.away(due) {
			continue
		}
		if left--; left == 0 {
			return due
		}
	}
	return d.at(at, zone)
}

func (c Calendar) away(t time.Time) bool {
	return slices.ContainsFunc(c.Away, func(s Span) bool { return !t.Before(s.From) && t.Before(s.To) })
}
