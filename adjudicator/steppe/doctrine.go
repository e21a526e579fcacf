package steppe

import (
	"fmt"
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
	rain           string // pool whose aircraft fly in rain
	key            []hex.Hex
	losses         []string // names, or WEAKEST, STRONGEST; KG before all
	keep           []string
	stand          string // "", ALWAYS, NEVER, KEY
	standAt        []hex.Hex
	toward         hex.Hex
	shun           []string // terrain
	antiTank       string   // STRONGEST, WEAKEST
	cancel         bool     // after an anti-tank hit below MIN; default true
	advance        string   // "", NO, KEY, ALL
}

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
}

// doctrineOf reads a side's standing lines.
func (s *State) doctrineOf(side Side) *doctrine {
	d := &doctrine{cancel: true}
	text := s.Sheets[sideIndex(side)].Doctrine
	if text == "" {
		return d
	}
	sheet, _ := orders.Parse("STANDING\n"+text, Vocabulary)
	for _, sec := range sheet.Sections {
		for _, o := range sec.Orders {
			if st, v := s.readStanding(side, o); v == nil { // they stood when they were filed
				st.set(d)
			}
		}
	}
	return d
}

// keepStanding merges new standing lines into those that last: a line replaces the
// one of its key.
func (s *State) keepStanding(side Side, fresh []standing) {
	k := sideIndex(side)
	var keys, texts []string
	sheet, _ := orders.Parse("STANDING\n"+s.Sheets[k].Doctrine, Vocabulary)
	for _, sec := range sheet.Sections {
		for _, o := range sec.Orders {
			if st, v := s.readStanding(side, o); v == nil {
				keys, texts = append(keys, st.key), append(texts, st.text)
			}
		}
	}
	for _, st := range fresh {
		if i := slices.Index(keys, st.key); i >= 0 {
			texts[i] = st.text
			continue
		}
		keys, texts = append(keys, st.key), append(texts, st.text)
	}
	s.Sheets[k].Doctrine = strings.Join(texts, "\n")
}

// readStanding reads a line of the STANDING section.
func (s *State) readStanding(side Side, o orders.Order) (st standing, v *rule.Violation) {
	var ws []orders.Word
	for _, c := range o.Clauses {
		ws = append(ws, c...)
	}
	r := phrase.New(ws)
	st = standing{text: o.String(), key: r.Next()}
	switch st.key {
	case "AIR":
		return s.readAir(st, side, &r)
	case "KEY":
		r.Skip("HEXES", "HEX")
		hs, v := s.hexList(&r)
		st.set = func(d *doctrine) { d.key = hs }
		return st, v
	case "LOSSES":
		list, v := s.lossOrder(side, r.Take())
		st.set = func(d *doctrine) { d.losses = list }
		return st, v
	case "KEEP":
		us, v := s.units(side, r.Take())
		st.set = func(d *doctrine) {
			for _, u := range us {
				d.keep = append(d.keep, u.c.Name)
			}
		}
		return st, v
	case "STALWART":
		return s.readStalwart(st, &r)
	case "RETREAT":
		return s.readRetreat(st, &r)
	case "ANTI-TANK":
		r.Skip("AT")
		switch w := r.Next(); w {
		case "STRONGEST", "LARGEST":
			st.set = func(d *doctrine) { d.antiTank = "STRONGEST" }
		case "WEAKEST":
			st.set = func(d *doctrine) { d.antiTank = w }
		default:
			return st, &rule.Violation{Clause: "Steppe 13.0", Why: "anti-tank guns fire AT STRONGEST or AT WEAKEST"}
		}
		return st, nil
	case "CANCEL":
		w := r.Next()
		st.set = func(d *doctrine) { d.cancel = w != "NO" }
		if w != "NO" && w != "YES" {
			v = &rule.Violation{Clause: "Steppe 13.0", Why: "CANCEL YES or NO: whether an attack that an anti-tank hit takes below its MIN goes on"}
		}
		return st, v
	case "ADVANCE":
		w := r.Next()
		st.set = func(d *doctrine) { d.advance = w }
		if w != "NO" && w != "ALL" && w != "KEY" {
			v = &rule.Violation{Clause: "Steppe 10.4", Why: "ADVANCE says NO, KEY or ALL"}
		}
		return st, v
	}
	return st, &rule.Violation{Why: fmt.Sprintf("%q begins no standing order", st.key), Instead: "Expected AIR, KEY HEXES, LOSSES, KEEP, STALWART, RETREAT, ANTI-TANK, CANCEL or ADVANCE."}
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

// readAir reads AIR ATTACK, AIR DEFENCE and AIR RAIN.
func (s *State) readAir(st standing, side Side, r *phrase.Reader) (standing, *rule.Violation) {
	what := r.Next()
	st.key += " " + what
	if what == "RAIN" {
		pool := map[string]string{"SW": "SOUTHWEST", "V": "VORONEZH", "SOUTHWEST": "SOUTHWEST", "VORONEZH": "VORONEZH"}[r.Next()]
		if pool == "" || side != Soviet {
			return st, &rule.Violation{Clause: "Steppe 3.1", Why: "AIR RAIN names the Soviet front whose aircraft fly in rain: SW or V"}
		}
		st.set = func(d *doctrine) { d.rain = pool }
		return st, nil
	}
	if what != "ATTACK" && what != "DEFENCE" && what != "DEFENSE" {
		return st, &rule.Violation{Clause: "Steppe 11.0", Why: "AIR is followed by ATTACK, DEFENCE or RAIN"}
	}
	l := ladder{set: true, maxC: 9, maxF: 9, want: 70, escort: true}
	for !r.End() {
		var v *rule.Violation
		switch w := r.Next(); w {
		case "KEY":
			l.keyOnly = r.Skip("ONLY")
		case "MAXCAS":
			l.maxC, v = number(r)
		case "MAXF":
			l.maxF, v = number(r)
		case "WANT":
			n, err := strconv.Atoi(strings.TrimSuffix(r.Next(), "%"))
			if l.want = n; err != nil || n < 0 || n > 100 {
				v = &rule.Violation{Clause: "Steppe 11.0", Why: "WANT is a chance of 0 to 100 %"}
			}
		case "ESCORT":
			l.escort = r.Next() == "YES"
		case "KEEP":
			l.keep, v = number(r)
		case "NONE", "NO":
			l.noMission = true
		default:
			v = &rule.Violation{Clause: "Steppe 11.0", Why: fmt.Sprintf("%q is not understood", w), Instead: "Expected KEY ONLY, MAXCAS n, MAXF n, WANT n%, ESCORT YES or NO, KEEP n, NONE."}
		}
		if v != nil {
			return st, v
		}
	}
	st.set = func(d *doctrine) {
		if what == "ATTACK" {
			d.attack = l
		} else {
			d.defend = l
		}
	}
	if what == "DEFENSE" {
		st.key = "AIR DEFENCE"
	}
	return st, nil
}

// readStalwart reads STALWART ALWAYS, NEVER, AT KEY, AT 2512, 2613, each with ELSE NEVER.
func (s *State) readStalwart(st standing, r *phrase.Reader) (standing, *rule.Violation) {
	r.Skip("IF")
	switch w := r.Next(); w {
	case "ALWAYS", "NEVER":
		st.set = func(d *doctrine) { d.stand, d.standAt = w, nil }
	case "AT":
		if r.Skip("KEY") {
			st.set = func(d *doctrine) { d.stand, d.standAt = "KEY", nil }
			r.Skip("ELSE")
			r.Skip("NEVER")
			break
		}
		list := phrase.New(r.Take("ELSE"))
		hs, v := s.hexList(&list)
		if v != nil {
			return st, v
		}
		st.set = func(d *doctrine) { d.stand, d.standAt = "KEY", hs }
	default:
		return st, &rule.Violation{Clause: "Steppe 10.5", Why: "STALWART is followed by ALWAYS, NEVER, AT KEY, or AT and hexes"}
	}
	return st, nil
}

// readRetreat reads RETREAT TOWARD 1013 NOT INTO marsh.
func (s *State) readRetreat(st standing, r *phrase.Reader) (standing, *rule.Violation) {
	var to hex.Hex
	var shun []string
	for !r.End() {
		switch w := r.Next(); w {
		case "TOWARD", "TO":
			h, v := s.place(r)
			if v != nil {
				return st, v
			}
			to = h
		case "NOT":
			r.Skip("INTO")
			for !r.End() && r.Peek() != "TOWARD" {
				k := strings.ReplaceAll(lower(r.Next()), " ", "-")
				if _, ok := s.sc.Terrain[k]; !ok {
					return st, &rule.Violation{Clause: "Steppe 10.3", Why: fmt.Sprintf("%q is no terrain of the chart", k)}
				}
				shun = append(shun, k)
			}
		default:
			return st, &rule.Violation{Clause: "Steppe 10.3", Why: "RETREAT is followed by TOWARD and a hex, or NOT INTO and terrain"}
		}
	}
	st.set = func(d *doctrine) { d.toward, d.shun = to, shun }
	return st, nil
}

// lossOrder reads WEAKEST FIRST, STRONGEST FIRST, KG FIRST or units.
func (s *State) lossOrder(side Side, list []orders.Word) ([]string, *rule.Violation) {
	if n := len(list); n > 0 && list[n-1].Text == "FIRST" {
		list = list[:n-1]
	}
	if len(list) == 1 && slices.Contains([]string{"WEAKEST", "STRONGEST", "KG"}, list[0].Text) {
		return []string{list[0].Text}, nil
	}
	us, v := s.units(side, list)
	var out []string
	for _, u := range us {
		out = append(out, u.c.Name)
	}
	return out, v
}

// isKey tells whether the hex is one that the side calls key.
func (d *doctrine) isKey(h hex.Hex) bool { return slices.Contains(d.key, h) }

func lower(s string) string { return strings.ToLower(s) }
