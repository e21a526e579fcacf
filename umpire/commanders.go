package umpire

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// A side may have several commanders. The player of the seat is the
// commander-in-chief, who may order every unit and whose DONE ends the side's turn.
// The others lead the formations that are given to them; they get the reports of
// the side and send sheets of their own, which are joined into the side's sheet
// (joined.go). A deputy leads nothing, but sends sheets in the player's place while
// standing in for them.

// given checks names of formations and units that are to be somebody's, and writes
// them as the side's own view does. Words of the order sheet, such as AIR, give them
// the orders of that section that name no unit.
func (u *Umpire) given(g store.Game, side, text string) ([]string, error) {
	game, sys, err := u.RulesOf(g)
	if err != nil {
		return nil, err
	}
	position, err := game.Opening()
	if err != nil {
		return nil, err
	}
	if pos, err := u.DB.Load(g.ID); err == nil && pos.Latest != nil {
		position = pos.Latest.Snapshot
	}
	v, err := game.View(position, adjudicator.Side(side))
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	var formations []string
	for _, list := range [][]view.Unit{v.Lost, v.Arrivals, v.Units} {
		for _, unit := range list {
			for _, n := range []string{unit.ID, unit.Name, unit.Parent, unit.Formation} {
				known[strings.ToUpper(n)] = n
			}
			if f := unit.Formation; f != "" && !slices.Contains(formations, f) {
				formations = append(formations, f)
			}
		}
	}
	for _, s := range sys.Vocabulary().Sections {
		known[s] = s
	}
	var out []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		n, ok := known[strings.ToUpper(name)]
		if !ok {
			slices.Sort(formations)
			return nil, fmt.Errorf("%s has no formation or unit %q; its formations are %s", side, name, strings.Join(formations, ", "))
		}
		out = append(out, n)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no formation is named: write 6 Army, XXI ARM")
	}
	return out, nil
}

// commandLines tell a side who leads what, a line each; none where it has one
// commander only.
func (u *Umpire) commandLines(p store.Player) (lines []string) {
	for i, c := range p.Commanders {
		switch {
		case c.Left:
		case c.Deputy && !c.Stands.To.IsZero():
			lines = append(lines, sentence(fmt.Sprintf("%s stands in for the player from %s to the end of %s", seats.CommandName(p, i+1), c.Stands.From.Format("2 Jan 2006"), c.Stands.To.Add(-time.Minute).Format("2 Jan 2006"))))
		case c.Deputy:
			lines = append(lines, sentence(seats.CommandName(p, i+1)+" stands in for the player while he is away"))
		default:
			lines = append(lines, fmt.Sprintf("%s leads %s.", seats.CommandName(p, i+1), strings.Join(c.Leads, ", ")))
		}
	}
	if p.Shared() {
		lines = append(lines, sentence(seats.CommandName(p, 0)+" leads all else, may order every unit, and ends the turn with his DONE"))
	}
	return lines
}

// Manned is who plays a side, for moderators: addresses are nobody else's business.
type Manned struct {
	Side, Who string
	// Command says who leads what where a side has several commanders or a deputy.
	Command []string
}

// Manned are the sides of a game in their order; errors as of the store.
func (u *Umpire) Manned(id string) (all []Manned, err error) {
	g, err := u.DB.Game(id)
	if err != nil {
		return nil, err
	}
	for _, side := range g.Sides {
		m := Manned{Side: side, Who: "nobody yet"}
		for _, p := range g.Players {
			switch {
			case p.Side != side:
			case p.Staffed():
				m.Who = "a staff officer of the program"
			default:
				m.Who, m.Command = strings.TrimSpace(p.Name+" "+p.Address), u.commandLines(p)
				for i, c := range p.Commanders {
					if !c.Left {
						m.Command = append(m.Command, fmt.Sprintf("Write to %s at %s.", seats.CommandName(p, i+1), c.Address))
					}
				}
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// notDone are the commanders of a shared side, its player among them, who have not
// finished their part for the turn that waits; none of a side with one commander.
func (u *Umpire) notDone(g store.Game, p store.Player, open *store.OpenPhase) (names []string) {
	_, sys, err := u.RulesOf(g)
	if err != nil || open == nil || !p.Shared() {
		return nil
	}
	var since uint64
	if set := match.SettingsOf(g, sys); set.ByPhase { // a part is for one phase there
		pos, err := u.DB.Load(g.ID)
		if err != nil {
			return nil
		}
		since = earlier(pos, set)
	}
	parts, err := u.PartsOf(p, g.ID, sys, open.Turn, since)
	if err != nil {
		return nil
	}
	for hand := range len(p.Commanders) + 1 {
		if hand > 0 && (p.Commanders[hand-1].Left || p.Commanders[hand-1].Deputy) {
			continue
		}
		if !slices.ContainsFunc(parts, func(x match.Part) bool { return x.Commander == hand && x.Sheet.Done }) {
			names = append(names, seats.CommandName(p, hand))
		}
	}
	return names
}
