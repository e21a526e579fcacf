package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// A turn of Kharkov 1942 is ordered by somebody who reads nothing but what `orders guide` and
// `orders check` print, each line copied as it stands there: aircraft, moves, attacks by all who
// can join one. The check finds no fault, the umpire refuses no line of it, and both say the
// same of each.
func TestATurnFromGuideAndCheckAlone(t *testing.T) {
	w, err := world.Open(t.TempDir(), world.Options{Address: "gm@example.org", Instance: "club", Random: rand.NewChaCha8([32]byte{23}),
		Now: func() time.Time { return time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC) }, Draw: func(string, string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	g, players, err := w.Begin("kharkov-1942", map[string]string{match.OptionUndo: "0"}, func(side string) (string, string) { return side, side + "@example.org" })
	if err != nil {
		t.Fatal(err)
	}
	soviet := players[slices.IndexFunc(players, func(p world.Player) bool { return p.Side == "SOVIET" })]
	report, err := w.LastReport(g.ID, soviet.Side)
	if err != nil {
		t.Fatal(err)
	}
	r := reader{t: t, report: filepath.Join(t.TempDir(), "report.eml")}
	if err := os.WriteFile(r.report, report, 0o600); err != nil {
		t.Fatal(err)
	}
	sheet := r.turn(fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\n", g.ID))
	if n := strings.Count(sheet, "\n  "); n < 40 || !strings.Contains(sheet, "\nATTACK\n") || !strings.Contains(sheet, "\nAIR ") {
		t.Fatalf("a turn of %d orders:\n%s", n, sheet)
	}
	checked := r.orders("check", r.save(sheet))
	if strings.Contains(checked, " XX ") {
		t.Errorf("the check refuses what the guide printed:\n%s", checked)
	}
	if err := w.Receive(context.Background(), mailOf(soviet.Address, soviet.Sign(sheet))); err != nil {
		t.Fatal(err)
	}
	answer := answerOf(t, w, soviet)
	at, there := verdicts(checked), verdicts(answer)
	if strings.Count(at, " OK ") < 40 || at != there {
		t.Errorf("the check says:\n%s\n\nthe umpire:\n%s", checked, answer)
	}
}

// reader orders a turn by copying what is printed.
type reader struct {
	t      *testing.T
	report string
}

func (r reader) orders(args ...string) string {
	r.t.Helper()
	return printed(r.t, command{name: "orders", setUp: ordersCommand}.run, append(args, "--view", r.report)...)
}

func (r reader) save(sheet string) string {
	file := filepath.Join(r.t.TempDir(), "sheet.txt")
	if err := os.WriteFile(file, []byte(sheet), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return file
}

var (
	listed  = regexp.MustCompile(`(?m)^unit  (\S+(?: \S+)*)  +on \d{4};`)
	way     = regexp.MustCompile(`(?m)^  (\S+(?: \S+)* TO \d{4})  .* room +[1-9]\d*  (.*)$`)
	allowed = regexp.MustCompile(`(?m)^  OK (\S+(?: \S+)*)  +`)
	onto    = regexp.MustCompile(`^(\d{4}) WITH (.+)$`)
	hexes   = regexp.MustCompile(`HEX: (\d{4}) `)
)

// turn is a sheet below its head: the unit's last way that leads to no fight, for every third
// unit; all the others attack what they stand beside.
func (r reader) turn(head string) string {
	air := r.orders("guide", "--unit", "AIR")
	target := hexes.FindStringSubmatch(air)
	if target == nil || !strings.Contains(air, "OK SUPPORT HEX 1") {
		r.t.Fatalf("no aircraft:\n%s", air)
	}
	var moves []string
	joined := map[string][]string{}
	sheet := head
	for i, u := range listed.FindAllStringSubmatch(r.orders("guide"), -1) {
		told := r.orders("guide", "--unit", u[1], "--orders", r.save(sheet))
		if m := peaceful(told); i%3 == 0 && m != "" {
			moves = append(moves, m)
			sheet = head + "MOVE\n  " + strings.Join(moves, "\n  ") + "\n"
			continue
		}
		for _, o := range allowed.FindAllStringSubmatch(told, -1) {
			if a := onto.FindStringSubmatch(o[1]); a != nil && !slices.ContainsFunc(fighting(joined), func(name string) bool { return name == a[2] }) {
				joined[a[1]] = append(joined[a[1]], a[2])
			}
		}
	}
	var attacks []string
	for hex, units := range joined {
		attacks = append(attacks, hex+" WITH "+strings.Join(units, ", "))
	}
	slices.Sort(attacks)
	var standing []string
	for _, units := range joined {
		standing = append(standing, units[0]+" HOLD")
	}
	slices.Sort(standing)
	support := strings.Fields(attacks[0])[0]
	return head + "AIR 1\n  SUPPORT " + support + " 1\nMOVE\n  " + strings.Join(moves, "\n  ") +
		"\nATTACK\n  " + strings.Join(attacks, "\n  ") + "\nSTANDING\n  " + strings.Join(standing, "\n  ") + "\n"
}

// peaceful is the last way of those that are printed that leads to no fight.
func peaceful(told string) (order string) {
	plain, _, _ := strings.Cut(told, "REACH STRATEGIC")
	for _, w := range way.FindAllStringSubmatch(plain, -1) {
		if !strings.Contains(w[2], "enemy ZOC") {
			order = w[1]
		}
	}
	return order
}

func fighting(joined map[string][]string) (names []string) {
	for _, units := range joined {
		names = append(names, units...)
	}
	return names
}

func mailOf(from, text string) []byte {
	return []byte("From: " + from + "\r\nTo: gm@example.org\r\nSubject: orders\r\nMessage-ID: <turn@example.org>\r\nDate: Fri, 01 May 2026 09:00:00 +0000\r\n" +
		"Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n"))
}

// answerOf is what the umpire answered a player's sheet.
func answerOf(t *testing.T, w *world.World, p world.Player) string {
	t.Helper()
	mails, err := w.Umpire.DB.Mails(p.Game)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(mails, func(m store.Mail) bool { return m.Kind == "ack" && m.Side == p.Side })
	if i < 0 {
		t.Fatalf("no answer among %+v", mails)
	}
	raw, err := w.Umpire.DB.MailBytes(mails[i].SHA256)
	if err != nil {
		t.Fatal(err)
	}
	read, err := mailbox.Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	return read.Texts[0].Text
}

// verdicts is the table of a sheet's lines in a check or an answer, with all that it says of each.
func verdicts(text string) string {
	_, table, _ := strings.Cut(text, "\n line  order ")
	table, _, _ = strings.Cut(table, "\n\n")
	return table
}
