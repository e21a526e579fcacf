package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/store"
	"fieldpost/store/backup"
	"fieldpost/store/bolt"
	"fieldpost/store/postgres"
	"fieldpost/store/postgres/server"
	"fieldpost/umpire"
)

// scheduleEnv names a file with a line for every start of the daemon: a named point
// of the store and the how-manieth time of it the daemon kills itself there.
const scheduleEnv = "FIELDPOST_DEMO_CRASHES"

// doomed takes the daemon's line from the schedule, if there is one.
func doomed() func(point string) error {
	path := os.Getenv(scheduleEnv)
	text, err := os.ReadFile(path)
	if path == "" || err != nil || len(text) == 0 {
		return nil
	}
	line, rest, _ := strings.Cut(string(text), "\n")
	if os.WriteFile(path, []byte(rest), 0o600) != nil {
		return nil
	}
	where, times, _ := strings.Cut(line, "/")
	left, err := strconv.Atoi(times)
	if err != nil {
		return nil
	}
	return func(point string) error {
		if point == where {
			if left--; left == 0 {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
		return nil
	}
}

// The daemon ends by SIGKILL at every named point of its way from mail to mail:
// around every sync of a file and every transaction. With the latter come those
// around sending (a mail is marked before and after) and around the server's flags
// (set between the transaction of a mail and the next).
func TestKilledAtEveryPoint(t *testing.T) {
	passes := []int{1}
	if os.Getenv("FIELDPOST_SOAK") != "" {
		passes = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20}
	}
	calm := calm(t, turns(1))
	schedule := filepath.Join(t.TempDir(), "schedule")
	var lines []string
	for _, n := range passes {
		for _, point := range bolt.Points {
			seldom := strings.HasPrefix(point, "compact") || strings.HasPrefix(point, "thin") // when told to, or a day later
			if !seldom {
				lines = append(lines, fmt.Sprintf("%s/%d", point, n))
			}
		}
	}
	if err := os.WriteFile(schedule, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(scheduleEnv, schedule)
	wild := playWith(t, Options{Turns: turns(1), Suicidal: true})
	if left, _ := os.ReadFile(schedule); len(left) > 0 || wild.Restarts < len(lines)-1 {
		t.Errorf("%d kills of %d, left are %q", wild.Restarts, len(lines), left)
	}
	sameGame(t, calm, wild)
}

// The daemon is killed at random instants, over as many games as it takes:
//
//	FIELDPOST_KILLS=1000 go test -timeout 2h -run Random -v ./demo
//
// FIELDPOST_KILLS_SEED draws other instants.
func TestKilledAtRandomInstants(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("FIELDPOST_KILLS"))
	if err != nil {
		t.Skip("set FIELDPOST_KILLS to a number of kills; samples are in the tests beside")
	}
	length := 1
	if kills > 100 {
		length = 0
	}
	calm := calm(t, length)
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("FIELDPOST_KILLS_SEED"), "1"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(seed, 9))
	life := min(calm.Elapsed/2, 3*time.Second) // of a daemon, at most; so it goes on in between
	for total := 0; total < kills && !t.Failed(); {
		longest := life // grows, so that a daemon on a busy machine lives to do what takes longest
		wild := playWith(t, Options{Turns: length, Lifetime: func() time.Duration {
			if total >= kills {
				return 0
			}
			longest += longest / 100
			return time.Millisecond + time.Duration(random.Int64N(int64(longest)))
		}})
		if total += wild.Restarts; wild.Restarts == 0 {
			life = life * 2 / 3
		}
		sameGame(t, calm, wild)
		t.Logf("%d kills of %d", total, kills)
	}
}

// The game is kept in PostgreSQL, by one daemon and by three at once, and they are killed again and
// again: it goes as one in a file in which nobody was killed, to the last mail.
func TestAGameInPostgreSQL(t *testing.T) {
	calm := calm(t, turns(1))
	for _, daemons := range []int{1, 3} {
		url := server.Store(t)
		wild := playWith(t, Options{Turns: turns(1), Store: url, Daemons: daemons, Kill: func(mails int) bool { return mails%3 != 0 }})
		if wild.Restarts < 2 {
			t.Errorf("%d daemons were killed only %d times", daemons, wild.Restarts)
		}
		sameGame(t, calm, wild)
	}
}

// The database's server is killed too, and comes back: daemons that have just lost it go on by
// themselves, and what a daemon does not know to be filed is looked up before it is filed again.
func TestAGameOverADatabaseThatIsLost(t *testing.T) {
	running, url := server.Shared(t), server.Store(t)
	calm := calm(t, turns(1))
	lost := 0
	wild := playWith(t, Options{Turns: turns(1), Store: url, Daemons: 2, Kill: func(mails int) bool {
		if mails%4 == 2 {
			lost++
			if err := errors.Join(running.Kill(), running.Restart()); err != nil {
				t.Error(err)
			}
		}
		return mails%4 == 1
	}})
	if lost < 2 {
		t.Errorf("the database was lost only %d times", lost)
	}
	t.Logf("the database was lost %d times", lost)
	sameGame(t, calm, wild)
}

// The primary of two database servers is lost again and again, and its standby goes on: whatever was
// filed stays filed, and the daemons find the one that can be written.
func TestAGameOverADatabaseThatFailsOver(t *testing.T) {
	server.Shared(t) // or PostgreSQL is missing
	pair, err := server.StartPair()
	if err != nil {
		t.Fatal(err)
	}
	defer pair.Stop()
	url, err := pair.Store()
	if err != nil {
		t.Fatal(err)
	}
	calm := calm(t, turns(1))
	failovers := 0
	var longest time.Duration
	wild := playWith(t, Options{Turns: turns(1), Store: url, Daemons: 2, Kill: func(mails int) bool {
		if mails%6 != 3 {
			return false
		}
		failovers++
		begun := time.Now()
		if err := pair.Failover(); err != nil {
			t.Error(err)
		}
		longest = max(longest, time.Since(begun))
		return false
	}})
	t.Logf("the primary was lost %d times; the longest change took %v", failovers, longest)
	if failovers == 0 {
		t.Error("the primary was never lost")
	}
	sameGame(t, calm, wild)
}

// The connections of two daemons to their database are cut all the time, in the midst of what they
// file and while they wait to hear that it is filed.
func TestAGameOverConnectionsThatAreCut(t *testing.T) {
	running := server.Shared(t)
	calm := calm(t, turns(1))
	total := 0
	for games := 0; total < 20 && !t.Failed(); games++ { // on a busy machine a game may end before many are
		if games == 5 {
			t.Fatalf("in %d games only %d connections were cut", games, total)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cut, begun := make(chan int), make(chan bool, 1)
		go func() {
			n := 0
			<-begun // the game is made: a moderator's command that is cut off tells them so
			for ctx.Err() == nil {
				more, err := running.Cut("fieldpost")
				if err != nil {
					t.Error(err)
					break
				}
				n += more
				time.Sleep(8 * time.Millisecond)
			}
			cut <- n
		}()
		wild := playWith(t, Options{Turns: turns(1), Store: server.Store(t), Daemons: 2, Began: func(int, *os.Process) {
			select {
			case begun <- true:
			default: // the other daemon was first
			}
		}})
		cancel()
		total += <-cut
		sameGame(t, calm, wild)
	}
	t.Logf("%d connections were cut", total)
}

// Three daemons are paused again and again, in a whole game for up to a second and a half, as a machine is that
// sleeps: what one of them was at, others do meanwhile, and it finds that out when it wakes.
func TestAGameByDaemonsThatArePaused(t *testing.T) {
	url := server.Store(t)
	calm := calm(t, turns(1))
	ctx, cancel := context.WithCancel(t.Context())
	var (
		mu        sync.Mutex
		processes []*os.Process
		paused    = make(chan int)
		random    = rand.New(rand.NewPCG(1, 29))
		longest   = 100 // milliseconds
	)
	if turns(1) == 0 {
		longest = 1500
	}
	pause := func() bool {
		mu.Lock()
		defer mu.Unlock()
		if len(processes) == 0 {
			return false
		}
		one := processes[random.IntN(len(processes))]
		if one.Signal(syscall.SIGSTOP) != nil {
			return false
		}
		time.Sleep(time.Duration(random.IntN(longest)) * time.Millisecond)
		return one.Signal(syscall.SIGCONT) == nil
	}
	go func() {
		times := 0
		for ctx.Err() == nil {
			if pause() {
				times++
			}
			time.Sleep(10 * time.Millisecond)
		}
		paused <- times
	}()
	wild := playWith(t, Options{Turns: turns(1), Store: url, Daemons: 3, Began: func(_ int, p *os.Process) {
		mu.Lock()
		defer mu.Unlock()
		processes = append(processes, p)
	}})
	cancel()
	times := <-paused
	if t.Logf("daemons were paused %d times", times); times == 0 {
		t.Error("no daemon was paused")
	}
	sameGame(t, calm, wild)
}

// The machine is lost with all that the daemon kept, while mail is on its way; what is left is a folder
// of backups, each of what was new, which daemons at work had made. Restored on an empty one the game
// goes on as if nothing had been: what came since the backup is in the mailbox still, is handled
// again, and brings the same dice. FIELDPOST_LOST says how often the machine is lost.
func TestALostMachineIsRestoredFromABackupUnderLoad(t *testing.T) {
	calm := calm(t, turns(1))
	var (
		mu     sync.Mutex // whoever backs up is on the machine too: it is lost before or after, not under their hands
		under  sync.WaitGroup
		folder string // of the game's backups
		wanted = make(chan struct{}, 1)
	)
	losses, _ := strconv.Atoi(os.Getenv("FIELDPOST_LOST"))
	losses = max(losses, 3)
	backUp := func(c *umpire.Config) {
		mu.Lock()
		defer mu.Unlock()
		d, err := umpire.OpenDesk(c, slog.New(slog.DiscardHandler))
		if err != nil {
			return // the daemon was just being killed
		}
		defer d.Close()
		if _, err := d.Backup(umpire.Backup{Folder: folder}); err == nil {
			select {
			case wanted <- struct{}{}: // now the machine may be lost
			default:
			}
		}
	}
	restored := 0
	lose := Options{Turns: turns(1),
		Mailed: func(c *umpire.Config, mails int) {
			if mails%3 == 1 {
				under.Go(func() { backUp(c) })
			}
		},
		Kill: func(int) bool {
			select {
			case <-wanted:
				return restored < losses+2
			default:
				return false
			}
		},
		Lost: func(c *umpire.Config) error {
			mu.Lock()
			defer mu.Unlock()
			data := filepath.Dir(c.Database())
			if err := os.RemoveAll(data); err != nil {
				return err
			}
			restored++
			_, err := bolt.RestoreFrom(folder, time.Now(), data, nil)
			return err
		}}
	for games := 0; restored < losses; games++ { // on a busy machine a game may end before its backups do
		if games == 2+losses {
			t.Fatalf("in %d games the machine was lost only %d times", games, restored)
		}
		folder = t.TempDir()
		wild := playWith(t, lose)
		under.Wait()
		if found, err := backup.Check(folder); err != nil || len(found.Wrong) > 0 {
			t.Errorf("%+v, %v", found, err)
		}
		sameGame(t, calm, wild, "Date") // what a lost machine had written is written again later
		select {
		case <-wanted: // the last game's backup is none of the next one's
		default:
		}
	}
	t.Logf("the machine was lost %d times", restored)
}

// faultsOf does one fault after the other to what a game by several daemons stands on, until ctx
// ends, and counts them by kind.
type faultsOf struct {
	database *server.Pair
	office   *postoffice.Office

	mu        sync.Mutex
	processes []*os.Process
	happened  map[string]int
}

// run does a fault every few milliseconds: connections to the database, to the mailbox and to the
// server that takes mail are cut, and daemons stopped for a while.
func (f *faultsOf) run(ctx context.Context, random *rand.Rand) error {
	for ctx.Err() == nil {
		time.Sleep(time.Duration(10+random.IntN(40)) * time.Millisecond)
		kind, n, err := "", 0, error(nil)
		switch k := random.IntN(100); {
		case k < 45:
			kind = "connections to the database cut"
			n, err = f.database.Cut("fieldpost")
		case k < 65:
			kind, n = "connections to the mailbox cut", f.office.DropIMAP()
		case k < 70:
			kind, n = "connections for sending cut", f.office.DropSMTP()
		default:
			kind, n = "daemons paused", f.pause(random)
		}
		if err != nil {
			return err
		}
		f.count(kind, n)
	}
	return nil
}

func (f *faultsOf) count(kind string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.happened[kind] += n
}

// pause stops a daemon for up to a quarter of a second, as a machine is that sleeps.
func (f *faultsOf) pause(random *rand.Rand) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.processes) == 0 {
		return 0
	}
	one := f.processes[random.IntN(len(f.processes))]
	if one.Signal(syscall.SIGSTOP) != nil {
		return 0 // it was killed
	}
	time.Sleep(time.Duration(random.IntN(250)) * time.Millisecond)
	_ = one.Signal(syscall.SIGCONT)
	return 1
}

// began notes a daemon, and tells how many there have been.
func (f *faultsOf) began(p *os.Process) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.processes = append(f.processes, p)
	return len(f.processes)
}

// Four daemons over a database with a standby, and all that can go wrong does, at once: daemons are
// killed and paused, the primary is lost, connections are cut to the database, to the mailbox and to
// the server that takes mail. The game goes as one in a file to which nothing happened.
//
//	FIELDPOST_FAULTS=1000 go test ./demo -run EverythingAtOnce -timeout 60m -v
func TestEverythingAtOnce(t *testing.T) {
	server.Shared(t) // or PostgreSQL is missing
	wanted, err := strconv.Atoi(os.Getenv("FIELDPOST_FAULTS"))
	length := 0
	if err != nil {
		wanted, length = 10, 1
	}
	calm := calm(t, length)
	random := rand.New(rand.NewPCG(uint64(wanted), 29))
	all, games := map[string]int{}, 0
	for total := 0; total < wanted && !t.Failed(); games++ {
		pair, err := server.StartPair()
		if err != nil {
			t.Fatal(err)
		}
		url, err := pair.Store()
		if err != nil {
			t.Fatal(err)
		}
		f := &faultsOf{database: pair, happened: map[string]int{}}
		ctx, cancel := context.WithCancel(t.Context())
		begun, ended := make(chan struct{}), make(chan error)
		go func() {
			<-begun
			ended <- f.run(ctx, random)
		}()
		wild := playWith(t, Options{Turns: length, Store: url, Daemons: 4,
			Posted: func(o *postoffice.Office) { f.office = o },
			Began: func(_ int, p *os.Process) {
				if f.began(p) == 4 {
					close(begun)
				}
			},
			Kill: func(mails int) bool {
				if mails%6 == 1 {
					f.count("primaries lost", 1)
					if err := pair.Failover(); err != nil {
						t.Error(err)
					}
				}
				return mails%5 == 2
			}})
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		f.count("daemons killed", wild.Restarts)
		sameGame(t, calm, wild)
		if err := pair.Stop(); err != nil {
			t.Error(err)
		}
		for kind, n := range f.happened {
			all[kind], total = all[kind]+n, total+n
		}
	}
	t.Logf("%d games: %v", games, all)
}

// The demo plays in a database of its own: the mails of a club that is kept in one are not sent by it.
func TestTheDemoWantsAnEmptyDatabase(t *testing.T) {
	url := server.Store(t)
	if err := postgres.Prepare(url); err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(url, postgres.Options{Node: "club"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Commit(store.Change{Notes: map[string][]byte{"club": []byte("is here")}}); err != nil {
		t.Fatal(err)
	}
	for what, o := range map[string]Options{"a database in use": {Store: url}, "several daemons without one": {Daemons: 2}} {
		o.Turns, o.Scenario, o.Out, o.Progress, o.Daemon = 1, "kharkov-1942", t.TempDir(), io.Discard, []string{os.Args[0], "-daemon"}
		if _, err := Run(t.Context(), o); err == nil {
			t.Errorf("%s: the demo plays", what)
		}
	}
}
