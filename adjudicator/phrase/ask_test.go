package phrase

import "testing"

// A second question within an activation says so.
func TestAskedAgain(t *testing.T) {
	for n, want := range map[int]string{1: "rest of h", 2: "rest of h (2nd question)", 3: "rest of h (3rd question)", 4: "rest of h (4th question)",
		11: "rest of h (11th question)", 12: "rest of h (12th question)", 21: "rest of h (21st question)"} {
		if got := AskedAgain("rest of h", n); got != want {
			t.Errorf("%d: %q, not %q", n, got, want)
		}
	}
}
