package adjudicator

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
