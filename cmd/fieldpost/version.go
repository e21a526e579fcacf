package main

import (
	"context"
	"flag"
	"fmt"
	"runtime/debug"

	"fieldpost/cmdline"
	"fieldpost/desk/dist"
)

// release is set by packaging/build.
var release string

func version(_ *flag.FlagSet) cmdline.Action {
	return func(_ context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected")
		}
		v := "development"
		if release != "" {
			v = release
		} else if info, ok := debug.ReadBuildInfo(); ok {
			if info.Main.Version != "" && info.Main.Version != "(devel)" {
				v = info.Main.Version
			}
			for _, s := range info.Settings {
				if s.Key == "vcs.revision" && len(s.Value) >= 12 {
					v += " " + s.Value[:12]
				}
			}
		}
		fmt.Println("fieldpost", v)
		if sum, err := dist.Sum(); err == nil {
			fmt.Println("desk.html SHA-256", sum)
		}
		return nil
	}
}
