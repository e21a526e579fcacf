package sim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"fieldpost/trial/ramdisk"
)

// What the simulation itself needs of the machine: a folder, and room in it.

const (
	folderName = "sim"
	useName    = "in-use" // a file that the process which made a folder has locked
	roomNeeded = 64 << 20
)

// errNoRoom says that the disk below the simulation is full: not one that is simulated.
var errNoRoom = errors.New("the disk of this machine, below the simulated one, has no room")

// ownFolder makes a folder for this process, and removes those of processes that were killed.
func ownFolder() (folder string, inUse *os.File, err error) {
	if folder, err = ramdisk.Folder(folderName); err != nil {
		return "", nil, err
	}
	if inUse, err = os.Create(filepath.Join(folder, useName)); err == nil {
		err = syscall.Flock(int(inUse.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(folder))
	}
	return folder, inUse, removeAbandoned(filepath.Dir(folder))
}

// removeAbandoned removes the folders that nobody has locked.
func removeAbandoned(parent string) error {
	used, err := filepath.Glob(filepath.Join(parent, "fieldpost-"+folderName+"*", useName))
	if err != nil {
		return err
	}
	for _, name := range used {
		f, err := os.Open(name)
		if err != nil {
			continue // somebody else has removed it just now, or it is somebody else's
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			err = os.RemoveAll(filepath.Dir(name))
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// room tells with errNoRoom that there is none for a week.
func (t *Template) room() error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(t.folder, &fs); err != nil {
		return err
	}
	if free := fs.Bavail * uint64(fs.Bsize); free < t.needs() {
		return fmt.Errorf("%w: %d bytes are left for %s", errNoRoom, free, t.folder)
	}
	return nil
}

func (t *Template) needs() uint64 {
	if t.roomFor > 0 {
		return t.roomFor
	}
	return roomNeeded
}
