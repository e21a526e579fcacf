package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/report/chart"
	"fieldpost/scenarios"
	"fieldpost/umpire"
)

func scenario(_ context.Context, args []string) error {
	words, err := parse(flags("scenario"), args)
	if err != nil || len(words) == 0 {
		return orUsage(err, "say list, or show and a scenario's id")
	}
	switch {
	case words[0] == "list" && len(words) == 1:
		for _, s := range scenarios.List() {
			fmt.Printf("%-16s %-8s %s\n", s.ID, s.System, s.Title)
		}
		return nil
	case words[0] == "show" && len(words) == 2:
		text, err := umpire.Describe(words[1])
		if err != nil {
			return err
		}
		fmt.Print(text)
		return nil
	}
	return usagef("%q is not understood", strings.Join(words, " "))
}

func drawMap(_ context.Context, args []string) error {
	f := flags("map")
	id := f.String("scenario", "", "draw the set-up of this scenario, both sides open")
	viewFile := f.String("view", "", "draw a view.json as it came with a report")
	side := f.String("side", "", "with --scenario: as this side sees it")
	out := f.String("out", "map.png", "file to write; .svg writes SVG")
	scale := f.Float64("scale", 0, "pixels per hex (0: the usual size)")
	if words, err := parse(f, args); err != nil || len(words) > 0 {
		return orUsage(err, "no words are expected")
	}
	var v *view.View
	var err error
	switch {
	case *viewFile != "":
		v, err = readView(*viewFile)
	case *id != "":
		v, err = umpire.OpeningView(*id, *side)
	default:
		return usagef("name a --scenario or a --view")
	}
	if err != nil {
		return err
	}
	pic := chart.Render(v, chart.Options{Scale: *scale})
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	defer file.Close()
	if strings.HasSuffix(*out, ".svg") {
		err = pic.SVG(file)
	} else {
		err = pic.PNG(file)
	}
	if err == nil {
		err = file.Close()
	}
	return err
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
