// Package rollbacks plays games by mail that a moderator sets back and forth, copies and edits
// at random, and keeps its own book of what counts. Whatever tells of a game must agree with
// it: the story of each turn, the album, the spectators' page, the ladder, the reports, the
// numbers of sheets, the archive and the repetition of the game from its opening.
package rollbacks

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/playtest"
	"fieldpost/store"
	"fieldpost/trial/engine"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
)

const desk = "umpire@mail.test"

// Deeds counts what was done in a game.
type Deeds struct{ Sheets, Back, Forward, Edits, Branches, Looks int }

// Add adds what was done in another game.
func (d *Deeds) Add(e Deeds) {
	d.Sheets, d.Back, d.Forward, d.Edits, d.Branches, d.Looks = d.Sheets+e.Sheets, d.Back+e.Back, d.Forward+e.Forward, d.Edits+e.Edits, d.Branches+e.Branches, d.Looks+e.Looks
}

// round is a game with its players, and the trial's own book of it.
type round struct {
	*world.World
	id     string
	clock  time.Time
	random *rand.Rand
	rules  adjudicator.Game
	seats  []*seat
	deeds  Deeds
	mails  int
	// counts are the phases that count when a phase was the last one, by its number.
	counts map[uint64][]uint64
	known  uint64 // phases in the book
	// moved is the last act that set the game, until the reports of it were read.
	moved string
}

type seat struct {
	world.Player
	writer playtest.Player
	number int // of the last report
	view   *view.View
}

// open begins a game of a scenario in a folder.
func open(folder, scenario string, number int, library *match.Library) (*round, error) {
	var seed [32]byte
	copy(seed[:], fmt.Sprintf("rollbacks %d", number))
	r := &round{clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(uint64(number), 1)), counts: map[uint64][]uint64{}}
	var err error
	r.World, err = world.Open(folder, world.Options{Address: desk, Instance: "rollbacks", Random: rand.NewChaCha8(seed), Library: library,
		Now: func() time.Time { return r.clock }, Draw: func(string, string) bool { return false }})
	if err != nil {
		return nil, err
	}
	made, players, err := r.Begin(scenario, map[string]string{"undo": "0", "ask": "none", "spectators": "0"}, func(side string) (string, string) {
		return "Player of " + side, strings.ToLower(side) + "@mail.test"
	})
	if err != nil {
		r.Close()
		return nil, err
	}
	m, err := r.Umpire.Load(made.ID)
	if err != nil {
		r.Close()
		return nil, err
	}
	r.id, r.rules = made.ID, m.Rules
	for _, p := range players {
		r.seats = append(r.seats, &seat{Player: p, writer: engine.NewRandom(m.Rules, number, adjudicator.Side(p.Side), map[string][2]int{})})
	}
	return r, r.enter(0)
}

// play lets the players order and the moderator act so many times.
func (r *round) play(ctx context.Context, acts int) error {
	for range acts {
		r.clock = r.clock.Add(time.Hour)
		if err := r.read(); err != nil {
			return err
		}
		over, err := r.order(ctx)
		if err != nil || over {
			return err
		}
		if err := r.read(); err != nil {
			return err
		}
		for r.random.IntN(2) == 0 {
			if err := r.moderate(); err != nil {
				return err
			}
		}
	}
	return nil
}

// order has every player whose orders are due write a sheet; it must be taken under the number
// that their report names.
func (r *round) order(ctx context.Context) (over bool, err error) {
	wrote := false
	for _, s := range r.seats {
		if s.view == nil || len(s.view.Due)+len(s.view.Asked) == 0 {
			continue
		}
		sheet, err := s.writer.Sheet(s.view, s.view.Reply.Serial)
		if err != nil {
			return false, err
		}
		r.mails++
		r.clock = r.clock.Add(time.Minute)
		mail := world.Mail{From: s.Address, To: desk, Subject: "orders", ID: fmt.Sprintf("%d.rollbacks", r.mails), Date: r.clock}
		if err := r.Receive(ctx, mail.Plain(s.Sign(sheet))); err != nil {
			return false, err
		}
		r.deeds.Sheets++
		wrote = true
		if err := r.taken(s); err != nil {
			return false, err
		}
		if err := r.enter(0); err != nil {
			return false, err
		}
		if err := r.read(); err != nil {
			return false, err
		}
	}
	g, err := r.Umpire.DB.Game(r.id)
	if err != nil || g.Status != store.StatusRunning {
		return true, err
	}
	if wrote {
		return false, nil
	}
	if _, err := r.Umpire.Moderate(acts.Act{By: "trial", Verb: "force", Game: r.id}); err != nil {
		return true, nil // it waits for nobody: the game is over
	}
	return false, r.enter(0)
}

// taken fails if the player's sheet was not taken under the number that their report named.
func (r *round) taken(s *seat) error {
	g, err := r.Umpire.DB.Game(r.id)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == s.Side })
	if g.Players[i].Serial != s.view.Reply.Serial {
		return fmt.Errorf("sheet %d of %s for turn %d, as their report numbers it, was not taken: %s", s.view.Reply.Serial, s.Side, s.view.Reply.Turn, r.lastSubject(s))
	}
	return nil
}

func (r *round) lastSubject(s *seat) string {
	mails, err := r.Umpire.DB.Mails(r.id)
	if err != nil {
		return err.Error()
	}
	for _, m := range slices.Backward(mails) {
		if m.To != s.Address {
			continue
		}
		raw, err := r.Umpire.DB.MailBytes(m.SHA256)
		if err != nil {
			return err.Error()
		}
		read, err := mailbox.Read(raw)
		if err != nil {
			return err.Error()
		}
		return read.Subject
	}
	return "no answer"
}

// read takes up the newest report of each player; each must be numbered by one more.
func (r *round) read() error {
	for _, s := range r.seats {
		raw, err := r.LastReport(r.id, s.Side)
		if err != nil {
			return err
		}
		v, err := world.ReadView(raw)
		if err != nil {
			return err
		}
		if v == nil || v.Reply == nil || s.view != nil && v.Reply.Report == s.number {
			continue
		}
		s.view, s.number = v, v.Reply.Report
	}
	return nil
}

// moderate sets the game back or forth, edits or copies it.
func (r *round) moderate() error {
	g, err := r.Umpire.DB.Game(r.id)
	if err != nil || !match.Underway(g) || g.Phases < 2 {
		return err
	}
	switch r.random.IntN(6) {
	case 0:
		return r.copyGame(g)
	case 1:
		return r.edit()
	}
	n := 1 + r.random.Uint64N(g.Phases)
	where := fmt.Sprint(n)
	if r.random.IntN(2) == 0 {
		if said, at, ok := r.inWords(); ok {
			where, n = said, at
		}
	}
	act := acts.Act{By: "trial", Verb: "rollback", Game: r.id, Value: where + ": the trial wants it"}
	if r.random.IntN(4) == 0 {
		if err := r.tried(act); err != nil {
			return err
		}
	}
	if _, err := r.Umpire.Moderate(act); err != nil {
		return fmt.Errorf("rollback %s: %w", where, err)
	}
	if before := r.counts[g.Phases]; slices.Contains(before, n) || len(r.counts[n]) > 0 && slices.Contains(before, last(r.counts[n])) {
		r.deeds.Back++
		r.moved = "SET BACK"
	} else {
		r.deeds.Forward++
		r.moved = "SET "
	}
	return r.enter(n)
}

func last(numbers []uint64) uint64 { return numbers[len(numbers)-1] }

// inWords is a phase that counts in words, and the number of the one before it.
func (r *round) inWords() (where string, n uint64, ok bool) {
	line := r.counts[r.known]
	if len(line) < 3 {
		return "", 0, false
	}
	k := 1 + r.random.IntN(len(line)-1)
	before, err := r.Umpire.DB.Phase(r.id, line[k-1])
	if err != nil {
		return "", 0, false
	}
	at, err := r.rules.At(before.Snapshot)
	if err != nil || at.Over {
		return "", 0, false
	}
	// The first phase of the side and turn among those that count.
	for i := 1; i < len(line); i++ {
		was, err := r.Umpire.DB.Phase(r.id, line[i-1])
		if err != nil {
			return "", 0, false
		}
		of, err := r.rules.At(was.Snapshot)
		if err != nil {
			return "", 0, false
		}
		if r.edited(line[i]) {
			continue
		}
		if of.Turn == at.Turn && (of.Side == at.Side || at.Side == "") {
			return strings.Join(strings.Fields(fmt.Sprintf("before %s turn %d", at.Side, at.Turn)), " "), line[i-1], true
		}
	}
	return "", 0, false
}

// edited tells whether nothing was played in a phase.
func (r *round) edited(n uint64) bool {
	p, err := r.Umpire.DB.Phase(r.id, n)
	if err != nil {
		return false
	}
	journal, err := match.EntriesOf(p.Journal)
	return err == nil && match.Intervention(journal) != nil
}

// tried asks what a rollback would do: nothing may change.
func (r *round) tried(act acts.Act) error {
	before, err := r.Umpire.DB.Game(r.id)
	if err != nil {
		return err
	}
	act.Dry = true
	if _, err := r.Umpire.Moderate(act); err != nil {
		return err
	}
	after, err := r.Umpire.DB.Game(r.id)
	if err != nil {
		return err
	}
	was, _ := json.Marshal(before)
	is, _ := json.Marshal(after)
	if string(was) != string(is) {
		return fmt.Errorf("a dry run of rollback %q changed the game", act.Value)
	}
	return nil
}

// edit puts a unit where it is: the position goes on as an edited one.
func (r *round) edit() error {
	s := r.seats[r.random.IntN(len(r.seats))]
	if s.view == nil {
		return nil
	}
	for _, u := range s.view.Units {
		if _, err := r.Umpire.Moderate(acts.Act{By: "trial", Verb: "edit", Game: r.id, Value: fmt.Sprintf("PUT %s %s", u.ID, u.Hex)}); err != nil {
			continue
		}
		r.deeds.Edits++
		return r.enter(0)
	}
	return nil
}

// copyGame makes a game of its own from a phase: its position must be that phase's.
func (r *round) copyGame(g store.Game) error {
	n := 1 + r.random.Uint64N(g.Phases)
	done, err := r.Umpire.Moderate(acts.Act{By: "trial", Verb: "branch", Game: r.id, Value: fmt.Sprint(n)})
	if err != nil {
		return fmt.Errorf("branch %d: %w", n, err)
	}
	r.deeds.Branches++
	id := strings.Fields(strings.Join(done.Says, " "))[1]
	from, err := r.Umpire.DB.Phase(r.id, n)
	if err != nil {
		return err
	}
	copied, err := r.Umpire.DB.Phase(id, 2)
	if err != nil {
		return err
	}
	if string(copied.Snapshot) != string(from.Snapshot) {
		return fmt.Errorf("game %s, copied from phase %d of %s, begins elsewhere", id, n, r.id)
	}
	replayed, err := r.Umpire.Replay(id, true)
	if err != nil || len(replayed.Wrong) > 0 {
		return fmt.Errorf("game %s, copied from phase %d of %s: %v %v", id, n, r.id, replayed.Wrong, err)
	}
	return nil
}
