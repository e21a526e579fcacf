// Package packing packs contents with zstd, alone or as the difference from another one, as every
// store keeps them: what one has packed the others unpack.
package packing

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"fieldpost/store"
)

// How hard a content is packed: for a record that may be written again soon, and for what is kept.
const (
	Quick  = zstd.SpeedFastest
	Better = zstd.SpeedBetterCompression
)

// most bounds what a damaged content may unpack to.
const most = store.MaxMail

// window is how far back an encoder looks in a content. Positions and mails are shorter, and it keeps as much
// memory as this: by default 16 MiB.
const window = 1 << 20

// alone are the encoders without a base: they are made once, and are safe for all.
var alone = map[zstd.EncoderLevel]func() *zstd.Encoder{Quick: encoder(Quick), Better: encoder(Better)}

func encoder(level zstd.EncoderLevel) func() *zstd.Encoder {
	return sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(level),
			zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(window))
		if err != nil {
			panic(err) // only for options that contradict each other
		}
		return e
	})
}

// decoder is the one without a base.
var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(most))
	if err != nil {
		panic(err)
	}
	return d
})

// Alone packs a content.
func Alone(level zstd.EncoderLevel, content []byte) []byte {
	return alone[level]().EncodeAll(content, nil)
}

// Unpack is a content that was packed alone; ErrDamaged if it is not that.
func Unpack(packed []byte) ([]byte, error) {
	content, err := decoder().DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return content, nil
}

// dictionary is the number under which a base goes in the zstd frame.
const dictionary = 1

// Difference packs a content as its difference from a base, behind what is in to. Without a base it
// packs it alone, and holds no memory afterwards.
func Difference(level zstd.EncoderLevel, base, content, to []byte) ([]byte, error) {
	// An encoder for one use: most of its time is for its tables.
	reach := zstd.MinWindowSize
	for reach < len(base)+len(content) && reach < zstd.MaxWindowSize {
		reach *= 2
	}
	options := []zstd.EOption{zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(level), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(reach)}
	if base != nil {
		options = append(options, zstd.WithEncoderDictRaw(dictionary, base))
	}
	e, err := zstd.NewWriter(nil, options...)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(content, to), nil
}

// UnpackOn is a content that was packed as its difference from a base; ErrDamaged if it is not that.
func UnpackOn(base, packed []byte) ([]byte, error) {
	var r Reader
	defer r.Close()
	return r.Unpack(base, packed)
}

// Reader unpacks one difference after the other, at little cost as long as the base is the same one.
type Reader struct {
	base, content []byte
	on            *zstd.Decoder
}

// Unpack is as UnpackOn, and what it returns is good until the next call. The base is not to be changed as long as
// the Reader is used.
func (r *Reader) Unpack(base, packed []byte) (content []byte, err error) {
	isSame := r.on != nil && len(base) == len(r.base) && (len(base) == 0 || &base[0] == &r.base[0])
	if !isSame {
		r.Close()
		if r.on, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(most), zstd.WithDecoderDictRaw(dictionary, base)); err != nil {
			return nil, err
		}
		r.base = base
	}
	if r.content, err = r.on.DecodeAll(packed, r.content[:0]); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return r.content, nil
}

// Close lets go of what the Reader holds, but for the content.
func (r *Reader) Close() {
	if r.on != nil {
		r.on.Close()
	}
	r.on, r.base = nil, nil
}
