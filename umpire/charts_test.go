package umpire

import (
	"strings"
	"testing"

	"fieldpost/umpire/match"
)

// Every scenario shows its charts: each row is whole, and each counter of either side
// stands in a card of units.
func TestEveryScenarioHasItsCharts(t *testing.T) {
	library := new(match.Library)
	all, err := library.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		title, charts, err := library.Charts(s.ID)
		if err != nil || title == "" || len(charts) < 6 {
			t.Errorf("%s: %q, %d charts, %v", s.ID, title, len(charts), err)
		}
		cards := map[string]bool{}
		for _, c := range charts {
			if c.Title == "" || len(c.Rows) == 0 {
				t.Errorf("%s: the chart %q is empty", s.ID, c.Title)
			}
			for _, r := range c.Rows {
				if len(r) != len(c.Head) {
					t.Errorf("%s, %s: %q has %d cells under %d heads", s.ID, c.Title, r, len(r), len(c.Head))
				}
				if strings.HasPrefix(c.Title, "Units: ") {
					cards[r[0]] = true
				}
			}
		}
		units, err := library.Units(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for i, name := range match.UnitColumns {
			if name == "unit" {
				at = i
			}
		}
		for _, u := range units {
			if !cards[u[at]] {
				t.Errorf("%s: no card has the unit %q", s.ID, u[at])
			}
		}
	}
}

// A player asks for the charts and gets them to read and to print.
func TestChartsByMail(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive([]byte("From: soviet@example.org\nMessage-ID: <charts@x>\nSubject: please\n\nCharts please\n"))
	answer := g.lastOf("note", "SOVIET")
	names := []string{}
	for _, a := range answer.Attachments {
		names = append(names, a.Name)
		if !strings.Contains(string(a.Data), "A2D-2 / -1") || !strings.Contains(string(a.Data), "13/XXII") {
			t.Errorf("%s has no combat table or no card of 13/XXII", a.Name)
		}
	}
	if got := strings.Join(names, " "); got != "charts.txt charts.html" {
		t.Errorf("attached: %q", got)
	}
}
