package calendar

import (
	"strings"
	"testing"
	"time"
)

func TestDeadlines(t *testing.T) {
	const layout = "2006-01-02 15:04"
	for _, c := range []struct {
		name                        string
		zone, days, hours, holidays string
		away                        string // from/to in UTC
		start, term, want           string // start and want by the zone's clock
	}{
		{"hours round the clock", "UTC", "", "", "", "", "2026-11-20 18:00", "36h", "2026-11-22 06:00"},
		{"a day is a day where the clock is put back", "Europe/Prague", "", "", "", "", "2026-10-24 20:00", "1d", "2026-10-25 20:00"},
		{"hours are hours where the clock is put back", "Europe/Prague", "", "", "", "", "2026-10-24 20:00", "24h", "2026-10-25 19:00"},
		{"hours are hours where the clock is put forward", "Europe/Prague", "", "", "", "", "2026-03-28 20:00", "24h", "2026-03-29 21:00"},
		{"a deadline that the clock leaps over is after the leap", "Europe/Prague", "", "", "", "", "2026-03-28 02:30", "1d", "2026-03-29 03:30"},
		{"at an hour", "Europe/Prague", "", "", "", "", "2026-11-20 23:59", "2d 20:00", "2026-11-22 20:00"},
		{"working days", "Europe/Prague", "mon-fri", "", "", "", "2026-11-20 18:00", "2d 20:00", "2026-11-24 20:00"},
		{"working days over the week's end", "UTC", "sat-mon", "", "", "", "2026-11-20 18:00", "3d", "2026-11-23 18:00"},
		{"holidays", "UTC", "mon-fri", "", "2026-12-24,2026-12-25", "", "2026-12-23 18:00", "1d", "2026-12-28 18:00"},
		{"working hours", "UTC", "mon-fri", "08:00-22:00", "", "", "2026-11-20 20:00", "4h", "2026-11-23 10:00"},
		{"begun at night", "UTC", "", "08:00-22:00", "", "", "2026-11-20 03:00", "2h", "2026-11-20 10:00"},
		{"the last hour of the day", "UTC", "", "08:00-22:00", "", "", "2026-11-20 20:00", "2h", "2026-11-20 22:00"},
		{"a day's deadline is in working hours", "UTC", "", "08:00-22:00", "", "", "2026-11-20 23:30", "1d", "2026-11-21 22:00"},
		{"away hours do not count", "UTC", "", "", "", "2026-11-20 20:00/2026-11-22 20:00", "2026-11-20 18:00", "6h", "2026-11-23 00:00"},
		{"away days do not count", "UTC", "", "", "", "2026-11-21 00:00/2026-11-28 00:00", "2026-11-20 18:00", "2d", "2026-11-29 18:00"},
		{"to the end of the day", "UTC", "", "", "", "", "2026-11-20 18:00", "1d 24:00", "2026-11-22 00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cal, err := Parse(c.zone, c.days, c.hours, c.holidays)
			if err != nil {
				t.Fatal(err)
			}
			if c.away != "" {
				from, _ := time.Parse(layout, c.away[:len(layout)])
				to, _ := time.Parse(layout, c.away[len(layout)+1:])
				cal.Away = []Span{{from, to}}
			}
			start, err := time.ParseInLocation(layout, c.start, cal.Zone)
			if err != nil {
				t.Fatal(err)
			}
			term, err := ParseTerm(c.term)
			if err != nil {
				t.Fatal(err)
			}
			if term.String() != c.term {
				t.Errorf("the term %s is written back as %s", c.term, term)
			}
			if got := cal.After(start, term).In(cal.Zone).Format(layout); got != c.want {
				t.Errorf("%s after %s is %s, want %s", c.term, c.start, got, c.want)
			}
		})
	}
}

// Whatever the calendar, a deadline is after its start, and a longer term never
// ends sooner.
func TestLongerTermsEndLater(t *testing.T) {
	cal, err := Parse("Europe/Prague", "mon-sat", "07:30-21:15", "2026-10-26")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 24 * 14 {
		start := time.Date(2026, 10, 19, i, 17, 0, 0, time.UTC)
		last := start
		for h := 1; h < 80; h += 7 {
			due := cal.After(start, Term{At: -1, Hours: time.Duration(h) * time.Hour})
			if !due.After(last) {
				t.Fatalf("%d hours after %v end at %v, fewer at %v", h, start, due, last)
			}
			local := due.In(cal.Zone)
			if m := local.Hour()*60 + local.Minute(); m < 7*60+30 || m > 21*60+15 || local.Weekday() == time.Sunday {
				t.Fatalf("%d hours after %v end at %v, outside of the working hours", h, start, local)
			}
			last = due
		}
	}
}

func TestFaultsOfCalendars(t *testing.T) {
	for _, text := range []string{"", "3", "d", "3w", "-1d", "3d 25:00", "3d 20", "3h 20:00", "0h", "2d 3d 4d"} {
		if _, err := ParseTerm(text); err == nil {
			t.Errorf("the term %q is taken", text)
		}
	}
	for _, c := range [][4]string{{"Prague"}, {"Local"}, {"", "monday"}, {"", "mon-"}, {"", "", "22:00-08:00"}, {"", "", "8-22"}, {"", "", "", "24.12.2026"}} {
		if _, err := Parse(c[0], c[1], c[2], c[3]); err == nil {
			t.Errorf("the calendar %q is taken", c)
		}
	}
}

// What lies between two moments counts by the same days and hours as a deadline: after so much of it the
// second one is reached again.
func TestBetween(t *testing.T) {
	const layout = "2006-01-02 15:04"
	for _, c := range []struct {
		name              string
		days, hours, away string
		start, end, want  string
	}{
		{"round the clock", "", "", "", "2026-11-20 18:00", "2026-11-22 06:00", "36h"},
		{"over the week's end", "mon-fri", "", "", "2026-11-20 18:00", "2026-11-23 01:00", "7h"},
		{"working hours", "mon-fri", "08:00-22:00", "", "2026-11-20 20:00", "2026-11-23 10:00", "4h"},
		{"away", "", "", "2026-11-20 20:00/2026-11-22 20:00", "2026-11-20 18:00", "2026-11-23 00:00", "6h"},
		{"where the clock is put back", "", "", "", "2026-10-24 20:00", "2026-10-25 19:00", "24h"},
		{"all of it away", "", "", "2026-11-20 00:00/2026-11-22 00:00", "2026-11-20 18:00", "2026-11-21 00:00", "0s"},
		{"backwards", "", "", "", "2026-11-22 06:00", "2026-11-20 18:00", "0s"},
	} {
		cal, err := Parse("Europe/Prague", c.days, c.hours, "")
		if err != nil {
			t.Fatal(err)
		}
		moment := func(text string) time.Time {
			at, err := time.ParseInLocation(layout, text, cal.Zone)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		if from, to, isAway := strings.Cut(c.away, "/"); isAway {
			cal.Away = []Span{{moment(from), moment(to)}}
		}
		want, err := time.ParseDuration(c.want)
		if err != nil {
			t.Fatal(err)
		}
		got := cal.Between(moment(c.start), moment(c.end))
		if got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
		if back := cal.After(moment(c.start), Term{Hours: got}); got > 0 && !back.Equal(moment(c.end)) {
			t.Errorf("%s: so much after the first is %s", c.name, back)
		}
	}
}
