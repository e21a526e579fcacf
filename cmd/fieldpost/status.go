package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"fieldpost/umpire"
)

// status prints all games at one look, the worst first.
func status(ctx context.Context, args []string) error {
	f := flags("status")
	config := f.String("config", "config.toml", "the daemon's configuration")
	watch := f.Bool("watch", false, "look again and again until interrupted")
	every := f.Duration("every", 5*time.Second, "with --watch: how often")
	format := f.String("format", "text", "text, json or tsv")
	all := f.Bool("all", false, "finished games too")
	words, err := parse(f, args)
	if err != nil || len(words) > 0 || *every <= 0 {
		return orUsage(err, "no words are expected, and --every is a time such as 5s")
	}
	terminal := false
	if info, err := os.Stdout.Stat(); err == nil {
		terminal = info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	print := func(w io.Writer, s umpire.Status) error {
		return s.Board(w, umpire.BoardOptions{Colour: terminal, Over: *all})
	}
	switch *format {
	case "text":
	case "json":
		print = func(w io.Writer, s umpire.Status) error {
			e := json.NewEncoder(w)
			if !*watch { // with --watch a line for each look
				e.SetIndent("", "  ")
			}
			return e.Encode(s)
		}
	case "tsv":
		print = func(w io.Writer, s umpire.Status) error { return s.TSV(w) }
	default:
		return usagef("--format %s: text, json or tsv", *format)
	}
	for {
		var page bytes.Buffer
		// Each look opens the desk anew: the daemon may have been started meanwhile.
		err := atDesk(*config, func(d *umpire.Desk) error {
			s, err := d.Status()
			if err != nil {
				return err
			}
			return print(&page, s)
		})
		if err != nil {
			return err
		}
		if *watch && terminal && *format == "text" {
			fmt.Print("\x1b[H\x1b[2J")
		}
		if _, err := os.Stdout.Write(page.Bytes()); err != nil || !*watch {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(*every):
		}
	}
}
