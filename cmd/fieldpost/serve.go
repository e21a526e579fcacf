package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"fieldpost/umpire"
)

func serve(ctx context.Context, args []string) error {
	f := flags("serve")
	config := f.String("config", "config.toml", "the daemon's configuration")
	if words, err := parse(f, args); err != nil || len(words) > 0 {
		return orUsage(err, "no words are expected")
	}
	c, err := umpire.ReadConfig(*config)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	u, err := umpire.Open(c, log)
	if err != nil {
		return err
	}
	defer u.DB.Close()
	fmt.Fprintf(os.Stderr, "fieldpost serves %s from %s; signing key %s\n", c.Mail.Address, c.Database(), u.Key.Public().Fingerprint())
	return u.Run(ctx, c)
}
