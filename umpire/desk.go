package umpire

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/rpc"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/match"
)

// Desk is where a moderator's commands arrive: over the control socket of a
// running daemon, or straight at the store when none runs.
type Desk struct {
	u *Umpire
	// client is the connection to a running daemon; nil when the store is ours.
	client *rpc.Client
	// dir is where messages from pipes are laid, most how many bytes of one are read.
	dir  string
	most int64
	// away is why the running daemon does not serve the club, if it does not.
	away Away
}

// OpenDesk opens the store, or asks the running daemon that holds it.
func OpenDesk(c *Config, log *slog.Logger) (*Desk, error) {
	// A daemon that starts, or reads its configuration again, has the store a moment
	// before it answers.
	dir, most := filepath.Dir(c.Database()), c.Mail.WithDefaults().MaxMessage
	for tries := 50; ; tries-- {
		client, away := dialDesk(c)
		if client != nil {
			return &Desk{client: client, dir: dir, most: most}, nil
		}
		u, err := OpenStore(c, log, c.OpenOptions(away.Why != ""))
		switch {
		case err == nil:
			return &Desk{u: u, dir: dir, most: most, away: away}, nil
		case away.Why != "":
			return nil, fmt.Errorf("%w; %s", err, away.trouble())
		case !errors.Is(err, store.ErrLocked):
			return nil, err
		case tries == 0:
			return nil, fmt.Errorf("a daemon holds %s but does not answer on %s: %w", c.Database(), c.Socket(), err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// dialDesk connects to the running daemon that serves a club; nil without one, and then why a
// daemon that runs does not serve it.
func dialDesk(c *Config) (client *rpc.Client, why Away) {
	conn, err := net.Dial("unix", c.Socket())
	if err != nil {
		return nil, why
	}
	client = rpc.NewClient(conn)
	if err := client.Call("Desk.Served", false, &why); err != nil || why.Why == "" {
		return client, Away{} // a daemon of an earlier program does not know the question
	}
	client.Close()
	return nil, why
}

// Close ends the use of the desk.
func (d *Desk) Close() error {
	if d.client != nil {
		return d.client.Close()
	}
	return d.u.DB.Close()
}

// Wanted is the game that NewGame makes.
type Wanted struct {
	Scenario string
	Options  map[string]string
	Staff    []string // sides that staff officers play
}

// NewGame creates a game of a scenario.
func (d *Desk) NewGame(w Wanted) (g store.Game, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.New", w, &g)
		return g, err
	}
	return d.u.NewGame(w.Scenario, w.Options, rand.Reader, w.Staff...)
}

// AddPlayer seats a player.
func (d *Desk) AddPlayer(s acts.Seat) error {
	if d.client != nil {
		var none bool
		return d.client.Call("Desk.Seat", s, &none)
	}
	return d.u.Seat(s)
}

// Invite mails a one-time code to join by; Key and Sealed do not count.
func (d *Desk) Invite(s acts.Seat) error {
	if d.client != nil {
		var none bool
		return d.client.Call("Desk.Invite", s, &none)
	}
	return d.u.Invite(s)
}

// SetKey enrols another key for a player; only Game, Side and Key count.
func (d *Desk) SetKey(s acts.Seat) error {
	if d.client != nil {
		var none bool
		return d.client.Call("Desk.Key", s, &none)
	}
	return d.u.SetKey(s.Game, s.Side, s.Key)
}

// Resume lets a frozen game go on.
func (d *Desk) Resume(id string) error {
	if d.client != nil {
		var none bool
		return d.client.Call("Desk.Thaw", id, &none)
	}
	return d.u.Resume(id)
}

// errNoPage says that no web page is served here.
var errNoPage = errors.New("no web page is served here: the daemon does not run, or its configuration has no page")

// OnUnlock has f called when a moderator lets passwords be tried again.
func (u *Umpire) OnUnlock(f func()) { u.unlock.Store(&f) }

// UnlockPage lets passwords of the web page be tried again, whoever gave wrong ones.
func (u *Umpire) UnlockPage() error {
	f := u.unlock.Load()
	if f == nil {
		return errNoPage
	}
	(*f)()
	return nil
}

// UnlockPage is Umpire.UnlockPage of the running daemon.
func (d *Desk) UnlockPage() error {
	if d.client != nil {
		var none bool
		return d.client.Call("Desk.Unlock", true, &none)
	}
	return d.u.UnlockPage()
}

// Unlock is UnlockPage over the socket.
func (s *service) Unlock(_ bool, _ *bool) error { return s.u.UnlockPage() }

// ClockGoesOn lets deadlines run again that are held because the clock was set.
func (d *Desk) ClockGoesOn() error {
	if d.client != nil {
		var none bool
		return d.client.Call("Desk.Clock", true, &none)
	}
	return d.u.ClockGoesOn()
}

// Clock is ClockGoesOn over the socket.
func (s *service) Clock(_ bool, _ *bool) error { return s.u.ClockGoesOn() }

// Moderate carries out an act of the moderator.
func (d *Desk) Moderate(a acts.Act) (done acts.Done, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Act", a, &done)
		return done, err
	}
	return d.u.Moderate(a)
}

// Log is the audit log, of one game or of all, as far as it can be read; Fault
// says what is wrong with it.
type Log struct {
	Entries []audit.Entry
	Fault   string
}

// Audit reads the audit log.
func (d *Desk) Audit(game string) (l Log, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Audit", game, &l)
		return l, err
	}
	return d.u.auditLog(game)
}

// Phases lists the phases of a game, for rollback.
func (d *Desk) Phases(game string) (all []match.PlayedPhase, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Phases", game, &all)
		return all, err
	}
	return d.u.PlayedPhases(strings.ToUpper(game))
}

// SetSecond gives a player a second address; only Game, Side and Address count.
func (d *Desk) SetSecond(s acts.Seat) error {
	if d.client != nil {
		var none bool
		return d.client.Call("Desk.Second", s, &none)
	}
	return d.u.SetSecond(s.Game, s.Side, s.Address)
}

// Migrate takes a game to this program's version.
func (d *Desk) Migrate(id string) (did string, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Migrate", id, &did)
		return did, err
	}
	return d.u.Migrate(id)
}

// Games tells of all games, or of one.
func (d *Desk) Games(id string) (all []Summary, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.List", id, &all)
		return all, err
	}
	return d.u.Summaries(id)
}

// service is the daemon's end of the socket.
type service struct {
	u    *Umpire
	wake chan<- struct{}
}

// New is NewGame over the socket. The secret of the dice stays here.
func (s *service) New(w Wanted, g *store.Game) (err error) {
	*g, err = s.u.NewGame(w.Scenario, w.Options, rand.Reader, w.Staff...)
	g.DiceKey = nil
	g.Players = unkeyed(g.Players)
	return err
}

// unkeyed are the players without the secrets of staff officers' keys: only that
// there is one is still to be seen.
func unkeyed(players []store.Player) []store.Player {
	players = slices.Clone(players)
	for i := range players {
		if players[i].Staffed() {
			players[i].Staff = store.Secret{0}
		}
	}
	return players
}

// Seat is AddPlayer over the socket.
func (s *service) Seat(p acts.Seat, _ *bool) error {
	err := s.u.Seat(p)
	s.mailsWait()
	return err
}

// Invite is Invite over the socket.
func (s *service) Invite(p acts.Seat, _ *bool) error {
	err := s.u.Invite(p)
	s.mailsWait()
	return err
}

// Key is SetKey over the socket.
func (s *service) Key(p acts.Seat, _ *bool) error {
	err := s.u.SetKey(p.Game, p.Side, p.Key)
	s.mailsWait()
	return err
}

// Act is Moderate over the socket.
func (s *service) Act(a acts.Act, done *acts.Done) (err error) {
	*done, err = s.u.Moderate(a)
	s.mailsWait()
	return err
}

// Audit is Audit over the socket.
func (s *service) Audit(game string, l *Log) (err error) {
	*l, err = s.u.auditLog(game)
	return err
}

// Phases is Phases over the socket.
func (s *service) Phases(game string, all *[]match.PlayedPhase) (err error) {
	*all, err = s.u.PlayedPhases(strings.ToUpper(game))
	return err
}

// Thaw is Resume over the socket.
func (s *service) Thaw(id string, _ *bool) error {
	err := s.u.Resume(id)
	s.mailsWait()
	return err
}

// Second is SetSecond over the socket.
func (s *service) Second(p acts.Seat, _ *bool) error {
	err := s.u.SetSecond(p.Game, p.Side, p.Address)
	s.mailsWait()
	return err
}

// Migrate is Migrate over the socket.
func (s *service) Migrate(id string, did *string) (err error) {
	*did, err = s.u.Migrate(id)
	s.mailsWait()
	return err
}

// mailsWait wakes the sender.
func (s *service) mailsWait() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// List is Games over the socket.
func (s *service) List(id string, all *[]Summary) (err error) {
	*all, err = s.u.Summaries(id)
	return err
}

// serveDesk answers the control socket until ctx ends.
func (u *Umpire) serveDesk(ctx context.Context, path string, wake chan<- struct{}) error {
	// The store's lock is ours, so whatever lies there is a dead daemon's.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return fmt.Errorf("control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	server := rpc.NewServer()
	if err := server.RegisterName("Desk", &service{u, wake}); err != nil {
		return err
	}
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		go server.ServeConn(conn)
	}
}

// Summary is a line on a game for its moderator.
type Summary struct {
	ID, Scenario, Title, Status string
	Turn                        int
	Phase                       string
	Waiting                     []string // sides that must decide
	Players                     []store.Player
	DiceKey                     string
	Seq                         uint64
	Blocked                     string // why this program may not go on with it
}

// Summaries tells of all games, or of the one with the id.
func (u *Umpire) Summaries(id string) ([]Summary, error) {
	u.Writing.Lock()
	defer u.Writing.Unlock()
	asked := func(game string) bool { return id == "" || id == game }
	games, err := u.DB.Games()
	var out []Summary
	var lost store.DamagedRecords
	if errors.As(err, &lost) {
		for _, d := range lost {
			if asked(d.ID) {
				out = append(out, Summary{ID: d.ID, Blocked: "it cannot be read: " + d.Err.Error()})
			}
		}
	} else if err != nil {
		return nil, err
	}
	for _, g := range games {
		if !asked(g.ID) {
			continue
		}
		s := Summary{ID: g.ID, Scenario: g.Scenario, Title: g.Title, Status: string(g.Status), Players: unkeyed(g.Players), Seq: g.Seq}
		s.DiceKey = match.Thrower(g, "").Key.PublicKey().String()
		if g.Status != store.StatusFinished {
			if err := u.CheckVersion(g); err != nil {
				s.Blocked = err.Error()
			}
		}
		if m, err := u.Load(g.ID); err == nil && m.Latest != nil {
			at, _ := m.At()
			s.Turn, s.Phase = at.Turn, at.Name
			if pending, err := m.Pending(); err == nil {
				s.Waiting = u.Awaited(g.ID, pending)
			}
		}
		out = append(out, s)
	}
	if id != "" && len(out) == 0 {
		return nil, fmt.Errorf("game %q: %w", id, store.ErrNotFound)
	}
	return out, nil
}

// Audit reads the log of moderators' acts in a game, or with "" in all; see Audit.Read.
func (u *Umpire) Audit(game string) ([]audit.Entry, error) { return u.ActLog().Read(game) }

// auditLog is Audit with the fault in words.
func (u *Umpire) auditLog(game string) (l Log, err error) {
	if l.Entries, err = u.Audit(strings.ToUpper(game)); errors.Is(err, audit.ErrAltered) {
		l.Fault, err = err.Error(), nil
	}
	return l, err
}
