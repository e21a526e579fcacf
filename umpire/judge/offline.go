package judge

import (
	"errors"
	"fmt"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/report"
)

// Library is where scenarios are under their rules.
type Library interface {
	Load(id string) (adjudicator.Game, adjudicator.System, error)
	Hash(id string) (string, error)
}

// Bench is what the sheets of a side are judged by away from the umpire.
type Bench struct {
	Game   adjudicator.Game
	System adjudicator.System
	View   *view.View
	begun  *view.View // by which orders are judged: in the midst of a phase, the position as it began
	asked  []adjudicator.Decision
	may    []string
}

// ErrOtherRules says that a view stands under rules or scenario files that are not those
// that are here.
var ErrOtherRules = errors.New("the umpire judges by others than this program has")

// For is the bench of a view.json, under the version of the rules and the options that it
// names. The error wraps ErrOtherRules where the verdict would not be the umpire's.
func For(s Library, v *view.View) (*Bench, error) {
	game, sys, err := s.Load(v.Scenario)
	if err != nil {
		return nil, err
	}
	b := &Bench{Game: game, System: sys, View: v, begun: begun(v), asked: asked(v), may: adjudicator.AsksOf(sys)}
	if v.Reply != nil {
		b.may = v.Reply.Asks
	}
	if v.Rules == nil {
		b.Game, err = adjudicator.Under(game, v.Options)
		return b, err
	}
	hash, err := s.Hash(v.Scenario)
	switch {
	case err != nil:
		return nil, err
	case sys.ID() != v.System:
		return nil, fmt.Errorf("%w: the view is of the rules %s, and the scenario %s here is of %s", ErrOtherRules, v.System, v.Scenario, sys.ID())
	case hash != v.Rules.Scenario:
		return nil, fmt.Errorf("%w: the files of scenario %s are not those of the game (here %.16s, there %.16s). Name the umpire's own scenario folders with --dir if you have them, or ask the umpire with CHECK in the head of the sheet", ErrOtherRules, v.Scenario, hash, v.Rules.Scenario)
	}
	if b.Game, err = adjudicator.Under(game, v.Rules.Options); err != nil {
		return nil, err
	}
	played, ok := adjudicator.UnderVersion(sys, b.Game, v.Rules.Version)
	if !ok {
		return nil, fmt.Errorf("%w: the game follows version %s of the rules %s, and this program (%d) does not play it. Take the umpire's version of the program (%s), or ask the umpire with CHECK in the head of the sheet", ErrOtherRules, v.Rules.Version, v.System, sys.Version(), v.Rules.Program)
	}
	b.Game = played
	return b, nil
}

// begun is the view by which orders are judged, which the umpire has only as the phase began.
func begun(v *view.View) *view.View {
	if v.Begun == nil {
		return v
	}
	b := *v.Begun
	b.Board, b.Game, b.Rules, b.Reply, b.Leads = v.Board, v.Game, v.Rules, v.Reply, v.Leads
	if v.Acting != nil {
		b.Midst = v
	}
	return &b
}

// asked are the questions of a view, as the umpire asks them.
func asked(v *view.View) (out []adjudicator.Decision) {
	for _, q := range v.Asked {
		d := adjudicator.Decision{Label: q.Label, Kind: q.Kind, Side: adjudicator.Side(v.Side), Clause: q.Clause, Proposal: q.Proposal, Source: q.Source, Pause: q.Why}
		for _, o := range q.Options {
			d.Options = append(d.Options, adjudicator.Option{Answer: o.Answer, Means: o.Means})
		}
		out = append(out, d)
	}
	return out
}

// read parses a sheet and judges each of its lines.
func (b *Bench) read(canonical string) (*orders.Sheet, *adjudicator.Filing) {
	sheet, faults := orders.Parse(canonical, b.System.Vocabulary())
	f := Judged(b.Game, b.begun, sheet, faults)
	f.Lines = WithAnswers(f.Lines, sheet, b.asked, b.may)
	return sheet, f
}

// Given is a sheet to be judged.
type Given struct {
	Text string
	// Typed tells that the text is as it was typed: the lines of the answer are numbered as
	// they are there, and as in the canonical form else.
	Typed bool
	// Filed is the sheet that it would take the place of, "" for none.
	Filed string
}

// Check says of a sheet what the umpire would on receipt: the lines of the acknowledgement,
// and in Next what else there is to say. Refused counts the lines that would not stand.
func (b *Bench) Check(g Given) (a *report.Ack, refused int) {
	sheet, f := b.read(orders.Canonical(g.Text))
	a = &report.Ack{Game: b.View.Game, Title: b.View.Title, Side: b.View.Side, Turn: b.turn(), Date: b.begun.Date, Checked: true}
	a.Next = append(a.Next, b.headed(sheet)...)
	doubts := Doubts(f.Lines)
	if dropped := b.dropped(sheet, g.Filed); dropped != "" {
		a.Next, doubts = append(a.Next, dropped), append(doubts, dropped)
	}
	switch {
	case sheet.Bare():
	case !f.Done:
		a.Next = append(a.Next, "It has no DONE: filed so, it would wait.")
	case b.secondLook() && !sheet.AsIs && len(doubts) > 0:
		a.Next = append(a.Next, "Filed so, it would be held for a second look, and not be played before its writer confirms it.")
	}
	a.Next = append(a.Next, f.Notes...)
	_, refused = f.Accepted()
	f.Lines = Shown(f.Lines, sheet.Bare(), false)
	if g.Typed {
		placed(f.Lines, g.Text)
	}
	a.Lines = Lines(f)
	return a, refused
}

// placed numbers lines as they are in the text that was typed.
func placed(lines []adjudicator.Line, text string) {
	typed := orders.PlacesOf(text)
	for i := range lines {
		l := &lines[i]
		if l.Pos.Line > 0 {
			l.Pos = typed.Where(l.Pos)
		}
		if l.At.Line > 0 {
			l.At = typed.Where(l.At)
		}
	}
}

// dropped says what of a filed sheet the one in its place has nothing for.
func (b *Bench) dropped(sheet *orders.Sheet, filed string) string {
	if filed == "" || sheet.Bare() {
		return ""
	}
	was, f := b.read(orders.Canonical(filed))
	serial, _ := was.Number("SERIAL")
	return Dropped(serial, was, sheet, adjudicator.Falling(b.Game, adjudicator.Side(b.View.Side), f.Answers))
}

// headed says why the head of a sheet would not be taken, or is judged by the umpire alone.
func (b *Bench) headed(sheet *orders.Sheet) (next []string) {
	for _, h := range []struct{ name, want string }{{"GAME", b.View.Game}, {"SIDE", b.View.Side}} {
		if got := sheet.Header(h.name); !strings.EqualFold(got, h.want) {
			next = append(next, fmt.Sprintf("The sheet says %s: %s; this view is of %s: %s.", h.name, got, h.name, h.want))
		}
	}
	last := -1
	if b.View.Reply != nil {
		last = b.View.Reply.Serial - 1
	}
	if _, _, bad := Numbers(sheet, b.turn(), last); bad != nil {
		next = append(next, strings.TrimSpace(report.Sentence("it would not be filed: "+bad.Why)+" "+bad.Instead))
	}
	if why := b.tooLate(sheet); why != "" {
		next = append(next, why)
	}
	for _, h := range sheet.Headers {
		switch h.Name {
		case "ZONE", "AWAY", "ADDRESS", "CONFIRM", "EXTEND", "PICTURES", "ANSWERS", "DEPUTY":
			next = append(next, fmt.Sprintf("%s: %s is for the umpire to judge when the sheet comes.", h.Name, h.Value))
		}
	}
	return next
}

// tooLate says that orders would not be filed because those of the turn are being played, ""
// if they would.
func (b *Bench) tooLate(sheet *orders.Sheet) string {
	changes := !sheet.Bare() || sheet.Command("WITHDRAW")
	if b.View.Reply == nil || !b.View.Reply.InPlay || !changes {
		return ""
	}
	return fmt.Sprintf("It would not be filed: your orders for turn %d are being played, and can no longer be %s. %s", b.turn(), Changed(sheet), InPlayInstead(sheet))
}

// turn is that of the side's next sheet.
func (b *Bench) turn() int {
	if b.View.Reply != nil {
		return b.View.Reply.Turn
	}
	return b.View.Turn
}

func (b *Bench) secondLook() bool { return b.View.Reply != nil && b.View.Reply.SecondLook }

// Template is an order sheet for the side, with its units.
func (b *Bench) Template() string {
	serial := 1
	if b.View.Reply != nil {
		serial = b.View.Reply.Serial
	}
	return report.Filled(b.View, b.turn(), serial, b.System.Template())
}
