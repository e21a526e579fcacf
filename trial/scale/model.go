package scale

import (
	"fmt"
	"math"
	"time"
)

// Day is what players send on a day: sheets that close a turn.
type Day struct {
	Games    int
	Each     float64 // sheets of a game
	Deadline int     // the hour of a deadline that many games have in common
	Rush     float64 // sheets a minute in the last minutes before it
}

// rushes is how many minutes a rush lasts.
const rushes = 10

// waking is how much is sent in each hour of the rest of the day, in parts of the whole.
var waking = [24]float64{2, 1, 1, 0.5, 0.5, 1, 2, 3, 4, 4, 4, 4, 5, 5, 4, 4, 5, 6, 8, 10, 10, 8, 5, 3}

// in is how many sheets come in a minute of the day.
func (d Day) in(minute int) float64 {
	all := 0.0
	for _, part := range waking {
		all += part
	}
	rest := max(0, float64(d.Games)*d.Each-d.Rush*rushes)
	in := rest * waking[minute/60%24] / all / 60
	if until := 60*d.Deadline - minute; until > 0 && until <= rushes {
		in += d.Rush
	}
	return in
}

// Plant is what works at it. What is not measured here is assumed, and told with the result.
type Plant struct {
	Daemons, Cores           int // and the cores of each
	Databases, DatabaseCores int
	LogRate                  float64       // bytes a second that a database writes ahead
	Fetch                    time.Duration // of one mail, of which one daemon fetches one at a time
	Send                     time.Duration // of one mail, of which each daemon sends one at a time
}

// Stage is a part of the way of a mail.
type Stage struct {
	Name string
	Rate float64       // sheets a minute that it can do
	Busy float64       // the largest part of that which came in a minute
	Wait time.Duration // the longest

	queue float64
}

// stages are the way of a mail, in their order.
func (p Plant) stages(c Costs) []*Stage {
	perMinute := func(at int, each time.Duration) float64 {
		return float64(at) * float64(time.Minute) / float64(max(1, each))
	}
	return []*Stage{
		{Name: "fetching", Rate: perMinute(1, p.Fetch)},
		{Name: "judging and drawing", Rate: perMinute(p.Daemons*p.Cores, c.Daemon)},
		{Name: "database: processor", Rate: perMinute(p.Databases*p.DatabaseCores, c.Database)},
		{Name: "database: log", Rate: 60 * float64(p.Databases) * p.LogRate / float64(max(1, c.Log))},
		{Name: "sending", Rate: perMinute(p.Daemons, p.Send) / max(1, c.Mails)},
	}
}

// Outcome is what a day comes to.
type Outcome struct {
	Plant
	Stages []*Stage
	Wait   time.Duration // the longest of any player
	Sheets float64       // that were answered
	Left   float64       // that were not, at the end of the day
}

// First is the stage that is too little first.
func (o Outcome) First() *Stage {
	first := o.Stages[0]
	for _, s := range o.Stages {
		if s.Busy > first.Busy {
			first = s
		}
	}
	return first
}

// String says it in a line.
func (o Outcome) String() string {
	wait := fmt.Sprint(o.Wait.Round(time.Second))
	if o.Wait < time.Minute {
		wait = "< 1m0s"
	}
	return fmt.Sprintf("%4d x %d cores, %d databases, %3d ms to send: first %-20s at %6.0f %%; longest wait %10s; %.0f of %.0f left at midnight",
		o.Daemons, o.Cores, o.Databases, o.Send.Milliseconds(), o.First().Name, 100*o.First().Busy, wait, o.Left, o.Sheets+o.Left)
}

// Play lets a day pass, minute by minute: what a stage cannot do waits before it.
func (p Plant) Play(c Costs, d Day) Outcome {
	o := Outcome{Plant: p, Stages: p.stages(c)}
	for minute := range 24 * 60 {
		flow, wait := d.in(minute), 0.0
		for _, s := range o.Stages {
			s.Busy = max(s.Busy, flow/s.Rate)
			s.queue += flow
			flow = math.Min(s.queue, s.Rate)
			s.queue -= flow
			s.Wait = max(s.Wait, time.Duration(s.queue/s.Rate*float64(time.Minute)))
			wait += s.queue / s.Rate
		}
		o.Wait = max(o.Wait, time.Duration(wait*float64(time.Minute)))
		o.Sheets += flow
	}
	for _, s := range o.Stages {
		o.Left += s.queue
	}
	return o
}
