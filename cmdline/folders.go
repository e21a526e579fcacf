package cmdline

import (
	"flag"

	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

// Folders are the flags that say what is laid over the built-in scenarios.
type Folders struct {
	Dirs   []string // the first is on top
	Config string   // of a daemon, whose scenario_dirs come below them
	Club   string   // one of several clubs of that configuration; "" where it has one
}

// Add declares the flags.
func (s *Folders) Add(f *flag.FlagSet) {
	f.Func("dir", "a `FOLDER` laid over the built-in scenarios; may be given several times, the first is on top", func(d string) error {
		s.Dirs = append(s.Dirs, d)
		return nil
	})
	f.StringVar(&s.Config, "config", "", "a daemon's configuration: its scenario_dirs are laid over as well")
	f.StringVar(&s.Club, "club", "", "with --config: the `NAME` of the club, where the configuration has several")
}

// Open is the scenarios with the folders laid over them.
func (s *Folders) Open() (*match.Library, error) {
	dirs := s.Dirs
	if s.Config != "" {
		file, err := umpire.ReadFile(s.Config)
		if err != nil {
			return nil, err
		}
		c, err := file.Club(s.Club)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, c.ScenarioDirs...)
	}
	return match.NewLibrary(dirs...)
}

// Args are the flags as they were given, for the command line of another process.
func (s *Folders) Args() (args []string) {
	for _, dir := range s.Dirs {
		args = append(args, "--dir", dir)
	}
	if s.Config != "" {
		args = append(args, "--config", s.Config)
	}
	if s.Club != "" {
		args = append(args, "--club", s.Club)
	}
	return args
}
