package post

import (
	"sync/atomic"

	"fieldpost/store"
)

// tally counts what the process has done.
type tally struct {
	Since            atomic.Int64 // unix time, 0 before the first look
	In, Out, Refused atomic.Int64
}

// Handled counts an incoming mail that had its effect.
func (t *tally) Handled(c store.Change, err error) {
	if err != nil {
		return
	}
	t.In.Add(1)
	for _, m := range c.Mails {
		if m.Kind == "refusal" {
			t.Refused.Add(1)
		}
	}
}
