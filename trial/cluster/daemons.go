package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// daemons are the processes of a round. Whichever is killed is started again.
type daemons struct {
	club *club
	all  sync.WaitGroup

	mu        sync.Mutex
	processes []*os.Process // nil while one is away
	stopped   []bool        // by SIGSTOP
}

// startDaemons keeps the daemons at work until ctx ends. One that ends by itself ends the round.
func (c *club) startDaemons(ctx context.Context, fail context.CancelCauseFunc) *daemons {
	d := &daemons{club: c, processes: make([]*os.Process, c.Daemons), stopped: make([]bool, c.Daemons)}
	for n := range c.Daemons {
		d.all.Go(func() {
			for ctx.Err() == nil {
				if err := d.run(ctx, n); err != nil {
					fail(err)
				}
			}
		})
	}
	return d
}

func (d *daemons) wait() { d.all.Wait() }

// run runs a daemon until somebody kills it, or ctx ends.
func (d *daemons) run(ctx context.Context, n int) error {
	log, err := os.OpenFile(filepath.Join(d.club.folder, fmt.Sprintf("daemon-%d.log", n+1)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(d.club.Daemon[0], append(d.club.Daemon[1:len(d.club.Daemon):len(d.club.Daemon)], d.club.configOf(n))...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	d.is(n, cmd.Process)
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	select {
	case err = <-exited:
	case <-ctx.Done():
		d.end(cmd.Process, exited)
		return nil
	}
	d.is(n, nil)
	if cmd.ProcessState.ExitCode() > 0 {
		return fmt.Errorf("daemon %d ended: %w; see %s", n+1, err, log.Name())
	}
	return nil
}

// end ends a daemon in order.
func (d *daemons) end(p *os.Process, exited chan error) {
	_ = p.Signal(syscall.SIGCONT)
	_ = p.Signal(syscall.SIGTERM)
	select {
	case <-exited:
	case <-time.After(30 * time.Second):
		_ = p.Kill()
		<-exited
	}
}

func (d *daemons) is(n int, p *os.Process) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.processes[n], d.stopped[n] = p, false
}

// kill kills a daemon; false if it is away.
func (d *daemons) kill(n int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.processes[n] != nil && d.processes[n].Kill() == nil
}

// ofNode is the number of the daemon that a node of the database is; -1 for none.
func (d *daemons) ofNode(node string) int {
	for n := range d.processes {
		if strings.HasSuffix(node, fmt.Sprintf("data-%d", n+1)) {
			return n
		}
	}
	return -1
}

// stop stops a daemon for a while, as a machine is that sleeps. Half of them are at work at least.
func (d *daemons) stop(ctx context.Context, n int, pause time.Duration) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	sleeping := 0
	for _, s := range d.stopped {
		if s {
			sleeping++
		}
	}
	p := d.processes[n]
	if p == nil || d.stopped[n] || 2*(sleeping+1) > len(d.stopped) || p.Signal(syscall.SIGSTOP) != nil {
		return false
	}
	d.stopped[n] = true
	d.all.Go(func() {
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.processes[n] == p {
			_ = p.Signal(syscall.SIGCONT)
			d.stopped[n] = false
		}
	})
	return true
}
