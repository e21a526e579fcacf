package umpire

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldpost/dice/beacon"
	"fieldpost/dice/beacon/fakedrand"
	"fieldpost/mailbox"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/club"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/turns"
)

// beaconTable is a game whose dice wait for a beacon, with both players seated.
func beaconTable(t *testing.T) (*gameTable, *fakedrand.Drand) {
	g := newTable(t, "beacon=drand", "deadline=3d", "early=no")
	g.u.Draw = unillustrated
	d := fakedrand.New("test", func() time.Time { return g.clock })
	g.u.Beacon = d.Chain
	g.u.Draw = unillustrated
	g.seat("SOVIET")
	g.seat("GERMAN")
	return g, d
}

// round is the round that the game waits for, 0 while it takes orders.
func (g *gameTable) round() uint64 {
	g.t.Helper()
	open, err := g.u.DB.Waiting(g.game)
	if err != nil || open == nil {
		return 0
	}
	return open.Round
}

// due lets the deadline pass.
func (g *gameTable) due() {
	g.t.Helper()
	open, err := g.u.DB.Waiting(g.game)
	if err != nil || open == nil || open.Deadline.IsZero() {
		g.t.Fatalf("no deadline runs: %+v, %v", open, err)
	}
	g.clock = open.Deadline.Add(time.Second)
	g.u.Tick(g.clock)
}

// sum up: the mails to a side as their kinds, and the reports checked.
func (g *gameTable) checkedMails(side string) (kinds string, reports []*mailbox.Message, closing string) {
	g.t.Helper()
	trust := g.trust()
	trust.Beacon, trust.Drand = g.u.Beacon, true
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range mails {
		if m.Side != side || g.shown[m.ID] {
			continue
		}
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			g.t.Fatal(err)
		}
		if m.Kind == "report" {
			if found, err := proof.Verify(raw, trust); err != nil || len(found.Unproven) > 0 {
				g.t.Errorf("the report of step %d: %v, %q", m.Seq, err, found.Unproven)
			}
		}
		if m.Kind == "closing" {
			msg, _ := mailbox.Read(raw)
			closing = regexp.MustCompile(`\b[0-9a-f]{64}\b`).FindString(strings.Join(strings.Fields(msg.Texts[0].Text), " "))
		}
	}
	for _, m := range g.outbox(side) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(m.MessageID, "<"), ".")
		kinds += " " + kind
		if kind == "report" {
			reports = append(reports, m)
		}
	}
	return strings.TrimSpace(kinds), reports, closing
}

func TestDiceOfTheBeacon(t *testing.T) {
	g, d := beaconTable(t)
	srv := httptest.NewServer(d)
	defer srv.Close()
	ctx, net := context.Background(), []string{"http://127.0.0.1:1", srv.URL} // the first is never there

	// The opening waits for dice that nobody knows when the last seat is taken.
	if kinds, _, _ := g.checkedMails("SOVIET"); kinds != "invitation closing" {
		t.Errorf("at the beginning: %s", kinds)
	}
	opening := g.round()
	if want := d.Chain.RoundAt(g.clock.Add(post.BeaconAfter)); opening != want {
		t.Fatalf("the opening waits for round %d, want %d", opening, want)
	}
	if s := g.status(); s.Rank != club.RankNormal || !strings.Contains(s.Why, fmt.Sprintf("round %d of drand", opening)) {
		t.Errorf("status: %+v", s)
	}
	// Before the round nothing happens; a value that is not the beacon's is not taken.
	g.u.Tick(g.clock)
	if due := g.u.RoundsDue(); len(due) > 0 {
		t.Errorf("asked for %v before it comes", due)
	}
	forged := fakedrand.New("a forger", nil).Value(opening)
	g.receive(g.mail("STRANGER", forged.String()+"\n"))
	g.receive(g.mail("SOVIET", forged.String()+"\n"))
	if text := g.heard("SOVIET"); !strings.Contains(text, "not drand's value") || !strings.Contains(text, d.Chain.URL(turns.DrandServers[0], opening)) {
		t.Errorf("a wrong value is answered by: %s", text)
	}
	g.clock = d.Chain.Time(opening).Add(2 * time.Hour)
	g.u.Tick(g.clock)
	if s := g.status(); s.Rank != club.RankAlarm {
		t.Errorf("two hours without the beacon: %+v", s)
	}
	// Anybody mails it in.
	g.receive(g.mail("STRANGER", "I found this on the net:\n"+d.Value(opening).String()+"\n"))
	g.u.Tick(g.clock)
	kinds, reports, _ := g.checkedMails("SOVIET")
	if kinds != "report" {
		t.Fatalf("after the opening's dice: %s", kinds)
	}

	// Both sides play; nothing goes on before the deadline, and afterwards only with the dice.
	game, _, err := g.u.Scenario("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	officer := staff.Officer{Game: game}
	sides := map[string][]*mailbox.Message{"SOVIET": reports}
	_, sides["GERMAN"], _ = g.checkedMails("GERMAN")
	serial, bound, seals := 0, map[uint64]bool{}, []string{}
	for range 3 {
		for _, side := range []string{"SOVIET", "GERMAN"} {
			for _, m := range sides[side] {
				if v := viewOf(t, m); len(v.Due) > 0 {
					text := m.Texts[0].Text
					said := archive.AnnouncedRound.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
					if said == nil || said[1] != fmt.Sprint(v.Reply.Round) {
						t.Fatalf("the report names no round:\n%s", remarks(m))
					}
					serial++
					sheet, err := officer.Sheet(v, serial)
					if err != nil {
						t.Fatal(err)
					}
					before := g.status()
					g.receive(g.mail(side, g.signed(side, sheet)))
					if now := g.status(); now.Phase != before.Phase || now.Turn != before.Turn {
						t.Errorf("a sheet moved the game before the deadline: %+v", now)
					}
					if text := g.heard(side); !strings.Contains(text, "carried out after the deadline") {
						t.Errorf("the acknowledgement: %s", text)
					}
					g.due()
					if fmt.Sprint(g.round()) != said[1] {
						t.Errorf("the report named round %s, the game waits for %d", said[1], g.round())
					}
				}
			}
			sides[side] = nil
		}
		round := g.round()
		bound[round] = true
		// Closed: no orders, no other deadline, no second choice.
		g.receive(g.mail("GERMAN", g.signed("GERMAN", g.sheet("GERMAN", 1, serial+1))))
		if text := g.heard("GERMAN"); !strings.Contains(text, "orders sent now could be written knowing them") {
			t.Errorf("a late sheet: %s", text)
		}
		for _, act := range [][2]string{{"extend", "2d"}, {"force", ""}} {
			if _, err := g.u.Moderate(acts.Act{By: "test", Verb: act[0], Game: g.game, Value: act[1]}); err == nil {
				t.Errorf("%s, when the orders are closed", act[0])
			}
		}
		if err := g.u.FetchRound(ctx, srv.Client(), net, round); err == nil {
			t.Error("the server gave a round before it came")
		}
		g.clock = d.Chain.Time(round).Add(time.Second)
		if due := g.u.RoundsDue(); !slices.Equal(due, []uint64{round}) {
			t.Fatalf("due are %v, want %d", due, round)
		}
		if err := g.u.FetchRound(ctx, http.DefaultClient, net, round); err != nil {
			t.Fatal(err)
		}
		g.u.Tick(g.clock)
		for _, side := range []string{"SOVIET", "GERMAN"} {
			var seal string
			if kinds, sides[side], seal = g.checkedMails(side); kinds != "closing report" && kinds != "report" {
				t.Errorf("round %d: %s had %s", round, side, kinds)
			}
			if side == "SOVIET" {
				seals = append(seals, seal)
			}
		}
	}
	if r, err := g.u.Replay(g.game, true); err != nil || len(r.Wrong) > 0 || r.Rolls < 10 || r.Proved != r.Rolls {
		t.Errorf("replay: %+v, %v", r, err)
	}
	g.beaconArchive(d, seals)
}

// beaconArchive ends the game and proves it from its archive alone.
func (g *gameTable) beaconArchive(d *fakedrand.Drand, seals []string) {
	g.t.Helper()
	trust := g.trust()
	trust.Beacon = d.Chain
	check := func() (archive.Checked, []byte) {
		raw, err := g.u.Archive(g.game)
		if err != nil {
			g.t.Fatal(err)
		}
		a, err := archive.Verify(raw, trust)
		if err != nil {
			g.t.Fatalf("%v", err)
		}
		return a, raw
	}
	if a, _ := check(); a.Drawn < 2 || len(a.Closings) > 0 {
		g.t.Errorf("while it runs: %+v", a)
	}
	g.act("finish", "", "SOVIET")
	a, raw := check()
	for _, seal := range seals {
		if seal != "" && !slices.ContainsFunc(a.Closings, func(c string) bool { return strings.HasSuffix(c, seal) }) {
			g.t.Errorf("the archive shows %q, a mail that closed the orders said %s", a.Closings, seal)
		}
	}
	if a.Drawn < 2 || a.Rolls < 10 || len(a.Closings) < 2 {
		g.t.Errorf("it proves too little: %+v", a)
	}
	if _, err := archive.Verify(raw, g.trust()); err == nil || !strings.Contains(err.Error(), "not the beacon's") {
		g.t.Errorf("with values of another chain than drand's: %v", err)
	}
	other := d.Value(77)
	for name, c := range map[string][2]string{
		"another round":          {`"round":\d+`, `"round":77`},
		"another round's value":  {`"round":\d+,"signature":"[^"]+"`, fmt.Sprintf(`"round":77,"signature":"%s"`, base64Of(other.Signature))},
		"no value":               {`"beacon":\[[^\]]*\]`, `"beacon":[]`},
		"when orders were taken": {`"closed":\d+`, `"closed":9999`},
		"from where it counts":   {`"beacon":\[\{"closed"`, `"beacon":[{"from":1,"closed"`},
	} {
		bad, ok := g.forged(raw, archive.PartJournal, c[0], c[1])
		if !ok {
			g.t.Errorf("%s: the journal holds no %s", name, c[0])
			continue
		}
		if _, err := archive.Verify(bad, trust); err == nil || !partNamed.MatchString(err.Error()) {
			g.t.Errorf("%s: %v", name, err)
		}
	}
	if bad, ok := g.forged(raw, archive.PartSalts, `"seq":3,"salt":"..`, `"seq":3,"salt":"00`); ok {
		if b, err := archive.Verify(bad, trust); err == nil && slices.Equal(b.Closings, a.Closings) {
			g.t.Error("another salt, and the closings are the same")
		}
	}
}

// Drand's own rounds, by their own key: nothing but the program's constant is trusted.
func TestDiceOfDrand(t *testing.T) {
	g := newTable(t, "beacon=drand", "deadline=3d", "early=no")
	g.u.Draw = unillustrated
	values := map[uint64]string{
		1000:   "DRAND 1000 b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
		657413: `{"round":657413,"signature":"b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"}`,
	}
	say := func(round uint64) {
		t.Helper()
		if g.round() != round {
			t.Fatalf("the game waits for round %d, want %d", g.round(), round)
		}
		g.clock = beacon.Quicknet.Time(round)
		g.receive(g.mail("STRANGER", values[round]+"\n"))
		g.u.Tick(g.clock)
		if g.round() != 0 {
			t.Fatalf("round %d did not move the game: %s", round, g.status().Why)
		}
	}
	g.clock = beacon.Quicknet.Time(1000).Add(-post.BeaconAfter)
	g.seat("SOVIET")
	g.seat("GERMAN")
	say(1000)
	_, reports, _ := g.checkedMails("SOVIET")
	game, _, err := g.u.Scenario("kharkov-1942")
	if err != nil || len(reports) != 1 {
		t.Fatal(len(reports), err)
	}
	sheet, err := staff.Officer{Game: game}.Sheet(viewOf(t, reports[0]), 1)
	if err != nil {
		t.Fatal(err)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", sheet)))
	g.clock = beacon.Quicknet.Time(657413).Add(-post.BeaconAfter)
	g.act("force", "", "")
	say(657413)
	raw, err := g.u.Archive(g.game)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := archive.Verify(raw, g.trust()); err != nil || a.Drawn != 1 || a.Rolls == 0 {
		t.Errorf("%+v, %v", a, err)
	}
	if kinds, _, _ := g.checkedMails("GERMAN"); !strings.Contains(kinds, "report") {
		t.Errorf("mails to the other side: %s", kinds)
	}
}

func TestOptionsThatWouldChooseDice(t *testing.T) {
	for options, says := range map[string]string{
		"early=no":                              "give a deadline",
		"deadline=3d":                           "give early=no",
		"deadline=3d early=no late=wait":        "late=standing or late=hold",
		"deadline=3d early=no late=staff":       "late=standing or late=hold",
		"deadline=3d early=no bank=48h":         "take bank out",
		"deadline=3d early=no answer=none":      "take answer=none out",
		"deadline=3d early=no late=hold":        "",
		"deadline=3d early=no answer=1d":        "",
		"deadline=3d early=no beacon=sunspots ": "sunspots",
	} {
		given, err := match.ParseOptions(append([]string{"beacon=drand"}, strings.Fields(options)...))
		if err != nil && strings.Contains(options, "beacon") {
			given, err = match.ParseOptions(strings.Fields(options))
		}
		if err != nil {
			t.Fatal(err)
		}
		err = new(match.Library).CheckOptions("kharkov-1942", given)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", options, err, says)
		}
	}
}

// A game set back while its dice wait, or afterwards, waits for another round; a
// pause does not change the one that is named.
func TestAGameSetBackWaitsForOtherDice(t *testing.T) {
	g, d := beaconTable(t)
	say := func() uint64 {
		t.Helper()
		round := g.round()
		g.clock = d.Chain.Time(round)
		g.receive(g.mail("STRANGER", d.Value(round).String()+"\n"))
		g.u.Tick(g.clock)
		if g.round() != 0 {
			t.Fatalf("round %d did not move the game: %s", round, g.status().Why)
		}
		return round
	}
	first := say()
	g.due()
	g.act("pause", "", "")
	closed := g.round()
	g.clock = g.clock.Add(24 * time.Hour)
	if err := g.u.begun(); err != nil { // the daemon was started anew
		t.Fatal(err)
	}
	g.act("unpause", "", "")
	if g.round() != closed {
		t.Errorf("a pause took the game from round %d to %d", closed, g.round())
	}
	g.act("rollback", "", "1: the trial wants it")
	if g.round() <= closed || closed <= first {
		t.Errorf("set back it waits for round %d, before for %d and %d", g.round(), closed, first)
	}
	if err := g.u.begun(); err != nil {
		t.Fatal(err)
	}
	say()
	open, err := g.u.DB.Waiting(g.game)
	if err != nil || open.Closed != 0 || open.Deadline.IsZero() {
		t.Errorf("%+v, %v", open, err)
	}
	if notes, err := turns.BeaconRecords.All(g.u.DB); err != nil || len(notes) > 0 {
		t.Errorf("values that nobody waits for are kept: %v, %v", notes, err)
	}
	raw, err := g.u.Archive(g.game)
	if err != nil {
		t.Fatal(err)
	}
	trust := g.trust()
	trust.Beacon = d.Chain
	if _, err := archive.Verify(raw, trust); err != nil {
		t.Error(err)
	}
	if g.u.Beacon = nil; g.status().State != store.StatusRunning {
		t.Error("it does not run")
	}
}

func base64Of(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
