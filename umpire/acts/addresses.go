package acts

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// Mail goes to a new address of a player only when a code that was mailed there has come
// back: until then nothing else is sent there, whoever asked for it.

// confirmFor is how long such a code is good.
const confirmFor = 7 * 24 * time.Hour

// Moving is an address that is to be confirmed. The code itself is not kept.
type Moving struct {
	Address string `json:"address"`
	// Second says that it is for the time in which mail to the first one comes back.
	Second bool      `json:"second,omitempty"`
	Hash   string    `json:"hash"`
	Until  time.Time `json:"until"`
	// Key and Holder are those of the person at the time: for another one the code is no good.
	Key    string `json:"key"`
	Holder int    `json:"holder,omitempty"`
}

// MovingKey is the key of an address that is to be confirmed: whose it is, and whether it is for
// the time in which mail to the first one comes back.
type MovingKey struct {
	store.Person
	Second bool
}

const secondWord = "second"

// MovingRecords are the addresses that are to be confirmed.
var MovingRecords = store.KindOf[Moving]("moving", store.Shape[MovingKey]{
	Form: "GAME/SIDE/COMMANDER[/second]",
	Words: func(k MovingKey) []string {
		words := []string{k.Game, k.Side, strconv.Itoa(k.Commander)}
		if k.Second {
			words = append(words, secondWord)
		}
		return words
	},
	Parse: func(words []string) (k MovingKey, ok bool) {
		if len(words) == 4 && words[3] == secondWord {
			k.Second, words = true, words[:3]
		}
		if len(words) != 3 {
			return k, false
		}
		commander, err := strconv.Atoi(words[2])
		k.Person = store.Person{Seat: store.Seat{Game: words[0], Side: words[1]}, Commander: commander}
		return k, err == nil
	},
	Game: func(k MovingKey) string { return k.Game }})

// Move is somebody's wish to have their mail at another address. ByModerator tells that
// they did not ask themselves.
type Move struct {
	Address     string
	Second      bool
	ByModerator bool
}

// AskToConfirm adds to a Change the mail with the code that confirms an address of a person
// of a seat.
func (hd *Executor) AskToConfirm(c *store.Change, g store.Game, p store.Player, to Move) error {
	first := post.FirstMail{To: to.Address}
	if !to.ByModerator {
		first.Seat = store.Seat{Game: g.ID, Side: p.Side}
	}
	if err := hd.CountFirst(c, first); err != nil {
		return err
	}
	code, err := NewCode(rand.Reader)
	if err != nil {
		return err
	}
	in := Moving{Address: to.Address, Second: to.Second, Hash: post.CodeHash(code), Until: hd.Now().UTC().Add(confirmFor), Key: store.KeyID(p.Key), Holder: p.Holder}
	n := report.Note{Game: g.ID, Title: g.Title, About: "please confirm this address",
		Says: []string{
			"A player here wants the mail of their game at this address. If that was you, please reply with these three lines at the top:"},
		Block: fmt.Sprintf("      GAME: %s\n      SIDE: %s\n      CONFIRM: %s\n", g.ID, p.Side, code),
		Then: []string{
			"The code is good until " + in.Until.Format("2 January 2006") + ". Until it comes back we send nothing else here.",
			"If you know nothing about this, there is nothing for you to do: somebody has mistaken your address for theirs."}}
	p.Address, p.Second = in.Address, ""
	m, err := hd.Render(post.Draft{Game: g, Player: p, Kind: "confirm", Number: in.Hash[:16], Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})
	if err != nil {
		return err
	}
	m.Game, m.Side, m.Commander = "", "", 0 // the seat has another address until it is confirmed
	MovingRecords.Put(c, MovingKey{p.In(g.ID), to.Second}, in)
	c.Mails = append(c.Mails, m)
	return nil
}

// ErrNotConfirmed says that a code confirms no address.
var ErrNotConfirmed = errors.New("the code confirms no address")

// Confirm moves the mail of a person to the address whose code has come back: in the
// players of g, which the caller has cloned. It hands back the person as they were, also of a
// code that has run out. The side may be left out.
func (hd *Executor) Confirm(c *store.Change, g *store.Game, side, code string) (was store.Player, to Move, err error) {
	for i := range g.Players {
		seat := &g.Players[i]
		if side != "" && seat.Side != side {
			continue
		}
		for commander := range len(seat.Commanders) + 1 {
			p := seat.As(commander)
			key, in, err := hd.movingBy(*g, p, code)
			switch {
			case err != nil:
				return was, to, err
			case in.Hash == "", in.Key != store.KeyID(p.Key), in.Holder != p.Holder:
				continue // of the last two: somebody else has the place, or the key was changed
			case hd.Now().After(in.Until):
				return p, to, fmt.Errorf("%w any more: it was good until %s. Ask for another one", ErrNotConfirmed, in.Until.Format("2 January 2006"))
			}
			MovingRecords.Drop(c, key)
			moveTo(seat, commander, in)
			return p, Move{Address: in.Address, Second: in.Second}, nil
		}
	}
	return was, to, ErrNotConfirmed
}

// movingBy is the address of a person that a code confirms, without a Hash for none.
func (hd *Executor) movingBy(g store.Game, p store.Player, code string) (MovingKey, Moving, error) {
	for _, second := range []bool{false, true} {
		key := MovingKey{p.In(g.ID), second}
		in, _, err := MovingRecords.Get(hd.DB, key)
		if err != nil {
			return key, Moving{}, err
		}
		if in.Hash != "" && (post.Invited{Hash: in.Hash}).Fits(code) {
			return key, in, nil
		}
	}
	return MovingKey{}, Moving{}, nil
}

// moveTo gives a person of a seat an address that is confirmed.
func moveTo(seat *store.Player, commander int, in Moving) {
	switch {
	case commander > 0:
		seat.Commanders = slices.Clone(seat.Commanders)
		seat.Commanders[commander-1].Address = in.Address
	case in.Second:
		seat.Second = in.Address
	default:
		seat.Address = in.Address
	}
}

// doAddress asks the player of a side to confirm another address.
func (hd *Executor) doAddress(c *store.Change, _ store.Position, a Act) (string, error) {
	i := slices.IndexFunc(c.Game.Players, func(p store.Player) bool { return p.Side == a.Side })
	if i < 0 || c.Game.Players[i].Staffed() {
		return "", fmt.Errorf("%w: %q has no player", match.ErrNoSide, a.Side)
	}
	address, _, err := somebody(a.Value)
	if err != nil {
		return "", err
	}
	if err := hd.AskToConfirm(c, *c.Game, c.Game.Players[i], Move{Address: address, ByModerator: true}); err != nil {
		return "", err
	}
	return "mail for " + a.Side + " will go to another address of its player as soon as they confirm it there", nil
}

// SetSecond asks a player to confirm a second address, or with "" takes it away. Mail goes
// there while mail to the first one comes back.
func (hd *Executor) SetSecond(id, side, address string) error {
	return hd.Anew(func(on *Executor) error { return on.setSecond(id, side, address) })
}

func (hd *Executor) setSecond(id, side, address string) error {
	g, err := hd.DB.Game(strings.ToUpper(id))
	if err != nil {
		return err
	}
	g.Players = slices.Clone(g.Players)
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return strings.EqualFold(p.Side, side) })
	if i < 0 || g.Players[i].Staffed() {
		return fmt.Errorf("game %s: %w: %s has no player", g.ID, match.ErrNoSide, side)
	}
	if address == "" {
		g.Players[i].Second = ""
		c := store.Change{Game: &g, Expect: g.Seq}
		MovingRecords.Drop(&c, MovingKey{g.Players[i].In(g.ID), true})
		return hd.Commit(c)
	}
	if address, _, err = somebody(address); err != nil {
		return err
	}
	var c store.Change
	if err := hd.AskToConfirm(&c, g, g.Players[i].As(0), Move{Address: address, Second: true, ByModerator: true}); err != nil {
		return err
	}
	return hd.Commit(c)
}

// ForgetMoving takes what waits to be confirmed by a person out of the store: all of their
// address, and all of a seat that they leave.
func (hd *Executor) ForgetMoving(c *store.Change, of func(key MovingKey, in Moving) bool) error {
	all, err := MovingRecords.All(hd.DB)
	if err != nil {
		return err
	}
	for key, in := range all {
		if of(key, in) {
			MovingRecords.Drop(c, key)
		}
	}
	return nil
}
