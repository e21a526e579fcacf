package wb95

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"fieldpost/adjudicator/hex"
)

// Encoding writes the canonical encoding. Nine tenths of it are units and what was told of
// the enemy, which are written by hand, to the same bytes: a repeat of a game spends a
// quarter of its time here otherwise.
func (s *State) Encoding() []byte {
	frame := *s
	frame.Units, frame.Contact = nil, nil
	text, err := json.Marshal(&frame)
	if err != nil {
		panic(err) // a position holds nothing that JSON cannot write
	}
	out := make([]byte, 0, len(text)+unitText*len(s.Units)+contactText*len(s.Contact))
	out, text = upTo(out, text, "units")
	out, text = upTo(appendList(out, s.Units, (*Unit).appendTo), text, "contact")
	return append(appendList(out, s.Contact, (*Contact).appendTo), text...)
}

// upTo writes what comes before the value of a field that is null, and leaves what comes
// behind it.
func upTo(out, text []byte, field string) (written, left []byte) {
	head, tail, ok := bytes.Cut(text, []byte(`"`+field+`":null`))
	if !ok {
		panic(fmt.Sprintf("no room for the field %s in %s", field, text))
	}
	out = append(out, head...)
	return append(append(append(out, '"'), field...), `":`...), tail
}

// unitText and contactText are about how many bytes their encodings have.
const (
	unitText    = 96
	contactText = 96
)

// appendList writes a list as encoding/json does.
func appendList[T any](out []byte, list []T, appendTo func(*T, []byte) []byte) []byte {
	if list == nil {
		return append(out, "null"...)
	}
	out = append(out, '[')
	for i := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendTo(&list[i], out)
	}
	return append(out, ']')
}

// appendTo writes the unit, its fields in the order of their declaration.
func (u *Unit) appendTo(out []byte) []byte {
	w := fields(append(out, '{'))
	w.text("id", u.ID)
	w.text("where", u.Where.String())
	w.hexUnlessNone("hex", u.Hex)
	w.number("steps", u.Steps)
	w.numberUnless0("oos", u.OoS)
	w.ifTrue("supplied", u.Supplied)
	if d := u.Disorganized; u.disorganized() {
		w.name("disorganized")
		w = append(w, '{')
		w.number("turn", int(d.Turn))
		w.number("phase", int(d.Phase))
		w = append(w, '}')
	}
	w.ifTrue("retreated", u.Retreated)
	w.ifTrue("active", u.Active)
	w.ifTrue("strategic", u.Strategic)
	w.ifTrue("fought", u.Fought)
	w.ifTrue("firing", u.Firing)
	w.ifTrue("ran", u.Ran)
	w.ifTrue("mined", u.Mined)
	w.textUnlessEmpty("repair", u.Repair.String())
	w.ifTrue("away", u.Away)
	w.ifTrue("fired", u.Fired)
	w.numberUnless0("barraged", int(u.Barraged))
	w.numberUnless0("due", u.Due)
	w.hexUnlessNone("through", u.Through)
	w.numberUnless0("batch", int(u.Batch))
	w.textUnlessEmpty("left", u.Left)
	w.ifTrue("turned", u.Turned)
	w.hexUnlessNone("camp", u.Camp)
	return append(w, '}')
}

// appendTo writes what was told of a hex.
func (c *Contact) appendTo(out []byte) []byte {
	w := fields(append(out, '{'))
	w.text("side", string(c.Side))
	if c.Hex == hex.None {
		w.text("hex", "")
	}
	w.hexUnlessNone("hex", c.Hex)
	w.number("turn", c.Turn)
	w.name("units")
	return append(appendList(w, c.Units, (*Sight).appendTo), '}')
}

// appendTo writes what was told of a unit.
func (g *Sight) appendTo(out []byte) []byte {
	w := fields(append(out, '{'))
	w.textUnlessEmpty("name", g.Name)
	w.textUnlessEmpty("nation", g.Nation)
	w.text("type", string(g.Type))
	w.numberUnless0("steps", g.Steps)
	return append(w, '}')
}

// fields is JSON that is being written, in the midst of an object.
type fields []byte

// name begins a field; all names are plain letters.
func (w *fields) name(name string) {
	if last := (*w)[len(*w)-1]; last != '{' {
		*w = append(*w, ',')
	}
	*w = append(append(append(*w, '"'), name...), '"', ':')
}

func (w *fields) number(name string, n int) {
	w.name(name)
	*w = strconv.AppendInt(*w, int64(n), 10)
}

func (w *fields) numberUnless0(name string, n int) {
	if n != 0 {
		w.number(name, n)
	}
}

func (w *fields) ifTrue(name string, is bool) {
	if is {
		w.name(name)
		*w = append(*w, "true"...)
	}
}

func (w *fields) hexUnlessNone(name string, h hex.Hex) {
	if h != hex.None {
		w.name(name)
		*w = append(append(append(*w, '"'), h.String()...), '"')
	}
}

func (w *fields) textUnlessEmpty(name, text string) {
	if text != "" {
		w.text(name, text)
	}
}

func (w *fields) text(name, text string) {
	w.name(name)
	if !plainInJSON(text) {
		quoted, _ := json.Marshal(text) // a string can always be written
		*w = append(*w, quoted...)
		return
	}
	*w = append(append(append(*w, '"'), text...), '"')
}

// plainInJSON tells whether encoding/json writes the text as it is, between quotation marks.
func plainInJSON(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c >= 0x7F:
			return false
		case c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}
