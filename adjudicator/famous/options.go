package famous

import (
	"slices"
	"strconv"

	"fieldpost/adjudicator"
)

// lengthOption is the option, lengthLong its value other than the default.
const (
	lengthOption = "length"
	lengthGuess  = "printed-guess"
	lengthLong   = "long"
)

// winAtOption is the option of how many points win, winAtPrinted its default.
const (
	winAtOption  = "win-at"
	winAtPrinted = "printed"
)

// winAt are its values besides: fewer points than any book asks for, and no more than most do.
var winAt = []string{"3", "4", "5", "6", "7", "8"}

// Settings implements adjudicator.Optional.
func (g *Game) Settings() []adjudicator.Setting {
	return []adjudicator.Setting{
		// GD 17.0
		adjudicator.Choice(setUpOption, "GD 17.0", "when both sides place the units that the book lets them place", []string{setUpPrinted, setUpChoose}, []string{
			"on default hexes, or as the section SETUP of the sheet for turn 1 says",
			"before turn 1, one side after the other has seen where it stands: the sheet of turn 0 has a section SETUP, an empty one means the default hexes"}),
		adjudicator.Choice(lengthOption, "GD 17.0", "how many turns the game has; the printed turn track is lost", []string{lengthGuess, lengthLong}, []string{
			"as the scenario guesses it to be", "a day more, its four turns like those of the last one"}),
		// GD 17.0
		{Name: winAtOption, Clause: "GD 17.0", Values: append([]string{winAtPrinted}, winAt...), Default: winAtPrinted,
			Means: "from how many points on the side that makes points wins, and fewer are no draw; printed: as the book says, for its own map; a number: as agreed, since ours is a reconstruction"},
		// GD 1.1
		adjudicator.FogSetting("GD 1.1", "where the enemy's stacks are, their content within ten hexes and a line of sight",
			"only what is in sight or was reported, as dated notes", "everything on the map"),
	}
}

// With implements adjudicator.Optional.
func (g *Game) With(values map[string]string) (adjudicator.Game, error) {
	chosen, err := adjudicator.Chosen(g.Settings(), values)
	if err != nil {
		return nil, err
	}
	sc := *g.sc // its tables are never changed
	sc.chosen, sc.Fog = chosen, adjudicator.Fog(chosen[adjudicator.FogOption])
	if chosen[lengthOption] == lengthLong {
		sc.Track = aDayMore(sc.Track)
	}
	if points, err := strconv.Atoi(chosen[winAtOption]); err == nil {
		sc.Grades = []Grade{{Points: points, Winner: sc.Scorer}}
	}
	with := newGame(&sc)
	with.choose = chosen[setUpOption] == setUpChoose
	return with, nil
}

// reading GD 17.0: the points that win are printed for maps and turn tracks that are lost, and on our
// reconstructions they may be out of reach; the option win-at says otherwise.

// aDayMore is a turn track with the turns of its last day once more, a day later.
//
// reading GD 17.0: the turn track is printed on a map that is lost; its length is a guess of ours,
// and may be a day longer (option length).
func aDayMore(track []TurnBox) []TurnBox {
	last := track[len(track)-1].Day
	out := slices.Clone(track)
	for _, b := range track {
		if b.Day == last {
			b.Day++
			out = append(out, b)
		}
	}
	return out
}

// blind: a side knows of the enemy only what is in sight or was reported. The
// scenario files can ask for it too.
func (sc *Scenario) blind() bool {
	return sc.Fog == adjudicator.FogBlind || sc.Switches.HidePresence && sc.Fog == ""
}
