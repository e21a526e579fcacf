//go:build !js

package chart

import (
	"image"
	"image/color"
	"image/gif"
	"io"
)

// Animate writes pictures of one size as an animated GIF; each stays for so many
// hundredths of a second, the last one five times as long. After the first one
// only what changes is stored.
func Animate(w io.Writer, pics []*Picture, delay int) error {
	const clear = 255 // the place of the palette that lets the picture below show
	out := &gif.GIF{}
	var last []uint8
	for i, p := range pics {
		img := p.paletted()
		img.Palette = append(color.Palette{}, img.Palette...)
		for len(img.Palette) < 256 {
			img.Palette = append(img.Palette, color.RGBA{A: 255})
		}
		img.Palette[clear] = color.RGBA{}
		for k, c := range img.Pix {
			if c == clear {
				img.Pix[k] = clear - 1 // a corner of the colour cube next to it
			}
		}
		full := append([]uint8(nil), img.Pix...)
		frame := img
		if last != nil && len(last) == len(full) {
			frame = changed(img, last, clear)
		}
		last = full
		wait := delay
		if i == len(pics)-1 {
			wait *= 5
		}
		out.Image = append(out.Image, frame)
		out.Delay = append(out.Delay, wait)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	return gif.EncodeAll(w, out)
}

// changed is the part of an image that is not as before, the rest of it clear.
func changed(img *image.Paletted, last []uint8, clear uint8) *image.Paletted {
	var r image.Rectangle
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			k := y*img.Stride + x
			if img.Pix[k] == last[k] {
				img.Pix[k] = clear
				continue
			}
			r = r.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	if r.Empty() {
		r = image.Rect(0, 0, 1, 1)
	}
	return img.SubImage(r).(*image.Paletted)
}
