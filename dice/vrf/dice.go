package vrf

import (
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
)

// MaxSides is the most faces that a die can have: one byte of the stream is one
// throw. MaxDice is the most dice of one event, so that a forged report cannot
// make its reader count for hours.
const (
	MaxSides = 256
	MaxDice  = 4096
)

// maxField is the longest field of an input: its length is written in 16 bits.
const maxField = 1<<16 - 1

const (
	alphaTag  = "fieldpost-dice-v1\x00"
	streamTag = "fieldpost-dice-v1 stream\x00"
)

// ErrThrow says that a throw was asked for that no dice can give: a number of
// dice or sides out of range, or a name of more than 65535 bytes.
var ErrThrow = errors.New("vrf: impossible throw")

// Alpha is the input of the random function for one random event:
// "fieldpost-dice-v1" and a zero byte, then game, phase, event and root, each as
// its length in two bytes, big-endian, and its bytes. Two different events never
// have the same input. No field may be longer than 65535 bytes: Alpha panics;
// Throw and Check return ErrThrow instead.
func Alpha(game, phase, event string, root []byte) []byte {
	b := make([]byte, 0, len(alphaTag)+8+len(game)+len(phase)+len(event)+len(root))
	b = append(b, alphaTag...)
	b = appendField(b, game)
	b = appendField(b, phase)
	b = appendField(b, event)
	return appendField(b, root)
}

func appendField[T string | []byte](b []byte, field T) []byte {
	if len(field) > maxField {
		panic(fmt.Sprintf("vrf: a field of %d bytes", len(field)))
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(field)))
	return append(b, field...)
}

// Stream is the endless row of bytes that belongs to one output of the random
// function. Block i (from 0) of it is SHA-512 over "fieldpost-dice-v1 stream", a
// zero byte, the 64 bytes of the output and i in four bytes, big-endian.
type Stream struct {
	in    []byte // what is hashed; the block number is its end
	block [sha512.Size]byte
	next  int // first unused byte of block
	count uint32
}

// NewStream starts the stream of an output.
func NewStream(beta [OutputSize]byte) *Stream {
	in := make([]byte, 0, len(streamTag)+len(beta)+4)
	in = append(in, streamTag...)
	in = append(in, beta[:]...)
	return &Stream{in: append(in, 0, 0, 0, 0), next: sha512.Size}
}

// Byte is the next byte of the stream.
func (s *Stream) Byte() byte {
	if s.next == len(s.block) {
		binary.BigEndian.PutUint32(s.in[len(s.in)-4:], s.count)
		s.block = sha512.Sum512(s.in)
		s.count++
		s.next = 0
	}
	b := s.block[s.next]
	s.next++
	return b
}

// Die is the next throw of a die with 1 to MaxSides faces: 1 to sides. A byte at
// or above the greatest multiple of sides that fits into 256 is thrown away and
// the next one taken; a remainder alone would favour the low faces. For a d6
// that is a byte of 252 or more. It panics when sides is out of range.
func (s *Stream) Die(sides int) int {
	if sides < 1 || sides > MaxSides {
		panic(fmt.Sprintf("vrf: a die with %d sides", sides))
	}
	limit := 256 / sides * sides
	for {
		if b := int(s.Byte()); b < limit {
			return b%sides + 1
		}
	}
}

// Dice are the first count throws of the stream of an output. It panics when
// count or sides is out of range.
func Dice(beta [OutputSize]byte, count, sides int) []int {
	if count < 0 || count > MaxDice {
		panic(fmt.Sprintf("vrf: %d dice", count))
	}
	s := NewStream(beta)
	dice := make([]int, count)
	for i := range dice {
		dice[i] = s.Die(sides)
	}
	return dice
}
