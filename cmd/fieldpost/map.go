package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/cmdline"
	"fieldpost/report/chart"
	"fieldpost/umpire"
	"fieldpost/umpire/scene"
)

// mapWanted is what map is to draw, and how.
type mapWanted struct {
	where                    cmdline.Folders
	of                       whose
	scenario, viewFile, game string // where the position is from, one of the three
	side                     string
	turn                     int
	layers, hexes            string
	paper                    string // to print on, "" for none
}

func drawMap(f *flag.FlagSet) cmdline.Action {
	var m mapWanted
	f.Func("dir", "with --scenario: a `FOLDER` laid over the built-in scenarios; may be given several times, the first is on top", func(d string) error {
		m.where.Dirs = append(m.where.Dirs, d)
		return nil
	})
	m.of.addClub(f)
	f.StringVar(&m.of.config, "config", "", "the daemon's configuration: with --game its store (default config.toml), with --scenario its scenario_dirs")
	f.StringVar(&m.scenario, "scenario", "", "draw the set-up of this scenario, both sides open")
	f.StringVar(&m.viewFile, "view", "", "draw a view.json as it came with a report")
	f.StringVar(&m.game, "game", "", "draw a game that this daemon keeps")
	f.StringVar(&m.side, "side", "", "as this side sees it; without it both sides are open")
	f.IntVar(&m.turn, "turn", 0, "with --game: at the end of this turn (0: now)")
	f.StringVar(&m.layers, "layers", "", "what to draw over the printed map: units,front,forts,bridges,names,objectives,arrows,ranges,zoc,sight,supply; +zoc adds, -arrows leaves out, all is all")
	f.StringVar(&m.hexes, "hexes", "", "only this part of the map: two corners (1800-2806), a hex or a place (Zmijew), or \"AROUND 2306 5\"; with --game \"action\" is where things happened")
	format := f.String("format", "", "svg, png or pdf (default: what the file's name says, or png)")
	out := f.String("out", "", "file to write (default: map and the format)")
	f.StringVar(&m.paper, "print", "", "print on sheets of this `PAPER`, a4 or a3: a PDF on white ground, hexes half an inch wide, with strips to glue and marks to cut")
	scale := f.Float64("scale", 0, "pixels per hex (0: the usual size)")
	return func(_ context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected")
		}
		if err := m.check(); err != nil {
			return err
		}
		debug.SetGCPercent(400) // a program that ends with one map need not tidy up behind itself
		shown, err := m.position()
		if err != nil {
			return err
		}
		o, err := shown.Options(m.layers)
		if err != nil {
			return cmdline.Usagef("--layers: %v", err)
		}
		o.Scale = *scale
		if o.Frame, err = m.frame(shown); err != nil {
			return cmdline.Usagef("--hexes: %v", err)
		}
		if o.Scale == 0 && !o.Frame.Whole() {
			o.Scale = scene.CloseUpScale // with the names of units
		}
		if m.paper != "" {
			o.Scale = cmp.Or(*scale, printScale)
			return m.print(shown.View, o, cmp.Or(*out, "map.pdf"))
		}
		return draw(shown.View, o, *format, *out, "map")
	}
}

// printScale is the scale at which hexes are half an inch wide on paper.
const printScale = 48

// print writes the map as sheets of paper.
func (m *mapWanted) print(v *view.View, o chart.Options, out string) error {
	on, known := chart.Papers[strings.ToLower(m.paper)]
	if !known {
		return cmdline.Usagef("--print is a4 or a3, not %q", m.paper)
	}
	o.Paper = true
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := chart.Render(v, o).Print(file, on); err != nil {
		file.Close()
		return err
	}
	fmt.Println(out)
	return file.Close()
}

// check looks whether the flags go together.
func (m *mapWanted) check() error {
	layers, err := chart.ParseLayers(m.layers)
	if err != nil {
		return cmdline.Usagef("--layers: %v", err)
	}
	sources := 0
	for _, s := range []string{m.scenario, m.viewFile, m.game} {
		if s != "" {
			sources++
		}
	}
	reckoned := slices.ContainsFunc(layers, func(l chart.Layer) bool {
		return l == chart.LayerZones || l == chart.LayerSight || l == chart.LayerSupply
	})
	switch {
	case sources != 1:
		return cmdline.Usagef("name one of --scenario, --view and --game")
	case m.viewFile != "" && m.side != "":
		return cmdline.Usagef("a view is one side's already: --side goes with --scenario or --game")
	case m.turn != 0 && m.game == "":
		return cmdline.Usagef("--turn goes with --game")
	case m.viewFile != "" && reckoned:
		return cmdline.Usagef("a view.json holds no zones of control, lines of sight or of supply: zoc, sight and supply go with --scenario or --game")
	}
	return nil
}

// position is what to draw.
func (m *mapWanted) position() (shown *scene.Scene, err error) {
	switch {
	case m.viewFile != "":
		v, err := readView(m.viewFile)
		return &scene.Scene{View: v}, err
	case m.game != "":
		err = reading(&whose{cmp.Or(m.of.config, "config.toml"), m.of.club}, func(u *umpire.Umpire) error {
			shown, err = scene.At(&u.Games, strings.ToUpper(m.game), m.side, m.turn)
			return err
		})
		return shown, err
	}
	m.where.Config, m.where.Club = m.of.config, m.of.club
	library, err := m.where.Open()
	if err != nil {
		return nil, err
	}
	return scene.Opening(library, m.scenario, m.side)
}

// frame is the part of the map to draw.
func (m *mapWanted) frame(shown *scene.Scene) (chart.Frame, error) {
	switch {
	case m.hexes == "":
		return chart.Frame{}, nil
	case m.hexes == "action" && m.game != "":
		return shown.Frame, nil
	}
	return chart.ParseFrame(shown.View.Board, m.hexes)
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
		return cmdline.Usagef("--format is svg, png or pdf, not %q", format)
	}
	if out == "" {
		out = name + "." + format
	}
	o.Single = true
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
