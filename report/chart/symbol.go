package chart

import "strings"

// sizeMarks are the marks above the symbol for each size of unit.
var sizeMarks = map[string]string{
	"SQ": "o", "P": "ooo", "C": "I", "CO": "I", "COY": "I", "B": "II", "BN": "II", "R": "III", "RGT": "III",
	"BR": "X", "BDE": "X", "KG": "III", "D": "XX", "DIV": "XX", "CORPS": "XXX", "K": "XXX", "A": "XXXX", "ARMY": "XXXX",
}

// drawSize draws the size marks centred above y, each of height h.
func drawSize(c *canvas, m pt, size string, h float64, line shade) {
	marks := sizeMarks[strings.ToUpper(size)]
	if marks == "" {
		return
	}
	step := h * 1.15
	if marks[0] == 'I' {
		step = h * 0.8
	}
	x := m.X - step*float64(len(marks)-1)/2
	p, w := &path{}, max(0.9, h*0.24)
	if marks == "I" {
		w = max(1.5, h*0.34) // alone it would be lost
	}
	for _, r := range marks {
		a := h * 0.42
		switch r {
		case 'I':
			p.move(pt{x, m.Y - h/2}).line(pt{x, m.Y + h/2})
		case 'X':
			p.move(pt{x - a, m.Y - h/2}).line(pt{x + a, m.Y + h/2})
			p.move(pt{x + a, m.Y - h/2}).line(pt{x - a, m.Y + h/2})
		default:
			c.fill(circle(pt{x, m.Y}, a*0.8), line)
		}
		x += step
	}
	c.bar(p, w, line)
}

// symbolBox is the frame of a NATO symbol with the pen it is drawn with.
type symbolBox struct {
	c    *canvas
	b    box
	pen  float64
	line shade
}

func (s symbolBox) mid() pt { return pt{(s.b.X0 + s.b.X1) / 2, (s.b.Y0 + s.b.Y1) / 2} }

// at is a point of the box: -1 to 1 in both directions.
func (s symbolBox) at(x, y float64) pt {
	m := s.mid()
	return pt{m.X + x*(s.b.X1-s.b.X0)/2, m.Y + y*(s.b.Y1-s.b.Y0)/2}
}

func (s symbolBox) lines(ps ...pt) {
	for i := 0; i+1 < len(ps); i += 2 {
		s.c.bar(polyline(ps[i], ps[i+1]), s.pen, s.line)
	}
}

func (s symbolBox) cross() { s.lines(s.at(-1, -1), s.at(1, 1), s.at(-1, 1), s.at(1, -1)) }
func (s symbolBox) slash() { s.lines(s.at(-1, 1), s.at(1, -1)) }
func (s symbolBox) track() {
	s.c.stroke(ellipse(s.mid(), (s.b.X1-s.b.X0)*0.33, (s.b.Y1-s.b.Y0)*0.27), s.pen, s.line)
}
func (s symbolBox) gun(k float64) { s.c.fill(circle(s.mid(), (s.b.Y1-s.b.Y0)*k), s.line) }
func (s symbolBox) word(t string) {
	size := (s.b.Y1 - s.b.Y0) * 0.82
	if w := measure(bold, size, t); w > (s.b.X1-s.b.X0)*0.92 {
		size *= (s.b.X1 - s.b.X0) * 0.92 / w
	}
	s.c.text(s.mid().add(pt{0, size * 0.36}), t, letters{font: bold, size: size, ink: s.line, anchor: 0.5})
}

// symbols draws the inside of the box for each type of unit; a type that is not
// here has its letters written.
var symbols = map[string]func(s symbolBox){
	"INF":  symbolBox.cross,
	"ARM":  symbolBox.track,
	"TANK": symbolBox.track,
	"MOT":  func(s symbolBox) { s.cross(); s.lines(s.at(0, -1), s.at(0, 1)) },
	"MECH": func(s symbolBox) { s.cross(); s.track() },
	"PZGR": func(s symbolBox) { s.cross(); s.track() },
	"CAV":  symbolBox.slash,
	"REC":  func(s symbolBox) { s.slash(); s.track() },
	"ART":  func(s symbolBox) { s.gun(0.2) },
	"SPA":  func(s symbolBox) { s.track(); s.gun(0.13) },
	"AG":   func(s symbolBox) { s.track(); s.lines(s.at(0, -1), s.at(0, 1)) },
	"AT":   func(s symbolBox) { s.lines(s.at(-1, 1), s.at(0, -1), s.at(0, -1), s.at(1, 1)) },
	"SPAT": func(s symbolBox) { s.lines(s.at(-1, 1), s.at(0, -1), s.at(0, -1), s.at(1, 1)); s.track() },
	"AA": func(s symbolBox) {
		s.c.stroke((&path{}).move(s.at(-1, 1)).cube(s.at(-0.9, -0.6), s.at(0.9, -0.6), s.at(1, 1)), s.pen, s.line)
	},
	"ENG": func(s symbolBox) {
		s.lines(s.at(-0.55, -0.35), s.at(0.55, -0.35), s.at(-0.55, -0.35), s.at(-0.55, 0.5),
			s.at(0, -0.35), s.at(0, 0.5), s.at(0.55, -0.35), s.at(0.55, 0.5))
	},
	"ROCK": func(s symbolBox) {
		s.lines(s.at(0, 0.8), s.at(0, -0.8), s.at(0, -0.8), s.at(-0.25, -0.2),
			s.at(0, -0.8), s.at(0.25, -0.2), s.at(-0.25, 0.3), s.at(0.25, 0.3))
	},
	"MTN": func(s symbolBox) { s.cross(); s.c.fill(poly(s.at(-0.3, 1), s.at(0, 0.1), s.at(0.3, 1)), s.line) },
	"PARA": func(s symbolBox) {
		s.cross()
		canopy := (&path{}).move(s.at(-0.3, 0.9)).quad(s.at(-0.15, 0.3), s.at(0, 0.9)).quad(s.at(0.15, 0.3), s.at(0.3, 0.9))
		s.c.stroke(canopy, s.pen, s.line)
	},
	"MG":  func(s symbolBox) { s.lines(s.at(0, 0.8), s.at(0, -0.8), s.at(-0.25, 0.8), s.at(0.25, 0.8)) },
	"MOR": func(s symbolBox) { s.lines(s.at(0, 0.3), s.at(0, -0.8)); s.gun(0.12) },
	"AIR": func(s symbolBox) {
		s.c.fill(poly(s.at(-0.7, -0.5), s.at(0.7, 0.5), s.at(0.7, -0.5), s.at(-0.7, 0.5)), s.line)
	},
	"SUP": func(s symbolBox) { s.lines(s.at(-1, 0.5), s.at(1, 0.5)) },
	"HQ":  func(s symbolBox) { s.word("HQ") },
}

// symbolAlias leads other names of types to the ones above.
var symbolAlias = map[string]string{
	"TNK": "TANK", "PZ": "ARM", "ARMOUR": "ARM", "ARMOR": "ARM", "PG": "MECH", "MEC": "MECH", "RECON": "REC", "RCN": "REC",
	"FLAK": "AA", "ARTY": "ART", "ATG": "AT", "PIO": "ENG", "SAP": "ENG", "NW": "ROCK", "MRL": "ROCK", "ROCKET": "ROCK",
	"MOUNTAIN": "MTN", "MTR": "MOR", "MORTAR": "MOR", "STUG": "AG", "SPG": "SPA", "TD": "SPAT", "SUPPLY": "SUP", "MOTINF": "MOT",
}

// symbolOf is the name under which a type of unit has its symbol.
func symbolOf(kind string) string {
	kind = strings.ToUpper(kind)
	if a, ok := symbolAlias[kind]; ok {
		return a
	}
	return kind
}

// drawSymbol draws the NATO symbol of a type of unit.
func drawSymbol(s symbolBox, kind string) {
	kind = symbolOf(kind)
	if f, ok := symbols[kind]; ok {
		f(s)
	} else if kind != "" {
		s.word(kind[:min(len(kind), 4)])
	}
	s.c.stroke(rect(s.b, 0), s.pen, s.line)
}
