package sim

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"go.etcd.io/bbolt"

	"fieldpost/store/bolt"
)

// What a disk does with a database. bbolt writes pages at their places, syncs, writes the
// meta page, and syncs again. The disk sees each write, knows which of them were synced, and
// fails any of them, or a sync. When the process dies it keeps of what was not synced what
// it likes, sector by sector. Of a sync that failed it keeps some pages and forgets the others,
// although every reader sees them until the machine stops: so Linux does it.
const (
	page   = 4096
	sector = 512
	metas  = 2 * page // the two meta pages are in front
)

// errDead is what a process hears that does not know yet that it has died.
var errDead = errors.New("the process is dead")

// diskFault is something that the disk does in place of an operation.
type diskFault struct {
	kind  Kind
	after int  // operations before it happens
	until bool // it goes on until mended: room is not found again by itself
	grow  bool // of a full disk: what is written over an old page goes through; of a failed sync: the machine stops soon
}

// disk is a disk that can fail. It has one database and the mail files beside it.
type disk struct {
	path     string
	random   *rand.Rand
	died     func()          // is told when the process dies on an operation
	happen   func(kind Kind) // is told of every fault that came to pass
	mu       sync.Mutex
	cache    *os.File       // the database as readers see it
	lock     *os.File       // bbolt's own
	kept     int            // a second descriptor of lock, while syncs fail; -1 for none
	safe     []byte         // the database as it is on the platter
	dirty    map[int64]bool // pages written since the last sync
	meta     bool           // the last write was of a meta page
	faults   []*diskFault
	dead     bool
	image    []byte          // at death: what the next process finds
	naming   bool            // the newest mail file has its name, and the platter may not
	atFolder bool            // it has come as far as that
	died0    int             // how often the process has died
	names    map[string]bool // the mail files before that
	taken    string          // a mail file that is gone after death
}

// options have a store opened on the disk.
func (d *disk) options() bolt.Options {
	return bolt.Options{At: d.at, Opened: d.attach}
}

// attach puts the disk between the library and its file. The library has no way for that, so
// it is done by force.
func (d *disk) attach(db *bbolt.DB) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := reflect.ValueOf(db).Elem()
	d.lock = *(**os.File)(unsafe.Pointer(v.FieldByName("file").UnsafeAddr()))
	write := (*func([]byte, int64) (int, error))(unsafe.Pointer(v.FieldByName("ops").FieldByName("writeAt").UnsafeAddr()))
	if d.cache != nil {
		d.cache.Close()
	}
	var err error
	if d.cache, err = os.OpenFile(d.path, os.O_RDWR, 0); err != nil {
		panic(err)
	}
	if d.safe, err = io.ReadAll(d.cache); err != nil {
		panic(err)
	}
	d.kept, d.dirty, d.meta = -1, map[int64]bool{}, false
	*write = d.write
}

// detach lets go of the file. The database is closed by then, or as good as.
func (d *disk) detach() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.restore()
	if d.cache != nil {
		d.cache.Close()
	}
	d.cache = nil
}

// arm has something go wrong from now on.
func (d *disk) arm(f diskFault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = append(d.faults, &f)
}

// mend ends the faults that would go on.
func (d *disk) mend(all bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = slices.DeleteFunc(d.faults, func(f *diskFault) bool { return all || f.until })
}

// next is the fault that happens to an operation, nil for none.
func (d *disk) next(isWrite bool) *diskFault {
	for i, f := range d.faults {
		if f.kind == SyncFails && !isWrite {
			continue
		}
		if f.after > 0 {
			f.after--
			continue
		}
		if !f.until {
			d.faults = slices.Delete(d.faults, i, i+1)
		}
		return f
	}
	return nil
}

// write is a write of the library.
func (d *disk) write(b []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return 0, errDead
	}
	isMeta := off < metas
	switch {
	case d.kept >= 0 && d.meta: // the transaction of the failed sync is over
		d.restore()
	case isMeta || d.meta: // what came before was synced
		d.synced()
	}
	d.meta = false
	f := d.next(true)
	if f == nil {
		d.meta = isMeta
		return d.put(b, off)
	}
	fault := func(err error) error { return &os.PathError{Op: "write", Path: d.path, Err: err} }
	switch f.kind {
	case DiskFull:
		if f.grow && off < int64(len(d.safe)) && off >= 0 {
			return d.put(b, off)
		}
		d.happen(f.kind)
		n, _ := d.put(b[:d.random.IntN(len(b)/sector)*sector], off)
		return n, fault(syscall.ENOSPC)
	case ShortWrite:
		d.happen(f.kind)
		n, _ := d.put(b[:d.random.IntN(len(b)/sector)*sector], off)
		return n, fault(io.ErrShortWrite)
	case WriteFails:
		d.happen(f.kind)
		return 0, fault(syscall.EIO)
	case SyncFails:
		d.happen(f.kind)
		if f.grow { // what it forgot matters when the machine stops soon
			d.faults = append(d.faults, &diskFault{kind: Crash, after: 1 + d.random.IntN(12)})
		}
		n, err := d.put(b, off)
		d.deafen()
		d.meta = isMeta
		return n, err
	case Crash:
		d.put(b[:d.random.IntN(len(b)/sector+1)*sector], off)
		d.die()
		return 0, errDead
	}
	return d.put(b, off)
}

// put writes what every reader sees at once, and the platter some time later.
func (d *disk) put(b []byte, off int64) (int, error) {
	n, err := d.cache.WriteAt(b, off)
	for p := off / page; p*page < off+int64(n); p++ {
		d.dirty[p] = true
	}
	return n, err
}

// synced says that all that was written is on the platter.
func (d *disk) synced() {
	for p := range d.dirty {
		d.settle(p, page)
	}
	clear(d.dirty)
}

// settle puts the first bytes of a page as readers see it onto the platter.
func (d *disk) settle(p int64, n int) {
	if need := (p + 1) * page; int64(len(d.safe)) < need {
		d.safe = append(d.safe, make([]byte, need-int64(len(d.safe)))...)
	}
	_, _ = d.cache.ReadAt(d.safe[p*page:p*page+int64(n)], p*page)
}

// deafen has the syncs of the library fail: its descriptor leads to a device that has none.
func (d *disk) deafen() {
	if d.kept >= 0 {
		return
	}
	fd := int(d.lock.Fd())
	var err error
	if d.kept, err = syscall.Dup(fd); err != nil {
		panic(err)
	}
	deaf, err := syscall.Open("/dev/full", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		panic(err)
	}
	if err := syscall.Dup3(deaf, fd, syscall.O_CLOEXEC); err != nil {
		panic(err)
	}
	syscall.Close(deaf)
}

// restore lets syncs work again. Of what the failed one should have kept some is on the
// platter, and nothing is tried again for the rest.
func (d *disk) restore() {
	if d.kept < 0 {
		return
	}
	if err := syscall.Dup3(d.kept, int(d.lock.Fd()), syscall.O_CLOEXEC); err != nil {
		panic(err)
	}
	syscall.Close(d.kept)
	d.kept = -1
	for _, p := range d.unsynced() {
		if d.random.IntN(2) == 0 {
			d.settle(p, page)
		}
	}
	clear(d.dirty)
	d.meta = false
}

// unsynced are the dirty pages in their order.
func (d *disk) unsynced() (pages []int64) {
	for p := range d.dirty {
		pages = append(pages, p)
	}
	slices.Sort(pages)
	return pages
}

// at is a named point of the store.
func (d *disk) at(point string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return errDead
	}
	d.restore()
	switch point {
	case bolt.PointCommitted, bolt.PointCompactSwap:
		d.synced()
		return nil
	case bolt.PointFileRename:
		d.naming, d.names = true, d.mailFiles()
	case bolt.PointFileKept:
		d.naming = false
		return nil
	case bolt.PointMetaKept:
		d.settle(0, page)
		d.settle(1, page)
		return nil
	case bolt.PointBegin, bolt.PointCommit, bolt.PointCompacted, bolt.PointThinned:
		return d.mayDie()
	}
	d.atFolder = point == bolt.PointFileFolder
	f := d.next(false)
	if f == nil {
		return nil
	}
	fault := func(err error) error { return &os.PathError{Op: point, Path: d.path, Err: err} }
	switch f.kind {
	case DiskFull:
		if point != bolt.PointFileWrite {
			return nil
		}
		d.happen(f.kind)
		return fault(syscall.ENOSPC)
	case ShortWrite:
		d.happen(f.kind)
		return fault(io.ErrShortWrite)
	case WriteFails:
		d.happen(f.kind)
		return fault(syscall.EIO)
	case Crash:
		d.die()
		return errDead
	}
	return nil
}

// mayDie is a moment at which the disk does nothing, but the process may die.
func (d *disk) mayDie() error {
	for i, f := range d.faults {
		if f.kind == Crash && f.after <= 0 {
			d.faults = slices.Delete(d.faults, i, i+1)
			d.die()
			return errDead
		}
	}
	return nil
}

// kill ends the process at this very moment, from outside.
func (d *disk) kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.dead {
		d.die()
	}
}

// die keeps what the next process will find.
func (d *disk) die() {
	d.happen(Crash)
	d.restore()
	for _, p := range d.unsynced() {
		switch d.random.IntN(4) {
		case 0:
		case 1:
			d.settle(p, d.random.IntN(page/sector)*sector)
		default:
			d.settle(p, page)
		}
	}
	if info, err := d.cache.Stat(); err == nil && info.Size() > int64(len(d.safe)) {
		d.safe = append(d.safe, make([]byte, info.Size()-int64(len(d.safe)))...)
	}
	d.image, d.dead = slices.Clone(d.safe), true
	d.died0++
	d.faults = slices.DeleteFunc(d.faults, func(f *diskFault) bool { return !f.until })
	if d.naming && d.atFolder && d.random.IntN(2) == 0 {
		d.taken = d.renamed()
	}
	d.naming = false
	d.died()
}

// renamed is the mail file that has just got its name, "" if it replaced one.
func (d *disk) renamed() string {
	for name := range d.mailFiles() {
		if !d.names[name] && !strings.HasSuffix(name, ".tmp") {
			return name
		}
	}
	return ""
}

// mailFiles are the files of mails that there are.
func (d *disk) mailFiles() map[string]bool {
	names := map[string]bool{}
	for _, folder := range []string{"mails", "spool"} {
		dir := filepath.Join(filepath.Dir(d.path), folder)
		files, _ := os.ReadDir(dir)
		for _, f := range files {
			names[filepath.Join(dir, f.Name())] = true
		}
	}
	return names
}

// revive lays out what is left for the next process.
func (d *disk) revive() error {
	if d.taken != "" {
		os.Remove(d.taken)
	}
	d.dead, d.taken = false, ""
	if err := os.WriteFile(d.path, d.image, 0o600); err != nil {
		return fmt.Errorf("laying out the disk after a death: %w", err)
	}
	return nil
}

// isDead tells whether the process has died and nobody knows of it yet.
func (d *disk) isDead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

// settleDown says that what is open comes to its end.
func (d *disk) settleDown() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cache != nil {
		d.restore()
	}
}

// deaths is how often the process has died.
func (d *disk) deaths() int { return d.died0 }
