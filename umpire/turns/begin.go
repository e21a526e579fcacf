package turns

import (
	"bytes"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/dice/vrf"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// NewGame creates a game of a scenario and returns its id. Both the id and the
// key of its dice come from random: crypto/rand.Reader for real games. Options
// that are missing have their defaults; the error lists all that are wrong. Staffs
// are the sides that staff officers play.
func (k *Keeper) NewGame(scenario string, options map[string]string, random io.Reader, staffs ...string) (store.Game, error) {
	g, err := k.NewRecord(scenario, options, random, staffs...)
	if err != nil {
		return store.Game{}, err
	}
	return g, k.Anew(func(on *Keeper) error { return on.Commit(store.Change{Game: &g}) })
}

// Begin fixes the root of the dice, sets the game up and plays to the first
// decision.
//
// The root binds the dice to the players: it is made of their keys and nonces,
// which the server learns only after the key of the dice is fixed.
func (k *Keeper) Begin(c *store.Change) error {
	g := c.Game
	root := seats.RootOf(g.Players)
	g.Root, g.Status = root[:], store.StatusRunning
	m, err := k.Under(store.Position{Game: *g})
	if err != nil {
		return err
	}
	opening, err := m.Rules.Opening()
	if err != nil {
		return err
	}
	setUp := store.Phase{Phase: "set-up", Journal: []byte("[]"), Snapshot: opening}
	m = m.Since(setUp)
	if match.Beaconed(*g) {
		c.Phases = []store.Phase{setUp}
		return k.AwaitDice(c, m, "All sides have players.")
	}
	p, err := m.Play(k.SheetsOf(m, match.Given{Late: match.Lateness{Held: match.Held(*g)}}))
	if err != nil {
		return err
	}
	c.Phases, c.Open = append([]store.Phase{setUp}, p.Phases...), p.Open
	if err := k.SetDeadline(*g, p); err != nil {
		return err
	}
	return k.Reports(c, m, p)
}

// NewRecord is a new game of a scenario that nobody plays yet.
func (k *Keeper) NewRecord(scenario string, options map[string]string, random io.Reader, staffs ...string) (store.Game, error) {
	game, sys, err := k.Scenario(scenario)
	if err != nil {
		return store.Game{}, err
	}
	staffs, options, err = match.Staffed(staffs, options)
	if err != nil {
		return store.Game{}, err
	}
	if err := k.Scenarios().CheckOptions(scenario, options); err != nil {
		return store.Game{}, err
	}
	options = withUndo(options, len(staffs) > 0)
	if slices.Contains(adjudicator.AsksOf(sys), adjudicator.KindActivation) {
		options = withAnswer(options)
	}
	// Who plays may hang on an option.
	if game, err = adjudicator.Under(game, options); err != nil {
		return store.Game{}, err
	}
	id := make([]byte, 5)
	if _, err := io.ReadFull(random, id); err != nil {
		return store.Game{}, fmt.Errorf("making a game id: %w", err)
	}
	key, err := vrf.GenerateKey(random)
	if err != nil {
		return store.Game{}, fmt.Errorf("making the dice key: %w", err)
	}
	hash, err := k.Scenarios().Hash(scenario)
	if err != nil {
		return store.Game{}, err
	}
	seed := key.Seed()
	g := store.Game{
		ID: base32.StdEncoding.EncodeToString(id), System: sys.ID(), RulesVersion: strconv.Itoa(sys.Version()),
		Scenario: scenario, Title: game.Title(), ScenarioHash: hash, Status: store.StatusOpen, DiceKey: seed[:], Created: k.Now().UTC(), Options: options,
	}
	for _, s := range game.Sides() {
		g.Sides = append(g.Sides, string(s))
	}
	return k.SeatStaff(g, staffs, random)
}

// withUndo are options with one for second thoughts: nobody needs to wait for those of
// people who play against staff officers.
func withUndo(options map[string]string, staffed bool) map[string]string {
	if _, agreed := options[match.OptionUndo]; agreed {
		return options
	}
	full := map[string]string{match.OptionUndo: match.UndoBetweenPeople}
	if staffed {
		full[match.OptionUndo] = match.UndoAgainstStaff
	}
	maps.Copy(full, options)
	return full
}

// withAnswer are options with how long a question about a chit waits, where there are deadlines.
func withAnswer(options map[string]string) map[string]string {
	_, agreed := options[match.OptionAnswer]
	if deadline := options[match.OptionDeadline]; agreed || deadline == "" || deadline == "none" {
		return options
	}
	full := maps.Clone(options)
	full[match.OptionAnswer] = match.AnswerAboutChits
	return full
}

// AskNonces tells all that the seats are taken and what is sealed, and asks for it.
func (k *Keeper) AskNonces(c *store.Change) error {
	sides := seats.Unopened(*c.Game)
	var seals []string
	for _, p := range c.Game.Players {
		if len(p.Sealed) > 0 {
			seals = append(seals, fmt.Sprintf("The nonce of %s is sealed by %x.", p.Side, p.Sealed))
		}
	}
	for _, p := range c.Game.Players {
		advice := slices.Clone(seals)
		if slices.Contains(sides, p.Side) {
			advice = append(advice, fmt.Sprintf("Send yours now: fieldpost enrol --game %s --side %s --reveal prints the mail, or sign the three lines GAME: %s, SIDE: %s and NONCE: with your nonce",
				c.Game.ID, p.Side, c.Game.ID, p.Side))
		}
		if err := k.Notify(c, p, "nonces", "All sides have players. The game begins when the nonces of "+strings.Join(sides, " and ")+" are open.", advice...); err != nil {
			return err
		}
	}
	return nil
}

// staffName is what a staff officer is called in a roster.
const staffName = "staff officer"

// ErrAllStaff says that a game has nobody to play it.
var ErrAllStaff = errors.New("a game needs a player: not every side can have a staff officer")

// SeatStaff gives sides of a new game to staff officers.
func (k *Keeper) SeatStaff(g store.Game, sides []string, random io.Reader) (store.Game, error) {
	if len(sides) >= len(g.Sides) {
		return g, ErrAllStaff
	}
	for _, side := range sides {
		if side = strings.ToUpper(side); !slices.Contains(g.Sides, side) {
			return g, fmt.Errorf("%w: %s; it has %s", match.ErrNoSide, side, strings.Join(g.Sides, " and "))
		}
		seed := make([]byte, 32)
		if _, err := io.ReadFull(random, seed); err != nil {
			return g, fmt.Errorf("making the key of a staff officer: %w", err)
		}
		key, err := seal.GenerateKey(bytes.NewReader(seed))
		if err != nil {
			return g, err
		}
		g.Players = append(slices.Clone(g.Players), store.Player{Side: side, Name: staffName, Key: key.Public().String(), Staff: seed})
	}
	return g, nil
}
