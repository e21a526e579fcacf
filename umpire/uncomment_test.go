package umpire

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/guidance"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// In all scenarios each order of an untouched sheet whose # is taken away is legal, or its
// own comment gives the reason for which the judge refuses it.
func TestEveryLineOfTheSheetToFillInIsLegalOrSaysWhyNot(t *testing.T) {
	infos, err := match.Builtin.List()
	if err != nil {
		t.Fatal(err)
	}
	tried, refused := 0, 0
	for _, in := range infos {
		game, _, err := match.Builtin.Load(in.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range game.Sides() {
			v, err := match.Builtin.OpeningView(in.ID, string(side))
			if err != nil {
				t.Fatal(err)
			}
			bench, err := judge.For(&match.Builtin, v)
			if err != nil {
				t.Fatal(err)
			}
			sheet, err := guidance.Fill(bench.Template(), bench.Game, bench.View, bench.System.Template())
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(sheet, "\n")
			for i, line := range lines {
				order, is := strings.CutPrefix(line, "  # ")
				if !is {
					continue
				}
				tried++
				alone := slices.Clone(lines)
				alone[i] = "  " + order
				said := whyNot(bench, strings.Join(alone, "\n"))
				if said != "" {
					refused++
				}
				if fault := misled(order, said); fault != "" {
					t.Errorf("%s, %s: %q: %s", in.ID, side, line, fault)
				}
			}
		}
	}
	if tried < 1500 || refused < 100 {
		t.Errorf("only %d lines were tried, and %d of them refused", tried, refused)
	}
}

// whyNot is the clause and the reason for which a sheet's first line is refused, "" for none.
func whyNot(bench *judge.Bench, sheet string) string {
	ack, _ := bench.Check(judge.Given{Text: sheet})
	for _, l := range ack.Lines {
		switch {
		case !l.Refused:
		case l.Clause == "":
			return l.Reason
		default:
			return l.Clause + ": " + l.Reason
		}
	}
	return ""
}

// misled says what a line's comment hides of the verdict on it, or threatens without cause.
func misled(order, said string) string {
	_, comment, _ := strings.Cut(order, "# ")
	reason, warns := strings.CutPrefix(comment, "not now: ")
	switch {
	case said == "" && warns:
		return "the order is legal"
	case said == "" || warns && reason != "" && strings.HasPrefix(said, reason):
		return ""
	}
	return "the judge says: " + said
}

func TestAMisleadingCommentIsSeen(t *testing.T) {
	const why = "WB-95 6.2.3: it is in combat set-up"
	for _, c := range []struct {
		order, said string
		misleads    bool
	}{
		{"81 INF TO 2505  # 5-4 stays", "", false},
		{"81 INF TO 2505  # 5-4 stays", why, true},
		{"81 INF TO 2505", why, true},
		{"81 INF TO 2505  # not now: ", why, true},
		{"81 INF TO 2505  # not now: WB-95 6.2.3: it is in combat", why, false},
		{"81 INF TO 2505  # not now: WB-95 3.1.5: it is too far", why, true},
		{"81 INF TO 2505  # not now: WB-95 6.2.3: it is in combat", "", true},
	} {
		if got := misled(c.order, c.said); (got != "") != c.misleads {
			t.Errorf("%q with %q: %q", c.order, c.said, got)
		}
	}
}
