package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"fieldpost/cmdline"
	"fieldpost/umpire"
	"fieldpost/umpire/club"
)

// look is how status looks at the games.
type look struct {
	config, format string
	watch, all     bool
	terminal       bool // standard output is one, and may be coloured
}

// status prints all games at one look, the worst first.
func status(f *flag.FlagSet) cmdline.Action {
	var l look
	f.StringVar(&l.config, "config", "config.toml", "the daemon's configuration")
	f.BoolVar(&l.watch, "watch", false, "look again and again until interrupted")
	every := f.Duration("every", 5*time.Second, "with --watch: how often")
	f.StringVar(&l.format, "format", "text", "text, json or tsv")
	f.BoolVar(&l.all, "all", false, "finished games too")
	return func(ctx context.Context, words []string) error {
		if len(words) > 0 || *every <= 0 {
			return cmdline.Usagef("no words are expected, and --every is a time such as 5s")
		}
		if !slices.Contains([]string{"text", "json", "tsv"}, l.format) {
			return cmdline.Usagef("--format %s: text, json or tsv", l.format)
		}
		l.terminal = colourful()
		for {
			if err := l.once(); err != nil || !l.watch {
				return err
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(*every):
			}
		}
	}
}

// clockCommand lets deadlines run again after a jump of the clock.
func clockCommand(f *flag.FlagSet) cmdline.Action {
	config := f.String("config", "config.toml", "the daemon's configuration")
	return func(_ context.Context, words []string) error {
		if len(words) != 1 || words[0] != "go-on" {
			return cmdline.Usagef("say clock go-on")
		}
		return atDesk(*config, (*umpire.Desk).ClockGoesOn)
	}
}

// colourful tells whether standard output is a terminal that may be coloured.
func colourful() bool {
	info, err := os.Stdout.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// once looks at the games and prints them. Each look opens the desk anew: the daemon
// may have been started meanwhile.
func (l *look) once() error {
	var page bytes.Buffer
	err := atDesk(l.config, func(d *umpire.Desk) error {
		s, err := d.Status()
		if err != nil {
			return err
		}
		return l.print(&page, s)
	})
	if err != nil {
		return err
	}
	if l.watch && l.terminal && l.format == "text" {
		fmt.Print("\x1b[H\x1b[2J")
	}
	_, err = os.Stdout.Write(page.Bytes())
	return err
}

func (l *look) print(w io.Writer, s club.Status) error {
	switch l.format {
	case "json":
		e := json.NewEncoder(w)
		if !l.watch { // with --watch a line for each look
			e.SetIndent("", "  ")
		}
		return e.Encode(s)
	case "tsv":
		return s.TSV(w)
	}
	return s.Board(w, club.BoardOptions{Colour: l.terminal, Over: l.all})
}
