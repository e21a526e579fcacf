package rulebook

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"fieldpost/adjudicator/wb95"
	"fieldpost/scenarios"
)

// joint is where a loss follows another part of a result.
var joint = regexp.MustCompile(`(\pL|\d|•)-(\d)`)

// Attack is what a player asks the Combat Table: strengths after every halving,
// column modifiers of both sides, and what is added to the dice.
type Attack struct{ Attack, Defence, CMAttack, CMDefence, DRM int }

// PrintOdds prints an attack read off the Combat Table of a system.
func PrintOdds(w io.Writer, system string, a Attack) error {
	if system != "wb95" {
		return fmt.Errorf("no combat table of %q; there is wb95", system)
	}
	if a.Attack <= 0 || a.Defence < 0 {
		return errors.New("an attack needs strength points, and a defence has none or some")
	}
	pack, err := scenarios.Open("kharkov-1942") // all books print the same table
	if err != nil {
		return err
	}
	sc, err := wb95.Load(pack)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, tell(a, sc.Combat.Odds(a.Attack, a.Defence, a.CMAttack, a.CMDefence, a.DRM)))
	return err
}

func tell(a Attack, o wb95.OddsTable) string {
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
		line(dice, percent(r.Ways), result, suffers(c.ARetreat, c.ALoss, c.ADisorg, c.ATest), suffers(c.DRetreat, c.DLoss, c.DDisorg, false))
	}
	fmt.Fprintf(&p, "\nthe defender must retreat %s, the attacker falls back %s, tests his order %s\n", percent(o.Retreats), percent(o.Repulsed), percent(o.Tests))
	fmt.Fprintf(&p, "to be expected: attacker -%s steps, defender -%s steps and %s hexes of retreat\n",
		by36(o.AttackerSteps), by36(o.DefenderSteps), by36(o.RetreatHexes))
	p.WriteString("(* the attacker tests his order; the defender may pay a step for each hex he does not retreat)\n")
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

func percent(of36 int) string { return fmt.Sprintf("%d %%", (of36*100+18)/36) }

// by36 writes n/36 with two decimals.
func by36(n int) string {
	h := (n*100 + 18) / 36
	return fmt.Sprintf("%d.%02d", h/100, h%100)
}
