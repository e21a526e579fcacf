package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"fieldpost/cmdline"
	"fieldpost/playtest"
	"fieldpost/report/chart"
	"fieldpost/report/charts"
	"fieldpost/umpire/match"
)

func scenario(f *flag.FlagSet) cmdline.Action {
	var where cmdline.Folders
	where.Add(f)
	all := f.Bool("all", false, "with lint: look over all scenarios")
	notes := f.Bool("notes", false, "with lint: also tell what need not be wrong")
	format := f.String("format", "", "with units: tsv or table; with charts: text or html; with map: svg, png or pdf")
	layers := f.String("layers", match.LayersSetup, "with map: blank, terrain or setup")
	scale := f.Float64("scale", 0, "with map: pixels per hex (0: the usual size)")
	out := f.String("out", "", "with map: file to write (default: the id and the format); with charts: file to write (default: the terminal)")
	id := f.String("scenario", "", "with results: the scenario")
	games := f.Int("games", 10, "with results: how many games")
	first := f.Int("first", 1, "with results: number of the first game")
	mode := f.String("mode", "", "with results: the staffs' MODE; ASK: they write the orders of a chit when it is drawn")
	return func(ctx context.Context, words []string) error {
		if len(words) == 0 {
			return cmdline.Usagef("say list, show, lint, units, charts, map or results")
		}
		library, err := where.Open()
		if err != nil {
			return err
		}
		word := words[0]
		if len(words) == 2 && *id == "" {
			*id = words[1]
		} else if len(words) > 1 {
			return cmdline.Usagef("%q is not understood", strings.Join(words, " "))
		}
		switch {
		case word == "list" && *id == "":
			return listScenarios(library)
		case word == "lint" && (*id == "" || !*all):
			return lint(library, *id, *notes)
		case *id == "":
			return cmdline.Usagef("%q wants a scenario's id, or is not understood", word)
		case word == "show":
			text, err := library.Describe(*id)
			fmt.Print(text)
			return err
		case word == "units":
			return units(library, *id, *format)
		case word == "charts":
			return showCharts(library, *id, *format, *out)
		case word == "map":
			v, err := library.Map(*id, *layers)
			if err != nil {
				return err
			}
			return draw(v, chart.Options{Scale: *scale, Note: layerNotes[*layers]}, *format, *out, *id)
		case word == "results":
			return series{id: *id, mode: *mode, first: *first, games: *games}.play(ctx, library)
		}
		return cmdline.Usagef("%q is not understood", strings.Join(words, " "))
	}
}

// layerNotes say on a map what it shows.
var layerNotes = map[string]string{
	match.LayersBlank:   "the hexes and the entry zones",
	match.LayersTerrain: "the map without units",
	match.LayersSetup:   "the set-up of both sides",
}

// listScenarios lists what can be read, and then what cannot.
func listScenarios(library *match.Library) error {
	infos, err := library.List()
	for _, s := range infos {
		fmt.Printf("%-16s %-8s %s\n", s.ID, s.System, s.Title)
	}
	return err
}

func lint(library *match.Library, id string, notes bool) error {
	found, err := library.Lint(id)
	if err != nil {
		return err
	}
	faults, hidden := 0, 0
	for _, f := range found {
		switch {
		case !f.Note:
			faults++
			fmt.Println(f)
		case notes:
			fmt.Println(f, "[note]")
		default:
			hidden++
		}
	}
	if hidden > 0 {
		fmt.Printf("%d notes on what need not be wrong; --notes shows them\n", hidden)
	}
	if faults > 0 {
		return fmt.Errorf("%d findings", faults)
	}
	fmt.Println("no findings")
	return nil
}

// showCharts prints what lies beside the map at the table.
func showCharts(library *match.Library, id, format, out string) error {
	title, all, err := library.Charts(id)
	if err != nil {
		return err
	}
	if format != "" && format != "text" && format != "html" {
		return cmdline.Usagef("--format is text or html, not %q", format)
	}
	show := charts.Text
	if format == "html" {
		show = charts.HTML
	}
	if out == "" {
		return show(os.Stdout, title, all)
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	return errors.Join(show(file, title, all), file.Close())
}

func units(library *match.Library, id, format string) error {
	rows, err := library.Units(id)
	if err != nil {
		return err
	}
	switch format {
	case "tsv":
		fmt.Println(strings.Join(match.UnitColumns, "\t"))
		for _, r := range rows {
			fmt.Println(strings.Join(r, "\t"))
		}
		return nil
	case "", "table":
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, strings.Join(match.UnitColumns[1:], "\t"))
		for _, r := range rows {
			for i := range r {
				if r[i] == "" {
					r[i] = "-"
				}
			}
			fmt.Fprintln(w, strings.Join(r[1:], "\t"))
		}
		return w.Flush()
	}
	return cmdline.Usagef("--format is tsv or table, not %q", format)
}

// series is games of a scenario between two staffs. A long table can be played in
// pieces: the games are known by their numbers.
type series struct {
	id, mode     string
	first, games int
}

// play plays the games and prints how they ended.
func (s series) play(ctx context.Context, library *match.Library) error {
	game, words, err := library.Game(s.id)
	if err != nil {
		return err
	}
	if s.games < 1 || s.first < 1 {
		return cmdline.Usagef("--games and --first are 1 or more")
	}
	done := 0
	all, err := playtest.PlayAll(ctx, s.games, func(n int) (playtest.Match, error) {
		return playtest.Match{Game: game, Vocabulary: words, Number: s.first + n - 1, Mode: s.mode}, nil
	}, func(r playtest.Result) {
		done++
		fmt.Fprintf(os.Stderr, "%d of %d: game %d ends in turn %d\n", done, s.games, r.Number, r.Turn)
	})
	if err != nil {
		return err
	}
	fmt.Print(playtest.Table(game.Sides(), all), "\n", playtest.SummaryHead, playtest.Summary(game.Title(), game.Sides(), all))
	return nil
}
