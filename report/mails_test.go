package report

import (
	"strings"
	"testing"
)

func ackOf(lines ...Line) *Ack {
	return &Ack{Game: "K7QX2MPA", Title: "Kharkov 1942", Side: "GERMAN", Turn: 3, Date: "14 May", Serial: 2, Replaces: 1,
		By: "Sat 21 Nov, 20:00", Reply: "sign and send these lines", Done: []string{"GAME: K7QX2MPA", "DONE"}, Lines: lines, Digest: "7b1c99ef20d4", Key: "FQ3L-6ZTA-AAAA (SSH)",
		Next: []string{"The turn is played when your sheet says DONE or at the deadline."}}
}

func TestAckGolden(t *testing.T) {
	a := ackOf(
		Line{Number: 9, Order: "AIR SUPPORT 2306 3", Understood: "3 of 6 SP"},
		Line{Number: 13, Order: "133/XXII 2206-2306", Refused: true, Understood: "2306 holds an enemy stack (seen 13 May)", Clause: "WB-95 3.1.8", Reason: "no entry into enemy hexes", Instead: "To fight it, stop in 2206 or 2205 and ATTACK."},
		Line{Number: 24, Order: "2: 2105 WITH 226 INF, 36/XXII, 81 INF; MIN 2:1; IF 1 WON", Understood: "1:1", Warning: "only if attack 1 wins"},
	)
	golden(t, "ack.txt", a.Text())
	golden(t, "ack.html", a.HTML())
	if got, want := a.Subject(), "[K7QX2MPA] NOT YET PLAYED: sheet 2 filed, send DONE"; got != want {
		t.Errorf("subject %q, want %q", got, want)
	}
	for _, l := range strings.Split(a.Text(), "\n") {
		if len(l) > 80 {
			t.Errorf("long line: %s", l)
		}
	}
}

func TestAckRefused(t *testing.T) {
	a := ackOf()
	a.Refused, a.Instead = "the sheet is for turn 2; your next turn is 3", "Write TURN: 3."
	if !strings.Contains(a.Subject(), "NOT FILED") || !strings.Contains(strings.Join(strings.Fields(a.Text()), " "), "is refused: the sheet is for turn 2; your next turn is 3.") || !strings.Contains(a.Text(), "Write TURN: 3.") {
		t.Errorf("%s\n%s", a.Subject(), a.Text())
	}
}

func TestAckCounts(t *testing.T) {
	for _, c := range []struct {
		lines []Line
		want  string
	}{
		{nil, "0 orders accepted"},
		{[]Line{{Number: 5}}, "1 order accepted"},
		{[]Line{{Number: 5}, {Number: 6, Refused: true}}, "1 order accepted, 1 refused"},
		{[]Line{{Number: 5}, {Warning: "2105 must be attacked"}}, "1 order accepted, 1 worth a look"},
	} {
		if got := ackOf(c.lines...).accepted(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestLettersGolden(t *testing.T) {
	base := Message{Game: "K7QX2MPA", Title: "Kharkov 1942", Scenario: "kharkov-1942", Side: "GERMAN", Address: "umpire@example.org",
		DiceKey: "6f1c22", DaemonKey: "ssh-ed25519 AAAAC3Nz", Turn: 1}
	for _, kind := range []MessageKind{Invitation, Unsigned, WrongSignature, Stale, Malformed, Notice} {
		l := base
		l.Kind = kind
		if kind == Invitation {
			l.Code, l.By, l.Notes = "ABCD-EFGH", "1 December", []string{"Partisans are not played yet."}
		}
		if kind == Notice {
			l.Reason, l.Advice = "Your game is stopped.", []string{"There is nothing for you to do."}
		}
		golden(t, string(kind)+".txt", l.Text())
		if kind == Invitation {
			golden(t, "invitation.html", l.HTML())
		}
		if l.Subject() == "" || strings.Contains(l.HTML(), "<script") {
			t.Errorf("%s: subject %q", kind, l.Subject())
		}
		explains := "orders@fieldpost"
		if kind == Invitation {
			explains = "fieldpost enrol"
		}
		signsAlready := kind == Notice || kind == Stale
		if strings.Contains(l.Text(), explains) == signsAlready {
			t.Errorf("%s explains signing: %v", kind, !signsAlready)
		}
	}
}

// An acknowledgement fits 80 columns however a long order breaks into lines.
func TestAckFits80Columns(t *testing.T) {
	for n := 2; n <= 34; n++ {
		word := strings.Repeat("W", n-1) + ","
		a := ackOf(Line{Number: 13, Order: word + " " + strings.Repeat("X", 34) + " " + word, Refused: true, Reason: strings.Repeat(strings.Repeat("y", 34)+" ", 6)})
		for i, l := range strings.Split(a.Text(), "\n") {
			if len(l) > 80 {
				t.Errorf("line %d has %d characters: %s", i+1, len(l), l)
			}
		}
	}
}
