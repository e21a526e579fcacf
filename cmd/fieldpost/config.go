package main

import (
	"context"
	"fmt"

	"fieldpost"
	"fieldpost/umpire"
)

// configCommand prints the annotated configuration, or looks one over.
func configCommand(_ context.Context, args []string) error {
	f := flags("config")
	path := f.String("config", "config.toml", "the file to look over")
	words, err := parse(f, args)
	if err != nil || len(words) != 1 || words[0] != "describe" && words[0] != "check" {
		return orUsage(err, "say describe or check")
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
