package umpire

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/rpc"
	"os"
	"reflect"
	"time"

	"fieldpost/store/bolt"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// Away is why a daemon does not serve one of its clubs, and since when; without Why it does.
type Away struct {
	Since time.Time
	Why   string
}

// trouble is that as status tells it.
func (a Away) trouble() post.Trouble {
	return post.Trouble{Of: post.Serving, Since: a.Since.UTC(), Why: a.Why}
}

// Served tells over the socket that the club is served.
func (s *service) Served(_ bool, _ *Away) error { return nil }

// away answers on the socket of a club that is not served.
type away struct{ why Away }

// Served tells why it is not.
func (s away) Served(_ bool, why *Away) error {
	*why = s.why
	return nil
}

// AnswerAway answers on the club's control socket that it is not served, until ctx ends. Where
// somebody else answers, or there is no folder, it does nothing.
func (c *Config) AnswerAway(ctx context.Context, why Away) error {
	path := c.Socket()
	if conn, err := net.Dial("unix", path); err == nil {
		return conn.Close()
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l, err := net.Listen("unix", path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return errors.Join(err, l.Close())
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	server := rpc.NewServer()
	if err := server.RegisterName("Desk", away{why}); err != nil {
		return errors.Join(err, l.Close())
	}
	for {
		conn, err := l.Accept()
		if err != nil {
			return nil // ctx has ended
		}
		go server.ServeConn(conn)
	}
}

// caught does something, and makes an error of a fault of the program where that would stop other
// clubs too. Alone a daemon ends with it, and is started again by its system.
func (c *Config) caught(do func() error) (err error) {
	if c.Name != "" {
		defer match.CatchPanic(&err)
	}
	return do()
}

// HasStore tells whether there is a store already: in a database there always is.
func (c *Config) HasStore() bool {
	_, err := os.Stat(c.Database())
	return c.Store != "" || !errors.Is(err, fs.ErrNotExist)
}

// OpenOptions are those of the club's file: of one that was there none is made in its place.
func (c *Config) OpenOptions(wasThere bool) bolt.Options { return bolt.Options{MustExist: wasThere} }

// Same tells whether another configuration has the same settings.
func (c *Config) Same(other *Config) bool {
	one, two := *c, *other
	for _, x := range []*Config{&one, &two} {
		x.library, x.Share, x.Fault = nil, nil, nil
	}
	return (c.Fault == nil) == (other.Fault == nil) && reflect.DeepEqual(one, two)
}
