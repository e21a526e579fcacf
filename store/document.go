package store

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Document is a record as a store keeps it: JSON, with a journal in it byte for byte but for white space.
func Document(v any) ([]byte, error) {
	var text bytes.Buffer
	into := json.NewEncoder(&text)
	into.SetEscapeHTML(false)
	if err := into.Encode(v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Parsed is a record from its document.
func Parsed[T any](text []byte) (v T, err error) {
	if err := json.Unmarshal(text, &v); err != nil {
		return v, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return v, nil
}
