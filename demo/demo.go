// Package demo plays a whole game by mail: an IMAP and SMTP server on loopback,
// the daemon as a process of its own, and a staff officer a side who knows
// nothing but what comes by mail.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/store/postgres"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// Options say what to play.
type Options struct {
	Scenario string
	Turns    int    // stop after so many turns; 0 plays to the verdict
	Seed     uint64 // of keys and dice; demo and tests only
	// Mode is the MODE line of the first side's staff, such as ASK, Other that of the others; they
	// file without one where it is empty.
	Mode, Other string
	// Answers is the ANSWERS line of both staffs; "" for none.
	Answers string
	Out     string // folder for mails, maps and the index
	// Store is an empty database of PostgreSQL, "postgres://...", that keeps the game; "" for a file.
	Store string
	// Daemons is how many daemons work over the Store at once; 0 is one.
	Daemons int
	// Roles are those of each daemon, a list such as "intake, alarms"; "", or none, is all of them.
	Roles []string
	// Began, if set, is told of every process of a daemon, by the daemon's number from 0; Again before
	// a daemon that was killed is started again.
	Began func(daemon int, process *os.Process)
	Again func(daemon int)
	// Posted, if set, is given the post office of the game before any daemon begins.
	Posted   func(*postoffice.Office)
	Progress io.Writer
	// Daemon is the command line of the daemon; the config file's path is appended.
	Daemon []string
	// Kill, if set, is asked after every mail delivered; true kills the daemon
	// (SIGKILL) and starts it again.
	Kill func(mails int) bool
	// Lifetime, if set, is asked at every start of the daemon after how long it is
	// to be killed; 0 lets it live.
	Lifetime func() time.Duration
	// Mailed, if set, is called after every mail delivered, while the daemon works on; Lost after
	// every kill, while none runs.
	Mailed func(c *umpire.Config, mails int)
	Lost   func(c *umpire.Config) error
	// Desk, if set, makes the page in which the game is opened, of its archive or of a report; an
	// error says why there is none.
	Desk func(name string, file []byte) (page string, err error)
	// Suicidal daemons may be killed or stopped by others than the demo; they are started again.
	Suicidal bool
}

// Result is what a demo came to.
type Result struct {
	Game             string
	Mails, Reports   int
	Dice             int              // random events proved in the reports
	Lines            map[string][]int // of each report, above its proofs, by side
	Traffic          map[string]Traffic
	Verdict          string
	Winner           string
	Turn             int
	Restarts         int
	Database, Config string
	Archive          string // of a game that was played to its end
	Desk             string // the page in which it is opened
	NoDesk           error  // why there is none
	Elapsed          time.Duration
}

const domain = "demo.fieldpost.example"

// show is a running demo.
type show struct {
	Options
	office  *postoffice.Office
	config  *umpire.Config
	path    string // of the config file
	game    string
	diceKey string
	daemon  seal.PublicKey
	clerks  []*clerk

	mu     sync.Mutex
	result Result
	album  *album
	failed error
	done   chan struct{} // closed when every side has its last report
	ended  map[string]bool
	kill   chan struct{}

	disclosed map[string]bool // by address
	archive   []byte
}

// Run plays the demo. On any error the folder holds what there was until then.
func Run(ctx context.Context, o Options) (Result, error) {
	begin := time.Now()
	s := &show{Options: o, done: make(chan struct{}), kill: make(chan struct{}, 1), ended: map[string]bool{}, disclosed: map[string]bool{}}
	if err := s.prepare(); err != nil {
		return s.result, err
	}
	defer s.office.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for _, c := range s.clerks {
		wg.Go(func() { s.fail(c.run(ctx)) })
	}
	for n := range max(1, s.Daemons) {
		wg.Go(func() { s.fail(s.runDaemon(ctx, n)) })
	}
	select {
	case <-s.done:
	case <-ctx.Done():
		s.fail(ctx.Err())
	}
	var unsent error
	if s.failed == nil {
		unsent = s.lastMails(ctx)
	}
	cancel()
	wg.Wait()
	s.result.Elapsed = time.Since(begin)
	err := errors.Join(s.failed, unsent, s.atTheDesk(), s.album.index(s.result))
	return s.result, err
}

// atTheDesk writes the page in which the whole game is opened, or the last report of a game
// that was not played to its end.
func (s *show) atTheDesk() error {
	name, file := "game.tar", s.archive
	if n := len(s.album.pages); file == nil && n > 0 {
		last := s.album.pages[n-1]
		name, file = filepath.Base(last.file), last.raw
	}
	if s.Options.Desk == nil || file == nil {
		return nil
	}
	var page string
	if page, s.result.NoDesk = s.Options.Desk(name, file); s.result.NoDesk != nil {
		return nil
	}
	s.result.Desk = filepath.Join(s.Out, deskFile)
	return os.WriteFile(s.result.Desk, []byte(page), 0o644)
}

// deskFile is the name of the desk's page in the album.
const deskFile = "desk.html"

// fail keeps the first error and ends the show.
func (s *show) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil || s.failed != nil || s.over() {
		return
	}
	s.failed = err
	close(s.done)
}

func (s *show) over() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// longestWait is for how long the show waits for its last mails: one whose connection broke twice waits half a
// minute, and one that a killed daemon had in its hands until another takes it for gone; see store.Quiet.
const longestWait = 2 * time.Minute

// lastMails waits until every mail has gone: an earlier one may still be on its way when the last reports have come.
func (s *show) lastMails(ctx context.Context) error {
	for until := time.Now().Add(longestWait); ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		n, err := s.waiting()
		if n == 0 && err == nil {
			return nil
		}
		if time.Now().After(until) {
			return errors.Join(fmt.Errorf("%d mails have not gone out in %v", n, longestWait), err)
		}
	}
	return nil
}

// waiting tells how many mails no server has taken yet.
func (s *show) waiting() (int, error) {
	d, err := umpire.OpenDesk(s.config, slog.New(slog.DiscardHandler))
	if err != nil {
		return 0, err
	}
	defer d.Close()
	stats, err := d.Stats()
	return stats.Mails[store.MailQueued] + stats.Mails[store.MailSending], err
}

// prepare opens the post office, writes the daemon's files and creates the game.
func (s *show) prepare() (err error) {
	if s.album, err = newAlbum(s.Out); err != nil {
		return err
	}
	var seed [32]byte
	copy(seed[:], "fieldpost demo "+strconv.FormatUint(s.Seed, 10))
	random := rand.NewChaCha8(seed)
	users := map[string]string{address("umpire"): "umpire"}
	game, err := match.Scenario(s.Scenario)
	if err != nil {
		return err
	}
	for _, side := range game.Sides() {
		users[address(string(side))] = strings.ToLower(string(side))
	}
	if s.office, err = postoffice.Start(users); err != nil {
		return err
	}
	s.office.OnDelivery(s.delivered)
	if s.Posted != nil {
		s.Posted(s.office)
	}
	key, err := s.configure(random)
	if err != nil {
		return err
	}
	s.daemon = key.Public()
	u, err := umpire.Open(s.config, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer u.DB.Close()
	w := &world.World{Umpire: u, Random: random}
	g, players, err := w.Begin(s.Scenario, nil, func(side string) (string, string) { return "Staff of " + side, address(side) })
	if err != nil {
		return err
	}
	s.game, s.result.Game, s.result.Database, s.result.Config = g.ID, g.ID, s.config.Database(), s.path
	for _, p := range players {
		c, err := s.newClerk(p, game)
		if err != nil {
			return err
		}
		s.clerks = append(s.clerks, c)
	}
	all, err := u.Summaries(g.ID)
	if err == nil {
		s.diceKey = all[0].DiceKey
	}
	return err
}

func address(name string) string { return strings.ToLower(name) + "@" + domain }

// configure writes the daemon's config file and key.
func (s *show) configure(random io.Reader) (seal.PrivateKey, error) {
	dir := filepath.Join(s.Out, "state")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return seal.PrivateKey{}, err
	}
	key, err := seal.GenerateKey(random)
	if err != nil {
		return key, err
	}
	text, err := key.Marshal("fieldpost demo")
	if err != nil {
		return key, err
	}
	if err := os.WriteFile(filepath.Join(dir, "daemon.key"), text, 0o600); err != nil {
		return key, err
	}
	imapHost, imapPort, _ := net.SplitHostPort(s.office.IMAPAddr())
	smtpHost, smtpPort, _ := net.SplitHostPort(s.office.SMTPAddr())
	s.path = filepath.Join(dir, "config.toml")
	if err := s.prepareStore(); err != nil {
		return key, err
	}
	conf := fmt.Sprintf(`data = "data"
store = %[6]q
key = "daemon.key"
[mail]
address = %[1]q
name = "Fieldpost"
instance = "demo"
[mail.imap]
host = %[2]q
port = %[3]s
tls = "none"
user = %[1]q
password = "umpire"
poll = "100ms"
[mail.smtp]
host = %[4]q
port = %[5]s
tls = "none"
`, address("umpire"), imapHost, imapPort, smtpHost, smtpPort, s.Store)
	if err := os.WriteFile(s.path, []byte(conf), 0o600); err != nil {
		return key, err
	}
	s.config, err = umpire.ReadConfig(s.path)
	return key, err
}

// prepareStore makes the tables of the Store, if there is one. Nothing of others may be in it: the
// demo's daemon would send their mails.
func (s *show) prepareStore() error {
	if s.Store == "" {
		if s.Daemons > 1 {
			return errors.New("several daemons need a database of PostgreSQL that they share")
		}
		return nil
	}
	if err := postgres.Prepare(s.Store); err != nil {
		return err
	}
	db, err := postgres.Open(s.Store, postgres.Options{Node: "demo"})
	if err != nil {
		return err
	}
	if err = store.Empty(db); err != nil {
		err = fmt.Errorf("the demo plays in a database of its own: %w", err)
	}
	return errors.Join(err, db.Close())
}

// nodeConfig is the config file of the n-th daemon over one database, from 0: it differs in the
// data folder and the roles alone.
func (s *show) nodeConfig(n int) (string, error) {
	roles := ""
	if n < len(s.Roles) {
		roles = s.Roles[n]
	}
	if n == 0 && roles == "" {
		return s.path, nil
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(s.path), fmt.Sprintf("config-%d.toml", n+1))
	own := strings.Replace(string(text), `data = "data"`, fmt.Sprintf(`data = "data-%d"`, n+1), 1)
	if roles != "" {
		own = fmt.Sprintf("roles = [\"%s\"]\n", strings.ReplaceAll(roles, ", ", `", "`)) + own
	}
	return path, os.WriteFile(path, []byte(own), 0o600)
}

// runDaemon keeps the n-th daemon's process alive until ctx ends, and kills it when
// the show asks for it.
func (s *show) runDaemon(ctx context.Context, n int) error {
	config, err := s.nodeConfig(n)
	if err != nil {
		return err
	}
	for {
		cmd := exec.Command(s.Daemon[0], append(s.Daemon[1:], config)...)
		log, err := os.OpenFile(filepath.Join(s.Out, "state", "daemon.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("starting the daemon: %w", err)
		}
		if s.Began != nil {
			s.Began(n, cmd.Process)
		}
		exited := make(chan error, 1)
		go func() { exited <- cmd.Wait(); log.Close() }()
		select {
		case <-ctx.Done():
			_ = cmd.Process.Signal(syscall.SIGTERM)
			select {
			case <-exited:
			case <-time.After(10 * time.Second):
				_ = cmd.Process.Kill()
				<-exited
			}
			return nil
		case <-s.kill:
			_ = cmd.Process.Kill()
			<-exited
			s.restarted()
			if s.Lost != nil {
				if err := s.Lost(s.config); err != nil {
					return err
				}
			}
		case <-s.lifetime():
			_ = cmd.Process.Kill()
			<-exited
			s.restarted()
		case err := <-exited:
			isEndedByOthers := cmd.ProcessState.ExitCode() <= 0 // killed, or stopped in order
			if isEndedByOthers && s.Suicidal {
				s.restarted()
				if s.Again != nil {
					s.Again(n)
				}
				continue
			}
			tail, _ := os.ReadFile(log.Name())
			return fmt.Errorf("the daemon ended: %v\n%s", err, tail[max(0, len(tail)-2000):])
		}
	}
}

func (s *show) restarted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result.Restarts++
}

// lifetime ends when the daemon that just began is to be killed; never without.
func (s *show) lifetime() <-chan time.Time {
	if s.Lifetime != nil {
		if d := s.Lifetime(); d > 0 {
			return time.After(d)
		}
	}
	return nil
}

// delivered sees every mail on its way, to keep it and to show progress.
func (s *show) delivered(rcpt, from string, raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result.Mails++
	s.result.count(s.clerks, rcpt, raw)
	page, err := s.album.keep(rcpt, from, raw)
	if err != nil {
		go s.fail(err)
		return
	}
	if page != nil {
		s.report(page)
	} else if err := s.archived(rcpt, raw); err != nil {
		go s.fail(err)
		return
	}
	s.finish()
	if s.Mailed != nil {
		s.Mailed(s.config, s.result.Mails)
	}
	if s.Kill != nil && s.Kill(s.result.Mails) {
		select {
		case s.kill <- struct{}{}:
		default:
		}
	}
}

// report follows the game by its reports: progress, dice, the end.
func (s *show) report(p *page) {
	s.result.Reports++
	found, err := proof.Verify(p.raw, proof.Trust{DiceKey: s.diceKey, DaemonKey: s.daemon.String()})
	if err != nil {
		go s.fail(fmt.Errorf("report %s does not verify: %w", p.file, err))
		return
	}
	s.result.Dice += found.Dice
	if err := s.result.measure(p); err != nil {
		go s.fail(fmt.Errorf("report %s: %w", p.file, err))
		return
	}
	v := p.view
	s.result.Turn = v.Turn
	lost := 0
	for _, u := range v.Units {
		lost += u.MaxSteps - u.Steps
	}
	for _, u := range v.Lost {
		lost += u.MaxSteps
	}
	fmt.Fprintf(s.Progress, "turn %2d of %d  %-14s %-32s %4d mails  %-7s lost %3d steps, holds %d points\n",
		v.Turn, v.Turns, v.Date, v.Phase, s.result.Mails, v.Side, lost, points(p))
	last := v.Verdict != "" || s.Turns > 0 && v.Turn > s.Turns
	if v.Verdict != "" {
		s.result.Verdict, s.result.Winner = v.Verdict, v.Winner
	}
	if last {
		s.ended[v.Side] = true
	}
}

// measure counts the lines of a report that a player reads.
func (r *Result) measure(p *page) error {
	m, err := mailbox.Read(p.raw)
	if err != nil {
		return err
	}
	if r.Lines == nil {
		r.Lines = map[string][]int{}
	}
	for _, t := range m.Texts {
		if t.Type == "text/plain" {
			r.Lines[p.view.Side] = append(r.Lines[p.view.Side], report.LinesToRead(t.AsSent))
			break
		}
	}
	return nil
}

// Reading says how many lines a side's reports have above their proofs.
func (r Result) Reading() string {
	var out []string
	for _, side := range slices.Sorted(maps.Keys(r.Lines)) {
		n := slices.Sorted(slices.Values(r.Lines[side]))
		out = append(out, fmt.Sprintf("%s %d in the median, %d to %d", side, n[len(n)/2], n[0], n[len(n)-1]))
	}
	return strings.Join(out, "; ")
}

func points(p *page) int {
	for _, sc := range p.view.Score {
		if sc.Side == p.view.Side {
			return sc.Points
		}
	}
	return 0
}

// errOccupied says that the output folder holds somebody else's files.
var errOccupied = errors.New("the folder exists and is not a demo's: name another one with --out")

// cid is how a report's HTML names the map.
var cid = regexp.MustCompile(`cid:[^"']+`)
