package browser

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"slices"
	"testing"
)

// fewColours is how many colours a light picture has.
const fewColours = 128

// Light is a PNG in the colours that most of its pixels have: a third of the weight, for documents.
func Light(t *testing.T, shot []byte) []byte {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	few := image.NewPaletted(img.Bounds(), mostUsed(img))
	draw.Draw(few, few.Rect, img, img.Bounds().Min, draw.Src)
	var out bytes.Buffer
	packed := png.Encoder{CompressionLevel: png.BestCompression}
	if err := packed.Encode(&out, few); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// mostUsed are the colours that most pixels have, of those that lie close together one.
func mostUsed(img image.Image) (palette color.Palette) {
	count := map[color.RGBA]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			c.R, c.G, c.B = c.R&^7|4, c.G&^7|4, c.B&^7|4
			count[c]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	for _, c := range all[:min(fewColours, len(all))] {
		palette = append(palette, c)
	}
	return palette
}
