package beacon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxAnswer is the longest answer of a server that is read: drand's have 300 bytes.
const maxAnswer = 4096

// ErrNotYet says that a server does not have the round, as before it comes.
var ErrNotYet = errors.New("the server does not have this round")

// Fetch reads a round from one server of drand and verifies it: a server can
// withhold a value, but not choose it. The error is ErrNotYet, ErrSignature, or
// the network's.
func (c *Chain) Fetch(ctx context.Context, client *http.Client, server string, round uint64) (Value, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL(server, round), nil)
	if err != nil {
		return Value{}, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return Value{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return Value{}, err
	}
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusTooEarly:
		return Value{}, fmt.Errorf("%s: round %d: %w", server, round, ErrNotYet)
	default:
		return Value{}, fmt.Errorf("%s: %s", server, resp.Status)
	}
	for _, v := range Find(string(text)) {
		if v.Round == round {
			return v, c.Verify(v)
		}
	}
	return Value{}, fmt.Errorf("%s: the answer does not hold round %d", server, round)
}
