package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/umpire"
)

func album(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	side := f.String("side", "", "as this side knew it; without it both sides are open")
	out := f.String("out", "", "folder to write (default: the game's id)")
	return func(_ context.Context, words []string) error {
		if len(words) != 1 {
			return cmdline.Usagef("name the game")
		}
		id := strings.ToUpper(words[0])
		if *out == "" {
			*out = id
		}
		return reading(of, func(u *umpire.Umpire) error {
			a, err := u.Album(id, *side)
			if err != nil {
				return err
			}
			if err := a.Write(*out); err != nil {
				return err
			}
			fmt.Printf("%d turns; page through them: %s/index.html\n", len(a.Pages), *out)
			return nil
		})
	}
}
