// Package checks tries whether orders check says what the umpire says: sheets of a game by
// mail are judged from the view of the last report, and filed, and the two answers are
// compared line by line.
package checks

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/playtest"
	"fieldpost/report"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/trial"
	"fieldpost/trial/engine"
	"fieldpost/trial/ramdisk"
	"fieldpost/trial/systems"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// Tally counts what was compared.
type Tally struct {
	Sheets      int // that were acknowledged
	Lines       int // of their acknowledgements
	Refused     int // of the lines
	Whole       int // sheets that were refused as a whole, and have no lines
	Answered    int // sheets with an ANSWER section
	Done        int // sheets with which the game goes on
	Dropping    int // acknowledgements that name orders which a sheet drops
	Midst       int // differences of sheets with orders on the view of a question
	Differences []string
}

func (t *Tally) add(o Tally) {
	t.Sheets, t.Lines, t.Refused, t.Whole = t.Sheets+o.Sheets, t.Lines+o.Lines, t.Refused+o.Refused, t.Whole+o.Whole
	t.Answered, t.Done, t.Dropping, t.Midst = t.Answered+o.Answered, t.Done+o.Done, t.Dropping+o.Dropping, t.Midst+o.Midst
	t.Differences = append(t.Differences, o.Differences...)
}

// Run compares so many sheets of each scenario's share.
func Run(ctx context.Context, t *trial.Trial) error {
	var sum Tally
	began := time.Now()
	for number := t.Seed; sum.Sheets < t.Count; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		id := t.Scenario(number - t.Seed)
		share := min(t.Count-sum.Sheets, max(1, t.Count/len(t.Scenarios)))
		one, err := inFolder(ctx, Game{Scenario: id, Number: number, Limit: share, Turns: cmp.Or(t.Turns, 5), Options: t.Options})
		if err != nil {
			return fmt.Errorf("%s, --seed %d: %w", id, number, err)
		}
		fmt.Fprintf(t.Progress, "%s %d: %d sheets, %d lines, %d differ\n", id, number, one.Sheets, one.Lines, len(one.Differences))
		sum.add(one)
	}
	fmt.Fprintf(t.Out, "%d sheets checked from views and filed by mail, %d with answers, %d with which the game went on, %d that drop orders; %d lines of acknowledgements, %d of them refused; %d more sheets refused as a whole; %d differ, %d of them in the midst of a phase (%v)\n",
		sum.Sheets, sum.Answered, sum.Done, sum.Dropping, sum.Lines, sum.Refused, sum.Whole, len(sum.Differences), sum.Midst, time.Since(began).Round(time.Second))
	return sum.bad()
}

// bad is an error that names some of the differences, nil if there are none.
func (t *Tally) bad() error {
	n := len(t.Differences)
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d sheets are judged otherwise:\n%s", n, strings.Join(t.Differences[:min(n, 10)], "\n"))
}

func inFolder(ctx context.Context, g Game) (Tally, error) {
	folder, err := ramdisk.Folder("checks")
	if err != nil {
		return Tally{}, err
	}
	defer os.RemoveAll(folder)
	return g.Play(ctx, folder)
}

// Game says what to play.
type Game struct {
	Scenario string
	Number   int // seed of the dice and the orders
	Limit    int // sheets to compare
	Turns    int // that are played at most
	Options  map[string]string
	Demo     bool                                   // nothing is mailed but the orders of the staffs, as fieldpost demo has them
	also     func(v *view.View, sheet string) error // is asked of every sheet too, if it is not nil
}

// table is a running game with its players.
type table struct {
	Game
	*world.World
	Tally
	id      string
	library *match.Library
	rules   adjudicator.Game
	system  systems.System
	random  *rand.Rand
	clock   time.Time
	seats   map[string]*seat
	last    uint64 // number of the last mail that was delivered
	before  uint64 // number of the last mail before a sheet was handed in
	mails   int
	turn    int
	over    bool
}

type seat struct {
	world.Player
	writers []playtest.Player
	view    *view.View
	serial  int
	stand   string // of the game when the view was written
	filed   *filed // nil for none
}

// filed is the last sheet of a side that has orders.
type filed struct {
	mail  []byte
	turn  int
	phase string // that waited when it came
}

const address = "umpire@mail.test"

// Play plays a game in a folder of its own and compares the answers to its sheets.
func (g Game) Play(ctx context.Context, folder string) (Tally, error) {
	t := &table{Game: g, library: &match.Builtin, seats: map[string]*seat{}, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(uint64(g.Number), 23))}
	var seed [32]byte
	copy(seed[:], fmt.Sprintf("checks %d", g.Number))
	var err error
	t.World, err = world.Open(folder, world.Options{Address: address, Instance: "checks", Random: rand.NewChaCha8(seed), Now: func() time.Time { return t.clock },
		Draw: func(string, string) bool { return false }})
	if err != nil {
		return t.Tally, err
	}
	defer t.Close()
	made, players, err := t.Begin(g.Scenario, g.Options, func(side string) (string, string) { return "Player of " + side, strings.ToLower(side) + "@mail.test" })
	if err != nil {
		return t.Tally, err
	}
	t.id = made.ID
	if t.rules, _, err = t.library.Load(g.Scenario); err == nil {
		t.rules, err = adjudicator.Under(t.rules, made.Options)
	}
	if err != nil {
		return t.Tally, err
	}
	if t.system, err = systems.Get(made.System); err != nil {
		return t.Tally, err
	}
	for _, p := range players {
		t.seats[p.Side] = &seat{Player: p, writers: []playtest.Player{
			staff.Officer{Game: t.rules}, engine.NewRandom(t.rules, g.Number, adjudicator.Side(p.Side), map[string][2]int{})}}
	}
	return t.Tally, t.play(ctx)
}

// play plays until enough is compared.
func (t *table) play(ctx context.Context) error {
	for quiet := 0; !t.over && t.Sheets < t.Limit && t.turn <= t.Turns; quiet++ {
		if quiet > 3 {
			return fmt.Errorf("turn %d: nobody is asked for anything and the game is not over", t.turn)
		}
		t.clock = t.clock.Add(time.Hour)
		t.Umpire.Tick(t.clock)
		if err := t.deliver(); err != nil {
			return err
		}
		for _, side := range t.rules.Sides() {
			s := t.seats[string(side)]
			if s == nil || s.view == nil || t.over {
				continue
			}
			if err := t.answer(ctx, s); err != nil {
				return err
			}
			quiet = 0
		}
	}
	return nil
}

// deliver hands out the views of new reports.
func (t *table) deliver() error {
	stand, err := t.stand()
	if err != nil {
		return err
	}
	mails, err := t.Umpire.DB.Mails(t.id)
	if err != nil {
		return err
	}
	slices.SortFunc(mails, func(a, b store.Mail) int { return cmp.Compare(a.Number, b.Number) })
	for _, m := range mails {
		if m.Number <= t.last {
			continue
		}
		t.last = m.Number
		raw, err := t.Umpire.DB.MailBytes(m.SHA256)
		if err != nil {
			return err
		}
		v, err := world.ReadView(raw)
		if err != nil || v == nil {
			continue
		}
		t.turn, t.over = max(t.turn, v.Turn), t.over || v.Verdict != ""
		if s := t.seats[m.Side]; s != nil && len(v.Due)+len(v.Asked) > 0 {
			s.view, s.stand = v, stand
		}
	}
	return nil
}

// stand is how far the game has come.
func (t *table) stand() (string, error) {
	pos, err := t.Umpire.DB.Load(t.id)
	if err != nil || pos.Open == nil || pos.Latest == nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %s %s", pos.Latest.Hash, pos.Open.Phase, pos.Open.Pending, pos.Open.Journal), nil
}

// probes is how many sheets are tried on each view before the one that counts.
const probes = 12

// answer tries sheets on the side's view, and sends one that lets the game go on.
func (t *table) answer(ctx context.Context, s *seat) error {
	tries := probes
	if t.Demo {
		tries = 0
	}
	for range tries {
		if t.Sheets >= t.Limit {
			return nil
		}
		stand, err := t.stand()
		if err != nil {
			return err
		}
		if stand != s.stand { // an answer has let the game go on: the view is of the past
			break
		}
		text, err := t.probe(s)
		if err != nil {
			return err
		}
		if err := t.send(ctx, s, s.view, text); err != nil {
			return err
		}
		if err := t.deliver(); err != nil {
			return err
		}
	}
	v := s.view
	s.view = nil
	text, err := t.final(s, v)
	if err != nil {
		return err
	}
	return t.finish(ctx, s, v, text)
}

// finish hands in the sheet with which the game goes on.
func (t *table) finish(ctx context.Context, s *seat, v *view.View, text string) error {
	stand, err := t.stand()
	if err != nil {
		return err
	}
	if stand == s.stand {
		err = t.send(ctx, s, v, text)
	} else {
		err = t.hand(ctx, s, v, t.mail(s, text), text) // the view is of the past: home cannot know
	}
	if err != nil {
		return err
	}
	return t.deliver()
}

// hand hands in a mail, and keeps it if it has orders: the next sheet of its turn takes its
// place.
func (t *table) hand(ctx context.Context, s *seat, v *view.View, raw []byte, text string) error {
	phase, err := t.phase()
	if err != nil {
		return err
	}
	sent, err := t.Umpire.DB.Mails(t.id)
	if err != nil {
		return err
	}
	for _, m := range sent {
		t.before = max(t.before, m.Number)
	}
	if err := t.Receive(ctx, raw); err != nil {
		return err
	}
	_, acknowledged, err := t.there(s)
	if sheet, _ := orders.Parse(orders.Canonical(text), t.system.Rules.Vocabulary()); acknowledged && !sheet.Bare() {
		s.filed = &filed{mail: raw, turn: v.Reply.Turn, phase: phase}
	}
	return err
}

// phase is the one that waits, "" for none.
func (t *table) phase() (string, error) {
	open, err := t.Umpire.DB.Waiting(t.id)
	if err != nil || open == nil {
		return "", err
	}
	return open.Phase, nil
}

// replaced is the mail with the sheet that one on the side's view takes the place of, nil
// for none. Where chits are drawn, what was filed for an earlier one has been played.
func (t *table) replaced(s *seat, v *view.View) ([]byte, error) {
	if s.filed == nil || s.filed.turn != v.Reply.Turn {
		return nil, nil
	}
	phase, err := t.phase()
	activated := slices.Contains(adjudicator.AsksOf(t.system.Rules), adjudicator.KindActivation)
	if err != nil || activated && phase != s.filed.phase {
		return nil, err
	}
	return s.filed.mail, nil
}

// final is a sheet with which the game goes on.
func (t *table) final(s *seat, v *view.View) (string, error) {
	s.serial++
	if t.Demo {
		return s.writers[0].Sheet(v, s.serial)
	}
	if len(v.Asked) > 0 {
		return head(v, s.serial) + t.replies(v) + "DONE!\n", nil
	}
	own := *v
	own.Turn = v.Reply.Turn
	text, err := s.writers[0].Sheet(&own, s.serial)
	return strings.Replace(text, "\nDONE\n", "\nDONE!\n", 1), err
}

func head(v *view.View, serial int) string {
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n", v.Game, v.Side, v.Reply.Turn, serial)
}

// replies are answers to all that is asked.
func (t *table) replies(v *view.View) string {
	text := "ANSWER\n"
	for _, q := range v.Asked {
		answer := "AS FILED"
		if n := len(q.Options); n > 0 {
			answer = q.Options[t.random.IntN(n)].Answer
		}
		text += q.Label + ": " + answer + "\n"
	}
	return text
}

// modes are lines MODE, and what is none.
var modes = []string{"", "", "", "MODE: ASK\n", "MODE: STANDING\n", "MODE: PLOT\n", "MODE: NONSENSE\n", "MODE: ASK RETREAT, TEA\n", "MODE: PAUSE-IF 9999\n"}

// probe is a sheet to be filed without DONE: of the staff, at random, with an order made
// illegal, with answers to what is and is not asked, with lines that cannot be read.
func (t *table) probe(s *seat) (string, error) {
	s.serial++
	v := s.view
	text, err := t.sheet(s)
	if err != nil {
		return "", err
	}
	text = strings.NewReplacer("\nDONE!\n", "\n", "\nDONE\n", "\n").Replace(text)
	serial := fmt.Sprintf("SERIAL: %d\n", s.serial)
	text = strings.Replace(text, serial, serial+modes[t.random.IntN(len(modes))], 1)
	switch t.random.IntN(6) {
	case 0:
		text += "ANSWER\nFOO 99: BAR\nNO COLON HERE\n"
	case 1:
		if len(v.Asked) > 0 {
			text += t.replies(v)
		}
	case 2:
		text += "ATACK\n9999 WITH NOBODY\n"
	case 3:
		text += "MOVE\nNOBODY AT ALL TO 0101; VIA\n"
	}
	if len(v.Asked) > 0 && t.random.IntN(2) == 0 {
		text = head(v, s.serial) + modes[t.random.IntN(len(modes))] + t.replies(v)
	}
	return text, nil
}

// sheet is one of the staff's, a random one, or a mutant.
func (t *table) sheet(s *seat) (string, error) {
	v := *s.view
	v.Turn = v.Reply.Turn
	if k := t.random.IntN(4); k < len(s.writers) {
		return s.writers[k].Sheet(&v, s.serial)
	}
	for range 20 {
		list := t.system.Mutations
		m := list[t.random.IntN(len(list))]
		if bad, with, ok := m.Make(t.rules, &v, t.random); ok {
			text, _ := systems.Compose(&v, s.serial, append(with, bad))
			return text, nil
		}
	}
	return s.writers[0].Sheet(&v, s.serial)
}

// send checks a sheet at home, hands it in, and compares what both say.
func (t *table) send(ctx context.Context, s *seat, v *view.View, text string) error {
	if t.also != nil {
		if err := t.also(v, text); err != nil {
			return err
		}
	}
	raw := t.mail(s, text)
	here, err := t.here(s, v, raw)
	if err != nil {
		return err
	}
	if err := t.hand(ctx, s, v, raw, text); err != nil {
		return err
	}
	there, acknowledged, err := t.there(s)
	if err != nil {
		return err
	}
	if why := differsAsAWhole(here.ack, there, acknowledged); why != "" {
		t.Differences = append(t.Differences, t.said(s, why, text))
	}
	if !acknowledged {
		t.Whole++
		return nil
	}
	t.Sheets++
	t.Lines += len(here.ack.Lines)
	t.Refused += here.refused
	if strings.Contains(text, "\nANSWER\n") {
		t.Answered++
	}
	if strings.Contains(text, "\nDONE!\n") {
		t.Done++
	}
	if strings.Contains(flat(there), drops) {
		t.Dropping++
	}
	if why := Differs(here.ack, there); why != "" {
		if v.Begun != nil {
			t.Midst++
		}
		t.Differences = append(t.Differences, t.said(s, why, text))
	}
	return nil
}

func (t *table) said(s *seat, why, text string) string {
	return fmt.Sprintf("%s %s, game %d, turn %d: %s\n%s", t.Scenario, s.Side, t.Number, t.turn, why, text)
}

// notFiled begins what is said at home of a sheet that the umpire would refuse as a whole.
const notFiled = "It would not be filed: "

// differsAsAWhole says what is wrong if home and umpire are not of one mind whether a sheet is
// filed at all, or give different advice; "" if they are.
func differsAsAWhole(ack *report.Ack, there string, acknowledged bool) string {
	i := slices.IndexFunc(ack.Next, func(said string) bool { return strings.HasPrefix(said, notFiled) })
	switch {
	case i < 0 && acknowledged:
		return ""
	case i < 0:
		return fmt.Sprintf("the umpire refuses the sheet, and home does not say so: %q", flat(there))
	case acknowledged:
		return fmt.Sprintf("the umpire files the sheet, and home says %q", ack.Next[i])
	}
	_, advice, _ := strings.Cut(ack.Next[i], ". ")
	if !strings.Contains(dense(there), dense(advice)) {
		return fmt.Sprintf("home says %q, and the umpire %q", advice, flat(there))
	}
	return ""
}

// mail is a sheet in a mail: in a signed block, or as two files as ssh-keygen leaves them.
func (t *table) mail(s *seat, text string) []byte {
	t.mails++
	t.clock = t.clock.Add(time.Minute)
	m := world.Mail{From: s.Address, To: address, Subject: fmt.Sprintf("[%s] orders", t.id), ID: fmt.Sprintf("%d.%s", t.mails, strings.ToLower(s.Side)), Date: t.clock}
	if t.random.IntN(3) > 0 {
		return m.Plain("Here are our orders.\n\n" + s.Sign(text) + "\n-- \nThe staff\n")
	}
	armored, err := seal.Sign(s.Key, seal.Namespace, []byte(text))
	if err != nil {
		panic(err) // the key is in memory, and good
	}
	part := func(name, data string) string {
		return "--=_files\r\nContent-Type: application/octet-stream; name=\"" + name + "\"\r\nContent-Disposition: attachment; filename=\"" + name + "\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
			base64.StdEncoding.EncodeToString([]byte(data)) + "\r\n"
	}
	return m.With("Content-Type: multipart/mixed; boundary=\"=_files\"\r\n\r\n" + part("sheet.txt", text) + part("sheet.txt.sig", armored) + "--=_files--\r\n")
}

// verdict is what is said at home.
type verdict struct {
	ack     *report.Ack
	refused int
}

// here is what orders check says of a mail, from the view alone.
func (t *table) here(s *seat, v *view.View, raw []byte) (said verdict, err error) {
	found, err := mailbox.Saved{File: raw, Now: t.clock, Game: t.id, Side: s.Side}.Sheet()
	if err != nil {
		return said, err
	}
	bench, err := judge.For(t.library, v)
	if err != nil {
		return said, err
	}
	given := judge.Given{Text: found.Text, Typed: found.Typed}
	before, err := t.replaced(s, v)
	if err != nil {
		return said, err
	}
	if before != nil {
		was, err := mailbox.Saved{File: before, Now: t.clock}.Sheet()
		if err != nil {
			return said, err
		}
		given.Filed = was.Text
	}
	said.ack, said.refused = bench.Check(given)
	return said, nil
}

// there is the umpire's answer to the mail that was just handed in, which may have let the game
// go on: an acknowledgement, or false if the sheet is refused as a whole.
func (t *table) there(s *seat) (text string, acknowledged bool, err error) {
	mails, err := t.Umpire.DB.Mails(t.id)
	if err != nil {
		return "", false, err
	}
	mails = slices.DeleteFunc(mails, func(m store.Mail) bool { return m.Number <= t.before || m.Side != s.Side })
	slices.SortFunc(mails, func(a, b store.Mail) int { return cmp.Compare(b.Number, a.Number) })
	own := slices.IndexFunc(mails, func(m store.Mail) bool { return m.Kind == "ack" || m.Kind == "refusal" })
	if own >= 0 {
		text, err := t.textOf(mails[own])
		return text, mails[own].Kind == "ack", err
	}
	for _, m := range mails {
		text, err := t.textOf(m)
		if err != nil {
			return "", false, err
		}
		if told := aboutSheet(text, s.serial); told != "" {
			return told, true, nil
		}
	}
	return t.keptForNext(s)
}

func (t *table) textOf(m store.Mail) (string, error) {
	raw, err := t.Umpire.DB.MailBytes(m.SHA256)
	if err != nil {
		return "", err
	}
	read, err := mailbox.Read(raw)
	if err != nil {
		return "", err
	}
	return read.Texts[0].AsSent, nil
}

// aboutSheet is what a question or a report tells of a sheet that play has gone on with, "" for
// nothing.
func aboutSheet(text string, serial int) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var told string
	for _, head := range []string{fmt.Sprintf("\nYOUR SHEET %-4d", serial), fmt.Sprintf("\nYOUR SHEET %d, LINE BY LINE\n", serial)} {
		_, part, _ := strings.Cut(text, head)
		part, _, _ = strings.Cut(part, "\nYOUR SHEET ")
		told += part
	}
	return told
}

// keptForNext is what the next mail to a side will tell of its sheet.
func (t *table) keptForNext(s *seat) (text string, acknowledged bool, err error) {
	kept, _, err := match.UnansweredRecords.Get(t.Umpire.DB, store.Seat{Game: t.id, Side: s.Side})
	if err != nil {
		return "", false, err
	}
	i := slices.IndexFunc(kept, func(a *report.Ack) bool { return a.Serial == s.serial })
	if i < 0 {
		return "", false, nil
	}
	return kept[i].Text(), true, nil
}

// drops stands in the sentence about orders that a sheet drops.
const drops = "that this one has not:"

// Differs says where an acknowledgement is another than what was said at home, "" if it is
// nowhere.
func Differs(ack *report.Ack, there string) string {
	here := ack.Text()
	ours, theirs := lines(here), lines(there)
	for i := range max(len(ours), len(theirs)) {
		switch {
		case i >= len(ours):
			return fmt.Sprintf("the umpire says more: %q", theirs[i])
		case i >= len(theirs):
			return fmt.Sprintf("the umpire does not say %q", ours[i])
		case ours[i] != theirs[i]:
			return fmt.Sprintf("%q here, %q there", ours[i], theirs[i])
		}
	}
	for _, said := range ack.Next {
		if strings.Contains(said, drops) && !strings.Contains(dense(there), dense(said)) {
			return fmt.Sprintf("the umpire does not say %q", said)
		}
	}
	if strings.Contains(flat(there), drops) && !strings.Contains(flat(here), drops) {
		return "only the umpire says what is dropped"
	}
	return ""
}

// lines are those of the table of an acknowledgement.
func lines(text string) (out []string) {
	inside := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "line  order"):
			inside = true
		case line == "":
			inside = false
		case inside:
			out = append(out, line)
		}
	}
	return out
}

// dense is a text without blanks: where its lines are broken says nothing.
func dense(text string) string { return strings.Join(strings.Fields(text), "") }

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }
