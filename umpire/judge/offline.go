package judge

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/umpire/match"
)

// CheckOffline judges a sheet against the view.json of a report, just as the
// daemon would on receipt. The sheet need not be signed. refused counts the lines
// that would not stand.
func CheckOffline(s *match.Library, v *view.View, text string) (answer string, refused int, err error) {
	game, sys, err := s.Load(v.Scenario)
	if err != nil {
		return "", 0, err
	}
	canonical := orders.Canonical(text)
	sheet, faults := orders.Parse(canonical, sys.Vocabulary())
	f := Judged(game, v, sheet, faults)
	a := &report.Ack{Game: v.Game, Title: v.Title, Side: v.Side, Turn: v.Turn, Date: v.Date, Checked: true}
	for _, l := range f.Lines {
		if l.Pos.Line > 0 {
			l.Pos = orders.Where(text, l.Pos)
		}
		if l.At.Line > 0 {
			l.At = orders.Where(text, l.At)
		}
		a.Lines = append(a.Lines, Line(l))
	}
	for name, want := range map[string]string{"GAME": v.Game, "SIDE": v.Side, "TURN": fmt.Sprint(v.Turn)} {
		if got := sheet.Header(name); !strings.EqualFold(got, want) {
			a.Next = append(a.Next, fmt.Sprintf("The sheet says %s: %s; this view is of %s: %s.", name, got, name, want))
		}
	}
	if sheet.Header("SERIAL") == "" {
		a.Next = append(a.Next, "The sheet has no SERIAL.")
	}
	if !f.Done {
		a.Next = append(a.Next, "It has no DONE: filed so, it would wait.")
	}
	_, refused = f.Accepted()
	return a.Text(), refused, nil
}

// TemplateOffline is an order sheet for the side of a view.json, with its units.
func TemplateOffline(s *match.Library, v *view.View) (string, error) {
	_, sys, err := s.Load(v.Scenario)
	if err != nil {
		return "", err
	}
	return report.Filled(v, v.Turn, 1, sys.Template()), nil
}
