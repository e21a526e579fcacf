package view

import (
	"bytes"
	unpacker "compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// File is the name of a View as a file of JSON; PackedFile is the same packed by gzip
// (RFC 1952), as it travels.
const (
	File       = "view.json"
	PackedFile = File + ".gz"
)

// largest is the greatest size of a view.json, in bytes. The largest of ours has a
// hundredth of it.
const largest = 16 << 20

// packing is how hard a view.json is packed: more costs twice the time for a fiftieth.
const packing = 6

// errTooLarge says of a packed file that it is no view.json.
var errTooLarge = errors.New("unpacked it is larger than any view.json")

// Packed is a view.json as it travels, the same for the same text.
func Packed(text []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, packing)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}

// Unpacked is the text of a view.json that may be packed. A file that is not packed is
// handed back as it is. The standard library unpacks it: the order desk, which packs none, would be
// larger by the other's writer.
func Unpacked(file []byte) ([]byte, error) {
	if !IsPacked(file) {
		return file, nil
	}
	z, err := unpacker.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, largest+1))
	if err == nil && len(text) > largest {
		err = errTooLarge
	}
	return text, err
}

// IsPacked tells whether a file begins as gzip does.
func IsPacked(file []byte) bool { return bytes.HasPrefix(file, []byte{0x1f, 0x8b}) }

// Contents is a file of a mail without its packing, and the name that it has then:
// of view.json.gz the text of view.json, every other file as it is.
func Contents(name string, data []byte) (string, []byte, error) {
	if name != PackedFile {
		return name, data, nil
	}
	text, err := Unpacked(data)
	return strings.TrimSuffix(name, ".gz"), text, err
}

// Parse reads a view.json, packed or not, and makes its board ready.
func Parse(file []byte) (*View, error) {
	text, err := Unpacked(file)
	if err != nil {
		return nil, err
	}
	v := &View{}
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("it is not a view.json: %w", err)
	}
	if v.Format != Format || v.Board == nil {
		return nil, fmt.Errorf("its format is %d, this version reads %d", v.Format, Format)
	}
	return v, v.Board.Prepare()
}
