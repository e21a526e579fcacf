package match

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/table"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// Library is the scenarios under their rules. It loads a scenario once; a file that changes
// later counts when the program starts again. The zero Library holds the built-in
// scenarios.
type Library struct {
	files scenarios.Library

	mu      sync.Mutex
	Entries map[string]*entry
}

// entry is a scenario that was looked up before. The game and the hash of the
// files are made when they are first asked for.
type entry struct {
	*scenarios.Pack
	adjudicator.System
	Game adjudicator.Game
	hash string
}

// NewLibrary lays the folders over the built-in scenarios. Of a file that several
// hold, that of the first one counts.
func NewLibrary(dirs ...string) (*Library, error) {
	s := &Library{}
	var faults []error
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil {
			faults = append(faults, err)
		} else if !info.IsDir() {
			faults = append(faults, fmt.Errorf("%s is not a folder", dir))
		}
		s.files.Lay(strings.TrimSuffix(dir, "/"), os.DirFS(dir))
	}
	return s, errors.Join(faults...)
}

// List names the scenarios. The error lists those that cannot be read.
func (s *Library) List() ([]scenarios.Info, error) { return s.files.List() }

// entry finds a scenario's files and its rules, once. The lock is held.
func (s *Library) entry(id string) (*entry, error) {
	if e := s.Entries[id]; e != nil {
		return e, nil
	}
	pack, err := s.files.Open(id)
	if err != nil {
		return nil, err
	}
	sys, ok := systems.Get(pack.System)
	if !ok {
		return nil, fmt.Errorf("%w %q", ErrUnknownSystem, pack.System)
	}
	if s.Entries == nil {
		s.Entries = map[string]*entry{}
	}
	s.Entries[id] = &entry{Pack: pack, System: sys}
	return s.Entries[id], nil
}

// Open is a scenario's files and its rules.
func (s *Library) Open(id string) (*scenarios.Pack, adjudicator.System, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.entry(id)
	if err != nil {
		return nil, nil, err
	}
	return e.Pack, e.System, nil
}

// Load loads a scenario under its rules, once.
func (s *Library) Load(id string) (adjudicator.Game, adjudicator.System, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.entry(id)
	if err != nil {
		return nil, nil, err
	}
	if e.Game == nil {
		game, err := e.Load(e.Pack)
		if err != nil {
			return nil, e.System, err
		}
		e.Game = game
	}
	return e.Game, e.System, nil
}

// Hash is of a scenario's files, as they were when it was first asked for.
func (s *Library) Hash(id string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.entry(id)
	if err != nil {
		return "", err
	}
	if e.hash == "" {
		e.hash, err = e.Hash()
	}
	return e.hash, err
}

// Game loads a scenario for those who play it without the umpire, with the words
// of its order sheets.
func (s *Library) Game(id string) (adjudicator.Game, orders.Vocabulary, error) {
	g, sys, err := s.Load(id)
	if err != nil {
		return nil, orders.Vocabulary{}, err
	}
	return g, sys.Vocabulary(), nil
}

// Lint lists what is wrong with the files of a scenario, or of all if the id is
// empty; what several scenarios share is told once.
func (s *Library) Lint(id string) ([]adjudicator.Finding, error) {
	infos, broken := s.List()
	meant := func(in scenarios.Info) bool { return id == "" || in.ID == id }
	var out []adjudicator.Finding
	for _, in := range infos {
		if !meant(in) {
			continue
		}
		pack, sys, err := s.Open(in.ID)
		if err != nil {
			out = append(out, unread(in.Dir, err))
			continue
		}
		linter, ok := sys.(adjudicator.Linter)
		if !ok {
			return nil, fmt.Errorf("%s cannot be checked yet", in.System)
		}
		var known []string
		for _, o := range infos {
			if o.System == in.System && o.Map == in.Map {
				known = append(known, o.ID)
			}
		}
		for _, f := range linter.Lint(pack, known) {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	if len(out) == 0 && !slices.ContainsFunc(infos, meant) {
		return nil, errors.Join(fmt.Errorf("%w: %q", scenarios.ErrUnknown, id), broken)
	}
	adjudicator.SortFindings(out)
	return out, nil
}

// unread is the finding that a scenario cannot be opened.
func unread(dir string, err error) adjudicator.Finding {
	var e *table.Error
	if errors.As(err, &e) {
		return adjudicator.Finding{File: e.File, Line: e.Line, Col: e.Col, Kind: "file", Why: e.Why}
	}
	return adjudicator.Finding{File: dir, Kind: "file", Why: err.Error()}
}

// UnitColumns are the columns of Units.
var UnitColumns = []string{"scenario", "side", "nation", "formation", "unit", "type", "size", "hex", "steps", "max_steps",
	"attack", "defense", "move", "fort", "when", "entry", "provenance"}

// Units lists the counters of a scenario, a row for each.
func (s *Library) Units(id string) ([][]string, error) {
	pack, sys, err := s.Open(id)
	if err != nil {
		return nil, err
	}
	lister, ok := sys.(adjudicator.Lister)
	if !ok {
		return nil, fmt.Errorf("%s cannot list its counters yet", pack.System)
	}
	all, err := lister.Counters(pack)
	var out [][]string
	for _, c := range all {
		out = append(out, []string{id, string(c.Side), c.Nation, c.Formation, c.Unit, c.Type, c.Size, c.Hex, fmt.Sprint(c.Steps), fmt.Sprint(c.MaxSteps),
			fmt.Sprint(c.Attack), fmt.Sprint(c.Defence), fmt.Sprint(c.Move), c.Fort, c.When, c.Entry, c.Provenance()})
	}
	return out, err
}

// The layers of Map.
const (
	LayersBlank   = "blank"   // hexes, numbers and entry zones
	LayersTerrain = "terrain" // the printed map
	LayersSetup   = "setup"   // with both sides' units
)

// ErrUnknownSystem says that a scenario belongs to a rules system that this
// program does not have.
var ErrUnknownSystem = errors.New("unknown rules system")
