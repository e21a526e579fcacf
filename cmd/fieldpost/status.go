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
	of         *whose
	format     string
	watch, all bool
	terminal   bool // standard output is one, and may be coloured
}

// status prints all games at one look, the worst first.
func status(f *flag.FlagSet) cmdline.Action {
	l := look{of: clubFlags(f)}
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
	of := clubFlags(f)
	return func(_ context.Context, words []string) error {
		if len(words) != 1 || words[0] != "go-on" {
			return cmdline.Usagef("say clock go-on")
		}
		return atDesk(of, (*umpire.Desk).ClockGoesOn)
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
	all, err := l.statuses()
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := l.print(&page, all); err != nil {
		return err
	}
	if l.watch && l.terminal && l.format == "text" {
		fmt.Print("\x1b[H\x1b[2J")
	}
	_, err = os.Stdout.Write(page.Bytes())
	return err
}

// statuses are that of the club, or those of all where several are configured and none is named:
// what cannot be told of one does not hide the others.
func (l *look) statuses() ([]club.Status, error) {
	file, err := umpire.ReadFile(l.of.config)
	if err != nil {
		return nil, err
	}
	if !file.Several() || l.of.club != "" {
		c, err := file.Club(l.of.club)
		if err != nil {
			return nil, err
		}
		s, err := statusOf(c)
		return []club.Status{s}, err
	}
	var all []club.Status
	for _, c := range file.Clubs {
		s, err := statusOf(c)
		if err != nil {
			s.Down = err.Error()
		}
		all = append(all, s)
	}
	return all, nil
}

// statusOf is the status of a club.
func statusOf(c *umpire.Config) (s club.Status, err error) {
	err = c.Fault
	if err == nil {
		err = atDeskOf(c, func(d *umpire.Desk) error {
			s, err = d.Status()
			return err
		})
	}
	s.Club = c.Name
	return s, err
}

func (l *look) print(w io.Writer, all []club.Status) error {
	switch l.format {
	case "json":
		e := json.NewEncoder(w)
		if !l.watch { // with --watch a line for each look
			e.SetIndent("", "  ")
		}
		if all[0].Club != "" && l.of.club == "" {
			return e.Encode(map[string][]club.Status{"clubs": all})
		}
		return e.Encode(all[0])
	case "tsv":
		if all[0].Club != "" {
			return club.TSVOfAll(w, all)
		}
		return all[0].TSV(w)
	}
	for i, s := range all {
		last := i == len(all)-1
		if err := s.Board(w, club.BoardOptions{Colour: l.terminal, Over: l.all, Short: !last}); err != nil {
			return err
		}
		if !last {
			fmt.Fprintln(w)
		}
	}
	return nil
}
