package umpire

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/club"
	"fieldpost/umpire/post"
)

func (g *gameTable) status() club.GameStatus {
	g.t.Helper()
	s, err := g.u.Status()
	if err != nil {
		g.t.Fatal(err)
	}
	for _, st := range s.Games {
		if st.ID == g.game {
			return st
		}
	}
	g.t.Fatal("the game is not in the status")
	return club.GameStatus{}
}

// Every state that a game can be in has its rank and its reason.
func TestStatusNamesWhatAGameWaitsFor(t *testing.T) {
	g := newTable(t, "deadline=3d", "grace=12h", "late=wait")
	want := func(rank club.Rank, waiting, why string) {
		t.Helper()
		st := g.status()
		if st.Rank != rank || strings.Join(st.Waiting, " ") != waiting || !strings.Contains(st.Why, why) {
			t.Errorf("rank %d, waiting for %v, %q; want %d, %s, %q", st.Rank, st.Waiting, st.Why, rank, waiting, why)
		}
	}
	g.seat("SOVIET")
	want(club.RankNormal, "GERMAN", "has no player for GERMAN")
	g.seat("GERMAN")
	want(club.RankNormal, "SOVIET", "orders of SOVIET")
	if st := g.status(); st.Turn != 1 || st.Phase == "" || !st.Deadline.Equal(g.clock.AddDate(0, 0, 3)) || !st.Since.Equal(g.clock) {
		t.Errorf("%+v", st)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 7\nSERIAL: 1\nDONE!\n")))
	want(club.RankWarning, "SOVIET", "1 sheet(s) refused")
	g.clock = g.clock.Add(49 * time.Hour)
	g.u.Tick(g.clock)
	want(club.RankWarning, "SOVIET", "reminded")
	g.clock = g.clock.Add(25 * time.Hour)
	g.u.Tick(g.clock)
	want(club.RankAlarm, "SOVIET", "overdue, grace until")
	g.clock = g.clock.Add(12 * time.Hour)
	g.u.Tick(g.clock)
	want(club.RankAlarm, "SOVIET", "the game waits: force")
	if st := g.status(); st.Late["SOVIET"] != 1 {
		t.Errorf("late %v", st.Late)
	}
	g.act("extend", "", "3d")
	g.act("pause", "", "summer")
	want(club.RankWarning, "SOVIET", "paused by the moderator")
	g.act("unpause", "", "")
	game, _ := g.u.DB.Game(g.game)
	g.commit(store.Change{Notes: map[string][]byte{post.HealthRecords.Name(game.Players[1].Address): []byte(`{"dead":{"a":"x 1","b":"x 2"},"suspended":true}`)}})
	want(club.RankAlarm, "SOVIET", "GERMAN: mail comes back; nothing more is sent")
	game.Status = store.StatusFrozen
	g.commit(store.Change{Game: &game, Expect: game.Seq})
	want(club.RankStopped, "SOVIET", "stopped by a fault")
}

// The board puts the worst first and is plain text but for a terminal.
func TestTheBoard(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	s := club.Status{At: now, Since: now.Add(-3 * time.Hour), In: 118, Out: 204, Disk: 5 << 20, Free: 40 << 30, Games: []club.GameStatus{
		{ID: "NYS3A77Q", Scenario: "nysa-1945", State: store.StatusFrozen, Rank: club.RankStopped, Why: "stopped"},
		{ID: "D2VN5RRE", Scenario: "kharkov-1943", State: store.StatusRunning, Rank: club.RankAlarm, Turn: 4, Phase: "Movement of the Soviets", Waiting: []string{"SOVIET"}, Since: now.AddDate(0, 0, -6), Deadline: now.AddDate(0, 0, -2), Why: "overdue"},
		{ID: "K7QX2MPA", Scenario: "kharkov-1942", State: store.StatusRunning, Rank: club.RankNormal, Turn: 3, Waiting: []string{"GERMAN"}, Since: now.Add(-time.Hour), Deadline: now.Add(3 * time.Hour)},
		{ID: "OVER2222", State: store.StatusFinished, Rank: club.RankOver},
	}}
	var plain, coloured, all, tsv bytes.Buffer
	for _, err := range []error{s.Board(&plain, club.BoardOptions{}), s.Board(&coloured, club.BoardOptions{Colour: true}), s.Board(&all, club.BoardOptions{Over: true}), s.TSV(&tsv)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"4 games   2 running", "118 in (0 refused), 204 out in 3 h", "disk 5.0 MiB, 40.0 GiB free, last backup never", "OVERDUE 2 d", "in 3 h", "x NYS3A77Q", "! D2VN5RRE", "  K7QX2MPA"} {
		if !strings.Contains(plain.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &plain)
		}
	}
	if strings.Contains(plain.String(), "\x1b") || !strings.Contains(coloured.String(), "\x1b[31m") {
		t.Error("colour is for terminals only")
	}
	if strings.Contains(plain.String(), "OVER2222") || !strings.Contains(all.String(), "OVER2222") {
		t.Error("finished games stand there only if they are asked for")
	}
	r := csv.NewReader(&tsv)
	r.Comma = '\t'
	if rows, err := r.ReadAll(); err != nil || len(rows) != 5 || rows[2][1] != "D2VN5RRE" {
		t.Errorf("%v %v", rows, err)
	}
}

// Of a side with several commanders the status names who is not done.
func TestStatusNamesTheCommandersWhoAreNotDone(t *testing.T) {
	g := newTable(t)
	g.u.Draw = unillustrated
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.act("commander", "SOVIET", "soviet2@example.org Ivan: 28 Army")
	g.receive(g.mail("SOVIET2", g.signed("SOVIET2", "GAME: "+g.game+"\nSIDE: SOVIET\nJOIN: "+g.lastCode()+"\n")))
	if st := g.status(); !strings.Contains(st.Why, "SOVIET waits for Player of SOVIET (commander-in-chief) and Ivan") {
		t.Errorf("before: %q", st.Why)
	}
	g.receive(g.mail("SOVIET2", g.signed("SOVIET2", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	if st := g.status(); !strings.Contains(st.Why, "SOVIET waits for Player of SOVIET (commander-in-chief)") || strings.Contains(st.Why, "Ivan") {
		t.Errorf("after: %q", st.Why)
	}
}

// Who gets no answer is counted: strangers, machines, and our own mail that comes back.
func TestStatusCountsWhatStaysUnanswered(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.receive(g.mail("STRANGER", "Who are you?"))
	g.receive(bytes.Replace(g.mail("SOVIET", "I am away."), []byte("Subject"), []byte("Auto-Submitted: auto-replied\r\nSubject"), 1))
	g.receive(g.mail("UMPIRE", "Our own."))
	s, err := g.u.Status()
	if want := (club.Silent{Strangers: 1, Machines: 1, Loops: 1}); err != nil || s.Silent != want {
		t.Errorf("%+v, %v", s.Silent, err)
	}
}

// Where several daemons work over one database the board tells of each, loudly of one that is gone.
func TestTheBoardOfSeveralDaemons(t *testing.T) {
	s := club.Status{At: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Standbys: &club.Standbys{Copies: 1, Behind: 2048}}
	s.Nodes = []store.Node{
		{Name: "alpha:/club", About: "fieldpost 1.0", Since: s.At.Add(-3 * time.Hour), Works: []string{"game/XOGZSK4C"}},
		{Name: "beta:/club", About: "fieldpost 1.0", Since: s.At.Add(-time.Hour), Quiet: 2 * time.Minute},
	}
	var board strings.Builder
	if err := s.Board(&board, club.BoardOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"node alpha:/club (fieldpost 1.0): since 3 h, at game/XOGZSK4C\n", "ALARM: node beta:/club (fieldpost 1.0) has not been heard of for 2m0s", "standbys: 1, the slowest 2.0 KiB behind\n"} {
		if !strings.Contains(board.String(), want) {
			t.Errorf("%q is missing:\n%s", want, board.String())
		}
	}
}
