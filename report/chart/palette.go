package chart

import (
	"image"
	"image/color"
	"math"
	"strings"
	"sync"
	"sync/atomic"
)

// The colours of the printed map.
var (
	paper      = rgb(0xFBF8EC)
	ink        = rgb(0x2A2620)
	white      = rgb(0xFFFFFF)
	clearLand  = rgb(0xF3ECD3)
	gridLine   = rgb(0xB9AC84)
	numberInk  = rgb(0x46402C)
	neutral    = rgb(0x8C8162)
	offMap     = rgb(0xE4DDC6)
	hillLow    = rgb(0xE6CC97)
	hillHigh   = rgb(0xDAB87A)
	hillInk    = rgb(0xA87B41)
	contourInk = rgb(0x7A5222)
	woodGround = rgb(0xBFD3A0)
	woodEdge   = rgb(0x9DBA7C)
	treeDark   = rgb(0x5B8348)
	treeLight  = rgb(0x84AB66)
	marsh      = rgb(0xD3E3D9)
	marshInk   = rgb(0x4F8797)
	orchard    = rgb(0xDCE2AE)
	waterEdge  = rgb(0x2F6396)
	water      = rgb(0x7FB2DC)
	urban      = rgb(0xD9C9BA)
	urbanEdge  = rgb(0x8F7766)
	block      = rgb(0x7B5F52)
	blockEdge  = rgb(0x54403A)
	mainRoad   = rgb(0x5C4326)
	roadCore   = rgb(0xFFF3C4)
	mainCase   = rgb(0xFFF9EE)
	sideRoad   = rgb(0x8A6437)
	railInk    = rgb(0x3A3A3A)
	zoneInk    = rgb(0x8E2A86)
	zoneTint   = rgb(0xE9C9E4)
	titleInk   = rgb(0x2F2A22)
	titleRule  = rgb(0x8F7A4E)
	fortInk    = rgb(0x4A3A2A)
	alarm      = rgb(0xD0201A)
	warning    = rgb(0xF2C230)
	burst      = rgb(0xFFD23C)
	burstEdge  = rgb(0xC23A10)
	shadow     = rgb(0x6B6350)
	nobody     = rgb(0xD8D2BE)
)

// nationColour is the paper of a nation's counters and the ink of its lines.
type nationColour struct {
	face shade // the counter
	box  shade // inside the symbol
	line shade // front lines, arrows, stars
}

var nations = map[string]nationColour{
	"German":    {rgb(0xA9B5A3), rgb(0xD5DDCF), rgb(0x3F5A46)},
	"Romanian":  {rgb(0xD9C272), rgb(0xF1E5B4), rgb(0x7C6514)},
	"Hungarian": {rgb(0x9CC08B), rgb(0xD2E4C6), rgb(0x2F6A2A)},
	"Italian":   {rgb(0x93BFC0), rgb(0xCFE4E4), rgb(0x1F6A70)},
	"Slovak":    {rgb(0xA9B8D8), rgb(0xD6DEEF), rgb(0x2F4A80)},
	"Finnish":   {rgb(0xC4D3E6), rgb(0xE6EEF7), rgb(0x2F5A90)},
	"Soviet":    {rgb(0xD08E6C), rgb(0xF0CDB6), rgb(0xA32A1C)},
	"Polish":    {rgb(0xDB8F9A), rgb(0xF6D3D8), rgb(0xA01838)},
	"American":  {rgb(0xA8AE6A), rgb(0xDADDB2), rgb(0x525A14)},
	"British":   {rgb(0xCDB48C), rgb(0xEBDDC3), rgb(0x7A5420)},
	"Allied":    {rgb(0xD08E6C), rgb(0xF0CDB6), rgb(0xA32A1C)},
	"Axis":      {rgb(0xA9B5A3), rgb(0xD5DDCF), rgb(0x3F5A46)},
}

// nationOf is the colour of a nation, which "German SS" shares with "German"; one
// that is not known takes its side's, and a side that is not known a neutral one.
func nationOf(name, side string) nationColour {
	first, _, _ := strings.Cut(name, " ")
	if c, ok := nations[title(first)]; ok {
		return c
	}
	if c, ok := nations[title(side)]; ok {
		return c
	}
	return nationColour{rgb(0xC9BFD6), rgb(0xE8E2EF), rgb(0x5A3F7A)}
}

// inks are all colours above, which the palette of a PNG holds exactly.
var inks = []shade{paper, ink, white, clearLand, gridLine, numberInk, neutral, offMap, hillLow, hillHigh, hillInk, contourInk, woodGround,
	woodEdge, treeDark, treeLight, marsh, marshInk, orchard, waterEdge, water, urban, urbanEdge, block, blockEdge,
	mainRoad, roadCore, mainCase, sideRoad, railInk, zoneInk, zoneTint, titleInk, titleRule, fortInk, alarm, warning, burst,
	burstEdge, shadow, nobody}

// nationOrder lists the nations that have colours of their own in the palette.
var nationOrder = []string{"German", "Romanian", "Hungarian", "Italian", "Slovak", "Finnish", "Soviet", "Polish", "American", "British"}

// quantiser turns true colours into the 256 of the PNG by a table over the
// upper 5, 6 and 5 bits. The palette is fixed: our inks, the mixtures that
// smoothed edges make of them, and a coarse cube for the rest.
var quantiser = sync.OnceValue(func() *quantTable {
	q := &quantTable{}
	have := map[shade]bool{}
	var exact int
	put := func(c shade) {
		if c.A = 255; !have[c] && len(q.palette) < 256 {
			have[c] = true
			q.palette = append(q.palette, color.RGBA{c.R, c.G, c.B, 255})
		}
	}
	for _, c := range inks {
		put(c)
	}
	for _, n := range nationOrder {
		put(nations[n].face)
		put(nations[n].box)
		put(nations[n].line)
	}
	exact = len(q.palette)
	for _, m := range [][2]shade{{clearLand, gridLine}, {clearLand, numberInk}, {clearLand, ink}, {woodGround, treeDark},
		{woodGround, gridLine}, {hillLow, hillInk}, {clearLand, mainRoad}, {clearLand, sideRoad}, {clearLand, waterEdge},
		{water, waterEdge}, {woodGround, ink}, {hillLow, ink}, {clearLand, hillInk}, {clearLand, zoneInk}, {marsh, marshInk},
		{nations["German"].face, ink}, {nations["Soviet"].face, ink}, {nations["German"].box, ink}, {nations["Soviet"].box, ink},
		{paper, ink}, {nations["Romanian"].face, ink}, {nations["Italian"].face, ink}, {urban, block},
		{clearLand, nations["German"].line}, {clearLand, nations["Soviet"].line}, {clearLand, fortInk}} {
		for _, k := range []int{128} {
			put(blend(m[0], m[1], k))
		}
	}
	for i := range 6 * 6 * 6 {
		put(rgb(uint32(i/36*51)<<16 | uint32(i/6%6*51)<<8 | uint32(i%6*51)))
	}
	// A plain area must not take a neighbour's colour for being rounded.
	for k := exact - 1; k >= 0; k-- {
		c := q.palette[k].(color.RGBA)
		q.index[bin(c.R, c.G, c.B)].Store(int32(k) + 1)
	}
	return q
})

// quantTable maps a colour of 16 bits to its entry in the palette.
type quantTable struct {
	palette color.Palette
	// index is the entry and one more, 0 where nobody has asked yet: a picture has some
	// thousands of the colours, and to look for the nearest to each of 65,536 takes longer
	// than many a picture.
	index [1 << 16]atomic.Int32
}

// of is the entry for a colour.
func (q *quantTable) of(r, g, b uint8) uint8 {
	at := &q.index[bin(r, g, b)]
	known := at.Load()
	if known == 0 {
		known = q.nearest(bin(r, g, b)) + 1
		at.Store(known)
	}
	return uint8(known - 1)
}

// nearest is the entry most like the colours of a bin, the first of several.
func (q *quantTable) nearest(bin int) int32 {
	middle := color.RGBA{uint8(bin>>11<<3 | 4), uint8(bin>>5&63<<2 | 2), uint8(bin&31<<3 | 4), 255}
	nearest, best := int32(0), 1<<30
	for k, c := range q.palette {
		if d := apartness(middle, c.(color.RGBA)); d < best {
			best, nearest = d, int32(k)
		}
	}
	return nearest
}

func bin(r, g, b uint8) int { return int(r)>>3<<11 | int(g)>>2<<5 | int(b)>>3 }

// title spells a name as the nations are spelled.
func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
}

// loud are the colours of what calls for attention.
var loud = []shade{burst, alarm, warning}

// reduce keeps n colours of a picture, those that its pixels miss most, and gives the
// others to the nearest of them.
func reduce(img *image.Paletted, n int) {
	var count [256]int
	for _, i := range img.Pix {
		count[i]++
	}
	kept, nearest := []int{}, [256]int{}
	far := [256]int{} // from the colours that are kept
	for i := range far {
		far[i] = 1 << 20
	}
	for len(kept) < n {
		next, most := -1, 0
		for _, c := range loud {
			// What calls for attention keeps its colour, however small it is.
			if i := int(quantiser().of(c.R, c.G, c.B)); count[i] > 0 && far[i] > 0 {
				next, most = i, math.MaxInt
			}
		}
		for i := range img.Palette {
			if worth := count[i] * far[i]; worth > most {
				next, most = i, worth
			}
		}
		if next < 0 {
			break // all that it has
		}
		for i := range img.Palette {
			if d := apartness(img.Palette[i].(color.RGBA), img.Palette[next].(color.RGBA)); d < far[i] {
				far[i], nearest[i] = d, len(kept)
			}
		}
		kept = append(kept, next)
	}
	palette := make(color.Palette, len(kept))
	for k, i := range kept {
		palette[k] = img.Palette[i]
	}
	for at, i := range img.Pix {
		img.Pix[at] = uint8(nearest[i])
	}
	img.Palette = palette
}

// apartness is how different two colours look, weighted by how well eyes tell the parts apart.
func apartness(x, y color.RGBA) int {
	dr, dg, db := int(x.R)-int(y.R), int(x.G)-int(y.G), int(x.B)-int(y.B)
	return 3*dr*dr + 4*dg*dg + 2*db*db
}
