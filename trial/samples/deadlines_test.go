package samples

import (
	"os"
	"strconv"
	"testing"

	"fieldpost/trial"
	"fieldpost/trial/deadlines"
)

// Three games for a few days, or as many as there are to be sheets in time:
//
//	FIELDPOST_DEADLINES=10000 go test ./trial/samples -run AroundDeadlines -timeout 60m -v
func TestSheetsAroundDeadlines(t *testing.T) {
	if count, err := strconv.Atoi(os.Getenv("FIELDPOST_DEADLINES")); err == nil {
		if err := deadlines.Run(t.Context(), &trial.Trial{Count: count, Seed: 1, Out: os.Stdout, Progress: os.Stderr}); err != nil {
			t.Error(err)
		}
		return
	}
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
