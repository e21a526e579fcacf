package main

import (
	"context"
	"flag"
	"fmt"

	"fieldpost"
	"fieldpost/cmdline"
	"fieldpost/umpire"
)

// configCommand prints the annotated configuration, or looks one over.
func configCommand(f *flag.FlagSet) cmdline.Action {
	path := f.String("config", "config.toml", "the file to look over")
	return func(_ context.Context, words []string) error {
		if len(words) != 1 || words[0] != "describe" && words[0] != "check" {
			return cmdline.Usagef("say describe or check")
		}
		if words[0] == "describe" {
			fmt.Print(fieldpost.Config)
			return nil
		}
		if _, err := umpire.ReadConfig(*path); err != nil {
			return err
		}
		fmt.Printf("%s is understood; fieldpost doctor --config %s tries the mail account\n", *path, *path)
		return nil
	}
}
