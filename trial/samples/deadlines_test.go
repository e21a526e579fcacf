package samples

import (
	"testing"

	"fieldpost/trial/deadlines"
)

// Three games for a few days; "fieldpost-trial deadlines" is the whole trial.
func TestSheetsAroundDeadlines(t *testing.T) {
	sum, err := deadlines.Play(t.Context(), 1, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Before < 9 || sum.After != sum.Before || sum.Looks == 0 {
		t.Errorf("too little was tried: %+v", sum)
	}
	if sum.Counted != sum.Before || sum.Admitted > 0 {
		t.Errorf("a sheet counts that came too late, or one does not that came in time: %+v", sum)
	}
}
