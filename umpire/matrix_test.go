package umpire

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/trial/signers"
	"fieldpost/umpire/acts"
)

// persons and matrixActs are the matrix of who and how. Players and those who act beside them
// join in this order; keys are revoked from the last to the first.
var (
	persons    = []string{"player", "commander", "deputy", "moderator"}
	matrixActs = []string{"join", "file", "check", "letter", "rotate", "revoke"}
)

func fileVoice(n byte) voice {
	s := signers.NewSSH(n)
	return voice{fmt.Sprint("files", n), s.Public().String(), func(sheet string) string {
		return parts(fileOf("sheet.txt", crlf(sheet)), fileOf("sheet.txt.sig", crlf(s.Detached(strings.ReplaceAll(sheet, "\n", "\r\n")))))
	}, nil}
}

func fidoVoice(n byte) voice {
	f := signers.NewFIDO(n)
	return voice{fmt.Sprint("fido", n), f.Public(), func(sheet string) string { return textHeader + crlf(f.Block(sheet)) }, nil}
}

// mimeVoice signs the whole text of a mail, which is a sheet alone.
func mimeVoice(n byte) voice {
	p := signers.NewPGP(n)
	return voice{fmt.Sprint("mime", n), p.Public(), func(sheet string) string { return p.MIME(textHeader + crlf(sheet)) }, nil}
}

// methods are the ways to sign; code signs nothing.
var methods = []struct {
	name  string
	voice func(n byte) voice
}{
	{"block", sshVoice},
	{"files", fileVoice},
	{"FIDO", fidoVoice},
	{"clearsigned", func(n byte) voice { return pgpVoice(n, 0) }},
	{"PGP/MIME", mimeVoice},
	{"S/MIME", smimeVoice},
	{"code", nil},
}

func fileOf(name, text string) string {
	return fmt.Sprintf("Content-Type: application/octet-stream; name=%s\r\nContent-Disposition: attachment; filename=%s\r\n\r\n%s", name, name, text)
}

// parts is a mail of several parts, each with its content header.
func parts(contents ...string) string {
	boundary := fmt.Sprintf("parts%d", strings.Count(strings.Join(contents, ""), "boundary=parts"))
	text := "Content-Type: multipart/mixed; boundary=" + boundary + "\r\n\r\n"
	for _, c := range contents {
		text += "--" + boundary + "\r\n" + c + "\r\n"
	}
	return text + "--" + boundary + "--\r\n"
}

// matrix is a game in which everybody writes by one method.
type matrix struct {
	*gameTable
	voices map[string]voice // by person; of a method without keys there are none
	read   map[string]bool
	serial int
}

func addressOf(person string) string { return strings.ToLower(person) + "@example.org" }

// heardAt is what an address was mailed since the last look.
func (x *matrix) heardAt(person string) string {
	x.t.Helper()
	var text strings.Builder
	for _, m := range x.toEach()[addressOf(person)] {
		if x.read[m.ID] {
			continue
		}
		x.read[m.ID] = true
		raw, err := x.u.DB.MailBytes(m.SHA256)
		if err != nil {
			x.t.Fatal(err)
		}
		msg, err := mailbox.Read(raw)
		if err != nil {
			x.t.Fatal(err)
		}
		text.WriteString(msg.Subject + "\n" + msg.Texts[0].Text + "\n")
	}
	return oneLine(text.String())
}

// says hands in a person's mail and returns what they read of it.
func (x *matrix) says(person, content string) string {
	x.heardAt(person)
	x.post(person, content)
	return x.heardAt(person)
}

// code is the newest code in what somebody reads; a wrong one if they have had none.
func (x *matrix) code(person string) string {
	x.t.Helper()
	code := "AAAA-AAAA-AAAA-AAAA"
	for _, m := range x.toEach()[addressOf(person)] {
		raw, err := x.u.DB.MailBytes(m.SHA256)
		if err != nil {
			x.t.Fatal(err)
		}
		if found := sheetCode.FindSubmatch(raw); found != nil {
			code = string(found[1])
		}
	}
	return code
}

// written is a mail by a person with a text that their key signs, or a code vouches for.
func (x *matrix) written(person, text string) string {
	v, signs := x.voices[person]
	if signs {
		return v.body(text)
	}
	vouched := "CODE: " + x.code(person) + "\n"
	if strings.Contains(text, "JOIN:") {
		vouched = "KEY: CODES\n"
	}
	side := "SIDE: SOVIET\n"
	return textHeader + crlf(strings.Replace(text, side, side+vouched, 1))
}

// does has a person do one thing, and returns the answer.
func (x *matrix) does(person, act, joinCode string, fresh func() voice) string {
	x.t.Helper()
	head := fmt.Sprintf("GAME: %s\nSIDE: SOVIET\n", x.game)
	x.serial++
	numbered := head + fmt.Sprintf("TURN: 1\nSERIAL: %d\n", x.serial)
	moderates := person == "moderator"
	letter := "Shall we stop at Merefa? asks the " + person + "."
	part, digest := orders.Press(letter)
	switch act {
	case "join":
		return x.says(person, x.written(person, x.joining(joinCode)))
	case "file":
		return x.says(person, x.written(person, numbered+"STANDING\nALL RETREAT FULL\nMOVE\n"))
	case "check":
		return x.says(person, x.written(person, numbered+"CHECK\nSTANDING\nALL RETREAT FULL\nMOVE\n"))
	case "letter":
		if _, signs := x.voices[person]; !signs {
			return x.says(person, x.written(person, head+"PRESS: GERMAN\n\n"+letter+"\n"))
		}
		text := head + "PRESS: GERMAN\nPRESS-SHA256: " + digest + "\n"
		if moderates {
			text = fmt.Sprintf("GAME: %s\nSIDE: GERMAN\nSERIAL: %d\nMODERATE: MESSAGE\nPRESS-SHA256: %s\n", x.game, x.serial, digest)
		}
		return x.says(person, parts(x.written(person, text), textHeader+crlf(part)))
	case "rotate":
		old, signs := x.voices[person]
		v := fresh()
		key, err := seal.ParseKey(v.public)
		if err != nil {
			x.t.Fatal(err)
		}
		text := head + "ROTATE: " + key.ID() + "\n"
		signed := []string{x.written(person, text), v.body(text)}
		if key.Method() == seal.OpenPGP { // who has not been heard of cannot be known otherwise
			signed = append(signed, fileOf("key.asc", crlf(v.public)))
		}
		said := x.says(person, parts(signed...))
		if signs && strings.Contains(said, "was rotated") {
			x.voices[person] = v
			if again := x.says(person, old.body(numbered+"STANDING\nALL RETREAT FULL\nMOVE\n")); !strings.Contains(again, "NOT FILED: the signature") {
				x.t.Errorf("%s: the old key still files: %s", person, again)
			}
		}
		return said
	}
	return x.says(person, x.written(person, head+"REVOKE\n"))
}

// Whoever may write, by whatever way there is, is understood or told what to do instead.
func TestMatrixOfWhoAndHow(t *testing.T) {
	for _, method := range methods {
		x := &matrix{gameTable: newTable(t), voices: map[string]voice{}, read: map[string]bool{}}
		x.seat("GERMAN")
		n := byte(20)
		fresh := func() voice {
			n++
			if method.voice == nil {
				return sshVoice(n)
			}
			return method.voice(n)
		}
		if method.voice != nil {
			for _, p := range persons {
				x.voices[p] = fresh()
			}
			x.u.Moderators = []acts.Moderator{{Name: "Anna", Address: addressOf("moderator"), Key: x.voices["moderator"].public}}
		}
		invitations := map[string]func(){
			"player": func() {
				if err := x.u.Invite(acts.Seat{Game: x.game, Side: "SOVIET", Name: "Vera", Address: addressOf("player")}); err != nil {
					t.Fatal(err)
				}
			},
			"commander": func() { x.act("commander", "SOVIET", addressOf("commander")+" Ivan: 28 Army") },
			"deputy":    func() { x.act("deputy", "SOVIET", addressOf("deputy")+" Eva FROM 2026-11-20 TO 2026-11-25") },
		}
		for _, act := range matrixActs {
			order := slices.Clone(persons)
			if act == "revoke" {
				slices.Reverse(order)
			}
			for _, p := range order {
				code := "ABCDE-FGHIJ-KLMNO-PQRST"
				if invite := invitations[p]; act == "join" && invite != nil {
					invite()
					code = found(t, joinCode, x.heardAt(p))
				}
				said := x.does(p, act, code, fresh)
				if x.mustAttach(p, act) {
					x.reads(said, "your public key", method.name, p, act)
					said = x.says(p, parts(x.written(p, x.joining(code)), fileOf("key.asc", crlf(x.voices[p].public))))
				}
				x.reads(said, expected(p, method.name, act), method.name, p, act)
				if mentions := strings.Contains(said, "KEY: CODES, unsigned"); mentions && p != "player" {
					t.Errorf("%s is told to play by codes: %s", p, said)
				}
			}
		}
	}
}

// answers are what the cells of the matrix are answered with: the words of each person and act.
var answers = map[string][]string{
	//            join, file, check, letter, rotate, revoke
	"player":    {"Welcome: you play the Soviet side", "filed", "CHECKED, nothing filed", "passed on to GERMAN", "key was rotated", "key was revoked"},
	"commander": {"You have joined the command of SOVIET", "filed", "CHECKED, nothing filed", "passed on to GERMAN", "The key of Ivan was rotated", "Your part in the game has ended"},
	"deputy":    {"You are the deputy of the player of SOVIET", "filed", "CHECKED, nothing filed", "passed on to GERMAN", "The key of Eva was rotated", "Your part in the game has ended"},
	"moderator": {onlyModerates, onlyModerates, onlyModerates, "Done: message", inConfiguration, inConfiguration},
}

// answersToCodes are those to who signs nothing. An unsigned mail in the name of a moderator,
// or of somebody who has not joined, is nobody's.
var answersToCodes = map[string][]string{
	"player":    {"You play by codes", "filed", "CHECKED, nothing filed", "passed on to GERMAN", noKeyToChange, noKeyToChange},
	"commander": {ownKey, "", "", "", "One more step: your public key", ""},
	"deputy":    {ownKey, "", "", "", "One more step: your public key", ""},
	"moderator": {"", "", "", "", "", ""},
}

const (
	onlyModerates   = "it cannot file orders, check them or join"
	inConfiguration = "Your key is in the configuration of the daemon"
	noKeyToChange   = "you play by codes, so there is no key to rotate or to revoke"
	ownKey          = "commanders and deputies sign with a key of their own"
)

func expected(person, method, act string) string {
	i := slices.Index(matrixActs, act)
	if method == "code" {
		return answersToCodes[person][i]
	}
	return answers[person][i]
}

// reads checks what somebody reads of a mail; "" is nothing at all.
func (x *matrix) reads(said, want, method, person, act string) {
	x.t.Helper()
	silent := said == ""
	refused := strings.Contains(said, "NOT FILED")
	if refused || silent != (want == "") || !strings.Contains(strings.ToLower(said), strings.ToLower(want)) {
		x.t.Errorf("%s, %s, %s reads\n%.400s\nand not %q", person, method, act, said, want)
	}
}

func (x *matrix) joining(code string) string {
	return fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nJOIN: %s\n", x.game, code)
}

func (x *matrix) keyOf(person string) seal.Key {
	x.t.Helper()
	key, err := seal.ParseKey(x.voices[person].public)
	if err != nil {
		x.t.Fatal(err)
	}
	return key
}

// mustAttach tells whether a signature says nothing of its key, and nobody has seen that yet.
func (x *matrix) mustAttach(person, act string) bool {
	if _, signs := x.voices[person]; !signs || act != "join" || person == "moderator" {
		return false
	}
	return x.keyOf(person).Method() == seal.OpenPGP
}
