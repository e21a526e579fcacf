//go:build !js

package past

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/zstd"
)

// unpacked is the text of a part that is packed by zstd (RFC 8878).
func unpacked(part []byte) ([]byte, error) {
	r, err := zstd.NewReader(bytes.NewReader(part), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPart))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, maxPart))
}
