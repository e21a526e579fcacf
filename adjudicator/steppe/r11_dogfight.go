package steppe

import (
	"fmt"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// dogfight is fought when a fighter meets air units of the enemy. It reports whether it
// was fought.
//
// Steppe 10.1/18
//
// reading Steppe 11.1: fighters that nobody opposes give their modifier (switch
// dogfight_needs_both). The sums of all dice of a side are compared; the loser loses as many as the
// high sum holds the low one. Fighters that fought are flown; close air support counts if it
// survives, but not where its side had no fighter, except on equal dice (switch
// tie_unescorted_cas_stays).
func (c *combat) dogfight(pool [2]*Pool) bool {
	if !c.airMeets() {
		return false
	}
	thrown := [2]airDice{c.airDice(attacker), c.airDice(defender)}
	a, d := thrown[attacker].sum, thrown[defender].sum
	if a == d {
		c.tellDogfight(thrown, "a draw: all fighters are aborted") // Steppe 11.1/6
		c.abortOnDraw()
		return true
	}
	win := attacker
	if d > a {
		win = defender
	}
	lose := win.foe()
	kills := min(c.kills(win, thrown), c.flown[lose].size())
	unescorted := [2]bool{c.flown[attacker].f == 0, c.flown[defender].f == 0}
	outcome := fmt.Sprintf("the %v loses %d", lose, kills)
	for _, k := range roles {
		if unescorted[k] && c.flown[k].c > 0 {
			outcome += fmt.Sprintf(", close air support of the %v is aborted", k)
		}
	}
	c.tellDogfight(thrown, outcome)
	for n := range kills {
		c.shootDown(lose, pool[lose], n+1)
	}
	for _, k := range roles {
		if unescorted[k] {
			c.flown[k].c = 0 // Steppe 11.1/11
		}
	}
	return true
}

// airMeets tells whether there is a dogfight.
//
// Steppe 11.1/1
func (c *combat) airMeets() bool {
	a, d := c.flown[attacker], c.flown[defender]
	switch {
	case a.f+d.f == 0:
		return false
	case !c.s.sc.Switches.DogfightNeedsBoth:
		return true
	}
	return a.size() > 0 && d.size() > 0
}

// airDice is what a side threw in a dogfight.
type airDice struct {
	sum   int
	label string // of the throw; "" if it had nothing to throw for
	text  string
}

// airDice throws for a side: a die for each of its fighters.
//
// Steppe 11.1/2
func (c *combat) airDice(k role) airDice {
	n := c.flown[k].f
	if n == 0 {
		n = c.flown[k].c // Steppe 11.1/8
	}
	if n == 0 {
		return airDice{}
	}
	t := airDice{label: fmt.Sprintf("dogfight %s %v", c.base, k)}
	var parts []string
	for _, v := range c.r.Roll("Steppe 11.1", t.label, n, 6) {
		t.sum += v
		parts = append(parts, strconv.Itoa(v))
	}
	t.text = fmt.Sprintf("dice %s (%s)", strings.Join(parts, " "), t.label)
	return t
}

func (c *combat) tellDogfight(thrown [2]airDice, outcome string) {
	e := c.eventHere("dogfight", "Steppe 11.1", "", view.Pairs{"hex", c.s.spot(c.target), "outcome", outcome,
		"attacker", thrown[attacker].text, "defender", thrown[defender].text,
		"sums", fmt.Sprintf("%d against %d", thrown[attacker].sum, thrown[defender].sum)})
	e.Rolls = []string{}
	for _, t := range thrown {
		if t.label != "" {
			e.Rolls = append(e.Rolls, t.label)
		}
	}
	c.r.Tell(e)
}

// abortOnDraw: fighters are flown, close air support stays; by the switch even where it
// had no fighter.
//
// Steppe 11.1/7
func (c *combat) abortOnDraw() {
	for _, k := range roles {
		if c.flown[k].f == 0 && !c.s.sc.Switches.TieUnescortedCASStays {
			c.flown[k].c = 0
		}
	}
}

// kills is how many air units the winner destroys: as often as the high sum holds the
// low one.
//
// Steppe 11.1/3
// Steppe 11.1/4
func (c *combat) kills(win role, thrown [2]airDice) int {
	if c.flown[win].f == 0 {
		return 0 // Steppe 11.1/9
	}
	return thrown[win].sum / max(thrown[win.foe()].sum, 1) // Steppe 11.1/5
}

// shootDown destroys an air unit of the loser's choice.
//
// Steppe 11.1/10
func (c *combat) shootDown(k role, p *Pool, n int) {
	side := c.sideOf(k)
	var options []adjudicator.Option
	if c.flown[k].f > 0 {
		options = append(options, adjudicator.Option{Answer: answerFighter, Means: "lose a fighter"})
	}
	if c.flown[k].c > 0 {
		options = append(options, adjudicator.Option{Answer: answerCAS, Means: "lose close air support"})
	}
	label := fmt.Sprintf("dogfight-loss %s %v %d", c.base, k, n)
	answer := c.r.Ask(adjudicator.Decision{Label: label, Kind: kindDogfight,
		Side: side, Clause: "Steppe 11.1", Options: options, Proposal: options[0].Answer,
		Source: "doctrine: fighters first"})[0]
	unit := "fighter"
	if answer == answerFighter {
		c.flown[k].f--
		p.Fighters--
	} else {
		unit = "close air support"
		c.flown[k].c--
		p.CAS--
	}
	c.r.Tell(view.Event{Kind: "air-lost", Clause: "Steppe 11.1", Side: string(side),
		Facts: view.Pairs{"side", sideTitle(side), "unit", unit}})
}
