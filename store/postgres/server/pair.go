package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Pair is a server with a standby that follows it: nothing is committed that the standby does not
// have. Failover loses the one and has the other go on.
type Pair struct {
	mu               sync.Mutex // of who is which
	primary, standby *Server
	wires            map[*Server]*wire
}

// StartPair starts both.
func StartPair() (*Pair, error) {
	first, err := Start()
	if err != nil {
		return nil, err
	}
	p := &Pair{primary: first, wires: map[*Server]*wire{}}
	if p.standby, err = first.follower(); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	for _, s := range []*Server{p.primary, p.standby} {
		if p.wires[s], err = wireTo(s.folder); err != nil {
			return nil, errors.Join(err, p.Stop())
		}
	}
	return p, nil
}

// Stop ends both and removes their folders.
func (p *Pair) Stop() error {
	var err error
	for _, w := range p.wires {
		if w != nil {
			err = errors.Join(err, w.close())
		}
	}
	err = errors.Join(err, p.primary.Stop())
	if p.standby != nil {
		err = errors.Join(err, p.standby.Stop())
	}
	return err
}

// Store is the address of an empty database, at whichever of both can be written, by a wire that Cut cuts.
func (p *Pair) Store() (string, error) {
	if _, err := p.primary.Schema(); err != nil {
		return "", err
	}
	return p.at(p.primary, p.standby) + "&target_session_attrs=read-write", nil
}

// StandbyFirst is the address of the same database as somebody writes it who names the standby first, and
// does not say that it has to be one that can be written.
func (p *Pair) StandbyFirst() string { return p.at(p.standby, p.primary) }

func (p *Pair) at(one, other *Server) string {
	hosts := url.QueryEscape(p.wires[one].at + "," + p.wires[other].at)
	return "postgres:///postgres?user=fieldpost&host=" + hosts + "&search_path=store_1"
}

// Failover kills the primary as a lost machine would, has the standby take over, and puts a new
// standby into the place of the lost one.
func (p *Pair) Failover() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.primary.Kill(); err != nil {
		return err
	}
	if err := p.standby.run("pg_ctl", "-D", p.standby.data(), "-w", "promote"); err != nil {
		return err
	}
	p.primary, p.standby = p.standby, p.primary
	if err := p.standby.follow(p.primary); err != nil {
		return err
	}
	return p.primary.isFollowed()
}

// isFollowed waits until a standby follows synchronously: a primary that was promoted without the setting
// would lose what it committed alone.
func (s *Server) isFollowed() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	db, err := pgx.Connect(ctx, s.address(""))
	if err != nil {
		return err
	}
	defer db.Close(ctx)
	for {
		var followed bool
		if err := db.QueryRow(ctx, `select exists (select 1 from pg_stat_replication where sync_state = 'sync')`).Scan(&followed); err != nil {
			return fmt.Errorf("no standby follows synchronously: %w", err)
		}
		if followed {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// follower is a new server that follows this one, without which it commits nothing.
func (s *Server) follower() (*Server, error) {
	f := &Server{bin: s.bin, owner: s.owner}
	var err error
	if f.folder, err = os.MkdirTemp(everybodys(), "fieldpost-postgres-"); err != nil {
		return nil, err
	}
	if _, err := disown(f.folder); err != nil {
		return nil, err
	}
	// First the setting, then the copy, which has it too: it is a primary one day.
	const waits = `alter system set synchronous_standby_names = '*'`
	if err := s.run("psql", "-h", s.folder, "-U", "fieldpost", "-d", "postgres", "-q", "-c", waits, "-c", "select pg_reload_conf()"); err != nil {
		return nil, errors.Join(err, f.Stop())
	}
	if err := f.follow(s); err != nil {
		return nil, errors.Join(err, f.Stop())
	}
	if err := s.isFollowed(); err != nil {
		return nil, errors.Join(err, f.Stop())
	}
	return f, nil
}

// follow makes this server one that follows another, whatever it held.
func (s *Server) follow(primary *Server) error {
	if err := os.RemoveAll(s.data()); err != nil {
		return err
	}
	from := fmt.Sprintf("host=%s user=fieldpost application_name=standby", primary.folder)
	if err := s.run("pg_basebackup", "-d", from, "-D", s.data(), "-R", "-c", "fast", "--no-sync"); err != nil {
		return err
	}
	return s.Restart()
}

// Cut ends one session of the program with a name at the primary; see Server.Cut.
func (p *Pair) Cut(program string) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.primary.Cut(program)
}

// CutWire cuts one connection to the primary, any, of which the server does not hear before it
// answers, and tells how many there were: one or none.
func (p *Pair) CutWire(random *rand.Rand) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wires[p.primary].cut(random)
}

// Connect connects with the primary, past the wire.
func (p *Pair) Connect(ctx context.Context) (*pgx.Conn, error) {
	p.mu.Lock()
	address := p.primary.address("store_1")
	p.mu.Unlock()
	return pgx.Connect(ctx, address)
}
