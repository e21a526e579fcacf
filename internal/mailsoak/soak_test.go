package mailsoak

import (
	"io"
	"strings"
	"testing"
)

// A hundred schedules of faults: nothing is lost, doubled or sent astray.
// "fieldpost soak mail" plays ten thousand.
func TestSchedules(t *testing.T) {
	var out strings.Builder
	if err := Soak(t.Context(), 1, 100, 2, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
}
