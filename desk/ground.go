package desk

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/report/chart"
)

// Layer is something over the printed map that can be shown or not.
type Layer struct {
	Name chart.Layer `json:"name"`
	Says string      `json:"says"`
	// Shown tells that it is unless somebody wants it otherwise.
	Shown bool `json:"shown,omitempty"`
}

// layerWords are all layers in the order in which they are offered.
var layerWords = []Layer{
	{chart.LayerUnits, "Counters", true},
	{chart.LayerArrows, "Moves of my sheet", true},
	{chart.LayerFront, "Front", true},
	{chart.LayerObjectives, "Victory hexes", true},
	{chart.LayerForts, "Works", true},
	{chart.LayerBridges, "Bridges down and built", true},
	{chart.LayerNames, "Names of places", true},
	{chart.LayerRanges, "Ranges of headquarters", true},
	{chart.LayerZones, "Zones of control", false},
	{chart.LayerSupply, "Ground without my supply", false},
	{chart.LayerSight, "Ground that I do not see", false},
}

// layers are those that show something in the game that lies open.
func (d *Desk) layers() (out []Layer) {
	_, zones := d.rules().(adjudicator.Zoner)
	_, supply := d.rules().(adjudicator.Supplier)
	_, sight := d.rules().(adjudicator.Observer)
	has := map[chart.Layer]bool{
		chart.LayerZones: zones, chart.LayerSupply: supply, chart.LayerSight: sight, chart.LayerRanges: slices.ContainsFunc(d.view.Units, commands),
		chart.LayerArrows: d.past == nil, chart.LayerObjectives: len(d.view.Objectives) > 0, chart.LayerForts: len(d.view.Forts) > 0, chart.LayerBridges: len(d.view.Bridges) > 0,
	}
	for _, l := range layerWords {
		if shown, asked := has[l.Name]; shown || !asked {
			out = append(out, l)
		}
	}
	return out
}

// commands tells whether a unit has a range of command that the map draws.
func commands(u view.Unit) bool {
	return u.Range > 0 || u.Card != nil && u.Card.Activates > 0
}

// reckon is what is to be known from a view besides; nothing where the rules are not at hand.
func (d *Desk) reckon(v *view.View) adjudicator.Reckoned {
	game := d.rules()
	if game == nil {
		return adjudicator.Reckoned{}
	}
	if d.reckonedOf != v {
		d.reckonedOf = v
		d.reckoned, _ = adjudicator.Reckon(game, v, adjudicator.Side(v.Side)) // before the first turn there is nothing to reckon
	}
	return d.reckoned
}

// rules are those of the game that lies open, nil if they are not at hand.
func (d *Desk) rules() adjudicator.Game {
	switch {
	case d.past != nil:
		return d.past.Rules()
	case d.bench != nil:
		return d.bench.Game
	}
	return nil
}

// Ground says in words what the layers of the map show of a hex, with the units where a sheet leaves
// them.
func (d *Desk) Ground(sheet string, h hex.Hex) (out []string, err error) {
	if d.view == nil {
		return nil, errNothing
	}
	v, _ := d.shown(sheet)
	known := d.reckon(v)
	var zones []string
	for _, z := range known.Zones {
		if slices.Contains(z.Hexes, h) {
			zones = append(zones, z.Side)
		}
	}
	if len(zones) > 0 {
		out = append(out, "zone of control of "+strings.Join(zones, " and "))
	}
	if known.Supply != nil && !slices.Contains(known.Supply, h) {
		out = append(out, "no supply of ours comes here")
	}
	if known.Sight != nil && !slices.Contains(known.Sight.Hexes, h) {
		out = append(out, "not seen by any unit of ours")
	}
	for _, o := range v.Objectives {
		if o.Hex == h {
			out = append(out, prize(o))
		}
	}
	return out, nil
}

// prize says who holds a victory hex.
func prize(o view.Objective) string {
	holder := "nobody's"
	if o.Owner != "" {
		holder = "held by " + o.Owner
	}
	if o.Points == 0 {
		return "a victory hex, " + holder
	}
	return fmt.Sprintf("a victory hex of %d points, %s", o.Points, holder)
}

// usual tells whether a layer is shown unless somebody wants it otherwise.
func usual(name chart.Layer) bool {
	i := slices.IndexFunc(layerWords, func(l Layer) bool { return l.Name == name })
	return i >= 0 && layerWords[i].Shown
}

// Overview is the board drawn small and plain, and where the places of the map lie on it: at
// X + Across*x and Y + Down*y.
type Overview struct {
	SVG    string  `json:"svg"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Across float64 `json:"across"`
	Down   float64 `json:"down"`
}

// Overview draws it.
func (d *Desk) Overview() (*Overview, error) {
	if d.view == nil {
		return nil, errNothing
	}
	small, large := chart.Overview(d.view, nil, nil, nil), picture(d.view, chart.Options{})
	out := &Overview{}
	out.Width, out.Height = small.Size()
	from, to := large.Lattice(), small.Lattice()
	out.Across, out.Down = to.Q/from.Q, to.H/from.H
	first := slices.Min(slices.Collect(maps.Keys(from.At))) // it is the same for all
	out.X, out.Y = to.At[first][0]-out.Across*from.At[first][0], to.At[first][1]-out.Down*from.At[first][1]
	var b bytes.Buffer
	err := small.BoardSVG(&b)
	out.SVG = b.String()
	return out, err
}
