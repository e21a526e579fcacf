package bolt

// The named points: the instants between which a Change is made durable. All but
// the last of a row are before the step that they name.
const (
	PointFileWrite  = "file: write"
	PointFileSync   = "file: sync"
	PointFileRename = "file: rename"
	PointFileFolder = "file: sync folder"
	PointFileKept   = "file: kept"

	PointBegin     = "transaction: begin"
	PointCommit    = "transaction: commit"
	PointCommitted = "transaction: committed"

	// After a transaction that failed.
	PointMetaWrite = "meta: write again"
	PointMetaKept  = "meta: kept"

	PointThinRemove = "thin: remove the whole file"
	PointThinDrop   = "thin: drop the recipe"
	PointThinned    = "thin: done"

	PointCompactSwap   = "compact: swap"
	PointCompactFolder = "compact: sync folder"
	PointCompacted     = "compact: done"
)

// Points are the names of all points that are passed while nothing is wrong.
var Points = []string{PointFileWrite, PointFileSync, PointFileRename, PointFileFolder, PointFileKept,
	PointBegin, PointCommit, PointCommitted, PointThinRemove, PointThinDrop, PointThinned, PointCompactSwap, PointCompactFolder, PointCompacted}

// at tells the test's hook, if there is one, that a point is reached.
func (db *DB) at(point string) error {
	if db.hook == nil {
		return nil
	}
	return db.hook(point)
}
