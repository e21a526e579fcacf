package umpire

import (
	"context"
	"path/filepath"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/club"
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

// Prune removes the files of old mails, see store.Prune.
func (d *Desk) Prune(days int) (p store.Pruned, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Prune", days, &p)
		return p, err
	}
	return d.u.prune(days)
}

// prune removes what is older than so many days.
func (u *Umpire) prune(days int) (store.Pruned, error) {
	return u.DB.Prune(u.Now().AddDate(0, 0, -days))
}

// keepTidy prunes once a day until ctx ends.
func (u *Umpire) keepTidy(ctx context.Context, days int) error {
	if days == 0 {
		return nil
	}
	for {
		p, err := u.prune(days)
		if err != nil {
			u.Log.Error("old mails cannot be removed", "error", err)
		} else if p.Sent+p.Received > 0 {
			u.Log.Info("old mails removed", "sent", p.Sent, "received", p.Received, "bytes", p.Bytes)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(24 * time.Hour):
		}
	}
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
	return d.u.backup(file)
}

// backup writes the store to a new file and notes when.
func (u *Umpire) backup(file string) (int64, error) {
	size, err := u.DB.Backup(file)
	if err != nil {
		return size, err
	}
	return size, u.DB.Commit(store.Change{Notes: map[string][]byte{club.BackupNote: []byte(u.Now().UTC().Format(time.RFC3339))}})
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

// Prune is Prune over the socket.
func (s *service) Prune(days int, p *store.Pruned) (err error) {
	*p, err = s.u.prune(days)
	return err
}

// Backup is Backup over the socket.
func (s *service) Backup(file string, size *int64) (err error) {
	*size, err = s.u.backup(file)
	return err
}
