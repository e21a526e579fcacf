// Package lean makes mails that were sent small: without what can be drawn again, and with their
// attachments unpacked, so that a store packs them well. Made whole they are the same bytes.
package lean

import (
	"bytes"
	"encoding/json"
	"fmt"

	"fieldpost/store"
)

// Mail is a mail without its gaps.
type Mail struct {
	Recipe json.RawMessage `json:"recipe,omitempty"` // of what fills the gaps
	Gaps   []Gap           `json:"gaps,omitempty"`
	Parts  []Part          `json:"parts,omitempty"` // of Content
	CRC    uint32          `json:"crc,omitempty"`   // of Rest, if any part is packed by gzip
	// Rest is the mail without its gaps.
	Rest []byte `json:"-"`
	// otherwise tells that this program packs a part otherwise than it was: Rest says the same
	// in other bytes.
	otherwise bool
}

// Gap is a passage that is left out of a mail.
type Gap struct {
	At      int `json:"at"`      // offset in the mail without gaps
	Passage int `json:"passage"` // of those that the Drawer returns
}

// leastPassage is the least length of a passage that is left out, in bytes.
const leastPassage = 256

// Of leaves out of a mail what the Drawer draws by the recipe, byte by byte the same, and tells how
// many passages it drew. What it draws otherwise stays in the mail; so does all if it fails.
func Of(raw, recipe []byte, draw store.Drawer) (m Mail, drawn int, err error) {
	if draw == nil || len(recipe) == 0 {
		return Mail{Rest: raw}, 0, nil
	}
	passages, err := draw(raw, recipe)
	if err != nil {
		return Mail{Rest: raw}, 0, err
	}
	m.Recipe = recipe
	for n, p := range passages {
		at := bytes.Index(raw, p)
		if len(p) < leastPassage || at < 0 {
			continue
		}
		m.Rest = append(m.Rest, raw[:at]...)
		m.Gaps = append(m.Gaps, Gap{len(m.Rest), n})
		raw = raw[at+len(p):]
	}
	m.Rest = append(m.Rest, raw...)
	if len(m.Gaps) == 0 {
		m.Recipe = nil
	}
	return m, len(passages), nil
}

// Whole is the mail with its gaps filled. The error is store.ErrUndrawn if it would not be the same,
// as far as that can be told without its hash.
func (m Mail) Whole(draw store.Drawer) ([]byte, error) {
	if m.otherwise {
		return nil, fmt.Errorf("%w: an attachment is packed otherwise now", store.ErrUndrawn)
	}
	if len(m.Gaps) == 0 {
		return m.Rest, nil
	}
	if draw == nil {
		return nil, fmt.Errorf("%w: nothing draws here", store.ErrUndrawn)
	}
	passages, err := draw(m.Rest, m.Recipe)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUndrawn, err)
	}
	var out []byte
	from := 0
	for _, g := range m.Gaps {
		if g.At < from || g.At > len(m.Rest) || g.Passage < 0 {
			return nil, fmt.Errorf("%w: a gap at %d of %d bytes", store.ErrDamaged, g.At, len(m.Rest))
		}
		if g.Passage >= len(passages) {
			return nil, fmt.Errorf("%w: %d of them are drawn, picture %d is needed", store.ErrUndrawn, len(passages), g.Passage+1)
		}
		out = append(append(out, m.Rest[from:g.At]...), passages[g.Passage]...)
		from = g.At
	}
	return append(out, m.Rest[from:]...), nil
}

// Content is what a store keeps of it: the JSON of Mail, a line feed, and Rest with its parts unpacked.
func (m Mail) Content() ([]byte, error) {
	var text []byte
	text, m.Parts = unpacked(m.Rest)
	m.CRC = crcOf(m.Rest, m.Parts)
	head, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return append(append(head, '\n'), text...), nil
}

// Read reads what Content wrote; store.ErrDamaged if it is not that.
func Read(content []byte) (m Mail, err error) {
	m, text, err := parsed(content)
	if err != nil {
		return m, err
	}
	if m.Rest, err = repacked(text, m.Parts); err != nil {
		return m, err
	}
	m.otherwise = m.CRC != crcOf(m.Rest, m.Parts)
	return m, nil
}

// Check tells what Read would fail with, and packs nothing.
func Check(content []byte) error {
	_, _, err := parsed(content)
	return err
}

// parsed takes a content apart: the mail without its rest, and the text of that.
func parsed(content []byte) (m Mail, text []byte, err error) {
	head, text, ok := bytes.Cut(content, []byte("\n"))
	if !ok || json.Unmarshal(head, &m) != nil {
		return m, nil, store.ErrDamaged
	}
	return m, text, fit(m.Parts, len(text))
}
