package seal

import (
	"encoding/binary"
	"errors"
)

// wire is data as OpenSSH lays it out (RFC 4251 section 5): numbers of four bytes, strings
// behind their length.
type wire []byte

func (w wire) number(n uint32) wire { return binary.BigEndian.AppendUint32(w, n) }

func (w wire) text(s string) wire { return append(w.number(uint32(len(s))), s...) }

func (w wire) bytes(b []byte) wire { return w.text(string(b)) }

// unwire reads what a wire holds. After the first fault it reads nothing more.
type unwire struct {
	rest []byte
	err  error
}

var errShort = errors.New("it ends too early")

func (u *unwire) take(n uint32) []byte {
	if u.err != nil || uint64(n) > uint64(len(u.rest)) {
		u.err = errShort
		return nil
	}
	out := u.rest[:n]
	u.rest = u.rest[n:]
	return out
}

func (u *unwire) number() uint32 {
	four := u.take(4)
	if u.err != nil {
		return 0
	}
	return binary.BigEndian.Uint32(four)
}

func (u *unwire) bytes() []byte { return u.take(u.number()) }

func (u *unwire) text() string { return string(u.bytes()) }

// whole is the fault of what was read, which must have been all.
func (u *unwire) whole() error {
	if u.err == nil && len(u.rest) > 0 {
		return errors.New("there is more than belongs to it")
	}
	return u.err
}
