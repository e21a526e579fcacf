//go:build js

package past

// Unpack is the text, of at most so many bytes, of what is packed by zstd (RFC 8878). The page has an
// unpacker, for the engine comes packed: without a second one the engine is a fiftieth smaller.
var Unpack func(packed []byte, most int) ([]byte, error)

func unpacked(part []byte) ([]byte, error) { return Unpack(part, maxPart) }
