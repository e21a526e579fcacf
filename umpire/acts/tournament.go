package acts

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/tournament"
)

// A tournament is one record, a note: who takes part, and which games its rounds have. A moderator
// writes it once; its rounds and games are made by the clock, one Change each, so that a process may
// stop anywhere and the next one goes on.

// doTournament arranges a tournament. It concerns no game yet.
func (hd *Executor) doTournament(c *store.Change, _ store.Position, a Act) (string, error) {
	t, err := tournament.Parse(a.Value)
	if err != nil {
		return "", err
	}
	for _, p := range t.Players {
		if _, err := mailbox.PlainAddress(p.Address); err != nil {
			return "", fmt.Errorf("%w: %w", ErrAddress, err)
		}
	}
	if _, before, err := match.TournamentRecords.Get(hd.DB, t.Name); err != nil || before {
		if err == nil {
			err = fmt.Errorf("%w: there is a tournament %s already", ErrNotNow, t.Name)
		}
		return "", err
	}
	g, err := hd.gameOf(t)
	if err != nil {
		return "", err
	}
	t.By, t.Sides = a.By, [2]string{g.Sides[0], g.Sides[1]}
	c.Game = nil
	match.TournamentRecords.Put(c, t.Name, t)
	return fmt.Sprintf("tournament %s of %s with %d players; the first of its rounds (%d in all) begins within minutes", t.Name, g.Title, len(t.Players), t.Rounds), nil
}

// gameOf is the record of a new game of a tournament.
func (hd *Executor) gameOf(t tournament.Tournament) (store.Game, error) {
	options, err := gameOptions(t.Options)
	if err != nil {
		return store.Game{}, err
	}
	return hd.NewRecord(t.Scenario, options, rand.Reader)
}

// Tournaments goes on with all tournaments: it notes how games have ended, pairs the next round when
// one is over, and makes the games of a round.
func (hd *Executor) Tournaments() {
	all, err := match.TournamentRecords.All(hd.DB)
	if err := hd.Readable(err); err != nil {
		hd.Log.Error("the tournaments cannot be read", "error", err)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if t := all[name]; t.Over() {
			continue
		}
		if err := hd.Anew(func(on *Executor) error { return on.goOnWith(name) }); err != nil {
			hd.Log.Error("a tournament cannot go on; it is tried again", "tournament", name, "error", err)
		}
	}
}

// goOnWith goes on with a tournament.
func (hd *Executor) goOnWith(name string) error {
	t, there, err := match.TournamentRecords.Get(hd.DB, name)
	if err != nil || !there || t.Over() {
		return err
	}
	changed, err := hd.noteEnds(&t)
	if err != nil {
		return err
	}
	var c store.Change
	if t.RoundOver() {
		changed = true
		told := t.Over()
		if !told {
			t.Paired = append(t.Paired, t.Pair())
		}
		if err := hd.tellTable(&c, t); err != nil {
			return err
		}
	}
	if changed {
		match.TournamentRecords.Put(&c, t.Name, t)
		if err := hd.Commit(c); err != nil {
			return err
		}
	}
	round := t.Paired[len(t.Paired)-1]
	for i := range round {
		if p := &round[i]; p.Game == "" && p.Other != tournament.Nobody {
			if err := hd.makeGame(&t, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteEnds notes the results of the games of the last round that are over.
func (hd *Executor) noteEnds(t *tournament.Tournament) (changed bool, err error) {
	if len(t.Paired) == 0 {
		return false, nil
	}
	round := t.Paired[len(t.Paired)-1]
	for i := range round {
		p := &round[i]
		if p.Ended || p.Game == "" {
			continue
		}
		m, err := hd.Load(p.Game)
		if err != nil {
			return changed, err
		}
		if m.Game.Status != store.StatusFinished {
			continue
		}
		v, err := m.View(m.Game.Sides[0])
		if err != nil {
			return changed, err
		}
		p.Ended, changed = true, true
		switch v.Winner {
		case t.Sides[0]:
			p.Score = 1
		case t.Sides[1]:
			p.Score = 0
		default:
			p.Score = 0.5
		}
	}
	return changed, nil
}

// makeGame makes the game of a pairing and invites its players: one Change, in which the record of the
// tournament learns of it.
func (hd *Executor) makeGame(t *tournament.Tournament, p *tournament.Pairing) error {
	g, err := hd.gameOf(*t)
	if err != nil {
		return err
	}
	g.Title += fmt.Sprintf(" (%s, round %d)", t.Name, len(t.Paired))
	c := store.Change{Game: &g}
	p.Game = g.ID
	match.TournamentRecords.Put(&c, t.Name, *t)
	for i, place := range []int{p.One, p.Other} {
		who := t.Players[place]
		if err := hd.InviteTo(&c, g, t.Sides[i], post.Invited{Address: who.Address, Name: who.Name}); err != nil {
			p.Game = ""
			return err
		}
	}
	did := fmt.Sprintf("round %d of tournament %s", len(t.Paired), t.Name)
	if err := hd.ActLog().Add(&c, audit.Entry{By: t.By, Verb: "create", Game: g.ID, Value: t.Scenario + " " + strings.Join(t.Options, " "), Did: did}); err != nil {
		return err
	}
	return hd.Commit(c)
}

// tellTable mails everybody how they stand, under the last game that they had.
func (hd *Executor) tellTable(c *store.Change, t tournament.Tournament) error {
	rounds := len(t.Paired)
	if !t.Over() {
		rounds-- // the new one has no result
	}
	if rounds == 0 {
		return nil
	}
	head := fmt.Sprintf("Round %d of tournament %s is over", rounds, t.Name)
	if t.Over() {
		head = fmt.Sprintf("Tournament %s is over", t.Name)
	}
	lines := t.Lines()
	last := t.Paired[rounds-1]
	for _, p := range last {
		if p.Game == "" {
			continue
		}
		g, err := hd.DB.Game(p.Game)
		if err != nil {
			return err
		}
		about := store.Change{Game: &g, Expect: g.Seq}
		for _, player := range g.Players {
			if player.Staffed() {
				continue
			}
			if err := hd.Notify(&about, player, "tournament", head, lines...); err != nil {
				return err
			}
		}
		c.Mails = append(c.Mails, about.Mails...)
	}
	return nil
}
