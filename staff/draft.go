package staff

import (
	"slices"
	"strings"
)

// draft is a sheet in pieces: what stands before the first section, the sections, and what
// ends it.
type draft struct {
	head     []string
	sections []section
	tail     []string
}

// section is a heading and its orders, each with the lines that go on with it.
type section struct {
	name   string
	orders []string
}

// parted parts a sheet as the officers write it: a section begins at the margin, an order
// two blanks in, and what goes on further in.
func parted(text string) (d draft) {
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		last := len(d.sections) - 1
		switch {
		case strings.HasPrefix(l, "    "):
			of := d.sections[last].orders
			of[len(of)-1] += "\n" + l
		case strings.HasPrefix(l, "  "):
			d.sections[last].orders = append(d.sections[last].orders, l)
		case l == "DONE!":
			d.tail = append(d.tail, l)
		case inHead(l):
			d.head = append(d.head, l)
		default:
			d.sections = append(d.sections, section{name: l})
		}
	}
	return d
}

// withoutLines is a sheet without the orders that begin on some lines, counted from 1. A section that has
// no others goes with them.
func withoutLines(text string, lines map[int]bool) string {
	d := parted(text)
	left := d
	left.sections = nil
	line := len(d.head)
	for _, s := range d.sections {
		line++
		var orders []string
		for _, o := range s.orders {
			if !lines[line+1] {
				orders = append(orders, o)
			}
			line += 1 + strings.Count(o, "\n")
		}
		if len(orders) > 0 || len(s.orders) == 0 {
			left.sections = append(left.sections, section{s.name, orders})
		}
	}
	return left.text()
}

// inHead tells whether a line is of the head of a sheet, or stands for itself above the
// sections.
func inHead(l string) bool {
	word, _, _ := strings.Cut(l, " ")
	return strings.HasSuffix(word, ":") || word == "BACKHAND"
}

// text is the sheet again.
func (d draft) text() string {
	var b strings.Builder
	put := func(l string) { b.WriteString(l + "\n") }
	for _, l := range d.head {
		put(l)
	}
	for _, s := range d.sections {
		put(s.name)
		for _, o := range s.orders {
			put(o)
		}
	}
	for _, l := range d.tail {
		put(l)
	}
	return b.String()
}

// find is the place of a section, -1 if there is none of the name.
func (d draft) find(name string) int {
	return slices.IndexFunc(d.sections, func(s section) bool { return s.name == name })
}

// without is the draft without an order; a section that has no other goes with it.
func (d draft) without(sec, order int) draft {
	d.sections = slices.Clone(d.sections)
	s := &d.sections[sec]
	if len(s.orders) <= 1 {
		d.sections = slices.Delete(d.sections, sec, sec+1)
		return d
	}
	s.orders = slices.Delete(slices.Clone(s.orders), order, order+1)
	return d
}

// instead is the draft with an order written otherwise.
func (d draft) instead(sec, order int, text string) draft {
	d.sections = slices.Clone(d.sections)
	d.sections[sec].orders = slices.Clone(d.sections[sec].orders)
	d.sections[sec].orders[order] = text
	return d
}

// with is the draft with a section of another one in place of its own. One that the other
// lacks goes; one that it has more comes before the standing orders.
func (d draft) with(name string, other draft) draft {
	at, from := d.find(name), other.find(name)
	d.sections = slices.Clone(d.sections)
	switch {
	case at < 0 && from < 0:
	case at < 0:
		k := d.find("STANDING")
		if k < 0 {
			k = len(d.sections)
		}
		d.sections = slices.Insert(d.sections, k, other.sections[from])
	case from < 0:
		d.sections = slices.Delete(d.sections, at, at+1)
	default:
		d.sections[at] = other.sections[from]
	}
	return d
}

// grafted is the draft with an order more in a section, in place of one that begins with the
// same two words if there is one. Attacks come last, all else first.
func (d draft) grafted(sec int, order string) draft {
	begins := func(o string) string {
		words := strings.Fields(o)
		return strings.Join(words[:min(2, len(words))], " ")
	}
	for k, o := range d.sections[sec].orders {
		if begins(o) == begins(order) {
			return d.instead(sec, k, order)
		}
	}
	d.sections = slices.Clone(d.sections)
	s := &d.sections[sec]
	at := 0
	if strings.HasPrefix(strings.TrimSpace(order), "ATTACK") {
		at = len(s.orders)
	}
	s.orders = slices.Insert(slices.Clone(s.orders), at, order)
	return d
}
