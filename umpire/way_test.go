package umpire

import (
	"fmt"
	"strings"
	"testing"

	"fieldpost/orders/seal"
)

// Reports advise the way in which a player's last sheet came: a block of our
// program, or a file with the signature that ssh-keygen makes.
func TestAdviceFollowsTheLastSheet(t *testing.T) {
	const byProgram, byFile = "fieldpost sign", "ssh-keygen -Y sign"
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	last := func(want, not string) {
		t.Helper()
		text := ""
		for _, m := range g.outbox("SOVIET") {
			if strings.HasPrefix(m.MessageID, "report.") {
				text = m.Texts[0].AsSent
			}
		}
		if !strings.Contains(text, want) || strings.Contains(text, not) {
			t.Errorf("the report says not %q alone:\n%s", want, text)
		}
	}
	pass := func(side string, turn, serial int) {
		g.receive(g.mail(side, g.signed(side, fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nDONE!\n", g.game, side, turn, serial))))
	}
	last(byProgram, byFile)
	sheet := fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\n\nmove\n\n  343 inf to 3807\nDONE!\n", g.game)
	armored, err := seal.Sign(g.keys["SOVIET"], seal.Namespace, []byte(sheet))
	if err != nil {
		t.Fatal(err)
	}
	mail := string(g.mail("SOVIET", "--b\nContent-Type: text/plain\n\nattached\n--b\nContent-Type: text/plain; name=sheet.txt\nContent-Disposition: attachment; filename=sheet.txt\n\n"+sheet+
		"\n--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=sheet.txt.sig\n\n"+armored+"\n--b--\n"))
	g.receive([]byte(strings.Replace(mail, "\r\n\r\n", "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n", 1)))
	pass("GERMAN", 1, 1)
	last(byFile, byProgram)
	pass("SOVIET", 2, 2)
	pass("GERMAN", 2, 2)
	last(byProgram, byFile)
}
