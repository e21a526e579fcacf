package view

import "encoding/hex"

// Digits are bytes that are written in hexadecimal digits.
type Digits []byte

// MarshalText writes them in small letters.
func (d Digits) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d), nil }

// UnmarshalText reads them, in capitals too.
func (d *Digits) UnmarshalText(text []byte) (err error) {
	*d, err = hex.AppendDecode(nil, text)
	return err
}
