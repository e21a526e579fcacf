package chart

import (
	"crypto/sha256"
	"encoding/binary"
	"image"
	"image/color"
	"io"
	"maps"
	"math"
	"sync"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// DefaultScale is the width of a hex in pixels at which the counters of a whole
// map can be read.
const DefaultScale = 44

// Options say what is drawn and how large.
type Options struct {
	// Scale is the width of a hex in pixels; 0 is DefaultScale.
	Scale float64
	// Frame is the part of the map; the zero Frame is the whole map.
	Frame Frame
	// Marks are drawn over the counters: moves, combats, retreats.
	Marks []Mark
	// Title replaces the view's title in the strip at the top.
	Title string
	// Note replaces the line that says whose view it is.
	Note string
	// Layers are what is drawn over the printed map; nil is all but LayerZones, LayerSight and LayerSupply.
	Layers []Layer
	// Colours is how many colours the PNG has, 0 for up to 256. Fewer are lighter.
	Colours int
	// Bare leaves out the legend.
	Bare bool
	// Paper is for white paper: no tints, hatched ground, white counters.
	Paper bool
	// Zones are drawn with LayerZones, Sight with LayerSight, Supply with LayerSupply: the hexes
	// to which lines of supply lead, nil if that is not told.
	Zones  []view.Zone
	Sight  *view.Lookout
	Supply []hex.Hex
	// Single: no other picture of the board is to follow, and none of it is kept for one.
	Single bool
}

// MarkKind is what a Mark shows.
type MarkKind string

// The kinds of marks.
const (
	MarkMove    MarkKind = "move"    // a solid arrow
	MarkRetreat MarkKind = "retreat" // a dashed arrow
	MarkCombat  MarkKind = "combat"  // an explosion with the number of the story's item
	MarkFire    MarkKind = "fire"    // guns or aircraft: a thin arrow and a small burst
)

// Mark is something that happened, drawn over the map.
type Mark struct {
	Kind MarkKind
	// From and To are the ends of an arrow; a combat is at To.
	From, To hex.Hex
	// Hexes is the way of a move, both ends included, if it is known.
	Hexes []hex.Hex
	// Label is a short text, as a rule the number of an item of the report.
	Label string
	// Side is whose move it is; its colour is taken.
	Side string
	// Part is the activation of a game of chits that it belongs to, as a title says it.
	Part string `json:",omitempty"`
}

// Picture is a drawn map.
type Picture struct {
	base          *base
	ops           []op
	names, stacks []written
	cards         []written // the names of units
	numbers       []written // of hexes with counters, on a close-up
	over          []written // the counters
	signs         Signs     // that it draws
	told          []string  // of them, those in its legend
	below         int       // how much higher than its base the picture is, in pixels
	colours       int       // of the PNG, 0 for as many as there are
	single        bool      // the only one of its board
}

// base is the layer of a board that no position changes.
type base struct {
	l    *layout
	ops  []op
	once sync.Once
	img  *image.RGBA

	written sync.Once
	svg     []byte // of ops, without head and end
	clips   int

	summed sync.Once
	sum    [sha256.Size]byte // of ops
}

type baseKey struct {
	b     *board.Board
	scale float64
	frame Frame
	plain bool // of an overview
	paper bool // to be printed
}

// bases keeps the layers that were used last, the newest at the end.
var bases struct {
	sync.Mutex
	keys []baseKey
	all  map[baseKey]*base
	size int // of their images in bytes
}

// keep is how many bytes the images of kept layers may take. One of a large map takes 16
// MB, one of a close-up 1.4 MB: the whole map and a report's close-ups have room, and no thousand games'.
var keep = 24 << 20

// baseOf is the layer of a board, from the store if it is there.
func baseOf(k baseKey) *base {
	bases.Lock()
	defer bases.Unlock()
	if got := bases.all[k]; got != nil {
		for i, o := range bases.keys {
			if o == k {
				bases.keys = append(append(bases.keys[:i:i], bases.keys[i+1:]...), k)
				break
			}
		}
		return got
	}
	n := &base{l: newLayout(k.b, k.scale, k.frame)}
	c := &canvas{}
	n.l.paper = k.paper
	if k.plain {
		n.l.drawPlainBase(c)
	} else {
		n.l.drawBase(c)
		n.l.signs = n.l.groundSigns()
	}
	n.ops = c.ops
	if k.paper {
		n.ops = onPaper(c.ops)
	}
	if bases.all == nil {
		bases.all = map[baseKey]*base{}
	}
	bases.all[k], bases.size = n, bases.size+n.size()
	bases.keys = append(bases.keys, k)
	for bases.size > keep && len(bases.keys) > 1 {
		oldest := bases.keys[0]
		bases.size -= bases.all[oldest].size()
		delete(bases.all, oldest)
		bases.keys = bases.keys[1:]
	}
	return n
}

// size is how many bytes the image of a layer takes.
func (b *base) size() int { return 4 * b.l.w * b.l.ht }

// drawBase draws everything that belongs to the board alone.
func (l *layout) drawBase(c *canvas) {
	c.fill(rect(box{0, 0, float64(l.w), float64(l.ht)}, 0), paper)
	c.fill(rect(l.field.grow(2), 0), offMap)
	c.clip(l.field)
	s := l.survey()
	l.drawGround(c, s)
	if l.paper {
		l.drawHatching(c, s)
	}
	l.drawGrid(c)
	l.drawRivers(c)
	l.drawBuilt(c, s)
	if l.stepped() {
		l.drawContours(c, s)
	}
	l.drawRoads(c)
	c.group("bridges")
	for _, br := range l.b.Bridges {
		l.drawBridge(c, br.Edge, true)
	}
	c.end()
	l.drawWorks(c)
	l.drawRiverNames(c)
	l.drawNumbers(c)
	c.free()
	c.stroke(rect(l.field.grow(2), 0), 1.5, titleRule)
	l.drawZones(c)
	l.drawCompass(c)
}

// Render draws what the view's side knows. The view's board must be ready.
func Render(v *view.View, o Options) *Picture {
	if o.Scale <= 0 {
		o.Scale = DefaultScale
	}
	p := &Picture{base: baseOf(baseKey{b: v.Board, scale: o.Scale, frame: o.Frame, paper: o.Paper}), colours: o.Colours, single: o.Single}
	c := &canvas{}
	d := &drawing{layout: p.base.l, c: c, v: v, o: o, signs: maps.Clone(p.base.l.signs)}
	d.draw()
	if o.Paper {
		c.ops = onPaper(c.ops)
	}
	p.ops, p.names, p.stacks, p.below = c.ops, d.names, d.piles, d.below
	p.cards, p.numbers, p.over = d.cards, d.numbers, d.over
	p.signs, p.told = d.signs, d.told
	return p
}

// Signs are what the picture draws.
func (p *Picture) Signs() Signs { return p.signs }

// Size is the picture's width and height in pixels.
func (p *Picture) Size() (w, h int) { return p.base.l.w, p.base.l.ht + p.below }

// SVG writes the picture as SVG text, the same for the same view. What the board alone shows
// is the group board, what is on it the group position, in which groups carry the number of
// their hex (data-hex), the id of an own unit (data-unit) and a title in words.
func (p *Picture) SVG(w io.Writer) error {
	board, clips := p.base.text()
	x := &svgText{clips: clips}
	x.head(p.Size())
	x.Write(board)
	x.position(p.ops)
	x.end()
	_, err := w.Write(x.Bytes())
	return err
}

// BoardSVG writes what the board alone shows as a picture of its own, on which PositionSVG
// lies exactly: whoever changes only the position need not draw the board again.
func (p *Picture) BoardSVG(w io.Writer) error {
	board, _ := p.base.text()
	x := &svgText{}
	x.head(p.Size())
	x.Write(board)
	x.end()
	_, err := w.Write(x.Bytes())
	return err
}

// PositionSVG writes what is on the board as a picture of its own.
func (p *Picture) PositionSVG(w io.Writer) error {
	_, clips := p.base.text()
	x := &svgText{clips: clips}
	x.head(p.Size())
	x.position(p.ops)
	x.end()
	_, err := w.Write(x.Bytes())
	return err
}

// text is the layer as SVG, without head and end, and how many clips it has.
func (b *base) text() (svg []byte, clips int) {
	b.written.Do(func() {
		x := &svgText{}
		x.list([]op{{kind: opGroup, text: "board"}})
		x.list(b.ops)
		x.list([]op{{kind: opEnd}})
		b.svg, b.clips = x.Bytes(), x.clips
	})
	return b.svg, b.clips
}

// Lattice says where the hexes of a picture lie, in its pixels. The corners of a hex lie
// (-Q,-H), (Q,-H), (2Q,0), (Q,H), (-Q,H) and (-2Q,0) from its middle.
type Lattice struct {
	Q, H float64
	At   map[hex.Hex][2]float64 // the middles of the hexes that are shown
}

// Lattice is that of the picture.
func (p *Picture) Lattice() Lattice {
	l := p.base.l
	out := Lattice{Q: l.q, H: l.h, At: map[hex.Hex][2]float64{}}
	for _, h := range l.hexes(l.shown) {
		c := l.centre(h)
		out.At[h] = [2]float64{c.X, c.Y}
	}
	return out
}

// inked is the room that the letters of a level text cover.
func inked(o *op) box {
	typeface.Lock()
	defer typeface.Unlock()
	room, x := nowhere(), o.at.X
	for _, r := range o.text {
		if p := outline(o.font, o.size, r); len(p.p) > 0 {
			b := p.bounds()
			room = room.join(box{x + b.X0, o.at.Y + b.Y0, x + b.X1, o.at.Y + b.Y1})
		}
		x += advance(o.font, r) * o.size
	}
	return room
}

// scratch holds images to paint on, for they are large and short-lived.
var scratch sync.Pool

// PNG writes the picture as a PNG of at most 256 colours.
func (p *Picture) PNG(w io.Writer) error {
	level := mailedLevel
	if p.single {
		level = singleLevel
	}
	return writePNG(w, p.paletted(), level)
}

// paint paints the picture in true colours.
func (p *Picture) paint() *image.RGBA {
	w, h := p.Size()
	size := image.Rect(0, 0, w, h)
	if p.single {
		img := image.NewRGBA(size)
		newPainter(img.SubImage(p.base.room()).(*image.RGBA)).paint(p.base.ops)
		newPainter(img).paint(p.ops)
		return img
	}
	img, _ := scratch.Get().(*image.RGBA)
	if img == nil || img.Bounds() != size {
		img = image.NewRGBA(size)
	}
	copy(img.Pix, p.base.painted().Pix)
	newPainter(img).paint(p.ops)
	return img
}

// room is where the layer lies in its pictures.
func (b *base) room() image.Rectangle { return image.Rect(0, 0, b.l.w, b.l.ht) }

// painted is the layer as an image, which is kept.
func (b *base) painted() *image.RGBA {
	b.once.Do(func() {
		b.img = image.NewRGBA(b.room())
		newPainter(b.img).paint(b.ops)
	})
	return b.img
}

// paletted paints the picture and turns it into the fixed palette.
func (p *Picture) paletted() *image.Paletted {
	img := p.paint()
	defer scratch.Put(img)
	q := quantiser()
	out := image.NewPaletted(img.Bounds(), append(color.Palette{}, q.palette...))
	var last uint32 // no pixel of an opaque picture
	var index uint8
	for i := range out.Pix {
		px := img.Pix[4*i:][:4:4]
		if is := binary.NativeEndian.Uint32(px); is != last {
			last = is
			index = q.of(px[0], px[1], px[2])
		}
		out.Pix[i] = index
	}
	if p.colours > 0 {
		reduce(out, p.colours)
	}
	return out
}

// Text is something that a picture writes.
type Text struct {
	// Group is the named group that it belongs to: counters, numbers-now, names, marks, stacks.
	Group string
	Text  string
	Size  float64 // of its letters, in pixels
	Room  image.Rectangle
}

// Texts are what the picture writes straight over the printed map and below it, in the order
// in which it is drawn.
func (p *Picture) Texts() []Text {
	var out []Text
	var groups []string
	for i := range p.ops {
		switch o := &p.ops[i]; o.kind {
		case opGroup:
			name := o.text
			if name == "" && len(groups) > 0 {
				name = groups[len(groups)-1]
			}
			groups = append(groups, name)
		case opClip:
			groups = append(groups, "")
		case opEnd, opFree:
			groups = groups[:len(groups)-1]
		case opText:
			if o.angle != 0 {
				continue
			}
			t := Text{Text: o.text, Size: o.size}
			if len(groups) > 0 {
				t.Group = groups[len(groups)-1]
			}
			room := inked(o)
			t.Room = image.Rect(int(math.Floor(room.X0)), int(math.Floor(room.Y0)), int(math.Ceil(room.X1)), int(math.Ceil(room.Y1)))
			out = append(out, t)
		}
	}
	return out
}
