package samples

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/playtest"
	"fieldpost/trial"
	"fieldpost/umpire/match"
)

// planned plays by a plan that was written before the game: blocks of lines, parted by an empty
// line; one that begins with "turns 1-6" stands in the sheets of these turns, the others in all.
type planned string

// Sheet implements playtest.Player.
func (p planned) Sheet(v *view.View, serial int) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n", v.Game, v.Side, v.Turn, serial)
	for block := range strings.SplitSeq(string(p), "\n\n") {
		first, rest, _ := strings.Cut(block, "\n")
		var from, to int
		if spans, _ := fmt.Sscanf(first, "turns %d-%d", &from, &to); spans == 0 {
			from, to, rest = 1, v.Turn, block
		}
		if v.Turn >= from && v.Turn <= to {
			b.WriteString(rest + "\n")
		}
	}
	b.WriteString("DONE!\n")
	return b.String(), nil
}

// A person's plan for the Germans at Kursk, advances and attacks at three to one, against the staff:
// what it comes to, and from how many points on the game is an even one. Thirty games:
//
//	FIELDPOST_PLAN=30 go test ./trial/samples -run PlanForKursk -v
func TestAPlanForKursk(t *testing.T) {
	plan, err := os.ReadFile("testdata/kursk-plan.txt")
	if err != nil {
		t.Fatal(err)
	}
	game, words, err := match.Builtin.Game("gd-kursk")
	if err != nil {
		t.Fatal(err)
	}
	games, _ := strconv.Atoi(cmp.Or(os.Getenv("FIELDPOST_PLAN"), "2"))
	var points []int
	_, err = playtest.PlayAll(context.Background(), games, func(n int) (playtest.Match, error) {
		m := trial.NewMatch(game, words, n)
		m.Players["GERMAN"] = planned(plan)
		return m, nil
	}, func(r playtest.Result) { points = append(points, r.Points[0]) })
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(points)
	five := len(points) - slices.IndexFunc(append(points, 5), func(n int) bool { return n >= 5 })
	t.Logf("points of the Germans: %v; five or more in %d of %d", points, five, len(points))
	if len(points) != games || points[len(points)-1] < 2 {
		t.Errorf("the plan comes to %v points", points)
	}
}
