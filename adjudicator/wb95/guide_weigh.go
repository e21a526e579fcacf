package wb95

import (
	"errors"
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
)

// Weigh implements adjudicator.Guide.
func (a *guide) Weigh(section, order string) (*adjudicator.Forecast, error) {
	w := phrase.Read(strings.ToUpper(order))
	out := &adjudicator.Forecast{Order: order}
	word, phase, _ := strings.Cut(strings.ToUpper(section), " ")
	switch word {
	case "ATTACK":
		o, v := a.now.s.parseAttack(a.now.by, w)
		if v != nil {
			return nil, v
		}
		if o.fire == nil {
			a.weighAttack(out, o)
			return out, nil
		}
		return out, a.weighFire(out, a.now.s, *o.fire, 1)
	case "BARRAGE":
		o, v := a.dawn.s.parseFire(a.dawn.by, w)
		if v != nil {
			return nil, v
		}
		return out, a.weighFire(out, a.dawn.s, o, 2)
	case "AIR":
		return out, a.weighMission(out, phase, w)
	}
	return nil, fmt.Errorf("nothing of the section %s can be weighed", section)
}

// ways is in how many of 36 throws two dice come to a sum.
func ways(roll int) int { return 6 - abs(roll-7) }

// weighAttack is an attack by the Combat Table.
func (a *guide) weighAttack(out *adjudicator.Forecast, o attackOrder) {
	s := a.now.s
	w := s.weighOrder(a.now.side, o, o.full)
	out.Text, out.Attack, out.Defence, out.First, out.Column, out.Dice = w.String(), w.attack, w.defence, w.ratio, w.final, w.dice
	for _, m := range w.forA {
		out.Shifts = append(out.Shifts, adjudicator.Shift{What: m.why, By: m.cm, Clause: m.clause})
	}
	for _, m := range w.forD {
		out.Shifts = append(out.Shifts, adjudicator.Shift{What: m.why, By: -m.cm, Clause: m.clause})
	}
	for roll := 2; roll <= 12; roll++ {
		c := s.sc.Combat.cell(roll+w.dice, w.column)
		out.Results = append(out.Results, adjudicator.Result{Roll: roll, Ways: ways(roll), Of: 36, Text: c.Text,
			OurLoss: c.ALoss, TheirLoss: c.DLoss, OurHexes: c.ARetreat, TheirHexes: c.DRetreat})
	}
}

// weighFire is ranged fire, or a barrage that counts twice.
func (a *guide) weighFire(out *adjudicator.Forecast, s *State, o fireOrder, factor int) error {
	if o.bridge != nil {
		out.Attack = fireInAttack(o.guns, false)
		a.weighStrike(out, s.sc.Objects.row(out.Attack))
		out.Text = fmt.Sprintf("%s fire with %d", names(o.guns), out.Attack)
		return nil
	}
	out.Attack = factor * fireInAttack(o.guns, false)
	if sp, _ := s.backing(a.now.side, []hex.Hex{o.target}); factor == 1 && sp > 0 {
		out.Attack += sp
	}
	for _, m := range s.groundCMs(o.target) {
		out.Shifts = append(out.Shifts, adjudicator.Shift{What: m.why, By: -2 * m.cm, Clause: "WB-95 6.4.2"})
	}
	left := out.Attack - 2*sum(s.groundCMs(o.target))
	out.Column = fmt.Sprintf("%d SP", max(0, left))
	out.Text = fmt.Sprintf("%s fire with %d, less %d for the ground", names(o.guns), out.Attack, out.Attack-left)
	for roll := 2; left > 0 && roll <= 12; roll++ {
		c := s.sc.Fire.at(left, roll)
		out.Results = append(out.Results, adjudicator.Result{Roll: roll, Ways: ways(roll), Of: 36, Text: c.Text, TheirLoss: c.Loss})
	}
	return nil
}

// weighMission is an air attack on units or a bridge, or what an attack support adds.
func (a *guide) weighMission(out *adjudicator.Forecast, phase string, w phrase.Written) error {
	if a.v.Air == nil {
		return errors.New("this scenario gives no air strength")
	}
	s := a.dawn.s
	turn := a.v.Turn
	for _, p := range a.v.Air.Phases {
		if phase == fmt.Sprint(p.Phase) {
			turn = p.Turn
		}
	}
	m, v := s.parseMission(a.dawn.side, w, turn)
	if v != nil {
		return v
	}
	out.Attack, out.Text = m.SP, m.String()
	switch m.Kind {
	case airStrike:
		left, ground := s.underCover(m.SP, m.Hex)
		if left < m.SP {
			out.Shifts = []adjudicator.Shift{{What: ground, By: left - m.SP, Clause: "WB-95 8.2.7"}}
		}
		a.weighStrike(out, s.sc.AirAttack.down(left, s.starShift(m)))
	case airBridge:
		a.weighStrike(out, s.sc.Objects.row(m.SP))
	}
	return nil
}

// weighStrike is a row of a table of air attacks or of fire on objects.
func (a *guide) weighStrike(out *adjudicator.Forecast, row *StrikeRow) {
	if row == nil {
		out.Column = "too weak to throw for"
		return
	}
	out.Column = row.name()
	for roll := 2; roll <= 12; roll++ {
		c := row.Cells[roll]
		out.Results = append(out.Results, adjudicator.Result{Roll: roll, Ways: ways(roll), Of: 36, Text: c.words(), TheirLoss: c.Loss})
	}
}
