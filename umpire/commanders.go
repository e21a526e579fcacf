package umpire

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders/seal"
	"fieldpost/store"
)

// A side may have several commanders. The player of the seat is the
// commander-in-chief, who may order every unit and whose DONE ends the side's turn.
// The others lead the formations that are given to them; they get the reports of
// the side and send sheets of their own, which are joined into the side's sheet
// (joined.go). A deputy leads nothing, but sends sheets in the player's place while
// standing in for them.

// persons are those of a seat who send its sheets now and get its mail, each as the
// player that they stand for: the player of the seat first.
func (u *Umpire) persons(p store.Player) []store.Player {
	all := []store.Player{p.As(0)}
	for i, c := range p.Commanders {
		if !c.Left && (!c.Deputy || u.standsIn(p, c)) {
			all = append(all, p.As(i+1))
		}
	}
	return all
}

// everybody are the persons of all seats of a game.
func (u *Umpire) everybody(g store.Game) (all []store.Player) {
	for _, p := range g.Players {
		all = append(all, u.persons(p)...)
	}
	return all
}

// standsIn tells whether a deputy may send sheets in the player's place now.
func (u *Umpire) standsIn(p store.Player, c store.Commander) bool {
	now := u.Now()
	in := func(s store.Span) bool { return !now.Before(s.From) && now.Before(s.To) }
	if c.Left || !c.Deputy {
		return false
	}
	if !c.Stands.To.IsZero() {
		return in(c.Stands)
	}
	return slices.ContainsFunc(p.Away, in)
}

// signedBy is the person of a seat whose key it is: see store.Player.As.
func signedBy(p store.Player, key seal.Key) (hand int) {
	if key == nil || store.KeyID(p.Key) == key.ID() {
		return 0
	}
	for i, c := range p.Commanders {
		if !c.Left && store.KeyID(c.Key) == key.ID() {
			return i + 1
		}
	}
	return 0
}

// writtenFrom is the person of a seat whose address it is.
func writtenFrom(p store.Player, address string) (hand int) {
	if strings.EqualFold(p.Address, address) || strings.EqualFold(p.Second, address) {
		return 0
	}
	for i, c := range p.Commanders {
		if !c.Left && strings.EqualFold(c.Address, address) {
			return i + 1
		}
	}
	return 0
}

// deputy tells whether a person stands in for the player of their seat.
func deputy(p store.Player) bool { return p.Hand > 0 && p.Commanders[p.Hand-1].Deputy }

// byDeputy names in a filing who sent it in the player's place.
const byDeputy = "a deputy"

// commandName is how the others of a side call one of its persons.
func commandName(p store.Player, hand int) string {
	if hand == 0 {
		if p.Name == "" {
			return "the commander-in-chief"
		}
		return p.Name + " (commander-in-chief)"
	}
	if name := p.Commanders[hand-1].Name; name != "" {
		return name
	}
	if p.Commanders[hand-1].Deputy {
		return "the deputy"
	}
	return fmt.Sprintf("commander %d", hand)
}

// leaders says by unit id who of a side leads it: 0, who is not in the map, is the
// commander-in-chief. What is given by the unit's own name goes before what is given
// by its corps or division, and that before its army.
func leaders(p store.Player, v *view.View) map[string]int {
	lead := map[string]int{}
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost} {
		for _, unit := range list {
			for _, names := range [][]string{{unit.ID, unit.Name}, {unit.Parent}, {unit.Formation}} {
				if hand := leads(p, names); hand > 0 {
					lead[unit.ID] = hand
					break
				}
			}
		}
	}
	return lead
}

// leads is the commander to whom one of the names is given, 0 for none.
func leads(p store.Player, names []string) int {
	for i, c := range p.Commanders {
		if c.Left || c.Deputy {
			continue
		}
		for _, given := range c.Leads {
			if slices.ContainsFunc(names, func(n string) bool { return n != "" && strings.EqualFold(n, given) }) {
				return i + 1
			}
		}
	}
	return 0
}

// given checks names of formations and units that are to be somebody's, and writes
// them as the side's own view does. Words of the order sheet, such as AIR, give them
// the orders of that section that name no unit.
func (u *Umpire) given(g store.Game, side, text string) ([]string, error) {
	game, sys, err := u.under(g)
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
			lines = append(lines, sentence(fmt.Sprintf("%s stands in for the player from %s to the end of %s", commandName(p, i+1), c.Stands.From.Format("2 Jan 2006"), c.Stands.To.Add(-time.Minute).Format("2 Jan 2006"))))
		case c.Deputy:
			lines = append(lines, sentence(commandName(p, i+1)+" stands in for the player while he is away"))
		default:
			lines = append(lines, fmt.Sprintf("%s leads %s.", commandName(p, i+1), strings.Join(c.Leads, ", ")))
		}
	}
	if p.Shared() {
		lines = append(lines, sentence(commandName(p, 0)+" leads all else, may order every unit, and ends the turn with his DONE"))
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
						m.Command = append(m.Command, fmt.Sprintf("Write to %s at %s.", commandName(p, i+1), c.Address))
					}
				}
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// led is a View for the sheet that a person of its side fills in: with the units only
// that they lead.
func led(v *view.View, p store.Player) view.View {
	out := *v
	if !p.Shared() {
		return out
	}
	hand := p.Hand
	if deputy(p) {
		hand = 0
	}
	lead := leaders(p, v)
	others := func(u view.Unit) bool { return lead[u.ID] != hand }
	out.Units = slices.DeleteFunc(slices.Clone(v.Units), others)
	out.Arrivals = slices.DeleteFunc(slices.Clone(v.Arrivals), others)
	return out
}

// notDone are the commanders of a shared side, its player among them, who have not
// finished their part for the turn that waits; none of a side with one commander.
func (u *Umpire) notDone(g store.Game, p store.Player, open *store.OpenPhase) (names []string) {
	_, sys, err := u.under(g)
	if err != nil || open == nil || !p.Shared() {
		return nil
	}
	var since uint64
	if set := settingsOf(g, sys); set.byPhase { // a part is for one phase there
		pos, err := u.DB.Load(g.ID)
		if err != nil {
			return nil
		}
		since = earlier(pos, set)
	}
	parts, err := u.partsOf(p, g.ID, sys, open.Turn, since)
	if err != nil {
		return nil
	}
	for hand := range len(p.Commanders) + 1 {
		if hand > 0 && (p.Commanders[hand-1].Left || p.Commanders[hand-1].Deputy) {
			continue
		}
		if !slices.ContainsFunc(parts, func(x part) bool { return x.hand == hand && x.sheet.Done }) {
			names = append(names, commandName(p, hand))
		}
	}
	return names
}
