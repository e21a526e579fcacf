package desk

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/umpire/match"
)

// What the page waits for while somebody types: a sheet of 250 orders on the largest map. In a
// browser's engine it takes about seven times as long, and 150 ms are the bar there.
func BenchmarkCheck250(b *testing.B) {
	v, err := match.Builtin.OpeningView("kursk-joined", "SOVIET")
	if err != nil {
		b.Fatal(err)
	}
	v.Game, v.Reply = "K7QX2MPA", &view.Reply{To: "umpire@example.org", Subject: "[K7QX2MPA] turn 1", Turn: 1, Serial: 1}
	file, err := json.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	var d Desk
	opened, err := d.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	var moves, standing []string
	for _, u := range opened.Units {
		can, err := d.Choices(opened.Blank, u.Name)
		if err == nil && len(can.Reach) > 0 && len(can.Reach[0].Ways) > 0 {
			moves = append(moves, can.Reach[0].Ways[0].Order)
		}
		standing = append(standing, u.Name+" HOLD")
	}
	lines := append(append([]string{"MOVE"}, moves...), append([]string{"STANDING"}, standing...)...)
	sheet := opened.Blank + strings.Join(lines[:252], "\n") + "\n"
	n := 0
	for b.Loop() {
		n++ // a sheet that was judged already is not judged again
		checked, err := d.Check(fmt.Sprintf("%s# %d\n", sheet, n))
		if err != nil || checked.Stand < 200 {
			b.Fatal(checked, err)
		}
	}
}
