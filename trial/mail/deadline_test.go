package mail

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fieldpost/demo/world"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/trial/processor"
	"fieldpost/umpire/match"
)

// BenchmarkDeadline lets one deadline pass in a thousand games at once: in each of them both
// sides have filed a sheet without DONE, the turn is played, and the reports of both are drawn
// and committed to a real disk. Meanwhile a player writes HELP every half second; they wait at
// most for help-max-ms. Of the clock's time, what the work costs is divided among the cores:
// %cores is how much of them was used. FIELDPOST_GAMES is another number of games.
func BenchmarkDeadline(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("FIELDPOST_GAMES"), "1000"))
	check(b, err)
	for b.Loop() {
		b.StopTimer()
		d := newDeadline(b, n)
		b.StartTimer()
		d.passes(b)
	}
	b.ReportMetric(0, "ns/op")
}

// lateDay is a club whose games have one deadline.
type lateDay struct {
	w     *world.World
	games []store.Game
	now   atomic.Int64
}

func (d *lateDay) clock() time.Time { return time.Unix(d.now.Load(), 0).UTC() }

func newDeadline(b *testing.B, games int) *lateDay {
	b.Helper()
	drawAll(b)
	d := &lateDay{}
	d.now.Store(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).Unix())
	var err error
	d.w, err = world.Open(b.TempDir(), world.Options{Address: "gm@example.org", Instance: "bench", Now: d.clock, Random: rand.NewChaCha8([32]byte{9}),
		Draw: func(string, string) bool { return false }})
	check(b, err)
	b.Cleanup(func() { d.w.Close() })
	text := map[string]string{}
	for n := range games {
		g, seats, err := d.w.Begin("kharkov-1942", map[string]string{match.OptionDeadline: "3d", match.OptionUndo: "0"}, func(side string) (string, string) {
			return side, fmt.Sprintf("%s%d@example.org", side, n)
		})
		check(b, err)
		d.games = append(d.games, g)
		_, err = d.w.Post()
		check(b, err)
		for _, p := range seats {
			d.file(b, p, text)
		}
	}
	d.w.Umpire.Draw = func(string, string) bool { return true }
	return d
}

// file files the staff's sheet for a side, without the DONE at its end.
func (d *lateDay) file(b *testing.B, p world.Player, text map[string]string) {
	b.Helper()
	if text[p.Side] == "" {
		game, err := match.Scenario("kharkov-1942")
		check(b, err)
		v, err := d.w.LastView(p.Game, p.Side)
		check(b, err)
		sheet, err := staff.Officer{Game: game}.Sheet(v, 1)
		check(b, err)
		text[p.Side] = strings.ReplaceAll(strings.ReplaceAll(sheet, "DONE\n", ""), p.Game, "GAME-ID")
	}
	m := world.Mail{From: p.Address, To: "gm@example.org", Subject: "orders", ID: p.Game + p.Side}
	check(b, d.w.Receive(b.Context(), m.Plain(p.Sign(strings.ReplaceAll(text[p.Side], "GAME-ID", p.Game)))))
}

// passes lets the deadline pass, and tells what it took until the last report was queued.
func (d *lateDay) passes(b *testing.B) {
	over := d.now.Load() + int64((3*24*time.Hour+time.Minute)/time.Second)
	d.now.Store(over)
	stop, waits := make(chan struct{}), make(chan []time.Duration)
	go func() { waits <- d.help(b, stop) }()
	begin, before := time.Now(), processor.Time()
	d.w.Umpire.Tick(d.clock())
	took, used := time.Since(begin), processor.Time()-before
	close(stop)
	helped := <-waits
	d.reported(b)
	slices.Sort(helped)
	cores := float64(runtime.GOMAXPROCS(0))
	b.ReportMetric(took.Seconds(), "s")
	b.ReportMetric(used.Seconds()*1000/float64(2*len(d.games)), "cpu-ms/report")
	b.ReportMetric(100*used.Seconds()/cores/took.Seconds(), "%cores")
	b.ReportMetric(float64(helped[len(helped)/2].Milliseconds()), "help-p50-ms")
	b.ReportMetric(float64(helped[len(helped)-1].Milliseconds()), "help-max-ms")
}

// help writes HELP every half second until stop is closed, and returns how long each waited.
func (d *lateDay) help(b *testing.B, stop chan struct{}) (waits []time.Duration) {
	for n := 0; ; n++ {
		m := world.Mail{From: fmt.Sprintf("somebody%d@example.org", n), To: "gm@example.org", Subject: "help", ID: fmt.Sprint("help", n)}
		begin := time.Now()
		if err := d.w.ReceiveAhead(b.Context(), m.Plain("HELP\r\n")); err != nil {
			b.Error(err)
		}
		waits = append(waits, time.Since(begin))
		select {
		case <-stop:
			return waits
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// reported looks whether each side of each game has its report.
func (d *lateDay) reported(b *testing.B) {
	b.Helper()
	for _, g := range d.games {
		mails, err := d.w.Umpire.DB.Mails(g.ID)
		check(b, err)
		reports := 0
		for _, m := range mails {
			if m.Kind == "report" {
				reports++
			}
		}
		if reports < 2*len(g.Sides) {
			b.Fatalf("game %s has %d reports", g.ID, reports)
		}
	}
}
