package store

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"
)

// The encodings of a value, its first byte. Every reader knows them all; what is
// written is chosen by size.
const (
	plain   = 1 // as it is
	packed  = 2 // zstd
	differs = 3 // snapshots only: u64 number of an earlier one, then zstd with that one as dictionary
)

const (
	// packFrom is the size from which a value may be compressed.
	packFrom = 512
	// fullEvery says which snapshots stand for themselves: the first of so many.
	// The others of the group are kept as their difference from it, so that every
	// position is at most two steps away.
	fullEvery = 16
	// maxPayload bounds what a damaged value may unpack to.
	maxPayload = MaxMail
)

// The coders without a dictionary are made once and are safe for all.
var (
	packer = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
		if err != nil {
			panic(err) // only for options that contradict each other
		}
		return e
	})
	unpacker = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPayload))
		if err != nil {
			panic(err)
		}
		return d
	})
)

// encoded is a value with its encoding byte: compressed when that is shorter.
func encoded(payload []byte) []byte {
	if len(payload) >= packFrom {
		v := packer().EncodeAll(payload, []byte{packed})
		if len(v) < len(payload) {
			return v
		}
	}
	return append([]byte{plain}, payload...)
}

// payload is what a stored value holds. It may be valid only as long as the
// transaction, and must not be changed.
func payload(key, v []byte) ([]byte, error) {
	if len(v) == 0 {
		return nil, fmt.Errorf("%w: the value of %q is empty", ErrDamaged, key)
	}
	switch v[0] {
	case plain:
		return v[1:], nil
	case packed:
		p, err := unpacker().DecodeAll(v[1:], nil)
		if err != nil {
			return nil, fmt.Errorf("%w: the value of %q: %w", ErrDamaged, key, err)
		}
		return p, nil
	}
	return nil, fmt.Errorf("%w: the value of %q has encoding %d", ErrNewer, key, v[0])
}

// putSnapshot keeps a position: in full, or as its difference from the first of
// its group.
func putSnapshot(tx *bolt.Tx, game string, number uint64, position []byte) error {
	b, key := tx.Bucket(bSnapshots), numbered(game, number)
	v := encoded(position)
	if base := number - (number-1)%fullEvery; base != number && len(position) >= packFrom {
		if d, err := difference(tx, game, base, position); err != nil {
			return err
		} else if d != nil && len(d) < len(v) {
			v = d
		}
	}
	return b.Put(key, v)
}

// difference is a position encoded as the difference from another; nil when that
// one is no help.
func difference(tx *bolt.Tx, game string, base uint64, position []byte) ([]byte, error) {
	raw := tx.Bucket(bSnapshots).Get(numbered(game, base))
	if raw == nil || raw[0] == differs {
		return nil, nil
	}
	from, err := payload(numbered(game, base), raw)
	if err != nil || len(from) < packFrom {
		return nil, nil // a damaged one must not spoil others
	}
	// An encoder for one use: the fastest level costs a fifth of the time of the
	// better ones, most of it for tables, and the difference is small either way.
	window := zstd.MinWindowSize
	for window < len(from)+len(position) && window < zstd.MaxWindowSize {
		window *= 2
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderDictRaw(dictionary, from), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(window))
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(position, binary.BigEndian.AppendUint64([]byte{differs}, base)), nil
}

// dictionary is the number under which a base goes in the zstd frame.
const dictionary = 1

// snapshot is a position as it was put; nil when there is none. It may be valid
// only as long as the transaction.
func snapshot(tx *bolt.Tx, game string, number uint64) ([]byte, error) {
	b, key := tx.Bucket(bSnapshots), numbered(game, number)
	v := b.Get(key)
	if v == nil {
		return nil, nil
	}
	if len(v) == 0 || v[0] != differs {
		return payload(key, v)
	}
	if len(v) < 9 {
		return nil, fmt.Errorf("%w: the value of %q is cut short", ErrDamaged, key)
	}
	base := binary.BigEndian.Uint64(v[1:9])
	raw := b.Get(numbered(game, base))
	if base >= number || len(raw) == 0 || raw[0] == differs {
		return nil, fmt.Errorf("%w: the value of %q builds on snapshot %d, which is not there in full", ErrDamaged, key, base)
	}
	from, err := payload(numbered(game, base), raw)
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPayload), zstd.WithDecoderDictRaw(dictionary, from))
	if err != nil {
		return nil, fmt.Errorf("%w: the value of %q: %w", ErrDamaged, key, err)
	}
	defer d.Close()
	p, err := d.DecodeAll(v[9:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: the value of %q: %w", ErrDamaged, key, err)
	}
	return p, nil
}
