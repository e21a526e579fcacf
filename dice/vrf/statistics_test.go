package vrf

import (
	"fmt"
	"math"
	"os"
	"testing"
)

// The dice of many events with labels like those of games, four to an event. The
// full figure of a million throws is made by
//
//	FIELDPOST_SOAK=1 go test -run Statistics -v ./dice/vrf
//
// The limits are the 0.1 % points of the chi-square distribution; key and labels
// are fixed, so the test does not fail by chance.
func TestStatistics(t *testing.T) {
	events := 5000
	if os.Getenv("FIELDPOST_SOAK") != "" {
		events = 250_000
	}
	th, _ := published(t)
	faces, pairs, sums, across := make([]int, 6), make([]int, 36), make([]int, 11), make([]int, 36)
	var cross float64
	last := 0
	for i := range events {
		phase := fmt.Sprintf("turn %d phase %d", i/96%17+1, i/8%12+1)
		label := fmt.Sprintf("combat %02d%02d %d", i%60, i/60%50, i/3000)
		d := Dice(th.Key.Output(Alpha(th.Game, phase, label, th.Root)), 4, 6)
		for j := 0; j < 4; j += 2 {
			faces[d[j]-1]++
			faces[d[j+1]-1]++
			pairs[(d[j]-1)*6+d[j+1]-1]++
			sums[d[j]+d[j+1]-2]++
		}
		if i > 0 {
			across[(last-1)*6+d[0]-1]++
			cross += (float64(last) - 3.5) * (float64(d[0]) - 3.5)
		}
		last = d[0]
	}
	var triangle []float64
	for s := 2; s <= 12; s++ {
		triangle = append(triangle, float64(6-int(math.Abs(float64(s-7))))/36)
	}
	for _, c := range []struct {
		what   string
		counts []int
		share  []float64 // of each; nil is even
		limit  float64
	}{
		{"faces", faces, nil, 20.52},
		{"pairs within an event", pairs, nil, 66.62},
		{"sums of two", sums, triangle, 29.59},
		{"first dice of neighbouring events", across, nil, 66.62},
	} {
		x := spread(c.counts, c.share)
		t.Logf("%d throws, %s: chi-square %.2f, limit %.2f", events*4, c.what, x, c.limit)
		if x > c.limit {
			t.Errorf("%s: chi-square %.2f is above %.2f: %v", c.what, x, c.limit, c.counts)
		}
	}
	// Correlation of neighbours, in standard deviations.
	r := cross / float64(events-1) / (35.0 / 12) * math.Sqrt(float64(events-1))
	t.Logf("correlation of neighbouring events: %.2f standard deviations", r)
	if math.Abs(r) > 3.29 {
		t.Errorf("neighbouring events hang together: %.2f standard deviations", r)
	}
}

// spread is the chi-square statistic against the given shares.
func spread(counts []int, share []float64) float64 {
	n, x := 0, 0.0
	for _, c := range counts {
		n += c
	}
	for i, c := range counts {
		want := float64(n) / float64(len(counts))
		if share != nil {
			want = float64(n) * share[i]
		}
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	return x
}
