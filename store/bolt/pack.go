package bolt

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"go.etcd.io/bbolt"

	"fieldpost/store"
	"fieldpost/store/packing"
)

// The encodings of a value, its first byte. Every reader knows them all; what is
// written is chosen by size.
const (
	plain   = 1 // as it is
	packed  = 2 // zstd
	differs = 3 // snapshots only: u64 number of an earlier one, then zstd with that one as dictionary
)

// summed marks, in the five high bits of the encoding byte, a value with a checksum: CRC-32C in four
// bytes, big-endian, over the encoding byte, the key and what follows. Since format
// 3 every value has one, so that a flipped bit is never taken for what was written.
// It is five bits, so that no single one turns such a value into one without.
const summed = 0xf8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(encoding byte, key, rest []byte) uint32 {
	c := crc32.Update(0, castagnoli, []byte{encoding})
	return crc32.Update(crc32.Update(c, castagnoli, key), castagnoli, rest)
}

// put stores a value under its encoding, with the checksum.
func put(b *bbolt.Bucket, key []byte, encoding byte, rest []byte) error {
	v := make([]byte, 0, 5+len(rest))
	v = append(v, encoding|summed)
	v = binary.BigEndian.AppendUint32(v, checksum(encoding, key, rest))
	return b.Put(key, append(v, rest...))
}

// unsealed is the encoding of a stored value and what follows it, checked against
// the checksum if there is one.
func unsealed(key, v []byte) (encoding byte, rest []byte, err error) {
	if len(v) == 0 {
		return 0, nil, fmt.Errorf("%w: the value of %q is empty", store.ErrDamaged, key)
	}
	switch v[0] & summed {
	case 0:
		return v[0], v[1:], nil
	case summed:
	default:
		return 0, nil, fmt.Errorf("%w: the value of %q has encoding %#x", store.ErrNewer, key, v[0])
	}
	if len(v) < 5 {
		return 0, nil, fmt.Errorf("%w: the value of %q is cut short", store.ErrDamaged, key)
	}
	encoding, rest = v[0]&^summed, v[5:]
	if checksum(encoding, key, rest) != binary.BigEndian.Uint32(v[1:5]) {
		return 0, nil, fmt.Errorf("%w: the value of %q does not match its checksum", store.ErrDamaged, key)
	}
	return encoding, rest, nil
}

const (
	// packFrom is the size from which a value may be compressed.
	packFrom = 512
	// fullEvery says which snapshots stand for themselves: the first of so many.
	// The others of the group are kept as their difference from it, so that every
	// position is at most two steps away. More of them in a group drift too far from it.
	fullEvery = 8
)

// encoded is a payload and its encoding: compressed when that is shorter.
func encoded(payload []byte) (encoding byte, rest []byte) {
	if len(payload) >= packFrom {
		if z := packing.Alone(packing.Better, payload); len(z) < len(payload) {
			return packed, z
		}
	}
	return plain, payload
}

// payload is what a stored value holds. It may be valid only as long as the
// transaction, and must not be changed.
func payload(key, v []byte) ([]byte, error) {
	encoding, rest, err := unsealed(key, v)
	if err != nil {
		return nil, err
	}
	switch encoding {
	case plain:
		return rest, nil
	case packed:
		p, err := packing.Unpack(rest)
		if err != nil {
			return nil, fmt.Errorf("the value of %q: %w", key, err)
		}
		return p, nil
	}
	return nil, fmt.Errorf("%w: the value of %q has encoding %d", store.ErrNewer, key, encoding)
}

// putSnapshot keeps a position: in full, or as its difference from the first of
// its group.
func putSnapshot(tx *bbolt.Tx, game string, number uint64, position []byte) error {
	b, key := tx.Bucket(bSnapshots), numbered(game, number)
	encoding, rest := encoded(position)
	if base := number - (number-1)%fullEvery; base != number && len(position) >= packFrom {
		if d, err := difference(tx, game, base, position); err != nil {
			return err
		} else if d != nil && len(d) < len(rest) {
			encoding, rest = differs, d
		}
	}
	return put(b, key, encoding, rest)
}

// difference is a position as its difference from another: the number of that one
// and the packed rest; nil when that one is no help.
func difference(tx *bbolt.Tx, game string, base uint64, position []byte) ([]byte, error) {
	from, err := fullSnapshot(tx, game, base)
	if err != nil || len(from) < packFrom {
		return nil, nil // a damaged one must not spoil others
	}
	// The fastest level costs a fifth of the time of the better ones, and the difference is small either way.
	return packing.Difference(packing.Quick, from, position, binary.BigEndian.AppendUint64(nil, base))
}

// isDifference tells whether a stored position builds on another.
func isDifference(v []byte) bool { return len(v) > 0 && v[0]&^summed == differs }

// fullSnapshot is a position that stands for itself.
func fullSnapshot(tx *bbolt.Tx, game string, number uint64) ([]byte, error) {
	key := numbered(game, number)
	v := tx.Bucket(bSnapshots).Get(key)
	if isDifference(v) {
		return nil, fmt.Errorf("%w: snapshot %d of game %s is not there in full", store.ErrDamaged, number, game)
	}
	return payload(key, v)
}

// snapshot is a position as it was put; nil when there is none. It may be valid
// only as long as the transaction.
func snapshot(tx *bbolt.Tx, game string, number uint64) ([]byte, error) {
	key := numbered(game, number)
	v := tx.Bucket(bSnapshots).Get(key)
	if v == nil {
		return nil, nil
	}
	if !isDifference(v) {
		return payload(key, v)
	}
	base, rest, err := differing(key, v)
	if err != nil {
		return nil, err
	}
	from, err := fullSnapshot(tx, game, base)
	if err != nil {
		return nil, fmt.Errorf("the value of %q builds on another: %w", key, err)
	}
	p, err := packing.UnpackOn(from, rest)
	if err != nil {
		return nil, fmt.Errorf("the value of %q: %w", key, err)
	}
	return p, nil
}

// differing takes a difference apart: the number of the position that it builds on, and what is packed.
func differing(key, v []byte) (base uint64, packed []byte, err error) {
	_, rest, err := unsealed(key, v)
	if err != nil {
		return 0, nil, err
	}
	if len(rest) < 8 {
		return 0, nil, fmt.Errorf("%w: the value of %q is cut short", store.ErrDamaged, key)
	}
	if base, packed = binary.BigEndian.Uint64(rest), rest[8:]; base >= lastNumber(key) {
		return 0, nil, fmt.Errorf("%w: the value of %q builds on snapshot %d", store.ErrDamaged, key, base)
	}
	return base, packed, nil
}

// snapshots reads the positions of a game one after the other.
type snapshots struct {
	tx     *bbolt.Tx
	game   string
	number uint64 // of the base
	base   []byte
	packing.Reader
}

// next is a position as snapshot has it, at little cost as long as they build on the same one.
func (s *snapshots) next(number uint64) (position []byte, err error) {
	key := numbered(s.game, number)
	v := s.tx.Bucket(bSnapshots).Get(key)
	if !isDifference(v) {
		return snapshot(s.tx, s.game, number)
	}
	base, rest, err := differing(key, v)
	if err != nil {
		return nil, err
	}
	if s.base == nil || base != s.number {
		if s.base, err = fullSnapshot(s.tx, s.game, base); err != nil {
			return nil, fmt.Errorf("the value of %q builds on another: %w", key, err)
		}
		s.number = base
	}
	if position, err = s.Unpack(s.base, rest); err != nil {
		err = fmt.Errorf("the value of %q: %w", key, err)
	}
	return position, err
}
