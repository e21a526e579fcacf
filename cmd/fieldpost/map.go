package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/report/chart"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
	"fieldpost/umpire/scene"
)

func drawMap(_ context.Context, args []string) error {
	f := flags("map")
	var where shelfFlags
	f.Func("dir", "with --scenario: a `FOLDER` laid over the built-in scenarios; may be given several times, the first is on top", func(d string) error {
		where.dirs = append(where.dirs, d)
		return nil
	})
	config := f.String("config", "", "the daemon's configuration: with --game its store (default config.toml), with --scenario its scenario_dirs")
	id := f.String("scenario", "", "draw the set-up of this scenario, both sides open")
	viewFile := f.String("view", "", "draw a view.json as it came with a report")
	gameID := f.String("game", "", "draw a game that this daemon keeps")
	side := f.String("side", "", "as this side sees it; without it both sides lie open")
	turn := f.Int("turn", 0, "with --game: at the end of this turn (0: now)")
	layerList := f.String("layers", "", "what to draw over the printed map: units,front,forts,bridges,names,objectives,arrows,ranges,zoc,sight; +zoc adds, -arrows leaves out, all is all")
	hexes := f.String("hexes", "", "only this part of the map, two corners: 1800-2806; with --game \"action\" is where things happened")
	format := f.String("format", "", "svg, png or pdf (default: what the file's name says, or png)")
	out := f.String("out", "", "file to write (default: map and the format)")
	scale := f.Float64("scale", 0, "pixels per hex (0: the usual size)")
	if words, err := parse(f, args); err != nil || len(words) > 0 {
		return orUsage(err, "no words are expected")
	}
	layers, err := chart.ParseLayers(*layerList)
	if err != nil {
		return usagef("--layers: %v", err)
	}
	sources := 0
	for _, s := range []string{*id, *viewFile, *gameID} {
		if s != "" {
			sources++
		}
	}
	switch {
	case sources != 1:
		return usagef("name one of --scenario, --view and --game")
	case *viewFile != "" && *side != "":
		return usagef("a view is one side's already: --side goes with --scenario or --game")
	case *turn != 0 && *gameID == "":
		return usagef("--turn goes with --game")
	}
	shown := &scene.Scene{}
	switch {
	case *viewFile != "":
		if slices.Contains(layers, chart.LayerZones) || slices.Contains(layers, chart.LayerSight) {
			return usagef("a view.json holds no zones of control and no lines of sight: zoc and sight go with --scenario or --game")
		}
		shown.View, err = readView(*viewFile)
	case *gameID != "":
		if *config == "" {
			*config = "config.toml"
		}
		err = reading(*config, func(u *umpire.Umpire) error {
			shown, err = scene.At(&u.Games, strings.ToUpper(*gameID), *side, *turn)
			return err
		})
	default:
		where.config = *config
		var shelf *match.Shelf
		if shelf, err = where.open(); err == nil {
			shown, err = scene.Opening(shelf, *id, *side)
		}
	}
	if err != nil {
		return err
	}
	o, err := shown.Options(*layerList)
	if err != nil {
		return usagef("--layers: %v", err)
	}
	o.Scale = *scale
	switch {
	case *hexes == "action" && *gameID != "":
		o.Frame = shown.Frame
	case *hexes != "":
		if o.Frame, err = chart.ParseFrame(shown.View.Board.Grid, *hexes); err != nil {
			return usagef("--hexes: %v", err)
		}
	}
	return draw(shown.View, o, *format, *out, "map")
}

// formats are how a picture can be written.
var formats = map[string]func(*chart.Picture, *os.File) error{
	"svg": func(p *chart.Picture, f *os.File) error { return p.SVG(f) },
	"png": func(p *chart.Picture, f *os.File) error { return p.PNG(f) },
	"pdf": func(p *chart.Picture, f *os.File) error { return p.PDF(f) },
}

// draw writes the map of a view to a file. Without a format the file's name says
// it, without a file it is called name.
func draw(v *view.View, o chart.Options, format, out, name string) error {
	if format == "" {
		if format = strings.ToLower(strings.TrimPrefix(filepath.Ext(out), ".")); format == "" {
			format = "png"
		}
	}
	write := formats[format]
	if write == nil {
		return usagef("--format is svg, png or pdf, not %q", format)
	}
	if out == "" {
		out = name + "." + format
	}
	pic := chart.Render(v, o)
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := write(pic, file); err != nil {
		file.Close()
		return err
	}
	w, h := pic.Size()
	fmt.Printf("%s: %d x %d\n", out, w, h)
	return file.Close()
}

func readView(path string) (*view.View, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	v := &view.View{}
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("%s is not a view.json: %w", path, err)
	}
	if v.Format != view.Format || v.Board == nil {
		return nil, fmt.Errorf("%s: format %d, this version reads %d", path, v.Format, view.Format)
	}
	return v, v.Board.Prepare()
}
