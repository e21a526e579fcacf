package demo

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"

	"fieldpost/store"
	"fieldpost/store/postgres/server"
	"fieldpost/umpire"
)

// Two daemons fetch mail and judge it, one sends, one keeps time, and any of them is killed now and
// then: what one has not it leaves to the others, and the game goes as one by a daemon that does all.
func TestAGameByDaemonsOfDifferentRoles(t *testing.T) {
	url := server.Store(t)
	calm := calm(t, turns(1))
	var mu sync.Mutex
	manned := map[string]bool{}
	wild := playWith(t, Options{Turns: turns(1), Store: url, Daemons: 4, Roles: []string{"intake", "intake", "senders", "alarms"},
		Mailed: func(c *umpire.Config, mails int) {
			mu.Lock()
			defer mu.Unlock()
			for _, n := range nodes(t, c) {
				manned[fmt.Sprint(n.Roles)] = true
			}
		},
		Kill: func(mails int) bool { return mails%4 == 1 }})
	if wild.Restarts == 0 {
		t.Error("no daemon was killed")
	}
	for _, role := range []string{"[intake]", "[senders]", "[alarms]"} {
		if !manned[role] {
			t.Errorf("no daemon had the roles %s alone: %v", role, manned)
		}
	}
	sameGame(t, calm, wild)
}

// nodes are the daemons over the database of a configuration, without those that made the game.
func nodes(t *testing.T, c *umpire.Config) []store.Node {
	t.Helper()
	u, err := umpire.Open(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Error(err)
		return nil
	}
	defer u.DB.Close()
	all, err := u.DB.(store.Shared).Nodes()
	if err != nil {
		t.Error(err)
	}
	return slices.DeleteFunc(all, func(n store.Node) bool { return len(n.Roles) == 0 })
}
