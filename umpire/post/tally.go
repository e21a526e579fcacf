package post

import (
	"strings"
	"sync/atomic"

	"fieldpost/store"
)

// tally counts what the process has done.
type tally struct {
	Since            atomic.Int64 // unix time, 0 before the first look
	In, Out, Refused atomic.Int64
	// Silent are incoming mails that nobody gets an answer to, by who sent them.
	Strangers, Machines, Loops atomic.Int64
}

// Handled counts an incoming mail that had its effect.
func (t *tally) Handled(c store.Change, err error) {
	if err != nil {
		return
	}
	t.In.Add(1)
	if c.Handled != nil && len(c.Mails) == 0 {
		switch what := c.Handled.Outcome; {
		case strings.HasPrefix(what, "ignored: own"), strings.HasPrefix(what, "ignored: looping"):
			t.Loops.Add(1)
		case strings.HasPrefix(what, "ignored:"):
			t.Machines.Add(1)
		case strings.HasPrefix(what, "not accepted:"):
			t.Strangers.Add(1)
		}
	}
	for _, m := range c.Mails {
		if m.Kind == "refusal" {
			t.Refused.Add(1)
		}
	}
}
