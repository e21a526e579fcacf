package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// Award is points of another kind than for a hex under control. Its kinds are in
// awards.go.
type Award struct {
	Kind       string
	Side       Side // the only side that it counts for, "" for both
	Points     int
	Text       string // in words, for players
	Hexes      []hex.Hex
	Places     []string
	Formations []string
	Nations    []string
	Once       bool // for all hexes together, not for each
	From, To   int  // columns
	// Players are who gets the points in a game for three; nil: the side.
	Players []Side
}

// Grade is a line of a victory scale: what the points of the scorer are worth from
// that number on; without a scorer, what it is worth to lead by that number.
type Grade struct {
	From int
	Side Side // who has won
	Text string
}

// Share is how much of its movement points a unit has.
type Share string

// The shares of units that are held back; "" is all.
const (
	noMoves   Share = "none"
	halfMoves Share = "half"
)

// Slow is a unit that is held back: until a turn, or as it enters.
type Slow struct {
	Until int // the last turn; 0: in the turn it enters
	Share Share
}

// FortifiedSide is a hexside of a fortified line: Hex is behind the line, From the
// hex from which an attack meets it.
type FortifiedSide struct {
	Hex, From hex.Hex
	Side      Side // whose line
}

// Special is what the data carry for chapters 17 and 18.
type Special struct {
	Repairs   int // Repair counters
	MineDice  int // dice for losses on mines in each Supply Phase of the scorer
	MinesLast int // the last turn with them
	// Fronts, if there are several, have markers and dice of their own instead.
	Fronts []Front
}

type specialTable struct {
	Repairs  int    `toml:"repair_counters"`
	MineDice int    `toml:"mine_dice"`
	Mines    string `toml:"mines_until"`
	Fronts   []struct {
		Name     string
		From, To int
		Repairs  int `toml:"repair_counters"`
		MineDice int `toml:"mine_dice"`
	} `toml:"front"`
}

// special reads what only some of the books have: awards and scales, units that are
// held back, fortified lines, air counters. Their files may be missing.
func (l *loader) special() {
	f, sc := &l.file, l.sc
	if f.Scorer != "" && !l.side(f.Scorer) {
		l.fault(`"`+string(f.Scorer)+`"`, "%q is not a side of the scenario", f.Scorer)
	}
	sc.Scorer, sc.AirChoice = f.Scorer, f.AirChoice
	l.awards()
	for i, g := range f.Scale {
		if !l.side(g.Side) || g.Text == "" || !l.rises(i) {
			l.fault(`"`+g.Text+`"`, "a scale needs a side and a text in each line, and with a scorer it rises from 0")
		}
	}
	sc.Scale = f.Scale
	for _, e := range f.Broken {
		if !sc.Board.Bridge(e) {
			l.fault(`"`+e.String()+`"`, "there is no bridge %v to be destroyed", e)
		}
	}
	sc.Broken = f.Broken
	l.destroyed(sc.Board)
	sc.Special = Special{Repairs: f.Special.Repairs, MineDice: f.Special.MineDice}
	if f.Special.Mines != "" {
		if sc.Special.MinesLast = sc.turnOf(f.Special.Mines); sc.Special.MinesLast == 0 {
			l.fault(`"`+f.Special.Mines+`"`, "%q is not a day of the game", f.Special.Mines)
		}
	}
	for _, t := range f.Special.Fronts {
		sc.Special.Fronts = append(sc.Special.Fronts, Front(t))
	}
	l.withdrawals()
	l.slow()
	l.fortified()
	l.fixed()
	l.airUnits()
}

// rises tells whether a line of the scale of a scorer asks for more points than the one
// before, the first one for none.
func (l *loader) rises(i int) bool {
	scale := l.file.Scale
	switch {
	case l.file.Scorer == "":
		return true
	case i == 0:
		return scale[i].From == 0
	}
	return scale[i].From > scale[i-1].From
}

// turnOf is the turn of a date such as 1943-07-11, 0 if it is no day of the game.
func (sc *Scenario) turnOf(date string) int {
	y, m, d := sc.Year, sc.Month, sc.Day
	for turn := 1; turn <= sc.Turns; turn++ {
		if date == fmt.Sprintf("%04d-%02d-%02d", y, m, d) {
			return turn
		}
		if d++; d > daysIn(y, m) {
			d, m = 1, m+1
		}
		if m > 12 {
			m, y = 1, y+1
		}
	}
	return 0
}

func (l *loader) slow() {
	for _, r := range l.Optional("slow.tsv", "counter", "until", "share") {
		id := r.Text("counter")
		if l.used[id] == "" {
			r.Fault("counter", "no counter %q of this scenario", id)
			continue
		}
		w := Slow{Share: Share(r.OneOf("share", string(noMoves), string(halfMoves)))}
		if r.Text("until") != "entry" {
			w.Until = l.turn(r, "until")
		}
		if l.sc.Slow == nil {
			l.sc.Slow = map[string]Slow{}
		}
		if _, twice := l.sc.Slow[id]; twice {
			r.Fault("counter", "%q stands twice", id)
		}
		l.sc.Slow[id] = w
	}
}

func (l *loader) fortified() {
	seen := map[FortifiedSide]bool{}
	for _, r := range l.Optional("fortified.tsv", "line", "side", "hexsides") {
		side := Side(r.Text("side"))
		if !l.side(side) {
			r.Fault("side", "%q is not a side of the scenario", side)
		}
		for _, t := range strings.Fields(r.Text("hexsides")) {
			facing, ok := l.facing(t)
			f := FortifiedSide{facing.Hex, facing.From, side}
			if !ok || seen[f] {
				r.Fault("hexsides", "%q is not a hexside of the map, defended>attacker, or stands twice", t)
				continue
			}
			seen[f] = true
			l.sc.Fortified = append(l.sc.Fortified, f)
			l.sc.Board.Print("fortified line", r.Text("line"), string(side), facing)
		}
	}
}

// facing reads a hexside that is defended from one hex against another: 2104>2204.
func (l *loader) facing(t string) (f board.Facing, ok bool) {
	behind, from, _ := strings.Cut(t, ">")
	h, err1 := hex.Parse(behind)
	n, err2 := hex.Parse(from)
	if cmp.Or(err1, err2) != nil {
		return f, false
	}
	f = board.Facing{Hex: h, From: n}
	b := l.sc.Board
	return f, b.On(h) && b.On(n) && b.Grid.Adjacent(h, n)
}

// fixed reads the fixed positions of the map.
func (l *loader) fixed() {
	for _, r := range l.Optional("fixed.tsv", "line", "hexsides", "cms") {
		for _, t := range strings.Fields(r.Text("hexsides")) {
			facing, ok := l.facing(t)
			if !ok {
				r.Fault("hexsides", "%q is not a hexside of the map, defended>attacker", t)
				continue
			}
			l.sc.Fixed = append(l.sc.Fixed, FixedSide{facing.Hex, facing.From, r.Int("cms")})
			l.sc.Board.Print("fixed positions", r.Text("line"), "", facing)
		}
	}
}

func (l *loader) airUnits() {
	for _, r := range l.Optional("air-counters.tsv", "counter", "side", "strength", "traits") {
		a := AirUnit{Name: r.Text("counter"), Side: Side(r.Text("side")), Strength: r.Int("strength"), White: r.OneOf("traits", "-", "white star") != "-"}
		switch {
		case !l.side(a.Side), a.Name == "", a.Strength < 1:
			r.Fault("counter", "an air counter needs a name, a side of the scenario and points")
		}
		l.sc.AirUnits = append(l.sc.AirUnits, a)
	}
}

// share is how much of its movement points the unit has today.
func (s *State) share(u *Unit) Share {
	w, ok := s.sc.Slow[u.ID]
	if !ok {
		return ""
	}
	// reading WB-95 11.1: the first turn of a reserve is the turn in which it enters.
	entering := w.Until == 0 && u.Where == Later
	if entering || s.Turn <= w.Until {
		return w.Share
	}
	return ""
}

// crossed is the key under which a crossing is remembered.
func (a Award) crossed() string { return "award " + a.Text }

// noteCrossings remembers the rivers that the scorer has crossed.
//
// reading WB-95 2.2: a river is crossed when a ground unit stands on its far bank at the end of a
// Supply Phase; it counts once and for good.
func (s *State) noteCrossings() {
	if s.sc.Scorer == "" {
		return
	}
	for _, a := range s.sc.Awards {
		if a.Kind != awardCross || s.Opened[a.crossed()] > 0 {
			continue
		}
		if slices.ContainsFunc(a.Hexes, func(h hex.Hex) bool { return s.holder(h) == s.sc.Scorer }) {
			s.open(a.crossed())
		}
	}
}
