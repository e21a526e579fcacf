package umpire

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
	"fieldpost/umpire/turns"
)

// A game needs a player, and its sides have names; the key of a staff officer
// leaves the umpire in no answer.
func TestSeatingStaffOfficers(t *testing.T) {
	g := newTable(t)
	random := rand.NewChaCha8([32]byte{9})
	if _, err := g.u.NewGame("kharkov-1942", nil, random, "GERMAN", "SOVIET"); !errors.Is(err, turns.ErrAllStaff) {
		t.Errorf("two staff officers: %v", err)
	}
	if _, err := g.u.NewGame("kharkov-1942", nil, random, "FRENCH"); !errors.Is(err, match.ErrNoSide) {
		t.Errorf("a side that there is not: %v", err)
	}
	made, err := g.u.NewGame("kharkov-1942", nil, random, "german")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.u.AddPlayer(made.ID, "GERMAN", "Somebody", "a@example.org", g.keys["GERMAN"].Public().String()); !errors.Is(err, acts.ErrTaken) {
		t.Errorf("a second player for the side: %v", err)
	}
	all, err := g.u.Summaries(made.ID)
	if err != nil || len(all[0].Players) != 1 || !all[0].Players[0].Staffed() || len(all[0].Players[0].Staff) > 1 {
		t.Errorf("the summary: %+v, %v", all, err)
	}
	if kept, err := g.u.DB.Game(made.ID); err != nil || len(kept.Players[0].Staff) != 32 {
		t.Errorf("the game: %v, %v", kept.Players, err)
	}
}

// stopped is a process that stops before a staff officer is asked.
type stopped struct{ turns.Staff }

func (stopped) Attend(context.Context, string) {}

func (s stopped) StaffOver(store.Store) turns.Staff { return s }

// The strengths that a game may name are those of staff officers, and SIDE=STRENGTH names one.
func TestStrengthsOfStaffOfficers(t *testing.T) {
	i := slices.IndexFunc(match.OwnSettings, func(s adjudicator.Setting) bool { return s.Name == match.OptionStrength })
	var names []string
	for _, s := range staff.Strengths {
		names = append(names, string(s))
	}
	if own := match.OwnSettings[i]; !slices.Equal(own.Values, names) || own.Default != string(staff.Cadet) {
		t.Errorf("games may name %v, there are %v", own.Values, names)
	}
	sides, options, err := match.Staffed([]string{"GERMAN=CHIEF", "SOVIET"}, nil)
	if err != nil || !slices.Equal(sides, []string{"GERMAN", "SOVIET"}) || options[match.OptionStrength] != string(staff.Chief) {
		t.Error(sides, options, err)
	}
	if _, _, err := match.Staffed([]string{"GERMAN=chief", "SOVIET=officer"}, nil); err == nil {
		t.Error("two strengths in a game")
	}
}

// An officer at work when the process stopped plays on when it starts again.
func TestStaffOfficerPlaysOnAfterARestart(t *testing.T) {
	g := newTable(t, "staff=GERMAN", "strength=officer")
	g.u.Staff = stopped{g.u.Staff}
	g.seat("SOVIET")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	turn := func() (int, []string) {
		all, err := g.u.Summaries(g.game)
		if err != nil {
			t.Fatal(err)
		}
		return all[0].Turn, all[0].Waiting
	}
	if n, waiting := turn(); n != 1 || strings.Join(waiting, "") != "GERMAN" {
		t.Fatalf("turn %d waits for %v", n, waiting)
	}
	g.u.Staff = &g.u.Handler
	if err := g.u.SetAlarms(); err != nil {
		t.Fatal(err)
	}
	if n, waiting := turn(); n != 2 || strings.Join(waiting, "") != "SOVIET" {
		t.Errorf("turn %d waits for %v", n, waiting)
	}
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mails {
		if m.Side != "SOVIET" || m.To == "" {
			t.Errorf("a mail for %q", m.Side)
		}
	}
}

// Whatever a plan is called, the reader of the last report is told what it does.
func TestTheStaffsPlansAreExplained(t *testing.T) {
	for _, system := range []string{"wb95", "steppe", "famous"} {
		for _, plan := range append(staff.Plans(system), "main effort at 2505", "careful main effort at 2505") {
			if name, means := report.PlanMeaning(plan); means == "" || strings.Contains(name, " at ") {
				t.Errorf("%s: %q is called %q, which is said to mean %q", system, plan, name, means)
			}
		}
	}
}

// What a staff officer thought is told when the game is over, and in no mail before.
func TestTheStaffTellsWhatItThoughtAfterTheGame(t *testing.T) {
	g := newTable(t, "staff=GERMAN", "strength=officer")
	g.seat("SOVIET")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	thought, err := g.u.Deliberations(g.game, "GERMAN", 2)
	if err != nil || len(thought) != 1 || thought[0].Plan.Name == "" || len(thought[0].Others) == 0 || len(thought[0].Stood) < 20 {
		t.Fatalf("the staff thought %+v, %v", thought, err)
	}
	// Of a turn that was undone there is a thought as well.
	var c store.Change
	german := store.Seat{Game: g.game, Side: "GERMAN"}
	match.DeliberationRecords.Put(&c, match.TurnKey{Seat: german, Turn: 1}, match.Deliberation{Turn: 1,
		Plan: match.Considered{Name: "zitadelle at 2505", Worth: 120}, Others: []match.Considered{{Name: "typhoon", Worth: -30}, {Name: "main effort at 2505", Worth: -40}}})
	match.DeliberationRecords.Put(&c, match.TurnKey{Seat: german, Turn: 7}, match.Deliberation{Turn: 7, Plan: match.Considered{Name: "barbarossa", Worth: 1}})
	g.commit(c)
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 2\nSERIAL: 2\nCONCEDE\n")))
	told := func(m *mailbox.Message) bool {
		var text string
		for _, part := range m.Texts {
			text += strings.ToLower(part.AsSent)
		}
		return strings.Contains(text, "zitadelle") || strings.Contains(text, "what the staff")
	}
	before := g.outbox("SOVIET")
	for _, m := range before {
		if told(m) {
			t.Errorf("a mail of a game that goes on tells what the staff thinks:\n%s", m.Texts[0].AsSent)
		}
	}
	g.concessionCounts()
	after := g.outbox("SOVIET")
	i := slices.IndexFunc(after, told)
	if len(before) < 3 || i < 0 {
		t.Fatalf("%d mails while the game went on; of %d after it none tells what the staff thought", len(before), len(after))
	}
	text := after[i].Texts[0].AsSent
	for _, want := range []string{"THE GAME IS OVER", "WHAT THE STAFF OF THE GERMAN SIDE THOUGHT\n", "zitadelle at ", "+1.2", "typhoon -0.3",
		`"main effort": strength is drawn to one place.`} {
		if !strings.Contains(text, want) {
			t.Errorf("the last report says nothing of %q", want)
		}
	}
	if strings.Contains(text, "barbarossa") {
		t.Error("it tells of a turn that was never played")
	}
	_, section, _ := strings.Cut(text, "WHAT THE STAFF")
	t.Log("WHAT THE STAFF" + section[:min(len(section), 900)])
}

// Who looks ahead writes the orders of their chits when these are drawn, as a player in MODE: ASK does:
// the game goes on to the other side's next sheet, and nobody else hears of it.
func TestStaffOfficersAnswerAtTheirChits(t *testing.T) {
	for _, c := range []struct {
		strength string
		answers  bool
	}{{"cadet", false}, {"officer", true}} {
		g := newTable(t, "scenario=star-and-gallop", "staff=GERMAN", "strength="+c.strength)
		g.seat("SOVIET")
		g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
		all, err := g.u.Summaries(g.game)
		if err != nil {
			t.Fatal(err)
		}
		if all[0].Turn != 2 || strings.Join(all[0].Waiting, "") != "SOVIET" {
			t.Errorf("%s: turn %d waits for %v", c.strength, all[0].Turn, all[0].Waiting)
		}
		kept, err := g.u.DB.Game(g.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range kept.Players {
			if p.Staffed() && (p.Serial > 2) != c.answers {
				t.Errorf("%s: %d sheets", c.strength, p.Serial)
			}
		}
		mails, err := g.u.DB.Mails(g.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mails {
			if m.Side != "SOVIET" || m.Kind == "question" {
				t.Errorf("%s: a mail %s for %q", c.strength, m.Kind, m.Side)
			}
		}
	}
}

// Where a game goes on at its deadlines only, it would wait for one at each chit: there an officer files
// the whole turn.
func TestStaffOfficersAskNothingWhereDeadlinesAreAwaited(t *testing.T) {
	for _, c := range []struct {
		early string
		asks  bool
	}{{"yes", true}, {"no", false}} {
		g := newTable(t, "scenario=star-and-gallop", "staff=GERMAN", "strength=officer", "deadline=3d", "early="+c.early)
		g.seat("SOVIET")
		g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
		sheets, err := g.u.DB.AllSheets(g.game)
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		for _, s := range sheets {
			if s.Side != "GERMAN" {
				continue
			}
			written++
			if asks := strings.Contains(s.Canonical, "MODE: ASK"); asks != c.asks {
				t.Errorf("early=%s: the sheet asks: %v\n%s", c.early, asks, s.Canonical)
			}
		}
		if written == 0 {
			t.Errorf("early=%s: the staff wrote nothing", c.early)
		}
	}
}
