package web

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// BenchmarkPage is how long a moderator waits for the list of a thousand games, and for the page
// of one: the mean, and the time that nineteen of twenty requests keep within.
func BenchmarkPage(b *testing.B) {
	h := newHall(b)
	for range 998 {
		h.game()
	}
	cookie, err := h.s.door.Open("Anna", "here", h.clock)
	if err != nil {
		b.Fatal(err)
	}
	for what, path := range map[string]string{"list": "/", "game": "/games/" + h.running} {
		b.Run(what, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.AddCookie(&http.Cookie{Name: cookieName, Value: cookie})
				w := httptest.NewRecorder()
				began := time.Now()
				h.s.Handler().ServeHTTP(w, r)
				took = append(took, time.Since(began))
				if w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
