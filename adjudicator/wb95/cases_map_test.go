package wb95

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

func (r *caseRun) mapOf(at int, text string) {
	var cols, rows int
	if n, _ := fmt.Sscanf(text, "%dx%d", &cols, &rows); n == 2 {
		r.ground = clearGround(cols, rows)
		r.ground.rivers, r.ground.roads = map[string]string{}, map[string]string{}
		return
	}
	if r.chosen = text; strings.Contains(text, " ") {
		r.broken(at, "a map is 8x8 hexes of clear ground, or the name of a scenario")
	}
}

// draw puts on the map what a line of MAP says: ground at once, the rest when
// the position is laid out.
func (r *caseRun) draw(l CaseLine) {
	codes := map[string]byte{"hills": 'h', "forest": 'f', "wooded hills": 'w', "swamps": 's', "town": 't', "city": 'c'}
	what := strings.TrimSpace(regexp.MustCompile(`^[A-Za-z ]+`).FindString(l.Text))
	rest := strings.TrimSpace(strings.TrimPrefix(l.Text, what))
	switch code, ground := codes[what]; {
	case ground:
		for h := range strings.FieldsSeq(rest) {
			at := r.hex(l.At, h)
			row := []byte(r.ground.rows[at.Row()-1])
			row[at.Col()-1] = code
			r.ground.rows[at.Row()-1] = string(row)
		}
	case what == "river" || what == "big river" || what == "Doniec":
		r.ground.rivers[what] += " " + rest
	case what == "main road" || what == "side road":
		r.ground.roads[what] += " " + rest
	case what == "bridge":
		r.ground.bridges += " " + rest
	case strings.HasPrefix(what, "place ") || strings.HasPrefix(what, "zone "):
		kind, name, _ := strings.Cut(what, " ")
		var hexes []hex.Hex
		for h := range strings.FieldsSeq(rest) {
			hexes = append(hexes, r.hex(l.At, h))
		}
		if kind == "zone" {
			r.ground.zones = append(r.ground.zones, board.Zone{ID: name, Hexes: hexes})
		} else {
			r.ground.places = append(r.ground.places, board.Place{Name: name, Hexes: hexes, Size: "town"})
		}
	default:
		r.laying = append(r.laying, l)
	}
}

var caseDefaults = map[Type]piece{
	INF: newPiece("", "", INF, Foot, 4, 2, 101), ARM: newPiece("", "", ARM, Tracked, 8, 2, 101), MOT: newPiece("", "", MOT, Trucked, 7, 2, 101),
	MECH: newPiece("", "", MECH, Tracked, 8, 2, 101), CAV: newPiece("", "", CAV, Foot, 6, 2, 101), ART: newPiece("", "", ART, Trucked, 7, 1, 101),
	HQ: newPiece("", "", HQ, Trucked, 10, 1, 101), AG: newPiece("", "", AG, Tracked, 7, 2, 101), AT: newPiece("", "", AT, Trucked, 6, 1, 101),
	AA: newPiece("", "", AA, Trucked, 6, 1, 101), RG: newPiece("", "", RG, Foot, 0, 1, 101), VS: newPiece("", "", VS, Foot, 4, 1, 101),
	FU: newPiece("", "", FU, Foot, 4, 2, 101), REC: newPiece("", "", REC, Trucked, 8, 2, 101),
}

// unit reads "RED 81 INF: INF, SP 4/2, at 0303, OoS 2" or, on the map of a
// scenario, "SOVIET 81 INF: at 2306".
func (r *caseRun) unit(l CaseLine) {
	head, rest, ok := strings.Cut(l.Text, ":")
	side, name, two := strings.Cut(head, " ")
	if !ok || !two {
		r.broken(l.At, "a unit reads: RED a: INF, SP 4/2, at 0303")
	}
	marks := strings.Split(rest, ",")
	p := piece{u: Unit{Where: OnMap, Supplied: true}}
	if r.chosen == "" {
		d, ok := caseDefaults[Type(strings.TrimSpace(marks[0]))]
		if !ok {
			r.broken(l.At, "%q is no type", marks[0])
		}
		p = d
		p.c.ID, p.c.Name, p.c.Nation, p.u.ID = name, name, side, name
		p.c.Strength = slices.Clone(p.c.Strength)
		p.u.Firing = p.c.Type == ART
		marks = marks[1:]
	}
	p.c.Side, p.c.Name = Side(side), name
	for _, m := range marks {
		r.trait(l.At, &p, strings.TrimSpace(m))
	}
	r.pieces = append(r.pieces, p)
}

func (r *caseRun) trait(at int, p *piece, text string) {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "at":
		p.u.Where, p.u.Hex = OnMap, r.hex(at, rest)
	case "by": // a reinforcement: "by C or Mill"
		p.u.Where, p.u.Hex = Later, hex.None
		if p.u.Due == 0 {
			p.u.Due = 1
		}
		if r.entries == nil {
			r.entries = map[string][]string{}
		}
		r.entries[p.c.Name] = strings.Split(rest, " or ")
	case "waits", "printed": // as the scenario has it: a reinforcement, or set up where it says
		p.u.Where = Later
	case "due":
		p.u.Due = r.number(at, rest)
	case "SP": // the strong side first, as on the counter
		p.c.Strength = nil
		for n := range strings.SplitSeq(rest, "/") {
			p.c.Strength = append([]int{r.number(at, n)}, p.c.Strength...)
		}
		p.u.Steps = len(p.c.Strength)
	case "defence":
		p.c.Defence = []int{r.number(at, rest)}
	case "MP":
		p.c.Moves = Cost(r.number(at, rest)) * One
	case "steps":
		p.u.Steps = r.number(at, rest)
	case "OoS":
		p.u.OoS = r.number(at, rest)
	case "morale":
		p.c.Morale = r.number(at, rest)
	case "of":
		p.c.Parent = rest
	case "nation":
		p.c.Nation = rest
	case "foot", "trucked", "tracked":
		p.c.Class = Class(word)
	case "disorganized":
		p.u.Disorganized = Clock{1, 1}
	case "retreated":
		p.u.Retreated = true
	case "unsupplied":
		p.u.Supplied = false
	case "transport":
		p.u.Firing = false
	case "firing":
		p.u.Firing = true
	case "self-propelled":
		p.c.SelfPro, p.u.Firing = true, false
	case "Panther":
		p.c.Panther = true
	case "Ferdinand":
		p.c.Ferdinand = true
	case "stars": // "stars black black white"
		for colour := range strings.FieldsSeq(rest) {
			if !slices.Contains(colours, Star(colour)) {
				r.broken(at, "%q is no colour of a star", colour)
			}
			p.c.Stars = append(p.c.Stars, Star(colour))
		}
	default:
		r.broken(at, "%q is not understood of a unit", text)
	}
}

// layOut makes the position.
func (r *caseRun) layOut() {
	if r.chosen != "" {
		r.layOutScenario()
	} else {
		r.s = gunnery(r.T, r.ground, r.pieces...)
		r.settle(r.s.sc)
		for id, entry := range r.entries {
			r.s.sc.Arrivals = append(r.s.sc.Arrivals, Arrival{Counter: id, Turn: r.s.unit(id).Due, Entry: entry})
		}
	}
	if r.turn > 0 {
		r.s.Turn = r.turn
	}
	if r.table != "" {
		c, err := parseResult(r.table)
		if err != nil {
			r.broken(r.Case.Line, "TABLE: %v", err)
		}
		decimal := r.s.sc.Combat.Decimal
		r.s.sc.Combat = always(c)
		r.s.sc.Combat.Decimal = decimal
	}
	r.s.Phase = 1
	// What is drawn along hexsides goes before anything that asks for the network.
	for _, l := range r.laying {
		r.layWorks(l)
	}
	for _, l := range r.laying {
		r.lay(l)
	}
	r.s.noteCrowds()
}

// layWorks reads a line of MAP on fixed positions, fortified lines and what only
// some of the books have.
func (r *caseRun) layWorks(l CaseLine) {
	sc, f := r.s.sc, strings.Fields(l.Text)
	facing := func(list []string) (at hex.Hex, from []hex.Hex) {
		for _, h := range list {
			if h != "from" {
				from = append(from, r.hex(l.At, h))
			}
		}
		if len(from) < 2 {
			r.broken(l.At, "it reads: fixed 0304 from 0303 0404")
		}
		return from[0], from[1:]
	}
	switch f[0] {
	case "book":
		id, ok := map[string]string{"KH": "kharkov-1942", "NY": "nysa-1945", "KU": "kursk"}[f[1]]
		if !ok {
			r.broken(l.At, "%q is no book", f[1])
		}
		sc.Profile = builtin(r.T, id).Profile
	case "fixed": // "fixed 0304 from 0303", "fixed 2 0304 from 0303"
		cms, list := 3, f[1:]
		if len(list[0]) == 1 {
			cms, list = r.number(l.At, list[0]), list[1:]
		}
		at, from := facing(list)
		for _, h := range from {
			sc.Fixed = append(sc.Fixed, FixedSide{at, h, cms})
		}
	case "line": // "line BLUE 0304 from 0303"
		at, from := facing(f[2:])
		for _, h := range from {
			sc.Fortified = append(sc.Fortified, FortifiedSide{at, h, Side(f[1])})
		}
	case "mines": // "mines RED 4 until 7", "repairs RED 1": the side that has them
		sc.Scorer, sc.Special.MineDice, sc.Special.MinesLast = Side(f[1]), r.number(l.At, f[2]), r.number(l.At, f[4])
	case "repairs":
		sc.Scorer, sc.Special.Repairs = Side(f[1]), r.number(l.At, f[2])
	}
}

// settle chooses the options of the case.
func (r *caseRun) settle(sc *Scenario) {
	for name, value := range r.settled {
		i := slices.IndexFunc(gameOptions(), func(o gameOption) bool { return o.name == name })
		if i < 0 {
			r.broken(r.Case.Line, "there is no option %q", name)
		}
		if o := gameOptions()[i]; !slices.Contains(o.values, value) || o.fits != nil && !o.fits(sc) {
			r.broken(r.Case.Line, "option %s has no value %q here", name, value)
		}
	}
	sc.choose(r.settled)
	if r.asOf > 0 {
		sc.Readings.AsOf = r.asOf
	}
}

// scenario is the one that is chosen: of its own for a case that alters it.
func (r *caseRun) scenario() *Scenario {
	if altered := len(r.settled) > 0 || r.asOf > 0 || r.table != "" || len(r.laying) > 0; altered {
		return loadNamed(r.T, r.chosen)
	}
	return builtin(r.T, r.chosen)
}

// layOutScenario clears the map of the scenario of all units but those named.
func (r *caseRun) layOutScenario() {
	sc := r.scenario()
	r.settle(sc)
	printed := sc.opening()
	r.s = printed.clone()
	r.s.Forts = nil
	for i := range r.s.Units {
		u := &r.s.Units[i]
		j := slices.IndexFunc(r.pieces, func(p piece) bool { return p.c.Side == u.c.Side && strings.EqualFold(p.c.Name, u.c.Name) })
		if j < 0 { // put aside, not lost: nobody scores for it
			if u.Where == Later {
				u.Due = 1000
				continue
			}
			r.s.lift(u)
			*u = Unit{ID: u.ID, Where: Gone, Away: true, c: u.c, place: u.place}
			continue
		}
		p := r.pieces[j].u
		if p.Where == Later { // "waits", "printed": as the scenario has it
			if f := printed.fort(u.Hex); u.Where == OnMap && f != nil {
				r.s.setFort(u.Hex, f.Kind, f.Side)
			}
			r.pieces = slices.Delete(r.pieces, j, j+1)
			continue
		}
		steps, firing, c := u.Steps, u.Firing, u.c
		if p.Steps > 0 {
			steps = p.Steps
		}
		*u = p
		u.ID, u.c, u.Steps, u.Firing = c.ID, c, steps, firing
		r.pieces = slices.Delete(r.pieces, j, j+1)
	}
	for _, p := range r.pieces {
		r.broken(r.Case.Line, "%s has no unit %s", p.c.Side, p.c.Name)
	}
	r.s.index()
}

// lay reads a line of MAP on works, control and bases.
func (r *caseRun) lay(l CaseLine) {
	f := strings.Fields(l.Text)
	if len(f) < 3 && f[0] != "blown" && f[0] != "book" {
		r.broken(l.At, "%q is not understood of a map", l.Text)
	}
	switch f[0] {
	case "book", "fixed", "line", "mines", "repairs": // layWorks has read it
	case "FF", "IF":
		for _, h := range f[2:] {
			r.s.setFort(r.hex(l.At, h), FortKind(f[0]), Side(f[1]))
		}
	case "control":
		change := map[hex.Hex]Side{}
		for _, h := range f[2:] {
			change[r.hex(l.At, h)] = Side(f[1])
		}
		r.s.setController(change)
	case "supply":
		base := Supply{}
		for _, name := range f[2:] {
			if slices.Contains([]string{"west", "east", "north", "south"}, name) {
				base.Edges = append(base.Edges, name)
			} else {
				base.Places = append(base.Places, name)
			}
		}
		r.s.sc.Supply[Side(f[1])] = base
	case "air": // strength points of every day, and the printed tables
		k := builtin(r.T, "kharkov-1942")
		r.s.sc.AirAttack, r.s.sc.Objects, r.s.sc.Fire = k.AirAttack, k.Objects, k.Fire
		if r.s.sc.Air == nil {
			r.s.sc.Air = map[Side][]int{}
		}
		r.s.sc.Air[Side(f[1])] = slices.Repeat([]int{r.number(l.At, f[2])}, r.s.sc.Turns)
	case "counters": // air counters of which a side flies so many a day: the printed six
		r.s.sc.AirChoice = map[Side]int{Side(f[1]): r.number(l.At, f[2])}
		for _, a := range builtin(r.T, "kursk").AirUnits {
			a.Side = Side(f[1])
			r.s.sc.AirUnits = append(r.s.sc.AirUnits, a)
		}
	case "blown": // bridges of the map that are down
		for _, text := range f[1:] {
			r.s.setBridge(r.edge(l.At, text), false)
		}
	case "shuns": // shuns RED Soviet: a nation whose supply goes round enemy towns
		r.s.sc.Notes.ShunTowns = append(r.s.sc.Notes.ShunTowns, f[2])
	case "exit": // exit RED S 3 0301 0401: steps of tanks that win when they leave by those hexes
		goal := Strategic{Side: Side(f[1]), Kind: "exit", Zone: f[2], Count: r.number(l.At, f[3]), Types: []Type{ARM, MECH}, When: "moment", Text: "they are off"}
		for _, h := range f[4:] {
			goal.Hexes = append(goal.Hexes, r.hex(l.At, h))
		}
		r.s.sc.Strategic = append(r.s.sc.Strategic, goal)
	case "lost": // lost GERMAN HQ V: a unit of the scenario that is lost already
		name := strings.Join(f[2:], " ")
		for i := range r.s.Units {
			if u := &r.s.Units[i]; u.c.Side == Side(f[1]) && u.c.Name == name && (u.Where == Gone || u.Due == 1000) {
				*u = Unit{ID: u.ID, Where: Gone, c: u.c, place: u.place}
				return
			}
		}
		r.broken(l.At, "%s has no unit %s that stands nowhere", f[1], name)
	case "allowance":
		r.s.sc.Allowance[f[1]] = Cost(r.number(l.At, f[2])) * One
	case "range":
		r.s.sc.HQRange[f[1]] = r.number(l.At, f[2])
	case "barrage": // barrage RED 1 2 8: turns 1 to 2, eight ammunition units
		if len(f) != 5 {
			r.broken(l.At, "a barrage reads: barrage RED 1 2 8")
		}
		r.s.sc.Barrages = append(r.s.sc.Barrages, Barrage{Side(f[1]), r.number(l.At, f[2]), r.number(l.At, f[3]), r.number(l.At, f[4])})
	case "flying": // flying RED SUPPORT 0607 4: a mission that is in the air already
		if len(f) != 5 {
			r.broken(l.At, "a mission reads: flying RED SUPPORT 0607 4")
		}
		r.s.Missions = append(r.s.Missions, Mission{Side: Side(f[1]), Kind: f[2], Hex: r.hex(l.At, f[3]), SP: r.number(l.At, f[4])})
	case "objective":
		o := Objective{Hex: r.hex(l.At, f[1]), Name: f[2], Points: 1}
		if len(f) > 3 {
			o.Side = Side(f[3])
		}
		r.s.sc.Objectives = append(r.s.sc.Objectives, o)
	case "date": // date 1942 12 30: of turn 1
		r.s.sc.Year, r.s.sc.Month, r.s.sc.Day = r.number(l.At, f[1]), r.number(l.At, f[2]), r.number(l.At, f[3])
	default:
		r.broken(l.At, "%q is not understood of a map", l.Text)
	}
}
