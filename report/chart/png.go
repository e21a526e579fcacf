package chart

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"io"

	"github.com/klauspost/compress/zlib"
)

// writePNG writes an image of a palette as PNG (RFC 2083), with a faster zlib
// than the standard library's.
func writePNG(w io.Writer, img *image.Paletted) error {
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
	z, err := zlib.NewWriterLevel(&packed, pngLevel)
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

// pngLevel is how hard a picture is packed.
const pngLevel = 8

func pngChunk(out *bytes.Buffer, kind string, data []byte) {
	out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	body := append([]byte(kind), data...)
	out.Write(body)
	out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}
