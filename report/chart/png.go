package chart

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"
)

// writePNG writes an image of a palette as PNG (RFC 2083), with a faster zlib
// than the standard library's.
func writePNG(w io.Writer, img *image.Paletted, level int) error {
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	b := img.Bounds()
	head := binary.BigEndian.AppendUint32(nil, uint32(b.Dx()))
	head = binary.BigEndian.AppendUint32(head, uint32(b.Dy()))
	bits := 8
	if len(img.Palette) <= 16 {
		bits = 4
	}
	pngChunk(&out, "IHDR", append(head, byte(bits), 3, 0, 0, 0)) // bits, palette, no interlacing
	var colours []byte
	for _, c := range img.Palette {
		rgba := color.RGBAModel.Convert(c).(color.RGBA)
		colours = append(colours, rgba.R, rgba.G, rgba.B)
	}
	pngChunk(&out, "PLTE", colours)
	var packed bytes.Buffer
	z, err := zlib.NewWriterLevel(&packed, level)
	if err != nil {
		return err
	}
	row := make([]byte, 1+(b.Dx()*bits+7)/8) // a row begins with its filter, none
	for y := range b.Dy() {
		pack(row[1:], img.Pix[y*img.Stride:y*img.Stride+b.Dx()], bits)
		z.Write(row)
	}
	if err := z.Close(); err != nil {
		return err
	}
	pngChunk(&out, "IDAT", packed.Bytes())
	pngChunk(&out, "IEND", nil)
	_, err = w.Write(out.Bytes())
	return err
}

// pack writes the indices of a row of pixels with 8 or 4 bits each.
func pack(row, pix []byte, bits int) {
	if bits == 8 {
		copy(row, pix)
		return
	}
	for i := range row {
		row[i] = pix[2*i] << 4
		if 2*i+1 < len(pix) {
			row[i] |= pix[2*i+1]
		}
	}
}

// How hard pictures are packed: those that travel by mail are made once and carried often;
// one that somebody waits for is there sooner, a tenth larger.
const (
	mailedLevel = 8
	singleLevel = 5
)

func pngChunk(out *bytes.Buffer, kind string, data []byte) {
	out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	body := append([]byte(kind), data...)
	out.Write(body)
	out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// Sum is the SHA-256 of all that the picture's PNG shows: pictures of one sum are the same
// picture, byte for byte. It is far cheaper than the PNG.
func (p *Picture) Sum() [sha256.Size]byte {
	b := p.base
	b.summed.Do(func() { b.sum = sha256.Sum256(appendOps(nil, b.ops)) })
	w, h := p.Size()
	out := b.sum[:]
	for _, n := range []int{w, h, p.colours} {
		out = binary.BigEndian.AppendUint64(out, uint64(n))
	}
	return sha256.Sum256(appendOps(out, p.ops))
}

// appendOps writes down what a display list paints, each entry with all that the painter reads.
func appendOps(out []byte, ops []op) []byte {
	for i := range ops {
		o := &ops[i]
		out = append(out, byte(o.kind), byte(o.font), o.ink.R, o.ink.G, o.ink.B, o.ink.A,
			o.halo.R, o.halo.G, o.halo.B, o.halo.A, yes(o.butt))
		out = appendNumbers(out, o.width, o.size, o.angle, o.at.X, o.at.Y, o.clip.X0, o.clip.Y0, o.clip.X1, o.clip.Y1)
		out = appendNumbers(binary.BigEndian.AppendUint32(out, uint32(len(o.dash))), o.dash...)
		if o.kind == opText {
			out = append(binary.BigEndian.AppendUint32(out, uint32(len(o.text))), o.text...)
		}
		if o.path == nil {
			continue
		}
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(o.path.v))), o.path.v...)
		for _, a := range o.path.p {
			out = appendNumbers(out, a.X, a.Y)
		}
	}
	return out
}

func appendNumbers(out []byte, all ...float64) []byte {
	for _, x := range all {
		out = binary.BigEndian.AppendUint64(out, math.Float64bits(x))
	}
	return out
}

func yes(b bool) byte {
	if b {
		return 1
	}
	return 0
}
