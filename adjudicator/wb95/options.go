package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// gameOption is an option, its published reading first.
type gameOption struct {
	name, clause, means string
	values, meanings    []string
	fits                func(*Scenario) bool // the scenarios that have it, nil: all
	other               func(*Scenario)      // what its second value changes in a scenario
	third               func(*Scenario)      // and its third, if it has one
}

// setting is the option as players see it.
func (o gameOption) setting() adjudicator.Setting {
	return adjudicator.Choice(o.name, rule.Clause("WB-95 "+o.clause), o.means, o.values, o.meanings)
}

// gameOptions are the readings that a game may settle otherwise.
func gameOptions() []gameOption {
	return []gameOption{
		// WB-95 4.3.1
		{name: "set-up", clause: "4.3.1", means: "choices that the book leaves in the set-up",
			values: []string{"printed", "choose"}, meanings: []string{"every unit begins on its first printed hex", "both sides choose in secret: the sheet of turn 0 has a section SETUP, an empty one means as printed"},
			other: func(sc *Scenario) { sc.Readings.ChooseSetUp = true }},
		// WB-95 16.1.1
		{name: adjudicator.FogOption, clause: "16.1.1", means: "what a side sees of the enemy",
			values:   []string{string(adjudicator.FogRulebook), string(adjudicator.FogBlind), string(adjudicator.FogOpen)},
			meanings: []string{"where the enemy's stacks are, their content by contact", "only what is in contact, in sight or was reported, as dated notes", "everything on the map"},
			other:    func(sc *Scenario) { sc.Readings.Fog = adjudicator.FogBlind }, third: func(sc *Scenario) { sc.Readings.Fog = adjudicator.FogOpen }},
		// WB-95 1.5/1
		{name: "weak-odds", clause: "1.5/1", means: "the ratio of an attack that is weaker than the defence",
			values: []string{"mirror", "decimal"}, meanings: []string{"the larger by the smaller, rounded, written 1:n: 2 against 3 is 1:2", "rounded as it is down to one half: 2 against 3 is 1:1"},
			other: func(sc *Scenario) { sc.Combat.Decimal = true }},
		// WB-95 4.1.2
		{name: "gun-zones", clause: "4.1.2", means: "whether anti-tank and anti-aircraft guns are regular units, with a zone of control",
			values: []string{"yes", "no"}, meanings: []string{"they are", "they are not: no zone, nothing controlled by it, nobody bound"},
			other: func(sc *Scenario) {
				for i := range sc.Counters {
					c := &sc.Counters[i]
					c.NoZone = c.Type == AT || c.Type == AA
				}
			}},
		// WB-95 5.1.7
		{name: "duties", clause: "5.1.7", means: "a finished sheet that leaves attacks open which the rules demand",
			values: []string{"complete", "return"}, meanings: []string{"they are added, and the answer says which", "the sheet waits unfinished until it has them"},
			other: func(sc *Scenario) { sc.Readings.ReturnDuties = true }},
		// WB-95 5.5.3
		{name: "decisive-tie", clause: "5.5.3", means: "of equally strong hexes under one attack, the one that decides on ground and works",
			values: []string{"defender", "attacker"}, meanings: []string{"the one that gives the defender more", "the one that gives the defender less"},
			other: func(sc *Scenario) { sc.Readings.TieForAttacker = true }},
		// reading WB-95 4.1.3: the Kharkov book calls no river big, so the Doniec is an ordinary one (option doniec).
		{name: "doniec", clause: "4.1.3", means: "the Doniec in the Kharkov book",
			values: []string{"river", "big"}, meanings: []string{"an ordinary river", "a big river: it ends zones of control, and retreats cross it by bridge only"},
			fits:  func(sc *Scenario) bool { return sc.Profile.Book == "KH" && sc.has("Doniec") },
			other: func(sc *Scenario) { sc.amend("Doniec", func(t *Terrain) { t.Big = true }) }},
		// reading WB-95 5.5.1: the Kharkov book gives brooks more than the Doniec, perhaps by swapping two figures; they
		// are as printed (option river-modifiers).
		{name: "river-modifiers", clause: "5.5.1", means: "the modifiers of rivers and of the Doniec, which the Kharkov book may have swapped",
			values: []string{"printed", "swapped"}, meanings: []string{"as printed: river 2, Doniec 1", "river and stream 1, Doniec 2"},
			fits: func(sc *Scenario) bool { return sc.Profile.Book == "KH" && sc.has("Doniec") },
			other: func(sc *Scenario) {
				river, doniec := sc.terrainOf("river").CM, sc.terrainOf("Doniec").CM
				sc.amend("river", func(t *Terrain) { t.CM = doniec })
				sc.amend("stream", func(t *Terrain) { t.CM = doniec })
				sc.amend("Doniec", func(t *Terrain) { t.CM = river })
			}},
		// WB-95 10.2.1
		{name: "supply-tick", clause: "10.2.1", means: "whether time alone raises the out-of-supply level",
			values: []string{"no", "yes"}, meanings: []string{"only what 10.2.3 and 10.2.4 list does", "each further own Supply Phase without a line does, by one"},
			other: func(sc *Scenario) { sc.Readings.SupplyTick = true }},
		// WB-95 15.2.3
		{name: "resilience", clause: "15.2.3", means: "the modifiers of several resilience groups on a hex",
			values: []string{"hex", "group"}, meanings: []string{"one for the hex", "one for each group"},
			other: func(sc *Scenario) { sc.Readings.EachGroup = true }},
		// WB-95 2.1.1
		{name: "players", clause: "2.1.1", means: "how many play",
			values: []string{"two", "three"}, meanings: []string{"one commands all of a side", "the allies of a side have a player each, the second one with phases of their own after the other side's"},
			fits:  func(sc *Scenario) bool { return sc.Third != nil },
			other: (*Scenario).forThree},
		// reading WB-95 22.1.1: the printed sides of the Panthers are lost; each counter has one step (option panthers).
		{name: "panthers", clause: "22.1.1", means: "the steps of the six Panther counters, whose printed sides are lost",
			values: []string{"one", "two"}, meanings: []string{"one: a roll of 1 to 3 eliminates the counter", "two: the second side has half the strength, rounded up"},
			fits: func(sc *Scenario) bool { return slices.ContainsFunc(sc.Counters, onePanther) },
			other: func(sc *Scenario) {
				for i := range sc.Counters {
					if c := &sc.Counters[i]; onePanther(*c) {
						c.Strength = []int{(c.Strength[0] + 1) / 2, c.Strength[0]}
					}
				}
			}},
		// reading WB-95 11.1.1: reinforcements whose lines in the book are lost are invented, or a side could not be
		// played (option stand-ins).
		{name: "stand-ins", clause: "11.1.1", means: "reinforcements whose lines in the book are lost and were invented",
			values: []string{"yes", "no"}, meanings: []string{"they come", "they stay away"},
			fits: func(sc *Scenario) bool { return len(sc.StandIns) > 0 },
			other: func(sc *Scenario) {
				sc.Arrivals = slices.DeleteFunc(sc.Arrivals, func(a Arrival) bool { return slices.Contains(sc.StandIns, a.Counter) })
				sc.Counters = slices.DeleteFunc(sc.Counters, func(c Counter) bool { return slices.Contains(sc.StandIns, c.ID) })
			}},
	}
}

// Settings implements adjudicator.Optional.
func (g *Game) Settings() []adjudicator.Setting {
	var out []adjudicator.Setting
	for _, o := range gameOptions() {
		if o.fits == nil || o.fits(g.plain) {
			out = append(out, o.setting())
		}
	}
	return out
}

// With implements adjudicator.Optional.
func (g *Game) With(values map[string]string) (adjudicator.Game, error) {
	chosen, err := adjudicator.Chosen(g.Settings(), values)
	if err != nil {
		return nil, err
	}
	sc, err := g.under(chosen)
	if err != nil {
		return nil, err
	}
	with := newGame(sc)
	with.chosen, with.asOf, with.src, with.plain, with.variants = chosen, g.asOf, g.src, g.plain, g.variants
	if g.variants != nil {
		with.opening = with.openingOnce()
	}
	return with, nil
}

// under is the scenario with options chosen, under the game's version of the rules.
func (g *Game) under(chosen map[string]string) (*Scenario, error) {
	if len(chosen) == 0 && g.asOf == 0 {
		return cmp.Or(g.plain, g.sc), nil
	}
	if g.src == nil {
		return nil, fmt.Errorf("options %v of a scenario without its files", chosen)
	}
	variant := g.variant(chosen)
	if sc, ok := g.variants.Load(variant); ok {
		return sc.(*Scenario), nil
	}
	sc, err := Load(g.src)
	if err != nil {
		return nil, err
	}
	sc.choose(chosen)
	sc.Readings.AsOf = g.asOf
	g.variants.Store(variant, sc)
	return sc, nil
}

// variant names the scenario under options and a version of the rules.
func (g *Game) variant(chosen map[string]string) string {
	var key []string
	for _, o := range gameOptions() {
		if v := chosen[o.name]; v != "" {
			key = append(key, o.name+"="+v)
		}
	}
	if g.asOf > 0 {
		key = append(key, fmt.Sprintf("version=%d", g.asOf))
	}
	return strings.Join(key, " ")
}

// choose changes a freshly loaded scenario to what is chosen otherwise.
func (sc *Scenario) choose(chosen map[string]string) {
	for _, o := range gameOptions() {
		switch i := slices.Index(o.values, chosen[o.name]); i {
		case 1:
			o.other(sc)
		case 2:
			o.third(sc)
		}
	}
}

// decode reads a position under the options that it says.
func (g *Game) decode(position []byte) (*State, error) {
	s, err := parseState(position)
	if err != nil {
		return nil, err
	}
	sc, err := g.under(s.Options)
	if err != nil {
		return nil, err
	}
	return s, s.attach(sc)
}

// believe is the position that a View tells of, under its options.
func (g *Game) believe(v *view.View) (*State, error) {
	sc, err := g.under(v.Options)
	if err != nil {
		return nil, err
	}
	s, err := sc.believe(v)
	if err == nil {
		s.Options = v.Options
	}
	return s, err
}

// before tells whether the game was begun under rules older than a version, and is decided
// as they did.
func (sc *Scenario) before(version int) bool {
	return sc.Readings.AsOf != 0 && sc.Readings.AsOf < version
}

func (sc *Scenario) has(terrain string) bool { _, ok := sc.terrain[terrain]; return ok }

// amend changes a line of the terrain table.
func (sc *Scenario) amend(name string, change func(*Terrain)) {
	t, ok := sc.terrain[name]
	if !ok {
		return
	}
	change(&t)
	sc.terrain[name] = t
	for i := range sc.Terrain {
		if sc.Terrain[i].Name == name {
			sc.Terrain[i] = t
		}
	}
}
