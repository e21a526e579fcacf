package desk

import (
	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/umpire/judge"
)

// Checked is the verdict on a sheet.
type Checked struct {
	Lines []Line `json:"lines"`
	// Stand and Refused count the orders.
	Stand   int `json:"stand"`
	Refused int `json:"refused"`
	// Next says in sentences what else there is to say.
	Next []string `json:"next,omitempty"`
	Done bool     `json:"done,omitempty"`
	// Actors are who may be given orders, where the sheet leaves them.
	Actors []adjudicator.Actor `json:"actors,omitempty"`
}

// Idle are the units and chits that have no order.
func (c *Checked) Idle() (names []string) {
	for _, a := range c.Actors {
		if !a.Ordered && a.Kind != "air" {
			names = append(names, a.Name)
		}
	}
	return names
}

// Line is an order and the verdict on it. Line 0 is a remark on the sheet as a whole.
type Line struct {
	Line       int    `json:"line"`
	Text       string `json:"text,omitempty"`
	Mark       string `json:"mark"` // OK, XX or !!
	Understood string `json:"understood,omitempty"`
	Warning    string `json:"warning,omitempty"`
	Clause     string `json:"clause,omitempty"`
	Why        string `json:"why,omitempty"`
	Instead    string `json:"instead,omitempty"`
}

// Check judges a sheet as the umpire would: by the same code.
func (d *Desk) Check(sheet string) (*Checked, error) {
	bench, err := d.judged()
	if err != nil {
		return nil, err
	}
	ack, refused := bench.Check(judge.Given{Text: sheet, Typed: true})
	out := &Checked{Refused: refused, Next: ack.Next}
	for _, l := range ack.Lines {
		line := Line{Line: l.Number, Text: l.Order, Mark: "OK", Understood: l.Understood, Warning: l.Warning, Clause: l.Clause, Why: l.Reason, Instead: l.Instead}
		switch {
		case l.Refused:
			line.Mark = "XX"
		case l.Warning != "":
			line.Mark = "!!"
		}
		if l.Number > 0 && l.Part == 0 && !l.Refused {
			out.Stand++
		}
		out.Lines = append(out.Lines, line)
	}
	parsed, _ := orders.Parse(orders.Canonical(sheet), bench.System.Vocabulary())
	out.Done = parsed.Done
	if _, err := d.rehearse(sheet); err != nil {
		return out, nil // without a guide nobody is known to wait for an order
	}
	out.Actors = d.guide.Actors()
	return out, nil
}
