package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"fieldpost/cmdline"
	"fieldpost/hosting"
	"fieldpost/umpire"
	"fieldpost/web"
)

// serve runs the daemon until it is stopped. SIGHUP reads the configuration
// again: if it is in order the daemon finishes what it is at and goes on with it,
// else it goes on as it was.
func serve(f *flag.FlagSet) cmdline.Action {
	config := f.String("config", "config.toml", "the daemon's configuration")
	database := f.String("store", "", "the database of PostgreSQL, postgres://..., in place of the configuration's store")
	roles := f.String("roles", "", "what this daemon does where several share a database: a list such as intake,senders (all: intake, workers, senders, alarms, web)")
	return func(ctx context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected")
		}
		read := func() (*umpire.File, error) { return settled(*config, *database, *roles) }
		log := slog.New(slog.NewTextHandler(os.Stderr, nil))
		hangups := make(chan os.Signal, 1)
		signal.Notify(hangups, syscall.SIGHUP)
		defer signal.Stop(hangups)
		file, err := read()
		for err == nil && file != nil && ctx.Err() == nil {
			hosting.Frugal(len(file.Clubs))
			if file.Several() {
				house := hosting.House{Read: read, Hangups: hangups, Log: log}
				file = house.Serve(ctx, file)
				continue
			}
			file, err = serveOne(ctx, file, read, hangups, log)
		}
		return err
	}
}

// settled reads the configuration, with what the command line says otherwise.
func settled(config, database, roles string) (*umpire.File, error) {
	file, err := umpire.ReadFile(config)
	if err != nil {
		return nil, err
	}
	if file.Several() {
		if database != "" {
			return nil, cmdline.Usagef("--store is for a configuration of one club: each of several has its own store in the file")
		}
		for _, c := range file.Clubs {
			if roles != "" && c.Fault == nil {
				c.Fault = c.TakeRoles(roles)
			}
		}
		return file, nil
	}
	c, err := file.Club("")
	if err == nil && database != "" {
		err = c.KeepIn(database)
	}
	if err == nil && roles != "" {
		err = c.TakeRoles(roles)
	}
	return file, err
}

// serveOne serves the club that has its configuration for itself, and returns the configuration
// of several that took its place; nil if the daemon is to end.
func serveOne(ctx context.Context, file *umpire.File, read func() (*umpire.File, error), hangups <-chan os.Signal, log *slog.Logger) (next *umpire.File, err error) {
	var before *umpire.File // the one that worked
	for file != nil && !file.Several() && ctx.Err() == nil {
		next, err := serveOnce(ctx, file.Clubs[0], read, hangups, log)
		if errors.Is(err, errOpen) && before != nil {
			log.Error("nothing can be served by the new configuration; the daemon goes on with the one before", "error", err)
			file, before = before, nil
			continue
		}
		if err != nil {
			return nil, err
		}
		file, before = next, file
	}
	return file, nil
}

// errOpen says that a configuration cannot be served.
var errOpen = errors.New("cannot serve")

// serveOnce serves by one configuration, and returns the next one, nil if the
// daemon is to end.
func serveOnce(ctx context.Context, c *umpire.Config, read func() (*umpire.File, error), hangups <-chan os.Signal, log *slog.Logger) (next *umpire.File, err error) {
	u, err := umpire.Open(c, log)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errOpen, err)
	}
	defer func() { err = errors.Join(err, u.DB.Close()) }()
	fmt.Fprintf(os.Stderr, "fieldpost serves %s from %s; signing key %s\n", c.Mail.Address, c.Place(), u.Key.Public().Fingerprint())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reload := make(chan *umpire.File, 1)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangups:
			}
			fresh, err := read()
			if err == nil {
				err = fresh.Fault()
			}
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

// withPage runs the daemon, and its web page if the configuration has one. A page
// that cannot be served is no reason to let the mail lie.
func withPage(ctx context.Context, cancel func(), u *umpire.Umpire, c *umpire.Config, log *slog.Logger) error {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if !c.ServesPage() {
			return
		}
		page, err := web.New(u, c.Web, log)
		if err == nil {
			err = page.Run(ctx)
		}
		if err != nil {
			log.Error("there is no web page; the daemon goes on without it", "error", err)
		}
	}()
	err := u.Run(ctx, c)
	cancel()
	<-ended
	return err
}
