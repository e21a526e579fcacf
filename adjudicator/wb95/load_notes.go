package wb95

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// Notes is what the notes of a scenario add to the rules. An empty field adds nothing.
type Notes struct {
	Limits   []Limit
	Pontoons []string // formations with a pontoon bridge
	// HQNations lists the nations whose headquarters lead only their own nation,
	// HQAtHome those of them that lead only in defence and only on their own hex.
	HQNations, HQAtHome []string
	// ShunTowns lists the nations whose supply goes round unoccupied enemy towns
	// even where friendly units stand beside them.
	ShunTowns []string
	Apart     *Apart
	Defection *Defection
	Saved     *SavedAir
	AirDays   *AirDays
}

// Limit keeps units from moving as they would.
type Limit struct {
	Nations []string // whom it is for, or
	Units   []string // the ids of counters
	// Column is the last column from the west that they may enter, 0 for any.
	Column int
	Rivers []string  // names of rivers that they never cross
	Place  string    // they never leave it
	hexes  []hex.Hex // of Place
	banks  map[hex.Edge]bool
	// ADay is how many of them may enter the map in a day, 0 for any number.
	ADay int
	// Still is the last turn in which they are not activated.
	Still int
	Text  string // in words, for players
	// Two: it is for a game of two players only.
	Two bool
}

// Apart are two groups of nations of one side that are allies and no friends:
// the first moves first and may pass through the second, not the other way round.
type Apart struct {
	First, Second []string
	Penalty       int // combat modifiers against an attack that both make
	Text          string
}

// Defection is a nation of which each unit may change sides before the game.
type Defection struct {
	Nation string
	To     Side
	// Attacks are the nations of their new side that they must attack when beside them.
	Attacks []string
	Host    string // the nation whose headquarters take them in, and as which they are supplied
}

// SavedAir lets a side use air strength of past days.
type SavedAir struct {
	Side Side
	Keep int // most points of a day that are kept
	Most int // most kept points that are used in a day
}

// notesTable is what scenario.toml says of Notes.
type notesTable struct {
	Limits    []limitTable `toml:"limit"`
	Pontoons  []string     `toml:"pontoons"`
	HQNations []string     `toml:"hq_own_nation"`
	HQAtHome  []string     `toml:"hq_own_hex"`
	ShunTowns []string     `toml:"supply_shuns_towns"`
	Apart     *Apart       `toml:"apart"`
	Defection *struct {
		Nation, Host string
		Attacks      []string
		To           Side
	} `toml:"defection"`
	Saved   *SavedAir `toml:"saved_air"`
	AirDays *AirDays  `toml:"air_days"`
}

type limitTable struct {
	Nations, Units []string
	Column         int `toml:"last_column"`
	Rivers         []string
	Place          string
	ADay           int    `toml:"a_day"`
	Still          string `toml:"still_until"`
	Two            bool   `toml:"two_players"`
	Text           string
}

// notes reads the notes of the scenario.
func (l *loader) notes() {
	f, n := &l.file.Notes, &l.sc.Notes
	for _, list := range [][]string{f.HQNations, f.HQAtHome, f.ShunTowns} {
		l.nations(list)
	}
	for _, name := range f.Pontoons {
		if !slices.ContainsFunc(l.sc.Counters, func(c Counter) bool { return c.Formation == name }) {
			l.fault(`"`+name+`"`, "no counter belongs to %q", name)
		}
	}
	*n = Notes{Pontoons: f.Pontoons, HQNations: f.HQNations, HQAtHome: f.HQAtHome, ShunTowns: f.ShunTowns, Apart: f.Apart, Saved: f.Saved, AirDays: f.AirDays}
	for _, t := range f.Limits {
		l.limit(t)
	}
	if a := f.Apart; a != nil {
		l.nations(slices.Concat(a.First, a.Second))
		switch {
		case len(a.First) == 0, len(a.Second) == 0, a.Penalty < 0, a.Text == "":
			l.fault("apart", "two groups of nations, a penalty and a text are expected")
		}
	}
	if d := f.Defection; d != nil {
		l.nations(append([]string{d.Nation, d.Host}, d.Attacks...))
		if !l.side(d.To) {
			l.fault(`"`+string(d.To)+`"`, "%q is not a side of the scenario", d.To)
		}
		n.Defection = &Defection{Nation: d.Nation, To: d.To, Host: d.Host, Attacks: d.Attacks}
	}
	if a := f.Saved; a != nil {
		if !l.side(a.Side) || min(a.Keep, a.Most) < 1 {
			l.fault("saved_air", "a side and points are expected")
		}
	}
	if a := f.AirDays; a != nil {
		switch {
		case !l.side(a.Side), len(a.Points) == 0, len(a.Points) > l.sc.Turns, slices.Min(a.Points) < 1:
			l.fault("air_days", "a side and the points of its days are expected")
		}
	}
}

func (l *loader) limit(t limitTable) {
	b := l.sc.Board
	m := Limit{Nations: t.Nations, Units: t.Units, Column: t.Column, Rivers: t.Rivers, Place: t.Place, ADay: t.ADay, Text: t.Text, Two: t.Two, banks: map[hex.Edge]bool{}}
	l.nations(t.Nations)
	for _, id := range t.Units {
		if !slices.ContainsFunc(l.sc.Counters, func(c Counter) bool { return c.ID == id }) {
			l.fault(`"`+id+`"`, "no counter %q in this scenario", id)
		}
	}
	for _, name := range t.Rivers {
		known := false
		for _, r := range b.Rivers {
			if r.Name != name {
				continue
			}
			known = true
			for _, e := range r.Edges {
				m.banks[e] = true
			}
		}
		if !known {
			l.fault(`"`+name+`"`, "no river %q in hexsides.tsv", name)
		}
	}
	if t.Place != "" {
		m.hexes = l.area(hexTable{Places: []string{t.Place}})
	}
	if t.Still != "" {
		if m.Still = l.sc.turnOf(t.Still); m.Still == 0 {
			l.fault(`"`+t.Still+`"`, "%q is not a day of the game", t.Still)
		}
	}
	if t.Text == "" || len(t.Nations)+len(t.Units) == 0 {
		l.fault(`"`+t.Text+`"`, "a limit wants a text and the nations or counters it is for")
	}
	l.sc.Notes.Limits = append(l.sc.Notes.Limits, m)
}

// of tells whether the limit is for the counter.
func (m *Limit) of(c *Counter) bool {
	return slices.Contains(m.Nations, c.Nation) || slices.Contains(m.Units, c.ID)
}
