package wb95

import (
	"fmt"
	"regexp"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/table"
)

// joint is where a loss follows another part of a result.
var joint = regexp.MustCompile(`(\pL|\d|•)-(\d)`)

// TellOdds implements adjudicator.OddsTeller: all books print the same table.
func (System) TellOdds(open func(id string) (table.Source, error), a adjudicator.Attack) (string, error) {
	src, err := open("kharkov-1942")
	if err != nil {
		return "", err
	}
	sc, err := Load(src)
	if err != nil {
		return "", err
	}
	return tellOdds(a, sc.Combat.Odds(a.Attack, a.Defence, a.CMAttack, a.CMDefence, a.DRM)), nil
}

func tellOdds(a adjudicator.Attack, o OddsTable) string {
	var p strings.Builder
	fmt.Fprintf(&p, "%d against %d is %s", a.Attack, a.Defence, o.Ratio)
	if a.CMAttack != 0 || a.CMDefence != 0 {
		fmt.Fprintf(&p, "; modifiers %+d for the attacker, %+d for the defender: column %s", a.CMAttack, a.CMDefence, o.Column)
	}
	if a.DRM != 0 {
		fmt.Fprintf(&p, "; dice %+d", a.DRM)
	}
	p.WriteString("\n\n")
	line := func(dice, chance, result, attacker, defender string) {
		row := fmt.Sprintf("%7s  %6s  %-13s  %-36s  %s", dice, chance, result, attacker, defender)
		p.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	line("dice", "chance", "result", "attacker", "defender")
	for _, r := range o.Rows {
		dice := fmt.Sprint(r.Thrown)
		if r.Row != r.Thrown {
			dice += fmt.Sprintf(" (%d)", r.Row)
		}
		c := r.Result
		result := strings.ReplaceAll(joint.ReplaceAllString(c.Text, "$1 -$2"), "•", "*")
		line(dice, percentOf36(r.Ways), result, suffers(c.ARetreat, c.ALoss, c.ADisorg, c.ATest), suffers(c.DRetreat, c.DLoss, c.DDisorg, false))
	}
	fmt.Fprintf(&p, "\nthe defender must retreat %s, the attacker falls back %s, tests its order %s\n", percentOf36(o.Retreats), percentOf36(o.Repulsed), percentOf36(o.Tests))
	fmt.Fprintf(&p, "to be expected: attacker -%s steps, defender -%s steps and %s hexes of retreat\n",
		by36(o.AttackerSteps), by36(o.DefenderSteps), by36(o.RetreatHexes))
	p.WriteString("(* the attacker tests its order; the defender may pay a step for each hex not retreated)\n")
	return p.String()
}

// suffers says one side's result in words.
func suffers(retreat, loss int, disorganized, test bool) string {
	var parts []string
	if loss > 0 {
		parts = append(parts, fmt.Sprintf("loses %d", loss))
	}
	if retreat > 0 {
		parts = append(parts, fmt.Sprintf("retreats %d", retreat))
	}
	if disorganized {
		parts = append(parts, "is disorganized")
	}
	if test {
		parts = append(parts, "tests")
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

func percentOf36(ways int) string { return fmt.Sprintf("%d %%", (ways*100+18)/36) }

// by36 writes n/36 with two decimals.
func by36(n int) string {
	h := (n*100 + 18) / 36
	return fmt.Sprintf("%d.%02d", h/100, h%100)
}
