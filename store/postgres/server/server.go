// Package server runs a PostgreSQL of its own for tests and trials: in a folder that goes with
// it, on a socket in that folder, seen by nobody else.
package server

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// ErrMissing: PostgreSQL is not installed.
var ErrMissing = errors.New("PostgreSQL is not installed")

// Server is one that runs.
type Server struct {
	// Host is its address on this machine, of one that Empty made.
	Host string

	folder string
	bin    string
	owner  owner
	made   atomic.Int32 // schemas
}

// Start makes a cluster in a new folder and starts it. The error is ErrMissing where
// PostgreSQL is not installed.
func Start() (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin}
	if s.folder, err = os.MkdirTemp(everybodys(), "fieldpost-postgres-"); err != nil {
		return nil, err
	}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// everybodys is a folder for temporary files into which another user may look too, and whose
// name is short enough for a socket; "" is the usual one.
func everybodys() string {
	if os.Getuid() == 0 {
		return "/tmp"
	}
	return ""
}

func (s *Server) begin() error {
	var err error
	if s.owner, err = disown(s.folder); err != nil {
		return err
	}
	if err := s.run("initdb", "-D", s.data(), "-U", "fieldpost", "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"); err != nil {
		return err
	}
	return s.Restart()
}

// Restart starts the server, after Kill too.
func (s *Server) Restart() error {
	options := fmt.Sprintf("-k %s -c listen_addresses='' -c fsync=off -c max_connections=200", s.folder)
	return s.run("pg_ctl", "-D", s.data(), "-l", filepath.Join(s.folder, "log"), "-w", "-o", options, "start")
}

// Kill stops the server as a lost machine would: nothing is ended in order.
func (s *Server) Kill() error { return s.run("pg_ctl", "-D", s.data(), "-m", "immediate", "stop") }

// Stop ends the server and removes its folder.
func (s *Server) Stop() error {
	var err error
	if _, missing := os.Stat(filepath.Join(s.data(), "postmaster.pid")); missing == nil {
		err = s.Kill()
	}
	return errors.Join(err, os.RemoveAll(s.folder))
}

// Schema makes a schema and returns the address of a database in which names are looked for there:
// every schema is a store of its own.
func (s *Server) Schema() (string, error) {
	name := fmt.Sprint("store_", s.made.Add(1))
	address := s.address(name)
	ctx := context.Background()
	db, err := pgx.Connect(ctx, address)
	if err != nil {
		return "", err
	}
	_, err = db.Exec(ctx, "create schema "+name)
	return address, errors.Join(err, db.Close(ctx))
}

// Cut ends one session of the program with a name, any, as a network would that fails, and tells
// how many there were: one or none.
func (s *Server) Cut(program string) (int, error) {
	ctx := context.Background()
	db, err := pgx.Connect(ctx, s.address(""))
	if err != nil {
		return 0, err
	}
	ended, err := db.Exec(ctx, `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
		where application_name = $1 order by random() limit 1) one`, program)
	return int(ended.RowsAffected()), errors.Join(err, db.Close(ctx))
}

// address is that of the database, with a path on which names are looked for.
func (s *Server) address(path string) string {
	return "postgres:///postgres?user=fieldpost&host=" + url.QueryEscape(s.folder) + "&search_path=" + path
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

func (s *Server) run(program string, args ...string) error {
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	cmd.Dir = s.folder
	s.owner.runs(cmd)
	said, err := os.CreateTemp("", "fieldpost-postgres-said-") // a pipe would stay open as long as the server
	if err != nil {
		return err
	}
	defer os.Remove(said.Name())
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(said.Name())
		return fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(string(text)))
	}
	return nil
}

// Installed tells whether PostgreSQL is there.
func Installed() bool {
	_, err := programs()
	return err == nil
}

// programs is the folder of PostgreSQL's programs, the newest where Debian has several.
func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(real), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrMissing
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(newest), nil
}

func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}
