package staff

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// Every system of the register has its officer, and none is there for others.
func TestEverySystemHasItsOfficer(t *testing.T) {
	for _, s := range systems.All {
		if offices[s.ID()].construct == nil {
			t.Errorf("nobody plays %s", s.ID())
		}
	}
	if len(offices) != len(systems.All) {
		t.Errorf("%d officers for %d systems", len(offices), len(systems.All))
	}
}

// What an officer cannot play is named: another system, a view of another game, a view of
// another scenario, a position that is none.
func TestOfficersSayWhatIsWrong(t *testing.T) {
	kursk, steppe := load(t, "gd-kursk"), load(t, "star-and-gallop")
	v := opening(t, "star-and-gallop", "SOVIET")
	other, late := *v, *v
	other.Scenario, late.Turn = "winter-campaign", 99
	for _, tc := range []struct {
		name string
		o    Officer
		v    *view.View
		want string
	}{
		{"another system", Officer{Game: kursk}, &view.View{System: "draughts", Side: "WHITE"}, "no staff officer plays draughts"},
		{"no game", Officer{}, v, "staff officer of SOVIET: the view is of steppe, the game is not"},
		{"another game", Officer{Game: kursk}, v, "staff officer of SOVIET: the view is of steppe, the game is not"},
		{"another scenario", Officer{Game: steppe}, &other, "staff officer of SOVIET: the view is of scenario winter-campaign, not star-and-gallop"},
		{"no such turn", Officer{Game: steppe}, &late, "staff officer of SOVIET: the view is of turn 99, the scenario has no such turn"},
	} {
		text, err := tc.o.Sheet(tc.v, 1)
		if err == nil || err.Error() != tc.want || text != "" {
			t.Errorf("%s: %v, sheet %q", tc.name, err, text)
		}
	}
}

// The head of a sheet: game, side, turn, serial and the mode that was chosen; DONE ends it.
func TestHeadOfASheet(t *testing.T) {
	v := opening(t, "star-and-gallop", "SOVIET")
	for mode, want := range map[string]string{
		"":    "GAME: TESTGAME\nSIDE: SOVIET\nTURN: 1\nSERIAL: 7\nCHIT ",
		"ASK": "GAME: TESTGAME\nSIDE: SOVIET\nTURN: 1\nSERIAL: 7\nMODE: ASK\nCHIT ",
	} {
		text, err := Officer{Game: load(t, v.Scenario), Mode: mode}.Sheet(v, 7)
		if err != nil || !strings.HasPrefix(text, want) || !strings.HasSuffix(text, "\nDONE!\n") {
			t.Errorf("mode %q: %v\n%s", mode, err, text)
		}
	}
}

// Before the first turn of WB-95 the officer leaves the set-up as the book prints it.
func TestSetUpAsPrinted(t *testing.T) {
	v := opening(t, "kharkov-1942", "GERMAN")
	v.Turn = 0
	text, err := Officer{Game: load(t, v.Scenario)}.Sheet(v, 1)
	if want := "GAME: TESTGAME\nSIDE: GERMAN\nTURN: 0\nSERIAL: 1\nDONE!\n"; err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
}

// A choice is what scored most, of equals the first; one that stands gives way to more only.
func TestChoice(t *testing.T) {
	var c choice[string]
	if c.made {
		t.Error("made with nothing offered")
	}
	for _, x := range []struct {
		name  string
		score int
	}{{"a", -5}, {"b", 3}, {"c", 3}, {"d", 2}} {
		c.offer(x.name, x.score)
	}
	if c.best != "b" || c.score != 3 || !c.made {
		t.Errorf("%+v", c)
	}
	c = unless("stands", 3)
	if c.offer("as good", 3); c.best != "stands" {
		t.Errorf("%+v", c)
	}
	if c.offer("better", 4); c.best != "better" || c.score != 4 {
		t.Errorf("%+v", c)
	}
}

// The sheets of all scenarios, as they were written in play and on positions that were shifted
// at random: no line is refused, nothing is too long, all sections are there, DONE ends them,
// and they speak of nothing that the View does not hold.
func TestSheetsKeepTheRules(t *testing.T) {
	var tried, lines int
	for n, s := range everySitting(t) {
		lines += len(s.filing.Lines)
		checkSheet(t, s)
		// The views with questions and those of the first turn are enough for shifts.
		if s.view.Turn > 1 && len(s.view.Asked) == 0 || len(s.view.Asked) > 0 && n%4 > 0 {
			continue
		}
		v := staged(t, s.view, uint64(n))
		text, err := Officer{Game: s.game, Mode: s.mode}.Sheet(v, 3)
		if err != nil {
			t.Errorf("%s, shifted: %v", s.label, err)
			continue
		}
		sheet, faults := orders.Parse(orders.Canonical(text), systemOf(t, v.Scenario).Vocabulary())
		for _, f := range faults {
			t.Errorf("%s, shifted: %v\n%s", s.label, f, text)
		}
		tried++
		checkSheet(t, &sitting{s.label + ", shifted", s.game, v, s.mode, text, sheet, s.game.Check(v, sheet)})
	}
	if tried < 30 || lines < 2000 {
		t.Errorf("only %d shifted views, %d lines", tried, lines)
	}
}

// checkSheet fails on what a sheet may never be.
func checkSheet(t *testing.T, s *sitting) {
	t.Helper()
	for _, l := range s.filing.Lines {
		if l.Refused != nil {
			t.Errorf("%s: %q is refused: %s", s.label, l.Text, l.Refused.Why)
		}
	}
	rows := strings.Split(strings.TrimSuffix(s.text, "\n"), "\n")
	if len(rows) > orders.MaxLines || rows[len(rows)-1] != "DONE!" || !s.sheet.Done {
		t.Errorf("%s: %d lines, the last %q", s.label, len(rows), rows[len(rows)-1])
	}
	foreign := foreignNames(s.view)
	for _, row := range rows {
		if len(row) > orders.MaxLine {
			t.Errorf("%s: a line of %d characters: %s", s.label, len(row), row)
		}
		if target, ok := targetOf(row); ok && !isEnemy(s.view, target) {
			t.Errorf("%s: nobody is known on %s: %s", s.label, target, row)
		}
		for _, word := range strings.Split(strings.NewReplacer("; ", ", ", " WITH ", ", ", "ADVANCE ", "", "MOVE ", "").Replace(row), ", ") {
			if slices.Contains(foreign, word) {
				t.Errorf("%s: an order for %s, who is the enemy: %s", s.label, word, row)
			}
		}
	}
}

// foreignNames lists the enemy units that a View knows by name, without those that ours bear
// as well.
func foreignNames(v *view.View) (out []string) {
	own := map[string]bool{}
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Allies} {
		for _, u := range list {
			own[u.Name] = true
		}
	}
	for _, e := range v.Enemy {
		for _, u := range e.Units {
			if u.Name != "" && !own[u.Name] {
				out = append(out, u.Name)
			}
		}
	}
	return out
}

// targetOf is the hex that an order attacks or fires at, false if it does neither.
func targetOf(row string) (string, bool) {
	words := strings.Fields(row)
	for _, verb := range []string{"ATTACK", "BARRAGE"} {
		if len(words) > 2 && words[0] == verb && words[2] == "WITH" {
			return words[1], true
		}
	}
	if i := len(words) - 2; i > 0 && words[0] == "FIRE" && words[i] == "AT" {
		return words[i+1], true
	}
	return "", false
}

func isEnemy(v *view.View, at string) bool {
	return slices.ContainsFunc(v.Enemy, func(e view.Stack) bool { return e.Hex.String() == at })
}

// The same View gives the same sheet, whoever else has been served meanwhile.
func TestSameViewSameSheet(t *testing.T) {
	for _, info := range scenarios.List() {
		if large[info.ID] {
			continue
		}
		for _, s := range sittings(t, info.ID, "", 2)[:2] {
			again, err := Officer{Game: s.game, Mode: s.mode}.Sheet(s.view, s.view.Turn)
			if err != nil || again != s.text {
				t.Errorf("%s: another sheet, %v", s.label, err)
			}
		}
	}
}

// What has to be attacked in WB-95 is: nothing of the duties is left to the rules.
func TestDutiesAreOrdered(t *testing.T) {
	attacks := 0
	for _, s := range everySitting(t) {
		if s.view.System != "wb95" {
			continue
		}
		attacks += strings.Count(s.text, "\n    WITH ")
		for _, l := range s.filing.Lines {
			if l.Warning != "" {
				t.Errorf("%s: %s %s", s.label, l.Text, l.Warning)
			}
		}
		if got, want := strings.Contains(s.text, "ALL RETREAT FULL"), s.view.Turn > 0; got != want {
			t.Errorf("%s: standing orders %v", s.label, got)
		}
	}
	if attacks < 50 {
		t.Errorf("only %d attacks", attacks)
	}
}
