package umpire

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// NewGame creates a game of a scenario and returns its id. Both the id and the
// key of its dice come from random: crypto/rand.Reader for real games. Options
// that are missing have their defaults; the error lists all that are wrong. Staffs
// are the sides that staff officers play.
func (u *Umpire) NewGame(scenario string, options map[string]string, random io.Reader, staffs ...string) (store.Game, error) {
	u.Writing.Lock()
	defer u.Writing.Unlock()
	g, err := u.fresh(scenario, options, random, staffs...)
	if err != nil {
		return store.Game{}, err
	}
	return g, u.commit(store.Change{Game: &g})
}

// Errors of AddPlayer.
var (
	ErrTaken   = errors.New("the side has a player already")
	ErrStarted = errors.New("the game has begun")
	ErrAddress = errors.New("not a mail address")
)

// ByCodes in the place of a key seats a player who sends his sheets by the codes
// of his reports.
const ByCodes = "codes"

// AddPlayer seats a player and mails him the invitation. When the last seat is
// taken the game begins and everybody gets the first report.
func (u *Umpire) AddPlayer(id, side, name, address, keyLine string) error {
	return u.Seat(Seat{Game: id, Side: side, Name: name, Address: address, Key: keyLine})
}

// Seat is AddPlayer for a player who brings a sealed nonce.
func (u *Umpire) Seat(s Seat) error {
	u.Writing.Lock()
	defer u.Writing.Unlock()
	id, side, name, address := strings.ToUpper(s.Game), strings.ToUpper(s.Side), s.Name, s.Address
	if strings.EqualFold(s.Key, ByCodes) {
		s.Key = seal.CodeKey(id, side).String()
	}
	key, err := seal.ParseKey(s.Key)
	if err != nil {
		return err
	}
	sealed, err := seats.ParseSealed(s.Sealed)
	if err != nil {
		return err
	}
	if len(sealed) > 0 && seal.IsCode(key.String()) {
		return fmt.Errorf("%w: who sends codes cannot sign the nonce later", seats.ErrSealed)
	}
	if _, err := mailbox.PlainAddress(address); err != nil {
		return fmt.Errorf("%w: %w", ErrAddress, err)
	}
	g, err := u.DB.Game(id)
	if err != nil {
		return err
	}
	p := store.Player{Side: side, Address: address, Key: key.String(), Name: name, Sealed: sealed}
	c := store.Change{Notes: map[string][]byte{post.InviteNote(id, side): nil}}
	if g, err = u.sit(&c, g, p); err != nil {
		return err
	}
	invitation, err := u.Invitation(g, p)
	if err != nil {
		return err
	}
	c.Mails = append([]store.Mail{invitation}, c.Mails...)
	return u.commit(c)
}

// sit adds to a Change that a player takes his seat. With the last one the game
// begins.
func (u *Umpire) sit(c *store.Change, g store.Game, p store.Player) (store.Game, error) {
	if err := free(g, p.Side); err != nil {
		return g, err
	}
	for _, q := range g.Players {
		if store.KeyID(q.Key) == store.KeyID(p.Key) {
			return g, fmt.Errorf("game %s: %w", g.ID, seats.ErrKeyTaken)
		}
	}
	c.Expect = g.Seq
	g.Players = append(slices.Clone(g.Players), p)
	c.Game = &g
	if len(g.Players) < len(g.Sides) {
		return g, nil
	}
	if len(seats.Unopened(g)) > 0 {
		return g, u.askNonces(c)
	}
	return g, u.begin(c)
}

// begin fixes the root of the dice, sets the game up and plays to the first
// decision.
//
// The root binds the dice to the players: it is made of their keys and nonces,
// which the server learns only after the key of the dice is fixed.
func (u *Umpire) begin(c *store.Change) error {
	g := c.Game
	root := seats.RootOf(g.Players)
	g.Root, g.Status = root[:], store.StatusRunning
	game, sys, err := u.RulesOf(*g)
	if err != nil {
		return err
	}
	opening, err := game.Opening()
	if err != nil {
		return err
	}
	setUp := store.Phase{Phase: "set-up", Journal: []byte("[]"), Snapshot: opening}
	if match.Beaconed(*g) {
		c.Phases = []store.Phase{setUp}
		return u.awaitDice(c, game, opening, "All sides have players.")
	}
	p, err := u.Play(game, *g, opening, nil, c.Expect+1, u.SheetsOf(*g, sys, nil, match.Lateness{Held: match.Held(*g)}, nil))
	if err != nil {
		return err
	}
	c.Phases, c.Open = append([]store.Phase{setUp}, p.Phases...), p.Open
	if err := u.setDeadline(*g, p); err != nil {
		return err
	}
	return u.Reports(c, game, sys, p)
}
