package umpire

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/match"
	"fieldpost/umpire/turns"
)

func TestAGameGoesOnWithAnotherVersion(t *testing.T) {
	g := playOut(t, 1)
	if _, err := g.u.Migrate(g.game); !errors.Is(err, turns.ErrFits) {
		t.Errorf("a game of this version: %v", err)
	}
	present := g.alter(func(*store.Game) {}).RulesVersion
	before := g.alter(func(x *store.Game) { x.RulesVersion, x.ScenarioHash = "0", strings.Repeat("a", 64) })
	was, err := g.u.DB.Load(g.game)
	if err != nil || was.Open == nil {
		t.Fatalf("no phase waits: %v", err)
	}
	g.outbox("SOVIET")
	if _, err := g.u.Migrate(strings.ToLower(g.game)); err != nil {
		t.Fatal(err)
	}
	is, err := g.u.DB.Load(g.game)
	if err != nil || is.Game.RulesVersion != present || is.Game.Phases != before.Phases+1 || is.Game.Status != store.StatusRunning {
		t.Fatalf("%+v, %v", is.Game, err)
	}
	if is.Open == nil || is.Open.Phase != was.Open.Phase || string(is.Open.Journal) != string(was.Open.Journal) {
		t.Errorf("the phase that waits was %+v and is %+v", was.Open, is.Open)
	}
	if m, _ := g.last("SOVIET"); !strings.Contains(m.Subject, "another version") {
		t.Errorf("Soviet is told %s", m.Subject)
	}
	serial := is.Game.Players[0].Serial + 1
	g.receive(g.mail("SOVIET", g.signed("SOVIET", g.sheet("SOVIET", 2, serial)+"DONE!\n")))
	after := g.alter(func(*store.Game) {})
	if after.Phases <= is.Game.Phases {
		t.Fatal("the game does not go on")
	}
	r, err := g.u.Replay(g.game, true)
	if err != nil || len(r.Wrong) > 0 || r.Earlier != int(before.Phases) || r.Phases != int(after.Phases-before.Phases) {
		t.Errorf("%+v, %v", r, err)
	}
	raw, err := g.u.Archive(g.game)
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Verify(raw, g.trust())
	if err != nil || a.Phases != r.Phases || a.Reports == 0 || a.Rolls < 20 {
		t.Errorf("%+v, %v", a, err)
	}
	if len(a.Unproven) != 1 || !strings.Contains(a.Unproven[0], "another version") {
		t.Errorf("unproven are %q", a.Unproven)
	}
	migratedForgeries(t, g, raw)
}

// migratedForgeries alters what only a migrated game has, as the operator could.
func migratedForgeries(t *testing.T, g *gameTable, raw []byte) {
	for what, forge := range map[string]func(map[string][]byte){
		"the position":   func(p map[string][]byte) { p[archive.PartMigrated] = append(p[archive.PartMigrated], ' ') },
		"no position":    func(p map[string][]byte) { delete(p, archive.PartMigrated) },
		"an earlier die": func(p map[string][]byte) { p[archive.PartJournal] = otherDie(t, p[archive.PartJournal]) },
		"no migration": func(p map[string][]byte) {
			p[archive.PartJournal] = []byte(strings.ReplaceAll(string(p[archive.PartJournal]), store.Migration, "x"))
		},
		"an earlier report": func(p map[string][]byte) {
			p[archive.PartReports] = []byte(strings.Replace(string(p[archive.PartReports]), "Kharkov", "Charkow", 1))
		},
	} {
		parts, err := archive.Unbundle(raw)
		if err != nil {
			t.Fatal(err)
		}
		texts := opened(t, parts)
		forge(texts)
		var m archive.Manifest
		if err := json.Unmarshal(texts[archive.PartManifest], &m); err != nil {
			t.Fatal(err)
		}
		delete(texts, archive.PartManifest)
		delete(texts, archive.PartSignature)
		forged, err := archive.Sealed(m, texts, g.u.Key)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Verify(forged, g.trust()); err == nil || !partNamed.MatchString(err.Error()) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// otherDie alters the first die of a journal.
func otherDie(t *testing.T, journal []byte) []byte {
	t.Helper()
	phases, err := archive.FromLines[store.Phase](journal)
	if err != nil {
		t.Fatal(err)
	}
	for i := range phases {
		list, _ := match.EntriesOf(phases[i].Journal)
		for j := range list {
			if list[j].Kind == adjudicator.EntryRoll {
				list[j].Dice[0] = list[j].Dice[0]%6 + 1
				phases[i].Journal, _ = json.Marshal(list)
				text, err := archive.Lines(phases)
				if err != nil {
					t.Fatal(err)
				}
				return text
			}
		}
	}
	t.Fatal("no dice")
	return nil
}

// Rules that make something else of the phase that waits are refused.
func TestNoMigrationInTheMidstOfAnotherPhase(t *testing.T) {
	g := newTable(t)
	g.u.Library = &match.Library{}
	game, _, err := g.u.Scenario("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	broken, other := false, false
	g.u.Library.Entries["kharkov-1942"].Game = brittle{game, &broken, &other}
	if _, err := g.u.Migrate(g.game); !errors.Is(err, turns.ErrNotLive) {
		t.Errorf("a game that has not begun: %v", err)
	}
	g.seat("SOVIET")
	g.seat("GERMAN")
	before := g.alter(func(x *store.Game) { x.RulesVersion = "0" })
	broken = true
	if _, err := g.u.Migrate(g.game); !errors.Is(err, match.ErrDiffers) {
		t.Errorf("rules that fail: %v", err)
	}
	if is := g.alter(func(*store.Game) {}); is.Seq != before.Seq+1 || is.RulesVersion != "0" {
		t.Errorf("%+v", is)
	}
}
