package main

import (
	"flag"

	"fieldpost/umpire"
)

// whose are the flags that say which club a command is about.
type whose struct{ config, club string }

// clubFlags declares them.
func clubFlags(f *flag.FlagSet) *whose {
	w := &whose{}
	f.StringVar(&w.config, "config", "config.toml", "the daemon's configuration")
	w.addClub(f)
	return w
}

func (w *whose) addClub(f *flag.FlagSet) {
	f.StringVar(&w.club, "club", "", "the `NAME` of the club, where the configuration has several")
}

// words are the flags that say so again, "" for a club that has its configuration for itself.
func (w *whose) words() string {
	if w.club == "" {
		return ""
	}
	return "--club " + w.club
}

// read reads the settings of the club.
func (w *whose) read() (*umpire.Config, error) {
	file, err := umpire.ReadFile(w.config)
	if err != nil {
		return nil, err
	}
	return file.Club(w.club)
}
