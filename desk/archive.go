package desk

import (
	"errors"

	"fieldpost/desk/past"
)

// Past is where the archive that lies open is looked at.
type Past struct {
	Sides []string `json:"sides"`
	Turns []int    `json:"turns"` // 0 is the set-up
	// Turn is the one that is shown, -1 for the whole game.
	Turn int `json:"turn"`
}

// PastQuestion asks for a turn of the archive as a side knew it.
type PastQuestion struct {
	Side string `json:"side"`
	Turn int    `json:"turn"` // -1 for the whole game
}

// errNoPast says that no archive is open.
var errNoPast = errors.New("no archive is open")

// openPast opens an archive, at the end of its first turn.
func (d *Desk) openPast(file []byte) (*Opened, error) {
	g, err := past.Open(file)
	if err != nil {
		return nil, err
	}
	opened := &Desk{past: g}
	turns := g.Turns()
	o, err := opened.PastTurn(PastQuestion{Side: g.Sides[0], Turn: turns[min(1, len(turns)-1)]})
	if err != nil {
		return nil, err
	}
	*d = *opened
	return o, nil
}

// PastTurn is the end of a turn of the archive as a side knew it, with what happened in it.
func (d *Desk) PastTurn(q PastQuestion) (*Opened, error) {
	if d.past == nil {
		return nil, errNoPast
	}
	v, err := d.past.View(q.Side, q.Turn)
	if err != nil {
		return nil, err
	}
	*d = Desk{view: v, past: d.past, why: "the game is over"}
	out := d.opened()
	out.Unjudged, out.Turn = "", max(q.Turn, 0)
	if q.Turn < 0 {
		out.Turn = v.Turn
	}
	out.Past = &Past{Sides: d.past.Sides, Turns: d.past.Turns(), Turn: q.Turn}
	return out, nil
}
