package desk

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"fieldpost/orders/seal"
)

// invitation is one as the umpire words it.
func invitation(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../report/testdata/invitation.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// An invitation is understood as it was pasted, quoted, and as a mail.
func TestAnInvitationIsRead(t *testing.T) {
	text := invitation(t)
	quoted := "> " + strings.ReplaceAll(text, "\n", "\n> ")
	saved := "From: Umpire <umpire@example.com>\r\nSubject: =?utf-8?q?You_are_invited?=\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n")
	for name, file := range map[string]string{"pasted": text, "quoted": quoted, "saved": saved} {
		in, err := ReadInvitation([]byte(file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if in.Game != "K7QX2MPA" || in.Side != "GERMAN" || in.Code != "ABCD-EFGH" || in.To != "umpire@example.org" || !in.ByCode {
			t.Errorf("%s: %+v", name, in)
		}
		if name == "saved" && in.Subject != "Re: You are invited" {
			t.Errorf("its subject is answered %q", in.Subject)
		}
	}
	for _, other := range []string{"", "hello", "GAME: K7QX2MPA\nSIDE: GERMAN\n", "GAME: a\nSIDE: b\nJOIN: c: d\n"} {
		if in, err := ReadInvitation([]byte(other)); err == nil {
			t.Errorf("%q is an invitation: %+v", other, in)
		}
	}
}

// Whoever joins may play by codes, with a key that is made here, or with one that they have.
func TestJoining(t *testing.T) {
	in, err := ReadInvitation([]byte(invitation(t)))
	if err != nil {
		t.Fatal(err)
	}
	const three = "GAME: K7QX2MPA\nSIDE: GERMAN\nJOIN: ABCD-EFGH\n"
	coded, err := Join(Joining{Invitation: *in})
	if err != nil || coded.Text != three+"KEY: CODES\n" || coded.KeyFile != "" {
		t.Errorf("by codes: %+v, %v", coded, err)
	}
	made, err := Join(Joining{Invitation: *in, Make: true, Signing: Signing{Passphrase: "long enough"}})
	if err != nil {
		t.Fatal(err)
	}
	key, err := seal.ParsePrivateKey([]byte(made.KeyFile), "long enough")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := seal.ParsePrivateKey([]byte(made.KeyFile), ""); err == nil {
		t.Error("the key file is not locked")
	}
	again, err := Join(Joining{Invitation: *in, Signing: Signing{Key: made.KeyFile, Passphrase: "long enough"}})
	if err != nil || again.Text != made.Text || again.KeyFile != "" {
		t.Errorf("with the same key: %+v, %v", again, err)
	}
	found, err := seal.Open(made.Text)
	if err != nil || len(found) != 1 || found[0].Key.ID() != key.Public().ID() || found[0].Text != three {
		t.Errorf("what the umpire reads: %+v, %v", found, err)
	}
	for name, j := range map[string]Joining{
		"a short passphrase":   {Invitation: *in, Make: true, Signing: Signing{Passphrase: "short"}},
		"a side of two lines":  {Invitation: Invitation{Game: "A", Side: "B\nORDERS: x", Code: "C"}},
		"an empty code":        {Invitation: Invitation{Game: "A", Side: "B"}},
		"what is no key":       {Invitation: *in, Signing: Signing{Key: "x"}},
		"a wrong passphrase":   {Invitation: *in, Signing: Signing{Key: made.KeyFile, Passphrase: "long enough?"}},
		"a passphrase missing": {Invitation: *in, Signing: Signing{Key: made.KeyFile}},
	} {
		if out, err := Join(j); err == nil {
			t.Errorf("%s is taken: %+v", name, out)
		}
	}
}

// The page asks for it by JSON.
func TestJoiningByCall(t *testing.T) {
	var d Desk
	asked := `{"join":{"game":"K7QX2MPA","side":"GERMAN","code":"ABCD-EFGH","to":"umpire@example.org","make":true,"passphrase":"long enough"}}`
	var answer struct {
		Value Joined
		Error string
	}
	if err := json.Unmarshal(d.Call("join", []byte(asked), nil), &answer); err != nil || answer.Error != "" {
		t.Fatal(err, answer.Error)
	}
	if answer.Value.KeyFile == "" || answer.Value.To != "umpire@example.org" || !strings.Contains(answer.Value.Text, "JOIN: ABCD-EFGH") {
		t.Errorf("the answer is %+v", answer.Value)
	}
}
