package wb95

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
)

// turncoats is the side of units that have changed sides, for as long as they fight
// allies of their new one: enemies of the enemy as ever, and of those allies.
const turncoats Side = "~"

// quarrels tells whether those who changed sides have to attack who stands on a hex.
func (s *State) quarrels(h hex.Hex) bool {
	d, us := s.sc.Notes.Defection, s.unitsAt(h)
	switch {
	case d == nil, s.sc.Partner != nil, len(us) == 0:
		return false
	}
	return us[0].c.Side == d.To && slices.Contains(d.Attacks, us[0].c.Nation)
}

// quarrelsome lists the units that stand beside such a hex and can attack it.
//
// WB-95 5.1.3
// reading WB-95 5.1.3: the duty has no exception for field fortifications; who cannot
// attack has none. It stands in the list of the game for two players and holds in it alone.
func (s *State) quarrelsome() []*Unit {
	var out []*Unit
	for _, u := range s.moving() {
		if !u.Turned || !u.couldAttack() {
			continue
		}
		if slices.ContainsFunc(s.beside(u.Hex), s.quarrels) {
			out = append(out, u)
		}
	}
	return out
}

// quarrel has those who changed sides attack the allies beside them, before all other
// attacks of the phase.
//
// WB-95 5.1.3
// reading WB-95 5.1.3: the hexes are chosen like those of all attacks that the rules
// make. Nobody else takes part on their side, and in retreat they keep away from those
// whom they fight and from the enemy alike.
func (b *battle) quarrel() {
	who := b.s.quarrelsome()
	if len(who) == 0 {
		return
	}
	was := map[*Unit]*Counter{}
	for _, u := range who {
		cp := *u.c
		cp.Side = turncoats
		was[u], u.c = u.c, &cp
	}
	own := b.standing[b.side]
	t := &battle{r: b.r, s: b.s, side: turncoats, other: b.side, standing: map[Side][]standingOrder{turncoats: own, b.side: own}, won: map[string]bool{}}
	p := &plan{s: b.s, side: turncoats}
	p.complete(who, nil)
	for _, c := range p.combats {
		b.toOwner(b.side, "attack-added", "WB-95 5.1.3", nil, "what", quarrelWords(c.order.units, c.order.targets))
		t.carryOut(c)
	}
	for u, c := range was {
		u.c = c
	}
	b.s.index()
}

func quarrelWords(us []*Unit, at []hex.Hex) string {
	return fmt.Sprintf("%s beside Germans must attack them: attack on %s", names(us), list(at))
}

// foe tells whether a unit is an enemy of the side.
func (s *State) foe(c *Counter, side Side) bool {
	if side == turncoats && c.Side == s.sc.Notes.Defection.To {
		return slices.Contains(s.sc.Notes.Defection.Attacks, c.Nation)
	}
	return c.Side != side
}
