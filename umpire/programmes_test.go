package umpire

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/umpire/match"
)

// ones are dice that show nothing else.
type ones struct{}

func (ones) Throw(_ string, count, _ int) ([]int, []byte, error) {
	return slices.Repeat([]int{1}, count), nil, nil
}

// The sheet to fill in for a game whose chits are those of headquarters names every unit
// that one of them can activate, once; it stands as it is, and as soon as the # is taken
// away and a hex written for the dots.
func TestSheetOfProgrammes(t *testing.T) {
	dots := regexp.MustCompile(` +TO \.\.\.\. .*`)
	for _, scenario := range []string{"star-and-gallop", "winter-campaign", "backhand-blow"} {
		game, sys, err := match.Builtin.Load(scenario)
		if err != nil {
			t.Fatal(err)
		}
		position, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		opened, err := game.Play(position, nil, ones{}, adjudicator.Standing{})
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range game.Sides() {
			v, err := game.View(opened.Position, side)
			if err != nil {
				t.Fatal(err)
			}
			v.Game = "K7QX2MPA"
			blank := report.Filled(v, v.Turn, 1, sys.Template())
			var filled []string
			moves, named := 0, map[string]bool{}
			for line := range strings.SplitSeq(blank, "\n") {
				if strings.Contains(line, "# ATTACK") {
					continue
				}
				if order, is := strings.CutPrefix(line, "  # "); is {
					line = dots.ReplaceAllString(order, " TO "+v.Objectives[0].Hex.String())
					moves++
					if named[order] && !strings.HasPrefix(order, "HQ ") {
						t.Errorf("%s, %s: twice: %s", scenario, side, order)
					}
					named[order] = true
				}
				filled = append(filled, line)
			}
			if moves < 10 {
				t.Errorf("%s, %s: %d orders to fill in:\n%s", scenario, side, moves, blank)
			}
			for name, text := range map[string]string{"as it is": blank, "filled in": strings.Join(filled, "\n")} {
				sheet, faults := orders.Parse(text, sys.Vocabulary())
				if len(faults) > 0 {
					t.Errorf("%s, %s, %s: %v", scenario, side, name, faults)
				}
				checked := game.Check(v, sheet)
				if _, refused := checked.Accepted(); refused > 0 {
					for _, l := range checked.Lines {
						if l.Refused != nil {
							t.Errorf("%s, %s, %s: %s: %v", scenario, side, name, l.Text, l.Refused)
						}
					}
				}
			}
		}
	}
}
