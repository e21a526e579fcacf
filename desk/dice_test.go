package desk

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/dice/vrf"
)

// rolled is a view with dice that were thrown by a key, and that key.
func rolled(t *testing.T) (*view.View, *vrf.Key) {
	t.Helper()
	key := vrf.NewKey([32]byte{1})
	root := []byte("root of the dice of this game ..")
	v := &view.View{Format: view.Format, Game: "K7QX2MPA", System: "wb95", Scenario: "kharkov-1942", Side: "SOVIET", Story: &view.Story{Key: key.PublicKey().String(), Root: hex.EncodeToString(root)}}
	for _, phase := range []string{"turn 1 phase 4", "turn 1 phase 8"} {
		c := view.Chapter{Phase: phase}
		for i, label := range []string{"combat 2505", "combat 2106", "barrage 1 at 1705"} {
			bound, value := root, view.Digits(nil)
			if i == 1 {
				value = view.Digits("a beacon's value")
				b := vrf.Bound(root, value)
				bound = b[:]
			}
			dice, proof, err := vrf.Thrower{Key: key, Game: v.Game, Phase: phase, Root: bound}.Throw(label, 2, 6)
			if err != nil {
				t.Fatal(err)
			}
			r := view.Roll{Label: label, Dice: dice, Sides: 6, Proof: proof, Value: value}
			if value != nil {
				r.Round = 77
			}
			c.Rolls = append(c.Rolls, r)
		}
		v.Story.Phases = append(v.Story.Phases, c)
	}
	return v, key
}

func opened(v *view.View) *Desk { return &Desk{view: v} }

// The proofs of a report are checked, slice by slice; what was changed is named.
func TestDiceAreProved(t *testing.T) {
	v, _ := rolled(t)
	d := opened(v)
	for from := 0; from < 6; from += 4 {
		got := called[Dice](t, d, "dice", map[string]any{"dice": DiceQuestion{From: from, Count: 4}}, nil)
		if got.All != 6 || len(got.Rolls) != min(4, 6-from) || got.Key != v.Story.Key {
			t.Fatalf("%+v", got)
		}
		for _, r := range got.Rolls {
			if r.Proof != Good {
				t.Errorf("%s, %s: %s %s", r.Phase, r.Label, r.Proof, r.Why)
			}
		}
	}
	other := vrf.NewKey([32]byte{2}).PublicKey().String()
	for name, change := range map[string]func(v *view.View) DiceQuestion{
		"dice": func(v *view.View) DiceQuestion {
			v.Story.Phases[0].Rolls[0].Dice[1] ^= 1
			return DiceQuestion{Count: 6}
		},
		"proof": func(v *view.View) DiceQuestion {
			v.Story.Phases[0].Rolls[0].Proof[3] ^= 1
			return DiceQuestion{Count: 6}
		},
		"label": func(v *view.View) DiceQuestion {
			v.Story.Phases[0].Rolls[0].Label += "x"
			return DiceQuestion{Count: 6}
		},
		"sides": func(v *view.View) DiceQuestion { v.Story.Phases[0].Rolls[0].Sides = 8; return DiceQuestion{Count: 6} },
		"value": func(v *view.View) DiceQuestion {
			v.Story.Phases[0].Rolls[1].Value[0] ^= 1
			return DiceQuestion{Count: 6}
		},
		"phase": func(v *view.View) DiceQuestion {
			v.Story.Phases[0].Phase = "turn 1 phase 5"
			return DiceQuestion{Count: 6}
		},
		"game": func(v *view.View) DiceQuestion { v.Game = "OTHER"; return DiceQuestion{Count: 6} },
		"root": func(v *view.View) DiceQuestion { v.Story.Root = "00" + v.Story.Root[2:]; return DiceQuestion{Count: 6} },
		"key":  func(*view.View) DiceQuestion { return DiceQuestion{Count: 6, Key: other} },
	} {
		v, _ := rolled(t)
		got, err := opened(v).Dice(change(v))
		if err != nil {
			t.Fatal(err)
		}
		bad := 0
		for _, r := range got.Rolls {
			if r.Proof == Bad {
				bad++
			}
		}
		if bad == 0 {
			t.Errorf("another %s is not noticed", name)
		}
	}
}

// Faces are counted, and how far they are from even.
func TestDiceAreTallied(t *testing.T) {
	all := []Rolled{{Dice: []int{1, 1, 2, 3, 4, 5, 6, 6}, Sides: 6}, {Dice: []int{10}, Sides: 10}, {Dice: []int{2, 9}, Sides: 6}}
	got := tallied(all)
	if len(got) != 2 || got[0].Sides != 6 || got[0].Expected != 1.5 || got[0].Seen[1] != 2 || got[1].Seen[9] != 1 {
		t.Errorf("%+v", got)
	}
	// Tables of chi-square: 5 degrees, 11.07 in 5 of 100; 9 degrees, 21.67 in 1 of 100.
	for _, c := range [][3]float64{{11.07, 5, 5}, {21.67, 9, 1}, {4.35, 5, 50}} {
		if chance := 100 * asLarge(c[0], c[1]); math.Abs(chance-c[2]) > 0.5 {
			t.Errorf("chi-square %v of %v degrees: %v of 100", c[0], c[1], chance)
		}
	}
}

// A report without a story has no dice, one without proofs says so.
func TestDiceThatProveNothing(t *testing.T) {
	v, _ := rolled(t)
	v.Story.LeaveProofs()
	got, err := opened(v).Dice(DiceQuestion{From: -3, Count: 99})
	if err != nil || len(got.Rolls) != 6 || got.Rolls[0].Proof != Unproved {
		t.Errorf("%+v, %v", got, err)
	}
	v.Story = nil
	if _, err := opened(v).Dice(DiceQuestion{}); err == nil {
		t.Error("there are dice without a story")
	}
	text, err := json.Marshal(map[string]any{"dice": map[string]any{"from": 1 << 60, "count": 1 << 60}})
	if err != nil {
		t.Fatal(err)
	}
	v, _ = rolled(t)
	if answer := opened(v).Call("dice", text, nil); len(answer) == 0 {
		t.Error("nothing is answered")
	}
}

// The archive of a finished game lies open as a report does, of both sides, and its dice are
// proved.
func TestAFinishedGameLiesOpen(t *testing.T) {
	file, err := os.ReadFile("../umpire/testdata/formats/format1.tar")
	if err != nil {
		t.Fatal(err)
	}
	var d Desk
	o := called[Opened](t, &d, "open", map[string]any{}, file)
	if o.Past == nil || len(o.Past.Sides) != 2 || len(o.Past.Turns) != 2 || o.Past.Turn != 1 || len(o.Story) == 0 {
		t.Fatalf("it opens as %+v", o.Past)
	}
	for _, side := range o.Past.Sides {
		o := called[Opened](t, &d, "past", map[string]any{"past": PastQuestion{Side: side, Turn: -1}}, nil)
		if o.Side != side || o.Verdict == "" || len(o.Units) == 0 || len(o.Story) == 0 {
			t.Errorf("the whole game of %s: %d units, verdict %q, %d items", side, len(o.Units), o.Verdict, len(o.Story))
		}
		dice := called[Dice](t, &d, "dice", map[string]any{"dice": DiceQuestion{Count: 1000}}, nil)
		for _, r := range dice.Rolls {
			if r.Proof != Good {
				t.Errorf("%s, %s: %s %s", r.Phase, r.Label, r.Proof, r.Why)
			}
		}
		if dice.All < 5 {
			t.Errorf("it has %d rolls", dice.All)
		}
	}
	if svg := called[string](t, &d, "draw", map[string]any{"part": "position"}, nil); len(svg) < 1000 {
		t.Error("its map is empty")
	}
}

// The mail that brings the archive at the end of a game opens as the archive does; a damaged one, or
// another file of that name, says so.
func TestTheMailWithTheArchiveLiesOpen(t *testing.T) {
	file, err := os.ReadFile("../umpire/testdata/formats/format1.tar")
	if err != nil {
		t.Fatal(err)
	}
	brings := func(archive []byte) []byte {
		return []byte("From: umpire@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nThe game is over.\r\n--x\r\n" +
			"Content-Type: application/x-tar\r\nContent-Disposition: attachment; filename=k7qx2mpa.tar\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
			lines(base64.StdEncoding.EncodeToString(archive)) + "--x--\r\n")
	}
	var d Desk
	if o, err := d.Open(brings(file)); err != nil || o.Past == nil || len(o.Past.Sides) != 2 {
		t.Fatalf("%+v, %v", o, err)
	}
	for name, bad := range map[string][]byte{"half of it": brings(file)[:len(file)/2], "another file": brings([]byte("hello"))} {
		if _, err := d.Open(bad); err == nil || d.past == nil {
			t.Errorf("%s opens, or has shut what lay open: %v", name, err)
		}
	}
}
