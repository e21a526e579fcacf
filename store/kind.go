package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is a kind of records: facts of one type, each under a key of one shape. Everything that is
// kept beside games, sheets and mails is a record of some kind. A kind is declared beside its type,
// once, and package umpire/records lists all of them. In an engine a record is a note: its name is
// the kind's and the words of the key, divided by slashes.
type Kind[K comparable, V any] struct {
	name   string
	shape  Shape[K]
	encode func(V) ([]byte, error)
	decode func([]byte, *V) error
}

// Shape is what keys of a kind look like.
type Shape[K comparable] struct {
	// Form is the shape as people read it: "GAME/SIDE"; empty where there is one record.
	Form string
	// Words are the words of a key, and Parse reads them back: false if they are none.
	Words func(K) []string
	Parse func(words []string) (K, bool)
	// Game is whose record it is; "" is the house.
	Game func(K) string
}

// House is the key of a record of which there is one.
type House struct{}

// Person is the key of what is kept of somebody in a game: 0 the player of the seat, n the n-th of
// its commanders.
type Person struct {
	Seat
	Commander int
}

// Numbered is the key of what is kept of a Change of a game.
type Numbered struct {
	Game string
	Seq  uint64
}

// Mark is the value of a record that says nothing but that it is there.
type Mark struct{}

// KindOf declares a kind whose values are kept as JSON.
func KindOf[V any, K comparable](name string, shape Shape[K]) Kind[K, V] {
	return Kind[K, V]{name, shape,
		func(v V) ([]byte, error) { return json.Marshal(v) },
		func(text []byte, v *V) error { return json.Unmarshal(text, v) }}
}

// Plain is the kind with values that are kept as people write them: texts, numbers, bytes, moments,
// Marks.
func (k Kind[K, V]) Plain() Kind[K, V] {
	k.encode = func(v V) ([]byte, error) { return plain(v) }
	k.decode = func(text []byte, v *V) error { return readPlain(text, v) }
	return k
}

// OneOfHouse declares a kind of one record, OnePerGame one record a game, OnePerSeat one a seat, OnePerPerson one a
// person, and OnePerChange one a Change of a game.
func OneOfHouse[V any](name string) Kind[House, V]      { return KindOf[V](name, houseShape) }
func OnePerGame[V any](name string) Kind[string, V]     { return KindOf[V](name, gameShape) }
func OnePerSeat[V any](name string) Kind[Seat, V]       { return KindOf[V](name, seatShape) }
func OnePerPerson[V any](name string) Kind[Person, V]   { return KindOf[V](name, personShape) }
func OnePerChange[V any](name string) Kind[Numbered, V] { return KindOf[V](name, numberedShape) }

// OnePerName declares a kind of the house with one record for each of some things that have a name.
func OnePerName[V any](name, form string) Kind[string, V] {
	return KindOf[V](name, Shape[string]{Form: form, Words: func(k string) []string { return []string{k} },
		Parse: func(words []string) (string, bool) { k := strings.Join(words, "/"); return k, k != "" },
		Game:  func(string) string { return "" }})
}

var (
	houseShape = Shape[House]{Words: func(House) []string { return nil },
		Parse: func(words []string) (k House, ok bool) { return k, len(words) == 0 },
		Game:  func(House) string { return "" }}
	gameShape = Shape[string]{Form: "GAME", Words: func(game string) []string { return []string{game} },
		Parse: func(words []string) (game string, ok bool) { return strings.Join(words, "/"), len(words) == 1 },
		Game:  func(game string) string { return game }}
	seatShape = Shape[Seat]{Form: "GAME/SIDE", Words: func(s Seat) []string { return []string{s.Game, s.Side} },
		Parse: func(words []string) (s Seat, ok bool) {
			if len(words) != 2 {
				return s, false
			}
			return Seat{words[0], words[1]}, true
		},
		Game: func(s Seat) string { return s.Game }}
	personShape = Shape[Person]{Form: "GAME/SIDE/COMMANDER",
		Words: func(p Person) []string { return []string{p.Game, p.Side, strconv.Itoa(p.Commander)} },
		Parse: func(words []string) (p Person, ok bool) {
			if len(words) != 3 {
				return p, false
			}
			n, err := strconv.Atoi(words[2])
			return Person{Seat{words[0], words[1]}, n}, err == nil
		},
		Game: func(p Person) string { return p.Game }}
	numberedShape = Shape[Numbered]{Form: "GAME/CHANGE",
		Words: func(n Numbered) []string { return []string{n.Game, fmt.Sprintf("%08d", n.Seq)} },
		Parse: func(words []string) (n Numbered, ok bool) {
			if len(words) != 2 {
				return n, false
			}
			seq, err := strconv.ParseUint(words[1], 10, 64)
			return Numbered{words[0], seq}, err == nil
		},
		Game: func(n Numbered) string { return n.Game }}
)

// Facts is where records are read from: a Store or a Reckoning.
type Facts interface {
	Note(name string) ([]byte, error)
	Notes(prefix string) (map[string][]byte, error)
}

// Name is that of a record.
func (k Kind[K, V]) Name(key K) string {
	return strings.Join(append([]string{k.name}, k.shape.Words(key)...), "/")
}

// Get is a record; false when there is none. One that cannot be read is ErrDamaged.
func (k Kind[K, V]) Get(from Facts, key K) (v V, there bool, err error) {
	text, err := from.Note(k.Name(key))
	if err != nil || text == nil {
		return v, false, err
	}
	return k.read(k.Name(key), text)
}

// After is a record as a Change leaves it.
func (k Kind[K, V]) After(from Facts, c *Change, key K) (v V, there bool, err error) {
	if !k.Changes(c, key) {
		return k.Get(from, key)
	}
	text := c.Notes[k.Name(key)]
	if text == nil {
		return v, false, nil
	}
	return k.read(k.Name(key), text)
}

// All are the records whose keys begin with some words; with DamagedRecords all but those.
func (k Kind[K, V]) All(from Facts, words ...string) (map[K]V, error) {
	prefix := strings.Join(append([]string{k.name}, words...), "/") + "/"
	notes, err := from.Notes(prefix)
	var lost DamagedRecords
	if err != nil && !errors.As(err, &lost) {
		return nil, err
	}
	all := make(map[K]V, len(notes))
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		key, err := k.key(name)
		if err == nil {
			all[key], _, err = k.read(name, notes[name])
		}
		if err != nil {
			delete(all, key)
			lost = append(lost, Damage{"note", name, err})
		}
	}
	return all, lost.Err()
}

// Put has a Change keep a record, and Drop has it remove one. That a value cannot be kept is told
// by Commit.
func (k Kind[K, V]) Put(c *Change, key K, v V) {
	text, err := k.encode(v)
	if err != nil {
		c.unkept = errors.Join(c.unkept, fmt.Errorf("%w record %s: %w", ErrInvalid, k.Name(key), err))
		return
	}
	if text == nil {
		text = []byte{}
	}
	c.note(k.Name(key), text)
}

// Drop: see Put.
func (k Kind[K, V]) Drop(c *Change, key K) { c.note(k.Name(key), nil) }

// Changes tells whether a Change writes or removes a record.
func (k Kind[K, V]) Changes(c *Change, key K) bool {
	if c == nil {
		return false
	}
	_, does := c.Notes[k.Name(key)]
	return does
}

// Drops tells whether a Change removes a record.
func (k Kind[K, V]) Drops(c *Change, key K) bool {
	return k.Changes(c, key) && c.Notes[k.Name(key)] == nil
}

func (c *Change) note(name string, value []byte) {
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[name] = value
}

// WithRecords has a Change write the records that another one writes.
func (c *Change) WithRecords(of Change) {
	for name, value := range of.Notes {
		c.note(name, value)
	}
	c.unkept = errors.Join(c.unkept, of.unkept)
}

// key reads the name of a record.
func (k Kind[K, V]) key(name string) (key K, err error) {
	words := strings.Split(name, "/")[1:]
	key, is := k.shape.Parse(words)
	if !is || k.Name(key) != name {
		return key, fmt.Errorf("%w: its name is not of the form %s", ErrDamaged, k.Form())
	}
	return key, nil
}

func (k Kind[K, V]) read(name string, text []byte) (v V, there bool, err error) {
	if err := k.decode(text, &v); err != nil {
		var none V
		return none, false, fmt.Errorf("record %s: %w: %w", name, ErrDamaged, err)
	}
	return v, true, nil
}

// plain is the value as people write it.
func plain(v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return []byte(v), nil
	case []byte:
		return v, nil
	case int:
		return strconv.AppendInt(nil, int64(v), 10), nil
	case uint64:
		return strconv.AppendUint(nil, v, 10), nil
	case time.Time:
		return v.UTC().AppendFormat(nil, time.RFC3339), nil
	case Mark:
		return []byte{}, nil
	}
	return nil, fmt.Errorf("a %T is not kept as plain text", v)
}

func readPlain(text []byte, into any) (err error) {
	switch v := into.(type) {
	case *string:
		*v = string(text)
	case *[]byte:
		*v = text
	case *int:
		*v, err = strconv.Atoi(string(text))
	case *uint64:
		*v, err = strconv.ParseUint(string(text), 10, 64)
	case *time.Time:
		*v, err = time.Parse(time.RFC3339, string(text))
	case *Mark:
		if len(text) > 0 {
			err = errors.New("it says something, and should say nothing")
		}
	default:
		err = fmt.Errorf("a %T is not kept as plain text", into)
	}
	return err
}
