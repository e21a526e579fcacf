package umpire

import (
	"path/filepath"

	"fieldpost/store"
)

// Compacted is what Compact came to, in bytes.
type Compacted struct{ Before, After int64 }

// CheckStore audits the whole store and returns in words what is wrong with it.
func (d *Desk) CheckStore() (wrong []string, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Check", false, &wrong)
		return wrong, err
	}
	return words(d.u.DB.Check()), nil
}

// Stats are the figures of the store.
func (d *Desk) Stats() (s store.Stats, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Stats", false, &s)
		return s, err
	}
	return d.u.DB.Stats()
}

// Compact frees what the database does not need. The daemon goes on.
func (d *Desk) Compact() (c Compacted, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Compact", false, &c)
		return c, err
	}
	c.Before, c.After, err = d.u.DB.Compact()
	return c, err
}

// Backup writes the store to a new file; a running daemon writes it itself.
func (d *Desk) Backup(file string) (size int64, err error) {
	if file, err = filepath.Abs(file); err != nil {
		return 0, err
	}
	if d.client != nil {
		err = d.client.Call("Desk.Backup", file, &size)
		return size, err
	}
	return d.u.DB.Backup(file)
}

func words(errs []error) []string {
	var out []string
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}

// Check is CheckStore over the socket.
func (s *service) Check(_ bool, wrong *[]string) error {
	*wrong = words(s.u.DB.Check())
	return nil
}

// Stats is Stats over the socket.
func (s *service) Stats(_ bool, out *store.Stats) (err error) {
	*out, err = s.u.DB.Stats()
	return err
}

// Compact is Compact over the socket.
func (s *service) Compact(_ bool, c *Compacted) (err error) {
	c.Before, c.After, err = s.u.DB.Compact()
	return err
}

// Backup is Backup over the socket.
func (s *service) Backup(file string, size *int64) (err error) {
	*size, err = s.u.DB.Backup(file)
	return err
}
