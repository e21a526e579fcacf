// Figures prints what the product can do, measured here and now, with the machine
// and the date, beside what was promised and beside the floor: the same work done
// with nothing but its parts, where it has parts that can be timed alone.
//
//	go run ./trial/figures            # benchmarks, and trials a hundredth as long, some minutes
//	go run ./trial/figures -full      # trials of full length, many hours
//	go run ./trial/figures -only mail # lines with a word in them
//
// It is run from the top of the sources.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	full := flag.Bool("full", false, "trials of full length")
	only := flag.String("only", "", "lines with this word in them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := show(ctx, os.Stdout, *full, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// show prints the table. A line that cannot be had says why, and the error at the
// end names it.
func show(ctx context.Context, out io.Writer, full bool, only string) error {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := &machine{ctx: ctx, dir: dir, full: full, benches: map[string]string{}, built: map[string]string{}}
	fmt.Fprintf(out, "%s, %s\n\n| what | figure | bar | floor |\n| --- | --- | --- | --- |\n", time.Now().UTC().Format(time.DateOnly), describe())
	var failed []error
	for _, l := range lines {
		if !strings.Contains(strings.ToLower(l.what), strings.ToLower(only)) {
			continue
		}
		figure, floor, err := l.read(m)
		if err != nil {
			figure = "not had: " + strings.SplitN(err.Error(), "\n", 2)[0]
			failed = append(failed, fmt.Errorf("%s: %w", l.what, err))
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", l.what, figure, l.bar, floor)
	}
	return errors.Join(failed...)
}

// machine runs programs and keeps what benchmarks printed.
type machine struct {
	ctx     context.Context
	dir     string
	full    bool
	benches map[string]string // by package and name
	built   map[string]string // programs, by the name of their folder
}

// bench is what a benchmark printed.
func (m *machine) bench(pkg, name string) (string, error) {
	at := pkg + " " + name
	if text, ok := m.benches[at]; ok {
		return text, nil
	}
	args := []string{"test", pkg, "-run", "^$", "-bench", "^" + name + "$", "-timeout", "30m"}
	if !strings.HasSuffix(pkg, "/mail") && !strings.HasSuffix(pkg, "/club") { // what is told by the clock has the whole machine
		args = append(args, "-cpu", "1")
	}
	text, err := m.run("go", args...)
	if err == nil {
		m.benches[at] = text
	}
	return text, err
}

// program is what one of the programs printed. It is linked without what only a debugger reads.
func (m *machine) program(name string, args ...string) (string, error) {
	if m.built[name] == "" {
		path := filepath.Join(m.dir, name)
		if _, err := m.run("go", "build", "-ldflags=-s -w", "-o", path, "./cmd/"+name); err != nil {
			return "", err
		}
		m.built[name] = path
	}
	return m.run(m.built[name], args...)
}

func (m *machine) run(name string, args ...string) (string, error) {
	var out, bad bytes.Buffer
	cmd := exec.CommandContext(m.ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &out, &bad
	if m.full {
		cmd.Env = append(os.Environ(), "FIELDPOST_SOAK=1")
	}
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, strings.TrimSpace(bad.String()+out.String()))
	}
	return out.String(), nil
}

// describe names the machine: processor, number of cores, system, Go, load.
func describe() string {
	model := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	s := fmt.Sprintf("%s, %d cores, %s, %s", model, runtime.NumCPU(), runtime.GOOS, runtime.Version())
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ := strings.Cut(string(text), " ")
		s += ", load " + load + " when it began"
	}
	return s
}
