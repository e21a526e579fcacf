package main

import (
	"context"
	"fmt"
	"runtime/debug"
)

// release is set by packaging/build.
var release string

func version(_ context.Context, args []string) error {
	if words, err := parse(flags("version"), args); err != nil || len(words) > 0 {
		return orUsage(err, "no words are expected")
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
	return nil
}
