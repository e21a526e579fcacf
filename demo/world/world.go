// Package world is a small world to play in by mail: an umpire over a store of its own,
// games, players with keys, and their mail, handed over in memory or by way of a post
// office. The demo and the trials play in it.
package world

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

// Options are what an umpire is made with.
type Options struct {
	Address, Instance string
	Key               seal.PrivateKey // if Random is nil
	Random            io.Reader       // of which keys and games are made, the umpire's key first
	Now               func() time.Time
	Library           *match.Library               // nil: the built-in scenarios
	Draw              func(game, side string) bool // whether a report gets a map; nil: each does
}

// World is an umpire who takes mail from memory.
type World struct {
	Umpire *umpire.Umpire
	Random io.Reader     // of which keys and games are made
	taken  atomic.Uint32 // mails that were handed in
}

// New makes a world over a store.
func New(db store.Store, o Options) *World {
	return &World{Random: o.Random, Umpire: umpire.New(umpire.Setup{DB: db, Address: o.Address, Name: "Fieldpost", Instance: o.Instance, Key: o.Key,
		Now: o.Now, Library: o.Library, Draw: o.Draw, Log: slog.New(slog.DiscardHandler)})}
}

// Open makes a world over the store in a folder.
func Open(folder string, o Options) (*World, error) {
	if o.Random != nil {
		key, err := seal.GenerateKey(o.Random)
		if err != nil {
			return nil, err
		}
		o.Key = key
	}
	db, err := bolt.Open(filepath.Join(folder, bolt.Database), bolt.Options{})
	if err != nil {
		return nil, err
	}
	return New(db, o), nil
}

// Close closes the store.
func (w *World) Close() error { return w.Umpire.DB.Close() }

// Player is somebody with a seat in a game.
type Player struct {
	Game, Side, Address string
	Key                 seal.PrivateKey
}

// Begin begins a game and seats somebody with a new key on each side.
func (w *World) Begin(scenario string, options map[string]string, who func(side string) (name, address string)) (store.Game, []Player, error) {
	g, err := w.Umpire.NewGame(scenario, options, w.Random)
	if err != nil {
		return g, nil, err
	}
	var players []Player
	for _, side := range g.Sides {
		key, err := seal.GenerateKey(w.Random)
		if err != nil {
			return g, nil, err
		}
		name, address := who(side)
		p := Player{g.ID, side, address, key}
		if err := w.Seat(p, name); err != nil {
			return g, nil, err
		}
		players = append(players, p)
	}
	return g, players, nil
}

// Seat seats a player.
func (w *World) Seat(p Player, name string) error {
	return w.Umpire.AddPlayer(p.Game, p.Side, name, p.Address, p.Key.Public().String())
}

// Sign is a sheet in a block with the player's signature.
func (p Player) Sign(sheet string) string {
	canonical := orders.Canonical(sheet)
	armored, err := seal.Sign(p.Key, seal.Namespace, []byte(canonical))
	if err != nil {
		panic(err) // the key is in memory, and good
	}
	return seal.Block(canonical, armored)
}

// Receive hands the umpire a mail as the poller does.
func (w *World) Receive(ctx context.Context, raw []byte) error {
	return w.Umpire.Receive(ctx, mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: w.taken.Add(1)},
		InternalDate: w.Umpire.Now(), Bytes: raw, SHA256: sha256.Sum256(raw), Size: int64(len(raw))})
}

// ReceiveAhead is Receive with the mail read ahead, as the poller has it done.
func (w *World) ReceiveAhead(ctx context.Context, raw []byte) error {
	w.Umpire.Ahead(mailbox.Raw{Bytes: raw, SHA256: sha256.Sum256(raw), Size: int64(len(raw)), InternalDate: w.Umpire.Now()})
	return w.Receive(ctx, raw)
}

// Post takes what waits to be sent: the umpire reads that it was accepted.
func (w *World) Post() ([]store.Mail, error) {
	now := w.Umpire.Now()
	queue, err := w.Umpire.DB.Queue(now, 0)
	if err != nil {
		return nil, err
	}
	for _, m := range queue {
		_, err := w.Umpire.DB.MarkSending(m.ID, now)
		if err == nil {
			err = w.Umpire.DB.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: now})
		}
		if err != nil {
			return nil, err
		}
	}
	return queue, nil
}

// LastReport is the last one that a side was written.
func (w *World) LastReport(game, side string) ([]byte, error) {
	mails, err := w.Umpire.DB.Mails(game)
	if err != nil {
		return nil, err
	}
	for _, m := range slices.Backward(mails) {
		if m.Kind == "report" && m.Side == side {
			return w.Umpire.DB.MailBytes(m.SHA256)
		}
	}
	return nil, fmt.Errorf("game %s: %s has had no report", game, side)
}

// LastView is the position as the last report of a side tells it.
func (w *World) LastView(game, side string) (*view.View, error) {
	raw, err := w.LastReport(game, side)
	if err != nil {
		return nil, err
	}
	v, err := ReadView(raw)
	if err == nil && v == nil {
		err = errors.New("the report has no view")
	}
	return v, err
}
