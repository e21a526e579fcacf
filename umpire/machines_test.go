package umpire

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/acts"
)

// interleaved is a store in which another machine commits something just before the first
// Change of this one.
type interleaved struct {
	store.Store
	other func()
}

func (s *interleaved) Commit(c store.Change) error {
	if other := s.other; other != nil {
		s.other = nil
		other()
	}
	return s.Store.Commit(c)
}

// Two machines work on one store, and each has reckoned its Change before the other one's is
// kept. Whatever it is about, nothing is spent twice, forked or counted once too little.
func TestTwoMachines(t *testing.T) {
	var code, sheet string
	for what, c := range map[string]struct {
		options []string
		before  func(g *gameTable)
		does    func(g *gameTable, u *Umpire, machine string) error
		after   func(g *gameTable) error
	}{
		"an invitation's code": {nil, func(g *gameTable) { code = g.invite("SOVIET") },
			func(g *gameTable, u *Umpire, machine string) error {
				by := map[string]string{"this": "SOVIET", "other": "STRANGER"}[machine]
				return brought(u, g.mail("SOVIET", g.signed(by, "GAME: "+g.game+"\nSIDE: SOVIET\nJOIN: "+code+"\n")))
			},
			func(g *gameTable) error {
				p := g.player("SOVIET")
				if !strings.HasPrefix(p.Key, g.keys["STRANGER"].Public().String()) {
					return fmt.Errorf("the seat has the key %q", p.Key)
				}
				return nil
			}},
		"the log of acts": {nil, func(g *gameTable) { g.seat("SOVIET") },
			func(g *gameTable, u *Umpire, machine string) error {
				return u.Looked(machine, g.game)
			},
			func(g *gameTable) error {
				log, err := g.u.ActLog().Read("")
				if len(log) != 2 {
					err = errors.Join(err, fmt.Errorf("%d acts", len(log)))
				}
				return err
			}},
		"the bound of first mails": {nil, func(g *gameTable) {},
			func(g *gameTable, u *Umpire, machine string) error {
				return u.Invite(acts.Seat{Game: g.game, Side: map[string]string{"this": "SOVIET", "other": "GERMAN"}[machine], Address: machine + "@elsewhere.example"})
			},
			func(g *gameTable) error {
				if n, err := g.u.FirstMailsToday(); n != 2 || err != nil {
					return fmt.Errorf("%d are counted, %v", n, err)
				}
				return nil
			}},
		"a deadline": {[]string{"deadline=3d"}, func(g *gameTable) {
			g.seat("SOVIET")
			g.seat("GERMAN")
			g.clock = g.clock.Add(4 * 24 * time.Hour)
		},
			func(g *gameTable, u *Umpire, machine string) error {
				if err := u.SetAlarms(); err != nil {
					return err
				}
				u.Tick(g.clock)
				return nil
			},
			func(g *gameTable) error {
				pos, err := g.u.DB.Load(g.game)
				if late := pos.Game.Players[0].LateTurns; late != 1 || err != nil {
					return fmt.Errorf("%d late turns, %v", late, err)
				}
				return nil
			}},
		"a sheet": {nil, func(g *gameTable) {
			g.seat("SOVIET")
			g.seat("GERMAN")
			sheet = "GAME: " + g.game + "\nSIDE: SOVIET\nTURN: 1\nSERIAL: %d\nDONE!\n"
		},
			func(g *gameTable, u *Umpire, machine string) error {
				n := map[string]int{"this": 1, "other": 2}[machine]
				return brought(u, g.mail("SOVIET", g.signed("SOVIET", fmt.Sprintf(sheet, n))))
			},
			func(g *gameTable) error {
				if all, err := g.u.DB.AllSheets(g.game); len(all) != 1 || all[0].Serial != 2 || err != nil {
					return fmt.Errorf("filed are %+v, %v", all, err)
				}
				return nil
			}},
		"mails that come back": {nil, func(g *gameTable) { g.seat("SOVIET") },
			func(g *gameTable, u *Umpire, machine string) error {
				return store.Anew(u.DB, func(db store.Store) error {
					var c store.Change
					if err := u.Over(db).Bounced(&c, store.Mail{ID: machine, Game: g.game, Side: "SOVIET"}, "soviet@example.org", true, "550"); err != nil {
						return err
					}
					return db.Commit(c)
				})
			},
			func(g *gameTable) error {
				if h, err := g.u.Health("soviet@example.org"); len(h.Dead) != 2 || err != nil {
					return fmt.Errorf("%d are counted, %v", len(h.Dead), err)
				}
				return nil
			}},
	} {
		t.Run(what, func(t *testing.T) {
			g := newTable(t, c.options...)
			c.before(g)
			this := g.setup
			shared := &interleaved{Store: g.setup.DB, other: func() {
				if err := c.does(g, g.u, "other"); err != nil {
					t.Errorf("the other machine: %v", err)
				}
			}}
			this.DB = shared
			if err := c.does(g, New(this), "this"); err != nil {
				t.Errorf("this machine: %v", err)
			}
			if shared.other != nil {
				t.Error("this machine has committed nothing")
			}
			if err := c.after(g); err != nil {
				t.Error(err)
			}
		})
	}
}

// brought gives a machine a mail.
func brought(u *Umpire, raw []byte) error {
	return u.Receive(context.Background(), mailbox.Raw{InternalDate: u.Now(), Bytes: raw, Size: int64(len(raw))})
}

// overtaken is a store in which other machines come first when mails are queued again.
type overtaken struct {
	store.Store
	times int
}

func (s *overtaken) Requeue() (int, error) {
	if s.times--; s.times >= 0 {
		return 0, store.ErrStale
	}
	return s.Store.Requeue()
}

// A daemon begins though others come first: they are at work while it starts.
func TestADaemonBeginsAmongOthers(t *testing.T) {
	g := newTable(t)
	g.u.DB = &overtaken{g.u.DB, 1}
	if err := g.u.begin(t.Context()); err != nil {
		t.Errorf("the daemon does not begin: %v", err)
	}
}
