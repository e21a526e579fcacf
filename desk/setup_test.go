package desk

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// settingUp is the report before a game in which the places of units are chosen.
func settingUp(t *testing.T, scenario, side string) []byte {
	t.Helper()
	game, system, err := builtin.Load(scenario)
	if err != nil {
		t.Fatal(err)
	}
	options := map[string]string{"set-up": "choose"}
	if game, err = game.(adjudicator.Optional).With(options); err != nil {
		t.Fatal(err)
	}
	position, err := game.Opening()
	if err != nil {
		t.Fatal(err)
	}
	v, err := game.View(position, adjudicator.Side(side))
	if err != nil {
		t.Fatal(err)
	}
	hash, err := builtin.Hash(scenario)
	if err != nil {
		t.Fatal(err)
	}
	v.Game, v.Reply = "K7QX2MPA", &view.Reply{Turn: v.Turn, Serial: 1}
	v.Rules = &view.Rules{Version: strconv.Itoa(system.Version()), Scenario: hash, Options: options}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Of a set-up it is told who has a place to be chosen and who has none yet; each can be placed.
func TestUnitsToPlace(t *testing.T) {
	for scenario, side := range map[string]string{"kharkov-1942": "SOVIET", "gd-kursk": "GERMAN", "two-stars": "AMERICAN"} {
		d, o := open(t, settingUp(t, scenario, side))
		sheet := o.Blank
		left := func() (unplaced []string) {
			t.Helper()
			all, err := d.SetUp(sheet)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range all {
				if !p.Placed {
					unplaced = append(unplaced, p.Unit)
				}
			}
			return unplaced
		}
		before := left()
		if !o.SetUp || len(before) < 5 {
			t.Fatalf("%s: %v, to place are %v", scenario, o.SetUp, before)
		}
		for _, unit := range before[:3] {
			can, err := d.Choices(sheet, unit)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range can.Verbs {
				if v.Section == setUpSection && v.Refused == nil {
					if sheet, err = d.Edit(sheet, Change{Actor: unit, Section: v.Section, Order: v.Order}); err != nil {
						t.Fatal(err)
					}
					break
				}
			}
		}
		if after := left(); len(after) != len(before)-3 || after[0] != before[3] {
			t.Errorf("%s: of %d three were placed, left are %v\n%s", scenario, len(before), after, sheet)
		}
		if c, err := d.Check(sheet); err != nil || c.Refused > 0 || c.Stand != 3 {
			t.Errorf("%s: %+v, %v\n%s", scenario, c, err, sheet)
		}
	}
	d, o := open(t, opening(t, "kharkov-1942", "SOVIET"))
	if all, err := d.SetUp(o.Blank); err != nil || len(all) > 0 || o.SetUp || strings.Contains(o.Blank, setUpSection) {
		t.Errorf("after the set-up there are %v to place, %v", all, err)
	}
}
