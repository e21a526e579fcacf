package wb95

import (
	"fieldpost/adjudicator/hex"
)

// works is the fortified lines of a scenario, ready to be asked.
type works struct {
	across map[[2]hex.Hex]Side // from the hex behind the line to the one before it: whose line
	behind map[hex.Hex]Side    // hexes that lie directly behind a line
}

// lines are the fortified lines of the scenario.
func (sc *Scenario) lines() *works {
	sc.worksOnce.Do(func() {
		w := &works{map[[2]hex.Hex]Side{}, map[hex.Hex]Side{}}
		for _, f := range sc.Fortified {
			w.across[[2]hex.Hex{f.Hex, f.From}] = f.Side
			w.behind[f.Hex] = f.Side
		}
		sc.works = w
	})
	return sc.works
}

// inLine tells whether units of the side on the hex hold a fortified line of
// their own. Such units need not attack (5.1.3), and a neighbour learns no more
// of them than of others in fortifications (16.1.4).
//
// WB-95 5.1.3
// reading WB-95 19.1.2: who stands directly behind the line holds it, wherever the
// enemy is; who has taken a line of the enemy's does not count as fortified.
func (s *State) inLine(h hex.Hex, side Side) bool {
	return s.sc.lines().behind[h] == side && side != ""
}

// overLine tells whether an attack from one hex on the other goes over the line
// of the side that defends.
func (s *State) overLine(from, target hex.Hex) bool {
	side, ok := s.sc.lines().across[[2]hex.Hex{target, from}]
	return ok && s.holder(target) == side
}

// lineHalves takes from the sum of an attack what the line before the decisive
// hex costs it: half of what comes over the line and of all support. The sum is
// that of the units with their support; what attacks from elsewhere counts in full.
//
// WB-95 19.1.1
// reading WB-95 19.1.1: as with fixed positions one sum is halved, rounded up;
// with nobody coming over the line support is not halved either.
func (s *State) lineHalves(units []*Unit, decisive hex.Hex, attack int, full bool) (sum int, halves bool) {
	over, rear := s.overAndRear(units, decisive, full)
	if over == 0 {
		return attack, false
	}
	return rear + halved(attack-rear), true
}

// overAndRear parts the strength of the units in contact by whether it comes over
// a line.
func (s *State) overAndRear(units []*Unit, h hex.Hex, full bool) (over, rear int) {
	for _, u := range units {
		if s.overLine(u.Hex, h) {
			over += u.attackSP(full)
		} else {
			rear += u.attackSP(full)
		}
	}
	return over, rear
}

// lineCMs is what a fortified line gives whoever defends the hex: its own side
// against those who come over it, the enemy who has taken it against all.
//
// WB-95 19.1.2
// WB-95 19.1.3
// WB-95 19.1.4
// reading WB-95 19.1.2: it adds to the modifiers of field fortifications and of the
// ground; the strengths compared are those in contact, before any halving by lines.
// reading WB-95 19.1.3: one defending unit of more than 4 points at present earns
// the hex the 2 modifiers.
// reading WB-95 19.1.4: works that were taken protect on all sides and halve nobody.
func (s *State) lineCMs(attackers []*Unit, h hex.Hex, full bool) []modifier {
	side, ok := s.sc.lines().behind[h]
	holder := s.holder(h)
	switch {
	case !ok || holder == "":
		return nil
	case holder != side:
		return []modifier{{1, "captured fortified line", "WB-95 19.1.4"}}
	}
	over, rear := s.overAndRear(attackers, h, full)
	if over <= rear {
		return nil
	}
	cm := modifier{1, "fortified line", "WB-95 19.1.3"}
	for _, u := range s.fresh(h) {
		if !u.soft() && u.defenceSP() > 4 {
			cm = modifier{2, "fortified line", "WB-95 19.1.2"}
		}
	}
	return []modifier{cm}
}
