package main

import (
	"context"
	"fmt"
	"runtime/debug"
)

func version(context.Context, []string) error {
	v := "development"
	if info, ok := debug.ReadBuildInfo(); ok {
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
