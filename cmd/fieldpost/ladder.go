package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/umpire"
	"fieldpost/umpire/club"
)

// ladder prints the club's ladder, or the results of its games.
func ladder(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	results := f.Bool("results", false, "the finished games, not the players")
	format := f.String("format", "text", "text, csv or json")
	return func(_ context.Context, words []string) error {
		if len(words) > 0 || *format != "text" && *format != "csv" && *format != "json" {
			return cmdline.Usagef("say ladder, or ladder --results, with --format text, csv or json")
		}
		return atDesk(of, func(d *umpire.Desk) error {
			c, err := d.Club()
			if err != nil {
				return err
			}
			// An empty list is written as one.
			rows, data := c.LadderTable(), any(append([]club.Standing{}, c.Ladder...))
			if *results {
				rows, data = c.ResultsTable(), append([]club.Result{}, c.Results...)
			}
			return export(os.Stdout, *format, rows, data)
		})
	}
}

// export writes rows as text in columns or as CSV, or the data as JSON.
func export(w io.Writer, format string, rows [][]string, data any) error {
	switch format {
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(data)
	case "csv":
		return csv.NewWriter(w).WriteAll(rows)
	}
	wide := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			wide[i] = max(wide[i], len([]rune(cell)))
		}
	}
	for _, r := range rows {
		line := ""
		for i, cell := range r {
			line += cell + strings.Repeat(" ", wide[i]-len([]rune(cell))+2)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}
