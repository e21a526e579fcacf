package beacon_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"fieldpost/dice/beacon"
	"fieldpost/dice/beacon/fakedrand"
)

// A server's answer counts if the chain signed it for that round, whatever else
// the server does.
func TestFetch(t *testing.T) {
	now := beacon.Quicknet.Time(500)
	d := fakedrand.New("one", func() time.Time { return now })
	other := fakedrand.New("another", d.Now)
	answer := http.Handler(d)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer.ServeHTTP(w, r) }))
	defer srv.Close()
	says := func(code int, text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code); fmt.Fprint(w, text) })
	}
	get := func() (beacon.Value, error) {
		return d.Chain.Fetch(context.Background(), srv.Client(), srv.URL+"/", 500)
	}
	v, err := get()
	if err != nil || v.Round != 500 || d.Chain.Verify(v) != nil || other.Chain.Verify(v) == nil || beacon.Quicknet.Verify(v) == nil {
		t.Errorf("%v, %v", v, err)
	}
	now = now.Add(-time.Second)
	if _, err := get(); !errors.Is(err, beacon.ErrNotYet) {
		t.Errorf("before it comes: %v", err)
	}
	for what, h := range map[string]http.Handler{
		"another chain's":  says(200, fmt.Sprintf(`{"round":500,"signature":"%x"}`, other.Value(500).Signature)),
		"another round's":  says(200, fmt.Sprintf(`{"round":500,"signature":"%x"}`, d.Value(499).Signature)),
		"another round":    says(200, fmt.Sprintf(`{"round":499,"signature":"%x"}`, d.Value(499).Signature)),
		"no value":         says(200, "<html>Welcome to the airport</html>"),
		"a broken server":  says(500, "oops"),
		"an endless reply": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 1<<20)) }),
	} {
		answer = h
		if v, err := get(); err == nil {
			t.Errorf("%s: taken as %v", what, v)
		}
	}
	srv.Close()
	if _, err := get(); err == nil || errors.Is(err, beacon.ErrNotYet) {
		t.Errorf("no network: %v", err)
	}
}
