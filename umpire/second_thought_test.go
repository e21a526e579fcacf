package umpire

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// The table in docs/ORDERS.md of when a sheet is played, each cell with two players and
// against a staff officer.
func TestWhenASheetIsPlayed(t *testing.T) {
	for _, row := range whenPlayed(t) {
		for _, against := range []string{"", "staff"} {
			for _, cell := range row.cells {
				t.Run(fmt.Sprintf("%s/%s/%s", row.sheet, cell.when, against), func(t *testing.T) {
					t.Parallel()
					if got := becomesOf(t, row.sheet, cell.when, against); got != cell.becomes {
						t.Errorf("it is %q, the page says %q", got, cell.becomes)
					}
				})
			}
		}
	}
}

// everyDuty attacks all that the Soviets must attack in the first turn of Kharkov 1942.
const everyDuty = `ATTACK
  1503 WITH 227 INF, 293 INF, 10 ARM
  1705 WITH 175 INF
  1905 WITH 13 INF, 244 INF, 57 ARM, 90 ARM
  2106 WITH 124 INF, 226 INF, 13/XXII, 36/XXII
  2307 WITH 81 INF, 133/XXII
  2505 WITH 300 INF
  3413 WITH 47 INF
`

type whenCell struct{ when, becomes string }

type whenRow struct {
	sheet string
	cells []whenCell
}

// whenPlayed reads the table of the page.
func whenPlayed(t *testing.T) (rows []whenRow) {
	t.Helper()
	page, err := os.ReadFile("../docs/ORDERS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "<!-- when a sheet is played -->\n\n")
	table, _, more := strings.Cut(table, "\n\n")
	lines := strings.Split(table, "\n")
	if !ok || !more || len(lines) != 6 {
		t.Fatalf("docs/ORDERS.md has no table of when a sheet is played:\n%s", table)
	}
	cells := func(line string) (out []string) {
		for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
			out = append(out, strings.TrimSpace(c))
		}
		return out
	}
	head := cells(lines[0])
	for _, line := range lines[2:] {
		c := cells(line)
		row := whenRow{sheet: c[0]}
		for i := 1; i < len(c); i++ {
			row.cells = append(row.cells, whenCell{head[i], c[i]})
		}
		rows = append(rows, row)
	}
	return rows
}

// becomesOf sends a sheet of the kind and tells what becomes of it.
func becomesOf(t *testing.T, kind, when, against string) string {
	t.Helper()
	const side, other = "SOVIET", "GERMAN"
	before, sheet := "", everyDuty
	switch kind {
	case "leaves nothing to look at":
	case "has a line that was refused":
		sheet = "MOVE\n  9999 INF TO 2008\n" + sheet
	case "leaves a duty open":
		sheet = "MOVE\n  343 INF TO 3807\n"
	case "drops an order that was filed":
		before = "MOVE\n  343 INF TO 3807\n"
	default:
		t.Fatalf("%q is no sheet that the test knows", kind)
	}
	undo := "0"
	if _, value, ok := strings.Cut(when, "undo = "); ok {
		undo = value
	}
	options := []string{"undo=" + undo}
	if against != "" {
		options = append(options, "staff="+other)
	}
	g := newTable(t, options...)
	g.seat(side)
	if against == "" {
		g.seat(other)
	}
	serial := 1
	if before != "" {
		g.receive(g.mail(side, g.signed(side, g.headOf(side, serial)+before)))
		serial++
	}
	switch {
	case when == "DONE!":
		sheet += "DONE!\n"
	case strings.HasPrefix(when, "DONE"):
		sheet += "DONE\n"
	}
	g.outbox(side)
	phases := g.phases()
	g.receive(g.mail(side, g.signed(side, g.headOf(side, serial)+sheet)))
	answers := g.outbox(side)
	if len(answers) == 0 {
		t.Fatal("there is no answer")
	}
	subject := answers[0].Subject
	played := g.phases() > phases
	if said := strings.Contains(subject, "] PLAYED"); said != played {
		t.Errorf("played: %v, and the subject is %q", played, subject)
	}
	if played {
		return "played"
	}
	for range 2 {
		g.clock = g.clock.Add(15 * time.Minute)
		g.u.Tick(g.clock)
	}
	switch later := g.phases() > phases; {
	case later && strings.Contains(subject, "will be played at 12:15"):
		return "played after 15 minutes"
	case later:
		return "played later, and it was not said: " + subject
	case strings.Contains(subject, "to look at"):
		return "held"
	case strings.Contains(subject, "filed, send DONE"):
		return "filed"
	}
	return subject
}

// headOf is the head of a sheet for the first turn.
func (g *gameTable) headOf(side string, serial int) string {
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\n", g.game, side, serial)
}

// phases counts the phases of the game that are complete.
func (g *gameTable) phases() uint64 {
	game, err := g.u.DB.Game(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	return game.Phases
}

// Where the rules return a sheet with duties open, a bare DONE finishes one that has none.
func TestABareDoneFinishesWhatLeavesNoDutyOpen(t *testing.T) {
	g := newTable(t, "duties=return")
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", g.headOf("SOVIET", 1)+everyDuty)))
	g.outbox("SOVIET")
	before := g.phases()
	g.receive(g.mail("SOVIET", g.signed("SOVIET", g.headOf("SOVIET", 2)+"DONE\n")))
	if answers := g.outbox("SOVIET"); g.phases() == before || !strings.Contains(answers[0].Subject, "PLAYED: sheet 1") {
		t.Errorf("it is answered %q", answers[0].Subject)
	}
	g.proved()
}
