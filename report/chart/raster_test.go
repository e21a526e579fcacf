package chart

import (
	"image"
	"image/draw"
	"math"
	"slices"
	"testing"

	"golang.org/x/image/vector"
)

// Shapes are laid over a picture as the rasteriser itself lays them, but for the last of 256
// steps: a hundred discs and lines of all sizes, half of them clear.
func TestInkIsLaidAsTheRasteriserLaysIt(t *testing.T) {
	bounds := image.Rect(0, 0, 640, 480)
	ours := image.NewRGBA(bounds)
	draw.Draw(ours, bounds, image.NewUniform(rgb(0xF4EDD6)), image.Point{}, draw.Src)
	p := newPainter(ours)
	for i := range 100 {
		angle := float64(i)
		at := pt{320 + 220*math.Cos(angle), 240 + 150*math.Sin(angle)}
		shape := circle(at, 1+float64(i%17)*4.3)
		if i%2 == 0 {
			shape = strokePath((&path{}).move(pt{320, 240}).line(at), 0.7+float64(i%5), nil, true)
		}
		ink := alpha(rgb(uint32(i*0x13579B)&0xFFFFFF), uint8(255-i%4*60))
		theirs := &image.RGBA{Pix: slices.Clone(ours.Pix), Stride: ours.Stride, Rect: bounds} // steps do not add up
		p.fill(shape, ink)
		b := shape.bounds()
		r := image.Rect(int(math.Floor(b.X0)), int(math.Floor(b.Y0)), int(math.Ceil(b.X1)), int(math.Ceil(b.Y1)))
		z := vector.NewRasterizer(r.Dx(), r.Dy())
		trace(z, shape, pt{float64(-r.Min.X), float64(-r.Min.Y)})
		z.Draw(theirs, r, image.NewUniform(ink), image.Point{})
		for j, part := range ours.Pix {
			if d := int(part) - int(theirs.Pix[j]); d < -1 || d > 1 {
				t.Fatalf("shape %d, pixel %d, %d: part %d is %d, and %d as the rasteriser draws it", i, j/4%640, j/4/640, j%4, part, theirs.Pix[j])
			}
		}
	}
}
