package mail

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fieldpost/demo/world"
)

// BenchmarkManyGames handles order mails end to end, over IMAP and SMTP and on a
// real disk, with one game in the store and with a thousand, two players of their
// own in each. The bar is 80 % of the rate; it is told by the clock and by the
// processor, because on a busy machine the clock tells of the neighbours.
func BenchmarkManyGames(b *testing.B) {
	const sheets, games = 64, 1000
	many, one := newHouse(b, games), newHouse(b, 1)
	var took, cpu [2]time.Duration
	n := 0
	for b.Loop() {
		for i, h := range []*house{one, many} {
			b.StopTimer()
			h.deliver(sheets)
			b.StartTimer()
			s := h.answer()
			took[i] += s.clock
			cpu[i] += s.processor
		}
		n += sheets
	}
	rate := func(d time.Duration) float64 { return float64(n) / d.Seconds() }
	b.ReportMetric(rate(took[0]), "one/s")
	b.ReportMetric(rate(took[1]), "thousand/s")
	b.ReportMetric(100*rate(took[1])/rate(took[0]), "%clock")
	b.ReportMetric(100*rate(cpu[1])/rate(cpu[0]), "%cpu")
	b.ReportMetric(0, "ns/op")
}

// house is a bench with a number of games, and the players of each.
type house struct {
	*bench
	text   map[string]string // a staff's sheet, by side
	serial map[int]int       // by seat
	next   int
}

func newHouse(b *testing.B, games int) *house {
	b.Helper()
	drawAll(b)
	random, n := rand.NewChaCha8([32]byte{3}), 0
	h := &house{text: map[string]string{}, serial: map[int]int{}}
	h.bench = newBench(b, games, func(_ *Template, w *world.World, _ int) []world.Player {
		w.Random, w.Umpire.Draw = random, func(string, string) bool { return false }
		_, seats, err := w.Begin("kharkov-1942", nil, func(string) (string, string) {
			n++
			return "", fmt.Sprintf("p%d@%s", n-1, domain)
		})
		check(b, err)
		return seats
	})
	for _, p := range h.seats[:players] {
		h.text[p.Side] = strings.Replace(h.staffSheet(p), p.Game, "GAME-ID", 1)
	}
	return h
}

// deliver puts sheets into the umpire's mailbox, of players all over the house.
func (h *house) deliver(sheets int) {
	h.sheets = sheets
	step := max(1, len(h.seats)/sheets) | 1 // both sides in turn
	for range sheets {
		i := h.next * step % len(h.seats)
		h.next++
		h.serial[i]++
		p := h.seats[i]
		h.bench.deliver(i, strings.NewReplacer("GAME-ID", p.Game, "SERIAL: 1\n", fmt.Sprintf("SERIAL: %d\n", h.serial[i])).Replace(h.text[p.Side]))
	}
}
