package adjudicator

import "strconv"

// Runner runs the phase that comes next, and stands before the one after it once
// nothing is pending.
type Runner = func(journal []Entry, dice Dice, answers Answerer) (Outcome, error)

// Repeater is a Game that can run phase after phase without reading its own positions
// anew: whole games are repeated that way. Without it every phase is a Play.
type Repeater interface {
	// Course begins at a position.
	Course(position []byte) (Runner, error)
}

// Editable is a Game whose positions a moderator can mend.
type Editable interface {
	// Edit carries out one edit and says in words what it did.
	Edit(position []byte, edit string) (after []byte, says string, err error)
}

// Migrator is a Game whose positions of earlier versions of the rules can be read.
// Without it a migration keeps a position as it is.
type Migrator interface {
	// Migrate gives a position of a version, as the game's record names it, its
	// present form.
	Migrate(position []byte, version string) ([]byte, error)
}

// Versioned is a Game that is still played under earlier versions of its rules. Without it
// a game begun under one of them stays as it is until it is migrated.
type Versioned interface {
	// AsOf is the game under a version, as the game's record names it; false if that
	// version is no longer played.
	AsOf(version string) (Game, bool)
}

// UnderVersion is the game under a version of its system's rules, the present one or one
// that is still played; false under any other.
func UnderVersion(sys System, g Game, version string) (Game, bool) {
	if version == strconv.Itoa(sys.Version()) {
		return g, true
	}
	if v, ok := g.(Versioned); ok {
		return v.AsOf(version)
	}
	return nil, false
}
