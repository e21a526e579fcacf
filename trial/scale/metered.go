package scale

import (
	"time"

	"fieldpost/store"
	"fieldpost/trial/processor"
)

// metered is a store of several nodes that counts the processor time which this program spends while it is
// asked, that of the collector of garbage among it. One thing is done at a time.
type metered struct {
	store.Store
	store.Shared
	spent time.Duration
}

func metering(db interface {
	store.Store
	store.Shared
}) *metered {
	return &metered{Store: db, Shared: db}
}

// meter counts until what it returns is called.
func (m *metered) meter() func() {
	before := processor.Time()
	return func() { m.spent += processor.Time() - before }
}

// counted counts what f spends.
func counted[T any](m *metered, f func() (T, error)) (T, error) {
	defer m.meter()()
	return f()
}

// Commit and what follows are as of a Store and of a Shared.
func (m *metered) Commit(c store.Change) error {
	defer m.meter()()
	return m.Store.Commit(c)
}

func (m *metered) Game(id string) (store.Game, error) {
	return counted(m, func() (store.Game, error) { return m.Store.Game(id) })
}

func (m *metered) Load(id string) (store.Position, error) {
	return counted(m, func() (store.Position, error) { return m.Store.Load(id) })
}

func (m *metered) Waiting(id string) (*store.OpenPhase, error) {
	return counted(m, func() (*store.OpenPhase, error) { return m.Store.Waiting(id) })
}

func (m *metered) Phase(game string, n uint64) (store.Phase, error) {
	return counted(m, func() (store.Phase, error) { return m.Store.Phase(game, n) })
}

func (m *metered) Journal(game string) ([]store.Phase, error) {
	return counted(m, func() ([]store.Phase, error) { return m.Store.Journal(game) })
}

func (m *metered) Steps(game string) ([]store.Step, error) {
	return counted(m, func() ([]store.Step, error) { return m.Store.Steps(game) })
}

func (m *metered) Sheets(game, side string, turn int) ([]store.Sheet, error) {
	return counted(m, func() ([]store.Sheet, error) { return m.Store.Sheets(game, side, turn) })
}

func (m *metered) AllSheets(game string) ([]store.Sheet, error) {
	return counted(m, func() ([]store.Sheet, error) { return m.Store.AllSheets(game) })
}

func (m *metered) FindSheet(game, name string) (s store.Sheet, there bool, err error) {
	defer m.meter()()
	return m.Store.FindSheet(game, name)
}

func (m *metered) Seats(key string) ([]store.Seat, error) {
	return counted(m, func() ([]store.Seat, error) { return m.Store.Seats(key) })
}

func (m *metered) SeatsAt(address string) ([]store.Seat, error) {
	return counted(m, func() ([]store.Seat, error) { return m.Store.SeatsAt(address) })
}

func (m *metered) Note(name string) ([]byte, error) {
	return counted(m, func() ([]byte, error) { return m.Store.Note(name) })
}

func (m *metered) Notes(prefix string) (map[string][]byte, error) {
	return counted(m, func() (map[string][]byte, error) { return m.Store.Notes(prefix) })
}

func (m *metered) Mails(game string) ([]store.Mail, error) {
	return counted(m, func() ([]store.Mail, error) { return m.Store.Mails(game) })
}

func (m *metered) MailsSince(game string, since time.Time) ([]store.Mail, error) {
	return counted(m, func() ([]store.Mail, error) { return m.Store.MailsSince(game, since) })
}

func (m *metered) MailBytes(sha string) ([]byte, error) {
	return counted(m, func() ([]byte, error) { return m.Store.MailBytes(sha) })
}

func (m *metered) Spool(raw []byte) (string, error) {
	return counted(m, func() (string, error) { return m.Store.Spool(raw) })
}

func (m *metered) Handled(sha string) (h store.Handled, there bool, err error) {
	defer m.meter()()
	return m.Store.Handled(sha)
}

func (m *metered) MarkUID(box string, validity, uid uint32, mark store.UIDMark) error {
	defer m.meter()()
	return m.Store.MarkUID(box, validity, uid, mark)
}

func (m *metered) Claim(name string) (bool, error) {
	return counted(m, func() (bool, error) { return m.Shared.Claim(name) })
}

func (m *metered) Release(name string) error {
	defer m.meter()()
	return m.Shared.Release(name)
}
