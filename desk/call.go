package desk

import (
	"encoding/json"
	"fmt"

	"fieldpost/adjudicator/hex"
	"fieldpost/desk/practice"
	"fieldpost/report/chart"
)

// question is all that the page can put to the desk; each call reads its own part of it.
type question struct {
	Sheet string `json:"sheet"`
	Part  string `json:"part"` // of the map
	// Layers are those of the position; nil is the usual ones.
	Layers []chart.Layer `json:"layers"`
	Hex    hex.Hex       `json:"hex"`
	Offers []Change      `json:"offers"` // attacks that are weighed
	Change               // the actor, section and order of choices and weigh as well
	With   Signing       `json:"with"`
	Join   Joining       `json:"join"`
	// Practice is the game that is begun, or of which the sides are asked.
	Practice practice.Choice `json:"practice"`
	Dice     DiceQuestion    `json:"dice"`
	Past     PastQuestion    `json:"past"`
}

// calls are what the page can ask.
var calls = map[string]func(d *Desk, q question, file []byte) (any, error){
	"invitation": func(_ *Desk, _ question, file []byte) (any, error) { return ReadInvitation(file) },
	"join":       func(_ *Desk, q question, _ []byte) (any, error) { return Join(q.Join) },
	"open":       func(d *Desk, q question, file []byte) (any, error) { return d.Open(file) },
	"draw":       func(d *Desk, q question, _ []byte) (any, error) { return d.draw(q) },
	"overview":   func(d *Desk, _ question, _ []byte) (any, error) { return d.Overview() },
	"set-up":     func(d *Desk, q question, _ []byte) (any, error) { return d.SetUp(q.Sheet) },
	"odds":       func(d *Desk, q question, _ []byte) (any, error) { return d.Odds(q.Sheet, q.Offers) },
	"ground":     func(d *Desk, q question, _ []byte) (any, error) { return d.Ground(q.Sheet, q.Hex) },
	"choices":    func(d *Desk, q question, _ []byte) (any, error) { return d.Choices(q.Sheet, q.Actor) },
	"weigh":      func(d *Desk, q question, _ []byte) (any, error) { return d.Weigh(q.Sheet, q.Section, q.Order) },
	"check":      func(d *Desk, q question, _ []byte) (any, error) { return d.Check(q.Sheet) },
	"additions":  func(d *Desk, q question, _ []byte) (any, error) { return d.Additions(q.Sheet, q.Take) },
	"edit":       func(d *Desk, q question, _ []byte) (any, error) { return d.Edit(q.Sheet, q.Change) },
	"past":       func(d *Desk, q question, _ []byte) (any, error) { return d.PastTurn(q.Past) },
	"dice":       func(d *Desk, q question, _ []byte) (any, error) { return d.Dice(q.Dice) },
	"sign":       func(d *Desk, q question, _ []byte) (any, error) { return d.Sign(q.Sheet, q.With) },
}

// Call answers a question of the page. The answer is JSON, with value or with error: whatever
// was asked, nothing is thrown.
func (d *Desk) Call(name string, asked, file []byte) (answer []byte) {
	defer func() {
		if fault := recover(); fault != nil {
			answer = failed(fmt.Errorf("the desk has a fault: %v", fault))
		}
	}()
	call, known := calls[name]
	if !known {
		call, known = practiceCalls[name]
	}
	if !known {
		return failed(fmt.Errorf("the desk knows no %q", name))
	}
	var q question
	if err := json.Unmarshal(asked, &q); err != nil {
		return failed(err)
	}
	value, err := call(d, q, file)
	if err != nil {
		return failed(err)
	}
	text, err := json.Marshal(map[string]any{"value": value})
	if err != nil {
		return failed(err)
	}
	return text
}

func failed(err error) []byte {
	text, _ := json.Marshal(map[string]string{"error": err.Error()})
	return text
}

func (d *Desk) draw(q question) (string, error) {
	switch q.Part {
	case "board":
		return d.Board()
	case "position":
		return d.Position(q.Sheet, q.Layers)
	}
	return "", fmt.Errorf("the map has no part %q", q.Part)
}
