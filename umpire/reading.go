package umpire

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"fieldpost/store"
	"fieldpost/store/bolt"
)

// OpenReading opens the store of a config for reading only, in this process and
// with this program's rules: the database itself when nobody has it, else a copy
// that the running daemon makes of it at this moment. Call done at the end.
func OpenReading(c *Config, log *slog.Logger) (u *Umpire, done func(), err error) {
	if c.Store != "" {
		if u, err = Open(c, log); err != nil {
			return nil, nil, err
		}
		return u, func() { u.DB.Close() }, nil
	}
	path, files, remove := c.Database(), filepath.Dir(c.Database()), func() {}
	if client, _ := dialDesk(c); client != nil {
		defer client.Close()
		dir, err := os.MkdirTemp("", "fieldpost-reading-") // only for our eyes: the copy holds secrets
		if err != nil {
			return nil, nil, err
		}
		remove = func() { os.RemoveAll(dir) }
		path = filepath.Join(dir, filepath.Base(path))
		var size int64
		if err := client.Call("Desk.Copy", path, &size); err != nil {
			remove()
			return nil, nil, err
		}
	}
	db, err := bolt.Open(path, bolt.Options{ReadOnly: true, MustExist: true, Files: files})
	if err != nil {
		remove()
		if errors.Is(err, store.ErrLocked) {
			err = fmt.Errorf("a daemon holds %s but does not answer on %s: %w", path, c.Socket(), err)
		}
		return nil, nil, err
	}
	done = func() { db.Close(); remove() }
	key, err := readKey(c.KeyFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a store from a backup has no key, and needs none to be read
		done()
		return nil, nil, err
	}
	return over(db, c, key, log), done, nil
}

// Copy writes the bare database to a new file over the socket.
func (s *service) Copy(file string, size *int64) (err error) {
	db, err := s.u.file()
	if err != nil {
		return err
	}
	*size, err = db.Copy(file)
	return err
}
