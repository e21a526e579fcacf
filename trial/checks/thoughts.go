package checks

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/desk"
	"fieldpost/desk/practice"
	"fieldpost/trial"
)

// RunThoughts plays practice games of the order desk twice, by its engine of this program and by
// the one for browsers, which node runs. All sheets are those of staff officers of the strength
// of a choice; they, and all else that the desk tells, must be the same bytes.
func RunThoughts(ctx context.Context, t *trial.Trial, of practice.Choice) error {
	began := time.Now()
	e, err := startEngine(ctx)
	if err != nil {
		return err
	}
	defer e.stop()
	all := &practised{twins: twins{engine: e}, turns: t.Turns}
	for number := t.Seed; all.sheets < t.Count; number++ {
		of.Scenario, of.Seed = t.Scenario(number-t.Seed), number
		sides, err := desk.SidesOf(of.Scenario)
		if err != nil {
			return err
		}
		of.Side = sides[number/len(t.Scenarios)%len(sides)]
		share := min(t.Count-all.sheets, max(1, t.Count/len(t.Scenarios)))
		sheets, err := all.play(ctx, of, share)
		if err != nil {
			return fmt.Errorf("%s, --seed %d: %w", of.Scenario, number, err)
		}
		all.sheets += sheets
		fmt.Fprintf(t.Progress, "%s %d as %s: %d sheets\n", of.Scenario, number, of.Side, sheets)
	}
	fmt.Fprintf(t.Out, "%d sheets of staff officers (%s) written by the desk's engine here and in wasm: %d bytes of answers, 0 answers differ (%v)\n",
		all.sheets, of.Strength, all.bytes, time.Since(began).Round(time.Second))
	return nil
}

// practised are practice games that both desks play.
type practised struct {
	twins
	turns  int // that a game lasts at most; 0: to the verdict
	sheets int
}

// play plays a game until so many sheets are written, or to its end. It tells how many were.
func (p *practised) play(ctx context.Context, c practice.Choice, most int) (sheets int, err error) {
	if _, err = p.both("practice/begin", map[string]any{"practice": c}); err != nil {
		return 0, err
	}
	for sheets < most {
		if err := ctx.Err(); err != nil {
			return sheets, err
		}
		var moved desk.Moved
		if err := p.told("practice/next", &moved); err != nil {
			return sheets, err
		}
		late := p.turns > 0 && moved.Turn > p.turns
		if moved.State == practice.Over || late {
			return sheets, nil
		}
		if moved.State == practice.Playing {
			continue
		}
		if err := p.propose(); err != nil {
			return sheets, err
		}
		if sheets, err = p.written(); err != nil {
			return sheets, err
		}
	}
	return sheets, nil
}

// propose hands in for the person what a staff officer would.
func (p *practised) propose() error {
	var sheet string
	if err := p.told("practice/proposal", &sheet); err != nil {
		return err
	}
	_, err := p.both("practice/file", map[string]any{"sheet": sheet})
	return err
}

// written is how many sheets of all sides the game has, as it would be kept.
func (p *practised) written() (n int, err error) {
	var opened desk.Opened
	if err := p.told("practice/report", &opened); err != nil {
		return 0, err
	}
	var kept struct {
		Seats map[adjudicator.Side]struct{ Serial int }
	}
	err = json.Unmarshal([]byte(opened.Practice.Kept), &kept)
	for _, s := range kept.Seats {
		n += s.Serial
	}
	return n, err
}

// told is what both say, which must be the same.
func (p *practised) told(name string, into any) error {
	value, err := p.both(name, struct{}{})
	if err != nil {
		return err
	}
	return json.Unmarshal(value, into)
}

// both asks both desks.
func (p *practised) both(name string, question any) (value json.RawMessage, err error) {
	asked, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	text, err := p.same(name, string(asked), nil)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Value json.RawMessage
		Error string
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("%s: %s", name, answer.Error)
	}
	return answer.Value, nil
}
