package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

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
		file, err := umpire.ReadFile(*path)
		if err == nil {
			err = file.Fault()
		}
		if err != nil {
			return err
		}
		if file.Several() {
			fmt.Printf("%s is understood, with the clubs %s; fieldpost doctor --config %s --club NAME tries the mail account of one\n", *path, strings.Join(file.Names(), ", "), *path)
			return nil
		}
		fmt.Printf("%s is understood; fieldpost doctor --config %s tries the mail account\n", *path, *path)
		return nil
	}
}
