package club

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/rpc"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/backup"
	"fieldpost/trial/processor"
	"fieldpost/trial/ramdisk"
	"fieldpost/umpire"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
	"fieldpost/umpire/match"
	"fieldpost/umpire/records"
)

// The daemon of the trial has the store and the umpire and nothing of the players:
// what is measured of it is its own. It is asked over a pair of pipes, and told with
// every request what the virtual clock shows.

// Request asks the daemon something.
type Request struct {
	Now  time.Time
	Verb string // begin, seat, key, act, mail, tick, status, look, report, check, backup

	Game, Side, Address, Key string
	Scenario                 string
	Options                  map[string]string
	Act                      acts.Act
	Raw                      []byte
}

// Reply is the answer.
type Reply struct {
	Game             store.Game
	Open             *store.OpenPhase
	Mails, Reminders int    // sent since the last look
	Answer           string // text of the last of them to the address that is asked for
	Next             time.Time
	Status           club.Status
	Raw              []byte
	Faults           []string
	Heap, Own, Peak  uint64
	Processor        time.Duration
	Backup           backup.Written
	Took             time.Duration // to make the backup
}

// Daemon is an umpire over a store in a folder of its own, with no network.
type Daemon struct {
	*world.World
	now    time.Time
	folder string
	kept   bool   // the folder and its backups stay
	mail   string // hash of the last mail that came
}

// NewDaemon opens a store in a folder that stays, or for "" in memory until Close. Maps are drawn
// for one report in a hundred.
func NewDaemon(library *match.Library, seed uint64, folder string) (*Daemon, error) {
	d, draw := &Daemon{folder: folder, kept: folder != ""}, rand.New(rand.NewPCG(seed, 6))
	var err error
	if d.kept {
		err = os.Mkdir(folder, 0o700)
	} else {
		d.folder, err = ramdisk.Folder("club")
	}
	if err != nil {
		return nil, err
	}
	d.World, err = world.Open(d.folder, world.Options{Address: desk, Instance: "club", Random: rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), 77}),
		Library: library, Now: func() time.Time { return d.now }, Draw: func(string, string) bool { return draw.IntN(100) == 0 }})
	if err != nil {
		return nil, errors.Join(err, d.remove())
	}
	return d, nil
}

// Close removes a store in memory.
func (d *Daemon) Close() error { return errors.Join(d.World.Close(), d.remove()) }

func (d *Daemon) remove() error {
	if d.kept {
		return nil
	}
	return errors.Join(os.RemoveAll(d.folder), os.RemoveAll(d.folder+backups))
}

// backups is what the folder of backups is called behind the name of the daemon's own.
const backups = "-backups"

// Do answers a request.
func (d *Daemon) Do(q Request, r *Reply) (err error) {
	d.now = q.Now
	switch q.Verb {
	case "begin":
		r.Game, err = d.Umpire.NewGame(q.Scenario, q.Options, d.Random)
		r.Game.DiceKey = nil
	case "seat":
		err = d.Umpire.AddPlayer(q.Game, q.Side, "Staff", q.Address, q.Key)
	case "key":
		err = d.Umpire.SetKey(q.Game, q.Side, q.Key)
	case "act":
		_, err = d.Umpire.Moderate(q.Act)
	case "mail":
		d.mail = store.Sum(q.Raw)
		err = d.Receive(context.Background(), q.Raw)
	case "tick":
		r.Next = d.Umpire.Tick(q.Now)
	case "status":
		r.Status, err = d.Umpire.Status()
		_, r.Own, _ = memory()
	case "look":
		err = d.look(q, r)
	case "report":
		r.Raw, err = d.LastReport(q.Game, q.Side)
	case "check":
		err = d.check(r)
	case "backup":
		began := time.Now()
		r.Backup, err = d.Umpire.Desk().Backup(umpire.Backup{Folder: d.folder + backups})
		r.Took = time.Since(began)
	default:
		err = fmt.Errorf("%q is nothing to ask", q.Verb)
	}
	return err
}

// look is how a game stands. The post works: what waits is taken.
func (d *Daemon) look(q Request, r *Reply) (err error) {
	if r.Game, err = d.Umpire.DB.Game(q.Game); err != nil {
		return err
	}
	r.Game.DiceKey = nil
	if r.Open, err = d.Umpire.DB.Waiting(q.Game); err != nil {
		return err
	}
	sent, err := d.Post()
	if err != nil {
		return err
	}
	r.Mails = len(sent)
	for _, m := range sent {
		if m.Kind == "reminder" {
			r.Reminders++
		}
		if m.To != q.Address {
			continue
		}
		if r.Answer, err = d.text(m); err != nil {
			return err
		}
	}
	if r.Answer == "" && d.mail != "" {
		h, _, err := d.Umpire.DB.Handled(d.mail)
		r.Answer = "none; the mail: " + h.Outcome
		return err
	}
	return nil
}

// text is what a mail says to its reader.
func (d *Daemon) text(m store.Mail) (string, error) {
	raw, err := d.Umpire.DB.MailBytes(m.SHA256)
	if err != nil {
		return "", err
	}
	read, err := mailbox.Read(raw)
	if err != nil {
		return "", err
	}
	return read.Texts[0].Text, nil
}

// check looks through the store and the audit log, and says what memory it took. Those who keep a
// club look with a command of its own, whose memory is not the daemon's.
func (d *Daemon) check(r *Reply) (err error) {
	r.Heap, r.Own, r.Peak = memory()
	r.Processor = processor.Time()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	for _, err := range records.Check(d.Umpire.DB) {
		r.Faults = append(r.Faults, "the store: "+err.Error())
	}
	if _, err := d.Umpire.Audit(""); err != nil {
		r.Faults = append(r.Faults, "the audit log: "+err.Error())
	}
	return nil
}

// pipes are the two ends of a connection.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// Serve answers requests over a pair of pipes until they are closed.
func (d *Daemon) Serve(in io.Reader, out io.WriteCloser) error {
	s := rpc.NewServer()
	if err := s.RegisterName("Daemon", d); err != nil {
		return err
	}
	s.ServeConn(pipes{in, out})
	return nil
}

// asker is how the club reaches its daemon, and how it ends.
type asker func(Request) (Reply, error)

// within is a daemon in this process.
func within(o Options) (asker, func() error, error) {
	d, err := NewDaemon(o.Library, o.Seed, o.Data)
	if err != nil {
		return nil, nil, err
	}
	return func(q Request) (r Reply, err error) {
		err = d.Do(q, &r)
		return r, err
	}, d.Close, nil
}

// child is a daemon in a process of its own.
func child(ctx context.Context, argv []string) (asker, func() error, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	client := rpc.NewClient(pipes{out, in})
	return func(q Request) (r Reply, err error) {
			err = client.Call("Daemon.Do", q, &r)
			return r, err
		}, func() error {
			return errors.Join(client.Close(), cmd.Wait())
		}, nil
}

// memory is the heap in use, what the process holds for itself (anonymous pages) and
// the most that was resident with the pages of its files, which the kernel takes back
// when it needs them; 0 where that is not told.
func memory() (inUse, own, peak uint64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return m.HeapInuse, 0, 0
	}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		var kib uint64
		fmt.Sscanf(strings.TrimSpace(rest), "%d", &kib)
		switch name {
		case "RssAnon":
			own = kib << 10
		case "VmHWM":
			peak = kib << 10
		}
	}
	return m.HeapInuse, own, peak
}
