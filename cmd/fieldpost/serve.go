package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"fieldpost/umpire"
	"fieldpost/web"
)

// serve runs the daemon until it is stopped. SIGHUP reads the configuration
// again: if it is in order the daemon finishes what it is at and goes on with it,
// else it goes on as it was.
func serve(ctx context.Context, args []string) error {
	f := flags("serve")
	config := f.String("config", "config.toml", "the daemon's configuration")
	if words, err := parse(f, args); err != nil || len(words) > 0 {
		return orUsage(err, "no words are expected")
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	c, err := umpire.ReadConfig(*config)
	for err == nil && ctx.Err() == nil {
		var next *umpire.Config
		if next, err = serveOnce(ctx, c, *config, hangups, log); next == nil {
			break
		}
		c = next
	}
	return err
}

// serveOnce serves by one configuration, and returns the next one, nil if the
// daemon is to end.
func serveOnce(ctx context.Context, c *umpire.Config, path string, hangups <-chan os.Signal, log *slog.Logger) (next *umpire.Config, err error) {
	u, err := umpire.Open(c, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, u.DB.Close()) }()
	fmt.Fprintf(os.Stderr, "fieldpost serves %s from %s; signing key %s\n", c.Mail.Address, c.Database(), u.Key.Public().Fingerprint())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reload := make(chan *umpire.Config, 1)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangups:
			}
			fresh, err := umpire.ReadConfig(path)
			if err != nil {
				log.Error("the configuration cannot be read; the daemon goes on as before", "error", err)
				continue
			}
			log.Info("the configuration was read again")
			reload <- fresh
			cancel()
			return
		}
	}()
	err = withPage(ctx, cancel, u, c, log)
	select {
	case next = <-reload:
	default:
	}
	return next, err
}

// withPage runs the daemon, and its web page if the configuration has one.
func withPage(ctx context.Context, cancel func(), u *umpire.Umpire, c *umpire.Config, log *slog.Logger) error {
	if c.Web.Listen == "" {
		return u.Run(ctx, c)
	}
	page, err := web.New(u, c.Web, log)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		defer cancel() // without its page the daemon does not go on
		ended <- page.Run(ctx)
	}()
	err = u.Run(ctx, c)
	cancel()
	return errors.Join(err, <-ended)
}
