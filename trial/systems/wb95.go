package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
)

var wb95Trial = System{Rules: wb95.System{}, Inside: wb95Inside, Orders: wb95Orders, Mutations: wb95Mutants, SetUp: wb95SetUpMutants, Feelers: wb95Feelers, Law: wb95Law}

// wb95Inside lets the trials look into a game.
func wb95Inside(game adjudicator.Game) (any, bool) {
	g, ok := game.(*wb95.Game)
	return wb95.Tried{Game: g}, ok
}

// wb95Orders gives random orders for a player-turn of WB-95.
func wb95Orders(game adjudicator.Game, v *view.View, r *rand.Rand) ([]Order, error) {
	g, ok := game.(*wb95.Game)
	if !ok {
		return nil, fmt.Errorf("%T is no game of WB-95", game)
	}
	a, err := g.Advise(v)
	if err != nil {
		return nil, err
	}
	w := &wb95Random{v: v, a: a, r: r, busy: map[string]bool{}}
	if v.Turn == 0 {
		w.setUp()
		w.standing()
		return w.list, nil
	}
	w.barrages()
	w.moves()
	w.attacks()
	w.air()
	w.standing()
	return w.list, nil
}

// wb95Random collects the orders of one sheet.
type wb95Random struct {
	v     *view.View
	a     *wb95.Adviser
	r     *rand.Rand
	list  []Order
	banks []hex.Hex
	busy  map[string]bool // units that fire a barrage or are kept for strategic movement
}

func (w *wb95Random) add(section, kind, format string, args ...any) {
	w.list = append(w.list, Order{section, fmt.Sprintf(format, args...), kind})
}

// in tells one in n times yes.
func (w *wb95Random) in(n int) bool { return w.r.IntN(n) == 0 }

func pick[T any](w *wb95Random, list []T) T { return list[w.r.IntN(len(list))] }

// moves gives most units something to do, each on the position that the orders
// before it leave.
func (w *wb95Random) moves() {
	pieces := w.a.Pieces()
	w.r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	for _, u := range pieces {
		if w.in(4) || w.busy[u.ID] {
			continue
		}
		kind, text := w.move(u)
		if text == "" {
			continue
		}
		// A sheet of a player holds mistakes too: some are handed in untried.
		if _, err := w.a.Order(strings.ToUpper(text)); err != nil && !w.in(40) {
			continue
		}
		if kind == "strategic movement" {
			w.busy[u.ID] = true
		}
		w.add("MOVE", kind, "%s", text)
	}
}

func (w *wb95Random) move(u wb95.Piece) (kind, text string) {
	switch {
	case u.Hex == hex.None:
		return w.entry(u)
	case u.Gun:
		return w.gun(u)
	case u.Regular && w.in(8):
		return "entrench", u.Name + " ENTRENCH"
	case w.in(6):
		if kind, text = w.bridge(u); text != "" {
			return kind, text
		}
	case w.in(12):
		if text = w.reinforce(u); text != "" {
			return "reinforce", text
		}
	case w.in(6):
		for _, z := range w.v.Board.Zones {
			if slices.ContainsFunc(w.a.Reach(u.ID), func(p wb95.Place) bool { return slices.Contains(z.Hexes, p.Hex) }) {
				return "exit", fmt.Sprintf("%s EXIT %s", u.Name, z.ID)
			}
		}
	}
	to := w.goal(u.ID)
	if to == hex.None {
		return "", ""
	}
	switch w.r.IntN(10) {
	case 0:
		return "move full", fmt.Sprintf("%s TO %v FULL", u.Name, to)
	case 1:
		return "strategic movement", fmt.Sprintf("%s TO %v STRATEGIC", u.Name, to)
	case 2:
		if via := w.goal(u.ID); via != hex.None {
			return "move via", fmt.Sprintf("%s VIA %v TO %v", u.Name, via, to)
		}
	case 3:
		if path := w.a.Grid().Neighbours(u.Hex); len(path) > 0 {
			return "move hex by hex", fmt.Sprintf("%s %v-%v", u.Name, u.Hex, pick(w, path))
		}
	}
	return "move", fmt.Sprintf("%s TO %v", u.Name, to)
}

// goal is a hex within reach; every second time one beside the enemy.
func (w *wb95Random) goal(id string) hex.Hex {
	all := w.a.Reach(id)
	if len(all) == 0 {
		return hex.None
	}
	if !w.in(3) {
		near := slices.DeleteFunc(slices.Clone(all), func(p wb95.Place) bool { return len(w.a.Zones(p.Hex)) == 0 })
		if len(near) > 0 {
			all = near
		}
	}
	return pick(w, all).Hex
}

func (w *wb95Random) entry(u wb95.Piece) (kind, text string) {
	if len(u.Entry) == 0 {
		return "", ""
	}
	by := pick(w, u.Entry)
	if to := w.a.EntryReach(u.ID, by); len(to) > 0 && w.in(2) {
		return "enter to", fmt.Sprintf("%s ENTER %s TO %v", u.Name, by, pick(w, to).Hex)
	}
	return "enter", fmt.Sprintf("%s ENTER %s", u.Name, by)
}

func (w *wb95Random) gun(u wb95.Piece) (kind, text string) {
	to := w.goal(u.ID)
	switch {
	case !u.Firing && w.in(2):
		return "unlimber", u.Name + " UNLIMBER"
	case to == hex.None:
		return "", ""
	case u.Firing && w.in(2):
		return "", ""
	case u.Firing && w.in(3):
		return "limber", u.Name + " LIMBER"
	case u.Firing:
		return "limber and move", fmt.Sprintf("%s LIMBER, TO %v", u.Name, to)
	case w.in(2):
		return "move and unlimber", fmt.Sprintf("%s TO %v, UNLIMBER", u.Name, to)
	}
	return "move gun", fmt.Sprintf("%s TO %v", u.Name, to)
}

// bridge is work on a hexside of the unit's hex.
func (w *wb95Random) bridge(u wb95.Piece) (kind, text string) {
	for _, n := range w.a.Grid().Neighbours(u.Hex) {
		e := hex.Between(u.Hex, n)
		i := slices.IndexFunc(w.v.Bridges, func(b view.Bridge) bool { return b.Edge == e })
		switch {
		case i >= 0 && w.v.Bridges[i].Stands && w.in(2):
			return "blow a bridge", fmt.Sprintf("%s BLOW %v", u.Name, e)
		case i >= 0 && !w.v.Bridges[i].Stands:
			return "rebuild a bridge", fmt.Sprintf("%s REBUILD %v", u.Name, e)
		case u.HQ && w.v.Board.River(e) != "" && i < 0:
			return "build a bridge", fmt.Sprintf("%s BUILD %v", u.Name, e)
		}
	}
	return "", ""
}

// reinforce has Volkssturm give a step to a unit of its hex.
func (w *wb95Random) reinforce(u wb95.Piece) string {
	i := slices.IndexFunc(w.v.Units, func(x view.Unit) bool { return x.ID == u.ID })
	if i < 0 || w.v.Units[i].Type != string(wb95.VS) {
		return ""
	}
	for _, x := range w.v.Units {
		if x.Hex == u.Hex && x.ID != u.ID && x.Steps < x.MaxSteps {
			return fmt.Sprintf("%s REINFORCE %s", u.Name, x.Name)
		}
	}
	return ""
}

// attacks orders random attacks with those who stand beside the enemy after the
// moves, and has guns support them or fire by themselves.
func (w *wb95Random) attacks() {
	var guns []wb95.Piece
	at := map[hex.Hex][]wb95.Piece{}
	for _, u := range w.a.Pieces() {
		switch h := w.a.Where(u.ID); {
		case h == hex.None || w.busy[u.ID]:
		case u.Fire > 0 && !w.in(3):
			guns = append(guns, u)
		case u.Fights:
			at[h] = append(at[h], u)
		}
	}
	foes := w.a.Foes()
	w.r.Shuffle(len(foes), func(i, j int) { foes[i], foes[j] = foes[j], foes[i] })
	var struck []hex.Hex
	for _, f := range foes {
		names, from := w.attackers(at, f.Hex)
		if len(names) == 0 || w.in(5) {
			continue
		}
		struck = append(struck, f.Hex)
		n := len(struck)
		text := fmt.Sprintf("%d: %v WITH %s%s", n, f.Hex, strings.Join(names, ", "), w.manner(n))
		kind := "attack"
		if i := slices.IndexFunc(guns, func(u wb95.Piece) bool { return w.distance(u, from) <= w.a.GunRange() && w.in(2) }); i >= 0 {
			text, kind = text+"; ART "+guns[i].Name, "attack with guns"
			guns = slices.Delete(guns, i, i+1)
		}
		w.add("ATTACK", kind, "%s", text)
	}
	_, due := w.a.Bound()
	struck = append(struck, due...)
	for _, u := range guns {
		for _, f := range foes {
			if w.reaches(u, f.Hex, w.a.GunRange()) && w.in(2) && !slices.Contains(struck, f.Hex) {
				w.add("ATTACK", "ranged attack", "FIRE %s AT %v", u.Name, f.Hex)
				struck = append(struck, f.Hex)
				break
			}
		}
		for _, b := range w.v.Bridges {
			if w.reaches(u, b.Edge.A, w.a.GunRange()-1) && b.Stands && w.in(20) {
				w.add("ATTACK", "fire on a bridge", "FIRE %s AT %v", u.Name, b.Edge)
				break
			}
		}
	}
	w.pontoons()
}

// attackers are those who attack a hex, most of the neighbours, who attack no other; and
// the hex where the last of them stands.
func (w *wb95Random) attackers(at map[hex.Hex][]wb95.Piece, target hex.Hex) (names []string, from hex.Hex) {
	from = hex.None
	for _, k := range w.a.Grid().Neighbours(target) {
		at[k] = slices.DeleteFunc(at[k], func(u wb95.Piece) bool {
			if w.in(3) {
				return false
			}
			names, from = append(names, u.Name), k
			return true
		})
	}
	return names, from
}

func (w *wb95Random) distance(u wb95.Piece, to hex.Hex) int {
	return w.a.Grid().Distance(w.a.Where(u.ID), to)
}

// reaches tells whether guns can fire at a hex by themselves.
func (w *wb95Random) reaches(u wb95.Piece, target hex.Hex, farthest int) bool {
	d := w.distance(u, target)
	return d >= 2 && d <= farthest
}

// pontoons throws bridges over big rivers at the Neisse.
func (w *wb95Random) pontoons() {
	if w.v.Scenario != "nysa-1945" {
		return
	}
	banks := w.bigBanks()
	for _, u := range w.v.Units {
		if !slices.Contains(banks, u.Hex) || !w.in(10) {
			continue
		}
		for _, k := range w.a.Grid().Neighbours(u.Hex) {
			if e := hex.Between(u.Hex, k); strings.Contains(w.v.Board.River(e), "big") && w.in(2) {
				w.add("ATTACK", "pontoon bridge", "PONTOON %v", e)
				break
			}
		}
	}
}

// manner is how an attack is to be fought.
func (w *wb95Random) manner(n int) string {
	far := w.someHex()
	all := []string{"", "", "", " FULL", "; MIN 1:1", "; MIN 2:1", fmt.Sprintf("; IF %d WON", max(1, n-1)), "; STARS NO", "; STARS YES", "; HQCM 2",
		"; RETREAT 1, PAY 1", "; HOLD, PAY 2", "; PURSUE FULL", "; PURSUE NO", "; PURSUE OCCUPY", fmt.Sprintf("; PURSUE 2 TOWARD %v", far),
		"; LOSSES WEAKEST FIRST", "; LOSSES STRONGEST FIRST", fmt.Sprintf("; RETREAT FULL, TOWARD %v", far)}
	return pick(w, all)
}

func (w *wb95Random) someHex() hex.Hex {
	g := w.a.Grid()
	for {
		if h := g.At(w.r.IntN(g.Len())); w.a.On(h) {
			return h
		}
	}
}

// barrages spend ammunition units where a scenario gives leave: two guns and more
// on a hex, as the rules want it, and now and then one alone.
func (w *wb95Random) barrages() {
	if !slices.Contains(w.v.Due, "barrage") && !slices.ContainsFunc(w.v.Assets, func(a view.Asset) bool { return a.Kind == "ammunition units" }) {
		return
	}
	g := w.a.Grid()
	for _, f := range w.a.Foes() {
		most, names := 2+w.r.IntN(3), []string(nil)
		if w.in(10) {
			most = 1
		}
		var guns []string
		for _, u := range w.a.Pieces() {
			if u.Fire == 0 || u.Hex == hex.None || w.busy[u.ID] || len(guns) == most {
				continue
			}
			if d := g.Distance(u.Hex, f.Hex); d >= 2 && d <= w.a.GunRange() {
				guns, names = append(guns, u.ID), append(names, u.Name)
			}
		}
		if len(guns) == 0 || len(guns) < min(most, 2) || !w.in(3) {
			continue
		}
		w.add("BARRAGE", "barrage", "%s AT %v", strings.Join(names, ", "), f.Hex)
		for _, id := range guns {
			w.busy[id] = true
		}
	}
}

// standing files random standing orders.
func (w *wb95Random) standing() {
	if len(w.v.Units) == 0 {
		return
	}
	scope := func() string {
		switch w.r.IntN(3) {
		case 0:
			return "ALL"
		case 1:
			return "AT " + pick(w, w.v.Units).Hex.String()
		}
		return pick(w, w.v.Units).Name
	}
	for range w.r.IntN(6) {
		what := pick(w, []string{"HOLD, PAY 1", "HOLD", "RETREAT FULL", "RETREAT 1, PAY 1", "LOSSES WEAKEST FIRST", "LOSSES STRONGEST FIRST", "STARS NO", "STARS YES",
			"FU NO", "FU YES", "HQCM 1", "PURSUE FULL", "PURSUE NO", "ADVANCE", "HOLD UNTIL TURN 3", "RETREAT FULL TOWARD " + w.someHex().String()})
		w.add("STANDING", "standing order", "%s %s", scope(), what)
	}
	switch w.r.IntN(6) {
	case 0:
		w.add("STANDING", "standing order for guns", "ART SUPPORT %s", pick(w, []string{"ALL", "NO", "DEFENCE"}))
	case 1:
		h := pick(w, w.v.Units).Hex
		w.add("STANDING", "standing order", "AT %v VITAL", h)
		w.add("STANDING", "standing order for guns", "ART SUPPORT WITHIN 2 OF VITAL KEEP 1")
	}
	for _, u := range w.v.Units {
		if u.Type == string(wb95.ARM) && u.Steps < u.MaxSteps && w.in(4) {
			verb := pick(w, []string{"REPAIR", "MINES"})
			w.add("STANDING", "standing order "+verb, "%s %s", verb, u.Name)
			return
		}
	}
}
