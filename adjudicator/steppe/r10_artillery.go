package steppe

import (
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// artillery is the support markers that the attacker adds.
//
// Steppe 10.1/19
//
// reading Steppe 2.4: artillery markers come from the headquarters that is activated, for the
// attacks of that activation; the numeral is the total over all of them, and several may go to one
// attack. None for an individual hex, none ever for the defender.
func (c *combat) artillery(o odds) int {
	// The markers are those of the activated headquarters, for its own command alone.
	//
	// Steppe 2.4/2
	// Steppe 2.4/11
	if c.markers == 0 {
		return 0
	}
	n, source := c.in.arty, "your order"
	if n == byDoctrine {
		n, source = c.markersByDoctrine(o), "doctrine"
	}
	var options []adjudicator.Option
	for k := 0; k <= c.markers; k++ {
		means := strconv.Itoa(k) + " artillery markers"
		options = append(options, adjudicator.Option{Answer: strconv.Itoa(k), Means: means})
	}
	answer := c.r.Ask(adjudicator.Decision{Label: "artillery " + c.base, Kind: kindArtillery, Side: c.side,
		Clause: "Steppe 10.1", Options: options, Proposal: strconv.Itoa(min(n, c.markers)), Source: source,
		Ordered: c.in.arty != byDoctrine})[0]
	n, _ = strconv.Atoi(answer) // one of the options
	c.markers -= n              // Steppe 2.4/3
	if n > 0 {
		c.tellHere("artillery", "Steppe 10.1", c.side,
			view.Pairs{"hq", c.name, "markers", strconv.Itoa(n), "hex", c.s.spot(c.target)})
	}
	return n
}

// goodRetreat is the chance, in percent, of a retreat that is enough by doctrine.
const goodRetreat = 70

// markersByDoctrine is how many markers an attack gets by doctrine: all for a key hex,
// else as many as make a retreat likely.
func (c *combat) markersByDoctrine(o odds) int {
	if c.in.key || c.doc.isKey(c.target) {
		return c.markers
	}
	n := 0
	for n < c.markers && c.s.sc.retreatChance(o, c.drm+n)*100 < goodRetreat*36 {
		n++
	}
	return n
}
