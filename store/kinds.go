package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// AnyKind is a Kind, whatever it is of.
type AnyKind interface {
	// Kind is its name, Form what names of its records look like.
	Kind() string
	Form() string
	// Whose tells whether its records are a game's or the house's.
	Whose() string
	// Readable is the game of a record of the kind, "" for the house; ErrDamaged if name or value
	// are not of the kind.
	Readable(name string, value []byte) (game string, err error)
}

// Kind is as of AnyKind.
func (k Kind[K, V]) Kind() string { return k.name }

// Form is as of AnyKind.
func (k Kind[K, V]) Form() string { return strings.TrimSuffix(k.name+"/"+k.shape.Form, "/") }

// Whose is as of AnyKind.
func (k Kind[K, V]) Whose() string {
	if strings.HasPrefix(k.shape.Form, "GAME") {
		return "game"
	}
	return "house"
}

// Readable is as of AnyKind.
func (k Kind[K, V]) Readable(name string, value []byte) (game string, err error) {
	key, err := k.key(name)
	if err != nil {
		return "", err
	}
	_, _, err = k.read(name, value)
	return k.shape.Game(key), err
}

// Kinds are all kinds of records that a program knows.
type Kinds []AnyKind

// Check reads every record of a store, and returns what is wrong with them: of no kind that is
// known, with another name or value than those of its kind, of a game that there is not. What an
// engine finds by itself is not told again. Games may begin and go while it reads.
func (all Kinds) Check(db Reader) (wrong []error) {
	known := map[string]AnyKind{}
	for _, k := range all {
		known[k.Kind()] = k
	}
	games := map[string]bool{}
	look := func() error { return db.EachGame(func(g Game) error { games[g.ID] = true; return nil }) }
	before := look()
	notes, err := db.Notes("")
	if before != nil || look() != nil {
		return nil // what is damaged there the engine tells, and whose records are left is not known
	}
	if err != nil && !errors.Is(err, ErrDamaged) {
		return []error{err}
	}
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		word, _, _ := strings.Cut(name, "/")
		k := known[word]
		if k == nil {
			wrong = append(wrong, fmt.Errorf("record %q: %w: of no kind that this program knows", name, ErrDamaged))
			continue
		}
		game, err := k.Readable(name, notes[name])
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("record %q: %w", name, err))
		case game != "" && !games[game]:
			wrong = append(wrong, fmt.Errorf("record %q: %w: there is no game %s", name, ErrDamaged, game))
		}
	}
	return wrong
}
