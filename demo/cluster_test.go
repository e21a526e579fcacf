package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"fieldpost/store"
	"fieldpost/store/postgres/server"
	"fieldpost/umpire"
)

// Two daemons fetch mail, one judges it with them, one sends, one keeps time, and any of them is killed now and
// then: what one has not it leaves to the others, and the game goes as one by a daemon that does all.
func TestAGameByDaemonsOfDifferentRoles(t *testing.T) {
	url := server.Store(t)
	calm := calm(t, turns(1))
	var mu sync.Mutex
	manned := map[string]bool{}
	wild := playWith(t, Options{Turns: turns(1), Store: url, Daemons: 5, Roles: []string{"intake", "intake", "workers", "senders", "alarms"},
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
	for _, role := range []string{"[intake]", "[workers]", "[senders]", "[alarms]"} {
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

// Daemons are replaced one after the other while mail comes, as for a newer program: each ends what it
// is at and is begun anew. In the midst of it the tables are brought to a version of tomorrow that admits
// them. Nobody is refused, and the game goes as if nothing had been.
func TestDaemonsAreReplacedUnderLoad(t *testing.T) {
	url := server.Store(t)
	calm := calm(t, turns(1))
	var (
		mu      sync.Mutex
		running []*os.Process
	)
	wild := playWith(t, Options{Turns: turns(1), Store: url, Daemons: 2, Suicidal: true,
		Began: func(_ int, p *os.Process) {
			mu.Lock()
			defer mu.Unlock()
			running = append(running, p)
		},
		Mailed: func(_ *umpire.Config, mails int) {
			mu.Lock()
			defer mu.Unlock()
			if mails == 4 {
				tomorrow(t, url)
			}
			if mails%3 == 0 && len(running) > 1 { // the one that has been at work for longer
				oldest := running[len(running)-2]
				if err := oldest.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
					t.Error(err)
				}
			}
		}})
	if wild.Restarts < 2 {
		t.Errorf("daemons were replaced only %d times", wild.Restarts)
	}
	sameGame(t, calm, wild)
}

// tomorrow brings the tables of a database to a version that no program has yet, as a migration would
// that adds.
func tomorrow(t *testing.T, url string) {
	db, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Error(err)
		return
	}
	defer db.Close(t.Context())
	_, err = db.Exec(t.Context(), `alter table games add column weather text not null default 'fair'; alter table outgoing add column stamp text;
		create table umbrellas (owner text primary key); insert into goose_db_version (version_id, is_applied) values (99, true)`)
	if err != nil {
		t.Error(err)
	}
}

// A daemon is killed while it works at a game, again and again, and not started before another one has
// done that work: how long it takes, from the kill to the mail that players wait for.
//
//	FIELDPOST_TAKEOVERS=100 go test ./demo -run TakenOver -timeout 60m -v
func TestWorkOfAKilledDaemonIsTakenOver(t *testing.T) {
	wanted, err := strconv.Atoi(os.Getenv("FIELDPOST_TAKEOVERS"))
	length := 0
	if err != nil {
		wanted, length = 1, 1
	}
	calm := calm(t, length)
	var took []time.Duration
	for games := 0; len(took) < wanted && games < wanted; games++ {
		k := &killer{url: server.Store(t), processes: map[int]*os.Process{}, begun: map[int]time.Time{}, wanted: wanted - len(took), gap: time.Duration(games%7) * time.Millisecond}
		k.changed = sync.NewCond(&k.mu)
		wild := playWith(t, Options{Turns: length, Store: k.url, Daemons: 2, Suicidal: true, Began: k.began, Again: k.again,
			Mailed: func(*umpire.Config, int) { k.mailed() }})
		k.end()
		sameGame(t, calm, wild)
		took = append(took, k.took...)
	}
	if len(took) < wanted {
		t.Fatalf("daemons at work were killed %d times, not %d", len(took), wanted)
	}
	slices.Sort(took)
	t.Logf("%d daemons at work were killed; players had the mail after %v in the median, %v at the 99th of a hundred, %v at worst",
		len(took), took[len(took)/2], took[min(len(took)*99/100, len(took)-1)], took[len(took)-1])
}

// killer kills daemons that work at a game.
type killer struct {
	url    string
	wanted int           // kills
	gap    time.Duration // between the look at who works and the kill

	mu        sync.Mutex
	changed   *sync.Cond
	processes map[int]*os.Process
	begun     map[int]time.Time // the processes
	killed    time.Time         // whose work is waited for; zero for none
	over      bool
	watching  bool
	took      []time.Duration
}

func (k *killer) began(daemon int, p *os.Process) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.processes[daemon], k.begun[daemon] = p, time.Now()
	if len(k.processes) == 2 && !k.watching {
		k.watching = true
		go k.watch()
	}
}

// again waits until the work of the daemon that was killed is done by another one.
func (k *killer) again(int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for !k.killed.IsZero() && !k.over {
		k.changed.Wait()
	}
}

func (k *killer) mailed() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.killed.IsZero() {
		k.took = append(k.took, time.Since(k.killed))
		k.killed = time.Time{}
		k.changed.Broadcast()
	}
}

func (k *killer) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	k.changed.Broadcast()
}

// watch kills whoever has claimed a game, as soon as two daemons are at work.
func (k *killer) watch() {
	ctx := context.Background()
	db, err := pgx.Connect(ctx, k.url)
	if err != nil {
		return // the game ends without kills, and the test says so
	}
	defer db.Close(ctx)
	for {
		time.Sleep(3 * time.Millisecond)
		var node string
		var since time.Time
		if db.QueryRow(ctx, `select node, until - $1::interval from claims where name like 'game/%' and until > now() order by until desc`,
			store.ClaimTime).Scan(&node, &since) == nil {
			time.Sleep(k.gap)
			k.kill(node, since)
		}
		k.mu.Lock()
		done := k.over || len(k.took) >= k.wanted
		k.mu.Unlock()
		if done {
			return
		}
	}
}

// kill kills the daemon that is a node and has worked at a game since a moment, unless another one is dead
// already. What a daemon claimed that was killed before is no work of the one in its place.
func (k *killer) kill(node string, since time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	daemon := 0
	if strings.HasSuffix(node, "-2") {
		daemon = 1
	}
	isOfBefore := since.Before(k.begun[daemon])
	if isOfBefore || k.over || !k.killed.IsZero() || len(k.took) >= k.wanted || k.processes[daemon].Kill() != nil {
		return
	}
	k.killed = time.Now()
}

// The database is three servers under Patroni, as packaging/compose has them, and the machine of the
// primary is lost: Patroni has a standby take over, by its own defaults, and the two daemons go on with
// everything that was filed.
//
//	FIELDPOST_PATRONI=5 go test ./demo -run Patroni -timeout 30m -v
func TestAGameOverPatroni(t *testing.T) {
	wanted, err := strconv.Atoi(os.Getenv("FIELDPOST_PATRONI"))
	if err != nil {
		t.Skip("set FIELDPOST_PATRONI to how often the primary is to be lost: by Patroni's defaults that takes a minute each")
	}
	patroni, err := server.StartPatroni(filepath.Join("..", "packaging", "compose"))
	if errors.Is(err, server.ErrMissing) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer patroni.Stop()
	calm := calm(t, 0)
	between := calm.Mails / (wanted + 1)
	var (
		over    sync.WaitGroup // of the last loss
		lost    int
		longest time.Duration // between two mails
		last    = time.Now()
	)
	wild := playWith(t, Options{Store: patroni.Store(), Daemons: 2, Kill: func(mails int) bool {
		longest = max(longest, time.Since(last))
		if mails%between == 0 && lost < wanted {
			lost++
			over.Wait()
			over.Go(func() {
				took, err := patroni.Failover()
				if err != nil {
					t.Error(err)
				}
				t.Logf("nobody could write for %v", took)
			})
		}
		last = time.Now()
		return false
	}})
	over.Wait()
	t.Logf("the primary was lost %d times; players waited %v at most for a mail", lost, longest)
	if lost < wanted {
		t.Errorf("the primary was lost %d times, not %d", lost, wanted)
	}
	sameGame(t, calm, wild)
}
