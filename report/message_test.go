package report

import (
	"strings"
	"testing"
)

// everyMessage has a letter of each kind.
func everyMessage() map[string]*Message {
	out := map[string]*Message{}
	for _, kind := range []MessageKind{Invitation, Unsigned, WrongSignature, Stale, Malformed, Notice} {
		out[string(kind)] = &Message{Kind: kind, Game: "K7QX2MPA", Title: "Kharkov 1942", Scenario: "kharkov-1942", Side: "GERMAN",
			Address: "umpire@example.org", DiceKey: "6f1c22", DaemonKey: "ssh-ed25519 AAAAC3Nz", Reason: "The reason is told.", Serial: 4, Turn: 2,
			Notes: []string{"Partisans are not played yet."}, Roster: []Player{{"SOVIET", "FQ3L-6ZTA-AAAA"}}}
	}
	coded := *out[string(Invitation)]
	coded.Code, coded.By = "ABCD-EFGH", "1 December"
	coded.Offer = Offer{Guest: "Anna", Host: "Martin Weiss", Opponents: []string{"Ben Hartley"}, Turns: 17, Units: 96,
		Pace: "You have three days for each turn: about four mails a week.", Page: "https://club.example", Down: "https://club.example/get"}
	out["with a code"] = &coded
	out["without a game"] = &Message{Kind: Malformed, Reason: "It names no game."}
	return out
}

func TestSubjectsOfLetters(t *testing.T) {
	for name, want := range map[string]string{
		"invitation":      "[K7QX2MPA] Kharkov 1942: you play the German side",
		"unsigned":        "[K7QX2MPA] NOT FILED: your orders are not signed",
		"wrong-signature": "[K7QX2MPA] NOT FILED: the signature does not fit your orders",
		"stale":           "[K7QX2MPA] NOT FILED: your sheet is out of date",
		"malformed":       "[K7QX2MPA] NOT FILED: no order sheet was found in your mail",
		"notice":          "[K7QX2MPA] The reason is told",
		"with a code":     "[K7QX2MPA] Martin Weiss invites you to play Kharkov 1942",
		"without a game":  "NOT FILED: no order sheet was found in your mail",
	} {
		if got := everyMessage()[name].Subject(); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := (&Message{Kind: Notice, Title: "Kharkov 1942"}).Subject(); got != "Kharkov 1942" {
		t.Errorf("a notice without a reason: %q", got)
	}
}

// A refusal says first what is wrong, then why, then what to do.
func TestRefusalsSayWhatToDo(t *testing.T) {
	for name, want := range map[string][]string{
		"unsigned":        {"orders but no signature", "The reason is told.", "Please sign the sheet", "HOW TO SIGN A SHEET"},
		"wrong-signature": {"does not fit your orders", "The reason is told.", "If you have lost the key", "A SHEET TO BEGIN WITH"},
		"stale":           {"What was filed before still stands.", "The reason is told.", "Take GAME, TURN and SERIAL", "SERIAL: 4"},
		"malformed":       {"no order sheet could be read", "The reason is told.", "Send plain text", "HOW TO SIGN A SHEET"},
		"notice":          {"The reason is told.", "REMARKS"},
	} {
		rest := strings.Join(strings.Fields(everyMessage()[name].Text()), " ")
		for _, w := range want {
			_, after, ok := strings.Cut(rest, w)
			if !ok {
				t.Errorf("%s does not say %q in its turn: %s", name, w, rest)
				break
			}
			rest = after
		}
	}
	own := &Message{Kind: Unsigned, Advice: []string{"Do this."}}
	if got := own.advice(); len(got) != 1 || got[0] != "Do this." {
		t.Errorf("%q", got)
	}
	if strings.Contains(everyMessage()["notice"].Text(), "HOW TO SIGN") {
		t.Error("a notice explains signing")
	}
	if strings.Contains(everyMessage()["without a game"].Text(), "GAME:") {
		t.Error("a letter without a game has a sheet")
	}
}

func TestJoiningCommandFitsItsLine(t *testing.T) {
	l := *everyMessage()["with a code"]
	if got := l.joining(); got != "fieldpost enrol --game K7QX2MPA --side GERMAN --code ABCD-EFGH" {
		t.Errorf("%q", got)
	}
	l.Code = strings.Repeat("X", 26) // one letter too long
	if got := l.joining(); got != "fieldpost enrol --game K7QX2MPA --side GERMAN \\\n    --code "+l.Code {
		t.Errorf("%q", got)
	}
	for _, line := range strings.Split(l.Text(), "\n") {
		if strings.Contains(line, "fieldpost enrol") && len(line) > columns {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if l.Kind = Notice; l.joining() != "" {
		t.Error("a notice invites")
	}
}

// An invitation says first what it is to, then the easiest way: four lines to copy.
func TestInvitation(t *testing.T) {
	l := everyMessage()["with a code"]
	rest := strings.Join(strings.Fields(l.Text()), " ")
	for _, w := range []string{"Dear Anna,", "Martin Weiss invites you", "the German side of Kharkov 1942 against Ben Hartley", "17 turns, and you lead 96 units", "four mails a week",
		"these four lines at the top", "GAME: K7QX2MPA SIDE: GERMAN JOIN: ABCD-EFGH KEY: CODES", "until 1 December", "IF YOU WOULD RATHER SIGN", "https://club.example", "Martin Weiss will read it", "KEYS"} {
		_, after, ok := strings.Cut(rest, w)
		if !ok {
			t.Fatalf("it does not say %q in its turn: %s", w, rest)
		}
		rest = after
	}
	if strings.Contains(l.Text(), "TURN:") {
		t.Error("an invitation to join has a sheet of orders")
	}
	l = &Message{Kind: Invitation, Game: "G", Side: "german"}
	if want := Template("G", "GERMAN", 1, 1, nil); l.blank() != want {
		t.Errorf("%q", l.blank())
	}
}

// Nobody reads of what they do not use.
func TestAdviceFollowsTheMethod(t *testing.T) {
	for method, not := range map[Method][]string{
		ByCode:    {"fieldpost sign", "ssh-keygen", "gpg", "Sign with", "S/MIME"},
		ByOpenSSH: {"gpg", "S/MIME", "code"},
		ByOpenPGP: {"ssh-keygen", "S/MIME", "fieldpost sign"},
		BySMIME:   {"ssh-keygen", "gpg", "OpenPGP", "fieldpost sign"},
	} {
		l := &Message{Kind: Stale, Game: "G", Side: "GERMAN", Method: method}
		for _, word := range not {
			if strings.Contains(l.Text(), word) || strings.Contains(l.HTML(), word) {
				t.Errorf("by %s: %q in\n%s", method, word, l.Text())
			}
		}
	}
}

func TestKeysOfAMessage(t *testing.T) {
	got := everyMessage()["invitation"].keys()
	want := [][2]string{{"dice key", "6f1c22"}, {"our signing key", "ssh-ed25519 AAAAC3Nz"}, {"send sheets to", "umpire@example.org"}, {"Soviet", "FQ3L-6ZTA-AAAA"}}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	if got := (&Message{Kind: Invitation, Address: "a@b"}).keys(); len(got) != 1 {
		t.Errorf("%q", got)
	}
	for name, m := range everyMessage() {
		if again := m.keys(); m.Kind != Invitation && len(m.Roster) == 0 && len(again) > 0 {
			t.Errorf("%s repeats %q", name, again)
		}
	}
	one := &Message{Kind: Invitation, DiceKey: "6f"}
	if strings.Contains(one.Text(), "Keep both keys") || strings.Contains(one.HTML(), "Keep both keys") {
		t.Error("both keys are told to be kept where there is one")
	}
}

func TestLettersFit80Columns(t *testing.T) {
	for name, l := range everyMessage() {
		for i, line := range strings.Split(l.Text(), "\n") {
			if len(line) > columns {
				t.Errorf("%s, line %d has %d columns: %s", name, i+1, len(line), line)
			}
		}
	}
}
