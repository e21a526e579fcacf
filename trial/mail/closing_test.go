package mail

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"fieldpost/demo/world"
	"fieldpost/staff"
	"fieldpost/trial/processor"
	"fieldpost/umpire/match"
)

// BenchmarkClosing hands in sheets that finish a player's turn, in games of both staffs: the
// sheet is verified and judged, the turn is played, and the reports of both sides are drawn,
// written and committed to a real disk. A player waits for this from the mail's arrival to
// the report's place in the outbox; half of them wait at most p50, all but one in a hundred
// p99. Bare is the same without pictures. FIELDPOST_SCENARIO is another scenario.
func BenchmarkClosing(b *testing.B) {
	scenario := cmp.Or(os.Getenv("FIELDPOST_SCENARIO"), "kharkov-1942")
	for _, games := range []int{1, 8} {
		b.Run(fmt.Sprintf("games=%d", games), func(b *testing.B) { newClosing(b, scenario, games, true).bench(b) })
	}
	b.Run("bare", func(b *testing.B) { newClosing(b, scenario, 1, false).bench(b) })
}

// turnsOfClosing is how many turns of both sides are handed in.
const turnsOfClosing = 3

// closing is a number of games that go on at once.
type closing struct {
	w       *world.World
	folder  string
	officer staff.Officer
	games   [][]world.Player
	serial  map[string]int
	waits   []time.Duration
	used    time.Duration
}

func newClosing(b *testing.B, scenario string, games int, pictures bool) *closing {
	b.Helper()
	drawAll(b)
	c := &closing{folder: b.TempDir(), serial: map[string]int{}}
	var err error
	c.w, err = world.Open(c.folder, world.Options{Address: "gm@example.org", Instance: "bench", Now: time.Now, Random: rand.NewChaCha8([32]byte{7}),
		Draw: func(string, string) bool { return pictures }})
	check(b, err)
	b.Cleanup(func() { c.w.Close() })
	for n := range games {
		_, seats, err := c.w.Begin(scenario, map[string]string{match.OptionUndo: "0"}, func(side string) (string, string) {
			return side, fmt.Sprintf("%s%d@example.org", side, n)
		})
		check(b, err)
		c.games = append(c.games, seats)
	}
	game, err := match.Scenario(scenario)
	check(b, err)
	c.officer.Game = game
	_, err = c.w.Post()
	check(b, err)
	return c
}

// bench plays the turns, the sheets of all games side by side, and tells the figures.
func (c *closing) bench(b *testing.B) {
	var clock time.Duration
	for b.Loop() {
		for range turnsOfClosing * 2 {
			b.StopTimer()
			sheets := c.sheets(b)
			b.StartTimer()
			begin, before := time.Now(), processor.Time()
			c.handIn(b, sheets)
			clock += time.Since(begin)
			c.used += processor.Time() - before
		}
	}
	slices.Sort(c.waits)
	n := len(c.waits)
	reports, bytes := c.reports(b)
	b.ReportMetric(float64(n)/clock.Seconds(), "sheets/s")
	b.ReportMetric(float64(c.used.Milliseconds())/float64(n), "cpu-ms/sheet")
	b.ReportMetric(float64(c.waits[n/2].Milliseconds()), "p50-ms")
	b.ReportMetric(float64(c.waits[n*99/100].Milliseconds()), "p99-ms")
	b.ReportMetric(float64(bytes)/1000, "kB/report")
	b.ReportMetric(float64(c.used.Milliseconds())/float64(reports), "cpu-ms/report")
	b.ReportMetric(0, "ns/op")
}

func (c *closing) sheets(b *testing.B) [][]byte {
	out, err := c.written()
	check(b, err)
	return out
}

// written are the sheets of whoever is waited for, one of each game, as mails.
func (c *closing) written() (out [][]byte, err error) {
	for _, seats := range c.games {
		for _, p := range seats {
			v, err := c.w.LastView(p.Game, p.Side)
			if err != nil {
				return nil, err
			}
			if len(v.Due) == 0 {
				continue
			}
			c.serial[p.Game+p.Side]++
			n := c.serial[p.Game+p.Side]
			text, err := c.officer.Sheet(v, n)
			if err != nil {
				return nil, err
			}
			m := world.Mail{From: p.Address, To: "gm@example.org", Subject: "orders", ID: fmt.Sprintf("%s.%s.%d", p.Game, p.Side, n)}
			out = append(out, m.Plain(p.Sign(text)))
			break
		}
	}
	return out, nil
}

// handIn hands the sheets in side by side, as many at once as there are games.
func (c *closing) handIn(b *testing.B, sheets [][]byte) {
	var all sync.WaitGroup
	waits := make([]time.Duration, len(sheets))
	begin := time.Now()
	for i, raw := range sheets {
		all.Go(func() {
			if err := c.w.ReceiveAhead(b.Context(), raw); err != nil {
				b.Error(err)
			}
			waits[i] = time.Since(begin)
		})
	}
	all.Wait()
	c.waits = append(c.waits, waits...)
}

// reports is how many reports were written, and the median of their sizes in bytes.
func (c *closing) reports(b *testing.B) (n, median int) {
	var sizes []int
	for _, seats := range c.games {
		mails, err := c.w.Umpire.DB.Mails(seats[0].Game)
		check(b, err)
		for _, m := range mails {
			if m.Kind != "report" {
				continue
			}
			raw, err := c.w.Umpire.DB.MailBytes(m.SHA256)
			check(b, err)
			sizes = append(sizes, len(raw))
		}
	}
	slices.Sort(sizes)
	return len(sizes) - 2*len(c.games), sizes[len(sizes)/2]
}
