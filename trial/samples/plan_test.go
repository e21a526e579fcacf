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

	"fieldpost/adjudicator"
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

// playPlan plays games of a plan against the staff, as many as FIELDPOST_PLAN says, and returns the
// points of both sides in each.
func playPlan(t *testing.T, scenario, side, file string) (points [][2]int) {
	t.Helper()
	plan, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	game, words, err := match.Builtin.Game(scenario)
	if err != nil {
		t.Fatal(err)
	}
	games, _ := strconv.Atoi(cmp.Or(os.Getenv("FIELDPOST_PLAN"), "2"))
	_, err = playtest.PlayAll(context.Background(), games, func(n int) (playtest.Match, error) {
		m := trial.NewMatch(game, words, n)
		m.Players[adjudicator.Side(side)] = planned(plan)
		return m, nil
	}, func(r playtest.Result) { points = append(points, [2]int{r.Points[0], r.Points[1]}) })
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != games {
		t.Fatalf("%d of %d games were played", len(points), games)
	}
	return points
}

// A person's plan for the Germans at Kursk, advances and attacks at three to one, against the staff:
// what it comes to, and from how many points on the game is an even one. Thirty games:
//
//	FIELDPOST_PLAN=30 go test ./trial/samples -run PlanForKursk -v
func TestAPlanForKursk(t *testing.T) {
	var points []int
	for _, p := range playPlan(t, "gd-kursk", "GERMAN", "kursk-plan.txt") {
		points = append(points, p[0])
	}
	slices.Sort(points)
	five := len(points) - slices.IndexFunc(append(points, 5), func(n int) bool { return n >= 5 })
	t.Logf("points of the Germans: %v; five or more in %d of %d", points, five, len(points))
	if points[len(points)-1] < 2 {
		t.Errorf("the plan comes to %v points", points)
	}
}

// A person's plan for the Germans of the Winter Campaign: back over the Dnepr at once, nobody offered
// up, and towards Kharkov at the end: by how much it is behind, and from what lead on the game is an
// even one. Thirty games:
//
//	FIELDPOST_PLAN=30 go test ./trial/samples -run PlanForTheWinter -v
func TestAPlanForTheWinter(t *testing.T) {
	var leads []int
	for _, p := range playPlan(t, "winter-campaign", "GERMAN", "winter-plan.txt") {
		leads = append(leads, p[1]-p[0])
	}
	slices.Sort(leads)
	enough := len(leads) - slices.IndexFunc(append(leads, -12), func(n int) bool { return n >= -12 })
	t.Logf("by how much the Germans are ahead: %v, %d in the median; no more than 12 behind in %d of %d", leads, leads[len(leads)/2], enough, len(leads))
	if best := leads[len(leads)-1]; best < -20 {
		t.Errorf("the plan ends %d points behind at best", -best)
	}
}
