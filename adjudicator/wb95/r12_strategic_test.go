package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
)

// Sections 12.1 and 12.2.
func TestStrategicMovement(t *testing.T) {
	for _, c := range []struct {
		clause string
		ps     []piece
		moves  string // orders of the Movement Phase
		at     hex.Hex
		before func(*State) // what combat did
		why    string       // part of what the owner is told
	}{
		{"12.2.3 seven less two", []piece{newPiece("A", red, ARM, Tracked, 7, 2, 201)}, "A TO 0206 STRATEGIC", 206, nil, ""},
		{"12.2.3 and no more", []piece{newPiece("A", red, ARM, Tracked, 7, 2, 201)}, "A TO 0207 STRATEGIC", 206, nil, "0 of 5 are left"},
		{"12.2.3 halved, less two, none", []piece{infAt("A", red, 201).oos(1)}, "A TO 0202 STRATEGIC", 201, nil, "0 of 0 are left"},
		{"12.1.2 fought", []piece{tankAt("A", red, 201)}, "A TO 0205 STRATEGIC", 201, func(s *State) { s.unit("A").Active = true }, "it has moved, entrenched or fought"},
		{"12.1.4 not marked", []piece{tankAt("A", red, 201)}, "", 201, nil, "it was not marked"},
		{"12.2.1 out of a zone", []piece{tankAt("A", red, 201), infAt("E", blue, 202)}, "A TO 0205 STRATEGIC", 201, nil, "0201 is in an enemy zone of control"},
		{"12.2.1 the enemy has gone", []piece{tankAt("A", red, 201), infAt("E", blue, 202)}, "A TO 0205 STRATEGIC", 205, func(s *State) { s.remove(s.unit("E")) }, ""},
		{"12.2.2 into a zone", []piece{tankAt("A", red, 201), infAt("E", blue, 205)}, "A 0201-0202-0203-0204 STRATEGIC", 203, nil, "0204 is in an enemy zone of control"},
		{"12.2.2 goes round a zone", []piece{tankAt("A", red, 201), infAt("E", blue, 404)}, "A TO 0206 STRATEGIC", 206, nil, ""},
	} {
		s := clearGround(8, 10).position(t, c.ps...)
		mid, _ := referee{answers: map[string]string{kindMove: c.moves}}.play(t, s, movementPhase)
		if whereIs(mid, "A") != 201 || mid.unit("A").Active || mid.unit("A").Strategic != (c.moves != "") {
			t.Errorf("WB-95 %s: after the Movement Phase: %+v", c.clause, *mid.unit("A"))
		}
		if c.before != nil {
			c.before(mid)
		}
		if c.moves == "" {
			c.moves = "A TO 0205 STRATEGIC"
		}
		mid.Phase = 5
		end, events := referee{answers: map[string]string{kindStrategic: c.moves}}.play(t, mid, strategicPhase)
		if got := whereIs(end, "A"); got != c.at {
			t.Errorf("WB-95 %s: in %v, want %v", c.clause, got, c.at)
		}
		if said := strings.Join(heard(events, red, "why"), "; "); !strings.Contains(said, c.why) {
			t.Errorf("WB-95 %s: told %q, want %q", c.clause, said, c.why)
		}
	}
}

func TestStrategicOrderOnReceipt(t *testing.T) {
	s := clearGround(8, 10).position(t, tankAt("A", red, 201), tankAt("B", red, 801), infAt("E", blue, 802))
	got, v := obey(t, s, "A TO 0205 STRATEGIC")
	if v != nil || got != "kept for strategic movement; as things stand 0201-0202-0203-0204-0205, 4 of 6 MP" || whereIs(s, "A") != 201 {
		t.Errorf("%q, %v", got, v)
	}
	if _, v := obey(t, s, "A TO 0203"); v == nil || v.Clause != "WB-95 12.1.2" {
		t.Errorf("WB-95 12.1.2: a marked unit moves: %v", v)
	}
	if got, v := obey(t, s, "B TO 0505 STRATEGIC"); v != nil || !strings.Contains(got, "impossible: 0801 is in an enemy zone") {
		t.Errorf("%q, %v", got, v)
	}
}

// WB-95 11.1.3: reinforcements may come in the Strategic Movement Phase.
func TestStrategicEntry(t *testing.T) {
	s := arriving(t, border(), []string{"D"}, truckAt("M", red, 0).due(2))
	s.Phase = 5
	end, _ := referee{answers: map[string]string{kindStrategic: "M ENTER D TO 0304 STRATEGIC"}}.play(t, s, strategicPhase)
	if whereIs(end, "M") != 304 {
		t.Errorf("M is in %v", whereIs(end, "M"))
	}
}
