package club

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/scene"
)

// ErrNoGame says that there is no game of an id.
var ErrNoGame = store.ErrNotFound

// Spectacle is a game as anybody may see it.
type Spectacle struct {
	GameStatus
	Behind int // turns that spectators are behind; 0 for a game that is over
	// Shown is the turn whose end the map shows, 0 for the set-up; Number is the
	// phase, and 0 if there is nothing to show.
	Shown   int
	Number  uint64
	Date    string
	Turns   int
	Verdict string
	Score   []string
	Stacks  []SideStacks
	Options []string // agreed on, in words
}

// SideStacks are the hexes in which a side has units.
type SideStacks struct {
	Side  string
	Hexes []string
}

// Spectate tells of a game what everybody may know: of one under way what both
// sides knew some turns ago, of one that is over everything.
func (o *Observer) Spectate(id string) (*Spectacle, error) {
	g, err := o.DB.Game(id)
	if err != nil {
		return nil, err
	}
	sp := &Spectacle{}
	if sp.GameStatus, err = o.statusOf(g, o.Now().UTC()); err != nil {
		return nil, err
	}
	settings, err := o.Scenarios().Settings(g.Scenario)
	if err != nil {
		return nil, err
	}
	sp.Options = match.AgreedOptions(g, settings)
	v, err := o.publicView(g, sp)
	if err != nil || v == nil {
		return sp, err
	}
	sp.Date, sp.Turns, sp.Verdict = v.Date, v.Turns, v.Verdict
	for _, s := range v.Score {
		sp.Score = append(sp.Score, fmt.Sprintf("%s %d", s.Side, s.Points))
	}
	for _, side := range g.Sides {
		at := SideStacks{Side: side}
		for _, st := range v.Enemy {
			if st.Side == side {
				at.Hexes = append(at.Hexes, st.Hex.String())
			}
		}
		for _, un := range v.Units {
			if v.Side == side {
				at.Hexes = append(at.Hexes, un.Hex.String())
			}
		}
		slices.Sort(at.Hexes)
		at.Hexes = slices.Compact(at.Hexes)
		sp.Stacks = append(sp.Stacks, at)
	}
	return sp, nil
}

// Thumbnail is how wide a small picture of a map is, in pixels.
const Thumbnail = 480

// PublicMap draws what Spectate shows, as PNG so many pixels wide.
func (o *Observer) PublicMap(id string, width int) ([]byte, error) {
	g, err := o.DB.Game(id)
	if err != nil {
		return nil, err
	}
	sp := &Spectacle{}
	v, err := o.publicView(g, sp)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, fmt.Errorf("game %s: %w", id, scene.ErrNoTurn)
	}
	note := "what both sides know, at the end of turn " + strconv.Itoa(sp.Shown)
	switch {
	case g.Status == store.StatusFinished:
		note = "both sides lie open"
	case sp.Shown == 0:
		note = "the set-up"
	}
	pic, err := scene.Drawn(o.Share, "", "", v, chart.Options{Scale: chart.FitScale(v.Board, width), Note: note, Bare: width < scene.MapWidth})
	return pic.Data, err
}

// publicView is what everybody may see of a game, nil if that is nothing. It
// fills in of the Spectacle which moment that is.
func (o *Observer) publicView(g store.Game, sp *Spectacle) (*view.View, error) {
	if g.Phases == 0 {
		return nil, nil
	}
	game, _, err := o.RulesOf(g)
	if err != nil {
		return nil, err
	}
	if g.Status == store.StatusFinished {
		end, err := o.DB.Phase(g.ID, g.Phases)
		if err != nil {
			return nil, err
		}
		sp.Shown, sp.Number = end.Turn, g.Phases
		v, err := match.SeenBy(game, end.Snapshot, "")
		if err == nil {
			v.Game = g.ID
		}
		return v, err
	}
	behind, err := strconv.Atoi(match.OptionOr(g, match.OptionSpectators, "1"))
	if err != nil {
		return nil, nil // none
	}
	sp.Behind = behind
	at, err := o.lookAt(g)
	if err != nil {
		return nil, err
	}
	all, err := o.DB.Journal(g.ID)
	if err != nil {
		return nil, err
	}
	phases := match.Line(all)
	last := len(phases) - 1
	for ; last > 0 && phases[last].Turn > at.Turn-1-behind; last-- {
	}
	end, err := o.DB.Phase(g.ID, phases[last].Number)
	if err != nil {
		return nil, err
	}
	sp.Shown, sp.Number = end.Turn, end.Number
	v, err := Neutral(game, end.Snapshot)
	if err == nil {
		v.Game = g.ID
	}
	return v, err
}

// Neutral is a View of nobody: made from nothing, it holds only what the Views
// of all sides agree on. Of units it shows that a side has some in a hex, if both
// their owner and an enemy know it; never what they are. In a blind game the owner
// does not know what the enemy knows: there it shows only who stands in contact.
func Neutral(game adjudicator.Game, position []byte) (*view.View, error) {
	var all []*view.View
	for _, side := range game.Sides() {
		v, err := game.View(position, side)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	a := all[0]
	v := &view.View{Format: a.Format, System: a.System, Scenario: a.Scenario, Title: a.Title, Board: a.Board,
		Turn: a.Turn, Turns: a.Turns, Date: a.Date, Phase: a.Phase, Mover: a.Mover, Verdict: a.Verdict, Winner: a.Winner}
	v.Score = common(all, func(v *view.View) []view.Score { return v.Score })
	v.Objectives = common(all, func(v *view.View) []view.Objective { return v.Objectives })
	v.Forts = common(all, func(v *view.View) []view.Fort { return v.Forts })
	v.Bridges = common(all, func(v *view.View) []view.Bridge { return v.Bridges })
	v.Options = a.Options
	v.Facts = common(all, func(v *view.View) []view.Fact { return v.Facts })
	blind := a.Options["fog"] == "blind"
	for i := range a.Control {
		v.Control = append(v.Control, agreedRow(all, i))
	}
	if blind && !slices.Equal(v.Control, a.Control) {
		v.Control = nil // where they disagree one of them knows more
	}
	for _, owner := range all {
		for _, other := range all {
			for _, st := range other.Enemy {
				if st.Side != owner.Side || !stands(owner, st.Hex) {
					continue
				}
				if blind && !inContact(other, st.Hex) {
					continue
				}
				known := slices.ContainsFunc(v.Enemy, func(x view.Stack) bool { return x.Hex == st.Hex && x.Side == st.Side })
				if !known {
					v.Enemy = append(v.Enemy, view.Stack{Hex: st.Hex, Side: st.Side})
				}
			}
		}
	}
	return v, nil
}

// stands tells whether the side of a View has a unit in a hex.
func stands(v *view.View, at hex.Hex) bool {
	return slices.ContainsFunc(v.Units, func(u view.Unit) bool { return u.Hex == at })
}

// inContact tells whether the side of a View has a unit next to a hex.
func inContact(v *view.View, at hex.Hex) bool {
	return slices.ContainsFunc(v.Units, func(u view.Unit) bool { return v.Board.Grid.Adjacent(u.Hex, at) })
}

// common are the entries that stand in every View alike.
func common[T any](all []*view.View, of func(*view.View) []T) (out []T) {
	for _, x := range of(all[0]) {
		same := func(y T) bool { return reflect.DeepEqual(x, y) }
		if !slices.ContainsFunc(all, func(v *view.View) bool { return !slices.ContainsFunc(of(v), same) }) {
			out = append(out, x)
		}
	}
	return out
}

// agreedRow is a row of the control of hexes, "." where the sides know different things.
func agreedRow(all []*view.View, row int) string {
	out := []rune(all[0].Control[row])
	for _, v := range all[1:] {
		if row >= len(v.Control) {
			continue
		}
		for i, r := range []rune(v.Control[row]) {
			if i < len(out) && out[i] != r && out[i] != ' ' {
				out[i] = '.'
			}
		}
	}
	return string(out)
}
