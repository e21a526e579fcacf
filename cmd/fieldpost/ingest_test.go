package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Six messages of 70 MB come through the pipe at once, and six that are just small enough:
// the daemon, a process of its own, stays below 128 MiB. The figures are the most that was
// resident, as the system tells it.
func TestSixLargeMessagesAtOnce(t *testing.T) {
	if peakOf(os.Getpid()) == 0 {
		t.Skip("the system does not tell what a process holds")
	}
	const most = 128 << 20
	n := watched(t, "")
	n.serve()
	defer n.stop()
	begun := peakOf(n.daemon.Process.Pid)
	for _, batch := range []struct {
		bytes int64
		want  string
	}{{70 << 20, "too large to be read"}, {5<<20 - 4096, "not accepted"}} {
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				head := fmt.Sprintf("From: player%d@example.org\r\nTo: umpire@example.org\r\nSubject: orders\r\nMessage-ID: <%d.%d@example.org>\r\n\r\n", i, i, batch.bytes)
				bring := exec.Command(os.Args[0], "ingest", "--config", "club.toml")
				bring.Dir, bring.Env = n.dir, append(os.Environ(), "FIELDPOST_COMMAND=1")
				bring.Stdin = io.MultiReader(strings.NewReader(head), io.LimitReader(lines{}, batch.bytes))
				var out bytes.Buffer
				bring.Stdout, bring.Stderr = &out, &out
				if err := bring.Run(); err != nil || !strings.Contains(out.String(), batch.want) {
					t.Errorf("%d bytes: %v: %s", batch.bytes, err, out.String())
				}
			})
		}
		wg.Wait()
		peak := peakOf(n.daemon.Process.Pid)
		t.Logf("six messages of %d MiB: the daemon had at most %d MiB resident, %d before", batch.bytes>>20, peak>>20, begun>>20)
		if peak == 0 || peak > most {
			t.Errorf("the daemon had %d MiB resident", peak>>20)
		}
	}
}

// peakOf is the most that a process had resident, in bytes; 0 where that is not told.
func peakOf(pid int) (bytes int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if kib, is := strings.CutPrefix(line, "VmHWM:"); is {
			fmt.Sscan(kib, &bytes)
		}
	}
	return bytes << 10
}

// lines are as many lines of text as are asked for.
type lines struct{}

func (lines) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
		if i%64 == 63 {
			p[i] = '\n'
		}
	}
	return len(p), nil
}
