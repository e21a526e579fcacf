//go:build !js

package seal

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"fieldpost/orders"
)

// VerifyDetached checks a signature that came beside a file: made with
//
//	ssh-keygen -Y sign -n orders@fieldpost -f key orders.txt
//
// The data are the decoded bytes of the file. Mail changes line ends and
// trailing blanks of text files, so those are tried in every usual form, and
// last the canonical text. The sheet returned is the canonical form of exactly
// the bytes that verified (of the text they spell, if they are UTF-16 as some
// Windows programs write it). Errors wrap ErrSignature or ErrMismatch.
func VerifyDetached(data []byte, armored string) (Sealed, error) {
	s, err := parseSignature(armored)
	if err != nil {
		return Sealed{}, err
	}
	err = ErrMismatch
	for _, form := range TextForms(data) {
		var key Key
		if key, err = s.verify(form, Namespace); err == nil {
			text := PlainText(form)
			return sealed(orders.Canonical(text), text, key), nil
		}
	}
	return Sealed{}, err
}

// TextForms are what the signed bytes of a text file may have been before mail
// changed its line ends and blanks: at most 14 forms, the likeliest first.
func TextForms(data []byte) [][]byte {
	forms := [][]byte{data}
	add := func(text string) {
		form := []byte(text)
		for _, have := range forms {
			if bytes.Equal(have, form) {
				return
			}
		}
		forms = append(forms, form)
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	bare := stripTrailing(strings.TrimPrefix(text, "\ufeff"))
	for _, t := range []string{text, bare} {
		body := strings.TrimRight(t, "\n")
		for _, end := range []string{"\n", "", "\n\n"} {
			add(body + end)
			add(strings.ReplaceAll(body+end, "\n", "\r\n"))
		}
	}
	add(orders.Canonical(PlainText(data)))
	return forms
}

func stripTrailing(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Join(lines, "\n")
}

// PlainText reads bytes as UTF-8, or as UTF-16 if they start with its mark.
func PlainText(data []byte) string {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return string(data)
	}
	units := make([]uint16, 0, len(data)/2)
	for data = data[2:]; len(data) >= 2; data = data[2:] {
		units = append(units, order.Uint16(data))
	}
	return string(utf16.Decode(units))
}
