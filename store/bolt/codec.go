package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// under is a name and the zero byte that ends it: the start of a key.
func under(name string) []byte { return append([]byte(name), 0) }

// numbered is the key name 0 u64.
func numbered(name string, n uint64) []byte {
	return binary.BigEndian.AppendUint64(under(name), n)
}

// lastNumber is the u64 at the end of a key.
func lastNumber(key []byte) uint64 {
	if len(key) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(key[len(key)-8:])
}

// seatKey is the key of a player in the index of keys.
func seatKey(key, game, side string) []byte {
	sum := sha256.Sum256([]byte(store.KeyID(key)))
	return append(append(sum[:], under(game)...), side...)
}

// addressKey is the key of a player in the index of addresses.
func addressKey(address, game, side string) []byte {
	sum := sha256.Sum256([]byte(strings.ToLower(address)))
	return append(append(sum[:], under(game)...), side...)
}

// uidKey is the key mailbox 0 validity uid.
func uidKey(mailbox string, validity, uid uint32) []byte {
	return binary.BigEndian.AppendUint32(lowKey(mailbox, validity), uid)
}

func lowKey(mailbox string, validity uint32) []byte {
	return binary.BigEndian.AppendUint32(under(mailbox), validity)
}

// putBytes stores a value.
func putBytes(b *bbolt.Bucket, key, payload []byte) error {
	encoding, rest := encoded(payload)
	return put(b, key, encoding, rest)
}

// getBytes returns a copy of a value, nil when there is none.
func getBytes(b *bbolt.Bucket, key []byte) ([]byte, error) {
	v := b.Get(key)
	if v == nil {
		return nil, nil
	}
	p, err := payload(key, v)
	if err != nil {
		return nil, err
	}
	return append([]byte{}, p...), nil
}

// putJSON stores a value as JSON. Without HTML escapes, so that a journal is
// kept byte for byte but for white space.
func putJSON(b *bbolt.Bucket, key []byte, v any) error {
	text, err := store.Document(v)
	if err != nil {
		return err
	}
	return putBytes(b, key, text)
}

// getJSON reads a value; found is false when there is none.
func getJSON[T any](b *bbolt.Bucket, key []byte) (v T, found bool, err error) {
	raw := b.Get(key)
	if raw == nil {
		return v, false, nil
	}
	v, err = decode[T](key, raw)
	return v, err == nil, err
}

// mustJSON is getJSON of what must be there: without it, the error says what is not
// found.
func mustJSON[T any](b *bbolt.Bucket, key []byte, what string, args ...any) (T, error) {
	v, found, err := getJSON[T](b, key)
	if err == nil && !found {
		err = fmt.Errorf("%s: %w", fmt.Sprintf(what, args...), store.ErrNotFound)
	}
	return v, err
}

func decode[T any](key, raw []byte) (v T, err error) {
	p, err := payload(key, raw)
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(p, &v); err != nil {
		return v, fmt.Errorf("%w: the value of %q: %w", store.ErrDamaged, key, err)
	}
	return v, nil
}

// each calls f for every key with the prefix, in order. What it hands over is
// valid only as long as the transaction.
func each(b *bbolt.Bucket, prefix []byte, f func(k, v []byte) error) error {
	if b == nil {
		return nil // an older format that is opened for reading only
	}
	c := b.Cursor()
	for k, v := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if err := f(k, v); err != nil {
			return err
		}
	}
	return nil
}

// eachBack calls f for all entries with the prefix, the last first, as long as it wants more.
func eachBack(b *bbolt.Bucket, prefix []byte, f func(k, v []byte) (more bool, err error)) error {
	if b == nil {
		return nil // an older format that is opened for reading only
	}
	c := b.Cursor()
	last := c.Prev
	if beyond, _ := c.Seek(append(bytes.Clone(prefix), bytes.Repeat([]byte{0xff}, 9)...)); beyond == nil {
		last = c.Last
	}
	for k, v := last(); bytes.HasPrefix(k, prefix); k, v = c.Prev() {
		if more, err := f(k, v); err != nil || !more {
			return err
		}
	}
	return nil
}

// list reads all values with the prefix, in the order of their keys.
func list[T any](b *bbolt.Bucket, prefix []byte) (all []T, err error) {
	err = each(b, prefix, func(k, raw []byte) error {
		v, err := decode[T](k, raw)
		all = append(all, v)
		return err
	})
	return all, err
}
