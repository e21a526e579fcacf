package match

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
)

// Settings are what a game's options say about answers.
type Settings struct {
	ByPhase bool
	May     []string // kinds of reactions that may be asked
	// Whole tells that a sheet with orders takes the place of the one before it, and that
	// one without leaves it alone. Games that began before it was so go on as they began.
	Whole bool
}

// Settings are what the match's options say about answers.
func (m Match) Settings() Settings {
	return Settings{ByPhase: m.Game.Options[OptionTempo] == TempoPhase, May: m.MayAsk(), Whole: HasSecondThoughts(m.Game)}
}

// chits tells whether a side can be asked at its own chits.
func (set Settings) chits() bool { return slices.Contains(set.May, adjudicator.KindActivation) }

// Piecemeal tells whether orders for what is to come are given while a turn is played: by
// phase, or by chits that are still in the cup.
func (set Settings) Piecemeal() bool { return set.ByPhase || set.chits() }

// MayAsk are the kinds of reactions that a side of the match may be asked about.
func (m Match) MayAsk() []string {
	switch text := m.Game.Options[optionAsk]; text {
	case "", "all":
		return adjudicator.AsksOf(m.System)
	case "none":
		return nil
	default:
		return slices.DeleteFunc(slices.Clone(adjudicator.AsksOf(m.System)), func(kind string) bool { return !slices.Contains(strings.Split(text, ","), kind) })
	}
}
