package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Move fills an empty store with everything that is in another one, and compares both before it is
// kept. It tells how many records there are. Nobody else may use either meanwhile.
func Move(from, to Movable) (rows int, err error) {
	into, err := to.Fill()
	if err != nil {
		return 0, err
	}
	defer into.GiveUp()
	sent := outstanding{}
	if err := ahead(from.Rows, func(r Row) error {
		sent[sumOf(r)]++
		rows++
		return into.Put(r)
	}); err != nil {
		return 0, err
	}
	if err := ahead(into.Rows, sent.arrived); err != nil {
		return 0, err
	}
	if len(sent) > 0 {
		return 0, sent.missing(from)
	}
	if err := into.End(); err != nil {
		return 0, err
	}
	return rows, errors.Join(to.Check()...)
}

// aheadOf is how many rows are read together while those before them are dealt with.
const aheadOf = 256

// ahead calls f for all rows in their order, while the next ones are read.
func ahead(rows func(func(Row) error) error, f func(Row) error) (err error) {
	read, stopped := make(chan []Row, 1), make(chan struct{})
	var failed error
	go func() {
		defer close(read)
		var next []Row
		give := func() error {
			select {
			case read <- next:
				next = nil
				return nil
			case <-stopped:
				return errStopped
			}
		}
		if failed = rows(func(r Row) error {
			if next = append(next, r); len(next) < aheadOf {
				return nil
			}
			return give()
		}); failed == nil {
			failed = give()
		}
	}()
	for some := range read {
		for _, r := range some {
			if err == nil {
				err = f(r)
			}
		}
		if err != nil {
			break
		}
	}
	close(stopped)
	for range read { // until the other one has ended
	}
	return cmp.Or(err, failed)
}

var errStopped = errors.New("the rest is not wanted")

// rowSum is the hash of a row.
type rowSum [sha256.Size]byte

func sumOf(r Row) rowSum {
	var on string
	var packed []byte
	if r.Packed != nil {
		on, packed = r.Packed.On, r.Packed.Bytes
	}
	numbers := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64([]byte{byte(r.Kind)}, r.Number), r.Validity)
	h := sha256.New()
	h.Write(numbers)
	for _, part := range [][]byte{[]byte(r.Game), []byte(r.Name), r.Text, r.Raw, r.Recipe, []byte(on), packed} {
		h.Write(binary.BigEndian.AppendUint64(numbers[:0], uint64(len(part))))
		h.Write(part)
	}
	return rowSum(h.Sum(nil))
}

// outstanding is how often each row was sent that has not arrived.
type outstanding map[rowSum]int

// arrived takes a row that arrived off; ErrDamaged if it is none of those that were sent.
func (sent outstanding) arrived(r Row) error {
	sum := sumOf(r)
	if sent[sum] == 0 {
		return fmt.Errorf("%w: %s arrived, and was not sent so", ErrDamaged, r)
	}
	if sent[sum]--; sent[sum] == 0 {
		delete(sent, sum)
	}
	return nil
}

// missing is ErrDamaged with one of the rows that did not arrive.
func (sent outstanding) missing(from Movable) error {
	err := from.Rows(func(r Row) error {
		if sent[sumOf(r)] > 0 {
			return fmt.Errorf("%w: %d records did not arrive, %s among them", ErrDamaged, len(sent), r)
		}
		return nil
	})
	return cmp.Or(err, fmt.Errorf("%w: %d records did not arrive", ErrDamaged, len(sent)))
}
