package samples

import (
	"context"
	"testing"
	"time"

	"fieldpost/trial/clubs"
)

// Three clubs in one daemon, one of them flooded: every sheet of the others is answered by its own
// club, and no mail is of another one. "fieldpost-trial clubs" has twenty, and measures the waits.
func TestAFloodStaysInItsClub(t *testing.T) {
	tally, err := clubs.Play(t.Context(), clubs.Options{Clubs: 3, Quiet: 3 * time.Second, Every: time.Second, Rate: 10, Seed: 1,
		Serve: func(ctx context.Context, config string) error { return clubs.Serve(ctx, config, 1) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(tally)
	if tally.Unanswered > 0 || len(tally.Crossed) > 0 {
		t.Error("a sheet is not answered, or a mail is in a wrong club")
	}
	if tally.Before.Sheets == 0 || tally.During.Sheets == 0 || tally.Flood.Sheets == 0 {
		t.Error("too little happened to tell anything")
	}
}
