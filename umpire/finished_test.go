package umpire

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Where a phase asks both sides, neither STATUS nor what spectators see tells that one of them
// has finished before it is played; a moderator's view does.
func TestNobodyLearnsWhoHasFinishedAPhaseOfBothSides(t *testing.T) {
	g := newTable(t, "scenario=star-and-gallop", "deadline=3d", "early=no")
	g.u.Draw = unillustrated
	g.seat("SOVIET")
	g.seat("GERMAN")
	look := func() (waits string, st []string) {
		g.receive(g.mail("SOVIET", "STATUS\n"))
		text := g.lastOf("note", "SOVIET").Texts[0].AsSent
		_, waits, _ = strings.Cut(text, "Waiting for")
		waits, _, _ = strings.Cut(waits, "\n")
		return strings.TrimSpace(waits), g.status().Asked
	}
	waits, asked := look()
	if !strings.Contains(waits, "GERMAN") || !slices.Contains(asked, "GERMAN") {
		t.Fatalf("before: %q %v", waits, asked)
	}
	g.receive(g.mail("GERMAN", g.signed("GERMAN", fmt.Sprintf("GAME: %s\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nDONE!\n", g.game))))
	if got := g.status().Waiting; slices.Contains(got, "GERMAN") {
		t.Fatalf("the moderator is not told that the Germans have finished: %v", got)
	}
	if after, askedAfter := look(); after != waits || !slices.Equal(asked, askedAfter) {
		t.Errorf("after: %q %v", after, askedAfter)
	}
}
