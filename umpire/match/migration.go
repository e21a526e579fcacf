package match

import (
	"errors"
	"strings"

	"fieldpost/store"
)

// ErrDiffers says that a game that is played again comes out otherwise.
var ErrDiffers = errors.New("the game comes out otherwise with this program")

// MigrationLabel names the one entry of a migration's journal.
const MigrationLabel = "migration"

// isMigration tells a migration from a phase of the game.
func isMigration(p store.Phase) bool { return strings.HasPrefix(p.Phase, store.Migration) }

// LastMigration is the index of the last migration, 0 when there is none: the
// first phase is the set-up.
func LastMigration(phases []store.Phase) int {
	for i := len(phases) - 1; i > 0; i-- {
		if isMigration(phases[i]) {
			return i
		}
	}
	return 0
}
