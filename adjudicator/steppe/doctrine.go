package steppe

import (
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// doctrine is how a side answers what is never asked by mail.
type doctrine struct {
	attack, defend ladder
	rain           rainChoice
	key            []hex.Hex
	losses         []string // names, or WEAKEST, STRONGEST; KG before all
	keep           []string
	stand          stand
	standAt        []hex.Hex
	toward         hex.Hex
	shun           []string // terrain
	antiTank       gunTarget
	cancel         bool // after an anti-tank hit below MIN; default true
	advance        advance
}

// rainChoice is the pools whose fighter and whose close air support fly in rain, "" for
// the first that has one.
type rainChoice struct{ fighter, cas string }

// stand is when a red-sash unit stands fast.
type stand uint8

// The ways; the first is that of the published doctrine.
const (
	standByDoctrine stand = iota
	standAlways
	standNever
	standAtKey
)

// gunTarget is whom anti-tank guns fire at.
type gunTarget uint8

// The targets.
const (
	strongestFirst gunTarget = iota
	weakestFirst
)

// advance is who advances into a hex that has become empty.
type advance uint8

// The ways; the first is that of the published doctrine.
const (
	advanceByDoctrine advance = iota
	advanceNever
	advanceToKey
	advanceAll
)

// ladder says how far a side goes in committing aircraft (11.0).
type ladder struct {
	set       bool
	keyOnly   bool
	maxC      int
	maxF      int
	want      int // percent of the wanted outcome
	escort    bool
	keep      int // fighters kept back
	noMission bool
}

// standing is a line of the STANDING section. A later line of the same key replaces it.
type standing struct {
	key, text string
	set       func(*doctrine)
	over      []orders.Word // what stands behind the end of the line's order
}

// doctrineOf reads a side's standing lines.
func (s *State) doctrineOf(side Side) *doctrine { return doctrineBy(s.standingOf(side)) }

// doctrineBy is the doctrine that standing lines make.
func doctrineBy(lines []standing) *doctrine {
	d := &doctrine{cancel: true}
	for _, st := range lines {
		st.set(d)
	}
	return d
}

// standingOf reads the standing lines that a side has filed.
func (s *State) standingOf(side Side) (lines []standing) {
	text := s.Sheets[sideIndex(side)].Doctrine
	if text == "" {
		return nil
	}
	sheet, _ := orders.Parse("STANDING\n"+text, Vocabulary)
	for _, sec := range sheet.Sections {
		for _, o := range sec.Orders {
			if st, v := s.readStanding(side, o); v == nil { // they stood when they were filed
				st.text = o.String()
				lines = append(lines, st)
			}
		}
	}
	return lines
}

// keepStanding merges new standing lines into those that last, a line in the place of
// the one of its key, and returns them all.
func (s *State) keepStanding(side Side, fresh []standing) []standing {
	lines := s.standingOf(side)
	for _, st := range fresh {
		i := slices.IndexFunc(lines, func(was standing) bool { return was.key == st.key })
		if i >= 0 {
			lines[i] = st
		} else {
			lines = append(lines, st)
		}
	}
	var texts []string
	for _, st := range lines {
		texts = append(texts, st.text)
	}
	s.Sheets[sideIndex(side)].Doctrine = strings.Join(texts, "\n")
	return lines
}

// readStanding reads a line of the STANDING section; its text is left to the caller.
func (s *State) readStanding(side Side, o orders.Order) (standing, *rule.Violation) {
	r := phrase.New(slices.Concat(o.Clauses...))
	st, v := s.readStandingWords(side, &r)
	st.over = r.Words
	return st, r.Blame(v)
}

// ends refuses words behind the end of a standing order. A line that was filed with such
// words before they were refused is obeyed without them.
func (st standing) ends() *rule.Violation {
	if len(st.over) == 0 {
		return nil
	}
	w := st.over[0]
	v := refuse("", "%q stands behind the end of the order", w.Text)
	v.Instead = "Write what else you want on a line of its own."
	return phrase.Blame(v, w)
}

// readStandingWords reads a standing order off the front of the words of its line.
func (s *State) readStandingWords(side Side, r *phrase.Reader) (standing, *rule.Violation) {
	st := standing{key: r.Next()}
	var v *rule.Violation
	switch st.key {
	case "AIR":
		return s.readAir(side, r)
	case "KEY":
		r.Skip("HEXES", "HEX")
		var hs []hex.Hex
		hs, v = s.hexList(r)
		st.set = func(d *doctrine) { d.key = hs }
	case "LOSSES":
		var list []string
		list, v = s.lossOrder(side, r.Take())
		st.set = func(d *doctrine) { d.losses = list }
	case "KEEP":
		var us []*Unit
		us, v = s.units(side, r.Take())
		st.set = func(d *doctrine) { d.keep = append(d.keep, namesOf(us)...) }
	case "STALWART":
		st.set, v = s.readStalwart(r)
	case "RETREAT":
		st.set, v = s.readRetreat(r)
	case "ANTI-TANK":
		st.set, v = readGuns(r)
	case "CANCEL":
		w := r.Next()
		st.set = func(d *doctrine) { d.cancel = w != answerNo }
		if w != answerNo && w != answerYes {
			v = refuse("Steppe 13.0", "CANCEL YES or NO: whether an attack that an anti-tank hit takes below its MIN goes on")
		}
	case "ADVANCE":
		st.set, v = readAdvances(r)
	default:
		v = refuse("", "%q begins no standing order", st.key)
		v.Instead = "Expected AIR, KEY HEXES, LOSSES, KEEP, STALWART, RETREAT, ANTI-TANK, CANCEL or ADVANCE."
	}
	return st, v
}

// readGuns reads ANTI-TANK AT STRONGEST and AT WEAKEST.
func readGuns(r *phrase.Reader) (func(*doctrine), *rule.Violation) {
	r.Skip("AT")
	switch r.Next() {
	case "STRONGEST", "LARGEST":
		return func(d *doctrine) { d.antiTank = strongestFirst }, nil
	case "WEAKEST":
		return func(d *doctrine) { d.antiTank = weakestFirst }, nil
	}
	return nil, refuse("Steppe 13.0", "anti-tank guns fire AT STRONGEST or AT WEAKEST")
}

// advances are the words for who advances.
var advances = map[string]advance{answerNo: advanceNever, "KEY": advanceToKey, "ALL": advanceAll}

// readAdvances reads ADVANCE NO, KEY and ALL.
func readAdvances(r *phrase.Reader) (func(*doctrine), *rule.Violation) {
	how, ok := advances[r.Next()]
	if !ok {
		return nil, refuse("Steppe 10.4", "ADVANCE says NO, KEY or ALL")
	}
	return func(d *doctrine) { d.advance = how }, nil
}

// hexList reads hexes to the end.
func (s *State) hexList(r *phrase.Reader) (out []hex.Hex, v *rule.Violation) {
	for !r.End() {
		if r.Skip("NONE") {
			continue
		}
		h, v := s.place(r)
		if v != nil {
			return nil, v
		}
		out = append(out, h)
	}
	return out, nil
}

// fronts are the ways to name the pool of a Soviet front.
var fronts = map[string]string{
	"SW": poolSouthwest, poolSouthwest: poolSouthwest,
	"V": poolVoronezh, poolVoronezh: poolVoronezh,
}

// readRain reads SW, V, or FIGHTER V, CAS SW.
//
// Steppe 3.1/6
func readRain(r *phrase.Reader) (c rainChoice, ok bool) {
	if pool := fronts[r.Peek()]; pool != "" {
		r.Next()
		return rainChoice{pool, pool}, true
	}
	for !r.End() {
		what := r.Next()
		pool := fronts[r.Next()]
		switch {
		case pool == "":
			return c, false
		case what == answerFighter:
			c.fighter = pool
		case what == answerCAS:
			c.cas = pool
		default:
			return c, false
		}
		ok = true
	}
	return c, ok
}

// readAir reads AIR ATTACK, AIR DEFENCE and AIR RAIN.
func (s *State) readAir(side Side, r *phrase.Reader) (standing, *rule.Violation) {
	what := r.Next()
	st := standing{key: "AIR " + what}
	switch what {
	case "RAIN":
		c, ok := readRain(r)
		if !ok || side != Soviet {
			return st, refuse("Steppe 3.1", "AIR RAIN names the Soviet front whose aircraft fly in rain: SW or V, or FIGHTER V, CAS SW")
		}
		st.set = func(d *doctrine) { d.rain = c }
		return st, nil
	case "ATTACK":
		l, v := readLadder(r)
		st.set = func(d *doctrine) { d.attack = l }
		return st, v
	case "DEFENCE", "DEFENSE":
		l, v := readLadder(r)
		return standing{key: "AIR DEFENCE", set: func(d *doctrine) { d.defend = l }}, v
	}
	return st, refuse("Steppe 11.0", "AIR is followed by ATTACK, DEFENCE or RAIN")
}

// readLadder reads KEY ONLY MAXCAS 2 MAXF 1 WANT 70% ESCORT YES KEEP 1, or NONE.
func readLadder(r *phrase.Reader) (ladder, *rule.Violation) {
	l := ladder{set: true, maxC: 9, maxF: 9, want: 70, escort: true}
	for !r.End() {
		if v := l.read(r); v != nil {
			return l, v
		}
	}
	return l, nil
}

// read reads the next word of a ladder and what belongs to it.
func (l *ladder) read(r *phrase.Reader) (v *rule.Violation) {
	switch w := r.Next(); w {
	case "KEY":
		l.keyOnly = r.Skip("ONLY")
	case "MAXCAS":
		l.maxC, v = number(r)
	case "MAXF":
		l.maxF, v = number(r)
	case "WANT":
		l.want, v = readChance(r)
	case "ESCORT":
		l.escort = r.Next() == answerYes
	case "KEEP":
		l.keep, v = number(r)
	case "NONE", "NO":
		l.noMission = true
	default:
		v = refuse("Steppe 11.0", "%q is not understood", w)
		v.Instead = "Expected KEY ONLY, MAXCAS n, MAXF n, WANT n%, ESCORT YES or NO, KEEP n, NONE."
	}
	return v
}

// readChance reads 70% and 70.
func readChance(r *phrase.Reader) (int, *rule.Violation) {
	n, err := strconv.Atoi(strings.TrimSuffix(r.Next(), "%"))
	if err != nil || n < 0 || n > 100 {
		return 0, refuse("Steppe 11.0", "WANT is a chance of 0 to 100 %")
	}
	return n, nil
}

// readStalwart reads STALWART ALWAYS, NEVER, AT KEY, AT 2512, 2613, each with ELSE NEVER.
func (s *State) readStalwart(r *phrase.Reader) (func(*doctrine), *rule.Violation) {
	r.Skip("IF")
	var how func(*doctrine)
	switch r.Next() {
	case "ALWAYS":
		how = stands(standAlways, nil)
	case "NEVER":
		how = stands(standNever, nil)
	case "AT":
		if r.Skip("KEY") {
			how = stands(standAtKey, nil)
			break
		}
		list := phrase.New(r.Take("ELSE"))
		hs, v := s.hexList(&list)
		if v != nil {
			return nil, v
		}
		how = stands(standAtKey, hs)
	}
	if how != nil {
		if r.Skip("ELSE") {
			r.Skip("NEVER") // which goes without saying
		}
		return how, nil
	}
	return nil, refuse("Steppe 10.5", "STALWART is followed by ALWAYS, NEVER, AT KEY, or AT and hexes")
}

func stands(how stand, at []hex.Hex) func(*doctrine) {
	return func(d *doctrine) { d.stand, d.standAt = how, at }
}

// readRetreat reads RETREAT TOWARD 1013 NOT INTO marsh.
func (s *State) readRetreat(r *phrase.Reader) (func(*doctrine), *rule.Violation) {
	var to hex.Hex
	var shun []string
	for !r.End() {
		var v *rule.Violation
		switch r.Next() {
		case "TOWARD", "TO":
			to, v = s.place(r)
		case "NOT":
			r.Skip("INTO")
			shun, v = s.terrains(shun, r)
		default:
			v = refuse("Steppe 10.3", "RETREAT is followed by TOWARD and a hex, or NOT INTO and terrain")
		}
		if v != nil {
			return nil, v
		}
	}
	return func(d *doctrine) { d.toward, d.shun = to, shun }, nil
}

// terrains reads terrain up to TOWARD or the end.
func (s *State) terrains(list []string, r *phrase.Reader) ([]string, *rule.Violation) {
	for !r.End() && r.Peek() != "TOWARD" {
		k := strings.ReplaceAll(lower(r.Next()), " ", "-")
		if _, ok := s.sc.Terrain[k]; !ok {
			return nil, refuse("Steppe 10.3", "%q is not a terrain of the chart", k)
		}
		list = append(list, k)
	}
	return list, nil
}

// lossOrder reads WEAKEST FIRST, STRONGEST FIRST, KG FIRST or units.
func (s *State) lossOrder(side Side, list []orders.Word) ([]string, *rule.Violation) {
	if n := len(list); n > 0 && list[n-1].Text == "FIRST" {
		list = list[:n-1]
	}
	if len(list) == 1 {
		if w := list[0].Text; slices.Contains([]string{"WEAKEST", "STRONGEST", "KG"}, w) {
			return []string{w}, nil
		}
	}
	us, v := s.units(side, list)
	return namesOf(us), v
}

// isKey tells whether the hex is one that the side calls key.
func (d *doctrine) isKey(h hex.Hex) bool { return slices.Contains(d.key, h) }

func lower(s string) string { return strings.ToLower(s) }
