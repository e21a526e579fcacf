package chart

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// svgText is SVG being written. Numbers have one decimal, so that the text is the
// same on every machine.
type svgText struct {
	bytes.Buffer
	clips int
}

// svg writes a display list as a whole picture.
func svg(w, h int, ops []op) []byte {
	x := &svgText{}
	x.head(w, h)
	x.list(ops)
	x.end()
	return x.Bytes()
}

func (x *svgText) head(w, h int) {
	fmt.Fprintf(x, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Go, 'DejaVu Sans', Verdana, sans-serif">`+"\n", w, h, w, h)
}

func (x *svgText) end() { x.WriteString("</svg>\n") }

// position writes what is on a board as its group.
func (x *svgText) position(ops []op) {
	x.list([]op{{kind: opGroup, text: "position"}})
	x.list(ops)
	x.list([]op{{kind: opEnd}})
}

func (x *svgText) list(ops []op) {
	b := &x.Buffer
	for i := range ops {
		o := &ops[i]
		switch o.kind {
		case opFill:
			fmt.Fprintf(b, `<path d="%s"%s/>`+"\n", svgPath(o.path), svgInk("fill", o.ink))
		case opStroke:
			svgStroke(b, o)
		case opText:
			svgLetters(b, o)
		case opGroup:
			svgGroup(b, o)
		case opEnd, opFree:
			b.WriteString("</g>\n")
		case opClip:
			x.clips++
			c := o.clip
			fmt.Fprintf(b, `<clipPath id="clip%d"><rect x="%s" y="%s" width="%s" height="%s"/></clipPath><g clip-path="url(#clip%d)">`+"\n",
				x.clips, num(c.X0), num(c.Y0), num(c.X1-c.X0), num(c.Y1-c.Y0), x.clips)
		}
	}
}

func svgGroup(b *bytes.Buffer, o *op) {
	b.WriteString("<g")
	for _, a := range [][2]string{{"id", o.text}, {"data-hex", o.about.hex}, {"data-unit", o.about.unit}} {
		if a[1] != "" {
			fmt.Fprintf(b, ` %s="%s"`, a[0], escape(a[1]))
		}
	}
	b.WriteByte('>')
	if o.about.title != "" {
		fmt.Fprintf(b, "<title>%s</title>", escape(o.about.title))
	}
	b.WriteByte('\n')
}

func svgStroke(b *bytes.Buffer, o *op) {
	fmt.Fprintf(b, `<path d="%s" fill="none"%s stroke-width="%s"`, svgPath(o.path), svgInk("stroke", o.ink), num(o.width))
	if !o.butt {
		b.WriteString(` stroke-linecap="round" stroke-linejoin="round"`)
	}
	if len(o.dash) > 0 {
		var d []string
		for _, v := range o.dash {
			d = append(d, num(v))
		}
		fmt.Fprintf(b, ` stroke-dasharray="%s"`, strings.Join(d, " "))
	}
	b.WriteString("/>\n")
}

func svgLetters(b *bytes.Buffer, o *op) {
	fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s"%s`, num(o.at.X), num(o.at.Y), num(o.size), svgInk("fill", o.ink))
	switch o.font {
	case bold:
		b.WriteString(` font-weight="bold"`)
	case italic:
		b.WriteString(` font-style="italic"`)
	}
	if o.halo.A > 0 && o.width > 0 {
		fmt.Fprintf(b, `%s stroke-width="%s" stroke-linejoin="round" paint-order="stroke"`, svgInk("stroke", o.halo), num(2*o.width))
	}
	if o.angle != 0 {
		fmt.Fprintf(b, ` transform="rotate(%s %s %s)"`, num(o.angle*57.29577951), num(o.at.X), num(o.at.Y))
	}
	// The length holds the text to our font's width where a reader has another font.
	fmt.Fprintf(b, ` textLength="%s" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n", num(measure(o.font, o.size, o.text)), escape(o.text))
}

func svgInk(attr string, c shade) string {
	s := fmt.Sprintf(` %s="#%02x%02x%02x"`, attr, c.R, c.G, c.B)
	if c.A < 255 {
		s += fmt.Sprintf(` %s-opacity="%s"`, attr, strconv.FormatFloat(float64(c.A)/255, 'f', 2, 64))
	}
	return s
}

// num prints a number with one decimal and without a needless ".0" or "-0".
func num(v float64) string { return string(appendNum(nil, v)) }

func appendNum(b []byte, v float64) []byte {
	from := len(b)
	b = strconv.AppendFloat(b, v, 'f', 1, 64)
	b = bytes.TrimSuffix(b, []byte(".0"))
	if string(b[from:]) == "-0" {
		b = append(b[:from], '0')
	}
	return b
}

// points is how many points belong to a step of a path.
func points(step byte) int {
	switch step {
	case 'M', 'L':
		return 1
	case 'Q':
		return 2
	case 'C':
		return 3
	}
	return 0
}

func svgPath(p *path) string {
	b := make([]byte, 0, 16*len(p.p))
	i := 0
	for _, v := range p.v {
		b = append(b, v)
		for k := range points(v) {
			if k > 0 {
				b = append(b, ' ')
			}
			b = appendNum(b, p.p[i].X)
			b = append(b, ' ')
			b = appendNum(b, p.p[i].Y)
			i++
		}
	}
	return string(b)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(s string) string { return escaper.Replace(s) }
